//! Other ways than upcrun and Open MPI's: programs built with MPICH, the start by srun, and by MPI's own launcher.

use super::{Case, case};
use crate::context::{COMPILE, Context, RUN};
use crate::process;
use crate::report::Tally;
use crate::suites::programs::{self, Plan};
use crate::tools::{self, Need};
use std::path::Path;
use std::process::Command;

const MPICH: &[&str] = &[programs::MESSAGES, "-pshm-width=1", "-mpicc=mpicc.mpich"];
/// A run that is not long takes one program of the other suites in so many.
const SHARE: usize = 15;
/// Of our own programs those to whose end MPICH's launcher adds lines and a status of its own, as to that of all jobs that fail.
const FAILING: &[&str] = &[
    "crash_in_array",
    "dies",
    "global_exit",
    "leaves",
    "leaves_work",
];

/// own: programs of `tests/mpi`; others: of the other suites.
pub fn run(context: &Context, work: &Path, own: &[Plan], others: &[Plan]) -> Tally {
    let mut tally = mpich(context, work, own, others);
    tally.join(srun(context, work));
    tally.join(launchers(context, work));
    tally
}

/// A program that nobody has told of a number of threads has as many as MPI's launcher has started processes.
fn launchers(context: &Context, work: &Path) -> Tally {
    let mut tally = Tally::one(
        "by mpirun alone",
        by_launcher(context, work, "mpicc", &["mpirun", "-q", "--oversubscribe"]),
    );
    if tools::missing(&[Need::Mpich]).is_none() {
        let verdict = by_launcher(context, work, "mpicc.mpich", &["mpirun.mpich"]);
        tally.join(Tally::one("by MPICH's mpirun alone", verdict));
    }
    tally
}

fn by_launcher(
    context: &Context,
    work: &Path,
    mpicc: &str,
    launcher: &[&str],
) -> Result<(), String> {
    let program = work.join(format!("launched-{mpicc}"));
    let mut upcc = context.upcc("gcc");
    upcc.args([programs::MESSAGES, &format!("-mpicc={mpicc}"), "-o"]);
    upcc.arg(&program)
        .arg(context.root.join("samples/hello.upc"));
    process::must(&mut upcc, COMPILE)?;
    let mut start = Command::new(launcher[0]);
    start.args(&launcher[1..]).args(["-n", "3"]).arg(&program);
    let output = process::must(start.envs(process::MPI), RUN)?;
    match output.out().contains("hello: OK (3 threads") {
        true => Ok(()),
        false => Err(format!("not 3 threads: {}", output.tail())),
    }
}

fn mpich(context: &Context, work: &Path, own: &[Plan], others: &[Plan]) -> Tally {
    let mut tally = Tally::default();
    if let Some(why) = tools::missing(&[Need::Mpich]) {
        tally.skip("programs built with MPICH", &why);
        return tally;
    }
    let own = own
        .iter()
        .filter(|plan| !FAILING.contains(&plan.name.as_str()));
    let others = others
        .iter()
        .enumerate()
        .filter(|(index, plan)| plan.ends_well() && (context.long || index % SHARE == 1));
    let mut cases: Vec<Case> = Vec::new();
    for (index, plan) in own.chain(others.map(|(_, plan)| plan)).enumerate() {
        let few: Vec<usize> = plan.threads.iter().copied().filter(|n| *n <= 4).collect();
        if let Some(threads) = few.get(index % few.len().max(1)) {
            cases.push(Case {
                cache: (!context.long).then_some(index / few.len()),
                ..case(plan, MPICH, vec![*threads])
            });
        }
    }
    tally.join(context.each(&cases, |case| programs::one(context, work, case)));
    tally
}

/// Within an allocation of Slurm's upcrun starts programs by srun, for which `multihost/srun` stands in.
fn srun(context: &Context, work: &Path) -> Tally {
    let program = work.join("by-srun");
    let mut upcc = context.upcc("gcc");
    upcc.args(["-network=mpi", "-o"]).arg(&program);
    upcc.arg(context.root.join("tests/mpi/status.upc"));
    let path = std::env::var("PATH").unwrap_or_default();
    let folder = context.root.join("xtask/multihost");
    let mut upcrun = context.upcrun(3, &program);
    upcrun
        .envs(process::MPI)
        .env("SLURM_JOB_ID", "1")
        .env("PATH", format!("{}:{path}", folder.display()));
    let verdict = process::must(&mut upcc, COMPILE)
        .and_then(|_| process::run(&mut upcrun, RUN))
        .and_then(|output| {
            // As without srun: the largest status, here of the last thread.
            let direct = process::run(context.upcrun(3, &program).envs(process::MPI), RUN)?;
            match output.err().contains("srun (stand-in) starts 3")
                && output.code() == direct.code()
            {
                true => Ok(()),
                false => Err(format!("not as by mpirun: {}", output.tail())),
            }
        });
    Tally::one("by a stand-in for srun", verdict)
}
