//! Arrows of the timeline: from a thread at a moment to another thread at a moment.
//!
//! | arrow | from | to |
//! |---|---|---|
//! | transfer | the memory that is read, or the thread that writes | the thread that reads, or the memory that is written |
//! | lock | the thread that releases a lock | the thread that waited for it |
//! | post | the thread that posts the last unit that another one waits for | the thread that waited |
//! | late | the last thread to arrive at a barrier | each thread that waited for it |
//!
//! A long run has too many arrows to draw or to keep. The run is divided into cells of time, and if there are too many
//! arrows, those with the longest waits or transfers in each cell are kept. So there are arrows to see at any zoom.

use crate::prof::analyze::semaphores::{self, Units};
use crate::prof::export::perfetto::barriers::{Barriers, Step};
use crate::prof::model::{
    Direction, Event, Group, Kind as EventKind, Phase, Recording, Shared, SiteId, Tables, Traffic,
};
use crate::prof::pairs::{Found, Seen};
use crate::prof::roles::{self, Role, Roles};
use hashbrown::HashMap;
use serde::{Serialize, Serializer};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The number of cells of time.
const CELLS: u64 = 512;
/// The number of arrows that are kept.
const MOST: usize = 24_000;

/// Why an arrow leads from one thread to another; the index in [`KINDS`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Kind {
    Transfer,
    Lock,
    Late,
    Post,
}

/// What arrows of each kind are called, in the order of [`Kind`].
pub const KINDS: [&str; 4] = [
    "transfer",
    "lock handover",
    "late arrival",
    "semaphore post",
];

/// An arrow; arrows with a longer wait are greater.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Arrow {
    /// The wait or the transfer in nanoseconds.
    time: u64,
    from: (u64, u32),
    to: (u64, u32),
    kind: Kind,
    site: SiteId,
    bytes: u64,
}

/// An arrow as data of the page.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Row {
    /// The index in [`KINDS`].
    pub kind: usize,
    /// The thread and the time of its beginning.
    pub from: (u32, u64),
    /// The thread and the time of its end.
    pub to: (u32, u64),
    /// The wait or the transfer in nanoseconds.
    pub time: u64,
    /// Bytes.
    pub bytes: u64,
    /// The index of its file in the page, and its line.
    pub place: Option<(u32, u32)>,
}

impl Serialize for Row {
    /// Writes a list of numbers, because there may be many arrows.
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let (from, until) = (self.from, self.to);
        (
            self.kind, from.0, from.1, until.0, until.1, self.time, self.bytes, self.place,
        )
            .serialize(to)
    }
}

/// The arrows as data of the page.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Data {
    /// What they are called.
    pub kinds: Vec<&'static str>,
    /// The arrows, those with the longest time first.
    pub rows: Vec<Row>,
    /// The number of arrows that are left out.
    pub left_out: u64,
}

/// A lock that was released or a semaphore that was posted, and by whom.
#[derive(Clone, Copy)]
struct Released {
    thread: u32,
    time: u64,
}

/// Collects arrows from events and from what [`crate::prof::pairs::Pairs`] finds.
pub struct Arrows {
    roles: Roles,
    first: u64,
    /// Nanoseconds of a cell.
    cell: u64,
    threads: u32,
    cells: Vec<BinaryHeap<Reverse<Arrow>>>,
    /// The number of arrows that a cell may keep, and the number that all cells have.
    room: usize,
    kept: usize,
    left_out: u64,
    barriers: Barriers,
    /// The arrivals at the barrier that threads arrive at: time, thread, place.
    arrivals: Vec<(u64, u32, SiteId)>,
    released: HashMap<Shared, Released>,
    /// By thread: when it began to wait for a lock.
    asked: HashMap<u32, u64>,
    semaphores: HashMap<(u32, u64), Units<Released>>,
    /// By thread: when it began to wait for a semaphore.
    awaits: HashMap<u32, u64>,
}

impl Arrows {
    /// Returns the collector of a recording.
    pub fn new(of: &dyn Recording) -> Arrows {
        let threads = of.threads();
        let first = threads.iter().map(|thread| thread.first).min().unwrap_or(0);
        let last = threads.iter().map(|thread| thread.last).max().unwrap_or(0);
        Arrows {
            roles: Roles::new(of.tables()),
            first,
            cell: (last.saturating_sub(first) / CELLS).max(1),
            threads: threads.len() as u32,
            cells: (0..CELLS).map(|_| BinaryHeap::new()).collect(),
            room: MOST,
            kept: 0,
            left_out: 0,
            barriers: Barriers::new(threads.len()),
            arrivals: Vec::new(),
            released: HashMap::new(),
            asked: HashMap::new(),
            semaphores: HashMap::new(),
            awaits: HashMap::new(),
        }
    }

    fn add(&mut self, arrow: Arrow) {
        let is_known = |(_, thread): (u64, u32)| thread < self.threads;
        let is_between = arrow.from.1 != arrow.to.1;
        if !is_between || !is_known(arrow.from) || !is_known(arrow.to) {
            return;
        }
        let cell = arrow.to.0.saturating_sub(self.first) / self.cell;
        let cell = &mut self.cells[cell.min(CELLS - 1) as usize];
        cell.push(Reverse(arrow));
        self.kept += 1;
        if cell.len() > self.room {
            cell.pop();
            self.leave_out(1);
        }
        // The room shrinks by a quarter each time, so this happens seldom.
        while self.kept > MOST {
            self.room = self.room * 3 / 4;
            for at in 0..self.cells.len() {
                let more = self.cells[at].len().saturating_sub(self.room);
                for _ in 0..more {
                    self.cells[at].pop();
                }
                self.leave_out(more);
            }
        }
    }

    fn leave_out(&mut self, arrows: usize) {
        self.kept -= arrows;
        self.left_out += arrows as u64;
    }

    /// Takes the next event of all threads.
    pub fn event(&mut self, tables: &Tables, event: &Event) {
        let role = self.roles.of(event.kind);
        let kind = tables.kind(event.kind);
        if matches!(kind.group, Group::Semaphore | Group::Post) {
            return self.semaphore(kind, event);
        }
        // Other pthreads of a thread neither pass barriers nor hold locks.
        if role == Role::Plain || event.pthread != 0 {
            return;
        }
        match (role, event.phase) {
            (Role::Arrive | Role::Barrier, Phase::Start) => self.arrive(event),
            (Role::Leave | Role::Barrier, Phase::End) => {
                self.barriers.leave(event.thread);
            }
            (Role::Acquire, Phase::Start) => {
                self.asked.insert(event.thread, event.time);
            }
            (Role::Acquire, Phase::End) if roles::succeeded(kind, event) => {
                self.acquire(roles::lock(kind, event), event);
            }
            (Role::Release, Phase::Start | Phase::Atomic) => {
                if let Some(lock) = roles::lock(kind, event) {
                    let (thread, time) = (event.thread, event.time);
                    self.released.insert(lock, Released { thread, time });
                }
            }
            _ => {}
        }
    }

    fn arrive(&mut self, event: &Event) {
        let me = (event.time, event.thread, event.site);
        match self.barriers.arrive(event.thread) {
            Step::First(_) => self.arrivals = vec![me],
            Step::Nothing => self.arrivals.push(me),
            Step::Last { .. } => {
                for (since, thread, site) in std::mem::take(&mut self.arrivals) {
                    self.add(Arrow {
                        time: event.time.saturating_sub(since),
                        from: (event.time, event.thread),
                        to: (event.time, thread),
                        kind: Kind::Late,
                        site,
                        bytes: 0,
                    });
                }
            }
            Step::Lost => self.arrivals.clear(),
        }
    }

    /// Semaphores are a thread's, whichever of its pthreads posts or waits.
    fn semaphore(&mut self, kind: &EventKind, event: &Event) {
        let Some(sem) = semaphores::of(kind, event) else {
            return;
        };
        let of = self.semaphores.entry(sem).or_default();
        let units = semaphores::units(kind, event);
        match (kind.name.as_str(), event.phase) {
            ("UPCC_SEM_ALLOC", Phase::End) => *of = Units::of(kind, event),
            ("UPCC_SEM_POST", Phase::Start) => {
                let (thread, time) = (event.thread, event.time);
                of.post(units, Released { thread, time });
            }
            ("UPCC_SEM_TRY", Phase::End) if roles::succeeded(kind, event) => {
                of.take(units, |post| *post);
            }
            ("UPCC_SEM_WAIT", Phase::Start) => {
                self.awaits.insert(event.thread, event.time);
            }
            ("UPCC_SEM_WAIT", Phase::End) => {
                let (last, _) = of.take(units, |post| *post);
                let since = self.awaits.remove(&event.thread).unwrap_or(event.time);
                // Nobody waited for a post that was there already.
                let late = last.filter(|post| post.time >= since);
                late.into_iter()
                    .for_each(|post| self.handed(Kind::Post, post, since, event));
            }
            _ => {}
        }
    }

    fn acquire(&mut self, lock: Option<Shared>, event: &Event) {
        let since = self.asked.remove(&event.thread).unwrap_or(event.time);
        let Some(released) = lock.and_then(|lock| self.released.remove(&lock)) else {
            return;
        };
        // Nobody waited for a lock that was free already.
        if released.time >= since {
            self.handed(Kind::Lock, released, since, event);
        }
    }

    /// A thread has what it waited for since that time.
    fn handed(&mut self, kind: Kind, released: Released, since: u64, event: &Event) {
        self.add(Arrow {
            time: event.time.saturating_sub(since),
            from: (released.time, released.thread),
            to: (event.time, event.thread),
            kind,
            site: event.site,
            bytes: 0,
        });
    }

    /// Takes a span or an operation that has ended.
    pub fn found(&mut self, tables: &Tables, found: &Found) {
        match found {
            Found::Span(span) if span.seen == Seen::Pair => {
                let Some(traffic) = span.traffic else { return };
                self.transfer(
                    traffic,
                    (span.thread, span.site, span.bytes),
                    (span.start, span.end),
                );
            }
            Found::Operation(operation) => {
                let Some((traffic, end)) = operation.traffic.zip(operation.end) else {
                    return;
                };
                // An initiation is a span of its own; what the runtime says of moving data is the same transfer.
                if tables.kind(operation.kind).group != Group::NonBlocking {
                    let me = (operation.thread, operation.site, operation.bytes);
                    self.transfer(traffic, me, (operation.start, end));
                }
            }
            Found::Span(_) => {}
        }
    }

    fn transfer(
        &mut self,
        traffic: Traffic,
        (me, site, bytes): (u32, SiteId, u64),
        (start, end): (u64, u64),
    ) {
        let place = traffic.place.thread;
        let (from, to) = match (traffic.direction, traffic.from) {
            (Direction::Get, _) => (place, me),
            (Direction::Put, _) | (Direction::Copy, None) => (me, place),
            (Direction::Copy, Some(from)) => (from.thread, place),
        };
        self.add(Arrow {
            time: end.saturating_sub(start),
            from: (start, from),
            to: (end, to),
            kind: Kind::Transfer,
            site,
            bytes,
        });
    }

    /// Returns the arrows.
    pub fn finish(self, tables: &Tables, paths: &mut super::paths::Paths) -> Data {
        let arrows = self.cells.into_iter().flatten();
        let mut arrows: Vec<Arrow> = arrows.map(|Reverse(arrow)| arrow).collect();
        arrows.sort_unstable_by(|a, b| b.cmp(a));
        let row = |arrow: &Arrow| {
            let place = tables.site(arrow.site).filter(|site| site.line > 0);
            Row {
                kind: arrow.kind as usize,
                from: (arrow.from.1, arrow.from.0),
                to: (arrow.to.1, arrow.to.0),
                time: arrow.time,
                bytes: arrow.bytes,
                place: place.map(|site| (paths.file(site.file), site.line)),
            }
        };
        Data {
            kinds: KINDS.to_vec(),
            rows: arrows.iter().map(row).collect(),
            left_out: self.left_out,
        }
    }
}
