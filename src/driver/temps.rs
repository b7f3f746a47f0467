//! Temporary files: gone when we end, also by a signal.

use super::exit::Failure;
use rustix::process::{Pid, Signal, kill_process};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use std::path::{Path, PathBuf};
use std::process::{Child, ExitStatus};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tempfile::TempDir;

/// What a signal has to clean up or to pass on.
static STATE: Mutex<State> = Mutex::new(State {
    folders: Vec::new(),
    program: None,
    watching: false,
});

struct State {
    folders: Vec<PathBuf>,
    /// The user's program that runs in front: it gets the signals, we wait for its end.
    program: Option<Pid>,
    watching: bool,
}

fn state() -> MutexGuard<'static, State> {
    // Nothing that holds the lock can leave the state half changed.
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A private folder that disappears with this value, or with us.
pub struct Temps {
    folder: TempDir,
}

impl Temps {
    /// Makes the folder, inside `parent` or where the system has temporary files.
    ///
    /// # Errors
    /// An environment failure if there is no place to write.
    pub fn new(parent: Option<&Path>) -> Result<Temps, Failure> {
        watch_signals();
        let mut builder = tempfile::Builder::new();
        let builder = builder.prefix("upcc-");
        let made = match parent {
            Some(parent) => builder.tempdir_in(parent),
            None => builder.tempdir(),
        };
        let place = || parent.map_or_else(std::env::temp_dir, Path::to_path_buf);
        let folder =
            made.map_err(|error| Failure::io("make a temporary folder in", &place(), &error))?;
        state().folders.push(folder.path().to_path_buf());
        Ok(Temps { folder })
    }

    /// Whether a path is inside.
    pub fn holds(&self, path: &Path) -> bool {
        path.starts_with(self.folder.path())
    }

    /// A file in it.
    pub fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }
}

impl Drop for Temps {
    fn drop(&mut self) {
        let path = self.folder.path();
        state().folders.retain(|folder| folder != path);
    }
}

/// Waits for the user's program, to which signals are passed on meanwhile.
///
/// # Errors
/// Those of `wait`.
pub fn wait_for(child: &mut Child) -> std::io::Result<ExitStatus> {
    watch_signals();
    state().program = Some(Pid::from_child(child));
    let status = child.wait();
    state().program = None;
    status
}

/// Starts the thread that answers signals, once.
fn watch_signals() {
    if std::mem::replace(&mut state().watching, true) {
        return;
    }
    // Without it an interrupt leaves temporary files behind, which is no reason not to compile.
    let Ok(mut signals) = Signals::new([SIGINT, SIGTERM, SIGHUP]) else {
        return;
    };
    std::thread::spawn(move || {
        for number in signals.forever() {
            answer(number);
        }
    });
}

/// Passes a signal to the user's program, or removes the temporary files and ends as the signal would have ended us.
fn answer(number: i32) {
    let state = state();
    if let Some(program) = state.program {
        if let Some(signal) = Signal::from_named_raw(number) {
            // The program may just have ended.
            let _ = kill_process(program, signal);
        }
        return;
    }
    for folder in &state.folders {
        let _ = std::fs::remove_dir_all(folder);
    }
    let _ = signal_hook::low_level::emulate_default_handler(number);
}
