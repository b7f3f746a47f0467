//! Where things are, and how suites run their cases.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::time::Duration;
use std::{env, fs, thread};

use crate::process;
use crate::report::Tally;

/// Time limit of one compilation of a small program.
pub const COMPILE: Duration = Duration::from_secs(120);
/// Time limit of one run of a small program.
pub const RUN: Duration = Duration::from_secs(60);

pub struct Context {
    /// The project.
    pub root: PathBuf,
    /// Build products of the suites; a folder for each.
    pub work: PathBuf,
    /// The programs of the build that serves this run.
    pub upcc: PathBuf,
    pub upcrun: PathBuf,
    pub upcprof: PathBuf,
    pub long: bool,
    /// The first seed of random programs.
    pub seed: u64,
    build: Build,
    pub jobs: usize,
}

/// Which build of `upcc`, `upcrun` and `upcprof` a run uses.
#[derive(Clone, Copy, PartialEq)]
pub enum Build {
    /// For tests: an edit costs seconds, and assertions are on.
    Dev,
    /// For measurements.
    Release,
}

impl Build {
    /// Its folder in the target folder.
    fn folder(self) -> &'static str {
        match self {
            Build::Dev => "debug",
            Build::Release => "release",
        }
    }
}

/// The project: xtask/ is one level below it.
fn root() -> Option<&'static Path> {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent()
}

/// Where cargo builds.
pub fn target() -> PathBuf {
    env::var_os("CARGO_TARGET_DIR").map_or_else(
        || root().unwrap_or(Path::new(".")).join("target"),
        PathBuf::from,
    )
}

impl Context {
    /// long: the long form of each suite.
    ///
    /// # Errors
    /// The project's folder is not known.
    pub fn new(long: bool, build: Build) -> Result<Context, String> {
        let root = root().ok_or("xtask has no parent folder")?.to_path_buf();
        let target = target();
        let jobs = thread::available_parallelism().map_or(2, |n| n.get());
        let bin = target.join(build.folder());
        Ok(Context {
            work: target.join("xtask"),
            upcc: bin.join("upcc"),
            upcrun: bin.join("upcrun"),
            upcprof: bin.join("upcprof"),
            root,
            long,
            seed: 1,
            build,
            jobs,
        })
    }

    /// The same, working in a folder of this process alone: harnesses run many processes side by side.
    #[must_use]
    pub fn of_this_process(mut self) -> Context {
        self.work = self.work.join(format!("process-{}", std::process::id()));
        self
    }

    /// cargo in the project, quiet about its progress.
    pub fn cargo(&self, args: &[&str]) -> Command {
        let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        cargo
            .args(args)
            .current_dir(&self.root)
            .env("CARGO_TERM_PROGRESS_WHEN", "never");
        cargo
    }

    /// Builds the binaries that suites run.
    pub fn build(&self) -> Result<(), String> {
        let mut cargo = self.cargo(&["build", "--bins", "--package", "upcc"]);
        match self.build {
            Build::Dev => {}
            Build::Release => _ = cargo.arg("--release"),
        }
        process::must(&mut cargo, Duration::from_secs(1800)).map(|_| ())
    }

    /// `upcc` with C compiler `cc`.
    pub fn upcc(&self, cc: &str) -> Command {
        let mut upcc = Command::new(&self.upcc);
        upcc.env("UPCC_CC", cc);
        if self.build == Build::Release {
            // Benchmarks measure what users have.
            upcc.env_remove("UPCC_VALIDATE");
        }
        upcc
    }

    /// `program` on `threads` threads.
    pub fn upcrun(&self, threads: usize, program: &Path) -> Command {
        let mut upcrun = Command::new(&self.upcrun);
        upcrun.arg("-n").arg(threads.to_string()).arg(program);
        upcrun
    }

    /// An empty folder for one suite.
    pub fn fresh(&self, suite: &str) -> Result<PathBuf, String> {
        let dir = self.work.join(suite);
        if dir.exists() {
            fs::remove_dir_all(&dir).map_err(|e| format!("{}: {e}", dir.display()))?;
        }
        fs::create_dir_all(&dir).map_err(|e| format!("{}: {e}", dir.display()))?;
        Ok(dir)
    }

    /// Runs `check` on every case, as many at a time as the machine has cores.
    pub fn each<C: Send>(&self, cases: Vec<C>, check: impl Fn(C) -> Tally + Sync) -> Tally {
        let cases = Mutex::new(cases.into_iter().enumerate());
        let total = Mutex::new(Vec::new());
        // A poisoned lock means that another worker panicked; scope() reports that.
        let next = || cases.lock().ok().and_then(|mut cases| cases.next());
        thread::scope(|scope| {
            for _ in 0..self.jobs {
                scope.spawn(|| {
                    while let Some((index, case)) = next() {
                        let tally = check(case);
                        if let Ok(mut total) = total.lock() {
                            total.push((index, tally));
                        }
                    }
                });
            }
        });
        let mut parts = total.into_inner().unwrap_or_default();
        parts.sort_by_key(|(index, _)| *index);
        let mut sum = Tally::default();
        parts.into_iter().for_each(|(_, tally)| sum.join(tally));
        sum
    }
}

/// What lives as long as the process: tables that all tests of a suite read.
pub fn forever<T>(value: T) -> &'static T {
    Box::leak(Box::new(value))
}

/// Reads a text file; the error names it.
pub fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))
}

/// Writes a file; the error names it.
pub fn write(path: &Path, text: &str) -> Result<(), String> {
    fs::write(path, text).map_err(|e| format!("{}: {e}", path.display()))
}

/// The files in `dir` whose name ends in `extension`, sorted.
pub fn files(dir: &Path, extension: &str) -> Result<Vec<PathBuf>, String> {
    let entries = fs::read_dir(dir).map_err(|e| format!("{}: {e}", dir.display()))?;
    let mut found: Vec<PathBuf> = entries
        .filter_map(|e| e.ok())
        .map(|e| e.path())
        .filter(|p| p.extension().is_some_and(|e| e == extension))
        .collect();
    found.sort();
    Ok(found)
}

/// A file's name without folder and extension.
pub fn stem(path: &Path) -> String {
    path.file_stem()
        .map(|s| s.to_string_lossy().into_owned())
        .unwrap_or_default()
}
