//! The programs of `tests/libraries/LIBRARY/`, in the form of those of `tests/programs`: one test or more for each function of a library.
//!
//! Each is compiled for dynamic THREADS and runs on every count; then for struct pointers-to-shared by another compiler, for static
//! THREADS, with checks, as if each thread were on a machine of its own, and both, each on one count that changes from program to program (on all of them in a long run).

use super::programs::{self, Case, Plan};
use crate::context::Context;
use crate::report::Tally;
use crate::tools::compilers;

const THREADS: &[usize] = &[1, 2, 3, 4, 5, 8];
const CHECKED: &[&str] = &["-fupc-checks", "-DCHECKED", "-O0"];
/// What the runtime takes from the shared heap for a while, where memory is not mapped, are objects as the checks know them.
const CHECKED_APART: &[&str] = &["-fupc-checks", "-DCHECKED", "-pshm-width=1"];

pub fn run(context: &Context) -> Result<Tally, String> {
    let mut tally = Tally::default();
    for library in programs::folders(&context.root.join("tests/libraries"))? {
        let work = context.fresh(&format!("libraries-{}", crate::context::stem(&library)))?;
        let plans = programs::plans(&library, THREADS)?;
        let cases: Vec<Case> = plans
            .iter()
            .enumerate()
            .flat_map(|(index, plan)| cases(plan, index, context.long))
            .collect();
        tally.join(context.each(&cases, |case| programs::one(context, &work, case)));
    }
    Ok(tally)
}

fn cases(plan: &Plan, index: usize, long: bool) -> Vec<Case<'_>> {
    let compilers = compilers();
    let compiler = |turn: usize| compilers[(index + turn) % compilers.len()];
    let some = |turn: usize| match long {
        true => plan.threads.clone(),
        false => vec![plan.threads[(index + turn) % plan.threads.len()]],
    };
    let case = |turn, threads, flags, runs| Case {
        plan,
        cc: compiler(turn),
        threads,
        optimise: turn < 3,
        flags,
        runs,
        cache: None,
    };
    let mut cases = Vec::new();
    if plan.wants("dynamic") {
        cases.push(case(0, None, &[], plan.threads.clone()));
        cases.push(case(1, None, &["-fupc-pts=struct"], some(1)));
        cases.push(case(3, None, CHECKED, some(4)));
    }
    cases.push(programs::apart(plan, compiler(5), index));
    cases.push(programs::flagged(plan, compiler(4), index, CHECKED_APART));
    if plan.wants("static") {
        cases.extend(some(2).into_iter().map(|n| case(2, Some(n), &[], vec![n])));
    }
    cases
}
