//! Bad ends over messages: those of `faults`, and what only jobs of several launchers and machines can meet.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{fs, thread, time::Duration};

use rustix::process::Signal;

use super::faults::Act::{
    CloseOutput, CutOff, Launcher, Mpirun, MpirunPauses, Nothing, Victim, Watcher,
};
use super::faults::{Case, FAULTS, Fault, Start, fault, one};
use crate::context::{COMPILE, Context, RUN};
use crate::hosts::Hosts;
use crate::process;
use crate::report::Tally;
use crate::tools::{self, Need};

/// What upcrun is told: each thread a machine of its own, or all on this one.
const WIDTHS: &[&[&str]] = &[&["-pshm-width=1"], &[]];
const THREADS: &[usize] = &[2, 4];
const HOST_THREADS: usize = 6;

#[rustfmt::skip] // a row a line
const MORE: &[Fault] = &[
    fault("idle", Launcher(Signal::TERM), 143, &[]),
    fault("busy", Launcher(Signal::KILL), 137, &[]),
    fault("idle", Mpirun(Signal::KILL), 137, &[]),
    fault("in_lock", Mpirun(Signal::KILL), 137, &[]),
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
    fault("in_lock", Launcher(Signal::TERM), 143, &[]),
    fault("busy", Mpirun(Signal::KILL), 137, &[]),
    fault("idle", CutOff(0), 205, &["machine upctest3 (thread 4) does not answer any more"]),
    fault("in_barrier", CutOff(3), 205, &["machine upctest3 (thread 4) does not answer any more"]),
];

/// What is different from one machine's shared memory.
fn adapted(it: &'static Fault) -> Option<Fault> {
    match (it.end, it.act) {
        // The reader is gone for mpirun, which goes on to collect what is written.
        (_, CloseOutput) => None,
        _ => Some(fault(it.end, it.act, it.status, it.says)),
    }
}

/// MPI's files go to a folder in which nothing may be left.
pub(super) fn set_up(command: &mut Command, folder: &Path) {
    command
        .envs(process::MPI)
        .env("OMPI_MCA_orte_tmpdir_base", folder.join("tmp"))
        .env("OMPI_MCA_btl_vader_backing_directory", folder.join("shm"));
}

pub fn run(context: &Context, work: &Path) -> Tally {
    let mut tally = Tally::default();
    if let Some(why) = tools::missing(&[Need::OpenMpi]) {
        tally.skip("faults over mpi", &why);
        return tally;
    }
    let folder = work.join("mpi-files");
    match build(context, work).and_then(|program| {
        for part in ["tmp", "shm", "killed/tmp", "killed/shm"] {
            fs::create_dir_all(folder.join(part)).map_err(|e| e.to_string())?;
        }
        Ok(program)
    }) {
        Err(why) => tally.add("ends.upc over mpi", Err(why)),
        Ok(program) => {
            tally.join(here(context, &program, &folder));
            tally.join(on_hosts(context, &program, &folder));
            tally.join(places(context, &program, &folder));
        }
    }
    tally.join(super::faults_start::run(context, work));
    tally
}

fn build(context: &Context, work: &Path) -> Result<PathBuf, String> {
    let program = work.join("ends-mpi");
    let mut upcc = context.upcc("gcc");
    upcc.args(["-O1", "-w", "-network=mpi", "-o"]).arg(&program);
    upcc.arg(context.root.join("tests/faults/ends.upc"));
    process::must(&mut upcc, COMPILE).map(|_| program)
}

/// A run that is not long takes one of the faults of `faults` in so many, and all of its own.
const SHARE: usize = 3;

/// On one machine: with one width and number of threads each, with all of them in a long run.
fn here(context: &Context, program: &Path, folder: &Path) -> Tally {
    let shared = FAULTS
        .iter()
        .enumerate()
        .filter(|(index, _)| context.long || index % SHARE == 0);
    let faults: Vec<Fault> = shared
        .map(|(_, fault)| fault)
        .chain(MORE)
        .filter_map(adapted)
        .collect();
    // Nobody is left to remove what Open MPI's launcher leaves when it does not end in order, either.
    let killed = folder.join("killed");
    let mut cases = Vec::new();
    for (index, fault) in faults.iter().enumerate() {
        let folder = match fault.act {
            Launcher(Signal::KILL) => &killed,
            _ => folder,
        };
        for (nth, (&width, &threads)) in WIDTHS
            .iter()
            .flat_map(|width| THREADS.iter().map(move |n| (width, n)))
            .enumerate()
        {
            if context.long || nth == index % (WIDTHS.len() * THREADS.len()) {
                cases.push(Case {
                    fault,
                    threads,
                    program: program.to_path_buf(),
                    start: Start::Mpi(width, folder),
                });
            }
        }
    }
    let mut tally = context.each(&cases, |case| one(context, case));
    tally.add("files of MPI", nothing_left(folder));
    tally
}

/// MPI's launcher removes its own shortly after the job's end.
fn nothing_left(folder: &Path) -> Result<(), String> {
    let left = || -> Vec<String> {
        ["tmp", "shm"]
            .iter()
            .flat_map(|name| fs::read_dir(folder.join(name)).into_iter().flatten())
            .flatten()
            .map(|entry| entry.path())
            // The folder of all of a user's jobs may stay; what is in it may not.
            .filter(|path| !fs::read_dir(path).is_ok_and(|mut inside| inside.next().is_none()))
            .map(|path| path.display().to_string())
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

fn on_hosts(context: &Context, program: &Path, folder: &Path) -> Tally {
    let mut tally = Tally::default();
    for (index, fault) in ON_HOSTS.iter().enumerate() {
        // The others in a long run; the lost machine always, as it is what only machines can meet.
        if !context.long && index % 2 != 0 && !matches!(fault.act, CutOff(_)) {
            continue;
        }
        let hosts = match Hosts::up(context) {
            Ok(hosts) => hosts,
            Err(why) => {
                tally.skip(
                    "faults on three machines",
                    &format!("network namespaces: {why}"),
                );
                return tally;
            }
        };
        let case = Case {
            fault,
            threads: HOST_THREADS,
            program: program.to_path_buf(),
            start: Start::Hosts(&hosts, folder),
        };
        tally.join(one(context, &case));
    }
    tally
}

/// What is said where all threads are, after so many seconds at most: when the time is over, and when none can go on.
#[rustfmt::skip]
const PLACES: &[(&str, &str, &str, &[&str])] = &[
    ("deadlock", "deadlock", "12", &["no thread can go on", "upc thread 0 of 3: ", "waits in upc_barrier 7 (thread 2 has not arrived)", "upc thread 2 of 3: ", "waits in upc_lock"]),
    ("the end of time", "in_lock", "3", &["the time of 3 s is over", "upc thread 0 of 3: ", "upc thread 1 of 3: ", "waits in upc_lock", "upc thread 2 of 3: ", "(forever): "]),
];

fn places(context: &Context, program: &Path, folder: &Path) -> Tally {
    let cases: Vec<_> = PLACES
        .iter()
        .flat_map(|place| WIDTHS.iter().map(move |width| (place, *width)))
        .collect();
    context.each(&cases, |((name, end, seconds, said), width)| {
        let mut upcrun = Command::new(&context.upcrun);
        upcrun.args(*width).args(["-n", "3", "-timeout", seconds]);
        upcrun.arg(program).arg(end);
        set_up(&mut upcrun, folder);
        let verdict = process::run(&mut upcrun, RUN).and_then(|output| says(&output, said));
        Tally::one(&format!("{name}, mpi {}", width.join(" ")), verdict)
    })
}

fn says(output: &process::Output, texts: &[&str]) -> Result<(), String> {
    let said = output.err();
    if output.code() != Some(124) {
        return Err(format!("status is not 124: {}", output.tail()));
    }
    match texts.iter().find(|text| !said.contains(**text)) {
        Some(text) => Err(format!("`{text}` is not said: {said}")),
        None => Ok(()),
    }
}
