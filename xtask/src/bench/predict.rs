//! `upcprof predict` against measurements: the programs of chapter 7 of Zhang's thesis on MuPC and five more, predicted from
//! a run on two threads that share memory, measured with more threads, and over messages between three machines.
//!
//! The three machines are network namespaces on this one, so all threads share its processors, however many machines
//! there are: their platform counts as one machine. With more threads than processors, computing takes longer in
//! proportion, and operations cost what was measured with as many threads on as many processors.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::{LIMIT, THREADS, compile_as};
use crate::context::{Context, read, write};
use crate::hosts::Hosts;
use crate::process;

/// The runs of each program, of which the fastest counts: other processes can only make it slower.
const RUNS: usize = 3;
const MORE: &[usize] = &[4, 8];
const MESSAGES: &[&str] = &["-network=mpi", "-pshm-width=1"];
/// The only event of the programs that are timed, which none of them raises: the recording then has the time of the run,
/// without what it takes to start processes on machines.
const SILENT: &str = "GASP_UPC_GLOBAL_ALLOC\n";
/// Variants of a run over messages that are ranked, with the options of upcrun for each.
const VARIANTS: &[(&str, &[&str])] = &[
    ("cache=on", &["-cache=on"]),
    ("cache=off", &["-cache=off"]),
    (
        "cache=on,cache-line=256",
        &["-cache=on", "-cache-line", "256"],
    ),
    (
        "cache=on,cache-line=4096",
        &["-cache=on", "-cache-line", "4096"],
    ),
];
/// Pairs of variants that differ by less are not ranked.
const DIFFERENCE: f64 = 0.1;

/// A program.
struct Program {
    name: &'static str,
    source: &'static str,
    /// Sizes for shared memory, and for messages, which are slow one by one.
    smp: &'static [&'static str],
    messages: &'static [&'static str],
    arguments: &'static [&'static str],
    /// More threads have more work.
    weak: bool,
    /// The errors of the thesis (tables 7.1 to 7.3) in percent: MuPC without the cache, and with it.
    thesis: &'static [f64],
}

#[rustfmt::skip]
const PROGRAMS: &[Program] = &[
    Program { name: "histogram", source: "xtask/bench/histogram.upc", smp: &["-DN=1048576", "-DUPDATES=4000000"], messages: &["-DN=100000", "-DUPDATES=5000"], arguments: &[], weak: true,
        thesis: &[-2.2, -4.8, -0.4, -4.0, 1.6, -9.8, -4.6, -3.3, -9.7] },
    Program { name: "product", source: "samples/bench/product/naive.upc", smp: &["-DROWS=192", "-DCOLS=384"], messages: &["-DROWS=64", "-DCOLS=128"], arguments: &[], weak: true,
        thesis: &[-12.2, -4.5, 3.6, 2.2, -0.4, 2.9, 0.7, 0.3, -0.7, -4.4, -2.2, 0.9, 7.9, 15.3, 15.8, 9.8, 3.9, 9.8, -2.1, 19.5, 11.8, 13.0, 2.0, 8.8] },
    Program { name: "sobel", source: "samples/bench/sobel/naive.upc", smp: &["-DSTEPS=400"], messages: &["-DROWS=40", "-DCOLS=256", "-DSTEPS=20"], arguments: &[], weak: true,
        thesis: &[4.8, 1.4, 11.8, 9.9, 7.0, -0.5, -21.6, 15.8, 16.3, 16.8, 17.5, 14.3] },
    Program { name: "cg", source: "samples/bench/cg/naive.upc", smp: &["-DPER=200000"], messages: &["-DPER=4000"], arguments: &[], weak: true, thesis: &[] },
    Program { name: "heat", source: "samples/bench/heat/naive.upc", smp: &["-DROWS=401", "-DCOLS=1001", "-DSTEPS=200"], messages: &["-DROWS=40", "-DCOLS=201", "-DSTEPS=20"], arguments: &[], weak: true, thesis: &[] },
    Program { name: "gups", source: "samples/bench/gups/naive.upc", smp: &["-DPER=1000000"], messages: &["-DPER=1000"], arguments: &[], weak: true, thesis: &[] },
    Program { name: "sort", source: "samples/bench/is/naive.upc", smp: &[], messages: &["-DPER=2000"], arguments: &[], weak: true, thesis: &[] },
    Program { name: "nqueens", source: "samples/nqueens.upc", smp: &[], messages: &[], arguments: &["13"], weak: false, thesis: &[] },
];

/// What is predicted and measured.
struct Measured {
    what: String,
    predicted: f64,
    measured: f64,
}

impl Measured {
    /// The error in percent, as equation 7.1 of the thesis has it.
    fn error(&self) -> f64 {
        (self.predicted - self.measured) / self.measured * 100.0
    }
}

/// How programs of a form are run.
struct Form<'a> {
    context: &'a Context,
    hosts: Option<&'a Hosts>,
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

    /// The seconds of the fastest run: those of the measurement, which begins when all threads are there.
    fn seconds(
        &self,
        threads: usize,
        program: &Path,
        (options, arguments): (&[&str], &[&str]),
    ) -> Result<f64, String> {
        let file = program.with_extension("timed");
        let mut least = f64::INFINITY;
        for _ in 0..RUNS {
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
            least = least.min(time.ok_or("upcprof stat: no time")? / 1e9);
        }
        Ok(least)
    }
}

/// A program in the sizes of a form: recorded and timed on two threads.
struct Recorded<'a> {
    context: &'a Context,
    program: &'a Program,
    sizes: &'a [&'a str],
    file: PathBuf,
    seconds: f64,
}

impl Recorded<'_> {
    /// The predicted seconds of each change.
    fn predict(&self, platform: &Path, changes: &[String]) -> Result<Vec<f64>, String> {
        let mut upcprof = Command::new(&self.context.upcprof);
        upcprof
            .args(["predict", "--format", "json", "--platform"])
            .arg(platform)
            .args(["--time", &self.seconds.to_string()])
            .arg(format!("--upcc-flags={}", self.sizes.join(" ")));
        if self.program.weak {
            upcprof.arg("--weak");
        }
        for change in changes {
            upcprof.args(["--what-if", change]);
        }
        let output = process::must(upcprof.arg(&self.file), LIMIT)?;
        let all: serde_json::Value =
            serde_json::from_str(&output.out()).map_err(|e| format!("upcprof predict: {e}"))?;
        let times = all["what_if"].as_array().into_iter().flatten();
        let times: Vec<f64> = times
            .filter_map(|it| Some(it["time_ns"].as_f64()? / 1e9))
            .collect();
        match times.len() == changes.len() {
            true => Ok(times),
            false => Err("upcprof predict: a time is missing".to_owned()),
        }
    }
}

fn recorded<'a>(
    context: &'a Context,
    work: &Path,
    program: &'a Program,
    sizes: &'a [&'a str],
    form: &Form<'_>,
) -> Result<(Recorded<'a>, PathBuf), String> {
    let source = context.root.join(program.source);
    let compiled = |name: &str, flags: &[&str]| {
        let to = work.join(format!("{}-{name}", program.name));
        let flags: Vec<&str> = flags.iter().chain(sizes).copied().collect();
        compile_as(context, &source, &flags, &to).map(|()| to)
    };
    let silent = form.silent();
    let plain = compiled("plain", &["-O3", &silent])?;
    let instrumented = compiled("inst", &["-O3", "--inst"])?;
    let file = work.join(format!("{}.upcprof", program.name));
    let mut upcrun = form.upcrun(THREADS, &instrumented, &["-profile"]);
    upcrun
        .args(program.arguments)
        .env("UPC_MEASURE_FILE", &file);
    process::must(&mut upcrun, LIMIT)?;
    let seconds = form.seconds(THREADS, &plain, (&[], program.arguments))?;
    let recorded = Recorded {
        context,
        program,
        sizes,
        file,
        seconds,
    };
    Ok((recorded, plain))
}

/// Measures the platform of a form.
fn calibrate(form: &Form<'_>, network: &str, file: &Path) -> Result<(), String> {
    let mut upcrun = match form.hosts {
        Some(hosts) => hosts.upcrun(),
        None => Command::new(&form.context.upcrun),
    };
    upcrun
        .args(["-calibrate", "-network", network, "-o"])
        .arg(file)
        .envs(process::MPI);
    process::must(&mut upcrun, Duration::from_secs(900)).map(|_| ())
}

pub fn run(context: &Context, work: &Path) -> Result<(), String> {
    let silent = work.join("silent.txt");
    write(&silent, SILENT)?;
    let hosts = Hosts::up(context)?;
    let form = |hosts| Form {
        context,
        hosts,
        silent: &silent,
    };
    let (here, machines) = (form(None), form(Some(&hosts)));
    let (smp, mpi, both) = (
        work.join("smp.platform"),
        work.join("mpi.platform"),
        work.join("both.platform"),
    );
    calibrate(&here, "smp", &smp)?;
    calibrate(&machines, "mpi", &mpi)?;
    join(&smp, &mpi, &both)?;
    let mut all = Vec::new();
    let (mut ranked, mut pairs) = (0, 0);
    println!(
        "{:<36} {:>12} {:>12} {:>9}",
        "seconds", "predicted", "measured", "error"
    );
    for program in PROGRAMS {
        let (of_smp, plain) = recorded(context, work, program, program.smp, &here)?;
        all.extend(in_memory(&of_smp, &plain, &here, &both)?);
        let (of_messages, _) = recorded(context, work, program, program.messages, &here)?;
        let compiled = compile_for_messages(work, program, &machines)?;
        all.extend(over_messages(&of_messages, &compiled, &machines, &both)?);
        let (right, of) = rank(&of_messages, &compiled, &machines, &both)?;
        (ranked, pairs) = (ranked + right, pairs + of);
    }
    summary(&all);
    println!(
        "{ranked} of {pairs} pairs of variants that differ by more than {:.0} % are ranked as measured",
        DIFFERENCE * 100.0
    );
    Ok(())
}

/// One file of the costs of shared memory and of messages, of one machine.
fn join(smp: &Path, mpi: &Path, both: &Path) -> Result<(), String> {
    let mpi = read(mpi)?;
    let settings = mpi.find("\n[[setting]]").map_or("", |at| &mpi[at..]);
    write(both, &format!("{}{settings}", read(smp)?))
}

fn compile_for_messages(
    work: &Path,
    program: &Program,
    form: &Form<'_>,
) -> Result<PathBuf, String> {
    let to = work.join(format!("{}-mpi", program.name));
    let silent = form.silent();
    let flags = MESSAGES.iter().chain(program.messages).copied();
    let flags: Vec<&str> = flags.chain(["-O3", &silent]).collect();
    let context = form.context;
    compile_as(context, &context.root.join(program.source), &flags, &to)?;
    Ok(to)
}

fn in_memory(
    of: &Recorded<'_>,
    plain: &Path,
    form: &Form<'_>,
    platform: &Path,
) -> Result<Vec<Measured>, String> {
    let changes: Vec<String> = MORE.iter().map(|n| format!("threads={n}")).collect();
    let predicted = of.predict(platform, &changes)?;
    let measured = MORE.iter().zip(predicted).map(|(&threads, predicted)| {
        let measured = form.seconds(threads, plain, (&[], of.program.arguments))?;
        Ok(shown(
            format!("{}, {threads} threads", of.program.name),
            predicted,
            measured,
        ))
    });
    measured.collect()
}

fn over_messages(
    of: &Recorded<'_>,
    program: &Path,
    form: &Form<'_>,
    platform: &Path,
) -> Result<Vec<Measured>, String> {
    let changes = MORE
        .iter()
        .map(|n| format!("network=mpi,cache=on,threads={n}"));
    let predicted = of.predict(platform, &changes.collect::<Vec<_>>())?;
    let measured = MORE.iter().zip(predicted).map(|(&threads, predicted)| {
        let how: (&[&str], &[&str]) = (&["-cache=on"], of.program.arguments);
        let measured = form.seconds(threads, program, how)?;
        let what = format!("{}, {threads} threads, 3 machines", of.program.name);
        Ok(shown(what, predicted, measured))
    });
    measured.collect()
}

fn shown(what: String, predicted: f64, measured: f64) -> Measured {
    let it = Measured {
        what,
        predicted,
        measured,
    };
    println!(
        "{:<36} {predicted:>12.4} {measured:>12.4} {:>+8.1} %",
        it.what,
        it.error()
    );
    it
}

/// How many pairs of variants that differ have the order that was predicted, and of how many.
fn rank(
    of: &Recorded<'_>,
    program: &Path,
    form: &Form<'_>,
    platform: &Path,
) -> Result<(usize, usize), String> {
    let threads = MORE[0];
    let changes = VARIANTS
        .iter()
        .map(|(name, _)| format!("network=mpi,threads={threads},{name}"));
    let predicted = of.predict(platform, &changes.collect::<Vec<_>>())?;
    let measured = VARIANTS
        .iter()
        .map(|(_, options)| form.seconds(threads, program, (options, of.program.arguments)));
    let measured: Vec<f64> = measured.collect::<Result<_, String>>()?;
    let (mut right, mut all) = (0, 0);
    for a in 0..measured.len() {
        for b in 0..a {
            if (measured[a] / measured[b]).max(measured[b] / measured[a]) > 1.0 + DIFFERENCE {
                all += 1;
                right += usize::from((measured[a] < measured[b]) == (predicted[a] < predicted[b]));
            }
        }
    }
    println!(
        "{:<36} {right} of {all} pairs of variants as measured",
        of.program.name
    );
    Ok((right, all))
}

/// The median and the worst of errors without their signs.
fn median_and_worst(errors: impl Iterator<Item = f64>) -> (f64, f64) {
    let mut errors: Vec<f64> = errors.map(f64::abs).collect();
    errors.sort_by(f64::total_cmp);
    let median = errors.get(errors.len() / 2).copied().unwrap_or(0.0);
    (median, errors.last().copied().unwrap_or(0.0))
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
        let of_it = all.iter().filter(|it| it.what.starts_with(program.name));
        line(program.name, median_and_worst(of_it.map(Measured::error)));
        if !program.thesis.is_empty() {
            let thesis = program.thesis.iter().copied();
            line("  in the thesis, MuPC", median_and_worst(thesis));
        }
    }
    line("all", median_and_worst(all.iter().map(Measured::error)));
}
