//! Failing ends of `tests/faults/ends.upc`: each has its status and at most one line, and nothing of the job is left;
//! and the lines of `lines.upc`, which must be printed whole.
//!
//! Every case runs on 2, 4 and 8 threads, a hundred times in a long run. Leftover processes are found by a mark in the
//! environment, which threads and the processes that they start inherit.

use std::io::{BufRead, BufReader, Read};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};
use std::{fs, process as own, thread};

use rustix::process::{Pid, Signal, kill_process, kill_process_group};

use crate::context::{COMPILE, Context, forever};
use crate::hosts::Hosts;
use crate::process;
use crate::report::Tally;
use crate::suites::faults_mpi::Wire;
use crate::suites::forms;
use crate::suites::test::{Shared, Test};
use crate::tools::compilers;

/// The action once all threads have printed that they are ready.
#[derive(Clone, Copy, Debug)]
pub(super) enum Act {
    /// No action; threads need not print that they are ready.
    Nothing,
    /// A signal to the process that was started.
    Launcher(Signal),
    /// A signal to the whole job, as from the terminal.
    Group(Signal),
    /// A signal to the last thread.
    Victim(Signal),
    /// A signal to the process that supervises the last thread.
    Watcher(Signal),
    /// A signal to MPI's launcher, which upcrun has started.
    Mpirun(Signal),
    /// MPI's launcher is stopped for [`PAUSE`], as on a busy machine.
    MpirunPauses,
    /// A signal to the daemon of MPI's launcher on the machine of the last thread.
    Daemon(Signal),
    /// All processes of the last of three machines are stopped until the job has ended.
    StopMachine,
    /// The last of three machines loses its connection, after this number of seconds.
    CutOff(u64),
    /// The reader of standard output closes it.
    CloseOutput,
}
use Act::{
    CloseOutput, CutOff, Daemon, Group, Launcher, Mpirun, MpirunPauses, Nothing, StopMachine,
    Victim, Watcher,
};

pub(super) struct Fault {
    /// The name in `ends.upc`.
    pub end: &'static str,
    pub act: Act,
    /// The status as in a shell: 128 plus the number of the signal by which the launcher ended.
    pub status: i32,
    /// Texts in the only line on standard error; empty: there is no line.
    pub says: &'static [&'static str],
}

pub(super) const fn fault(
    end: &'static str,
    act: Act,
    status: i32,
    says: &'static [&'static str],
) -> Fault {
    Fault {
        end,
        act,
        status,
        says,
    }
}

#[rustfmt::skip] // one row per line
pub(super) const FAULTS: &[Fault] = &[
    fault("idle", Victim(Signal::KILL), 137, &["killed by SIGKILL"]),
    fault("busy", Victim(Signal::KILL), 137, &["killed by SIGKILL"]),
    fault("in_barrier", Victim(Signal::KILL), 137, &["killed by SIGKILL"]),
    fault("in_lock", Victim(Signal::KILL), 137, &["killed by SIGKILL"]),
    fault("for_lock", Victim(Signal::KILL), 137, &["killed by SIGKILL"]),
    fault("in_wait", Victim(Signal::TERM), 143, &["killed by SIGTERM"]),
    fault("in_allocation", Victim(Signal::KILL), 137, &["killed by SIGKILL"]),
    fault("in_children", Victim(Signal::KILL), 137, &["killed by SIGKILL"]),
    fault("flood", Victim(Signal::KILL), 137, &["killed by SIGKILL"]),
    fault("idle", Launcher(Signal::KILL), 137, &[]),
    fault("busy", Launcher(Signal::KILL), 137, &[]),
    fault("in_barrier", Launcher(Signal::KILL), 137, &[]),
    fault("in_lock", Launcher(Signal::KILL), 137, &[]),
    fault("flood", Launcher(Signal::KILL), 137, &[]),
    fault("idle", Group(Signal::INT), 130, &[]),
    fault("busy", Launcher(Signal::INT), 130, &[]),
    fault("in_lock", Launcher(Signal::INT), 130, &[]),
    fault("in_barrier", Group(Signal::TERM), 143, &[]),
    fault("for_lock", Launcher(Signal::TERM), 143, &[]),
    fault("in_children", Launcher(Signal::TERM), 143, &[]),
    fault("flood", Launcher(Signal::TERM), 143, &[]),
    fault("in_wait", Launcher(Signal::HUP), 129, &[]),
    fault("flood", CloseOutput, 141, &[]),
    fault("null_shared", Nothing, 139, &["SIGSEGV", "null pointer-to-shared"]),
    fault("null_index", Nothing, 139, &["SIGSEGV", "(a null pointer-to-shared plus an index or member: thread "]),
    fault("before_all", Nothing, 139, &["SIGSEGV", "(1 bytes before shared `"]),
    fault("overrun", Nothing, 139, &["SIGSEGV", "(past private memory that lies before the shared memory)"]),
    fault("prefix_phases", Nothing, 1, &["ends.upc:", "upc_all_prefix_reduceI: dst has thread 0 and phase 3, but src has thread 0 and phase 0"]),
    fault("prefix_threads", Nothing, 1, &["upc_all_prefix_reduceI: dst has thread 1 and phase 0, but src has thread 0 and phase 0"]),
    fault("prefix_blocks", Nothing, 1, &["upc_all_prefix_reduceI: ", "phase 6"]),
    fault("null_private", Nothing, 139, &["SIGSEGV", "null pointer"]),
    fault("wild_private", Nothing, 139, &["SIGSEGV", "0x123456789000"]),
    fault("wild_shared", Nothing, 139, &["SIGSEGV", "beyond the shared memory"]),
    fault("call_null", Nothing, 139, &["SIGSEGV"]),
    fault("stack", Nothing, 139, &["SIGSEGV", "stack overflow"]),
    fault("divide", Nothing, 136, &["SIGFPE"]),
    fault("trap", Nothing, 132, &["SIGILL"]),
    fault("aborts", Nothing, 134, &["SIGABRT"]),
    fault("no_memory", Nothing, 135, &["SIGBUS"]),
    fault("no_private_memory", Nothing, 139, &["SIGSEGV"]),
    fault("exits_in_barrier", Nothing, 1, &["waits in upc_barrier", "(exit status 3)"]),
    fault("exits_in_broadcast", Nothing, 1, &["waits in upc_all_broadcast", "(exit status 3)"]),
    fault("exits_in_long_broadcast", Nothing, 1, &["waits in upc_all_broadcast", "(exit status 3)"]),
    fault("exits_early", Nothing, 1, &["waits in upc_barrier", "(exit status 0)"]),
    fault("leaves_main", Nothing, 1, &["waits in upc_barrier", "(exit status 0)"]),
    fault("exits_at_once", Nothing, 3, &["status 3 without passing the final barrier"]),
    fault("exits_at_once_well", Nothing, 1, &["status 0 without passing the final barrier"]),
    fault("global_exit", Nothing, 7, &[]),
    fault("global_exit_at_exit", Nothing, 9, &[]),
    fault("global_exit_everywhere", Nothing, 5, &[]),
    fault("global_exit_well", Nothing, 0, &[]),
    fault("all_fail", Nothing, 1, &["ends.upc:", "not hold"]),
    fault("statuses", Nothing, 11, &[]),
    fault("crash_with_children", Nothing, 139, &["SIGSEGV"]),
    fault("child_in_barrier", Nothing, 0, &["ends.upc:", "upc_barrier in process", "forked from this thread"]),
    fault("child_notifies", Nothing, 0, &["upc_notify in process"]),
    fault("child_locks", Nothing, 0, &["upc_lock in process"]),
    fault("child_allocates", Nothing, 0, &["upc_alloc in process"]),
    fault("child_allocates_together", Nothing, 0, &["upc_all_alloc in process"]),
    fault("child_ends_job", Nothing, 0, &["upc_global_exit in process"]),
    fault("all_crash", Nothing, 139, &["SIGSEGV"]),
];

const THREADS: &[usize] = &[2, 4, 8];
/// The number of runs of each case on each number of threads in a long run.
const LONG: usize = 100;
/// The time limit of a run; all end at once.
const LIMIT: Duration = Duration::from_secs(20);
/// The time limit for the threads to print that they are ready, on a busy machine.
const READY: Duration = Duration::from_secs(60);
/// Longer than any process of a job waits for an answer of another.
const PAUSE: Duration = Duration::from_secs(7);
/// The time that killed processes may take to disappear.
const GONE: Duration = Duration::from_secs(3);
/// The additional time for a machine that was cut off, which detects this by itself.
const GONE_ALONE: Duration = Duration::from_secs(8);
/// The variable that marks the processes of a run.
const MARK: &str = "UPC_FAULT_RUN";

pub(super) struct Case {
    pub fault: &'static Fault,
    pub threads: usize,
    pub start: Start,
}

/// How a program is started.
#[derive(Clone)]
pub(super) enum Start {
    Upcrun,
    /// By its own flag.
    Flag,
    /// By upcrun over messages: what carries them, options of upcrun, a folder for the launcher's files.
    Messages(&'static Wire, &'static [&'static str], PathBuf),
    /// By upcrun on three machines.
    Hosts(&'static Wire, Arc<Hosts>, PathBuf),
}

pub fn tests(context: &'static Context) -> Result<Vec<Test>, String> {
    let work: &Path = forever(context.fresh("faults")?).as_path();
    let mut tests = Vec::new();
    let ends = Programs::new("ends");
    for round in 0..if context.long { LONG } else { 1 } {
        for fault in FAULTS {
            for &threads in THREADS {
                let case = Case::new(fault, threads, Start::Upcrun);
                let name = format!("{} {round}", case.name());
                let start = forms::choose(&name, &[Start::Upcrun, Start::Flag]);
                let start = start.cloned().unwrap_or(Start::Upcrun);
                let case = Case { start, ..case };
                let ends = ends.clone();
                let again = if round == 0 {
                    String::new()
                } else {
                    format!("::{round}")
                };
                tests.push(Test::new(case.name() + &again, move || {
                    let program = ends.get(context, work, &name);
                    case.test(context, program)
                }));
            }
        }
    }
    tests.extend(super::faults_waits::here(context, work, &ends));
    tests.extend(super::faults_mpi::tests(context, work)?);
    tests.extend(super::faults_lines::tests(context, work));
    Ok(tests)
}

/// A program of `tests/faults`, built by each C compiler.
#[derive(Clone)]
pub(super) struct Programs {
    name: &'static str,
    built: Shared<Vec<PathBuf>>,
}

impl Programs {
    pub fn new(name: &'static str) -> Programs {
        Programs {
            name,
            built: Shared::default(),
        }
    }

    /// Returns the program built by the compiler that the hash of `key` chooses.
    pub fn get(&self, context: &Context, work: &Path, key: &str) -> Result<&Path, String> {
        let programs = self.built.get(|| {
            let build = |cc: &&'static str| build(context, work, self.name, cc);
            compilers().iter().map(build).collect()
        })?;
        let chosen = forms::choose(key, programs).ok_or("there is no C compiler")?;
        Ok(chosen)
    }
}

fn build(context: &Context, work: &Path, name: &str, cc: &str) -> Result<PathBuf, String> {
    let source = context.root.join(format!("tests/faults/{name}.upc"));
    let program = work.join(format!("{name}-{cc}"));
    let mut upcc = context.upcc(cc);
    upcc.args(["-O1", "-w", "-o"]).arg(&program).arg(&source);
    process::must(&mut upcc, COMPILE).map(|_| program)
}

impl Case {
    pub fn new(fault: &'static Fault, threads: usize, start: Start) -> Case {
        Case {
            fault,
            threads,
            start,
        }
    }

    pub fn name(&self) -> String {
        let how = match &self.start {
            Start::Upcrun | Start::Flag => "here".to_string(),
            Start::Messages(wire, options, _) => format!("{} {}", wire.name, options.join(" ")),
            Start::Hosts(wire, ..) => format!("three machines by {}", wire.name),
        };
        format!(
            "{}::{:?} on {} threads, {how}",
            self.fault.end, self.fault.act, self.threads
        )
    }

    /// Runs the case. `program` is Err if it does not build.
    pub fn test(&self, context: &Context, program: Result<&Path, String>) -> Tally {
        let verdict = program.and_then(|program| meet(context, self, program));
        Tally::one(&self.name(), verdict)
    }
}

/// Returns the command of a case, with `mark` in its environment.
fn command(context: &Context, case: &Case, program: &Path, mark: &str) -> Command {
    let threads = case.threads.to_string();
    let start = match &case.start {
        Start::Upcrun => context.upcrun(case.threads, program),
        Start::Flag => {
            let mut command = Command::new(program);
            command.arg("-n").arg(threads).arg("--");
            command
        }
        Start::Messages(_, options, _) => {
            let mut upcrun = Command::new(&context.upcrun);
            upcrun.args(*options).arg("-n").arg(threads).arg(program);
            upcrun
        }
        Start::Hosts(wire, hosts, _) => {
            let mut upcrun = hosts.upcrun();
            upcrun.arg("-n").arg(threads).arg(program);
            upcrun.envs(wire.on_hosts.iter().copied());
            upcrun
        }
    };
    // Signals that this process ignores (nohup, a background job of a shell) would be ignored by the program, too.
    let mut command = Command::new("env");
    command
        .arg("--default-signal=HUP,INT")
        .arg(start.get_program())
        .args(start.get_args())
        .arg(case.fault.end)
        .envs(
            start
                .get_envs()
                .filter_map(|(name, value)| Some((name, value?))),
        )
        .env("UPC_SHARED_HEAP_SIZE", "64M")
        .env(MARK, mark)
        .current_dir(program.parent().unwrap_or(Path::new(".")))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0);
    if let Start::Messages(.., folder) | Start::Hosts(.., folder) = &case.start {
        super::faults_mpi::set_up(&mut command, folder);
    }
    command
}

/// Runs a case and checks how it ends.
fn meet(context: &Context, case: &Case, program: &Path) -> Result<(), String> {
    static RUNS: AtomicUsize = AtomicUsize::new(0);
    let run = RUNS.fetch_add(1, Ordering::Relaxed);
    let mark = format!("{}-{run}", own::id());
    let mut child = command(context, case, program, &mark)
        .spawn()
        .map_err(|e| format!("cannot start: {e}"))?;
    let errors = drain(child.stderr.take());
    let started = Instant::now();
    let met = act(case, &mut child).and_then(|()| end(&mut child));
    let took = started.elapsed();
    if matches!(case.fault.act, StopMachine) {
        continue_all(&mark);
    }
    let left = left_behind(&mark, gone(case.fault.act));
    let objects = shared_memory_objects();
    let names: Vec<String> = left.iter().map(|pid| words_of(*pid)).collect();
    for pid in &left {
        kill(*pid, Signal::KILL);
    }
    let said = errors.recv_timeout(GONE).unwrap_or_default();
    let verdict = met.and_then(|status| judge(case.fault, status, &said));
    let verdict = match (names.is_empty(), objects.is_empty()) {
        (true, true) => verdict,
        (false, _) => Err(format!("processes are left: {}", names.join(", "))),
        (true, false) => Err(format!("left in /dev/shm: {}", objects.join(" "))),
    };
    verdict.map_err(|why| format!("{why}, after {:.1} s; stderr: {said}", took.as_secs_f64()))
}

fn judge(fault: &Fault, status: ExitStatus, said: &str) -> Result<(), String> {
    let got = status
        .code()
        .or_else(|| status.signal().map(|signal| 128 + signal));
    // MPI's launcher and those of the runtime notice the end of a daemon at the same time.
    let by_ours = matches!(fault.act, Daemon(_)) && got == Some(1);
    if got != Some(fault.status) && !by_ours {
        return Err(format!("status {got:?}, not {}", fault.status));
    }
    let said = process::program_lines(said);
    // The shell that stands in for ssh reports the end of the daemon.
    let of_shell = |line: &&str| matches!(fault.act, Daemon(_)) && *line == "Killed";
    let lines = said.lines().filter(|line| !of_shell(line)).count();
    if lines != usize::from(!fault.says.is_empty()) {
        return Err(format!("{lines} lines on standard error"));
    }
    match fault.says.iter().find(|text| !said.contains(**text)) {
        Some(text) => Err(format!("`{text}` is not said")),
        None => Ok(()),
    }
}

/// Waits until the threads are ready, and performs the action.
fn act(case: &Case, child: &mut Child) -> Result<(), String> {
    let stdout = child.stdout.take().ok_or("no standard output")?;
    let signalled = match case.fault.act {
        Nothing => {
            drain(Some(stdout));
            return Ok(());
        }
        Launcher(_) | Group(_) | Victim(_) | Watcher(_) | Mpirun(_) | MpirunPauses | Daemon(_)
        | StopMachine | CutOff(_) | CloseOutput => {
            let watchdog = Watchdog::new(Pid::from_child(child), READY);
            let ready = ready(stdout, case.threads);
            match watchdog.bit() {
                true => return Err("not all threads were ready in time".to_string()),
                false => ready?,
            }
        }
    };
    let Ready { victim, reader } = signalled;
    let launcher = Pid::from_child(child);
    match case.fault.act {
        Nothing => {}
        Launcher(signal) => kill(launcher, signal),
        // Processes that have ended meanwhile need no signal.
        Group(signal) => drop(kill_process_group(launcher, signal)),
        Victim(signal) => kill(victim, signal),
        Watcher(signal) => kill(parent(victim).ok_or("no watcher")?, signal),
        Mpirun(signal) => kill(child_of(launcher).ok_or("no mpirun")?, signal),
        Daemon(signal) => {
            let daemon = parent(victim).and_then(parent);
            kill(daemon.ok_or("no daemon")?, signal);
        }
        StopMachine => signal_machine(victim, Signal::STOP)?,
        MpirunPauses => {
            let mpirun = child_of(launcher).ok_or("no mpirun")?;
            kill(mpirun, Signal::STOP);
            thread::spawn(move || {
                thread::sleep(PAUSE);
                kill(mpirun, Signal::CONT);
            });
        }
        CutOff(seconds) => match &case.start {
            Start::Hosts(_, hosts, _) => {
                thread::sleep(Duration::from_secs(seconds));
                hosts.cut_off()?;
            }
            Start::Upcrun | Start::Flag | Start::Messages(..) => {
                return Err("there is no other machine".to_string());
            }
        },
        CloseOutput => {
            drop(reader);
            return Ok(());
        }
    }
    drain(Some(reader));
    Ok(())
}

/// Sends a signal to all processes on the machine of a process.
fn signal_machine(one: Pid, signal: Signal) -> Result<(), String> {
    let network = |pid: Pid| fs::read_link(format!("/proc/{}/ns/net", pid.as_raw_nonzero()));
    let machine = network(one).map_err(|error| format!("no machine: {error}"))?;
    let there = processes().filter(|pid| network(*pid).is_ok_and(|its| its == machine));
    there.for_each(|pid| kill(pid, signal));
    Ok(())
}

struct Ready {
    /// The process of the last thread.
    victim: Pid,
    reader: BufReader<ChildStdout>,
}

/// Reads until every thread has printed that it is ready.
fn ready(stdout: ChildStdout, threads: usize) -> Result<Ready, String> {
    let mut reader = BufReader::new(stdout);
    let mut victim = None;
    let mut count = 0;
    while count < threads {
        let mut line = String::new();
        if reader.read_line(&mut line).map_err(|e| e.to_string())? == 0 {
            return Err("ended before all threads were ready".to_string());
        }
        // A launcher that collects output may append it to an unfinished line of another thread.
        let Some((_, words)) = line.split_once("ready ") else {
            continue;
        };
        count += 1;
        if let Some((thread, pid)) = words.trim().split_once(' ')
            && thread.parse() == Ok(threads - 1)
        {
            victim = pid.parse().ok().and_then(Pid::from_raw);
        }
    }
    let victim = victim.ok_or("the last thread has not said who it is")?;
    Ok(Ready { victim, reader })
}

/// Waits until the launcher ends.
fn end(child: &mut Child) -> Result<ExitStatus, String> {
    let watchdog = Watchdog::new(Pid::from_child(child), LIMIT);
    let status = child.wait();
    match watchdog.bit() {
        false => status.map_err(|e| e.to_string()),
        true => Err("does not end".to_string()),
    }
}

/// Kills a process when its time is over.
struct Watchdog {
    done: mpsc::Sender<()>,
    thread: thread::JoinHandle<bool>,
}

impl Watchdog {
    fn new(pid: Pid, limit: Duration) -> Watchdog {
        let (done, over) = mpsc::channel::<()>();
        let thread = thread::spawn(move || {
            let late = over.recv_timeout(limit) == Err(mpsc::RecvTimeoutError::Timeout);
            if late {
                kill(pid, Signal::KILL);
            }
            late
        });
        Watchdog { done, thread }
    }

    /// Stops the watchdog; returns whether it has killed the process.
    fn bit(self) -> bool {
        drop(self.done);
        self.thread.join().unwrap_or(true)
    }
}

/// Returns the parent of a process.
fn parent(pid: Pid) -> Option<Pid> {
    let text = fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_nonzero())).ok()?;
    // The fields after the name in parentheses: state, parent.
    let words = text.rsplit_once(") ")?.1;
    Pid::from_raw(words.split(' ').nth(1)?.parse().ok()?)
}

fn child_of(pid: Pid) -> Option<Pid> {
    processes().find(|it| parent(*it) == Some(pid))
}

/// Sends a signal to a process. A process that has ended already is not an error.
fn kill(pid: Pid, signal: Signal) {
    let _ = kill_process(pid, signal);
}

fn gone(act: Act) -> Duration {
    match act {
        CutOff(_) => GONE_ALONE,
        Nothing | Launcher(_) | Group(_) | Victim(_) | Watcher(_) | Mpirun(_) | MpirunPauses
        | Daemon(_) | StopMachine | CloseOutput => GONE,
    }
}

/// Returns the processes with this mark, after a delay for those that are about to end.
fn left_behind(mark: &str, gone: Duration) -> Vec<Pid> {
    let wanted = format!("{MARK}={mark}");
    let start = Instant::now();
    loop {
        let left: Vec<Pid> = processes().filter(|pid| is_marked(*pid, &wanted)).collect();
        if left.is_empty() || start.elapsed() > gone {
            return left;
        }
        thread::sleep(Duration::from_millis(5));
    }
}

/// Continues the processes with this mark that are stopped.
fn continue_all(mark: &str) {
    let wanted = format!("{MARK}={mark}");
    processes()
        .filter(|pid| is_marked(*pid, &wanted))
        .for_each(|pid| kill(pid, Signal::CONT));
}

fn processes() -> impl Iterator<Item = Pid> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| Pid::from_raw(entry.file_name().to_str()?.parse().ok()?))
}

/// Returns its command line.
fn words_of(pid: Pid) -> String {
    let words = fs::read(format!("/proc/{}/cmdline", pid.as_raw_nonzero())).unwrap_or_default();
    String::from_utf8_lossy(&words).replace('\0', " ")
}

/// Returns whether a process has the mark. A zombie has no environment.
fn is_marked(pid: Pid, wanted: &str) -> bool {
    let environment = fs::read(format!("/proc/{}/environ", pid.as_raw_nonzero()));
    environment.is_ok_and(|text| text.split(|&b| b == 0).any(|v| v == wanted.as_bytes()))
}

/// Reads to the end in a thread.
fn drain(pipe: Option<impl Read + Send + 'static>) -> mpsc::Receiver<String> {
    let (send, receive) = mpsc::channel();
    thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            let _ = pipe.read_to_end(&mut bytes);
        }
        let _ = send.send(String::from_utf8_lossy(&bytes).into_owned());
    });
    receive
}

/// Returns shared memory objects that a UPC job has left. Its memory has no name, so there should never be any. Only
/// the runtime's own names are considered: other jobs on the machine, including parallel tests, create and remove
/// objects of MPI at any time, in folders `upcc-mpi.*`. Those of a case are looked for in the folder that it gives MPI.
fn shared_memory_objects() -> Vec<String> {
    let entries = fs::read_dir("/dev/shm").into_iter().flatten().flatten();
    entries
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .filter(|name| name.contains("upc") && !name.starts_with("upcc-mpi."))
        .collect()
}
