//! The same programs over MPI. Their events are those that they raise on one machine: dumped on this machine with each
//! thread treated as on a machine of its own, and on three machines; and recorded there in one file.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::recorded::{against_dumps, upcprof};
use super::table::Table;
use super::{Build, Program, THREADS, compile, dumps, judge};
use crate::context::{COMPILE, Context, RUN, stem};
use crate::hosts::Hosts;
use crate::process;
use crate::report::Tally;
use crate::suites::forms;
use crate::suites::mpi::{FLAGS, hosts_threads};
use crate::suites::test::{Shared, Test};
use crate::tools::{self, Need};

/// A normal run takes one in this number of programs.
const SHARE: u64 = 4;

/// The placement of a program's threads.
struct Place<'a> {
    words: &'static str,
    threads: usize,
    /// Each thread is on a machine of its own, or treated so.
    apart: bool,
    hosts: Option<&'a Hosts>,
}

pub fn tests(
    context: &'static Context,
    work: &'static Path,
    table: &'static Table,
    programs: &'static [Program],
) -> Vec<Test> {
    let hosts: Shared<Hosts> = Shared::default();
    let test = |name: &str, mut run: Run| {
        let (case, hosts) = (name.to_owned(), hosts.clone());
        Test::new(name, move || {
            if let Some(why) = tools::missing(&[Need::OpenMpi]) {
                return Tally::skipped(&case, &why);
            }
            let hosts = hosts.get(|| Hosts::up(context));
            let mut tally = run(&Bench {
                context,
                work,
                table,
                hosts: hosts.as_ref().ok().copied(),
            });
            if let Err(why) = hosts {
                tally.skip(&format!("{case} on three machines"), &why);
            }
            tally
        })
    };
    let name = |program: &Program| format!("{}::messages", stem(&program.source));
    let chosen = programs
        .iter()
        .filter(|program| forms::is_taken(&name(program), SHARE, context.long));
    let mut tests: Vec<Test> = chosen
        .map(|program| {
            let run: Run = Box::new(move |bench| everywhere(bench, program));
            test(&name(program), run)
        })
        .collect();
    for (flag, status, lasts) in DEATHS {
        let name = format!("a thread dies over messages, {flag}");
        let case = name.clone();
        let run: Run = Box::new(move |bench| Tally::one(&case, dies(bench, flag, *status, lasts)));
        tests.push(test(&name, run));
    }
    let run: Run = Box::new(|bench| match bench.hosts {
        Some(hosts) => Tally::one("files", files(bench, hosts)),
        None => Tally::default(),
    });
    tests.push(test("files of three machines", run));
    tests
}

type Run = Box<dyn FnMut(&Bench) -> Tally + Send>;

/// The environment of a test.
struct Bench<'a> {
    context: &'a Context,
    work: &'a Path,
    table: &'a Table,
    /// `None`: three machines cannot be simulated on this one.
    hosts: Option<&'a Hosts>,
}

fn everywhere(bench: &Bench, program: &Program) -> Tally {
    let (context, work, hosts) = (bench.context, bench.work, bench.hosts);
    let mut tally = Tally::default();
    let most = program.threads.iter().copied().max().unwrap_or(1);
    let mut build = Build::of_all_events(program, most);
    build.name = format!("{}::messages", stem(&program.source));
    build
        .flags
        .extend(FLAGS.iter().map(|flag| flag.to_string()));
    let binary = work.join(build.file_name());
    if let Err(why) = compile(context, program, &build, &binary) {
        tally.add(&build.name, Err(why));
        return tally;
    }
    let mut places = vec![Place {
        words: "one machine",
        threads: most,
        apart: true,
        hosts: None,
    }];
    places.extend(hosts.map(|hosts| Place {
        words: "three machines",
        threads: match program.threads == THREADS {
            true => hosts_threads(context),
            false => most,
        },
        apart: program.must_be_apart() || forms::hash(&build.name).is_multiple_of(2),
        hosts: Some(hosts),
    }));
    for place in places {
        let name = format!(
            "{} on {} threads of {}",
            build.name, place.threads, place.words
        );
        build.mode.apart = place.apart;
        let verdict = at(context, bench.table, program, &build, &binary, &place);
        tally.add(&name, verdict);
    }
    tally
}

/// Dumps a run, and on several machines records another one.
fn at(
    context: &Context,
    table: &Table,
    program: &Program,
    build: &Build,
    binary: &Path,
    place: &Place,
) -> Result<(), String> {
    let threads = place.threads;
    let upcrun = || {
        let mut upcrun = launch(context, place.hosts, threads, binary);
        upcrun.env("UPC_PSHM_WIDTH", if place.apart { "1" } else { "8" });
        // A program that tests the cache's events sets this itself.
        upcrun.env("UPC_CACHE", "off");
        upcrun
    };
    let dumps = dumps(upcrun(), program, binary, threads)?;
    judge(program, build, table, threads, &dumps)?;
    let file = binary.with_extension("upcprof");
    match place.hosts {
        None => Ok(()),
        Some(_) => against_dumps(
            context,
            upcrun(),
            program,
            program.judge_of(place.apart),
            &file,
            &dumps,
        ),
    }
}

fn launch(context: &Context, hosts: Option<&Hosts>, threads: usize, binary: &Path) -> Command {
    let mut upcrun = match hosts {
        Some(hosts) => hosts.upcrun(),
        None => Command::new(&context.upcrun),
    };
    upcrun.arg("-n").arg(threads.to_string()).arg(binary);
    upcrun.envs(process::MPI);
    upcrun
}

/// A flag for the program whose threads die, the status of the job, and the last recorded events of threads. The
/// recording has a dying thread's own last event if the thread had time to write it, and always those of the other
/// threads.
type Death = (&'static str, i32, &'static [(&'static str, &'static str)]);

const DEATHS: &[Death] = &[
    (
        "-UKILLED",
        128 + 11,
        &[("0", "UPC_MEMSET START"), ("1", "UPC_BARRIER START")],
    ),
    ("-DKILLED=1", 128 + 9, &[("1", "UPC_BARRIER START")]),
];

/// Tests it on this machine and on three.
fn dies(bench: &Bench, flag: &str, status: i32, lasts: &[(&str, &str)]) -> Result<(), String> {
    let binary = crash(bench, flag)?;
    died(bench.context, None, &binary, status, lasts)?;
    match bench.hosts {
        None => Ok(()),
        hosts => died(bench.context, hosts, &binary, status, lasts),
    }
}

/// Builds the program whose threads die.
fn crash(bench: &Bench, flag: &str) -> Result<PathBuf, String> {
    let binary = bench.work.join(format!("crash-mpi{flag}"));
    let mut upcc = bench.context.upcc("gcc");
    upcc.args(FLAGS)
        .args(["-w", "--inst-local", "-inst-toolname=measure", flag]);
    upcc.arg(bench.context.root.join("tests/events/crash/crash.upc"));
    process::must(upcc.arg("-o").arg(&binary), COMPILE).map(|_| binary)
}

fn died(
    context: &Context,
    hosts: Option<&Hosts>,
    binary: &Path,
    status: i32,
    lasts: &[(&str, &str)],
) -> Result<(), String> {
    let file = binary.with_extension("upcprof");
    let mut upcrun = launch(context, hosts, 3, binary);
    upcrun
        .env("UPC_MEASURE", "both")
        .env("UPC_MEASURE_FILE", &file);
    let output = process::run(&mut upcrun, RUN)?;
    if output.code() != Some(status) {
        return Err(output.tail());
    }
    for (thread, event) in lasts {
        let lines = upcprof(context, &["dump", "--thread", thread], &file)?;
        if !lines
            .lines()
            .last()
            .is_some_and(|line| line.contains(*event))
        {
            return Err(format!("thread {thread} does not end by {event}: {lines}"));
        }
    }
    Ok(())
}

/// Tests files for each thread, which are read together, and the message if machines do not share files.
fn files(bench: &Bench, hosts: &Hosts) -> Result<(), String> {
    let (context, work) = (bench.context, bench.work);
    let binary = crash(bench, "-UOTHER")?;
    let record = |file: &Path| {
        let mut upcrun = launch(context, Some(hosts), 3, &binary);
        upcrun.env("UPC_MEASURE_FILE", file);
        process::run(&mut upcrun, RUN)
    };
    record(&work.join("own.%.upcprof"))?;
    let mut stat = Command::new(&context.upcprof);
    stat.args(["stat", "--format=json"]);
    stat.args((0..3).map(|thread| work.join(format!("own.{thread}.upcprof"))));
    let reported = process::must(&mut stat, RUN)?.out();
    if !reported.contains("of 3 machines, compared") {
        return Err(format!("three files: {reported}"));
    }
    // Each machine has a /dev/shm of its own.
    let reported = record(Path::new("/dev/shm/events.upcprof"))?.err();
    match reported
        .matches("is not on this machine: each thread here writes")
        .count()
    {
        2 => Ok(()),
        _ => Err(format!("no common file: {reported}")),
    }
}

impl Program {
    /// Returns whether its events are only known if each thread is on a machine of its own, or none is.
    fn must_be_apart(&self) -> bool {
        let differs = self.judge_of(true) != self.judge_of(false);
        differs
            || self
                .flags
                .iter()
                .any(|flag| flag.starts_with("-pshm-width"))
            || self.marks.iter().any(|mark| mark.distinguishes())
    }
}
