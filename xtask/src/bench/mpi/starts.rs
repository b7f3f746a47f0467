//! Measures jobs that only start and end against the same in MPI: `xtask/bench/mpi_hello.upc` and
//! `xtask/bench/mpi_hello_floor.c`, which alternate.

use std::path::Path;
use std::process::Command;

use super::{build_floor, mpirun, not_measured};
use crate::bench::{Kept, LIMIT, Samples, compile, lower_quartile};
use crate::context::Context;
use crate::hosts::{Hosts, MACHINES};
use crate::process;

/// The runs of each job.
const RUNS: usize = 5;
/// A start may take this multiple of MPI's.
const MOST: f64 = 1.5;
const THREADS: usize = 64;
/// On three machines: threads of each.
const EACH: usize = 8;

pub fn run(context: &Context, work: &Path, kept: &mut Kept) -> Result<(), String> {
    let (program, floor) = (work.join("mpi_hello"), work.join("mpi_hello_floor"));
    compile(context, "mpi_hello.upc", Some("-network=mpi"), &program)?;
    build_floor(context, "mpi_hello_floor.c", &floor)?;
    println!("start and end of a job over MPI, ms, lower quartiles of {RUNS} runs");
    let here = |name: &str| match name {
        "plain" => {
            let mut plain = mpirun(None, THREADS);
            plain.arg(&floor).envs(process::MPI);
            plain
        }
        _ => {
            let mut upcrun = context.upcrun(THREADS, &program);
            upcrun.envs(process::MPI);
            upcrun
        }
    };
    compare(&format!("{THREADS} threads on one machine"), here, kept)?;
    let hosts = match Hosts::up(context) {
        Ok(hosts) => hosts,
        Err(why) => return not_measured("start on three machines", &why),
    };
    let threads = EACH * MACHINES;
    let nodes = Hosts::nodes(MACHINES, EACH);
    let there = |name: &str| match name {
        "plain" => {
            let mut plain = mpirun(Some(&hosts), threads);
            plain.args(["--host", &nodes]).arg(&floor);
            plain
        }
        _ => {
            let mut upcrun = hosts.command(&context.upcrun);
            upcrun.arg("-n").arg(threads.to_string()).arg(&program);
            upcrun.env("UPC_NODES", &nodes);
            upcrun
        }
    };
    compare(
        &format!("{threads} threads on {MACHINES} machines"),
        there,
        kept,
    )
}

/// Measures the job that `command` returns for "upc" against the one that it returns for "plain".
fn compare(what: &str, command: impl Fn(&str) -> Command, kept: &mut Kept) -> Result<(), String> {
    let mut samples = Samples::new();
    for _ in 0..RUNS {
        for name in ["plain", "upc"] {
            let mut command = command(name);
            if name == "plain" {
                // Upcrun tells Open MPI the same where threads outnumber processors.
                command.env("OMPI_MCA_mpi_yield_when_idle", "1");
            }
            let time = process::must(&mut command, LIMIT)?.time.as_secs_f64() * 1e3;
            samples.entry(name.to_owned()).or_default().push(time);
        }
    }
    kept.row(
        &format!("{what} / MPI"),
        lower_quartile(&samples, "upc")?,
        lower_quartile(&samples, "plain")?,
        MOST,
    );
    Ok(())
}
