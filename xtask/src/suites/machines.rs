//! Other machines and other compilers: programs of AArch64 and RISC-V under qemu, programs with the C library musl, and
//! every version of gcc and clang that is installed.
//!
//! A normal run has no test here, because emulation is slow. An emulator shows how the runtime, its assembler and the
//! layouts of another machine work. It executes memory accesses in the order of the machine it runs on, so the litmus
//! programs show only what the C compiler reorders.

use std::path::Path;

use super::forms::{Form, Group, NO_CACHE, form};
use super::litmus;
use super::plan::{Plan, Shows, plans};
use super::programs::{self, Case, library_plans, sample_plans};
use super::test::Test;
use crate::context::{Context, forever};
use crate::tools::{Need, OTHER_COMPILERS};

const AARCH64: &str = "aarch64-linux-gnu-gcc";
const RISCV64: &str = "riscv64-linux-gnu-gcc";

const MUSL: &str = "musl-gcc";

const UNDER_AARCH64: &[&str] = &["qemu-aarch64", "-L", "/usr/aarch64-linux-gnu"];
const UNDER_RISCV64: &[&str] = &["qemu-riscv64", "-L", "/usr/riscv64-linux-gnu"];

/// Returns a row of the table for programs that an emulator runs.
const fn emulated(
    under: &'static [&'static str],
    name: &'static str,
    cc: &'static str,
    flags: &'static [&'static str],
) -> Form {
    Form {
        under,
        set: NO_CACHE,
        ..form(name, Group::Plain, cc, flags, &[])
    }
}

static MACHINES: &[Form] = &[
    emulated(UNDER_AARCH64, "aarch64", AARCH64, &["-O2"]),
    emulated(
        UNDER_AARCH64,
        "aarch64-apart",
        AARCH64,
        &["-O2", "-pshm-width=1"],
    ),
    emulated(UNDER_RISCV64, "riscv64", RISCV64, &["-O2"]),
    form("musl", Group::Plain, MUSL, &["-O2"], &[]),
    Form {
        fixed: true,
        ..form(
            "musl-static",
            Group::Instrumented,
            MUSL,
            &["-g", "-fno-upc-checks", "-static", "--inst"],
            &[],
        )
    },
];

/// The numbers of threads that programs run on if they name none. Two threads show how the machine's code orders
/// accesses; more than there are processors make each barrier wait for the scheduler.
const THREADS: &[usize] = &[2];

/// What a form with this C compiler needs besides.
pub fn needs(cc: &str) -> Option<Need> {
    match cc {
        AARCH64 => Some(Need::Aarch64),
        RISCV64 => Some(Need::Riscv64),
        MUSL => Some(Need::Musl),
        _ => None,
    }
}

/// Returns the smallest number of several threads; 1 if there is no other.
fn fewest(threads: &[usize]) -> Option<usize> {
    let several = threads.iter().filter(|count| **count > 1);
    several.min().or(threads.first()).copied()
}

pub fn tests(context: &'static Context) -> Result<Vec<Test>, String> {
    if !context.long {
        return Ok(vec![super::not_run("it belongs to a long run".to_owned())]);
    }
    let work: &Path = forever(context.fresh("machines")?).as_path();
    let samples = forever(sample_plans(context, THREADS)?);
    let libraries = forever(library_plans(context, THREADS)?);
    let folder = context.root.join(litmus::FOLDER);
    let shapes = forever(plans(&folder, THREADS, Shows::Pass)?);
    let of = |form: &'static Form, plans: &'static [Plan]| {
        let fit = plans.iter().filter(|plan| plan.fits(form));
        fit.map(move |plan| Case {
            plan,
            form,
            runs: fewest(&plan.threads).into_iter().collect(),
        })
    };
    let machines = MACHINES
        .iter()
        .flat_map(|form| [&**samples, libraries, shapes].map(|plans| of(form, plans)));
    let versions = OTHER_COMPILERS.iter().map(|name| {
        let form = forever(form(name, Group::Plain, name, &["-O2"], &[]));
        of(form, samples)
    });
    let cases = machines.chain(versions).flatten();
    let tests = cases.map(|case| match crate::tools::is_command(case.form.cc) {
        true => programs::test(context, work, case),
        false => {
            let why = format!("{} is not installed", case.form.cc);
            let name = programs::name(&case);
            Test::new(name.clone(), move || {
                crate::report::Tally::skipped(&name, &why)
            })
        }
    });
    Ok(tests.collect())
}
