//! Measures the transport `mpi` against OpenSHMEM of Open MPI (`oshcc`): `xtask/bench/mpi_shmem.upc` and
//! `xtask/bench/shmem_floor.c`, which alternate.

use std::path::Path;
use std::process::Command;

use super::{build_by, not_measured};
use crate::bench::{Kept, MESSAGE_RUNS, Samples, collect_run, compile, lower_quartile};
use crate::context::Context;
use crate::hosts::Hosts;
use crate::process;

const THREADS: usize = 2;

/// The figures, and what they are in both.
const FIGURES: &[(&str, &str)] = &[
    ("get", "8-byte get / shmem_long_g"),
    ("put", "8-byte put and fence / shmem_long_p and shmem_quiet"),
    ("puts", "8-byte puts in a row / shmem_long_p"),
    ("fetch_add", "fetch and add / shmem_long_atomic_fetch_add"),
    ("barrier", "upc_barrier / shmem_barrier_all"),
];

pub fn run(context: &Context, work: &Path, kept: &mut Kept) -> Result<(), String> {
    let (program, floor) = (work.join("mpi_shmem"), work.join("shmem_floor"));
    compile(context, "mpi_shmem.upc", Some("-network=mpi"), &program)?;
    if let Err(why) = build_by("oshcc", context, "shmem_floor.c", &floor) {
        return not_measured("OpenSHMEM", &why);
    }
    compare(
        "one machine",
        "20000",
        None,
        context,
        [&program, &floor],
        kept,
    )?;
    match Hosts::up(context) {
        Ok(hosts) => {
            let programs = [&*program, &*floor];
            compare(
                "two machines, TCP",
                "2000",
                Some(&hosts),
                context,
                programs,
                kept,
            )
        }
        Err(why) => not_measured("OpenSHMEM on two machines", &why),
    }
}

fn compare(
    what: &str,
    count: &str,
    hosts: Option<&Hosts>,
    context: &Context,
    [program, floor]: [&Path; 2],
    kept: &mut Kept,
) -> Result<(), String> {
    println!("OpenSHMEM, {what}, ns, lower quartiles of {MESSAGE_RUNS} runs");
    let nodes = Hosts::nodes(THREADS, 1);
    let launcher = |launcher: &Path| match hosts {
        Some(hosts) => hosts.command(launcher),
        None => Command::new(launcher),
    };
    let mut samples = Samples::new();
    for _ in 0..MESSAGE_RUNS {
        let mut oshrun = launcher(Path::new("oshrun"));
        oshrun.args(["-q", "--oversubscribe", "--bind-to", "none"]);
        // Open MPI 4.1 with UCX crashes in shmem_finalize with it: what it frees goes to a hook that was unloaded.
        oshrun.args(["--mca", "osc", "^rdma"]);
        if hosts.is_some() {
            oshrun.args(["--host", &nodes]);
        }
        oshrun.arg("-n").arg(THREADS.to_string());
        oshrun.arg(floor).arg(count).envs(process::MPI);
        collect_run(&mut samples, "shmem.", &mut oshrun)?;
        let mut upcrun = launcher(&context.upcrun);
        upcrun.arg("-n").arg(THREADS.to_string());
        upcrun.arg(program).arg(count).envs(process::MPI);
        upcrun.env("UPC_CACHE", "off");
        if hosts.is_some() {
            upcrun.env("UPC_NODES", &nodes);
        }
        collect_run(&mut samples, "", &mut upcrun)?;
    }
    for (figure, what) in FIGURES {
        let (own, theirs) = (
            lower_quartile(&samples, figure)?,
            lower_quartile(&samples, &format!("shmem.{figure}"))?,
        );
        kept.row(what, own, theirs, 1.0);
    }
    Ok(())
}
