//! The programs of `tests/programs`: each checks itself and prints one line `PASS`; what differs from that its first comment says.
//!
//! A program is a `.upc` file, or a folder whose `.upc` and `.c` files are compiled one by one and linked. Lines `// key: value` at its
//! beginning (of `main.upc` in a folder) say what to do; [`Plan`] lists the keys.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::context::{COMPILE, Context, RUN, files, read, stem};
use crate::process::{self, Output};
use crate::report::Tally;
use crate::tools::compilers;

/// What a program wants.
pub struct Plan {
    pub name: String,
    sources: Vec<PathBuf>,
    /// `threads: 1 2 256`: thread counts to run on.
    pub threads: Vec<usize>,
    /// `environment: static` or `dynamic`: only that THREADS environment.
    environment: Option<String>,
    /// `flags: -DX=1`: for compiler and linker.
    flags: Vec<String>,
    /// `set: NAME=value`: in the environment of the run.
    set: Vec<(String, String)>,
    /// `upcrun: -shared-heap 1M`: flags of the launcher.
    upcrun: Vec<String>,
    /// `status: 3`, or `status: nonzero`; 0 and a line PASS if it says nothing.
    status: Option<String>,
    /// `stdout: text`, `stderr: text`: must be there.
    stdout: Vec<String>,
    stderr: Vec<String>,
}

const THREADS: &[usize] = &[1, 2, 3, 4, 8];

/// Every program runs once with checks, which must have nothing to say to it: on these threads, if it can.
const CHECKED: &[&str] = &["-O0", "-fupc-checks"];
const CHECKED_THREADS: usize = 3;

/// And once, on several threads if it can, as if each thread were on a machine of its own.
pub const APART: &[&str] = &["-pshm-width=1"];

/// Compiled for messages.
pub const MESSAGES: &str = "-network=mpi";
/// Time limit of a run where each access of a test that looks at every element may be a message, between more processes than processors.
pub const MESSAGES_RUN: Duration = Duration::from_secs(240);

/// Variables for a run.
pub type Setting = &'static [(&'static str, &'static str)];

/// What such a program runs with: no cache, one so small that lines are thrown out all the time, and the usual one, which a distance however
/// small switches on.
pub const CACHES: &[Setting] = &[
    &[("UPC_CACHE", "off")],
    &[
        ("UPC_CACHE", "on"),
        ("UPC_CACHE_LINE", "64"),
        ("UPC_CACHE_LINES", "16"),
    ],
    &[("UPC_PSHM_DELAY", "1")],
];

/// One compilation of a program and the thread counts it runs on.
pub struct Case<'a> {
    pub plan: &'a Plan,
    pub cc: &'static str,
    /// Static THREADS.
    pub threads: Option<usize>,
    pub optimise: bool,
    /// Further flags, beside those of the plan.
    pub flags: &'static [&'static str],
    pub runs: Vec<usize>,
    /// Runs with this one of [`CACHES`] alone, where it would with each.
    pub cache: Option<usize>,
}

impl Plan {
    /// Whether the program ends with status 0.
    pub fn ends_well(&self) -> bool {
        self.status.is_none()
    }

    /// Puts a variable into the environment of the run.
    pub fn set(&mut self, name: &str, value: &str) {
        self.set.push((name.to_string(), value.to_string()));
    }

    /// Whether the program is for `static` or `dynamic` THREADS.
    pub fn wants(&self, kind: &str) -> bool {
        self.environment.as_deref().is_none_or(|only| only == kind)
    }

    /// Whether a run was what the program wants.
    pub fn judge(&self, output: &Output) -> Result<(), String> {
        judge(self, output).map_err(|why| format!("{why}: {}", output.tail()))
    }
}

pub fn run(context: &Context) -> Result<Tally, String> {
    let work = context.fresh("programs")?;
    let plans = plans(&context.root.join("tests/programs"), THREADS)?;
    let cases: Vec<Case> = plans
        .iter()
        .enumerate()
        .flat_map(|(i, plan)| cases(plan, i, context.long))
        .collect();
    Ok(context.each(&cases, |case| one(context, &work, case)))
}

/// Dynamic THREADS on every count; static THREADS on one count that changes from program to program, on all of them in a long run; the
/// compilers and optimisation take turns.
fn cases(plan: &Plan, index: usize, long: bool) -> Vec<Case<'_>> {
    let compilers = compilers();
    let mut cases = Vec::new();
    for (nth, &cc) in compilers.iter().enumerate() {
        let turn = index + nth;
        if plan.wants("dynamic") {
            let runs = if nth == 0 || long {
                plan.threads.clone()
            } else {
                vec![plan.threads[turn % plan.threads.len()]]
            };
            cases.push(Case {
                plan,
                cc,
                threads: None,
                optimise: turn.is_multiple_of(2),
                flags: &[],
                runs,
                cache: None,
            });
            if nth == 0 {
                let count = plan.threads.iter().find(|n| **n == CHECKED_THREADS);
                cases.push(Case {
                    plan,
                    cc,
                    threads: None,
                    optimise: false,
                    flags: CHECKED,
                    runs: vec![*count.unwrap_or(&plan.threads[0])],
                    cache: None,
                });
            }
        }
        if nth == 0 {
            cases.push(apart(plan, cc, index));
        }
        if plan.wants("static") {
            let counts = if long {
                plan.threads.clone()
            } else {
                vec![plan.threads[(turn * 3 + 1) % plan.threads.len()]]
            };
            let of = |n| Case {
                plan,
                cc,
                threads: Some(n),
                optimise: turn % 2 == 1,
                flags: &[],
                runs: vec![n],
                cache: None,
            };
            cases.extend(counts.into_iter().map(of));
        }
    }
    cases
}

/// The case of a program in which no thread reaches another's memory.
pub fn apart<'a>(plan: &'a Plan, cc: &'static str, index: usize) -> Case<'a> {
    flagged(plan, cc, index, APART)
}

/// A case with these flags, on one count of threads, several if the program can.
pub fn flagged<'a>(
    plan: &'a Plan,
    cc: &'static str,
    index: usize,
    flags: &'static [&'static str],
) -> Case<'a> {
    let several: Vec<usize> = plan.threads.iter().copied().filter(|n| *n > 1).collect();
    let threads = match several.as_slice() {
        [] => plan.threads[0],
        counts => counts[index % counts.len()],
    };
    Case {
        plan,
        cc,
        threads: (!plan.wants("dynamic")).then_some(threads),
        optimise: index.is_multiple_of(2),
        flags,
        runs: vec![threads],
        cache: None,
    }
}

/// The program's name in the folder of its suite.
pub fn file_name(case: &Case) -> String {
    let kind = case
        .threads
        .map_or("dynamic".to_string(), |n| format!("static-{n}"));
    let flags = case.flags.concat();
    format!("{}-{}-{kind}{flags}", case.plan.name, case.cc)
}

/// Compiles a case into the folder `work` and runs it.
pub fn one(context: &Context, work: &Path, case: &Case) -> Tally {
    let name = file_name(case);
    let program = work.join(&name);
    let mut tally = Tally::default();
    if let Err(why) = compile(context, case, &program) {
        tally.add(&name, Err(why));
        return tally;
    }
    for &threads in &case.runs {
        for setting in case.settings() {
            tally.add(
                &format!("{name} on {threads} threads{}", in_words(setting)),
                execute(context, case, &program, threads, setting),
            );
        }
    }
    tally
}

impl Case<'_> {
    fn settings(&self) -> &'static [Setting] {
        let apart = self.flags.iter().any(|f| f.starts_with("-pshm-width"));
        match (apart, self.cache) {
            (false, _) => &[&[]],
            (true, None) => CACHES,
            (true, Some(index)) => std::slice::from_ref(&CACHES[index % CACHES.len()]),
        }
    }
}

/// ` with NAME=VALUE ...`, nothing if nothing is set.
pub fn in_words(setting: Setting) -> String {
    let words: Vec<String> = setting.iter().map(|(n, v)| format!("{n}={v}")).collect();
    if words.is_empty() {
        String::new()
    } else {
        format!(" with {}", words.join(" "))
    }
}

fn compile(context: &Context, case: &Case, program: &Path) -> Result<(), String> {
    let flags = |upcc: &mut Command| {
        upcc.args(&case.plan.flags)
            .args(case.flags)
            .args(case.optimise.then_some("-O"))
            .args(case.threads.map(|n| format!("-T={n}")));
    };
    let mut link = context.upcc(case.cc);
    flags(&mut link);
    match &case.plan.sources[..] {
        [single] => {
            link.arg(single);
        }
        several => {
            for source in several {
                let object = program.with_extension(format!("{}.o", stem(source)));
                let mut upcc = context.upcc(case.cc);
                flags(&mut upcc);
                process::must(upcc.arg("-c").arg(source).arg("-o").arg(&object), COMPILE)?;
                link.arg(object);
            }
        }
    }
    process::must(link.arg("-o").arg(program), COMPILE).map(|_| ())
}

fn execute(
    context: &Context,
    case: &Case,
    program: &Path,
    threads: usize,
    setting: Setting,
) -> Result<(), String> {
    let upcrun = Command::new(&context.upcrun);
    let limit = match case.flags.contains(&MESSAGES) {
        true => MESSAGES_RUN,
        false => RUN,
    };
    launch(case.plan, upcrun, program, threads, setting, limit)
}

/// Runs a program of a plan by `upcrun`, a command to which what upcrun is told may be added.
pub fn launch(
    plan: &Plan,
    mut upcrun: Command,
    program: &Path,
    threads: usize,
    setting: Setting,
    limit: Duration,
) -> Result<(), String> {
    upcrun
        .arg("-n")
        .arg(threads.to_string())
        .args(&plan.upcrun)
        .arg(program)
        .envs(process::MPI)
        .envs(setting.iter().copied())
        .envs(plan.set.iter().map(|(name, value)| (name, value)));
    let output = process::run(&mut upcrun, limit)?;
    plan.judge(&output)
}

fn judge(plan: &Plan, output: &Output) -> Result<(), String> {
    match plan.status.as_deref() {
        None if !output.ok() => return Err("fails".to_string()),
        None if output.out().lines().filter(|l| *l == "PASS").count() != 1 => {
            return Err("not one line PASS".to_string());
        }
        None => {}
        Some("nonzero") if output.ok() || output.status.is_none() => {
            return Err("status is not nonzero".to_string());
        }
        Some("nonzero") => {}
        Some(wanted) if output.code().map(|c| c.to_string()).as_deref() != Some(wanted) => {
            return Err(format!("status is not {wanted}"));
        }
        Some(_) => {}
    }
    let missing =
        |wanted: &[String], said: &str| wanted.iter().find(|w| !said.contains(w.as_str())).cloned();
    match missing(&plan.stdout, &output.out()).or(missing(&plan.stderr, &output.err())) {
        Some(text) => Err(format!("`{text}` is not in the output")),
        None => Ok(()),
    }
}

/// The programs of a folder. threads: the counts for those that name none.
pub fn plans(folder: &Path, threads: &[usize]) -> Result<Vec<Plan>, String> {
    let mut plans = Vec::new();
    for single in files(folder, "upc")? {
        plans.push(plan(&single, vec![single.clone()], threads)?);
    }
    for dir in folders(folder)? {
        let sources: Vec<PathBuf> = files(&dir, "upc")?
            .into_iter()
            .chain(files(&dir, "c")?)
            .collect();
        let mut plan = plan(&dir.join("main.upc"), sources, threads)?;
        plan.name = stem(&dir);
        plans.push(plan);
    }
    Ok(plans)
}

/// The folders in a folder, sorted.
pub fn folders(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let entries = fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let mut folders: Vec<PathBuf> = entries
        .filter_map(|e| e.ok())
        .map(|e| e.path())
        .filter(|p| p.is_dir())
        .collect();
    folders.sort();
    Ok(folders)
}

/// Reads the `// key: value` lines at the beginning of `main`.
fn plan(main: &Path, sources: Vec<PathBuf>, threads: &[usize]) -> Result<Plan, String> {
    let mut plan = Plan {
        name: stem(main),
        sources,
        threads: threads.to_vec(),
        environment: None,
        flags: Vec::new(),
        set: Vec::new(),
        upcrun: Vec::new(),
        status: None,
        stdout: Vec::new(),
        stderr: Vec::new(),
    };
    for line in read(main)?.lines().map_while(|l| l.strip_prefix("// ")) {
        let Some((key, value)) = line.split_once(": ") else {
            continue;
        };
        let words = || value.split_whitespace().map(str::to_string);
        match key {
            "threads" => plan.threads = words().filter_map(|w| w.parse().ok()).collect(),
            "environment" => plan.environment = Some(value.to_string()),
            "flags" => plan.flags = words().collect(),
            "set" => plan.set.extend(words().filter_map(|w| {
                w.split_once('=')
                    .map(|(n, v)| (n.to_string(), v.to_string()))
            })),
            "upcrun" => plan.upcrun = words().collect(),
            "status" => plan.status = Some(value.to_string()),
            "stdout" => plan.stdout.push(value.to_string()),
            "stderr" => plan.stderr.push(value.to_string()),
            "question" => {}
            _ => return Err(format!("{}: unknown key `{key}`", main.display())),
        }
    }
    if plan.threads.is_empty() {
        return Err(format!("{}: no thread counts", main.display()));
    }
    Ok(plan)
}
