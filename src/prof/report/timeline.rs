//! The timeline: what each thread does at each moment, in levels of detail.
//!
//! A *track* divides a pthread's time into *parts* without gaps. At the finest level a part is the time in which one
//! path was the innermost. A coarser level keeps each part that is at least as long as the level's width, and combines
//! the runs of shorter parts in each cell of that width; a combined part has the time of each state and the number of
//! events. So each level has the same sums, and a view that draws a pixel for a width needs few parts for each pixel.
//!
//! If a recording has too many parts, the finest level of the page is not exact. It becomes coarser while the events
//! are read, so memory does not grow with their number.

use super::encode::Numbers;
use super::paths::{OUTSIDE, Path, Paths};
use super::state::{ByState, COUNT};
use crate::prof::export::nest::{Nest, Step};
use crate::prof::model::{Event, Recording, Thread};
use serde::Serialize;
use std::collections::BTreeMap;

/// The number of parts of all tracks that are kept in memory.
const MOST_PARTS: usize = 1 << 20;
/// The size of all levels in the page, in bytes before base64 adds a third.
const MOST_BYTES: usize = 15 << 20;
/// A level is this many times as wide as the one below it, or a power.
const FACTOR: u64 = 4;
/// The width beyond which a level is not made coarser: 36 years.
const WIDEST: u64 = 1 << 60;
/// The coarsest level has at most this number of parts for each track.
const COARSEST: usize = 256;

/// What a part of a track was spent on.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Spent {
    /// One path.
    On(Path),
    /// Time by state.
    Mixed(Box<ByState>),
}

/// A part of a track.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Part {
    length: u64,
    /// The number of events that began.
    events: u64,
    spent: Spent,
}

/// The parts of a pthread's time at a level.
#[derive(Clone, Debug)]
struct Track {
    start: u64,
    end: u64,
    width: u64,
    parts: Vec<Part>,
    /// The cell whose short parts the last part combines.
    cell: Option<u64>,
}

impl Track {
    fn new(start: u64, width: u64) -> Track {
        Track {
            start,
            end: start,
            width,
            parts: Vec::new(),
            cell: None,
        }
    }

    /// Appends a part, or combines it with the last one.
    fn push(&mut self, part: Part, paths: &Paths) {
        let cell = self.end.checked_div(self.width);
        let cell = cell.filter(|_| part.length < self.width);
        self.end += part.length;
        match self.parts.last_mut() {
            Some(last) if cell.is_some() && cell == self.cell => last.combine(&part, paths),
            _ => self.parts.push(part),
        }
        self.cell = cell;
    }

    /// Returns the same track at a coarser level.
    fn coarser(&self, width: u64, paths: &Paths) -> Track {
        let mut track = Track::new(self.start, width);
        for part in &self.parts {
            track.push(part.clone(), paths);
        }
        track
    }

    /// Returns the parts as numbers. A part is `path * 4 + events` and its length, with the events as a number of their
    /// own if there are more than one (`path * 4 + 2`); or `states * 4 + 3`, a bit for each state, the events and the
    /// length for each state.
    fn numbers(&self) -> Numbers {
        let mut numbers = Numbers::default();
        for part in &self.parts {
            match &part.spent {
                Spent::On(path) => {
                    numbers.push(u64::from(*path) * 4 + part.events.min(2));
                    if part.events > 1 {
                        numbers.push(part.events);
                    }
                    numbers.push(part.length);
                }
                Spent::Mixed(times) => {
                    let present = (0..COUNT).filter(|&state| times[state] > 0);
                    let states = present.fold(0u64, |states, state| states | 1 << state);
                    numbers.push(states * 4 + 3);
                    numbers.push(part.events);
                    let times = times.iter().filter(|time| **time > 0);
                    times.for_each(|time| numbers.push(*time));
                }
            }
        }
        numbers
    }
}

impl Part {
    /// Adds the part that follows.
    fn combine(&mut self, next: &Part, paths: &Paths) {
        let same = matches!((&self.spent, &next.spent), (Spent::On(a), Spent::On(b)) if a == b);
        if !same {
            let mut times = self.times(paths);
            for (sum, more) in times.iter_mut().zip(next.times(paths)) {
                *sum += more;
            }
            self.spent = Spent::Mixed(Box::new(times));
        }
        self.length += next.length;
        self.events += next.events;
    }

    fn times(&self, paths: &Paths) -> ByState {
        match &self.spent {
            Spent::On(path) => {
                let mut times = [0; COUNT];
                times[paths.state(*path)] = self.length;
                times
            }
            Spent::Mixed(times) => **times,
        }
    }
}

/// A pthread while its events are read.
struct Lane {
    nest: Nest,
    /// The paths of the open events, outermost first.
    open: Vec<Path>,
    track: Track,
    /// The number of events that began since the last part.
    events: u64,
}

impl Lane {
    /// Appends the time up to a moment, in which nothing has changed.
    fn advance(&mut self, time: u64, paths: &Paths) {
        let length = time.saturating_sub(self.track.end);
        if length > 0 {
            self.part(length, paths);
        }
    }

    fn part(&mut self, length: u64, paths: &Paths) {
        let path = self.open.last().copied().unwrap_or(OUTSIDE);
        let part = Part {
            length,
            events: std::mem::take(&mut self.events),
            spent: Spent::On(path),
        };
        self.track.push(part, paths);
    }

    fn step(&mut self, step: Step, paths: &mut Paths) {
        match step {
            Step::Open(span) | Step::Resume(span) => {
                let outer = self.open.last().copied().unwrap_or(OUTSIDE);
                self.open.push(paths.extend(outer, span.kind, span.site));
                self.events += u64::from(matches!(step, Step::Open(_)));
            }
            Step::Close(_) | Step::Cut(_) | Step::Split(_) => {
                self.open.pop();
            }
            Step::Point(_) => self.events += 1,
            Step::Stray => {}
        }
    }
}

/// Makes the timeline of a recording from its events.
pub struct Lanes {
    lanes: BTreeMap<(u32, u32), Lane>,
    steps: Vec<Step>,
    width: u64,
    most_parts: usize,
    /// The number of events until the parts are counted again.
    patience: usize,
}

impl Default for Lanes {
    fn default() -> Lanes {
        Lanes::keeping(MOST_PARTS)
    }
}

impl Lanes {
    /// Returns lanes that keep at most about this number of parts in memory.
    fn keeping(most_parts: usize) -> Lanes {
        Lanes {
            lanes: BTreeMap::new(),
            steps: Vec::new(),
            width: 0,
            most_parts,
            patience: most_parts / 4,
        }
    }

    /// Takes the next event of any thread.
    pub fn event(&mut self, of: &dyn Recording, event: &Event, paths: &mut Paths) {
        let width = self.width;
        let lane = self
            .lanes
            .entry((event.thread, event.pthread))
            .or_insert_with(|| lane(of.threads().get(event.thread as usize), event, width));
        // Transfers in the background are not what the thread does.
        if of.tables().kind(event.kind).nested {
            lane.nest.take(of.tables(), event, &mut self.steps);
            lane.advance(lane.nest.now(), paths);
            for step in self.steps.drain(..) {
                lane.step(step, paths);
            }
        }
        self.patience = self.patience.saturating_sub(1);
        if self.patience == 0 {
            self.limit(paths);
        }
    }

    /// Makes all tracks coarser if they have too many parts.
    fn limit(&mut self, paths: &Paths) {
        let parts = |lanes: &BTreeMap<_, Lane>| -> usize {
            lanes.values().map(|lane| lane.track.parts.len()).sum()
        };
        let mut now = parts(&self.lanes);
        let most = match now > self.most_parts {
            true => self.most_parts / 2,
            false => now,
        };
        while now > most && self.width < WIDEST {
            self.width = (self.width * FACTOR).max(FACTOR);
            for lane in self.lanes.values_mut() {
                lane.track = lane.track.coarser(self.width, paths);
            }
            now = parts(&self.lanes);
        }
        self.patience = self.most_parts / 4;
    }

    /// Ends all threads, and returns the timeline.
    pub fn finish(mut self, of: &dyn Recording, paths: &mut Paths) -> Timeline {
        for ((thread, _), lane) in &mut self.lanes {
            let time = of.threads().get(*thread as usize);
            let time = time.map_or(0, |thread| thread.end_of_trace(lane.nest.now()));
            lane.advance(time, paths);
            // Events that begin when the thread ends have no time, but are counted.
            if lane.events > 0 {
                lane.part(0, paths);
            }
        }
        let tracks = self.lanes.into_iter();
        let tracks: Vec<_> = tracks.map(|(name, lane)| (name, lane.track)).collect();
        Timeline::new(tracks, self.width, paths, MOST_BYTES)
    }
}

fn lane(thread: Option<&Thread>, event: &Event, width: u64) -> Lane {
    let start = match (event.pthread, thread) {
        (0, Some(thread)) => thread.first.min(event.time),
        _ => event.time,
    };
    Lane {
        nest: Nest::default(),
        open: Vec::new(),
        track: Track::new(start, width),
        events: 0,
    }
}

/// A row of the timeline.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// The UPC thread.
    pub thread: u32,
    /// The pthread; 0: the first.
    pub pthread: u32,
    /// The time when it begins.
    pub start: u64,
    /// Its parts at each level.
    pub levels: Vec<Numbers>,
}

/// The timeline as data of the page.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Timeline {
    /// The width of each level in nanoseconds, the finest first; 0: exact.
    pub widths: Vec<u64>,
    /// The rows by thread and pthread.
    pub rows: Vec<Row>,
}

impl Timeline {
    /// Makes levels of tracks, whose width is `width`, and which the page may use this number of bytes for.
    fn new(
        mut tracks: Vec<((u32, u32), Track)>,
        width: u64,
        paths: &Paths,
        most: usize,
    ) -> Timeline {
        let mut width = width;
        loop {
            let timeline = Timeline::levels(&tracks, width, paths);
            let rows = timeline.rows.iter().flat_map(|row| &row.levels);
            if rows.map(Numbers::bytes).sum::<usize>() <= most || width >= WIDEST {
                return timeline;
            }
            width = coarser(&mut tracks, width, paths);
        }
    }

    fn levels(tracks: &[((u32, u32), Track)], width: u64, paths: &Paths) -> Timeline {
        let rows = tracks.iter().map(|((thread, pthread), track)| Row {
            thread: *thread,
            pthread: *pthread,
            start: track.start,
            levels: vec![track.numbers()],
        });
        let mut timeline = Timeline {
            widths: vec![width],
            rows: rows.collect(),
        };
        let (mut tracks, mut width) = (tracks.to_vec(), width);
        while count(&tracks) > COARSEST * tracks.len() {
            width = coarser(&mut tracks, width, paths);
            timeline.widths.push(width);
            for (row, (_, track)) in timeline.rows.iter_mut().zip(&tracks) {
                row.levels.push(track.numbers());
            }
        }
        timeline
    }
}

fn count(tracks: &[((u32, u32), Track)]) -> usize {
    tracks.iter().map(|(_, track)| track.parts.len()).sum()
}

/// Makes tracks coarser until they have less than half as many parts, or one each. Returns the new width.
fn coarser(tracks: &mut [((u32, u32), Track)], width: u64, paths: &Paths) -> u64 {
    let before = count(tracks);
    let mut width = width;
    loop {
        width = (width * FACTOR).max(FACTOR);
        for (_, track) in tracks.iter_mut() {
            *track = track.coarser(width, paths);
        }
        if count(tracks) * 2 <= before || width >= WIDEST {
            return width;
        }
    }
}

#[cfg(test)]
#[path = "timeline_tests.rs"]
mod tests;
