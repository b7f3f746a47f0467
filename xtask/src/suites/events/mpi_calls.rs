//! The program's own calls of MPI (`-uses-mpi`): `tests/events/mpi/calls.c` has a mark for each. No event may come from
//! the messages of the runtime.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::marks::{self, Mark, Mode, Setting};
use super::table::Table;
use super::{compiler, dump};
use crate::context::{COMPILE, Context, RUN, read};
use crate::process;
use crate::report::Tally;
use crate::suites::forms;
use crate::suites::test::Test;
use crate::tools::{self, Need};

/// The marks are those of this number.
const THREADS: usize = 2;
/// What events of MPI begin with.
const OF_MPI: &str = "UPCC_MPI_";

fn source(context: &Context) -> PathBuf {
    context.root.join("tests/events/mpi/calls.c")
}

/// Returns the marks of the program.
///
/// # Errors
/// A mark that cannot be parsed.
pub fn marks(context: &Context, table: &Table) -> Result<Vec<Mark>, String> {
    marks::read_marks(&source(context), table)
}

pub fn tests(
    context: &'static Context,
    work: &'static Path,
    table: &'static Table,
    marks: &'static [Mark],
) -> Vec<Test> {
    let name = "calls of MPI";
    vec![
        Test::one("every function of MPI with an event is called", move || {
            all_called(context)
        }),
        Test::new(name, move || match tools::missing(&[Need::OpenMpi]) {
            Some(why) => Tally::skipped(name, &why),
            None => Tally::one(
                name,
                check(context, work, table, marks).and_then(|()| has_none(context, work)),
            ),
        }),
    ]
}

/// Checks that the program calls each function that `upcr/mpi_calls.h` defines.
fn all_called(context: &Context) -> Result<(), String> {
    let header = read(&context.root.join("runtime-c/include/upcr/mpi_calls.h"))?;
    let mut names = BTreeSet::new();
    for line in header.lines() {
        if let Some(rest) = line.strip_prefix("int MPI_") {
            names.extend(rest.split('(').next());
        } else if let Some((_, words)) = line
            .strip_prefix("UPCR_MPI_")
            .and_then(|rest| rest.split_once("_("))
        {
            // `UPCR_MPI_SENDS_(Send, Isend)`, `UPCR_MPI_WAIT_(Wait, (MPI_Request * request, ...`
            let words = words.split('(').next().unwrap_or_default();
            let words = words.split([',', ')', ' ']);
            names.extend(words.filter(|word| !word.is_empty()));
        }
    }
    let program = read(&source(context))?;
    let is_called = |name: &&str| program.contains(&format!(" MPI_{name}("));
    let missing: Vec<&str> = names
        .iter()
        .copied()
        .filter(|name| !is_called(name))
        .collect();
    match names.len() > 10 && missing.is_empty() {
        true => Ok(()),
        false => Err(format!("not called, of {}: {missing:?}", names.len())),
    }
}

/// Compiles the program.
fn compile(context: &Context, work: &Path, flag: &str) -> Result<PathBuf, String> {
    let binary = work.join(format!("mpi-calls{flag}"));
    let mut upcc = context.upcc(compiler("calls of MPI"));
    upcc.current_dir(context.root.join("tests/events/mpi"))
        .args(["-g", flag, forms::MESSAGES, "-uses-mpi"])
        .args(["main.upc", "calls.c", "-o"])
        .arg(&binary);
    process::must(&mut upcc, COMPILE).map(|_| binary)
}

/// Checks that a program without instrumented units calls MPI's own functions.
fn has_none(context: &Context, work: &Path) -> Result<(), String> {
    let binary = compile(context, work, "-noinst")?;
    let symbols = process::must(Command::new("nm").arg(&binary), COMPILE)?.out();
    let is_defined = |line: &&str| line.ends_with(" T MPI_Send");
    match symbols.lines().find(is_defined) {
        None => Ok(()),
        Some(line) => Err(format!("a function with events: {line}")),
    }
}

fn check(context: &Context, work: &Path, table: &Table, marks: &[Mark]) -> Result<(), String> {
    let binary = compile(context, work, "--inst")?;
    let file = |thread: &str| binary.with_extension(thread);
    let mut upcrun: Command = context.upcrun(THREADS, &binary);
    upcrun
        .envs(process::MPI)
        .env("UPC_QUIET", "1")
        .env("UPC_TOOL", "dump")
        .env("GASP_DUMPFILE", file("%"));
    process::must(&mut upcrun, RUN)?;
    let mode = Mode::default();
    for thread in 0..THREADS {
        let setting = Setting {
            thread,
            threads: THREADS,
            fixed: false,
            mode: &mode,
        };
        let of_mpi = |line: &String| line.contains(OF_MPI);
        let expected = marks
            .iter()
            .flat_map(|mark| mark.lines("calls.c", table, setting));
        let expected: Vec<String> = expected.collect();
        let found = dump::read_file(&file(&thread.to_string()))?;
        dump::balanced(&found)?;
        let found: Vec<String> = found.into_iter().filter(of_mpi).collect();
        dump::compare(&expected, &found).map_err(|why| format!("thread {thread}: {why}"))?;
    }
    Ok(())
}
