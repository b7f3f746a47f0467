//! Times of several runs, and whether variants differ in them.

/// Pairs of variants that differ by less are not ranked.
pub(super) const DIFFERENCE: f64 = 0.1;

/// A measured time.
pub(super) struct Timed {
    pub(super) seconds: f64,
    /// By how much the slowest run takes longer than the fastest one, as a part of the seconds.
    pub(super) spread: f64,
    /// The seconds of the runs without the fastest one and the slowest one: the least and the most.
    middle: (f64, f64),
}

impl Timed {
    /// The seconds of several runs, of which the fastest counts, or the median.
    pub(super) fn new(mut all: Vec<f64>, is_typical: bool) -> Timed {
        all.sort_by(f64::total_cmp);
        let at = |place: usize| all.get(place).copied().unwrap_or(f64::NAN);
        let last = all.len().saturating_sub(1);
        let seconds = at(if is_typical { last / 2 } else { 0 });
        Timed {
            seconds,
            spread: (at(last) - at(0)) / seconds,
            middle: (at(1.min(last)), at(last.saturating_sub(1))),
        }
    }

    /// The times differ by more than some percent.
    pub(super) fn differs(&self, other: &Timed) -> bool {
        let (a, b) = (self.seconds, other.seconds);
        (a / b).max(b / a) > 1.0 + DIFFERENCE
    }

    /// All but the fastest and the slowest run of one variant took longer than those of the other: the difference is not one
    /// between runs of the same variant.
    pub(super) fn is_apart(&self, other: &Timed) -> bool {
        self.middle.0 > other.middle.1 || other.middle.0 > self.middle.1
    }
}

/// How many pairs of variants are ranked as measured, and of how many.
#[derive(Clone, Copy, Default)]
pub(super) struct Ranked {
    pub(super) right: usize,
    pub(super) all: usize,
    /// The same of pairs whose runs overlap.
    pub(super) right_overlapping: usize,
    pub(super) overlapping: usize,
}

impl Ranked {
    pub(super) fn add(&mut self, other: Ranked) {
        self.right += other.right;
        self.all += other.all;
        self.right_overlapping += other.right_overlapping;
        self.overlapping += other.overlapping;
    }
}

/// The median and the worst of errors without their signs.
pub(super) fn median_and_worst(errors: impl Iterator<Item = f64>) -> (f64, f64) {
    let mut errors: Vec<f64> = errors.map(f64::abs).collect();
    errors.sort_by(f64::total_cmp);
    let median = errors.get(errors.len() / 2).copied().unwrap_or(0.0);
    (median, errors.last().copied().unwrap_or(0.0))
}

#[cfg(test)]
mod tests {
    use super::Timed;

    #[test]
    fn the_fastest_run_counts_or_the_median() {
        let runs = || vec![5.0, 1.0, 2.0, 4.0, 3.0];
        let (fastest, median) = (Timed::new(runs(), false), Timed::new(runs(), true));
        assert_eq!((fastest.seconds, median.seconds), (1.0, 3.0));
        assert_eq!((fastest.spread, median.middle), (4.0, (2.0, 4.0)));
    }

    /// The fastest and the slowest run of a variant may lie among those of the other.
    #[test]
    fn variants_are_apart_if_most_runs_are() {
        let a = Timed::new(vec![1.0, 1.1, 1.2, 1.3, 9.0], true);
        let b = Timed::new(vec![0.5, 1.4, 1.5, 1.6, 1.7], true);
        let c = Timed::new(vec![1.2, 1.25, 1.3, 1.35, 1.4], true);
        assert!(a.differs(&b) && a.is_apart(&b) && b.is_apart(&a));
        assert!(!a.differs(&c) && !a.is_apart(&c));
    }
}
