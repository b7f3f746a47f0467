//! Which accesses of a loop touch the own memory of the thread that makes them: in an `upc_forall` those in the block of
//! the element that decides who runs an iteration, and elsewhere those in the block with the number MYTHREAD.
//!
//! `owner` finds what `locality` rewrites. Here are the accesses by subscripts that are computed, which only a reader of the
//! program is told about.

use super::super::analysis::affine::Affine;
use super::super::analysis::effects::Effects;
use super::super::analysis::linear::{Position, Relation};
use super::super::analysis::loops::{count, range};
use super::super::analysis::places::member_root;
use super::super::analysis::stride::Stride;
use super::affinity::named;
use super::{Form, Loop, Owned, Reference, body_of, walkers};
use crate::il::walk::{Node, visit};
use crate::il::{Affinity, Body, ExprId, LocalId, Module, StmtId, StmtKind};
use hashbrown::{HashMap, HashSet};

/// The element whose thread runs an iteration of an `upc_forall`.
pub(super) struct Element {
    at: Position,
    block: u32,
    /// Elements from one iteration to the next.
    stride: Stride,
}

/// What decides who runs an iteration of a loop, if it is an element of an array.
pub(super) fn element(
    module: &Module,
    body: &Body,
    stmt: StmtId,
    form: &Form,
    effects: &Effects,
) -> Option<Element> {
    let StmtKind::Forall { affinity, .. } = body.stmt(stmt).kind else {
        return None;
    };
    let affine = Affine {
        module,
        body,
        var: form.count.var,
        effects,
        derived: &HashMap::new(),
        walkers: &walkers::strides(&form.count, &form.walkers),
    };
    match affinity {
        Affinity::All | Affinity::Int(_) => None,
        Affinity::Pts(e) => {
            let named = named(&affine, e)?;
            Some(Element {
                at: named.position(&affine)?,
                block: named.block,
                stride: named.stride(&affine)?.scaled(form.count.step)?,
            })
        }
    }
}

/// The accesses of an `upc_forall` that are in the block of the element that decides, in each iteration.
pub(super) fn of(module: &Module, body: &Body, found: &Loop, owner: &Element) -> HashSet<ExprId> {
    let ranges = ranges(module, body, body_of(body, found.stmt));
    let is_own = |reference: &&Reference| {
        let (Some(position), Ok(section)) = (&reference.position, &reference.section) else {
            return false;
        };
        section.block == owner.block
            && section.stride == owner.stride
            && owner
                .at
                .moved_to(position)
                .is_some_and(|at| stays(body, &at, position, (owner.block, owner.stride), &ranges))
    };
    let own = found.references.iter().filter(is_own);
    own.map(|it| it.access).collect()
}

/// The accesses of an `upc_forall` that have its owner function.
pub(super) fn by_owner(body: &Body, found: &Loop, owned: &Owned) -> HashSet<ExprId> {
    let is_own = |reference: &&Reference| {
        let element = reference.place(body).map(|place| member_root(body, place));
        let known = element.and_then(|element| owned.references.get(&element));
        known.is_some_and(|it| it.ahead == 0)
    };
    let own = found.references.iter().filter(is_own);
    own.map(|it| it.access).collect()
}

/// True if a position is in the block of the element in each iteration. A block is a whole number of strides, or the
/// position is the element itself.
fn stays(
    body: &Body,
    element: &Position,
    position: &Position,
    (block, stride): (u32, Stride),
    ranges: &HashMap<LocalId, (i64, i64)>,
) -> bool {
    let (low, high) = match element.relation(body, position) {
        Relation::After(0) => return true,
        Relation::After(n) => (n, n),
        Relation::Distinct => return false,
        Relation::Unknown => {
            let Some((constant, local, factor)) = element.varies(body, position) else {
                return false;
            };
            let Some(&(low, high)) = ranges.get(&local) else {
                return false;
            };
            let at = |n: i64| n.checked_mul(factor).and_then(|n| n.checked_add(constant));
            match (at(low), at(high)) {
                (Some(a), Some(b)) => (a.min(b), a.max(b)),
                _ => return false,
            }
        }
    };
    // The elements begin at a multiple of the stride.
    match stride {
        Stride::Constant(n) => {
            n > 0 && i64::from(block) % n == 0 && element.is_start() && low >= 0 && high < n
        }
        Stride::Threads(_) => false,
    }
}

/// The values of the variables of the loops in a statement whose bounds are constants.
fn ranges(module: &Module, body: &Body, inner: StmtId) -> HashMap<LocalId, (i64, i64)> {
    let mut found = HashMap::new();
    visit(body, Node::Stmt(inner), &mut |node| {
        if let Node::Stmt(s) = node
            && let StmtKind::For {
                init, cond, step, ..
            } = &body.stmt(s).kind
            && let Some(count) = cond
                .zip(*step)
                .and_then(|(cond, step)| count(module, body, cond, step))
            && let Some(values) = range(module, body, init, &count)
        {
            found.insert(count.var, values);
        }
        true
    });
    found
}

/// The accesses of any loop that are in the block with the number of the thread, in each iteration. `is_mythread` is true for
/// expressions that have that number.
pub(super) fn by_number(
    module: &Module,
    body: &Body,
    found: &Loop,
    is_mythread: &mut dyn FnMut(ExprId) -> bool,
) -> HashSet<ExprId> {
    let form = found.form.as_ref().ok();
    let up = form.filter(|form| form.count.step == Stride::Constant(1));
    let range = up.and_then(|form| form.range);
    let mut is_own = |reference: &&Reference| {
        let place = reference.place(body).map(|place| member_root(body, place));
        let block = place
            .and_then(|place| module.types.shared_elem(body.expr(place).ty))
            .map(|(_, block)| i64::from(block));
        let (Some(position), Some(block), Ok(section)) =
            (&reference.position, block, &reference.section)
        else {
            return false;
        };
        let Some((number, first)) = position.in_numbered_block(block) else {
            return false;
        };
        stays_in(block, first, section.stride, range) && is_mythread(number)
    };
    let own = found.references.iter().filter(|it| is_own(it));
    own.map(|it| it.access).collect()
}

/// True if elements at `first`, and a stride further for each value of the loop variable, are in a block of that size. The
/// variable steps by one, if its range is given.
fn stays_in(block: i64, first: i64, stride: Stride, range: Option<(i64, i64)>) -> bool {
    let is_in = |n: i64| (0..block).contains(&n);
    if stride == Stride::ZERO {
        return is_in(first);
    }
    let (Stride::Constant(1), Some((low, high))) = (stride, range) else {
        return false;
    };
    let at = |n: i64| first.checked_add(n).is_some_and(is_in);
    at(low) && at(high)
}
