//! Call paths with weights, from a profile: collapsed stacks and speedscope's `sampled` profiles.

use std::collections::BTreeMap;
use std::io::{self, Write};

use super::Summary;
use super::label::{label_and_place, remarked, title};
use super::nest::Span;
use super::timeline::{comma, speedscope_file};
use crate::prof::estimate::Estimate;
use crate::prof::limits::Shown;
use crate::prof::model::{PathId, Profile, Recording, Tables};
use crate::prof::names::shown;

/// Unit of the weights of collapsed stacks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Unit {
    #[default]
    Nanoseconds,
    /// Rounded; stacks shorter than half a microsecond are left out.
    Microseconds,
}

/// Returns each thread's own time by path; the root has the time outside of all events. The sum is the thread's total
/// time.
fn own_times(estimate: &Estimate) -> Vec<BTreeMap<PathId, u64>> {
    let root = |outside: &u64| BTreeMap::from([(PathId::ROOT, *outside)]);
    let mut times: Vec<_> = estimate.outside.iter().map(root).collect();
    for (key, cell) in &estimate.profile.cells {
        if let Some(of) = times.get_mut(key.thread as usize) {
            *of.entry(key.path).or_insert(0) += cell.own;
        }
    }
    times
}

/// Writes a line for each call path: its frames, outermost first, and its own time. The first frame is the thread, or
/// the program if all threads are combined.
pub fn collapsed(
    recording: &dyn Recording,
    estimate: &Estimate,
    per_thread: bool,
    unit: Unit,
    out: &mut dyn Write,
) -> io::Result<Summary> {
    let tables = recording.tables();
    let mut summary = Summary::default();
    let times = own_times(estimate);
    let shown = match recording.profile() {
        Some(_) => Shown::Profile,
        None => Shown::Trace,
    };
    let roots: Vec<(String, BTreeMap<PathId, u64>)> = if per_thread {
        let name = |thread| {
            let name = format!("UPC thread {thread}");
            frame_text(&remarked(&name, recording, shown))
        };
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
        vec![(frame_text(&title(recording, shown)), sum)]
    };
    for (root, times) in roots {
        for (path, time) in times {
            let weight = match unit {
                Unit::Nanoseconds => time,
                Unit::Microseconds => (time + 500) / 1000,
            };
            if weight > 0 {
                writeln!(
                    out,
                    "{root}{} {weight}",
                    stack(&estimate.profile, tables, path)
                )?;
                summary.spans += 1;
            }
        }
    }
    Ok(summary)
}

/// Returns the frames of a path, each preceded by a semicolon.
fn stack(profile: &Profile, tables: &Tables, path: PathId) -> String {
    let frames = profile.frames(path);
    let texts = frames
        .iter()
        .map(|frame| frame_text(&label_and_place(tables, frame)));
    texts.fold(String::new(), |stack, text| stack + ";" + &text)
}

/// Returns the text of a frame without the character that separates frames.
fn frame_text(text: &str) -> String {
    shown(text).replace(';', ",")
}

/// Writes a speedscope file with one `sampled` profile for each thread, with own times as weights.
pub fn speedscope(
    recording: &dyn Recording,
    estimate: &Estimate,
    out: &mut dyn Write,
) -> io::Result<Summary> {
    let tables = recording.tables();
    speedscope_file(recording, out, |out, frames| {
        let mut summary = Summary::default();
        let times = own_times(estimate);
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
                let stack: Vec<String> = estimate
                    .profile
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
