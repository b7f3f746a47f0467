//! Flags: shared objects that a thread reads strictly, again and again, until another thread writes them strictly.

use super::super::super::model::{Arg, Direction, Event, Kind, KindId, Phase, SiteId};
use super::Point;
use hashbrown::HashMap;

/// The number of reads in a row that are waiting.
const AGAIN: u32 = 2;

/// Thread and address of a shared object.
type Place = (u32, u64);

/// A thread's reads of a flag.
pub(super) struct Read {
    place: Place,
    times: u32,
    pub(super) kind: KindId,
    pub(super) site: SiteId,
    /// The length of the thread's path at the first read, and its time.
    pub(super) length: u64,
    at: u64,
}

/// The flags of the run.
#[derive(Default)]
pub(super) struct Flags {
    /// By thread: what it read last, if it has done nothing else since then.
    reading: HashMap<u32, Read>,
    /// The last write of each flag, if another thread was reading it.
    set: HashMap<Place, Point>,
}

/// Returns the object of a single strict access.
fn strict(kind: &Kind, event: &Event, direction: Direction) -> Option<Place> {
    let is_single = matches!(kind.name.as_str(), "UPC_GET" | "UPC_PUT");
    let is_strict = is_single && matches!(event.args.first(), Some(Arg::Int(0)));
    let traffic = event
        .traffic
        .filter(|it| is_strict && it.direction == direction)?;
    Some((traffic.place.thread, traffic.place.addr))
}

impl Flags {
    /// Takes the start of an event of a thread whose path has this length. Returns the reads that it ends, if they were
    /// waiting.
    pub(super) fn start(&mut self, kind: &Kind, event: &Event, length: u64) -> Option<Read> {
        debug_assert_eq!(event.phase, Phase::Start);
        let Some(place) = strict(kind, event, Direction::Get) else {
            let ends = !self.reading.is_empty() && kind.group.facts().goes_on;
            let read = ends.then(|| self.reading.remove(&event.thread)).flatten();
            return read.filter(|read| read.times >= AGAIN);
        };
        if let Some(read) = self.reading.get_mut(&event.thread)
            && read.place == place
        {
            read.times += 1;
            return None;
        }
        let read = Read {
            place,
            times: 1,
            kind: event.kind,
            site: event.site,
            length,
            at: event.time,
        };
        let before = self.reading.insert(event.thread, read);
        before.filter(|read| read.times >= AGAIN)
    }

    /// Returns where the thread was that has written what another one has read again and again.
    pub(super) fn set(&self, read: &Read) -> Option<&Point> {
        let point = self.set.get(&read.place)?;
        (point.at >= read.at).then_some(point)
    }

    /// True if an event writes what another thread is reading.
    pub(super) fn sets(&self, kind: &Kind, event: &Event) -> bool {
        if self.reading.is_empty() {
            return false;
        }
        strict(kind, event, Direction::Put).is_some_and(|place| {
            let mut others = self
                .reading
                .iter()
                .filter(|(thread, _)| **thread != event.thread);
            others.any(|(_, read)| read.place == place)
        })
    }

    /// Keeps where the thread is that writes a flag. Returns what was kept before.
    pub(super) fn keep(&mut self, event: &Event, point: Point) -> Option<Point> {
        let place = event.traffic?.place;
        self.set.insert((place.thread, place.addr), point)
    }
}
