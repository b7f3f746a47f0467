//! Finds barriers and collective calls that some threads do not reach, and `upc_notify` and `upc_wait` out of order
//! (UPC 6.6.1p3).

use super::*;
use crate::diag::codes;
use crate::il::Block;
use crate::il::walk::stmt_children;
use outline::{Mark, Written};
use upcc_grammar::ast::SyncKind;

/// Checks the statements directly inside a statement.
pub(super) fn check(cx: &mut Cx<'_>, stmt: StmtId) {
    if !cx.synchronises {
        return;
    }
    if let StmtKind::Compound(Block { items, .. }) = cx.stmt(stmt) {
        unmatched(cx, items);
        order(cx, items);
    } else {
        let mut inner = Vec::new();
        stmt_children(cx.body, stmt, &mut |node| {
            if let Node::Stmt(s) = node {
                inner.push(s);
            }
        });
        unmatched(cx, &inner);
    }
}

/// The synchronization of a statement.
#[derive(Default)]
struct Steps<'o, 'a> {
    steps: &'o [Written<'a>],
    /// The steps may be executed any number of times.
    irregular: bool,
    /// The statement may not reach its end.
    leaves: bool,
    /// The statement calls functions of the program, which may synchronise.
    calls: bool,
}

impl<'o, 'a> Steps<'o, 'a> {
    fn of(cx: &'o Cx<'a>, stmt: StmtId) -> Steps<'o, 'a> {
        Steps {
            steps: cx.outline.steps(stmt),
            irregular: cx.outline.has(Mark::Irregular, stmt),
            leaves: cx.outline.has(Mark::Leaves, stmt),
            calls: cx.outline.has(Mark::Calls, stmt),
        }
    }

    fn is_quiet(&self) -> bool {
        self.steps.is_empty() && !self.calls && !self.leaves
    }

    /// The user's text for the first step.
    fn first(&self) -> Option<(Span, &'a str)> {
        self.steps.first().map(|step| (step.span, step.name))
    }

    fn same_steps(&self, other: &Steps) -> bool {
        let ours = self.steps.iter().map(|s| s.step);
        ours.eq(other.steps.iter().map(|s| s.step))
    }
}

/// Whether a condition differs between threads: MYTHREAD is compared or computed with, and does not only select what is
/// read.
fn differs(cx: &Cx<'_>, cond: ExprId) -> bool {
    deep(|| condition_differs(cx, cond))
}

fn condition_differs(cx: &Cx<'_>, cond: ExprId) -> bool {
    use BinOp::*;
    use ExprKind::*;
    if cx.is_mythread(cond) {
        return true;
    }
    match cx.kind(cond) {
        Cast { value, .. } | Unary(_, value) => differs(cx, value),
        Binary(op, a, b) => {
            // `MYTHREAD < THREADS` and `MYTHREAD >= 0` hold on every thread.
            let holds = cx.is_mythread(a)
                && match op {
                    Lt => matches!(cx.kind(cx.without_casts(b)), Threads),
                    Ge => cx.constant(b) == Some(0),
                    Mul | Div | Rem | Add | Sub | Shl | Shr | Gt | Le | Eq | Ne | BitAnd
                    | BitXor | BitOr | And | Or => false,
                };
            !holds && (differs(cx, a) || differs(cx, b))
        }
        Local(_) | Object(_) | Deref(_) | Field(..) | Str | CompoundLit(_) | RealPlace(_)
        | ImagPlace(_) | Int(_) | Number | Load(_) | AddrOf(_) | Decay(_) | PtrDiff(..)
        | Cond(..) | CondElvis(..) | Comma(..) | Call(..) | SizePerThread(_) | SizeofPlace(_)
        | StmtExpr(_) | LabelAddr(_) | VaArg(_) | Opaque | Threads | MyThread => false,
        Assign { .. } | AssignOp { .. } | IncDec { .. } => false,
        PtrAdd { .. } | Rt { .. } => false,
    }
}

/// Reports a condition on MYTHREAD where one branch synchronises and the other does not. Two such conditions among the
/// same statements may match each other, and are not reported.
fn unmatched(cx: &mut Cx<'_>, items: &[StmtId]) {
    if cx.module.static_threads == Some(1) {
        return;
    }
    let mut found = Vec::new();
    for &item in items {
        let &StmtKind::If(cond, then, other) = cx.stmt(item) else {
            continue;
        };
        if !differs(cx, cond) {
            continue;
        }
        let then = Steps::of(cx, then);
        let other = other.map(|s| Steps::of(cx, s)).unwrap_or_default();
        if then.is_quiet() && other.is_quiet() {
            continue;
        }
        let unsure = then.leaves || other.leaves || then.calls || other.calls;
        let regular = !then.irregular && !other.irregular;
        let one_sided = then.steps.is_empty() != other.steps.is_empty();
        let differ = one_sided || (regular && !then.same_steps(&other));
        let first = then.first().or(other.first());
        match first.filter(|_| differ && !unsure) {
            Some(first) => found.push((cond, first, one_sided)),
            // It may match another condition.
            None if unsure => return,
            None => {}
        }
    }
    let [(cond, (span, name), one_sided)] = found[..] else {
        return;
    };
    let (what, help) = if name == "upc_forall" {
        (
            "its other iterations never run",
            "move it out of the condition, or use a plain for",
        )
    } else if one_sided {
        (
            "some threads wait forever for the others",
            "move it after the if, so that every thread reaches it",
        )
    } else {
        (
            "the two branches synchronise in different ways",
            "every thread must execute the same sequence of barriers and collective calls",
        )
    };
    let message = format!(
        "only threads with `{}` reach this {name}: {what}",
        cx.text(cond)
    );
    let message = if one_sided {
        message
    } else {
        format!(
            "`{}` makes threads execute different barriers or collective calls: {what}",
            cx.text(cond)
        )
    };
    cx.warn(codes::BARRIER_CONDITIONAL, span, message, help);
    cx.note(cx.span(cond), "differs between threads");
}

/// The position of a block's statements relative to `upc_notify` and `upc_wait`, as far as it is known.
enum State {
    Unknown,
    Notified(Span),
    Waited(Span),
}

/// Reports `upc_notify` and `upc_wait` that do not alternate among the statements of a block.
fn order(cx: &mut Cx<'_>, items: &[StmtId]) {
    let mut state = State::Unknown;
    for &item in items {
        let span = cx.stmt_span(item);
        state = match (cx.stmt(item), state) {
            (StmtKind::Sync(kind, _), State::Notified(at)) if *kind != SyncKind::Wait => {
                let name = if *kind == SyncKind::Notify {
                    "upc_notify"
                } else {
                    "upc_barrier"
                };
                let message = format!("{name} between a upc_notify and its upc_wait");
                out_of_order(cx, span, message, at, "the upc_notify");
                State::Unknown
            }
            (StmtKind::Sync(SyncKind::Wait, _), State::Waited(at)) => {
                let message = "upc_wait without a upc_notify before it".to_string();
                out_of_order(cx, span, message, at, "the last barrier phase ended here");
                State::Unknown
            }
            (StmtKind::Sync(SyncKind::Notify, _), _) => State::Notified(span),
            (StmtKind::Sync(SyncKind::Wait | SyncKind::Barrier, _), _) => State::Waited(span),
            (StmtKind::Expr(_) | StmtKind::Decl(_), state) => simple(cx, item, state),
            (StmtKind::Null | StmtKind::Fence, state) => state,
            (_, state) => {
                let steps = Steps::of(cx, item);
                if cx.outline.has(Mark::Synchronizes, item) || steps.calls || steps.leaves {
                    State::Unknown
                } else {
                    state
                }
            }
        };
    }
}

/// Returns the state after a statement without control flow.
fn simple(cx: &mut Cx<'_>, item: StmtId, state: State) -> State {
    let steps = Steps::of(cx, item);
    if steps.calls || steps.leaves || steps.irregular {
        return State::Unknown;
    }
    match (steps.first(), state) {
        (Some((span, name)), State::Notified(at)) => {
            let message = format!("`{name}` between a upc_notify and its upc_wait");
            out_of_order(cx, span, message, at, "the upc_notify");
            State::Unknown
        }
        (Some(_), _) => State::Unknown,
        (None, state) => state,
    }
}

fn out_of_order(cx: &mut Cx<'_>, span: Span, message: String, other: Span, note: &str) {
    let stream = &cx.parsed.stream;
    let (span, other) = (stream.bytes(span), stream.bytes(other));
    cx.diags
        .report(codes::NOTIFY_ORDER, span, message)
        .label(other, note)
        .help("after upc_notify, the next collective operation of a thread is upc_wait");
}
