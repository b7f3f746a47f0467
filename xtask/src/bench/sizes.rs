//! Measures the code of the samples and of the kernels in plain subscripts, with what `upcc` does to loops and without it.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::{Kept, THREADS};
use crate::context::{COMPILE, Context};
use crate::process;

/// What turns off each transformation of shared accesses.
const AS_WRITTEN: &[&str] = &[
    "-fno-upc-runs",
    "-fno-upc-strips",
    "-fno-upc-locality",
    "-fno-upc-unroll",
    "-fno-upc-gathers",
    "-fno-upc-scatters",
    "-fno-upc-updates",
    "-fno-upc-linear",
    "-fno-upc-fences",
];

/// The limit of the code with transformations, in the code without them, over all programs.
const LIMIT: f64 = 1.5;

pub fn run(context: &Context, work: &Path, kept: &mut Kept) -> Result<(), String> {
    println!("code of the samples, bytes, against the same without transformations of accesses");
    let programs = programs(context)?;
    for (kind, flags) in [
        ("static THREADS", vec![format!("-T={THREADS}")]),
        ("dynamic THREADS", vec![]),
    ] {
        let (mut with, mut without) = (0.0, 0.0);
        for program in &programs {
            with += size(context, work, program, &flags)?;
            let mut as_written = flags.clone();
            as_written.extend(AS_WRITTEN.iter().map(|&flag| flag.to_owned()));
            without += size(context, work, program, &as_written)?;
        }
        let what = format!("{} programs, {kind}", programs.len());
        kept.row(&what, with, without, LIMIT);
    }
    Ok(())
}

/// Returns the samples and the kernels in plain subscripts.
fn programs(context: &Context) -> Result<Vec<PathBuf>, String> {
    let samples = context.root.join("samples");
    let mut programs = paths(&samples)?;
    programs.retain(|path| path.extension().is_some_and(|extension| extension == "upc"));
    let kernels = paths(&samples.join("bench"))?;
    programs.extend(
        kernels
            .iter()
            .map(|kernel| kernel.join("naive.upc"))
            .filter(|path| path.exists()),
    );
    programs.sort();
    Ok(programs)
}

fn paths(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
    let entries = folder.read_dir().map_err(failed)?;
    entries
        .map(|entry| Ok(entry.map_err(failed)?.path()))
        .collect()
}

/// Compiles a program with `-O2` and returns the bytes of its code and constants, as `size` counts them.
fn size(context: &Context, work: &Path, program: &Path, flags: &[String]) -> Result<f64, String> {
    let object = work.join("sized.o");
    let mut upcc = context.upcc("gcc");
    upcc.args(["-w", "-O2", "-c"])
        .args(flags)
        .arg(program)
        .arg("-o")
        .arg(&object);
    process::must(&mut upcc, COMPILE)?;
    let output = process::must(Command::new("size").arg(&object), COMPILE)?.out();
    let bytes = output
        .lines()
        .nth(1)
        .and_then(|line| line.split_whitespace().next()?.parse().ok());
    bytes.ok_or_else(|| format!("size prints no number of bytes: {output}"))
}
