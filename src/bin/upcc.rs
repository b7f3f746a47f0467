//! `upcc`: compiles, links and runs UPC programs.

use std::process::ExitCode;
use upcc::driver;

fn main() -> ExitCode {
    driver::command("upcc", driver::upcc)
}
