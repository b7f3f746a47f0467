//! `upcrun`: starts a UPC program on a number of threads.

use std::process::ExitCode;
use upcc::driver;

fn main() -> ExitCode {
    driver::command("upcrun", driver::upcrun)
}
