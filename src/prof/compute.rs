//! A profile computed from the events of a recording.

use super::model::{
    Cell, Frame, Key, KindId, PathId, Phase, Profile, Recording, Samples, SiteId, Thread,
};
use super::pairs::{Found, Pairs, Seen, Span};
use hashbrown::HashMap;

/// Counts all events, also those that a limit kept out of the trace where the file has their number. Times are of those that are in it.
pub fn profile(of: &dyn Recording) -> Profile {
    let tables = of.tables();
    let mut pairs = Pairs::new(tables);
    let mut cells: HashMap<Key, Cell> = HashMap::new();
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
            cells.entry(key).or_default().add(&cell(&span, thread));
        };
        let mut events = of.events(thread.id);
        while let Some(event) = events.next() {
            pairs.feed(event, &mut count);
        }
        pairs.finish(thread, &mut count);
    }
    let mut cells: Vec<(Key, Cell)> = cells.into_iter().collect();
    cells.sort_by_key(|(key, _)| *key);
    let mut profile = Profile {
        paths: pairs.into_paths(),
        cells,
    };
    count_exactly(of, &mut profile);
    profile
}

/// What one span counts. Times are without what recording it took.
fn cell(span: &Span, thread: &Thread) -> Cell {
    let timed = span.seen != Seen::Atomic;
    let without = |time: u64| time.saturating_sub(thread.pair_cost);
    let time = without(span.end - span.start);
    let moves = span.bytes > 0;
    let own = without(span.own);
    // Those that others stand for are estimated by these.
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
        counters: span.counters.clone(),
        samples: Samples {
            classes,
            ..Samples::default()
        },
    }
}

/// Brings the cells of each place to as many events as were raised there.
fn count_exactly(of: &dyn Recording, profile: &mut Profile) {
    let mut places: HashMap<(u32, KindId, SiteId), Vec<usize>> = HashMap::new();
    for (at, (key, _)) in profile.cells.iter().enumerate() {
        if let Some(frame) = profile.frame(key.path) {
            let place = (key.thread, frame.kind, frame.site);
            places.entry(place).or_default().push(at);
        }
    }
    let starts = of
        .counts()
        .iter()
        .filter(|count| count.phase != Phase::End && count.raised > 0)
        // Transfers go on behind what the thread does: they are none of its time.
        .filter(|count| of.tables().kind(count.kind).nested);
    for count in starts {
        match places.get(&(count.thread, count.kind, count.site)) {
            Some(cells) => spread(profile, cells, count.raised),
            None => unseen(
                profile,
                (count.thread, count.kind, count.site),
                count.raised,
            ),
        }
    }
    profile.cells.sort_by_key(|(key, _)| *key);
}

/// So many events are those of these cells, in the proportions that the trace tells.
fn spread(profile: &mut Profile, cells: &[usize], raised: u64) {
    let counted = cells.iter().map(|&at| profile.cells[at].1.count);
    let counted = counted.fold(0, u64::saturating_add);
    if counted >= raised {
        return;
    }
    let scaled = |number: u64| {
        let scaled = u128::from(number) * u128::from(raised) / u128::from(counted.max(1));
        u64::try_from(scaled).unwrap_or(u64::MAX)
    };
    let mut left = raised;
    for (number, &at) in cells.iter().enumerate() {
        let cell = &mut profile.cells[at].1;
        let count = match number + 1 == cells.len() {
            true => left,
            false => scaled(cell.count).min(left),
        };
        left -= count;
        cell.bytes = scaled(cell.bytes);
        cell.missed = count.saturating_sub(cell.count);
        cell.count = count;
    }
}

/// A place of which nothing is in the trace: what was around it is not known.
fn unseen(profile: &mut Profile, (thread, kind, site): (u32, KindId, SiteId), raised: u64) {
    let frame = Frame {
        parent: PathId::ROOT,
        kind,
        site,
    };
    let path = profile.paths.iter().skip(1).position(|of| *of == frame);
    let path = path.map_or_else(
        || {
            profile.paths.push(frame);
            PathId(profile.paths.len() as u32 - 1)
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
    profile.cells.push((key, cell));
}
