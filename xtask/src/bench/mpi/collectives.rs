//! Measures collective functions over MPI against those of MPI with the same synchronization:
//! `xtask/bench/mpi_collective.upc` and `xtask/bench/mpi_collective_floor.c`, which alternate.

use std::path::Path;
use std::process::Command;

use super::{build_floor, limit_for, mpirun};
use crate::bench::{Kept, MESSAGE_RUNS, Samples, collect_run, compile, lower_quartile};
use crate::context::Context;
use crate::process;

/// What collective functions are measured with: threads, the width of groups, bytes of a block, calls of a measurement.
struct Collective {
    name: &'static str,
    threads: usize,
    width: &'static str,
    amounts: [&'static str; 2],
}

#[rustfmt::skip]
const COLLECTIVES: &[Collective] = &[
    Collective { name: "2 threads, messages, 8 bytes", threads: 2, width: "1", amounts: ["8", "300"] },
    Collective { name: "2 threads, messages, 256 KiB", threads: 2, width: "1", amounts: ["262144", "20"] },
    Collective { name: "2 threads, shared memory, 8 bytes", threads: 2, width: "2", amounts: ["8", "300"] },
    Collective { name: "2 threads, shared memory, 256 KiB", threads: 2, width: "2", amounts: ["262144", "20"] },
    Collective { name: "4 threads, messages, 8 bytes", threads: 4, width: "1", amounts: ["8", "50"] },
    Collective { name: "4 threads, messages, 256 KiB", threads: 4, width: "1", amounts: ["262144", "5"] },
];
/// What a call may take, as a multiple of MPI's, where each thread has a processor.
const LIMIT: f64 = 1.3;
const FUNCTIONS: &[&str] = &["broadcast", "scatter", "gather", "gather_all", "exchange"];
/// The synchronization of both ends, and what it is compared with: MPI has nothing between barriers and none.
const SYNCS: &[(&str, &str)] = &[("all", "all"), ("my", "no"), ("no", "no")];

pub fn run(context: &Context, work: &Path, kept: &mut Kept) -> Result<(), String> {
    let (program, floor) = (
        work.join("mpi_collective"),
        work.join("mpi_collective_floor"),
    );
    compile(
        context,
        "mpi_collective.upc",
        Some("-network=mpi"),
        &program,
    )?;
    build_floor(context, "mpi_collective_floor.c", &floor)?;
    for collective in COLLECTIVES {
        println!(
            "collective functions over MPI, {}, ns, lower quartiles of {MESSAGE_RUNS} runs",
            collective.name
        );
        let mut samples = Samples::new();
        for _ in 0..MESSAGE_RUNS {
            let mut plain = mpirun(None, collective.threads);
            plain
                .arg(&floor)
                .args(collective.amounts)
                .envs(process::MPI);
            collect_run(&mut samples, "mpi.", &mut plain)?;
            let mut upcrun = Command::new(&context.upcrun);
            upcrun.arg("-n").arg(collective.threads.to_string());
            upcrun.arg(&program).args(collective.amounts);
            upcrun.envs(process::MPI).env("UPC_CACHE", "off");
            upcrun.env("UPC_PSHM_WIDTH", collective.width);
            collect_run(&mut samples, "", &mut upcrun)?;
        }
        let limit = limit_for(collective.threads, LIMIT);
        for (sync, base) in SYNCS {
            for function in FUNCTIONS {
                let own = lower_quartile(&samples, &format!("{sync}.{function}"))?;
                let theirs = lower_quartile(&samples, &format!("mpi.{base}.{function}"))?;
                let what = format!("upc_all_{function}, {sync} / MPI, {base}");
                kept.row_of(&what, own, theirs, limit);
            }
        }
    }
    Ok(())
}
