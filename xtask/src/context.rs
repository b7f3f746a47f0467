//! The paths that suites use, and how they run their cases.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::time::Duration;
use std::{env, fs, thread};

use crate::process;
use crate::report::Tally;

/// The time limit of one compilation of a small program.
pub const COMPILE: Duration = Duration::from_secs(120);
/// The time limit of one run of a small program.
pub const RUN: Duration = Duration::from_secs(60);

pub struct Context {
    /// The folder of the project.
    pub root: PathBuf,
    /// The folder for build products of the suites, with a folder for each.
    pub work: PathBuf,
    /// The programs of the build that this run uses.
    pub upcc: PathBuf,
    pub upcrun: PathBuf,
    pub upcprof: PathBuf,
    pub long: bool,
    /// The first seed of random programs.
    pub seed: u64,
    /// The programs of a benchmark that has several; empty: all.
    pub programs: Vec<String>,
    /// The folder of costs of a benchmark that predicts with them.
    pub costs: Option<PathBuf>,
    build: Build,
    pub jobs: usize,
}

/// The build of `upcc`, `upcrun` and `upcprof` that a run uses.
#[derive(Clone, Copy, PartialEq)]
pub enum Build {
    /// For tests: incremental builds take seconds, and assertions are on.
    Dev,
    /// For measurements.
    Release,
}

impl Build {
    /// Returns its folder in the target folder.
    fn folder(self) -> &'static str {
        match self {
            Build::Dev => "debug",
            Build::Release => "release",
        }
    }
}

/// Returns the project's folder: xtask/ is one level below it.
fn root() -> Option<&'static Path> {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent()
}

/// Returns the target folder of cargo.
pub fn target() -> PathBuf {
    env::var_os("CARGO_TARGET_DIR").map_or_else(
        || root().unwrap_or(Path::new(".")).join("target"),
        PathBuf::from,
    )
}

impl Context {
    /// Returns the context. long: the long form of each suite.
    ///
    /// # Errors
    /// The project's folder is unknown.
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
            programs: Vec::new(),
            costs: None,
            build,
            jobs,
        })
    }

    /// Returns the context with a folder for this process alone: test harnesses run many processes in parallel.
    #[must_use]
    pub fn of_this_process(mut self) -> Context {
        self.work = self.work.join(format!("process-{}", std::process::id()));
        self
    }

    /// Returns a cargo command in the project, without progress messages.
    pub fn cargo(&self, args: &[&str]) -> Command {
        let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        cargo
            .args(args)
            .current_dir(&self.root)
            .env("CARGO_TERM_PROGRESS_WHEN", "never");
        cargo
    }

    /// Builds the binaries that suites run. With `tests`, the same call builds the tests of all packages: cargo gives
    /// dependencies other features for one package than for all, and would compile a third of them once more.
    pub fn build(&self, tests: bool) -> Result<(), String> {
        let mut cargo = match tests {
            true => self.cargo(&["test", "--quiet", "--workspace", "--no-run"]),
            false => self.cargo(&["build", "--bins", "--package", "upcc"]),
        };
        match self.build {
            Build::Dev => {}
            Build::Release => _ = cargo.arg("--release"),
        }
        process::must(&mut cargo, Duration::from_secs(1800)).map(|_| ())
    }

    /// Returns `upcc` with C compiler `cc`.
    pub fn upcc(&self, cc: &str) -> Command {
        let mut upcc = Command::new(&self.upcc);
        upcc.env("UPCC_CC", cc);
        if self.build == Build::Release {
            // Benchmarks measure the configuration that users have.
            upcc.env_remove("UPCC_VALIDATE");
        }
        upcc
    }

    /// Returns the command that runs `program` on `threads` threads.
    pub fn upcrun(&self, threads: usize, program: &Path) -> Command {
        let mut upcrun = Command::new(&self.upcrun);
        upcrun.arg("-n").arg(threads.to_string()).arg(program);
        upcrun
    }

    /// Returns an empty folder for one suite.
    pub fn fresh(&self, suite: &str) -> Result<PathBuf, String> {
        let dir = self.work.join(suite);
        if dir.exists() {
            fs::remove_dir_all(&dir).map_err(|e| format!("{}: {e}", dir.display()))?;
        }
        fs::create_dir_all(&dir).map_err(|e| format!("{}: {e}", dir.display()))?;
        Ok(dir)
    }

    /// Runs `check` on every case, in parallel on all cores of the machine.
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

/// Returns a reference that is valid until the process ends, for tables that all tests of a suite read.
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

/// Returns the files in `dir` whose name ends in `extension`, sorted.
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

/// Returns a file's name without folder and extension.
pub fn stem(path: &Path) -> String {
    path.file_stem()
        .map(|s| s.to_string_lossy().into_owned())
        .unwrap_or_default()
}
