//! The signals that end a process unless it does something else, and ending by one of them.

use rustix::process::Signal;
use signal_hook::consts::{
    SIGABRT, SIGALRM, SIGHUP, SIGINT, SIGIO, SIGPROF, SIGQUIT, SIGSYS, SIGTERM, SIGTRAP, SIGUSR1,
    SIGUSR2, SIGVTALRM, SIGXCPU,
};
use signal_hook::iterator::Signals;

/// Signals that commands clean up after before they end. Missing are: SIGKILL, which cannot be handled; faults of this
/// process (SIGSEGV, SIGBUS, SIGILL, SIGFPE), which would be repeated if a handler returned; SIGPIPE, which Rust
/// ignores; and SIGXFSZ, which is handled as an error of writing.
const NAMED: [i32; 14] = [
    SIGHUP, SIGINT, SIGQUIT, SIGTRAP, SIGABRT, SIGUSR1, SIGUSR2, SIGALRM, SIGTERM, SIGXCPU,
    SIGVTALRM, SIGPROF, SIGIO, SIGSYS,
];

/// Further signals that end a process. Not every system has all of them.
fn others() -> impl Iterator<Item = i32> {
    let named = [Signal::STKFLT, Signal::POWER].map(Signal::as_raw);
    // The C library keeps the first two real-time signals for itself.
    named.into_iter().chain(34..=64)
}

/// Returns whether commands clean up after this signal.
pub fn ends(number: i32) -> bool {
    NAMED.contains(&number) || others().any(|other| other == number)
}

/// Starts to receive all signals that end this process, except those in `ignored`.
///
/// # Errors
/// Signals cannot be handled at all.
pub fn watch(ignored: &[i32]) -> std::io::Result<Signals> {
    let signals = Signals::new(std::iter::empty::<i32>())?;
    let wanted = NAMED.into_iter().chain(others());
    for number in wanted.filter(|number| !ignored.contains(number)) {
        // A signal that this system does not have cannot arrive.
        let _ = signals.add_signal(number);
    }
    Ok(signals)
}

/// Returns the signal that asks another process to end for the same reason: processes clean up after this one.
pub fn passed_on(number: i32) -> Signal {
    match Signal::from_named_raw(number) {
        Some(signal @ (Signal::HUP | Signal::INT)) => signal,
        _ => Signal::TERM,
    }
}

/// Ends this process by a signal.
pub fn end_by(number: i32) -> ! {
    // The library knows the signals of POSIX, and takes SIGIO for ignored by default.
    if number != SIGIO {
        let _ = signal_hook::low_level::emulate_default_handler(number);
    }
    std::process::exit(128 + number)
}
