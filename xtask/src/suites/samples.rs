//! Each sample on 1, 2, 3, 4 and 8 threads with each compiler; the folder by its own Makefile.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::programs::{CACHES, Setting, in_words};
use crate::context::{COMPILE, Context, files, stem};
use crate::process::{self, Output};
use crate::report::Tally;
use crate::tools::compilers;

const THREADS: &[usize] = &[1, 2, 3, 4, 8];
const VARIANT_THREADS: usize = 3;
/// A sample is a lesson, not a benchmark: it ends within this.
const LIMIT: Duration = Duration::from_secs(120);

pub fn run(context: &Context) -> Result<Tally, String> {
    let work = context.fresh("samples")?;
    let samples = files(&context.root.join("samples"), "upc")?;
    let cases: Vec<(PathBuf, &str)> = samples
        .iter()
        .flat_map(|s| compilers().iter().map(move |cc| (s.clone(), *cc)))
        .collect();
    let mut tally = context.each(&cases, |(sample, cc)| one(context, &work, sample, cc));
    tally.join(context.each(&samples, |sample| {
        let flags = ["-O0", "-fupc-checks"];
        variant(context, &work, sample, "checked", &flags, &[&[]])
    }));
    tally.join(context.each(&samples, |sample| {
        let flags = ["-O", "-pshm-width=1"];
        variant(context, &work, sample, "apart", &flags, CACHES)
    }));
    tally.add("make CC=upcc", make(context, &work));
    Ok(tally)
}

/// Compiles a sample once and runs it on every thread count.
fn one(context: &Context, work: &Path, sample: &Path, cc: &str) -> Tally {
    let mut tally = Tally::default();
    let name = stem(sample);
    let program = work.join(format!("{name}-{cc}"));
    let mut upcc = context.upcc(cc);
    upcc.arg("-O")
        .arg(sample)
        .arg("-o")
        .arg(&program)
        .arg("-lm");
    if let Err(why) = process::must(&mut upcc, COMPILE) {
        tally.add(&format!("{name} with {cc}"), Err(why));
        return tally;
    }
    for &threads in THREADS {
        let verdict = process::must(&mut context.upcrun(threads, &program), LIMIT)
            .and_then(|output| said_ok(&name, &output));
        tally.add(&format!("{name} with {cc} on {threads} threads"), verdict);
    }
    tally
}

/// The sample with checks, which have nothing to say to it, or as if each thread were on a machine of its own.
fn variant(
    context: &Context,
    work: &Path,
    sample: &Path,
    kind: &str,
    flags: &[&str],
    settings: &[Setting],
) -> Tally {
    let name = stem(sample);
    let program = work.join(format!("{name}-{kind}"));
    let mut upcc = context.upcc("gcc");
    upcc.args(flags).arg(sample).arg("-o").arg(&program);
    if let Err(why) = process::must(&mut upcc, COMPILE) {
        return Tally::one(&format!("{name}, {kind}"), Err(why));
    }
    let mut tally = Tally::default();
    for setting in settings {
        let mut upcrun = context.upcrun(VARIANT_THREADS, &program);
        let verdict = process::must(upcrun.envs(setting.iter().copied()), LIMIT)
            .and_then(|output| said_ok(&name, &output));
        tally.add(&format!("{name}, {kind}{}", in_words(setting)), verdict);
    }
    tally
}

/// The same where the lines of several processes come as a launcher collects them: one of them says so.
pub fn one_said_ok(name: &str, output: &Output) -> Result<(), String> {
    let ok = format!("{name}: OK");
    match output.out().lines().any(|line| line.starts_with(&ok)) {
        true => Ok(()),
        false => Err(format!("no line says OK: {}", output.tail())),
    }
}

/// A sample that has verified its result says so in its last line.
pub fn said_ok(name: &str, output: &Output) -> Result<(), String> {
    match output.out().lines().last() {
        Some(line) if line.starts_with(&format!("{name}: OK")) => Ok(()),
        _ => Err(format!("its last line does not say OK: {}", output.tail())),
    }
}

/// Builds and checks a copy of the folder with its own Makefile.
fn make(context: &Context, work: &Path) -> Result<(), String> {
    let copy = work.join("make");
    process::must(
        Command::new("cp")
            .arg("-r")
            .arg(context.root.join("samples"))
            .arg(&copy),
        COMPILE,
    )?;
    let mut make = Command::new("make");
    make.arg("-C")
        .arg(&copy)
        .arg("check")
        .arg(format!("CC={}", context.upcc.display()));
    process::must(&mut make, Duration::from_secs(300)).map(|_| ())
}
