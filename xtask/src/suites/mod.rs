//! The suites of `cargo xtask test`, each with the question it asks.

mod big;
mod builds;
mod c_forms;
mod checks;
mod csmith;
mod events;
mod exports;
mod faults;
mod faults_lines;
mod faults_mpi;
mod faults_start;
mod gdb;
mod headers;
mod hotloops;
mod layouts;
mod libraries;
mod litmus;
mod mpi;
mod programs;
mod real_c;
mod rust;
mod samples;
mod scale;

pub use real_c::sources as real_c_sources;

use std::time::{Duration, Instant};

use crate::context::{Build, Context};
use crate::report::{self, Row, Tally};
use crate::tools::{self, Need};

/// A suite: its name on the command line and in the table, its question, what it needs, its cases.
struct Suite {
    name: &'static str,
    question: &'static str,
    needs: &'static [Need],
    /// Runs the built upcc.
    upcc: bool,
    run: fn(&Context) -> Result<Tally, String>,
}

#[rustfmt::skip]
const SUITES: &[Suite] = &[
    Suite { name: "fmt", question: "is the Rust text formatted?", needs: &[Need::Rustfmt], upcc: false, run: rust::fmt },
    Suite { name: "clippy", question: "does clippy find nothing?", needs: &[Need::Clippy], upcc: false, run: rust::clippy },
    Suite { name: "cargo", question: "do the unit, snapshot, diagnostics, fuzz and size tests of the crates pass?", needs: &[], upcc: false, run: rust::test },
    Suite { name: "runtime", question: "does the runtime alone keep its contracts?", needs: &[], upcc: false, run: rust::runtime },
    Suite { name: "layouts", question: "do affinity, phase, addresses and pointer arithmetic agree with elements dealt out one by one?", needs: &[], upcc: true, run: layouts::run },
    Suite { name: "programs", question: "does each construct of the language do what the specification says?", needs: &[], upcc: true, run: programs::run },
    Suite { name: "random", question: "do random programs print what an oracle in plain C prints, in the form that each seed chooses?", needs: &[], upcc: true, run: crate::fuzz::suite },
    Suite { name: "checks", question: "is every rule that checked builds know enforced, at its line and not before, and is nothing left without the flag?", needs: &[Need::Objdump], upcc: true, run: checks::run },
    Suite { name: "libraries", question: "does each function of the libraries do what the specification says?", needs: &[], upcc: true, run: libraries::run },
    Suite { name: "litmus", question: "does no shape of the memory model ever show a forbidden outcome?", needs: &[], upcc: true, run: litmus::run },
    Suite { name: "mpi", question: "do programs do over messages what they do in shared memory, on one machine and on three?", needs: &[Need::OpenMpi], upcc: true, run: mpi::run },
    Suite { name: "scale", question: "do messages and memory grow no faster than the logarithm of the number of threads, and do samples run on 64?", needs: &[Need::OpenMpi], upcc: true, run: scale::run },
    Suite { name: "faults", question: "does a job that goes wrong end at once, with one line, the right status and nothing left behind?", needs: &[], upcc: true, run: faults::run },
    Suite { name: "events", question: "is each performance event raised where it must be, with its arguments and its place, and nowhere else, and do tools link?", needs: &[], upcc: true, run: events::run },
    Suite { name: "samples", question: "does every sample verify its result, on each thread count and compiler, and by make CC=upcc?", needs: &[], upcc: true, run: samples::run },
    Suite { name: "builds", question: "do projects of CMake, autotools and old Makefiles, and programs of C, C++ and UPC, build and run with upcc?", needs: &[Need::Make, Need::Cmake, Need::Autotools, Need::Cxx], upcc: true, run: builds::run },
    Suite { name: "hotloops", question: "are the hot loops of two samples free of calls and divisions?", needs: &[Need::Objdump], upcc: true, run: hotloops::run },
    Suite { name: "gdb", question: "does gdb show UPC programs as their authors wrote them?", needs: &[Need::Gdb], upcc: true, run: gdb::run },
    Suite { name: "exports", question: "do other programs read in the exports of upcprof what the recording says?", needs: &[Need::Perfetto, Need::Speedscope], upcc: true, run: exports::run },
    Suite { name: "big", question: "do long and deep texts translate, in time that grows with them?", needs: &[], upcc: true, run: big::run },
    Suite { name: "c-forms", question: "does C printed from the IL, form by form, mean what it means to the C compiler?", needs: &[], upcc: true, run: c_forms::run },
    Suite { name: "csmith", question: "do random C programs print what gcc makes them print?", needs: &[Need::Csmith], upcc: true, run: csmith::run },
    Suite { name: "real-c", question: "do sqlite3, zlib and Lua work as built with gcc?", needs: &[], upcc: true, run: real_c::run },
    Suite { name: "headers", question: "does upcc take every system header that gcc takes alone?", needs: &[], upcc: true, run: headers::run },
];

/// What suites use if it is there, without needing it.
const WELCOME: &[Need] = &[Need::Clang, Need::OpenMpi, Need::Mpich];

/// Prints the suites.
pub fn list() {
    for suite in SUITES {
        println!("{:<13} {}", suite.name, suite.question);
    }
}

/// Runs the suites with these names, all if there are none. True: nothing failed. Err: the run itself could not go on.
pub fn run(long: bool, names: &[String]) -> Result<bool, String> {
    if let Some(unknown) = names
        .iter()
        .find(|name| SUITES.iter().all(|s| s.name != name.as_str()))
    {
        return Err(format!("no suite `{unknown}`: see --list"));
    }
    let chosen: Vec<&Suite> = SUITES
        .iter()
        .filter(|s| names.is_empty() || names.iter().any(|name| name == s.name))
        .collect();
    let needs: Vec<Need> = chosen
        .iter()
        .flat_map(|s| s.needs)
        .chain(WELCOME)
        .copied()
        .collect();
    tools::install(&needs);
    let context = Context::new(long, Build::Dev)?;
    let built = match chosen.iter().any(|s| s.upcc) {
        true => {
            println!("building upcc");
            context.build()
        }
        false => Ok(()),
    };
    let mut rows = Vec::new();
    for suite in chosen {
        println!("{}: {}", suite.name, suite.question);
        let start = Instant::now();
        let tally = run_one(suite, &context, &built);
        rows.push(Row {
            suite: suite.name,
            tally,
            time: start.elapsed(),
        });
    }
    Ok(report::print(&rows))
}

/// Every one in so many, all in a long run.
fn share<T>(long: bool, one_in: usize, all: &[T]) -> impl Iterator<Item = (usize, &T)> {
    all.iter()
        .enumerate()
        .filter(move |(index, _)| long || index % one_in == 0)
}

fn run_one(suite: &Suite, context: &Context, built: &Result<(), String>) -> Tally {
    let mut tally = Tally::default();
    if let Some(why) = tools::missing(suite.needs) {
        tally.skip("suite", &why);
        return tally;
    }
    let result = match built {
        Err(why) if suite.upcc => Err(format!("upcc does not build: {why}")),
        _ => (suite.run)(context),
    };
    result.unwrap_or_else(|why| Tally::one("suite", Err(why)))
}

/// Time limit of a whole build or test run of cargo.
const CARGO: Duration = Duration::from_secs(1800);
