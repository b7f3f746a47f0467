//! Stores initial values of const members, to which C allows no assignment, through pointers to non-const types.

use super::Lower;
use crate::diag::known;
use crate::il::{ExprId, ExprKind, StmtId};
use crate::types::{IntKind, QualType, Quals, TypeId, Types};
use upcc_grammar::ast::{BinOp, Span};

const UCHAR: TypeId = Types::int_kind(IntKind::UChar);

/// The position of a bit-field in memory: the first bit, counted from the start of the record, and the width.
struct BitRange {
    record: ExprId,
    first: u64,
    width: u64,
}

impl Lower<'_> {
    /// True for a member that is const, or part of a const member. Objects into which values are stored are declared
    /// without const.
    pub(super) fn is_const_member(&self, place: ExprId) -> bool {
        let mut at = place;
        loop {
            let kind = self.body.expr(at).kind;
            if let ExprKind::Field(record, index) = kind {
                let ty = self.field(record, index).ty;
                if self.types.ultimate(ty).quals.has(Quals::CONST) {
                    return true;
                }
                at = record;
            } else if let ExprKind::Deref(inner)
            | ExprKind::Decay(inner)
            | ExprKind::PtrAdd { ptr: inner, .. } = kind
            {
                at = inner;
            } else {
                return false;
            }
        }
    }

    /// True for a bit-field.
    pub(super) fn is_bit_field(&self, place: ExprId) -> bool {
        let ExprKind::Field(record, index) = self.body.expr(place).kind else {
            return false;
        };
        self.field(record, index).bits.is_some()
    }

    /// Returns a private place that is not a bit-field as an assignable one: `*(T *)&place` if it is const. Accesses to
    /// shared places do not name const.
    pub(super) fn assignable(&mut self, place: ExprId, span: Span) -> ExprId {
        let ty = self.ty_of(place);
        if self.types.is_shared(ty) || !self.is_const_member(place) {
            return place;
        }
        let value_ty = self.value_type(ty);
        let pointer = self.cast_address(place, value_ty, span);
        self.push(ExprKind::Deref(pointer), value_ty, span)
    }

    /// Builds `(to *)&place`.
    pub(super) fn cast_address(&mut self, place: ExprId, to: QualType, span: Span) -> ExprId {
        let from = self.ty_of(place);
        let from = QualType::plain(self.types.pointer_to(from));
        let to = QualType::plain(self.types.pointer_to(to));
        let value = self.push(ExprKind::AddrOf(place), from, span);
        let kind = ExprKind::Cast {
            value,
            implicit: false,
        };
        self.push(kind, to, span)
    }

    /// Stores the value of a const bit-field, byte by byte.
    pub(super) fn store_const_bits(&mut self, place: ExprId, value: ExprId, span: Span) -> StmtId {
        let BitRange {
            record,
            first,
            width,
        } = known(self.bit_range(place), span, "a bit-field without a width");
        let wide = match width > 64 {
            true => IntKind::UInt128,
            false => IntKind::ULong,
        };
        let wide = QualType::plain(Types::int_kind(wide));
        let value_ty = self.value_type(self.ty_of(place));
        let value = self.implicit_cast(value, value_ty, span);
        let value = self.implicit_cast(value, wide, span);
        let value = self.value(value);
        let (bits, decl) = self.temp(value, wide, span);
        let bytes = self.bytes(record, span);
        let mut items = vec![decl];
        for at in first / 8..=(first + width - 1) / 8 {
            let index = self.int(at as i64, span);
            let byte = self.element(bytes, index, span);
            let old = self.push(ExprKind::Load(byte), QualType::plain(UCHAR), span);
            let old = self.implicit_cast(old, wide, span);
            let (from, to) = (first.max(8 * at), (first + width).min(8 * at + 8));
            let mask = ((1i64 << (to - from)) - 1) << (from - 8 * at);
            let value = self.body.load_local(bits, span);
            let (op, by) = match 8 * at >= first {
                true => (BinOp::Shr, 8 * at - first),
                false => (BinOp::Shl, first - 8 * at),
            };
            let moved = self.with_int(op, value, by as i64, wide, span);
            let new = self.with_int(BinOp::BitAnd, moved, mask, wide, span);
            let kept = self.with_int(BinOp::BitAnd, old, 0xff & !mask, wide, span);
            let both = self.push(ExprKind::Binary(BinOp::BitOr, kept, new), wide, span);
            let both = self.implicit_cast(both, QualType::plain(UCHAR), span);
            items.push(self.store(byte, both, QualType::plain(UCHAR), span));
        }
        self.body.compound(items, span)
    }

    /// Stores the value of a record with const members: copies the bytes of a variable that holds it.
    pub(super) fn store_const_record(
        &mut self,
        place: ExprId,
        value: ExprId,
        span: Span,
    ) -> StmtId {
        let ty = self.value_type(self.ty_of(place));
        let size = known(self.types.fixed_size(ty), span, "a record of unknown size");
        let value = self.value(value);
        let (whole, decl) = self.temp(value, ty, span);
        let whole = self.push(ExprKind::Local(whole), ty, span);
        let from = self.bytes(whole, span);
        let to = self.bytes(place, span);
        let copy = self.counted_loop(size, span, |lower, i, inner| {
            let uchar = QualType::plain(UCHAR);
            let byte = lower.element(from, i, span);
            let byte = lower.push(ExprKind::Load(byte), uchar, span);
            let place = lower.element(to, i, span);
            inner.push(lower.store(place, byte, uchar, span));
        });
        self.body.compound(vec![decl, copy], span)
    }

    /// Stores zeros in the bytes of a place.
    pub(super) fn store_zeros(&mut self, place: ExprId, span: Span) -> StmtId {
        let size = self.types.fixed_size(self.ty_of(place));
        let size = size.unwrap_or(self.flexible_bytes);
        let to = self.bytes(place, span);
        self.counted_loop(size, span, |lower, i, inner| {
            let uchar = QualType::plain(UCHAR);
            let zero = lower.int(0, span);
            let zero = lower.implicit_cast(zero, uchar, span);
            let place = lower.element(to, i, span);
            inner.push(lower.store(place, zero, uchar, span));
        })
    }

    /// The address of a place's first byte.
    fn bytes(&mut self, place: ExprId, span: Span) -> ExprId {
        let mut byte_ty = QualType::plain(UCHAR);
        if self.types.is_shared(self.ty_of(place)) {
            byte_ty = self.types.qualify(byte_ty, Quals::SHARED, 0);
        }
        self.cast_address(place, byte_ty, span)
    }

    /// Builds `ptr[index]`.
    fn element(&mut self, ptr: ExprId, index: ExprId, span: Span) -> ExprId {
        let pointer = self.ty_of(ptr);
        let kind = ExprKind::PtrAdd {
            ptr,
            index,
            negate: false,
        };
        let at = self.push(kind, pointer, span);
        let elem = known(self.types.pointee(pointer), span, "elements of no pointer");
        self.push(ExprKind::Deref(at), elem, span)
    }

    /// Builds `a op n`.
    fn with_int(&mut self, op: BinOp, a: ExprId, n: i64, ty: QualType, span: Span) -> ExprId {
        let n = self.int(n, span);
        // The operands of a shift keep their own types.
        let shift = matches!(op, BinOp::Shl | BinOp::Shr);
        let n = if shift {
            n
        } else {
            self.implicit_cast(n, ty, span)
        };
        self.push(ExprKind::Binary(op, a, n), ty, span)
    }

    /// The position of a bit-field in the innermost enclosing record that is a named member.
    fn bit_range(&self, place: ExprId) -> Option<BitRange> {
        let ExprKind::Field(mut record, index) = self.body.expr(place).kind else {
            return None;
        };
        let field = self.field(record, index);
        let width = u64::from(field.bits?);
        let mut first = 8 * field.offset + u64::from(field.bit_offset);
        while let ExprKind::Field(outer, index) = self.body.expr(record).kind {
            let member = self.field(outer, index);
            if member.name.is_some() {
                break;
            }
            first += 8 * member.offset;
            record = outer;
        }
        Some(BitRange {
            record,
            first,
            width,
        })
    }
}
