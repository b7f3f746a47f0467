//! Supervises MPI's launcher: each signal reaches it once, its termination is the job's, and it does not outlive
//! `upcrun`.

use super::environment;
use super::hosts::Hosts;
use super::job_folder::{self, JobFolder};
use super::mpi;
use crate::cli::log;
use crate::cli::{Exit, Failure, signals, system_text};
use rustix::process::{
    Pid, Signal, kill_process, set_parent_process_death_signal, test_kill_process,
};
use signal_hook::consts::{SIGINT, SIGQUIT, SIGUSR1, SIGUSR2};
use signal_hook::iterator::Signals;
use std::ffi::OsString;
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::io::{IsTerminal as _, Read as _, Write as _};
use std::os::linux::net::SocketAddrExt as _;
use std::os::unix::net::{SocketAddr, UnixDatagram};
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// If this variable is set, `upcrun` only executes the command in its arguments, which ends when the process that has
/// started it is killed.
const STEP_VARIABLE: &str = "UPCRUN_STEP";
/// The variable that names the socket for the status of a job.
const STATUS_VARIABLE: &str = "UPCRUN_STATUS";
/// If this variable is set, `upcrun` is the process that watches over another `upcrun` ([`watched`]).
const WATCH_VARIABLE: &str = "UPCRUN_WATCH";
/// The time that the launcher of an `upcrun` that was killed may take to end, and how often that is looked for.
const LAUNCHER_ENDS: Duration = Duration::from_secs(60);
const LOOK: Duration = Duration::from_millis(20);
/// The time that the launcher has to end by the terminal's own signal before `upcrun` passes the signal on.
const TERMINAL: Duration = Duration::from_secs(2);
/// A job that fails sooner than this may have failed to start.
const START: Duration = Duration::from_secs(60);
/// The time in which a machine has to answer, in seconds.
const ANSWER: &str = "10";

/// The state shared by the thread that handles signals and the one that waits.
#[derive(Default)]
struct Shared {
    /// The launcher, while it runs.
    launcher: Option<Pid>,
    /// The first signal that asked for termination.
    fatal: Option<i32>,
}

/// In the process between `upcrun` and the launcher: executes the launcher. In any other process: does nothing.
///
/// # Errors
/// An environment failure if the launcher cannot be started.
pub fn become_launcher() -> Result<(), Failure> {
    if std::env::var_os(STEP_VARIABLE).is_none() {
        return Ok(());
    }
    // The only effect of a failure is that the launcher outlives an upcrun that is killed.
    let _ = set_parent_process_death_signal(Some(Signal::TERM));
    let words: Vec<OsString> = std::env::args_os().skip(1).collect();
    let Some((program, arguments)) = words.split_first() else {
        return Ok(());
    };
    let error = Command::new(program)
        .args(arguments)
        .env_remove(STEP_VARIABLE)
        .exec();
    Err(Failure::environment(format!(
        "cannot start {}: {}",
        program.to_string_lossy(),
        system_text(&error)
    )))
}

/// In the process that watches over `upcrun`: waits for its end, and removes the files of a job whose `upcrun` was killed.
/// Returns whether this is that process.
pub fn watched() -> bool {
    if std::env::var_os(WATCH_VARIABLE).is_none() {
        return false;
    }
    let mut words = std::env::args_os().skip(1);
    let launcher = words.next().and_then(|word| word.to_str()?.parse().ok());
    let (Some(launcher), Some(folder)) = (launcher, words.next().map(PathBuf::from)) else {
        return true;
    };
    let held = job_folder::hold(&folder);
    let mut said = Vec::new();
    let ended = std::io::stdin().lock().read_to_end(&mut said);
    if held.is_some() && matches!(ended, Ok(0)) {
        // The launcher, which has got a signal, still uses its files.
        let start = Instant::now();
        while is_process(launcher) && start.elapsed() < LAUNCHER_ENDS {
            std::thread::sleep(LOOK);
        }
        if !is_process(launcher) {
            job_folder::remove(&folder);
        }
    }
    true
}

/// Returns whether there is a process with this number.
fn is_process(number: u32) -> bool {
    let number = i32::try_from(number).ok().and_then(Pid::from_raw);
    number.is_some_and(|pid| test_kill_process(pid) != Err(rustix::io::Errno::SRCH))
}

/// The process that watches over this one. It ends when the pipe to it closes, and does nothing if a byte came before.
struct Watch(Child);

impl Watch {
    /// Starts it; `None`: not possible, and the files of the job stay if this process is killed.
    fn start(launcher: u32, folder: &JobFolder) -> Option<Watch> {
        let mut watch = Command::new(std::env::current_exe().ok()?);
        watch.arg(launcher.to_string()).arg(folder.path());
        watch.env(WATCH_VARIABLE, "1");
        // Signals to the group of this process do not reach it.
        watch.process_group(0).current_dir("/");
        watch.stdin(Stdio::piped());
        watch.stdout(Stdio::null()).stderr(Stdio::null());
        watch.spawn().ok().map(Watch)
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        if let Some(mut pipe) = self.0.stdin.take() {
            let _ = pipe.write_all(b".");
        }
        // Its end takes no time.
        let _ = self.0.wait();
    }
}

/// Returns the command wrapped in the intermediate process of `upcrun`.
fn step(command: &Command) -> std::io::Result<Command> {
    let mut step = Command::new(std::env::current_exe()?);
    step.arg(command.get_program()).args(command.get_args());
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => step.env(name, value),
            None => step.env_remove(name),
        };
    }
    step.env(STEP_VARIABLE, "1");
    Ok(step)
}

/// What a launcher lacks, so that `upcrun` does it.
#[derive(Debug, Clone, Copy, Default)]
pub struct Lacks {
    /// It keeps files, and leaves them behind when it is killed: Open MPI's.
    pub cleaning: bool,
    /// It may end with another status than the job: MPICH's.
    pub status: bool,
}

/// Runs MPI's launcher on these machines until it ends. If the user's signal has ended the job, ends this process by
/// that signal.
///
/// # Errors
/// It cannot be started.
pub fn run(command: &Command, hosts: &Hosts, lacks: Lacks) -> std::io::Result<Exit> {
    let mut step = step(command)?;
    let reported = lacks.status.then(Reported::take).flatten();
    if let Some(reported) = &reported {
        step.env(STATUS_VARIABLE, &reported.name);
    }
    let folder = lacks.cleaning.then(JobFolder::make).flatten();
    if let Some(folder) = &folder {
        step.env(environment::TMPDIR, folder.path());
    }
    let terminal = std::io::stdin().is_terminal();
    // A signal to this process group would reach the launcher twice, as `upcrun` passes it on too. But only the
    // terminal's foreground group may read from the terminal.
    if !terminal {
        step.process_group(0);
    }
    let signals = signals::watch(&[])?;
    let started = Instant::now();
    let mut child = step.spawn()?;
    let watch = folder
        .as_ref()
        .and_then(|folder| Watch::start(child.id(), folder));
    let shared = Arc::new(Mutex::new(Shared {
        launcher: Some(Pid::from_child(&child)),
        fatal: None,
    }));
    let answering = Arc::clone(&shared);
    std::thread::spawn(move || answer(signals, &answering, terminal));
    let status = child.wait()?;
    let fatal = {
        let mut shared = shared.lock().unwrap_or_else(PoisonError::into_inner);
        shared.launcher = None;
        shared.fatal
    };
    if status.signal() == Some(Signal::KILL.as_raw()) {
        let launcher = command.get_program().to_string_lossy();
        log(
            "upcrun",
            &format!(
                "error: MPI's launcher `{launcher}` was killed by SIGKILL, and the job with it"
            ),
        );
    }
    drop(folder);
    drop(watch);
    let exit = end(status, fatal, hosts, started.elapsed());
    let of_job = reported.filter(|_| !status.success());
    Ok(of_job
        .and_then(|it| it.status(status.code()))
        .map_or(exit, Exit::Program))
}

/// The status of a thread that SIGKILL has ended. Mostly MPI's launcher has killed it, because the job was at its end.
const KILLED: u8 = 128 + 9;

/// The status that a launcher of the runtime reports for a job that has failed (`host_report_status`).
struct Reported {
    name: String,
    socket: UnixDatagram,
}

impl Reported {
    /// Opens a socket with a name that nobody can guess, which is in no file system; `None`: not possible.
    fn take() -> Option<Reported> {
        let random = || RandomState::new().build_hasher().finish();
        let name = format!("upcrun.{:016x}{:016x}", random(), random());
        let address = SocketAddr::from_abstract_name(&name).ok()?;
        let socket = UnixDatagram::bind_addr(&address).ok()?;
        socket.set_nonblocking(true).ok()?;
        Some(Reported { name, socket })
    }

    /// Returns the first status that has come and is a reason for the end. `launchers`: the status of MPI's launcher,
    /// which is 9 if SIGKILL was the first that happened.
    fn status(&self, launchers: Option<i32>) -> Option<u8> {
        let all: Vec<u8> = std::iter::from_fn(|| self.next()).collect();
        let reason = all.iter().copied().find(|status| *status != KILLED);
        reason.or_else(|| {
            let killed = launchers == Some(Signal::KILL.as_raw());
            (killed && !all.is_empty()).then_some(KILLED)
        })
    }

    fn next(&self) -> Option<u8> {
        let mut text = [0; 16];
        let length = self.socket.recv(&mut text).ok()?;
        std::str::from_utf8(&text[..length]).ok()?.parse().ok()
    }
}

/// Passes signals on to the launcher.
fn answer(mut signals: Signals, shared: &Mutex<Shared>, terminal: bool) {
    for number in signals.forever() {
        // The launcher passes these two on to the program.
        let asks_for_end = ![SIGUSR1, SIGUSR2].contains(&number);
        // The launcher would end by other signals without ending the program.
        let passed_on = match number {
            SIGUSR1 | SIGUSR2 | SIGQUIT => Signal::from_named_raw(number),
            _ => Some(signals::passed_on(number)),
        };
        {
            let mut shared = shared.lock().unwrap_or_else(PoisonError::into_inner);
            if asks_for_end {
                shared.fatal.get_or_insert(number);
            }
        }
        if terminal && [SIGINT, SIGQUIT].contains(&number) {
            std::thread::sleep(TERMINAL);
        }
        let shared = shared.lock().unwrap_or_else(PoisonError::into_inner);
        if let (Some(launcher), Some(signal)) = (shared.launcher, passed_on) {
            // The launcher may have ended meanwhile.
            let _ = kill_process(launcher, signal);
        }
    }
}

fn end(status: ExitStatus, fatal: Option<i32>, hosts: &Hosts, took: Duration) -> Exit {
    if !status.success() {
        if let Some(number) = fatal {
            signals::end_by(number);
        } else if took < START {
            explain_hosts(hosts);
            if let Some(note) = mpi::limit_note() {
                log("upcrun", &note);
            }
        }
    }
    Exit::of_program(status)
}

/// Returns the command by which a launcher reaches a machine, up to the machine's name.
fn agent() -> Vec<String> {
    let named = ["OMPI_MCA_plm_rsh_agent", "HYDRA_LAUNCHER_EXEC"]
        .iter()
        .find_map(|name| std::env::var(name).ok());
    agent_named(named.as_deref().unwrap_or("ssh"))
}

/// Returns the words of the command that the setting names, with options that keep ssh from waiting. Open MPI accepts
/// several commands separated by ` : ` and uses the first that exists; this function takes the first.
fn agent_named(text: &str) -> Vec<String> {
    let first = text.split(" : ").next().unwrap_or_default();
    let words = first.split_whitespace().map(str::to_owned);
    let mut words: Vec<String> = words.collect();
    let is_ssh = |word: &String| Path::new(word).ends_with("ssh");
    if words.first().is_some_and(is_ssh) {
        let limit = format!("ConnectTimeout={ANSWER}");
        let options = ["-o", "BatchMode=yes", "-o", &limit, "--"];
        words.extend(options.map(str::to_owned));
    }
    words
}

/// Reports which of the named machines cannot be reached, after a job on them has failed.
fn explain_hosts(hosts: &Hosts) {
    if std::env::var_os("SLURM_JOB_ID").is_some() {
        return;
    }
    let agent = agent();
    let elsewhere = |host: &String| {
        let here = rustix::system::uname();
        *host != here.nodename().to_string_lossy() && host != "localhost"
    };
    let checks: Vec<_> = hosts
        .names()
        .into_iter()
        .filter(elsewhere)
        .filter_map(|host| {
            let mut check = Command::new("timeout");
            check.arg(ANSWER).args(&agent).args([&host, "true"]);
            check.stdin(Stdio::null()).stdout(Stdio::null());
            let check = check.stderr(Stdio::piped()).spawn().ok()?;
            Some((host, check))
        })
        .collect();
    for (host, check) in checks {
        let Ok(output) = check.wait_with_output() else {
            continue;
        };
        if !output.status.success() {
            let messages = String::from_utf8_lossy(&output.stderr);
            let answer = messages.lines().last().unwrap_or("no answer").trim();
            log(
                "upcrun",
                &format!(
                    "error: no program can be started on machine `{host}`: `{} {host} true` fails ({answer}): check its name (UPC_NODES, UPC_NODEFILE) and that this command works without a password",
                    agent.join(" ")
                ),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_machine_is_no_option_of_ssh() {
        for (named, words) in [
            ("ssh", "ssh -o BatchMode=yes -o ConnectTimeout=10 --"),
            (
                "/usr/bin/ssh -p 22 : rsh",
                "/usr/bin/ssh -p 22 -o BatchMode=yes -o ConnectTimeout=10 --",
            ),
            // The options of any other agent are unknown.
            ("lsrun", "lsrun"),
        ] {
            assert_eq!(agent_named(named).join(" "), words);
        }
    }
}
