//! Finds iterations of an `upc_forall` that touch what other iterations write, where different threads run the two
//! (UPC 6.6.2p9).
//!
//! Compares references that every iteration makes, or that only the ends of the loop leave out: two elements of one array
//! that are a known number of iterations apart. Does not warn:
//!
//! - if the threads of the two iterations are not known to differ: one thread, one block, ranges that fit;
//! - under other conditions, which may choose the iterations, as in a sweep over the red and the black points;
//! - if the body may synchronise: strict accesses, fences, functions of `<upc.h>`, and of the program unless they are
//!   plain C.

use super::*;
use crate::diag::codes;
use crate::il::walk::{expr_children, init_children, stmt_children};
use crate::il::{Affinity, ForInit};
use crate::passes::analysis::effects::has_continue;
use crate::passes::analysis::loops::{Count, count, invariant, range, start, stepped};
use crate::passes::analysis::stride::Stride;
use crate::passes::sections::{Distance, Mode, Reference, of_forall};
use hashbrown::HashMap;

/// Under a condition on the loop variable, references this many iterations apart are still compared: the condition may
/// leave out the ends of the loop, but it may also divide the loop into parts.
const NEAR: u64 = 2;

/// A loop in the body with more iterations is not followed value by value.
const MOST_PASSED: i64 = 1000;

/// Checks the iterations, if the statement is a `upc_forall`.
pub(super) fn check(cx: &mut Cx<'_>, stmt: StmtId) {
    let &StmtKind::Forall {
        affinity,
        body,
        step,
        ..
    } = cx.stmt(stmt)
    else {
        return;
    };
    let shares_out = !matches!(affinity, Affinity::All) && !cx.is_controlled(stmt);
    if !shares_out || cx.module.static_threads == Some(1) || may_synchronise(cx, body) {
        return;
    }
    let Some((var, _)) = step.and_then(|step| stepped(cx.module, cx.body, step)) else {
        return;
    };
    let places = Places::of(cx, body, var);
    let counters = &places.counters;
    let Some(found) = of_forall(cx.module, cx.body, stmt, &cx.escaped, counters) else {
        return;
    };
    let threads = cx.module.static_threads;
    let pair = found.dependences.iter().find_map(|it| {
        let (a, b) = (&found.references[it.first], &found.references[it.second]);
        let (compared, apart) = match it.distance {
            Distance::Iterations(0) | Distance::Always => return None,
            Distance::Iterations(n) => (places.compare(a, b, n), n),
            Distance::Unknown => (true, places.counted(cx, a, b, found.most_turns)?),
        };
        let compared = compared && are_same_member(cx, a, b);
        let parted = found.may_be_on_two_threads(apart, threads);
        (compared && parted).then_some((a, b, apart))
    });
    if let Some((a, b, apart)) = pair {
        report(cx, stmt, (a, b), apart);
    }
}

/// Reports a pair: `a` touches what `b` touched this many iterations before, or will touch after a negative number.
fn report(cx: &mut Cx<'_>, forall: StmtId, (a, b): (&Reference, &Reference), apart: i64) {
    // The report is at the read, with a note at the write.
    let (here, there, before) = match b.mode {
        Mode::Read => (b, a, apart < 0),
        Mode::Write | Mode::ReadWrite => (a, b, apart > 0),
    };
    let verb = match here.mode {
        Mode::Read => "reads",
        Mode::Write | Mode::ReadWrite => "writes",
    };
    let count = match apart.unsigned_abs() {
        1 => "the iteration".to_string(),
        n => format!("{n} iterations"),
    };
    let text = |it: &Reference| cx.parsed.stream.slice(it.span(cx.body));
    let message = format!(
        "an iteration {verb} `{}`, which {count} {} it writes as `{}`: different threads run the two, in any order",
        text(here),
        if before { "before" } else { "after" },
        text(there)
    );
    let (at, written) = (here.span(cx.body), there.span(cx.body));
    let help = "write the results to another array, and exchange the two after a barrier; or run dependent iterations on one thread";
    cx.warn(codes::FORALL_DEPENDENCE, at, message, help);
    cx.note(written, "another iteration writes it here");
    cx.note(
        cx.head(forall),
        "several threads run iterations of this upc_forall",
    );
}

/// True unless nothing in the body can synchronise threads, or end an iteration early.
fn may_synchronise(cx: &Cx<'_>, body: StmtId) -> bool {
    let mut found = has_continue(cx.body, body);
    visit(cx.body, Node::Stmt(body), &mut |node| {
        if let Node::Expr(e) = node
            && let ExprKind::Call(callee, _) = cx.kind(e)
        {
            let quiet = match (cx.library_call(e), cx.body.called(callee)) {
                (Some(name), _) => !name.contains("upc_") && !unit::may_lock(name),
                (None, Some(function)) => cx.unit.is_plain_c(function),
                (None, None) => false,
            };
            found |= !quiet;
        }
        !found
    });
    found
}

/// True for two whole elements, or for the same member of them: not for elements of an array in a record.
fn are_same_member(cx: &Cx<'_>, a: &Reference, b: &Reference) -> bool {
    let path = |it: &Reference| {
        let (mut place, mut members) = (it.place(cx.body)?, Vec::new());
        while let ExprKind::Field(record, member) = cx.kind(place) {
            members.push(member);
            place = record;
        }
        let element = it.section.as_ref().map_or(place, |section| section.element);
        (element == place).then_some(members)
    };
    let (a, b) = (path(a), path(b));
    a.is_some() && a == b
}

/// Where a reference stands in the body.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Place {
    /// The innermost loop around it, inside the `upc_forall`.
    inside: Option<StmtId>,
    /// A condition on the loop variable may leave it out.
    bounded: bool,
}

/// The accesses of a body that every iteration makes, but for those that conditions on the loop variable leave out.
struct Places {
    of: HashMap<ExprId, Place>,
    /// The variables that count the loops in the body.
    counters: HashSet<LocalId>,
    /// Those that pass through all numbers between two constants, each with its loop and these.
    passing: HashMap<LocalId, (StmtId, i64, i64)>,
    /// What the body changes.
    effects: Effects,
}

impl Places {
    fn of(cx: &Cx<'_>, body: StmtId, var: LocalId) -> Places {
        let mut places = Places {
            of: HashMap::new(),
            counters: HashSet::new(),
            passing: HashMap::new(),
            effects: Effects::of(cx.module, cx.body, body, &cx.escaped),
        };
        let whole = Place {
            inside: None,
            bounded: false,
        };
        let mut rest = vec![(Node::Stmt(body), whole)];
        while let Some((node, place)) = rest.pop() {
            places.visit(cx, var, (node, place), &mut rest);
        }
        places
    }

    fn visit(
        &mut self,
        cx: &Cx<'_>,
        var: LocalId,
        (node, place): (Node, Place),
        rest: &mut Vec<(Node, Place)>,
    ) {
        match node {
            Node::Init(init) => init_children(cx.body, init, &mut |it| rest.push((it, place))),
            Node::Expr(e) => {
                self.of.insert(e, place);
                if let ExprKind::Cond(test, ..)
                | ExprKind::CondElvis(test, _)
                | ExprKind::Binary(BinOp::And | BinOp::Or, test, _) = cx.kind(e)
                {
                    rest.push((Node::Expr(test), place));
                } else {
                    expr_children(cx.body, e, &mut |it| rest.push((it, place)));
                }
            }
            Node::Stmt(s) => self.stmt(cx, var, (s, place), rest),
        }
    }

    fn stmt(
        &mut self,
        cx: &Cx<'_>,
        var: LocalId,
        (s, place): (StmtId, Place),
        rest: &mut Vec<(Node, Place)>,
    ) {
        let kind = cx.stmt(s);
        if let &StmtKind::If(test, then, _) = kind {
            rest.push((Node::Expr(test), place));
            if is_bound(cx, test, var) {
                let bounded = true;
                rest.push((Node::Stmt(then), Place { bounded, ..place }));
            }
        } else if let StmtKind::For {
            init,
            cond,
            step,
            body,
        } = kind
        {
            if let Some(count) = self.counter(cx, var, (init, *cond, *step), *body) {
                self.counters.insert(count.var);
                let by_one = matches!(count.step, Stride::Constant(1 | -1));
                if let Some((low, high)) = range(cx.module, cx.body, init, &count)
                    && by_one
                    && !cx.outline.is_broken(s)
                {
                    self.passing.insert(count.var, (s, low, high));
                }
                let inside = Some(s);
                rest.push((Node::Stmt(*body), Place { inside, ..place }));
            }
        } else if !matches!(
            kind,
            StmtKind::Switch(..)
                | StmtKind::While(..)
                | StmtKind::DoWhile(..)
                | StmtKind::Forall { .. }
        ) {
            stmt_children(cx.body, s, &mut |it| rest.push((it, place)));
        }
    }

    /// The count of a loop that runs through the same values in each iteration of the `upc_forall`, on each thread.
    fn counter(
        &self,
        cx: &Cx<'_>,
        var: LocalId,
        (init, cond, step): (&ForInit, Option<ExprId>, Option<ExprId>),
        body: StmtId,
    ) -> Option<Count> {
        let count = count(cx.module, cx.body, cond?, step?)?;
        let from = start(cx.body, init, count.var)?;
        let mut same = true;
        for e in [from, count.bound] {
            same &= invariant(cx.module, cx.body, e, var, &self.effects);
            visit(cx.body, Node::Expr(e), &mut |node| {
                same &= !matches!(node, Node::Expr(e) if cx.is_mythread(e));
                same
            });
        }
        let steps = !cx.outline.writes(count.var, body) && !cx.escaped.contains(&count.var);
        (same && steps && count.var != var).then_some(count)
    }

    /// How many iterations apart two references touch the same element for some value of a loop's variable, as in the sum
    /// of `a[i - 1 + j]` for all `j` below 3: the fewest, but not 0.
    fn counted(
        &self,
        cx: &Cx<'_>,
        a: &Reference,
        b: &Reference,
        most_turns: Option<u64>,
    ) -> Option<i64> {
        let (at, of) = (a.position.as_ref()?, b.position.as_ref()?);
        let (Ok(x), Ok(y)) = (&a.section, &b.section) else {
            return None;
        };
        let Stride::Constant(stride) = x.stride else {
            return None;
        };
        let (from, var, factor) = at.varies(cx.body, of)?;
        let &(within, low, high) = self.passing.get(&var)?;
        let is_there = |it: &Reference| {
            let place = self.of.get(&it.access);
            place.is_some_and(|it| !it.bounded && it.inside.is_none_or(|s| s == within))
        };
        if x.stride != y.stride
            || !is_there(a)
            || !is_there(b)
            || high.checked_sub(low)? > MOST_PASSED
        {
            return None;
        }
        let apart = |value: i64| {
            let offset = from.checked_add(factor.checked_mul(value)?)?;
            // A stride of 0 is that of one element, which every iteration touches.
            (offset != 0 && offset.checked_rem(stride)? == 0).then_some(offset / stride)
        };
        let nearest = (low..=high)
            .filter_map(apart)
            .min_by_key(|n| n.unsigned_abs());
        nearest.filter(|n| most_turns.is_none_or(|turns| n.unsigned_abs() < turns))
    }

    /// True for two references of which one can meet the other in an iteration so far away.
    fn compare(&self, a: &Reference, b: &Reference, apart: i64) -> bool {
        let (Some(a), Some(b)) = (self.of.get(&a.access), self.of.get(&b.access)) else {
            return false;
        };
        let near = apart.unsigned_abs() <= NEAR || !(a.bounded || b.bounded);
        a.inside == b.inside && near
    }
}

/// True for a condition that compares the loop variable with bounds, and may leave out the ends of the loop.
fn is_bound(cx: &Cx<'_>, test: ExprId, var: LocalId) -> bool {
    use BinOp::*;
    let is_var = |e: ExprId| {
        matches!(cx.kind(cx.without_casts(e)), ExprKind::Load(place)
            if matches!(cx.kind(place), ExprKind::Local(local) if local == var))
    };
    let mut rest = vec![test];
    while let Some(e) = rest.pop() {
        let ExprKind::Binary(op, a, b) = cx.kind(cx.without_casts(e)) else {
            return false;
        };
        let bounds = match op {
            And => {
                rest.extend([a, b]);
                true
            }
            Lt | Gt | Le | Ge | Ne => is_var(a) || is_var(b),
            Mul | Div | Rem | Add | Sub | Shl | Shr | Eq | BitAnd | BitXor | BitOr | Or => false,
        };
        if !bounds {
            return false;
        }
    }
    true
}
