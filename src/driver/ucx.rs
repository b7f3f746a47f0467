//! UCX and PMIx, the libraries of `-network=ucx`: the flags that pkg-config prints for them.

use super::mpi::{Flags, sort};
use super::tool::{Show, Tool};
use crate::cli::Failure;

/// The variable of other build systems that names the command, and its default.
const PKG_CONFIG: (&str, &str) = ("PKG_CONFIG", "pkg-config");

/// The names of the libraries for pkg-config.
const LIBRARIES: [&str; 2] = ["ucx", "pmix"];

/// Asks pkg-config for the flags.
///
/// # Errors
/// An environment failure if a library is not installed, or there is no pkg-config.
pub fn flags() -> Result<Flags, Failure> {
    let named = std::env::var(PKG_CONFIG.0).unwrap_or_default();
    let command = match named.as_str() {
        "" => PKG_CONFIG.1,
        command => command,
    };
    let output = Tool::of(vec![command.to_owned()])
        .args(["--silence-errors", "--cflags", "--libs"])
        .args(LIBRARIES)
        .capture(Show::Nothing)
        .map_err(|_| {
            Failure::environment(format!(
                "-network=ucx needs the libraries UCX and PMIx, but `{command} --libs {}` does not find them: install them (Debian: apt install pkg-config libucx-dev libpmix-dev), name the folders of ucx.pc and pmix.pc in PKG_CONFIG_PATH, or compile with -network=mpi",
                LIBRARIES.join(" ")
            ))
        })?;
    let line = String::from_utf8_lossy(&output).into_owned();
    Ok(sort(line.split_whitespace().map(str::to_owned)))
}
