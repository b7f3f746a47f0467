//! Lowers assignments. Every operand is evaluated once; the value is the stored value, converted to the place's type
//! (C11 6.5.16p3).

use super::Lower;
use super::pointer::Step;
use crate::il::{Expr, ExprId, ExprKind, StmtId};
use crate::types::{IntKind, QualType, Quals, TypeId, Types};
use upcc_grammar::ast::{BinOp, Span};

impl Lower<'_> {
    /// Lowers `place = value`.
    pub(super) fn assign(&mut self, id: ExprId, place: ExprId, value: ExprId) -> ExprId {
        let Expr {
            ty, span, flags, ..
        } = *self.body.expr(id);
        if !self.types.is_shared(self.ty_of(place)) {
            let place = self.value(place);
            let value = self.value(value);
            return self
                .body
                .push_expr(ExprKind::Assign { place, value }, ty, span, flags);
        }
        let access = self.access(place, flags, span);
        let value = self.value(value);
        self.put(access, value, span)
    }

    /// Lowers `place op= value`.
    pub(super) fn assign_op(
        &mut self,
        id: ExprId,
        op: BinOp,
        place: ExprId,
        value: ExprId,
        compute: TypeId,
    ) -> ExprId {
        let Expr {
            ty, span, flags, ..
        } = *self.body.expr(id);
        let place_ty = self.ty_of(place);
        let negate = op == BinOp::Sub;
        if self.types.is_shared(place_ty) {
            let access = self.access(place, flags, span);
            let (mut items, access) = self.pin(access, span);
            let old = self.get(access, span);
            let new = if self.types.is_pointer(place_ty) {
                self.stepped(old, value, negate, span)
            } else {
                let old = self.implicit_cast(old, QualType::plain(compute), span);
                let value = self.value(value);
                self.push(
                    ExprKind::Binary(op, old, value),
                    QualType::plain(compute),
                    span,
                )
            };
            let new = self.implicit_cast(new, access.ty, span);
            let result = self.put(access, new, span);
            return self.with_temps(&mut items, result, span);
        }
        if self.types.is_pts(place_ty) {
            let (mut items, place) = self.pin_private(place, span);
            let old = self.load(place, span);
            let value = self.stepped(old, value, negate, span);
            let result = self.push(
                ExprKind::Assign { place, value },
                self.value_type(place_ty),
                span,
            );
            return self.with_temps(&mut items, result, span);
        }
        let place = self.value(place);
        let value = self.value(value);
        let kind = ExprKind::AssignOp {
            op,
            place,
            value,
            compute,
        };
        self.body.push_expr(kind, ty, span, flags)
    }

    /// Lowers `++place` and its variants. `post`: the value used is the one before.
    pub(super) fn inc_dec(&mut self, id: ExprId, place: ExprId, post: bool, dec: bool) -> ExprId {
        let Expr {
            ty, span, flags, ..
        } = *self.body.expr(id);
        let place_ty = self.ty_of(place);
        if self.types.is_shared(place_ty) {
            let access = self.access(place, flags, span);
            let (mut items, access) = self.pin(access, span);
            let old = self.get(access, span);
            let (old, result) = self.remember(&mut items, old, access.ty, post, span);
            let new = self.next(old, access.ty, dec, span);
            let stored = self.put(access, new, span);
            return self.store_and_yield(&mut items, stored, result, span);
        }
        if self.types.is_pts(place_ty) {
            let (mut items, place) = self.pin_private(place, span);
            let value_ty = self.value_type(place_ty);
            let old = self.load(place, span);
            let (old, result) = self.remember(&mut items, old, value_ty, post, span);
            let value = self.next(old, value_ty, dec, span);
            let stored = self.push(ExprKind::Assign { place, value }, value_ty, span);
            return self.store_and_yield(&mut items, stored, result, span);
        }
        let place = self.value(place);
        // If its value is not used, `i++` stays as the user wrote it.
        let post = if let ExprKind::IncDec { post, .. } = self.body.expr(id).kind {
            post
        } else {
            post
        };
        let kind = ExprKind::IncDec { place, post, dec };
        self.body.push_expr(kind, ty, span, flags)
    }

    /// Saves the old value for a postfix operator. Returns the value to compute the new one from, and the value to
    /// yield.
    fn remember(
        &mut self,
        items: &mut Vec<StmtId>,
        old: ExprId,
        ty: QualType,
        post: bool,
        span: Span,
    ) -> (ExprId, Option<ExprId>) {
        if !post {
            return (old, None);
        }
        let (local, decl) = self.temp(old, ty, span);
        items.push(decl);
        let [old, result] = [0; 2].map(|_| self.body.load_local(local, span));
        (old, Some(result))
    }

    fn store_and_yield(
        &mut self,
        items: &mut Vec<StmtId>,
        stored: ExprId,
        result: Option<ExprId>,
        span: Span,
    ) -> ExprId {
        let Some(result) = result else {
            return self.with_temps(items, stored, span);
        };
        let store = self.expr_stmt(stored, span);
        items.push(store);
        self.with_temps(items, result, span)
    }

    /// The result, preceded by the temporaries it needs.
    fn with_temps(&mut self, items: &mut Vec<StmtId>, result: ExprId, span: Span) -> ExprId {
        if items.is_empty() {
            return result;
        }
        self.stmt_expr(std::mem::take(items), result, span)
    }

    /// `old + 1` or `old - 1`, in the type of the object.
    fn next(&mut self, old: ExprId, ty: QualType, dec: bool, span: Span) -> ExprId {
        let one = self.int(1, span);
        if self.types.is_pointer(ty) {
            return self.stepped(old, one, dec, span);
        }
        let promoted = self.promoted(ty);
        let old = self.implicit_cast(old, promoted, span);
        let one = self.implicit_cast(one, promoted, span);
        let op = if dec { BinOp::Sub } else { BinOp::Add };
        let sum = self.push(ExprKind::Binary(op, old, one), promoted, span);
        self.implicit_cast(sum, ty, span)
    }

    fn promoted(&self, ty: QualType) -> QualType {
        match self.types.int_kind_of(ty) {
            Some(kind) if kind.size() < IntKind::Int.size() => QualType::plain(Types::INT),
            _ => ty,
        }
    }

    /// `pointer + index` for a lowered pointer, shared or private.
    fn stepped(&mut self, pointer: ExprId, index: ExprId, negate: bool, span: Span) -> ExprId {
        let ty = self.ty_of(pointer);
        if !self.types.is_pts(ty) {
            let index = self.value(index);
            return self.push(
                ExprKind::PtrAdd {
                    ptr: pointer,
                    index,
                    negate,
                },
                ty,
                span,
            );
        }
        let p = self.pts_value(pointer);
        let p = match self.types.pointee(ty) {
            Some(to) => self.advance(p, to, Step::unbounded(index, negate)),
            None => p,
        };
        self.finish(p, ty, span)
    }

    fn load(&mut self, place: ExprId, span: Span) -> ExprId {
        let ty = self.value_type(self.ty_of(place));
        self.push(ExprKind::Load(place), ty, span)
    }

    /// Prepares a private place that will be named twice: unless it is simple, without side effects or a cost, its
    /// address goes into a temporary pointer.
    fn pin_private(&mut self, place: ExprId, span: Span) -> (Vec<StmtId>, ExprId) {
        let place = self.value(place);
        if self.is_simple_place(place) {
            return (Vec::new(), place);
        }
        let place_ty = self.ty_of(place);
        let pointer = QualType::plain(self.types.pointer_to(place_ty));
        let address = if let ExprKind::Deref(address) = self.body.expr(place).kind {
            address
        } else {
            self.push(ExprKind::AddrOf(place), pointer, span)
        };
        let (local, decl) = self.temp(address, pointer, span);
        let pointer = self.body.load_local(local, span);
        let place = self.push(ExprKind::Deref(pointer), place_ty, span);
        (vec![decl], place)
    }

    fn is_simple_place(&self, place: ExprId) -> bool {
        use ExprKind::*;
        let e = self.body.expr(place);
        match e.kind {
            Local(_) | Object(_) => !e.ty.quals.has(Quals::ATOMIC),
            Field(inner, _) => self.is_simple_place(inner),
            Deref(_) | Str | CompoundLit(_) | RealPlace(_) | ImagPlace(_) | Int(_) | Number
            | Load(_) | AddrOf(_) | Decay(_) | Unary(..) | Binary(..) | PtrDiff(..) | Cond(..)
            | CondElvis(..) | Comma(..) | Call(..) | SizePerThread(_) | SizeofPlace(_)
            | StmtExpr(_) | LabelAddr(_) | VaArg(_) | Opaque | Threads | MyThread => false,
            Assign { .. } | AssignOp { .. } | IncDec { .. } => false,
            PtrAdd { .. } | Cast { .. } | Rt { .. } => false,
        }
    }
}
