//! Strides: by how much an index or a position changes from one iteration of a loop to the next.

use std::fmt;

/// A change by a constant, or by a multiple of THREADS.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stride {
    Constant(i64),
    /// That many times THREADS; not 0.
    Threads(i64),
}

impl Stride {
    /// No change.
    pub const ZERO: Stride = Stride::Constant(0);

    /// The sum of two changes. `None`: it is not a stride, or too large.
    pub fn plus(self, other: Stride) -> Option<Stride> {
        use Stride::*;
        match (self, other) {
            (Constant(0), it) | (it, Constant(0)) => Some(it),
            (Constant(a), Constant(b)) => Some(Constant(a.checked_add(b)?)),
            (Threads(a), Threads(b)) => match a.checked_add(b)? {
                0 => Some(Stride::ZERO),
                sum => Some(Threads(sum)),
            },
            (Constant(_), Threads(_)) | (Threads(_), Constant(_)) => None,
        }
    }

    /// The change of `n` times the value.
    pub fn times(self, n: i64) -> Option<Stride> {
        use Stride::*;
        match self {
            _ if n == 0 => Some(Stride::ZERO),
            Constant(a) => Some(Constant(a.checked_mul(n)?)),
            Threads(a) => Some(Threads(a.checked_mul(n)?)),
        }
    }

    /// The change of the value times another that changes by `self` when `other` changes by one.
    pub fn scaled(self, other: Stride) -> Option<Stride> {
        use Stride::*;
        match (self, other) {
            (a, Constant(n)) | (Constant(n), a) => a.times(n),
            (Threads(_), Threads(_)) => None,
        }
    }

    /// The change when something changes by one, of a value that changes by `self` when that changes by `step`. `None`: it is no whole
    /// number.
    pub fn per(self, step: Stride) -> Option<Stride> {
        use Stride::*;
        match (self, step) {
            (it, Constant(0)) => (it == Stride::ZERO).then_some(it),
            (Constant(a), Constant(b)) | (Threads(a), Threads(b)) => {
                (a % b == 0).then(|| Constant(a / b))
            }
            (Threads(a), Constant(b)) => (a % b == 0).then(|| Threads(a / b)),
            (Constant(a), Threads(_)) => (a == 0).then_some(Stride::ZERO),
        }
    }

    /// The same, as a constant in a static THREADS environment.
    pub fn known(self, static_threads: Option<u32>) -> Option<Stride> {
        match (self, static_threads) {
            (Stride::Threads(n), Some(threads)) => Stride::Constant(n).times(i64::from(threads)),
            _ => Some(self),
        }
    }

    /// The number of elements in a thread's own portion that a multiple of THREADS elements of block size 1 makes. A
    /// constant is such a multiple in a static THREADS environment only.
    pub fn in_threads(self, static_threads: Option<u32>) -> Option<i64> {
        match (self, static_threads) {
            (Stride::Threads(factor), _) => Some(factor),
            (Stride::Constant(0), _) => Some(0),
            (Stride::Constant(n), Some(threads)) => {
                let threads = i64::from(threads);
                (threads > 0 && n % threads == 0).then(|| n / threads)
            }
            (Stride::Constant(_), None) => None,
        }
    }
}

impl fmt::Display for Stride {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Stride::Constant(n) => write!(to, "{n}"),
            Stride::Threads(1) => write!(to, "THREADS"),
            Stride::Threads(n) => write!(to, "{n}*THREADS"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Stride::{Constant, Threads};

    #[test]
    fn sums_and_products() {
        assert_eq!(Constant(2).plus(Constant(-2)), Some(Constant(0)));
        assert_eq!(Threads(2).plus(Threads(-2)), Some(Constant(0)));
        assert_eq!(Threads(2).plus(Constant(1)), None);
        assert_eq!(Constant(i64::MAX).plus(Constant(1)), None);
        assert_eq!(Threads(2).times(3), Some(Threads(6)));
        assert_eq!(Threads(2).times(0), Some(Constant(0)));
        assert_eq!(Constant(3).scaled(Threads(2)), Some(Threads(6)));
        assert_eq!(Threads(1).scaled(Threads(1)), None);
        assert_eq!(Threads(4).per(Threads(2)), Some(Constant(2)));
        assert_eq!(Constant(-3).per(Constant(-1)), Some(Constant(3)));
        assert_eq!(Threads(1).per(Constant(-1)), Some(Threads(-1)));
        assert_eq!(Constant(3).per(Constant(2)), None);
        assert_eq!(Constant(4).per(Threads(2)), None);
    }

    #[test]
    fn steps_in_the_own_portion() {
        assert_eq!(Threads(3).in_threads(None), Some(3));
        assert_eq!(Constant(8).in_threads(Some(4)), Some(2));
        assert_eq!(Constant(6).in_threads(Some(4)), None);
        assert_eq!(Constant(4).in_threads(None), None);
    }
}
