//! Measures the transport `mpi` against MPI used directly with the same placement: `xtask/bench/mpi.upc` and
//! `xtask/bench/mpi_floor.c`, which alternate. The other parts of `cargo xtask bench mpi` are the modules.

pub mod collectives;
pub mod service;
pub mod shmem;
pub mod starts;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread::available_parallelism;

use super::ratios::{Judged, until_decided};
use super::{Kept, Samples, collect_run, compile, lower_quartile, upper_quartile};
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

/// The divisor of a figure.
#[derive(Clone, Copy)]
enum Base {
    /// Another figure: of the UPC program, or of MPI used directly. `single.` of that has a thread level that allows calls from
    /// one thread only, so that it takes no locks; `serialized.` one that allows calls from two threads in turn
    /// (`MPI_THREAD_SERIALIZED`), as the transport requires: the cost of the engine at the same thread level.
    Figure(&'static str),
    Nanoseconds(f64),
}

#[derive(Clone, Copy)]
struct Line {
    figure: &'static str,
    base: Base,
    what: &'static str,
    limit: Option<f64>,
}

#[rustfmt::skip]
const LINES: &[Line] = &[
    Line { figure: "small", base: Base::Figure("serialized.small"), what: "8-byte get, target waits / round trip", limit: Some(1.3) },
    Line { figure: "small", base: Base::Figure("single.small"), what: "the same / round trip of MPI without locks", limit: None },
    Line { figure: "line", base: Base::Figure("single.line"), what: "8 KB get / 8 bytes there and 8 KB back", limit: None },
    Line { figure: "busy", base: Base::Nanoseconds(400_000.0), what: "8-byte get, target computes / 400 us", limit: Some(1.0) },
    Line { figure: "asked", base: Base::Figure("computation"), what: "its computation with gets / without", limit: Some(1.1) },
    Line { figure: "put", base: Base::Nanoseconds(50.0), what: "8-byte put, collected / 20 million a second", limit: Some(1.0) },
    Line { figure: "large_get", base: Base::Figure("single.large"), what: "1 MiB get, 8 under way / messages", limit: Some(1.18) },
    Line { figure: "large_put", base: Base::Figure("single.large"), what: "1 MiB put, 8 under way / messages", limit: Some(1.18) },
    Line { figure: "alone_get", base: Base::Figure("single.alone"), what: "1 MiB get / 8 bytes there and 1 MiB back", limit: None },
    Line { figure: "alone_put", base: Base::Figure("single.alone"), what: "1 MiB put and fence / the same", limit: None },
    Line { figure: "exposed_get", base: Base::Figure("whole_get"), what: "64 MiB get not hidden by computation / the get", limit: Some(0.1) },
    Line { figure: "exposed_put", base: Base::Figure("whole_put"), what: "64 MiB put not hidden by computation / the put", limit: Some(0.1) },
    Line { figure: "beside_set", base: Base::Nanoseconds(400_000.0), what: "8-byte get, target set meanwhile, longest / 400 us", limit: Some(1.0) },
];

/// A send on one machine takes no time that counts.
#[rustfmt::skip]
const STARTS_HERE: &[Line] = &[
    Line { figure: "start_get", base: Base::Nanoseconds(100_000.0), what: "start of a 64 MiB get / 100 us", limit: Some(1.0) },
    Line { figure: "start_put", base: Base::Nanoseconds(100_000.0), what: "start of a 64 MiB put / 100 us", limit: Some(1.0) },
];

/// Between machines, one send to a socket after a computation takes about as long as that.
#[rustfmt::skip]
const STARTS_APART: &[Line] = &[
    Line { figure: "start_get", base: Base::Figure("serialized.start_get"), what: "start of a 64 MiB get / MPI's receive and request", limit: Some(1.3) },
    Line { figure: "start_put", base: Base::Figure("serialized.start_put"), what: "start of a 64 MiB put / MPI's send", limit: Some(1.3) },
];

#[rustfmt::skip]
const BARRIERS: &[Line] = &[
    Line { figure: "barrier", base: Base::Figure("serialized.barrier"), what: "upc_barrier / MPI_Barrier", limit: Some(1.3) },
    Line { figure: "barrier", base: Base::Figure("single.barrier"), what: "the same / MPI_Barrier of MPI without locks", limit: None },
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
        let lines = match placement.spread.threads {
            2 if placement.spread.machines == 1 => [LINES, STARTS_HERE, BARRIERS].concat(),
            2 => [LINES, STARTS_APART, BARRIERS].concat(),
            _ => BARRIERS.to_vec(),
        };
        let judged: Vec<Judged> = lines.iter().filter_map(Line::judged).collect();
        let (samples, runs) = until_decided(&judged, |samples| {
            for level in ["single", "serialized"] {
                let mut plain = plain(machines, placement.spread, &floor);
                plain.args(placement.amounts).arg(level);
                collect_run(samples, &format!("{level}."), &mut plain)?;
            }
            let mut upcrun = upc(context, machines, placement.spread, "1", &program);
            collect_run(samples, "", upcrun.args(placement.amounts))
        })?;
        println!(
            "messages over MPI, {}, ns, medians of {runs} runs and of their ratios; lower quartiles against constants",
            placement.name
        );
        for line in &lines {
            line.judge(&samples, kept)?;
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

impl Line {
    /// What decides how often to measure, if it is a ratio of two figures with a limit.
    fn judged(&self) -> Option<Judged> {
        match self.base {
            Base::Figure(base) => Some(Judged {
                name: self.what.to_owned(),
                figure: self.figure.to_owned(),
                base: base.to_owned(),
                limit: self.limit?,
            }),
            Base::Nanoseconds(_) => None,
        }
    }

    fn judge(&self, samples: &Samples, kept: &mut Kept) -> Result<(), String> {
        match self.base {
            Base::Figure(base) => {
                kept.paired_row(self.what, samples, (self.figure, base), self.limit)?;
            }
            Base::Nanoseconds(base) => {
                let figure = lower_quartile(samples, self.figure)?;
                kept.row_of(self.what, figure, base, self.limit);
            }
        }
        Ok(())
    }
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
