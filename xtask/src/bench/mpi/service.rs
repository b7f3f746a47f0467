//! Measures how a thread is served while another one keeps the same target at work: `xtask/bench/mpi_service.upc`.

use std::path::Path;

use crate::bench::{Kept, MESSAGE_RUNS, Samples, collect_run, compile, lower_quartile, row};
use crate::context::Context;
use crate::process;

/// The longest time that a handler should take at once, in nanoseconds.
const PIECE: f64 = 50_000.0;
/// A get of a target that computes, in nanoseconds.
const BUSY: f64 = 400_000.0;

/// What happens in the target meanwhile: the name of the figures, and what it is.
const WORKS: &[(&str, &str)] = &[
    ("set", "while 1 GB is set"),
    ("freed", "while 512 MB are freed"),
];

pub fn run(context: &Context, work: &Path, kept: &mut Kept) -> Result<(), String> {
    let program = work.join("mpi_service");
    compile(context, "mpi_service.upc", Some("-network=mpi"), &program)?;
    println!(
        "8-byte gets of a third thread over MPI on one machine, ns, lower quartiles of {MESSAGE_RUNS} runs"
    );
    let mut samples = Samples::new();
    for _ in 0..MESSAGE_RUNS {
        let mut upcrun = context.upcrun(3, &program);
        upcrun.envs(process::MPI).env("UPC_CACHE", "off");
        upcrun.env("UPC_PSHM_WIDTH", "1");
        upcrun.env("UPC_SHARED_HEAP_SIZE", "2G");
        collect_run(&mut samples, "", &mut upcrun)?;
    }
    let idle = lower_quartile(&samples, "nothing_half")?;
    row("  half of them, while nothing happens", idle, idle);
    for (name, when) in WORKS {
        let figure = |part: &str| lower_quartile(&samples, &format!("{name}_{part}"));
        let half = format!("{when}, half of them / 50 us and an idle get");
        kept.row(&half, figure("half")?, PIECE + idle, 1.0);
        let most = format!("{when}, nine of ten / 400 us");
        kept.row(&most, figure("most")?, BUSY, 1.0);
    }
    Ok(())
}
