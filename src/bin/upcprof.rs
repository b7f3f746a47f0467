//! `upcprof`: shows what was recorded of a UPC program.

use std::process::ExitCode;
use upcc::{driver, prof};

fn main() -> ExitCode {
    driver::command("upcprof", prof::cli::upcprof)
}
