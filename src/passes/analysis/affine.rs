//! Affine expressions: by how much an index or a pointer-to-shared moves when a loop variable grows by one.

use super::effects::Effects;
use super::loops::invariant;
use super::refs::{int_value, ultimate_elements};
use super::stride::Stride;
use crate::il::{Body, Expr, ExprId, ExprKind, LocalId, Module, UnOp};
use hashbrown::HashMap;
use upcc_grammar::ast::BinOp;

/// The loop in which strides are computed.
#[derive(Clone, Copy)]
pub struct Affine<'a> {
    pub module: &'a Module,
    pub body: &'a Body,
    /// The loop variable.
    pub var: LocalId,
    /// The effects of the loop's body.
    pub effects: &'a Effects,
    /// Variables that each iteration sets once before it uses them, each with its value.
    pub derived: &'a HashMap<LocalId, ExprId>,
    /// Variables that walk along with the loop variable, each with its change when that grows by one.
    pub walkers: &'a HashMap<LocalId, Stride>,
}

impl Affine<'_> {
    /// The change of an integer. `None`: it is not affine in the loop variable.
    pub fn index(&self, index: ExprId) -> Option<Stride> {
        let kind = self.body.expr(index).kind;
        if let ExprKind::Load(place) = kind
            && let ExprKind::Local(local) = self.body.expr(place).kind
        {
            if local == self.var {
                return Some(Stride::Constant(1));
            }
            if let Some(&value) = self.derived.get(&local) {
                return self.index(value);
            }
            if let Some(&stride) = self.walkers.get(&local) {
                return self.may_walk(local).then_some(stride);
            }
        }
        if let Some((local, stride)) = self.step_within(index) {
            return self.may_walk(local).then_some(stride);
        }
        if invariant(self.module, self.body, index, self.var, self.effects) {
            return Some(Stride::ZERO);
        }
        if let ExprKind::Cast { value, .. } = kind {
            return self.keeps_value(value, index).then(|| self.index(value))?;
        }
        // `var + 1` of an unsigned type below 64 bits may wrap around.
        let int = self.module.types.int_kind_of(self.body.expr(index).ty)?;
        if !int.is_signed() && int.size() < 8 {
            return None;
        }
        if let ExprKind::Binary(op, a, b) = kind {
            return self.binary(op, a, b);
        }
        if let ExprKind::Unary(op, value) = kind {
            return match op {
                UnOp::Plus => self.index(value),
                UnOp::Neg => self.index(value)?.times(-1),
                UnOp::BitNot | UnOp::Not | UnOp::Real | UnOp::Imag => None,
            };
        }
        None
    }

    /// The walker that an expression steps, such as `p++` in `*p++`, and its change.
    fn step_within(&self, e: ExprId) -> Option<(LocalId, Stride)> {
        let ExprKind::IncDec { place, .. } = self.body.expr(e).kind else {
            return None;
        };
        let ExprKind::Local(local) = self.body.expr(place).kind else {
            return None;
        };
        Some((local, *self.walkers.get(&local)?))
    }

    /// True for an integer that does not wrap around below 64 bits.
    fn may_walk(&self, local: LocalId) -> bool {
        let kind = self.module.types.int_kind_of(self.body.local(local).ty);
        kind.is_some_and(|kind| kind.is_signed() || kind.size() == 8)
    }

    fn binary(&self, op: BinOp, a: ExprId, b: ExprId) -> Option<Stride> {
        use BinOp::*;
        match op {
            Add => self.index(a)?.plus(self.index(b)?),
            Sub => self.index(a)?.plus(self.index(b)?.times(-1)?),
            Mul => match (self.factor(a), self.factor(b)) {
                (Some(n), _) => self.index(b)?.scaled(n),
                (None, Some(n)) => self.index(a)?.scaled(n),
                (None, None) => None,
            },
            Shl => {
                let by = int_value(&self.module.types, self.body, b)?;
                let by = u32::try_from(by).ok().filter(|by| *by < 32)?;
                self.index(a)?.times(1 << by)
            }
            Div | Rem | Shr | Lt | Gt | Le | Ge | Eq | Ne | BitAnd | BitXor | BitOr | And | Or => {
                None
            }
        }
    }

    /// A constant, or THREADS.
    fn factor(&self, e: ExprId) -> Option<Stride> {
        if let Some(n) = int_value(&self.module.types, self.body, e) {
            return Some(Stride::Constant(n));
        }
        let kind = self.body.expr(e).kind;
        if let ExprKind::Cast { value, .. } = kind {
            return self.keeps_value(value, e).then(|| self.factor(value))?;
        }
        matches!(kind, ExprKind::Threads).then_some(Stride::Threads(1))
    }

    /// True if a conversion of an affine integer keeps its value, or does so modulo 2^64.
    pub(super) fn keeps_value(&self, value: ExprId, cast: ExprId) -> bool {
        let Expr { kind, span, .. } = self.body.expr(cast);
        // A pass made it for a value of the user's variable, which that can represent.
        let made = matches!(
            kind,
            ExprKind::Cast {
                implicit: false,
                ..
            }
        ) && span.lo >= span.hi;
        if made && self.module.types.is_integer(self.body.expr(value).ty) {
            return true;
        }
        let kind_of = |e| self.module.types.int_kind_of(self.body.expr(e).ty);
        let (Some(from), Some(to)) = (kind_of(value), kind_of(cast)) else {
            return false;
        };
        let wide = from.size() == 8 && to.size() == 8;
        let same_sign = from.is_signed() == to.is_signed();
        // A negative value becomes a large one of the wider type: the same modulo 2^64.
        let widens = to.size() > from.size() && (to.is_signed() || same_sign || to.size() == 8);
        wide || widens || (to.size() == from.size() && same_sign)
    }

    /// The number of ultimate elements by which a pointer-to-shared moves.
    pub fn pointer(&self, pointer: ExprId) -> Option<Stride> {
        let types = &self.module.types;
        let kind = self.body.expr(pointer).kind;
        if let ExprKind::PtrAdd { ptr, index, negate } = kind {
            let row = ultimate_elements(types, types.pointee(self.body.expr(pointer).ty)?)?;
            let by = self.index(index)?.times(i64::try_from(row).ok()?)?;
            let by = if negate { by.times(-1)? } else { by };
            return self.pointer(ptr)?.plus(by);
        }
        if let ExprKind::Decay(array) = kind {
            return self.place(array);
        }
        let walks = if let ExprKind::Load(place) = kind
            && let ExprKind::Local(local) = self.body.expr(place).kind
        {
            match local == self.var {
                true => Some(Stride::Constant(1)),
                false => self.walkers.get(&local).copied(),
            }
        } else {
            self.step_within(pointer).map(|(_, stride)| stride)
        };
        if let Some(stride) = walks {
            let row = ultimate_elements(types, types.pointee(self.body.expr(pointer).ty)?)?;
            return stride.times(i64::try_from(row).ok()?);
        }
        if let ExprKind::Load(_) = kind {
            let same = invariant(self.module, self.body, pointer, self.var, self.effects);
            return same.then_some(Stride::ZERO);
        }
        None
    }

    /// The number of ultimate elements by which a place moves. A member moves only if its record stays.
    pub fn place(&self, place: ExprId) -> Option<Stride> {
        let kind = self.body.expr(place).kind;
        if let ExprKind::Object(_) = kind {
            Some(Stride::ZERO)
        } else if let ExprKind::Deref(pointer) = kind {
            self.pointer(pointer)
        } else if let ExprKind::Field(record, _) = kind {
            self.place(record).filter(|stride| *stride == Stride::ZERO)
        } else {
            None
        }
    }
}
