//! The command that starts a program: itself, gdb, or MPI's launcher.

use super::exit::Failure;
use super::hosts::Hosts;
use super::run::{Launch, variable};
use super::runtime::Runtime;
use super::{mpi, objects};
use std::path::{Path, PathBuf};
use std::process::Command;

/// What is to be started, and how.
#[derive(Debug)]
pub struct Start {
    /// The program, as a path with a slash in it if there is such a file.
    pub program: PathBuf,
    /// The command, the program and its arguments in it.
    pub command: Command,
    /// The machines of a job over messages, whose launcher the command is.
    pub hosts: Option<Hosts>,
}

impl Start {
    /// Of a command line of `upcrun`.
    ///
    /// # Errors
    /// What is no UPC program, a program for one machine on several; MPI's launcher is not there.
    pub fn of(launch: &Launch) -> Result<Start, Failure> {
        let program = find(&launch.program);
        let hosts = match mpi::is_for(&program) {
            true => Some(Hosts::from_env()?),
            false => None,
        };
        let mut command = match &hosts {
            Some(hosts) => mpi_command(launch, &program, hosts)?,
            None if launch.nodes.is_some() => {
                return Err(Failure::usage(
                    "`-N`: a program for network smp runs on one machine: leave the option out, the threads of -n all run here, or compile it with -network=mpi",
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
        })
    }

    /// Refuses to start what surely is no UPC program: nothing would come of what upcrun was told.
    ///
    /// # Errors
    /// It is none, and no argument is one, as behind `env` or `valgrind`.
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
            "{} is no UPC program: upcrun starts programs that upcc has linked, scripts, and commands that have such a program among their arguments",
            self.program.display()
        )))
    }
}

/// A program in the current folder, found as a shell would not (`upcrun a.out`), else where the shell looks. A path with a slash is itself, so
/// that no name is taken for an option. What is nowhere keeps its name.
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

/// MPI's launcher, one process for each thread.
fn mpi_command(launch: &Launch, program: &Path, hosts: &Hosts) -> Result<Command, Failure> {
    if launch.gdb {
        return Err(Failure::usage(
            "`-gdb`: the threads of this program are started by MPI: use -freeze, and attach gdb to the process that the thread names",
        ));
    }
    if launch.args.iter().any(|arg| arg == ":") {
        return Err(Failure::usage(
            "MPI's launchers take an argument `:` for the end of the program's arguments, and what follows for another program: hand it over in another way",
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
    };
    let mut start = mpi::start(program, &job)?;
    if let Some(refusal) = start.refusal.filter(|_| !launch.show_only) {
        return Err(refusal);
    }
    start
        .command
        .env(variable::THREADS, threads.to_string())
        .arg(program);
    Ok(start.command)
}

/// gdb on a program: it may load our support for UPC, and follows the first process that the program forks, which is thread 0.
fn gdb(program: &Path) -> Command {
    let mut command = Command::new("gdb");
    // Without a cache folder gdb says itself that it has not loaded anything.
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
