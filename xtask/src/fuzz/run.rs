//! One program: printed, compiled and run beside its oracle.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::model::Program;
use super::print::{Dialect, print};
use crate::context::{Context, write};
use crate::process::{self, Output};
use crate::suites::forms::Form;

/// Time limit of a compilation; the first in a form also builds the runtime.
const COMPILE: Duration = Duration::from_secs(600);
/// Time limit of a run. Many threads on few processors take their time over messages.
const RUN: Duration = Duration::from_secs(120);
/// Time limit of the oracle.
const ORACLE_RUN: Duration = Duration::from_secs(20);

/// What went wrong with a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Trouble {
    /// The oracle itself does not work: the generator made no program.
    Oracle,
    Compile,
    Run,
    Result,
    Counts,
}

pub struct Failure {
    pub trouble: Trouble,
    pub why: String,
}

fn failure<T>(trouble: Trouble, why: impl Into<String>) -> Result<T, Failure> {
    Err(Failure {
        trouble,
        why: why.into(),
    })
}

/// Which accesses the tool counts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Counts {
    All,
    /// Those of other threads' objects.
    Remote,
}

impl Counts {
    /// `None`: the form is not instrumented.
    fn of(form: &Form) -> Option<Counts> {
        match form.flags {
            flags if flags.contains(&"--inst-local") => Some(Counts::All),
            flags if flags.contains(&"--inst") => Some(Counts::Remote),
            _ => None,
        }
    }
}

/// What LLVM leaves out: it computes the values that variables have after loops, which takes a minute where a loop with a
/// constant number of iterations has remainders within remainders (`IndVarSimplify`), as in seed 108 with static THREADS.
const CLANG: &[&str] = &["-mllvm", "-replexitval=never"];

/// The flags of `upcc`. Sums of signed numbers wrap, as in the oracle.
pub fn flags(form: &Form, program: &Program) -> Vec<String> {
    // The C compiler takes most of the time: every other program is optimised less.
    let level = |flag: &&str| match *flag {
        "-O" if program.seed % 2 == 1 => "-O1".to_string(),
        flag => flag.to_string(),
    };
    let mut flags: Vec<String> = form.flags.iter().map(level).collect();
    flags.push("-fwrapv".to_string());
    flags.extend((program.fixed || form.fixed).then(|| format!("-T={}", program.threads)));
    if form.cc == "clang" {
        flags.extend(CLANG.iter().map(|flag| (*flag).to_string()));
    }
    flags
}

/// The files of a program.
pub struct Files {
    pub upc: PathBuf,
    pub oracle: PathBuf,
}

impl Files {
    pub fn new(folder: &Path, name: &str) -> Files {
        Files {
            upc: folder.join(format!("{name}.upc")),
            oracle: folder.join(format!("{name}.c")),
        }
    }

    /// The texts of a program.
    pub fn write(&self, program: &Program) -> Result<(), String> {
        write(&self.upc, &print(program, Dialect::Upc))?;
        write(&self.oracle, &print(program, Dialect::Oracle))
    }

    pub fn remove(&self) {
        for file in [&self.upc, &self.oracle] {
            for extension in ["upc", "c", "run", "oracle", "upcprof"] {
                let _ = std::fs::remove_file(file.with_extension(extension));
            }
        }
    }
}

/// The program has no race, so a warning of one is wrong.
const WARNINGS: &[&str] = &[
    "-Wno-all",
    "-Werror=upc-shared-update",
    "-Werror=upc-forall-dependence",
    "-Werror=upc-relaxed-signal",
];

/// Whether a program does what its oracle says. strict: the oracle looks for accesses beyond its arrays, too.
pub fn check(
    context: &Context,
    files: &Files,
    program: &Program,
    form: &Form,
    strict: bool,
) -> Result<(), Failure> {
    if let Err(why) = files.write(program) {
        return failure(Trouble::Oracle, why);
    }
    let expected = match oracle(files, strict) {
        Ok(expected) => expected,
        Err(why) => return failure(Trouble::Oracle, why),
    };
    let (results, counts): (Vec<&str>, Vec<&str>) = expected
        .lines()
        .partition(|line| !line.starts_with("counts ") && !line.starts_with("event "));
    let binary = files.upc.with_extension("run");
    let mut upcc = context.upcc(form.cc);
    upcc.args(flags(form, program)).args(WARNINGS);
    upcc.arg(&files.upc);
    match process::run(upcc.arg("-o").arg(&binary), COMPILE) {
        Ok(output) if output.ok() => {}
        Ok(output) => return failure(Trouble::Compile, output.tail()),
        Err(why) => return failure(Trouble::Compile, why),
    }
    let recording = files.upc.with_extension("upcprof");
    let mut upcrun = context.upcrun(program.threads as usize, &binary);
    upcrun.envs(form.set.iter().copied()).envs(process::MPI);
    if Counts::of(form).is_some() {
        upcrun
            .env("UPC_TOOL", "measure")
            .env("UPC_MEASURE", "profile")
            .env("UPC_MEASURE_FILE", &recording);
    }
    match process::run(&mut upcrun, RUN) {
        Ok(output) if output.ok() => compare(&results, &output)?,
        Ok(output) => return failure(Trouble::Run, output.tail()),
        Err(why) => return failure(Trouble::Run, why),
    }
    match Counts::of(form) {
        None => Ok(()),
        Some(which) => counted(context, &recording, which, &counts),
    }
}

/// What the oracle prints.
fn oracle(files: &Files, strict: bool) -> Result<String, String> {
    let binary = files.oracle.with_extension("oracle");
    let mut gcc = Command::new("gcc");
    gcc.args(["-std=gnu17", "-w", "-O0", "-fwrapv"]);
    if strict {
        // Members of packed records need not be aligned.
        gcc.args([
            "-fsanitize=address,undefined",
            "-fno-sanitize=alignment",
            "-fno-sanitize-recover=all",
        ]);
    }
    gcc.arg(&files.oracle).arg("-o").arg(&binary);
    process::must(&mut gcc, COMPILE)?;
    Ok(process::must(&mut Command::new(&binary), ORACLE_RUN)?.out())
}

/// The first line in which two results differ.
fn compare(expected: &[&str], output: &Output) -> Result<(), Failure> {
    let printed = output.out();
    let printed: Vec<&str> = printed.lines().collect();
    let same = expected.iter().zip(&printed).take_while(|(a, b)| a == b);
    let at = same.count();
    if at == expected.len() && at == printed.len() {
        return Ok(());
    }
    let line = |of: &[&str]| of.get(at).unwrap_or(&"nothing").to_string();
    failure(
        Trouble::Result,
        format!(
            "the oracle says `{}`, upcc `{}`",
            line(expected),
            line(&printed)
        ),
    )
}

/// Whether a profile has as many events of each thread as the oracle counted.
fn counted(
    context: &Context,
    recording: &Path,
    which: Counts,
    expected: &[&str],
) -> Result<(), Failure> {
    let mut upcprof = Command::new(&context.upcprof);
    upcprof.args([
        "profile",
        "--by=event",
        "--per-thread",
        "--top=0",
        "--format=json",
    ]);
    let rows = match process::must(upcprof.arg(recording), ORACLE_RUN) {
        Ok(output) => rows(&output.out()),
        Err(why) => return failure(Trouble::Counts, why),
    };
    for line in expected {
        let Some((thread, counts)) = counts(line, which) else {
            return failure(Trouble::Oracle, format!("the oracle prints {line}"));
        };
        for (event, count) in counts {
            let of_event = rows
                .iter()
                .filter(|row| row["event"] == event && row["of_thread"] == thread);
            let reported: u64 = of_event.filter_map(|row| row["calls"].as_u64()).sum();
            if reported != count {
                return failure(
                    Trouble::Counts,
                    format!("thread {thread} does {count} {event}, the profile says {reported}"),
                );
            }
        }
    }
    Ok(())
}

/// A thread and what it does, from a line of the oracle: `counts THREAD GETS PUTS REMOTE_GETS REMOTE_PUTS`, or `event THREAD NAME COUNT`.
fn counts(line: &str, which: Counts) -> Option<(u64, Vec<(&str, u64)>)> {
    let words: Vec<&str> = line.split(' ').collect();
    let number = |at: usize| words.get(at)?.parse().ok();
    let of_thread = match (*words.first()?, which) {
        ("event", _) => vec![(*words.get(2)?, number(3)?)],
        (_, Counts::All) => vec![("UPC_GET", number(2)?), ("UPC_PUT", number(3)?)],
        (_, Counts::Remote) => vec![("UPC_GET", number(4)?), ("UPC_PUT", number(5)?)],
    };
    Some((number(1)?, of_thread))
}

fn rows(text: &str) -> Vec<serde_json::Value> {
    let value: serde_json::Value = serde_json::from_str(text).unwrap_or_default();
    let rows = match value.get("rows") {
        Some(rows) => rows.clone(),
        None => value,
    };
    rows.as_array().cloned().unwrap_or_default()
}
