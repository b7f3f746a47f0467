//! A curve through the thread time of runs with different numbers of threads.
//!
//! The universal scalability law (Gunther) says that N threads take the thread time
//! `work + serial * (N - 1) + crosstalk * N * (N - 1)`: the work itself; what N - 1 threads wait while one works alone
//! (Amdahl); and what each thread does with each other one. The law is linear in these three, so the least squares of the
//! relative errors have a closed form. None of the three is negative.

/// The coefficients, in nanoseconds.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Curve {
    /// The thread time of one thread.
    pub work: f64,
    /// What each further thread adds.
    pub serial: f64,
    /// What each pair of threads adds, in both directions.
    pub crosstalk: f64,
}

/// The part of a curve that a term is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Term {
    /// The time does not grow with the number of threads.
    Work,
    /// The time grows with the number of threads.
    Serial,
    /// The time grows with the square of the number of threads.
    Crosstalk,
}

const TERMS: usize = 3;

/// Returns the factors of the three coefficients for N threads.
fn factors(threads: u32) -> [f64; TERMS] {
    let n = f64::from(threads);
    [1.0, n - 1.0, n * (n - 1.0)]
}

/// Fits a curve to points (threads, thread time). With two different numbers of threads, it has no crosstalk. `None`: there
/// are fewer.
pub fn fit(points: &[(u32, f64)]) -> Option<Curve> {
    let mut numbers: Vec<u32> = points.iter().map(|point| point.0).collect();
    numbers.sort_unstable();
    numbers.dedup();
    let terms = match numbers.len() {
        0 | 1 => return None,
        2 => TERMS - 1,
        _ => TERMS,
    };
    // Each set of terms that are not 0; the best one without negative coefficients is the solution.
    let sets = 1..1_u32 << terms;
    let curves = sets.filter_map(|set| least_squares(points, set));
    curves
        .map(|curve| (error(points, &curve), curve))
        .min_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, curve)| curve)
}

/// The sum of the squares of the relative errors.
fn error(points: &[(u32, f64)], curve: &Curve) -> f64 {
    let error = |&(threads, time): &(u32, f64)| (curve.at(threads) / time.max(1.0) - 1.0).powi(2);
    points.iter().map(error).sum()
}

/// Solves the normal equations for the terms of `set`, by elimination; `None`: there is no solution, or a coefficient is
/// negative.
fn least_squares(points: &[(u32, f64)], set: u32) -> Option<Curve> {
    let chosen: Vec<usize> = (0..TERMS).filter(|term| set >> term & 1 == 1).collect();
    let size = chosen.len();
    let mut rows = vec![vec![0.0; size + 1]; size];
    for &(threads, time) in points {
        let time = time.max(1.0);
        let all = factors(threads);
        let x: Vec<f64> = chosen.iter().map(|&term| all[term] / time).collect();
        for (row, a) in rows.iter_mut().zip(&x) {
            for (sum, b) in row.iter_mut().zip(x.iter().chain(&[1.0])) {
                *sum += a * b;
            }
        }
    }
    for at in 0..size {
        let pivot = (at..size).max_by(|&a, &b| rows[a][at].abs().total_cmp(&rows[b][at].abs()))?;
        rows.swap(at, pivot);
        let top = rows[at].clone();
        if top[at].abs() < f64::MIN_POSITIVE {
            return None;
        }
        for (other, row) in rows.iter_mut().enumerate() {
            let factor = row[at] / top[at];
            for (value, of_top) in row.iter_mut().zip(&top) {
                *value = match other == at {
                    true => *value / top[at],
                    false => *value - factor * of_top,
                };
            }
        }
    }
    let mut all = [0.0; TERMS];
    for (&term, row) in chosen.iter().zip(&rows) {
        all[term] = row[size];
    }
    let [work, serial, crosstalk] = all;
    let is_solution = all.iter().all(|value| value.is_finite() && *value >= 0.0);
    is_solution.then_some(Curve {
        work,
        serial,
        crosstalk,
    })
}

impl Curve {
    /// The thread time of so many threads.
    pub fn at(&self, threads: u32) -> f64 {
        let terms = [self.work, self.serial, self.crosstalk];
        factors(threads)
            .iter()
            .zip(terms)
            .map(|(factor, term)| factor * term)
            .sum()
    }

    /// The speed-up against one thread that so many threads have.
    pub fn speedup(&self, threads: u32) -> f64 {
        f64::from(threads) * self.work / self.at(threads).max(f64::MIN_POSITIVE)
    }

    /// The largest speed-up, and the number of threads with which the curve reaches it; `None`: with any number.
    pub fn best(&self) -> Option<(f64, u32)> {
        if self.crosstalk <= 0.0 || self.work <= 0.0 {
            return None;
        }
        // Where the derivative of the speed-up is 0.
        let threads = ((self.work - self.serial).max(0.0) / self.crosstalk).sqrt();
        let threads = threads.clamp(1.0, f64::from(u32::MAX)) as u32;
        let best = [threads, threads.saturating_add(1)];
        let best = best
            .into_iter()
            .max_by(|a, b| self.speedup(*a).total_cmp(&self.speedup(*b)))?;
        Some((self.speedup(best), best))
    }

    /// The speed-up that no number of threads exceeds; `None`: there is no limit.
    pub fn limit(&self) -> Option<f64> {
        match self.best() {
            Some((speedup, _)) => Some(speedup),
            None => (self.serial > 0.0).then(|| self.work / self.serial),
        }
    }

    /// The term that most of the time of so many threads comes from.
    pub fn largest(&self, threads: u32) -> Term {
        let [_, serial, crosstalk] = factors(threads);
        let terms = [
            (Term::Work, self.work),
            (Term::Serial, self.serial * serial),
            (Term::Crosstalk, self.crosstalk * crosstalk),
        ];
        let largest = terms.into_iter().max_by(|a, b| a.1.total_cmp(&b.1));
        largest.map_or(Term::Work, |(term, _)| term)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(curve: Curve, numbers: &[u32]) -> Vec<(u32, f64)> {
        numbers
            .iter()
            .map(|&threads| (threads, curve.at(threads)))
            .collect()
    }

    fn is_near(a: f64, b: f64) -> bool {
        (a - b).abs() <= 1e-6 * b.abs().max(1.0)
    }

    #[test]
    fn the_curve_that_made_the_points_is_found() {
        for (work, serial, crosstalk) in [
            (1e9, 5e7, 1e6),
            (1e9, 0.0, 3e6),
            (1e9, 2e8, 0.0),
            (7e8, 0.0, 0.0),
            (0.0, 1e6, 0.0),
        ] {
            let curve = Curve {
                work,
                serial,
                crosstalk,
            };
            let found = fit(&points(curve, &[1, 2, 4, 8])).unwrap();
            for (found, planted) in [
                (found.work, work),
                (found.serial, serial),
                (found.crosstalk, crosstalk),
            ] {
                assert!((found - planted).abs() < 10.0, "{found} {planted}");
            }
        }
    }

    #[test]
    fn two_numbers_of_threads_give_amdahls_law() {
        let found = fit(&[(1, 100.0), (4, 130.0)]).unwrap();
        assert!(is_near(found.work, 100.0) && is_near(found.serial, 10.0));
        assert_eq!(found.crosstalk, 0.0);
        assert!(is_near(found.limit().unwrap(), 10.0));
        assert!(is_near(found.speedup(4), 4.0 * 100.0 / 130.0));
        assert_eq!(fit(&[(4, 100.0), (4, 120.0)]), None);
    }

    #[test]
    fn a_time_that_shrinks_has_no_negative_terms() {
        // The caches of more threads hold more: better than the law allows.
        let found = fit(&[(1, 100.0), (2, 90.0), (4, 80.0)]).unwrap();
        assert_eq!((found.serial, found.crosstalk), (0.0, 0.0));
        assert_eq!((found.limit(), found.best()), (None, None));
    }

    #[test]
    fn the_best_number_of_threads_is_better_than_its_neighbours() {
        let curve = Curve {
            work: 1000.0,
            serial: 20.0,
            crosstalk: 1.0,
        };
        let (speedup, threads) = curve.best().unwrap();
        // The root of (1000 - 20) / 1 is 31.3.
        assert_eq!(threads, 31);
        assert!(speedup > curve.speedup(30) && speedup > curve.speedup(32));
        assert_eq!(curve.largest(2), Term::Work);
        assert_eq!(curve.largest(100), Term::Crosstalk);
    }
}
