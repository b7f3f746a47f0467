//! Random C programs: a program built by upcc has the same output as one built by gcc; for some, also when printed from
//! the IL.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use super::c_forms::NO_VERBATIM;
use super::test::Test;
use crate::context::{COMPILE, Context, forever, write};
use crate::process::{self, Output};
use crate::tools::csmith_include;

/// The number of programs in a normal run and in a long one.
const PROGRAMS: u64 = 16;
const PROGRAMS_LONG: u64 = 3000;
/// The number of seeds that are tried for one program.
const REPLACEMENTS: u64 = 8;
/// One in this number of programs is built a second time, printed from the IL.
const PRINTED: u64 = 3;
/// The same in a long run.
const PRINTED_LONG: u64 = 1;
/// The time limit of a program built by gcc; csmith makes some programs that never end, which cannot be compared.
const GCC_RUN: Duration = Duration::from_secs(1);
/// The time limit of the same program built by upcc.
const UPCC_RUN: Duration = Duration::from_secs(40);
/// Programs with larger texts are left out: they take minutes and test nothing more.
const TEXT_LIMIT: usize = 250_000;

pub fn tests(context: &'static Context) -> Result<Vec<Test>, String> {
    let work: &Path = forever(context.fresh("csmith")?).as_path();
    let wanted = if context.long {
        PROGRAMS_LONG
    } else {
        PROGRAMS
    };
    let test = |number| {
        Test::one(format!("program-{number}"), move || {
            let include = csmith_include().ok_or("csmith.h is gone")?;
            // A program that does not end under gcc is replaced by one with a seed that no other test uses.
            let mut seeds = (0..REPLACEMENTS).map(|turn| number + turn * PROGRAMS_LONG);
            let served = seeds.find_map(|seed| match one(context, work, include, seed) {
                Ok(false) => None,
                Ok(true) => Some(Ok(())),
                Err(why) => Some(Err(format!("csmith --seed {seed}: {why}"))),
            });
            served.unwrap_or_else(|| Err("no program of these seeds ends under gcc".to_owned()))
        })
    };
    Ok((1..=wanted).map(test).collect())
}

/// Returns true if the outputs are equal, false if this program cannot be used.
fn one(context: &Context, work: &Path, include: &str, seed: u64) -> Result<bool, String> {
    let source = work.join(format!("r{seed}.c"));
    let program = work.join(format!("r{seed}"));
    let text = process::must(
        Command::new("csmith").args(["--seed", &seed.to_string()]),
        COMPILE,
    )?;
    if text.stdout.len() > TEXT_LIMIT {
        return Ok(false);
    }
    write(&source, &text.out())?;
    let build = |compiler: &mut Command| {
        compiler
            .args(["-O1", "-w", "-I", include])
            .arg(&source)
            .arg("-o")
            .arg(&program);
        process::must(compiler, COMPILE)
    };
    build(&mut Command::new("gcc"))?;
    let expected = process::run(&mut Command::new(&program), GCC_RUN)?;
    let serves = expected.ok();
    let agrees = |upcc: &mut Command| {
        build(upcc)
            .and_then(|_| process::run(&mut context.upcrun(1, &program), UPCC_RUN))
            .and_then(|output| compare(&expected, &output))
    };
    let every = if context.long { PRINTED_LONG } else { PRINTED };
    let mut verdict = match serves {
        true => agrees(&mut context.upcc("gcc")),
        false => Ok(()),
    };
    if verdict.is_ok() && serves && seed.is_multiple_of(every) {
        verdict = agrees(context.upcc("gcc").arg(NO_VERBATIM))
            .map_err(|why| format!("{NO_VERBATIM}: {why}"));
    }
    let _ = std::fs::remove_file(&program);
    if verdict.is_ok() {
        let _ = std::fs::remove_file(&source);
    }
    verdict.map(|()| serves)
}

/// Returns Err with the difference between the outputs of the two builds.
pub fn compare(expected: &Output, output: &Output) -> Result<(), String> {
    if output.ok() && output.stdout == expected.stdout {
        return Ok(());
    }
    let (want, have) = (expected.out(), output.out());
    let line = want.lines().zip(have.lines()).position(|(a, b)| a != b);
    let differ = line.map(|n| {
        let at = |text: &str| text.lines().nth(n).unwrap_or_default().to_string();
        format!(
            "line {}: gcc `{}`, upcc `{}`\n    ",
            n + 1,
            at(&want),
            at(&have)
        )
    });
    Err(format!("{}{}", differ.unwrap_or_default(), output.tail()))
}
