//! The conformance suite of transports (`runtime-c/tests/transport`) over messages. The suite `runtime` runs it in
//! shared memory.
//!
//! One program calls the operations of the contract and checks what each guarantees. Each of its ways to end is a
//! separate run, and `table.txt` lists the expected results.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::context::{COMPILE, Context, files, forever, read, stem, write};
use crate::hosts::Hosts;
use crate::process::{self, Output};
use crate::report::Tally;
use crate::suites::forms::Setting;
use crate::suites::test::{Shared, Test};
use crate::tools::{self, Need};

/// The number of threads, and how many of them share memory. A normal run takes the first few.
const ALONE: &[(usize, usize)] = &[
    (3, 1),
    (5, 2),
    (2, 8),
    (1, 1),
    (2, 1),
    (4, 1),
    (5, 1),
    (8, 1),
    (3, 2),
    (8, 2),
    (4, 3),
    (5, 8),
];
const APART: &[(usize, usize)] = &[(3, 8), (6, 8), (2, 1), (5, 1), (5, 2), (8, 2)];
/// The same for the ways to end.
const ENDS: &[(usize, usize)] = &[(3, 1), (2, 8), (5, 2), (1, 1)];

const LIMIT: Duration = Duration::from_secs(120);
const END_LIMIT: Duration = Duration::from_secs(30);
const HEAP: &[&str] = &["-shared-heap", "64M"];

/// A line of `table.txt`.
struct End {
    name: String,
    status: i32,
    /// The number of times that standard output contains [`SAID`], by the number of threads; `None`: it is not checked.
    said: Option<fn(usize) -> usize>,
    /// A part of the one line on standard error; `None`: there is none.
    line: Option<String>,
}

const SAID: &str = "said;";

/// What carries the messages, and how much of the suite runs with it.
pub struct Wire {
    /// The beginning of the tests' names.
    pub name: &'static str,
    /// The option of upcc.
    pub flag: &'static str,
    /// The environment on three machines.
    pub on_hosts: Setting,
    pub needs: &'static [Need],
    /// The number of shapes, and of shapes that end, of a normal run.
    pub few: usize,
    pub few_ends: usize,
    /// Whether a normal run has three machines, too.
    pub few_on_hosts: bool,
}

/// Builds the program: C, and a UPC unit, whose note gives upcrun the transport.
fn build(context: &Context, work: &Path, wire: &Wire) -> Result<PathBuf, String> {
    let runtime = context.root.join("runtime-c");
    let folder = runtime.join("tests/transport");
    let program = work.join(format!("contract{}", wire.flag));
    let unit = work.join("contract_unit.upc");
    write(&unit, "typedef int contract_unit;\n")?;
    let mut link = context.upcc("gcc");
    link.arg(wire.flag).arg(&unit);
    for source in files(&folder, "c")? {
        let object = work.join(format!("contract_{}.o", stem(&source)));
        let mut gcc = Command::new("gcc");
        gcc.args([
            "-std=gnu11",
            "-O2",
            "-g1",
            "-Wall",
            "-Wextra",
            "-Werror",
            "-DUPCR_REMOTE",
            "-c",
        ])
        .arg("-I")
        .arg(runtime.join("include"))
        .arg("-I")
        .arg(runtime.join("src"))
        .arg(&source)
        .arg("-o")
        .arg(&object);
        process::must(&mut gcc, COMPILE)?;
        link.arg(object);
    }
    process::must(link.arg("-o").arg(&program), COMPILE).map(|_| program)
}

fn ends(table: &Path) -> Result<Vec<End>, String> {
    read(table)?
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| end(line).ok_or_else(|| format!("{}: `{line}`", table.display())))
        .collect()
}

fn end(line: &str) -> Option<End> {
    let mut words = line.splitn(4, ' ');
    Some(End {
        name: words.next()?.to_string(),
        status: words.next()?.parse().ok()?,
        said: match words.next()? {
            "-" => None,
            "N" => Some(|threads| threads),
            "N-1" => Some(|threads| threads - 1),
            _ => return None,
        },
        line: Some(words.next()?.to_string()).filter(|text| text != "-"),
    })
}

impl End {
    fn judge(&self, threads: usize, output: &Output) -> Result<(), String> {
        let (out, err) = (output.out(), output.err());
        let said = out.matches(SAID).count();
        let wanted = self.said.map_or(said, |of| of(threads));
        let line_is_right = match &self.line {
            None => err.is_empty(),
            Some(text) => err.contains(text.as_str()) && err.lines().count() == 1,
        };
        match () {
            () if output.code() != Some(self.status) => Err(format!("not status {}", self.status)),
            () if said != wanted => Err(format!("`{SAID}` {said} times, not {wanted}")),
            () if !line_is_right => Err(format!(
                "standard error is not a line with `{}`",
                self.line.as_deref().unwrap_or_default()
            )),
            () => Ok(()),
        }
        .map_err(|why| format!("{why}: {}", output.tail()))
    }
}

/// Runs the program by `upcrun` with some arguments. `shape`: the number of threads, and how many of them share memory.
fn start(
    mut upcrun: Command,
    program: &Path,
    shape: (usize, usize),
    arguments: &[&str],
    limit: Duration,
) -> Result<Output, String> {
    upcrun
        .args(["-n", &shape.0.to_string()])
        .args(HEAP)
        .arg(program)
        .args(arguments)
        .env("UPC_PSHM_WIDTH", shape.1.to_string())
        .envs(process::MPI);
    process::run(&mut upcrun, limit)
}

fn cases(upcrun: Command, program: &Path, shape: (usize, usize)) -> Result<(), String> {
    let output = start(upcrun, program, shape, &[], LIMIT)?;
    match output.ok() && output.out().lines().any(|line| line == "PASS") {
        true => Ok(()),
        false => Err(output.tail()),
    }
}

/// Returns all in a long run, else the first `most`.
fn few<T>(context: &Context, all: &'static [T], most: usize) -> &'static [T] {
    match context.long {
        true => all,
        false => &all[..all.len().min(most)],
    }
}

/// Where the program runs.
#[derive(Clone)]
enum Place {
    OneMachine,
    ThreeMachines(Shared<Hosts>),
}

impl Place {
    fn words(&self) -> &'static str {
        match self {
            Place::OneMachine => "one machine",
            Place::ThreeMachines(_) => "three machines",
        }
    }

    fn shapes(&self) -> &'static [(usize, usize)] {
        match self {
            Place::OneMachine => ALONE,
            Place::ThreeMachines(_) => APART,
        }
    }

    /// Returns upcrun. Err: three machines cannot be simulated on this one, or something is not installed.
    fn upcrun(&self, context: &Context, wire: &Wire) -> Result<Command, String> {
        if let Some(why) = tools::missing(wire.needs) {
            return Err(why);
        }
        match self {
            Place::OneMachine => Ok(Command::new(&context.upcrun)),
            Place::ThreeMachines(hosts) => {
                let mut upcrun = hosts.get(|| Hosts::up(context))?.upcrun();
                upcrun.envs(wire.on_hosts.iter().copied());
                Ok(upcrun)
            }
        }
    }
}

pub fn tests(
    context: &'static Context,
    work: &'static Path,
    hosts: &Shared<Hosts>,
    wire: &'static Wire,
) -> Result<Vec<Test>, String> {
    let table = context.root.join("runtime-c/tests/transport/table.txt");
    let all_ends: &'static [End] = forever(ends(&table)?);
    let program = Shared::default();
    let mut tests = Vec::new();
    for place in [Place::OneMachine, Place::ThreeMachines(hosts.clone())] {
        let mut add = |what: &str, shape: (usize, usize), end: Option<&'static End>| {
            let name = format!(
                "{}contract::{what}::{} threads of {}, {} together",
                wire.name,
                shape.0,
                place.words(),
                shape.1
            );
            let (program, place) = (program.clone(), place.clone());
            tests.push(Test::new(name.clone(), move || {
                let upcrun = match place.upcrun(context, wire) {
                    Ok(upcrun) => upcrun,
                    Err(why) => return Tally::skipped(&name, &why),
                };
                let verdict = program
                    .get(|| build(context, work, wire))
                    .and_then(|program| match end {
                        None => cases(upcrun, program, shape),
                        Some(end) => start(upcrun, program, shape, &["end", &end.name], END_LIMIT)
                            .and_then(|output| end.judge(shape.0, &output)),
                    });
                Tally::one(&name, verdict)
            }));
        };
        if !context.long && !wire.few_on_hosts && matches!(place, Place::ThreeMachines(_)) {
            continue;
        }
        for &shape in few(context, place.shapes(), wire.few) {
            add("all", shape, None);
        }
        for &shape in few(context, ENDS, wire.few_ends) {
            for end in all_ends {
                add(&end.name, shape, Some(end));
            }
        }
    }
    Ok(tests)
}
