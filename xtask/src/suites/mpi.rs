//! Programs that exchange messages by MPI: those of `tests/mpi`, of the other suites, and samples, on this machine as if each thread were on one of its
//! own, and those of `tests/mpi` on three machines made of network namespaces (`xtask/multihost`).

use std::path::Path;
use std::process::Command;

use super::programs::{self, Case, Plan};
use crate::context::{COMPILE, Context, RUN, files, stem};
use crate::process;
use crate::report::Tally;

const FLAGS: &[&str] = &["-network=mpi", "-pshm-width=1"];
/// Threads that reach one another on a machine.
const TOGETHER: &[&str] = &["-network=mpi"];
const THREADS: &[usize] = &[2, 3, 4];
/// A run that is not long takes one program in so many.
const SHARE: usize = 3;

/// Folders of the other suites whose programs run here, too.
const FOLDERS: &[&str] = &[
    "tests/programs",
    "tests/libraries/atomic",
    "tests/libraries/bupc",
    "tests/libraries/castable",
    "tests/libraries/collective",
    "tests/libraries/io",
    "tests/libraries/nb",
    "tests/libraries/tick",
    "tests/litmus",
];

pub fn run(context: &Context) -> Result<Tally, String> {
    let work = context.fresh("mpi")?;
    let own = programs::plans(&context.root.join("tests/mpi"), THREADS)?;
    let mut others = Vec::new();
    for folder in FOLDERS {
        others.extend(programs::plans(&context.root.join(folder), THREADS)?);
    }
    let mut cases: Vec<Case> = Vec::new();
    for plan in &own {
        cases.push(case(plan, FLAGS, plan.threads.clone()));
        cases.push(case(plan, TOGETHER, plan.threads.clone()));
    }
    let chosen = others
        .iter()
        .enumerate()
        .filter(|(index, _)| context.long || index % SHARE == 0);
    for (index, plan) in chosen {
        let few: Vec<usize> = plan.threads.iter().copied().filter(|n| *n <= 8).collect();
        if let Some(threads) = few.get(index % few.len().max(1)) {
            cases.push(case(plan, FLAGS, vec![*threads]));
        }
    }
    let mut tally = context.each(&cases, |case| programs::one(context, &work, case));
    let samples = files(&context.root.join("samples"), "upc")?;
    let samples: Vec<_> = samples
        .into_iter()
        .enumerate()
        .filter(|(index, _)| context.long || index % SHARE == 0)
        .map(|(_, path)| path)
        .collect();
    tally.join(context.each(&samples, |path| sample(context, &work, path)));
    tally.join(hosts(context, &work, &own));
    Ok(tally)
}

fn case<'a>(plan: &'a Plan, flags: &'static [&'static str], runs: Vec<usize>) -> Case<'a> {
    Case {
        plan,
        cc: "gcc",
        threads: (!plan.wants("dynamic")).then(|| runs[0]),
        optimise: true,
        flags,
        runs,
    }
}

fn sample(context: &Context, work: &Path, path: &Path) -> Tally {
    let name = stem(path);
    let program = work.join(&name);
    let mut upcc = context.upcc("gcc");
    upcc.arg("-O").args(FLAGS).arg(path).arg("-o").arg(&program);
    let verdict = process::must(&mut upcc, COMPILE)
        .and_then(|_| {
            let mut upcrun = context.upcrun(3, &program);
            process::must(upcrun.envs(process::MPI), RUN * 2)
        })
        .and_then(|output| match output.out().lines().last() {
            Some(line) if line.starts_with(&format!("{name}: OK")) => Ok(()),
            _ => Err(format!("its last line does not say OK: {}", output.tail())),
        });
    Tally::one(&format!("sample {name}"), verdict)
}

/// Six threads on three machines.
fn hosts(context: &Context, work: &Path, plans: &[Plan]) -> Tally {
    let scripts = context.root.join("xtask/multihost");
    let script = |name: &str| Command::new(scripts.join(name));
    let mut tally = Tally::default();
    if let Err(why) = process::must(script("hosts").arg("up"), COMPILE) {
        tally.skip("three machines", &format!("network namespaces: {why}"));
        return tally;
    }
    for plan in plans {
        let Some(threads) = plan.threads.iter().copied().max() else {
            continue;
        };
        let program = work.join(programs::file_name(&case(plan, TOGETHER, vec![threads])));
        let mut run = script("rsh");
        run.arg("upctest1")
            .arg(&context.upcrun)
            .args(["-n", &threads.to_string()])
            .arg(&program)
            .envs(process::MPI)
            .env("UPC_NODES", "10.99.0.1:2,10.99.0.2:2,10.99.0.3:2")
            .env("OMPI_MCA_plm_rsh_agent", scripts.join("rsh"))
            .env("OMPI_MCA_rmaps_base_mapping_policy", "node")
            .env("OMPI_MCA_oob_tcp_if_include", "10.99.0.0/24")
            .env("OMPI_MCA_btl_tcp_if_include", "10.99.0.0/24");
        let verdict = process::run(&mut run, RUN).and_then(|output| plan.judge(&output));
        tally.add(&format!("{} on three machines", plan.name()), verdict);
    }
    // What is left behind would be in the way of nobody but the next run, which removes it first.
    let _ = process::must(script("hosts").arg("down"), COMPILE);
    tally
}
