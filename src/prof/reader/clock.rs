//! Ticks of a machine's clock as nanoseconds of the run.

/// A moment on both clocks of a machine: its cheapest, and its monotonic one in nanoseconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Moment {
    /// Ticks.
    pub ticks: u64,
    /// Nanoseconds.
    pub ns: u64,
}

/// How ticks of a machine become nanoseconds since the start of the run. All its threads have the same, so their events keep their order.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    base: Moment,
    /// Nanoseconds a tick.
    rate: f64,
    /// Nanoseconds of the monotonic clock at the start of the run.
    start: u64,
}

impl Clock {
    /// From the first and the last moment known of a machine.
    pub fn new(first: Moment, last: Moment, start: u64) -> Clock {
        let ticks = last.ticks.saturating_sub(first.ticks);
        let ns = last.ns.saturating_sub(first.ns);
        let rate = match (ticks, ns) {
            // One moment alone, or nonsense: a tick is then taken for a nanosecond.
            (0, _) | (_, 0) => 1.0,
            (ticks, ns) => ns as f64 / ticks as f64,
        };
        Clock {
            base: first,
            rate,
            start,
        }
    }

    /// How long so many ticks are, in nanoseconds.
    pub fn duration(&self, ticks: u64) -> u64 {
        (ticks as f64 * self.rate).round() as u64
    }

    /// Nanoseconds since the start of the run; 0 for what is before.
    #[inline]
    pub fn time(&self, ticks: u64) -> u64 {
        let since = ticks.wrapping_sub(self.base.ticks) as i64;
        // Saturates, so that no file gives a number out of range.
        let ns = (since as f64 * self.rate).round() as i64;
        self.base
            .ns
            .saturating_add_signed(ns)
            .saturating_sub(self.start)
    }
}

impl Default for Clock {
    fn default() -> Clock {
        let moment = Moment { ticks: 0, ns: 0 };
        Clock::new(moment, moment, 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_become_nanoseconds_of_the_run() {
        let first = Moment {
            ticks: 3_000,
            ns: 1_000,
        };
        let last = Moment {
            ticks: 3_000_003_000,
            ns: 1_000_001_000,
        };
        let clock = Clock::new(first, last, 1_000);
        assert_eq!(clock.time(3_000), 0);
        assert_eq!(clock.time(6_000), 1_000);
        assert_eq!(clock.time(0), 0);
        assert_eq!(clock.time(3_000_003_000), 1_000_000_000);
        let mad = Clock::new(last, first, u64::MAX);
        assert_eq!(mad.time(u64::MAX), 0);
    }
}
