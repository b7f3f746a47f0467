//! Checks the affinity of a `upc_forall`: constant, different on each thread, with side effects, or the value of an
//! element where its place is meant (UPC 6.6.2).
//!
//! Does not warn inside another controlling `upc_forall`, where the affinity has no effect.

use super::*;
use crate::diag::codes;
use crate::il::Affinity;
use crate::passes::analysis::places::{accessed, same_value};

/// Checks the affinity, if the statement is a `upc_forall`.
pub(super) fn check(cx: &mut Cx<'_>, stmt: StmtId) {
    let &StmtKind::Forall {
        affinity,
        step,
        body,
        ..
    } = cx.stmt(stmt)
    else {
        return;
    };
    let value = match affinity {
        Affinity::Int(e) | Affinity::Pts(e) => e,
        Affinity::All => return,
    };
    side_effects(cx, value);
    if cx.is_controlled(stmt) {
        return;
    }
    if differs_between_threads(cx, value) {
        let message = format!(
            "the affinity `{}` depends on MYTHREAD: each thread gets a different value, so an iteration may run on several threads or on none",
            cx.text(value)
        );
        let help = "every thread must get the same value: use the loop variable, `&a[i]` or `i`; or write a plain for";
        cx.warn(codes::AFFINITY_MYTHREAD, cx.span(value), message, help);
        return;
    }
    if let (Affinity::Int(e), Some(step)) = (affinity, step) {
        element_value(cx, e, step, body);
    }
    if names_one_thread(cx, stmt, affinity) {
        let why = match indefinite(cx, value) {
            true => {
                "names the same thread in every iteration, because all elements of an array of indefinite block size have affinity to one thread"
            }
            false => "is the same in every iteration",
        };
        let message = format!(
            "the affinity `{}` {why}: one thread executes all iterations",
            cx.text(value)
        );
        let help = "make it depend on the loop variable, `&a[i]` or `i`; for one thread write `if (MYTHREAD == 0)` around a plain for";
        cx.warn(codes::AFFINITY_CONSTANT, cx.span(value), message, help);
    }
}

/// True if the affinity of a `upc_forall` names the same thread in all iterations.
pub(super) fn names_one_thread(cx: &mut Cx<'_>, forall: StmtId, affinity: Affinity) -> bool {
    match affinity {
        Affinity::Int(e) => !Scope::of(cx, forall).thread_varies(cx, e),
        Affinity::Pts(e) => !Scope::of(cx, forall).pointer_varies(cx, e),
        Affinity::All => false,
    }
}

/// Reports `a[i]` for `&a[i]`. The value of another element than those that the body uses may be the number of a thread.
fn element_value(cx: &mut Cx<'_>, value: ExprId, step: ExprId, body: StmtId) {
    let ExprKind::Load(place) = cx.kind(cx.without_casts(value)) else {
        return;
    };
    let is_element = cx.module.types.is_shared(cx.ty(place)) && moves(cx, place, step);
    if !is_element {
        return;
    }
    let mut uses = None;
    visit(cx.body, Node::Stmt(body), &mut |node| {
        if let Node::Expr(e) = node
            && accessed(cx.body, e).is_some_and(|it| same_value(cx.body, it, place))
        {
            uses = Some(e);
        }
        uses.is_none()
    });
    let Some(used) = uses else { return };
    let element = cx.text(value);
    let message = format!(
        "the affinity is the value of `{element}`: the iteration runs on the thread with this number, modulo THREADS"
    );
    let help =
        format!("write `&{element}`: then the iteration runs on the thread that has the element");
    cx.warn(codes::AFFINITY_VALUE, cx.span(value), message, &help);
    cx.note(cx.span(used), "the body uses the element");
}

/// True if a place depends on a variable that the third clause of the loop changes.
fn moves(cx: &Cx<'_>, place: ExprId, step: ExprId) -> bool {
    let mut stepped = HashSet::new();
    visit(cx.body, Node::Expr(step), &mut |node| {
        if let Node::Expr(e) = node
            && !matches!(cx.kind(e), ExprKind::Load(_))
            && let Some(changed) = accessed(cx.body, e)
            && let ExprKind::Local(local) = cx.kind(changed)
        {
            stepped.insert(local);
        }
        true
    });
    let mut found = false;
    visit(cx.body, Node::Expr(place), &mut |node| {
        found |= matches!(node, Node::Expr(e) if matches!(cx.kind(e), ExprKind::Local(local) if stepped.contains(&local)));
        !found
    });
    found
}

fn side_effects(cx: &mut Cx<'_>, value: ExprId) {
    use ExprKind::*;
    let mut found = Vec::new();
    visit(cx.body, Node::Expr(value), &mut |node| {
        let Node::Expr(e) = node else { return true };
        match cx.kind(e) {
            Assign { .. } | AssignOp { .. } | IncDec { .. } => {
                found.push(e);
                false
            }
            // Not evaluated.
            SizeofPlace(_) => false,
            Local(_) | Object(_) | Deref(_) | Field(..) | Str | CompoundLit(_) | RealPlace(_)
            | ImagPlace(_) | Int(_) | Number | Load(_) | AddrOf(_) | Decay(_) | Unary(..)
            | Binary(..) | PtrDiff(..) | Cond(..) | CondElvis(..) | Comma(..) | Call(..)
            | SizePerThread(_) | StmtExpr(_) | LabelAddr(_) | VaArg(_) | Opaque | Threads
            | MyThread => true,
            PtrAdd { .. } | Cast { .. } | Rt { .. } => true,
        }
    });
    for e in found {
        let message = "a side effect in the affinity: it happens once for each iteration on every thread, not only where the body runs";
        let help = "move it into the third clause or into the body";
        cx.warn(codes::AFFINITY_EFFECT, cx.span(e), message, help);
    }
}

/// True if MYTHREAD contributes to the value, and does not only select what is read or called.
fn differs_between_threads(cx: &Cx<'_>, value: ExprId) -> bool {
    use ExprKind::*;
    let mut found = false;
    visit(cx.body, Node::Expr(value), &mut |node| {
        let Node::Expr(e) = node else { return false };
        found |= cx.is_mythread(e);
        match cx.kind(e) {
            Call(..) | SizeofPlace(_) | StmtExpr(_) => false,
            Load(place) => matches!(cx.kind(place), Local(_)),
            Local(_) | Object(_) | Deref(_) | Field(..) | Str | CompoundLit(_) | RealPlace(_)
            | ImagPlace(_) | Int(_) | Number | AddrOf(_) | Decay(_) | Unary(..) | Binary(..)
            | PtrDiff(..) | Cond(..) | CondElvis(..) | Comma(..) | SizePerThread(_)
            | LabelAddr(_) | VaArg(_) | Opaque | Threads | MyThread => true,
            Assign { .. } | AssignOp { .. } | IncDec { .. } => true,
            PtrAdd { .. } | Cast { .. } | Rt { .. } => true,
        }
    });
    found
}

/// True if the pointed-to elements have indefinite block size and are selected by a subscript.
fn indefinite(cx: &Cx<'_>, value: ExprId) -> bool {
    let types = &cx.module.types;
    let mut found = false;
    visit(cx.body, Node::Expr(value), &mut |node| {
        if let Node::Expr(e) = node
            && let ExprKind::PtrAdd { ptr, index, .. } = cx.kind(e)
            && let Some(to) = types.pointee(cx.ty(ptr))
        {
            found |= types.shared_elem(to).is_some_and(|(_, block)| block == 0)
                && cx.constant(index).is_none();
        }
        true
    });
    found
}

/// What may change from one iteration to the next, or from one execution of the loop to the next.
struct Scope {
    /// Effects of the outermost loop.
    effects: Rc<Effects>,
    /// The function runs once, so a variable that it does not write in the loop keeps its value.
    once: bool,
}

impl Scope {
    fn of(cx: &mut Cx<'_>, stmt: StmtId) -> Scope {
        Scope {
            effects: cx.outer_effects(stmt),
            once: cx.name_of(cx.object(cx.function.object)) == "main",
        }
    }

    /// Whether the value modulo THREADS may change.
    fn thread_varies(&self, cx: &Cx<'_>, e: ExprId) -> bool {
        deep(|| self.thread_of_varies(cx, e))
    }

    fn thread_of_varies(&self, cx: &Cx<'_>, e: ExprId) -> bool {
        use ExprKind::*;
        match cx.kind(e) {
            Cast { value, .. } => self.thread_varies(cx, value),
            Binary(BinOp::Mul, a, b) => {
                let is_threads = |e| matches!(cx.kind(cx.without_casts(e)), Threads);
                !is_threads(a) && !is_threads(b) && self.varies(cx, e)
            }
            Binary(BinOp::Add | BinOp::Sub, a, b) => {
                self.thread_varies(cx, a) || self.thread_varies(cx, b)
            }
            Local(_) | Object(_) | Deref(_) | Field(..) | Str | CompoundLit(_) | RealPlace(_)
            | ImagPlace(_) | Int(_) | Number | Load(_) | AddrOf(_) | Decay(_) | Unary(..)
            | Binary(..) | PtrDiff(..) | Cond(..) | CondElvis(..) | Comma(..) | Call(..)
            | SizePerThread(_) | SizeofPlace(_) | StmtExpr(_) | LabelAddr(_) | VaArg(_)
            | Opaque | Threads | MyThread => self.varies(cx, e),
            Assign { .. } | AssignOp { .. } | IncDec { .. } => self.varies(cx, e),
            PtrAdd { .. } | Rt { .. } => self.varies(cx, e),
        }
    }

    fn varies(&self, cx: &Cx<'_>, e: ExprId) -> bool {
        deep(|| self.value_varies(cx, e))
    }

    fn value_varies(&self, cx: &Cx<'_>, e: ExprId) -> bool {
        use ExprKind::*;
        match cx.kind(e) {
            Int(_) | Number | Threads | SizePerThread(_) => false,
            Cast { value, .. } | Unary(_, value) => self.varies(cx, value),
            Binary(_, a, b) => self.varies(cx, a) || self.varies(cx, b),
            Load(place) => self.variable_varies(cx, place),
            Local(_) | Object(_) | Deref(_) | Field(..) | Str | CompoundLit(_) | RealPlace(_)
            | ImagPlace(_) | AddrOf(_) | Decay(_) | PtrDiff(..) | Cond(..) | CondElvis(..)
            | Comma(..) | Call(..) | SizeofPlace(_) | StmtExpr(_) | LabelAddr(_) | VaArg(_)
            | Opaque | MyThread => true,
            Assign { .. } | AssignOp { .. } | IncDec { .. } => true,
            PtrAdd { .. } | Rt { .. } => true,
        }
    }

    /// True unless a variable keeps its value. A local keeps it if its function runs once and the loop does not write
    /// it.
    fn variable_varies(&self, cx: &Cx<'_>, place: ExprId) -> bool {
        let ExprKind::Local(local) = cx.kind(place) else {
            return true;
        };
        let effects = &self.effects;
        let reachable = effects.escaped.contains(&local)
            && (effects.calls || effects.opaque || !effects.stored.is_empty());
        !self.once || effects.sets(local) || reachable
    }

    /// Whether the thread of a pointer-to-shared may change.
    fn pointer_varies(&self, cx: &Cx<'_>, e: ExprId) -> bool {
        deep(|| self.pointer_of_varies(cx, e))
    }

    fn pointer_of_varies(&self, cx: &Cx<'_>, e: ExprId) -> bool {
        use ExprKind::*;
        match cx.kind(e) {
            Cast { value, .. } if cx.module.types.is_pts(cx.ty(value)) => {
                self.pointer_varies(cx, value)
            }
            AddrOf(place) | Decay(place) => self.place_varies(cx, place),
            PtrAdd { ptr, index, .. } => {
                self.pointer_varies(cx, ptr) || self.step_varies(cx, ptr, index)
            }
            Load(place) => self.variable_varies(cx, place),
            Local(_) | Object(_) | Deref(_) | Field(..) | Str | CompoundLit(_) | RealPlace(_)
            | ImagPlace(_) | Int(_) | Number | Unary(..) | Binary(..) | PtrDiff(..) | Cond(..)
            | CondElvis(..) | Comma(..) | Call(..) | SizePerThread(_) | SizeofPlace(_)
            | StmtExpr(_) | LabelAddr(_) | VaArg(_) | Opaque | Threads | MyThread => true,
            Assign { .. } | AssignOp { .. } | IncDec { .. } => true,
            Cast { .. } | Rt { .. } => true,
        }
    }

    /// Whether a step through an array may lead to another thread.
    fn step_varies(&self, cx: &Cx<'_>, ptr: ExprId, index: ExprId) -> bool {
        let types = &cx.module.types;
        let Some(to) = types.pointee(cx.ty(ptr)) else {
            return true;
        };
        match types.shared_elem(to) {
            Some((_, 0)) => false,
            Some((_, 1)) if !types.is_array(to) => self.thread_varies(cx, index),
            Some(_) | None => self.varies(cx, index),
        }
    }

    fn place_varies(&self, cx: &Cx<'_>, place: ExprId) -> bool {
        use ExprKind::*;
        match cx.kind(place) {
            Object(_) => false,
            Deref(ptr) => self.pointer_varies(cx, ptr),
            Field(record, _) => self.place_varies(cx, record),
            Local(_) | Str | CompoundLit(_) | RealPlace(_) | ImagPlace(_) | Int(_) | Number
            | Load(_) | AddrOf(_) | Decay(_) | Unary(..) | Binary(..) | PtrDiff(..) | Cond(..)
            | CondElvis(..) | Comma(..) | Call(..) | SizePerThread(_) | SizeofPlace(_)
            | StmtExpr(_) | LabelAddr(_) | VaArg(_) | Opaque | Threads | MyThread => true,
            Assign { .. } | AssignOp { .. } | IncDec { .. } => true,
            PtrAdd { .. } | Cast { .. } | Rt { .. } => true,
        }
    }
}
