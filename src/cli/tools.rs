//! Commands of `upcc` that start others.

use super::{Failure, exit::system_text};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Returns the path of another command of `upcc`, which lies beside this one.
///
/// # Errors
/// The system does not say where this program is.
pub fn beside(name: &str) -> Result<PathBuf, Failure> {
    let this = std::env::current_exe().map_err(|error| {
        Failure::environment(format!("cannot find this program: {}", system_text(&error)))
    })?;
    Ok(this.with_file_name(name))
}

/// Runs a command that must succeed. Returns what it prints on standard output.
///
/// # Errors
/// It cannot be started, or ends with another status than 0.
pub fn must(name: &str, command: &mut Command) -> Result<String, Failure> {
    let output = command
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| Failure::io("start", Path::new(command.get_program()), &error))?;
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        false => Err(Failure::environment(format!(
            "{name} failed: {}",
            output.status
        ))),
    }
}
