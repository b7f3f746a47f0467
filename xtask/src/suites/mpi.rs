//! Programs that exchange messages by MPI: those of `tests/mpi`, of the other suites, and samples, on this machine as if each thread were on one of its
//! own, and on three machines made of network namespaces; and the transport's conformance suite ([`contract`]) on both.
//!
//! All of it is for a long run. The others take every [`SHARE`]th program of the other suites, with one cache each, and every second of those to the
//! three machines; and our own programs with all caches.

mod contract;
mod others;
mod placement;

use std::path::{Path, PathBuf};
use std::process::Command;

use super::programs::{self, Case, Plan, Setting};
use super::samples::one_said_ok;
use super::share;
use crate::context::{COMPILE, Context, RUN, files, stem};
use crate::hosts::Hosts;
use crate::process;
use crate::report::Tally;

/// As if each thread were alone on a machine.
pub const FLAGS: &[&str] = &[programs::MESSAGES, "-pshm-width=1"];
/// Threads that reach one another on a machine.
const TOGETHER: &[&str] = &[programs::MESSAGES];
const THREADS: &[usize] = &[2, 3, 4];
/// A run that is not long takes one program in so many.
const SHARE: usize = 3;
/// And one of those in so many to the three machines.
const HOSTS_SHARE: usize = 2;
/// Of programs that run on any number of threads, on three machines.
pub const HOSTS_THREADS: usize = 6;
/// No more threads than these: their messages take time where all share a few processors.
const MOST_THREADS: usize = 8;

/// What programs run with on three machines, in turn: each machine's threads together, or all apart, with a cache or without.
const HOSTS_SETTINGS: &[Setting] = &[
    &[("UPC_PSHM_WIDTH", "8")],
    &[("UPC_PSHM_WIDTH", "1"), ("UPC_CACHE", "off")],
    &[("UPC_PSHM_WIDTH", "8"), ("UPC_CACHE", "on")],
    &[("UPC_PSHM_WIDTH", "1")],
];

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
    let own_cases = cases.len();
    for (turn, (_, plan)) in share(context.long, SHARE, &others).enumerate() {
        let few: Vec<usize> = plan
            .threads
            .iter()
            .copied()
            .filter(|n| *n <= MOST_THREADS)
            .collect();
        let counts = few.len().max(1);
        if let Some(threads) = few.get(turn % counts) {
            cases.push(Case {
                cache: (!context.long).then_some(turn / counts),
                ..case(plan, FLAGS, vec![*threads])
            });
        }
    }
    let samples = files(&context.root.join("samples"), "upc")?;
    let samples: Vec<&PathBuf> = share(context.long, SHARE, &samples)
        .map(|(_, path)| path)
        .collect();

    let mut tally = context.each(&cases, |case| programs::one(context, &work, case));
    tally.join(context.each(&samples, |path| sample(context, &work, path)));
    tally.join(others::run(context, &work, &own, &others));
    tally.join(placement::run(context, &work)?);
    let contract = contract::build(context, &work);
    tally.join(contract::one_host(context, &contract));
    match Hosts::up(context) {
        Ok(hosts) => {
            let everywhere: Vec<(usize, &Case)> = cases[..own_cases]
                .iter()
                .enumerate()
                .chain(share(context.long, HOSTS_SHARE, &cases[own_cases..]))
                .collect();
            tally.join(context.each(&everywhere, |(index, case)| {
                on_hosts(&hosts, &work, *index, case)
            }));
            let samples: Vec<_> = share(context.long, HOSTS_SHARE, &samples).collect();
            tally.join(context.each(&samples, |(_, path)| sample_on_hosts(&hosts, &work, path)));
            tally.join(contract::three_hosts(context, &hosts, &contract));
        }
        Err(why) => tally.skip("three machines", &why),
    }
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
        cache: None,
    }
}

/// A program that has been compiled for this machine, on three.
fn on_hosts(hosts: &Hosts, work: &Path, index: usize, case: &Case) -> Tally {
    let any = case.threads.is_none() && case.plan.threads.len() > 1;
    let threads = match any {
        true => HOSTS_THREADS,
        false => case.runs[case.runs.len() - 1],
    };
    let setting = HOSTS_SETTINGS[index % HOSTS_SETTINGS.len()];
    let name = programs::file_name(case);
    let verdict = programs::launch(
        case.plan,
        hosts.upcrun(),
        &work.join(&name),
        threads,
        setting,
        programs::MESSAGES_RUN,
    );
    Tally::one(
        &format!(
            "{name} on {threads} threads of three machines{}",
            programs::in_words(setting)
        ),
        verdict,
    )
}

/// Runs a sample, which says whether its result is right.
fn run_sample(
    mut upcrun: Command,
    name: &str,
    threads: usize,
    program: &Path,
) -> Result<(), String> {
    upcrun
        .arg("-n")
        .arg(threads.to_string())
        .arg(program)
        .envs(process::MPI);
    process::must(&mut upcrun, RUN * 2).and_then(|output| one_said_ok(name, &output))
}

fn sample(context: &Context, work: &Path, path: &Path) -> Tally {
    let name = stem(path);
    let program = work.join(&name);
    let mut upcc = context.upcc("gcc");
    upcc.arg("-O").args(FLAGS).arg(path).arg("-o").arg(&program);
    let verdict = process::must(&mut upcc, COMPILE)
        .and_then(|_| run_sample(Command::new(&context.upcrun), &name, 3, &program));
    Tally::one(&format!("sample {name}"), verdict)
}

fn sample_on_hosts(hosts: &Hosts, work: &Path, path: &Path) -> Tally {
    let name = stem(path);
    let mut upcrun = hosts.upcrun();
    upcrun.env("UPC_PSHM_WIDTH", "8");
    let verdict = run_sample(upcrun, &name, HOSTS_THREADS, &work.join(&name));
    Tally::one(&format!("sample {name} on three machines"), verdict)
}
