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
    // Each variant is listed once, for `x`, so that a new one does not compile until it is handled here.
    let alike = || match x.kind {
        Local(l) => matches!(y.kind, Local(m) if l == m),
        Object(o) => matches!(y.kind, Object(p) if o == p),
        Int(n) => matches!(y.kind, Int(m) if n == m),
        Threads => matches!(y.kind, Threads),
        MyThread => matches!(y.kind, MyThread),
        Deref(a) => matches!(y.kind, Deref(b) if same(a, b)),
        Load(a) => matches!(y.kind, Load(b) if same(a, b)),
        AddrOf(a) => matches!(y.kind, AddrOf(b) if same(a, b)),
        Decay(a) => matches!(y.kind, Decay(b) if same(a, b)),
        Field(a, i) => matches!(y.kind, Field(b, j) if i == j && same(a, b)),
        Unary(f, a) => matches!(y.kind, Unary(g, b) if f == g && same(a, b)),
        Cast { value: a, .. } => matches!(y.kind, Cast { value: b, .. } if same(a, b)),
        Binary(f, a, b) => {
            matches!(y.kind, Binary(g, c, d) if f == g && same(a, c) && same(b, d))
        }
        PtrAdd {
            ptr: a,
            index: b,
            negate: f,
        } => {
            matches!(y.kind, PtrAdd { ptr: c, index: d, negate: g } if f == g && same(a, c) && same(b, d))
        }
        // These do more than compute an address or an integer, or are not compared.
        Str | CompoundLit(_) | RealPlace(_) | ImagPlace(_) | Number | PtrDiff(..) | Cond(..)
        | CondElvis(..) | Comma(..) | Call(..) | SizePerThread(_) | SizeofPlace(_)
        | StmtExpr(_) | LabelAddr(_) | VaArg(_) | Opaque => false,
        Assign { .. } | AssignOp { .. } | IncDec { .. } | Rt { .. } => false,
    };
    x.ty == y.ty && alike()
}
