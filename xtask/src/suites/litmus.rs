//! The programs of `tests/litmus`: shapes of the memory model, each run many thousand times on 2 to 4 threads.
//!
//! Each program is tested with every compiler and optimisation level, because errors result from accesses that the C
//! compiler moves. A normal run takes each level for each program with one of the compilers, in turn, and one number of
//! threads, which the names choose.

use std::path::Path;

use super::forms::{self, Form, Group, NO_CACHE};
use super::plan::{Shows, plans};
use super::programs;
use super::test::Test;
use crate::context::{Context, forever};

pub const FOLDER: &str = "tests/litmus";
pub const THREADS: &[usize] = &[2, 3, 4];

/// Returns a form that only these programs have.
const fn form(name: &'static str, cc: &'static str, flags: &'static [&'static str]) -> Form {
    forms::form(name, Group::Compiler, cc, flags, &[])
}

/// The levels of gcc, and then the same of clang.
static LEVELS: &[Form] = &[
    form("gcc-O0", "gcc", &["-O0"]),
    form("gcc-O2", "gcc", &["-O2"]),
    form("gcc-O3-struct", "gcc", &["-O3", "-fupc-pts=struct"]),
    form("gcc-apart", "gcc", &["-O2", "-pshm-width=1"]),
    form("clang-O0", "clang", &["-O0"]),
    form("clang-O2", "clang", &["-O2"]),
    form("clang-O3-struct", "clang", &["-O3", "-fupc-pts=struct"]),
    // Without the cache, loops gather their irregular reads from the first one on.
    Form {
        set: NO_CACHE,
        ..form("clang-apart", "clang", &["-O2", "-pshm-width=1"])
    },
];

pub fn tests(context: &'static Context) -> Result<Vec<Test>, String> {
    let work: &Path = forever(context.fresh("litmus")?).as_path();
    let plans = forever(plans(&context.root.join(FOLDER), THREADS, Shows::Pass)?);
    let cases = plans.iter().enumerate().flat_map(|(number, plan)| {
        let of_compiler = LEVELS.len() / 2;
        let turn =
            move |at: usize| context.long || (at + at / of_compiler + number).is_multiple_of(2);
        let levels = LEVELS.iter().enumerate().filter(move |(at, _)| turn(*at));
        levels.flat_map(|(_, form)| programs::cases(plan, form, context.long))
    });
    Ok(cases
        .map(|case| programs::test(context, work, case))
        .collect())
}
