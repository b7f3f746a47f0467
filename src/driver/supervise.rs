//! Supervises MPI's launcher: each signal reaches it once, its termination is the job's, and it does not outlive
//! `upcrun`.

use super::hosts::Hosts;
use super::mpi;
use crate::cli::log;
use crate::cli::{Exit, Failure, signals, system_text};
use rustix::process::{
    Pid, Signal, kill_process, set_parent_process_death_signal, test_kill_process,
};
use signal_hook::consts::{SIGINT, SIGQUIT, SIGUSR1, SIGUSR2};
use signal_hook::iterator::Signals;
use std::ffi::OsString;
use std::fs::DirBuilder;
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::io::{IsTerminal as _, Read as _, Write as _};
use std::os::linux::net::SocketAddrExt as _;
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _};
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
/// The number of attempts to make a folder that others may remove.
const HOLD_TRIES: usize = 10;
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
    let mut said = Vec::new();
    let ended = std::io::stdin().lock().read_to_end(&mut said);
    if let (Some(launcher), Some(own), Ok(0)) = (launcher, words.next(), ended) {
        // The launcher, which has got a signal, removes its files itself if it can.
        let start = Instant::now();
        while is_process(launcher) && start.elapsed() < LAUNCHER_ENDS {
            std::thread::sleep(LOOK);
        }
        if !is_process(launcher) {
            remove_session(&session_base(), launcher);
            drop(Hold { own: own.into() });
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
    fn start(launcher: u32, hold: &Hold) -> Option<Watch> {
        let mut watch = Command::new(std::env::current_exe().ok()?);
        watch.arg(launcher.to_string()).arg(&hold.own);
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

/// Runs MPI's launcher on these machines until it ends. If the user's signal has ended the job, ends this process by
/// that signal. `sessions`: the launcher may be Open MPI's.
///
/// # Errors
/// It cannot be started.
pub fn run(command: &Command, hosts: &Hosts, sessions: bool) -> std::io::Result<Exit> {
    let mut step = step(command)?;
    // Only MPICH's launcher ends with other statuses than the job.
    let reported = if sessions { None } else { Reported::take() };
    if let Some(reported) = &reported {
        step.env(STATUS_VARIABLE, &reported.name);
    }
    let hold = if sessions { Hold::take() } else { None };
    let terminal = std::io::stdin().is_terminal();
    // A signal to this process group would reach the launcher twice, as `upcrun` passes it on too. But only the
    // terminal's foreground group may read from the terminal.
    if !terminal {
        step.process_group(0);
    }
    let signals = signals::watch(&[])?;
    let started = Instant::now();
    let mut child = step.spawn()?;
    let watch = hold
        .as_ref()
        .and_then(|hold| Watch::start(child.id(), hold));
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
        remove_session(&session_base(), child.id());
        let launcher = command.get_program().to_string_lossy();
        log(
            "upcrun",
            &format!(
                "error: MPI's launcher `{launcher}` was killed by SIGKILL, and the job with it"
            ),
        );
    }
    drop(hold);
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

/// Returns the folder in which Open MPI keeps its files.
fn session_base() -> PathBuf {
    std::env::var_os("OMPI_MCA_orte_tmpdir_base").map_or_else(std::env::temp_dir, PathBuf::from)
}

/// Keeps Open MPI's folder from being removed. Open MPI's launchers keep their files in one folder for all jobs of a
/// user, `ompi.HOST.USER`. The last launcher to end removes the folder, and a launcher that starts at that moment
/// fails. A subfolder of our own keeps the folder in place while a job runs.
struct Hold {
    own: PathBuf,
}

impl Hold {
    /// Makes the subfolder; `None`: not possible, and the job runs without it.
    fn take() -> Option<Hold> {
        let machine = rustix::system::uname();
        let machine = machine.nodename().to_string_lossy();
        let machine = machine.split('.').next().unwrap_or_default();
        let user = rustix::process::geteuid().as_raw();
        let own = session_base()
            .join(format!("ompi.{machine}.{user}"))
            .join(format!("upcrun.{}", std::process::id()));
        // Another launcher may remove the outer folder between the two steps of the creation.
        let make = || DirBuilder::new().recursive(true).mode(0o700).create(&own);
        if !(0..HOLD_TRIES).any(|_| make().is_ok()) {
            return None;
        }
        // In a folder for all users' temporary files another user may have made a folder of this name.
        if let Some(all) = own.parent().filter(|all| is_own_folder(all)) {
            remove_stale_holds(all);
            return Some(Hold { own });
        }
        let _ = std::fs::remove_dir(own);
        None
    }
}

impl Drop for Hold {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir(&self.own);
        // This fails while another job has files in the folder.
        if let Some(all) = self.own.parent() {
            let _ = std::fs::remove_dir(all);
        }
    }
}

/// Removes the subfolders of `upcrun`s that were killed together with the process that watched over them.
fn remove_stale_holds(all: &Path) {
    for entry in std::fs::read_dir(all).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let number = name.to_str().and_then(|name| name.strip_prefix("upcrun."));
        if let Some(number) = number.and_then(|number| number.parse().ok())
            && !is_process(number)
        {
            let _ = std::fs::remove_dir(entry.path());
        }
    }
}

/// Returns whether this is a folder, not a link to one, and belongs to this user.
fn is_own_folder(path: &Path) -> bool {
    let user = rustix::process::geteuid().as_raw();
    std::fs::symlink_metadata(path).is_ok_and(|found| found.is_dir() && found.uid() == user)
}

/// Removes the files that Open MPI's launcher leaves when it is killed: `ompi.HOST.USER/pid.NUMBER`, only in this
/// user's folders.
fn remove_session(base: &Path, launcher: u32) {
    let session = format!("pid.{launcher}");
    for entry in std::fs::read_dir(base).into_iter().flatten().flatten() {
        let named = entry.file_name().to_string_lossy().starts_with("ompi.");
        if named && is_own_folder(&entry.path()) {
            // Most folders belong to other jobs and contain no such session.
            let _ = std::fs::remove_dir_all(entry.path().join(&session));
        }
    }
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

    #[test]
    fn holds_of_processes_that_are_gone_are_removed() {
        let base = tempfile::tempdir().unwrap();
        let folder = |name: String| base.path().join(name);
        // No process has this number: it is above the largest that Linux gives.
        let (gone, here) = (i32::MAX, std::process::id());
        let names = [
            format!("upcrun.{gone}"),
            format!("pid.{gone}"),
            format!("upcrun.{here}"),
        ];
        for name in &names {
            std::fs::create_dir(folder(name.clone())).unwrap();
        }
        remove_stale_holds(base.path());
        assert_eq!(names.map(|name| folder(name).exists()), [false, true, true]);
    }

    #[test]
    fn sessions_of_others_stay() {
        let base = tempfile::tempdir().unwrap();
        let folder = |name: &str| base.path().join(name);
        for name in ["ompi.m.own", "elsewhere", "ompi.m.other"] {
            std::fs::create_dir_all(folder(name).join("pid.7")).unwrap();
        }
        std::os::unix::fs::symlink(folder("elsewhere"), folder("ompi.m.link")).unwrap();
        // Only root can give a folder away.
        let given = std::os::unix::fs::chown(folder("ompi.m.other"), Some(1), None).is_ok();
        remove_session(base.path(), 7);
        assert!(!folder("ompi.m.own/pid.7").exists());
        assert!(folder("elsewhere/pid.7").exists());
        assert_eq!(folder("ompi.m.other/pid.7").exists(), given);
    }
}
