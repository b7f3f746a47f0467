//! Measures collective functions over MPI against those of MPI with the same synchronization:
//! `xtask/bench/mpi_collective.upc` and `xtask/bench/mpi_collective_floor.c`, which alternate. Times of few bytes change by a
//! factor of two for seconds, those of both programs alike: so ratios are those of neighbouring runs.

use std::path::Path;

use super::{Spread, build_floor, limit_for, not_measured, plain, upc};
use crate::bench::ratios::{Compared, until_decided};
use crate::bench::{Kept, collect_run, compile};
use crate::context::Context;
use crate::hosts::Hosts;

/// What collective functions are measured with: where, the width of groups, bytes of a block, calls of a measurement.
struct Collective {
    name: &'static str,
    spread: Spread,
    width: &'static str,
    amounts: [&'static str; 2],
}

const TWO: Spread = Spread {
    threads: 2,
    machines: 1,
};
const FOUR: Spread = Spread {
    threads: 4,
    machines: 1,
};
pub(super) const APART: Spread = Spread {
    threads: 2,
    machines: 2,
};

#[rustfmt::skip]
const COLLECTIVES: &[Collective] = &[
    Collective { name: "2 threads, messages, 8 bytes", spread: TWO, width: "1", amounts: ["8", "300"] },
    Collective { name: "2 threads, messages, 256 KiB", spread: TWO, width: "1", amounts: ["262144", "20"] },
    Collective { name: "2 threads, shared memory, 8 bytes", spread: TWO, width: "2", amounts: ["8", "300"] },
    Collective { name: "2 threads, shared memory, 256 KiB", spread: TWO, width: "2", amounts: ["262144", "20"] },
    Collective { name: "4 threads, messages, 8 bytes", spread: FOUR, width: "1", amounts: ["8", "50"] },
    Collective { name: "4 threads, messages, 256 KiB", spread: FOUR, width: "1", amounts: ["262144", "5"] },
    Collective { name: "2 threads, two machines, 8 bytes", spread: APART, width: "1", amounts: ["8", "300"] },
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
    let hosts = Hosts::up(context);
    for collective in COLLECTIVES {
        let machines = match collective.spread.hosts(&hosts) {
            Ok(machines) => machines,
            Err(why) => {
                not_measured(collective.name, why)?;
                continue;
            }
        };
        let rows = rows(limit_for(collective.spread.threads, LIMIT));
        let (samples, runs) = until_decided(&rows, |samples| {
            let mut mpirun = plain(machines, collective.spread, &floor);
            collect_run(samples, "mpi.", mpirun.args(collective.amounts))?;
            let (spread, width) = (collective.spread, collective.width);
            let mut upcrun = upc(context, machines, spread, width, &program);
            collect_run(samples, "", upcrun.args(collective.amounts))
        })?;
        println!(
            "collective functions over MPI, {}, ns, medians of {runs} runs, and of their ratios with the interval of 95 %",
            collective.name
        );
        for row in &rows {
            kept.paired_row(row, &samples)?;
        }
    }
    Ok(())
}

/// Returns what is compared, in the order in which it is printed.
fn rows(limit: Option<f64>) -> Vec<Compared> {
    let of_sync = |&(sync, base): &(&'static str, &'static str)| {
        FUNCTIONS.iter().map(move |function| Compared {
            what: format!("upc_all_{function}, {sync} / MPI, {base}"),
            figure: format!("{sync}.{function}"),
            base: format!("mpi.{base}.{function}"),
            limit,
        })
    };
    SYNCS.iter().flat_map(of_sync).collect()
}
