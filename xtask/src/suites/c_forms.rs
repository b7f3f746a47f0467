//! C printed from the IL: each program of tests/c-forms has the same output as when it is built by the C compiler
//! alone.
//!
//! The translator usually copies C verbatim, which does not test the IL: [`NO_VERBATIM`] changes that.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::csmith::compare;
use super::test::Test;
use crate::context::{COMPILE, Context, files, forever, stem};
use crate::process;
use crate::report::Tally;
use crate::tools::compilers;
use std::time::Duration;

/// The flag that makes upcc print the user's verbatim declarations from the IL.
pub const NO_VERBATIM: &str = "-fupc-no-verbatim";

const RUN: Duration = Duration::from_secs(20);

pub fn tests(context: &'static Context) -> Result<Vec<Test>, String> {
    let work: &Path = forever(context.fresh("c-forms")?).as_path();
    let sources = files(&context.root.join("tests/c-forms"), "c")?;
    let cases = compilers()
        .iter()
        .flat_map(|&cc| sources.iter().map(move |source| (cc, source.clone())));
    let test = |(cc, source): (&'static str, PathBuf)| {
        let name = format!("{}::{cc}", stem(&source));
        Test::new(name.clone(), move || {
            match one(context, work, cc, &source) {
                Some(verdict) => Tally::one(&name, verdict),
                None => Tally::skipped(&name, "this compiler does not take it"),
            }
        })
    };
    Ok(cases.map(test).collect())
}

/// Returns `None` if the compiler alone does not accept the program.
fn one(context: &Context, work: &Path, cc: &str, source: &Path) -> Option<Result<(), String>> {
    let flags = flags(source);
    let program = |kind: &str| work.join(format!("{}-{cc}-{kind}", stem(source)));
    let build = |compiler: &mut Command, output: &Path| {
        compiler.args(&flags).args(["-w", "-o"]).arg(output);
        process::must(compiler.arg(source).arg("-lm"), COMPILE)
    };
    let (alone, printed) = (program("alone"), program("printed"));
    build(&mut Command::new(cc), &alone).ok()?;
    let compared = || {
        build(
            context.upcc(cc).args(["-T=1", "-O1", NO_VERBATIM]),
            &printed,
        )?;
        let expected = process::run(&mut Command::new(&alone), RUN)?;
        let output = process::run(&mut Command::new(&printed), RUN)?;
        compare(&expected, &output)
    };
    Some(compared())
}

/// Returns the options in a program's first line, a comment; the default standard is gnu17.
fn flags(source: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(source).unwrap_or_default();
    let first = text.lines().next().unwrap_or_default();
    let asked = first.split(' ').filter(|word| word.starts_with('-'));
    std::iter::once("-std=gnu17")
        .chain(asked)
        .map(str::to_owned)
        .collect()
}
