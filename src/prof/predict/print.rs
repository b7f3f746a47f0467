//! Predictions as text and as JSON.

use super::super::head;
use super::super::limits::{Shown as Limits, limits};
use super::super::model::Recording;
use super::super::names::shown;
use super::super::table::{Cell, Format, Style, Table, Unit, column, time};
use super::Against;
use super::model::{Predicted, Prediction};
use super::work::Place;
use crate::platform::Time;
use crate::prof::simulate::Simulation;
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;
use std::io::{self, Write};

/// What is shown.
pub struct Shown<'a> {
    /// The prediction.
    pub first: &'a Prediction,
    /// The time of the recorded run, if somebody has measured it.
    pub measured: Option<f64>,
    /// Others to compare with it, each with its name.
    pub others: &'a [(String, Prediction)],
    /// The simulations of the prediction and of the others, in order; empty: none were asked for.
    pub simulations: &'a [(String, Simulation)],
    /// The prediction beside a recording of what it predicts.
    pub against: Option<&'a Against>,
    /// How many rows.
    pub top: usize,
    /// What is unknown, in sentences.
    pub notes: &'a [String],
}

pub(super) fn nanoseconds(it: f64) -> u64 {
    it.max(0.0).round() as u64
}

/// `1.200 ms (1.100 ms to 1.400 ms)`
fn interval(it: Time) -> String {
    format!(
        "{} ({} to {})",
        time(nanoseconds(it.mean)),
        time(nanoseconds(it.low)),
        time(nanoseconds(it.high))
    )
}

/// The file and the line of a row; `None`: it is of no place.
pub(super) fn place_of(place: Option<&Place>) -> String {
    match place {
        Some(place) if place.line > 0 => format!("{}:{}", place.file, place.line),
        Some(_) => "(runtime)".to_owned(),
        None => "-".to_owned(),
    }
}

/// The rows of a line and a cause together.
fn by_line(of: &Prediction) -> Vec<Predicted> {
    let mut sums: BTreeMap<(String, String, &'static str), Predicted> = BTreeMap::new();
    for row in &of.rows {
        let key = (place_of(row.place.as_ref()), row.event.clone(), row.cause);
        match sums.get_mut(&key) {
            Some(sum) => {
                sum.time = sum.time.plus(row.time);
                sum.count = sum.count.zip(row.count).map(|(a, b)| a + b);
            }
            None => {
                sums.insert(key, row.clone());
            }
        }
    }
    let mut rows: Vec<Predicted> = sums.into_values().collect();
    rows.sort_by(|a, b| b.time.mean.total_cmp(&a.time.mean));
    rows
}

fn by_cause(of: &Prediction) -> Vec<(&'static str, Time)> {
    let mut sums: BTreeMap<&'static str, Time> = BTreeMap::new();
    for row in &of.rows {
        let sum = sums.entry(row.cause).or_default();
        *sum = sum.plus(row.time);
    }
    let mut all: Vec<(&'static str, Time)> = sums.into_iter().collect();
    all.sort_by(|a, b| b.1.mean.total_cmp(&a.1.mean));
    all
}

/// Hundredths of a percent.
fn share(part: f64, whole: f64) -> Cell {
    match whole > 0.0 {
        true => Cell::Number((part.max(0.0) / whole * 1e4).round() as u64),
        false => Cell::None,
    }
}

fn lines(of: &Prediction, top: usize) -> Table {
    let row = |it: &Predicted| {
        vec![
            shown(&place_of(it.place.as_ref())).into_owned().into(),
            it.event.as_str().into(),
            it.cause.into(),
            share(it.time.mean, of.time.mean),
            nanoseconds(it.time.mean).into(),
            nanoseconds(it.time.low).into(),
            nanoseconds(it.time.high).into(),
            it.count.map(|count| count.max(0.0).round() as u64).into(),
        ]
    };
    Table {
        columns: vec![
            column("line", Unit::Text),
            column("event", Unit::Text),
            column("cause", Unit::Text),
            column("share", Unit::Share),
            column("time", Unit::Time),
            column("low", Unit::Time),
            column("high", Unit::Time),
            column("count", Unit::Count),
        ],
        rows: by_line(of).iter().take(top).map(row).collect(),
    }
}

fn causes(of: &Prediction) -> Table {
    let row = |(cause, it): &(&'static str, Time)| {
        vec![
            (*cause).into(),
            share(it.mean, of.time.mean),
            nanoseconds(it.mean).into(),
            nanoseconds(it.low).into(),
            nanoseconds(it.high).into(),
        ]
    };
    Table {
        columns: vec![
            column("cause", Unit::Text),
            column("share", Unit::Share),
            column("time", Unit::Time),
            column("low", Unit::Time),
            column("high", Unit::Time),
        ],
        rows: by_cause(of).iter().map(row).collect(),
    }
}

fn comparison(shown: &Shown<'_>) -> Table {
    let first = shown.first.time.mean;
    let row = |name: &str, it: &Prediction| {
        let change = (it.time.mean - first) / first.max(f64::MIN_POSITIVE) * 1e4;
        vec![
            name.into(),
            u64::from(it.threads).into(),
            it.setting.as_str().into(),
            nanoseconds(it.time.mean).into(),
            nanoseconds(it.time.low).into(),
            nanoseconds(it.time.high).into(),
            Cell::Change(change.round() as i64),
        ]
    };
    let others = shown.others.iter().map(|(name, it)| row(name, it));
    Table {
        columns: vec![
            column("what if", Unit::Text),
            column("threads", Unit::Count),
            column("network", Unit::Text),
            column("time", Unit::Time),
            column("low", Unit::Time),
            column("high", Unit::Time),
            column("change", Unit::Share),
        ],
        rows: std::iter::once(row("-", shown.first))
            .chain(others)
            .collect(),
    }
}

fn simulations(shown: &Shown<'_>) -> Table {
    let row = |(name, it): &(String, Simulation)| {
        let numbers = [
            it.run,
            it.computing,
            it.accesses,
            it.contention,
            it.barriers,
            it.locks,
        ];
        let head: [Cell; 2] = [name.as_str().into(), u64::from(it.threads).into()];
        head.into_iter().chain(numbers.map(Cell::from)).collect()
    };
    let times = [
        "simulated",
        "computing",
        "accesses",
        "contention",
        "barriers",
        "locks",
    ];
    let head = [
        column("what if", Unit::Text),
        column("threads", Unit::Count),
    ];
    let times = times.map(|name| column(name, Unit::Time));
    Table {
        columns: head.into_iter().chain(times).collect(),
        rows: shown.simulations.iter().map(row).collect(),
    }
}

/// Writes the text.
///
/// # Errors
/// Those of `out`.
pub fn text(
    of: &dyn Recording,
    shown: &Shown<'_>,
    style: Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    for limit in limits(of, Limits::All) {
        writeln!(out, "incomplete: {limit}")?;
    }
    let first = shown.first;
    writeln!(
        out,
        "{} threads over {}: {}",
        first.threads,
        first.setting,
        interval(first.time)
    )?;
    if first.load > 1.0 {
        writeln!(out, "{:.1} threads share a processor", first.load)?;
    }
    for note in first.notes.iter().chain(shown.notes) {
        writeln!(out, "note: {note}")?;
    }
    for table in [causes(first), lines(first, shown.top)] {
        writeln!(out)?;
        table.write(Format::Text, style, out)?;
    }
    if let Some(against) = shown.against {
        let run = time(nanoseconds(against.run));
        writeln!(out, "\nbeside a recorded run of {run}")?;
        against.causes().write(Format::Text, style, out)?;
        writeln!(out)?;
        against.lines(shown.top).write(Format::Text, style, out)?;
    }
    if !shown.others.is_empty() {
        writeln!(out)?;
        comparison(shown).write(Format::Text, style, out)?;
    }
    if !shown.simulations.is_empty() {
        writeln!(
            out,
            "\nsimulated; but for the first column, the time of all threads"
        )?;
        simulations(shown).write(Format::Text, style, out)?;
    }
    Ok(())
}

fn json_of(it: &Prediction) -> Json {
    json!({
        "threads": it.threads,
        "network": it.setting,
        "load": it.load,
        "time_ns": it.time.mean,
        "low_ns": it.time.low,
        "high_ns": it.time.high,
        "causes": causes(it).json(),
        "rows": lines(it, usize::MAX).json(),
        "notes": it.notes,
    })
}

/// Returns the JSON.
pub fn json(of: &dyn Recording, shown: &Shown<'_>) -> Json {
    let mut all = head::json(of, "predict", Limits::All);
    all.insert("prediction".to_owned(), json_of(shown.first));
    let others = shown.others.iter().map(|(name, it)| {
        let mut it = json_of(it);
        it["what_if"] = json!(name);
        it
    });
    all.insert("what_if".to_owned(), others.collect());
    if !shown.simulations.is_empty() {
        all.insert("simulations".to_owned(), simulations(shown).json());
    }
    if let Some(against) = shown.against {
        let both = json!({
            "run_ns": nanoseconds(against.run),
            "causes": against.causes().json(),
            "rows": against.lines(usize::MAX).json(),
        });
        all.insert("against".to_owned(), both);
    }
    all.insert("notes".to_owned(), json!(shown.notes));
    all.insert("measured_ns".to_owned(), json!(shown.measured));
    all.into()
}
