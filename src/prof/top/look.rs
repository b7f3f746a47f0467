//! Asks the launchers of a running job for what its threads have measured so far.
//!
//! `upcprof` makes a memory file for each launcher and sends the launcher a signal. A process that the launcher forks
//! copies what the threads have, writes it into the file, and seals the file (`runtime-c/src/tools/measure/look.c`).
//! The threads do nothing for it.

use super::super::format::FILE_HEADER;
use super::super::reader::{Opened, open_live};
use super::job::{FileId, Launcher, recorded};
use crate::cli::{Failure, system_text};
use rustix::fs::{MemfdFlags, SealFlags, fcntl_get_seals, memfd_create};
use rustix::io::Errno;
use rustix::process::{Pid, Signal, kill_process};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Write as _};
use std::path::PathBuf;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// How often an answer is looked for.
const MOMENT: Duration = Duration::from_millis(2);
/// When a launcher is asked again: it may have been answering somebody else.
const AGAIN: Duration = Duration::from_millis(300);
/// When it is given up.
const LONGEST: Duration = Duration::from_secs(10);

/// A job that is looked at.
pub struct Looker {
    launchers: Vec<Launcher>,
    /// The files of its recording, which stay open when a thread has ended.
    files: BTreeMap<FileId, (PathBuf, File)>,
}

/// A launcher that was asked, and the file that it answers in.
struct Asked<'l> {
    launcher: &'l Launcher,
    pid: Pid,
    file: File,
    last: Instant,
}

/// The state of a question.
enum Reply {
    Here,
    Awaited,
    /// The launcher has ended.
    Gone,
}

impl Looker {
    /// Opens the files of the job.
    ///
    /// # Errors
    /// They cannot be read.
    pub fn new(launchers: Vec<Launcher>) -> Result<Looker, Failure> {
        let mut looker = Looker {
            launchers,
            files: BTreeMap::new(),
        };
        looker.open_files()?;
        Ok(looker)
    }

    fn open_files(&mut self) -> Result<(), Failure> {
        for launcher in &self.launchers {
            for (key, path) in recorded(launcher) {
                if self.files.contains_key(&key) {
                    continue;
                }
                match File::open(&path) {
                    Ok(file) => {
                        self.files.insert(key, (path, file));
                    }
                    // Its thread has ended meanwhile.
                    Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                    Err(error) => return Err(Failure::io("read", &path, &error)),
                }
            }
        }
        Ok(())
    }

    /// Returns the profile so far; `None`: the job has ended.
    ///
    /// # Errors
    /// The launcher cannot be asked, or does not answer.
    pub fn look(&mut self) -> Result<Option<Opened>, Failure> {
        self.open_files()?;
        let begun = Instant::now();
        let mut waiting = Vec::new();
        for launcher in &self.launchers {
            waiting.push(ask(launcher)?);
        }
        let mut answers = Vec::new();
        while !waiting.is_empty() {
            sleep(MOMENT);
            let mut still = Vec::new();
            for mut asked in waiting {
                match asked.reply()? {
                    Reply::Here => answers.push(asked.file),
                    Reply::Awaited => still.push(asked),
                    Reply::Gone => {}
                }
            }
            waiting = still;
            if let Some(silent) = waiting.first().filter(|_| begun.elapsed() > LONGEST) {
                return Err(Failure::environment(format!(
                    "process {} ({}) does not answer: if it was compiled by an older upcc, compile it again",
                    silent.launcher.pid, silent.launcher.name
                )));
            }
        }
        if answers.is_empty() {
            return Ok(None);
        }
        let files: Vec<(PathBuf, File)> = self
            .files
            .values()
            .map(|(path, file)| Ok((path.clone(), file.try_clone()?)))
            .collect::<io::Result<_>>()
            .map_err(|error| cannot(&error))?;
        let opened = open_live(&files, &answers);
        opened
            .map(Some)
            .map_err(|error| Failure::environment(error.to_string()))
    }
}

fn cannot(error: &io::Error) -> Failure {
    Failure::environment(format!("cannot look at the job: {}", system_text(error)))
}

fn ask(launcher: &Launcher) -> Result<Asked<'_>, Failure> {
    let flags = MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING;
    let name = format!("upcprof looks at {}", launcher.pid);
    let file = memfd_create(name, flags).map_err(|error| cannot(&error.into()))?;
    let mut file = File::from(file);
    // In place of the header that a file of a run has.
    file.write_all(&[0; FILE_HEADER])
        .map_err(|error| cannot(&error))?;
    let pid = Pid::from_raw(launcher.pid)
        .ok_or_else(|| Failure::environment(format!("there is no process {}", launcher.pid)))?;
    let mut asked = Asked {
        launcher,
        pid,
        file,
        last: Instant::now(),
    };
    asked.send()?;
    Ok(asked)
}

impl Asked<'_> {
    /// Sends the signal that asks. Returns whether the launcher exists.
    fn send(&mut self) -> Result<bool, Failure> {
        self.last = Instant::now();
        match kill_process(self.pid, Signal::URG) {
            Ok(()) => Ok(true),
            Err(Errno::SRCH) => Ok(false),
            Err(error) => Err(cannot(&error.into())),
        }
    }

    fn reply(&mut self) -> Result<Reply, Failure> {
        let seals = fcntl_get_seals(&self.file).map_err(|error| cannot(&error.into()))?;
        if seals.contains(SealFlags::WRITE) {
            return Ok(Reply::Here);
        }
        let exists = match self.last.elapsed() > AGAIN {
            true => self.send()?,
            false => true,
        };
        Ok(match exists {
            true => Reply::Awaited,
            false => Reply::Gone,
        })
    }
}
