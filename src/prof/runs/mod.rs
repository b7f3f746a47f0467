//! Several recordings side by side: `upcprof diff` compares revisions, `upcprof scale` numbers of threads.
//!
//! ```text
//! Recording -> Summary (rows with the thread time of each) -> align, noise -> diff -> text, JSON
//!                                                          -> fit          -> scale -> text, JSON
//! ```
//!
//! A [`Summary`] has the numbers of `upcprof profile`. Its rows are all of the time of all threads, with a row for the
//! time outside events, so differences of rows add up to the difference of the runs.

pub mod align;
pub mod diff;
#[cfg(test)]
mod diff_tests;
pub mod fit;
pub mod noise;
mod print_diff;
mod print_scale;
pub mod scale;
#[cfg(test)]
mod scale_tests;
pub(super) mod words;

pub use print_diff::{Sides, json as diff_json, text as diff_text, verdict_word, whole_text};
pub use print_scale::{curve_text, finding_text, fitted, json as scale_json, text as scale_text};

use super::compute;
use super::estimate::estimate;
use super::limits::{Shown, limits};
use super::model::{Frame, Group, PathId, Profile, Recording, Tables, Thread};
use super::profile::{function_name, is_region, region};
use std::collections::{BTreeMap, BTreeSet};

/// What a row stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum By {
    /// A kind of event on a source line.
    Line,
    /// A kind of event.
    Event,
    /// A call path.
    Callpath,
    /// A function, a `upc_forall` or an event of the user's, with what happens in it.
    Region,
    /// A thread.
    Thread,
}

/// The values of [`By`] by name.
pub const CUTS: &[(&str, By)] = &[
    ("line", By::Line),
    ("event", By::Event),
    ("callpath", By::Callpath),
    ("region", By::Region),
    ("thread", By::Thread),
];

/// A kind of event on a line.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Step {
    /// The file as the compiler was given it; empty: no place of the program.
    pub file: String,
    /// The line; 0: unknown.
    pub line: u32,
    /// The event, `UPC_GET`.
    pub event: String,
    /// The name of a function.
    pub function: Option<String>,
}

/// The name of a row, which means the same in all recordings.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Key {
    /// A line, a region or a call path: the outermost event first.
    Path(Vec<Step>),
    /// A kind of event.
    Event(String),
    /// A thread.
    Thread(u32),
    /// Events in no region.
    NoRegion,
    /// Time in which the program raised no event.
    Outside,
}

/// The numbers of a row.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Row {
    /// The thread time in nanoseconds, without events inside.
    pub time: u64,
    /// The number of events.
    pub count: u64,
}

/// An event on a line, with what it accesses there: what identifies the line in another revision.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Place {
    /// The line.
    pub line: u32,
    /// The event.
    pub event: String,
    /// The texts of the accessed expressions, in the order of columns; of a function, its name.
    pub texts: Vec<String>,
}

/// What is compared of a run.
#[derive(Clone, Debug)]
pub struct Summary {
    /// The file, or the first one of the run.
    pub file: String,
    /// The program's path.
    pub program: String,
    /// THREADS.
    pub threads: u32,
    /// Nanoseconds from the first thread's start to the last one's end.
    pub run: u64,
    /// The time of all threads in nanoseconds: the sum of the rows.
    pub time: u64,
    /// The part of it in which threads were ready to run and had no processor, if the recording says so.
    pub delayed: Option<u64>,
    /// The rows.
    pub rows: BTreeMap<Key, Row>,
    /// The events of each file's lines, in the order of the lines.
    pub places: BTreeMap<String, Vec<Place>>,
    /// What the recording lacks, in sentences.
    pub incomplete: Vec<String>,
}

/// Where the numbers come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum From {
    /// The profile in the file.
    Profile,
    /// The events of the trace.
    Trace,
}

/// Returns what all recordings have: profiles are preferred, as in `upcprof profile`.
pub fn common(recordings: &[&dyn Recording]) -> Option<From> {
    if recordings.iter().all(|of| of.profile().is_some()) {
        return Some(From::Profile);
    }
    let all = recordings.iter().all(|of| of.has_trace());
    all.then_some(From::Trace)
}

impl Summary {
    /// Adds up a recording.
    pub fn new(of: &dyn Recording, file: &str, from: From, by: By) -> Summary {
        let computed;
        let profile = match (from, of.profile()) {
            (From::Profile, Some(profile)) => profile,
            (From::Profile | From::Trace, _) => {
                computed = compute::profile(of);
                &computed
            }
        };
        let threads = of.threads();
        let first = threads.iter().map(|thread| thread.first).min().unwrap_or(0);
        let last = threads.iter().map(|thread| thread.last).max().unwrap_or(0);
        Summary {
            file: file.to_owned(),
            program: of.facts().program.clone(),
            threads: of.facts().threads,
            run: last.saturating_sub(first),
            time: threads
                .iter()
                .map(Thread::time)
                .fold(0, u64::saturating_add),
            delayed: (from == From::Trace && of.facts().has_processor).then(|| delayed(of)),
            rows: rows(of, profile, by),
            places: places(of.tables(), profile),
            incomplete: limits(
                of,
                match from {
                    From::Profile => Shown::Profile,
                    From::Trace => Shown::Trace,
                },
            ),
        }
    }

    /// The thread time of a row; 0 if the run has no such row.
    pub fn time_of(&self, key: &Key) -> u64 {
        self.rows.get(key).map_or(0, |row| row.time)
    }
}

/// Returns for how long threads were ready to run and had no processor, without the time in which they waited for
/// others.
fn delayed(of: &dyn Recording) -> u64 {
    use super::analyze::{Part, analyze};
    let spent = analyze(of, None).spent;
    let part = spent.iter().find(|spent| spent.part == Part::NoProcessor);
    part.map_or(0, |spent| spent.time)
}

fn rows(of: &dyn Recording, profile: &Profile, by: By) -> BTreeMap<Key, Row> {
    let tables = of.tables();
    let estimate = estimate(of, profile).with_loops(tables);
    let profile = &estimate.profile;
    let mut rows: BTreeMap<Key, Row> = BTreeMap::new();
    for (key, cell) in &estimate.profile.cells {
        let Some(frame) = profile.frame(key.path) else {
            continue;
        };
        if tables.kind(frame.kind).group == Group::Note {
            continue;
        }
        let key = match by {
            By::Line => Key::Path(vec![step(tables, frame)]),
            By::Event => Key::Event(tables.kind(frame.kind).name.clone()),
            By::Callpath => path_key(tables, profile, key.path),
            By::Region => match region(tables, profile, key.path) {
                Some(region) => Key::Path(vec![step(tables, &region)]),
                None => Key::NoRegion,
            },
            By::Thread => Key::Thread(key.thread),
        };
        let row = rows.entry(key).or_default();
        row.time = row.time.saturating_add(cell.own);
        // A region is counted where it begins.
        if by != By::Region || is_region(tables, frame) {
            row.count = row.count.saturating_add(cell.count);
        }
    }
    let outside = estimate
        .outside
        .iter()
        .fold(0, |sum: u64, time| sum.saturating_add(*time));
    rows.entry(Key::Outside).or_default().time += outside;
    rows
}

/// Returns the key of a call path.
pub fn path_key(tables: &Tables, profile: &Profile, path: PathId) -> Key {
    let frames = profile.frames(path);
    Key::Path(frames.iter().map(|frame| step(tables, frame)).collect())
}

fn step(tables: &Tables, frame: &Frame) -> Step {
    let kind = tables.kind(frame.kind);
    let site = tables.site(frame.site);
    let function = (kind.group == Group::Function)
        .then(|| site.and_then(|site| site.type_name))
        .flatten()
        .map(|signature| function_name(tables.text(signature)).to_owned());
    Step {
        file: site.map_or(String::new(), |site| tables.text(site.file).to_owned()),
        line: site.map_or(0, |site| site.line),
        event: kind.name.clone(),
        function,
    }
}

/// Returns the events of each file's lines, in the order of the lines.
fn places(tables: &Tables, profile: &Profile) -> BTreeMap<String, Vec<Place>> {
    let mut texts: BTreeMap<(String, u32, String), BTreeSet<(u32, String)>> = BTreeMap::new();
    for frame in profile.paths.iter().skip(1) {
        let Some(site) = tables.site(frame.site).filter(|site| site.line > 0) else {
            continue;
        };
        let step = step(tables, frame);
        let of_line = texts.entry((step.file, step.line, step.event)).or_default();
        let accessed = site.name.map(|name| tables.text(name).to_owned());
        let text = step.function.or(accessed);
        of_line.insert((site.column, text.unwrap_or_default()));
    }
    let mut places: BTreeMap<String, Vec<Place>> = BTreeMap::new();
    for ((file, line, event), texts) in texts {
        let texts = texts.into_iter().map(|(_, text)| text).collect();
        let place = Place { line, event, texts };
        places.entry(file).or_default().push(place);
    }
    places
}
