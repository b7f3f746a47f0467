//! The standard streams that were closed when this process started.
//!
//! Before `main`, Rust opens `/dev/null` in place of a closed stream. A source on a closed standard input would then be
//! an empty file, and what is written to a closed standard output would be lost without an error. From `main` on, such
//! a stream is like one that the user has connected to `/dev/null`, which is valid. The streams are therefore examined
//! earlier, by a function that the loader calls.

use rustix::fd::BorrowedFd;
use rustix::io::fcntl_getfd;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

static NO_INPUT: AtomicBool = AtomicBool::new(false);
static NO_OUTPUT: AtomicBool = AtomicBool::new(false);

/// Examines the streams. Nothing of Rust's runtime is initialised yet: this function makes system calls only.
extern "C" fn examine() {
    let is_closed = |stream: BorrowedFd<'_>| fcntl_getfd(stream).is_err();
    NO_INPUT.store(is_closed(rustix::stdio::stdin()), Ordering::Relaxed);
    NO_OUTPUT.store(is_closed(rustix::stdio::stdout()), Ordering::Relaxed);
}

/// The loader calls the functions in this section before `main`.
#[allow(
    unsafe_code,
    reason = "the section has this type of element, and `examine` needs no initialised runtime"
)]
#[used]
#[unsafe(link_section = ".init_array")]
static EXAMINE: extern "C" fn() = examine;

/// Returns whether `path` is standard input, and that was closed when this process started.
pub fn is_closed_input(path: &Path) -> bool {
    let names = ["-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"];
    NO_INPUT.load(Ordering::Relaxed) && names.iter().any(|name| path == Path::new(name))
}

/// Returns whether standard output was closed when this process started.
pub fn is_output_closed() -> bool {
    NO_OUTPUT.load(Ordering::Relaxed)
}
