//! Residues: what is known of an index or of an element's position modulo a number, where its terms are unknown.

use super::affine::Affine;
use super::refs::{int_value, ultimate_elements};
use super::stride::Stride;
use crate::il::{ExprId, ExprKind, UnOp};
use upcc_grammar::ast::BinOp;

/// The integers `value + n * modulus`; with modulus 0, the one integer `value`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Residue {
    pub value: i64,
    /// Not negative.
    pub modulus: i64,
}

impl Residue {
    /// Every integer.
    const UNKNOWN: Residue = Residue {
        value: 0,
        modulus: 1,
    };

    fn constant(value: i64) -> Residue {
        Residue { value, modulus: 0 }
    }

    fn plus(self, other: Residue) -> Option<Residue> {
        Some(Residue {
            value: self.value.checked_add(other.value)?,
            modulus: gcd(self.modulus, other.modulus),
        })
    }

    fn times(self, other: Residue) -> Option<Residue> {
        let (a, b) = (self, other);
        let mixed = gcd(
            a.value.checked_mul(b.modulus)?.checked_abs()?,
            b.value.checked_mul(a.modulus)?.checked_abs()?,
        );
        Some(Residue {
            value: a.value.checked_mul(b.value)?,
            modulus: gcd(mixed, a.modulus.checked_mul(b.modulus)?),
        })
    }

    fn negated(self) -> Option<Residue> {
        Some(Residue {
            value: self.value.checked_neg()?,
            ..self
        })
    }

    /// If the numbers from `low` to `high` after each of these integers lie in one block, with no multiple of the block size
    /// between two of them: how many numbers before and after them do so certainly, too.
    pub fn room_in_block(self, block: i64, low: i64, high: i64) -> Option<(i64, i64)> {
        let unit = gcd(self.modulus, block);
        let (low, high) = (self.value.checked_add(low)?, self.value.checked_add(high)?);
        let stays = unit > 0 && low.div_euclid(unit) == high.div_euclid(unit);
        stays.then(|| (low.rem_euclid(unit), unit - 1 - high.rem_euclid(unit)))
    }
}

fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// These functions take the loop variable for 0: its part is the stride times its value.
impl Affine<'_> {
    /// What is known of an affine integer.
    fn index_residue(&self, index: ExprId) -> Option<Residue> {
        let types = &self.module.types;
        if let Some(n) = int_value(types, self.body, index) {
            return Some(Residue::constant(n));
        }
        let kind = self.body.expr(index).kind;
        if let ExprKind::Load(place) = kind
            && let ExprKind::Local(local) = self.body.expr(place).kind
        {
            if local == self.var {
                return Some(Residue::constant(0));
            }
            if let Some(&value) = self.derived.get(&local) {
                return self.index_residue(value);
            }
        }
        if let ExprKind::Threads = kind {
            let threads = self.module.static_threads;
            return Some(threads.map_or(Residue::UNKNOWN, |n| Residue::constant(i64::from(n))));
        }
        // Other arithmetic is modulo a power of two.
        let signed = types.int_kind_of(self.body.expr(index).ty)?.is_signed();
        let known = signed.then(|| self.residue_by_form(index)).flatten();
        // The residue of an index that moves is known by its form only.
        match known {
            Some(known) => Some(known),
            None => (self.index(index)? == Stride::ZERO).then_some(Residue::UNKNOWN),
        }
    }

    /// What is known of a sum, a product or a conversion in a signed type.
    fn residue_by_form(&self, index: ExprId) -> Option<Residue> {
        let kind = self.body.expr(index).kind;
        if let ExprKind::Cast { value, .. } = kind {
            let from = self.module.types.int_kind_of(self.body.expr(value).ty)?;
            let is_var = matches!(self.body.expr(value).kind, ExprKind::Load(place)
                if matches!(self.body.expr(place).kind, ExprKind::Local(l) if l == self.var));
            // The values of a loop variable are constants that both types can represent.
            return (self.keeps_value(value, index) && (from.is_signed() || is_var))
                .then(|| self.index_residue(value))
                .flatten();
        }
        if let ExprKind::Unary(op, value) = kind {
            return match op {
                UnOp::Plus => self.index_residue(value),
                UnOp::Neg => self.index_residue(value)?.negated(),
                UnOp::BitNot | UnOp::Not | UnOp::Real | UnOp::Imag => None,
            };
        }
        let ExprKind::Binary(op, a, b) = kind else {
            return None;
        };
        let (a, b) = (|| self.index_residue(a), || self.index_residue(b));
        if op == BinOp::Add {
            a()?.plus(b()?)
        } else if op == BinOp::Sub {
            a()?.plus(b()?.negated()?)
        } else if op == BinOp::Mul {
            a()?.times(b()?)
        } else {
            None
        }
    }

    /// What is known of a place's position in a declared shared array, in ultimate elements from its start, which begins
    /// a block.
    pub fn position(&self, place: ExprId) -> Option<Residue> {
        let kind = self.body.expr(place).kind;
        if let ExprKind::Object(_) = kind {
            return Some(Residue::constant(0));
        }
        let ExprKind::Deref(pointer) = kind else {
            return None;
        };
        self.target(pointer)
    }

    /// The same for the element to which a pointer leads.
    pub fn target(&self, mut pointer: ExprId) -> Option<Residue> {
        let types = &self.module.types;
        let mut sum = Residue::constant(0);
        while let ExprKind::PtrAdd { ptr, index, negate } = self.body.expr(pointer).kind {
            let row = ultimate_elements(types, types.pointee(self.body.expr(pointer).ty)?)?;
            let row = Residue::constant(i64::try_from(row).ok()?);
            let by = self.index_residue(index)?.times(row)?;
            sum = sum.plus(if negate { by.negated()? } else { by })?;
            pointer = ptr;
        }
        let ExprKind::Decay(array) = self.body.expr(pointer).kind else {
            return None;
        };
        self.position(array)?.plus(sum)
    }
}

#[cfg(test)]
mod tests {
    use super::Residue;

    /// `value + n * modulus` for some n.
    fn members(of: Residue) -> impl Iterator<Item = i64> {
        (-40..=40).map(move |n| of.value + n * of.modulus)
    }

    fn contains(of: Residue, n: i64) -> bool {
        match of.modulus {
            0 => n == of.value,
            modulus => (n - of.value) % modulus == 0,
        }
    }

    fn small() -> impl Iterator<Item = Residue> {
        let values = (-5..=5).flat_map(|value| (0..=6).map(move |modulus| (value, modulus)));
        values.map(|(value, modulus)| Residue { value, modulus })
    }

    #[test]
    fn sums_and_products_contain_those_of_members() {
        for a in small() {
            for b in small() {
                let (sum, product) = (a.plus(b).unwrap(), a.times(b).unwrap());
                for x in members(a).step_by(9) {
                    for y in members(b).step_by(7) {
                        assert!(contains(sum, x + y), "{a:?} + {b:?}");
                        assert!(contains(product, x * y), "{a:?} * {b:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn blocks_are_those_of_all_members() {
        for a in small() {
            for block in 1..=12 {
                for (low, high) in [(0, 0), (0, 2), (-3, 1), (-4, 7)] {
                    let Some((before, after)) = a.room_in_block(block, low, high) else {
                        continue;
                    };
                    let (low, high) = (low - before, high + after);
                    let crosses =
                        |x: i64| (x + low).div_euclid(block) != (x + high).div_euclid(block);
                    assert!(
                        !members(a).any(crosses),
                        "{a:?} in {block}: {low} to {high}"
                    );
                }
            }
        }
    }
}
