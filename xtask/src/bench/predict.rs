//! `upcprof predict` against measurements: the programs of chapter 7 of Zhang's thesis on MuPC and five more, predicted from
//! a run on two threads, measured with more threads, in shared memory and over messages between three machines. As in the
//! thesis, a run over messages is predicted from one over messages: its own time then has no parts that only the other has.
//!
//! All programs run for much longer than the 20 ms for which the runtime calibrates its clock. What
//! the histogram, sobel and heat use again and again in shared memory fits into the processors' caches with all numbers of
//! threads: the model does not know how much slower memory is than these.
//!
//! The three machines are network namespaces on this one, so all threads share its processors, however many machines
//! there are: their platform counts as one machine. Their network has a delay, as one between machines has: without it,
//! messages take what the processors need to pass them on, and nothing but that would be measured. With more threads than processors, computing takes longer in
//! proportion, and operations cost what was measured with as many threads on as many processors.

mod times;
mod variants;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::{LIMIT, THREADS, compile_as};
use crate::context::{Context, read, write};
use crate::hosts::{Hosts, MACHINES};
use crate::process;
use times::{DIFFERENCE, Ranked, Timed, median_and_worst};
use variants::{BLOCKS, GATHERED, NO_GATHERS, Variant, blocks, caches, gathers, latencies, rank};

/// The runs of each variant, in turn with those of the others, as those of the numbers of threads: what else the machine
/// does changes from minute to minute. In shared memory the fastest counts, because other processes can only make it slower.
/// Over messages it is the median, as in the calibration: runs differ by what their messages happen to wait for.
const RUNS: usize = 6;
/// The runs of a program as it is: its error depends on their times themselves, that of variants on ratios of neighbours.
const PROGRAM_RUNS: usize = 10;
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

    /// The seconds of runs on so many threads, which run in turn.
    fn seconds<const N: usize>(
        &self,
        threads: [usize; N],
        program: &Path,
        how: (&[&str], &[&str]),
    ) -> Result<[Timed; N], String> {
        let mut all = threads.map(|_| Vec::new());
        for _ in 0..PROGRAM_RUNS {
            for (threads, times) in threads.iter().zip(&mut all) {
                times.push(self.one_run(*threads, program, how)?);
            }
        }
        Ok(all.map(|times| Timed::new(times, self.hosts.is_some())))
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

/// A program in the sizes of a form: recorded on two threads, and timed on two and more.
struct Recorded<'a> {
    context: &'a Context,
    /// The program with the form, in names of files.
    name: String,
    program: &'a Program,
    sizes: &'a [&'a str],
    file: PathBuf,
    seconds: f64,
    more: [Timed; MORE.len()],
}

impl Recorded<'_> {
    /// The command that predicts the program, without changes.
    fn command(&self, platform: &Path) -> Command {
        let mut upcprof = Command::new(&self.context.upcprof);
        upcprof
            .args(["predict", "--platform"])
            .arg(platform)
            .args(["--time", &self.seconds.to_string()])
            .arg(format!("--upcc-flags={}", self.sizes.join(" ")));
        if self.program.weak {
            upcprof.arg("--weak");
        }
        upcprof.arg(&self.file);
        upcprof
    }

    /// Leaves the command, and the times of changes, in the folder: whoever wants to know why a prediction is wrong goes on
    /// from there.
    fn keep(
        &self,
        work: &Path,
        platform: &Path,
        times: &[(String, f64, f64)],
    ) -> Result<(), String> {
        let mut text = format!("{:?}\n", self.command(platform));
        for (change, predicted, measured) in times {
            text += &format!("{change} {predicted:.4} {measured:.4}\n");
        }
        let file = work.join(format!("{}.txt", self.name));
        let before = if file.exists() {
            read(&file)?
        } else {
            String::new()
        };
        write(&file, &(before + &text))
    }

    /// The predicted seconds of each change.
    fn predict(&self, platform: &Path, changes: &[String]) -> Result<Vec<f64>, String> {
        let mut upcprof = self.command(platform);
        for change in changes {
            upcprof.args(["--what-if", change]);
        }
        let output = process::must(upcprof.args(["--format", "json"]), LIMIT)?;
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

/// Compiles a program of a form with these flags.
fn compiled(
    form: &Form<'_>,
    work: &Path,
    program: &Program,
    name: &str,
    flags: &[&str],
) -> Result<PathBuf, String> {
    let to = work.join(format!("{}-{name}", program.name));
    let flags: Vec<&str> = [&["-O3"], form.flags, flags].concat();
    let source = form.context.root.join(program.source);
    compile_as(form.context, &source, &flags, &to).map(|()| to)
}

/// Records a program on two threads, and times it. `sizes`: flags for all of its forms; `inst`: how it is recorded.
fn recorded<'a>(
    work: &Path,
    program: &'a Program,
    sizes: &'a [&'a str],
    form: &Form<'a>,
    (inst, record): (&str, &str),
) -> Result<Recorded<'a>, String> {
    let silent = form.silent();
    let plain = compiled(form, work, program, "plain", &[sizes, &[&silent]].concat())?;
    let instrumented = compiled(form, work, program, "inst", &[sizes, &[inst]].concat())?;
    let name = format!("{}-{}", program.name, form.name);
    let file = work.join(format!("{name}.upcprof"));
    let _ = std::fs::remove_file(&file);
    let options: Vec<&str> = [form.options, &[record]].concat();
    let mut upcrun = form.upcrun(THREADS, &instrumented, &options);
    upcrun
        .args(program.arguments)
        .env("UPC_MEASURE_FILE", &file);
    process::must(&mut upcrun, LIMIT)?;
    let [few, four, eight] = form.seconds(
        [THREADS, MORE[0], MORE[1]],
        &plain,
        (form.options, program.arguments),
    )?;
    Ok(Recorded {
        context: form.context,
        name,
        program,
        sizes,
        file,
        seconds: few.seconds,
        more: [four, eight],
    })
}

/// Measures the platform of a form.
fn calibrate(form: &Form<'_>, network: &str, file: &Path) -> Result<(), String> {
    let mut upcrun = match form.hosts {
        Some(hosts) => hosts.upcrun(),
        None => Command::new(&form.context.upcrun),
    };
    upcrun
        .args(["-calibrate=full", "-network", network, "-o"])
        .arg(file)
        .envs(process::MPI);
    process::must(&mut upcrun, Duration::from_secs(900)).map(|_| ())
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
    let measured = work.join("both.platform");
    let both = context.costs.clone().unwrap_or(measured);
    if !both.exists() {
        let (smp, mpi) = (work.join("smp.platform"), work.join("mpi.platform"));
        calibrate(&here, "smp", &smp)?;
        calibrate(&machines, "mpi", &mpi)?;
        join(&smp, &mpi, &both)?;
    }
    let mut all = Vec::new();
    let mut ranked = Ranked::default();
    let mut rank = |of: &Recorded<'_>, variants: &[Variant]| {
        ranked.add(rank(of, work, &machines, &both, variants)?);
        Ok::<(), String>(())
    };
    println!(
        "{:<36} {:>12} {:>12} {:>10} {:>10}",
        "seconds", "predicted", "measured", "runs +-", "error"
    );
    let is_wanted = |program: &Program| {
        let names = &context.programs;
        names.is_empty() || names.iter().any(|it| it == program.name)
    };
    const PROFILE: (&str, &str) = ("--inst", "-profile");
    for program in PROGRAMS.iter().filter(|it| is_wanted(it)) {
        let of = recorded(work, program, program.smp, &here, PROFILE)?;
        all.extend(compared(&of, work, &here, &both)?);
        let of = recorded(work, program, program.messages, &machines, PROFILE)?;
        all.extend(compared(&of, work, &machines, &both)?);
        rank(&of, &latencies(&both)?)?;
        let smaller = Program {
            messages: match program.small {
                [] => program.messages,
                small => small,
            },
            ..*program
        };
        let of = match program.small {
            [] => of,
            small => {
                let form = Form {
                    name: "machines-small",
                    ..machines
                };
                recorded(work, &smaller, small, &form, PROFILE)?
            }
        };
        rank(&of, &caches())?;
        if program.name == GATHERED.0 {
            let flags: Vec<&str> = [smaller.messages, &[NO_GATHERS]].concat();
            let alone = Form {
                name: "ungathered",
                ..machines
            };
            let of = recorded(work, &smaller, &flags, &alone, PROFILE)?;
            rank(&of, &gathers(context, program)?)?;
        }
    }
    if is_wanted(&BLOCKS) {
        let form = ("--inst-local", "-trace");
        let of = recorded(work, &BLOCKS, BLOCKS.messages, &machines, form)?;
        rank(&of, &blocks())?;
    }
    // Of some programs only variants are compared.
    if !all.is_empty() {
        summary(&all);
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

/// One file of the costs of shared memory and of messages, of one machine.
fn join(smp: &Path, mpi: &Path, both: &Path) -> Result<(), String> {
    let mpi = read(mpi)?;
    let settings = mpi.find("\n[[setting]]").map_or("", |at| &mpi[at..]);
    write(both, &format!("{}{settings}", read(smp)?))
}

/// Changes with their predicted and measured seconds.
fn together(changes: &[String], predicted: &[f64], measured: &[Timed]) -> Vec<(String, f64, f64)> {
    let times = predicted.iter().zip(measured);
    let all = changes.iter().zip(times);
    all.map(|(change, (predicted, measured))| (change.clone(), *predicted, measured.seconds))
        .collect()
}

/// Predicts a program with more threads, and shows what was measured.
fn compared(
    of: &Recorded<'_>,
    work: &Path,
    form: &Form<'_>,
    platform: &Path,
) -> Result<Vec<Measured>, String> {
    let changes: Vec<String> = MORE.iter().map(|n| format!("threads={n}")).collect();
    let predicted = of.predict(platform, &changes)?;
    of.keep(work, platform, &together(&changes, &predicted, &of.more))?;
    let machines = if form.hosts.is_some() {
        ", 3 machines"
    } else {
        ""
    };
    let both = predicted.into_iter().zip(&of.more);
    let measured = MORE
        .iter()
        .zip(both)
        .map(|(threads, (predicted, measured))| {
            let what = format!("{}, {threads} threads{machines}", of.program.name);
            let it = Measured {
                what,
                predicted,
                measured: measured.seconds,
                spread: measured.spread,
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
