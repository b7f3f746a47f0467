//! The elements of a section behind their pointers: what a copied loop body has in place of the accesses.

use super::Kind;
use super::rewrite::{Own, Way};
use crate::il::walk::Copier;
use crate::il::{Body, Expr, ExprId, ExprKind, LocalId, StmtId};
use crate::passes::analysis::stride::Stride;
use crate::passes::writer::{Writer, private};
use crate::types::{QualType, Type};

impl Writer<'_> {
    /// Copies a statement so that the elements in `own` go through their pointers.
    pub(super) fn behind_pointers(&mut self, own: &Own, turn: LocalId, stmt: StmtId) -> StmtId {
        let span = self.span;
        let module = &mut *self.module;
        let mut replace =
            |body: &mut Body, id: ExprId| Writer { module, body, span }.own_place(own, turn, id);
        Copier {
            replace: &mut replace,
        }
        .stmt(self.body, stmt)
    }

    /// The place `id`, an element or a member of one, behind its pointer, if it has one.
    pub(super) fn own_place(&mut self, own: &Own, turn: LocalId, id: ExprId) -> Option<ExprId> {
        self.part_of(id, &|w, id| w.own_whole(own, turn, id), &mut |w, e| {
            w.behind_pointers_in(own, turn, e)
        })
    }

    /// The element `id` behind its pointer, if it has one.
    pub(super) fn own_whole(&mut self, own: &Own, turn: LocalId, id: ExprId) -> Option<ExprId> {
        let &way = own.get(&id)?;
        let Expr { ty, span, .. } = self.body.exprs[id];
        self.span = span;
        let (pointer, walk, offset) = match way {
            Way::Section(pointer, Kind::Private(walk), n) => (pointer, walk, n),
            Way::Section(pointer, Kind::Shared(_), _) => {
                let ptr = self.load(pointer);
                return Some(self.expr(ExprKind::Deref(ptr), ty));
            }
            Way::Section(pointer, Kind::Strided(_), _) => {
                let ptr = self.load(pointer);
                return Some(self.expr(ExprKind::Deref(ptr), private(ty)));
            }
            Way::Table(table) => return Some(self.behind_entry(table, turn, ty)),
            Way::Scatter => return self.scattered(own, turn, id),
        };
        let ptr = self.load(pointer);
        let n = self.load(turn);
        let index = if walk == Stride::ZERO {
            self.int(0)
        } else {
            self.by_stride(n, walk)
        };
        let index = self.plus(index, offset);
        let address = self.moved(ptr, index);
        Some(self.expr(ExprKind::Deref(address), private(ty)))
    }

    /// The place `id` as a part of what `whole` has in place of the element that it is in: the element itself, a member,
    /// or an element of an array that is a member. `copy` copies the subscripts of such arrays.
    pub(super) fn part_of(
        &mut self,
        id: ExprId,
        whole: &dyn Fn(&mut Writer<'_>, ExprId) -> Option<ExprId>,
        copy: &mut dyn FnMut(&mut Writer<'_>, ExprId) -> ExprId,
    ) -> Option<ExprId> {
        if let Some(place) = whole(self, id) {
            return Some(place);
        }
        let Expr { kind, ty, span, .. } = self.body.exprs[id];
        if let ExprKind::Field(record, field) = kind {
            let record = self.part_of(record, whole, copy)?;
            self.span = span;
            let ty = self.member_type(record, field, ty);
            return Some(self.expr(ExprKind::Field(record, field), ty));
        }
        if let ExprKind::Deref(pointer) = kind {
            return self.element_of_part((id, pointer), whole, copy);
        }
        None
    }

    /// Builds the element of type `ty` to which an entry of a table points.
    fn behind_entry(&mut self, table: LocalId, turn: LocalId, ty: QualType) -> ExprId {
        let pointer = QualType::plain(self.module.types.pointer_to(private(ty)));
        let entry = self.entry(table, turn, pointer);
        let pointer = self.expr(ExprKind::Load(entry), pointer);
        self.expr(ExprKind::Deref(pointer), private(ty))
    }

    /// The type of a member. That of a private record is private, also if it is an array.
    fn member_type(&self, record: ExprId, field: u32, ty: QualType) -> QualType {
        let types = &self.module.types;
        let record_ty = self.body.expr(record).ty;
        if types.is_shared(record_ty) {
            return ty;
        }
        let fields = types
            .record_id(record_ty)
            .and_then(|id| types.record(id).body.as_ref());
        match fields.and_then(|body| body.fields.get(field as usize)) {
            Some(member) if types.is_array(ty) => member.ty,
            Some(_) | None => private(ty),
        }
    }

    /// An element of an array that is a member of what is behind a pointer: `a[i].v[k]`.
    fn element_of_part(
        &mut self,
        (id, pointer): (ExprId, ExprId),
        whole: &dyn Fn(&mut Writer<'_>, ExprId) -> Option<ExprId>,
        copy: &mut dyn FnMut(&mut Writer<'_>, ExprId) -> ExprId,
    ) -> Option<ExprId> {
        let Expr { ty, span, .. } = self.body.exprs[id];
        let (decay, index) =
            if let ExprKind::PtrAdd { ptr, index, negate } = self.body.expr(pointer).kind {
                (ptr, Some((index, negate)))
            } else {
                (pointer, None)
            };
        let ExprKind::Decay(array) = self.body.expr(decay).kind else {
            return None;
        };
        let array = self.part_of(array, whole, copy)?;
        let array_ty = self.body.expr(array).ty;
        let Type::Array(element, _) = *self.module.types.kind(array_ty) else {
            return None;
        };
        self.span = span;
        let shared = self.module.types.is_shared(array_ty);
        let (element, pointer_ty) = match shared {
            true => (ty, self.body.expr(decay).ty),
            false => {
                let pointer = self.module.types.pointer_to(element);
                (element, QualType::plain(pointer))
            }
        };
        let mut address = self.expr(ExprKind::Decay(array), pointer_ty);
        if let Some((index, negate)) = index {
            let index = copy(self, index);
            let add = ExprKind::PtrAdd {
                ptr: address,
                index,
                negate,
            };
            address = self.expr(add, pointer_ty);
        }
        Some(self.expr(ExprKind::Deref(address), element))
    }

    /// Copies an expression so that the elements in `own` go through their pointers.
    pub(super) fn behind_pointers_in(&mut self, own: &Own, turn: LocalId, e: ExprId) -> ExprId {
        let span = self.span;
        let module = &mut *self.module;
        let mut replace =
            |body: &mut Body, id: ExprId| Writer { module, body, span }.own_place(own, turn, id);
        Copier {
            replace: &mut replace,
        }
        .expr(self.body, e)
    }
}
