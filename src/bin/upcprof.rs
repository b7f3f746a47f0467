//! `upcprof`: shows the recorded data of a UPC program run.

use std::process::ExitCode;
use upcc::{driver, prof};

fn main() -> ExitCode {
    driver::command("upcprof", prof::cli::upcprof)
}
