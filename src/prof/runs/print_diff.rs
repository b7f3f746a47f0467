//! The comparison of two revisions as text and as JSON.

use super::super::names::shown;
use super::super::source::Sources;
use super::super::table::{Cell, Column, Format, Style, Table, Unit, column, time};
use super::diff::{Diff, Row};
use super::noise::{Times, Verdict, mean};
use super::words::{
    event, head, heading, incomplete, key_json, name, run_json, runs, source, write_rest,
};
use super::{By, Summary};
use serde_json::{Map, Value as Json, json};
use std::io::{self, Write};

/// What was compared.
#[derive(Clone, Copy, Debug)]
pub struct Sides<'s> {
    /// The runs of the old revision.
    pub before: &'s [Summary],
    /// The runs of the new one.
    pub after: &'s [Summary],
    /// What a row stands for.
    pub by: By,
}

/// The word for a difference that is not judged.
const SMALL: &str = "small";

/// Returns the word for a difference.
pub fn verdict_word(verdict: Option<Verdict>) -> &'static str {
    verdict.map_or(SMALL, Verdict::name)
}

/// Writes the comparison for a terminal, with at most `top` rows.
///
/// # Errors
/// Those of `out`.
pub fn text(
    sides: Sides,
    diff: &Diff,
    top: usize,
    sources: &mut Sources,
    style: Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    for lack in incomplete(sides.before)
        .into_iter()
        .chain(incomplete(sides.after))
    {
        writeln!(out, "{}", shown(&lack))?;
    }
    writeln!(out, "before: {}", shown(&runs(sides.before)))?;
    writeln!(out, "after:  {}", shown(&runs(sides.after)))?;
    writeln!(out)?;
    for (what, (times, verdict)) in [("run:", &diff.run), ("all threads:", &diff.threads)] {
        writeln!(out, "{what:13}{}", whole_text(times, *verdict))?;
    }
    if diff.run.1 == Verdict::Unknown {
        writeln!(
            out,
            "One run on each side says nothing about noise. Give more runs: --before FILE... --after FILE..."
        )?;
    }
    writeln!(out)?;
    let kept = top.min(diff.rows.len());
    let (rows, rest) = diff.rows.split_at(kept);
    let table = Table {
        columns: columns(sides.by),
        rows: rows
            .iter()
            .map(|row| cells(row, sides.by, sources))
            .collect(),
    };
    table.write(Format::Text, style, out)?;
    write_rest(out, rest.iter().map(|row| row.times.change()))
}

/// `301.000 ms -> 201.000 ms, -33.2 % +- 0.9 %: faster`.
pub fn whole_text(times: &Times, verdict: Verdict) -> String {
    let (before, after) = (mean(&times.before), mean(&times.after));
    let percent = times.percent().unwrap_or(0.0);
    let interval = times.interval().map(|interval| {
        format!(
            " +- {:.1} %",
            interval as f64 * 100.0 / before.max(1) as f64
        )
    });
    format!(
        "{} -> {}, {percent:+.1} %{}: {}",
        time(before),
        time(after),
        interval.unwrap_or_default(),
        match verdict {
            Verdict::Unknown => "noise unknown",
            Verdict::Faster | Verdict::Slower | Verdict::Noise => verdict.name(),
        }
    )
}

fn columns(by: By) -> Vec<Column> {
    let mut all = vec![heading(by)];
    match by {
        By::Line => all.extend([
            column("line before", Unit::Text),
            column("event", Unit::Text),
        ]),
        By::Callpath => all.push(column("path before", Unit::Text)),
        By::Region => all.push(column("region before", Unit::Text)),
        By::Event | By::Thread => {}
    }
    all.extend([
        column("change", Unit::Time),
        column("+-", Unit::Time),
        column("change of row", Unit::Share),
        column("before", Unit::Time),
        column("after", Unit::Time),
        column("calls before", Unit::Count),
        column("calls after", Unit::Count),
        column("difference", Unit::Text),
        column("source", Unit::Source),
    ]);
    all
}

fn cells(row: &Row, by: By, sources: &mut Sources) -> Vec<Cell> {
    let text = |key: &Option<super::Key>| key.as_ref().map(|key| name(key, by));
    let (before, after) = (text(&row.before), text(&row.after));
    let cell = |text: Option<String>| text.map_or(Cell::None, Cell::from);
    let mut all = match by {
        By::Line | By::Callpath | By::Region => {
            let moved = match before == after {
                true => Cell::None,
                false => cell(before),
            };
            vec![cell(after), moved]
        }
        By::Event | By::Thread => vec![cell(after.or(before))],
    };
    let key = row.after.as_ref().or(row.before.as_ref());
    if by == By::Line {
        all.push(key.and_then(event).map_or(Cell::None, Cell::from));
    }
    let of = |is_there: bool, number: u64| is_there.then_some(number).into();
    let hundredths = row
        .times
        .percent()
        .map(|percent| (percent * 100.0).round() as i64);
    all.extend([
        Cell::Change(row.times.change()),
        row.times.interval().into(),
        hundredths.map_or(Cell::None, Cell::Change),
        of(row.before.is_some(), mean(&row.times.before)),
        of(row.after.is_some(), mean(&row.times.after)),
        of(row.before.is_some() && row.counts.0 > 0, row.counts.0),
        of(row.after.is_some() && row.counts.1 > 0, row.counts.1),
        verdict_word(row.verdict).into(),
    ]);
    // The source text on the disk is that of the new revision.
    all.push(
        row.after
            .as_ref()
            .map_or(Cell::None, |key| source(key, sources)),
    );
    all
}

/// Returns the comparison as JSON.
pub fn json(sides: Sides, diff: &Diff) -> Json {
    let runs = |runs: &[Summary]| -> Vec<Json> { runs.iter().map(run_json).collect() };
    let mut all = head("diff");
    all.insert("before".to_owned(), runs(sides.before).into());
    all.insert("after".to_owned(), runs(sides.after).into());
    for (name, (times, verdict)) in [("run", &diff.run), ("all_threads", &diff.threads)] {
        all.insert(name.to_owned(), times_json(times, Some(*verdict)).into());
    }
    let row = |row: &Row| {
        let key = |key: &Option<super::Key>| key.as_ref().map(|key| key_json(key, sides.by));
        let mut all = times_json(&row.times, row.verdict);
        all.insert("before".to_owned(), json!(key(&row.before)));
        all.insert("after".to_owned(), json!(key(&row.after)));
        all.insert("before_calls".to_owned(), row.counts.0.into());
        all.insert("after_calls".to_owned(), row.counts.1.into());
        Json::from(all)
    };
    let rows: Vec<Json> = diff.rows.iter().map(row).collect();
    all.insert("rows".to_owned(), rows.into());
    all.into()
}

fn times_json(times: &Times, verdict: Option<Verdict>) -> Map<String, Json> {
    let all = [
        ("before_ns", json!(times.before)),
        ("after_ns", json!(times.after)),
        ("change_ns", json!(times.change())),
        ("change_percent", json!(times.percent())),
        ("interval_ns", json!(times.interval())),
        ("chance", json!(times.chance())),
        ("difference", json!(verdict_word(verdict))),
    ];
    let owned = all
        .into_iter()
        .map(|(name, value)| (name.to_owned(), value));
    owned.collect()
}
