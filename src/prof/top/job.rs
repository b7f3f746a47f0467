//! The processes of jobs that are measured on this machine.
//!
//! A launcher and its threads share a memory file, in which the threads measure. The launcher is the process whose
//! parent does not have that file.

use super::super::format::SIGNATURE;
use crate::cli::Failure;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::os::unix::fs::{FileExt as _, MetadataExt as _};
use std::path::{Path, PathBuf};

/// How the memory file of `runtime-c/src/tools/measure/memory.c` is listed.
const MEMORY: &str = "/memfd:upc measurement (deleted)";
/// A process.
struct Process {
    parent: i32,
    name: String,
    /// The memory file that it has; `None`: it measures nothing, or belongs to another user.
    memory: Option<u64>,
}

/// The process that started threads of a job.
#[derive(Clone, Debug)]
pub struct Launcher {
    /// Its process id.
    pub pid: i32,
    /// The name of the program.
    pub name: String,
    /// The processes of its threads.
    pub threads: Vec<i32>,
}

/// What tells a file from others: its device and its number there.
pub type FileId = (u64, u64);

/// The files that recordings are written into, with their paths in `/proc`.
type Recorded = BTreeMap<FileId, PathBuf>;

/// Returns the launchers of the job that a word on the command line means: a process id, or the name of a program.
///
/// # Errors
/// There is no such job, it is not measured, or there are several.
pub fn find(word: Option<&str>) -> Result<Vec<Launcher>, Failure> {
    let processes = processes();
    let all = launchers(&processes);
    let found = match word.map(|word| (word, word.parse::<i32>())) {
        None => all,
        Some((_, Ok(pid))) => of_process(pid, &processes, all)?,
        Some((name, Err(_))) => of_name(name, &processes, all)?,
    };
    let jobs = jobs(found);
    match <[_; 1]>::try_from(jobs) {
        Ok([job]) => Ok(job),
        Err(jobs) if jobs.is_empty() => Err(Failure::environment(format!(
            "no UPC program is being measured here: {HOW}"
        ))),
        Err(jobs) => {
            let names: Vec<String> = jobs
                .iter()
                .filter_map(|job| job.first())
                .map(|first| format!("{} ({})", first.pid, first.name))
                .collect();
            Err(Failure::usage(format!(
                "several jobs are being measured: give -p with one of {}",
                names.join(", ")
            )))
        }
    }
}

/// What the user does so that a job can be looked at.
const HOW: &str = "compile it with `upcc --inst` and start it with `upcrun -profile`";

fn of_process(
    pid: i32,
    processes: &BTreeMap<i32, Process>,
    all: Vec<Launcher>,
) -> Result<Vec<Launcher>, Failure> {
    let Some(process) = processes.get(&pid) else {
        return Err(Failure::environment(format!(
            "there is no process {pid} on this machine"
        )));
    };
    let is_below = |mut at: i32| {
        // A process has fewer ancestors than there are processes.
        for _ in 0..processes.len() {
            if at == pid {
                return true;
            }
            at = processes.get(&at).map_or(0, |process| process.parent);
        }
        false
    };
    let (of_it, others): (Vec<Launcher>, Vec<Launcher>) = all.into_iter().partition(|launcher| {
        launcher.pid == pid || launcher.threads.contains(&pid) || is_below(launcher.pid)
    });
    if of_it.is_empty() {
        return Err(Failure::environment(format!(
            "process {pid} ({}) is no UPC program that is being measured: {HOW}",
            process.name
        )));
    }
    // The launchers of other threads of the job write the same file.
    let files: BTreeSet<_> = of_it
        .iter()
        .flat_map(|of| recorded(of).into_keys())
        .collect();
    let same = |other: &Launcher| recorded(other).keys().any(|file| files.contains(file));
    Ok(of_it
        .into_iter()
        .chain(others.into_iter().filter(same))
        .collect())
}

fn of_name(
    name: &str,
    processes: &BTreeMap<i32, Process>,
    all: Vec<Launcher>,
) -> Result<Vec<Launcher>, Failure> {
    let base = Path::new(name)
        .file_name()
        .map(|base| base.to_string_lossy());
    let base = base.as_deref().unwrap_or(name);
    let of_name: Vec<Launcher> = all.into_iter().filter(|of| of.name == base).collect();
    if !of_name.is_empty() {
        return Ok(of_name);
    }
    let runs = processes.values().any(|process| process.name == base);
    Err(Failure::environment(match runs {
        true => format!("{name} is not being measured: {HOW}"),
        false => format!("no program {name} is running on this machine"),
    }))
}

/// Returns the launchers by job: those whose threads write the same file.
fn jobs(launchers: Vec<Launcher>) -> Vec<Vec<Launcher>> {
    let mut jobs: Vec<Vec<Launcher>> = Vec::new();
    let mut written: Vec<BTreeSet<FileId>> = Vec::new();
    for launcher in launchers {
        let files: BTreeSet<FileId> = recorded(&launcher).into_keys().collect();
        match written.iter().position(|of| !of.is_disjoint(&files)) {
            Some(at) => {
                written[at].extend(files);
                jobs[at].push(launcher);
            }
            None => {
                written.push(files);
                jobs.push(vec![launcher]);
            }
        }
    }
    jobs
}

/// Returns the files that the launcher's threads write recordings into, as long as they have them open.
pub fn recorded(launcher: &Launcher) -> Recorded {
    let mut files = Recorded::new();
    for thread in &launcher.threads {
        for (path, _) in open_files(*thread) {
            let Ok(facts) = fs::metadata(&path) else {
                continue;
            };
            let key = (facts.dev(), facts.ino());
            if facts.is_file() && !files.contains_key(&key) && is_recording(&path) {
                files.insert(key, path);
            }
        }
    }
    files
}

fn is_recording(path: &Path) -> bool {
    let mut start = [0; SIGNATURE.len()];
    let read = File::open(path).and_then(|file| file.read_exact_at(&mut start, 0));
    read.is_ok() && start == SIGNATURE
}

/// Returns a process's open files: their paths in `/proc`, and the names that the system lists.
fn open_files(pid: i32) -> Vec<(PathBuf, PathBuf)> {
    let entries = fs::read_dir(format!("/proc/{pid}/fd"));
    let paths = entries.into_iter().flatten().flatten().map(|of| of.path());
    paths
        .filter_map(|path| {
            let name = fs::read_link(&path).ok()?;
            Some((path, name))
        })
        .collect()
}

fn processes() -> BTreeMap<i32, Process> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let process = |entry: fs::DirEntry| {
        let pid: i32 = entry.file_name().to_str()?.parse().ok()?;
        let stat = fs::read_to_string(entry.path().join("stat")).ok()?;
        // "PID (NAME) STATE PARENT ...": a name may contain anything.
        let (name, rest) = stat.split_once('(')?.1.rsplit_once(')')?;
        let parent = rest.split_ascii_whitespace().nth(1)?.parse().ok()?;
        let file = fs::read_link(entry.path().join("exe")).ok();
        let file = file.as_deref().and_then(Path::file_name);
        let name = file.map_or(name.to_owned(), |file| file.to_string_lossy().into_owned());
        let memory = open_files(pid)
            .into_iter()
            .find(|(_, of)| of.as_os_str() == MEMORY)
            .and_then(|(path, _)| Some(fs::metadata(path).ok()?.ino()));
        let process = Process {
            parent,
            name,
            memory,
        };
        Some((pid, process))
    };
    entries.filter_map(process).collect()
}

fn launchers(processes: &BTreeMap<i32, Process>) -> Vec<Launcher> {
    let memory = |pid: i32| processes.get(&pid).and_then(|process| process.memory);
    let launcher = |(pid, process): (&i32, &Process)| {
        let own = process.memory?;
        (memory(process.parent) != Some(own)).then(|| Launcher {
            pid: *pid,
            name: process.name.clone(),
            threads: processes
                .iter()
                .filter(|(_, of)| of.parent == *pid && of.memory == Some(own))
                .map(|(thread, _)| *thread)
                .collect(),
        })
    };
    processes.iter().filter_map(launcher).collect()
}
