//! The exports of `upcprof`, read back by programs that are not ours.
//!
//! `tests/exports.rs` writes exports of recordings whose every event is known, and of odd ones. Perfetto traces are decoded with
//! Perfetto's own message definitions and played as its trace processor plays them (`tests/exports/perfetto_text.py`); speedscope files
//! are held against speedscope's own schema. Collapsed stacks go through inferno, in `tests/exports.rs` itself.

use std::path::Path;
use std::process::Command;

use super::CARGO;
use crate::context::{Context, RUN, files, read, stem, write};
use crate::process;
use crate::report::Tally;
use crate::tools;

pub fn run(context: &Context) -> Result<Tally, String> {
    let work = context.fresh("exports")?;
    let scripts = context.root.join("tests/exports");
    let mut tally = Tally::default();
    let written = process::must(
        context
            .cargo(&["test", "--package", "upcc", "--test", "exports"])
            .env("UPCC_EXPORTS", &work),
        CARGO,
    );
    let there = written.is_ok();
    tally.add("known and odd recordings", written.map(|_| ()));
    if !there {
        return Ok(tally);
    }
    for file in files(&work, "perfetto-trace")? {
        tally.add(
            &format!("Perfetto: {}", stem(&file)),
            perfetto(&scripts, &file),
        );
    }
    for file in files(&work, "json")? {
        // `odd.speedscope.json`, `odd.chrome.json`
        let name = stem(&file);
        let mut check = match Path::new(&name).extension().and_then(|e| e.to_str()) {
            Some("speedscope") => {
                let mut check = python(&scripts, "speedscope_check.py");
                check.arg(tools::speedscope_schema());
                check
            }
            Some("chrome") => python(&scripts, "chrome_check.py"),
            _ => return Err(format!("{}: of no known format", file.display())),
        };
        check.arg(&file);
        tally.add(&name, passes(&mut check));
    }
    Ok(tally)
}

/// One of our scripts.
fn python(scripts: &Path, name: &str) -> Command {
    let mut python = Command::new(tools::python());
    python.arg(scripts.join(name));
    python
}

fn passes(check: &mut Command) -> Result<(), String> {
    process::must(check, RUN).map(|_| ())
}

/// The trace is sound; and where its text is known, every track, slice, argument, counter and arrow. `UPDATE=1` writes texts anew.
fn perfetto(scripts: &Path, trace: &Path) -> Result<(), String> {
    let expected = scripts.join(format!("{}.perfetto.txt", stem(trace)));
    let mut show = python(scripts, "perfetto_text.py");
    if !expected.exists() {
        return passes(show.arg(trace));
    }
    let shown = process::must(show.arg("--text").arg(trace), RUN)?.out();
    if std::env::var_os("UPDATE").is_some() {
        return write(&expected, &shown);
    }
    let expected = read(&expected)?;
    let mut lines = expected.lines().zip(shown.lines());
    match lines.position(|(expected, shown)| expected != shown) {
        Some(at) => Err(format!(
            "line {}: expected\n      {}\n    Perfetto shows\n      {}",
            at + 1,
            expected.lines().nth(at).unwrap_or_default(),
            shown.lines().nth(at).unwrap_or_default()
        )),
        None if expected.lines().count() != shown.lines().count() => {
            Err("Perfetto shows fewer or more lines than expected".to_owned())
        }
        None => Ok(()),
    }
}
