//! A profile computed from the events of a recording.

use super::model::{Cell, Key, Profile, Recording, Samples};
use super::pairs::{Found, Pairs, Seen, Span};
use hashbrown::HashMap;

/// Counts all events.
pub fn profile(of: &dyn Recording) -> Profile {
    let tables = of.tables();
    let mut pairs = Pairs::new(tables);
    let mut cells: HashMap<Key, Cell> = HashMap::new();
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
        cells.entry(key).or_default().add(&cell(&span));
    };
    for thread in of.threads() {
        let mut events = of.events(thread.id);
        while let Some(event) = events.next() {
            pairs.feed(event, &mut count);
        }
        pairs.finish(thread.id, thread.last, &mut count);
    }
    let mut cells: Vec<(Key, Cell)> = cells.into_iter().collect();
    cells.sort_by_key(|(key, _)| *key);
    Profile {
        paths: pairs.into_paths(),
        cells,
    }
}

/// What one span counts.
fn cell(span: &Span) -> Cell {
    let timed = span.seen != Seen::Atomic;
    let time = span.end - span.start;
    let moves = span.bytes > 0;
    Cell {
        count: span.weight,
        timed: u64::from(timed),
        total: time,
        own: span.own,
        min: if timed { time } else { u64::MAX },
        max: time,
        bytes: span.bytes.saturating_mul(span.weight),
        min_bytes: if moves { span.bytes } else { u64::MAX },
        max_bytes: span.bytes,
        counters: span.counters.clone(),
        samples: Samples::default(),
    }
}
