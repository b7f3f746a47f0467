//! The processors of threads that share a machine: `tests/mpi/placement.upc`, started in ways that leave its threads
//! different processors.
//!
//! By itself the program checks that its threads divide the processors that they were all given. In this suite it
//! prints how many processors each may use. `upcrun -v` must show the same.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::context::{COMPILE, Context, RUN, forever, read};
use crate::process;
use crate::report::Tally;
use crate::suites::forms;
use crate::suites::test::{Shared, Test};

/// A way to start the program.
struct Way {
    name: &'static str,
    threads: usize,
    start: Start,
    /// `UPC_BIND_THREADS`.
    bind: Option<&'static str>,
    each: Each,
}

enum Start {
    /// By upcrun, whose `mpirun` binds nothing.
    Upcrun,
    /// By upcrun, restricted to the first processor.
    Taskset,
    /// By Open MPI's launcher, which binds each process to a processor.
    Bound,
}

/// The processors that each thread may use.
enum Each {
    /// All processors that this process may use.
    All,
    /// One processor.
    One,
    /// Its share.
    Share,
}

/// Stands for one thread more than there are processors.
const TOO_MANY: usize = 0;

const WAYS: &[Way] = &[
    way("unbound", 2, Start::Upcrun, None, Each::Share),
    way("too many", TOO_MANY, Start::Upcrun, None, Each::All),
    way("one processor", 2, Start::Taskset, None, Each::One),
    way("bound by mpirun", 2, Start::Bound, None, Each::One),
    way("not to be bound", 2, Start::Upcrun, Some("no"), Each::All),
    way("to be bound", 3, Start::Upcrun, Some("yes"), Each::One),
];

const fn way(
    name: &'static str,
    threads: usize,
    start: Start,
    bind: Option<&'static str>,
    each: Each,
) -> Way {
    Way {
        name,
        threads,
        start,
        bind,
        each,
    }
}

pub fn tests(context: &'static Context, work: &'static Path) -> Result<Vec<Test>, String> {
    let processors: &[usize] = forever(processors()?);
    let program = Shared::default();
    let test = |way: &'static Way| {
        let program: Shared<PathBuf> = program.clone();
        let name = format!("placement::{}", way.name);
        Test::new(name.clone(), move || {
            if processors.len() < 2 {
                return Tally::skipped(&name, "this machine has one processor");
            }
            let built = program.get(|| build(context, work));
            let verdict = built.and_then(|program| one(context, program, way, processors));
            Tally::one(&name, verdict)
        })
    };
    Ok(WAYS.iter().map(test).collect())
}

fn build(context: &Context, work: &Path) -> Result<PathBuf, String> {
    let program = work.join("placement-said");
    let mut upcc = context.upcc("gcc");
    upcc.args([forms::MESSAGES, "-o"]).arg(&program);
    upcc.arg(context.root.join("tests/mpi/placement.upc"));
    process::must(&mut upcc, COMPILE).map(|_| program)
}

fn one(context: &Context, program: &Path, way: &Way, processors: &[usize]) -> Result<(), String> {
    let threads = match way.threads {
        TOO_MANY => processors.len() + 1,
        threads => threads,
    };
    let mut start = launcher(context, way, processors);
    start.args(["-n", &threads.to_string()]).arg(program);
    start.arg("say").env_remove("UPC_BIND_THREADS");
    if let Some(bind) = way.bind {
        start.env("UPC_BIND_THREADS", bind);
    }
    let output = process::must(start.envs(process::MPI), RUN)?;
    let said: Vec<(usize, usize)> = output.out().lines().filter_map(said).collect();
    let share = processors.len() / threads;
    let right = said.len() == threads
        && said.iter().all(|&(count, _)| match way.each {
            Each::All => count == processors.len(),
            Each::One => count == 1,
            Each::Share => count == share || count == share + 1,
        });
    if !right {
        let said = output.out();
        return Err(format!("of {} processors:\n{said}", processors.len()));
    }
    let given = match way.start {
        Start::Taskset => 1,
        Start::Upcrun | Start::Bound => processors.len(),
    };
    are_shown(&output.err(), &said, threads.div_ceil(given))
}

/// Returns the command that starts the program, and has each thread show its processors.
fn launcher(context: &Context, way: &Way, processors: &[usize]) -> Command {
    match way.start {
        Start::Upcrun => {
            let mut start = Command::new(&context.upcrun);
            start.arg("-v");
            start
        }
        Start::Taskset => {
            let mut start = Command::new("taskset");
            start.args(["-c", &processors[0].to_string()]);
            start.arg(&context.upcrun).arg("-v");
            start
        }
        Start::Bound => {
            let mut start = Command::new("mpirun");
            start.args(["-q", "--bind-to", "core"]);
            start.env("UPC_SHOW_PLACEMENT", "1");
            start
        }
    }
}

/// Checks that each thread shows the processors that the program has found, in one line, and how many threads share one
/// if several do. said: how many each thread has, and the first of them.
fn are_shown(lines: &str, said: &[(usize, usize)], sharers: usize) -> Result<(), String> {
    let shared = match sharers {
        1 => String::new(),
        _ => format!(", {sharers} threads for each processor"),
    };
    for (thread, &(count, first)) in said.iter().enumerate() {
        let begin = format!("upc thread {thread} of {}: on ", said.len());
        let of_thread = lines.lines().filter_map(|line| {
            let (_, list) = line.strip_prefix(&begin)?.split_once(", processor")?;
            let list = list.strip_prefix('s').unwrap_or(list);
            numbers(list.strip_suffix(&shared)?).ok()
        });
        let shown: Vec<Vec<usize>> = of_thread.collect();
        let right = matches!(&shown[..], [one] if one.len() == count && one[0] == first);
        if !right {
            return Err(format!(
                "no line, or several, `{begin}...` with {count} processors from {first}{shared}:\n{lines}"
            ));
        }
    }
    Ok(())
}

/// Returns 2 and 0 for `thread 1: 2 from 0`.
fn said(line: &str) -> Option<(usize, usize)> {
    let (_, said) = line.strip_prefix("thread ")?.split_once(": ")?;
    let (count, first) = said.split_once(" from ")?;
    Some((count.parse().ok()?, first.parse().ok()?))
}

/// Returns the processors that this process may use.
fn processors() -> Result<Vec<usize>, String> {
    let status = read(Path::new("/proc/self/status"))?;
    let list = status
        .lines()
        .find_map(|line| line.strip_prefix("Cpus_allowed_list:"))
        .ok_or("/proc/self/status does not say which processors are allowed")?;
    numbers(list)
}

/// Returns the numbers of a list such as `0-2,5`.
fn numbers(list: &str) -> Result<Vec<usize>, String> {
    let mut all = Vec::new();
    for range in list.trim().split(',') {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        let number = |text: &str| text.parse::<usize>().map_err(|e| format!("{list}: {e}"));
        all.extend(number(first)?..=number(last)?);
    }
    Ok(all)
}
