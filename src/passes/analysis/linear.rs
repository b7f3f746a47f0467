//! Linear forms: where an element is in its array, as a constant and multiples of terms that do not change in a loop. With
//! the loop variable taken for 0, two such forms tell how far two references are apart in one iteration.

use super::affine::Affine;
use super::loops::invariant;
use super::places::same_value;
use super::refs::{int_value, ultimate_elements};
use crate::il::{Body, ExprId, ExprKind, LocalId, ObjectId, UnOp};
use upcc_grammar::ast::BinOp;

/// `constant + sum of factor * term`
#[derive(Clone, Debug, Default)]
pub struct Linear {
    constant: i64,
    /// No factor is 0, and no two terms are the same value.
    terms: Vec<(ExprId, i64)>,
}

impl Linear {
    fn constant(constant: i64) -> Linear {
        Linear {
            constant,
            terms: Vec::new(),
        }
    }

    fn term(e: ExprId) -> Linear {
        Linear {
            constant: 0,
            terms: vec![(e, 1)],
        }
    }

    fn plus(mut self, body: &Body, other: &Linear) -> Option<Linear> {
        self.constant = self.constant.checked_add(other.constant)?;
        for &(term, factor) in &other.terms {
            match self
                .terms
                .iter_mut()
                .find(|(it, _)| same_value(body, *it, term))
            {
                Some((_, sum)) => *sum = sum.checked_add(factor)?,
                None => self.terms.push((term, factor)),
            }
        }
        self.terms.retain(|&(_, factor)| factor != 0);
        Some(self)
    }

    fn times(mut self, by: i64) -> Option<Linear> {
        if by == 0 {
            return Some(Linear::default());
        }
        self.constant = self.constant.checked_mul(by)?;
        for (_, factor) in &mut self.terms {
            *factor = factor.checked_mul(by)?;
        }
        Some(self)
    }

    /// The constant that it is, if it has no terms.
    fn value(&self) -> Option<i64> {
        self.terms.is_empty().then_some(self.constant)
    }
}

/// The start of what a place is in.
#[derive(Clone, Copy, Debug)]
enum Base {
    Object(ObjectId),
    /// A pointer-to-shared that does not change in the loop, but for its steps.
    Pointer(ExprId),
}

/// Where a place is.
#[derive(Clone, Debug)]
pub struct Position {
    base: Base,
    /// In ultimate elements from the start.
    offset: Linear,
}

/// How two positions relate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Relation {
    /// They are in different declared arrays.
    Distinct,
    /// The second is this many elements after the first.
    After(i64),
    Unknown,
}

impl Position {
    /// How `other` relates to this position in the same iteration.
    pub fn relation(&self, body: &Body, other: &Position) -> Relation {
        if let (Base::Object(a), Base::Object(b)) = (self.base, other.base)
            && a != b
        {
            return Relation::Distinct;
        }
        self.up_to(body, other)
            .and_then(|it| it.value())
            .map_or(Relation::Unknown, Relation::After)
    }

    /// How many elements after this position `other` is in the same iteration, if that depends on one variable: a
    /// constant, the variable, and its factor.
    pub fn varies(&self, body: &Body, other: &Position) -> Option<(i64, LocalId, i64)> {
        let apart = self.up_to(body, other)?;
        let [(term, factor)] = apart.terms[..] else {
            return None;
        };
        let ExprKind::Load(place) = body.expr(term).kind else {
            return None;
        };
        if let ExprKind::Local(local) = body.expr(place).kind {
            Some((apart.constant, local, factor))
        } else {
            None
        }
    }

    /// True for the first element of a declared array, with the loop variable taken for 0.
    pub fn is_start(&self) -> bool {
        matches!(self.base, Base::Object(_)) && self.offset.value() == Some(0)
    }

    /// For an element of a declared array in a block whose number is a term, or after its start: that term, and the number of
    /// elements from the start of the block.
    pub fn in_numbered_block(&self, block: i64) -> Option<(ExprId, i64)> {
        let [(term, factor)] = self.offset.terms[..] else {
            return None;
        };
        let is_block = matches!(self.base, Base::Object(_)) && factor == block;
        is_block.then_some((term, self.offset.constant))
    }

    /// The same position in another declared array than this one, if `other` is in one: arrays of the same block size are
    /// divided among the threads alike.
    pub fn moved_to(&self, other: &Position) -> Option<Position> {
        let is_object = |it: &Position| matches!(it.base, Base::Object(_));
        let moved = || Position {
            base: other.base,
            offset: self.offset.clone(),
        };
        (is_object(self) && is_object(other)).then(moved)
    }

    /// The elements from this position to `other` in the same iteration, if both have the same base.
    fn up_to(&self, body: &Body, other: &Position) -> Option<Linear> {
        let same = match (self.base, other.base) {
            (Base::Object(a), Base::Object(b)) => a == b,
            (Base::Pointer(a), Base::Pointer(b)) => same_value(body, a, b),
            (Base::Pointer(_), Base::Object(_)) | (Base::Object(_), Base::Pointer(_)) => false,
        };
        let offset = same.then(|| self.offset.clone().times(-1)).flatten()?;
        offset.plus(body, &other.offset)
    }
}

/// These functions take the loop variable for 0, and a walker for its value there.
impl Affine<'_> {
    /// Where an element is. `None`: it has a part that is not linear.
    pub fn locate(&self, place: ExprId) -> Option<Position> {
        let kind = self.body.expr(place).kind;
        if let ExprKind::Object(object) = kind {
            return Some(Position {
                base: Base::Object(object),
                offset: Linear::default(),
            });
        }
        if let ExprKind::Deref(pointer) = kind {
            return self.locate_target(pointer);
        }
        None
    }

    /// Where the element is to which a pointer-to-shared leads.
    pub fn locate_target(&self, pointer: ExprId) -> Option<Position> {
        let types = &self.module.types;
        let (mut pointer, mut sum) = (pointer, Linear::default());
        while let ExprKind::PtrAdd { ptr, index, negate } = self.body.expr(pointer).kind {
            let row = ultimate_elements(types, types.pointee(self.body.expr(pointer).ty)?)?;
            let row = i64::try_from(row).ok()?;
            let by = self.linear(index)?.times(if negate { -row } else { row })?;
            sum = sum.plus(self.body, &by)?;
            pointer = ptr;
        }
        let kind = self.body.expr(pointer).kind;
        if let ExprKind::Decay(array) = kind {
            let outer = self.locate(array)?;
            return Some(Position {
                base: outer.base,
                offset: outer.offset.plus(self.body, &sum)?,
            });
        }
        let ExprKind::Load(from) = kind else {
            return None;
        };
        let walks = matches!(self.body.expr(from).kind, ExprKind::Local(local)
            if local == self.var || self.walkers.contains_key(&local));
        let stays = walks || invariant(self.module, self.body, pointer, self.var, self.effects);
        stays.then_some(Position {
            base: Base::Pointer(pointer),
            offset: sum,
        })
    }

    /// An integer.
    fn linear(&self, index: ExprId) -> Option<Linear> {
        let (types, body) = (&self.module.types, self.body);
        if let Some(n) = int_value(types, body, index) {
            return Some(Linear::constant(n));
        }
        let kind = body.expr(index).kind;
        if let ExprKind::Load(place) = kind
            && let ExprKind::Local(local) = body.expr(place).kind
        {
            if local == self.var {
                return Some(Linear::default());
            }
            if let Some(&value) = self.derived.get(&local) {
                return self.linear(value);
            }
            if self.walkers.contains_key(&local) {
                return Some(Linear::term(index));
            }
        }
        let of_parts = || {
            if let ExprKind::Cast { value, .. } = kind {
                return self
                    .keeps_value(value, index)
                    .then(|| self.linear(value))
                    .flatten();
            }
            // A narrow unsigned sum may wrap around.
            let int = types.int_kind_of(body.expr(index).ty)?;
            (int.is_signed() || int.size() == 8)
                .then(|| self.sum(kind))
                .flatten()
        };
        of_parts().or_else(|| {
            let same = invariant(self.module, body, index, self.var, self.effects);
            same.then(|| Linear::term(index))
        })
    }

    /// A sum, a difference, or a product with a constant.
    fn sum(&self, kind: ExprKind) -> Option<Linear> {
        let constant = |e| int_value(&self.module.types, self.body, e);
        if let ExprKind::Unary(UnOp::Plus, a) = kind {
            return self.linear(a);
        }
        if let ExprKind::Unary(UnOp::Neg, a) = kind {
            return self.linear(a)?.times(-1);
        }
        let ExprKind::Binary(op, a, b) = kind else {
            return None;
        };
        if op == BinOp::Add {
            self.linear(a)?.plus(self.body, &self.linear(b)?)
        } else if op == BinOp::Sub {
            let b = self.linear(b)?.times(-1)?;
            self.linear(a)?.plus(self.body, &b)
        } else if op == BinOp::Mul {
            match (constant(a), constant(b)) {
                (Some(n), _) => self.linear(b)?.times(n),
                (None, Some(n)) => self.linear(a)?.times(n),
                (None, None) => None,
            }
        } else if op == BinOp::Shl {
            let by = u32::try_from(constant(b)?).ok().filter(|by| *by < 32)?;
            self.linear(a)?.times(1 << by)
        } else {
            None
        }
    }
}
