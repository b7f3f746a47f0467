//! The events that the tool *measure* records and `upcprof` reads equal those that the tool *dump* prints; the profile
//! that it counts is that of the recorded events.

use std::ffi::OsStr;
use std::path::Path;
use std::process::Command;

use super::{Build, Judge, OBJECT, Program, compile, dump, dumps, run_with};
use crate::context::{Context, RUN, read};
use crate::process;

/// Checks each program once, on its largest number of threads, with all events.
pub fn check(context: &Context, work: &Path, program: &Program) -> Result<(), String> {
    let threads = program.threads.iter().copied().max().unwrap_or(1);
    let build = Build::of_all_events(program, threads);
    let binary = work.join(build.file_name());
    compile(context, program, &build, &binary)?;
    let upcrun = || context.upcrun(threads, &binary);
    let dumps = dumps(upcrun(), program, &binary, threads)?;
    let file = binary.with_extension("upcprof");
    against_dumps(context, upcrun(), program, program.judge, &file, &dumps)
}

/// Records a run into `file`, which must have the events of these dumps of all threads.
pub fn against_dumps(
    context: &Context,
    upcrun: Command,
    program: &Program,
    judge: Judge,
    file: &Path,
    dumps: &[Vec<String>],
) -> Result<(), String> {
    let tool: &[(&str, &dyn AsRef<OsStr>)] = &[
        ("UPC_TOOL", &"measure"),
        ("UPC_MEASURE", &"both"),
        ("UPC_MEASURE_DEPTH", &"100000"),
        ("UPC_MEASURE_FILE", &file),
    ];
    run_with(upcrun, program, tool)?;
    let mut meetings = Vec::new();
    for (thread, dumped) in dumps.iter().enumerate() {
        let lines = upcprof(context, &["dump", "--thread", &thread.to_string()], file)?;
        meetings.push(dump::meetings(&lines)?);
        let recorded = dump::lines(&lines)?;
        // Events in an unspecified order differ between two runs.
        match judge {
            Judge::Balance => dump::balanced(&recorded)?,
            Judge::MarksOf(only) if only != thread => {}
            Judge::Marks | Judge::MarksOf(_) => {
                // Objects are tables in a recording.
                let dumped = dumped.iter().filter(|line| !line.contains(OBJECT));
                let dumped: Vec<String> = dumped.cloned().collect();
                let reported = read(&file.with_extension(format!("{}.{thread}", dumps.len())))?;
                dump::compare(&dumped, &recorded)
                    .and_then(|()| dump::compare(&dump::places(&reported), &dump::places(&lines)))
                    .map_err(|why| format!("thread {thread}: {why}"))?;
            }
        }
    }
    in_time(&meetings)?;
    counted(context, file)
}

/// The largest difference in seconds between the times of two machines when all machines are busy.
const CLOCKS_APART: f64 = 0.01;

/// Checks that no thread leaves a barrier before all have arrived.
fn in_time(meetings: &[Vec<(f64, f64)>]) -> Result<(), String> {
    let fewest = meetings.iter().map(Vec::len).min().unwrap_or(0);
    for number in 0..fewest {
        let of_all = || meetings.iter().map(|of| of[number]);
        let last_start = of_all().map(|(start, _)| start).fold(f64::MIN, f64::max);
        let first_end = of_all().map(|(_, end)| end).fold(f64::MAX, f64::min);
        if last_start > first_end + CLOCKS_APART {
            return Err(format!(
                "a thread comes to barrier {number} at {last_start} s, another leaves it at {first_end} s"
            ));
        }
    }
    Ok(())
}

/// Compares kinds of events with calls and bytes between the profile and the trace.
fn counted(context: &Context, file: &Path) -> Result<(), String> {
    let profile = |more: &[&str]| {
        let words = [
            "profile",
            "--by=callpath",
            "--sort=SRC",
            "--top=0",
            "--internal",
            "--format=json",
        ];
        let rows = upcprof(context, &[&words, more].concat(), file)?;
        let rows = super::hot::rows_of(&rows)?;
        let row = |row: &serde_json::Value| {
            // Transfers are not nested: a profile has them at their place, a trace by their handle.
            let path = row["path"].as_str()?;
            let is_transfer = path.split(" > ").any(|step| step.contains("_DATA "));
            (!is_transfer).then(|| format!("{path} {} {}", row["calls"], row["bytes"]))
        };
        Ok::<_, String>(rows.iter().filter_map(row).collect::<Vec<String>>())
    };
    dump::compare(&profile(&["--from-trace"])?, &profile(&[])?)
        .map_err(|why| format!("the profile is not that of the trace: {why}"))
}

/// Returns the output of upcprof for a file in which it finds no error.
pub fn upcprof(context: &Context, words: &[&str], file: &Path) -> Result<String, String> {
    let mut upcprof = Command::new(&context.upcprof);
    let output = process::must(upcprof.args(words).arg(file), RUN)?;
    let reported = output.err();
    // A thread that was ended by another's exit may not have had time to record how it ended.
    match reported.lines().find(|line| !line.contains("how it ended")) {
        None => Ok(output.out()),
        Some(warning) => Err(warning.to_owned()),
    }
}
