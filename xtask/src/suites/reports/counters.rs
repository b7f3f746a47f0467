//! Counters of a real run, and ratios of them: in the tables of `upcprof profile` and beside the source in the page.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{compile, report, upcrun, without_errors};
use crate::browser::Browser;
use crate::context::{Context, RUN};
use crate::process;
use crate::report::Tally;

/// Counters that every system has.
const OF_SYSTEM: &str = "task-clock,page-faults,context-switches";
/// Counters of the processor, which containers and virtual machines may not have.
const OF_PROCESSOR: &str = "instructions,cycles";
/// What the runtime says of a counter that it cannot read.
const MISSING: &str = "cannot be counted here";

/// Runs a program of `tests/reports` with these counters. Returns the recording, and what the runtime says.
fn record(context: &Context, work: &Path, counters: &str) -> Result<(PathBuf, String), String> {
    let work = work.join(counters.replace(',', "-"));
    fs::create_dir_all(&work).map_err(|e| format!("{}: {e}", work.display()))?;
    let program = compile(context, &work, "heat")?;
    let recording = program.with_extension("upcprof");
    let mut upcrun = upcrun(context, &program, 2, &recording)?;
    let done = process::must(upcrun.env("UPC_MEASURE_COUNTERS", counters), RUN)?;
    match done.out().trim() {
        "PASS" => Ok((recording, done.err())),
        printed => Err(format!("the program printed {printed:?}")),
    }
}

/// Returns the rows of the profile with these ratios.
fn profile(
    context: &Context,
    recording: &Path,
    ratios: &str,
) -> Result<Vec<serde_json::Value>, String> {
    let mut upcprof = Command::new(&context.upcprof);
    upcprof.args([
        "profile", "--format", "json", "--top", "0", "--ratio", ratios,
    ]);
    let text = process::must(upcprof.arg(recording), RUN)?.out();
    let json: serde_json::Value = serde_json::from_str(&text).map_err(|e| e.to_string())?;
    Ok(json["rows"]
        .as_array()
        .ok_or("no rows in the JSON")?
        .clone())
}

/// Each row that has counted something has the ratio of its numbers. Returns how many do.
fn divided(rows: &[serde_json::Value], over: &str, under: (&str, &str)) -> Result<usize, String> {
    let ratio = format!("{over}/{}", under.0);
    let mut number = 0;
    for row in rows {
        let counted = row[over].as_f64().zip(row[under.1].as_f64());
        let Some((over, under)) = counted.filter(|(_, under)| *under > 0.0) else {
            continue;
        };
        let found = row[&ratio]
            .as_f64()
            .ok_or_else(|| format!("no {ratio} in {row:#}"))?;
        // Ratios have six digits behind the point.
        if (found - over / under).abs() > 1e-6 {
            return Err(format!(
                "{ratio} is {found}, and not {}: {row:#}",
                over / under
            ));
        }
        number += usize::from(over > 0.0);
    }
    Ok(number)
}

/// Some finding says what these ratios are at its place.
fn found(context: &Context, recording: &Path, ratios: &str) -> Result<(), String> {
    let mut analyze = Command::new(&context.upcprof);
    analyze.args(["analyze", "--top", "0", "--ratio", ratios]);
    let text = process::must(analyze.arg(recording), RUN)?.out();
    for ratio in ratios.split(',') {
        let is_said = |line: &str| {
            let said = line.trim_start().strip_prefix("why: ");
            said.and_then(|said| said.strip_prefix(ratio))
                .is_some_and(|said| said.ends_with(" in the whole program"))
        };
        if !text.lines().any(is_said) {
            return Err(format!("no finding says {ratio}:\n{text}"));
        }
    }
    Ok(())
}

/// Counters of the system: their ratios are columns of the profile, and of the page beside the source.
pub fn of_system(context: &Context, work: &Path) -> Result<(), String> {
    const RATIOS: &str = "task-clock/self,page-faults/calls";
    let (recording, said) = record(context, work, OF_SYSTEM)?;
    if said.contains(MISSING) {
        return Err(said);
    }
    let rows = profile(context, &recording, RATIOS)?;
    let clocks = divided(&rows, "task-clock", ("self", "self_ns"))?;
    divided(&rows, "page-faults", ("calls", "calls"))?;
    if clocks == 0 {
        return Err("no row has used its processor".to_owned());
    }
    found(context, &recording, RATIOS)?;
    let page = report(context, &recording, &[("--ratio", Path::new(RATIOS))])?;
    let mut browser = Browser::start(1400, 1000)?;
    browser.open(&page, "")?;
    browser.expect("data.ratios.join() === 'task-clock/self,page-faults/calls'")?;
    // The columns are there, and those of the first ratio have its numbers.
    browser.evaluate("window.heads = Array.from(document.querySelectorAll('#source-lines th'), (head) => head.textContent); window.column = heads.indexOf('task-clock/self')")?;
    browser.expect(
        "column > 0 && heads.includes('task-clock') && heads.includes('page-faults/calls')",
    )?;
    browser.expect("Array.from(document.querySelectorAll('#source-lines tr.costs'), (row) => Number(row.children[column].textContent)).some((ratio) => ratio > 0)")?;
    browser.expect("Array.from(document.querySelectorAll('#source-lines tr'), (row) => row.children.length).filter((cells) => cells > 1).every((cells) => cells === heads.length)")?;
    without_errors(&mut browser)
}

/// Counters of the processor, where a process may read them.
pub fn of_processor(context: &Context, work: &Path, case: &str) -> Tally {
    let checked = || {
        let (recording, said) = record(context, work, OF_PROCESSOR)?;
        if said.contains(MISSING) {
            let line = said.lines().find(|line| line.contains(MISSING));
            return Ok(line.map(str::to_owned));
        }
        let rows = profile(context, &recording, "instructions/cycles")?;
        match divided(&rows, "instructions", ("cycles", "cycles"))? {
            0 => Err("no row has counted instructions".to_owned()),
            _ => Ok(None),
        }
    };
    match checked() {
        Ok(Some(missing)) => Tally::skipped(case, &missing),
        Ok(None) => Tally::one(case, Ok(())),
        Err(why) => Tally::one(case, Err(why)),
    }
}
