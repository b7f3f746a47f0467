//! `.` and `->` (C11 6.5.2.3), through unnamed members.

use super::*;
use crate::diag::{Certainty, Help};

/// The qualifiers that a member inherits from its record.
const INHERITED: Quals = Quals(
    Quals::CONST.0 | Quals::VOLATILE.0 | Quals::SHARED.0 | Quals::STRICT.0 | Quals::RELAXED.0,
);

impl Sema<'_> {
    pub(super) fn member_expr(
        &mut self,
        base: ast::ExprId,
        name: Symbol,
        span: Span,
    ) -> il::ExprId {
        let record = self.expr(base);
        self.member_of(record, name, span)
    }

    pub(super) fn arrow_expr(&mut self, base: ast::ExprId, name: Symbol, span: Span) -> il::ExprId {
        let pointer = self.rvalue(base);
        if !matches!(
            self.class_of(pointer),
            Class::Ptr(_) | Class::Pts(_) | Class::Unknown
        ) {
            let node = self.node(pointer);
            let message = format!(
                "-> needs a pointer to a structure or union, not a `{}`",
                self.show(node.ty)
            );
            let (place, help) = match self.types.is_record(node.ty) {
                true => self.other_operator(span, "."),
                false => (span, "only structures and unions have members".into()),
            };
            self.error(code::NOT_POINTER, place, message, help);
            return self.poison(span);
        }
        if self.class_of(pointer) == Class::Unknown {
            return self.unmodelled(
                ExprKind::Deref(pointer),
                QualType::plain(Types::UNKNOWN),
                span,
                &[pointer],
            );
        }
        let record = self.dereference(
            pointer,
            Span {
                lo: span.lo,
                hi: span.lo,
            },
        );
        self.member_of(record, name, span)
    }
}

impl SymbolTable<'_> {
    fn member_of(&mut self, record: il::ExprId, name: Symbol, span: Span) -> il::ExprId {
        let ty = self.ty(record);
        let Some(id) = self.types.record_id(ty) else {
            if self.types.is_unknown(ty) {
                return self.unmodelled_member(record, span);
            }
            let of_unknown = self
                .types
                .array(ty)
                .is_some_and(|(element, _)| self.types.is_unknown(element));
            if of_unknown {
                return self.poison(span);
            }
            let message = format!(
                "a `{}` has no members: `{}` cannot be accessed",
                self.show(ty),
                self.name(name)
            );
            let to_record = self
                .types
                .pointee(ty)
                .is_some_and(|to| self.types.is_record(to));
            let (place, help) = match to_record {
                true => self.other_operator(span, "->"),
                false => (span, "only structures and unions have members".into()),
            };
            self.error(code::NO_MEMBER, place, message, help);
            return self.poison(span);
        };
        if self.types.record(id).body.is_none() && !self.missed(ty) {
            return self.poison(span);
        }
        if self.types.record(id).body.is_none() {
            let message = format!(
                "member `{}` of `{}`, whose definition is not known here",
                self.name(name),
                self.show(ty)
            );
            let help = self.incomplete_help(ty).unwrap_or_else(|| {
                "define the type before it is used, or include the header that does".to_owned()
            });
            self.error(code::INCOMPLETE_TYPE, span, message, help);
            return self.poison(span);
        }
        let Some(path) = self.lookup_member(id, name) else {
            self.no_member(id, ty, name, span);
            return self.poison(span);
        };
        let (last, inner) = (
            path.len() - 1,
            Span {
                lo: span.lo,
                hi: span.lo,
            },
        );
        let member = path
            .iter()
            .enumerate()
            .fold(record, |base, (step, &index)| {
                self.field_of(base, index, if step == last { span } else { inner })
            });
        let ty = self.ty(member);
        self.note_member(id, &path, span.hi - 1, Some(ty));
        member
    }
}

impl Nodes<'_> {
    /// A member of a record that the IL does not model cannot be printed from the IL. This is an error only if the
    /// expression is not verbatim.
    fn unmodelled_member(&mut self, record: il::ExprId, span: Span) -> il::ExprId {
        // After an error, the type may be one that the error has cost.
        if !self.is_verbatim(record) && !self.diags.has_errors() {
            let message = "upcc does not support a member of this expression, which contains UPC and has a type that upcc does not model"
                .to_string();
            self.error(
                code::UNSUPPORTED,
                span,
                message,
                "assign the expression to a variable of the right type first",
            );
        }
        self.poison(span)
    }

    /// Adds one step into a record. A member of a shared record is shared with indefinite block size (UPC 6.4.4).
    pub(in crate::sema) fn field_of(
        &mut self,
        base: il::ExprId,
        index: u32,
        span: Span,
    ) -> il::ExprId {
        let outer = self.types.resolve(self.ty(base));
        let member = match *self.types.get(outer.ty) {
            Type::Record(id) => self
                .types
                .record(id)
                .body
                .as_ref()
                .and_then(|b| b.fields.get(index as usize))
                .map(|f| f.ty),
            _ => None,
        };
        let Some(member) = member else {
            return self.poison(span);
        };
        let quals = Quals(outer.quals.0 & INHERITED.0);
        let ty = if quals == Quals::NONE {
            member
        } else {
            self.types.qualify(member, quals, 0)
        };
        self.make(ExprKind::Field(base, index), ty, span, &[base])
    }
}

impl Context<'_> {
    fn no_member(&mut self, id: crate::types::RecordId, ty: QualType, name: Symbol, span: Span) {
        let wanted = self.name(name);
        let message = format!("`{}` has no member `{wanted}`", self.show(ty));
        let at = Span {
            lo: span.hi.saturating_sub(1),
            hi: span.hi,
        };
        let help = self.member_help(id, wanted, self.parsed.stream.bytes(at));
        self.error(code::NO_MEMBER, at, message, help);
    }

    /// The `.` or `->` of a member access, and the suggestion to write the other one.
    fn other_operator(&self, access: Span, other: &str) -> (Span, Help) {
        let hi = access.hi.saturating_sub(1);
        let lo = hi.saturating_sub(1);
        let place = Span { lo, hi };
        let bytes = self.parsed.stream.bytes(place);
        let words = format!("write `{other}`");
        (
            place,
            Help::replace(words, bytes, other, Certainty::Certain),
        )
    }
}
