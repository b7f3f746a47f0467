//! `upcrun`: starts a UPC program on a number of threads.

use std::process::ExitCode;
use upcc::{cli, driver};

fn main() -> ExitCode {
    cli::command("upcrun", driver::upcrun)
}
