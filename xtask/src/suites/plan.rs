//! The requirements of a test program: the lines `// key: value` at its beginning, or for a sample at its end.
//!
//! A program is a `.upc` file, or a folder whose `.upc` and `.c` files are compiled one by one and linked; in a folder
//! `main.upc` has the lines.

use std::fs;
use std::path::{Path, PathBuf};

use super::counts::Count;
use super::forms::Form;
use super::race_reports::{Kind, Report};
use crate::context::{files, read, stem};
use crate::process::Output;

/// A program of the tests.
pub struct Plan {
    pub name: String,
    pub sources: Vec<PathBuf>,
    /// `threads: 1 2 256`: thread counts to run on.
    pub threads: Vec<usize>,
    /// `environment: static` or `dynamic`: only that THREADS environment.
    environment: Option<String>,
    /// `flags: -DX=1`: for compiler and linker.
    pub flags: Vec<String>,
    /// `set: NAME=value`: variables in the environment of the run.
    pub set: Vec<(String, String)>,
    /// `upcrun: -shared-heap 1M`: flags of the launcher.
    pub upcrun: Vec<String>,
    /// `status: 3`, or `status: nonzero`; by default 0 and a line PASS.
    status: Option<String>,
    /// `stdout: text`, `stderr: text`: the stream must contain the text.
    stdout: Vec<String>,
    pub stderr: Vec<String>,
    /// `not: FORM the reason`: a form, or all forms with this prefix, that the program is not suited to.
    not: Vec<String>,
    /// `counts: UPC_LOCK=2*THREADS, UPC_GET.remote=4`: the events that all threads together raise.
    pub counts: Vec<Count>,
    /// `race: 14 20`, `lock-order: 20 31`: the reports of the race detector.
    pub reports: Vec<Report>,
    /// ``element: element 3 of `a` ``: what reports of races must name.
    pub elements: Vec<String>,
    /// `races: yes, the reason`: the program races by intention, and reports are not compared.
    pub races: bool,
    /// How a successful run is recognised.
    shows: Shows,
}

/// How a program shows that its own checks have passed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Shows {
    /// By one line `PASS`.
    Pass,
    /// By a last line that begins with `NAME: OK`, as samples do.
    Ok,
}

impl Plan {
    /// Returns whether the program ends with status 0.
    pub fn ends_well(&self) -> bool {
        self.status.is_none()
    }

    /// Returns whether the program may be compiled and run in a form.
    pub fn fits(&self, form: &Form) -> bool {
        let environment = if form.fixed { "static" } else { "dynamic" };
        let possible = self
            .environment
            .as_deref()
            .is_none_or(|only| only == environment);
        possible && !self.not.iter().any(|name| form.name.starts_with(name))
    }

    /// Checks that a run met the program's requirements.
    pub fn judge(&self, output: &Output) -> Result<(), String> {
        self.judge_with(output, 0)
    }

    /// Does the same for a run in which success has another exit status than 0.
    pub fn judge_with(&self, output: &Output, success: i32) -> Result<(), String> {
        self.verdict(output, success)
            .map_err(|why| format!("{why}: {}", output.tail()))
    }

    fn verdict(&self, output: &Output, success: i32) -> Result<(), String> {
        match self.status.as_deref() {
            None if output.code() != Some(success) => {
                return Err(format!("status is not {success}"));
            }
            None => self.shown(&output.out())?,
            Some("nonzero") if output.ok() || output.status.is_none() => {
                return Err("status is not nonzero".to_string());
            }
            Some("nonzero") => {}
            Some(wanted) if output.code().map(|c| c.to_string()).as_deref() != Some(wanted) => {
                return Err(format!("status is not {wanted}"));
            }
            Some(_) => {}
        }
        let missing = |wanted: &[String], said: &str| {
            wanted.iter().find(|w| !said.contains(w.as_str())).cloned()
        };
        match missing(&self.stdout, &output.out()).or(missing(&self.stderr, &output.err())) {
            Some(text) => Err(format!("`{text}` is not in the output")),
            None => Ok(()),
        }
    }

    fn shown(&self, out: &str) -> Result<(), String> {
        let ok = format!("{}: OK", self.name);
        match self.shows {
            Shows::Pass if out.lines().filter(|l| *l == "PASS").count() != 1 => {
                Err("not one line PASS".to_string())
            }
            // A launcher collects the lines of several processes in an unspecified order.
            Shows::Ok if !out.lines().any(|line| line.starts_with(&ok)) => {
                Err(format!("no line says `{ok}`"))
            }
            Shows::Pass | Shows::Ok => Ok(()),
        }
    }
}

/// Returns the programs of a folder. threads: the thread counts of programs that name none.
pub fn plans(folder: &Path, threads: &[usize], shows: Shows) -> Result<Vec<Plan>, String> {
    let mut plans = Vec::new();
    for single in files(folder, "upc")? {
        plans.push(plan(&single, vec![single.clone()], threads, shows)?);
    }
    for dir in folders(folder)? {
        let sources: Vec<PathBuf> = files(&dir, "upc")?
            .into_iter()
            .chain(files(&dir, "c")?)
            .collect();
        let main = dir.join("main.upc");
        if main.exists() {
            let mut plan = plan(&main, sources, threads, shows)?;
            plan.name = stem(&dir);
            plans.push(plan);
        }
    }
    Ok(plans)
}

/// Returns the folders in a folder, sorted.
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

/// Reads the `// key: value` lines: those at the beginning of `main`, or for a sample those anywhere.
fn plan(
    main: &Path,
    sources: Vec<PathBuf>,
    threads: &[usize],
    shows: Shows,
) -> Result<Plan, String> {
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
        not: Vec::new(),
        counts: Vec::new(),
        reports: Vec::new(),
        elements: Vec::new(),
        races: false,
        shows,
    };
    let bad = |what: &str| format!("{}: {what}", main.display());
    let text = read(main)?;
    let comments: Vec<&str> = match shows {
        Shows::Pass => text.lines().map_while(|l| l.strip_prefix("// ")).collect(),
        // Samples begin with a description.
        Shows::Ok => text.lines().filter_map(|l| l.strip_prefix("// ")).collect(),
    };
    for line in comments {
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
            "not" => plan.not.extend(words().next()),
            "counts" => {
                let counts: Option<Vec<Count>> = value
                    .split([' ', ','])
                    .filter(|word| !word.is_empty())
                    .map(Count::read)
                    .collect();
                plan.counts
                    .extend(counts.ok_or_else(|| bad(&format!("what is `{line}`?")))?);
            }
            "race" | "lock-order" => {
                let report = Kind::named(key).and_then(|kind| Report::declared(kind, main, value));
                plan.reports
                    .push(report.ok_or_else(|| bad(&format!("what is `{line}`?")))?);
            }
            "element" => plan.elements.push(value.to_string()),
            "races" => plan.races = value.starts_with("yes"),
            "question" => {}
            _ if shows == Shows::Ok => {}
            _ => return Err(bad(&format!("unknown key `{key}`"))),
        }
    }
    if plan.threads.is_empty() {
        return Err(bad("no thread counts"));
    }
    Ok(plan)
}
