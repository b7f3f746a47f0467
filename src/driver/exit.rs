//! How `upcc` and `upcrun` end: the only place that knows exit statuses.

use std::process::{ExitCode, ExitStatus};

/// Why the command ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exit {
    /// Everything was done.
    Success,
    /// The program has errors, or a tool that worked on it (C compiler, linker) said so.
    Errors,
    /// The command line makes no sense.
    Usage,
    /// Something around us is missing or broken: no C compiler, a file that cannot be read or written.
    Environment,
    /// A mistake of ours.
    Internal,
    /// The user's program ended with this status (`--run`).
    Program(u8),
}

impl Exit {
    /// The status the shell sees.
    pub fn status(self) -> u8 {
        match self {
            Exit::Success => 0,
            Exit::Errors => 1,
            Exit::Usage => 2,
            Exit::Environment => 3,
            Exit::Internal => 70,
            Exit::Program(status) => status,
        }
    }

    /// What a child's end means for our own: its status, or 128 and the signal, as shells have it.
    pub fn of_program(status: ExitStatus) -> Exit {
        use std::os::unix::process::ExitStatusExt as _;
        let code = status
            .code()
            .or_else(|| status.signal().map(|signal| 128 + signal));
        Exit::Program(
            code.and_then(|code| u8::try_from(code).ok())
                .unwrap_or(u8::MAX),
        )
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit.status())
    }
}

/// A reason to stop, with what to tell the user.
#[derive(Debug, PartialEq, Eq)]
pub struct Failure {
    /// How the command will end.
    pub exit: Exit,
    /// Printed after `upcc: error: `; empty: the user has been told already.
    pub message: String,
}

impl Failure {
    /// The user's program has errors, all reported.
    pub fn reported() -> Failure {
        Failure {
            exit: Exit::Errors,
            message: String::new(),
        }
    }

    /// The command line makes no sense.
    pub fn usage(message: impl Into<String>) -> Failure {
        Failure {
            exit: Exit::Usage,
            message: message.into(),
        }
    }

    /// Something around us is missing or broken.
    pub fn environment(message: impl Into<String>) -> Failure {
        Failure {
            exit: Exit::Environment,
            message: message.into(),
        }
    }

    /// An operation on a file failed: `cannot read a.upc: No such file or directory`.
    pub fn io(what: &str, path: &std::path::Path, error: &std::io::Error) -> Failure {
        Failure::environment(format!(
            "cannot {what} {}: {}",
            path.display(),
            plain(error)
        ))
    }
}

/// The system's words for an error, without Rust's `(os error 2)`.
pub fn plain(error: &std::io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error")
        .next()
        .unwrap_or_default()
        .to_owned()
}
