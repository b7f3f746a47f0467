//! `upcprof top`: the profile of a running job, refreshed.
//!
//! ```text
//! job: the launchers -> look: their answers -> reader::open_live -> runs::Summary -> rows since the last look
//! ```

pub mod job;
pub mod look;
#[cfg(test)]
mod tests;

use super::runs::{By, Key, Summary, words};
use super::source::Sources;
use super::table::{Cell, Table, Unit, column};
use std::time::Duration;

/// A row: what happened since the last look, and since the job began.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// What it stands for.
    pub key: Key,
    /// The thread time since the last look, in nanoseconds.
    pub recent: u64,
    /// The thread time since the start of the job.
    pub time: u64,
    /// The number of events since the last look.
    pub recent_calls: u64,
    /// The number of events since the start.
    pub calls: u64,
}

/// Returns the rows of a look, those with the most time since the last one first.
pub fn rows(before: &Summary, now: &Summary) -> Vec<Row> {
    let row = |(key, row): (&Key, &super::runs::Row)| {
        let old = before.rows.get(key).copied().unwrap_or_default();
        Row {
            key: key.clone(),
            // An estimate may be corrected.
            recent: row.time.saturating_sub(old.time),
            time: row.time,
            recent_calls: row.count.saturating_sub(old.count),
            calls: row.count,
        }
    };
    let mut rows: Vec<Row> = now.rows.iter().map(row).collect();
    rows.sort_by(|a, b| {
        let (x, y) = ((a.recent, a.time, a.calls), (b.recent, b.time, b.calls));
        y.cmp(&x).then_with(|| a.key.cmp(&b.key))
    });
    rows
}

/// Returns hundredths of a percent.
fn share(part: u64, whole: u64) -> u64 {
    let share = (u128::from(part) * 10_000).checked_div(u128::from(whole));
    share.map_or(0, |share| share as u64)
}

/// Returns the table of the first rows. `passed`: the time since the last look.
pub fn table(rows: &[Row], top: usize, by: By, passed: Duration, sources: &mut Sources) -> Table {
    let sum = |of: fn(&Row) -> u64| rows.iter().map(of).fold(0, u64::saturating_add);
    let (recent, whole) = (sum(|row| row.recent), sum(|row| row.time));
    let is_line = by == By::Line;
    let mut columns = vec![words::heading(by)];
    if is_line {
        columns.push(column("event", Unit::Text));
    }
    columns.extend([
        column("now", Unit::Share),
        column("share", Unit::Share),
        column("self", Unit::Time),
        column("calls", Unit::Count),
        column("calls/s", Unit::Count),
        column("source", Unit::Source),
    ]);
    let seconds = passed.as_secs_f64().max(1e-9);
    let cells = |row: &Row| {
        let counts = row.calls > 0;
        let rate = (row.recent_calls as f64 / seconds).round() as u64;
        let mut cells: Vec<Cell> = vec![words::name(&row.key, by).into()];
        if is_line {
            cells.push(words::event(&row.key).map_or(Cell::None, Cell::from));
        }
        cells.extend([
            share(row.recent, recent).into(),
            share(row.time, whole).into(),
            row.time.into(),
            counts.then_some(row.calls).into(),
            counts.then_some(rate).into(),
            words::source(&row.key, sources),
        ]);
        cells
    };
    Table {
        columns,
        rows: rows.iter().take(top).map(cells).collect(),
    }
}
