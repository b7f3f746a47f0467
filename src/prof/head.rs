//! The head of a table of a recording: the run, the units, and the parts of the run that the recording lacks.

use super::limits::{Shown, limits};
use super::model::{Recording, Thread};
use super::names::shown;
use super::processors::processors;
use super::stat::utc;
use super::table::Format;
use serde_json::{Map, Value as Json, json};
use std::io::{self, Write};

/// The version of the JSON that `profile` and `stat` write. It is increased when a member is removed or changes its
/// meaning.
const VERSION: u32 = 2;

/// Writes the head of text and CSV: the parts of the run that the recording lacks.
///
/// # Errors
/// Those of `out`.
pub fn write(
    of: &dyn Recording,
    what: Shown,
    format: Format,
    out: &mut dyn Write,
) -> io::Result<()> {
    for limit in limits(of, what) {
        match format {
            Format::Text => writeln!(out, "incomplete: {}", shown(&limit))?,
            Format::Csv => writeln!(out, "# incomplete: {}", shown(&limit))?,
            Format::Json => {}
        }
    }
    Ok(())
}

/// Returns the members of a JSON object that precede the requested data.
pub fn json(of: &dyn Recording, command: &str, what: Shown) -> Map<String, Json> {
    let facts = of.facts();
    let threads = of.threads();
    let first = threads.iter().map(|thread| thread.first).min().unwrap_or(0);
    let last = threads.iter().map(|thread| thread.last).max().unwrap_or(0);
    let thread_time: u64 = threads
        .iter()
        .map(Thread::time)
        .fold(0, u64::saturating_add);
    let head = [
        ("format", json!(format!("upcprof {command}"))),
        ("version", json!(VERSION)),
        ("upcprof", json!(env!("CARGO_PKG_VERSION"))),
        (
            "run",
            json!({
                "program": facts.program,
                "arguments": facts.args,
                "threads": facts.threads,
                "processors": processors(of),
                "static_threads": (facts.static_threads > 0).then_some(facts.static_threads),
                "network": facts.network,
                "runtime": facts.runtime,
                "started": facts.started.map(utc),
                "settings": facts.settings,
            }),
        ),
        (
            "time",
            json!({ "run_ns": last.saturating_sub(first), "threads_ns": thread_time }),
        ),
        (
            "units",
            json!({ "_ns": "nanoseconds", "_percent": "percent of threads_ns", "bytes": "bytes" }),
        ),
        ("incomplete", json!(limits(of, what))),
    ];
    head.into_iter()
        .map(|(name, value)| (name.to_owned(), value))
        .collect()
}
