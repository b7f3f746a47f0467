//! MPI: what its compiler wrapper adds to a compilation and a link, and its launcher.

use super::exit::Failure;
use super::options::{Options, split_words};
use super::toolchain::{Show, Tool};
use std::path::Path;
use std::process::Command;

/// Environment variables that name the wrapper and the launcher.
const WRAPPER_VARIABLE: &str = "UPCC_MPICC";
const LAUNCHER_VARIABLE: &str = "UPC_MPIRUN";

/// What `mpicc` hands to the C compiler.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Flags {
    /// Folders of headers, macros.
    pub compile: Vec<String>,
    /// Folders and names of libraries.
    pub link: Vec<String>,
}

/// The words of the wrapper's command: `-mpicc`, else `UPCC_MPICC`, else `mpicc`.
///
/// # Errors
/// A usage failure for unbalanced quotes.
pub fn wrapper(options: &Options) -> Result<Vec<String>, Failure> {
    let given = match &options.mpicc {
        Some(command) => split_words(command, "-mpicc")?,
        None => split_words(
            &std::env::var(WRAPPER_VARIABLE).unwrap_or_default(),
            WRAPPER_VARIABLE,
        )?,
    };
    if given.is_empty() {
        return Ok(vec!["mpicc".to_owned()]);
    }
    Ok(given)
}

/// Asks the wrapper.
///
/// # Errors
/// An environment failure if there is none, or it does not say.
pub fn flags(options: &Options) -> Result<Flags, Failure> {
    let words = wrapper(options)?;
    let name = words.join(" ");
    // Open MPI and MPICH, and what comes of them, understand this one.
    let said = Tool::of(words)
        .arg("-show")
        .capture(Show::Nothing)
        .map_err(|_| {
            Failure::environment(format!(
                "-network=mpi needs MPI, and `{name} -show` does not work: install MPI (Debian: openmpi-bin and libopenmpi-dev), or name its compiler wrapper by -mpicc=CMD or {WRAPPER_VARIABLE}"
            ))
        })?;
    let line = String::from_utf8_lossy(&said).trim().to_owned();
    let words = split_words(&line, &name)?;
    let flags = sort(words.into_iter().skip(1));
    if flags.link.is_empty() {
        return Err(Failure::environment(format!(
            "`{name} -show` names no library: it says `{line}`"
        )));
    }
    Ok(flags)
}

/// The wrapper's words by what they are for; other words are its own compiler's affair.
fn sort(words: impl Iterator<Item = String>) -> Flags {
    let mut flags = Flags::default();
    for word in words {
        let begins = |prefixes: &[&str]| prefixes.iter().any(|prefix| word.starts_with(prefix));
        if begins(&["-I", "-D"]) {
            flags.compile.push(word);
        } else if begins(&["-L", "-l", "-Wl,"]) || word.ends_with(".a") || word.ends_with(".so") {
            flags.link.push(word);
        } else if word == "-pthread" {
            flags.compile.push(word.clone());
            flags.link.push(word);
        }
    }
    flags
}

/// What the launcher is to do.
pub struct Job<'a> {
    /// Processes.
    pub threads: u32,
    /// Machines, if the user has said.
    pub nodes: Option<u32>,
    /// Variables that processes on all machines must have.
    pub variables: &'a [(&'static str, String)],
}

/// Variables of the environment that reach all machines: these, and whatever begins so.
const FORWARDED: &[&str] = &["UPC_", "UPCR_", "GASNET_"];

/// The launcher's command, up to the program: `UPC_MPIRUN`, else `mpirun`.
///
/// # Errors
/// A usage failure for unbalanced quotes, an environment failure if there is no launcher.
pub fn launcher(job: &Job<'_>) -> Result<Command, Failure> {
    let named = std::env::var(LAUNCHER_VARIABLE).unwrap_or_default();
    let mut words = split_words(&named, LAUNCHER_VARIABLE)?;
    if words.is_empty() {
        words.push("mpirun".to_owned());
    }
    let open_mpi = is_open_mpi(&words)?;
    let mut command = Command::new(&words[0]);
    command.args(&words[1..]);
    command.args(["-n", &job.threads.to_string()]);
    if let Some(nodes) = job.nodes {
        command.args(["-npernode", &job.threads.div_ceil(nodes).to_string()]);
    }
    if open_mpi {
        // Silent when a process ends with a status, which the runtime has explained; every thread may use every processor.
        command.args(["-q", "--oversubscribe", "--bind-to", "none"]);
        for name in forwarded(job.variables) {
            command.args(["-x", &name]);
        }
    }
    if let Some(file) = std::env::var_os("UPC_NODEFILE") {
        command.arg("--hostfile").arg(file);
    } else if let Ok(hosts) = std::env::var("UPC_NODES") {
        let hosts: Vec<&str> = hosts.split([',', ' ']).filter(|h| !h.is_empty()).collect();
        command.args(["--host", &hosts.join(",")]);
    }
    Ok(command)
}

/// Names of the variables to hand on.
fn forwarded(set: &[(&'static str, String)]) -> Vec<String> {
    let inherited = std::env::vars_os().filter_map(|(name, _)| name.into_string().ok());
    let ours = |name: &String| FORWARDED.iter().any(|prefix| name.starts_with(prefix));
    let mut names: Vec<String> = inherited
        .filter(ours)
        .chain(set.iter().map(|(name, _)| (*name).to_owned()))
        .collect();
    names.sort();
    names.dedup();
    names
}

fn is_open_mpi(words: &[String]) -> Result<bool, Failure> {
    let said = Tool::of(words.to_vec())
        .arg("--version")
        .capture(Show::Nothing)
        .map_err(|_| {
            Failure::environment(format!(
                "this program exchanges messages by MPI, and MPI's launcher `{}` does not start: install MPI (Debian: openmpi-bin), or name its launcher by {LAUNCHER_VARIABLE}",
                words.join(" ")
            ))
        })?;
    Ok(String::from_utf8_lossy(&said).contains("Open MPI"))
}

/// The static number of threads of a program.
pub fn threads_of(program: &Path) -> Option<u32> {
    let units = super::objects::units_of_program(program).ok()?;
    let mut fixed = units.iter().map(|unit| unit.threads);
    fixed.find(|&threads| threads != 0)
}

/// Whether a program, if it can be read, is for this transport.
pub fn is_for(program: &Path) -> bool {
    super::objects::units_of_program(program)
        .is_ok_and(|units| units.iter().any(|unit| unit.network == "mpi"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_the_wrapper() {
        let line = "gcc -I/mpi/include -pthread -L/mpi/lib -Wl,-rpath -Wl,/mpi/lib -lmpi";
        let flags = sort(line.split(' ').skip(1).map(str::to_owned));
        assert_eq!(flags.compile, ["-I/mpi/include", "-pthread"]);
        assert_eq!(
            flags.link.join(" "),
            "-pthread -L/mpi/lib -Wl,-rpath -Wl,/mpi/lib -lmpi"
        );
    }
}
