//! The owner of each iteration of an `upc_forall` (UPC 6.6.2) as a function of the loop variable, and the references whose
//! elements have the same function.
//!
//! The owner of iteration `i` is `(t0 + floor((i + d) / G)) mod THREADS`:
//! - integer affinity `i + d`: G = 1, t0 = 0;
//! - integer affinity `(i + d) / G` with a constant G, from `i + d` = 0 or above: t0 = 0;
//! - integer affinity `(i + d) * THREADS / G`: the same, with `floor((i + d) * THREADS / G)`;
//! - `&a[i + d]...` with a declared array, block size B and K ultimate elements in `a[i]`: if K divides B, G = B / K
//!   and t0 = 0, because `floor((K * (i + d) + v) / B) = floor((i + d) / G)` for every v in `0..K`, and C requires a
//!   subscript to stay in its row;
//! - the same through a pointer-to-shared `p`: t0 and phase are those of `p` at loop entry.
//!
//! A reference with the same function is local in every owned iteration. One that differs only in `d` is local where both
//! iterations are in one block.

use super::super::analysis::effects::Effects;
use super::super::analysis::loops::{Count, changes, count, invariant, start, unchanged};
use super::super::analysis::places::{accessed, member_root};
use super::super::analysis::refs::{
    Base, ElemRef, address_ref, elem_ref, int_value, offset_from, strip_widening,
};
use super::super::analysis::stride::Stride;
use crate::il::walk::{Node, visit};
use crate::il::{
    Affinity, Body, ExprFlags, ExprId, ExprKind, ForInit, LocalId, Module, StmtId, StmtKind,
};
use crate::types::Types;
use hashbrown::HashMap;
use upcc_grammar::ast::BinOp;

/// An `upc_forall` with an owner function, whose variable steps up by one, and is not changed by the body.
pub struct Owned {
    pub count: Count,
    pub owner: Owner,
    /// Relaxed accesses of the body whose element has that function, up to `d`: each is the place of a whole element.
    pub references: HashMap<ExprId, OwnRef>,
}

/// A reference to the element that belongs to the iteration `ahead` after the current one. It is local if both are in
/// one block.
#[derive(Clone, Debug)]
pub struct OwnRef {
    pub element: ElemRef,
    pub ahead: i64,
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

/// Finds the owner function of an `upc_forall`. `effects` are those of its body.
#[must_use]
pub fn owned(module: &Module, body: &Body, stmt: StmtId, effects: &Effects) -> Option<Owned> {
    let StmtKind::Forall {
        init,
        cond,
        step,
        affinity,
        body: inner,
    } = &body.stmt(stmt).kind
    else {
        return None;
    };
    let count = count(module, body, (*cond)?, (*step)?)?;
    let is_integer = module.types.int_kind_of(body.local(count.var).ty).is_some();
    if !is_integer || count.step != Stride::Constant(1) {
        return None;
    }
    if changes(module, body, count.var, effects)
        || writes_elsewhere(body, init, count.var)
        || !invariant(module, body, count.bound, count.var, effects)
    {
        return None;
    }
    let first = start(body, init, count.var).and_then(|e| int_value(&module.types, body, e));
    let owner = owner(module, body, *affinity, (count.var, first), effects)?;
    let references = references(module, body, *inner, (count.var, &owner), effects);
    Some(Owned {
        count,
        owner,
        references,
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

/// Finds the relaxed accesses of the body whose element has the loop's owner function, up to `d`.
fn references(
    module: &Module,
    body: &Body,
    root: StmtId,
    (var, owner): (LocalId, &Owner),
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
                owner_of(module, body, &r, var, effects).and_then(|o| ahead_of(&o, owner))
        {
            found.insert(element, OwnRef { element: r, ahead });
        }
        true
    });
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
fn ahead_of(a: &Owner, b: &Owner) -> Option<i64> {
    let same_base = match (a.base, b.base) {
        (None, None) => true,
        (Some(a), Some(b)) => a.base == b.base && a.block == b.block,
        (None, Some(_)) | (Some(_), None) => false,
    };
    let ahead = a.offset.checked_sub(b.offset)?;
    (same_base && a.block == b.block && a.spread == b.spread).then_some(ahead)
}
