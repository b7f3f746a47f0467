//! The processors of threads that share a machine: `tests/mpi/placement.upc`, started in ways that leave its threads
//! different processors.
//!
//! By itself the program checks that its threads divide the processors that they were all given. In this suite it
//! prints how many processors each may use.

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
    let mut start = match way.start {
        Start::Upcrun => Command::new(&context.upcrun),
        Start::Taskset => {
            let mut start = Command::new("taskset");
            start.args(["-c", &processors[0].to_string()]);
            start.arg(&context.upcrun);
            start
        }
        Start::Bound => {
            let mut start = Command::new("mpirun");
            start.args(["-q", "--bind-to", "core"]);
            start
        }
    };
    start.args(["-n", &threads.to_string()]).arg(program);
    start.arg("say").env_remove("UPC_BIND_THREADS");
    if let Some(bind) = way.bind {
        start.env("UPC_BIND_THREADS", bind);
    }
    let output = process::must(start.envs(process::MPI), RUN)?.out();
    let said: Vec<usize> = output.lines().filter_map(count).collect();
    let share = processors.len() / threads;
    let right = said.len() == threads
        && said.iter().all(|count| match way.each {
            Each::All => *count == processors.len(),
            Each::One => *count == 1,
            Each::Share => *count == share || *count == share + 1,
        });
    match right {
        true => Ok(()),
        false => Err(format!("of {} processors:\n{output}", processors.len())),
    }
}

/// Returns 2 for `thread 0: 2 from 0`.
fn count(line: &str) -> Option<usize> {
    let (_, said) = line.strip_prefix("thread ")?.split_once(": ")?;
    said.split(' ').next()?.parse().ok()
}

/// Returns the processors that this process may use.
fn processors() -> Result<Vec<usize>, String> {
    let status = read(Path::new("/proc/self/status"))?;
    let list = status
        .lines()
        .find_map(|line| line.strip_prefix("Cpus_allowed_list:"))
        .ok_or("/proc/self/status does not say which processors are allowed")?;
    let mut all = Vec::new();
    for range in list.trim().split(',') {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        let number = |text: &str| text.parse::<usize>().map_err(|e| format!("{list}: {e}"));
        all.extend(number(first)?..=number(last)?);
    }
    Ok(all)
}
