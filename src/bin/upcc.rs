//! `upcc`: compiles, links and runs UPC programs.

use std::process::ExitCode;
use upcc::{cli, driver};

fn main() -> ExitCode {
    cli::command("upcc", driver::upcc)
}
