//! Counts and times by call path.

use super::{KindId, ObjectId, PathId, Phase, SiteId};

/// A step of a call path: a kind of event at a place.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Frame {
    /// The path that it continues.
    pub parent: PathId,
    /// What.
    pub kind: KindId,
    /// Where.
    pub site: SiteId,
}

/// What one cell of a profile counts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Key {
    /// Whose.
    pub thread: u32,
    /// The call path, whose last frame is the event itself.
    pub path: PathId,
    /// The other thread, if one takes part.
    pub peer: Option<u32>,
    /// The static shared object, where the recording tells.
    pub object: Option<ObjectId>,
}

/// What was counted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cell {
    /// Events: pairs of start and end, or atomic ones. Exact, whether they were sampled or not.
    pub count: u64,
    /// How many of them are not in the trace that the times are of, because a limit left them out: no time is theirs.
    pub missed: u64,
    /// How many of them the times are of.
    pub timed: u64,
    /// Nanoseconds from start to end, in sum.
    pub total: u64,
    /// The same without what was spent in events inside.
    pub own: u64,
    /// Shortest, nanoseconds; `u64::MAX` if nothing was timed.
    pub min: u64,
    /// Longest, nanoseconds.
    pub max: u64,
    /// Bytes moved.
    pub bytes: u64,
    /// Fewest bytes of one event; `u64::MAX` if nothing was moved.
    pub min_bytes: u64,
    /// Most bytes of one event.
    pub max_bytes: u64,
    /// Of each hardware counter: what it counted from start to end, and without events inside.
    pub counters: Vec<(u64, u64)>,
    /// What is known of the events that were not timed.
    pub samples: Samples,
}

/// What a profile knows of the events of a hot place that were counted and not timed.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Samples {
    /// Those that were timed in place of others, by classes of about the same length: how many, and nanoseconds without events inside.
    pub classes: Vec<(u64, u64)>,
    /// So many were counted
    pub counted: u64,
    /// in so many nanoseconds: they took no longer.
    pub passed: u64,
}

impl Samples {
    /// Takes in what another cell knows.
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

    /// Events that were timed in place of others.
    pub fn number(&self) -> u64 {
        let counts = self.classes.iter().map(|(count, _)| *count);
        counts.fold(0, u64::saturating_add)
    }

    /// What each of those that were counted took at most, on average.
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
            counters: Vec::new(),
            samples: Samples::default(),
        }
    }
}

impl Cell {
    /// Takes in what another cell counted.
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
    /// Call paths; the first is the root. A path stands behind its parent.
    pub paths: Vec<Frame>,
    /// Cells, each key once. A recursive function has one at each depth, so sums of `total` over paths take the outermost alone.
    pub cells: Vec<(Key, Cell)>,
}

/// How often a place raised an event, whatever limits kept out of the trace.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Count {
    /// Whose.
    pub thread: u32,
    /// What.
    pub kind: KindId,
    /// Start, end or atomic. Ends have a count of their own only where they have arguments of their own.
    pub phase: Phase,
    /// Where.
    pub site: SiteId,
    /// How often it was raised.
    pub raised: u64,
    /// How often it is in the trace.
    pub recorded: u64,
}

impl Profile {
    /// The frame of a path; none for the root.
    pub fn frame(&self, path: PathId) -> Option<&Frame> {
        (path != PathId::ROOT)
            .then(|| self.paths.get(path.0 as usize))
            .flatten()
    }

    /// Frames of a path from the outermost to the event itself.
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
