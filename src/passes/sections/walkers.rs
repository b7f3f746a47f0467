//! Variables that step once in each iteration: in the third clause of a `for`, or by the last statements of the body.
//! One of them counts the iterations; the others, integers and pointers-to-shared, walk along with it.

use super::super::analysis::effects::{Effects, has_continue};
use super::super::analysis::loops::{Count, count, stepped};
use super::super::analysis::stride::Stride;
use super::LoopReason;
use super::derived::settings_of;
use crate::il::walk::{Node, visit};
use crate::il::{Body, ExprId, ExprKind, LocalId, Module, StmtId, StmtKind};
use crate::types::Quals;
use hashbrown::{HashMap, HashSet};

/// The steps of a loop.
pub(super) struct Steps {
    pub(super) count: Count,
    pub(super) walkers: Vec<Walker>,
    /// The number of last statements of the body that are steps.
    pub(super) tail: usize,
    /// Other parts of the third clause, which have nothing to do with the variables above.
    pub(super) others: Vec<ExprId>,
}

/// A variable that walks along.
#[derive(Clone, Copy, Debug)]
pub struct Walker {
    pub local: LocalId,
    /// The change in an iteration.
    pub stride: Stride,
    /// The expression that makes it.
    pub step: ExprId,
    /// The step is a part of another expression of the body, such as `*p++`.
    pub within: bool,
}

/// Finds the steps of a loop with this condition, third clause and body.
pub(super) fn of(
    module: &Module,
    body: &Body,
    (cond, step): (Option<ExprId>, Option<ExprId>),
    inner: StmtId,
    effects: &Effects,
) -> Result<Steps, LoopReason> {
    let mut clause = Vec::new();
    if let Some(step) = step {
        flatten(body, step, &mut clause);
    }
    let last = tail(module, body, inner, effects);
    let cond = cond.ok_or(LoopReason::NotCounted)?;
    let mut all = clause.iter().chain(&last).copied();
    let found = all.find_map(|step| Some((step, count(module, body, cond, step)?)));
    let Some((counting, count)) = found else {
        return Err(LoopReason::NotCounted);
    };
    let (mut walkers, mut others) = (Vec::new(), Vec::new());
    let in_clause = clause.len();
    for (at, step) in clause.into_iter().chain(last.iter().copied()).enumerate() {
        if step == counting {
            continue;
        }
        // The body sets a variable of its tail once, and one of the third clause never.
        let is_only_step = |walker: &Walker| at >= in_clause || !effects.sets(walker.local);
        let walks = walker(module, body, step, effects)
            .filter(|walker| walker.local != count.var)
            .filter(is_only_step)
            .filter(|walker| {
                walkers
                    .iter()
                    .all(|known: &Walker| known.local != walker.local)
            });
        match walks {
            Some(walks) => walkers.push(walks),
            None => others.push(step),
        }
    }
    let is_other = |e: &ExprId| {
        let mut stepped = walkers.iter().map(|it: &Walker| it.local);
        let free = !mentions(body, *e, count.var) && !stepped.any(|it| mentions(body, *e, it));
        free && !is_shared(module, body, *e)
    };
    if !others.iter().all(is_other) {
        return Err(LoopReason::NotCounted);
    }
    Ok(Steps {
        count,
        walkers,
        tail: last.len(),
        others,
    })
}

/// True if an expression names a variable.
pub(super) fn mentions(body: &Body, e: ExprId, local: LocalId) -> bool {
    let mut found = false;
    visit(body, Node::Expr(e), &mut |node| {
        found |= matches!(node, Node::Expr(it)
            if matches!(body.expr(it).kind, ExprKind::Local(l) if l == local));
        !found
    });
    found
}

/// True if an expression has to do with shared memory.
fn is_shared(module: &Module, body: &Body, e: ExprId) -> bool {
    let mut found = false;
    visit(body, Node::Expr(e), &mut |node| {
        found |= match node {
            Node::Expr(it) => module.types.has_shared(body.expr(it).ty),
            Node::Stmt(_) | Node::Init(_) => true,
        };
        !found
    });
    found
}

/// The strides of the walkers when the loop variable grows by one, where that is a whole number.
pub(super) fn strides(count: &Count, walkers: &[Walker]) -> HashMap<LocalId, Stride> {
    let strides = walkers.iter();
    strides
        .filter_map(|walker| Some((walker.local, walker.stride.per(count.step)?)))
        .collect()
}

/// The parts of a comma expression.
fn flatten(body: &Body, e: ExprId, parts: &mut Vec<ExprId>) {
    if let ExprKind::Comma(a, b) = body.expr(e).kind {
        flatten(body, a, parts);
        flatten(body, b, parts);
    } else {
        parts.push(e);
    }
}

/// The last statements of a body, if they step variables that nothing else in the body sets.
fn tail(module: &Module, body: &Body, inner: StmtId, effects: &Effects) -> Vec<ExprId> {
    let StmtKind::Compound(block) = &body.stmt(inner).kind else {
        return Vec::new();
    };
    if has_continue(body, inner) {
        return Vec::new();
    }
    let mut found = Vec::new();
    for &item in block.items.iter().rev() {
        let StmtKind::Expr(step) = body.stmt(item).kind else {
            break;
        };
        let alone = |walker: &Walker| {
            !effects.declared.contains(&walker.local) && settings_of(body, inner, walker.local) == 1
        };
        if walker(module, body, step, effects).filter(alone).is_none() {
            break;
        }
        found.push(step);
    }
    found.reverse();
    found
}

/// A step of an integer or a pointer-to-shared whose address nobody has.
fn walker(module: &Module, body: &Body, step: ExprId, effects: &Effects) -> Option<Walker> {
    let (local, stride) = stepped(module, body, step)?;
    let ty = body.local(local).ty;
    let kept = !effects.escaped.contains(&local) && !ty.quals.has(Quals::VOLATILE);
    kept.then_some(Walker {
        local,
        stride,
        step,
        within: false,
    })
}

/// The walkers whose steps are parts of other expressions: each iteration makes them, and they are the only uses of the
/// variable in the body. `certain`: what each iteration evaluates.
pub(super) fn within(
    module: &Module,
    body: &Body,
    (inner, var): (StmtId, LocalId),
    effects: &Effects,
    certain: &HashSet<ExprId>,
) -> Vec<Walker> {
    let mut uses: HashMap<LocalId, usize> = HashMap::new();
    let mut steps = Vec::new();
    visit(body, Node::Stmt(inner), &mut |node| {
        if let Node::Expr(e) = node {
            let kind = body.expr(e).kind;
            if let ExprKind::Local(local) = kind {
                *uses.entry(local).or_default() += 1;
            }
            if matches!(kind, ExprKind::IncDec { .. }) && certain.contains(&e) {
                steps.push(e);
            }
        }
        true
    });
    let walks = |step| walker(module, body, step, effects);
    let alone = |walker: &Walker| {
        walker.local != var
            && uses.get(&walker.local) == Some(&1)
            && !effects.declared.contains(&walker.local)
    };
    let found = steps.into_iter().filter_map(walks).filter(alone);
    found
        .map(|walker| Walker {
            within: true,
            ..walker
        })
        .collect()
}
