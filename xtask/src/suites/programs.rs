//! Programs that check themselves, each in its forms ([`forms`]): those of `tests/programs`, of
//! `tests/libraries/LIBRARY`, and samples.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, LazyLock, Mutex};
use std::time::Duration;

use super::events::{hot, table::Table};
use super::forms::{self, Form, Group};
use super::plan::{Plan, Shows, folders, plans};
use super::test::Test;
use crate::context::{COMPILE, Context, RUN, forever, stem, write};
use crate::hosts::Hosts;
use crate::process::{self, Output};
use crate::report::Tally;
use crate::tools::{self, Need};

const THREADS: &[usize] = &[1, 2, 3, 4, 8];
const LIBRARY_THREADS: &[usize] = &[1, 2, 3, 4, 5, 8];

/// The time limit of a run over messages: each access of a test that reads every element may be a message, between more
/// processes than processors.
pub const MESSAGES_RUN: Duration = Duration::from_secs(240);
/// The largest number of threads over messages, which are slow if all threads share a few processors.
const MOST_APART: usize = 8;

/// A program in a form.
#[derive(Clone)]
pub struct Case {
    pub plan: &'static Plan,
    pub form: &'static Form,
    /// The thread counts to run on; static THREADS has one.
    pub runs: Vec<usize>,
}

pub fn language(context: &'static Context) -> Result<Vec<Test>, String> {
    let folder = context.root.join("tests/programs");
    tests(context, "programs", plans(&folder, THREADS, Shows::Pass)?)
}

pub fn samples(context: &'static Context) -> Result<Vec<Test>, String> {
    let mut tests = tests(context, "samples", sample_plans(context, THREADS)?)?;
    let work = context.fresh("samples-make")?;
    const MAKE: &str = "make CC=upcc";
    tests.push(match tools::missing(&[Need::Make]) {
        None => Test::one(MAKE, move || make(context, &work)),
        Some(why) => Test::new(MAKE, move || Tally::skipped(MAKE, &why)),
    });
    Ok(tests)
}

pub fn sample_plans(context: &Context, threads: &[usize]) -> Result<Vec<Plan>, String> {
    let mut samples = plans(&context.root.join("samples"), threads, Shows::Ok)?;
    for sample in &mut samples {
        sample.flags.push("-lm".to_owned());
    }
    Ok(samples)
}

pub fn libraries(context: &'static Context) -> Result<Vec<Test>, String> {
    tests(
        context,
        "libraries",
        library_plans(context, LIBRARY_THREADS)?,
    )
}

/// Returns the programs of the libraries; their names begin with the library's name.
pub fn library_plans(context: &Context, threads: &[usize]) -> Result<Vec<Plan>, String> {
    let mut all = Vec::new();
    for library in folders(&context.root.join("tests/libraries"))? {
        let mut programs = plans(&library, threads, Shows::Pass)?;
        for program in &mut programs {
            program.name = format!("{}-{}", stem(&library), program.name);
        }
        all.extend(programs);
    }
    Ok(all)
}

/// Returns a test for each program in each of its forms.
fn tests(context: &'static Context, suite: &str, plans: Vec<Plan>) -> Result<Vec<Test>, String> {
    let work: &Path = forever(context.fresh(suite)?).as_path();
    let plans: &'static [Plan] = forever(plans);
    let cases = plans.iter().flat_map(|plan| {
        forms::chosen(&plan.name, context.long, |form| plan.fits(form))
            .into_iter()
            .flat_map(|form| cases(plan, form, context.long))
    });
    Ok(cases.map(|case| test(context, work, case)).collect())
}

/// Returns the test of a case; a case that does not run reports the reason.
pub fn test(context: &'static Context, work: &'static Path, case: Case) -> Test {
    Test::new(name(&case), move || one(context, work, &case))
}

/// Returns the name of a case in its suite.
pub fn name(case: &Case) -> String {
    match (case.form.fixed, &case.runs[..]) {
        (true, [threads]) => format!("{}::{}::{threads}", case.plan.name, case.form.name),
        _ => format!("{}::{}", case.plan.name, case.form.name),
    }
}

/// Returns the cases of a program in a form. Dynamic THREADS: every second thread count in the default form, the first
/// or the second by the program's name, else one that the names choose. Static THREADS: a case for each count. A long
/// run takes all counts.
pub fn cases(plan: &'static Plan, form: &'static Form, long: bool) -> Vec<Case> {
    let counts = possible(plan, form);
    let several: Vec<usize> = counts.iter().copied().filter(|n| *n > 1).collect();
    // Most forms only make a difference with a second thread.
    let of_one = if several.is_empty() {
        &counts
    } else {
        &several
    };
    let name = format!("{} {}", plan.name, form.name);
    let runs: Vec<usize> = match form.group {
        _ if long => counts,
        Group::Plain => forms::every_second(&name, &counts, false),
        _ => forms::choose(&name, of_one).copied().into_iter().collect(),
    };
    let of = |runs: Vec<usize>| Case { plan, form, runs };
    match form.fixed {
        true => runs.into_iter().map(|count| of(vec![count])).collect(),
        false if runs.is_empty() => Vec::new(),
        false => vec![of(runs)],
    }
}

/// Returns the thread counts on which a program in a form may run.
fn possible(plan: &Plan, form: &Form) -> Vec<usize> {
    let few = |n: &usize| !form.over_messages() || *n <= MOST_APART;
    plan.threads.iter().copied().filter(few).collect()
}

/// Returns the program's name in the folder of its suite.
pub fn file_name(case: &Case) -> String {
    let fixed = match (case.form.fixed, &case.runs[..]) {
        (true, [threads, ..]) => format!("-{threads}"),
        _ => String::new(),
    };
    format!("{}-{}{fixed}", case.plan.name, case.form.name)
}

/// Compiles a case into the folder `work` and runs it.
pub fn one(context: &Context, work: &Path, case: &Case) -> Tally {
    let name = file_name(case);
    let mut tally = Tally::default();
    if let Some(why) = case.form.missing() {
        tally.skip(&name, &why);
        return tally;
    }
    let program = match compiled(context, work, case) {
        Ok(program) => program,
        Err(why) => {
            tally.add(&name, Err(why));
            return tally;
        }
    };
    for &threads in &case.runs {
        tally.add(
            &format!("{name} on {threads} threads"),
            execute(context, work, case, &program, threads),
        );
    }
    tally
}

/// The inputs of a compilation: the folder of the suite, the program's name, the C compiler, the form's flags, the
/// number of threads for static THREADS.
type Compilation = (
    PathBuf,
    &'static str,
    &'static str,
    &'static [&'static str],
    Option<usize>,
);

/// The compiled programs of this run. A program's lock is held while it is compiled.
static COMPILED: LazyLock<Mutex<HashMap<Compilation, Program>>> = LazyLock::new(Mutex::default);

/// `None`: not compiled so far.
type Program = Arc<Mutex<Option<PathBuf>>>;

/// Compiles a case into the folder `work`. Forms that differ only in the environment of their runs share one program.
pub fn compiled(context: &Context, work: &Path, case: &Case) -> Result<PathBuf, String> {
    let threads = case.runs.first().filter(|_| case.form.fixed);
    let Form { cc, flags, .. } = *case.form;
    let key = (
        work.to_owned(),
        &*case.plan.name,
        cc,
        flags,
        threads.copied(),
    );
    let panicked = "another test has panicked";
    let shared = match COMPILED.lock() {
        Ok(mut all) => Arc::clone(all.entry(key).or_default()),
        Err(_) => return Err(panicked.to_owned()),
    };
    let mut shared = shared.lock().map_err(|_| panicked.to_owned())?;
    if let Some(program) = &*shared {
        return Ok(program.clone());
    }
    let program = work.join(file_name(case));
    compile(context, case, &program)?;
    *shared = Some(program.clone());
    Ok(program)
}

fn compile(context: &Context, case: &Case, program: &Path) -> Result<(), String> {
    let mut flags: Vec<String> = case.plan.flags.clone();
    for flag in case.form.flags {
        flags.push((*flag).to_owned());
        if *flag == forms::INST_ONLY {
            flags.push(some_events(context, case, program)?);
        }
    }
    if let (true, [threads, ..]) = (case.form.fixed, &case.runs[..]) {
        flags.push(format!("-T={threads}"));
    }
    // The first program with its flags builds the runtime, perhaps on a machine that others use.
    let limit = COMPILE * 5;
    let mut link = context.upcc(case.form.cc);
    link.args(&flags);
    match &case.plan.sources[..] {
        [single] => {
            link.arg(single);
        }
        several => {
            for source in several {
                let object = program.with_extension(format!("{}.o", stem(source)));
                let mut upcc = context.upcc(case.form.cc);
                upcc.args(&flags).arg("-c").arg(source);
                process::must(upcc.arg("-o").arg(&object), limit)?;
                link.arg(object);
            }
        }
    }
    process::must(link.arg("-o").arg(program), limit).map(|_| ())
}

/// Returns the file of a list for `--inst-only`: half of the events, chosen differently for each program, and those
/// that the program counts.
fn some_events(context: &Context, case: &Case, program: &Path) -> Result<String, String> {
    let table = Table::read(context)?;
    let counted = |symbol: &str| {
        let mut counts = case.plan.counts.iter();
        counts.any(|count| symbol.strip_prefix("GASP_") == Some(&count.event))
    };
    let chosen = |symbol: &&str| {
        forms::hash(&format!("{} {symbol}", case.plan.name)).is_multiple_of(2) || counted(symbol)
    };
    let names: Vec<&str> = table.symbols().filter(chosen).collect();
    let list = program.with_extension("list");
    write(&list, &(names.join("\n") + "\n"))?;
    Ok(list.display().to_string())
}

fn execute(
    context: &Context,
    work: &Path,
    case: &Case,
    program: &Path,
    threads: usize,
) -> Result<(), String> {
    let mut upcrun = Command::new(&context.upcrun);
    let limit = match (case.form.over_messages(), case.form.under) {
        (true, _) => MESSAGES_RUN,
        (false, []) => RUN * 2,
        // An emulator takes ten times as long.
        (false, _) => RUN * 10,
    };
    let profile = work.join(format!("{}.{threads}.upcprof", file_name(case)));
    let instrumented = case.form.group == Group::Instrumented;
    if instrumented {
        upcrun
            .env("UPC_TOOL", "measure")
            .env("UPC_MEASURE", "profile")
            .env("UPC_MEASURE_FILE", &profile);
    }
    launch(case, upcrun, program, threads, limit)?;
    if instrumented && case.plan.ends_well() {
        as_counted(context, case, threads, &profile)?;
    }
    Ok(())
}

/// Checks that the profile has the numbers of events that the program specifies.
fn as_counted(
    context: &Context,
    case: &Case,
    threads: usize,
    profile: &Path,
) -> Result<(), String> {
    let counts = &case.plan.counts;
    if counts.is_empty() {
        return Ok(());
    }
    let table = Table::read(context)?;
    if let Some(count) = counts.iter().find(|it| table.symbol(&it.event).is_none()) {
        return Err(format!("there is no event {}", count.event));
    }
    let rows = hot::rows(context, "--by=event", profile)?;
    counts
        .iter()
        .try_for_each(|count| count.hold(case.form, threads, &rows))
}

/// Runs a program by `upcrun`, a command to which options may be added.
pub fn launch(
    case: &Case,
    upcrun: Command,
    program: &Path,
    threads: usize,
    limit: Duration,
) -> Result<(), String> {
    let output = output(case, upcrun, program, threads, limit)?;
    case.plan.judge(&output)
}

/// Does the same, and leaves it to the caller to judge what the program has done.
pub fn output(
    case: &Case,
    mut upcrun: Command,
    program: &Path,
    threads: usize,
    limit: Duration,
) -> Result<Output, String> {
    let plan = case.plan;
    upcrun
        .arg("-n")
        .arg(threads.to_string())
        .args(&plan.upcrun)
        .args(case.form.under)
        .arg(program)
        .envs(process::MPI)
        .envs(case.form.set.iter().copied())
        .envs(plan.set.iter().map(|(name, value)| (name, value)));
    process::run(&mut upcrun, limit)
}

/// Compiles a case and runs it on three machines, on its single thread count.
pub fn on_hosts(context: &Context, work: &Path, case: &Case, hosts: &Hosts) -> Result<(), String> {
    let program = compiled(context, work, case)?;
    case.runs
        .iter()
        .try_for_each(|threads| launch(case, hosts.upcrun(), &program, *threads, MESSAGES_RUN))
}

/// Builds and checks a copy of the samples with their own Makefile.
fn make(context: &Context, work: &Path) -> Result<(), String> {
    let copy = work.join("make");
    process::must(
        Command::new("cp")
            .arg("-r")
            .arg(context.root.join("samples"))
            .arg(&copy),
        COMPILE,
    )?;
    let mut make = Command::new("make");
    make.arg("-C")
        .arg(&copy)
        .arg("check")
        .arg(format!("CC={}", context.upcc.display()));
    process::must(&mut make, Duration::from_secs(300)).map(|_| ())
}
