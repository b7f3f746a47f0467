//! Random loops: they give the same results as the same loops without shared memory, in every form, and exactly the
//! accesses made are reported to a tool.

mod generate;
mod names;

use std::path::Path;

use super::events::rows;
use super::test::Test;
use crate::context::{COMPILE, Context, RUN, forever, write};
use crate::process;
use crate::tools::compilers;

/// The number of programs of a normal run, one for each form and compiler, and of a long one, and of functions in each.
const PROGRAMS: u64 = 16;
const PROGRAMS_LONG: u64 = 600;
const FUNCTIONS: usize = 10;

/// The flags and the thread count of a program.
struct Form {
    flags: &'static [&'static str],
    threads: usize,
    /// The accesses that are reported to a tool.
    reported: Reported,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Reported {
    None,
    Remote,
    All,
}

#[rustfmt::skip]
const FORMS: &[Form] = &[
    Form { flags: &["--inst", "-O2"], threads: 3, reported: Reported::Remote },
    Form { flags: &["--inst-local", "--inst-functions", "-O0", "-fupc-runs=1"], threads: 2, reported: Reported::All },
    Form { flags: &["--inst", "-T=4", "-O1", "-fupc-runs=1"], threads: 4, reported: Reported::Remote },
    Form { flags: &["--inst-local", "-T=2", "-O2"], threads: 2, reported: Reported::All },
    Form { flags: &["--inst", "--inst-functions", "-fupc-pts=struct", "-O0"], threads: 2, reported: Reported::Remote },
    Form { flags: &["-O", "-T=3", "-fupc-runs=1"], threads: 3, reported: Reported::None },
    Form { flags: &["--inst-local", "-fupc-checks", "-O1"], threads: 3, reported: Reported::All },
    Form { flags: &["--inst", "-pshm-width=1", "-O0", "-fupc-runs=1"], threads: 2, reported: Reported::Remote },
];

/// Settings with which the measurement counts most, some, and no accesses without a report.
const SAMPLINGS: &[[(&str, &str); 2]] = &[
    [("UPC_MEASURE_HOT", "3"), ("UPC_MEASURE_SAMPLE", "4")],
    [("UPC_MEASURE_HOT", "40"), ("UPC_MEASURE_SAMPLE", "100")],
    [("UPC_MEASURE_HOT", "100000"), ("UPC_MEASURE_SAMPLE", "1")],
];

pub fn tests(context: &'static Context) -> Result<Vec<Test>, String> {
    let work: &Path = forever(context.fresh("loops")?).as_path();
    let programs = if context.long {
        PROGRAMS_LONG
    } else {
        PROGRAMS
    };
    let test = |seed: u64| {
        Test::one(format!("seed-{seed}"), move || {
            let forms = FORMS.len() as u64;
            match context.long {
                false => one(context, work, seed, &FORMS[(seed % forms) as usize]),
                true => FORMS
                    .iter()
                    .try_for_each(|form| one(context, work, seed, form)),
            }
        })
    };
    let first = if context.long { context.seed } else { 1 };
    let mut tests: Vec<Test> = (first..first + programs).map(test).collect();
    tests.push(Test::one("openmp", move || openmp(context, work)));
    Ok(tests)
}

fn one(context: &Context, work: &Path, seed: u64, form: &Form) -> Result<(), String> {
    let cc = compilers()[(seed / FORMS.len() as u64) as usize % compilers().len()];
    let name = format!("seed-{seed}-{}", form.flags.join(""));
    let source = work.join(format!("{name}.upc"));
    let binary = work.join(&name);
    write(&source, &generate::program(seed, FUNCTIONS))?;
    let mut upcc = context.upcc(cc);
    upcc.args(form.flags).arg("-w");
    upcc.arg("-I").arg(context.root.join("tests/loops"));
    if cc == "gcc" && seed.is_multiple_of(3) {
        upcc.arg("-fopenmp");
    }
    process::must(upcc.arg(&source).arg("-o").arg(&binary), COMPILE)?;
    let in_form = |why: String| {
        format!(
            "{}, {} by {cc}: {why}",
            source.display(),
            form.flags.join(" ")
        )
    };
    let mut upcrun = context.upcrun(form.threads, &binary);
    let counts = process::must(upcrun.env("OMP_NUM_THREADS", "1"), RUN).map_err(in_form)?;
    if form.reported == Reported::None {
        return Ok(());
    }
    let sampling = &SAMPLINGS[(seed % SAMPLINGS.len() as u64) as usize];
    let file = binary.with_extension("upcprof");
    let mut upcrun = context.upcrun(form.threads, &binary);
    upcrun
        .envs(sampling.iter().copied())
        .env("OMP_NUM_THREADS", "1")
        .env("UPC_TOOL", "measure")
        .env("UPC_MEASURE", "profile")
        .env("UPC_MEASURE_FILE", &file);
    let output = process::must(&mut upcrun, RUN).map_err(in_form)?;
    let said = sorted(&output.out());
    if said != sorted(&counts.out()) {
        return Err(in_form("with a tool it counts other accesses".to_owned()));
    }
    as_reported(context, &file, form, &said).map_err(in_form)
}

fn sorted(text: &str) -> Vec<String> {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    lines.sort();
    lines
}

/// Checks that the profile equals what the program prints for each thread:
/// `counts 0 gets-of-own gets-of-others puts-to-own puts-to-others`.
fn as_reported(context: &Context, file: &Path, form: &Form, said: &[String]) -> Result<(), String> {
    let reported = rows(context, "--by=event", file)?;
    for line in said {
        let words = line.split(' ').skip(1).map(str::parse);
        let words: Result<Vec<u64>, _> = words.collect();
        let Ok(&[thread, own_gets, gets, own_puts, puts]) = words.as_deref() else {
            return Err(format!("it prints {line:?}"));
        };
        for (event, own, others) in [("UPC_GET", own_gets, gets), ("UPC_PUT", own_puts, puts)] {
            let of_thread = reported
                .iter()
                .filter(|row| row["event"] == event && row["of_thread"].as_u64() == Some(thread));
            let calls: u64 = of_thread.filter_map(|row| row["calls"].as_u64()).sum();
            let made = others
                + if form.reported == Reported::All {
                    own
                } else {
                    0
                };
            if calls != made {
                return Err(format!(
                    "thread {thread} makes {made} {event}, the tool has {calls}"
                ));
            }
        }
    }
    Ok(())
}

/// Tests loops and blocks of OpenMP with the compiler whose OpenMP library is always installed.
fn openmp(context: &Context, work: &Path) -> Result<(), String> {
    let source = context.root.join("tests/loops/openmp.upc");
    for form in FORMS.iter().filter(|form| form.threads <= 3) {
        let binary = work.join(format!("openmp{}", form.flags.join("")));
        let mut upcc = context.upcc("gcc");
        upcc.args(form.flags).args(["-fopenmp", "-w"]);
        process::must(upcc.arg(&source).arg("-o").arg(&binary), COMPILE)?;
        // Events are reported to tools by only one C thread.
        for (tool, threads) in [("", "2"), ("measure", "1")] {
            let mut upcrun = context.upcrun(form.threads, &binary);
            upcrun.env("OMP_NUM_THREADS", threads).env("UPC_TOOL", tool);
            upcrun.env("UPC_MEASURE", "profile");
            upcrun.env("UPC_MEASURE_FILE", binary.with_extension("upcprof"));
            let printed = process::must(&mut upcrun, RUN)?.out();
            if printed != "PASS\n" {
                return Err(format!("{}: it prints {printed:?}", form.flags.join(" ")));
            }
        }
    }
    Ok(())
}
