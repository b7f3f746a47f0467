//! `upcprof`: shows the recorded data of a UPC program run.

use std::process::ExitCode;
use upcc::{cli, prof};

fn main() -> ExitCode {
    cli::command("upcprof", prof::cli::upcprof)
}
