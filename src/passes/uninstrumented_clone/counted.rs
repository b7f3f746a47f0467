//! `for (...; i < n; i++) sum += a[i + d];` becomes
//!
//! ```text
//! long until_report = 0;
//! for (...; i < n; i++) {
//!     if (until_report-- == 0) {
//!         first = &a[i + d];
//!         left = upcr_inst_budget(..., first, ..., n - i);
//!         upcr_inst_consume(..., first, ..., left);
//!         for (; left > 0; left--, i++)
//!             sum += a[i + d];                  // without events
//!         until_report = 63;
//!         if (!(i < n))
//!             break;
//!     }
//!     sum += a[i + d];                          // reported, or counted one by one
//! }
//! ```
//!
//! The instrumented accesses are those that every iteration makes exactly once and whose sections have a constant stride.
//! Nothing in the loop jumps or ends early, and every function it calls returns, so iterations that are counted in
//! advance do happen.

use super::{returns, without_events};
use crate::il::walk::{Node, copy_expr_out_of_scope, copy_stmt, visit};
use crate::il::{
    Block, Body, ExprFlags, ExprId, ExprKind, LocalId, Module, ObjectId, RtOp, Site, SiteId,
    SiteKind, StmtId, StmtKind, UnOp,
};
use crate::passes::analysis::effects::Effects;
use crate::passes::analysis::places::{accessed, place_span, raises_events};
use crate::passes::analysis::stride::Stride;
use crate::passes::sections::{self, Form as Counted, Loop, Reference};
use crate::passes::writer::{INT, LONG, Writer};
use crate::types::{QualType, Types};
use hashbrown::{HashMap, HashSet};
use upcc_grammar::ast::{BinOp, Span};

/// Maximum number of accesses in a loop; each needs a query of the runtime.
const MOST_ACCESSES: usize = 6;

/// Maximum step in elements: for a larger one, bytes and elements might not fit the types in which the runtime
/// computes.
const MOST_STEP: i64 = 1 << 31;

/// A counted loop and its accesses.
pub(super) struct Plan {
    cond: ExprId,
    /// Increments `var`.
    step: ExprId,
    body: StmtId,
    var: LocalId,
    bound: ExprId,
    inclusive: bool,
    /// The comparison treats a negative counter as a large number.
    signs_differ: bool,
    accesses: Vec<Access>,
}

/// An instrumented access that every iteration makes.
struct Access {
    expr: ExprId,
    /// The element that it reads or writes, or a member of which it reads or writes.
    element: ExprId,
    /// Number of elements from one iteration to the next.
    step: i64,
    block: u32,
}

/// Number of iterations before the runtime is queried again: in a trace, its budget is always 0.
const UNASKED: i64 = 64;

/// The state that the loops of a module share.
pub(super) struct Form<'a> {
    /// Sites of accesses by their text, which copies of an access share.
    pub(super) sites: &'a mut HashMap<(u32, u32), SiteId>,
    /// Functions that return to their caller.
    pub(super) returning: &'a HashSet<ObjectId>,
    pub(super) local_events: bool,
    /// Whether iterations may be counted in advance: no pragma concerns the loop, and one thread at a time executes it.
    pub(super) may_count: bool,
}

/// Plans a loop whose accesses can be counted in advance.
pub(super) fn plan(
    module: &Module,
    body: &Body,
    stmt: StmtId,
    escaped: &HashSet<LocalId>,
    returning: &HashSet<ObjectId>,
) -> Option<Plan> {
    let StmtKind::For {
        cond: Some(cond),
        step: Some(step),
        body: inner,
        ..
    } = body.stmt(stmt).kind
    else {
        return None;
    };
    let effects = Effects::of(module, body, inner, escaped);
    if effects.opaque || effects.jumps() || (effects.calls && !all_return(body, inner, returning)) {
        return None;
    }
    let found = sections::in_place(module, body, stmt, escaped)?;
    let form = found.form.as_ref().ok()?;
    let counts_up = form.count.step == Stride::Constant(1);
    if !counts_up || module.types.is_pts(body.local(form.count.var).ty) {
        return None;
    }
    Some(Plan {
        cond,
        step,
        body: inner,
        var: form.count.var,
        bound: form.count.bound,
        inclusive: form.count.inclusive,
        signs_differ: form.count.guard.is_some(),
        accesses: every_iteration(&module.types, body, &found, form)?,
    })
}

/// True if every function that a statement calls returns exactly once, and the statement itself calls none that raises
/// an event.
fn all_return(body: &Body, root: StmtId, returning: &HashSet<ObjectId>) -> bool {
    let mut instrumented = false;
    visit(body, Node::Stmt(root), &mut |node| {
        if let Node::Expr(e) = node {
            instrumented |= body.expr(e).flags.has(ExprFlags::INSTRUMENT_CALL);
        }
        !instrumented
    });
    !instrumented && returns::called(body, root).is_some_and(|called| called.is_subset(returning))
}

/// The instrumented accesses of a loop, if each iteration makes each of them exactly once, and none is in the loop's head.
fn every_iteration(
    types: &Types,
    body: &Body,
    found: &Loop,
    form: &Counted,
) -> Option<Vec<Access>> {
    let mut all = 0;
    visit(body, Node::Stmt(found.stmt), &mut |node| {
        all += usize::from(matches!(node, Node::Expr(e) if raises_events(types, body, e)));
        true
    });
    let raises = found.references.iter();
    let accesses = raises
        .filter(|it| raises_events(types, body, it.access))
        .map(|it| access(body, form, it))
        .collect::<Option<Vec<_>>>()?;
    (accesses.len() == all && all <= MOST_ACCESSES).then_some(accesses)
}

/// Describes an access that moves evenly with the counter. Its address is computed in front of the iteration, too.
fn access(body: &Body, form: &Counted, reference: &Reference) -> Option<Access> {
    let section = reference.section.ok()?;
    let Stride::Constant(step) = section.stride else {
        return None;
    };
    let fits = reference.certain
        && (0..MOST_STEP).contains(&step)
        && !needs_iteration(body, form, section.element);
    fits.then_some(Access {
        expr: reference.access,
        element: section.element,
        step,
        block: section.block,
    })
}

/// True for a place whose address an iteration computes with variables that it sets, or while it steps some.
fn needs_iteration(body: &Body, form: &Counted, place: ExprId) -> bool {
    let mut found = false;
    visit(body, Node::Expr(place), &mut |node| {
        found |= match node {
            Node::Expr(e) => {
                let kind = body.expr(e).kind;
                kind.has_side_effects()
                    || matches!(kind, ExprKind::Local(local) if form.derived.contains_key(&local))
            }
            Node::Stmt(_) | Node::Init(_) => true,
        };
        !found
    });
    found
}

// ---- The loop in its new form

pub(super) fn rewrite(
    module: &mut Module,
    body: &mut Body,
    stmt: StmtId,
    plan: &Plan,
    form: &mut Form,
) {
    let at = body.stmt(stmt).span.lo;
    let span = Span { lo: at, hi: at };
    let mut items = Vec::new();
    let mut writer = Writer { module, body, span };
    let counts: Vec<Count> = plan
        .accesses
        .iter()
        .map(|access| Count::new(&mut writer, &mut items, access, &mut *form.sites))
        .collect();
    let left = writer.define(&mut items, "left", LONG, |writer| {
        let rest = iterations(writer, plan);
        counts.iter().fold(rest, |rest, count| {
            count.operation(writer, RtOp::InstBudget, rest, form.local_events)
        })
    });
    for count in &counts {
        let n = writer.load(left);
        let take = count.operation(&mut writer, RtOp::InstConsume, n, form.local_events);
        items.push(writer.stmt(StmtKind::Expr(take)));
    }
    items.push(uninstrumented_loop(&mut writer, left, plan.step, plan.body));
    let again = writer.copy(plan.cond);
    let over = writer.expr(ExprKind::Unary(UnOp::Not, again), INT);
    let out = writer.stmt(StmtKind::Break);
    let leave = writer.stmt(StmtKind::If(over, out, None));
    ask_now_and_then(&mut writer, stmt, items, leave, plan.body);
}

/// Number of remaining iterations, including the current one; 0 or less if it is not easily computed.
fn iterations(writer: &mut Writer, plan: &Plan) -> ExprId {
    let (bound, var) = (writer.copy(plan.bound), writer.load(plan.var));
    let (bound, var) = (writer.cast(bound, LONG), writer.cast(var, LONG));
    let rest = writer.bin(BinOp::Sub, bound, var);
    let rest = writer.plus(rest, i64::from(plan.inclusive));
    if !plan.signs_differ {
        return rest;
    }
    let (var, zero) = (writer.load(plan.var), writer.int(0));
    let var = writer.cast(var, LONG);
    let wraps = writer.less(var, zero);
    let none = writer.int(0);
    writer.expr(ExprKind::Cond(wraps, none, rest), LONG)
}

/// Adds a variable that holds the number of iterations until the next query. In the iteration that queries, `ask` and
/// then `leave` run before the loop's body.
fn ask_now_and_then(
    writer: &mut Writer,
    stmt: StmtId,
    mut ask: Vec<StmtId>,
    leave: StmtId,
    inner: StmtId,
) {
    let mut around = Vec::new();
    let until_report = writer.define(&mut around, "until_report", LONG, |writer| writer.int(0));
    let (place, value) = (writer.place(until_report), writer.int(UNASKED - 1));
    let again = writer.expr(ExprKind::Assign { place, value }, LONG);
    ask.push(writer.stmt(StmtKind::Expr(again)));
    ask.push(leave);
    let ask = block(writer, ask);
    let count = one_less(writer, until_report);
    let zero = writer.int(0);
    let due = writer.expr(ExprKind::Binary(BinOp::Eq, count, zero), INT);
    let ask = writer.stmt(StmtKind::If(due, ask, None));
    let inside = block(writer, vec![ask, inner]);
    let moved = writer.body.move_stmt(stmt);
    if let StmtKind::For { body, .. } = &mut writer.body.stmts[moved].kind {
        *body = inside;
    }
    around.push(moved);
    writer.body.stmts[stmt].kind = StmtKind::Compound(Block {
        local_labels: Vec::new(),
        items: around,
    });
}

fn block(writer: &mut Writer, items: Vec<StmtId>) -> StmtId {
    writer.stmt(StmtKind::Compound(Block {
        local_labels: Vec::new(),
        items,
    }))
}

/// Builds `count--`.
fn one_less(writer: &mut Writer, count: LocalId) -> ExprId {
    let place = writer.place(count);
    let kind = ExprKind::IncDec {
        place,
        post: true,
        dec: true,
    };
    writer.expr(kind, LONG)
}

/// `for (; left > 0; left--, step) body`, without events.
fn uninstrumented_loop(writer: &mut Writer, left: LocalId, step: ExprId, inner: StmtId) -> StmtId {
    let (zero, rest) = (writer.int(0), writer.load(left));
    let more = writer.less(zero, rest);
    let fewer = one_less(writer, left);
    let step = writer.copy(step);
    let ty = writer.body.expr(step).ty;
    let step = writer.expr(ExprKind::Comma(fewer, step), ty);
    let body = without_events(writer.body, |body| copy_stmt(body, inner));
    writer.stmt(StmtKind::For {
        init: crate::il::ForInit::None,
        cond: Some(more),
        step: Some(step),
        body,
    })
}

/// An access as it is passed to the runtime's queries.
struct Count {
    site: SiteId,
    /// The address of the element of this iteration.
    first: LocalId,
    ways: i64,
    step: i64,
    block: i64,
}

impl Count {
    fn new(
        writer: &mut Writer,
        items: &mut Vec<StmtId>,
        access: &Access,
        sites: &mut HashMap<(u32, u32), SiteId>,
    ) -> Count {
        let (flags, span) = (
            writer.body.expr(access.expr).flags,
            writer.body.expr(access.expr).span,
        );
        let ty = writer.body.expr(access.element).ty;
        let ty = QualType::plain(writer.module.types.pointer_to(ty));
        let element = access.element;
        let first = writer.define(items, "first", ty, |writer| {
            let place = without_events(writer.body, |body| copy_expr_out_of_scope(body, element));
            writer.expr(ExprKind::AddrOf(place), ty)
        });
        let way = |flag, bit| if flags.has(flag) { bit } else { 0 };
        Count {
            site: site(writer, access, span, sites),
            first,
            ways: way(ExprFlags::INSTRUMENT_GET, 1) | way(ExprFlags::INSTRUMENT_PUT, 2),
            step: access.step,
            block: i64::from(access.block),
        }
    }

    /// Queries the budget for `n` iterations, or counts them.
    fn operation(&self, writer: &mut Writer, op: RtOp, n: ExprId, local_events: bool) -> ExprId {
        let pointer = writer.module.types.pointer_to(QualType::plain(Types::VOID));
        let args = [
            writer.rt(RtOp::Site(self.site), &[], QualType::plain(pointer)),
            writer.int(i64::from(local_events)),
            writer.load(self.first),
            writer.int(self.ways),
            writer.int(self.step),
            writer.int(self.block),
            n,
        ];
        let ty = if let RtOp::InstConsume = op {
            QualType::plain(Types::VOID)
        } else {
            LONG
        };
        writer.rt(op, &args, ty)
    }
}

/// The site of an access, by its text.
fn site(
    writer: &mut Writer,
    access: &Access,
    span: Span,
    sites: &mut HashMap<(u32, u32), SiteId>,
) -> SiteId {
    // The expression is an access: `Steps::access` has checked that.
    let place = accessed(writer.body, access.expr).unwrap_or(access.element);
    let at = place_span(writer.body, place, span);
    let kind = SiteKind::Access(writer.body.expr(place).ty);
    let all = &mut writer.module.sites;
    *sites.entry((at.lo, at.hi)).or_insert_with(|| {
        all.push(Site { at, kind });
        SiteId(all.len() as u32 - 1)
    })
}
