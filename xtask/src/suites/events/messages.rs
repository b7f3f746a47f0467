//! The same programs over MPI, whose events are those that they raise on one machine: dumped on this one, as if each thread had one of its own, and on three
//! machines; and recorded there, in one file.

use std::path::Path;
use std::process::Command;

use super::recorded::{against_dumps, upcprof};
use super::table::Table;
use super::{Build, Program, THREADS, compile, dumps, judge};
use crate::context::{COMPILE, Context, RUN, stem};
use crate::hosts::Hosts;
use crate::process;
use crate::report::Tally;
use crate::suites::mpi::{FLAGS, HOSTS_THREADS};
use crate::suites::share;
use crate::tools::{self, Need};

/// A run that is not long takes one program in so many.
const SHARE: usize = 3;

/// Where a program's threads are.
struct Place<'a> {
    words: &'static str,
    threads: usize,
    /// Each is on a machine of its own, or has to act so.
    apart: bool,
    hosts: Option<&'a Hosts>,
}

pub fn run(context: &Context, work: &Path, table: &Table, programs: &[Program]) -> Tally {
    let mut tally = Tally::default();
    if let Some(why) = tools::missing(&[Need::OpenMpi]) {
        tally.skip("events over MPI", &why);
        return tally;
    }
    let hosts = Hosts::up(context);
    let chosen: Vec<_> = share(context.long, SHARE, programs).collect();
    tally.join(context.each(&chosen, |(index, program)| {
        let hosts = hosts.as_ref().ok();
        everywhere(context, work, table, *index, program, hosts)
    }));
    tally.join(ends(context, work, hosts.as_ref().ok()));
    if let Ok(hosts) = &hosts {
        tally.add("files of three machines", files(context, work, hosts));
    }
    if let Err(why) = hosts {
        tally.skip("events on three machines", &why);
    }
    tally
}

fn everywhere(
    context: &Context,
    work: &Path,
    table: &Table,
    index: usize,
    program: &Program,
    hosts: Option<&Hosts>,
) -> Tally {
    let mut tally = Tally::default();
    let most = program.threads.iter().copied().max().unwrap_or(1);
    let mut build = Build::of_all_events(index, program, most);
    build.name = format!("{}-mpi", stem(&program.source));
    build
        .flags
        .extend(FLAGS.iter().map(|flag| flag.to_string()));
    let binary = work.join(&build.name);
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
            true => HOSTS_THREADS,
            false => most,
        },
        apart: program.must_be_apart() || index.is_multiple_of(2),
        hosts: Some(hosts),
    }));
    for place in places {
        let name = format!(
            "{} on {} threads of {}",
            build.name, place.threads, place.words
        );
        build.mode.apart = place.apart;
        let verdict = at(context, table, program, &build, &binary, &place);
        tally.add(&name, verdict);
    }
    tally
}

/// Dumps a run; and on several machines records another one.
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
        // What it tells is the business of the program that says so.
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

/// Threads that die: their own last event is in the recording if they had time to write it, and those of the others are.
fn ends(context: &Context, work: &Path, hosts: Option<&Hosts>) -> Tally {
    let last = |thread: &str, event: &str| (thread.to_owned(), event.to_owned());
    let others = last("1", "UPC_BARRIER START");
    let cases = [
        (
            "-UKILLED",
            128 + 11,
            vec![last("0", "UPC_MEMSET START"), others.clone()],
        ),
        ("-DKILLED=1", 128 + 9, vec![others]),
    ];
    context.each(&cases, |(flag, status, lasts)| {
        let binary = work.join(format!("crash-mpi{flag}"));
        let verdict = build_crash(context, flag, &binary).and_then(|()| {
            let places = [None, hosts];
            let places = &places[..1 + usize::from(hosts.is_some())];
            places
                .iter()
                .try_for_each(|hosts| died(context, *hosts, &binary, *status, lasts))
        });
        Tally::one(&format!("a thread dies over MPI, {flag}"), verdict)
    })
}

fn build_crash(context: &Context, flag: &str, binary: &Path) -> Result<(), String> {
    let mut upcc = context.upcc("gcc");
    upcc.args(FLAGS)
        .args(["-w", "--inst-local", "-inst-toolname=measure", flag]);
    upcc.arg(context.root.join("tests/events/crash/crash.upc"));
    process::must(upcc.arg("-o").arg(binary), COMPILE).map(|_| ())
}

fn died(
    context: &Context,
    hosts: Option<&Hosts>,
    binary: &Path,
    status: i32,
    lasts: &[(String, String)],
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
            .is_some_and(|line| line.contains(event))
        {
            return Err(format!("thread {thread} does not end by {event}: {lines}"));
        }
    }
    Ok(())
}

/// A file for each thread, which are read together; and where machines do not see the same files, a word about it.
fn files(context: &Context, work: &Path, hosts: &Hosts) -> Result<(), String> {
    let binary = work.join("crash-mpi-UKILLED");
    let record = |file: &Path| {
        let mut upcrun = launch(context, Some(hosts), 3, &binary);
        upcrun.env("UPC_MEASURE_FILE", file);
        process::run(&mut upcrun, RUN)
    };
    record(&work.join("own.%.upcprof"))?;
    let mut stat = Command::new(&context.upcprof);
    stat.args(["stat", "--format=json"]);
    stat.args((0..3).map(|thread| work.join(format!("own.{thread}.upcprof"))));
    let told = process::must(&mut stat, RUN)?.out();
    if !told.contains("of 3 machines, compared") {
        return Err(format!("three files: {told}"));
    }
    // Each machine has a /dev/shm of its own.
    let told = record(Path::new("/dev/shm/events.upcprof"))?.err();
    match told
        .matches("is not on this machine: each thread here writes")
        .count()
    {
        2 => Ok(()),
        _ => Err(format!("no common file: {told}")),
    }
}

impl Program {
    /// Whether what it raises is known only where each thread is on a machine of its own, or none is.
    fn must_be_apart(&self) -> bool {
        let differs = self.judge_of(true) != self.judge_of(false);
        differs
            || self
                .flags
                .iter()
                .any(|flag| flag.starts_with("-pshm-width"))
            || self.marks.iter().any(|mark| mark.tells_apart())
    }
}
