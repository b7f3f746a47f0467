//! The command line of what a maintainer runs.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command-line program: printing is its answer"
)]

use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

use clap::builder::PossibleValuesParser;
use clap::{Parser, Subcommand};
use xtask::{bench, fuzz, hosts, mutate, package, suites, tools};

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
        /// Only these programs of the parts `advice` and `predict`.
        #[arg(long, value_name = "NAME")]
        program: Vec<String>,
        /// The costs for the part `predict`: those of turns that this folder has are read, the others measured and written there.
        #[arg(long, value_name = "FOLDER")]
        costs: Option<PathBuf>,
    },
    /// Runs a command on the first of three machines, which upcrun finds in UPC_NODES.
    Hosts {
        /// For how many microseconds what a machine sends is under way: one number for all, or three.
        #[arg(long, value_delimiter = ',', default_value = "0")]
        delay: Vec<u64>,
        /// The command; its arguments are words of a shell.
        #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true)]
        command: Vec<String>,
    },
}

/// With this variable, `upcc` compiles the runtime so that any warning is an error. All processes of the tests inherit it, so
/// that they share the libraries.
const STRICT_RUNTIME: &str = "UPCC_STRICT_RUNTIME";

/// Runs this command once more, with the variable. Returns only if that fails.
fn with_strict_runtime() -> Result<bool, String> {
    let program = std::env::current_exe().map_err(|error| format!("cannot find xtask: {error}"))?;
    let mut again = Command::new(program);
    again
        .args(std::env::args_os().skip(1))
        .env(STRICT_RUNTIME, "1");
    Err(format!("cannot run xtask: {}", again.exec()))
}

fn main() -> ExitCode {
    let result = match Args::parse().task {
        Task::Test { list: true, .. } => {
            suites::list();
            Ok(true)
        }
        Task::Test { .. } if std::env::var_os(STRICT_RUNTIME).is_none() => with_strict_runtime(),
        Task::Test { long, suite, .. } => suites::run(long, &suite),
        Task::Setup { suite } => suites::needs(&suite, false).map(|needs| {
            tools::install(&needs);
            true
        }),
        Task::Package => package::command(),
        Task::Fuzz(options) => fuzz::command(&options),
        Task::Mutate(options) => mutate::command(&options),
        Task::Bench {
            part,
            program,
            costs,
        } => bench::run(&part, program, costs),
        Task::Hosts { delay, command } => hosts::command(&delay, &command),
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
