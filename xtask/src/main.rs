//! The command line of what a maintainer runs.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command-line program: printing is its answer"
)]

use std::process::ExitCode;

use clap::builder::PossibleValuesParser;
use clap::{Parser, Subcommand};
use xtask::{bench, fuzz, mutate, package, suites, tools};

#[derive(Parser)]
#[command(name = "cargo xtask", about = "Tasks of a upcc maintainer")]
struct Args {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Runs every suite, or those named, and prints a table and the counts.
    Test {
        /// The long form of each suite: more seeds, more combinations.
        #[arg(long)]
        long: bool,
        /// Prints the suites and the question each asks, runs nothing.
        #[arg(long)]
        list: bool,
        /// Only these suites, or of one only tests whose names contain a text: SUITE, SUITE::TEXT.
        suite: Vec<String>,
    },
    /// Installs what the suites, or those named, need, as far as this user may; says first what.
    Setup { suite: Vec<String> },
    /// Makes a Debian package of the release build.
    Package,
    /// Compares random programs with oracles in plain C.
    Fuzz(fuzz::Options),
    /// Plants mistakes in a copy of the project, one at a time, and shows that a random program fails because of each.
    Mutate(mutate::Options),
    /// Measures the translator and the programs it makes against their floors.
    Bench {
        /// Only these parts.
        #[arg(value_parser = PossibleValuesParser::new(bench::part_names()))]
        part: Vec<String>,
    },
}

fn main() -> ExitCode {
    let result = match Args::parse().task {
        Task::Test { list: true, .. } => {
            suites::list();
            Ok(true)
        }
        Task::Test { long, suite, .. } => suites::run(long, &suite),
        Task::Setup { suite } => suites::needs(&suite, false).map(|needs| {
            tools::install(&needs);
            true
        }),
        Task::Package => package::command(),
        Task::Fuzz(options) => fuzz::command(&options),
        Task::Mutate(options) => mutate::command(&options),
        Task::Bench { part } => bench::run(&part),
    };
    match result {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("xtask: {message}");
            ExitCode::from(2)
        }
    }
}
