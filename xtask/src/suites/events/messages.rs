//! The same programs over MPI, whose events are those that they raise on one machine: dumped on this one, as if each thread had one of its own, and on three
//! machines; and recorded there, in one file.

use std::path::Path;
use std::process::Command;

use super::recorded::against_dumps;
use super::table::Table;
use super::{Build, Program, THREADS, compile, dumps, judge};
use crate::context::{Context, stem};
use crate::hosts::Hosts;
use crate::process;
use crate::report::Tally;
use crate::suites::share;
use crate::tools::{self, Need};

const FLAGS: &[&str] = &["-network=mpi", "-pshm-width=1"];
/// A run that is not long takes one program in so many.
const SHARE: usize = 3;
/// Of programs that run on any number of threads, on three machines.
const HOSTS_THREADS: usize = 6;

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
        let mut upcrun = match place.hosts {
            Some(hosts) => hosts.upcrun(),
            None => Command::new(&context.upcrun),
        };
        upcrun.arg("-n").arg(threads.to_string()).arg(binary);
        upcrun.envs(process::MPI);
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
