//! Where a record may have a flexible array member.

use super::Sema;
use crate::diag::codes;
use crate::types::{ArrayLen, QualType, Types};
use upcc_grammar::ast::Span;

/// Where a member stands in its record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum MemberPlace {
    /// In front of others.
    Inner,
    /// The last one, and the only one with a name.
    Only,
    /// The last one, behind others.
    Last,
}

impl Sema<'_> {
    /// Checks that an array of unknown size is the last member of a structure that has others (C11 6.7.2.1p3, p18).
    pub(super) fn check_flexible(
        &mut self,
        ty: QualType,
        at: Span,
        place: MemberPlace,
    ) -> QualType {
        if !matches!(self.types.array(ty), Some((_, ArrayLen::Incomplete))) {
            return ty;
        }
        let in_union = self
            .defining
            .last()
            .is_some_and(|&id| self.types.record(id).is_union);
        let (message, help) = match (in_union, place) {
            (true, _) => (
                "a union cannot have an array of unknown size as a member",
                "give its size",
            ),
            (false, MemberPlace::Inner) => (
                "only the last member can be an array of unknown size",
                "move it to the end, or give its size",
            ),
            (false, MemberPlace::Only) => (
                "an array of unknown size cannot be the only member with a name",
                "add a member in front of it, or give its size",
            ),
            (false, MemberPlace::Last) => return ty,
        };
        self.error(codes::FLEXIBLE_ARRAY, at, message, help);
        QualType::plain(Types::UNKNOWN)
    }
}
