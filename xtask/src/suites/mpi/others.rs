//! Alternatives to upcrun with Open MPI: programs built with MPICH, started by srun, and by MPI's own launcher.

use std::path::Path;
use std::process::Command;

use crate::context::{COMPILE, Context, RUN, write};
use crate::process;
use crate::report::Tally;
use crate::suites::forms::{self, Form, Group, Setting};
use crate::suites::plan::Plan;
use crate::suites::programs::{self, Case};
use crate::suites::test::Test;
use crate::tools::{self, Need};

/// Returns a form of programs built with MPICH.
const fn mpich(name: &'static str, set: Setting) -> Form {
    Form {
        name,
        group: Group::Messages,
        cc: "gcc",
        flags: &["-O", forms::MESSAGES, "-pshm-width=1", "-mpicc=mpicc.mpich"],
        fixed: false,
        set,
        under: &[],
    }
}

static MPICH: &[Form] = &[
    mpich("mpich", &[("UPC_CACHE", "off")]),
    mpich("mpich-cache", &[("UPC_PSHM_DELAY", "1")]),
];
/// A normal run takes one in this number of programs of the other suites.
const SHARE: u64 = 15;
/// The largest number of threads.
const MOST: usize = 4;
/// Programs of this suite that end with an error, to which MPICH's launcher adds lines and a status of its own, as for
/// all jobs that fail.
const FAILING: &[&str] = &[
    "crash_in_array",
    "dies",
    "global_exit",
    "leaves",
    "leaves_work",
];

/// Returns the tests. own: programs of `tests/mpi`; others: of the other suites.
pub fn tests(
    context: &'static Context,
    work: &'static Path,
    own: &'static [Plan],
    others: &'static [Plan],
) -> Vec<Test> {
    let own = own
        .iter()
        .filter(|plan| !FAILING.contains(&plan.name.as_str()));
    let others = others
        .iter()
        .filter(|plan| plan.ends_well() && (context.long || forms::hash(&plan.name) % SHARE == 1));
    let mut tests: Vec<Test> = own
        .chain(others)
        .filter_map(|plan| by_mpich(context, work, plan))
        .collect();
    tests.push(Test::one("by a stand-in for srun", move || {
        srun(context, work)
    }));
    tests.push(Test::one("global exit by a stand-in for srun", move || {
        global_exit_by_srun(context, work)
    }));
    tests.push(Test::one("by mpirun alone", move || {
        by_launcher(context, work, "mpicc", &["mpirun", "-q", "--oversubscribe"])
    }));
    tests.push(needs_mpich("by MPICH's mpirun alone", move |name| {
        let verdict = by_launcher(context, work, "mpicc.mpich", &["mpirun.mpich"]);
        Tally::one(name, verdict)
    }));
    tests.push(needs_mpich("status of a crash under MPICH", move |name| {
        Tally::one(name, status_of_crash(context, work))
    }));
    tests
}

/// Checks that upcrun ends as the job does, though MPICH's launcher ends with the signal by which it ends the others.
fn status_of_crash(context: &Context, work: &Path) -> Result<(), String> {
    const SEGV: i32 = 139;
    let program = work.join("crash-mpich");
    let mut upcc = context.upcc("gcc");
    upcc.args([forms::MESSAGES, "-mpicc=mpicc.mpich", "-o"]);
    upcc.arg(&program)
        .arg(context.root.join("tests/mpi/crash_in_array.upc"));
    process::must(&mut upcc, COMPILE)?;
    let output = process::run(&mut context.upcrun(2, &program), RUN)?;
    match output.code() {
        Some(SEGV) => Ok(()),
        _ => Err(format!("not status {SEGV}: {}", output.tail())),
    }
}

/// Returns a test that is skipped without MPICH.
fn needs_mpich(name: &str, mut run: impl FnMut(&str) -> Tally + Send + 'static) -> Test {
    let case = name.to_owned();
    Test::new(name, move || match tools::missing(&[Need::Mpich]) {
        Some(why) => Tally::skipped(&case, &why),
        None => run(&case),
    })
}

/// Returns `None` if no form or no number of threads is suitable.
fn by_mpich(context: &'static Context, work: &'static Path, plan: &'static Plan) -> Option<Test> {
    let fit: Vec<&'static Form> = MPICH.iter().filter(|form| plan.fits(form)).collect();
    let form = *forms::choose(&plan.name, &fit)?;
    let few: Vec<usize> = plan
        .threads
        .iter()
        .copied()
        .filter(|n| *n <= MOST)
        .collect();
    let case = Case {
        plan,
        form,
        runs: vec![*forms::choose(&plan.name, &few)?],
    };
    let name = format!("{}::{}", plan.name, form.name);
    Some(needs_mpich(&name, move |_| {
        programs::one(context, work, &case)
    }))
}

/// Checks that a program without a given number of threads has as many as MPI's launcher has started processes.
fn by_launcher(
    context: &Context,
    work: &Path,
    mpicc: &str,
    launcher: &[&str],
) -> Result<(), String> {
    let program = work.join(format!("launched-{mpicc}"));
    let mut upcc = context.upcc("gcc");
    upcc.args([forms::MESSAGES, &format!("-mpicc={mpicc}"), "-o"]);
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

/// Checks that upcrun starts programs by srun within a Slurm allocation, also on machines of a file that Open MPI could
/// read; `multihost/srun` stands in for srun.
fn srun(context: &Context, work: &Path) -> Result<(), String> {
    let program = work.join("by-srun");
    let mut upcc = context.upcc("gcc");
    upcc.args(["-network=mpi", "-o"]).arg(&program);
    upcc.arg(context.root.join("tests/mpi/status.upc"));
    process::must(&mut upcc, COMPILE)?;
    write(
        &work.join("machines"),
        "# of a job\nlocalhost slots=2\nlocalhost slots=1\n",
    )?;
    // The same status as without srun: the largest, which is the last thread's.
    let direct = process::run(context.upcrun(3, &program).envs(process::MPI), RUN)?;
    let settings: [Setting; 2] = [&[], &[("UPC_NODEFILE", "machines")]];
    settings.iter().try_for_each(|set| {
        let mut upcrun = in_allocation(context, &program);
        upcrun.envs(set.iter().copied()).current_dir(work);
        let output = process::run(&mut upcrun, RUN)?;
        match output.err().contains("srun (stand-in) starts 3") && output.code() == direct.code() {
            true => Ok(()),
            false => Err(format!("not as by mpirun, {set:?}: {}", output.tail())),
        }
    })
}

/// Returns upcrun for three threads in an allocation of Slurm.
fn in_allocation(context: &Context, program: &Path) -> Command {
    let path = std::env::var("PATH").unwrap_or_default();
    let folder = context.root.join("xtask/multihost");
    let mut upcrun = context.upcrun(3, program);
    upcrun
        .envs(process::MPI)
        .env("SLURM_JOB_ID", "1")
        .env("PATH", format!("{}:{path}", folder.display()));
    upcrun
}

/// Checks that under srun the launchers end a job after `upc_global_exit` without an abort, about which Slurm prints lines,
/// and after which processes of MPICH have another status.
fn global_exit_by_srun(context: &Context, work: &Path) -> Result<(), String> {
    const STATUS: i32 = 7;
    let program = work.join("exits-by-srun");
    let mut upcc = context.upcc("gcc");
    upcc.args([forms::MESSAGES, "-o"]).arg(&program);
    upcc.arg(context.root.join("tests/mpi/global_exit.upc"));
    process::must(&mut upcc, COMPILE)?;
    let output = process::run(&mut in_allocation(context, &program), RUN)?;
    let is_flushed = output.out().matches("partial").count() == 3;
    let is_aborted = output.err().contains("MPI_ABORT was invoked");
    match output.code() == Some(STATUS) && is_flushed && !is_aborted {
        true => Ok(()),
        false => Err(format!(
            "no end with {STATUS} and all output, or an abort: {}",
            output.tail()
        )),
    }
}
