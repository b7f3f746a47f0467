//! Failing ends over messages: those of `faults`, and those that only occur in jobs of several launchers and machines.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::{fs, thread, time::Duration};

use rustix::process::Signal;

use super::faults::Act::{
    CloseOutput, CutOff, Daemon, Launcher, Mpirun, MpirunPauses, Nothing, StopMachine, Victim,
    Watcher,
};
use super::faults::{Case, FAULTS, Fault, Start, fault};
use super::forms::{self, Setting};
use super::mpi::UCX_ON_HOSTS;
use super::test::{Shared, Test};
use crate::context::{COMPILE, Context, forever};
use crate::hosts::Hosts;
use crate::process;
use crate::report::Tally;
use crate::tools::{self, Need};

/// The options of upcrun: each thread is a machine of its own, or all are on this one.
pub(super) const WIDTHS: &[&[&str]] = &[&["-pshm-width=1"], &[]];
const THREADS: &[usize] = &[2, 4];
const HOST_THREADS: usize = 6;

#[rustfmt::skip] // one row per line
const MORE: &[Fault] = &[
    fault("idle", Launcher(Signal::TERM), 143, &[]),
    fault("busy", Launcher(Signal::KILL), 137, &[]),
    fault("idle", Mpirun(Signal::KILL), 137, &["MPI's launcher `mpirun` was killed by SIGKILL"]),
    fault("in_lock", Mpirun(Signal::KILL), 137, &["MPI's launcher `mpirun` was killed by SIGKILL"]),
    fault("all_fail", MpirunPauses, 1, &["ends.upc:", "not hold"]),
    fault("in_barrier", Watcher(Signal::KILL), 137, &["the launcher of thread", "has been killed"]),
];

#[rustfmt::skip]
const ON_HOSTS: &[Fault] = &[
    fault("in_barrier", Victim(Signal::KILL), 137, &["upc thread 5 of 6 on upctest3: ", "killed by SIGKILL"]),
    fault("all_crash", Nothing, 139, &["SIGSEGV", " on upctest"]),
    fault("stack", Nothing, 139, &["upc thread 5 of 6 on upctest3: ", "ends.upc:", "stack overflow"]),
    fault("exits_at_once_well", Nothing, 1, &["on upctest3", "status 0 without passing the final barrier"]),
    fault("exits_in_barrier", Nothing, 1, &["waits in upc_barrier", "(exit status 3)"]),
    fault("global_exit", Nothing, 7, &[]),
    fault("statuses", Nothing, 11, &[]),
    fault("global_exit_well", Nothing, 0, &[]),
    fault("child_writes_remote", Nothing, 0, &["an access to memory of another thread in process", "forked from this thread"]),
    fault("in_lock", Launcher(Signal::TERM), 143, &[]),
    fault("busy", Mpirun(Signal::KILL), 137, &["MPI's launcher `mpirun` was killed by SIGKILL"]),
    fault("idle", Daemon(Signal::KILL), 205, &["the daemon of MPI's launcher on machine upctest3 (thread 4) has been killed"]),
    fault("in_barrier", StopMachine, 1, &["machine upctest3 (thread 4) does not answer any more"]),
    fault("idle", CutOff(0), 205, &["machine upctest3 (thread 4) does not answer any more"]),
    fault("in_barrier", CutOff(3), 205, &["machine upctest3 (thread 4) does not answer any more"]),
];

/// Sets the folder for MPI's files, in which nothing may be left.
pub(super) fn set_up(command: &mut Command, folder: &Path) {
    for part in ["tmp", "shm"] {
        // Without the folder MPI reports an error, and the case fails.
        let _ = fs::create_dir_all(folder.join(part));
    }
    command
        .envs(process::MPI)
        .env("TMPDIR", folder.join("tmp"))
        .env("OMPI_MCA_btl_vader_backing_directory", folder.join("shm"));
}

/// What carries the messages.
#[derive(Debug)]
pub(super) struct Wire {
    pub name: &'static str,
    /// The option of upcc.
    flag: &'static str,
    needs: &'static [Need],
    /// The environment on three machines.
    pub on_hosts: Setting,
}

static BY_MPI: Wire = Wire {
    name: "mpi",
    flag: forms::MESSAGES,
    needs: &[Need::OpenMpi],
    on_hosts: &[],
};

/// The launchers, which report how a job ends, are the same: only a long run asks again.
static BY_UCX: Wire = Wire {
    name: "ucx",
    flag: forms::BY_UCX,
    needs: &[Need::OpenMpi, Need::Ucx],
    on_hosts: UCX_ON_HOSTS,
};

pub fn tests(context: &'static Context, work: &'static Path) -> Result<Vec<Test>, String> {
    let wires: &[&'static Wire] = match context.long {
        true => &[&BY_MPI, &BY_UCX],
        false => &[&BY_MPI],
    };
    let mut tests = Vec::new();
    for &wire in wires {
        let folder: &Path = forever(work.join(format!("{}-files", wire.name))).as_path();
        let ends = Ends {
            context,
            work,
            wire,
            program: Shared::default(),
        };
        tests.extend(here(&ends, folder));
        tests.extend(on_hosts(&ends, folder));
        tests.extend(super::faults_waits::over_messages(&ends, folder));
    }
    tests.extend(super::faults_start::tests(context, work));
    Ok(tests)
}

/// `ends.upc` over messages.
#[derive(Clone)]
pub(super) struct Ends {
    pub context: &'static Context,
    work: &'static Path,
    pub wire: &'static Wire,
    program: Shared<PathBuf>,
}

impl Ends {
    pub fn get(&self) -> Result<&Path, String> {
        self.program
            .get(|| build(self.context, self.work, self.wire))
            .map(PathBuf::as_path)
    }

    /// Returns a test that is skipped without what carries the messages.
    pub fn test(&self, name: &str, mut run: impl FnMut(&Ends) -> Tally + Send + 'static) -> Test {
        let (ends, case) = (self.clone(), name.to_owned());
        Test::new(name, move || match tools::missing(ends.wire.needs) {
            Some(why) => Tally::skipped(&case, &why),
            None => run(&ends),
        })
    }
}

fn build(context: &Context, work: &Path, wire: &Wire) -> Result<PathBuf, String> {
    let program = work.join(format!("ends-{}", wire.name));
    let mut upcc = context.upcc("gcc");
    upcc.args(["-O1", "-w", wire.flag, "-o"]).arg(&program);
    upcc.arg(context.root.join("tests/faults/ends.upc"));
    process::must(&mut upcc, COMPILE).map(|_| program)
}

/// A normal run takes one in this number of the faults of `faults`, and all of its own.
const SHARE: u64 = 3;

/// Returns the tests on one machine: each with one width and number of threads, in a long run with all of them.
fn here(ends: &Ends, folder: &'static Path) -> Vec<Test> {
    let long = ends.context.long;
    let some = |fault: &&Fault| {
        let key = format!("{} {:?}", fault.end, fault.act);
        long || forms::hash(&key).is_multiple_of(SHARE)
    };
    let shared = FAULTS.iter().filter(some).chain(MORE);
    // Only mpirun notices that the reader is gone, and continues to collect the output.
    let faults = shared.filter(|fault| !matches!(fault.act, CloseOutput));
    let mut tests = Vec::new();
    for fault in faults {
        let cases: Vec<(&'static [&'static str], usize)> = WIDTHS
            .iter()
            .flat_map(|width| THREADS.iter().map(move |n| (*width, *n)))
            .collect();
        let key = format!("mpi {} {:?}", fault.end, fault.act);
        let one = forms::choose(&key, &cases);
        let chosen = cases.iter().filter(|case| long || Some(*case) == one);
        for &(width, threads) in chosen {
            // Each test has a folder of its own, so that files in use by other jobs are not counted as leftovers.
            let folder = folder.join(tests.len().to_string());
            let start = Start::Messages(ends.wire, width, folder.clone());
            let case = Case::new(fault, threads, start);
            tests.push(ends.test(&case.name(), move |ends| {
                let mut tally = case.test(ends.context, ends.get());
                let files = format!("{}, files of MPI", case.name());
                tally.add(&files, nothing_left(&folder));
                tally
            }));
        }
    }
    tests
}

/// Checks that nothing is left. MPI's launcher removes its own files shortly after the job's end.
fn nothing_left(folder: &Path) -> Result<(), String> {
    let left = || -> Vec<String> {
        ["tmp", "shm"]
            .iter()
            .flat_map(|name| fs::read_dir(folder.join(name)).into_iter().flatten())
            .flatten()
            .map(|entry| entry.path().display().to_string())
            .collect()
    };
    for _ in 0..20 {
        if left().is_empty() {
            return Ok(());
        }
        thread::sleep(Duration::from_millis(100));
    }
    Err(format!("left behind: {}", left().join(" ")))
}

fn on_hosts(ends: &Ends, folder: &'static Path) -> Vec<Test> {
    let some = |fault: &&Fault| {
        // The lost machine is always tested, as it needs several machines; of the others, half are.
        let key = format!("hosts {} {:?}", fault.end, fault.act);
        let machine_is_lost = matches!(fault.act, CutOff(_) | Daemon(_) | StopMachine);
        ends.context.long || machine_is_lost || forms::hash(&key).is_multiple_of(2)
    };
    let test = |fault: &'static Fault| {
        let name = format!(
            "{}::{:?} on three machines by {}",
            fault.end, fault.act, ends.wire.name
        );
        ends.test(&name.clone(), move |ends| {
            let hosts = match Hosts::up(ends.context) {
                Ok(hosts) => Arc::new(hosts),
                Err(why) => return Tally::skipped(&name, &format!("network namespaces: {why}")),
            };
            let start = Start::Hosts(ends.wire, hosts, folder.to_path_buf());
            Case::new(fault, HOST_THREADS, start).test(ends.context, ends.get())
        })
    };
    ON_HOSTS.iter().filter(some).map(test).collect()
}
