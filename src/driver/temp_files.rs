//! Temporary files: gone when we end, also by a signal, which ends what we have started first.

use super::children;
use super::exit::Failure;
use rustix::process::{Pid, Signal, kill_process};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::iterator::Signals;
use std::path::{Path, PathBuf};
use std::process::{Child, ExitStatus};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tempfile::TempDir;

/// Signals that ask for the end.
const FATAL: [i32; 3] = [SIGHUP, SIGINT, SIGTERM];

/// How much earlier than we a command may get a signal that is for both of us.
const TOGETHER: Duration = Duration::from_millis(200);

/// What a signal has to clean up or to pass on.
static STATE: Mutex<State> = Mutex::new(State {
    leftovers: Vec::new(),
    program: None,
    watching: false,
});

struct State {
    /// Files and folders to remove.
    leftovers: Vec<PathBuf>,
    /// The user's program that runs in front: it gets the signals, we wait for its end.
    program: Option<Pid>,
    watching: bool,
}

fn state() -> MutexGuard<'static, State> {
    // Nothing that holds the lock can leave the state half changed.
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A path that is removed if we end by a signal while this value lives. Whoever has it removes the file otherwise.
pub struct Leftover(PathBuf);

impl Leftover {
    /// Watches over a path.
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

/// A private folder that disappears with this value, or with us.
pub struct Temps {
    // Dropped first: the folder goes before its name is forgotten.
    folder: TempDir,
    _leftover: Leftover,
}

impl Temps {
    /// Makes the folder, inside `parent` or where the system has temporary files.
    ///
    /// # Errors
    /// An environment failure if there is no place to write.
    pub fn new(parent: Option<&Path>) -> Result<Temps, Failure> {
        watch_signals();
        let mut builder = tempfile::Builder::new();
        let builder = builder.prefix("upcc-").permissions(private());
        let made = match parent {
            Some(parent) => builder.tempdir_in(parent),
            None => builder.tempdir(),
        };
        let place = || parent.map_or_else(std::env::temp_dir, Path::to_path_buf);
        let folder =
            made.map_err(|error| Failure::io("make a temporary folder in", &place(), &error))?;
        let leftover = Leftover::new(folder.path());
        Ok(Temps {
            folder,
            _leftover: leftover,
        })
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

/// The mode of folders that are nobody else's business.
pub fn private() -> std::fs::Permissions {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::Permissions::from_mode(0o700)
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

/// Called when a command has ended. If a signal has ended it that is for us as well, this does not return: there is nothing to say about the
/// command, and nothing more to do.
pub fn stop_if_interrupted(status: ExitStatus) {
    use std::os::unix::process::ExitStatusExt as _;
    let fatal = status
        .signal()
        .is_some_and(|signal| FATAL.contains(&signal));
    if fatal {
        stop_if_ending();
    }
    // Held for ever by the thread that answers a signal.
    drop(state());
}

/// The same, where it is not known how a command has ended.
pub fn stop_if_ending() {
    std::thread::sleep(TOGETHER);
    drop(state());
}

/// Starts the thread that answers signals, once.
fn watch_signals() {
    if std::mem::replace(&mut state().watching, true) {
        return;
    }
    // A file that grows beyond its limit is an error like a full disk. Commands that we start get the signal as ever.
    let _ = signal_hook::flag::register(SIGXFSZ, std::sync::Arc::default());
    let ignored = children::ignored_signals();
    let wanted = FATAL.iter().filter(|signal| !ignored.contains(signal));
    // Without it an interrupt leaves temporary files behind, which is no reason not to compile.
    let Ok(mut signals) = Signals::new(wanted) else {
        return;
    };
    std::thread::spawn(move || {
        for number in signals.forever() {
            answer(number);
        }
    });
}

/// Passes a signal to the user's program; or ends what we have started, removes the temporary files and ends as the signal would have ended us.
fn answer(number: i32) {
    let state = state();
    let signal = Signal::from_named_raw(number);
    if let (Some(program), Some(signal)) = (state.program, signal) {
        // The program may just have ended.
        let _ = kill_process(program, signal);
        return;
    }
    if let Some(signal) = signal {
        children::end_all(signal);
    }
    for path in &state.leftovers {
        let _ = std::fs::remove_dir_all(path).or_else(|_| std::fs::remove_file(path));
    }
    let _ = signal_hook::low_level::emulate_default_handler(number);
}
