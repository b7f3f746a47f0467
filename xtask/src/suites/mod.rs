//! The suites of `cargo xtask test`, each with the question it answers.

mod analyze;
mod big;
mod builds;
mod c_forms;
mod checks;
mod counts;
mod csmith;
mod editors;
mod events;
mod exports;
mod faults;
mod faults_lines;
mod faults_mpi;
mod faults_start;
mod faults_waits;
pub mod forms;
mod gdb;
mod headers;
mod hotloops;
mod kernels;
mod layouts;
mod litmus;
mod loops;
mod machines;
pub mod mpi;
mod packages;
mod plan;
mod pool;
mod programs;
mod race_reports;
mod races;
mod real_c;
mod reports;
mod runtime;
mod rust;
mod scale;
mod sections;
mod shapes;
mod test;
mod tool_pages;

pub use analyze::advice;
pub use events::{KNOWN_FLAGS, KNOWN_SIZES, estimate_ratios};
pub use real_c::sources as real_c_sources;
pub use test::Test;

use std::time::{Duration, Instant};

use crate::context::{Build, Context, forever};
use crate::report::{self, Cost, Row, Tally};
use crate::tools::{self, Need};

/// A suite: its name on the command line and in the table, its question, its needs, its tests.
struct Suite {
    name: &'static str,
    question: &'static str,
    needs: &'static [Need],
    tests: Tests,
}

/// The contents of a suite.
enum Tests {
    /// Checks by cargo of the source text; they come before all tests.
    Source(fn(&Context) -> Result<Tally, String>),
    /// Test targets of cargo, which a harness of cargo does not run again.
    Cargo(fn(&'static Context) -> Result<Vec<Test>, String>),
    /// Tests that run the built `upcc`, one by one.
    Upcc(fn(&'static Context) -> Result<Vec<Test>, String>),
}
use Tests::{Cargo, Source, Upcc};

#[rustfmt::skip]
const SUITES: &[Suite] = &[
    Suite { name: "fmt", question: "is the Rust text formatted?", needs: &[Need::Rustfmt], tests: Source(rust::fmt) },
    Suite { name: "clippy", question: "does clippy find nothing?", needs: &[Need::Clippy], tests: Source(rust::clippy) },
    Suite { name: "cargo", question: "do the unit, snapshot, diagnostics, fuzz and size tests of the crates pass?", needs: &[], tests: Cargo(rust::tests) },
    Suite { name: "runtime", question: "does the runtime alone keep its contracts?", needs: &[], tests: Upcc(runtime::tests) },
    Suite { name: "layouts", question: "do affinity, phase, addresses and pointer arithmetic agree with elements dealt out one by one?", needs: &[], tests: Upcc(layouts::tests) },
    Suite { name: "programs", question: "does each construct of the language do what the specification says, in every form?", needs: &[], tests: Upcc(programs::language) },
    Suite { name: "random", question: "do random programs do what an oracle in plain C does, in the form that each seed chooses?", needs: &[], tests: Upcc(crate::fuzz::tests) },
    Suite { name: "checks", question: "is every rule that checked builds know enforced, at its line and not before, and is nothing left without the flag?", needs: &[Need::Objdump], tests: Upcc(checks::tests) },
    Suite { name: "libraries", question: "does each function of the libraries do what the specification says, in every form?", needs: &[], tests: Upcc(programs::libraries) },
    Suite { name: "litmus", question: "does no shape of the memory model ever show a forbidden outcome?", needs: &[], tests: Upcc(litmus::tests) },
    Suite { name: "races", question: "does the race detector report each race and each order of locks that a program declares, and nothing else?", needs: &[], tests: Upcc(races::tests) },
    Suite { name: "mpi", question: "do programs do over messages what they do in shared memory, on one machine and on three?", needs: &[Need::OpenMpi], tests: Upcc(mpi::tests) },
    Suite { name: "scale", question: "do messages and memory grow no faster than the logarithm of the number of threads, and do samples run on 64?", needs: &[Need::OpenMpi], tests: Upcc(scale::tests) },
    Suite { name: "faults", question: "does a job that goes wrong end at once, with one line, the right status and nothing left behind?", needs: &[], tests: Upcc(faults::tests) },
    Suite { name: "events", question: "is each performance event raised where it must be, with its arguments and its place, and nowhere else, and do tools link?", needs: &[], tests: Upcc(events::tests) },
    Suite { name: "loops", question: "do random loops give what they give without shared memory, and is each of their accesses reported to a tool?", needs: &[], tests: Upcc(loops::tests) },
    Suite { name: "sections", question: "do random counted loops leave the elements that plain C leaves, whatever becomes of the loops?", needs: &[], tests: Upcc(sections::tests) },
    Suite { name: "samples", question: "does every sample verify its result, in every form, and by make CC=upcc?", needs: &[], tests: Upcc(programs::samples) },
    Suite { name: "kernels", question: "do the kernels of the benchmarks verify their results, in UPC, with OpenMP and with MPI?", needs: &[], tests: Upcc(kernels::tests) },
    Suite { name: "builds", question: "do projects of CMake, autotools, pkg-config, ccache and old Makefiles, and programs of C, C++ and UPC, build and run with upcc?", needs: &[Need::Make, Need::Cmake, Need::Ninja, Need::PkgConfig, Need::Ccache, Need::Autotools, Need::Cxx], tests: Upcc(builds::tests) },
    Suite { name: "packages", question: "is a Debian package the same when it is made again, and does what it installs work?", needs: &[Need::Cmake, Need::Dpkg], tests: Upcc(packages::tests) },
    Suite { name: "hotloops", question: "are hot loops free of calls, divisions and jumps, and vectorised where their private twins are?", needs: &[Need::Objdump], tests: Upcc(hotloops::tests) },
    Suite { name: "gdb", question: "does gdb show UPC programs as their authors wrote them?", needs: &[Need::Gdb], tests: Upcc(gdb::tests) },
    Suite { name: "tools", question: "do valgrind, sanitizers, gcov, perf, core files and clang-format show of UPC programs what docs/tools.md says?", needs: &[], tests: Upcc(tool_pages::tests) },
    Suite { name: "analyze", question: "does upcprof analyze find the fault planted in a program, its line and its thread?", needs: &[], tests: Upcc(analyze::tests) },
    Suite { name: "editors", question: "do Vim, Emacs, the grammar of VS Code and the header for clangd know the words of UPC, and the editors the messages of upcc?", needs: &[Need::Clang, Need::Vim, Need::Emacs, Need::TextMate], tests: Upcc(editors::tests) },
    Suite { name: "exports", question: "do other programs read in the exports of upcprof what the recording says?", needs: &[Need::Perfetto, Need::Speedscope, Need::Gnuplot, Need::Otf2], tests: Upcc(exports::tests) },
    Suite { name: "reports", question: "does the page of upcprof report work in a browser, by keys and clicks, and is nothing that a recording names a script?", needs: &[Need::Chromium], tests: Upcc(reports::tests) },
    Suite { name: "big", question: "do long and deep texts translate, in time that grows with them?", needs: &[], tests: Upcc(big::tests) },
    Suite { name: "c-forms", question: "does C printed from the IL, form by form, mean what it means to the C compiler?", needs: &[], tests: Upcc(c_forms::tests) },
    Suite { name: "csmith", question: "do random C programs print what gcc makes them print?", needs: &[Need::Csmith], tests: Upcc(csmith::tests) },
    Suite { name: "real-c", question: "do sqlite3, zlib and Lua work as built with gcc?", needs: &[], tests: Upcc(real_c::tests) },
    Suite { name: "machines", question: "in a long run: do programs work on other machines and with every version of gcc and clang?", needs: &[], tests: Upcc(machines::tests) },
    Suite { name: "headers", question: "does upcc take every system header that gcc takes alone?", needs: &[], tests: Upcc(headers::tests) },
];

/// Suites whose tests mostly wait: for messages between three machines, for time limits. No two of them run in parallel
/// while other tests are left.
const WAITING: &[&str] = &["mpi", "faults"];

/// Large tools that are installed only for a long run, or if a command names their suite.
const ON_REQUEST: &[(&str, &[Need])] = &[
    (
        "machines",
        &[
            Need::Aarch64,
            Need::Riscv64,
            Need::Musl,
            Need::OtherCompilers,
        ],
    ),
    ("editors", &[Need::Clangd]),
];

/// Tools that suites use if they are installed, without needing them.
const WELCOME: &[Need] = &[
    Need::Clang,
    Need::OpenMpi,
    Need::Mpich,
    Need::Ucx,
    Need::Gdb,
    Need::Valgrind,
    Need::Perf,
    Need::ClangFormat,
    Need::Meson,
];

/// Prints the suites.
pub fn list() {
    for suite in SUITES {
        println!("{:<13} {}", suite.name, suite.question);
    }
}

/// Returns what suites with these names, or all suites if there are none, need and may use. long: in a long run.
///
/// # Errors
/// A name of an unknown suite.
pub fn needs(names: &[String], long: bool) -> Result<Vec<Need>, String> {
    let chosen = chosen(names)?;
    let needs = chosen.iter().flat_map(|(suite, _)| suite.needs);
    let named = |name: &str| {
        names
            .iter()
            .any(|word| word.split("::").next() == Some(name))
    };
    let asked = ON_REQUEST.iter();
    let asked = asked.filter(|(suite, _)| named(suite) || (long && names.is_empty()));
    let asked = asked.flat_map(|(_, needs)| needs.iter());
    Ok(needs.chain(WELCOME).chain(asked).copied().collect())
}

/// Returns the suites that words of the command line name, each with the texts that the names of its tests must
/// contain: `programs::locks::inst`.
fn chosen(words: &[String]) -> Result<Vec<(&'static Suite, Vec<&str>)>, String> {
    if words.is_empty() {
        return Ok(SUITES.iter().map(|suite| (suite, Vec::new())).collect());
    }
    let mut chosen: Vec<(&'static Suite, Vec<&str>)> = Vec::new();
    for word in words {
        let (name, filter) = word.split_once("::").unwrap_or((word, ""));
        let suite = SUITES.iter().find(|suite| suite.name == name);
        let suite = suite.ok_or_else(|| format!("no suite `{name}`: see --list"))?;
        match chosen.iter_mut().find(|(known, _)| known.name == name) {
            Some((_, filters)) => filters.push(filter),
            None => chosen.push((suite, vec![filter])),
        }
    }
    Ok(chosen)
}

/// Runs the suites with these names, or all suites if there are none, or some of their tests. Returns true if nothing
/// failed.
///
/// # Errors
/// The run itself could not continue.
pub fn run(long: bool, words: &[String]) -> Result<bool, String> {
    let chosen = chosen(words)?;
    tools::install(&needs(words, long)?);
    let mut context = Context::new(long, Build::Dev)?;
    if long {
        context.seed = crate::fuzz::fresh();
        println!("random programs: seeds from {} on", context.seed);
    }
    let context = forever(context);
    let any = |kind: fn(&Tests) -> bool| chosen.iter().any(|(suite, _)| kind(&suite.tests));
    let built = match any(|tests| matches!(tests, Upcc(_))) {
        true => {
            println!("building upcc");
            context.build(any(|tests| matches!(tests, Cargo(_))))
        }
        false => Ok(()),
    };
    let start = Instant::now();
    let mut rows = Vec::new();
    let mut batches = Vec::new();
    for (suite, filters) in chosen {
        println!("{}: {}", suite.name, suite.question);
        let missing = tools::missing(suite.needs);
        let tests = match (&suite.tests, missing, &built) {
            (_, Some(why), _) => {
                // Whatever tests are asked for.
                let (suite, tests) = (suite.name, Ok(vec![not_run(why)]));
                batches.push(pool::Batch { suite, tests });
                continue;
            }
            (Source(run), ..) => {
                rows.push(source(suite, *run, context));
                continue;
            }
            (Cargo(tests), ..) => tests(context),
            (Upcc(_), None, Err(why)) => Err(format!("upcc does not build: {why}")),
            (Upcc(tests), None, Ok(())) => tests(context),
        };
        let wanted = |test: &Test| filters.iter().any(|filter| test.name.contains(filter));
        let tests = tests.map(|mut tests| {
            tests.retain(|test| filters.is_empty() || wanted(test));
            tests
        });
        let suite = suite.name;
        batches.push(pool::Batch { suite, tests });
    }
    rows.extend(pool::run(context.jobs, batches));
    report::write_costs(&rows, &context.work.join("costs.csv"))?;
    Ok(report::print(&rows, start.elapsed()))
}

fn source(
    suite: &Suite,
    run: fn(&Context) -> Result<Tally, String>,
    context: &'static Context,
) -> Row {
    let mut test = Test::new(suite.name, move || {
        run(context).unwrap_or_else(|why| Tally::one("suite", Err(why)))
    });
    let tally = test.run();
    let mut cost = Cost::default();
    tally.costs.iter().for_each(|(_, part)| cost += *part);
    Row {
        suite: suite.name,
        tally,
        cost,
    }
}

fn not_run(why: String) -> Test {
    Test::new("suite", move || Tally::skipped("suite", &why))
}

/// Returns the tests of all suites that run the built `upcc`, for a harness; of one suite if only that is asked for. A
/// suite that cannot run on this machine is one test that reports this.
///
/// # Errors
/// The tests of a suite cannot be listed.
pub fn tests(context: &'static Context, only: Option<&str>) -> Result<Vec<Test>, String> {
    let mut all = Vec::new();
    for suite in SUITES {
        let Upcc(tests) = suite.tests else { continue };
        if only.is_some_and(|only| only != suite.name) {
            continue;
        }
        let tests = match tools::missing(suite.needs) {
            None => tests(context)?,
            Some(why) => vec![not_run(why)],
        };
        all.extend(tests.into_iter().map(|test| test.in_suite(suite.name)));
    }
    Ok(all)
}

/// The time limit of a whole build or test run of cargo.
const CARGO: Duration = Duration::from_secs(1800);
