//! Measures collective functions against loops of `upc_memget` and `upc_memput` between barriers:
//! `xtask/bench/collective.upc`.

use std::path::Path;
use std::process::Command;

use super::{Samples, collect, compile, median, row};
use crate::context::Context;

const FUNCTIONS: &[&str] = &[
    "broadcast",
    "scatter",
    "gather",
    "gather_all",
    "exchange",
    "permute",
    "reduce",
    "prefix_reduce",
];
const THREADS: &[usize] = &[2, 4, 8, 16];
/// The bytes of a block, and their name in the table.
const SIZES: &[(usize, &str)] = &[(8, "8 bytes"), (1024, "1 KiB"), (1 << 20, "1 MiB")];
/// In an exchange of 16 threads every thread has two blocks for each thread.
const HEAP: &str = "40M";

pub fn run(context: &Context, work: &Path) -> Result<(), String> {
    let program = work.join("collective");
    compile(context, "collective.upc", None, &program)?;
    for &threads in THREADS {
        for &(bytes, size) in SIZES {
            println!(
                "collective functions, {threads} threads, {size} a block, ns per call, against a loop of copies"
            );
            let mut samples = Samples::new();
            collect(&mut samples, "", || {
                let mut upcrun = Command::new(&context.upcrun);
                upcrun
                    .args(["-shared-heap", HEAP, "-n"])
                    .arg(threads.to_string())
                    .arg(&program)
                    .arg(bytes.to_string());
                upcrun
            })?;
            for function in FUNCTIONS {
                row(
                    &format!("upc_all_{function}, {threads} threads, {size}"),
                    median(&samples, function)?,
                    median(&samples, &format!("loop.{function}"))?,
                );
            }
        }
    }
    Ok(())
}
