//! Events of hot accesses are counted exactly, though most of them are never reported: a profile has the numbers of a
//! trace, which contains every event.

use std::path::{Path, PathBuf};

use super::clients::Bench;
use super::dump;
use super::recorded::upcprof;
use crate::context::{Context, RUN};
use crate::process::{self, Output};

const PROGRAM: &str = "cached";
const THREADS: usize = 3;

/// A cache that is too small by far, and whose misses do not depend on time.
const CACHE: &[(&str, &str)] = &[
    ("UPC_CACHE", "on"),
    ("UPC_CACHE_LINE", "256"),
    ("UPC_CACHE_LINES", "32"),
    ("UPC_CACHE_PREFETCH", "off"),
    // The misses must not depend on the load of the machine either. A line that is sent after 50 us is not dirty any
    // more when it is evicted, so the counts of a run, which are compared with those of another, would depend on when
    // each thread had the processor. The timely sending of lines is tested by the contract of the transports
    // (`collected` in `runtime-c/tests/transport/data.c`) and by the jobs of `runtime-c/tests/run/memory.sh`.
    ("UPC_SEND_AFTER", "100000000"),
];

/// Ways to report only some events: one in seven of all but the first, the default for users, and together with a
/// trace.
const WAYS: &[(&str, &[(&str, &str)])] = &[
    (
        "profile",
        &[("UPC_MEASURE_SAMPLE", "7"), ("UPC_MEASURE_HOT", "20")],
    ),
    ("profile", &[]),
    (
        "both",
        &[("UPC_MEASURE_SAMPLE", "50"), ("UPC_MEASURE_HOT", "200")],
    ),
];

/// Checks hits and misses of the software cache by line, call path, thread and peer, and against the cache's own
/// statistics.
pub fn cached(bench: &Bench, cc: &'static str) -> Result<(), String> {
    let words = "--inst --inst-functions -pshm-width=1 @hot/cached.upc -o cached";
    bench.upcc(cc, words)?;
    for more in [&[][..], &["more"]] {
        let (_, trace) = run(bench, "trace", &[], more)?;
        let reported = counts(bench.context, VIEWS, &trace)?;
        for (mode, set) in WAYS {
            let (output, file) = run(bench, mode, set, more)?;
            dump::compare(&reported, &counts(bench.context, VIEWS, &file)?)
                .map_err(|why| format!("{mode} {set:?} {more:?}: {why}"))?;
            if more.is_empty() {
                as_the_cache_says(bench, &file, &output)?;
            }
        }
    }
    Ok(())
}

fn run(
    bench: &Bench,
    mode: &str,
    set: &[(&str, &str)],
    arguments: &[&str],
) -> Result<(Output, PathBuf), String> {
    let file = bench.work.join(format!("{mode}.upcprof"));
    let mut upcrun = bench.context.upcrun(THREADS, &bench.work.join(PROGRAM));
    upcrun
        .args(arguments)
        .envs(CACHE.iter().chain(set).copied())
        .env("UPC_CACHE_STATS", "1")
        .env("UPC_TOOL", "measure")
        .env("UPC_MEASURE", mode)
        .env("UPC_MEASURE_FILE", &file);
    Ok((process::must(&mut upcrun, RUN)?, file))
}

/// Returns the rows of a profile, divided by thread.
pub fn rows(context: &Context, by: &str, file: &Path) -> Result<Vec<serde_json::Value>, String> {
    let words = [
        "profile",
        by,
        "--per-thread",
        "--sort=SRC",
        "--top=0",
        "--internal",
        "--format=json",
    ];
    let printed = upcprof(context, &words, file)?;
    rows_of(&printed)
}

/// Returns the rows of a profile in JSON.
pub fn rows_of(printed: &str) -> Result<Vec<serde_json::Value>, String> {
    let profile: serde_json::Value =
        serde_json::from_str(printed).map_err(|error| error.to_string())?;
    let rows = profile["rows"].as_array().cloned();
    rows.ok_or_else(|| format!("no rows in {printed}"))
}

/// The number of runs of each program.
const KNOWN_RUNS: usize = 3;
/// An estimate that is wrong by this factor does not come from the load of the machine. `cargo xtask bench events` prints
/// how near the estimates are.
const FACTOR: f64 = 5.0;
/// Ways to instrument the program.
pub const KNOWN_FLAGS: &[&str] = &["--inst", "--inst --inst-functions"];
/// Numbers of elements, as powers of two: the benchmark's, from those that the nearest cache holds to those that none
/// holds, and the test's.
pub const KNOWN_SIZES: &[u32] = &[14, 16, 18, 20, 22];
const TESTED_SIZES: &[u32] = &[16, 22];

/// Tests a program that knows the cost of its accesses: shares never add up to more than the whole, and times are of
/// the right size.
pub fn known(bench: &Bench, cc: &'static str) -> Result<(), String> {
    let ways = KNOWN_FLAGS
        .iter()
        .flat_map(|flags| TESTED_SIZES.iter().map(move |size| (*flags, *size)));
    for (flags, size) in ways {
        let mut ratios = known_runs(bench, cc, (flags, size), KNOWN_RUNS)?;
        ratios.sort_by(f64::total_cmp);
        let middle = ratios[KNOWN_RUNS / 2];
        if !(1.0 / FACTOR..=FACTOR).contains(&middle) {
            return Err(format!(
                "{flags}, 2^{size} elements: the accesses are said to take so many times what they took: {ratios:.2?}"
            ));
        }
    }
    Ok(())
}

/// Compiles the program that knows the cost of its accesses, and runs it several times; returns the estimated time of an
/// access divided by the actual time, for each run.
fn known_runs(
    bench: &Bench,
    cc: &'static str,
    (flags, size): (&str, u32),
    runs: usize,
) -> Result<Vec<f64>, String> {
    let words = format!("{flags} -O -DN=(1<<{size}) @hot/known.upc -o known");
    bench.upcc(cc, &words)?;
    (0..runs).map(|_| known_run(bench, flags)).collect()
}

/// Runs the program for the benchmark, in a folder that exists.
pub fn estimate_ratios(
    context: &Context,
    work: &Path,
    way: (&str, u32),
    runs: usize,
) -> Result<Vec<f64>, String> {
    let bench = Bench {
        context,
        sources: context.root.join("tests/events"),
        work: work.to_path_buf(),
    };
    known_runs(&bench, "gcc", way, runs)
}

/// Does one run; returns the estimated time of an access divided by the actual time.
fn known_run(bench: &Bench, flags: &str) -> Result<f64, String> {
    let file = bench.work.join("known.upcprof");
    let mut upcrun = bench.context.upcrun(2, &bench.work.join("known"));
    upcrun
        .env("UPC_TOOL", "measure")
        .env("UPC_MEASURE_FILE", &file);
    let said = process::must(&mut upcrun, RUN)?.out();
    let cost: f64 = said.trim().parse().map_err(|_| format!("said {said}"))?;
    for by in ["--by=line", "--by=event", "--by=callpath"] {
        let shares = rows(bench.context, by, &file)?;
        let shares = shares
            .iter()
            .filter_map(|row| row["share_percent"].as_f64());
        let sum: f64 = shares.sum();
        if sum > 100.001 {
            return Err(format!("{flags} {by}: shares add up to {sum} %"));
        }
    }
    let rows = rows(bench.context, "--by=event", &file)?;
    let gets = rows.iter().filter(|row| row["event"] == "UPC_GET");
    let (time, calls) = gets.fold((0.0, 0.0), |sum, row| {
        let number = |name: &str| row[name].as_f64().unwrap_or(0.0);
        (sum.0 + number("self_ns"), sum.1 + number("calls"))
    });
    Ok(time / calls / cost)
}

/// Views of a profile.
pub const VIEWS: &[&str] = &["--by=callpath", "--by=line", "--by=peer"];

/// Returns every number that is not a time, with a description of what it counts.
pub fn counts(context: &Context, views: &[&str], file: &Path) -> Result<Vec<String>, String> {
    let is_time = |key: &str| key.ends_with("_ns") || key == "share_percent";
    let mut all = Vec::new();
    for by in views {
        let counts = rows(context, by, file)?.into_iter().map(|mut row| {
            if let Some(row) = row.as_object_mut() {
                row.retain(|key, _| !is_time(key));
            }
            row.to_string()
        });
        let mut counts: Vec<String> = counts.collect();
        counts.sort();
        all.extend(counts);
    }
    Ok(all)
}

/// Checks that the hits and misses of all threads equal the cache's own statistics.
fn as_the_cache_says(bench: &Bench, file: &Path, output: &Output) -> Result<(), String> {
    let rows = rows(bench.context, "--by=event", file)?;
    for (event, word) in [("UPC_CACHE_HIT", " hits"), ("UPC_CACHE_MISS", " misses")] {
        let reported: u64 = rows
            .iter()
            .filter(|row| row["event"].as_str() == Some(event))
            .filter_map(|row| row["calls"].as_u64())
            .sum();
        // Those of reads come first.
        let said = output.err();
        let counted: u64 = said
            .lines()
            .filter_map(|line| {
                line.split_once(word)?
                    .0
                    .rsplit(' ')
                    .next()?
                    .parse::<u64>()
                    .ok()
            })
            .sum();
        if reported != counted || reported == 0 {
            return Err(format!(
                "{reported} of {event}, but the cache has counted {counted}"
            ));
        }
    }
    Ok(())
}
