//! Whether a difference is more than noise, by repetitions.

use statrs::distribution::{ContinuousCDF, StudentsT};

/// The probability that a difference by chance is called significant.
pub const LEVEL: f64 = 0.05;

/// What a difference is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Verdict {
    /// The time is shorter, and not by chance.
    Faster,
    /// The time is longer, and not by chance.
    Slower,
    /// The difference may be chance.
    Noise,
    /// One run on each side: nothing is known about chance.
    Unknown,
}

impl Verdict {
    /// Its name in text and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Faster => "faster",
            Verdict::Slower => "slower",
            Verdict::Noise => "noise",
            Verdict::Unknown => "unknown",
        }
    }
}

/// The times of something in the runs of both sides.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Times {
    /// Nanoseconds of each run before.
    pub before: Vec<u64>,
    /// Nanoseconds of each run after.
    pub after: Vec<u64>,
}

/// Returns the mean, rounded; 0 without values.
pub fn mean(times: &[u64]) -> u64 {
    average(times).round() as u64
}

fn average(times: &[u64]) -> f64 {
    times.iter().map(|&time| time as f64).sum::<f64>() / times.len().max(1) as f64
}

/// Returns the sum of the squared differences from the mean.
fn squares(times: &[u64]) -> f64 {
    let mean = average(times);
    times.iter().map(|&time| (time as f64 - mean).powi(2)).sum()
}

impl Times {
    /// The mean after less the mean before.
    pub fn change(&self) -> i64 {
        (average(&self.after) - average(&self.before)).round() as i64
    }

    /// The change in percent of the mean before; `None`: there was nothing before.
    pub fn percent(&self) -> Option<f64> {
        let before = average(&self.before);
        (before > 0.0).then(|| (average(&self.after) - before) * 100.0 / before)
    }

    /// The standard error of the change and its degrees of freedom, by Welch, who lets both sides scatter differently. A
    /// side with one run is taken to scatter as the other one. `None`: one run on each side.
    fn error(&self) -> Option<(f64, f64)> {
        let (n, m) = (self.before.len() as f64, self.after.len() as f64);
        let (of_before, of_after) = (squares(&self.before), squares(&self.after));
        if self.before.is_empty() || self.after.is_empty() {
            return None;
        }
        if self.before.len() == 1 || self.after.len() == 1 {
            let freedom = n + m - 2.0;
            let variance = (of_before + of_after) / freedom;
            return (freedom > 0.0).then(|| ((variance * (1.0 / n + 1.0 / m)).sqrt(), freedom));
        }
        let (a, b) = (of_before / (n - 1.0) / n, of_after / (m - 1.0) / m);
        let freedom = (a + b).powi(2) / (a * a / (n - 1.0) + b * b / (m - 1.0));
        let freedom = if freedom.is_finite() {
            freedom
        } else {
            n + m - 2.0
        };
        Some(((a + b).sqrt(), freedom))
    }

    /// Half of the interval in which the change lies with a probability of 95 %, in nanoseconds.
    pub fn interval(&self) -> Option<u64> {
        let (error, freedom) = self.error()?;
        let student = StudentsT::new(0.0, 1.0, freedom).ok()?;
        Some((error * student.inverse_cdf(1.0 - LEVEL / 2.0)).round() as u64)
    }

    /// The probability that a difference as large as this one is chance; `None`: unknown.
    pub fn chance(&self) -> Option<f64> {
        let (error, freedom) = self.error()?;
        let change = average(&self.after) - average(&self.before);
        if error == 0.0 {
            return Some(if change == 0.0 { 1.0 } else { 0.0 });
        }
        let student = StudentsT::new(0.0, 1.0, freedom).ok()?;
        Some(2.0 * student.cdf(-(change / error).abs()))
    }

    fn significant(&self) -> Verdict {
        match self.change() {
            ..0 => Verdict::Faster,
            0 => Verdict::Noise,
            _ => Verdict::Slower,
        }
    }
}

/// Judges differences of one family: the probability that any of them is wrongly called significant is [`LEVEL`] (Holm's
/// method).
pub fn judge(family: &[&Times]) -> Vec<Verdict> {
    let chances: Vec<Option<f64>> = family.iter().map(|times| times.chance()).collect();
    let mut order: Vec<(usize, f64)> = (0..)
        .zip(&chances)
        .filter_map(|(at, chance)| Some((at, (*chance)?)))
        .collect();
    order.sort_by(|a, b| a.1.total_cmp(&b.1));
    let known = order.len();
    let mut verdicts: Vec<Verdict> = chances
        .iter()
        .map(|chance| chance.map_or(Verdict::Unknown, |_| Verdict::Noise))
        .collect();
    for (rank, (at, chance)) in order.into_iter().enumerate() {
        if chance > LEVEL / (known - rank) as f64 {
            break;
        }
        verdicts[at] = family[at].significant();
    }
    verdicts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(before: &[u64], after: &[u64]) -> Times {
        Times {
            before: before.to_vec(),
            after: after.to_vec(),
        }
    }

    #[test]
    fn welch_and_student_as_in_textbooks() {
        // The chance is the integral of the density of Student's t with 5.891 degrees of freedom beyond 3.657.
        let of = times(
            &[27_000, 19_000, 23_000, 25_000],
            &[31_000, 38_000, 29_000, 34_000],
        );
        assert_eq!(of.change(), 9_500);
        assert!((of.percent().unwrap() - 40.43).abs() < 0.01);
        let (error, freedom) = of.error().unwrap();
        // Variances 35/3 and 46/3 millions, by 4 each.
        assert!((error - (27e6_f64 / 4.0).sqrt()).abs() < 1e-6, "{error}");
        assert!((freedom - 5.891).abs() < 0.01, "{freedom}");
        assert!(
            (of.chance().unwrap() - 0.010_970).abs() < 1e-6,
            "{:?}",
            of.chance()
        );
        // One run after: Student with the scatter of the others; 35/3 * (1 + 1/4), 3 degrees of freedom.
        let one = times(&[27_000, 19_000, 23_000, 25_000], &[40_000]);
        let (error, freedom) = one.error().unwrap();
        assert!((error - (35e6_f64 / 3.0 * 1.25).sqrt()).abs() < 1e-6);
        assert_eq!(freedom, 3.0);
    }

    #[test]
    fn one_run_on_each_side_says_nothing_about_chance() {
        let one = times(&[100], &[200]);
        assert_eq!((one.chance(), one.interval()), (None, None));
        assert_eq!(judge(&[&one]), [Verdict::Unknown]);
    }

    #[test]
    fn differences_without_scatter_are_significant_and_none_is_none() {
        let (less, same) = (times(&[9, 9], &[7, 7]), times(&[9, 9], &[9, 9]));
        assert_eq!(judge(&[&less, &same]), [Verdict::Faster, Verdict::Noise]);
        assert_eq!(less.interval(), Some(0));
    }

    #[test]
    fn a_chance_of_one_in_twenty_is_noise_among_many() {
        let border = times(&[100, 110, 120], &[125, 132, 146]);
        let chance = border.chance().unwrap();
        assert!((chance - 0.045_306).abs() < 1e-6, "{chance}");
        assert_eq!(judge(&[&border]), [Verdict::Slower]);
        let noise = times(&[100, 110, 120], &[101, 111, 119]);
        assert_eq!(judge(&[&border, &noise]), [Verdict::Noise; 2]);
    }
}
