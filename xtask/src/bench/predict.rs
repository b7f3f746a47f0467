//! `upcprof predict` against measurements: the programs of chapter 7 of Zhang's thesis on MuPC and five more, predicted from
//! a run on two threads, measured with more threads, in shared memory and over messages between three machines. As in the
//! thesis, a run over messages is predicted from one over messages: its own time then has no parts that only the other has.
//!
//! All programs run for much longer than the 20 ms for which the runtime calibrates its clock. What
//! the histogram, sobel and heat use again and again in shared memory fits into the processors' caches with all numbers of
//! threads: the model does not know how much slower memory is than these.
//!
//! What a machine does besides changes from one quarter of an hour to the next, by as much as the errors. So all programs
//! run in turn, [`PARTS`] times, and the costs are measured before each turn: no hour decides about a program.
//!
//! The three machines are network namespaces on this one, so all threads share its processors, however many machines
//! there are: their platform counts as one machine. Their network has a delay, as one between machines has: without it,
//! messages take what the processors need to pass them on, and nothing but that would be measured. With more threads than
//! processors, computing takes longer in proportion, and operations cost what was measured with as many threads on as many
//! processors.

mod costs;
mod recorded;
mod times;
mod variants;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::{LIMIT, THREADS, compile_as};
use crate::context::{Context, write};
use crate::hosts::{Hosts, MACHINES};
use crate::process;
use costs::Costs;
use recorded::{PROFILE, Recorded, TRACE, Wanted};
use times::{DIFFERENCE, Ranked, Timed, median_and_worst};
use variants::{BLOCKS, GATHERED, Kind, NO_GATHERS, rank};

/// The runs of each variant, in turn with those of the others, as those of the numbers of threads: what else the machine
/// does changes from minute to minute. The median counts: runs differ by what else happens, and by what their messages wait for.
const RUNS: usize = 6;
/// The turns of all programs, each with costs of its own, and the runs of a program as it is in one of them. Its error depends
/// on their times themselves, that of variants on ratios of neighbours.
const PARTS: usize = 5;
const RUNS_OF_PART: usize = 2;
/// For how long a message between the three machines is under way.
const DELAY: Duration = Duration::from_micros(100);
const MORE: [usize; 2] = [4, 8];
const MESSAGES: &[&str] = &["-network=mpi", "-pshm-width=1"];
/// The only event of the programs that are timed, which none of them raises: the recording then has the time of the run,
/// without what it takes to start processes on machines.
const SILENT: &str = "GASP_UPC_GLOBAL_ALLOC\n";
/// A program.
#[derive(Clone, Copy)]
struct Program {
    name: &'static str,
    source: &'static str,
    /// Sizes for shared memory, and for messages, which are slow one by one.
    smp: &'static [&'static str],
    messages: &'static [&'static str],
    arguments: &'static [&'static str],
    /// The sizes over messages for variants of the cache and of gathers, if the program takes minutes without them; empty: the
    /// same.
    small: &'static [&'static str],
    /// More threads have more work.
    weak: bool,
    /// The errors of the thesis (tables 7.1 to 7.3) in percent: MuPC without the cache, and with it.
    thesis: &'static [f64],
}

#[rustfmt::skip]
const PROGRAMS: &[Program] = &[
    Program { name: "histogram", source: "xtask/bench/histogram.upc", smp: &["-DN=16384", "-DUPDATES=16000000"], messages: &["-DN=100000", "-DUPDATES=2000000"], small: &[], arguments: &[], weak: true,
        thesis: &[-2.2, -4.8, -0.4, -4.0, 1.6, -9.8, -4.6, -3.3, -9.7] },
    Program { name: "product", source: "samples/bench/product/naive.upc", smp: &["-DROWS=384", "-DCOLS=768"], messages: &["-DROWS=192", "-DCOLS=384"], small: &[], arguments: &[], weak: true,
        thesis: &[-12.2, -4.5, 3.6, 2.2, -0.4, 2.9, 0.7, 0.3, -0.7, -4.4, -2.2, 0.9, 7.9, 15.3, 15.8, 9.8, 3.9, 9.8, -2.1, 19.5, 11.8, 13.0, 2.0, 8.8] },
    Program { name: "sobel", source: "samples/bench/sobel/naive.upc", smp: &["-DROWS=100", "-DSTEPS=1600"], messages: &["-DROWS=200", "-DCOLS=1024", "-DSTEPS=300"], small: &[], arguments: &[], weak: true,
        thesis: &[4.8, 1.4, 11.8, 9.9, 7.0, -0.5, -21.6, 15.8, 16.3, 16.8, 17.5, 14.3] },
    Program { name: "cg", source: "samples/bench/cg/naive.upc", smp: &["-DPER=200000"], messages: &["-DPER=40000", "-DSTEPS=60"], small: &["-DPER=2000", "-DSTEPS=20"], arguments: &[], weak: true, thesis: &[] },
    Program { name: "heat", source: "samples/bench/heat/naive.upc", smp: &["-DROWS=101", "-DCOLS=501", "-DSTEPS=3200"], messages: &["-DROWS=201", "-DCOLS=1001", "-DSTEPS=200"], small: &["-DROWS=41", "-DCOLS=101", "-DSTEPS=60"], arguments: &[], weak: true, thesis: &[] },
    Program { name: "gups", source: "samples/bench/gups/naive.upc", smp: &["-DPER=1000000"], messages: &["-DPER=262144"], small: &[], arguments: &[], weak: true, thesis: &[] },
    Program { name: "sort", source: "samples/bench/is/naive.upc", smp: &["-DPER=500000"], messages: &["-DPER=400000"], small: &[], arguments: &[], weak: true, thesis: &[] },
    Program { name: "nqueens", source: "samples/nqueens.upc", smp: &[], messages: &[], small: &[], arguments: &["14"], weak: false, thesis: &[] },
];

impl Program {
    /// The sizes over messages for variants of the cache and of gathers.
    fn sizes_of_variants(&self) -> &'static [&'static str] {
        match self.small {
            [] => self.messages,
            small => small,
        }
    }
}

/// What is predicted and measured.
struct Measured {
    what: String,
    predicted: f64,
    measured: f64,
    spread: f64,
}

impl Measured {
    /// The error in percent, as equation 7.1 of the thesis has it.
    fn error(&self) -> f64 {
        (self.predicted - self.measured) / self.measured * 100.0
    }

    fn show(&self) {
        println!(
            "{:<36} {:>12.4} {:>12.4} {:>8.0} % {:>+8.1} %",
            self.what,
            self.predicted,
            self.measured,
            self.spread * 50.0,
            self.error()
        );
    }
}

/// How programs of a form are compiled and run.
#[derive(Clone, Copy)]
struct Form<'a> {
    /// A word for names of files.
    name: &'static str,
    context: &'a Context,
    hosts: Option<&'a Hosts>,
    flags: &'a [&'a str],
    options: &'a [&'a str],
    /// A list of events, for programs that are timed.
    silent: &'a Path,
}

impl Form<'_> {
    /// The flag of programs that are timed.
    fn silent(&self) -> String {
        format!("-inst-only={}", self.silent.display())
    }

    fn upcrun(&self, threads: usize, program: &Path, options: &[&str]) -> Command {
        let mut upcrun = match self.hosts {
            Some(hosts) => hosts.upcrun(),
            None => Command::new(&self.context.upcrun),
        };
        upcrun
            .args(["-n", &threads.to_string()])
            .args(options)
            .arg(program)
            .envs(process::MPI);
        upcrun
    }

    /// The seconds of a run: those of the measurement, which begins when all threads are there.
    fn one_run(
        &self,
        threads: usize,
        program: &Path,
        (options, arguments): (&[&str], &[&str]),
    ) -> Result<f64, String> {
        let file = program.with_extension("timed");
        let options: Vec<&str> = options.iter().copied().chain(["-profile"]).collect();
        let mut upcrun = self.upcrun(threads, program, &options);
        upcrun.args(arguments).env("UPC_MEASURE_FILE", &file);
        process::must(&mut upcrun, LIMIT)?;
        let mut stat = Command::new(&self.context.upcprof);
        let stat = stat.args(["stat", "--format", "json"]).arg(&file);
        let text = process::must(stat, LIMIT)?.out();
        let stat: serde_json::Value =
            serde_json::from_str(&text).map_err(|e| format!("upcprof stat: {e}"))?;
        let time = stat["time"]["run_ns"].as_f64();
        Ok(time.ok_or("upcprof stat: no time")? / 1e9)
    }
}

/// Compiles a program of a form with these flags.
fn compiled(
    form: &Form<'_>,
    work: &Path,
    program: &Program,
    name: &str,
    flags: &[&str],
) -> Result<PathBuf, String> {
    let to = work.join(format!("{}-{}-{name}", program.name, form.name));
    let flags: Vec<&str> = [&["-O3"], form.flags, flags].concat();
    let source = form.context.root.join(program.source);
    compile_as(form.context, &source, &flags, &to).map(|()| to)
}

/// The names of all programs.
pub fn programs() -> Vec<&'static str> {
    let all = PROGRAMS.iter().chain([&BLOCKS]);
    all.map(|it| it.name).collect()
}

pub fn run(context: &Context, work: &Path) -> Result<(), String> {
    let silent = work.join("silent.txt");
    write(&silent, SILENT)?;
    let hosts = Hosts::up_with_delays(context, [DELAY; MACHINES])?;
    let here = Form {
        name: "smp",
        context,
        hosts: None,
        flags: &[],
        options: &[],
        silent: &silent,
    };
    let machines = Form {
        name: "machines",
        hosts: Some(&hosts),
        flags: MESSAGES,
        options: &["-cache=on"],
        ..here
    };
    let is_wanted = |program: &&Program| {
        let names = &context.programs;
        names.is_empty() || names.iter().any(|it| it == program.name)
    };
    let programs = PROGRAMS.iter().chain([&BLOCKS]).filter(is_wanted);
    let wanted = programs.flat_map(|program| wanted(program, &here, &machines));
    let all = wanted.map(|it| Recorded::new(work, it));
    let mut all: Vec<Recorded<'_>> = all.collect::<Result<_, String>>()?;
    let costs = Costs::new(context, work)?;
    for turn in 0..PARTS {
        costs.measure(turn, &here, &machines)?;
        for of in &mut all {
            for _ in 0..RUNS_OF_PART {
                of.run()?;
            }
        }
        println!("turn {} of {PARTS} has run", turn + 1);
    }
    println!(
        "{:<36} {:>12} {:>12} {:>10} {:>10}",
        "seconds", "predicted", "measured", "runs +-", "error"
    );
    let mut measured = Vec::new();
    for of in &all {
        measured.extend(compared(of, work, &costs)?);
    }
    // Of some programs only variants are compared.
    if !measured.is_empty() {
        summary(&measured);
    }
    println!();
    let mut ranked = Ranked::default();
    for of in &all {
        for kind in &of.wanted.ranked {
            ranked.add(rank(of, work, &machines, &costs, *kind)?);
        }
    }
    println!(
        "{} of {} pairs of variants that differ by more than {:.0} % are ranked as measured; of {} nothing is certain",
        ranked.right,
        ranked.all,
        DIFFERENCE * 100.0,
        ranked.uncertain
    );
    Ok(())
}

/// What is recorded of a program, and what is compared.
fn wanted<'a>(program: &Program, here: &Form<'a>, machines: &Form<'a>) -> Vec<Wanted<'a>> {
    let of = |form: &Form<'a>, sizes: &[&'static str], ranked: &[Kind]| Wanted {
        program: *program,
        form: *form,
        sizes: sizes.to_vec(),
        how: PROFILE,
        more: &MORE,
        ranked: ranked.to_vec(),
    };
    // Of these, only variants are compared.
    let variants = |name: &'static str, sizes: &[&'static str], kind: Kind| Wanted {
        program: Program {
            messages: program.sizes_of_variants(),
            ..*program
        },
        more: &[],
        ..of(&Form { name, ..*machines }, sizes, &[kind])
    };
    if program.name == BLOCKS.name {
        let blocks = variants(machines.name, program.messages, Kind::Blocks);
        return vec![Wanted {
            how: TRACE,
            ..blocks
        }];
    }
    let mut all = vec![
        of(here, program.smp, &[]),
        of(machines, program.messages, &[Kind::Latencies]),
    ];
    match program.small {
        [] => all[1].ranked.push(Kind::Caches),
        small => all.push(variants("machines-small", small, Kind::Caches)),
    }
    if program.name == GATHERED.0 {
        let flags = [program.sizes_of_variants(), &[NO_GATHERS]].concat();
        all.push(variants("ungathered", &flags, Kind::Gathers));
    }
    all
}

/// Changes with their predicted and measured seconds.
fn together(changes: &[String], predicted: &[f64], measured: &[Timed]) -> Vec<(String, f64, f64)> {
    let times = predicted.iter().zip(measured);
    let all = changes.iter().zip(times);
    all.map(|(change, (predicted, measured))| (change.clone(), *predicted, measured.seconds))
        .collect()
}

/// Predicts a program with more threads, and shows what was measured.
fn compared(of: &Recorded<'_>, work: &Path, costs: &Costs) -> Result<Vec<Measured>, String> {
    let Wanted {
        program,
        form,
        more,
        ..
    } = &of.wanted;
    if more.is_empty() {
        return Ok(Vec::new());
    }
    let changes: Vec<String> = more.iter().map(|n| format!("threads={n}")).collect();
    let (predicted, timed) = (of.predict(costs, &changes)?, of.more());
    of.keep(work, costs, &together(&changes, &predicted, &timed))?;
    let machines = if form.hosts.is_some() {
        ", 3 machines"
    } else {
        ""
    };
    let both = predicted.into_iter().zip(timed);
    let measured = more.iter().zip(both).map(|(threads, (predicted, timed))| {
        let it = Measured {
            what: format!("{}, {threads} threads{machines}", program.name),
            predicted,
            measured: timed.seconds,
            spread: timed.spread,
        };
        it.show();
        it
    });
    Ok(measured.collect())
}

fn summary(all: &[Measured]) {
    println!(
        "\n{:<36} {:>12} {:>12}",
        "errors in percent", "median", "worst"
    );
    let line = |what: &str, (median, worst): (f64, f64)| {
        println!("{what:<36} {median:>12.1} {worst:>12.1}");
    };
    for program in PROGRAMS {
        let of_it = || all.iter().filter(|it| it.what.starts_with(program.name));
        if of_it().count() == 0 {
            continue;
        }
        line(program.name, median_and_worst(of_it().map(Measured::error)));
        if !program.thesis.is_empty() {
            let thesis = program.thesis.iter().copied();
            line("  in the thesis, MuPC", median_and_worst(thesis));
        }
    }
    line("all", median_and_worst(all.iter().map(Measured::error)));
}
