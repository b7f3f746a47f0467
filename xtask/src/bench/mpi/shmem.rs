//! Measures messages by MPI and by UCX against OpenSHMEM of Open MPI (`oshcc`), which uses UCX as well:
//! `xtask/bench/mpi_shmem.upc` and `xtask/bench/shmem_floor.c`, which alternate. Between machines MPI itself runs in
//! turns with them (`xtask/bench/mpi_floor.c`): what it needs for a round trip bounds what can be reached by it. Runs
//! differ by a third, all programs alike for some seconds: so ratios are those of neighbouring runs.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::{build_by, build_floor, mpirun, not_measured};
use crate::bench::ratios::{Judged, until_decided};
use crate::bench::{Kept, Samples, collect_run, compile};
use crate::context::Context;
use crate::hosts::Hosts;
use crate::process;
use crate::suites::mpi::UCX_ON_HOSTS;

const THREADS: usize = 2;

/// The figures, and what they are in both.
const FIGURES: &[(&str, &str)] = &[
    ("get", "8-byte get / shmem_long_g"),
    ("put", "8-byte put and fence / shmem_long_p and shmem_quiet"),
    ("puts", "8-byte puts in a row / shmem_long_p"),
    ("fetch_add", "fetch and add / shmem_long_atomic_fetch_add"),
    ("barrier", "upc_barrier / shmem_barrier_all"),
];

/// What a figure may be, as a multiple of OpenSHMEM's.
const LIMIT: f64 = 1.0;

/// What MPI needs for the same, by figures of `xtask/bench/mpi_floor.c`, against OpenSHMEM.
const ENGINE: &[(&str, &str, &str)] = &[
    ("small", "get", "round trip of MPI itself / shmem_long_g"),
    (
        "small",
        "fetch_add",
        "the same / shmem_long_atomic_fetch_add",
    ),
    ("barrier", "barrier", "MPI_Barrier / shmem_barrier_all"),
];

/// What is ours of a figure by MPI.
const ABOVE_ENGINE: &[(&str, &str, &str)] = &[
    ("get", "small", "8-byte get / round trip of MPI itself"),
    ("fetch_add", "small", "fetch and add / the same"),
    ("barrier", "barrier", "upc_barrier / MPI_Barrier"),
];

/// What carries messages, by the option of upcc and the beginning of its figures' names.
const CARRIERS: &[(&str, &str)] = &[("-network=mpi", "mpi"), ("-network=ucx", "ucx")];

struct Programs {
    /// One for each carrier; none if it cannot be built here.
    upc: Vec<Option<PathBuf>>,
    shmem: PathBuf,
    mpi: PathBuf,
}

pub fn run(context: &Context, work: &Path, kept: &mut Kept) -> Result<(), String> {
    let (shmem, mpi) = (work.join("shmem_floor"), work.join("mpi_floor"));
    if let Err(why) = build_by("oshcc", context, "shmem_floor.c", &shmem) {
        return not_measured("OpenSHMEM", &why);
    }
    build_floor(context, "mpi_floor.c", &mpi)?;
    let mut upc = Vec::new();
    for (flag, name) in CARRIERS {
        let program = work.join(format!("shmem_{name}"));
        match compile(context, "mpi_shmem.upc", Some(flag), &program) {
            Ok(()) => upc.push(Some(program)),
            Err(why) => {
                upc.push(None);
                not_measured(flag, &why)?;
            }
        }
    }
    let programs = Programs { upc, shmem, mpi };
    compare("one machine", "20000", None, context, &programs, kept)?;
    match Hosts::up(context) {
        Ok(hosts) => {
            let what = "two machines, TCP";
            compare(what, "2000", Some(&hosts), context, &programs, kept)
        }
        Err(why) => not_measured("OpenSHMEM on two machines", &why),
    }
}

fn compare(
    what: &str,
    count: &str,
    hosts: Option<&Hosts>,
    context: &Context,
    programs: &Programs,
    kept: &mut Kept,
) -> Result<(), String> {
    let carriers: Vec<(&str, &Path)> = (CARRIERS.iter().zip(&programs.upc))
        .filter_map(|((_, name), program)| Some((*name, program.as_deref()?)))
        .collect();
    let of_carrier = |(name, _): &(&str, &Path)| {
        let name = name.to_string();
        FIGURES.iter().map(move |(figure, what)| Judged {
            name: format!("{name}: {what}"),
            figure: format!("{name}.{figure}"),
            base: format!("shmem.{figure}"),
            limit: LIMIT,
        })
    };
    let judged: Vec<Judged> = carriers.iter().flat_map(of_carrier).collect();
    let (samples, runs) = until_decided(&judged, |samples| {
        run_each(samples, count, hosts, context, programs, &carriers)
    })?;
    println!(
        "OpenSHMEM, {what}, ns, medians of {runs} runs, and of their ratios with the interval of 95 %"
    );
    for it in &judged {
        let pair = (&*it.figure, &*it.base);
        kept.paired_row(&it.name, &samples, pair, Some(it.limit))?;
    }
    if hosts.is_some() {
        for (figure, base, what) in ENGINE {
            let pair = (&*format!("engine.{figure}"), &*format!("shmem.{base}"));
            kept.paired_row(what, &samples, pair, None)?;
        }
        let by_mpi = carriers.iter().any(|(name, _)| *name == "mpi");
        for (figure, base, what) in ABOVE_ENGINE.iter().filter(|_| by_mpi) {
            let pair = (&*format!("mpi.{figure}"), &*format!("engine.{base}"));
            kept.paired_row(&format!("mpi: {what}"), &samples, pair, None)?;
        }
    }
    Ok(())
}

/// Runs each program once.
fn run_each(
    samples: &mut Samples,
    count: &str,
    hosts: Option<&Hosts>,
    context: &Context,
    programs: &Programs,
    carriers: &[(&str, &Path)],
) -> Result<(), String> {
    let nodes = Hosts::nodes(THREADS, 1);
    let launcher = |launcher: &Path| match hosts {
        Some(hosts) => hosts.command(launcher),
        None => Command::new(launcher),
    };
    let mut oshrun = launcher(Path::new("oshrun"));
    oshrun.args(["-q", "--oversubscribe", "--bind-to", "none"]);
    // Open MPI 4.1 with UCX crashes in shmem_finalize with it: what it frees goes to a hook that was unloaded.
    oshrun.args(["--mca", "osc", "^rdma"]);
    if hosts.is_some() {
        oshrun.args(["--host", &nodes]);
        for &(name, value) in UCX_ON_HOSTS {
            oshrun.env(name, value).args(["-x", name]);
        }
    }
    oshrun.arg("-n").arg(THREADS.to_string());
    oshrun.arg(&programs.shmem).arg(count).envs(process::MPI);
    collect_run(samples, "shmem.", &mut oshrun)?;
    if hosts.is_some() {
        let mut plain = mpirun(hosts, THREADS);
        plain.args(["--host", &nodes]).arg(&programs.mpi);
        plain.args([count, "8", count, "serialized"]);
        collect_run(samples, "engine.", plain.envs(process::MPI))?;
    }
    for (name, program) in carriers {
        let mut upcrun = launcher(&context.upcrun);
        upcrun.arg("-n").arg(THREADS.to_string());
        upcrun.arg(program).arg(count).envs(process::MPI);
        upcrun.env("UPC_CACHE", "off");
        if hosts.is_some() {
            upcrun
                .env("UPC_NODES", &nodes)
                .envs(UCX_ON_HOSTS.iter().copied());
        }
        collect_run(samples, &format!("{name}."), &mut upcrun)?;
    }
    Ok(())
}
