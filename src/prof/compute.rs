//! Computes a profile from the events of a recording.

use super::model::{
    Cell, Frame, Key, KindId, PathId, Phase, Profile, Recording, Samples, SiteId, Thread, dropped,
};
use super::pairs::{Found, Pairs, Seen, Span};
use hashbrown::HashMap;

/// Computes the profile. It counts all events, including those that a limit kept out of the trace if the file has their
/// number. Times are of the events in the trace.
pub fn profile(of: &dyn Recording) -> Profile {
    let tables = of.tables();
    let mut pairs = Pairs::new(tables);
    let mut cells: HashMap<Key, Traced> = HashMap::new();
    for thread in of.threads() {
        let mut count = |found: Found| {
            let Found::Span(span) = found else { return };
            let object = span
                .traffic
                .and_then(|traffic| tables.object_at(traffic.place));
            let key = Key {
                thread: span.thread,
                path: span.path,
                peer: span.peer,
                object,
            };
            let traced = cells.entry(key).or_default();
            traced.cell.add(&cell(&span, thread));
            traced.events += 1;
        };
        let mut events = of.events(thread.id);
        while let Some(event) = events.next() {
            pairs.feed(event, &mut count);
        }
        pairs.finish(thread, &mut count);
    }
    let mut cells: Vec<(Key, Traced)> = cells.into_iter().collect();
    cells.sort_by_key(|(key, _)| *key);
    let mut paths = pairs.into_paths();
    count_exactly(of, &mut paths, &mut cells);
    cells.sort_by_key(|(key, _)| *key);
    let cells = cells.into_iter().map(|(key, traced)| (key, traced.cell));
    Profile {
        paths,
        cells: cells.collect(),
    }
}

/// A cell, and how many of its events are in the trace. It also counts the events that these stand for.
#[derive(Default)]
struct Traced {
    cell: Cell,
    events: u64,
}

impl Traced {
    /// Returns the number of events that are not in the trace.
    fn others(&self) -> u64 {
        self.cell.count.saturating_sub(self.events)
    }
}

/// Returns what one span counts. Times exclude the cost of recording the span.
fn cell(span: &Span, thread: &Thread) -> Cell {
    let timed = span.seen != Seen::Atomic;
    let without = |time: u64| time.saturating_sub(thread.pair_cost);
    let time = without(span.end - span.start);
    let moves = span.bytes > 0;
    let own = without(span.own);
    // The times of the events that this one stands for are estimated from it.
    let classes = if timed && span.weight > 1 {
        vec![(1, own)]
    } else {
        Vec::new()
    };
    Cell {
        count: span.weight,
        missed: 0,
        timed: u64::from(timed),
        total: time,
        own,
        min: if timed { time } else { u64::MAX },
        max: time,
        bytes: span.bytes.saturating_mul(span.weight),
        min_bytes: if moves { span.bytes } else { u64::MAX },
        max_bytes: span.bytes,
        first: span.traffic.map(|traffic| traffic.place.addr),
        counters: span.counters.clone(),
        samples: Samples {
            classes,
            ..Samples::default()
        },
    }
}

/// Adjusts the cells of each place to the number of events that were raised there.
fn count_exactly(of: &dyn Recording, paths: &mut Vec<Frame>, cells: &mut Vec<(Key, Traced)>) {
    let mut places: HashMap<(u32, KindId, SiteId), Vec<usize>> = HashMap::new();
    for (at, (key, _)) in cells.iter().enumerate() {
        if key.path != PathId::ROOT {
            let frame = paths[key.path.0 as usize];
            let place = (key.thread, frame.kind, frame.site);
            places.entry(place).or_default().push(at);
        }
    }
    let starts = of
        .counts()
        .iter()
        .filter(|count| count.phase != Phase::End && count.raised > 0)
        // Transfers continue in the background and are not part of the thread's time.
        .filter(|count| of.tables().kind(count.kind).nested);
    for count in starts {
        let thread = of.threads().get(count.thread as usize);
        let place = (count.thread, count.kind, count.site);
        match places.get(&place) {
            Some(at) => bring_to(cells, at, count.raised, thread.is_none_or(is_limited)),
            None => unseen(paths, cells, place, count.raised),
        }
    }
}

/// Returns whether events are missing that no other event stands for.
fn is_limited(thread: &Thread) -> bool {
    thread.dropped(dropped::RATE) > 0 || thread.dropped(dropped::SIZE) > 0
}

/// Returns `of * number / whole`.
fn share(of: u64, number: u64, whole: u64) -> u64 {
    let share = u128::from(of) * u128::from(number) / u128::from(whole.max(1));
    u64::try_from(share).unwrap_or(u64::MAX)
}

fn sum(numbers: impl Iterator<Item = u64>) -> u64 {
    numbers.fold(0, u64::saturating_add)
}

/// Adjusts these cells so that they count `raised` events in total.
fn bring_to(cells: &mut [(Key, Traced)], at: &[usize], raised: u64, is_limited: bool) {
    let all = |number: fn(&Traced) -> u64| sum(at.iter().map(|&at| number(&cells[at].1)));
    let (traced, others) = (all(|of| of.events), all(Traced::others));
    let counted = all(|of| of.cell.count);
    if others > 0 && traced <= raised && (!is_limited || counted > raised) {
        weigh(cells, at, raised - traced, others);
    } else if counted < raised {
        spread(cells, at, raised, counted);
    }
}

/// Distributes `left` events that are not in the trace to the cells, in proportion to the number of events that the
/// recorded ones stand for on average.
fn weigh(cells: &mut [(Key, Traced)], at: &[usize], mut left: u64, mut others: u64) {
    for &at in at {
        let of = &mut cells[at].1;
        let mine = of.others();
        let part = share(left, mine, others);
        left -= part;
        others -= mine;
        let count = of.events + part;
        of.cell.bytes = share(of.cell.bytes, count, of.cell.count);
        of.cell.count = count;
    }
}

/// Distributes `raised` events, some of which a limit kept out, to these cells in the proportions of the trace.
fn spread(cells: &mut [(Key, Traced)], at: &[usize], raised: u64, counted: u64) {
    let mut left = raised;
    for (number, &of) in at.iter().enumerate() {
        let cell = &mut cells[of].1.cell;
        let count = match number + 1 == at.len() {
            true => left,
            false => share(raised, cell.count, counted).min(left),
        };
        left -= count;
        cell.bytes = share(cell.bytes, raised, counted);
        cell.missed = count.saturating_sub(cell.count);
        cell.count = count;
    }
}

/// Adds a place without any event in the trace; the path around it is unknown.
fn unseen(
    paths: &mut Vec<Frame>,
    cells: &mut Vec<(Key, Traced)>,
    (thread, kind, site): (u32, KindId, SiteId),
    raised: u64,
) {
    let frame = Frame {
        parent: PathId::ROOT,
        kind,
        site,
    };
    let path = paths.iter().skip(1).position(|of| *of == frame);
    let path = path.map_or_else(
        || {
            paths.push(frame);
            PathId(paths.len() as u32 - 1)
        },
        |at| PathId(at as u32 + 1),
    );
    let key = Key {
        thread,
        path,
        peer: None,
        object: None,
    };
    let cell = Cell {
        count: raised,
        missed: raised,
        ..Cell::default()
    };
    cells.push((key, Traced { cell, events: 0 }));
}
