//! Measures performance events and the tool *measure*: the cost of an event (`xtask/bench/events.upc`, against
//! `callback.c`), the cost added to accesses that `--inst` does not instrument, and to the samples at realistic sizes.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::{LIMIT, Samples, THREADS, collect_run, compile_as, least, row};
use crate::context::{COMPILE, Context, read, write};
use crate::process;
use crate::suites::{KNOWN_FLAGS, KNOWN_SIZES, estimate_ratios};

/// The number of runs of each way to run a program; the ways alternate.
const ROUNDS: usize = 31;

/// The number of runs for the accuracy of estimates.
const ESTIMATES: usize = 9;

/// The trace is last because its file is used afterwards.
const MODES: [&str; 2] = ["profile", "trace"];

/// The cost of an event: the name of the figure, the figure subtracted from it (the time of the access itself), the
/// floor.
#[rustfmt::skip]
const COSTS: &[(&str, Option<&str>, &str, &str)] = &[
    ("event", None, "event", "an event without arguments"),
    ("event_of_four", None, "event", "an event with four arguments"),
    ("pair", None, "pair", "a pair of events without arguments"),
    ("get", Some("plain.get"), "pair", "the pair of a shared read"),
    ("put", Some("plain.put"), "pair", "the pair of a shared write"),
];

/// A sample with other sizes (the first `#define` of each), flags and arguments.
pub(super) struct Sample {
    pub(super) name: &'static str,
    sizes: &'static [(&'static str, &'static str)],
    flags: &'static [&'static str],
    pub(super) args: &'static [&'static str],
}

const fn sample(name: &'static str, sizes: &'static [(&'static str, &'static str)]) -> Sample {
    Sample {
        name,
        sizes,
        flags: &[],
        args: &[],
    }
}

/// For blocks of more elements than the default packed phase can count.
const LARGE_BLOCKS: &[&str] = &["-fupc-packed-bits=26,4,34"];

/// Each runs for about half a second or more.
#[rustfmt::skip]
pub(super) const COARSE: &[Sample] = &[
    sample("cg", &[("SIDE", "450")]),
    sample("heat", &[("ROWS", "2000"), ("COLS", "500"), ("STEPS", "150")]),
    Sample { flags: LARGE_BLOCKS, ..sample("isort", &[("KEYS", "12000000")]) },
    Sample { args: &["14"], ..sample("nqueens", &[]) },
    sample("pi", &[("POINTS", "200000000L")]),
    Sample { flags: LARGE_BLOCKS, ..sample("sobel", &[("ROWS", "8000"), ("WIDTH", "4000")]) },
    sample("uts", &[("ROUNDS", "1000")]),
];

/// Samples whose innermost loops read or write other threads' elements one by one: every access is an event, whose cost
/// is measured above.
#[rustfmt::skip]
pub(super) const FINE: &[Sample] = &[
    sample("fft", &[("M", "1024")]),
    Sample { flags: &["-T=2"], ..sample("matmul_blocked", &[("N", "(260 * THREADS)")]) },
    Sample { flags: &["-T=2"], ..sample("matmul_cyclic", &[("N", "(220 * THREADS)")]) },
    sample("prodcons", &[("ITEMS", "3000000")]),
    Sample { flags: LARGE_BLOCKS, ..sample("histogram", &[("ITEMS", "2000000")]) },
    sample("list", &[("NODES", "8000")]),
    sample("gups", &[("ROWS", "4194304"), ("UPDATES", "4000000")]),
];

/// A way to run an instrumented program: what `upcrun` records, and the sampling interval of a hot place's events.
struct Way {
    what: &'static str,
    mode: Option<&'static str>,
    one_in: Option<&'static str>,
}

const PROFILE: Way = Way {
    what: "profile",
    mode: Some("profile"),
    one_in: None,
};
const WAYS_OF_COARSE: &[Way] = &[
    PROFILE,
    Way {
        what: "trace",
        mode: Some("trace"),
        one_in: None,
    },
];
const WAYS_OF_FINE: &[Way] = &[
    Way {
        what: "no tool",
        mode: None,
        one_in: None,
    },
    PROFILE,
    Way {
        what: "trace, one in 1000 of a hot place",
        mode: Some("trace"),
        one_in: Some("1000"),
    },
];

pub fn run(context: &Context, work: &Path) -> Result<(), String> {
    costs(context, work)?;
    estimates(context, work)?;
    reading(context, work)
}

/// Compares the estimated time of an access that is only counted with the time that the program measures. The wanted
/// ratio is within 25 % of 1.
fn estimates(context: &Context, work: &Path) -> Result<(), String> {
    println!("estimated time of a hot access / its time, median of {ESTIMATES} runs");
    for flags in KNOWN_FLAGS {
        for size in KNOWN_SIZES {
            let ratios = estimate_ratios(context, work, (flags, *size), ESTIMATES)?;
            let what = format!("{flags}, 2^{size} elements");
            row(&what, super::part(ratios, 2).ok_or("no run")?, 1.0);
        }
    }
    Ok(())
}

/// Measures programs that compute between their transfers.
pub fn run_coarse(context: &Context, work: &Path) -> Result<(), String> {
    println!(
        "samples that compute between transfers: ms, the least of {ROUNDS} runs, against the same without --inst"
    );
    samples(context, work, COARSE, WAYS_OF_COARSE)
}

/// Measures programs whose every step is an access.
pub fn run_fine(context: &Context, work: &Path) -> Result<(), String> {
    println!(
        "samples of single accesses: ms, the least of {ROUNDS} runs, against the same without --inst"
    );
    samples(context, work, FINE, WAYS_OF_FINE)
}

/// Measures the millions of events per second that `upcprof` converts to a profile, with a target of five, and that it
/// prints, with a target of one; and the seconds that `upcprof analyze` takes for ten million, for which the tool PPW took
/// an hour, with a limit of ten. The program has one thread.
fn reading(context: &Context, work: &Path) -> Result<(), String> {
    let program = work.join("reading");
    let source = context.root.join("xtask/bench/reading.upc");
    compile_as(context, &source, &["-inst", "-inst-functions"], &program)?;
    process::must(&mut measured(context, &program, Some("trace"), &[]), LIMIT)?;
    let upcprof = |words: &[&str]| {
        let mut upcprof = Command::new(&context.upcprof);
        upcprof.args(words).arg(file_of(&program));
        upcprof
    };
    let stat = process::must(&mut upcprof(&["stat"]), LIMIT)?.out();
    let events = in_trace(&stat)?;
    println!("upcprof on {events} events, millions of them a second");
    let profile = super::time(|| upcprof(&["profile", "--from-trace", "-o", "/dev/null"]))?;
    row(
        "upcprof profile --from-trace / 5",
        events / profile / 1e3,
        5.0,
    );
    let dump = super::time(|| upcprof(&["dump", "-o", "/dev/null"]))?;
    row("upcprof dump / 1", events / dump / 1e3, 1.0);
    let analyze =
        super::time(|| limited(&upcprof(&["analyze", "--no-baseline", "-o", "/dev/null"])))?;
    row(
        "upcprof analyze, s for 10 million events in 1 GiB / 10",
        analyze / 1e3 * 1e7 / events,
        10.0,
    );
    Ok(())
}

/// Returns the number of events in a trace, by what `upcprof stat` prints.
pub(super) fn in_trace(stat: &str) -> Result<f64, String> {
    let events = stat
        .lines()
        .find_map(|line| line.strip_prefix("events in trace"));
    events
        .and_then(|count| count.trim().parse().ok())
        .ok_or_else(|| "upcprof stat does not print the number of events in the trace".to_owned())
}

/// Returns the command with an address space of 1 GiB.
fn limited(of: &Command) -> Command {
    let mut shell = Command::new("sh");
    shell.args(["-c", "ulimit -v 1048576; exec \"$@\"", "sh"]);
    shell.arg(of.get_program()).args(of.get_args());
    shell
}

/// Returns the command for a measured run or, without a mode, for the program alone. The file is beside the program.
pub(super) fn measured(
    context: &Context,
    program: &Path,
    mode: Option<&str>,
    args: &[&str],
) -> Command {
    let mut upcrun = Command::new(&context.upcrun);
    upcrun.arg("-n").arg(THREADS.to_string());
    if let Some(mode) = mode {
        upcrun.arg(format!("-{mode}"));
        upcrun.arg("-tracefile").arg(file_of(program));
    }
    upcrun.arg(program).args(args);
    upcrun
}

/// Returns the recording of a program.
pub(super) fn file_of(program: &Path) -> PathBuf {
    program.with_extension("upcprof")
}

fn costs(context: &Context, work: &Path) -> Result<(), String> {
    let floor = work.join("callback");
    let mut gcc = Command::new("gcc");
    gcc.arg("-O2")
        .arg(context.root.join("xtask/bench/callback.c"))
        .arg("-o")
        .arg(&floor);
    process::must(&mut gcc, COMPILE)?;
    let (plain, inst) = (work.join("events-plain"), work.join("events"));
    let source = context.root.join("xtask/bench/events.upc");
    compile_as(context, &source, &[], &plain)?;
    compile_as(context, &source, &["--inst"], &inst)?;
    let mut all = Samples::new();
    // The runs alternate: a processor that shares its core with others may be a third slower for seconds.
    for _ in 0..ROUNDS {
        collect_run(&mut all, "floor.", &mut Command::new(&floor))?;
        collect_run(
            &mut all,
            "plain.",
            &mut measured(context, &plain, None, &[]),
        )?;
        collect_run(&mut all, "off.", &mut measured(context, &inst, None, &[]))?;
        for mode in MODES {
            let mut run = measured(context, &inst, Some(mode), &[]);
            collect_run(&mut all, &format!("{mode}."), &mut run)?;
        }
    }
    println!("the least of {ROUNDS} runs");
    for mode in MODES {
        println!("measure, {mode}: ns, against a callback that stores 32 bytes");
        for (figure, base, floor, what) in COSTS {
            let access = base.map_or(Ok(0.0), |base| least(&all, base))?;
            row(
                what,
                least(&all, &format!("{mode}.{figure}"))? - access,
                least(&all, &format!("floor.{floor}"))?,
            );
        }
        if mode == "trace" {
            let bytes = std::fs::metadata(file_of(&inst)).map_or(0, |file| file.len());
            let events = least(&all, "trace.count")?;
            println!("{:<58} {:>12.3}", "bytes an event", bytes as f64 / events);
        }
    }
    println!("a local access, ns, against the same without --inst");
    for (mode, what) in [
        ("off", "with --inst, no tool"),
        ("profile", "... and a profile"),
        ("trace", "... and a trace"),
    ] {
        row(
            what,
            least(&all, &format!("{mode}.local"))?,
            least(&all, "plain.local")?,
        );
    }
    Ok(())
}

/// Measures the samples without and with instrumentation, alternating in each round. The least times of all rounds
/// count: other load on the machine only adds time, and adds more than the difference to measure.
fn samples(context: &Context, work: &Path, samples: &[Sample], ways: &[Way]) -> Result<(), String> {
    for sample in samples {
        let (plain, inst) = build(context, work, sample, "--inst")?;
        let time = |mut run: Command| {
            process::must(&mut run, LIMIT).map(|out| out.time.as_secs_f64() * 1e3)
        };
        let mut least = vec![f64::INFINITY; 1 + ways.len()];
        for round in 0..ROUNDS {
            // Each way is first in turn, and follows each of the others.
            for place in 0..least.len() {
                let nth = (round + place) % least.len();
                let run = match nth.checked_sub(1).map(|index| &ways[index]) {
                    None => measured(context, &plain, None, sample.args),
                    Some(way) => {
                        let mut run = measured(context, &inst, way.mode, sample.args);
                        run.envs(way.one_in.map(|number| ("UPC_MEASURE_SAMPLE", number)));
                        run
                    }
                };
                least[nth] = least[nth].min(time(run)?);
            }
        }
        let (without, with) = (least[0], &least[1..]);
        for (way, &with) in ways.iter().zip(with) {
            row(&format!("{}, {}", sample.name, way.what), with, without);
        }
    }
    Ok(())
}

/// Builds the sample in its new size, without and with a flag.
pub(super) fn build(
    context: &Context,
    work: &Path,
    sample: &Sample,
    flag: &str,
) -> Result<(PathBuf, PathBuf), String> {
    let name = sample.name;
    let mut text = read(&context.root.join(format!("samples/{name}.upc")))?;
    for (macro_name, value) in sample.sizes {
        text = resized(&text, macro_name, value)
            .ok_or_else(|| format!("{name}.upc has no macro {macro_name}"))?;
    }
    let source = work.join(format!("{name}.upc"));
    write(&source, &text)?;
    let (plain, flagged) = (work.join(format!("{name}-plain")), work.join(name));
    for (flags, program) in [(&[][..], &plain), (&[flag][..], &flagged)] {
        let flags: Vec<&str> = flags.iter().chain(sample.flags).copied().collect();
        compile_as(context, &source, &flags, program)?;
    }
    Ok((plain, flagged))
}

/// Returns the text with another value for the first definition of a macro.
fn resized(text: &str, name: &str, value: &str) -> Option<String> {
    let start = text.find(&format!("#define {name} "))?;
    let end = start + text[start..].find('\n')?;
    Some(format!(
        "{}#define {name} {value}{}",
        &text[..start],
        &text[end..]
    ))
}
