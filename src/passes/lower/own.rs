//! Accesses that `own_elements` has marked: they go through a private pointer to the thread's part of the array.

use super::Lower;
use crate::il::{Expr, ExprFlags, ExprId, ExprKind, RtOp};
use crate::passes::analysis::refs::{ElemRef, element_around, member_array};
use crate::types::{QualType, Types};
use upcc_grammar::ast::{BinOp, Span};

impl Lower<'_> {
    /// Returns the access, or, if it is marked, the same access to a private place, which is not lowered yet.
    pub(super) fn in_own_part(&mut self, id: ExprId) -> ExprId {
        let Expr {
            kind,
            ty,
            span,
            flags,
        } = *self.body.expr(id);
        if !flags.has(ExprFlags::OWN) {
            return id;
        }
        let mut kind = kind;
        let (ExprKind::Load(place)
        | ExprKind::Assign { place, .. }
        | ExprKind::AssignOp { place, .. }
        | ExprKind::IncDec { place, .. }) = &mut kind
        else {
            return id;
        };
        let Some((root, element)) = element_around(self.types, &self.body, *place) else {
            return id;
        };
        *place = self.own_place(*place, root, &element);
        self.body
            .push_expr(kind, ty, span, flags.without(ExprFlags::OWN))
    }

    /// The place, which is the element `root` or lies in it, in the thread's part of the array.
    fn own_place(&mut self, place: ExprId, root: ExprId, element: &ElemRef) -> ExprId {
        let Expr { kind, ty, span, .. } = *self.body.expr(place);
        if place == root {
            return self.own_element(element, span);
        }
        if let ExprKind::Field(inner, field) = kind {
            let inner = self.own_place(inner, root, element);
            let ty = self.types.unshared(ty);
            return self.push(ExprKind::Field(inner, field), ty, span);
        }
        let ExprKind::Deref(address) = kind else {
            return place;
        };
        let Some((array, index)) = member_array(&self.body, address) else {
            return place;
        };
        let array = self.own_place(array, root, element);
        let ty = self.types.unshared(ty);
        let pointer = QualType::plain(self.types.pointer_to(ty));
        let first = self.push(ExprKind::Decay(array), pointer, span);
        let moved = self.moved(first, index, span);
        self.push(ExprKind::Deref(moved), ty, span)
    }

    fn own_element(&mut self, element: &ElemRef, span: Span) -> ExprId {
        let elem = self.types.unshared(element.elem);
        let pointer = QualType::plain(self.types.pointer_to(elem));
        let nothing = self.types.pointer_to(QualType::plain(Types::VOID));
        let begin = self.rt(RtOp::Own, &[element.start, element.outer], nothing, span);
        let cast = ExprKind::Cast {
            value: begin,
            implicit: false,
        };
        let mut address = self.push(cast, pointer, span);
        let long = QualType::plain(Types::PTRDIFF_T);
        for &(subscript, elements) in &element.inner {
            let mut index = self.implicit_cast(subscript, long, span);
            if elements != 1 {
                let elements = self.body.int(elements as i64, Types::PTRDIFF_T, span);
                let product = ExprKind::Binary(BinOp::Mul, index, elements);
                index = self.push(product, long, span);
            }
            address = self.moved(address, index, span);
        }
        self.push(ExprKind::Deref(address), elem, span)
    }

    /// The pointer that is `index` elements behind another one.
    fn moved(&mut self, ptr: ExprId, index: ExprId, span: Span) -> ExprId {
        let ty = self.ty_of(ptr);
        let moved = ExprKind::PtrAdd {
            ptr,
            index,
            negate: false,
        };
        self.push(moved, ty, span)
    }
}
