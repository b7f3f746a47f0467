//! What other build tools ask `upcc`: `-print-pkg-config`, `-print-settings` and `-echo-var`.

use super::config::{Defaults, Environment};
use super::mpi;
use super::runtime::Runtime;
use super::settings::Options;
use super::tool::shown;
use super::toolchain::Compiler;
use crate::cli::Failure;
use crate::target::Network;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

fn this_program() -> Result<PathBuf, Failure> {
    std::env::current_exe()
        .map_err(|error| Failure::environment(format!("cannot find this program: {error}")))
}

/// Returns the file by which pkg-config finds this `upcc`.
///
/// # Errors
/// An environment failure if the runtime's files or this program cannot be found.
pub fn pkg_config() -> Result<String, Failure> {
    let runtime = Runtime::locate()?;
    let template = runtime.share_dir("pkgconfig").join("upcc.pc.in");
    let text = std::fs::read_to_string(&template)
        .map_err(|error| Failure::io("read", &template, &error))?;
    let program = this_program()?;
    let bin = program.parent().unwrap_or(Path::new("."));
    Ok(text
        .replace("@bindir@", &bin.to_string_lossy())
        .replace("@includedir@", &runtime.include_dir().to_string_lossy())
        .replace("@version@", env!("CARGO_PKG_VERSION")))
}

/// Returns a variable of the Makefiles that Berkeley's `upcc` links with; empty: there is no such variable. Programs that
/// mix UPC with C++ take the compiler of C++ from the linker of the network udp, which is written in C++.
///
/// # Errors
/// A usage failure for unbalanced quotes in the variables that name the compilers.
pub fn make_variable(name: &str, options: &Options) -> Result<String, Failure> {
    let cxx = options.target.conduit.as_deref() == Some("udp");
    let words = match name {
        "UPCR_LD" | "GASNET_LD" => match &options.flags.link_with {
            Some(command) => return Ok(command.clone()),
            None if cxx => vec!["c++".to_owned()],
            None if options.target.network == Network::Mpi => mpi::wrapper(options)?,
            None => Compiler::from_env()?.words().to_vec(),
        },
        "UPCR_CC" | "GASNET_CC" => Compiler::from_env()?.words().to_vec(),
        _ => Vec::new(),
    };
    Ok(words.join(" "))
}

/// Returns all that a translation depends on beside its command line and its files: this program, the runtime, the C
/// compiler, and default options. Caches of objects compare it.
///
/// # Errors
/// An environment failure if one of them cannot be found, a usage failure for malformed defaults.
pub fn settings() -> Result<String, Failure> {
    let program = this_program()?;
    let metadata = std::fs::metadata(&program).map_err(|e| Failure::io("read", &program, &e))?;
    let modified = metadata.modified().ok();
    let modified = modified.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    let defaults = Defaults::find(&[], &Environment::read())?;
    let mut text = String::new();
    let mut line = |name: &str, value: &str| {
        // Writing to a string does not fail.
        let _ = writeln!(text, "{name:<10} {}", value.trim_end());
    };
    line(
        "upcc",
        &format!(
            "{} ({} bytes of {})",
            env!("CARGO_PKG_VERSION"),
            metadata.len(),
            modified.unwrap_or_default().as_nanos()
        ),
    );
    line(
        "runtime",
        &Runtime::locate()?.include_dir().to_string_lossy(),
    );
    line("options", &shown(&defaults.words));
    line("compiler", &Compiler::from_env()?.identity()?);
    Ok(text)
}
