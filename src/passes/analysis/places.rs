//! Places: what an access reads or writes, and where it stands in the source.

use crate::il::{Body, ExprFlags, ExprId, ExprKind};
use crate::types::Types;
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

/// True for an access that raises events. An access that `locality` has made private keeps its marks, which have no
/// effect.
pub fn raises_events(types: &Types, body: &Body, e: ExprId) -> bool {
    let flags = body.expr(e).flags;
    (flags.has(ExprFlags::INSTRUMENT_GET) || flags.has(ExprFlags::INSTRUMENT_PUT))
        && accessed(body, e).is_some_and(|place| types.is_shared(body.expr(place).ty))
}

/// The text of an accessed place: its own tokens, or those of the access if a pass or sema made the place without
/// tokens.
pub fn place_span(body: &Body, place: ExprId, access: Span) -> Span {
    let own = body.expr(place).span;
    if own.lo < own.hi { own } else { access }
}

/// True for two expressions of the same form, over the same variables and constants, that only compute an address or an
/// integer.
pub fn same_value(body: &Body, a: ExprId, b: ExprId) -> bool {
    use ExprKind::*;
    let same = |a, b| same_value(body, a, b);
    let (x, y) = (body.expr(a), body.expr(b));
    let alike = || match (x.kind, y.kind) {
        (Local(x), Local(y)) => x == y,
        (Object(x), Object(y)) => x == y,
        (Int(x), Int(y)) => x == y,
        (Threads, Threads) | (MyThread, MyThread) => true,
        (Deref(x), Deref(y))
        | (Load(x), Load(y))
        | (AddrOf(x), AddrOf(y))
        | (Decay(x), Decay(y)) => same(x, y),
        (Field(x, i), Field(y, j)) => i == j && same(x, y),
        (Unary(f, x), Unary(g, y)) => f == g && same(x, y),
        (Cast { value: x, .. }, Cast { value: y, .. }) => same(x, y),
        (Binary(f, a, b), Binary(g, c, d)) => f == g && same(a, c) && same(b, d),
        (
            PtrAdd {
                ptr: a,
                index: b,
                negate: f,
            },
            PtrAdd {
                ptr: c,
                index: d,
                negate: g,
            },
        ) => f == g && same(a, c) && same(b, d),
        _ => false,
    };
    x.ty == y.ty && alike()
}
