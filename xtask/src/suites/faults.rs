//! The bad ends of `tests/faults/ends.upc`: each with its status and at most one line, and nothing is left of the job; and the lines of
//! `lines.upc`, which must come out whole.
//!
//! Every case runs on 2, 4 and 8 threads, a hundred times in a long run. What is left is found by a mark in the environment, which
//! threads and the processes that they start inherit.

use std::io::{BufRead, BufReader, Read};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};
use std::{fs, process as own, thread};

use rustix::process::{Pid, Signal, kill_process, kill_process_group};

use crate::context::{COMPILE, Context};
use crate::hosts::Hosts;
use crate::process;
use crate::report::Tally;
use crate::tools::compilers;

/// What is done once all threads have said that they are ready.
#[derive(Clone, Copy, Debug)]
pub(super) enum Act {
    /// Nothing; they need not say so.
    Nothing,
    /// A signal to the process that was started.
    Launcher(Signal),
    /// A signal to all of the job, as by the terminal.
    Group(Signal),
    /// A signal to the last thread.
    Victim(Signal),
    /// A signal to the process that watches over the last thread.
    Watcher(Signal),
    /// A signal to MPI's launcher, which upcrun has started.
    Mpirun(Signal),
    /// The same is stopped for [`PAUSE`], as on a machine that has other things to do.
    MpirunPauses,
    /// The last of three machines loses its connection, after so many seconds.
    CutOff(u64),
    /// The reader of standard output goes.
    CloseOutput,
}
use Act::{CloseOutput, CutOff, Group, Launcher, Mpirun, MpirunPauses, Nothing, Victim, Watcher};

pub(super) struct Fault {
    /// The name in `ends.upc`.
    pub end: &'static str,
    pub act: Act,
    /// As a shell has it: 128 and the number of the signal by which the launcher ended.
    pub status: i32,
    /// Texts in the only line on standard error; none: there is no line.
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

#[rustfmt::skip] // a row a line
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
    fault("all_crash", Nothing, 139, &["SIGSEGV"]),
];

const THREADS: &[usize] = &[2, 4, 8];
/// Times that each case runs on each number of threads in a long run.
const LONG: usize = 100;
/// Time limit of a run; all end at once.
const LIMIT: Duration = Duration::from_secs(20);
/// Longer than any process of a job waits for an answer of another.
const PAUSE: Duration = Duration::from_secs(7);
/// How long what has been killed may take to disappear.
const GONE: Duration = Duration::from_secs(3);
/// A machine that was cut off finds out by itself, up to so much later than the others.
const GONE_ALONE: Duration = Duration::from_secs(8);
/// The variable that marks the processes of a run.
const MARK: &str = "UPC_FAULT_RUN";

pub(super) struct Case<'a> {
    pub fault: &'a Fault,
    pub threads: usize,
    pub program: PathBuf,
    pub start: Start<'a>,
}

/// How a program is started.
#[derive(Clone, Copy)]
pub(super) enum Start<'a> {
    Upcrun,
    /// By its own flag.
    Flag,
    /// By upcrun, through MPI: options of upcrun, a folder for MPI's files.
    Mpi(&'static [&'static str], &'a Path),
    /// The same on three machines.
    Hosts(&'a Hosts, &'a Path),
}

pub fn run(context: &Context) -> Result<Tally, String> {
    let work = context.fresh("faults")?;
    let shm = shared_memory_objects();
    let mut cases = Vec::new();
    let programs = build(context, &work, "ends")?;
    for round in 0..if context.long { LONG } else { 1 } {
        for (index, fault) in FAULTS.iter().enumerate() {
            cases.extend(THREADS.iter().enumerate().map(|(nth, &threads)| Case {
                fault,
                threads,
                program: programs[(round + index + nth) % programs.len()].clone(),
                start: [Start::Upcrun, Start::Flag][(round + index / 2 + nth) % 2],
            }));
        }
    }
    let mut tally = context.each(&cases, |case| one(context, case));
    tally.join(super::faults_mpi::run(context, &work));
    let lines = build(context, &work, "lines")?;
    tally.join(super::faults_lines::run(context, &work, &lines));
    let left: Vec<String> = shared_memory_objects()
        .into_iter()
        .filter(|name| !shm.contains(name))
        .collect();
    tally.add(
        "/dev/shm",
        match left.is_empty() {
            true => Ok(()),
            false => Err(format!("left in /dev/shm: {}", left.join(" "))),
        },
    );
    Ok(tally)
}

/// The program, by each C compiler.
fn build(context: &Context, work: &Path, name: &str) -> Result<Vec<PathBuf>, String> {
    let source = context.root.join(format!("tests/faults/{name}.upc"));
    let build = |cc: &&'static str| {
        let program = work.join(format!("{name}-{cc}"));
        let mut upcc = context.upcc(cc);
        upcc.args(["-O1", "-w", "-o"]).arg(&program).arg(&source);
        process::must(&mut upcc, COMPILE).map(|_| program)
    };
    compilers().iter().map(build).collect()
}

pub(super) fn one(context: &Context, case: &Case) -> Tally {
    let how = match case.start {
        Start::Upcrun => "upcrun".to_string(),
        Start::Flag => "-n".to_string(),
        Start::Mpi(options, _) => format!("mpi {}", options.join(" ")),
        Start::Hosts(..) => "three machines".to_string(),
    };
    let name = format!(
        "{} {:?} on {} threads ({how})",
        case.fault.end, case.fault.act, case.threads
    );
    Tally::one(&name, meet(context, case))
}

/// The command of a case, with `mark` in its environment.
fn command(context: &Context, case: &Case, mark: &str) -> Command {
    let start = match case.start {
        Start::Upcrun => context.upcrun(case.threads, &case.program),
        Start::Flag => {
            let mut program = Command::new(&case.program);
            program.arg("-n").arg(case.threads.to_string()).arg("--");
            program
        }
        Start::Mpi(options, _) => {
            let mut upcrun = Command::new(&context.upcrun);
            upcrun.args(options).arg("-n");
            upcrun.arg(case.threads.to_string()).arg(&case.program);
            upcrun
        }
        Start::Hosts(hosts, _) => {
            let mut upcrun = hosts.upcrun();
            upcrun
                .arg("-n")
                .arg(case.threads.to_string())
                .arg(&case.program);
            upcrun
        }
    };
    // What this process ignores (nohup, a shell in the background) the program would ignore, too.
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
        .current_dir(case.program.parent().unwrap_or(Path::new(".")))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0);
    if let Start::Mpi(_, folder) | Start::Hosts(_, folder) = case.start {
        super::faults_mpi::set_up(&mut command, folder);
    }
    command
}

/// Runs a case and looks at its end.
fn meet(context: &Context, case: &Case) -> Result<(), String> {
    static RUNS: AtomicUsize = AtomicUsize::new(0);
    let run = RUNS.fetch_add(1, Ordering::Relaxed);
    let mark = format!("{}-{run}", own::id());
    let mut child = command(context, case, &mark)
        .spawn()
        .map_err(|e| format!("cannot start: {e}"))?;
    let errors = drain(child.stderr.take());
    let started = Instant::now();
    let met = act(case, &mut child).and_then(|()| end(&mut child));
    let took = started.elapsed();
    let left = left_behind(&mark, gone(case.fault.act));
    let names: Vec<String> = left.iter().map(|pid| words_of(*pid)).collect();
    for pid in &left {
        kill(*pid, Signal::KILL);
    }
    let said = errors.recv_timeout(GONE).unwrap_or_default();
    let verdict = met.and_then(|status| judge(case.fault, status, &said));
    let verdict = match names.is_empty() {
        true => verdict,
        false => Err(format!("processes are left: {}", names.join(", "))),
    };
    verdict.map_err(|why| format!("{why}, after {:.1} s; stderr: {said}", took.as_secs_f64()))
}

fn judge(fault: &Fault, status: ExitStatus, said: &str) -> Result<(), String> {
    let got = status
        .code()
        .or_else(|| status.signal().map(|signal| 128 + signal));
    if got != Some(fault.status) {
        return Err(format!("status {got:?}, not {}", fault.status));
    }
    let lines = process::program_lines(said).lines().count();
    if lines != usize::from(!fault.says.is_empty()) {
        return Err(format!("{lines} lines on standard error"));
    }
    match fault.says.iter().find(|text| !said.contains(**text)) {
        Some(text) => Err(format!("`{text}` is not said")),
        None => Ok(()),
    }
}

/// Waits for the threads to be ready, and acts.
fn act(case: &Case, child: &mut Child) -> Result<(), String> {
    let stdout = child.stdout.take().ok_or("no standard output")?;
    let signalled = match case.fault.act {
        Nothing => {
            drain(Some(stdout));
            return Ok(());
        }
        Launcher(_) | Group(_) | Victim(_) | Watcher(_) | Mpirun(_) | MpirunPauses | CutOff(_)
        | CloseOutput => ready(stdout, case.threads)?,
    };
    let Ready { victim, reader } = signalled;
    let launcher = Pid::from_child(child);
    match case.fault.act {
        Nothing => {}
        Launcher(signal) => kill(launcher, signal),
        // Whatever has ended in the meantime needs no signal.
        Group(signal) => drop(kill_process_group(launcher, signal)),
        Victim(signal) => kill(victim, signal),
        Watcher(signal) => kill(parent(victim).ok_or("no watcher")?, signal),
        Mpirun(signal) => kill(child_of(launcher).ok_or("no mpirun")?, signal),
        MpirunPauses => {
            let mpirun = child_of(launcher).ok_or("no mpirun")?;
            kill(mpirun, Signal::STOP);
            thread::spawn(move || {
                thread::sleep(PAUSE);
                kill(mpirun, Signal::CONT);
            });
        }
        CutOff(seconds) => match case.start {
            Start::Hosts(hosts, _) => {
                thread::sleep(Duration::from_secs(seconds));
                hosts.cut_off()?;
            }
            Start::Upcrun | Start::Flag | Start::Mpi(..) => {
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

struct Ready {
    /// The process of the last thread.
    victim: Pid,
    reader: BufReader<ChildStdout>,
}

/// Reads until every thread has said that it is ready.
fn ready(stdout: ChildStdout, threads: usize) -> Result<Ready, String> {
    let mut reader = BufReader::new(stdout);
    let mut victim = None;
    let mut count = 0;
    while count < threads {
        let mut line = String::new();
        if reader.read_line(&mut line).map_err(|e| e.to_string())? == 0 {
            return Err("ended before all threads were ready".to_string());
        }
        let Some(words) = line.strip_prefix("ready ") else {
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

/// The launcher's end.
fn end(child: &mut Child) -> Result<ExitStatus, String> {
    let launcher = Pid::from_child(child);
    let (done, over) = mpsc::channel::<()>();
    let watchdog = thread::spawn(move || {
        let late = over.recv_timeout(LIMIT) == Err(mpsc::RecvTimeoutError::Timeout);
        if late {
            kill(launcher, Signal::KILL);
        }
        late
    });
    let status = child.wait();
    drop(done);
    match watchdog.join() {
        Ok(false) => status.map_err(|e| e.to_string()),
        Ok(true) | Err(_) => Err("does not end".to_string()),
    }
}

/// The process that has started another one.
fn parent(pid: Pid) -> Option<Pid> {
    let text = fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_nonzero())).ok()?;
    // Behind the name in parentheses: state, parent.
    let words = text.rsplit_once(") ")?.1;
    Pid::from_raw(words.split(' ').nth(1)?.parse().ok()?)
}

fn child_of(pid: Pid) -> Option<Pid> {
    processes().find(|it| parent(*it) == Some(pid))
}

/// A process that is gone already is no error.
fn kill(pid: Pid, signal: Signal) {
    let _ = kill_process(pid, signal);
}

fn gone(act: Act) -> Duration {
    match act {
        CutOff(_) => GONE_ALONE,
        Nothing | Launcher(_) | Group(_) | Victim(_) | Watcher(_) | Mpirun(_) | MpirunPauses
        | CloseOutput => GONE,
    }
}

/// Processes with this mark, once those that are about to end have had the time.
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

fn processes() -> impl Iterator<Item = Pid> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| Pid::from_raw(entry.file_name().to_str()?.parse().ok()?))
}

/// Its command line.
fn words_of(pid: Pid) -> String {
    let words = fs::read(format!("/proc/{}/cmdline", pid.as_raw_nonzero())).unwrap_or_default();
    String::from_utf8_lossy(&words).replace('\0', " ")
}

/// A process that has ended and is not waited for has no environment any more.
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

fn shared_memory_objects() -> Vec<String> {
    let entries = fs::read_dir("/dev/shm").into_iter().flatten().flatten();
    entries
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        // Open MPI's; those of the jobs here are elsewhere, and looked at there.
        .filter(|name| !name.starts_with("vader_segment."))
        .collect()
}
