//! The thread that analyses texts: always the newest of a document.

use super::analysis::Analysis;
use super::diagnose::{self, Found};
use super::flags::{Command, Flags};
use crate::cli::temp_files::Temps;
use crate::driver::unsaved::{Outcome, Shared, Unit};
use crossbeam_channel::{Receiver, Sender, unbounded};
use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

/// A text to analyse.
pub struct Job {
    pub path: PathBuf,
    pub version: i32,
    pub text: String,
    /// The texts of other documents that differ from their files, which the text may include.
    pub unsaved: Vec<(PathBuf, String)>,
    /// A number that grows with each job.
    pub serial: u64,
}

/// The result of a job.
pub struct Done {
    pub path: PathBuf,
    pub version: i32,
    pub serial: u64,
    /// `None`: the text could not be analysed; the diagnostics or the failure say why.
    pub analysis: Option<Arc<Analysis>>,
    pub found: Vec<Found>,
    /// What kept the server from its work, for the user.
    pub failure: Option<String>,
}

/// The serial number of the newest job of each document.
type Newest = Arc<Mutex<HashMap<PathBuf, u64>>>;

/// The connection to the thread.
pub struct Worker {
    /// `None` only while the worker is dropped.
    jobs: Option<Sender<Job>>,
    thread: Option<JoinHandle<()>>,
    pub results: Receiver<Done>,
    newest: Newest,
    serial: u64,
}

impl Worker {
    /// Starts the thread. It ends with the worker.
    pub fn start(flags: Flags, shared: Shared, temps: Temps) -> Worker {
        let (jobs, inbox) = unbounded::<Job>();
        let (outbox, results) = unbounded();
        let newest = Newest::default();
        let mut bench = Bench {
            flags,
            shared,
            temps,
            newest: Arc::clone(&newest),
            units: HashMap::new(),
        };
        let thread = std::thread::spawn(move || {
            while let Ok(job) = inbox.recv() {
                if let Some(done) = bench.run(&job)
                    && outbox.send(done).is_err()
                {
                    return;
                }
                if inbox.is_empty() {
                    bench.start_ahead(&job.path);
                }
            }
        });
        Worker {
            jobs: Some(jobs),
            thread: Some(thread),
            results,
            newest,
            serial: 0,
        }
    }

    /// Asks for the analysis of a text. Earlier texts of the document are no longer of interest. Returns the number of
    /// the job.
    pub fn ask(
        &mut self,
        path: &Path,
        version: i32,
        text: &str,
        unsaved: Vec<(PathBuf, String)>,
    ) -> u64 {
        self.serial += 1;
        let mut newest = self.newest.lock().unwrap_or_else(PoisonError::into_inner);
        newest.insert(path.to_path_buf(), self.serial);
        drop(newest);
        let job = Job {
            path: path.to_path_buf(),
            version,
            text: text.to_owned(),
            unsaved,
            serial: self.serial,
        };
        if let Some(jobs) = &self.jobs {
            // The thread lives as long as this sender.
            let _ = jobs.send(job);
        }
        self.serial
    }

    /// Forgets a document.
    pub fn forget(&mut self, path: &Path) {
        let mut newest = self.newest.lock().unwrap_or_else(PoisonError::into_inner);
        newest.remove(path);
    }
}

impl Drop for Worker {
    /// Ends the thread, which removes its temporary files.
    fn drop(&mut self) {
        let mut newest = self.newest.lock().unwrap_or_else(PoisonError::into_inner);
        newest.clear();
        drop(newest);
        self.jobs = None;
        if let Some(thread) = self.thread.take() {
            // It catches its own panics.
            let _ = thread.join();
        }
    }
}

/// The state of the thread.
struct Bench {
    flags: Flags,
    shared: Shared,
    temps: Temps,
    newest: Newest,
    units: HashMap<PathBuf, (Command, Unit)>,
}

impl Bench {
    /// Prepares for the next text of a document. Preprocessors that wait for other documents end.
    fn start_ahead(&mut self, path: &Path) {
        for (other, (_, unit)) in &mut self.units {
            match other == path {
                true => unit.start_ahead(),
                false => unit.end_ahead(),
            }
        }
    }

    /// Analyses a text. `None`: there is a newer one.
    fn run(&mut self, job: &Job) -> Option<Done> {
        let newest = Arc::clone(&self.newest);
        let (path, serial) = (job.path.clone(), job.serial);
        let stale = move || {
            let newest = newest.lock().unwrap_or_else(PoisonError::into_inner);
            newest.get(&path) != Some(&serial)
        };
        if stale() {
            return None;
        }
        let mut done = Done {
            path: job.path.clone(),
            version: job.version,
            serial,
            analysis: None,
            found: Vec::new(),
            failure: None,
        };
        let work = AssertUnwindSafe(|| self.analyse(job, &stale, &mut done));
        match catch_unwind(work) {
            Ok(Ok(true)) => Some(done),
            Ok(Ok(false)) => None,
            Ok(Err(why)) => {
                done.failure = Some(why);
                Some(done)
            }
            // The panic hook has reported it on standard error.
            Err(_) => {
                let why = "internal error: this text cannot be analysed; standard error of upcc says where it happened";
                done.failure = Some(why.to_owned());
                Some(done)
            }
        }
    }

    /// Fills in the result. Returns false if the text has become stale.
    fn analyse(
        &mut self,
        job: &Job,
        stale: &dyn Fn() -> bool,
        done: &mut Done,
    ) -> Result<bool, String> {
        let command = self.flags.of(&job.path)?;
        let known = self.units.get(&job.path);
        if known.is_none_or(|(known, _)| *known != command) {
            let runtime = self.shared.runtime();
            let unit = runtime
                .and_then(|runtime| Unit::new(&job.path, &command.folder, &command.flags, runtime));
            let unit = unit.map_err(|failure| failure.message)?;
            self.units.insert(job.path.clone(), (command, unit));
        }
        let Some((_, unit)) = self.units.get_mut(&job.path) else {
            return Ok(false);
        };
        let outcome = unit.analyse(&job.text, &job.unsaved, &self.temps, stale);
        match outcome.map_err(|failure| failure.message)? {
            Outcome::Stale => return Ok(false),
            Outcome::NotPreprocessed(messages) => {
                done.found = diagnose::of_preprocessor(&messages, &job.path, &job.text);
            }
            Outcome::Analysed(understood) => {
                let understood = *understood;
                let mut list =
                    diagnose::of_preprocessor(&understood.messages, &job.path, &job.text);
                let analysis = Analysis::new(
                    job.path.clone(),
                    job.text.clone(),
                    understood.unit,
                    unit.folder(),
                );
                list.extend(diagnose::of_unit(&analysis));
                if let Some((diags, parsed)) = &understood.brought {
                    list.extend(diagnose::of_text(diags, parsed, &analysis));
                }
                done.found = list;
                done.analysis = Some(Arc::new(analysis));
            }
        }
        Ok(true)
    }
}
