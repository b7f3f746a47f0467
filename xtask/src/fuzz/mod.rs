//! Random programs, which are free of races by construction. Each is compared with an oracle in plain C.
//!
//! `generate` makes a program from a seed, as data (`model`). `print` writes it in UPC and as the oracle. `forms` says how it is compiled and run.
//! `run` compares the two. `reduce` makes a failing program small.

#[cfg(test)]
mod coverage;
mod forms;
mod generate;
mod model;
mod print;
mod reduce;
mod run;
mod visit;

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use clap::Args;

use crate::context::{Build, Context, forever};
use crate::report::Tally;
use crate::suites::Test;
use crate::suites::forms::Form;
use generate::generate;
use model::Program;
use print::{Dialect, print};
use run::{Failure, Files, Trouble};

/// The programs of the command, and fresh ones in a long run.
const PROGRAMS: u64 = 300;
const PROGRAMS_LONG: u64 = 10_000;
/// The first seed of the command and of a normal run.
const FIRST: u64 = 1;
/// A normal run takes the seeds that this number divides.
const STEP: usize = 3;
/// So many failing programs are reduced, each for at most so long.
const REDUCED: usize = 3;
const REDUCE: Duration = Duration::from_secs(120);

/// The options of `cargo xtask fuzz`.
#[derive(Args)]
pub struct Options {
    /// The first seed
    #[arg(long)]
    seed: Option<u64>,
    /// Programs; 1 with --seed, else 300
    #[arg(long)]
    count: Option<u64>,
    /// Seeds that no run had before
    #[arg(long)]
    fresh: bool,
    /// All in this form, in place of one that the seed chooses
    #[arg(long)]
    form: Option<String>,
    /// Reduces each program that fails
    #[arg(long)]
    reduce: bool,
    /// Ends at the first program that fails
    #[arg(long)]
    first: bool,
    /// Prints the program of the seed: `upc`, or `oracle`
    #[arg(long, value_name = "TEXT")]
    show: Option<String>,
}

/// How programs are tried.
struct Plan {
    folder: PathBuf,
    form: Option<String>,
    /// How many failing programs may still be reduced.
    reduce: AtomicUsize,
    first: bool,
    /// One has failed.
    failed: AtomicBool,
}

/// The suite `random`: a test for each program.
///
/// # Errors
/// The folder of the suite cannot be made.
pub fn tests(context: &'static Context) -> Result<Vec<Test>, String> {
    let (count, step) = match context.long {
        true => (PROGRAMS_LONG, 1),
        false => (PROGRAMS, STEP),
    };
    let plan: &Plan = forever(Plan {
        folder: context.fresh("random")?,
        form: None,
        reduce: AtomicUsize::new(REDUCED),
        first: false,
        failed: AtomicBool::new(false),
    });
    Ok(seeds(context.seed, count)
        .skip(step - 1)
        .step_by(step)
        .map(|seed| Test::one(format!("seed-{seed}"), move || program(context, plan, seed)))
        .collect())
}

/// `cargo xtask fuzz`. True: no program failed.
///
/// # Errors
/// Programs cannot be tried at all.
pub fn command(options: &Options) -> Result<bool, String> {
    let first = match (options.seed, options.fresh) {
        (Some(seed), _) => seed,
        (None, true) => fresh(),
        (None, false) => FIRST,
    };
    if let Some(which) = &options.show {
        let dialect = match which.as_str() {
            "upc" => Dialect::Upc,
            "oracle" => Dialect::Oracle,
            _ => return Err(format!("no text `{which}`: there are upc and oracle")),
        };
        print!("{}", print(&generate(first), dialect));
        return Ok(true);
    }
    let context = Context::new(false, Build::Dev)?;
    context.build(false)?;
    let usual = match options.seed {
        Some(_) => 1,
        None => PROGRAMS,
    };
    let count = options.count.unwrap_or(usual);
    println!(
        "seeds {first} to {}",
        first.wrapping_add(count.saturating_sub(1))
    );
    let plan = Plan {
        folder: context.fresh("random")?,
        form: options.form.clone(),
        reduce: AtomicUsize::new(if options.reduce { usize::MAX } else { 0 }),
        first: options.first,
        failed: AtomicBool::new(false),
    };
    let tally = context.each(seeds(first, count).collect(), |seed| {
        if plan.first && plan.failed.load(Ordering::Relaxed) {
            return Tally::default();
        }
        let verdict = program(&context, &plan, seed);
        if let Err(why) = &verdict {
            plan.failed.store(true, Ordering::Relaxed);
            // At once: a long run may be cut off.
            println!("\nFAILED seed {seed}\n    {}", why.trim_end());
        }
        Tally::one(&format!("seed {seed}"), verdict)
    });
    println!("{} passed, {} failed", tally.passed, tally.failures.len());
    Ok(tally.failures.is_empty())
}

/// A seed that depends on the time.
#[must_use]
pub fn fresh() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(1, |time| time.as_nanos() as u64 / 1000)
}

fn seeds(first: u64, count: u64) -> impl Iterator<Item = u64> {
    (0..count).map(move |at| first.wrapping_add(at))
}

/// Tries the program of a seed. What fails stays in the folder.
fn program(context: &Context, plan: &Plan, seed: u64) -> Result<(), String> {
    let program = generate(seed);
    let form = forms::of(&program, plan.form.as_deref())?;
    let files = Files::new(&plan.folder, &seed.to_string());
    let Err(failure) = run::check(context, &files, &program, form, false) else {
        files.remove();
        return Ok(());
    };
    let mut report = format!(
        "{:?}: {}\n    {}\n    {}",
        failure.trouble,
        failure.why,
        forms::in_words(form, &program),
        files.upc.display()
    );
    let mine = plan
        .reduce
        .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| {
            left.checked_sub(1)
        });
    if mine.is_ok() && failure.trouble != Trouble::Oracle {
        let reduced = reduced(context, plan, &program, form, &failure);
        report.push_str(&format!("\n    reduced: {}", reduced.display()));
    }
    Err(report)
}

/// The text of the smallest program that was found to fail in the same way.
fn reduced(
    context: &Context,
    plan: &Plan,
    program: &Program,
    form: &Form,
    failure: &Failure,
) -> PathBuf {
    let attempt = Files::new(&plan.folder, &format!("{}-attempt", program.seed));
    let small = reduce::reduce(program, REDUCE, &mut |program| {
        run::check(context, &attempt, program, form, true)
            .is_err_and(|other| other.trouble == failure.trouble)
    });
    attempt.remove();
    let files = Files::new(&plan.folder, &format!("{}-reduced", program.seed));
    // The report names the file; one that cannot be written is missed there.
    let _ = files.write(&small);
    files.upc
}
