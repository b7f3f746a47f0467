//! Exports a profile to TAU: a file `profile.N.0.0` for each thread, as `pprof` and ParaProf read them.
//!
//! ```text
//! FUNCTIONS templated_functions_MULTI_TIME
//! # Name Calls Subrs Excl Incl ProfileCalls #
//! "NAME" CALLS SUBRS EXCL INCL 0 GROUP="GROUP"
//! 0 aggregates
//! EVENTS userevents
//! # eventname numevents max min mean sumsqr
//! "NAME" NUMBER MAX MIN MEAN SUMSQR
//! ```
//!
//! Times are microseconds, with three digits: nanoseconds. Each name has a line with its sums, and each call path has a
//! line of its own, whose name joins those of its steps. The first name is the whole thread: its own time is that
//! outside events.

use super::label::label_and_place;
use super::{Files, Summary};
use crate::prof::estimate::Estimate;
use crate::prof::model::{Cell, PathId, Profile, Recording, Tables};
use crate::prof::names::shown;
use std::collections::{BTreeMap, HashMap};
use std::io::{self, Write};

/// The name of the whole thread, as TAU itself writes it.
const WHOLE: &str = ".TAU application";
/// The group of call paths, by which ParaProf knows them.
const CALLPATH: &str = "TAU_CALLPATH";
/// What is between the steps of a call path.
const ARROW: &str = " => ";

/// The number of steps of a call path that its name has, the last ones.
const DEEPEST: usize = 64;

/// The numbers of a line.
#[derive(Clone, Copy, Default)]
struct Sum {
    calls: u64,
    /// The number of events directly inside.
    inside: u64,
    own: u64,
    total: u64,
}

/// The bytes that events of a name moved.
#[derive(Clone, Copy)]
struct Bytes {
    number: u64,
    sum: u64,
    min: u64,
    max: u64,
}

/// The lines of a thread's file.
#[derive(Default)]
struct Lines {
    names: BTreeMap<String, (Sum, &'static str)>,
    paths: BTreeMap<String, Sum>,
    bytes: BTreeMap<String, Bytes>,
}

/// Writes the files.
pub fn write(
    recording: &dyn Recording,
    estimate: &Estimate,
    files: &mut dyn Files,
) -> io::Result<Summary> {
    let names = Names::new(recording.tables(), &estimate.profile);
    let mut summary = Summary::default();
    for thread in recording.threads() {
        let outside = estimate.outside.get(thread.id as usize);
        let lines = lines(estimate, &names, thread.id, outside.copied().unwrap_or(0));
        summary.spans += (lines.names.len() + lines.paths.len()) as u64;
        let name = format!("profile.{}.0.0", thread.id);
        files.file(&name, &mut |out| print(&lines, out))?;
    }
    Ok(summary)
}

/// The names of paths.
struct Names {
    /// Of the last step.
    step: Vec<String>,
    /// Of all steps.
    path: Vec<String>,
    group: Vec<&'static str>,
    /// Paths with an event of the same name around the last one.
    is_recursive: Vec<bool>,
}

impl Names {
    fn new(tables: &Tables, profile: &Profile) -> Names {
        let mut names = Names {
            step: vec![WHOLE.to_owned()],
            path: vec![WHOLE.to_owned()],
            group: vec!["TAU_DEFAULT"],
            is_recursive: vec![false],
        };
        let mut known: HashMap<_, String> = HashMap::new();
        for at in 1..profile.paths.len() {
            let frame = profile.paths[at];
            let step = known
                .entry((frame.kind, frame.site))
                .or_insert_with(|| quoted(&label_and_place(tables, &frame)))
                .clone();
            let mut around = frame.parent;
            let mut is_recursive = false;
            while around != PathId::ROOT && !is_recursive {
                is_recursive = names.step[around.0 as usize] == step;
                around = profile.paths[around.0 as usize].parent;
            }
            names.step.push(step);
            let path = names.joined(profile, PathId(at as u32));
            names.path.push(path);
            names.group.push(tables.kind(frame.kind).group.facts().word);
            names.is_recursive.push(is_recursive);
        }
        names
    }
}

impl Names {
    /// Returns the names of the steps of a path, of a long one those of the last steps.
    fn joined(&self, profile: &Profile, path: PathId) -> String {
        let mut steps: Vec<&str> = Vec::new();
        let mut at = path;
        while steps.len() < DEEPEST {
            steps.push(&self.step[at.0 as usize]);
            if at == PathId::ROOT {
                break;
            }
            at = profile.paths[at.0 as usize].parent;
        }
        steps.reverse();
        steps.join(ARROW)
    }
}

/// Returns a name without what ends it in the file, or separates steps.
fn quoted(name: &str) -> String {
    shown(name).replace('"', "'").replace("=>", "->")
}

fn lines(estimate: &Estimate, names: &Names, thread: u32, outside: u64) -> Lines {
    let mut lines = Lines::default();
    let mut whole = Sum {
        calls: 1,
        own: outside,
        total: outside,
        ..Sum::default()
    };
    let cells = estimate.profile.cells.iter();
    for (key, cell) in cells.filter(|(key, _)| key.thread == thread) {
        let Some(frame) = estimate.profile.frame(key.path) else {
            continue;
        };
        let at = key.path.0 as usize;
        whole.total = whole.total.saturating_add(cell.own);
        lines.add(names, at, cell);
        match frame.parent {
            PathId::ROOT => whole.inside += cell.count,
            around => lines.inside(names, around.0 as usize, cell.count),
        }
    }
    lines
        .names
        .insert(WHOLE.to_owned(), (whole, names.group[0]));
    lines
}

impl Lines {
    fn add(&mut self, names: &Names, at: usize, cell: &Cell) {
        let name = &names.step[at];
        let (of_name, _) = self
            .names
            .entry(name.clone())
            .or_insert((Sum::default(), names.group[at]));
        let of_path = self.paths.entry(names.path[at].clone()).or_default();
        for sum in [&mut *of_name, of_path] {
            sum.calls = sum.calls.saturating_add(cell.count);
            sum.own = sum.own.saturating_add(cell.own);
            sum.total = sum.total.saturating_add(cell.total);
        }
        if names.is_recursive[at] {
            // The time is part of the one around it.
            of_name.total = of_name.total.saturating_sub(cell.total);
        }
        if cell.max_bytes > 0 {
            let bytes = self.bytes.entry(name.clone()).or_insert(Bytes {
                number: 0,
                sum: 0,
                min: u64::MAX,
                max: 0,
            });
            bytes.number += cell.count;
            bytes.sum = bytes.sum.saturating_add(cell.bytes);
            bytes.min = bytes.min.min(cell.min_bytes);
            bytes.max = bytes.max.max(cell.max_bytes);
        }
    }

    /// Counts events directly inside those of a path.
    fn inside(&mut self, names: &Names, around: usize, number: u64) {
        let of_name = self.names.entry(names.step[around].clone());
        of_name
            .or_insert((Sum::default(), names.group[around]))
            .0
            .inside += number;
        let of_path = self.paths.entry(names.path[around].clone());
        of_path.or_default().inside += number;
    }
}

/// Returns nanoseconds as microseconds.
fn time(ns: u64) -> String {
    format!("{}.{:03}", ns / 1000, ns % 1000)
}

fn print(lines: &Lines, out: &mut dyn Write) -> io::Result<()> {
    let number = lines.names.len() + lines.paths.len();
    writeln!(out, "{number} templated_functions_MULTI_TIME")?;
    writeln!(out, "# Name Calls Subrs Excl Incl ProfileCalls #")?;
    let names = lines
        .names
        .iter()
        .map(|(name, (sum, group))| (name, sum, *group));
    let paths = lines.paths.iter().map(|(name, sum)| (name, sum, CALLPATH));
    for (name, sum, group) in names.chain(paths) {
        writeln!(
            out,
            "\"{name}\" {} {} {} {} 0 GROUP=\"{group}\"",
            sum.calls,
            sum.inside,
            time(sum.own),
            time(sum.total)
        )?;
    }
    writeln!(out, "0 aggregates")?;
    writeln!(out, "{} userevents", lines.bytes.len())?;
    if !lines.bytes.is_empty() {
        writeln!(out, "# eventname numevents max min mean sumsqr")?;
    }
    for (name, bytes) in &lines.bytes {
        let mean = bytes.sum as f64 / bytes.number.max(1) as f64;
        // A profile does not know how the sizes vary.
        let squares = mean * mean * bytes.number as f64;
        writeln!(
            out,
            "\"Bytes of {name}\" {} {} {} {mean} {squares}",
            bytes.number, bytes.max, bytes.min
        )?;
    }
    Ok(())
}
