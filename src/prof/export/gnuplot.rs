//! Exports a trace as tables, with a script that draws them: what each thread did at each time, and how many events,
//! bytes, counts and nanoseconds each thread has, by name.
//!
//! `OUT.csv` has a line for each span. `OUT.counts.csv` has a table for each quantity, with a line for each thread and a
//! column for each name; empty lines separate tables. `gnuplot OUT.gp` draws a picture of each.

use super::label::label;
use super::{Files, Summary};
use crate::prof::estimate::Estimate;
use crate::prof::model::{Cell, Group, Recording, Tables};
use crate::prof::names::shown;
use crate::prof::pairs::{Found, Pairs, Seen, Span};
use std::collections::BTreeMap;
use std::io::{self, Write};

/// The names that have a colour of their own in pictures of counts; the others are one.
const MOST_NAMES: usize = 12;
const OTHERS: &str = "others";

/// A quantity: its heading, and its value.
type Quantity = (String, Box<dyn Fn(&Cell) -> u64>);

/// Writes the files.
pub fn write(
    recording: &dyn Recording,
    estimate: &Estimate,
    files: &mut dyn Files,
) -> io::Result<Summary> {
    let mut summary = Summary::default();
    files.file("csv", &mut |out| {
        summary = spans(recording, out)?;
        Ok(())
    })?;
    let quantities = quantities(recording);
    let names = names(recording.tables(), estimate);
    files.file("counts.csv", &mut |out| {
        counts(recording, estimate, &quantities, &names, out)
    })?;
    let paths = [files.path("csv"), files.path("counts.csv")].map(|path| file_name(&path));
    let headings: Vec<&str> = quantities.iter().map(|(name, _)| name.as_str()).collect();
    files.file("gp", &mut |out| {
        script(recording, &paths, &headings, names.len(), out)
    })?;
    Ok(summary)
}

/// The files are in one folder, where the script is run.
fn file_name(path: &str) -> String {
    path.rsplit('/').next().unwrap_or(path).to_owned()
}

/// Returns a colour for a name, the same in all pictures: red, green and blue as one number.
fn colour(name: &str) -> u32 {
    let hash = crc32c::crc32c(name.as_bytes());
    // Neither black nor white.
    (hash & 0x7f_7f7f) + 0x30_3030
}

fn spans(recording: &dyn Recording, out: &mut dyn Write) -> io::Result<Summary> {
    let tables = recording.tables();
    let mut summary = Summary::default();
    let mut csv = csv::Writer::from_writer(out);
    let fixed = [
        "thread", "event", "line", "depth", "start_ns", "end_ns", "self_ns", "bytes", "peer",
        "colour",
    ];
    let names = recording
        .facts()
        .counters
        .iter()
        .map(|name| shown(name).into_owned());
    csv.write_record(fixed.map(str::to_owned).into_iter().chain(names))?;
    let counters = recording.facts().counters.len();
    let mut pairs = Pairs::new(tables);
    let mut failed = Ok(());
    let threads = recording.threads().iter();
    for thread in threads.filter(|thread| recording.is_selected(thread.id)) {
        let mut found = |found: Found| {
            let Found::Span(span) = found else { return };
            summary.spans += 1;
            summary.cut += u64::from(span.seen == Seen::Open);
            if failed.is_ok() && tables.kind(span.kind).group != Group::Note {
                failed = csv.write_record(row(tables, &span, counters));
            }
        };
        let mut events = recording.events(thread.id);
        while let Some(event) = events.next() {
            summary.events += 1;
            pairs.feed(event, &mut found);
        }
        pairs.finish(thread, &mut found);
    }
    failed?;
    summary.stray = pairs.unmatched;
    csv.flush()?;
    Ok(summary)
}

fn row(tables: &Tables, span: &Span, counters: usize) -> Vec<String> {
    let name = label(tables, span.kind, span.site);
    let place = match tables.site(span.site) {
        Some(site) if site.line > 0 => {
            format!("{}:{}", shown(tables.text(site.file)), site.line)
        }
        Some(_) | None => String::new(),
    };
    let colour = colour(&name);
    let mut row = vec![
        span.thread.to_string(),
        name,
        place,
        span.depth.to_string(),
        span.start.to_string(),
        span.end.to_string(),
        span.own.to_string(),
        span.bytes.to_string(),
        span.peer.map_or(String::new(), |peer| peer.to_string()),
        colour.to_string(),
    ];
    // Some have no counts.
    let own = |at: usize| span.counters.get(at).map_or(0, |(_, own)| *own);
    row.extend((0..counters).map(|at| own(at).to_string()));
    row
}

fn quantities(recording: &dyn Recording) -> Vec<Quantity> {
    let mut all: Vec<Quantity> = vec![
        ("self_ns".to_owned(), Box::new(|cell: &Cell| cell.own)),
        ("calls".to_owned(), Box::new(|cell: &Cell| cell.count)),
        ("bytes".to_owned(), Box::new(|cell: &Cell| cell.bytes)),
    ];
    for (at, name) in recording.facts().counters.iter().enumerate() {
        let of = move |cell: &Cell| cell.counters.get(at).map_or(0, |(_, own)| *own);
        all.push((shown(name).into_owned(), Box::new(of)));
    }
    all
}

/// Returns the names of events, those with the most time first.
fn names(tables: &Tables, estimate: &Estimate) -> Vec<String> {
    let mut times: BTreeMap<String, u64> = BTreeMap::new();
    for (key, cell) in &estimate.profile.cells {
        if let Some(frame) = estimate.profile.frame(key.path) {
            *times
                .entry(label(tables, frame.kind, frame.site))
                .or_default() += cell.own;
        }
    }
    let mut names: Vec<(String, u64)> = times.into_iter().collect();
    names.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    let is_more = names.len() > MOST_NAMES;
    let names = names.into_iter().take(MOST_NAMES).map(|(name, _)| name);
    names.chain(is_more.then(|| OTHERS.to_owned())).collect()
}

fn counts(
    recording: &dyn Recording,
    estimate: &Estimate,
    quantities: &[Quantity],
    names: &[String],
    out: &mut dyn Write,
) -> io::Result<()> {
    let tables = recording.tables();
    let place = |name: &str| {
        let at = names.iter().position(|of| of == name);
        at.unwrap_or(names.len().saturating_sub(1))
    };
    for (at, (heading, value)) in quantities.iter().enumerate() {
        let mut sums = vec![vec![0_u64; names.len()]; recording.threads().len()];
        for (key, cell) in &estimate.profile.cells {
            let frame = estimate.profile.frame(key.path);
            let row = sums.get_mut(key.thread as usize);
            if let (Some(frame), Some(row)) = (frame, row) {
                let sum = &mut row[place(&label(tables, frame.kind, frame.site))];
                *sum = sum.saturating_add(value(cell));
            }
        }
        if at > 0 {
            writeln!(out, "\n")?;
        }
        let mut csv = csv::WriterBuilder::new()
            .flexible(true)
            .from_writer(&mut *out);
        let head = std::iter::once(heading).chain(names);
        csv.write_record(head)?;
        for (thread, row) in sums.iter().enumerate() {
            let numbers = row.iter().map(u64::to_string);
            csv.write_record(std::iter::once(thread.to_string()).chain(numbers))?;
        }
        csv.flush()?;
    }
    Ok(())
}

/// Writes the script. Its strings are between single quotes, in which only those are special.
fn script(
    recording: &dyn Recording,
    [spans, counts]: &[String; 2],
    quantities: &[&str],
    names: usize,
    out: &mut dyn Write,
) -> io::Result<()> {
    let quoted = |text: &str| format!("'{}'", shown(text).replace('\'', "''"));
    let base = spans.strip_suffix(".csv").unwrap_or(spans);
    let threads = recording.threads().len().max(1);
    writeln!(
        out,
        "# gnuplot {base}.gp draws {base}.timeline.svg and a picture of each quantity."
    )?;
    writeln!(out, "set datafile separator comma")?;
    writeln!(
        out,
        "set terminal svg size 1600,{} noenhanced",
        200 + 30 * threads.min(60)
    )?;
    writeln!(
        out,
        "set output {}",
        quoted(&format!("{base}.timeline.svg"))
    )?;
    writeln!(out, "set title {}", quoted(&recording.facts().program))?;
    writeln!(
        out,
        "set xlabel 'ns'\nset ylabel 'thread'\nset yrange [-0.6:{}.6]",
        threads - 1
    )?;
    writeln!(out, "set style fill solid noborder\nunset key")?;
    // Of spans inside others, the inner ones come first in the table: they are drawn smaller, over the outer ones.
    writeln!(
        out,
        "plot for [d=0:7] {} skip 1 using (($4 == d || (d == 7 && $4 > 7)) ? $5 : NaN):1:5:6:($1-0.45+0.05*d):($1+0.45-0.05*d):10 with boxxyerror lc rgb variable",
        quoted(spans)
    )?;
    writeln!(
        out,
        "set key outside right\nset yrange [0:*]\nset xlabel 'thread'"
    )?;
    writeln!(
        out,
        "set style data histograms\nset style histogram rowstacked\nset boxwidth 0.8"
    )?;
    for (at, quantity) in quantities.iter().enumerate() {
        writeln!(
            out,
            "set output {}",
            quoted(&format!("{base}.{quantity}.svg"))
        )?;
        writeln!(out, "set ylabel {}", quoted(quantity))?;
        writeln!(
            out,
            "plot for [i=2:{}] {} index {at} using i:xtic(1) title columnheader(i)",
            names + 1,
            quoted(counts)
        )?;
    }
    Ok(())
}
