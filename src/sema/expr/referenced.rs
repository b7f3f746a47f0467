//! Checks whether the targets of two pointers are compatible (C11 6.5.16.1, 6.5.6, 6.5.9, 6.5.15; UPC 6.4.3), where the
//! C compiler cannot: for it, all pointers-to-shared have one type. The severities are those of gcc for
//! pointers-to-local.

use super::*;
use crate::sema::convert::doing;
use crate::types::ArrayLen;

/// The reason why a pointer meets another type.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(in crate::sema) enum PtsUse {
    Assign(AssignContext),
    Binary,
    /// Second and third operand of `?:`.
    Cond,
}

impl Nodes<'_> {
    /// Converts between pointers-to-local. If they involve shared types, as `shared int **` does, sema reports a
    /// mismatch, because the C compiler does not distinguish such types. A cast in the output then silences the C
    /// compiler about the mismatches that it does see.
    pub(in crate::sema) fn convert_local(
        &mut self,
        e: il::ExprId,
        to: QualType,
        purpose: PtsUse,
    ) -> il::ExprId {
        let from = self.ty(e);
        let (Some(a), Some(b)) = (self.types.pointee(from), self.types.pointee(to)) else {
            return self.cast_implicit(e, to);
        };
        let shared = self.types.has_shared(from) || self.types.has_shared(to);
        if !shared || self.is_null_constant(e) {
            return self.cast_implicit(e, to);
        }
        let before = self.diags.items().len();
        let generic = self.types.is_void(a) || self.types.is_void(b);
        let span = self.node(e).span;
        if !generic && !self.types.compatible_unqualified(a, b) {
            let message = format!(
                "{} incompatible pointer types: {} to {}",
                self.pts_context(purpose),
                self.quoted(from),
                self.quoted(to)
            );
            let help = "write a cast if this is intended";
            self.warn(code::POINTER_MISMATCH, span, message, help);
        } else if let PtsUse::Assign(context) = purpose {
            self.check_qualifiers(span, (from, a), (to, b), context);
        }
        if self.diags.items().len() == before {
            return self.cast_implicit(e, to);
        }
        let kind = ExprKind::Cast {
            value: e,
            implicit: false,
        };
        self.make(kind, to.bare(), span, &[e])
    }
}

impl Context<'_> {
    pub(super) fn pts_context(&self, purpose: PtsUse) -> String {
        match purpose {
            PtsUse::Assign(context) => doing(self, context),
            PtsUse::Binary => "operator mixes".into(),
            PtsUse::Cond => "conditional expression mixes".into(),
        }
    }

    /// Warns if the target types `a` and `b` of two pointers-to-shared are not compatible (`shared void` is compatible
    /// with all, UPC 6.5.1.1p10), and if an assignment loses qualifiers.
    pub(super) fn check_referenced(
        &mut self,
        span: Span,
        (from, a): (QualType, QualType),
        (to, b): (QualType, QualType),
        purpose: PtsUse,
    ) {
        let generic = self.types.is_void(a) || self.types.is_void(b);
        let (code, kind, help) = if !generic && !self.same_referenced(a, b) {
            (
                code::POINTER_MISMATCH,
                "incompatible pointers-to-shared",
                "write a cast if this is intended; the phase becomes zero if the element sizes differ",
            )
        } else if !generic && !self.same_block(a, b) {
            (
                code::BLOCK_SIZE_MISMATCH,
                "pointers-to-shared of different block size",
                "write a cast if this is intended: the phase becomes zero",
            )
        } else {
            if let PtsUse::Assign(context) = purpose {
                self.check_qualifiers(span, (from, a), (to, b), context);
            }
            return;
        };
        let message = format!(
            "{} {kind}: {} to {}",
            self.pts_context(purpose),
            self.quoted(from),
            self.quoted(to)
        );
        self.warn(code, span, message, help);
    }

    /// Warns about qualifiers of `a` that `b` lacks. The generic pointer-to-shared may drop `strict` and `relaxed`,
    /// because nothing is accessed through it.
    fn check_qualifiers(
        &mut self,
        span: Span,
        (from, a): (QualType, QualType),
        (to, b): (QualType, QualType),
        context: AssignContext,
    ) {
        let quals = |s: &Self, qt| s.types.ultimate(qt).quals;
        let mut lost = quals(self, a).without(quals(self, b));
        if self.types.is_void(b) {
            lost = lost.without(Quals::STRICT.with(Quals::RELAXED));
        }
        if lost == Quals::NONE {
            return;
        }
        let message = format!(
            "{} {} to {} and discards {}",
            doing(self, context),
            self.quoted(from),
            self.quoted(to),
            lost.words()
        );
        let help = "add the qualifier to the target type of the pointer on the left, or write a cast if this is intended";
        self.warn(code::LOST_QUALIFIERS, span, message, help);
    }

    /// True if two target types are compatible, ignoring qualifiers and block sizes.
    fn same_referenced(&self, mut a: QualType, mut b: QualType) -> bool {
        while let (Some((x, n)), Some((y, m))) = (self.types.array(a), self.types.array(b)) {
            let open = |len| matches!(len, ArrayLen::Incomplete | ArrayLen::Variable(_));
            if n != m && !open(n) && !open(m) {
                return false;
            }
            (a, b) = (x, y);
        }
        self.types.compatible_unqualified(a, b)
    }

    fn same_block(&self, a: QualType, b: QualType) -> bool {
        match (self.types.shared_elem(a), self.types.shared_elem(b)) {
            (Some((_, x)), Some((_, y))) => x == y,
            _ => true,
        }
    }

    /// True if a difference of two pointers has a meaning (C11 6.5.6p3). For pointers that do not involve shared types,
    /// the C compiler reports errors.
    pub(super) fn has_difference(&self, a: QualType, b: QualType) -> bool {
        let (Some(x), Some(y)) = (self.types.pointee(a), self.types.pointee(b)) else {
            return true;
        };
        match (self.types.is_shared(x), self.types.is_shared(y)) {
            (true, true) => self.same_referenced(x, y) && self.same_block(x, y),
            (false, false) if self.types.has_shared(x) || self.types.has_shared(y) => {
                self.types.compatible_unqualified(x, y)
            }
            _ => true,
        }
    }
}
