//! The programs of `tests/events`: each event of the table, with its arguments and its place, under each flag that asks
//! for it and under none that does not.
//!
//! A program lists the events that it raises in comments ([`marks`]), which are compared with the bundled tool's dump,
//! thread by thread and in order. Lines `// key: value` at its beginning: `threads: 2 4` (1 to 4 if absent),
//! `flags: -DX` for the compiler, `set: NAME=value` for the runs, `status: 3`, `judge: thread 0` if the other threads
//! are stopped at an arbitrary place, `judge: balance` if only starts and ends are compared with each other and
//! `raises: A B` lists the events that must occur; `remote: balance` likewise, if each thread is on a machine of its own;
//! `checks: no` if a rule of the language is broken. The other tests are tools as users write them ([`clients`]) and
//! the bundled one ([`bundled`]), and calls of MPI ([`mpi_calls`]).

mod bundled;
mod clients;
mod counted;
mod dump;
pub(super) mod hot;
mod loaded;
mod marks;
mod messages;
mod mpi_calls;
mod pthreads;
mod recorded;
pub(super) mod table;

pub use hot::{KNOWN_FLAGS, KNOWN_SIZES, estimate_ratios, rows};

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::forms;
use super::test::Test;
use crate::context::{COMPILE, Context, RUN, files, forever, read, stem, write};
use crate::process;
use crate::report::Tally;
use crate::tools::compilers;
use marks::{Mark, Mode, Setting};
use table::Table;

const THREADS: &[usize] = &[1, 2, 3, 4];

/// A program with the contents of its first comments.
struct Program {
    source: PathBuf,
    threads: Vec<usize>,
    flags: Vec<String>,
    /// Variables in the environment of the run.
    set: Vec<(String, String)>,
    status: i32,
    judge: Judge,
    /// The judge if each thread is on a machine of its own.
    judge_remote: Judge,
    raises: Vec<String>,
    /// It may be run with checks.
    checks: bool,
    marks: Vec<Mark>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Judge {
    Marks,
    /// Only the marks of this thread are compared.
    MarksOf(usize),
    Balance,
}

/// One compilation.
struct Build {
    name: String,
    flags: Vec<String>,
    mode: Mode,
    cc: &'static str,
    /// Static THREADS.
    fixed: bool,
    threads: Vec<usize>,
}

pub fn tests(context: &'static Context) -> Result<Vec<Test>, String> {
    let work: &Path = forever(context.fresh("events")?).as_path();
    let table: &Table = forever(Table::read(context)?);
    let programs = files(&context.root.join("tests/events"), "upc")?
        .iter()
        .map(|source| Program::read(source, table))
        .collect::<Result<Vec<_>, _>>()?;
    let programs: &[Program] = forever(programs);
    let mpi_marks: &[Mark] = forever(mpi_calls::marks(context, table)?);
    let mut tests = vec![
        Test::one("every symbol has a program", move || {
            covered(programs, mpi_marks, table)
        }),
        Test::one("every instrumented function is called", move || {
            all_called(context, programs)
        }),
    ];
    for program in programs {
        let name = stem(&program.source);
        for build in builds(program, table, context.long) {
            tests.push(Test::new(build.name.clone(), move || {
                check(context, work, table, program, &build)
            }));
        }
        tests.push(Test::one(format!("{name}::without a flag"), move || {
            raises_nothing(context, work, program)
        }));
        tests.push(Test::one(format!("{name}::recorded"), move || {
            recorded::check(context, work, program)
        }));
    }
    tests.extend(messages::tests(context, work, table, programs));
    tests.extend(mpi_calls::tests(context, work, table, mpi_marks));
    tests.extend(counted::tests(context, work));
    tests.extend(pthreads::tests(context, work));
    tests.extend(clients::tests(context, work));
    Ok(tests)
}

/// Returns the compiler that a name chooses.
fn compiler(name: &str) -> &'static str {
    let chosen = forms::choose(&format!("{name} compiler"), compilers());
    chosen.copied().unwrap_or("gcc")
}

impl Program {
    fn read(source: &Path, table: &Table) -> Result<Program, String> {
        let text = read(source)?;
        let value = |key: &str| {
            let head = format!("// {key}: ");
            text.lines().find_map(|line| line.strip_prefix(&head))
        };
        let words = |key: &str| -> Vec<String> {
            let value = value(key).unwrap_or_default();
            value.split_whitespace().map(str::to_owned).collect()
        };
        let bad = |key: &str| format!("{}: what is `{key}`?", source.display());
        let threads: Result<Vec<usize>, _> = words("threads").iter().map(|n| n.parse()).collect();
        let threads = threads.map_err(|_| bad("threads"))?;
        let status = value("status").map_or(Ok(0), str::parse);
        let judge = match value("judge") {
            None => Judge::Marks,
            Some("balance") => Judge::Balance,
            Some(judge) => {
                let thread = judge.strip_prefix("thread ").map(str::parse);
                Judge::MarksOf(thread.and_then(Result::ok).ok_or_else(|| bad("judge"))?)
            }
        };
        Ok(Program {
            source: source.to_path_buf(),
            threads: if threads.is_empty() {
                THREADS.to_vec()
            } else {
                threads
            },
            flags: words("flags"),
            set: words("set")
                .iter()
                .filter_map(|word| word.split_once('='))
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .collect(),
            status: status.map_err(|_| bad("status"))?,
            judge,
            judge_remote: match value("remote") {
                None => judge,
                Some("balance") => Judge::Balance,
                Some(_) => return Err(bad("remote")),
            },
            raises: words("raises"),
            checks: value("checks") != Some("no"),
            marks: marks::read_marks(source, table)?,
        })
    }

    fn judge_of(&self, apart: bool) -> Judge {
        if apart { self.judge_remote } else { self.judge }
    }

    /// Returns the events that its marks or its head name.
    fn events(&self) -> impl Iterator<Item = &str> {
        let marked = self.marks.iter().map(|mark| mark.event.as_str());
        marked.chain(self.raises.iter().map(String::as_str))
    }
}

/// Checks that every symbol of the table is in the marks of a program.
fn covered(programs: &[Program], more: &[Mark], table: &Table) -> Result<(), String> {
    let raised: BTreeSet<String> = programs
        .iter()
        .flat_map(|program| &program.marks)
        .chain(more)
        .filter_map(|mark| table.symbol(&mark.event))
        .collect();
    let missing: Vec<&str> = table
        .symbols()
        .filter(|symbol| !raised.contains(*symbol))
        .collect();
    match missing.is_empty() {
        true => Ok(()),
        false => Err(format!("raised by no program: {}", missing.join(" "))),
    }
}

/// Checks that every function of `src/events/calls.rs` is called by a program.
fn all_called(context: &Context, programs: &[Program]) -> Result<(), String> {
    let headers = context.root.join("runtime-c/include/upcr");
    let list = read(&headers.join("inst_calls.h"))? + &read(&headers.join("inst_support.h"))?;
    let texts: Result<Vec<String>, _> = programs.iter().map(|p| read(&p.source)).collect();
    let texts = texts?;
    // `UPCR_INLINE int upcr_inst_upc_lock_attempt(upcr_site *site, ...)`
    let functions = list.lines().filter(|line| line.starts_with("UPCR_INLINE"));
    let with_site = functions.filter_map(|line| {
        line.split_once("(upcr_site *site")?
            .0
            .split_once("upcr_inst_")
    });
    // Berkeley's atomic operations are called by macros for all types.
    let names = with_site
        .map(|(_, name)| name)
        .filter(|name| !name.starts_with("bupc_atomic"));
    let names: Vec<&str> = names.collect();
    let called = |name: &str| texts.iter().any(|text| text.contains(&format!("{name}(")));
    let wrong: Vec<&str> = names.iter().copied().filter(|name| !called(name)).collect();
    match names.is_empty() || !wrong.is_empty() {
        false => Ok(()),
        true => Err(format!("not called by any program: {}", wrong.join(" "))),
    }
}

impl Build {
    fn file_name(&self) -> String {
        self.name.replace("::", "-")
    }

    /// Returns a build with all events and dynamic THREADS.
    fn of_all_events(program: &Program, threads: usize) -> Build {
        let name = format!("{}::recorded", stem(&program.source));
        Build {
            cc: compiler(&name),
            name,
            flags: ["-O1", "--inst-local", "--inst-functions"]
                .map(str::to_owned)
                .to_vec(),
            mode: Mode {
                local: true,
                functions: true,
                ..Mode::default()
            },
            fixed: false,
            threads: vec![threads],
        }
    }
}

/// Returns each set of flags on one build; names choose compilers, optimisation and thread counts. A normal run takes
/// every second thread count.
fn builds(program: &Program, table: &Table, long: bool) -> Vec<Build> {
    let of_program = stem(&program.source);
    // Half of the events of the program.
    let half = |event: &String| forms::hash(&format!("{of_program} {event}")).is_multiple_of(2);
    let only: BTreeSet<String> = program
        .events()
        .filter_map(|event| table.symbol(event))
        .filter(half)
        .collect();
    let mode = |local, functions, only: Option<BTreeSet<String>>| Mode {
        local,
        functions,
        only,
        ..Mode::default()
    };
    let structs = Mode {
        structs: true,
        ..mode(true, true, None)
    };
    let modes = [
        ("inst", mode(false, false, None), &["--inst"][..], false),
        (
            "inst-local",
            mode(true, false, None),
            &["-inst-local"],
            true,
        ),
        (
            "inst-functions",
            mode(false, true, None),
            &["--inst-functions"],
            false,
        ),
        (
            "both",
            structs,
            &["--inst-local", "--inst-functions", "-fupc-pts=struct"],
            false,
        ),
        (
            "checked",
            mode(true, true, None),
            &["--inst-local", "--inst-functions", "-g", "-fupc-checks"],
            false,
        ),
        (
            "inst-only",
            mode(false, false, Some(only)),
            &["--inst-only"],
            true,
        ),
    ];
    modes
        .into_iter()
        .filter(|(name, ..)| *name != "checked" || program.checks)
        .map(|(name, mode, flags, fixed)| {
            let name = format!("{of_program}::{name}");
            let threads = match fixed {
                true => Vec::from_iter(forms::choose(&name, &program.threads).copied()),
                false => forms::every_second(&name, &program.threads, long),
            };
            let mut flags: Vec<String> = flags.iter().map(|flag| flag.to_string()).collect();
            if !flags.iter().any(|flag| flag == "-g") {
                let level = forms::choose(&format!("{name} level"), &["-O1", "-O0"]);
                flags.extend(level.map(|level| (*level).to_owned()));
            }
            if let (true, [count]) = (fixed, &threads[..]) {
                flags.push(format!("-T={count}"));
            }
            Build {
                cc: compiler(&name),
                name,
                flags,
                mode,
                fixed,
                threads,
            }
        })
        .collect()
}

fn check(context: &Context, work: &Path, table: &Table, program: &Program, build: &Build) -> Tally {
    let mut tally = Tally::default();
    let binary = work.join(build.file_name());
    if let Err(why) = compile(context, program, build, &binary) {
        tally.add(&build.name, Err(why));
        return tally;
    }
    for &threads in &build.threads {
        let name = format!("{} on {threads} threads", build.name);
        let verdict = dumps(context.upcrun(threads, &binary), program, &binary, threads)
            .and_then(|dumps| judge(program, build, table, threads, &dumps));
        tally.add(&name, verdict);
    }
    tally
}

fn compile(
    context: &Context,
    program: &Program,
    build: &Build,
    binary: &Path,
) -> Result<(), String> {
    let mut upcc = context.upcc(build.cc);
    let source = &program.source;
    upcc.current_dir(source.parent().unwrap_or(Path::new(".")))
        .arg("-w")
        .args(&program.flags);
    for flag in &build.flags {
        upcc.arg(flag);
        if let (Some(only), "--inst-only") = (&build.mode.only, flag.as_str()) {
            let list = binary.with_extension("list");
            let names: Vec<&str> = only.iter().map(String::as_str).collect();
            write(&list, &(names.join("\n") + "\n"))?;
            upcc.arg(list);
        }
    }
    upcc.arg(source.file_name().unwrap_or_default())
        .arg("-o")
        .arg(binary);
    process::must(&mut upcc, COMPILE).map(|_| ())
}

/// Runs a program by the given command of `upcrun`, with a tool.
fn run_with(
    mut upcrun: Command,
    program: &Program,
    tool: &[(&str, &dyn AsRef<OsStr>)],
) -> Result<(), String> {
    upcrun
        .envs(program.set.iter().map(|(name, value)| (name, value)))
        .envs(tool.iter().map(|(name, value)| (name, value.as_ref())))
        .env("UPC_QUIET", "1");
    let output = process::run(&mut upcrun, RUN)?;
    match output.code() == Some(program.status) {
        true => Ok(()),
        false => Err(output.tail()),
    }
}

/// Returns the dumps of all threads.
fn dumps(
    upcrun: Command,
    program: &Program,
    binary: &Path,
    threads: usize,
) -> Result<Vec<Vec<String>>, String> {
    let file = |thread: &str| binary.with_extension(format!("{threads}.{thread}"));
    let tool: &[(&str, &dyn AsRef<OsStr>)] =
        &[("UPC_TOOL", &"dump"), ("GASP_DUMPFILE", &file("%"))];
    run_with(upcrun, program, tool)?;
    (0..threads)
        .map(|thread| dump::read_file(&file(&thread.to_string())))
        .collect()
}

fn judge(
    program: &Program,
    build: &Build,
    table: &Table,
    threads: usize,
    dumps: &[Vec<String>],
) -> Result<(), String> {
    let file = program.source.file_name().unwrap_or_default();
    let file = file.to_string_lossy();
    // All static shared objects are reported at start-up; only a program that tests this has marks for them.
    let objects = program.marks.iter().any(|mark| mark.event == OBJECT);
    for (thread, found) in dumps.iter().enumerate() {
        let of_thread = |why: String| format!("thread {thread}: {why}");
        let mut found = found.clone();
        if !objects {
            found.retain(|line| !line.contains(OBJECT));
        }
        let judge = program.judge_of(build.mode.apart);
        match judge {
            Judge::MarksOf(only) if only != thread => continue,
            Judge::Marks | Judge::MarksOf(_) => {
                let mode = &build.mode;
                let setting = Setting {
                    thread,
                    threads,
                    fixed: build.fixed,
                    mode,
                };
                let marks = program.marks.iter();
                let expected: Vec<String> = marks
                    .flat_map(|mark| mark.lines(&file, table, setting))
                    .collect();
                dump::compare(&expected, &found).map_err(of_thread)?;
            }
            Judge::Balance => {}
        }
        if build.mode.only.is_none() && program.status == 0 {
            dump::balanced(&found).map_err(of_thread)?;
        }
        if judge == Judge::Balance && build.mode.functions && build.mode.local {
            raises_all(program, &found).map_err(of_thread)?;
        }
    }
    Ok(())
}

const OBJECT: &str = "BUPC_STATIC_SHARED";

fn raises_all(program: &Program, found: &[String]) -> Result<(), String> {
    let missing = program.raises.iter().find(|event| {
        let word = format!(" {event} ");
        !found.iter().any(|line| line.contains(&word))
    });
    missing.map_or(Ok(()), |event| Err(format!("no {event} is raised")))
}

/// Checks that without a flag the program has no symbol of GASP, and the run raises no event.
fn raises_nothing(context: &Context, work: &Path, program: &Program) -> Result<(), String> {
    let build = Build {
        name: String::new(),
        flags: vec!["-O1".to_owned()],
        mode: Mode::default(),
        cc: "gcc",
        fixed: false,
        threads: Vec::new(),
    };
    let binary = work.join(format!("{}-plain", stem(&program.source)));
    compile(context, program, &build, &binary)?;
    let symbols = process::must(Command::new("nm").arg(&binary), COMPILE)?.out();
    // The runtime detects that there is no tool by an undefined weak reference.
    let mut defined = symbols.lines().filter(|line| !line.contains(" w "));
    let trace = defined.find(|line| {
        ["gasp_", "upcr_inst", "pupc_", "upcr_tool"]
            .iter()
            .any(|t| line.contains(t))
    });
    if let Some(trace) = trace {
        return Err(format!("a trace of instrumentation: {trace}"));
    }
    let threads = program.threads[0];
    let name = binary.with_extension("dump");
    let mut upcrun = context.upcrun(threads, &binary);
    upcrun.env("UPC_TOOL", "dump").env("GASP_DUMPFILE", &name);
    let output = process::run(&mut upcrun, RUN)?;
    if output.code() != Some(program.status) || name.exists() {
        return Err(format!(
            "reports events, or ends with another status: {}",
            output.tail()
        ));
    }
    Ok(())
}
