//! How the commands end: the only place that defines exit statuses.

use std::process::{ExitCode, ExitStatus};

/// The reason why the command ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exit {
    /// The command has done everything it was asked to.
    Success,
    /// The program has errors, found by this command or by a tool that worked on it (C compiler, linker).
    Errors,
    /// The command line is invalid.
    Usage,
    /// Something in the environment is missing or broken: no C compiler, a file that cannot be read or written.
    Environment,
    /// An internal error.
    Internal,
    /// The user's program has ended with this status (`--run`).
    Program(u8),
}

impl Exit {
    /// Returns the exit status.
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

    /// Returns the exit for a child's status: its exit status, or 128 plus its signal, as in shells.
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

/// A reason to stop, with the message for the user.
#[derive(Debug, PartialEq, Eq)]
pub struct Failure {
    /// The exit that results.
    pub exit: Exit,
    /// Printed after the command's name and `error: `; empty if the error has been reported already.
    pub message: String,
}

impl Failure {
    /// Returns the failure for a program whose errors have all been reported.
    pub fn reported() -> Failure {
        Failure {
            exit: Exit::Errors,
            message: String::new(),
        }
    }

    /// Returns the failure for an invalid command line.
    pub fn usage(message: impl Into<String>) -> Failure {
        Failure {
            exit: Exit::Usage,
            message: message.into(),
        }
    }

    /// Returns the failure for a missing or broken part of the environment.
    pub fn environment(message: impl Into<String>) -> Failure {
        Failure {
            exit: Exit::Environment,
            message: message.into(),
        }
    }

    /// Returns the failure for an operation on a file: `cannot read a.upc: No such file or directory`.
    pub fn io(what: &str, path: &std::path::Path, error: &std::io::Error) -> Failure {
        Failure::environment(format!(
            "cannot {what} {}: {}",
            path.display(),
            system_text(error)
        ))
    }
}

/// Returns the system's text for an error, without Rust's `(os error 2)`.
pub fn system_text(error: &std::io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error")
        .next()
        .unwrap_or_default()
        .to_owned()
}
