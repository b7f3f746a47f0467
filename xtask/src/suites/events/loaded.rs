//! Tools in shared libraries, which a program loads when it starts.

use std::path::Path;
use std::process::Command;

use super::clients::{Bench, gasp_run};
use crate::context::{COMPILE, write};
use crate::process;

/// The tool of the other tests, which calls functions of the program.
pub fn by_path(bench: &Bench, cc: &'static str) -> Result<(), String> {
    let client = bench.sources.join("client");
    library(bench, cc, &client.join("tool.c"))?;
    let link =
        "--inst --inst-functions -I@client @client/gaspu.upc @client/app.upc -rdynamic -o app";
    bench.upcc(cc, link)?;
    gasp_run(bench, &[("UPC_TOOL", Path::new("./libtool.so"))])
}

/// A library without the functions of a tool, and one that is not there.
pub fn no_tool(bench: &Bench, cc: &'static str) -> Result<(), String> {
    let source = bench.work.join("nothing.c");
    write(&source, "int nothing;\n")?;
    library(bench, cc, &source)?;
    bench.upcc(cc, "--inst @client/app.upc -o app")?;
    for (tool, said) in [
        ("./libtool.so", "'./libtool.so' is not a GASP tool"),
        ("./missing.so", "./missing.so: cannot open"),
    ] {
        let output = bench.launch("app", &[("UPC_TOOL", Path::new(tool))], 1)?;
        if output.err().matches(said).count() != 1 {
            return Err(format!("not once `{said}`: {}", output.tail()));
        }
    }
    Ok(())
}

/// Makes `libtool.so` with the C compiler alone.
fn library(bench: &Bench, cc: &str, source: &Path) -> Result<(), String> {
    let mut upcc = bench.context.upcc(cc);
    let include = process::must(upcc.arg("-print-include-dir"), COMPILE)?.out();
    let mut command = Command::new(cc);
    command
        .current_dir(&bench.work)
        .args(["-shared", "-fPIC", "-I", include.trim(), "-I"])
        .arg(bench.sources.join("client"))
        .arg(source)
        .args(["-o", "libtool.so"]);
    process::must(&mut command, COMPILE).map(|_| ())
}
