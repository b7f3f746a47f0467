//! Lowers updates: `place op= value`, `place++` and `place--` whose value is not used. Where the memory is not mapped, a get
//! and a put would make the thread wait for an answer. Instead the change travels like a put, and the thread that the
//! place has affinity to makes it. docs/memory-model.md says why a relaxed access may be performed so.

use super::Lower;
use crate::il::operations::{Direction, Update};
use crate::il::{Expr, ExprFlags, ExprId};
use crate::types::{FloatKind, IntKind, QualType, Quals, Type, TypeId, Types};
use upcc_grammar::ast::BinOp;

/// What an update does with the number at its place.
#[derive(Clone, Copy)]
pub(super) struct Change {
    update: Update,
    operand: Operand,
    /// The type as which the number is updated.
    ty: QualType,
}

#[derive(Clone, Copy)]
enum Operand {
    One,
    Value(ExprId),
}

impl Lower<'_> {
    /// The change that `place op= value` makes, if it can be an update. `compute`: the type in which C computes.
    pub(super) fn change_of_assign_op(
        &self,
        op: BinOp,
        place: ExprId,
        value: ExprId,
        compute: TypeId,
        flags: ExprFlags,
    ) -> Option<Change> {
        let update = match op {
            BinOp::Add => Update::Add,
            BinOp::Sub => Update::Sub,
            BinOp::BitAnd => Update::And,
            BinOp::BitOr => Update::Or,
            BinOp::BitXor => Update::Xor,
            BinOp::Mul | BinOp::Div | BinOp::Rem | BinOp::Shl | BinOp::Shr => return None,
            BinOp::Lt | BinOp::Gt | BinOp::Le | BinOp::Ge | BinOp::Eq | BinOp::Ne => return None,
            BinOp::And | BinOp::Or => return None,
        };
        let ty = self.type_of_update(place, flags)?;
        let compute = QualType::plain(compute);
        // The low bits of an integer do not depend on the type in which C computes. A floating sum does.
        let fits = match self.types.is_integer(ty) {
            true => self.types.is_integer(compute),
            false => self.types.canon_qt(compute) == self.types.canon_qt(ty),
        };
        fits.then_some(Change {
            update,
            operand: Operand::Value(value),
            ty,
        })
    }

    /// The change that `place++` or, if `dec`, `place--` makes, if it can be an update.
    pub(super) fn change_by_one(
        &self,
        place: ExprId,
        dec: bool,
        flags: ExprFlags,
    ) -> Option<Change> {
        Some(Change {
            update: if dec { Update::Sub } else { Update::Add },
            operand: Operand::One,
            ty: self.type_of_update(place, flags)?,
        })
    }

    /// The type as which the target updates a place; None if a get and a put have to do it: strict and volatile objects, bit-fields, places that
    /// may lack their alignment, and types without updates.
    fn type_of_update(&self, place: ExprId, flags: ExprFlags) -> Option<QualType> {
        let ty = self.ty_of(place);
        let events = [ExprFlags::INSTRUMENT_GET, ExprFlags::INSTRUMENT_PUT].map(|it| flags.has(it));
        let is_plain = self.updates
            && self.types.is_shared(ty)
            && !flags.has(ExprFlags::STRICT)
            && !ty.quals.has(Quals::VOLATILE)
            && !ty.quals.has(Quals::ATOMIC)
            && events[0] == events[1];
        if !is_plain || self.is_bit_field(place) {
            return None;
        }
        let updated = if let Some(kind) = self.types.int_kind_of(ty) {
            Types::int_kind(unsigned(kind)?)
        } else if let Type::Float(kind @ (FloatKind::Float | FloatKind::Double)) =
            *self.types.kind(ty)
        {
            Types::float_kind(kind)
        } else {
            return None;
        };
        let is_aligned = self.alignment(place) >= self.types.required_align(ty);
        is_aligned.then_some(QualType::plain(updated))
    }

    /// Lowers an update.
    pub(super) fn update(&mut self, id: ExprId, place: ExprId, change: Change) -> ExprId {
        let Expr { span, flags, .. } = *self.body.expr(id);
        let at = self.body.expr(place).span;
        let access = self.access(place, flags, span);
        let operand = match change.operand {
            Operand::One => self.int(1, span),
            Operand::Value(value) => self.value(value),
        };
        let operand = self.implicit_cast(operand, change.ty, span);
        self.updated.push(at);
        self.access_as(
            Direction::Update(change.update),
            access,
            change.ty,
            operand,
            span,
        )
    }
}

/// The unsigned type of the same size, if integers of this kind have updates: the sum of two `_Bool` has rules of its own.
fn unsigned(kind: IntKind) -> Option<IntKind> {
    (kind != IntKind::Bool && kind.size() <= 8).then_some(kind.to_unsigned())
}
