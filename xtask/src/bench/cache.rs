//! Measures the software cache against the same programs without it: the patterns of MuPC's tables 6.1 to 6.3, and the
//! matrix multiplications of its table 5.1.
//!
//! Over shared memory the distance is simulated: each message takes a fixed time and one nanosecond per byte
//! (`-pshm-delay`). If the transport `mpi` can be linked, the patterns also run over it: on one machine with each
//! thread treated as on a machine of its own, and by TCP between machines that are network namespaces. All runs count
//! the messages, which do not depend on the machine.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::{Kept, LIMIT, MESSAGE_RUNS, THREADS, compile, part, row};
use crate::context::Context;
use crate::hosts::Hosts;
use crate::process::{self, Output};

const DELAY: &str = "2000";
const MESSAGES: &str = "-network=mpi";

const PATTERNS: &[&str] = &["baseline", "coalesce", "vector"];
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

/// The figures of one run.
struct Figures {
    /// The name and value of each printed line.
    times: Vec<(String, f64)>,
    /// The figures of thread 0.
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
        "cache, {}: ns per double word, without and with, lower quartiles of {MESSAGE_RUNS} runs",
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
        let command = |mode: &str| {
            let mut command = start(context, program, distance, hosts);
            command
                .args([distance.reads, distance.writes, pattern])
                .env("UPC_CACHE", mode);
            command
        };
        // The runs alternate, so that other load on the machine affects both.
        let [without, with, on] = calm_runs(&command, ["off", "auto", "on"])?;
        for ((name, before), (_, after)) in without.times.iter().zip(&with.times) {
            row(&name.replace('_', ", "), *before, *after);
        }
        let what = format!("{pattern}, messages");
        row(&what, without.messages, with.messages);
        for (setting, figure, limit) in LIMITS.iter().filter(|_| distance.flag == MESSAGES) {
            let figures = if *setting == "on" { &on } else { &with };
            let time = |from: &Figures| {
                from.times
                    .iter()
                    .find(|(name, _)| name == figure)
                    .map(|t| t.1)
            };
            if let (Some(before), Some(after)) = (time(&without), time(figures)) {
                let what = format!("{}, cache {setting} / off", figure.replace('_', ", "));
                kept.row(&what, after, before, *limit);
            }
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

/// Returns the lower quartiles of each figure, from alternating runs of a command with each of some settings.
fn calm_runs<const N: usize>(
    command: &dyn Fn(&str) -> Command,
    settings: [&str; N],
) -> Result<[Figures; N], String> {
    let mut runs = settings.map(|_| Vec::new());
    for _ in 0..MESSAGE_RUNS {
        for (runs, setting) in runs.iter_mut().zip(settings) {
            runs.push(figures(&mut command(setting))?);
        }
    }
    Ok(runs.map(|runs| lower_quartiles(&runs)))
}

fn lower_quartiles(runs: &[Figures]) -> Figures {
    let quartile =
        |of: &dyn Fn(&Figures) -> f64| part(runs.iter().map(of).collect(), 4).unwrap_or(0.0);
    let names = runs.first().map(|run| run.times.clone());
    let times = names.unwrap_or_default().into_iter().enumerate();
    Figures {
        times: times
            .map(|(i, (name, _))| (name, quartile(&|run| run.times.get(i).map_or(0.0, |t| t.1))))
            .collect(),
        messages: quartile(&|run| run.messages),
        missed: quartile(&|run| run.missed),
    }
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
