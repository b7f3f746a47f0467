//! Decides whether a `upc_forall` has an owner function that can be stepped over, and which references share it.

use crate::il::walk::{Node, visit};
use crate::il::{
    Affinity, Body, ExprFlags, ExprId, ExprKind, ForInit, LocalId, Module, StmtId, StmtKind,
};
use crate::passes::analysis::effects::Effects;
use crate::passes::analysis::loops::{changes, counted, invariant, start, unchanged, upper_bound};
use crate::passes::analysis::places::{accessed, member_root};
use crate::passes::analysis::refs::{
    Base, ElemRef, address_ref, elem_ref, int_value, offset_from, strip_widening,
};
use crate::types::Types;
use hashbrown::HashMap;
use upcc_grammar::ast::BinOp;

/// A loop whose owned iterations can be enumerated.
pub struct Plan {
    /// The loop variable: it steps up by one, and the body does not change it.
    pub var: LocalId,
    /// The loop runs while `var < bound`, or `<=`.
    pub bound: ExprId,
    pub inclusive: bool,
    /// The condition, if its conversion to an unsigned type makes it false for a negative start: then the loop never
    /// runs.
    pub guard: Option<ExprId>,
    pub owner: Owner,
    /// Places in the body that are local in owned iterations; each is a whole element reference.
    pub local: HashMap<ExprId, OwnRef>,
}

/// A reference to the element that belongs to the iteration `ahead` after the current one. It is local if both are in
/// one block.
#[derive(Clone, Debug)]
pub struct OwnRef {
    pub element: ElemRef,
    pub ahead: i64,
}

impl Plan {
    /// Number of iterations at the beginning and at the end of a block whose references reach other blocks.
    pub fn rims(&self) -> (i64, i64) {
        rims(&self.local)
    }

    /// Removes the accesses that raise events.
    pub fn keep_instrumented(&mut self, body: &Body, root: StmtId) {
        visit(body, Node::Stmt(root), &mut |node| {
            let Node::Expr(e) = node else { return true };
            let flags = body.exprs[e].flags;
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

/// The owner function `(t0 + floor((i + offset) / block)) mod THREADS`, or `floor((i + offset) * THREADS / block) mod
/// THREADS`.
#[derive(Clone, Copy, Debug)]
pub struct Owner {
    pub offset: i64,
    /// Number of consecutive iterations with one owner, or of all iterations that are spread over the threads.
    pub block: u64,
    /// The second form.
    pub spread: bool,
    /// The pointer that determines t0, if t0 is not 0.
    pub base: Option<PointerBase>,
}

/// A pointer-to-shared whose thread and phase determine the owner.
#[derive(Clone, Copy, Debug)]
pub struct PointerBase {
    /// The expression `p` in the affinity, a load.
    pub load: ExprId,
    pub base: Base,
    pub block: u32,
}

/// Plans a loop. `None`: the loop is not of the supported form, and the general lowering applies.
pub fn plan(module: &Module, body: &Body, stmt: StmtId, effects: &Effects) -> Option<Plan> {
    let StmtKind::Forall {
        init,
        cond,
        step,
        affinity,
        body: inner,
    } = &body.stmts[stmt].kind
    else {
        return None;
    };
    if effects.jumps() || effects.opaque {
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
    let start = start(body, init, var).and_then(|e| int_value(&module.types, body, e));
    let owner = owner(module, body, *affinity, (var, start), effects)?;
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

/// True if the init clause lets the address of the variable escape.
fn writes_elsewhere(body: &Body, init: &ForInit, var: LocalId) -> bool {
    let ForInit::Expr(e) = init else { return false };
    let mut taken = false;
    visit(body, Node::Expr(*e), &mut |node| {
        if let Node::Expr(e) = node
            && let ExprKind::AddrOf(place) = body.exprs[e].kind
        {
            taken |= matches!(body.exprs[place].kind, ExprKind::Local(l) if l == var);
        }
        true
    });
    taken
}

fn owner(
    module: &Module,
    body: &Body,
    affinity: Affinity,
    (var, start): (LocalId, Option<i64>),
    effects: &Effects,
) -> Option<Owner> {
    let types = &module.types;
    match affinity {
        Affinity::All => None,
        Affinity::Int(mut e) => {
            // `i % THREADS` selects the same thread as the affinity `i`; its value must not be negative (UPC 6.6.2p8).
            let inner = strip_widening(types, body, e);
            if let ExprKind::Binary(BinOp::Rem, a, b) = body.exprs[inner].kind
                && matches!(
                    body.exprs[strip_widening(types, body, b)].kind,
                    ExprKind::Threads
                )
            {
                e = a;
            }
            if let Some(owner) = owner_by_division(module, body, e, (var, start)) {
                return Some(owner);
            }
            let offset = offset_from(types, body, e, var)?;
            let signed = |ty| types.int_kind_of(ty).is_some_and(|k| k.is_signed());
            // A negative value would wrap around, and 2^64 need not be a multiple of THREADS.
            let may_wrap = offset < 0 || signed(body.locals[var].ty);
            if may_wrap && !signed(body.exprs[e].ty) {
                return None;
            }
            Some(Owner {
                offset,
                block: 1,
                spread: false,
                base: None,
            })
        }
        Affinity::Pts(e) => {
            let r = address_ref(&module.types, body, e)?;
            owner_of(module, body, &r, var, effects)
        }
    }
}

/// The owner function of the affinity `(i + d) / G`, or `(i + d) * THREADS / G`, with a constant G, if `i + d` starts at
/// 0 or above: below, the division rounds up.
fn owner_by_division(
    module: &Module,
    body: &Body,
    e: ExprId,
    (var, start): (LocalId, Option<i64>),
) -> Option<Owner> {
    let types = &module.types;
    let inner = strip_widening(types, body, e);
    let ExprKind::Binary(BinOp::Div, a, b) = body.exprs[inner].kind else {
        return None;
    };
    let block = u64::try_from(int_value(types, body, b)?).ok()?;
    let spread = times_threads(types, body, a);
    let offset = offset_from(types, body, spread.unwrap_or(a), var)?;
    let is_positive = start?.checked_add(offset)? >= 0;
    let fits = (1..=1 << 40).contains(&block);
    (is_positive && fits).then_some(Owner {
        offset,
        block,
        spread: spread.is_some(),
        base: None,
    })
}

/// The other factor of a product with THREADS that does not wrap around: a signed one, or one of 64 bits.
fn times_threads(types: &Types, body: &Body, e: ExprId) -> Option<ExprId> {
    let inner = strip_widening(types, body, e);
    let kind = types.int_kind_of(body.exprs[inner].ty)?;
    let ExprKind::Binary(BinOp::Mul, a, b) = body.exprs[inner].kind else {
        return None;
    };
    let is_threads = |e| {
        let inner = strip_widening(types, body, e);
        matches!(body.exprs[inner].kind, ExprKind::Threads)
    };
    let factor = if is_threads(b) {
        Some(a)
    } else {
        is_threads(a).then_some(b)
    };
    factor.filter(|_| kind.is_signed() || kind.size() == 8)
}

/// The owner function of a reference, if it has a supported form.
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
            let ExprKind::Load(place) = body.exprs[r.start].kind else {
                return None;
            };
            // A row to which a pointer of odd phase leads could straddle two blocks.
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
        spread: false,
        base,
    })
}

/// True for an expression without side effects, calls, or shared accesses that a rewrite would lose or repeat.
fn pure(body: &Body, expr: ExprId) -> bool {
    let mut ok = true;
    visit(body, Node::Expr(expr), &mut |node| {
        ok &= match node {
            Node::Expr(e) => !body.exprs[e].kind.has_side_effects(),
            Node::Stmt(_) | Node::Init(_) => false,
        };
        ok
    });
    ok
}

/// A block gets an inner loop of its own if the rims at its ends have at most one in `RIM_OF` of its iterations.
const RIM_OF: u64 = 4;

/// Finds the relaxed accesses of the body whose element has the loop's owner, including those that have it except at
/// the ends of a block.
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
        if body.exprs[e].flags.has(ExprFlags::STRICT) {
            return true;
        }
        let Some(element) = element_of(module, body, place) else {
            return true;
        };
        if let Some(r) = elem_ref(&module.types, body, element)
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

/// The element place: the place itself, or the place of which it is a member.
fn element_of(module: &Module, body: &Body, place: ExprId) -> Option<ExprId> {
    let place = member_root(body, place);
    let expr = &body.exprs[place];
    let element = matches!(expr.kind, ExprKind::Deref(_)) && module.types.is_shared(expr.ty);
    element.then_some(place)
}

/// The number of iterations by which `a` is ahead of `b`, if they differ in nothing else.
fn prefetch_of(a: &Owner, b: &Owner) -> Option<i64> {
    let same_base = match (a.base, b.base) {
        (None, None) => true,
        (Some(a), Some(b)) => a.base == b.base && a.block == b.block,
        (None, Some(_)) | (Some(_), None) => false,
    };
    let ahead = a.offset.checked_sub(b.offset)?;
    (same_base && a.block == b.block && a.spread == b.spread).then_some(ahead)
}
