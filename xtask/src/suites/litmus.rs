//! The programs of `tests/litmus`: shapes of the memory model, many thousand times each, on 2 to 4 threads.
//!
//! Every compiler and level of optimisation sees each program, for what may go wrong is what the C compiler moves.

use super::programs::{self, Case};
use crate::context::Context;
use crate::report::Tally;
use crate::tools::compilers;

const THREADS: &[usize] = &[2, 3, 4];

const LEVELS: &[&[&str]] = &[
    &["-O0"],
    &["-O2"],
    &["-O3", "-fupc-pts=struct"],
    &["-O2", "-pshm-width=1"],
];

pub fn run(context: &Context) -> Result<Tally, String> {
    let work = context.fresh("litmus")?;
    let plans = programs::plans(&context.root.join("tests/litmus"), THREADS)?;
    let mut cases = Vec::new();
    for plan in &plans {
        for cc in compilers() {
            cases.extend(LEVELS.iter().map(|flags| Case {
                plan,
                cc,
                threads: None,
                optimise: false,
                flags,
                runs: plan.threads.clone(),
                cache: None,
            }));
        }
    }
    Ok(context.each(&cases, |case| programs::one(context, &work, case)))
}
