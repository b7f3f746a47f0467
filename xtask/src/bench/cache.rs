//! Measures the software cache against the same programs without it: the patterns of MuPC's tables 6.1 to 6.3, and the
//! matrix multiplications of its table 5.1.
//!
//! Over shared memory the distance is simulated: each message takes a fixed time and one nanosecond per byte
//! (`-pshm-delay`). If the transport `mpi` can be linked, the patterns also run over it: on one machine with each
//! thread treated as on a machine of its own, and by TCP between machines that are network namespaces. All runs count
//! the messages, which do not depend on the machine.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::ratios::{Compared, until_decided};
use super::{Kept, LIMIT, MESSAGE_RUNS, Samples, THREADS, compile, lower_quartile, row};
use crate::context::Context;
use crate::hosts::Hosts;
use crate::process::{self, Output};

const DELAY: &str = "2000";
const MESSAGES: &str = "-network=mpi";

const PATTERNS: &[&str] = &["baseline", "coalesce", "vector"];
/// The settings of the cache, which take turns.
const SETTINGS: &[&str] = &["off", "auto", "on"];
/// The limits of times over messages: the setting of the cache, the figure, and the time as a multiple of that without
/// a cache. Where the cache leaves accesses alone, the two times are the same but for the measurement.
const LIMITS: &[(&str, &str, f64)] = &[
    ("auto", "coalesce_write", 1.05),
    ("auto", "vector_write", 1.05),
    ("on", "baseline_write", 1.3),
];
/// MuPC's table has 64 lines for each thread: these are 1024 in total.
const MATMUL_THREADS: usize = 16;
const MATMUL_LINES: &str = "1024";
/// The bytes of a line, and the percentage of reads that miss in MuPC, in the naive and the temporal form.
const LINES: &[(&str, [f64; 2])] = &[
    ("256", [56.08, 1.14]),
    ("512", [19.48, 0.36]),
    ("1024", [0.03, 0.03]),
    ("2048", [0.01, 0.01]),
];
/// Without the cache, a fraction of the multiplication is enough: one part in this number.
const PART: &str = "50";
/// With short lines the naive form misses nearly as often.
const NAIVE_PART: &str = "4";
const NAIVE_LINES: &[&str] = &["256", "512"];

/// The distance between threads.
struct Distance {
    name: &'static str,
    flag: &'static str,
    /// The amounts of a measurement: large enough that the phase before the runtime knows the pattern is negligible.
    reads: &'static str,
    writes: &'static str,
    set: &'static [(&'static str, &'static str)],
    /// Each thread is on a machine of its own.
    hosts: bool,
}

const DISTANCES: &[Distance] = &[
    Distance {
        name: "played",
        flag: "-pshm-width=1",
        reads: "20000",
        writes: "20000",
        set: &[("UPC_PSHM_DELAY", DELAY)],
        hosts: false,
    },
    Distance {
        name: "mpi",
        flag: MESSAGES,
        reads: "400000",
        writes: "400000",
        set: &[("UPC_PSHM_WIDTH", "1")],
        hosts: false,
    },
    Distance {
        name: "mpi between machines",
        flag: MESSAGES,
        reads: "10000",
        writes: "400000",
        set: &[],
        hosts: true,
    },
];

pub fn run(context: &Context, work: &Path, kept: &mut Kept) -> Result<(), String> {
    for distance in DISTANCES {
        patterns(context, work, distance, kept)?;
    }
    Ok(())
}

/// What a run prints, and the figures of its thread 0.
struct Figures {
    /// The name and value of each printed line.
    times: Vec<(String, f64)>,
    messages: f64,
    missed: f64,
}

fn patterns(
    context: &Context,
    work: &Path,
    distance: &Distance,
    kept: &mut Kept,
) -> Result<(), String> {
    let program = work.join(format!("cache-{}", distance.name.replace(' ', "-")));
    println!(
        "cache, {}: ns per double word, without and with, lower quartiles of {MESSAGE_RUNS} runs or more",
        distance.name
    );
    if let Err(why) = compile(context, "cache.upc", Some(distance.flag), &program) {
        println!("  cannot be built: {}", why.lines().next().unwrap_or(""));
        return Ok(());
    }
    let hosts = if distance.hosts {
        match Hosts::up(context) {
            Ok(hosts) => Some(hosts),
            Err(why) => {
                println!("  not measured, {why}");
                return Ok(());
            }
        }
    } else {
        None
    };
    measure_patterns(context, &program, distance, hosts.as_ref(), kept)
}

/// Returns the command that runs a program at the given distance.
fn start(context: &Context, program: &Path, distance: &Distance, hosts: Option<&Hosts>) -> Command {
    let mut command = match hosts {
        Some(hosts) => {
            let mut upcrun = hosts.command(&context.upcrun);
            upcrun.env("UPC_NODES", Hosts::nodes(THREADS, 1));
            upcrun
        }
        None => Command::new(&context.upcrun),
    };
    command
        .args(["-n", &THREADS.to_string()])
        .arg(program)
        .envs(process::MPI)
        .envs(distance.set.iter().copied());
    command
}

fn measure_patterns(
    context: &Context,
    program: &Path,
    distance: &Distance,
    hosts: Option<&Hosts>,
    kept: &mut Kept,
) -> Result<(), String> {
    for pattern in PATTERNS {
        let command = |setting: &str| {
            let mut command = start(context, program, distance, hosts);
            command
                .args([distance.reads, distance.writes, pattern])
                .env("UPC_CACHE", setting);
            command
        };
        let of_pattern = |figure: &str| figure.starts_with(pattern);
        let limits: Vec<Compared> = (LIMITS.iter())
            .filter(|(_, figure, _)| distance.flag == MESSAGES && of_pattern(figure))
            .map(|&(setting, figure, limit)| Compared {
                what: format!("{}, cache {setting} / off", figure.replace('_', ", ")),
                figure: format!("{setting}.{figure}"),
                base: format!("off.{figure}"),
                limit: Some(limit),
            })
            .collect();
        let (samples, _) = until_decided(&limits, |samples| run_each(samples, &command))?;
        for figure in samples.keys().filter_map(|it| it.strip_prefix("off.")) {
            let name = figure.strip_prefix(pattern).unwrap_or(figure);
            row(
                &format!("{pattern}, {}", name.trim_start_matches('_')),
                lower_quartile(&samples, &format!("off.{figure}"))?,
                lower_quartile(&samples, &format!("auto.{figure}"))?,
            );
        }
        for it in &limits {
            kept.paired_row(it, &samples)?;
        }
    }
    Ok(())
}

/// Runs each setting once.
fn run_each(samples: &mut Samples, command: &dyn Fn(&str) -> Command) -> Result<(), String> {
    for setting in SETTINGS {
        let of_run = figures(&mut command(setting))?;
        let messages = ("messages".to_owned(), of_run.messages);
        for (name, value) in of_run.times.into_iter().chain([messages]) {
            let values = samples.entry(format!("{setting}.{name}"));
            values.or_default().push(value);
        }
    }
    Ok(())
}

/// Prints the table: seconds, and the fraction of remote reads that miss, by bytes of a line.
pub fn matmul(context: &Context, work: &Path) -> Result<(), String> {
    let program: PathBuf = work.join("cache-matmul");
    println!("matrix multiplication 400 x 400, played, s, without and with {MATMUL_LINES} lines");
    let mut upcc = context.upcc("gcc");
    upcc.args(["-O", "-pshm-width=1", &format!("-T={MATMUL_THREADS}")])
        .arg(context.root.join("xtask/bench/matmul.upc"))
        .arg("-o")
        .arg(&program);
    process::must(&mut upcc, crate::context::COMPILE)?;
    for (which, form) in ["naive", "temporal"].into_iter().enumerate() {
        let run = |settings: &[(&str, &str)], arguments: &[&str]| {
            let mut command = context.upcrun(MATMUL_THREADS, &program);
            command
                .arg(form)
                .args(arguments)
                .env("UPC_PSHM_DELAY", DELAY)
                .envs(settings.iter().copied());
            figures(&mut command)
        };
        let without = run(&[("UPC_CACHE", "off")], &[PART])?;
        for (bytes, theirs) in LINES {
            let slow = which == 0 && NAIVE_LINES.contains(bytes);
            let part = if slow { NAIVE_PART } else { "1" };
            // Like MuPC's cache, which fetches only what is requested.
            let with = run(
                &[
                    ("UPC_CACHE", "on"),
                    ("UPC_CACHE_LINES", MATMUL_LINES),
                    ("UPC_CACHE_LINE", bytes),
                    ("UPC_CACHE_PREFETCH", "off"),
                ],
                &[part],
            )?;
            let what = format!(
                "{form}, lines of {bytes} bytes: {:.2} % miss (MuPC {:.2})",
                with.missed, theirs[which]
            );
            row(&what, seconds(&without)?, seconds(&with)?);
        }
    }
    Ok(())
}

fn seconds(figures: &Figures) -> Result<f64, String> {
    let first = figures.times.first();
    first.map(|(_, time)| *time).ok_or("no time".to_owned())
}

/// Runs a program and reads the cache's statistics.
fn figures(command: &mut Command) -> Result<Figures, String> {
    let output = process::must(command.env("UPC_CACHE_STATS", "1"), LIMIT)?;
    let printed = output.out();
    let times = printed.lines().filter_map(|line| {
        let (name, value) = line.split_once(' ')?;
        Some((name.to_owned(), value.parse().ok()?))
    });
    Ok(Figures {
        times: times.collect(),
        messages: statistic(&output, " gets") + statistic(&output, " puts"),
        missed: statistic(&output, " %"),
    })
}

/// Returns the number before a word in the statistics of thread 0's cache; 0 if the word does not occur.
fn statistic(output: &Output, word: &str) -> f64 {
    let said = output.err();
    let line = said.lines().find(|line| line.contains("thread 0 of"));
    let before = line.and_then(|line| line.split_once(word)).map(|(b, _)| b);
    let number = before.and_then(|text| text.rsplit([' ', '(']).next());
    number.and_then(|n| n.parse().ok()).unwrap_or(0.0)
}
