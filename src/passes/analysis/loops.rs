//! Loops that count: the variable, its bound, and what keeps its value during the loop.

use super::effects::{Effects, root_of};
use super::refs::{int_value, offset_from, strip_widening};
use super::stride::Stride;
use crate::il::walk::{Node, visit};
use crate::il::{
    Body, Decl, ExprFlags, ExprId, ExprKind, ForInit, InitKind, LocalId, Module, UnOp,
};
use crate::types::{QualType, Quals, Types};
use upcc_grammar::ast::BinOp;

/// A loop that counts with a step other than one, too.
#[derive(Clone, Debug)]
pub struct Count {
    /// An integer, or a pointer-to-shared to elements, whose step is one of elements.
    pub var: LocalId,
    /// The change of the variable; not 0. A negative one is a constant.
    pub step: Stride,
    /// The loop runs while the variable is less than this, or greater for a negative step.
    pub bound: ExprId,
    /// The loop also runs if the variable equals the bound.
    pub inclusive: bool,
    /// The condition is `!=`: from beyond the bound, the loop runs until something else ends it.
    pub unequal: bool,
    /// The condition, if its conversion to an unsigned type makes it false for a negative start: then the loop never
    /// runs.
    pub guard: Option<ExprId>,
}

/// Matches the condition and the step of a loop that counts up or down. That nothing else changes variable and bound
/// is for the caller to find out.
pub fn count(module: &Module, body: &Body, cond: ExprId, step: ExprId) -> Option<Count> {
    let (var, step_by) = stepped(module, body, step)?;
    let up = match step_by {
        Stride::Constant(n) => n > 0,
        Stride::Threads(n) => (n > 0).then_some(true)?,
    };
    if module.types.is_pts(body.local(var).ty) {
        return pointer_count(module, body, cond, (var, step_by), up);
    }
    let kind = module.types.int_kind_of(body.local(var).ty)?;
    // A longer step of an unsigned variable may wrap around past the bound, and 0 ends no loop that counts down.
    let steps_over = !matches!(step_by, Stride::Constant(1));
    if !kind.is_signed() && steps_over {
        return None;
    }
    let (bound, inclusive, signs_differ) = bound(module, body, cond, var, up)?;
    if signs_differ && steps_over {
        return None;
    }
    // A longer step may pass over a value that is only unequal.
    let single = matches!(step_by, Stride::Constant(1 | -1));
    let unequal = is_unequal(body, cond);
    if !single && unequal {
        return None;
    }
    Some(Count {
        var,
        step: step_by,
        bound,
        inclusive,
        unequal,
        guard: signs_differ.then_some(cond),
    })
}

fn is_unequal(body: &Body, cond: ExprId) -> bool {
    matches!(body.expr(cond).kind, ExprKind::Binary(BinOp::Ne, ..))
}

/// Matches `p < end` and its other spellings, `p != end` among them, for a pointer-to-shared and one of the same type. Both lead
/// into one array, or the comparison has no meaning (UPC 6.4.2).
fn pointer_count(
    module: &Module,
    body: &Body,
    cond: ExprId,
    (var, step): (LocalId, Stride),
    up: bool,
) -> Option<Count> {
    use BinOp::*;
    let types = &module.types;
    let ExprKind::Binary(op, a, b) = body.expr(cond).kind else {
        return None;
    };
    let ty = body.local(var).ty;
    let is_var = |e: ExprId| {
        let ExprKind::Load(place) = body.expr(e).kind else {
            return false;
        };
        matches!(body.expr(place).kind, ExprKind::Local(local) if local == var)
    };
    let (op, bound) = match op {
        Lt | Le | Gt | Ge | Ne if is_var(a) => (op, b),
        Lt if is_var(b) => (Gt, a),
        Le if is_var(b) => (Ge, a),
        Gt if is_var(b) => (Lt, a),
        Ge if is_var(b) => (Le, a),
        Ne if is_var(b) => (Ne, a),
        Mul | Div | Rem | Add | Sub | Shl | Shr | Lt | Gt | Le | Ge | Eq | Ne | BitAnd | BitXor
        | BitOr | And | Or => return None,
    };
    let single = matches!(step, Stride::Constant(1 | -1));
    let inclusive = match (op, up) {
        (Lt, true) | (Gt, false) => false,
        (Le, true) | (Ge, false) => true,
        (Ne, _) if single => false,
        _ => return None,
    };
    let element = types.pointee(ty)?;
    let same = types.compatible_unqualified(body.expr(bound).ty, QualType::plain(ty.ty));
    let counts = same && !types.is_array(element) && types.fixed_size(element)? > 0;
    counts.then_some(Count {
        var,
        step,
        bound,
        inclusive,
        unequal: op == Ne,
        guard: None,
    })
}

/// The least and the greatest value of the variable in an iteration, if start and bound are constants.
pub fn range(module: &Module, body: &Body, init: &ForInit, count: &Count) -> Option<(i64, i64)> {
    module.types.int_kind_of(body.local(count.var).ty)?;
    let value = |e| int_value(&module.types, body, e);
    let (start, bound) = (value(start(body, init, count.var)?)?, value(count.bound)?);
    let beyond = i64::from(!count.inclusive);
    match count.step {
        _ if count.guard.is_some() => None,
        Stride::Constant(n) if count.unequal && (bound < start) == (n > 0) && bound != start => {
            None
        }
        Stride::Constant(n) if n < 0 => Some((bound.checked_add(beyond)?, start)),
        Stride::Constant(_) | Stride::Threads(_) => Some((start, bound.checked_sub(beyond)?)),
    }
}

/// The value that the first clause of a loop gives its variable.
pub fn start(body: &Body, init: &ForInit, var: LocalId) -> Option<ExprId> {
    match init {
        ForInit::Expr(e) => {
            let ExprKind::Assign { place, value } = body.expr(*e).kind else {
                return None;
            };
            matches!(body.expr(place).kind, ExprKind::Local(l) if l == var).then_some(value)
        }
        ForInit::Decl(group) => group.decls.iter().find_map(|decl| {
            let Decl::Local { local, init, .. } = decl else {
                return None;
            };
            let InitKind::Expr(value) = body.init((*init)?).kind else {
                return None;
            };
            (*local == var).then_some(value)
        }),
        ForInit::None => None,
    }
}

/// The variable that an expression steps, and by how much: an integer of 4 or 8 bytes, or a pointer-to-shared.
pub fn stepped(module: &Module, body: &Body, step: ExprId) -> Option<(LocalId, Stride)> {
    let types = &module.types;
    let kind = body.expr(step).kind;
    let local = |place: ExprId| {
        let ExprKind::Local(var) = body.expr(place).kind else {
            return None;
        };
        Some(var)
    };
    let (var, by) = if let ExprKind::IncDec { place, dec, .. } = kind {
        (local(place)?, Stride::Constant(if dec { -1 } else { 1 }))
    } else if let ExprKind::AssignOp {
        op, place, value, ..
    } = kind
    {
        (local(place)?, signed_step(types, body, op, value)?)
    } else if let ExprKind::Assign { place, value } = kind {
        let var = local(place)?;
        let sum = strip_widening(types, body, value);
        let is_same = |e: ExprId| matches!(body.expr(e).kind, ExprKind::Load(from) if local(from) == Some(var));
        if let ExprKind::PtrAdd { ptr, index, negate } = body.expr(sum).kind {
            let op = if negate { BinOp::Sub } else { BinOp::Add };
            let by = signed_step(types, body, op, index)?;
            return (is_same(ptr) && types.is_pts(body.local(var).ty)).then_some((var, by));
        }
        let ExprKind::Binary(op, a, b) = body.expr(sum).kind else {
            return None;
        };
        let is_var = |e| offset_from(types, body, e, var) == Some(0);
        let by = if is_var(a) { b } else { a };
        if !(is_var(a) || is_var(b) && op == BinOp::Add) {
            return None;
        }
        (var, signed_step(types, body, op, by)?)
    } else {
        return None;
    };
    let ty = body.local(var).ty;
    let steps = by != Stride::ZERO && !ty.quals.has(Quals::VOLATILE);
    let size = types.int_kind_of(ty).map(|kind| kind.size());
    let fits = size.is_some_and(|size| (4..=8).contains(&size));
    (steps && (fits || types.is_pts(ty))).then_some((var, by))
}

/// The step that `var op= value` makes.
fn signed_step(types: &Types, body: &Body, op: BinOp, value: ExprId) -> Option<Stride> {
    let value = strip_widening(types, body, value);
    let size = match int_value(types, body, value) {
        Some(n) => Stride::Constant(n),
        None => matches!(body.expr(value).kind, ExprKind::Threads).then_some(Stride::Threads(1))?,
    };
    if op == BinOp::Add {
        Some(size)
    } else if op == BinOp::Sub {
        size.times(-1)
    } else {
        None
    }
}

/// Matches `var < bound` and its other spellings, `var != bound` among them; `var > bound` if not `up`. Returns the bound,
/// whether it is included, and whether the comparison is unsigned and the variable is not.
fn bound(
    module: &Module,
    body: &Body,
    cond: ExprId,
    var: LocalId,
    up: bool,
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
    // Read with the variable on the left.
    let (op, bound) = match op {
        Lt | Le | Gt | Ge if is_var(a) => (op, b),
        Lt if is_var(b) => (Gt, a),
        Le if is_var(b) => (Ge, a),
        Gt if is_var(b) => (Lt, a),
        Ge if is_var(b) => (Le, a),
        // A signed variable that starts beyond the bound would overflow.
        Ne if is_var(a) && own.is_signed() => (if up { Lt } else { Gt }, b),
        Ne if is_var(b) && own.is_signed() => (if up { Lt } else { Gt }, a),
        Mul | Div | Rem | Add | Sub | Shl | Shr | Lt | Gt | Le | Ge | Eq | Ne | BitAnd | BitXor
        | BitOr | And | Or => return None,
    };
    match (op, up) {
        (Lt, true) | (Gt, false) => Some((bound, false, signs_differ)),
        (Le, true) | (Ge, false) => Some((bound, true, signs_differ)),
        _ => None,
    }
}

/// What an expression contributes to the value of the one around it, beside its operands.
pub enum Part {
    /// Nothing: a constant, an operator or an address, without side effect.
    Computed,
    /// What it loads from this place.
    Loaded(ExprId),
    /// Which of its operands is evaluated.
    Chosen,
    /// It has a side effect, may have one, or is not followed; or it names a variable that the loop declares.
    Other,
}

impl Part {
    /// The part of an expression of a loop with these effects.
    pub fn of(body: &Body, e: ExprId, effects: &Effects) -> Part {
        use ExprKind::*;
        match body.exprs[e].kind {
            Int(_) | Number | Threads | MyThread | SizePerThread(_) => Part::Computed,
            Unary(UnOp::Plus | UnOp::Neg | UnOp::BitNot | UnOp::Not, _)
            | Binary(..)
            | Cast { .. } => Part::Computed,
            Local(_) | Object(_) => Part::Computed,
            // Addresses; what is loaded from them is judged where it is loaded.
            Deref(_) | Field(..) | PtrAdd { .. } => Part::Computed,
            AddrOf(place) | Decay(place) if is_declared(body, place, effects) => Part::Other,
            AddrOf(_) | Decay(_) => Part::Computed,
            Load(place) => Part::Loaded(place),
            Cond(..) => Part::Chosen,
            Str | CompoundLit(_) | RealPlace(_) | ImagPlace(_) | Unary(..) | PtrDiff(..)
            | CondElvis(..) | Comma(..) | Call(..) | SizeofPlace(_) | StmtExpr(_)
            | LabelAddr(_) | VaArg(_) | Opaque => Part::Other,
            Assign { .. } | AssignOp { .. } | IncDec { .. } | Rt { .. } => Part::Other,
        }
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
    let mut ok = true;
    visit(body, Node::Expr(expr), &mut |node| {
        let Node::Expr(e) = node else {
            ok = false;
            return false;
        };
        ok &= match Part::of(body, e, effects) {
            Part::Computed => true,
            // Each strict read is a separate event.
            Part::Loaded(_) if body.exprs[e].flags.has(ExprFlags::STRICT) => false,
            Part::Loaded(place) => unchanged(module, body, place, var, effects),
            Part::Chosen | Part::Other => false,
        };
        ok
    });
    ok
}

/// True for a variable that the loop declares, and for a part of one: it does not exist before the loop.
fn is_declared(body: &Body, place: ExprId, effects: &Effects) -> bool {
    let root = body.exprs[root_of(body, place)].kind;
    matches!(root, ExprKind::Local(local) if effects.declared.contains(&local))
}

/// True if no iteration stores to a variable, or to the target of a pointer that does not change.
pub fn unchanged(
    module: &Module,
    body: &Body,
    place: ExprId,
    var: LocalId,
    effects: &Effects,
) -> bool {
    let ty = body.exprs[place].ty;
    if ty.quals.has(Quals::VOLATILE) {
        return false;
    }
    let root = body.exprs[root_of(body, place)].kind;
    if let ExprKind::Local(local) = root {
        return local != var && !changes(module, body, local, effects);
    }
    let written = if let ExprKind::Object(object) = root {
        effects.written_objects.contains(&object)
    } else {
        !matches!(root, ExprKind::Deref(_))
    };
    // Other threads may write shared memory during the loop only in a program with a race (UPC 6.6.2p6 requires a single
    // value of a bound), or where the loop synchronizes.
    let by_others = effects.syncs && module.types.is_shared(ty);
    !written && !effects.calls && !by_others && !may_alias(&module.types, ty, &effects.stored)
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
