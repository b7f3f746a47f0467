//! Plain C printed from the IL: each program of tests/c-forms prints what the C compiler alone makes it print.
//!
//! Plain C usually leaves the translator as the text it came in, which says nothing about the IL: [`PRINT_PLAIN`] changes that.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::csmith::compare;
use crate::context::{COMPILE, Context, files, stem};
use crate::process;
use crate::report::Tally;
use crate::tools::compilers;
use std::time::Duration;

/// Has upcc print the user's plain declarations from the IL.
pub const PRINT_PLAIN: &str = "-fupc-print-plain";

const RUN: Duration = Duration::from_secs(20);

pub fn run(context: &Context) -> Result<Tally, String> {
    let work = context.fresh("c-forms")?;
    let sources = files(&context.root.join("tests/c-forms"), "c")?;
    let cases: Vec<(&str, &PathBuf)> = compilers()
        .iter()
        .flat_map(|&cc| sources.iter().map(move |source| (cc, source)))
        .collect();
    Ok(context.each(&cases, |&(cc, source)| {
        let mut tally = Tally::default();
        let name = format!("{} ({cc})", stem(source));
        match one(context, &work, cc, source) {
            Some(verdict) => tally.add(&name, verdict),
            None => tally.skip(&name, "this compiler does not take it"),
        }
        tally
    }))
}

/// `None`: the compiler alone does not take the program.
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
            context.upcc(cc).args(["-T=1", "-O1", PRINT_PLAIN]),
            &printed,
        )?;
        let expected = process::run(&mut Command::new(&alone), RUN)?;
        let output = process::run(&mut Command::new(&printed), RUN)?;
        compare(&expected, &output)
    };
    Some(compared())
}

/// The options that a program's first line, a comment, asks for; the standard is gnu17 if it says nothing else.
fn flags(source: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(source).unwrap_or_default();
    let first = text.lines().next().unwrap_or_default();
    let asked = first.split(' ').filter(|word| word.starts_with('-'));
    std::iter::once("-std=gnu17")
        .chain(asked)
        .map(str::to_owned)
        .collect()
}
