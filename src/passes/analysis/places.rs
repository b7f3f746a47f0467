//! Places: what an access reads or writes, and where it stands in the source.

use crate::il::{Body, ExprId, ExprKind};
use upcc_grammar::ast::Span;

/// The place that an access reads or writes.
pub fn accessed(body: &Body, e: ExprId) -> Option<ExprId> {
    if let ExprKind::Load(place)
    | ExprKind::Assign { place, .. }
    | ExprKind::AssignOp { place, .. }
    | ExprKind::IncDec { place, .. } = body.exprs[e].kind
    {
        Some(place)
    } else {
        None
    }
}

/// The place itself, or the place of which it is a member.
pub fn member_root(body: &Body, mut place: ExprId) -> ExprId {
    while let ExprKind::Field(inner, _) = body.exprs[place].kind {
        place = inner;
    }
    place
}

/// The text of an accessed place: its own tokens, or those of the access if a pass or sema made the place without
/// tokens.
pub fn place_span(body: &Body, place: ExprId, access: Span) -> Span {
    let own = body.expr(place).span;
    if own.lo < own.hi { own } else { access }
}
