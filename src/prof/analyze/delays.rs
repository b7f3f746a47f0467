//! When a thread had no processor.

/// So many periods are kept apart; what is longer ago counts as if it had been at the end of it.
const KEPT: usize = 64;

/// The periods in which a thread was ready to run and had no processor, the oldest first.
#[derive(Clone, Default)]
pub(super) struct Delays {
    /// The end of each at the latest, and its time, in nanoseconds.
    periods: Vec<(u64, u64)>,
}

impl Delays {
    /// Adds a period of `time` nanoseconds that has ended.
    pub(super) fn add(&mut self, end: u64, time: u64) {
        if time == 0 {
            return;
        }
        if self.periods.len() == KEPT {
            let (_, oldest) = self.periods.remove(0);
            self.periods[0].1 += oldest;
        }
        self.periods.push((end, time));
    }

    /// Returns the time of all.
    pub(super) fn all(&self) -> u64 {
        self.periods.iter().map(|(_, time)| time).sum()
    }

    /// Returns their time between two moments.
    pub(super) fn between(&self, from: u64, to: u64) -> u64 {
        let part = |&(end, time): &(u64, u64)| {
            let begin = end.saturating_sub(time).max(from);
            end.min(to).saturating_sub(begin)
        };
        self.periods.iter().map(part).sum()
    }
}
