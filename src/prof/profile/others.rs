//! The time that is in no row of events: with it, all shares together are 100 %.

use super::super::estimate::Estimate;
use super::super::model::{Recording, Thread};
use super::super::select::Selection;
use super::{Asked, Row, RowKey};

/// The time that is in no row of events, in nanoseconds.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Others {
    /// The time in which no event was under way.
    pub outside: u64,
    /// The time of events that the table does not show.
    pub rest: u64,
}

impl Others {
    /// Returns the other time of a thread whose rows have this time.
    fn of(thread: &Thread, estimate: &Estimate, shown: u64) -> Others {
        let outside = estimate.outside.get(thread.id as usize);
        let outside = outside.copied().unwrap_or(0);
        Others {
            outside,
            rest: thread.time().saturating_sub(outside).saturating_sub(shown),
        }
    }

    fn add(&mut self, other: Others) {
        self.outside = self.outside.saturating_add(other.outside);
        self.rest = self.rest.saturating_add(other.rest);
    }

    /// Returns the rows that say so.
    fn rows(self, thread: Option<u32>) -> impl Iterator<Item = (RowKey, Row)> {
        let times = [(RowKey::Outside, self.outside), (RowKey::Rest, self.rest)];
        let times = times.into_iter().filter(|(_, own)| *own > 0);
        times.map(move |(key, own)| {
            let mut row = Row {
                thread,
                has_time: true,
                ..Row::default()
            };
            row.counted.own = own;
            (key, row)
        })
    }
}

/// Returns the time that is in none of these rows, and the rows for it: one of each kind, or one for each thread.
pub(super) fn other_time(
    of: &dyn Recording,
    estimate: &Estimate,
    selection: &Selection,
    asked: &Asked,
    rows: &[(RowKey, Row)],
) -> (Others, Vec<(RowKey, Row)>) {
    let own = |thread: Option<u32>| {
        let rows = rows.iter().filter(|(_, row)| row.thread == thread);
        rows.map(|(_, row)| row.counted.own)
            .fold(0, u64::saturating_add)
    };
    let mut all = Others::default();
    let mut last = Vec::new();
    let threads = of.threads().iter();
    for thread in threads.filter(|thread| selection.thread(thread.id)) {
        let shown = match asked.per_thread {
            true => own(Some(thread.id)),
            false => 0,
        };
        let others = Others::of(thread, estimate, shown);
        all.add(others);
        if asked.per_thread {
            last.extend(others.rows(Some(thread.id)));
        }
    }
    if !asked.per_thread {
        all.rest = all.rest.saturating_sub(own(None));
        last.extend(all.rows(None));
    }
    (all, last)
}
