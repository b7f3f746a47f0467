//! Measures the transport `mpi` against MPI used directly with the same placement: `xtask/bench/mpi.upc` and
//! `xtask/bench/mpi_floor.c`, which alternate. The other parts of `cargo xtask bench mpi` are the modules.

pub mod collectives;
pub mod service;
pub mod shmem;
pub mod starts;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread::available_parallelism;

use super::ratios::{Compared, until_decided};
use super::{Kept, Ratio, Samples, collect_run, compile, lower_quartile, upper_quartile};
use crate::context::{COMPILE, Context};
use crate::hosts::Hosts;
use crate::process;

/// How many threads run on how many machines; on one machine it is this one.
#[derive(Clone, Copy)]
struct Spread {
    threads: usize,
    machines: usize,
}

impl Spread {
    /// Returns the machines as upcrun and mpirun name them.
    fn nodes(self) -> String {
        Hosts::nodes(self.machines, self.threads / self.machines)
    }

    /// Returns where to run: `None` is this machine. Err: the reason why the other machines are missing.
    fn hosts(self, hosts: &Result<Hosts, String>) -> Result<Option<&Hosts>, &str> {
        match (self.machines, hosts) {
            (1, _) => Ok(None),
            (_, Ok(hosts)) => Ok(Some(hosts)),
            (_, Err(why)) => Err(why),
        }
    }
}

/// The placement of the threads. On one machine each thread is treated as alone on a machine.
struct Placement {
    name: &'static str,
    spread: Spread,
    /// Accesses, megabytes and barriers of a measurement.
    amounts: [&'static str; 3],
}

const PLACEMENTS: &[Placement] = &[
    Placement {
        name: "2 threads on one machine",
        spread: Spread {
            threads: 2,
            machines: 1,
        },
        amounts: ["40000", "128", "20000"],
    },
    Placement {
        name: "4 threads on one machine",
        spread: Spread {
            threads: 4,
            machines: 1,
        },
        amounts: ["0", "0", "2000"],
    },
    Placement {
        name: "2 threads on two machines, TCP",
        spread: Spread {
            threads: 2,
            machines: 2,
        },
        amounts: ["5000", "128", "5000"],
    },
    Placement {
        name: "4 threads on two machines, TCP",
        spread: Spread {
            threads: 4,
            machines: 2,
        },
        amounts: ["0", "0", "200"],
    },
];

/// Figures against those of MPI used directly. `single.` of that has a thread level that allows calls from one thread only, so
/// that it takes no locks; `serialized.` one that allows calls from two threads in turn (`MPI_THREAD_SERIALIZED`), as the
/// transport requires: the cost of the engine at the same thread level.
#[rustfmt::skip]
const ACCESSES: &[(Ratio, Option<f64>)] = &[
    (Ratio { figure: "small", base: "serialized.small", what: "8-byte get, target waits / round trip" }, Some(1.3)),
    (Ratio { figure: "small", base: "single.small", what: "the same / round trip of MPI without locks" }, None),
    (Ratio { figure: "line", base: "single.line", what: "8 KB get / 8 bytes there and 8 KB back" }, None),
    (Ratio { figure: "asked", base: "computation", what: "a computation with gets of the other side / without" }, Some(1.1)),
    (Ratio { figure: "large_get", base: "single.large", what: "1 MiB get, 8 under way / messages" }, Some(1.18)),
    (Ratio { figure: "large_put", base: "single.large", what: "1 MiB put, 8 under way / messages" }, Some(1.18)),
    (Ratio { figure: "alone_get", base: "single.alone", what: "1 MiB get / 8 bytes there and 1 MiB back" }, None),
    (Ratio { figure: "alone_put", base: "single.alone", what: "1 MiB put and fence / the same" }, None),
    (Ratio { figure: "exposed_get", base: "whole_get", what: "64 MiB get not hidden by computation / the get" }, Some(0.1)),
    (Ratio { figure: "exposed_put", base: "whole_put", what: "64 MiB put not hidden by computation / the put" }, Some(0.1)),
];

/// Between machines, one send to a socket after a computation takes about as long as a start may take on one machine.
#[rustfmt::skip]
const STARTS_APART: &[(Ratio, Option<f64>)] = &[
    (Ratio { figure: "start_get", base: "serialized.start_get", what: "start of a 64 MiB get / MPI's receive and request" }, Some(1.3)),
    (Ratio { figure: "start_put", base: "serialized.start_put", what: "start of a 64 MiB put / MPI's send" }, Some(1.3)),
];

#[rustfmt::skip]
const BARRIERS: &[(Ratio, Option<f64>)] = &[
    (Ratio { figure: "barrier", base: "serialized.barrier", what: "upc_barrier / MPI_Barrier" }, Some(1.3)),
    (Ratio { figure: "barrier", base: "single.barrier", what: "the same / MPI_Barrier of MPI without locks" }, None),
];

/// Figures and the most nanoseconds that they may take.
const TIMES: &[(&str, f64, &str)] = &[
    ("busy", 400_000.0, "8-byte get, target computes / 400 us"),
    ("put", 50.0, "8-byte put, collected / 20 million a second"),
    (
        "beside_set",
        400_000.0,
        "8-byte get, target set meanwhile, longest / 400 us",
    ),
];

/// On one machine a send takes no time that counts.
const STARTS_HERE: &[(&str, f64, &str)] = &[
    ("start_get", 100_000.0, "start of a 64 MiB get / 100 us"),
    ("start_put", 100_000.0, "start of a 64 MiB put / 100 us"),
];

pub fn run(context: &Context, work: &Path, kept: &mut Kept) -> Result<(), String> {
    let (program, floor) = match build(context, work) {
        Ok(programs) => programs,
        Err(why) => return not_measured("messages over MPI", &why),
    };
    let hosts = Hosts::up(context);
    for placement in PLACEMENTS {
        let machines = match placement.spread.hosts(&hosts) {
            Ok(machines) => machines,
            Err(why) => {
                not_measured(placement.name, why)?;
                continue;
            }
        };
        let is_apart = placement.spread.machines > 1;
        let (ratios, times) = match placement.spread.threads {
            2 if is_apart => ([ACCESSES, STARTS_APART, BARRIERS].concat(), TIMES.to_vec()),
            2 => ([ACCESSES, BARRIERS].concat(), [TIMES, STARTS_HERE].concat()),
            _ => (BARRIERS.to_vec(), Vec::new()),
        };
        let compared: Vec<Compared> = (ratios.iter())
            .map(|(ratio, limit)| Compared::new(ratio, *limit))
            .collect();
        let (samples, runs) = until_decided(&compared, |samples| {
            for level in ["single", "serialized"] {
                let mut plain = plain(machines, placement.spread, &floor);
                plain.args(placement.amounts).arg(level);
                if is_apart && level == "serialized" {
                    plain.arg("starts");
                }
                collect_run(samples, &format!("{level}."), &mut plain)?;
            }
            let mut upcrun = upc(context, machines, placement.spread, "1", &program);
            collect_run(samples, "", upcrun.args(placement.amounts))
        })?;
        println!(
            "messages over MPI, {}, ns, medians of {runs} runs and of their ratios; lower quartiles against constants",
            placement.name
        );
        for it in &compared {
            kept.paired_row(it, &samples)?;
        }
        for &(figure, most, what) in &times {
            kept.row(what, lower_quartile(&samples, figure)?, most, 1.0);
        }
        if placement.spread.threads == 2 {
            judge_placement(&samples, kept)?;
        }
    }
    Ok(())
}

/// Judges the slower runs: a placement of two threads on one processor shows there.
fn judge_placement(samples: &Samples, kept: &mut Kept) -> Result<(), String> {
    let figure = upper_quartile(samples, "small")?;
    let base = upper_quartile(samples, "serialized.small")?;
    kept.row(
        "8-byte get / round trip, upper quartiles",
        figure,
        base,
        1.3,
    );
    Ok(())
}

/// Returns the limit for a job of so many threads. More threads than processors are measured but not judged: what they
/// take depends on when the system switches between them, and both programs wait most of the time.
fn limit_for(threads: usize, limit: f64) -> Option<f64> {
    let processors = available_parallelism().map_or(1, usize::from);
    if threads <= processors {
        return Some(limit);
    }
    println!("  not judged: {threads} threads on {processors} processors");
    None
}

/// Prints that rows are missing, and the first line of the reason.
fn not_measured(what: &str, why: &str) -> Result<(), String> {
    println!("{what}: not measured, {}", why.lines().next().unwrap_or(""));
    Ok(())
}

/// Builds the UPC program and the one that uses MPI directly.
fn build(context: &Context, work: &Path) -> Result<(PathBuf, PathBuf), String> {
    let (program, floor) = (work.join("mpi"), work.join("mpi_floor"));
    compile(context, "mpi.upc", Some("-network=mpi"), &program)?;
    build_floor(context, "mpi_floor.c", &floor)?;
    Ok((program, floor))
}

fn build_floor(context: &Context, source: &str, program: &Path) -> Result<(), String> {
    build_by("mpicc", context, source, program)
}

/// Compiles a program by a wrapper of the C compiler.
fn build_by(wrapper: &str, context: &Context, source: &str, program: &Path) -> Result<(), String> {
    let mut mpicc = Command::new(wrapper);
    mpicc
        .arg("-O3")
        .arg(context.root.join("xtask/bench").join(source))
        .arg("-o")
        .arg(program);
    process::must(&mut mpicc, COMPILE).map(|_| ())
}

/// Returns MPI's launcher with the options that upcrun uses.
fn mpirun(hosts: Option<&Hosts>, threads: usize) -> Command {
    let mut mpirun = match hosts {
        None => Command::new("mpirun"),
        Some(hosts) => hosts.command(Path::new("mpirun")),
    };
    mpirun.args(["-q", "--oversubscribe", "--bind-to", "none", "-n"]);
    mpirun.arg(threads.to_string());
    mpirun
}

/// Returns the command that runs a program that uses MPI directly, with the placement of [`upc`].
fn plain(hosts: Option<&Hosts>, spread: Spread, program: &Path) -> Command {
    let mut mpirun = mpirun(hosts, spread.threads);
    if hosts.is_some() {
        mpirun.args(["--host", &spread.nodes()]);
    }
    mpirun.arg(program).envs(process::MPI);
    mpirun
}

/// Returns the command that runs a UPC program on this machine with groups of `width` threads, or on several machines.
fn upc(
    context: &Context,
    hosts: Option<&Hosts>,
    spread: Spread,
    width: &str,
    program: &Path,
) -> Command {
    let mut upcrun = match hosts {
        None => Command::new(&context.upcrun),
        Some(hosts) => hosts.command(&context.upcrun),
    };
    upcrun.arg("-n").arg(spread.threads.to_string());
    upcrun.arg(program);
    upcrun.envs(process::MPI).env("UPC_CACHE", "off");
    match hosts {
        None => upcrun.env("UPC_PSHM_WIDTH", width),
        // The machines do not know that they share processors.
        Some(_) => upcrun
            .env("UPC_NODES", spread.nodes())
            .env("UPC_POLITE_SYNC", "1"),
    };
    upcrun
}
