//! What the views of several runs have in common: names of rows, and the JSON of runs.

use super::super::source::Sources;
use super::super::table::{Cell, Column, Unit, column, time_change};
use super::{By, Key, Step, Summary};
use serde_json::{Map, Value as Json, json};
use std::io::{self, Write};

/// The version of the JSON of these views. It is increased when a member is removed or changes its meaning.
const VERSION: u32 = 1;

/// Says what the rows that a table does not show add up to, if there are some.
pub(super) fn write_rest(
    out: &mut dyn Write,
    changes: impl ExactSizeIterator<Item = i64>,
) -> io::Result<()> {
    let number = changes.len();
    if number == 0 {
        return Ok(());
    }
    let sum = time_change(changes.fold(0, i64::saturating_add));
    writeln!(
        out,
        "... {number} more rows ({sum} together): --top=0 shows all"
    )
}

fn place(step: &Step) -> String {
    match step.line {
        0 => "(runtime)".to_owned(),
        line => format!("{}:{line}", step.file),
    }
}

/// A step of a call path: a function by its name, any other event with its place.
fn path_step(step: &Step) -> String {
    match &step.function {
        Some(function) => function.clone(),
        None if step.line == 0 => step.event.clone(),
        None => format!("{} {}", step.event, place(step)),
    }
}

/// The place of a row: a line, or whatever the rows are.
pub(in crate::prof) fn name(key: &Key, by: By) -> String {
    match (key, by) {
        (Key::Path(steps), By::Callpath | By::Region) => {
            let steps: Vec<String> = steps.iter().map(path_step).collect();
            steps.join(" > ")
        }
        (Key::Path(steps), By::Line | By::Event | By::Thread) => {
            steps.last().map_or(String::new(), place)
        }
        (Key::Event(event), _) => event.clone(),
        (Key::Thread(thread), _) => thread.to_string(),
        (Key::NoRegion, _) => "outside regions".to_owned(),
        (Key::Outside, _) => "outside events".to_owned(),
    }
}

/// The event of a row of lines.
pub(in crate::prof) fn event(key: &Key) -> Option<&str> {
    match key {
        Key::Path(steps) => steps.last().map(|step| step.event.as_str()),
        Key::Event(event) => Some(event),
        Key::Thread(_) | Key::NoRegion | Key::Outside => None,
    }
}

/// A row with its event, in a sentence.
pub(super) fn described(key: &Key, by: By) -> String {
    match (key, by) {
        (Key::Path(_), By::Line) => {
            format!("{} {}", name(key, by), event(key).unwrap_or_default())
        }
        (Key::Thread(thread), _) => format!("thread {thread}"),
        (Key::Path(_) | Key::Event(_) | Key::NoRegion | Key::Outside, _) => name(key, by),
    }
}

/// The heading of the column with the names.
pub(in crate::prof) fn heading(by: By) -> Column {
    let heading = match by {
        By::Line => "line",
        By::Event => "event",
        By::Callpath => "path",
        By::Region => "region",
        By::Thread => "thread",
    };
    column(heading, Unit::Text)
}

/// The source text of a row's line.
pub(in crate::prof) fn source(key: &Key, sources: &mut Sources) -> Cell {
    match key {
        Key::Path(steps) => {
            let step = steps.last();
            let text = step.and_then(|step| sources.line(&step.file, step.line));
            text.map_or(Cell::None, Cell::from)
        }
        Key::Event(_) | Key::Thread(_) | Key::NoRegion | Key::Outside => Cell::None,
    }
}

/// The members of a row that say what it is.
pub(super) fn key_json(key: &Key, by: By) -> Map<String, Json> {
    let mut all = Map::new();
    all.insert("name".to_owned(), name(key, by).into());
    all.insert("event".to_owned(), json!(event(key)));
    if let Key::Path(steps) = key
        && let Some(step) = steps.last().filter(|step| step.line > 0)
    {
        all.insert("file".to_owned(), step.file.as_str().into());
        all.insert("line".to_owned(), step.line.into());
    }
    all
}

/// The members that begin each object.
pub(super) fn head(command: &str) -> Map<String, Json> {
    let head = [
        ("format", json!(format!("upcprof {command}"))),
        ("version", json!(VERSION)),
        ("upcprof", json!(env!("CARGO_PKG_VERSION"))),
        (
            "units",
            json!({ "_ns": "nanoseconds", "_percent": "percent" }),
        ),
    ];
    let owned = head
        .into_iter()
        .map(|(name, value)| (name.to_owned(), value));
    owned.collect()
}

/// A run.
pub(super) fn run_json(run: &Summary) -> Json {
    json!({
        "file": run.file,
        "program": run.program,
        "threads": run.threads,
        "run_ns": run.run,
        "threads_ns": run.time,
        "without_processor_ns": run.delayed,
        "incomplete": run.incomplete,
    })
}

/// What the recordings lack, a line each.
pub(super) fn incomplete(runs: &[Summary]) -> Vec<String> {
    let of = |run: &Summary| {
        let file = run.file.clone();
        let lines = run.incomplete.iter();
        lines
            .map(move |lack| format!("incomplete: {file}: {lack}"))
            .collect::<Vec<_>>()
    };
    runs.iter().flat_map(of).collect()
}

/// `3 runs of ./heat with 4 threads`.
pub(in crate::prof) fn runs(runs: &[Summary]) -> String {
    let program = runs.first().map_or("", |run| &run.program);
    let threads = runs.first().map_or(0, |run| run.threads);
    let number = match runs.len() {
        1 => "1 run".to_owned(),
        more => format!("{more} runs"),
    };
    format!("{number} of {program} with {}", self::threads(threads))
}

/// `4 threads`.
pub(super) fn threads(number: u32) -> String {
    match number {
        1 => "1 thread".to_owned(),
        more => format!("{more} threads"),
    }
}
