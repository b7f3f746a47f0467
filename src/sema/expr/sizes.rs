//! `sizeof`, `_Alignof` and UPC's size operators (C11 6.5.3.4, UPC 6.4.1), and `__builtin_offsetof`.

use super::*;
use crate::types::{ArrayLen, Size};
use ast::SizeOp;

const SIZE_T: QualType = QualType::plain(Types::SIZE_T);

impl Sema<'_> {
    pub(super) fn size_of_expr(
        &mut self,
        op: SizeOp,
        operand: ast::ExprId,
        span: Span,
    ) -> il::ExprId {
        let (mark, vlas) = (specs::Mark::of(&self.body), self.body.vlas.len());
        let lengths = self.length_mark();
        self.unevaluated += 1;
        let (e, touched) = self.watching(|s| s.expr(operand));
        self.unevaluated -= 1;
        let ty = self.ty(e);
        if self.field_bits(e).is_some() {
            let what = match op {
                SizeOp::Alignof => "a bit-field has no alignment of its own",
                _ => "a bit-field has no size in bytes",
            };
            self.error(code::BAD_SIZEOF, span, what, "use its declared type");
        }
        let variable = self.types.size_of(ty) == Some(Size::Variable);
        if variable && self.types.is_shared(ty) {
            let size = self.size_node(op, ty, None, touched, span);
            // The operand is evaluated (C11 6.5.3.4p2), which is observable if it has side effects.
            let size = self.behind_operand(e, size);
            return self.behind_lengths(lengths, size);
        }
        if op == SizeOp::Sizeof && variable {
            return if touched {
                self.make(ExprKind::SizeofPlace(e), SIZE_T, span, &[e])
            } else {
                self.opaque(SIZE_T, span)
            };
        }
        let align = match (op, self.node(e).kind) {
            (SizeOp::Alignof, ExprKind::Object(id)) => self.objects[id].align,
            (SizeOp::Alignof, ExprKind::Field(base, index)) => {
                let record = self.types.record_id(self.ty(base));
                let body = record.and_then(|id| self.types.record(id).body.as_ref());
                body.and_then(|b| b.fields.get(index as usize))
                    .map(|f| f.align)
            }
            _ => None,
        };
        // The operand is not evaluated: only its type was needed.
        if self.body.vlas.len() == vlas {
            mark.rewind(&mut self.body);
        }
        self.size_node(op, ty, align, touched, span)
    }

    pub(super) fn size_of_type(
        &mut self,
        op: SizeOp,
        ty: ast::TypeNameId,
        span: Span,
    ) -> il::ExprId {
        let lengths = self.length_mark();
        let (ty, touched) = self.watching(|s| s.type_name(ty));
        let sized = self.types.is_complete(ty) || self.types.is_void(ty);
        if op == SizeOp::Alignof && !sized && !self.types.is_unknown(ty) {
            let message = format!("the alignment of `{}` is not known here", self.show(ty));
            let help = "define the type before this";
            self.error(code::BAD_SIZEOF, span, message, help);
            return self.opaque(SIZE_T, span);
        }
        let size = self.size_node(op, ty, None, touched, span);
        self.behind_lengths(lengths, size)
    }

    /// Analyses `__builtin_offsetof(type, member-designator)`.
    pub(super) fn offsetof_expr(
        &mut self,
        ty: ast::TypeNameId,
        designator: ast::ExprId,
        span: Span,
    ) -> il::ExprId {
        let (ty, touched) = self.watching(|s| s.type_name(ty));
        if self.types.is_unknown(ty) {
            return self.opaque(SIZE_T, span);
        }
        let (found, more) = self.watching(|s| s.designated(ty, designator));
        match found {
            Designated::At(offset, _) => {
                self.int_node(offset as i64, SIZE_T, span, !touched && !more)
            }
            // The C compiler computes an offset with a subscript that is not constant.
            Designated::Dynamic if !touched && !more => self.opaque(SIZE_T, span),
            Designated::Dynamic => {
                let message =
                    "upcc does not support offsetof with a subscript that is not a constant if it contains UPC".to_string();
                self.error(
                    code::UNSUPPORTED,
                    span,
                    message,
                    "compute the subscript's part with sizeof",
                );
                self.opaque(SIZE_T, span)
            }
            Designated::Wrong => self.opaque(SIZE_T, span),
        }
    }

    fn designated(&mut self, root: QualType, designator: ast::ExprId) -> Designated {
        let ast::Expr { kind, span } = self.ast[designator];
        match kind {
            ast::ExprKind::Name(name) => self.member_offset(0, root, name, span),
            ast::ExprKind::Member(base, name) | ast::ExprKind::Arrow(base, name) => {
                match deep(|| self.designated(root, base)) {
                    Designated::At(offset, ty) => self.member_offset(offset, ty, name, span),
                    other => other,
                }
            }
            ast::ExprKind::Index(base, index) => match deep(|| self.designated(root, base)) {
                Designated::At(offset, ty) => self.element_offset(offset, ty, index, span),
                other => other,
            },
            ast::ExprKind::Paren(inner) => deep(|| self.designated(root, inner)),
            _ => {
                self.error(
                    code::NO_MEMBER,
                    span,
                    "offsetof needs a member designator",
                    "write member, member.member or member[index]",
                );
                Designated::Wrong
            }
        }
    }

    fn element_offset(
        &mut self,
        offset: u64,
        ty: QualType,
        index: ast::ExprId,
        span: Span,
    ) -> Designated {
        let Some((elem, _)) = self.types.array(ty) else {
            let message = format!(
                "subscript of a member of type `{}`, which is not an array",
                self.show(ty)
            );
            self.error(
                code::BAD_SIZEOF,
                span,
                message,
                "subscript array members only",
            );
            return Designated::Wrong;
        };
        let value = self.unevaluated(|s| {
            let e = s.rvalue(index);
            s.try_const_int(e)
        });
        match (value, self.types.fixed_size(elem)) {
            (Some(n), Some(size)) => {
                Designated::At(offset.wrapping_add((n as u64).wrapping_mul(size)), elem)
            }
            _ => Designated::Dynamic,
        }
    }
}

impl Nodes<'_> {
    fn size_node(
        &mut self,
        op: SizeOp,
        ty: QualType,
        align: Option<u64>,
        touched: bool,
        span: Span,
    ) -> il::ExprId {
        if self.types.is_unknown(ty) {
            return self.opaque(SIZE_T, span);
        }
        let verbatim = !touched && !self.types.has_shared(ty);
        match op {
            SizeOp::Alignof => {
                let align = align.unwrap_or_else(|| self.types.align_of(ty));
                self.int_node(align as i64, SIZE_T, span, verbatim)
            }
            SizeOp::Sizeof => self.verbatim_size(ty, verbatim, span),
            SizeOp::UpcLocalsizeof | SizeOp::UpcBlocksizeof | SizeOp::UpcElemsizeof => {
                self.shared_size(op, ty, span)
            }
        }
    }

    fn verbatim_size(&mut self, ty: QualType, verbatim: bool, span: Span) -> il::ExprId {
        if let Some(size) = self.run_time_size(ty, span) {
            return size;
        }
        match self.types.size_of(ty) {
            Some(Size::Fixed(bytes)) => self.int_node(bytes as i64, SIZE_T, span, verbatim),
            Some(Size::PerThread(bytes)) => self.push_expr(
                ExprKind::SizePerThread(bytes),
                SIZE_T,
                span,
                ExprFlags::default(),
            ),
            Some(Size::Variable) if verbatim => self.opaque(SIZE_T, span),
            // The operand prints the type and computes its sizes.
            Some(Size::Variable) => {
                let pointer = QualType::plain(self.types.pointer_to(ty));
                let at = Span {
                    hi: span.lo,
                    ..span
                };
                let null = self.int_node(0, QualType::plain(Types::INT), at, false);
                let implicit = false;
                let cast = ExprKind::Cast {
                    value: null,
                    implicit,
                };
                let null = self.push_expr(cast, pointer, at, ExprFlags::default());
                let place = self.push_expr(ExprKind::Deref(null), ty, at, ExprFlags::default());
                self.push_expr(
                    ExprKind::SizeofPlace(place),
                    SIZE_T,
                    span,
                    ExprFlags::default(),
                )
            }
            None => {
                let message = format!(
                    "the size of `{}` is not known here: the type is incomplete",
                    self.show(ty)
                );
                self.error(
                    code::BAD_SIZEOF,
                    span,
                    message,
                    "define the type, or specify the array's length, before this point",
                );
                self.opaque(SIZE_T, span)
            }
        }
    }

    /// Analyses `upc_localsizeof`, `upc_blocksizeof` and `upc_elemsizeof`, which are constants and apply only to shared
    /// types.
    fn shared_size(&mut self, op: SizeOp, ty: QualType, span: Span) -> il::ExprId {
        let Some((elem, block)) = self.types.shared_elem(ty) else {
            let name = match op {
                SizeOp::UpcLocalsizeof => "upc_localsizeof",
                SizeOp::UpcBlocksizeof => "upc_blocksizeof",
                _ => "upc_elemsizeof",
            };
            let message = format!(
                "{name} applies to shared types only, not to `{}`",
                self.show(ty)
            );
            self.error(code::SIZEOF_NOT_SHARED, span, message, "use sizeof");
            return self.int_node(1, SIZE_T, span, false);
        };
        let size = self.types.fixed_size(elem);
        let (Some(elem_bytes), Some(_)) = (size, self.types.size_of(ty)) else {
            let message = format!(
                "the size of `{}` is not known here: the type is incomplete",
                self.show(ty)
            );
            self.error(
                code::BAD_SIZEOF,
                span,
                message,
                "specify the array's length, or define the type, before this point",
            );
            return self.int_node(1, SIZE_T, span, false);
        };
        let value = match op {
            SizeOp::UpcBlocksizeof => u64::from(block),
            SizeOp::UpcElemsizeof => elem_bytes,
            SizeOp::UpcLocalsizeof | SizeOp::Sizeof | SizeOp::Alignof => {
                if let Some(size) = self.run_time_local_size(ty, span) {
                    return size;
                }
                self.local_size(ty, u64::from(block), elem_bytes)
            }
        };
        self.int_node(value as i64, SIZE_T, span, false)
    }

    /// `size`, preceded by the evaluation of its place if that has side effects.
    fn behind_operand(&mut self, place: il::ExprId, size: il::ExprId) -> il::ExprId {
        if !self.contains(place, ExprKind::has_side_effects) {
            return size;
        }
        let il::Expr { ty, span, .. } = self.node(place);
        let pointer = QualType::plain(self.types.pointer_to(ty));
        let address = self.push_expr(ExprKind::AddrOf(place), pointer, span, ExprFlags::default());
        let both = ExprKind::Comma(address, size);
        self.push_expr(both, SIZE_T, span, ExprFlags::default())
    }

    fn member_offset(&mut self, offset: u64, ty: QualType, name: Symbol, span: Span) -> Designated {
        let found = self
            .types
            .record_id(ty)
            .and_then(|id| self.lookup_member(id, name).map(|path| (id, path)));
        let Some((mut id, path)) = found else {
            let message = format!("`{}` has no member `{}`", self.show(ty), self.name(name));
            let help = match self.types.record_id(ty) {
                Some(id) => self.member_help(id, self.name(name), self.parsed.stream.bytes(span)),
                None => "only structures and unions have members".into(),
            };
            self.error(code::NO_MEMBER, span, message, help);
            return Designated::Wrong;
        };
        self.note_member(id, &path, span.hi - 1, None);
        let (mut at, mut member) = (offset, ty);
        for &step in &path {
            if self
                .types
                .record(id)
                .body
                .as_ref()
                .is_some_and(|b| b.variable)
            {
                return Designated::Dynamic;
            }
            let Some(field) = self
                .types
                .record(id)
                .body
                .as_ref()
                .and_then(|b| b.fields.get(step as usize))
            else {
                return Designated::Wrong;
            };
            if field.bits.is_some() {
                self.error(
                    code::BAD_SIZEOF,
                    span,
                    "a bit-field has no offset in bytes",
                    "take the offset of a neighbouring member",
                );
                return Designated::Wrong;
            }
            at += field.offset;
            member = field.ty;
            if let Some(inner) = self.types.record_id(member) {
                id = inner;
            }
        }
        Designated::At(at, member)
    }
}

impl Context<'_> {
    /// Number of bytes of the largest portion with affinity to one thread.
    fn local_size(&self, ty: QualType, block: u64, elem_bytes: u64) -> u64 {
        let (mut count, mut per_thread, mut qt) = (1u64, false, self.types.resolve(ty));
        while let Some((elem, len)) = self.types.array(qt) {
            match len {
                ArrayLen::Fixed(n) => count = count.saturating_mul(n),
                ArrayLen::PerThread(n) => (count, per_thread) = (count.saturating_mul(n), true),
                // The caller has checked that the type is complete and its size a constant.
                ArrayLen::Incomplete | ArrayLen::Variable(_) => {}
            }
            qt = self.types.resolve(elem);
        }
        let elements = match (block, per_thread, self.opts.static_threads) {
            // ceil(ceil(k * THREADS / block) / THREADS) blocks: ceil(k / block).
            (1.., true, _) => count.div_ceil(block).saturating_mul(block),
            (1.., false, Some(threads)) => count
                .div_ceil(block)
                .div_ceil(u64::from(threads.max(1)))
                .saturating_mul(block)
                .min(count),
            // One thread has all of it, or may have: the operator yields an upper bound.
            _ => count,
        };
        elements.saturating_mul(elem_bytes)
    }
}

/// The result of a member designator.
enum Designated {
    At(u64, QualType),
    Dynamic,
    /// Already reported.
    Wrong,
}
