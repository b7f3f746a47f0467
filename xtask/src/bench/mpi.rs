//! Measures the transport `mpi` against MPI used directly with the same placement: `xtask/bench/mpi.upc` and
//! `xtask/bench/mpi_floor.c`, which alternate.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::{LIMIT, MESSAGE_RUNS, Samples, collect_run, compile, lower_quartile, row};
use crate::context::{COMPILE, Context};
use crate::hosts::Hosts;
use crate::process;

/// The placement of the threads.
struct Placement {
    name: &'static str,
    threads: usize,
    /// The number of machines; 1: this one, with each thread treated as alone on a machine.
    machines: usize,
    /// Accesses, megabytes and barriers of a measurement.
    amounts: [&'static str; 3],
}

const PLACEMENTS: &[Placement] = &[
    Placement {
        name: "2 threads on one machine",
        threads: 2,
        machines: 1,
        amounts: ["40000", "128", "20000"],
    },
    Placement {
        name: "4 threads on one machine",
        threads: 4,
        machines: 1,
        amounts: ["0", "0", "2000"],
    },
    Placement {
        name: "2 threads on two machines, TCP",
        threads: 2,
        machines: 2,
        amounts: ["5000", "128", "5000"],
    },
    Placement {
        name: "4 threads on two machines, TCP",
        threads: 4,
        machines: 2,
        amounts: ["0", "0", "200"],
    },
];

/// The divisor of a figure.
enum Base {
    /// A figure of MPI used directly with a thread level that allows calls from one thread only, so that it takes no
    /// locks.
    Floor(&'static str),
    /// The same with a thread level that allows calls from two threads in turn (MPI_THREAD_SERIALIZED), as the
    /// transport requires: the cost of the engine at the same thread level.
    Serialized(&'static str),
    /// Another figure of the UPC program.
    Own(&'static str),
    Nanoseconds(f64),
}

struct Line {
    figure: &'static str,
    base: Base,
    what: &'static str,
}

#[rustfmt::skip]
const LINES: &[Line] = &[
    Line { figure: "small", base: Base::Serialized("small"), what: "8-byte get, target waits / round trip (at most 1.3)" },
    Line { figure: "small", base: Base::Floor("small"), what: "  the same / round trip of MPI without locks" },
    Line { figure: "line", base: Base::Floor("line"), what: "8 KB get / 8 bytes there and 8 KB back" },
    Line { figure: "busy", base: Base::Nanoseconds(400_000.0), what: "8-byte get, target computes / 400 us (at most 1)" },
    Line { figure: "asked", base: Base::Own("computation"), what: "its computation with gets / without (at most 1.1)" },
    Line { figure: "put", base: Base::Nanoseconds(50.0), what: "8-byte put, collected / 20 million a second (at most 1)" },
    Line { figure: "large_get", base: Base::Floor("large"), what: "1 MiB get, 8 under way / messages (at most 1.18)" },
    Line { figure: "large_put", base: Base::Floor("large"), what: "1 MiB put, 8 under way / messages (at most 1.18)" },
    Line { figure: "alone_get", base: Base::Floor("alone"), what: "1 MiB get / 8 bytes there and 1 MiB back" },
    Line { figure: "alone_put", base: Base::Floor("alone"), what: "1 MiB put and fence / the same" },
    Line { figure: "start_get", base: Base::Nanoseconds(100_000.0), what: "start of a 64 MiB get / 100 us (at most 1)" },
    Line { figure: "start_put", base: Base::Nanoseconds(100_000.0), what: "start of a 64 MiB put / 100 us (at most 1)" },
    Line { figure: "exposed_get", base: Base::Own("whole_get"), what: "64 MiB get not hidden by computation / the get (at most 0.1)" },
    Line { figure: "exposed_put", base: Base::Own("whole_put"), what: "64 MiB put not hidden by computation / the put (at most 0.1)" },
    Line { figure: "beside_set", base: Base::Nanoseconds(400_000.0), what: "8-byte get, target set meanwhile, longest / 400 us (at most 1)" },
];

#[rustfmt::skip]
const BARRIERS: &[Line] = &[
    Line { figure: "barrier", base: Base::Serialized("barrier"), what: "upc_barrier / MPI_Barrier (at most 1.3)" },
    Line { figure: "barrier", base: Base::Floor("barrier"), what: "  the same / MPI_Barrier of MPI without locks" },
];

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
const FUNCTIONS: &[&str] = &["broadcast", "scatter", "gather", "gather_all", "exchange"];
/// The synchronization of both ends, and what it is compared with: MPI has nothing between barriers and none.
const SYNCS: &[(&str, &str)] = &[("all", "all"), ("my", "no"), ("no", "no")];

/// Measures collective functions against those of MPI with the same synchronization.
fn collectives(context: &Context, work: &Path) -> Result<(), String> {
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
            "collective functions over MPI, {}, ns, lower quartiles of {MESSAGE_RUNS} runs; at most 1.3",
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
        for (sync, base) in SYNCS {
            for function in FUNCTIONS {
                let own = lower_quartile(&samples, &format!("{sync}.{function}"))?;
                let theirs = lower_quartile(&samples, &format!("mpi.{base}.{function}"))?;
                row(
                    &format!("upc_all_{function}, {sync} / MPI, {base}"),
                    own,
                    theirs,
                );
            }
        }
    }
    Ok(())
}

/// The threads of a job whose start is measured.
const START_THREADS: usize = 64;

/// Measures the time of a job that only starts and ends, on this machine, against the same in MPI.
fn starts(context: &Context, work: &Path) -> Result<(), String> {
    let (program, floor) = (work.join("mpi_hello"), work.join("mpi_hello_floor"));
    compile(context, "mpi_hello.upc", Some("-network=mpi"), &program)?;
    build_floor(context, "mpi_hello_floor.c", &floor)?;
    println!("start and end of {START_THREADS} threads on one machine, ms, lower quartiles");
    let mut samples = Samples::new();
    for _ in 0..MESSAGE_RUNS {
        let mut plain = mpirun(None, START_THREADS);
        // Upcrun tells Open MPI the same where threads outnumber processors.
        plain.arg(&floor).envs(process::MPI);
        plain.env("OMPI_MCA_mpi_yield_when_idle", "1");
        let mut upcrun = context.upcrun(START_THREADS, &program);
        upcrun.envs(process::MPI);
        for (name, command) in [("plain", &mut plain), ("upc", &mut upcrun)] {
            let time = process::must(command, LIMIT)?.time.as_secs_f64() * 1e3;
            samples.entry(name.to_owned()).or_default().push(time);
        }
    }
    row(
        "start over messages / start of MPI (at most 1.5)",
        lower_quartile(&samples, "upc")?,
        lower_quartile(&samples, "plain")?,
    );
    Ok(())
}

pub fn run(context: &Context, work: &Path) -> Result<(), String> {
    let (program, floor) = match build(context, work) {
        Ok(programs) => programs,
        Err(why) => {
            let first = why.lines().next().unwrap_or("");
            println!("messages over MPI: not measured, {first}");
            return Ok(());
        }
    };
    let hosts = Hosts::up(context);
    for placement in PLACEMENTS {
        let machines = match (&hosts, placement.machines) {
            (_, 1) => None,
            (Ok(hosts), _) => Some(hosts),
            (Err(why), _) => {
                let first = why.lines().next().unwrap_or("");
                println!("{}: not measured, {first}", placement.name);
                continue;
            }
        };
        println!(
            "messages over MPI, {}, ns, lower quartiles of {MESSAGE_RUNS} runs",
            placement.name
        );
        let mut samples = Samples::new();
        for _ in 0..MESSAGE_RUNS {
            for level in ["single", "serialized"] {
                let mut plain = plain(machines, placement, &floor);
                collect_run(&mut samples, &format!("{level}."), plain.arg(level))?;
            }
            collect_run(
                &mut samples,
                "",
                &mut upc(context, machines, placement, &program),
            )?;
        }
        let lines = if placement.threads == 2 { LINES } else { &[] };
        for line in lines.iter().chain(BARRIERS) {
            let base = match line.base {
                Base::Floor(name) => lower_quartile(&samples, &format!("single.{name}"))?,
                Base::Serialized(name) => lower_quartile(&samples, &format!("serialized.{name}"))?,
                Base::Own(name) => lower_quartile(&samples, name)?,
                Base::Nanoseconds(base) => base,
            };
            row(line.what, lower_quartile(&samples, line.figure)?, base);
        }
    }
    collectives(context, work)?;
    starts(context, work)
}

/// Builds the UPC program and the one that uses MPI directly.
fn build(context: &Context, work: &Path) -> Result<(PathBuf, PathBuf), String> {
    let (program, floor) = (work.join("mpi"), work.join("mpi_floor"));
    compile(context, "mpi.upc", Some("-network=mpi"), &program)?;
    build_floor(context, "mpi_floor.c", &floor)?;
    Ok((program, floor))
}

fn build_floor(context: &Context, source: &str, program: &Path) -> Result<(), String> {
    let mut mpicc = Command::new("mpicc");
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

fn plain(hosts: Option<&Hosts>, placement: &Placement, floor: &Path) -> Command {
    let mut mpirun = mpirun(hosts, placement.threads);
    if hosts.is_some() {
        mpirun.args(["--host", &nodes(placement)]);
    }
    mpirun.arg(floor).args(placement.amounts).envs(process::MPI);
    mpirun
}

fn upc(context: &Context, hosts: Option<&Hosts>, placement: &Placement, program: &Path) -> Command {
    let mut upcrun = match hosts {
        None => Command::new(&context.upcrun),
        Some(hosts) => hosts.command(&context.upcrun),
    };
    upcrun.arg("-n").arg(placement.threads.to_string());
    upcrun.arg(program).args(placement.amounts);
    upcrun.envs(process::MPI).env("UPC_CACHE", "off");
    match hosts {
        None => upcrun.env("UPC_PSHM_WIDTH", "1"),
        Some(_) => upcrun.env("UPC_NODES", nodes(placement)),
    };
    upcrun
}

fn nodes(placement: &Placement) -> String {
    Hosts::nodes(placement.machines, placement.threads / placement.machines)
}
