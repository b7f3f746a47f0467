//! The programs of `tests/races`, compiled with `-fupc-races`: the detector reports exactly the pairs of lines that a
//! program declares, and no pair of a program that declares none. Nor does it report anything of the samples and of the
//! programs of other suites.
//!
//! A program declares `// race: 14 20`, a line for each pair, and `// lock-order: 20 31`. It runs several times, each
//! time with other delays. No run may report a pair that is not declared, and each declared pair must be in some run.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use super::forms::{self, Form, Group, fixed, form};
use super::plan::{Plan, Shows, plans};
use super::programs::{self, Case};
use super::race_reports::{Report, Reports, hold};
use super::test::Test;
use crate::context::{Context, RUN, forever};
use crate::process::Output;
use crate::report::Tally;

const THREADS: &[usize] = &[2, 3, 4];

/// The numbers of runs of a program of `tests/races`, each with a seed of its own: in a normal run and in a long one.
const RUNS: u64 = 3;
const RUNS_LONG: u64 = 20;

/// The forms in which a long run takes a program.
#[derive(Clone, Copy)]
enum Breadth {
    /// Every form; the forms of a normal run on every number of threads.
    Every,
    /// One form by the program's name: the program tests something else, and is here only to draw no report.
    One,
}

/// A normal run takes one in this number of programs with each thread as if on a machine of its own.
const SHARE: u64 = 3;

/// The exit status of a job that ends well after reports.
const REPORTED: i32 = 66;

const FLAG: &str = "-fupc-races";

/// The forms of which a normal run takes one for each program.
static PLAIN: &[Form] = &[
    form("races", Group::Compiler, "gcc", &["-O"], &[]),
    fixed("races-static", Group::Static, "gcc", &["-O"]),
];

/// The forms of which a normal run takes one for every third program.
static APART: &[Form] = &[
    form(
        "races-apart",
        Group::Apart,
        "gcc",
        &["-O", "-pshm-width=1"],
        &[],
    ),
    fixed(
        "races-apart-static",
        Group::Apart,
        "gcc",
        &["-O", "-pshm-width=1"],
    ),
];

/// The forms of a long run only.
static FURTHER: &[Form] = &[
    form("races-O0", Group::Compiler, "gcc", &["-O0"], &[]),
    form("races-clang", Group::Compiler, "clang", &["-O2"], &[]),
    form(
        "races-struct",
        Group::Compiler,
        "gcc",
        &["-O2", "-fupc-pts=struct"],
        &[],
    ),
    form(
        "races-struct-apart",
        Group::Apart,
        "gcc",
        &["-O", "-fupc-pts=struct", "-pshm-width=1"],
        &[],
    ),
    ALL,
];

/// The form in which accesses through all private pointers are seen, too.
const ALL: Form = form(
    "races-all",
    Group::Compiler,
    "gcc",
    &["-O", "-fupc-races=all"],
    &[],
);

/// Programs of one folder.
struct Programs {
    /// What the names of their tests begin with.
    prefix: &'static str,
    plans: Vec<Plan>,
    breadth: Breadth,
    runs: Runs,
}

/// How often programs run, and what is required of each run.
#[derive(Clone, Copy)]
struct Runs {
    count: u64,
    /// A program that draws no report prints nothing on standard error.
    silent: bool,
}

pub fn tests(context: &'static Context) -> Result<Vec<Test>, String> {
    let mut tests = Vec::new();
    let work = context.fresh("races")?;
    for programs in programs(context)? {
        let work = forever(work.join(programs.prefix)).as_path();
        fs::create_dir_all(work).map_err(|e| format!("{}: {e}", work.display()))?;
        for plan in detected(programs.plans) {
            let cases = match context.long {
                true => cases_long(plan, programs.breadth),
                false => cases(plan),
            };
            tests.extend(cases.into_iter().map(|case| {
                let name = format!("{}{}", programs.prefix, programs::name(&case));
                test(context, work, name, case, programs.runs)
            }));
        }
    }
    Ok(tests)
}

/// Returns the programs of a run.
fn programs(context: &Context) -> Result<Vec<Programs>, String> {
    let folder = |name: &str| plans(&context.root.join(name), THREADS, Shows::Pass);
    let others = |prefix, plans, breadth| Programs {
        prefix,
        plans,
        breadth,
        runs: Runs {
            count: 1,
            silent: false,
        },
    };
    let own = Programs {
        prefix: "",
        plans: folder("tests/races")?,
        breadth: Breadth::Every,
        runs: Runs {
            count: if context.long { RUNS_LONG } else { RUNS },
            silent: true,
        },
    };
    let mut all = vec![own];
    let samples = programs::sample_plans(context, &[2, 4])?;
    all.push(others("samples-", samples, Breadth::Every));
    if context.long {
        let libraries = programs::library_plans(context, THREADS)?;
        all.push(others("programs-", folder("tests/programs")?, Breadth::One));
        all.push(others("libraries-", libraries, Breadth::One));
    }
    Ok(all)
}

/// Adds the detector's flag to the programs that do not have one of its flags themselves. The mode includes the checks,
/// before which some programs leave out what they report.
fn detected(mut plans: Vec<Plan>) -> &'static [Plan] {
    for plan in &mut plans {
        plan.flags.push("-DCHECKED".to_owned());
        if !plan.flags.iter().any(|flag| flag.starts_with(FLAG)) {
            plan.flags.push(FLAG.to_owned());
        }
    }
    forever(plans)
}

/// Returns the cases of a program in a normal run.
fn cases(plan: &'static Plan) -> Vec<Case> {
    let one = |forms: &'static [Form], key: &str| by_name(plan, key, fitting(plan, forms));
    let apart = forms::hash(&plan.name).is_multiple_of(SHARE);
    let apart = apart.then(|| one(APART, "apart")).flatten();
    let forms = one(PLAIN, "races").into_iter().chain(apart);
    forms
        .flat_map(|form| programs::cases(plan, form, false))
        .collect()
}

/// Returns the cases of a program in a long run.
fn cases_long(plan: &'static Plan, breadth: Breadth) -> Vec<Case> {
    let usual = fitting(plan, PLAIN).chain(fitting(plan, APART));
    let further = fitting(plan, FURTHER);
    match breadth {
        Breadth::Every => {
            let usual = usual.flat_map(|form| programs::cases(plan, form, true));
            let further = further.flat_map(|form| programs::cases(plan, form, false));
            usual.chain(further).collect()
        }
        Breadth::One => by_name(plan, "long", usual.chain(further))
            .into_iter()
            .flat_map(|form| programs::cases(plan, form, false))
            .collect(),
    }
}

fn fitting(plan: &Plan, forms: &'static [Form]) -> impl Iterator<Item = &'static Form> {
    forms.iter().filter(|form| plan.fits(form))
}

/// Returns the form that the program's name chooses.
fn by_name(
    plan: &Plan,
    key: &str,
    forms: impl Iterator<Item = &'static Form>,
) -> Option<&'static Form> {
    let forms: Vec<&'static Form> = forms.collect();
    forms::choose(&format!("{} {key}", plan.name), &forms).copied()
}

fn test(
    context: &'static Context,
    work: &'static Path,
    name: String,
    case: Case,
    runs: Runs,
) -> Test {
    Test::new(name.clone(), move || {
        let mut tally = Tally::default();
        if let Some(why) = case.form.missing() {
            tally.skip(&name, &why);
            return tally;
        }
        match programs::compiled(context, work, &case) {
            Err(why) => tally.add(&name, Err(why)),
            Ok(program) => {
                for &threads in &case.runs {
                    tally.add(
                        &format!("{name} on {threads} threads"),
                        judged(context, &case, &program, threads, runs),
                    );
                }
            }
        }
        tally
    })
}

/// Runs a program several times and compares the reports with those that it declares.
fn judged(
    context: &Context,
    case: &Case,
    program: &Path,
    threads: usize,
    runs: Runs,
) -> Result<(), String> {
    let plan = case.plan;
    let declared: BTreeSet<Report> = plan.reports.iter().cloned().collect();
    let mut seen = Reports::default();
    for seed in 1..=runs.count {
        let (output, reports) = run(context, case, program, threads, seed)?;
        let verdict = match plan.races {
            true => Ok(()),
            false => hold(&declared, &reports, &output.err()),
        };
        // What the program declares to print there has been compared already.
        let is_silent = runs.silent && plan.stderr.is_empty();
        let noise = is_silent && reports.all.is_empty() && !output.err().is_empty();
        let verdict = match noise {
            true => Err("without reports, standard error is not empty".to_owned()),
            false => verdict,
        };
        verdict.map_err(|why| format!("{why}, with seed {seed}: {}", output.tail()))?;
        seen.join(reports);
    }
    if plan.races {
        return Ok(());
    }
    let missing = declared.difference(&seen.all).next();
    let named = |name: &&String| seen.elements.iter().any(|element| element.contains(*name));
    let element = plan.elements.iter().find(|name| !named(name));
    match (missing, element) {
        (Some(report), _) => Err(format!("no run of {} reports {report}", runs.count)),
        (None, Some(name)) => Err(format!(
            "no run of {} names {name}, but {:?}",
            runs.count, seen.elements
        )),
        (None, None) => Ok(()),
    }
}

/// Runs a program once. It ends as it does without the detector, except for the status after reports.
fn run(
    context: &Context,
    case: &Case,
    program: &Path,
    threads: usize,
    seed: u64,
) -> Result<(Output, Reports), String> {
    let file = program.with_extension(format!("{threads}.{seed}.json"));
    // A file of an earlier run of the same test must not stand for this run's.
    let _ = fs::remove_file(&file);
    let mut upcrun = Command::new(&context.upcrun);
    upcrun
        .env("UPC_RACES_JSON", &file)
        .env("UPC_RACES_SEED", seed.to_string());
    let output = programs::output(case, upcrun, program, threads, RUN * 2)?;
    let with_output = |why: String| format!("{why}, with seed {seed}: {}", output.tail());
    let reports = match case.plan.ends_well() {
        true => Reports::read(&file, threads).map_err(with_output)?,
        // A job that is ended may leave no file, or one with half a line.
        false => Reports::read(&file, threads).unwrap_or_default(),
    };
    let success = match reports.all.is_empty() {
        true => 0,
        false => REPORTED,
    };
    case.plan
        .judge_with(&output, success)
        .map_err(|why| format!("with seed {seed}: {why}"))?;
    Ok((output, reports))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Enough programs with races, and enough without.
    const LEAST: usize = 30;

    #[test]
    fn programs_of_both_kinds_are_many() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/races");
        let plans =
            plans(&folder, THREADS, Shows::Pass).expect("the programs declare what they draw");
        let wrong = plans.iter().filter(|plan| !plan.reports.is_empty()).count();
        let right = plans.len() - wrong;
        assert!(wrong >= LEAST && right >= LEAST, "{wrong} and {right}");
    }
}
