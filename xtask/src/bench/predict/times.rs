//! Times of several runs, and whether variants differ in them.

/// Pairs of variants that differ by less are not ranked.
pub(super) const DIFFERENCE: f64 = 0.1;

/// A measured time.
pub(super) struct Timed {
    pub(super) seconds: f64,
    /// By how much the slowest run takes longer than the fastest one, as a part of the seconds.
    pub(super) spread: f64,
    /// The seconds of the runs, in the order in which they were made.
    runs: Vec<f64>,
}

/// Whether a variant takes longer than another one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Against {
    /// More than [`DIFFERENCE`] longer.
    Longer,
    /// The other one takes so much longer.
    Shorter,
    /// Neither does.
    Alike,
    /// The medians differ so much, but the runs do not tell whether that is chance.
    Uncertain,
}

impl Timed {
    /// The seconds of several runs: their median. The fastest run would be a lucky one, and of a program that takes longer,
    /// none is as lucky.
    pub(super) fn new(runs: Vec<f64>) -> Timed {
        let all = sorted(runs.iter().copied());
        let at = |place: usize| all.get(place).copied().unwrap_or(f64::NAN);
        let seconds = median(&all);
        Timed {
            seconds,
            spread: (at(all.len().saturating_sub(1)) - at(0)) / seconds,
            runs,
        }
    }

    /// Compares variants whose runs were made in turn. The k-th runs of both were neighbours, so their ratio has nothing of
    /// what else the machine did. The median of the ratios of n runs lies between the least and the greatest of them, except
    /// in 2 of 2^n cases (the sign test): for six runs that is a confidence interval of 97 %. Two variants differ if it lies
    /// beyond the difference.
    pub(super) fn against(&self, other: &Timed) -> Against {
        let pairs = self.runs.iter().zip(&other.runs);
        let ratios = sorted(pairs.map(|(a, b)| a / b));
        let (Some(least), Some(greatest)) = (ratios.first(), ratios.last()) else {
            return Against::Uncertain;
        };
        let (more, less) = (1.0 + DIFFERENCE, 1.0 / (1.0 + DIFFERENCE));
        let middle = median(&ratios);
        match () {
            () if *least > more => Against::Longer,
            () if *greatest < less => Against::Shorter,
            () if (less..=more).contains(&middle) => Against::Alike,
            () => Against::Uncertain,
        }
    }
}

fn sorted(all: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut all: Vec<f64> = all.collect();
    all.sort_by(f64::total_cmp);
    all
}

/// The median of sorted numbers: of an even number of them, the mean of the two in the middle.
fn median(sorted: &[f64]) -> f64 {
    let half = sorted.len() / 2;
    match sorted.get(sorted.len().saturating_sub(1) / 2..=half) {
        Some([below, above]) => (below + above) / 2.0,
        Some([middle]) => *middle,
        Some(_) | None => f64::NAN,
    }
}

/// How many pairs of variants are ranked as measured, of how many that differ.
#[derive(Clone, Copy, Default)]
pub(super) struct Ranked {
    pub(super) right: usize,
    pub(super) all: usize,
    /// The pairs that may differ or not.
    pub(super) uncertain: usize,
}

impl Ranked {
    pub(super) fn add(&mut self, other: Ranked) {
        self.right += other.right;
        self.all += other.all;
        self.uncertain += other.uncertain;
    }
}

/// The median and the worst of errors without their signs.
pub(super) fn median_and_worst(errors: impl Iterator<Item = f64>) -> (f64, f64) {
    let errors = sorted(errors.map(f64::abs));
    let worst = errors.last().copied().unwrap_or(0.0);
    (
        if errors.is_empty() {
            0.0
        } else {
            median(&errors)
        },
        worst,
    )
}

#[cfg(test)]
mod tests {
    use super::{Against, Timed, median_and_worst};

    #[test]
    fn the_median_of_the_runs_counts() {
        let timed = Timed::new(vec![5.0, 1.0, 2.0, 4.0]);
        assert_eq!((timed.seconds, timed.spread), (3.0, 4.0 / 3.0));
        assert_eq!(median_and_worst([-5.0, 1.0, 2.0].into_iter()), (2.0, 5.0));
    }

    /// A machine that is twice as slow for some minutes is that for both variants.
    #[test]
    fn neighbours_tell_whether_variants_differ() {
        let of = |runs: [f64; 4]| Timed::new(runs.to_vec());
        let slow_later = of([1.0, 1.1, 2.0, 2.1]);
        let longer = of([1.2, 1.3, 2.5, 2.5]);
        assert_eq!(longer.against(&slow_later), Against::Longer);
        assert_eq!(slow_later.against(&longer), Against::Shorter);
        let alike = of([1.05, 1.05, 2.5, 2.0]);
        assert_eq!(alike.against(&slow_later), Against::Alike);
        let once_shorter = of([1.5, 1.5, 1.9, 3.0]);
        assert_eq!(once_shorter.against(&slow_later), Against::Uncertain);
    }
}
