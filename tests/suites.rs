//! The suites of `cargo xtask test` that compile and run programs, as tests of `cargo test` and `cargo nextest run`:
//! `cargo test --test suites -- programs::locks` runs a program in its forms, `programs::locks::inst` in some of them; `--list` names all.
//!
//! `UPCC_TEST_LONG` in the environment asks for the long form of each suite; random programs begin with seed `UPCC_TEST_SEED`, 1 if it says nothing. What suites need beyond Rust and a C compiler, `cargo xtask setup` installs;
//! a test whose needs are not met is ignored, with the reason.

#![allow(clippy::print_stderr, reason = "a harness says why it cannot run")]

use std::fs;
use std::process::ExitCode;

use libtest_mimic::{Arguments, Completion, Failed, Trial};
use xtask::context::{Build, Context, forever};
use xtask::report::Tally;
use xtask::suites::{self, Test};

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    match run(&arguments) {
        Ok(code) => code,
        Err(why) => {
            eprintln!("suites: {why}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &Arguments) -> Result<ExitCode, String> {
    let long = std::env::var_os("UPCC_TEST_LONG").is_some();
    let mut context = Context::new(long, Build::Dev)?.of_this_process();
    if let Some(seed) = std::env::var_os("UPCC_TEST_SEED") {
        let seed = seed.to_str().and_then(|seed| seed.parse().ok());
        context.seed = seed.ok_or("UPCC_TEST_SEED is no number")?;
    }
    let context: &Context = forever(context);
    // nextest starts a process for each test: only the suite of that test is listed.
    let only = match arguments.exact {
        true => arguments
            .filter
            .as_deref()
            .and_then(|name| name.split_once("::")),
        false => None,
    };
    let tests = suites::tests(context, only.map(|(suite, _)| suite))?;
    let conclusion = libtest_mimic::run(arguments, tests.into_iter().map(trial).collect());
    if !conclusion.has_failed() {
        // What a failed test has left shows why it failed. What cannot be removed is in nobody's way.
        let _ = fs::remove_dir_all(&context.work);
    }
    Ok(conclusion.exit_code())
}

fn trial(mut test: Test) -> Trial {
    let name = test.name.clone();
    Trial::ignorable_test(name, move || verdict(&test.run()))
}

/// A test that has passed nothing and failed nothing did not run.
fn verdict(tally: &Tally) -> Result<Completion, Failed> {
    let lines = |cases: &[(String, String)]| -> String {
        let lines: Vec<String> = cases
            .iter()
            .map(|(case, why)| format!("{case}: {why}"))
            .collect();
        lines.join("\n")
    };
    match (
        tally.failures.is_empty(),
        tally.passed,
        tally.skipped.is_empty(),
    ) {
        (false, ..) => Err(Failed::from(lines(&tally.failures))),
        (true, 0, false) => Ok(Completion::ignored_with(lines(&tally.skipped))),
        (true, ..) => Ok(Completion::Completed),
    }
}
