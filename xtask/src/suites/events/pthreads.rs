//! Several pthreads of each thread raise events at the same time: no run fails, and a recording has as many of each
//! event as the program prints that it raised, in profile and trace, whether all of them are reported or most of them
//! are counted without a report.

use std::collections::BTreeMap;
use std::path::Path;

use super::hot;
use super::recorded::upcprof;
use crate::context::{COMPILE, Context, RUN};
use crate::process;
use crate::suites::test::Test;
use crate::tools::compilers_of;

/// Two threads with two pthreads each, so that they run concurrently on every machine.
const THREADS: usize = 2;

/// The number of runs of each way to measure.
const RUNS: usize = 2;
const LONG_RUNS: usize = 30;

const BUILDS: &[&[&str]] = &[
    &["--inst", "-O2"],
    &[
        "--inst-local",
        "--inst-functions",
        "-DLOCAL=1",
        "-DFUNCTIONS=1",
    ],
];

const SETTINGS: &[&[(&str, &str)]] = &[
    &[],
    &[("UPC_MEASURE_HOT", "100"), ("UPC_MEASURE_SAMPLE", "7")],
    &[("UPC_MEASURE_BUFFER", "4K"), ("UPC_MEASURE_FLAT", "1")],
];

/// Returns the programs of a build, each with the flag it needs and its compiler. The library of clang's OpenMP is not
/// installed everywhere that clang is.
fn programs(build: usize, long: bool) -> Vec<(&'static str, &'static str, &'static str)> {
    let pthreads = compilers_of(build, long).map(|cc| ("pthreads", "-pthread", cc));
    pthreads.chain([("openmp", "-fopenmp", "gcc")]).collect()
}

pub fn tests(context: &'static Context, work: &'static Path) -> Vec<Test> {
    let builds = BUILDS.iter().enumerate().flat_map(|(number, flags)| {
        let programs = programs(number, context.long).into_iter();
        programs.map(move |program| (program, *flags))
    });
    builds
        .map(|((program, needs, cc), flags)| {
            let name = format!("several pthreads::{program} {cc} {}", flags.join(" "));
            Test::one(name.clone(), move || {
                let binary = work.join(name.replace([' ', ':', '=', '-'], "_"));
                let mut upcc = context.upcc(cc);
                upcc.args(flags).arg(needs).arg("-o").arg(&binary);
                upcc.arg(
                    context
                        .root
                        .join(format!("tests/events/pthreads/{program}.upc")),
                );
                process::must(&mut upcc, COMPILE)?;
                let runs = if context.long { LONG_RUNS } else { RUNS };
                (0..runs).try_for_each(|_| each_way(context, &binary))
            })
        })
        .collect()
}

fn each_way(context: &Context, binary: &Path) -> Result<(), String> {
    for mode in ["profile", "trace", "both"] {
        for setting in SETTINGS {
            run(context, binary, mode, setting)
                .map_err(|why| format!("{mode} {setting:?}: {why}"))?;
        }
    }
    Ok(())
}

fn run(context: &Context, binary: &Path, mode: &str, set: &[(&str, &str)]) -> Result<(), String> {
    let file = binary.with_extension("upcprof");
    let mut upcrun = context.upcrun(THREADS, binary);
    upcrun
        .env("UPC_TOOL", "measure")
        .env("UPC_MEASURE", mode)
        .env("UPC_MEASURE_FILE", &file)
        .envs(set.iter().copied());
    let said = process::must(&mut upcrun, RUN)?.out();
    let line = |line: &str| {
        let (event, count) = line.split_once(' ')?;
        Some((event.to_owned(), count.parse().ok()?))
    };
    let mut expected: BTreeMap<String, u64> = said.lines().filter_map(line).collect();
    expected.insert("UPC_COLLECTIVE_EXIT".to_owned(), THREADS as u64);
    expected.retain(|_, count| *count > 0);
    let views: &[&[&str]] = match mode {
        "both" => &[&[], &["--from-trace"]],
        _ => &[&[]],
    };
    for view in views {
        let words = [
            "profile",
            "--by=event",
            "--top=0",
            "--internal",
            "--format=json",
        ];
        let mut found = BTreeMap::new();
        for row in hot::rows_of(&upcprof(context, &[&words, *view].concat(), &file)?)? {
            let event = row["event"].as_str().unwrap_or_default().to_owned();
            *found.entry(event).or_default() += row["calls"].as_u64().unwrap_or(0);
        }
        if found != expected {
            return Err(format!(
                "{view:?}: recorded are {found:?}, raised were {expected:?}"
            ));
        }
    }
    Ok(())
}
