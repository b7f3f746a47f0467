//! Conversions and operators of pointers, private and shared (UPC 6.4.2, 6.4.3; C11 6.5.6, 6.5.8, 6.5.9).

use super::*;
use ast::BinOp;

impl Sema<'_> {
    /// Analyses `a[b]`, in either order.
    pub(super) fn index_expr(&mut self, a: ast::ExprId, b: ast::ExprId, span: Span) -> il::ExprId {
        let base = self.expr(a);
        if let Type::Vector(elem, _) = *self.types.kind(self.ty(base)) {
            let index = self.rvalue(b);
            return self.unmodelled_element(base, index, QualType::plain(elem), span);
        }
        let left = self.value_of(base);
        let right = self.rvalue(b);
        let (ptr, index) = match self.class_of(left) {
            Class::Arith => (right, left),
            _ => (left, right),
        };
        let pointer = self.class_of(ptr);
        if pointer == Class::Unknown || self.class_of(index) == Class::Unknown {
            return self.unmodelled_element(ptr, index, QualType::plain(Types::UNKNOWN), span);
        }
        let (Class::Ptr(_) | Class::Pts(_)) = pointer else {
            let node = self.node(ptr);
            let message = format!(
                "subscript of a `{}`, which is neither an array nor a pointer",
                self.show(node.ty)
            );
            self.error(
                code::BAD_OPERANDS,
                node.span,
                message,
                "subscript an array or a pointer",
            );
            return self.poison(span);
        };
        if !self.types.is_integer(self.ty(index)) {
            let node = self.node(index);
            let message = format!(
                "array subscript of type `{}` is not an integer",
                self.show(node.ty)
            );
            self.error(
                code::BAD_OPERANDS,
                node.span,
                message,
                "convert the subscript to an integer type",
            );
            return self.poison(span);
        }
        let element = self.pointer_add(
            ptr,
            index,
            false,
            Span {
                lo: span.lo,
                hi: span.lo,
            },
        );
        self.dereference(element, span)
    }

    /// Analyses `&e`.
    pub(super) fn address_of(&mut self, operand: ast::ExprId, span: Span) -> il::ExprId {
        let place = self.expr(operand);
        let node = self.node(place);
        if self.types.is_unknown(node.ty) || (node.kind_is_opaque() && !self.is_place(place)) {
            return self.unmodelled(
                ExprKind::AddrOf(place),
                QualType::plain(Types::UNKNOWN),
                span,
                &[place],
            );
        }
        if let ExprKind::Deref(pointer) = node.kind {
            // `&*p` and `&a[i]` are the pointer itself (C11 6.5.3.2p3); its span becomes the whole expression.
            self.body.exprs[pointer].span = span;
            return pointer;
        }
        if !self.is_place(place) && !self.types.is_array(node.ty) {
            let thread = matches!(node.kind, ExprKind::Threads | ExprKind::MyThread);
            self.error(
                if thread {
                    code::ASSIGN_THREADS
                } else {
                    code::BAD_ADDRESS_OF
                },
                node.span,
                "the operand of & is a value, not an object",
                "store the value in a variable and take its address",
            );
            return self.poison(span);
        }
        if self.field_bits(place).is_some() {
            let code = if self.types.is_shared(node.ty) {
                code::SHARED_BIT_FIELD_ADDRESS
            } else {
                code::BAD_ADDRESS_OF
            };
            self.error(
                code,
                node.span,
                "a bit-field has no address",
                "declare the member without a width",
            );
            return self.poison(span);
        }
        if self.is_register(place) {
            let message = "the address of a `register` variable cannot be taken";
            let help = "remove `register` from its declaration";
            self.error(code::BAD_ADDRESS_OF, node.span, message, help);
            return self.poison(span);
        }
        let ty = QualType::plain(self.types.pointer_to(node.ty));
        self.make(ExprKind::AddrOf(place), ty, span, &[place])
    }
}

impl Nodes<'_> {
    /// Converts to or from a pointer-to-shared as by assignment: `to` or the type of `e` is one.
    pub(in crate::sema) fn convert_pts(
        &mut self,
        e: il::ExprId,
        to: QualType,
        purpose: PtsUse,
    ) -> il::ExprId {
        let node = self.node(e);
        if self.is_null_constant(e) {
            return self.cast_implicit(e, to);
        }
        let (code, help) = match (self.class(node.ty), self.class(to)) {
            (Class::Pts(a), Class::Pts(b)) => {
                self.check_referenced(node.span, (node.ty, a), (to, b), purpose);
                return self.cast_implicit(e, to);
            }
            (Class::Pts(_), Class::Ptr(_)) => (
                code::SHARED_TO_LOCAL,
                self.instead_of_local(node.ty, to, purpose),
            ),
            (Class::Ptr(_), Class::Pts(_)) => {
                (code::LOCAL_TO_SHARED, self.instead_of_shared(e, purpose))
            }
            (Class::Arith, Class::Pts(referenced)) => {
                (code::SHARED_INT_CAST, self.instead_of_value(e, referenced))
            }
            (Class::Pts(_), Class::Arith) if self.types.is_integer(to) => {
                let doing = self.pts_context(purpose);
                self.pts_to_integer(e, to, &doing);
                return self.cast_implicit(e, to);
            }
            _ => (
                code::BAD_ASSIGNMENT,
                "write a cast if this is intended".to_string(),
            ),
        };
        let pointers = code == code::SHARED_TO_LOCAL || code == code::LOCAL_TO_SHARED;
        let code = match purpose {
            PtsUse::Binary | PtsUse::Cond if pointers => code::MIXED_POINTERS,
            PtsUse::Assign(_) | PtsUse::Binary | PtsUse::Cond => code,
        };
        let message = format!(
            "{} incompatible types: {} to {}",
            self.pts_context(purpose),
            self.quoted(node.ty),
            self.quoted(to)
        );
        self.error(code, node.span, message, help);
        self.note_declaration(e);
        self.poison(node.span)
    }

    /// The way out where a number must become a pointer-to-shared: the address of the shared object that it is read
    /// from, if that address fits.
    fn instead_of_value(&self, e: il::ExprId, referenced: QualType) -> String {
        let place = match self.node(e).kind {
            ExprKind::Load(place) => Some(self.node(place)),
            _ => None,
        };
        let fits = |place: &il::Expr| {
            let wanted = self.types.resolve(referenced).ty;
            self.types.is_shared(place.ty)
                && (wanted == Types::VOID || wanted == self.types.resolve(place.ty).ty)
        };
        let place = place.filter(fits);
        match place.and_then(|place| self.short_text(place.span)) {
            Some(text) => format!("write its address: `&{text}`"),
            None => "only a null pointer constant converts to a pointer-to-shared".to_owned(),
        }
    }

    /// The way out where a pointer-to-local must become a pointer-to-shared.
    fn instead_of_shared(&self, e: il::ExprId, purpose: PtsUse) -> String {
        let text = self.short_text(self.node(e).span).unwrap_or_default();
        if ["malloc(", "calloc("]
            .iter()
            .any(|call| text.contains(call))
        {
            return "shared memory comes from upc_alloc, upc_all_alloc and upc_global_alloc"
                .to_owned();
        }
        let function = match purpose {
            PtsUse::Assign(AssignContext::Argument(at, Some(name))) => {
                copies::instead_of_shared(self.name(name), at)
            }
            PtsUse::Assign(_) | PtsUse::Binary | PtsUse::Cond => None,
        };
        let other = "a private object cannot be accessed through a pointer-to-shared; declare the object shared, or use a pointer-to-local";
        function.unwrap_or(other).to_owned()
    }

    /// The way out where a pointer-to-shared meets a pointer-to-local.
    fn instead_of_local(&self, from: QualType, to: QualType, purpose: PtsUse) -> String {
        let function = match purpose {
            PtsUse::Assign(AssignContext::Argument(at, Some(name))) => {
                copies::instead_of(self.name(name), at)
            }
            PtsUse::Assign(_) | PtsUse::Binary | PtsUse::Cond => None,
        };
        let first = match function {
            Some(help) => help.to_string(),
            None => format!("keep it in a `{}`", self.show(from)),
        };
        let cast = self.show(to);
        format!("{first}; or, if the object has affinity to MYTHREAD, write the cast `({cast})`")
    }

    /// Warns about an integer made from a pointer-to-shared: its value depends on the representation.
    pub(super) fn pts_to_integer(&mut self, e: il::ExprId, to: QualType, doing: &str) {
        let node = self.node(e);
        let message = format!(
            "{doing} a pointer-to-shared to an integer: {} to {}",
            self.quoted(node.ty),
            self.quoted(to)
        );
        self.warn(
            code::SHARED_TO_INT,
            node.span,
            message,
            "use upc_threadof, upc_phaseof and upc_addrfield",
        );
    }

    /// Builds `ptr + index` or `ptr - index`; the span is empty if the user wrote `a[i]`.
    pub(super) fn pointer_add(
        &mut self,
        ptr: il::ExprId,
        index: il::ExprId,
        negate: bool,
        span: Span,
    ) -> il::ExprId {
        let ty = self.ty(ptr);
        self.require_complete_referenced(ptr);
        let index = self.promote(index);
        self.make(
            ExprKind::PtrAdd { ptr, index, negate },
            ty,
            span,
            &[ptr, index],
        )
    }

    /// Checks that the target of a pointer has a size, which arithmetic needs; `void` and functions count as 1 (GNU),
    /// but shared ones do not.
    pub(super) fn require_complete_referenced(&mut self, ptr: il::ExprId) -> bool {
        let node = self.node(ptr);
        let Some(to) = self.types.pointee(node.ty) else {
            return true;
        };
        let shared_void = self.types.is_void(to) && self.types.is_shared(to);
        if !shared_void
            && (self.types.is_void(to) || self.types.is_function(to) || self.types.is_complete(to))
        {
            return true;
        }
        let message = format!(
            "arithmetic on a `{}`: the size of the type that it points to is not known",
            self.show(node.ty)
        );
        let code = if self.types.is_shared(to) {
            code::ARITHMETIC_INCOMPLETE
        } else {
            code::INCOMPLETE_TYPE
        };
        self.error(
            code,
            node.span,
            message,
            "cast it to a pointer to a complete type first",
        );
        false
    }

    /// Analyses `a + b` or `a - b` where one operand is a pointer; `None` if neither is.
    pub(super) fn pointer_arithmetic(
        &mut self,
        op: BinOp,
        a: il::ExprId,
        b: il::ExprId,
        span: Span,
    ) -> Option<il::ExprId> {
        use Class::{Ptr, Pts};
        let integer = |s: &Self, e| s.types.is_integer(s.ty(e));
        match (op, self.class_of(a), self.class_of(b)) {
            (BinOp::Add | BinOp::Sub, Ptr(_) | Pts(_), Class::Arith) if integer(self, b) => {
                Some(self.pointer_add(a, b, op == BinOp::Sub, span))
            }
            (BinOp::Add, Class::Arith, Ptr(_) | Pts(_)) if integer(self, a) => {
                Some(self.pointer_add(b, a, false, span))
            }
            (BinOp::Sub, Ptr(_) | Pts(_), Ptr(_) | Pts(_)) => {
                Some(self.pointer_difference(a, b, span))
            }
            _ => None,
        }
    }

    fn pointer_difference(&mut self, a: il::ExprId, b: il::ExprId, span: Span) -> il::ExprId {
        let ty = QualType::plain(Types::PTRDIFF_T);
        if !self.require_complete_referenced(a) {
            return self.poison(span);
        }
        if !self.has_difference(self.ty(a), self.ty(b)) {
            return self.bad_operands(BinOp::Sub, a, b, span);
        }
        if let (Class::Ptr(x), Class::Ptr(y)) = (self.class_of(a), self.class_of(b))
            // The elements of arrays may differ in qualifiers too; the C compiler checks the lengths.
            && !self
                .types
                .compatible_unqualified(self.types.ultimate(x), self.types.ultimate(y))
            && !self.types.is_unknown(x)
            && !self.types.is_unknown(y)
        {
            return self.bad_operands(BinOp::Sub, a, b, span);
        }
        let b = self.match_pointer(b, self.ty(a));
        if self.types.is_unknown(self.ty(b)) {
            return self.opaque(ty, span);
        }
        self.make(ExprKind::PtrDiff(a, b), ty, span, &[a, b])
    }

    /// Converts an operand to the pointer type of the other one; returns poison after an error.
    fn match_pointer(&mut self, e: il::ExprId, to: QualType) -> il::ExprId {
        if self.pointers_agree(self.ty(e), to) {
            return e;
        }
        match (self.class_of(e), self.class(to)) {
            (Class::Pts(_), _) | (_, Class::Pts(_)) => self.convert_pts(e, to, PtsUse::Binary),
            _ => self.convert_local(e, to, PtsUse::Binary),
        }
    }

    /// Analyses a comparison with a pointer among its operands.
    pub(super) fn pointer_comparison(
        &mut self,
        op: BinOp,
        a: il::ExprId,
        b: il::ExprId,
        span: Span,
    ) -> il::ExprId {
        let int = QualType::plain(Types::INT);
        let relational = !matches!(op, BinOp::Eq | BinOp::Ne);
        for e in [a, b] {
            if let Class::Pts(to) = self.class_of(e)
                && relational
                && (self.types.is_void(to) || !self.types.is_complete(to))
            {
                let node = self.node(e);
                let message = format!(
                    "relational operator on a `{}`, which points to an incomplete type",
                    self.show(node.ty)
                );
                self.error(
                    code::RELATION_INCOMPLETE,
                    node.span,
                    message,
                    "compare with == or !=, or cast both to a pointer to a complete shared type",
                );
                return self.opaque(int, span);
            }
        }
        let (left, right) = self.comparable(a, b);
        if self.types.is_unknown(self.ty(left)) || self.types.is_unknown(self.ty(right)) {
            return self.unmodelled(ExprKind::Binary(op, left, right), int, span, &[left, right]);
        }
        self.make(ExprKind::Binary(op, left, right), int, span, &[left, right])
    }

    /// Converts the operands of a pointer comparison to one type: that of the pointer if the other is null, the generic
    /// one, else the left one.
    fn comparable(&mut self, a: il::ExprId, b: il::ExprId) -> (il::ExprId, il::ExprId) {
        let (ta, tb) = (self.ty(a), self.ty(b));
        let right_wins = match (self.types.pointee(ta), self.types.pointee(tb)) {
            (None, _) => true,
            (Some(_), None) => false,
            (Some(x), Some(y)) => {
                let null_left = self.is_null_constant(a) && !self.is_null_constant(b);
                null_left
                    || (self.types.is_void(y)
                        && !self.types.is_void(x)
                        && !self.is_null_constant(b))
            }
        };
        if right_wins {
            (self.match_pointer(a, tb), b)
        } else {
            (a, self.match_pointer(b, ta))
        }
    }

    /// Returns the type of `c ? a : b` where one operand is a pointer (C11 6.5.15p6), with both operands converted to
    /// it. `None`: the operands do not match.
    pub(super) fn conditional_pointers(
        &mut self,
        a: il::ExprId,
        b: il::ExprId,
    ) -> Option<(il::ExprId, il::ExprId, QualType)> {
        let (ta, tb) = (self.ty(a), self.ty(b));
        let ty = match (self.types.pointee(ta), self.types.pointee(tb)) {
            (Some(_), None) if self.types.is_integer(tb) => ta,
            (None, Some(_)) if self.types.is_integer(ta) => tb,
            (Some(_), Some(_)) if self.is_null_constant(b) => ta,
            (Some(_), Some(_)) if self.is_null_constant(a) => tb,
            (Some(x), Some(y)) => self.composite_pointer(ta, x, y),
            _ => return None,
        };
        let convert = |s: &mut Self, e: il::ExprId| match (s.class_of(e), s.class(ty)) {
            (Class::Pts(_), Class::Pts(_)) if s.pointers_agree(s.ty(e), ty) => {
                s.cast_implicit(e, ty)
            }
            (Class::Pts(_), _) | (_, Class::Pts(_)) => s.convert_pts(e, ty, PtsUse::Cond),
            _ => s.convert_local(e, ty, PtsUse::Cond),
        };
        let (a, b) = (convert(self, a), convert(self, b));
        // To avoid follow-up messages, an operand that was reported makes the whole expression unknown.
        let wrong = [a, b].iter().any(|&e| self.types.is_unknown(self.ty(e)));
        Some((
            a,
            b,
            if wrong {
                QualType::plain(Types::UNKNOWN)
            } else {
                ty
            },
        ))
    }

    /// Analyses a subscript of a vector, or of an operand that the IL does not model. The element of a shared vector is
    /// shared too, and on the same thread.
    fn unmodelled_element(
        &mut self,
        base: il::ExprId,
        index: il::ExprId,
        elem: QualType,
        span: Span,
    ) -> il::ExprId {
        if self.is_verbatim(base) && self.is_verbatim(index) {
            return self.opaque(elem, span);
        }
        let node = self.node(base);
        let inner = Span {
            lo: span.lo,
            hi: span.lo,
        };
        let quals = self.types.resolve(node.ty).quals;
        let elem = self.types.qualify(elem, quals, 0);
        let pointer = QualType::plain(self.types.pointer_to(elem));
        let vector = if self.types.is_shared(node.ty) && self.is_place(base) {
            let whole = QualType::plain(self.types.pointer_to(node.ty));
            let address = self.make(ExprKind::AddrOf(base), whole, inner, &[base]);
            let kind = ExprKind::Cast {
                value: address,
                implicit: true,
            };
            self.make(kind, pointer, inner, &[address])
        } else {
            // Printed as `v[i]`, which C also has for vectors.
            self.value_of(base)
        };
        let index = self.promote(index);
        let kind = ExprKind::PtrAdd {
            ptr: vector,
            index,
            negate: false,
        };
        let element = self.make(kind, pointer, inner, &[vector, index]);
        self.make(ExprKind::Deref(element), elem, span, &[element])
    }

    /// Builds `*e` for a pointer value, also for the implicit one in `a[i]` and `p->f`.
    pub(super) fn dereference(&mut self, e: il::ExprId, span: Span) -> il::ExprId {
        match self.class_of(e) {
            Class::Ptr(to) | Class::Pts(to) => {
                // The sugared pointer type is better for messages than the canonical form that `class` returns.
                let to = self.types.pointee(self.ty(e)).unwrap_or(to);
                self.make(ExprKind::Deref(e), to, span, &[e])
            }
            Class::Unknown => self.unmodelled(
                ExprKind::Deref(e),
                QualType::plain(Types::UNKNOWN),
                span,
                &[e],
            ),
            Class::Void | Class::Arith | Class::Record | Class::Vector | Class::Other => {
                let node = self.node(e);
                let message = format!("a `{}` is not a pointer", self.show(node.ty));
                self.error(
                    code::NOT_POINTER,
                    node.span,
                    message,
                    "only pointers can be dereferenced",
                );
                self.poison(span)
            }
        }
    }

    /// True for a variable declared `register`, or a member of one.
    fn is_register(&self, mut place: il::ExprId) -> bool {
        loop {
            match self.node(place).kind {
                ExprKind::Field(base, _) => place = base,
                ExprKind::Local(local) => {
                    let storage = self.body.locals[local].storage;
                    return storage & ast::storage::REGISTER != 0;
                }
                _ => return false,
            }
        }
    }
}

impl Context<'_> {
    /// True for the same pointer type, up to the qualifiers (`const`, `volatile`, `strict` ...) of the target.
    fn pointers_agree(&self, a: QualType, b: QualType) -> bool {
        let (Some(x), Some(y)) = (self.types.pointee(a), self.types.pointee(b)) else {
            return false;
        };
        let (x, y) = (self.types.canon_qt(x), self.types.canon_qt(y));
        let shared = Quals::SHARED;
        x.quals.has(shared) == y.quals.has(shared)
            && x.block == y.block
            && self.types.compatible_unqualified(x, y)
    }

    /// Pointer to the composite of the target types with the qualifiers of both; `void` takes precedence; else the left
    /// type (the C compiler warns).
    fn composite_pointer(&mut self, left: QualType, x: QualType, y: QualType) -> QualType {
        if x == y || self.types.is_shared(x) != self.types.is_shared(y) {
            return left;
        }
        let base = if self.types.is_void(x) || !self.types.is_void(y) {
            if self.types.compatible_unqualified(x, y) {
                self.types.composite(x, y)
            } else {
                x
            }
        } else {
            y
        };
        let quals = self
            .types
            .ultimate(x)
            .quals
            .with(self.types.ultimate(y).quals);
        let block = self.types.ultimate(base).block;
        let to = self.types.qualify(base, quals, block);
        QualType::plain(self.types.pointer_to(to))
    }
}

impl il::Expr {
    fn kind_is_opaque(&self) -> bool {
        matches!(self.kind, ExprKind::Opaque)
    }
}
