//! Loops that count: the variable, its bound, and what keeps its value during the loop.

use super::effects::Effects;
use super::refs::{int_value, offset_from, strip_widening};
use crate::il::walk::{Node, visit};
use crate::il::{Body, ExprFlags, ExprId, ExprKind, LocalId, Module, UnOp};
use crate::types::{QualType, Quals, Types};
use upcc_grammar::ast::BinOp;

/// The variable that the step clause increments by one.
pub fn counted(module: &Module, body: &Body, step: ExprId) -> Option<LocalId> {
    use ExprKind::*;
    let types = &module.types;
    let place = match body.exprs[step].kind {
        IncDec {
            place, dec: false, ..
        } => place,
        AssignOp {
            op: BinOp::Add,
            place,
            value,
            ..
        } if int_value(types, body, value) == Some(1) => place,
        Assign { place, value } => {
            let Local(var) = body.exprs[place].kind else {
                return None;
            };
            let value = strip_widening(types, body, value);
            (offset_from(types, body, value, var)? == 1).then_some(place)?
        }
        Local(_) | Object(_) | Deref(_) | Field(..) | Str | CompoundLit(_) | RealPlace(_)
        | ImagPlace(_) | Int(_) | Number | Load(_) | AddrOf(_) | Decay(_) | Unary(..)
        | Binary(..) | PtrDiff(..) | Cond(..) | CondElvis(..) | Comma(..) | Call(..)
        | SizePerThread(_) | SizeofPlace(_) | StmtExpr(_) | LabelAddr(_) | VaArg(_) | Opaque
        | Threads | MyThread => return None,
        AssignOp { .. } | IncDec { .. } => return None,
        PtrAdd { .. } | Cast { .. } | Rt { .. } => return None,
    };
    let Local(var) = body.exprs[place].kind else {
        return None;
    };
    let ty = body.local(var).ty;
    if ty.quals.has(Quals::VOLATILE) {
        return None;
    }
    let kind = types.int_kind_of(ty)?;
    (kind.size() >= 4 && kind.size() <= 8).then_some(var)
}

/// Matches `var < bound` and its three other spellings. Returns the bound, whether it is included, and whether the
/// comparison is unsigned and the variable is not.
pub fn upper_bound(
    module: &Module,
    body: &Body,
    cond: ExprId,
    var: LocalId,
) -> Option<(ExprId, bool, bool)> {
    use BinOp::*;
    let ExprKind::Binary(op, a, b) = body.exprs[cond].kind else {
        return None;
    };
    let is_var = |e| offset_from(&module.types, body, e, var) == Some(0);
    // The comparison must not reinterpret the sign of the variable.
    let kind = module.types.int_kind_of(body.exprs[a].ty)?;
    let own = module.types.int_kind_of(body.locals[var].ty)?;
    if kind.size() > 8 || (kind.is_signed() != own.is_signed() && kind.size() <= own.size()) {
        return None;
    }
    let signs_differ = own.is_signed() && !kind.is_signed();
    match op {
        Lt if is_var(a) => Some((b, false, signs_differ)),
        Le if is_var(a) => Some((b, true, signs_differ)),
        Gt if is_var(b) => Some((a, false, signs_differ)),
        Ge if is_var(b) => Some((a, true, signs_differ)),
        Mul | Div | Rem | Add | Sub | Shl | Shr | Lt | Gt | Le | Ge | Eq | Ne | BitAnd | BitXor
        | BitOr | And | Or => None,
    }
}

/// True if an expression has no side effect and keeps its value during the loop.
pub fn invariant(
    module: &Module,
    body: &Body,
    expr: ExprId,
    var: LocalId,
    effects: &Effects,
) -> bool {
    use ExprKind::*;
    let mut ok = true;
    visit(body, Node::Expr(expr), &mut |node| {
        let Node::Expr(e) = node else {
            ok = false;
            return false;
        };
        let expr = &body.exprs[e];
        ok &= match expr.kind {
            Int(_) | Number | Threads | MyThread | SizePerThread(_) => true,
            Unary(UnOp::Plus | UnOp::Neg | UnOp::BitNot | UnOp::Not, _)
            | Binary(..)
            | Cast { .. } => true,
            Local(_) | Object(_) => true,
            // Each strict read is a separate event.
            Load(_) if expr.flags.has(ExprFlags::STRICT) => false,
            Load(place) => unchanged(module, body, place, var, effects),
            Deref(_) | Field(..) | Str | CompoundLit(_) | RealPlace(_) | ImagPlace(_)
            | AddrOf(_) | Decay(_) | Unary(..) | PtrDiff(..) | Cond(..) | CondElvis(..)
            | Comma(..) | Call(..) | SizeofPlace(_) | StmtExpr(_) | LabelAddr(_) | VaArg(_)
            | Opaque => false,
            Assign { .. } | AssignOp { .. } | IncDec { .. } => false,
            PtrAdd { .. } | Rt { .. } => false,
        };
        ok
    });
    ok
}

/// True if no iteration stores to a named variable.
pub fn unchanged(
    module: &Module,
    body: &Body,
    place: ExprId,
    var: LocalId,
    effects: &Effects,
) -> bool {
    use ExprKind::*;
    let ty = body.exprs[place].ty;
    if ty.quals.has(Quals::VOLATILE) {
        return false;
    }
    match body.exprs[place].kind {
        Local(local) => local != var && !changes(module, body, local, effects),
        // Other threads may write a shared scalar during the loop only in a program with a race (UPC 6.6.2p6 requires a
        // single value).
        Object(object) => {
            !effects.written_objects.contains(&object)
                && !effects.calls
                && !may_alias(&module.types, ty, &effects.stored)
        }
        Deref(_) | Field(..) | Str | CompoundLit(_) | RealPlace(_) | ImagPlace(_) | Int(_)
        | Number | Load(_) | AddrOf(_) | Decay(_) | Unary(..) | Binary(..) | PtrDiff(..)
        | Cond(..) | CondElvis(..) | Comma(..) | Call(..) | SizePerThread(_) | SizeofPlace(_)
        | StmtExpr(_) | LabelAddr(_) | VaArg(_) | Opaque | Threads | MyThread => false,
        Assign { .. } | AssignOp { .. } | IncDec { .. } => false,
        PtrAdd { .. } | Cast { .. } | Rt { .. } => false,
    }
}

/// True if the loop's body may change a local variable, by name or through its address, or declares it.
pub fn changes(module: &Module, body: &Body, local: LocalId, effects: &Effects) -> bool {
    let ty = body.locals[local].ty;
    let through_pointer = || effects.calls || may_alias(&module.types, ty, &effects.stored);
    effects.sets(local) || (effects.escaped.contains(&local) && through_pointer())
}

fn may_alias(types: &Types, ty: QualType, stored: &[QualType]) -> bool {
    let char_like = |t: QualType| types.fixed_size(t) == Some(1);
    stored.iter().any(|&s| {
        char_like(s)
            || types.compatible_unqualified(s, ty)
            || types.is_record(s)
            || same_integer(types, s, ty)
    })
}

/// Signed and unsigned variants may alias each other (C11 6.5p7).
fn same_integer(types: &Types, a: QualType, b: QualType) -> bool {
    types.is_integer(a) && types.is_integer(b) && types.fixed_size(a) == types.fixed_size(b)
}
