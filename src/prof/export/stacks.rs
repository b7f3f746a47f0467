//! Call paths with weights, from a profile: collapsed stacks and speedscope's `sampled` profiles.

use std::collections::BTreeMap;
use std::io::{self, Write};

use super::Summary;
use super::label::{label_and_place, program};
use super::nest::Span;
use super::timeline::{comma, speedscope_file};
use crate::prof::model::{Cell, PathId, Profile, Recording, Tables, Thread};

/// Unit of the weights of collapsed stacks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Unit {
    #[default]
    Nanoseconds,
    /// Rounded; stacks of less than half a microsecond are left out.
    Microseconds,
}

/// Each thread's own time by path; the root has what was spent outside of all events. The sum is the thread's whole time.
fn own_times(profile: &Profile, threads: &[Thread]) -> Vec<BTreeMap<PathId, u64>> {
    let mut times = vec![BTreeMap::new(); threads.len()];
    for (key, cell) in &profile.cells {
        if let Some(of) = times.get_mut(key.thread as usize) {
            add(of, key.path, cell.own);
        }
    }
    for (of, thread) in times.iter_mut().zip(threads) {
        let inside = of
            .values()
            .fold(0u64, |sum, time| sum.saturating_add(*time));
        let duration = thread.last.saturating_sub(thread.first);
        of.insert(PathId::ROOT, duration.saturating_sub(inside));
    }
    for (key, cell) in &profile.cells {
        if let (Some(of), Some(frame)) =
            (times.get_mut(key.thread as usize), profile.frame(key.path))
        {
            // What was not timed has gone into the time of what is around it.
            let around = of.entry(frame.parent).or_insert(0);
            let moved = untimed(cell).min(*around);
            *around -= moved;
            add(of, key.path, moved);
        }
    }
    times
}

fn add(times: &mut BTreeMap<PathId, u64>, path: PathId, time: u64) {
    let sum = times.entry(path).or_insert(0);
    *sum = sum.saturating_add(time);
}

/// Own time of those of a cell's events that were not timed, as far as the others tell.
fn untimed(cell: &Cell) -> u64 {
    let missing = u128::from(cell.count.saturating_sub(cell.timed));
    match cell.timed {
        0 => 0,
        timed => {
            u64::try_from(u128::from(cell.own) * missing / u128::from(timed)).unwrap_or(u64::MAX)
        }
    }
}

/// A line for each call path: its frames, outermost first, and its own time. The first frame is the thread, or, with all threads
/// taken together, the program.
pub fn collapsed(
    recording: &dyn Recording,
    profile: &Profile,
    per_thread: bool,
    unit: Unit,
    out: &mut dyn Write,
) -> io::Result<Summary> {
    let tables = recording.tables();
    let mut summary = Summary::default();
    let times = own_times(profile, recording.threads());
    let program = frame_text(program(recording));
    let roots: Vec<(String, BTreeMap<PathId, u64>)> = if per_thread {
        let name = |thread| format!("UPC thread {thread}");
        times
            .into_iter()
            .enumerate()
            .map(|(thread, of)| (name(thread), of))
            .collect()
    } else {
        let mut sum = BTreeMap::new();
        for (path, time) in times.into_iter().flatten() {
            *sum.entry(path).or_insert(0) += time;
        }
        vec![(program, sum)]
    };
    for (root, times) in roots {
        for (path, time) in times {
            let weight = match unit {
                Unit::Nanoseconds => time,
                Unit::Microseconds => (time + 500) / 1000,
            };
            if weight > 0 {
                writeln!(out, "{root}{} {weight}", stack(profile, tables, path))?;
                summary.spans += 1;
            }
        }
    }
    Ok(summary)
}

/// The frames of a path, each behind a semicolon.
fn stack(profile: &Profile, tables: &Tables, path: PathId) -> String {
    let frames = profile.frames(path);
    let texts = frames
        .iter()
        .map(|frame| frame_text(&label_and_place(tables, frame)));
    texts.fold(String::new(), |stack, text| stack + ";" + &text)
}

/// A frame must not have what separates frames.
fn frame_text(text: &str) -> String {
    text.replace(';', ",").replace(char::is_control, " ")
}

/// speedscope: a profile a thread, of the kind `sampled`, with own times as weights.
pub fn speedscope(
    recording: &dyn Recording,
    profile: &Profile,
    out: &mut dyn Write,
) -> io::Result<Summary> {
    let tables = recording.tables();
    speedscope_file(recording, out, |out, frames| {
        let mut summary = Summary::default();
        let times = own_times(profile, recording.threads());
        for (thread, times) in times.into_iter().enumerate() {
            let times: Vec<(PathId, u64)> =
                times.into_iter().filter(|(_, time)| *time > 0).collect();
            let total: u64 = times.iter().map(|(_, time)| time).sum();
            write!(
                out,
                "{}\n{{\"type\":\"sampled\",\"name\":\"UPC thread {thread}\",\"unit\":\"nanoseconds\",\"startValue\":0,\"endValue\":{total},\"samples\":[",
                comma(thread)
            )?;
            for (at, (path, _)) in times.iter().enumerate() {
                let stack: Vec<String> = profile
                    .frames(*path)
                    .iter()
                    .map(|frame| Span {
                        kind: frame.kind,
                        site: frame.site,
                    })
                    .map(|span| frames.of(tables, span).to_string())
                    .collect();
                write!(out, "{}\n[{}]", comma(at), stack.join(","))?;
            }
            let weights: Vec<String> = times.iter().map(|(_, time)| time.to_string()).collect();
            write!(out, "],\"weights\":[{}]}}", weights.join(","))?;
            summary.spans += weights.len() as u64;
        }
        Ok(summary)
    })
}
