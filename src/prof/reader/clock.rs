//! Converts ticks of a machine's clock to nanoseconds of the run.

/// A moment on both clocks of a machine: its fastest one, and its monotonic one in nanoseconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Moment {
    /// Ticks.
    pub ticks: u64,
    /// Nanoseconds.
    pub ns: u64,
}

/// A comparison of a machine's monotonic clock with that of thread 0's machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Offset {
    /// The time in nanoseconds of the machine's own clock.
    pub at: u64,
    /// The difference of the other clock in nanoseconds.
    pub ns: i64,
    /// The error in nanoseconds.
    pub error: u64,
}

/// The conversion of a machine's monotonic clock to that of thread 0's machine: an offset at a moment, and its growth
/// per nanosecond.
#[derive(Clone, Copy, Debug, Default)]
pub struct Drift {
    at: u64,
    offset: i64,
    rate: f64,
    /// The error of times in nanoseconds.
    pub error: u64,
}

impl Drift {
    /// Returns the drift from comparisons at the start and at the end. If they differ by no more than their errors, the
    /// better one is used throughout.
    pub fn new(start: Offset, end: Option<Offset>) -> Drift {
        let constant = |of: Offset| Drift {
            at: of.at,
            offset: of.ns,
            rate: 0.0,
            error: of.error,
        };
        let Some(end) = end else {
            return constant(start);
        };
        let grown = end.ns.saturating_sub(start.ns);
        let passed = end.at.saturating_sub(start.at);
        if passed == 0 || grown.unsigned_abs() <= start.error.saturating_add(end.error) {
            return constant(if end.error < start.error { end } else { start });
        }
        Drift {
            at: start.at,
            offset: start.ns,
            rate: grown as f64 / passed as f64,
            error: start.error.max(end.error),
        }
    }

    /// Converts a moment of the machine's clock to that of thread 0's machine.
    pub fn correct(&self, ns: u64) -> u64 {
        let since = ns.wrapping_sub(self.at) as i64;
        let grown = (since as f64 * self.rate).round() as i64;
        ns.saturating_add_signed(self.offset.saturating_add(grown))
    }
}

/// The conversion of a machine's ticks to nanoseconds since the start of the run. All threads of a machine share it, so
/// their events keep their order.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    ticks: u64,
    /// The same moment on thread 0's machine.
    ns: u64,
    /// Nanoseconds per tick.
    rate: f64,
    /// Nanoseconds of thread 0's machine at the start of the run.
    start: u64,
}

impl Clock {
    /// Returns the clock from the first and the last known moment of a machine.
    pub fn new(first: Moment, last: Moment, drift: Drift, start: u64) -> Clock {
        let ticks = last.ticks.saturating_sub(first.ticks);
        let ns = last.ns.saturating_sub(first.ns);
        let rate = match (ticks, ns) {
            // There is only one moment, or the values are invalid: a tick is treated as a nanosecond.
            (0, _) | (_, 0) => 1.0,
            (ticks, ns) => ns as f64 / ticks as f64,
        };
        Clock {
            ticks: first.ticks,
            ns: drift.correct(first.ns),
            rate: rate * (1.0 + drift.rate),
            start,
        }
    }

    /// Returns the duration of this number of ticks in nanoseconds.
    pub fn duration(&self, ticks: u64) -> u64 {
        (ticks as f64 * self.rate).round() as u64
    }

    /// Returns the nanoseconds since the start of the run; 0 for earlier moments.
    #[inline]
    pub fn time(&self, ticks: u64) -> u64 {
        let since = ticks.wrapping_sub(self.ticks) as i64;
        // Saturates, so that no file produces a number out of range.
        let ns = (since as f64 * self.rate).round() as i64;
        self.ns.saturating_add_signed(ns).saturating_sub(self.start)
    }
}

impl Default for Clock {
    fn default() -> Clock {
        let moment = Moment { ticks: 0, ns: 0 };
        Clock::new(moment, moment, Drift::default(), 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A second apart on a clock of three ticks per nanosecond.
    const FIRST: Moment = Moment {
        ticks: 3_000,
        ns: 1_000,
    };
    const LAST: Moment = Moment {
        ticks: 3_000_003_000,
        ns: 1_000_001_000,
    };

    #[test]
    fn ticks_become_nanoseconds_of_the_run() {
        let clock = Clock::new(FIRST, LAST, Drift::default(), 1_000);
        assert_eq!(clock.time(3_000), 0);
        assert_eq!(clock.time(6_000), 1_000);
        assert_eq!(clock.time(0), 0);
        assert_eq!(clock.time(3_000_003_000), 1_000_000_000);
        let mad = Clock::new(LAST, FIRST, Drift::default(), u64::MAX);
        assert_eq!(mad.time(u64::MAX), 0);
    }

    #[test]
    fn another_machine_is_corrected() {
        let at = |at, ns, error| Offset { at, ns, error };
        // A second behind, and gaining 20 microseconds on this one per second.
        let (start, end) = (
            at(1_000, 1_000_000_000, 50),
            at(1_000_001_000, 999_980_000, 40),
        );
        let drift = Drift::new(start, Some(end));
        assert_eq!(drift.correct(1_000), 1_000_001_000);
        assert_eq!(drift.correct(500_001_000), 1_499_991_000);
        assert_eq!(drift.correct(1_000_001_000), 1_999_981_000);
        assert_eq!(drift.error, 50);
        // A difference within the errors is not a drift.
        let vague = Drift::new(start, Some(at(2_000, 1_000_000_080, 40)));
        assert_eq!(vague.correct(500_000_000), 1_500_000_080);
        assert_eq!(vague.error, 40);
        let clock = Clock::new(FIRST, LAST, drift, 1_000_001_000);
        assert_eq!(clock.time(3_000), 0);
        assert_eq!(clock.time(3_000_003_000), 999_980_000);
        let mad = Drift::new(at(u64::MAX, i64::MIN, 0), Some(at(0, i64::MAX, 0)));
        assert_eq!(mad.correct(0), 0);
    }
}
