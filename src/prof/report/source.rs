//! Source files with the cost of each line.
//!
//! A recording says itself where its sources are, and whoever made it may not be trusted: it could name a private file,
//! whose text would then be in a page that is passed on. So only files with names of C or UPC sources are read, and of
//! long files only the lines around those that cost something.

use super::costs::Costs;
use super::paths::Data as Paths;
use super::state::ByState;
use crate::prof::model::Cell;
use crate::prof::ratios::{PARTS, Ratio};
use crate::prof::source::Sources;
use serde::Serialize;
use std::collections::BTreeMap;

/// The ends of names of files whose text is shown.
const SUFFIXES: &[&str] = &[
    "upc", "c", "h", "uph", "upch", "inc", "cc", "cpp", "cxx", "hpp", "y", "l",
];
/// Files up to this length are shown whole.
const WHOLE: u32 = 2000;
/// Of longer ones, this number of lines before and after each line with a cost.
const AROUND: u32 = 40;
/// The longest line in characters.
const LONGEST: usize = 400;

/// The costs of a line.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Line {
    /// The line, from 1.
    pub line: u32,
    /// Nanoseconds of its events by state, without those of events inside.
    pub times: ByState,
    /// The number of its events.
    pub count: u64,
    /// Those that use memory or locks of other threads.
    pub remote: u64,
    /// Bytes.
    pub bytes: u64,
    /// What each counter says, and the ratios that the page shows.
    pub counted: Vec<u64>,
    pub ratios: Vec<Option<f64>>,
}

impl Line {
    fn count_more(&mut self, counted: &[u64]) {
        let length = self.counted.len().max(counted.len());
        self.counted.resize(length, 0);
        for (sum, more) in self.counted.iter_mut().zip(counted) {
            *sum = sum.saturating_add(*more);
        }
    }

    /// Computes the ratios.
    fn divide(&mut self, ratios: &[Ratio]) {
        let counted = Cell {
            count: self.count,
            bytes: self.bytes,
            own: self
                .times
                .iter()
                .fold(0, |sum, time| sum.saturating_add(*time)),
            counters: self.counted.iter().map(|own| (*own, *own)).collect(),
            ..Cell::default()
        };
        let of = |ratio: &Ratio| Some(ratio.of(&counted)? as f64 / PARTS as f64);
        self.ratios = ratios.iter().map(of).collect();
    }
}

/// A file.
#[derive(Clone, Debug, Serialize)]
pub struct File {
    /// The index of its name in the page's files.
    pub file: u32,
    /// The lines that cost something.
    pub costs: Vec<Line>,
    /// Its text: runs of lines, each with the number of the first. Empty if the file cannot be read.
    pub text: Vec<(u32, Vec<String>)>,
}

/// Returns the files that have costs, the most time first.
pub fn files(
    costs: &Costs,
    paths: &Paths,
    ratios: &[Ratio],
    sources: Option<&mut Sources>,
) -> Vec<File> {
    let mut lines: BTreeMap<(u32, u32), Line> = BTreeMap::new();
    for row in &costs.rows {
        let (_, frame) = paths.paths[row.path as usize];
        let frame = &paths.frames[frame as usize];
        let Some(file) = frame.file else { continue };
        let line = lines.entry((file, frame.line)).or_default();
        line.line = frame.line;
        line.times[frame.state] += row.own;
        line.count = line.count.saturating_add(row.count);
        line.bytes = line.bytes.saturating_add(row.bytes);
        line.count_more(&row.counted);
        if row.peer.is_some_and(|peer| peer != row.thread) {
            line.remote = line.remote.saturating_add(row.count);
        }
    }
    let mut files: BTreeMap<u32, Vec<Line>> = BTreeMap::new();
    for ((file, _), mut line) in lines {
        line.divide(ratios);
        files.entry(file).or_default().push(line);
    }
    let mut sources = sources;
    let mut files: Vec<File> = files
        .into_iter()
        .map(|(file, costs)| {
            let text = sources.as_mut().and_then(|sources| {
                let name = &paths.files[file as usize];
                is_source(name).then(|| sources.lines(name)).flatten()
            });
            let text = text.map_or_else(Vec::new, |lines| shown(lines, &costs));
            File { file, costs, text }
        })
        .collect();
    files.sort_by_key(|file| (std::cmp::Reverse(time(file)), file.file));
    files
}

fn time(file: &File) -> u64 {
    let times = file.costs.iter().flat_map(|line| line.times);
    times.fold(0, u64::saturating_add)
}

fn is_source(name: &str) -> bool {
    let suffix = name.rsplit_once('.').map(|(_, suffix)| suffix);
    suffix.is_some_and(|suffix| SUFFIXES.contains(&suffix))
}

/// Returns the lines to show, in runs.
fn shown(lines: &[String], costs: &[Line]) -> Vec<(u32, Vec<String>)> {
    let count = lines.len() as u32;
    let mut runs: Vec<(u32, u32)> = Vec::new();
    match count <= WHOLE {
        true => runs.push((1, count)),
        false => {
            for cost in costs.iter().filter(|cost| cost.line <= count) {
                let first = cost.line.saturating_sub(AROUND).max(1);
                let last = cost.line.saturating_add(AROUND).min(count);
                match runs.last_mut() {
                    Some((_, end)) if first <= *end + 1 => *end = last.max(*end),
                    _ => runs.push((first, last)),
                }
            }
        }
    }
    let text = |(first, last): (u32, u32)| {
        let lines = &lines[first as usize - 1..last as usize];
        let cut = |line: &String| line.chars().take(LONGEST).collect();
        (first, lines.iter().map(cut).collect())
    };
    runs.into_iter().map(text).collect()
}
