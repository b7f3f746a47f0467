//! What the commands `upcc`, `upcrun` and `upcprof` share: how they begin and end, and how they write files and messages.

mod children;
mod exit;
pub mod folders;
mod output;
pub mod signals;
pub mod streams;
pub mod temp_files;
pub mod tools;

pub use exit::{Exit, Failure, system_text};
pub use output::{Output, write_whole};

use crate::diag::codes;
use crate::text::printable;
use std::io::Write as _;
use std::process::ExitCode;

/// Runs a command's body on the arguments of this process. Reports its failure, and turns a panic into an internal
/// error.
pub fn command(name: &'static str, body: fn(Vec<String>) -> Result<Exit, Failure>) -> ExitCode {
    std::panic::set_hook(Box::new(move |panic| {
        let place = panic
            .location()
            .map(|place| format!(" at {}:{}", place.file(), place.line()))
            .unwrap_or_default();
        let payload = panic.payload();
        let text = payload
            .downcast_ref::<&str>()
            .map(|text| (*text).to_owned());
        let text = text
            .or_else(|| payload.downcast_ref::<String>().cloned())
            .unwrap_or_default();
        let version = env!("CARGO_PKG_VERSION");
        let code = codes::INTERNAL;
        log(
            name,
            &format!("internal compiler error{place}: {text} [{code}]"),
        );
        log(
            name,
            &format!(
                "this is a bug in {name} {version}, not in your program: please report it with the source"
            ),
        );
    }));
    let exit =
        std::panic::catch_unwind(|| arguments().and_then(body)).unwrap_or(Ok(Exit::Internal));
    let exit = exit.unwrap_or_else(|failure| {
        if !failure.message.is_empty() {
            log(name, &format!("error: {}", failure.message));
        }
        failure.exit
    });
    exit.into()
}

/// Returns the arguments of this process.
fn arguments() -> Result<Vec<String>, Failure> {
    let text = |arg: std::ffi::OsString| {
        arg.into_string()
            .map_err(|arg| Failure::usage(format!("argument {} is not UTF-8", arg.display())))
    };
    std::env::args_os().skip(1).map(text).collect()
}

/// Writes to standard output, and ignores a closed stream.
pub fn print(text: &str) {
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

/// Prints a line of a command's own on standard error.
pub fn log(name: &str, text: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{name}: {}", printable(text));
}

#[cfg(test)]
mod tests {
    use super::temp_files::Temps;
    use super::*;
    use std::path::PathBuf;

    #[test]
    fn a_panic_is_an_internal_error_and_leaves_no_files() {
        static FILE: std::sync::OnceLock<PathBuf> = std::sync::OnceLock::new();
        let exit = command("upcc", |_| {
            let temps = Temps::new(None)?;
            let file = temps.file("x");
            std::fs::write(&file, "x").unwrap();
            FILE.set(file).unwrap();
            panic!("tested")
        });
        let _ = std::panic::take_hook();
        assert_eq!(format!("{exit:?}"), format!("{:?}", ExitCode::from(70)));
        let file = FILE.get().unwrap();
        assert!(!file.parent().unwrap().exists(), "{file:?}");
    }
}
