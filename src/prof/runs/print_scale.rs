//! Scaling as text and as JSON.

use super::super::names::shown;
use super::super::source::Sources;
use super::super::table::{Cell, Format, Style, Table, Unit, column, time};
use super::fit::{Curve, Term};
use super::scale::{Point, Row, Scaling, Work};
use super::words::{
    described, event, head, heading, incomplete, key_json, name, run_json, source, threads,
    write_rest,
};
use super::{By, Summary};
use serde_json::{Value as Json, json};
use std::io::{self, Write};

/// A row that loses less than this part of the thread time, in percent, is no finding.
const LEAST: f64 = 1.0;
/// Time without a processor, in percent, that is worth a remark.
const MANY_DELAYS: u64 = 5;
/// The number of columns of losses in text.
const MOST_POINTS: usize = 6;

/// Writes scaling for a terminal, with at most `top` rows.
///
/// # Errors
/// Those of `out`.
pub fn text(
    (runs, by): (&[Summary], By),
    scaling: &Scaling,
    top: usize,
    sources: &mut Sources,
    style: Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    for lack in incomplete(runs) {
        writeln!(out, "{}", shown(&lack))?;
    }
    for point in &scaling.points {
        if let Some(delayed) = point.delayed.filter(|delayed| *delayed > MANY_DELAYS) {
            writeln!(
                out,
                "{} had no processor for {delayed} % of the time: more threads than processors, or other programs",
                threads(point.threads)
            )?;
        }
    }
    points(scaling).write(Format::Text, style, out)?;
    writeln!(out)?;
    writeln!(out, "{}", curve_text(scaling))?;
    writeln!(out, "{}", finding_text(scaling, by))?;
    writeln!(out)?;
    rows(scaling, top, by, sources).write(Format::Text, style, out)?;
    write_rest(out, scaling.rows.iter().skip(top).map(Row::loss))
}

fn hundredths(number: f64) -> u64 {
    (number * 100.0).round().max(0.0) as u64
}

/// Returns the speed-up that the curve has with a number of threads, against the fewest of the runs.
pub fn fitted(scaling: &Scaling, curve: &Curve, threads: u32) -> f64 {
    let first = scaling.points[0].threads;
    curve.speedup(threads) / curve.speedup(first).max(f64::MIN_POSITIVE)
}

fn points(scaling: &Scaling) -> Table {
    let row = |point: &Point| {
        let fitted = scaling
            .curve
            .map(|curve| fitted(scaling, &curve, point.threads));
        vec![
            u64::from(point.threads).into(),
            (point.runs as u64).into(),
            point.run.into(),
            (point.range.1 - point.range.0).into(),
            point.time.into(),
            format!("{:.2}", scaling.speedup(point)).into(),
            fitted.map_or(Cell::None, |fitted| format!("{fitted:.2}").into()),
            hundredths(scaling.efficiency(point)).into(),
        ]
    };
    Table {
        columns: vec![
            column("threads", Unit::Count),
            column("runs", Unit::Count),
            column("run", Unit::Time),
            column("range", Unit::Time),
            column("all threads", Unit::Time),
            column("speed-up", Unit::Text),
            column("fitted", Unit::Text),
            column("efficiency", Unit::Share),
        ],
        rows: scaling.points.iter().map(row).collect(),
    }
}

/// What the fitted curve says of the program.
pub fn curve_text(scaling: &Scaling) -> String {
    let Some(curve) = scaling.curve else {
        return "no curve fits".to_owned();
    };
    let percent = |part: f64| part * 100.0 / curve.work.max(1.0);
    let mut terms = format!(
        "fitted: {:.2} % of the work are serial",
        percent(curve.serial)
    );
    if curve.crosstalk > 0.0 {
        let each = percent(curve.crosstalk);
        terms += &format!(", and each thread adds {each:.4} % for each other one");
    }
    match (curve.best(), curve.limit()) {
        (Some((speedup, number)), _) => format!(
            "{terms}: fastest with {}, {speedup:.1} times as fast as one",
            threads(number)
        ),
        (None, Some(limit)) => {
            format!("{terms}: no number of threads is more than {limit:.1} times as fast as one")
        }
        (None, None) => format!("{terms}: no limit is in sight"),
    }
}

/// The line that stops scaling.
pub fn finding_text(scaling: &Scaling, by: By) -> String {
    let last = scaling.last();
    let first = &scaling.points[0];
    let Some(worst) = scaling
        .rows
        .first()
        .filter(|row| scaling.loss_percent(row) >= LEAST)
    else {
        return format!(
            "nothing loses {LEAST} % of the time of {}",
            threads(last.threads)
        );
    };
    let growth = worst.curve.map(|curve| match curve.largest(last.threads) {
        Term::Work => "",
        Term::Serial => ", as it does if one thread works and the others wait",
        Term::Crosstalk => ", as it does if each thread works with each other one",
    });
    let all = scaling
        .rows
        .iter()
        .map(Row::loss)
        .fold(0, i64::saturating_add);
    format!(
        "{} {}: it takes {} of the time of {} and {} of that of {}{}. This loses {:.1} % of their time.",
        shown(&described(&worst.key, by)),
        if all > 0 {
            "stops the scaling"
        } else {
            "scales worst"
        },
        time(worst.times[0]),
        threads(first.threads),
        time(worst.times[worst.times.len() - 1]),
        threads(last.threads),
        growth.unwrap_or_default(),
        scaling.loss_percent(worst)
    )
}

fn rows(scaling: &Scaling, top: usize, by: By, sources: &mut Sources) -> Table {
    let count = scaling.points.len();
    // The first points and the last one.
    let mut shown_points: Vec<usize> = (0..count.min(MOST_POINTS - 1)).collect();
    if count >= MOST_POINTS {
        shown_points.push(count - 1);
    }
    let mut columns = vec![heading(by)];
    if by == By::Line {
        columns.push(column("event", Unit::Text));
    }
    columns.extend([column("loss", Unit::Time), column("share", Unit::Share)]);
    columns.extend(
        shown_points
            .iter()
            .map(|&at| column(&threads(scaling.points[at].threads), Unit::Time)),
    );
    columns.push(column("source", Unit::Source));
    let mut row = |row: &Row| {
        let mut cells: Vec<Cell> = vec![name(&row.key, by).into()];
        if by == By::Line {
            cells.push(event(&row.key).map_or(Cell::None, Cell::from));
        }
        let share = (scaling.loss_percent(row) * 100.0).round() as i64;
        cells.extend([Cell::Change(row.loss()), Cell::Change(share)]);
        cells.extend(shown_points.iter().map(|&at| Cell::from(row.times[at])));
        cells.push(source(&row.key, sources));
        cells
    };
    let rows = scaling.rows.iter().take(top).map(&mut row).collect();
    Table { columns, rows }
}

/// Returns scaling as JSON.
pub fn json((runs, by): (&[Summary], By), scaling: &Scaling) -> Json {
    let of_curve = |curve: &Option<Curve>| {
        curve.map(|curve| {
            json!({
                "work_ns": curve.work,
                "serial_ns": curve.serial,
                "crosstalk_ns": curve.crosstalk,
                "limit": curve.limit(),
                "best_threads": curve.best().map(|(_, threads)| threads),
            })
        })
    };
    let point = |point: &Point| {
        json!({
            "threads": point.threads,
            "runs": point.runs,
            "run_ns": point.run,
            "shortest_ns": point.range.0,
            "longest_ns": point.range.1,
            "threads_ns": point.time,
            "without_processor_percent": point.delayed,
            "speedup": scaling.speedup(point),
            "fitted_speedup": scaling.curve.map(|curve| fitted(scaling, &curve, point.threads)),
            "efficiency_percent": scaling.efficiency(point),
        })
    };
    let row = |row: &Row| {
        let mut all = key_json(&row.key, by);
        all.insert("times_ns".to_owned(), json!(row.times));
        all.insert("losses_ns".to_owned(), json!(row.losses));
        all.insert("loss_percent".to_owned(), scaling.loss_percent(row).into());
        all.insert("curve".to_owned(), json!(of_curve(&row.curve)));
        Json::from(all)
    };
    let mut all = head("scale");
    let runs: Vec<Json> = runs.iter().map(run_json).collect();
    all.insert("runs".to_owned(), runs.into());
    all.insert(
        "work".to_owned(),
        match scaling.work {
            Work::Same => "same",
            Work::More => "more",
        }
        .into(),
    );
    let points: Vec<Json> = scaling.points.iter().map(point).collect();
    all.insert("points".to_owned(), points.into());
    all.insert("curve".to_owned(), json!(of_curve(&scaling.curve)));
    let rows: Vec<Json> = scaling.rows.iter().map(row).collect();
    all.insert("rows".to_owned(), rows.into());
    all.into()
}
