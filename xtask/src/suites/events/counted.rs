//! Hot places: however few of their events are reported, and however many are counted in front of a loop, a profile has
//! the same counts as when every event is reported, by place, call path, thread and peer. The program computes the same
//! result as without instrumentation.

use std::path::{Path, PathBuf};

use super::hot;
use crate::context::{COMPILE, Context, RUN};
use crate::process;
use crate::suites::test::Test;
use crate::tools::compilers_of;

const SOURCE: &str = "tests/events/hot/loops.upc";

/// The flags of a build, and the threads of its run. A normal run takes the second of each two.
const BUILDS: &[(&[&str], usize)] = &[
    (&["--inst"], 1),
    (&["--inst", "-O2"], 2),
    (&["--inst", "-O2", "-T=3"], 3),
    (&["--inst-local", "--inst-functions", "-DFUNCTIONS"], 4),
    (&["--inst-local", "-O2", "-T=2"], 2),
    (
        &[
            "--inst",
            "--inst-functions",
            "-DFUNCTIONS",
            "-fupc-pts=struct",
        ],
        3,
    ),
    (&["--inst", "-fupc-checks"], 2),
    // With functions that longjmp leaves.
    (&["--inst", "--inst-functions", "-O2"], 2),
];

/// Returns the views that are the same however few events are reported. Functions that longjmp leaves stay in call
/// paths until a function around them ends, so events counted meanwhile are on the path of the last reported event.
fn views(flags: &[&str]) -> &'static [&'static str] {
    let leaves = flags.contains(&"--inst-functions") && !flags.contains(&"-DFUNCTIONS");
    if leaves { &hot::VIEWS[1..] } else { hot::VIEWS }
}

/// The variables of runs that are compared with the one in which every event is reported.
const SAMPLINGS: &[&[(&str, &str)]] = &[
    &[("UPC_MEASURE_HOT", "5"), ("UPC_MEASURE_SAMPLE", "7")],
    &[("UPC_MEASURE_HOT", "50"), ("UPC_MEASURE_SAMPLE", "100")],
    &[("UPC_MEASURE_HOT", "100")],
];

pub fn tests(context: &'static Context, work: &'static Path) -> Vec<Test> {
    let cases = (0..BUILDS.len())
        .filter(|build| context.long || build % 2 == 1)
        .flat_map(|build| compilers_of(build, context.long).map(move |cc| (build, cc)));
    let test = |(build, cc): (usize, &'static str)| {
        let flags = BUILDS[build].0.join(" ");
        let name = format!("counts of hot places::{cc} {flags}");
        Test::one(name, move || check(context, work, build, cc))
    };
    cases.map(test).collect()
}

fn check(context: &Context, work: &Path, build: usize, cc: &str) -> Result<(), String> {
    let (flags, threads) = BUILDS[build];
    let binary = work.join(format!("hot-{build}-{cc}"));
    let compile = |flags: &[&str], binary: &Path| {
        let mut upcc = context.upcc(cc);
        upcc.args(flags);
        upcc.arg(context.root.join(SOURCE)).arg("-o").arg(binary);
        process::must(&mut upcc, COMPILE).map(drop)
    };
    compile(flags, &binary)?;
    let plain = binary.with_extension("plain");
    let fixed: Vec<&str> = flags
        .iter()
        .filter(|f| f.starts_with("-T") || f.starts_with("-D"))
        .copied()
        .collect();
    compile(&fixed, &plain)?;
    let computed = process::must(&mut context.upcrun(threads, &plain), RUN)?.out();
    let reported = run(
        context,
        &binary,
        threads,
        &[("UPC_MEASURE_SAMPLE", "1")],
        &computed,
    )?;
    let reported = hot::counts(context, views(flags), &reported)?;
    for sampling in SAMPLINGS {
        let file = run(context, &binary, threads, sampling, &computed)?;
        let counted = hot::counts(context, views(flags), &file)?;
        super::dump::compare(&reported, &counted).map_err(|why| format!("{sampling:?}: {why}"))?;
    }
    Ok(())
}

/// Records a run, whose output must be `computed`.
fn run(
    context: &Context,
    binary: &Path,
    threads: usize,
    sampling: &[(&str, &str)],
    computed: &str,
) -> Result<PathBuf, String> {
    let file = binary.with_extension("upcprof");
    let mut upcrun = context.upcrun(threads, binary);
    upcrun
        .env("UPC_TOOL", "measure")
        .env("UPC_MEASURE", "profile");
    upcrun
        .env("UPC_MEASURE_FILE", &file)
        .envs(sampling.iter().copied());
    let printed = process::must(&mut upcrun, RUN)?.out();
    if printed != computed {
        return Err(format!("prints {printed:?} for {computed:?}"));
    }
    Ok(file)
}
