//! Start-ups that fail: each with a status and a line that names the remedy.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::context::{COMPILE, Context, RUN, forever};
use crate::hosts::Hosts;
use crate::process;
use crate::report::Tally;
use crate::suites::test::{Shared, Test};
use crate::tools::{self, Need};

/// A command that must fail. Variables are set, or removed if they have no value.
struct Failing {
    name: String,
    command: Command,
    /// Texts in the line that names the remedy.
    says: &'static [&'static str],
    /// There is no other line.
    alone: bool,
    needs: &'static [Need],
}

/// The paths of the programs that the cases need, after [`build`] has made them.
struct Programs {
    source: PathBuf,
    smp: PathBuf,
    mpi: PathBuf,
    other: PathBuf,
    mpich: PathBuf,
    ucx: PathBuf,
}

pub fn tests(context: &'static Context, work: &'static Path) -> Vec<Test> {
    let programs: &Programs = forever(Programs {
        source: work.join("hello.upc"),
        smp: work.join("hello-smp"),
        mpi: work.join("hello-mpi"),
        other: work.join("hello-other"),
        mpich: work.join("hello-mpich"),
        ucx: work.join("hello-ucx"),
    });
    let built = Shared::default();
    let test = |mut case: Failing| {
        let built: Shared<()> = built.clone();
        Test::new(format!("start::{}", case.name), move || {
            if let Some(why) = tools::missing(case.needs) {
                return Tally::skipped(&case.name, &why);
            }
            let verdict = built.get(|| build(context, programs));
            {
                let met = verdict.and_then(|()| meet(&mut case));
                Tally::one(&case.name, met)
            }
        })
    };
    compiling(context, programs, work)
        .into_iter()
        .chain(launching(context, programs))
        .chain(by_mpirun(programs))
        .chain([by_others(programs), by_srun_to_ucx(programs)])
        .map(test)
        .chain([on_machines(context, programs, built.clone())])
        .collect()
}

/// Returns the test that all machines have the same reason to refuse, which is printed once.
fn on_machines(context: &'static Context, programs: &'static Programs, built: Shared<()>) -> Test {
    let name = "start::too large a heap on three machines";
    Test::new(name, move || {
        if let Some(why) = tools::missing(&[Need::OpenMpi]) {
            return Tally::skipped(name, &why);
        }
        let hosts = match Hosts::up(context) {
            Ok(hosts) => hosts,
            Err(why) => return Tally::skipped(name, &format!("network namespaces: {why}")),
        };
        let mut upcrun = hosts.upcrun();
        upcrun.args(["-n", "6", "-shared-heap", "400T"]);
        upcrun.arg(&programs.mpi);
        let mut case = failing(name, upcrun, &["shared heap"], true);
        let met = built.get(|| build(context, programs));
        Tally::one(name, met.and_then(|()| meet(&mut case)))
    })
}

/// Limits of a file's size in blocks of 512 bytes, below what MPI needs. Without a refusal, Open MPI's launcher waits
/// forever in some of these cases.
const LIMITS: &[(&str, u32, &[&str])] = &[
    (
        "files of 0 bytes",
        0,
        &[
            "limited to 0 bytes (ulimit -f)",
            "up to 5 MB: raise that limit",
        ],
    ),
    (
        "files of 10 KB",
        20,
        &[
            "limited to 10 KB (ulimit -f)",
            "up to 5 MB: raise that limit",
        ],
    ),
    (
        "files of 4 MB",
        8192,
        &[
            "limited to 4 MB (ulimit -f)",
            "up to 5 MB: raise that limit",
        ],
    ),
];

fn build(context: &Context, programs: &Programs) -> Result<(), String> {
    let text = "#include <upc.h>\n#include <stdio.h>\nint main(void) { printf(\"%d\\n\", MYTHREAD + NUMBER); return 0; }\n";
    crate::context::write(&programs.source, text)?;
    let make = |program: &Path, flags: &[&str]| {
        let mut upcc = context.upcc("gcc");
        upcc.args(flags)
            .arg(&programs.source)
            .arg("-o")
            .arg(program);
        process::must(&mut upcc, COMPILE).map(|_| ())
    };
    make(&programs.smp, &["-DNUMBER=1"])?;
    make(&programs.mpi, &["-DNUMBER=1", "-network=mpi"])?;
    make(&programs.other, &["-DNUMBER=2", "-network=mpi"])?;
    if tools::missing(&[Need::Ucx]).is_none() {
        make(&programs.ucx, &["-DNUMBER=1", "-network=ucx"])?;
    }
    if tools::missing(&[Need::Mpich]).is_some() {
        return Ok(());
    }
    let mpich = ["-DNUMBER=1", "-network=mpi", "-mpicc=mpicc.mpich"];
    make(&programs.mpich, &mpich)
}

fn command(program: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.args(args).envs(process::MPI);
    command
}

fn failing(
    name: impl Into<String>,
    command: Command,
    says: &'static [&'static str],
    alone: bool,
) -> Failing {
    Failing {
        name: name.into(),
        command,
        says,
        alone,
        needs: &[Need::OpenMpi],
    }
}

fn compiling(context: &Context, programs: &Programs, work: &Path) -> Vec<Failing> {
    let upcc = |wrapper: &str| {
        let mut upcc = context.upcc("gcc");
        upcc.args(["-network=mpi", "-DNUMBER=1"]);
        upcc.arg(format!("-mpicc={wrapper}"));
        upcc.arg(&programs.source).arg("-o").arg(work.join("none"));
        upcc
    };
    #[rustfmt::skip]
    let cases = vec![
        failing("no mpicc", upcc("/no/such/mpicc"), &["/no/such/mpicc -show", "install MPI", "-mpicc"], true),
        // The C compiler prints a message of its own.
        failing("an mpicc that is a C compiler", upcc("gcc"), &["gcc -show", "install MPI"], false),
        failing("an mpicc that says nothing", upcc("true"), &["names no library"], true),
    ];
    cases
}

fn launching(context: &Context, programs: &Programs) -> Vec<Failing> {
    let upcrun = |args: &[&str]| {
        let mut upcrun = command(&context.upcrun, args);
        upcrun.arg(&programs.mpi);
        upcrun
    };
    let with = |variable: &str, value: &str| {
        let mut upcrun = upcrun(&["-n", "2"]);
        upcrun.env(variable, value);
        upcrun
    };
    let mut unreachable = with("UPC_NODES", "no-such-machine:2");
    unreachable.env("OMPI_MCA_plm_rsh_agent", "false");
    let by_srun = first_of_srun(&programs.mpi);
    #[rustfmt::skip]
    let mut cases = vec![
        failing("no mpirun", with("UPC_MPIRUN", "/no/such/mpirun"), &["/no/such/mpirun", "does not start", "UPC_MPIRUN"], true),
        failing("wrong host name", with("UPC_NODES", "no-such-machine.invalid:2"), &["no-such-machine.invalid", "UPC_NODES"], false),
        failing("remote shell that fails", unreachable, &["no program can be started on machine `no-such-machine`", "`false no-such-machine true` fails"], false),
        failing("too large a heap", upcrun(&["-n", "2", "-shared-heap", "400T"]), &["shared heap"], true),
        failing("unknown option of the runtime", with("UPC_SHARED_HEAP_SIZE", "much"), &["UPC_SHARED_HEAP_SIZE: 'much' is not a size"], true),
        failing("srun without an interface to MPI", by_srun, &["srun has started 2 processes that MPI cannot connect", "srun --mpi=pmix"], true),
        failing("threads without a launcher", command(&programs.mpi, &["-n", "3"]), &["start it with upcrun -n 3"], true),
    ];
    for &(name, blocks, says) in LIMITS {
        for (mpi, program) in [("", &programs.mpi), (" of MPICH", &programs.mpich)] {
            let script = format!("ulimit -f {blocks}; exec \"$0\" -n 2 \"$1\"");
            let mut shell = command(Path::new("sh"), &["-c", &script]);
            shell.arg(&context.upcrun).arg(program);
            cases.push(Failing {
                needs: match mpi {
                    "" => &[Need::OpenMpi],
                    _ => &[Need::OpenMpi, Need::Mpich],
                },
                ..failing(format!("{name}{mpi}"), shell, says, true)
            });
        }
    }
    if rustix::process::geteuid().is_root() {
        let mut root = upcrun(&["-n", "2"]);
        for (name, _) in process::MPI {
            root.env_remove(name);
        }
        cases.push(failing(
            "Open MPI as root",
            root,
            &["OMPI_ALLOW_RUN_AS_ROOT=1 and OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1"],
            true,
        ));
    }
    cases
}

/// Returns the command of a program as the first of two processes of `srun --mpi=none` finds it.
fn first_of_srun(program: &Path) -> Command {
    let mut first = command(program, &[]);
    first
        .env("SLURM_STEP_NUM_TASKS", "2")
        .env("SLURM_PROCID", "0");
    first
}

/// Returns the case of a program of UCX whose processes cannot find one another.
fn by_srun_to_ucx(programs: &Programs) -> Failing {
    let says = &[
        "the launcher has started 2 processes but does not speak PMIx",
        "srun --mpi=pmix",
    ];
    Failing {
        needs: &[Need::OpenMpi, Need::Ucx],
        ..failing(
            "srun without an interface to PMIx",
            first_of_srun(&programs.ucx),
            says,
            true,
        )
    }
}

/// Returns the cases for MPI's own launcher.
fn by_mpirun(programs: &Programs) -> Vec<Failing> {
    let mpirun = |words: &[&str]| {
        command(
            Path::new("mpirun"),
            &[&["-q", "--oversubscribe"], words].concat(),
        )
    };
    let (smp, mpi, other) = (
        programs.smp.to_string_lossy(),
        programs.mpi.to_string_lossy(),
        programs.other.to_string_lossy(),
    );
    let threads = ["-x", "UPCR_THREADS=2"];
    let pair =
        |one: &[&str], two: &[&str]| mpirun(&[&["-n", "1"], one, &[":", "-n", "1"], two].concat());
    #[rustfmt::skip]
    let cases = vec![
        failing("program for one machine", mpirun(&["-n", "2", &smp]), &["compiled for one machine", "-network=mpi"], true),
        failing("different programs", pair(&[&threads[..], &[&mpi]].concat(), &[&threads[..], &[&other]].concat()), &["runs another program"], true),
        failing("different THREADS", pair(&["-x", "UPCR_THREADS=2", &mpi], &["-x", "UPCR_THREADS=3", &mpi]), &["was started with 3 threads, thread 0 with 2"], true),
        failing("different heaps", pair(&["-x", "UPCR_THREADS=2", "-x", "UPC_SHARED_HEAP_SIZE=64M", &mpi], &["-x", "UPCR_THREADS=2", "-x", "UPC_SHARED_HEAP_SIZE=32M", &mpi]), &["32 MB", "64 MB", "UPC_SHARED_HEAP_SIZE"], true),
        failing("too few processes", mpirun(&["-n", "2", "-x", "UPCR_THREADS=3", &mpi]), &["must run on 3 threads", "MPI has started 2 processes"], true),
    ];
    cases
}

/// Returns the case of a program built with another MPI than the launcher's.
fn by_others(programs: &Programs) -> Failing {
    let mut mpirun = command(
        Path::new("mpirun.openmpi"),
        &["-q", "--oversubscribe", "-n", "2"],
    );
    mpirun.args(["-x", "UPCR_THREADS=2"]).arg(&programs.mpich);
    Failing {
        needs: &[Need::OpenMpi, Need::Mpich],
        ..failing(
            "program of MPICH by Open MPI's launcher",
            mpirun,
            &["belongs to another MPI"],
            true,
        )
    }
}

fn meet(case: &mut Failing) -> Result<(), String> {
    // Open MPI's launchers share a folder that the last of them removes; a launcher that starts at that moment fails.
    let sessions = tempfile::tempdir().map_err(|error| error.to_string())?;
    case.command
        .env("OMPI_MCA_orte_tmpdir_base", sessions.path());
    let output = process::run(&mut case.command, RUN)?;
    let said = output.err();
    let fits = |line: &&str| case.says.iter().all(|text| line.contains(text));
    let wrong = if output.code().is_none_or(|code| code == 0) {
        "does not end with a status that is not 0"
    } else if !said.lines().any(|line| fits(&line)) {
        "no line says what to do"
    } else if case.alone && said.lines().count() != 1 {
        "there are other lines"
    } else {
        return Ok(());
    };
    Err(format!("{wrong}: {}", output.tail()))
}
