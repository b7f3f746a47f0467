//! The command that starts a program: the program itself, gdb, or MPI's launcher.

use super::hosts::Hosts;
use super::run::{Launch, variable};
use super::runtime::Runtime;
use super::supervise::Lacks;
use super::{mpi, objects};
use crate::cli::{Exit, Failure, system_text, temp_files};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The program to start, and its command.
#[derive(Debug)]
pub struct Start {
    /// The program, as a path that contains a slash if such a file exists.
    pub program: PathBuf,
    /// The command, including the program and its arguments.
    pub command: Command,
    /// The machines of an MPI job; the command is then the launcher.
    pub hosts: Option<Hosts>,
    /// What `upcrun` does for the launcher.
    pub lacks: Lacks,
}

impl Start {
    /// Returns the start for a command line of `upcrun`.
    ///
    /// # Errors
    /// A file that is not a UPC program, a program for one machine on several, or a missing MPI launcher.
    pub fn of(launch: &Launch) -> Result<Start, Failure> {
        let program = find(&launch.program);
        let hosts = match mpi::is_for(&program) {
            true => Some(Hosts::from_env()?),
            false => None,
        };
        let mut lacks = Lacks::default();
        let mut command = match &hosts {
            Some(hosts) => {
                let start = mpi_start(launch, &program, hosts)?;
                lacks = start.lacks;
                start.command
            }
            None if launch.nodes.is_some() => {
                return Err(Failure::usage(
                    "`-N`: a program for network smp runs on one machine: remove the option, then all threads of -n run here, or compile the program with -network=mpi",
                ));
            }
            None if launch.gdb => gdb(&program),
            None => Command::new(&program),
        };
        command.args(&launch.args).envs(launch.variables());
        Ok(Start {
            program,
            command,
            hosts,
            lacks,
        })
    }

    /// Refuses to start a file that certainly is not a UPC program: upcrun's settings would have no effect.
    ///
    /// # Errors
    /// Neither the file nor an argument (as with `env` or `valgrind`) is a UPC program.
    pub fn check(&self) -> Result<(), Failure> {
        let ours = |path: &Path| objects::has_runtime(path) == Some(true);
        let wrapped = || {
            self.command
                .get_args()
                .any(|word| ours(&find(Path::new(word))))
        };
        if objects::has_runtime(&self.program) != Some(false) || wrapped() {
            return Ok(());
        }
        Err(Failure::environment(format!(
            "{} is not a UPC program: upcrun starts programs that upcc has linked, scripts, and commands with such a program among their arguments",
            self.program.display()
        )))
    }

    /// Makes a program for one machine print where its threads would run, in place of running. Of other programs and
    /// commands only those that run know.
    ///
    /// # Errors
    /// An environment failure if it cannot be started.
    pub fn show_placement(mut self) -> Result<Exit, Failure> {
        let is_program = self.command.get_program() == self.program.as_os_str();
        if self.hosts.is_some() || !is_program || !objects::shows_placement(&self.program) {
            return Ok(Exit::Success);
        }
        self.command.env("UPC_SHOW_PLACEMENT", "only");
        self.command
            .env("UPC_TOOL", "none")
            .env_remove("UPC_FREEZE_EARLY");
        let ended = self.command.spawn();
        let ended = ended.and_then(|mut child| temp_files::wait_for(&mut child));
        ended.map(Exit::of_program).map_err(|error| {
            let program = self.program.display();
            Failure::environment(format!("cannot start {program}: {}", system_text(&error)))
        })
    }
}

/// Finds a program in the current folder, where a shell would not look (`upcrun a.out`), else where a shell looks. A
/// path that contains a slash is used as it is, so that no name is treated as an option. A program that is not found
/// keeps its name.
fn find(program: &Path) -> PathBuf {
    if program.as_os_str().as_encoded_bytes().contains(&b'/') {
        return program.to_path_buf();
    }
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let here = std::iter::once(PathBuf::from("."));
    let mut places = here
        .chain(std::env::split_paths(&folders))
        .map(|folder| folder.join(program));
    let found = places.find(|place| place.is_file());
    found.unwrap_or_else(|| program.to_path_buf())
}

/// Returns the start by MPI's launcher, with one process for each thread.
fn mpi_start(launch: &Launch, program: &Path, hosts: &Hosts) -> Result<mpi::Start, Failure> {
    if launch.gdb {
        return Err(Failure::usage(
            "`-gdb`: MPI starts the threads of this program: use -freeze, and attach gdb to the process that the thread reports",
        ));
    }
    if launch.args.iter().any(|arg| arg == ":") {
        return Err(Failure::usage(
            "MPI's launchers treat an argument `:` as the end of the program's arguments and the rest as another program: pass it in another way",
        ));
    }
    let threads = match launch.threads {
        Some(threads) => threads,
        None => mpi::threads_of(program).unwrap_or(1),
    };
    let mut variables = launch.variables();
    variables.push((variable::THREADS, threads.to_string()));
    let job = mpi::Job {
        threads,
        nodes: launch.nodes,
        hosts,
        variables: &variables,
        named: &launch.named,
    };
    let mut start = mpi::start(program, &job)?;
    if let Some(refusal) = start.refusal.take().filter(|_| !launch.show_only) {
        return Err(refusal);
    }
    start
        .command
        .env(variable::THREADS, threads.to_string())
        .arg(program);
    Ok(start)
}

/// Returns the command for gdb on a program. gdb may load the runtime's UPC support, and follows the first process that
/// the program forks, which is thread 0.
fn gdb(program: &Path) -> Command {
    let mut command = Command::new("gdb");
    // Without a cache folder gdb itself reports that it has loaded nothing.
    let folders = Runtime::locate().map_or_else(|_| Vec::new(), |runtime| runtime.gdb_folders());
    for folder in folders {
        let allow = format!("add-auto-load-safe-path {}", folder.display());
        command.arg("-iex").arg(allow);
    }
    command.args(["-iex", "set follow-fork-mode child", "--args"]);
    command.arg(program);
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_found_by_paths() {
        assert_eq!(find(Path::new("Cargo.toml")), Path::new("./Cargo.toml"));
        assert_eq!(find(Path::new("src/x")), Path::new("src/x"));
        assert!(find(Path::new("sh")).is_absolute());
        assert_eq!(find(Path::new("-no-such")), Path::new("-no-such"));
    }
}
