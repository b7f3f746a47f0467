//! Casts and compound literals (C11 6.5.4, 6.5.2.5; UPC 6.4.3).

use super::*;
use crate::sema::init::{Initialised, NoElements};
use crate::types::ArrayLen;

impl Sema<'_> {
    pub(super) fn cast_expr(
        &mut self,
        to: ast::TypeNameId,
        operand: ast::ExprId,
        span: Span,
    ) -> il::ExprId {
        let lengths = self.length_mark();
        let (to, touched) = self.watching(|s| s.type_name(to));
        let e = self.rvalue(operand);
        let ty = self.types.unqualified(to);
        if !self.check_cast(e, ty, span) {
            // Keep the type that the user wrote, so that one mistake causes one message.
            return self.push_expr(ExprKind::Opaque, ty, span, ExprFlags::VERBATIM);
        }
        let kind = ExprKind::Cast {
            value: e,
            implicit: false,
        };
        if touched {
            let flags = if self.folder().is_const(kind, ty) {
                ExprFlags::CONST
            } else {
                ExprFlags::default()
            };
            let cast = self.push_expr(kind, ty, span, flags);
            return self.behind_lengths(lengths, cast);
        }
        self.make(kind, ty, span, &[e])
    }

    pub(super) fn compound_literal(
        &mut self,
        ty: ast::TypeNameId,
        init: ast::InitId,
        span: Span,
    ) -> il::ExprId {
        let ((ty, init), touched) = self.watching(|s| {
            let ty = s.literal_type_name(ty);
            s.check_variable_init(init, ty);
            let ty = s.check_literal_type(ty, span);
            let what = Initialised {
                fixed: s.function.is_none(),
                no_elements: Some(NoElements::CompoundLiteral),
            };
            let (init, ty) = s.initializer(init, ty, what);
            (ty, init)
        });
        if self.types.has_shared(ty) && self.types.is_shared(ty) {
            let message = format!(
                "a compound literal cannot have the shared type `{}`",
                self.show(ty)
            );
            self.error(
                code::SHARED_AUTOMATIC,
                span,
                message,
                "declare a shared object with static storage duration instead",
            );
            return self.poison(span);
        }
        let verbatim = !touched && self.body.inits[init].verbatim && !self.types.has_shared(ty);
        let flags = if verbatim {
            ExprFlags::VERBATIM
        } else {
            ExprFlags::default()
        };
        self.push_expr(ExprKind::CompoundLit(init), ty, span, flags)
    }
}

impl Nodes<'_> {
    /// Reports a cast that C or UPC forbids.
    fn check_cast(&mut self, e: il::ExprId, to: QualType, span: Span) -> bool {
        let from = self.ty(e);
        let floating = |s: &Self, qt| !s.types.is_integer(qt);
        let (code, help) = match (self.class(from), self.class(to)) {
            (Class::Unknown, _) | (_, Class::Unknown | Class::Void) => return true,
            (Class::Arith, Class::Arith)
            | (Class::Ptr(_), Class::Ptr(_))
            | (Class::Pts(_), Class::Pts(_)) => {
                self.check_inner_pointers(from, to, span);
                return true;
            }
            (Class::Arith, Class::Ptr(_)) if !floating(self, from) => return true,
            (Class::Ptr(_), Class::Arith) if !floating(self, to) => return true,
            // This is the comparison with a null pointer.
            (Class::Pts(_), Class::Arith)
                if self.types.int_kind_of(to) == Some(crate::types::IntKind::Bool) =>
            {
                return true;
            }
            (Class::Pts(_), Class::Arith) if !floating(self, to) => {
                self.pts_to_integer(e, to, "cast converts");
                return true;
            }
            // Allowed if the object has affinity to MYTHREAD, which is known only at run time.
            (Class::Pts(_), Class::Ptr(_)) => return true,
            (Class::Ptr(_) | Class::Arith, Class::Pts(_)) if self.is_null_constant(e) => {
                return true;
            }
            (Class::Ptr(_), Class::Pts(_)) => (
                code::LOCAL_TO_SHARED,
                "a private object cannot be made shared: declare it shared, or allocate it with upc_alloc",
            ),
            (Class::Arith, Class::Pts(_)) => (
                code::SHARED_INT_CAST,
                "only a null pointer constant can be cast to a pointer-to-shared",
            ),
            // The C compiler checks which sizes are compatible.
            (Class::Vector, Class::Vector | Class::Arith) | (Class::Arith, Class::Vector) => {
                return true;
            }
            (Class::Record, Class::Record)
                if self.types.record_id(from) == self.types.record_id(to) =>
            {
                return true;
            }
            (_, Class::Record) if self.union_takes(to, from) => return true,
            (Class::Void, _) => (code::BAD_CAST, "the operand has no value: its type is void"),
            (Class::Arith, Class::Ptr(_)) | (Class::Ptr(_) | Class::Pts(_), Class::Arith) => (
                code::BAD_CAST,
                "a pointer and a floating value cannot be cast to each other; cast to an integer type first",
            ),
            _ => (
                code::BAD_CAST,
                "a cast is allowed only from and to scalar types",
            ),
        };
        let message = format!(
            "a {} cannot be cast to {}",
            self.quoted(from),
            self.quoted(to)
        );
        self.error(code, span, message, help);
        false
    }
}

impl Context<'_> {
    /// Warns about a cast that turns an inner pointer into a pointer-to-shared, such as `(shared int **)` of an
    /// `int **` (UPC 6.4.3p1). The conversion itself changes nothing, but what is read through the result is wrong.
    fn check_inner_pointers(&mut self, from: QualType, to: QualType, span: Span) {
        let inner = |s: &Self, qt| s.types.pointee(qt);
        let (mut a, mut b) = (inner(self, from), inner(self, to));
        while let (Some(x), Some(y)) = (a, b) {
            if self.types.is_shared(y) && !self.types.is_shared(x) {
                let message = format!(
                    "this cast turns pointers-to-local into pointers-to-shared: {} to {}",
                    self.quoted(from),
                    self.quoted(to)
                );
                let help = "the two have different representations: convert the object itself, or declare it with the right type";
                self.warn(code::INNER_SHARED_CAST, span, message, help);
                return;
            }
            (a, b) = (inner(self, x), inner(self, y));
        }
    }

    /// True for a GNU cast to a union that has a member of the operand's type.
    fn union_takes(&self, to: QualType, from: QualType) -> bool {
        let Some(record) = self.types.record_id(to).map(|id| self.types.record(id)) else {
            return false;
        };
        record.is_union
            && record.body.as_ref().is_some_and(|b| {
                b.fields
                    .iter()
                    .any(|f| self.types.compatible_unqualified(f.ty, from))
            })
    }

    /// Checks that a compound literal has an object type (C11 6.5.2.5p1).
    fn check_literal_type(&mut self, ty: QualType, span: Span) -> QualType {
        let open = matches!(self.types.array(ty), Some((_, ArrayLen::Incomplete)));
        let object = self.types.is_complete(ty) && !self.types.is_function(ty);
        if open || object || self.types.is_unknown(ty) {
            return ty;
        }
        let message = format!(
            "a compound literal cannot have the incomplete type `{}`",
            self.show(ty)
        );
        let help = "name a complete object type";
        self.error(code::INCOMPLETE_TYPE, span, message, help);
        QualType::plain(Types::UNKNOWN)
    }
}
