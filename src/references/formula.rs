//! Formulas in the parameters of a program: sums of products of names with whole exponents, such as `N^2*THREADS^-1 - N`.
//!
//! A division is taken as exact: `N/THREADS` is how many of N elements a thread has on average.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// The exponents of names in a product.
type Powers = BTreeMap<String, i32>;

/// A formula.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Formula {
    terms: Vec<Term>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct Term {
    /// The factor: numerator and denominator, which is positive, without a common divisor.
    factor: (i64, i64),
    powers: Powers,
}

impl Formula {
    /// A number.
    pub fn number(n: i64) -> Formula {
        Formula::of(BTreeMap::from([(Powers::new(), (n, 1))]))
    }

    /// A parameter.
    pub fn name(name: &str) -> Formula {
        let powers = Powers::from([(name.to_owned(), 1)]);
        Formula::of(BTreeMap::from([(powers, (1, 1))]))
    }

    fn of(terms: BTreeMap<Powers, (i64, i64)>) -> Formula {
        let terms = terms.into_iter().filter(|(_, (n, _))| *n != 0);
        let mut terms: Vec<Term> = terms
            .map(|(powers, factor)| Term { factor, powers })
            .collect();
        // The highest powers come first.
        let degree = |term: &Term| {
            term.powers
                .values()
                .filter(|power| **power > 0)
                .sum::<i32>()
        };
        terms.sort_by_key(|term| std::cmp::Reverse(degree(term)));
        Formula { terms }
    }

    /// The number that it is, if it has no names.
    pub fn value(&self) -> Option<(i64, i64)> {
        match &self.terms[..] {
            [] => Some((0, 1)),
            [only] => only.powers.is_empty().then_some(only.factor),
            _ => None,
        }
    }

    /// The sum. `None`: a factor is too large.
    pub fn plus(&self, other: &Formula) -> Option<Formula> {
        let mut sum: BTreeMap<Powers, (i64, i64)> = BTreeMap::new();
        for term in self.terms.iter().chain(&other.terms) {
            let at = sum.entry(term.powers.clone()).or_insert((0, 1));
            let ((a, b), (c, d)) = (*at, term.factor);
            let top = a.checked_mul(d)?.checked_add(c.checked_mul(b)?)?;
            *at = reduced(top, b.checked_mul(d)?)?;
        }
        Some(Formula::of(sum))
    }

    /// The difference.
    pub fn minus(&self, other: &Formula) -> Option<Formula> {
        self.plus(&other.times(&Formula::number(-1))?)
    }

    /// The product.
    pub fn times(&self, other: &Formula) -> Option<Formula> {
        let mut product = Formula::default();
        for a in &self.terms {
            for b in &other.terms {
                let (top, bottom) = (
                    a.factor.0.checked_mul(b.factor.0)?,
                    a.factor.1.checked_mul(b.factor.1)?,
                );
                let mut powers = a.powers.clone();
                for (name, power) in &b.powers {
                    *powers.entry(name.clone()).or_default() += power;
                }
                powers.retain(|_, power| *power != 0);
                let term = BTreeMap::from([(powers, reduced(top, bottom)?)]);
                product = product.plus(&Formula::of(term))?;
            }
        }
        Some(product)
    }

    /// The quotient. `None`: the divisor is 0, or a sum.
    pub fn over(&self, other: &Formula) -> Option<Formula> {
        let [divisor] = &other.terms[..] else {
            return None;
        };
        let (top, bottom) = divisor.factor;
        let sign = top.signum();
        let inverse = Term {
            factor: (bottom.checked_mul(sign)?, top.checked_mul(sign)?),
            powers: divisor
                .powers
                .iter()
                .map(|(name, power)| (name.clone(), -power))
                .collect(),
        };
        self.times(&Formula {
            terms: vec![inverse],
        })
    }

    /// The names in it.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let all = self.terms.iter().flat_map(|term| term.powers.keys());
        all.map(String::as_str)
    }

    /// Its value if names have these values.
    pub fn evaluate(&self, value: &impl Fn(&str) -> f64) -> f64 {
        let of_term = |term: &Term| {
            let factor = term.factor.0 as f64 / term.factor.1 as f64;
            let powers = term.powers.iter();
            factor
                * powers
                    .map(|(name, power)| value(name).powi(*power))
                    .product::<f64>()
        };
        self.terms.iter().map(of_term).sum()
    }
}

/// A fraction without common divisors.
fn reduced(top: i64, bottom: i64) -> Option<(i64, i64)> {
    let (mut a, mut b) = (top.checked_abs()?, bottom.checked_abs()?);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    let a = a.max(1);
    Some((top / a, bottom / a))
}

impl fmt::Display for Formula {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.terms.is_empty() {
            return write!(to, "0");
        }
        for (at, term) in self.terms.iter().enumerate() {
            let (top, bottom) = term.factor;
            match (at, top < 0) {
                (0, false) => {}
                (0, true) => write!(to, "-")?,
                (_, false) => write!(to, " + ")?,
                (_, true) => write!(to, " - ")?,
            }
            let names = |sign: i32| {
                let of_sign = term.powers.iter().filter(move |(_, p)| p.signum() == sign);
                of_sign.map(|(name, power)| {
                    let name = match name.contains(' ') {
                        true => format!("({name})"),
                        false => name.clone(),
                    };
                    match power.abs() {
                        1 => name,
                        n => format!("{name}^{n}"),
                    }
                })
            };
            let top = top.unsigned_abs();
            let mut above: Vec<String> = names(1).collect();
            if top != 1 || above.is_empty() {
                above.insert(0, top.to_string());
            }
            write!(to, "{}", above.join("*"))?;
            let number = (bottom != 1).then(|| bottom.to_string());
            for below in number.into_iter().chain(names(-1)) {
                write!(to, "/{below}")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::Formula;

    fn n() -> Formula {
        Formula::name("N")
    }

    fn threads() -> Formula {
        Formula::name("THREADS")
    }

    #[test]
    fn arithmetic() {
        // (N - 2) * (N - 2) / THREADS
        let inner = n().minus(&Formula::number(2)).unwrap();
        let all = inner.times(&inner).unwrap().over(&threads()).unwrap();
        assert_eq!(all.to_string(), "N^2/THREADS - 4*N/THREADS + 4/THREADS");
        let value = |name: &str| if name == "N" { 10.0 } else { 4.0 };
        assert_eq!(all.evaluate(&value), 16.0);
        assert_eq!(n().minus(&n()).unwrap().to_string(), "0");
        let half = n().over(&Formula::number(-2)).unwrap();
        assert_eq!(half.to_string(), "-N/2");
        assert_eq!(half.plus(&half).unwrap().to_string(), "-N");
        assert_eq!(n().over(&inner), None);
        assert_eq!(n().over(&Formula::default()), None);
        assert_eq!(Formula::number(i64::MAX).plus(&Formula::number(1)), None);
    }

    #[test]
    fn a_name_of_both_signs_vanishes() {
        let per = n().over(&threads()).unwrap();
        assert_eq!(per.times(&threads()).unwrap(), n());
    }
}
