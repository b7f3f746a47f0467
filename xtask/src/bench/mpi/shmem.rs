//! Measures messages by MPI and by UCX against OpenSHMEM of Open MPI (`oshcc`), which uses UCX as well:
//! `xtask/bench/mpi_shmem.upc` and `xtask/bench/shmem_floor.c`, which alternate. Between machines MPI goes by UCX, too, so that
//! all three use the same library over the same wire; two others take turns with them and say what can be reached: MPI itself
//! (`xtask/bench/mpi_floor.c`), and a TCP socket whose ends poll (`xtask/bench/socket_floor.c`). Runs differ by a third, all
//! programs alike for some seconds: so ratios are those of neighbouring runs.

use std::iter;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::collectives::APART;
use super::{build_by, build_floor, not_measured, plain};
use crate::bench::ratios::{Compared, until_decided};
use crate::bench::{Kept, Ratio, Samples, collect_run, compile};
use crate::context::Context;
use crate::hosts::Hosts;
use crate::process;
use crate::suites::mpi::UCX_ON_HOSTS;

const THREADS: usize = APART.threads;

/// The figures, and what they are in both.
const FIGURES: &[(&str, &str)] = &[
    ("get", "8-byte get / shmem_long_g"),
    ("put", "8-byte put and fence / shmem_long_p and shmem_quiet"),
    ("puts", "8-byte puts in a row / shmem_long_p"),
    ("fetch_add", "fetch and add / shmem_long_atomic_fetch_add"),
    ("barrier", "upc_barrier / shmem_barrier_all"),
];

/// Makes Open MPI use UCX between machines even over TCP, as OpenSHMEM does. By its own TCP, a round trip takes longer.
const MPI_BY_UCX: &[(&str, &str)] = &[
    ("OMPI_MCA_pml", "ucx"),
    ("OMPI_MCA_pml_ucx_tls", "any"),
    ("OMPI_MCA_pml_ucx_devices", "any"),
    NO_RDMA,
];
/// Open MPI 4.1 with UCX crashes at its end with the component `osc/rdma`: what that frees goes to a hook that was unloaded.
const NO_RDMA: (&str, &str) = ("OMPI_MCA_osc", "^rdma");

/// What a figure may be, as a multiple of OpenSHMEM's.
const LIMIT: f64 = 1.0;

/// What a socket and MPI take for the same between machines, against OpenSHMEM.
#[rustfmt::skip]
const FLOORS: &[Ratio] = &[
    Ratio { figure: "socket.round_trip", base: "shmem.get", what: "round trip of a polled socket / shmem_long_g" },
    Ratio { figure: "engine.small", base: "shmem.get", what: "round trip of MPI itself / shmem_long_g" },
    Ratio { figure: "engine.small", base: "shmem.fetch_add", what: "the same / shmem_long_atomic_fetch_add" },
    Ratio { figure: "engine.barrier", base: "shmem.barrier", what: "MPI_Barrier / shmem_barrier_all" },
];
/// What UCX takes against a socket.
#[rustfmt::skip]
const ABOVE_SOCKET: &[Ratio] = &[
    Ratio { figure: "ucx.get", base: "socket.round_trip", what: "ucx: 8-byte get / round trip of a polled socket" },
];
/// What the transport `mpi` takes against MPI itself.
#[rustfmt::skip]
const ABOVE_MPI: &[Ratio] = &[
    Ratio { figure: "mpi.get", base: "engine.small", what: "mpi: 8-byte get / round trip of MPI itself" },
    Ratio { figure: "mpi.fetch_add", base: "engine.small", what: "mpi: fetch and add / the same" },
    Ratio { figure: "mpi.barrier", base: "engine.barrier", what: "mpi: upc_barrier / MPI_Barrier" },
];

/// What carries messages.
struct Carrier {
    flag: &'static str,
    /// The beginning of its figures' names.
    name: &'static str,
    /// Its figures against what can be reached.
    above: &'static [Ratio],
}

const CARRIERS: &[Carrier] = &[
    Carrier {
        flag: "-network=mpi",
        name: "mpi",
        above: ABOVE_MPI,
    },
    Carrier {
        flag: "-network=ucx",
        name: "ucx",
        above: ABOVE_SOCKET,
    },
];

struct Programs {
    /// One for each carrier that can be built here.
    upc: Vec<(&'static Carrier, PathBuf)>,
    shmem: PathBuf,
    mpi: PathBuf,
    socket: PathBuf,
}

pub fn run(context: &Context, work: &Path, kept: &mut Kept) -> Result<(), String> {
    let of = |name: &str| work.join(name);
    let (shmem, mpi, socket) = (of("shmem_floor"), of("mpi_floor"), of("socket_floor"));
    if let Err(why) = build_by("oshcc", context, "shmem_floor.c", &shmem) {
        return not_measured("OpenSHMEM", &why);
    }
    build_floor(context, "mpi_floor.c", &mpi)?;
    build_floor(context, "socket_floor.c", &socket)?;
    let mut upc = Vec::new();
    for carrier in CARRIERS {
        let program = work.join(format!("shmem_{}", carrier.name));
        match compile(context, "mpi_shmem.upc", Some(carrier.flag), &program) {
            Ok(()) => upc.push((carrier, program)),
            Err(why) => not_measured(carrier.flag, &why)?,
        }
    }
    let programs = Programs {
        upc,
        shmem,
        mpi,
        socket,
    };
    compare("one machine", "20000", None, context, &programs, kept)?;
    match Hosts::up(context) {
        Ok(hosts) => {
            let what = "two machines, all by UCX over TCP";
            compare(what, "2000", Some(&hosts), context, &programs, kept)
        }
        Err(why) => not_measured("OpenSHMEM on two machines", &why),
    }
}

/// Returns what a carrier's figures are compared with.
fn against_shmem(carrier: &Carrier) -> impl Iterator<Item = Compared> {
    let name = carrier.name;
    FIGURES.iter().map(move |(figure, what)| Compared {
        what: format!("{name}: {what}"),
        figure: format!("{name}.{figure}"),
        base: format!("shmem.{figure}"),
        limit: Some(LIMIT),
    })
}

fn compare(
    what: &str,
    count: &str,
    hosts: Option<&Hosts>,
    context: &Context,
    programs: &Programs,
    kept: &mut Kept,
) -> Result<(), String> {
    let carriers = || programs.upc.iter().map(|(carrier, _)| *carrier);
    let mut compared: Vec<Compared> = carriers().flat_map(against_shmem).collect();
    if hosts.is_some() {
        let floors = iter::once(FLOORS).chain(carriers().map(|it| it.above));
        compared.extend(floors.flatten().map(|it| Compared::new(it, None)));
    }
    let (samples, runs) = until_decided(&compared, |samples| {
        run_each(samples, count, hosts, context, programs)
    })?;
    println!(
        "OpenSHMEM, {what}, ns, medians of {runs} runs, and of their ratios with the interval of 95 %"
    );
    for it in &compared {
        kept.paired_row(it, &samples)?;
    }
    Ok(())
}

/// Makes a launcher of Open MPI pass the settings of UCX to all machines; upcrun does so by itself.
fn use_ucx(launcher: &mut Command) {
    let settings: Vec<String> = (UCX_ON_HOSTS.iter())
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    launcher.env("OMPI_MCA_mca_base_env_list", settings.join(";"));
}

/// Runs each program once.
fn run_each(
    samples: &mut Samples,
    count: &str,
    hosts: Option<&Hosts>,
    context: &Context,
    programs: &Programs,
) -> Result<(), String> {
    let nodes = APART.nodes();
    let launcher = |launcher: &Path| match hosts {
        Some(hosts) => hosts.command(launcher),
        None => Command::new(launcher),
    };
    let mut oshrun = launcher(Path::new("oshrun"));
    oshrun.args(["-q", "--oversubscribe", "--bind-to", "none"]);
    oshrun.envs([NO_RDMA]);
    if hosts.is_some() {
        oshrun.args(["--host", &nodes]);
        use_ucx(&mut oshrun);
    }
    oshrun.arg("-n").arg(THREADS.to_string());
    oshrun.arg(&programs.shmem).arg(count).envs(process::MPI);
    collect_run(samples, "shmem.", &mut oshrun)?;
    if hosts.is_some() {
        let floor = |program: &Path, arguments: &[&str]| {
            let mut plain = plain(hosts, APART, program);
            use_ucx(&mut plain);
            plain.args(arguments).envs(MPI_BY_UCX.iter().copied());
            plain
        };
        let mpi = [count, "8", count, "serialized"];
        collect_run(samples, "engine.", &mut floor(&programs.mpi, &mpi))?;
        collect_run(samples, "socket.", &mut floor(&programs.socket, &[count]))?;
    }
    for (carrier, program) in &programs.upc {
        let mut upcrun = launcher(&context.upcrun);
        upcrun.arg("-n").arg(THREADS.to_string());
        upcrun.arg(program).arg(count).envs(process::MPI);
        upcrun.env("UPC_CACHE", "off");
        if hosts.is_some() {
            upcrun.env("UPC_NODES", &nodes);
            upcrun.envs(UCX_ON_HOSTS.iter().chain(MPI_BY_UCX).copied());
        }
        collect_run(samples, &format!("{}.", carrier.name), &mut upcrun)?;
    }
    Ok(())
}
