//! The programs of `tests/checks`, compiled with `-fupc-checks`: each case of each program is stopped, at its line,
//! with its message.
//!
//! A program takes the number of a case. Case 0 does only what the language allows, and must print PASS. Every other
//! case is marked in the line at which the job must end: `//~ 3 text` for case 3, whose message contains `text`;
//! `//~ 3 2+ text` needs 2 threads or more. The first comment, `// check: NAMES`, names the rows of `checks.def` that
//! the cases test; `// flags: ...` adds to the command line. The mark `//~!` does not require the line: the job ends
//! where there is none.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::forms;
use super::test::Test;
use crate::context::{COMPILE, Context, RUN, files, forever, read, stem};
use crate::process::{self, Output};
use crate::report::Tally;
use crate::tools::{self, Need, compilers};

const THREADS: &[usize] = &[1, 2, 3, 4];

/// A case that must be stopped.
#[derive(Debug)]
struct Mark {
    case: u32,
    line: usize,
    /// The smallest number of threads on which it is wrong.
    threads: usize,
    /// The message names the line.
    placed: bool,
    text: String,
}

/// No two threads share a machine: every access to another thread's memory is a message.
const APART: &[&str] = &["-network=mpi", "-pshm-width=1"];
/// A normal run takes one in this number of programs over messages.
const SHARE: u64 = 4;

/// One way to compile a program.
struct Build {
    source: PathBuf,
    cc: &'static str,
    flags: Vec<String>,
    threads: Vec<usize>,
    needs: &'static [Need],
}

pub fn tests(context: &'static Context) -> Result<Vec<Test>, String> {
    let work: &Path = forever(context.fresh("checks")?).as_path();
    let mut tests = Vec::new();
    for source in files(&context.root.join("tests/checks"), "upc")? {
        let name = stem(&source);
        let over_messages = forms::is_taken(&name, SHARE, context.long);
        let mut builds = builds(&source);
        builds.extend(over_messages.then(|| apart(&source)));
        tests.extend(builds.into_iter().map(|build| {
            let name = format!("{name}::{} {}", build.cc, build.flags.join(" "));
            Test::new(name.clone(), move || match tools::missing(build.needs) {
                Some(why) => Tally::skipped(&name, &why),
                None => one(context, work, &build),
            })
        }));
        tests.push(Test::one(format!("{name}::without the flag"), move || {
            costs_nothing(context, work, &source)
        }));
    }
    Ok(tests)
}

/// Names that only checked programs contain.
const TRACES: &[&str] = &["upcr_check", "upcr_index", "upcr_with_phase", "UPCR_CHECKS"];

/// Checks that without `-fupc-checks` no trace of the checks remains in the translated C or in the program.
fn costs_nothing(context: &Context, work: &Path, source: &Path) -> Result<(), String> {
    let program = work.join(format!("{}-unchecked", stem(source)));
    let mut upcc = context.upcc("gcc");
    upcc.args(["-w", "-O2", "-fno-upc-checks", "-I"])
        .arg(source.parent().unwrap_or(Path::new(".")))
        .arg(source);
    let mut translate = context.upcc("gcc");
    translate
        .args(["-w", "-O2", "-fno-upc-checks", "--emit=c"])
        .arg(source);
    let text = process::must(&mut translate, COMPILE)?.out();
    process::must(upcc.arg("-o").arg(&program), COMPILE)?;
    let symbols = process::must(Command::new("nm").arg(&program), COMPILE)?.out();
    // The runtime detects that there are no checks by an undefined weak reference.
    let defined = symbols.lines().filter(|line| !line.contains(" w "));
    match text
        .lines()
        .chain(defined)
        .find(|line| TRACES.iter().any(|trace| line.contains(trace)))
    {
        None => Ok(()),
        Some(line) => Err(format!("a trace of the checks: {line}")),
    }
}

/// Returns builds with dynamic and static THREADS, packed pointers and structs; names choose compilers, optimisation
/// and thread counts.
fn builds(source: &Path) -> Vec<Build> {
    let variants = [
        (false, "packed"),
        (true, "packed"),
        (false, "struct"),
        (true, "struct"),
    ];
    let build = |(fixed, pts): (bool, &str)| {
        let name = format!("{} {pts} {fixed}", stem(source));
        let threads = match fixed {
            true => Vec::from_iter(forms::choose(&name, THREADS).copied()),
            false => THREADS.to_vec(),
        };
        let mut flags = vec!["-fupc-checks".to_owned(), format!("-fupc-pts={pts}")];
        let level = forms::choose(&format!("{name} level"), &["-O0", "-O2"]);
        flags.extend(level.map(|level| (*level).to_owned()));
        if let (true, [count]) = (fixed, &threads[..]) {
            flags.push(format!("-T={count}"));
        }
        let cc = forms::choose(&format!("{name} compiler"), compilers());
        Build {
            source: source.to_path_buf(),
            cc: cc.copied().unwrap_or("gcc"),
            flags,
            threads,
            needs: &[],
        }
    };
    variants.into_iter().map(build).collect()
}

fn apart(source: &Path) -> Build {
    let name = stem(source);
    let pts = forms::choose(&format!("{name} pts"), &["packed", "struct"]);
    let own = ["-fupc-checks".to_string()];
    let pts = pts.map(|pts| format!("-fupc-pts={pts}"));
    let several: Vec<usize> = THREADS.iter().copied().filter(|n| *n > 1).collect();
    Build {
        source: source.to_path_buf(),
        cc: "gcc",
        flags: own
            .into_iter()
            .chain(pts)
            .chain(["-O0"].iter().chain(APART).map(|flag| (*flag).to_string()))
            .collect(),
        threads: Vec::from_iter(forms::choose(&name, &several).copied()),
        needs: &[Need::OpenMpi],
    }
}

fn one(context: &Context, work: &Path, build: &Build) -> Tally {
    let mut tally = Tally::default();
    let name = format!(
        "{} by {} {}",
        stem(&build.source),
        build.cc,
        build.flags.join(" ")
    );
    let program = work.join(name.replace([' ', '='], "-"));
    let mut upcc = context.upcc(build.cc);
    upcc.current_dir(build.source.parent().unwrap_or(Path::new(".")))
        .arg("-w")
        .args(&build.flags)
        .args(own_flags(&build.source))
        .arg(build.source.file_name().unwrap_or_default())
        .arg("-o")
        .arg(&program);
    let marks = match process::must(&mut upcc, COMPILE).and_then(|_| marks(&build.source)) {
        Ok(marks) => marks,
        Err(why) => {
            tally.add(&name, Err(why));
            return tally;
        }
    };
    for &threads in &build.threads {
        let run = |case: u32| {
            let mut upcrun = context.upcrun(threads, &program);
            process::run(upcrun.arg(case.to_string()).envs(process::MPI), RUN)
        };
        let label = |case: u32| format!("{name}, case {case} on {threads} threads");
        tally.add(&label(0), run(0).and_then(|output| passes(&output)));
        for mark in marks.iter().filter(|mark| mark.threads <= threads) {
            let verdict = run(mark.case).and_then(|output| stopped(build, mark, &output));
            tally.add(&label(mark.case), verdict);
        }
    }
    tally
}

fn passes(output: &Output) -> Result<(), String> {
    match output.ok() && output.out().lines().any(|line| line == "PASS") {
        true => Ok(()),
        false => Err(format!("a legal program does not pass: {}", output.tail())),
    }
}

/// Checks that the job has ended with one line: thread, place, message.
fn stopped(build: &Build, mark: &Mark, output: &Output) -> Result<(), String> {
    let said = output.err();
    let place = format!("{}.upc:{} (", stem(&build.source), mark.line);
    // An optimiser may merge equal calls of library functions, whose lines come from the machine code.
    let placed = mark.placed && build.flags.iter().any(|flag| flag == "-O0");
    let wrong = if output.ok() {
        "is not stopped".to_string()
    } else if said.lines().count() != 1 || !said.starts_with("upc thread ") {
        "is not stopped by one line".to_string()
    } else if !said.contains(&mark.text) {
        format!("the message has no `{}`", mark.text)
    } else if placed && !said.contains(&place) {
        format!("the message has no place `{place}...)`")
    } else {
        return Ok(());
    };
    Err(format!("{wrong}: {}", output.tail()))
}

fn own_flags(source: &Path) -> Vec<String> {
    let text = read(source).unwrap_or_default();
    let flags = text
        .lines()
        .find_map(|line| line.strip_prefix("// flags: "));
    flags
        .unwrap_or_default()
        .split_whitespace()
        .map(str::to_string)
        .collect()
}

fn marks(source: &Path) -> Result<Vec<Mark>, String> {
    let text = read(source)?;
    let marked = text
        .lines()
        .enumerate()
        .filter_map(|(i, line)| Some((i + 1, line.split_once("//~")?.1)));
    marked
        .map(|(line, mark)| {
            let (placed, mark) = match mark.strip_prefix("! ") {
                Some(mark) => (false, mark),
                None => (true, mark.trim_start()),
            };
            read_mark(line, placed, mark)
                .ok_or_else(|| format!("{}:{line}: no mark", source.display()))
        })
        .collect()
}

/// Parses `3 text` or `3 2+ text`.
fn read_mark(line: usize, placed: bool, mark: &str) -> Option<Mark> {
    let (case, rest) = mark.split_once(' ')?;
    let (threads, text) = match rest.split_once("+ ").map(|(n, text)| (n.parse(), text)) {
        Some((Ok(threads), text)) => (threads, text),
        _ => (1, rest),
    };
    Some(Mark {
        case: case.parse().ok()?,
        line,
        threads,
        placed,
        text: text.to_string(),
    })
}
