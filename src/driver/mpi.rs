//! MPI: the flags that its compiler wrapper adds to a compilation and a link, and its launcher.

use super::hosts::Hosts;
use super::settings::{Options, Stop, split_words};
use super::supervise::Lacks;
use super::tool::{Show, Tool};
use super::{environment, log};
use crate::cli::Failure;
use crate::target::Network;
use std::path::Path;
use std::process::Command;

/// Environment variables that name the wrapper and the launcher.
const WRAPPER_VARIABLE: &str = "UPCC_MPICC";
const LAUNCHER_VARIABLE: &str = "UPC_MPIRUN";

/// The flags that an engine's libraries need.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Flags {
    /// Header folders and macros.
    pub compile: Vec<String>,
    /// Library folders and library names.
    pub link: Vec<String>,
}

/// Returns the words of the wrapper's command: `-mpicc`, else `UPCC_MPICC`, else `mpicc`.
///
/// # Errors
/// A usage failure for unbalanced quotes.
pub fn wrapper(options: &Options) -> Result<Vec<String>, Failure> {
    let given = match &options.target.mpicc {
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

/// Asks the wrapper for its flags.
///
/// # Errors
/// An environment failure if there is no wrapper, or it does not print its flags.
pub fn flags(options: &Options) -> Result<Flags, Failure> {
    let words = wrapper(options)?;
    let name = words.join(" ");
    // Open MPI, MPICH and the libraries derived from them support this option.
    let output = Tool::of(words)
        .arg("-show")
        .capture(Show::Nothing)
        .map_err(|_| {
            Failure::environment(format!(
                "-network=mpi needs MPI, but `{name} -show` does not work: install MPI (Debian: openmpi-bin and libopenmpi-dev), or set its compiler wrapper with -mpicc=CMD or {WRAPPER_VARIABLE}"
            ))
        })?;
    let line = String::from_utf8_lossy(&output).trim().to_owned();
    let words = split_words(&line, &name)?;
    let flags = sort(words.into_iter().skip(1));
    if flags.link.is_empty() {
        return Err(Failure::environment(format!(
            "`{name} -show` names no library: it prints `{line}`"
        )));
    }
    Ok(flags)
}

/// Returns whether the wrapper works.
pub fn is_installed() -> bool {
    flags(&Options::default()).is_ok()
}

/// Replaces a transport of another compiler by an available one: MPI or, without MPI, shared memory, on which the
/// program runs as well, on one machine. The link reports this once for a program; `-v` always reports it.
pub fn stand_in(options: &mut Options) {
    let Some(conduit) = options.target.conduit.take() else {
        return;
    };
    let network = format!("-network={conduit}: ");
    let treated = match flags(options) {
        // For a program that calls MPI, the missing MPI is reported as an error.
        Err(_) if !options.target.uses_mpi => {
            options.target.network = Network::Smp;
            "treated as -network=smp, one machine's shared memory; for several machines install MPI (or see -mpicc)"
        }
        Ok(_) | Err(_) => "treated as -network=mpi, messages between machines by MPI",
    };
    let links = options.product.stop == Stop::Program && !options.product.no_program;
    if (links && !options.messages.warnings.suppress) || options.messages.show != Show::Nothing {
        log(&format!("warning: {network}{treated}"));
    }
}

/// Sorts the words of a wrapper or of pkg-config by purpose. Other words concern the wrapper's own compiler only.
pub fn sort(words: impl Iterator<Item = String>) -> Flags {
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

/// The settings for one start of the launcher.
pub struct Job<'a> {
    /// The number of processes.
    pub threads: u32,
    /// The number of machines, if the user has given it.
    pub nodes: Option<u32>,
    /// The machines.
    pub hosts: &'a Hosts,
    /// Variables to set in the processes on all machines.
    pub variables: &'a [(&'static str, String)],
    /// Variables of the environment that the user wants there, too.
    pub named: &'a [String],
}

/// What a program finds its other processes by, by which launchers are matched with programs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Library {
    OpenMpi,
    /// MPICH and those that share its binary interface.
    Mpich,
    /// PMIx itself, without an MPI (`-network=ucx`).
    Pmix,
}

/// The option syntax of a launcher.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    /// Open MPI's mpirun.
    OpenMpi,
    /// The launcher of MPICH and others derived from it.
    Hydra,
    /// Slurm's srun.
    Srun,
    /// Another launcher that supports `-n`.
    Other,
}

/// The launchers of each library, in the order in which they are tried.
const LAUNCHERS: &[(Library, Kind, &[&str])] = &[
    (
        Library::OpenMpi,
        Kind::OpenMpi,
        &["mpirun", "mpirun.openmpi", "orterun"],
    ),
    (
        Library::Mpich,
        Kind::Hydra,
        &["mpirun", "mpirun.mpich", "mpiexec.hydra", "mpiexec.mpich"],
    ),
    // Open MPI's launcher is a server of PMIx.
    (
        Library::Pmix,
        Kind::OpenMpi,
        &["mpirun", "mpirun.openmpi", "orterun"],
    ),
];

/// A launcher.
struct Launcher {
    words: Vec<String>,
    kind: Kind,
}

impl Launcher {
    /// Returns the launcher for a program: `UPC_MPIRUN`; within a Slurm allocation, srun; else that of the program's
    /// MPI.
    fn choose(library: Option<Library>) -> Result<Launcher, Failure> {
        let named = std::env::var(LAUNCHER_VARIABLE).unwrap_or_default();
        let words = split_words(&named, LAUNCHER_VARIABLE)?;
        if !words.is_empty() {
            let kind = kind_of(&words).ok_or_else(|| no_launcher(&words.join(" ")))?;
            return Ok(Launcher { words, kind });
        }
        let allocated = std::env::var_os("SLURM_JOB_ID").is_some();
        let srun = || vec!["srun".to_owned()];
        if allocated && kind_of(&srun()) == Some(Kind::Srun) {
            return Ok(Launcher {
                words: srun(),
                kind: Kind::Srun,
            });
        }
        let fits = |row: &&(Library, Kind, &[&str])| library.is_none_or(|it| it == row.0);
        for &(_, kind, names) in LAUNCHERS.iter().filter(fits) {
            for &name in names {
                let words = vec![name.to_owned()];
                if kind_of(&words) == Some(kind) {
                    return Ok(Launcher { words, kind });
                }
            }
        }
        // The MPI is unknown, or its launcher does not identify itself.
        let words = vec!["mpirun".to_owned()];
        match (library, kind_of(&words)) {
            (None, Some(kind)) => Ok(Launcher { words, kind }),
            (Some(Library::Mpich), _) => Err(no_launcher("mpirun.mpich")),
            (Some(Library::Pmix), _) => Err(no_pmix_launcher()),
            (None | Some(Library::OpenMpi), _) => Err(no_launcher("mpirun")),
        }
    }

    /// Appends the launcher's options to the command.
    fn configure(&self, job: &Job<'_>, library: Option<Library>, command: &mut Command) {
        command.args(["-n", &job.threads.to_string()]);
        let per_node = job
            .nodes
            .map(|nodes| job.threads.div_ceil(nodes).to_string());
        match self.kind {
            Kind::OpenMpi => {
                if let Some(count) = per_node {
                    command.args(["-npernode", &count]);
                }
                // No messages when a process ends with a status, since the runtime has explained it; every thread may
                // use every processor.
                command.args(["-q", "--oversubscribe", "--bind-to", "none"]);
                for word in environment::forwarded(job.named, job.variables) {
                    command.arg("-x").arg(word);
                }
                for (name, value) in KEEP_ALIVE {
                    if std::env::var_os(name).is_none() {
                        command.env(name, value);
                    }
                }
            }
            Kind::Hydra => {
                if let Some(count) = per_node {
                    command.args(["-ppn", &count]);
                }
            }
            Kind::Srun => {
                if let Some(nodes) = job.nodes {
                    command.args(["-N", &nodes.to_string()]);
                }
                if let Some(interface) = srun_interface(&self.words, library) {
                    command.arg(format!("--mpi={interface}"));
                }
                // As `-q` of mpirun: no messages about options, and about the end that the runtime has explained.
                command.arg("--quiet");
                command.args(["--overcommit", "--cpu-bind=none", "--kill-on-bad-exit=1"]);
            }
            Kind::Other => {}
        }
        match (job.hosts, self.kind) {
            (Hosts::None, _) => {}
            (Hosts::File(file, _), Kind::OpenMpi) => {
                command.arg("--hostfile").arg(file);
            }
            (Hosts::File(file, _), Kind::Hydra | Kind::Other) => {
                command.arg("-f").arg(file);
            }
            (Hosts::List(list), Kind::OpenMpi) => {
                command.args(["--host", &list.join(",")]);
            }
            (Hosts::List(list), Kind::Hydra | Kind::Other) => {
                command.args(["-hosts", &list.join(",")]);
            }
            // Srun reads a file only if its path has a slash, and takes each of its lines for a name, with `slots=4`.
            (Hosts::File(..) | Hosts::List(_), Kind::Srun) => {
                command.args(["-w", &job.hosts.names().join(",")]);
            }
        }
    }

    /// Returns the reason why the launcher would not start anything for this user, or not under this limit.
    fn refusal(&self) -> Option<Failure> {
        if let Some(limit) = file_limit().filter(|limit| *limit < SHARED_FILE)
            && matches!(self.kind, Kind::OpenMpi | Kind::Hydra)
        {
            return Some(Failure::environment(format!(
                "a file is limited to {} (ulimit -f), and MPI's processes share memory in files of up to {}: raise that limit",
                size_text(limit),
                size_text(SHARED_FILE)
            )));
        }
        let root = rustix::process::geteuid().is_root();
        let allowed = OPEN_MPI_ROOT
            .iter()
            .all(|name| std::env::var_os(name).is_some())
            || self.words.iter().any(|word| word == "--allow-run-as-root");
        (self.kind == Kind::OpenMpi && root && !allowed).then(|| {
            let set = OPEN_MPI_ROOT.map(|name| format!("{name}=1")).join(" and ");
            Failure::environment(format!(
                "Open MPI does not start programs for root unless that is allowed: set {set} in the environment, or start the program as another user"
            ))
        })
    }
}

/// The files by which the processes of Open MPI and of MPICH share memory are a little smaller than this by default. If
/// a file may not be so large, the launcher may wait forever, or the processes end without a message.
const SHARED_FILE: u64 = 5 << 20;

/// Returns the largest file that this process may write, if there is a limit.
fn file_limit() -> Option<u64> {
    rustix::process::getrlimit(rustix::process::Resource::Fsize).current
}

/// Returns a size in whole KB or MB.
fn size_text(bytes: u64) -> String {
    match bytes {
        0..1024 => format!("{bytes} bytes"),
        1024..0x10_0000 => format!("{} KB", bytes >> 10),
        _ => format!("{} MB", bytes >> 20),
    }
}

/// Returns a note for a job that has failed while files were limited. MPI does not give this reason itself.
pub fn limit_note() -> Option<String> {
    let limit = file_limit()?;
    Some(format!(
        "note: a file is limited to {} (ulimit -f), and MPI's processes share memory in files, which may be larger",
        size_text(limit)
    ))
}

/// Open MPI starts programs for root if these variables are set.
const OPEN_MPI_ROOT: [&str; 2] = ["OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"];

/// With these settings Open MPI's daemons notice within 8 to 12 seconds that the connection to one of them is lost.
/// That is after the runtime's launchers, which report what is lost (`transport/messages/launcher_network.c`).
const KEEP_ALIVE: &[(&str, &str)] = &[
    ("OMPI_MCA_oob_tcp_keepalive_time", "4"),
    ("OMPI_MCA_oob_tcp_keepalive_intvl", "4"),
    ("OMPI_MCA_oob_tcp_keepalive_probes", "2"),
];

/// Returns the kind that a launcher reports for itself; `None`: it does not start.
fn kind_of(words: &[String]) -> Option<Kind> {
    let version = Tool::of(words.to_vec())
        .arg("--version")
        .capture(Show::Nothing)
        .ok()?;
    let version = String::from_utf8_lossy(&version).to_lowercase();
    let signs = [
        ("open mpi", Kind::OpenMpi),
        ("openrte", Kind::OpenMpi),
        ("hydra", Kind::Hydra),
        ("intel(r) mpi", Kind::Hydra),
        ("slurm", Kind::Srun),
    ];
    let found = signs.iter().find(|(sign, _)| version.contains(sign));
    Some(found.map_or(Kind::Other, |(_, kind)| *kind))
}

fn no_launcher(name: &str) -> Failure {
    Failure::environment(format!(
        "this program exchanges messages by MPI, but its launcher `{name}` does not start: install the MPI that the program was compiled with (Debian: openmpi-bin or mpich), or set the launcher with {LAUNCHER_VARIABLE}"
    ))
}

fn no_pmix_launcher() -> Failure {
    Failure::environment(format!(
        "this program exchanges messages by UCX and finds its processes by PMIx, but no launcher for that starts: install Open MPI's (Debian: openmpi-bin), start the program with srun --mpi=pmix, or set the launcher with {LAUNCHER_VARIABLE}"
    ))
}

/// Returns the interface between srun and MPI; `None`: srun's own choice, or the user's (`SLURM_MPI_TYPE`).
fn srun_interface(words: &[String], library: Option<Library>) -> Option<String> {
    if std::env::var_os("SLURM_MPI_TYPE").is_some() {
        return None;
    }
    let output = Command::new(&words[0])
        .args(&words[1..])
        .arg("--mpi=list")
        .output()
        .ok()?;
    // Some versions print to standard output, others to standard error.
    let text = [output.stdout, output.stderr].concat();
    let text = String::from_utf8_lossy(&text).into_owned();
    let known: Vec<&str> = text.split([',', ' ', '\n', '\t', ':']).collect();
    let wanted: &[&str] = match library {
        Some(Library::Mpich) => &["pmi2", "pmix"],
        Some(Library::Pmix) => &["pmix"],
        Some(Library::OpenMpi) | None => &["pmix", "pmi2"],
    };
    let found = wanted.iter().find(|name| known.contains(name))?;
    Some((*found).to_owned())
}

/// A launcher's command, without the program.
pub struct Start {
    /// The command.
    pub command: Command,
    /// The reason why it would not start anything.
    pub refusal: Option<Failure>,
    /// What `upcrun` does for it.
    pub lacks: Lacks,
}

/// Returns the command that starts a program.
///
/// # Errors
/// A usage failure for unbalanced quotes, an environment failure if there is no launcher.
pub fn start(program: &Path, job: &Job<'_>) -> Result<Start, Failure> {
    let library = library_of(program);
    let launcher = Launcher::choose(library)?;
    let mut command = Command::new(&launcher.words[0]);
    command.args(&launcher.words[1..]);
    launcher.configure(job, library, &mut command);
    Ok(Start {
        refusal: launcher.refusal(),
        command,
        lacks: Lacks {
            cleaning: launcher.kind == Kind::OpenMpi,
            status: library == Some(Library::Mpich),
        },
    })
}

/// Returns what a program was linked with, by its shared libraries; `None`: they do not show it.
fn library_of(program: &Path) -> Option<Library> {
    let names = super::objects::needed_libraries(program);
    let begins = |prefix: &str| names.iter().any(|name| name.starts_with(prefix));
    if begins("libmpich.so") || begins("libmpi.so.12") {
        Some(Library::Mpich)
    } else if begins("libmpi.so") {
        Some(Library::OpenMpi)
    } else if begins("libpmix.so") {
        Some(Library::Pmix)
    } else {
        None
    }
}

/// Returns the static number of threads of a program.
pub fn threads_of(program: &Path) -> Option<u32> {
    let units = super::objects::units_of_program(program).ok()?;
    let mut fixed = units.iter().map(|unit| unit.threads);
    fixed.find(|&threads| threads != 0)
}

/// Returns whether a program can be read and exchanges messages, so that a launcher must start it.
pub fn is_for(program: &Path) -> bool {
    let has_messages = |name: &str| Network::named(name).is_some_and(Network::has_messages);
    super::objects::units_of_program(program)
        .is_ok_and(|units| units.iter().any(|unit| has_messages(&unit.network)))
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
