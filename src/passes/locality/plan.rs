//! Decides whether a `upc_forall` has an owner function that we can step over, and with which references.

use super::effects::Effects;
use super::refs::{Base, ElemRef, address_ref, elem_ref, offset_from, strip_widening};
use crate::il::walk::{Node, visit};
use crate::il::{
    Affinity, Body, ExprFlags, ExprId, ExprKind, ForInit, LocalId, Module, StmtId, StmtKind, UnOp,
};
use crate::types::{QualType, Quals, Types};
use hashbrown::HashMap;
use upcc_grammar::ast::BinOp;

/// A loop whose iterations we can enumerate.
pub struct Plan {
    /// The loop variable: steps by one, upwards, not touched by the body.
    pub var: LocalId,
    /// The loop runs while `var < bound`, or `<=`.
    pub bound: ExprId,
    pub inclusive: bool,
    /// The condition, where its conversion to an unsigned type makes it false for a negative start: then the loop never runs.
    pub guard: Option<ExprId>,
    pub owner: Owner,
    /// Places in the body that are local in owned iterations, each the whole element reference.
    pub local: HashMap<ExprId, OwnRef>,
}

/// A reference to the element that is `ahead` iterations from the current one's own: local where both are in one block.
#[derive(Clone, Debug)]
pub struct OwnRef {
    pub element: ElemRef,
    pub ahead: i64,
}

impl Plan {
    /// How many iterations at the beginning and the end of a block have references into other blocks.
    pub fn rims(&self) -> (i64, i64) {
        rims(&self.local)
    }

    /// Leaves out the accesses that raise events.
    pub fn keep_instrumented(&mut self, body: &Body, root: StmtId) {
        visit(body, Node::Stmt(root), &mut |node| {
            let Node::Expr(e) = node else { return true };
            let flags = body.exprs[e.0 as usize].flags;
            let instrumented =
                flags.has(ExprFlags::INSTRUMENT_GET) || flags.has(ExprFlags::INSTRUMENT_PUT);
            if instrumented && let Some(place) = accessed(body, e) {
                self.local.remove(&member_root(body, place));
            }
            true
        });
    }
}

fn rims(local: &HashMap<ExprId, OwnRef>) -> (i64, i64) {
    let aheads = || local.values().map(|r| r.ahead);
    let behind = aheads().min().unwrap_or(0).min(0);
    (-behind, aheads().max().unwrap_or(0).max(0))
}

/// The place that an access reads or writes.
pub(in crate::passes) fn accessed(body: &Body, e: ExprId) -> Option<ExprId> {
    if let ExprKind::Load(place)
    | ExprKind::Assign { place, .. }
    | ExprKind::AssignOp { place, .. }
    | ExprKind::IncDec { place, .. } = body.exprs[e.0 as usize].kind
    {
        Some(place)
    } else {
        None
    }
}

/// The place that a place is, or is a member of.
pub(in crate::passes) fn member_root(body: &Body, mut place: ExprId) -> ExprId {
    while let ExprKind::Field(inner, _) = body.exprs[place.0 as usize].kind {
        place = inner;
    }
    place
}

/// `(t0 + floor((i + offset) / block)) mod THREADS`
#[derive(Clone, Copy, Debug)]
pub struct Owner {
    pub offset: i64,
    /// Consecutive iterations with one owner.
    pub block: u64,
    /// The pointer that gives t0, where it is not 0.
    pub base: Option<PointerBase>,
}

/// A pointer-to-shared that owns through its own thread and phase.
#[derive(Clone, Copy, Debug)]
pub struct PointerBase {
    /// The expression `p` in the affinity, a load.
    pub load: ExprId,
    pub base: Base,
    pub block: u32,
}

/// Understands a loop, or gives `None`: then the general lowering serves it.
pub fn plan(module: &Module, body: &Body, stmt: StmtId, effects: &Effects) -> Option<Plan> {
    let StmtKind::Forall {
        init,
        cond,
        step,
        affinity,
        body: inner,
    } = &body.stmts[stmt.0 as usize].kind
    else {
        return None;
    };
    if effects.jumps || effects.opaque {
        return None;
    }
    let var = counted(module, body, (*step)?)?;
    if changes(module, body, var, effects) || writes_elsewhere(body, init, var) {
        return None;
    }
    let (bound, inclusive, signs_differ) = upper_bound(module, body, (*cond)?, var)?;
    if !invariant(module, body, bound, var, effects) {
        return None;
    }
    let owner = owner(module, body, *affinity, var, effects)?;
    let local = local_refs(module, body, *inner, var, &owner, effects);
    Some(Plan {
        var,
        bound,
        inclusive,
        guard: (*cond).filter(|_| signs_differ),
        owner,
        local,
    })
}

/// The variable that the step clause increments by one.
pub(in crate::passes) fn counted(module: &Module, body: &Body, step: ExprId) -> Option<LocalId> {
    use ExprKind::*;
    let types = &module.types;
    let place = match body.exprs[step.0 as usize].kind {
        IncDec {
            place, dec: false, ..
        } => place,
        AssignOp {
            op: BinOp::Add,
            place,
            value,
            ..
        } if super::refs::int_value(types, body, value) == Some(1) => place,
        Assign { place, value } => {
            let Local(var) = body.exprs[place.0 as usize].kind else {
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
    let Local(var) = body.exprs[place.0 as usize].kind else {
        return None;
    };
    let ty = body.local(var).ty;
    if ty.quals.has(Quals::VOLATILE) {
        return None;
    }
    let kind = types.int_kind_of(ty)?;
    (kind.size() >= 4 && kind.size() <= 8).then_some(var)
}

/// The address of the variable must not escape in the init clause either.
fn writes_elsewhere(body: &Body, init: &ForInit, var: LocalId) -> bool {
    let ForInit::Expr(e) = init else { return false };
    let mut taken = false;
    visit(body, Node::Expr(*e), &mut |node| {
        if let Node::Expr(e) = node
            && let ExprKind::AddrOf(place) = body.exprs[e.0 as usize].kind
        {
            taken |= matches!(body.exprs[place.0 as usize].kind, ExprKind::Local(l) if l == var);
        }
        true
    });
    taken
}

/// `var < bound` and its three other spellings: the bound, whether it is included, whether the comparison is unsigned and the variable is not.
pub(in crate::passes) fn upper_bound(
    module: &Module,
    body: &Body,
    cond: ExprId,
    var: LocalId,
) -> Option<(ExprId, bool, bool)> {
    use BinOp::*;
    let ExprKind::Binary(op, a, b) = body.exprs[cond.0 as usize].kind else {
        return None;
    };
    let is_var = |e| offset_from(&module.types, body, e, var) == Some(0);
    // The comparison must not reinterpret the sign of the variable.
    let kind = module.types.int_kind_of(body.exprs[a.0 as usize].ty)?;
    let own = module.types.int_kind_of(body.locals[var.0 as usize].ty)?;
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

/// True when an expression has no side effect and keeps its value during the loop.
pub(in crate::passes) fn invariant(
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
        let expr = &body.exprs[e.0 as usize];
        ok &= match expr.kind {
            Int(_) | Number | Threads | MyThread | SizePerThread(_) => true,
            Unary(UnOp::Plus | UnOp::Neg | UnOp::BitNot | UnOp::Not, _)
            | Binary(..)
            | Cast { .. } => true,
            Local(_) | Object(_) => true,
            // Each strict read is an event of its own.
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

/// True when no iteration stores to a named variable.
pub(in crate::passes) fn unchanged(
    module: &Module,
    body: &Body,
    place: ExprId,
    var: LocalId,
    effects: &Effects,
) -> bool {
    use ExprKind::*;
    let ty = body.exprs[place.0 as usize].ty;
    if ty.quals.has(Quals::VOLATILE) {
        return false;
    }
    match body.exprs[place.0 as usize].kind {
        Local(local) => local != var && !changes(module, body, local, effects),
        // A shared scalar may be written by others during the loop only in a program with a race (UPC 6.6.2p6 asks for a single value).
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

/// True when the loop's body may change a local variable, by name or through its address, or declares it.
pub(in crate::passes) fn changes(
    module: &Module,
    body: &Body,
    local: LocalId,
    effects: &Effects,
) -> bool {
    let ty = body.locals[local.0 as usize].ty;
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

fn owner(
    module: &Module,
    body: &Body,
    affinity: Affinity,
    var: LocalId,
    effects: &Effects,
) -> Option<Owner> {
    let types = &module.types;
    match affinity {
        Affinity::All => None,
        Affinity::Int(mut e) => {
            // `i % THREADS` asks for what the affinity does anyway; its value must not be negative (UPC 6.6.2p8).
            let inner = strip_widening(types, body, e);
            if let ExprKind::Binary(BinOp::Rem, a, b) = body.exprs[inner.0 as usize].kind
                && matches!(
                    body.exprs[strip_widening(types, body, b).0 as usize].kind,
                    ExprKind::Threads
                )
            {
                e = a;
            }
            let offset = offset_from(types, body, e, var)?;
            let signed = |ty| types.int_kind_of(ty).is_some_and(|k| k.is_signed());
            // A negative value would wrap around, and 2^64 is no multiple of THREADS.
            let may_wrap = offset < 0 || signed(body.locals[var.0 as usize].ty);
            if may_wrap && !signed(body.exprs[e.0 as usize].ty) {
                return None;
            }
            Some(Owner {
                offset,
                block: 1,
                base: None,
            })
        }
        Affinity::Pts(e) => {
            let r = address_ref(module, body, e)?;
            owner_of(module, body, &r, var, effects)
        }
    }
}

/// The owner function of a reference, if it has the form we know.
fn owner_of(
    module: &Module,
    body: &Body,
    r: &ElemRef,
    var: LocalId,
    effects: &Effects,
) -> Option<Owner> {
    let offset = offset_from(&module.types, body, r.outer, var)?;
    let block = u64::from(r.block);
    if block == 0 || block % r.row != 0 || !r.inner.iter().all(|&(e, _)| pure(body, e)) {
        return None;
    }
    let base = match r.base {
        Base::Array(_) => None,
        Base::Local(_) | Base::Object(_) => {
            let ExprKind::Load(place) = body.exprs[r.start.0 as usize].kind else {
                return None;
            };
            // A row behind a pointer of odd phase would straddle two blocks.
            if r.row != 1 || !unchanged(module, body, place, var, effects) {
                return None;
            }
            Some(PointerBase {
                load: r.start,
                base: r.base,
                block: r.block,
            })
        }
    };
    Some(Owner {
        offset,
        block: block / r.row,
        base,
    })
}

/// No side effect, no call, no shared access that a rewrite would lose or repeat.
fn pure(body: &Body, expr: ExprId) -> bool {
    let mut ok = true;
    visit(body, Node::Expr(expr), &mut |node| {
        ok &= match node {
            Node::Expr(e) => !body.exprs[e.0 as usize].kind.has_side_effects(),
            Node::Stmt(_) | Node::Init(_) => false,
        };
        ok
    });
    ok
}

/// A part of a block that is worth a loop of its own: iterations at its ends, of so many in all, may be others.
const RIM_OF: u64 = 4;

/// Finds the relaxed accesses of the body whose element has the loop's owner, also those that have it but at the ends of a block.
fn local_refs(
    module: &Module,
    body: &Body,
    root: StmtId,
    var: LocalId,
    owner: &Owner,
    effects: &Effects,
) -> HashMap<ExprId, OwnRef> {
    let mut found = HashMap::new();
    visit(body, Node::Stmt(root), &mut |node| {
        let Node::Expr(e) = node else { return true };
        let Some(place) = accessed(body, e) else {
            return true;
        };
        if body.exprs[e.0 as usize].flags.has(ExprFlags::STRICT) {
            return true;
        }
        let Some(element) = element_of(module, body, place) else {
            return true;
        };
        if let Some(r) = elem_ref(module, body, element)
            && let Some(ahead) =
                owner_of(module, body, &r, var, effects).and_then(|o| prefetch_of(&o, owner))
        {
            let most = (owner.block / RIM_OF) as i64;
            if ahead == 0 || (-most..=most).contains(&ahead) {
                found.insert(element, OwnRef { element: r, ahead });
            }
        }
        true
    });
    let (front, back) = rims(&found);
    if (front + back) as u64 > owner.block / RIM_OF {
        found.retain(|_, r| r.ahead == 0);
    }
    found
}

/// The element place that a place is, or is a member of.
fn element_of(module: &Module, body: &Body, place: ExprId) -> Option<ExprId> {
    let place = member_root(body, place);
    let expr = &body.exprs[place.0 as usize];
    let element = matches!(expr.kind, ExprKind::Deref(_)) && module.types.is_shared(expr.ty);
    element.then_some(place)
}

/// How far `a` runs ahead of `b`, where they are the same but for that.
fn prefetch_of(a: &Owner, b: &Owner) -> Option<i64> {
    let same_base = match (a.base, b.base) {
        (None, None) => true,
        (Some(a), Some(b)) => a.base == b.base && a.block == b.block,
        (None, Some(_)) | (Some(_), None) => false,
    };
    let ahead = a.offset.checked_sub(b.offset)?;
    (same_base && a.block == b.block).then_some(ahead)
}
