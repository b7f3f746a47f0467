//! Unary, binary, assignment and conditional operators (C11 6.5.3 to 6.5.17).

use super::*;
use ast::BinOp;

impl Sema<'_> {
    pub(super) fn unary_expr(
        &mut self,
        op: ast::UnOp,
        operand: ast::ExprId,
        span: Span,
    ) -> il::ExprId {
        match op {
            ast::UnOp::AddrOf => self.address_of(operand, span),
            ast::UnOp::Deref => {
                let e = self.rvalue(operand);
                self.dereference(e, span)
            }
            ast::UnOp::Plus => self.arithmetic_unary(il::UnOp::Plus, operand, span),
            ast::UnOp::Neg => self.arithmetic_unary(il::UnOp::Neg, operand, span),
            ast::UnOp::BitNot => self.arithmetic_unary(il::UnOp::BitNot, operand, span),
            ast::UnOp::Not => {
                let e = self.rvalue(operand);
                if self.class_of(e) == Class::Vector {
                    let ty = self.ty(e);
                    return self.unmodelled(ExprKind::Unary(il::UnOp::Not, e), ty, span, &[e]);
                }
                self.require_scalar(e);
                self.make(
                    ExprKind::Unary(il::UnOp::Not, e),
                    QualType::plain(Types::INT),
                    span,
                    &[e],
                )
            }
            ast::UnOp::PreInc => self.inc_dec(operand, false, false, span),
            ast::UnOp::PreDec => self.inc_dec(operand, false, true, span),
            ast::UnOp::PostInc => self.inc_dec(operand, true, false, span),
            ast::UnOp::PostDec => self.inc_dec(operand, true, true, span),
            ast::UnOp::Real => self.complex_part(operand, true, span),
            ast::UnOp::Imag => self.complex_part(operand, false, span),
        }
    }

    fn arithmetic_unary(&mut self, op: il::UnOp, operand: ast::ExprId, span: Span) -> il::ExprId {
        let e = self.rvalue(operand);
        let ty = self.ty(e);
        match self.class(ty) {
            Class::Unknown | Class::Vector => {
                self.unmodelled(ExprKind::Unary(op, e), ty, span, &[e])
            }
            // `~` of a complex value gives its conjugate (GNU).
            Class::Arith
                if op != il::UnOp::BitNot || !matches!(self.types.kind(ty), Type::Float(_)) =>
            {
                let e = self.promote(e);
                let ty = self.ty(e);
                self.make(ExprKind::Unary(op, e), ty, span, &[e])
            }
            Class::Arith
            | Class::Void
            | Class::Ptr(_)
            | Class::Pts(_)
            | Class::Record
            | Class::Other => {
                let (need, sign) = match op {
                    il::UnOp::BitNot => ("an integer", "~"),
                    il::UnOp::Neg => ("a number", "-"),
                    _ => ("a number", "+"),
                };
                let message = format!("unary {sign} needs {need}, not a `{}`", self.show(ty));
                self.error(
                    code::BAD_OPERANDS,
                    span,
                    message,
                    "convert the operand first",
                );
                self.poison(span)
            }
        }
    }

    /// Analyses `__real__` and `__imag__` (GNU).
    fn complex_part(&mut self, operand: ast::ExprId, real: bool, span: Span) -> il::ExprId {
        let e = self.expr(operand);
        let node = self.node(e);
        let part = match *self.types.kind(node.ty) {
            Type::Complex(kind) => Types::float_kind(kind),
            Type::ComplexInt(kind) => Types::int_kind(kind),
            _ => {
                let v = self.value_of(e);
                let ty = self.ty(v);
                let op = if real { il::UnOp::Real } else { il::UnOp::Imag };
                return self.unmodelled(ExprKind::Unary(op, v), ty, span, &[v]);
            }
        };
        let outer = self.types.resolve(node.ty);
        let ty = QualType {
            ty: part,
            quals: outer.quals,
            block: 0,
        };
        let kind = match (self.is_place(e), real) {
            (true, true) => ExprKind::RealPlace(e),
            (true, false) => ExprKind::ImagPlace(e),
            (false, true) => ExprKind::Unary(il::UnOp::Real, e),
            (false, false) => ExprKind::Unary(il::UnOp::Imag, e),
        };
        self.make(kind, ty, span, &[e])
    }

    fn inc_dec(&mut self, operand: ast::ExprId, post: bool, dec: bool, span: Span) -> il::ExprId {
        let place = self.expr(operand);
        let kind = ExprKind::IncDec { place, post, dec };
        if !self.require_modifiable(place) {
            return self.poison(span);
        }
        let node = self.node(place);
        let ty = self.types.unqualified(node.ty);
        match self.class(ty) {
            Class::Arith => {}
            Class::Ptr(_) | Class::Pts(_) => {
                self.require_complete_referenced(place);
            }
            Class::Unknown | Class::Vector => return self.unmodelled(kind, ty, span, &[place]),
            Class::Void | Class::Record | Class::Other => {
                let message = format!(
                    "a `{}` cannot be {}",
                    self.show(ty),
                    if dec { "decremented" } else { "incremented" }
                );
                self.error(
                    code::BAD_OPERANDS,
                    span,
                    message,
                    "apply it to a number or a pointer",
                );
                return self.poison(span);
            }
        }
        let strict = self.access_flags(node.ty);
        self.make_flagged(kind, ty, span, &[place], strict)
    }

    pub(super) fn assign_expr(&mut self, a: ast::ExprId, b: ast::ExprId, span: Span) -> il::ExprId {
        let place = self.expr(a);
        let value = self.rvalue(b);
        if !self.require_modifiable(place) {
            return self.poison(span);
        }
        let node = self.node(place);
        let value = self.assign_convert(value, node.ty, AssignContext::Assign);
        let ty = self.types.unqualified(node.ty);
        let kind = ExprKind::Assign { place, value };
        if !self.is_place(place) {
            return self.unmodelled(kind, ty, span, &[place, value]);
        }
        let strict = self.access_flags(node.ty);
        self.make_flagged(kind, ty, span, &[place, value], strict)
    }

    pub(super) fn assign_op_expr(
        &mut self,
        op: BinOp,
        a: ast::ExprId,
        b: ast::ExprId,
        span: Span,
    ) -> il::ExprId {
        let place = self.expr(a);
        let value = self.rvalue(b);
        if !self.require_modifiable(place) {
            return self.poison(span);
        }
        let node = self.node(place);
        let ty = self.types.unqualified(node.ty);
        let verbatim_kind = ExprKind::AssignOp {
            op,
            place,
            value,
            compute: ty.ty,
        };
        let (ca, cb) = (self.class(ty), self.class_of(value));
        if !self.is_place(place)
            || matches!(ca, Class::Unknown | Class::Vector)
            || matches!(cb, Class::Unknown | Class::Vector)
        {
            return self.unmodelled(verbatim_kind, ty, span, &[place, value]);
        }
        let integers = self.types.is_integer(ty) && self.types.is_integer(self.ty(value));
        let computed = match (op, ca) {
            (BinOp::Add | BinOp::Sub, Class::Ptr(_) | Class::Pts(_))
                if self.types.is_integer(self.ty(value)) =>
            {
                self.require_complete_referenced(place);
                let index = self.promote(value);
                Some((index, ty))
            }
            (BinOp::Shl | BinOp::Shr, _) if integers => {
                let count = self.promote(value);
                self.promoted_type(place).map(|ty| (count, ty))
            }
            (
                BinOp::Rem | BinOp::BitAnd | BinOp::BitXor | BinOp::BitOr | BinOp::Shl | BinOp::Shr,
                _,
            ) if !integers => None,
            _ => self
                .common_type(place, value)
                .map(|common| (self.cast_implicit(value, common), common)),
        };
        let Some((value, compute)) = computed else {
            // For `i += pointer`, the C compiler warns, as for any conversion of a pointer to an integer.
            if op == BinOp::Add
                && matches!(cb, Class::Ptr(_))
                && self.types.is_integer(ty)
                && self.is_verbatim(place)
                && self.is_verbatim(value)
            {
                return self.opaque(ty, span);
            }
            return self.bad_operands(op, place, value, span);
        };
        let strict = self.access_flags(node.ty);
        self.make_flagged(
            ExprKind::AssignOp {
                op,
                place,
                value,
                compute: compute.ty,
            },
            ty,
            span,
            &[place, value],
            strict,
        )
    }

    /// Analyses `c ? a : b` and GNU `c ?: b`.
    pub(super) fn cond_expr(
        &mut self,
        c: ast::ExprId,
        a: Option<ast::ExprId>,
        b: ast::ExprId,
        span: Span,
    ) -> il::ExprId {
        let condition = self.condition(c);
        let Some(a) = a else {
            let other = self.rvalue(b);
            return self.choose(None, condition, other, span);
        };
        let first = self.rvalue(a);
        let second = self.rvalue(b);
        self.choose(Some(condition), first, second, span)
    }
}

impl Nodes<'_> {
    /// Analyses a binary operator on two values.
    pub(super) fn binary_values(
        &mut self,
        op: BinOp,
        a: il::ExprId,
        b: il::ExprId,
        span: Span,
    ) -> il::ExprId {
        let (ca, cb) = (self.class_of(a), self.class_of(b));
        if matches!(op, BinOp::And | BinOp::Or) {
            let fine = self.require_scalar(a) & self.require_scalar(b);
            let ty = QualType::plain(if fine { Types::INT } else { Types::UNKNOWN });
            return self.make(ExprKind::Binary(op, a, b), ty, span, &[a, b]);
        }
        if ca == Class::Unknown
            || cb == Class::Unknown
            || ca == Class::Vector
            || cb == Class::Vector
        {
            return self.unmodelled_binary(op, a, b, span);
        }
        let kind = match op {
            BinOp::Shl | BinOp::Shr => self.shift(op, a, b),
            BinOp::Eq | BinOp::Ne | BinOp::Lt | BinOp::Gt | BinOp::Le | BinOp::Ge => {
                let pointers = [ca, cb]
                    .iter()
                    .any(|c| matches!(c, Class::Ptr(_) | Class::Pts(_)));
                let fits = |s: &Self, c, e| {
                    matches!(c, Class::Ptr(_) | Class::Pts(_)) || s.types.is_integer(s.ty(e))
                };
                if pointers && fits(self, ca, a) && fits(self, cb, b) {
                    return self.pointer_comparison(op, a, b, span);
                }
                self.usual_conversions(a, b)
                    .map(|(a, b, _)| (a, b, QualType::plain(Types::INT)))
            }
            BinOp::Add | BinOp::Sub => {
                if let Some(e) = self.pointer_arithmetic(op, a, b, span) {
                    return e;
                }
                self.usual_conversions(a, b)
            }
            BinOp::Mul | BinOp::Div => self.usual_conversions(a, b),
            BinOp::Rem | BinOp::BitAnd | BinOp::BitXor | BinOp::BitOr => {
                if self.types.is_integer(self.ty(a)) && self.types.is_integer(self.ty(b)) {
                    self.usual_conversions(a, b)
                } else {
                    None
                }
            }
            BinOp::And | BinOp::Or => None,
        };
        match kind {
            Some((x, y, ty)) => self.make(ExprKind::Binary(op, x, y), ty, span, &[x, y]),
            None => self.bad_operands(op, a, b, span),
        }
    }

    /// Analyses an operator on vectors and operands that the IL does not model. The result has the vector's type; for
    /// comparisons, that of an integer vector.
    fn unmodelled_binary(
        &mut self,
        op: BinOp,
        a: il::ExprId,
        b: il::ExprId,
        span: Span,
    ) -> il::ExprId {
        let comparison = matches!(
            op,
            BinOp::Eq | BinOp::Ne | BinOp::Lt | BinOp::Gt | BinOp::Le | BinOp::Ge
        );
        let vector = [a, b]
            .into_iter()
            .find(|&e| self.class_of(e) == Class::Vector);
        let ty = match vector.map(|e| (self.ty(e), self.types.kind(self.ty(e)).clone())) {
            Some((_, Type::Vector(elem, bytes))) if comparison => {
                match self.types.fixed_size(QualType::plain(elem)) {
                    Some(1) => self.types.intern(Type::Vector(
                        Types::int_kind(crate::types::IntKind::SChar),
                        bytes,
                    )),
                    Some(2) => self.types.intern(Type::Vector(
                        Types::int_kind(crate::types::IntKind::Short),
                        bytes,
                    )),
                    Some(4) => self.types.intern(Type::Vector(Types::INT, bytes)),
                    Some(8) => self.types.intern(Type::Vector(Types::LONG, bytes)),
                    _ => Types::UNKNOWN,
                }
            }
            Some((ty, _)) => ty.ty,
            None if comparison => Types::INT,
            None => Types::UNKNOWN,
        };
        self.unmodelled(
            ExprKind::Binary(op, a, b),
            QualType::plain(ty),
            span,
            &[a, b],
        )
    }

    fn shift(
        &mut self,
        op: BinOp,
        a: il::ExprId,
        b: il::ExprId,
    ) -> Option<(il::ExprId, il::ExprId, QualType)> {
        debug_assert!(matches!(op, BinOp::Shl | BinOp::Shr));
        if !self.types.is_integer(self.ty(a)) || !self.types.is_integer(self.ty(b)) {
            return None;
        }
        let (a, b) = (self.promote(a), self.promote(b));
        Some((a, b, self.ty(a)))
    }

    pub(super) fn bad_operands(
        &mut self,
        op: BinOp,
        a: il::ExprId,
        b: il::ExprId,
        span: Span,
    ) -> il::ExprId {
        let (ta, tb) = (self.ty(a), self.ty(b));
        let mixed = matches!(
            (self.class(ta), self.class(tb)),
            (Class::Ptr(_), Class::Pts(_)) | (Class::Pts(_), Class::Ptr(_))
        );
        let message = format!(
            "operator {} cannot be applied to {} and {}",
            spelling(op),
            self.quoted(ta),
            self.quoted(tb)
        );
        let help = if mixed {
            "cast the pointer-to-shared to a pointer-to-local first"
        } else {
            "convert one of the operands, or use a member of it"
        };
        self.error(
            if mixed {
                code::MIXED_POINTERS
            } else {
                code::BAD_OPERANDS
            },
            span,
            message,
            help,
        );
        self.poison(span)
    }

    /// Reports a place that cannot be assigned to: a value, an array, a function, a `const` object.
    pub(super) fn require_modifiable(&mut self, place: il::ExprId) -> bool {
        let node = self.node(place);
        if matches!(node.kind, ExprKind::Opaque) || self.types.is_unknown(node.ty) {
            return true;
        }
        let kind = self.types.kind(node.ty);
        if self.is_place(place) && self.is_const_object(node.ty) {
            let message = match self.short_text(node.span) {
                Some(text) => format!("`{text}` is const: it cannot be assigned to"),
                None => "this object is const: it cannot be assigned to".to_owned(),
            };
            let help = "remove `const` from its declaration, or write to another object";
            self.error(code::READ_ONLY, node.span, message, help);
            self.note_declaration(place);
            return false;
        }
        let (code, message, help) = if !self.is_place(place) {
            match node.kind {
                ExprKind::Threads | ExprKind::MyThread => (
                    code::ASSIGN_THREADS,
                    "THREADS and MYTHREAD are values, not objects: they cannot be assigned to",
                    "copy the value into a variable; to compare, write `==`",
                ),
                _ => (
                    code::NOT_LVALUE,
                    "this is a value, not an object: it cannot be assigned to",
                    "assign to a variable, a member or an element",
                ),
            }
        } else if matches!(kind, Type::Array(..)) {
            (
                code::NOT_LVALUE,
                "an array cannot be assigned to",
                "assign its elements, or copy it with memcpy or upc_memcpy",
            )
        } else if matches!(kind, Type::Function(_)) {
            (
                code::NOT_LVALUE,
                "a function cannot be assigned to",
                "assign to a pointer to function",
            )
        } else if self.types.has_const_member(node.ty) {
            (
                code::READ_ONLY,
                "this object has a const member: it cannot be assigned to as a whole",
                "assign its other members, or remove `const`",
            )
        } else {
            return true;
        };
        self.error(code, node.span, message.to_string(), help);
        false
    }

    /// Whether an object of this type is const itself; neither an array nor a function.
    fn is_const_object(&self, ty: QualType) -> bool {
        let kind = self.types.kind(ty);
        !matches!(kind, Type::Array(..) | Type::Function(_))
            && self.types.resolve(ty).quals.has(Quals::CONST)
    }

    fn choose(
        &mut self,
        condition: Option<il::ExprId>,
        a: il::ExprId,
        b: il::ExprId,
        span: Span,
    ) -> il::ExprId {
        let node_of =
            |a, b| condition.map_or(ExprKind::CondElvis(a, b), |c| ExprKind::Cond(c, a, b));
        let operands = |a, b| [condition.unwrap_or(a), a, b];
        let (ca, cb) = (self.class_of(a), self.class_of(b));
        let vector_condition = condition.is_some_and(|c| self.class_of(c) == Class::Vector);
        if ca == Class::Unknown
            || cb == Class::Unknown
            || ca == Class::Vector
            || cb == Class::Vector
            || vector_condition
        {
            let ty = match (ca, cb) {
                (Class::Unknown, _) => self.ty(b),
                _ => self.ty(a),
            };
            return self.unmodelled(node_of(a, b), ty, span, &operands(a, b));
        }
        let joined = match (ca, cb) {
            (Class::Arith, Class::Arith) => self.usual_conversions(a, b),
            // gcc accepts a single void operand with a warning; the result is void.
            (Class::Void, _) | (_, Class::Void) => Some((a, b, QualType::plain(Types::VOID))),
            (Class::Record, Class::Record)
                if self.types.record_id(self.ty(a)) == self.types.record_id(self.ty(b)) =>
            {
                Some((a, b, self.ty(a)))
            }
            (Class::Ptr(_) | Class::Pts(_), _) | (_, Class::Ptr(_) | Class::Pts(_)) => {
                self.conditional_pointers(a, b)
            }
            _ => None,
        };
        match joined {
            Some((a, b, ty)) => self.make(node_of(a, b), ty, span, &operands(a, b)),
            None => {
                let message = format!(
                    "the two results of ?: have incompatible types: `{}` and `{}`",
                    self.show(self.ty(a)),
                    self.show(self.ty(b))
                );
                self.error(code::BAD_OPERANDS, span, message, "convert one of them");
                self.poison(span)
            }
        }
    }
}

/// The spelling of the operator.
pub(super) fn spelling(op: BinOp) -> &'static str {
    match op {
        BinOp::Mul => "*",
        BinOp::Div => "/",
        BinOp::Rem => "%",
        BinOp::Add => "+",
        BinOp::Sub => "-",
        BinOp::Shl => "<<",
        BinOp::Shr => ">>",
        BinOp::Lt => "<",
        BinOp::Gt => ">",
        BinOp::Le => "<=",
        BinOp::Ge => ">=",
        BinOp::Eq => "==",
        BinOp::Ne => "!=",
        BinOp::BitAnd => "&",
        BinOp::BitXor => "^",
        BinOp::BitOr => "|",
        BinOp::And => "&&",
        BinOp::Or => "||",
    }
}
