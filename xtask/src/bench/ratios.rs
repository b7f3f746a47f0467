//! Ratios of figures that programs print which run in turn, and when they decide about a limit.

use super::{MESSAGE_RUNS, Ratio, Samples};

/// Where ratios do not decide about their limits after [`MESSAGE_RUNS`], as many are added, up to so many times as many.
const MOST_ROUNDS: usize = 3;

/// Two figures of programs that run in turn, and the limit of their ratio if it has one.
pub(super) struct Compared {
    pub(super) what: String,
    pub(super) figure: String,
    pub(super) base: String,
    pub(super) limit: Option<f64>,
}

impl Compared {
    pub(super) fn new(ratio: &Ratio, limit: Option<f64>) -> Compared {
        Compared {
            what: ratio.what.to_owned(),
            figure: ratio.figure.to_owned(),
            base: ratio.base.to_owned(),
            limit,
        }
    }

    pub(super) fn ratios(&self, samples: &Samples) -> Result<Ratios, String> {
        Ratios::of(samples, &self.figure, &self.base)
    }

    /// Returns whether more samples could turn the judgement.
    fn is_open(&self, samples: &Samples) -> Result<bool, String> {
        let ratios = self.ratios(samples)?;
        Ok(self.limit.is_some_and(|limit| ratios.leave_open(limit)))
    }
}

/// What a measured ratio says about its limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Kept,
    /// The median is above the limit, which the confidence interval includes.
    Undecided,
    Missed,
}

impl Verdict {
    /// What stands in front of a row.
    pub(super) fn mark(self) -> char {
        match self {
            Verdict::Kept => ' ',
            Verdict::Undecided => '?',
            Verdict::Missed => '!',
        }
    }
}

/// Returns the samples of rounds, each of one run of everything that is compared: so other load on the machine affects all of
/// them. There are [`MESSAGE_RUNS`] rounds, and more until the ratios decide about all limits. Also returns how many.
pub(super) fn until_decided(
    compared: &[Compared],
    mut round: impl FnMut(&mut Samples) -> Result<(), String>,
) -> Result<(Samples, usize), String> {
    let (mut samples, mut runs) = (Samples::new(), 0);
    while runs < MOST_ROUNDS * MESSAGE_RUNS {
        for _ in 0..MESSAGE_RUNS {
            round(&mut samples)?;
        }
        runs += MESSAGE_RUNS;
        let open = compared.iter().map(|it| it.is_open(&samples));
        if !open.collect::<Result<Vec<bool>, _>>()?.contains(&true) {
            break;
        }
    }
    Ok((samples, runs))
}

/// The ratios of two figures that were measured in turn: their median, and a confidence interval of it of about 95 %.
pub(super) struct Ratios {
    pub(super) least: f64,
    pub(super) middle: f64,
    pub(super) most: f64,
}

impl Ratios {
    /// Err: there is no sample of a figure.
    pub(super) fn of(samples: &Samples, figure: &str, base: &str) -> Result<Ratios, String> {
        let of = |name: &str| {
            samples
                .get(name)
                .ok_or_else(|| format!("no sample of {name}"))
        };
        let pairs = of(figure)?.iter().zip(of(base)?);
        let ratios = pairs.map(|(figure, base)| figure / base).collect();
        Ratios::among(ratios).ok_or_else(|| format!("no sample of {figure}"))
    }

    /// Of n values about n / 2 are below the median, with a standard deviation of half of n's root. The interval ends two
    /// of these away from the middle. `None`: no values.
    fn among(mut values: Vec<f64>) -> Option<Ratios> {
        values.sort_by(f64::total_cmp);
        let last = values.len().checked_sub(1)?;
        let half = values.len() as f64 / 2.0;
        let outside = (half - (values.len() as f64).sqrt()).max(0.0) as usize;
        Some(Ratios {
            least: values[outside],
            middle: values[values.len() / 2],
            most: values[last - outside],
        })
    }

    /// Returns whether more samples could turn the judgement by this limit.
    fn leave_open(&self, limit: f64) -> bool {
        self.least <= limit && limit < self.most
    }

    pub(super) fn verdict(&self, limit: f64) -> Verdict {
        if self.middle <= limit {
            Verdict::Kept
        } else if self.leave_open(limit) {
            Verdict::Undecided
        } else {
            Verdict::Missed
        }
    }
}

/// Returns the median of the ratios of two figures that were measured in turn.
pub(super) fn paired(samples: &Samples, figure: &str, base: &str) -> Result<f64, String> {
    Ratios::of(samples, figure, base).map(|ratios| ratios.middle)
}

#[cfg(test)]
mod tests {
    use super::{Compared, MESSAGE_RUNS, MOST_ROUNDS, Ratios, Verdict, until_decided};

    #[test]
    fn the_median_of_ratios_has_an_interval() {
        let among = |n: usize| Ratios::among((1..=n).rev().map(|i| i as f64).collect());
        // Of nine coins none, one, eight or nine show heads in 20 of 512 cases.
        let nine = among(9).unwrap();
        assert_eq!((nine.least, nine.middle, nine.most), (2.0, 5.0, 8.0));
        assert!(nine.leave_open(2.0) && nine.leave_open(7.9));
        assert!(!nine.leave_open(1.9) && !nine.leave_open(8.0));
        assert_eq!(nine.verdict(5.0), Verdict::Kept);
        assert_eq!(nine.verdict(4.9), Verdict::Undecided);
        assert_eq!(nine.verdict(1.9), Verdict::Missed);
        let one = among(1).unwrap();
        assert_eq!((one.least, one.middle, one.most), (1.0, 1.0, 1.0));
        assert!(among(0).is_none());
    }

    #[test]
    fn rounds_are_added_until_a_ratio_decides() {
        let rounds = |limit: Option<f64>, figure: fn(usize) -> f64| {
            let compared = Compared {
                what: "what".to_owned(),
                figure: "figure".to_owned(),
                base: "base".to_owned(),
                limit,
            };
            let mut count = 0;
            let all = until_decided(&[compared], |samples| {
                count += 1;
                samples
                    .entry("figure".to_owned())
                    .or_default()
                    .push(figure(count));
                samples.entry("base".to_owned()).or_default().push(1.0);
                Ok(())
            });
            all.map(|(_, runs)| runs)
        };
        let either = |n: usize| [0.5, 1.5][n % 2];
        assert_eq!(rounds(Some(1.0), |_| 0.9), Ok(MESSAGE_RUNS));
        assert_eq!(rounds(Some(1.0), either), Ok(MOST_ROUNDS * MESSAGE_RUNS));
        assert_eq!(rounds(None, either), Ok(MESSAGE_RUNS));
    }
}
