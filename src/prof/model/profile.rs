//! Counts and times by call path.

use super::{KindId, ObjectId, PathId, Phase, SiteId};

/// A step of a call path: a kind of event at a place.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Frame {
    /// The path that this frame extends.
    pub parent: PathId,
    /// The kind of event.
    pub kind: KindId,
    /// The place.
    pub site: SiteId,
}

/// The key of a profile's cell.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Key {
    /// The thread.
    pub thread: u32,
    /// The call path, whose last frame is the event itself.
    pub path: PathId,
    /// The peer thread, if there is one.
    pub peer: Option<u32>,
    /// The static shared object, if it was recorded.
    pub object: Option<ObjectId>,
}

/// The counts and times of a cell.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cell {
    /// The number of events: pairs of start and end, or atomic events. Exact, also for sampled places.
    pub count: u64,
    /// The number of these events that are not in the trace that the times come from, because a limit left them out;
    /// they have no time.
    pub missed: u64,
    /// The number of events that the times cover.
    pub timed: u64,
    /// The total nanoseconds from start to end.
    pub total: u64,
    /// The same, excluding the time in events inside.
    pub own: u64,
    /// The shortest time in nanoseconds; `u64::MAX` if nothing was timed.
    pub min: u64,
    /// The longest time in nanoseconds.
    pub max: u64,
    /// Bytes moved.
    pub bytes: u64,
    /// The smallest number of bytes of an event; `u64::MAX` if nothing was moved.
    pub min_bytes: u64,
    /// The largest number of bytes of an event.
    pub max_bytes: u64,
    /// The address of the first access in the peer's memory, as `upc_addrfield` returns it, if it was recorded.
    pub first: Option<u64>,
    /// For each hardware counter: its increment from start to end, and the same excluding events inside.
    pub counters: Vec<(u64, u64)>,
    /// The data on events that were not timed.
    pub samples: Samples,
}

/// A profile's data on the events of a hot place that were counted but not timed.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Samples {
    /// The events that were timed as samples of others, by classes of similar length: their number, and their
    /// nanoseconds excluding events inside.
    pub classes: Vec<(u64, u64)>,
    /// The number of events counted during `passed`.
    pub counted: u64,
    /// The nanoseconds in which they were counted: an upper bound of their total time.
    pub passed: u64,
}

impl Samples {
    /// Adds another cell's samples.
    pub fn add(&mut self, other: &Samples) {
        let size = |&(count, time): &(u64, u64)| u64::BITS - (time / count.max(1)).leading_zeros();
        for class in &other.classes {
            let same = self.classes.iter_mut().find(|of| size(of) == size(class));
            match same {
                Some(of) => *of = (of.0.saturating_add(class.0), of.1.saturating_add(class.1)),
                None => self.classes.push(*class),
            }
        }
        self.counted = self.counted.saturating_add(other.counted);
        self.passed = self.passed.saturating_add(other.passed);
    }

    /// Returns the number of events that were timed as samples of others.
    pub fn number(&self) -> u64 {
        let counts = self.classes.iter().map(|(count, _)| *count);
        counts.fold(0, u64::saturating_add)
    }

    /// Returns an upper bound of the average time of a counted event.
    pub fn most(&self) -> Option<f64> {
        (self.counted > 0).then(|| self.passed as f64 / self.counted as f64)
    }
}

impl Default for Cell {
    fn default() -> Cell {
        Cell {
            count: 0,
            missed: 0,
            timed: 0,
            total: 0,
            own: 0,
            min: u64::MAX,
            max: 0,
            bytes: 0,
            min_bytes: u64::MAX,
            max_bytes: 0,
            first: None,
            counters: Vec::new(),
            samples: Samples::default(),
        }
    }
}

impl Cell {
    /// Adds another cell's counts.
    pub fn add(&mut self, other: &Cell) {
        self.count = self.count.saturating_add(other.count);
        self.missed = self.missed.saturating_add(other.missed);
        self.timed = self.timed.saturating_add(other.timed);
        self.total = self.total.saturating_add(other.total);
        self.own = self.own.saturating_add(other.own);
        self.min = self.min.min(other.min);
        self.max = self.max.max(other.max);
        self.bytes = self.bytes.saturating_add(other.bytes);
        self.min_bytes = self.min_bytes.min(other.min_bytes);
        self.max_bytes = self.max_bytes.max(other.max_bytes);
        self.first = self.first.or(other.first);
        let length = self.counters.len().max(other.counters.len());
        self.counters.resize(length, (0, 0));
        for (sum, more) in self.counters.iter_mut().zip(&other.counters) {
            sum.0 = sum.0.saturating_add(more.0);
            sum.1 = sum.1.saturating_add(more.1);
        }
        self.samples.add(&other.samples);
    }
}

/// Counts and times, from the file's profile blocks or computed from its events.
#[derive(Clone, Debug)]
pub struct Profile {
    /// Call paths; the first is the root. A path comes after its parent.
    pub paths: Vec<Frame>,
    /// Cells, each key once. A recursive function has a cell at each depth, so sums of `total` over paths include only
    /// the outermost.
    pub cells: Vec<(Key, Cell)>,
}

/// How often a place raised an event, including the events that limits kept out of the trace.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Count {
    /// The thread.
    pub thread: u32,
    /// The kind of event.
    pub kind: KindId,
    /// The phase: start, end or atomic. Ends have a count of their own only if they have arguments of their own.
    pub phase: Phase,
    /// The place.
    pub site: SiteId,
    /// How often it was raised.
    pub raised: u64,
    /// The number of its events in the trace.
    pub recorded: u64,
}

impl Profile {
    /// Returns the frame of a path; `None` for the root.
    pub fn frame(&self, path: PathId) -> Option<&Frame> {
        (path != PathId::ROOT)
            .then(|| self.paths.get(path.0 as usize))
            .flatten()
    }

    /// Returns the frames of a path from the outermost to the event itself.
    pub fn frames(&self, path: PathId) -> Vec<Frame> {
        let mut frames = Vec::new();
        let mut at = path;
        while let Some(frame) = self.frame(at) {
            frames.push(*frame);
            at = frame.parent;
        }
        frames.reverse();
        frames
    }
}
