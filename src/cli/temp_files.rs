//! Temporary files. They are removed when the command ends, also by a signal, which first ends the processes that the
//! command has started.

use super::exit::Failure;
use super::{children, signals};
use rustix::process::{Pid, Signal, kill_process};
use signal_hook::consts::SIGXFSZ;
use std::path::{Path, PathBuf};
use std::process::{Child, ExitStatus};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tempfile::TempDir;

/// The time by which another process may get a signal for both earlier than this one.
const TOGETHER: Duration = Duration::from_millis(200);

/// The state that the signal handler cleans up or passes signals to.
static STATE: Mutex<State> = Mutex::new(State {
    leftovers: Vec::new(),
    program: None,
    watching: false,
});

struct State {
    /// Files and folders to remove.
    leftovers: Vec<PathBuf>,
    /// The user's program in the foreground: signals are passed on to it, and this process waits until it ends.
    program: Option<Pid>,
    watching: bool,
}

fn state() -> MutexGuard<'static, State> {
    // No holder of the lock can leave the state inconsistent.
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A path that is removed if a signal ends this process while the value lives. In all other cases the owner removes the
/// file.
pub struct Leftover(PathBuf);

impl Leftover {
    /// Registers a path for removal.
    pub fn new(path: &Path) -> Leftover {
        watch_signals();
        state().leftovers.push(path.to_path_buf());
        Leftover(path.to_path_buf())
    }
}

impl Drop for Leftover {
    fn drop(&mut self) {
        state().leftovers.retain(|path| *path != self.0);
    }
}

/// Returns the system's folder for temporary files: `/tmp` if TMPDIR names no folder. Batch systems set it to a folder
/// that only some of their machines have, and the C compiler does the same.
pub fn system_folder() -> PathBuf {
    let named = Some(std::env::temp_dir()).filter(|folder| folder.is_dir());
    named.unwrap_or_else(|| PathBuf::from("/tmp"))
}

/// A private folder that is removed with this value, or when this process ends.
pub struct Temps {
    // Dropped first: the folder is removed before its path is unregistered.
    folder: TempDir,
    _leftover: Leftover,
}

impl Temps {
    /// Makes the folder, inside `parent` or in the system's folder for temporary files.
    ///
    /// # Errors
    /// An environment failure if no such place is writable.
    pub fn new(parent: Option<&Path>) -> Result<Temps, Failure> {
        watch_signals();
        let mut builder = tempfile::Builder::new();
        let builder = builder.prefix("upcc-").permissions(private());
        let place = parent.map_or_else(system_folder, Path::to_path_buf);
        let folder = builder
            .tempdir_in(&place)
            .map_err(|error| Failure::io("make a temporary folder in", &place, &error))?;
        let leftover = Leftover::new(folder.path());
        Ok(Temps {
            folder,
            _leftover: leftover,
        })
    }

    /// Returns whether a path is inside the folder.
    pub fn holds(&self, path: &Path) -> bool {
        path.starts_with(self.folder.path())
    }

    /// Returns the path of a file in the folder.
    pub fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }
}

/// Returns the mode of folders that only this user may access.
pub fn private() -> std::fs::Permissions {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::Permissions::from_mode(0o700)
}

/// Waits until the user's program ends, and passes signals on to it meanwhile.
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

/// Checks for a signal after a command has ended. If the command was ended by a signal that is for this process as
/// well, this function does not return: there is nothing to report about the command.
pub fn stop_if_interrupted(status: ExitStatus) {
    use std::os::unix::process::ExitStatusExt as _;
    if status.signal().is_some_and(signals::ends) {
        stop_if_ending();
    }
    // The thread that handles a signal never releases the lock.
    drop(state());
}

/// Does the same as `stop_if_interrupted` if the command's exit status is unknown.
pub fn stop_if_ending() {
    std::thread::sleep(TOGETHER);
    drop(state());
}

/// Starts the thread that handles signals, once.
fn watch_signals() {
    if std::mem::replace(&mut state().watching, true) {
        return;
    }
    // A file that grows beyond its limit is an error like a full disk. Child processes get the signal as usual.
    let _ = signal_hook::flag::register(SIGXFSZ, std::sync::Arc::default());
    // Without the handler an interrupt leaves temporary files behind, which does not prevent compiling.
    let Ok(mut signals) = signals::watch(&children::ignored_signals()) else {
        return;
    };
    std::thread::spawn(move || {
        for number in signals.forever() {
            answer(number);
        }
    });
}

/// Passes a signal to the user's program. Without one, ends the child processes, removes the temporary files and ends
/// this process by the same signal.
fn answer(number: i32) {
    let state = state();
    if let (Some(program), Some(signal)) = (state.program, Signal::from_named_raw(number)) {
        // The program may have ended meanwhile.
        let _ = kill_process(program, signal);
        return;
    }
    children::end_all(signals::passed_on(number));
    for path in &state.leftovers {
        let _ = std::fs::remove_dir_all(path).or_else(|_| std::fs::remove_file(path));
    }
    signals::end_by(number)
}
