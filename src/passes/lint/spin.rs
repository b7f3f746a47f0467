//! Finds loops that wait for a relaxed access to change: the value may be read once and kept (UPC 5.1.2.3p3).
//!
//! The condition is that of the loop, or of a `break` at the top of the body of an endless loop.
//!
//! Does not warn if anything in the loop could end the wait or order memory: calls, strict accesses, barriers, fences,
//! asm, volatile, stores that may alias the awaited object, other jumps out of the loop.

use super::*;
use crate::diag::codes;
use crate::types::Quals;
use outline::Mark;

/// Checks the condition, if the statement is a loop.
pub(super) fn check(cx: &mut Cx<'_>, stmt: StmtId) {
    let Some(wait) = wait(cx.body, stmt) else {
        return;
    };
    let breaks = u32::from(wait.breaks);
    let ends = cx.outline.has(Mark::EndsWaits, stmt) || cx.outline.breaks(stmt) > breaks;
    if ends || !reads_shared(cx, wait.cond) {
        return;
    }
    let Some(read) = awaited(cx, stmt, wait.cond) else {
        return;
    };
    let message = format!(
        "this loop waits for a relaxed access `{}`: the value may be read only once, so the loop may never end, and later accesses may move before the loop",
        cx.text(read)
    );
    let help = "declare the object `strict shared`, or synchronise with a barrier or a lock";
    cx.warn(codes::RELAXED_SPIN, cx.span(read), message, help);
}

/// What a loop waits for.
pub(super) struct Wait {
    pub cond: ExprId,
    /// The condition is that of a `break`, not of the loop.
    breaks: bool,
}

/// The condition that ends a loop: its own, or, if it has none or a constant, that of the first `if` directly in its body
/// that does nothing but `break`.
pub(super) fn wait(body: &Body, stmt: StmtId) -> Option<Wait> {
    use StmtKind::*;
    let (cond, inner) = match body.stmt(stmt).kind {
        While(cond, inner) | DoWhile(inner, cond) => (Some(cond), inner),
        For {
            cond, body: inner, ..
        } => (cond, inner),
        Compound(_) | Null | Expr(_) | If(..) | Switch(..) | Label(..) | Nested(_) | Case(..)
        | Default(_) | Goto(_) | GotoExpr(_) | Break | Continue | Return(_) | Decl(_)
        | Sync(..) | Fence | Scope(..) => return None,
        Forall { .. } | Asm { .. } => return None,
    };
    let own = cond.filter(
        |&cond| !matches!(body.exprs[without_casts(body, cond)].kind, ExprKind::Int(n) if n != 0),
    );
    if let Some(cond) = own {
        return Some(Wait {
            cond,
            breaks: false,
        });
    }
    let items = if let Compound(block) = &body.stmt(inner).kind {
        &block.items[..]
    } else {
        &[inner]
    };
    let ending = |&item: &StmtId| {
        if let If(cond, then, None) = body.stmt(item).kind
            && only_breaks(body, then)
        {
            Some(cond)
        } else {
            None
        }
    };
    items
        .iter()
        .find_map(ending)
        .map(|cond| Wait { cond, breaks: true })
}

fn only_breaks(body: &Body, mut stmt: StmtId) -> bool {
    while let StmtKind::Compound(block) = &body.stmt(stmt).kind
        && let [only] = block.items[..]
    {
        stmt = only;
    }
    matches!(body.stmt(stmt).kind, StmtKind::Break)
}

fn reads_shared(cx: &Cx<'_>, cond: ExprId) -> bool {
    let mut found = false;
    visit(cx.body, Node::Expr(cond), &mut |node| {
        if let Node::Expr(e) = node
            && let ExprKind::Load(place) = cx.kind(e)
        {
            found |= cx.module.types.is_shared(cx.ty(place));
        }
        !found
    });
    found
}

/// The first shared read of a condition that nothing in the loop can change.
fn awaited(cx: &Cx<'_>, stmt: StmtId, cond: ExprId) -> Option<ExprId> {
    use ExprKind::*;
    let types = &cx.module.types;
    let (mut read, mut changes) = (None, false);
    visit(cx.body, Node::Expr(cond), &mut |node| {
        let Node::Expr(e) = node else { return true };
        match cx.kind(e) {
            Load(place) => {
                let ty = cx.ty(place);
                changes |= types.resolve(ty).quals.any(Quals::VOLATILE);
                if types.is_shared(ty) && read.is_none() {
                    read = Some(e);
                }
            }
            Local(local) => changes |= cx.outline.writes(local, stmt),
            Object(object) => changes |= cx.outline.writes_object(object, stmt),
            Assign { .. } | AssignOp { .. } | IncDec { .. } => {
                changes = true;
            }
            Deref(_) | Field(..) | Str | CompoundLit(_) | RealPlace(_) | ImagPlace(_) | Int(_)
            | Number | AddrOf(_) | Decay(_) | Unary(..) | Binary(..) | PtrDiff(..) | Cond(..)
            | CondElvis(..) | Comma(..) | Call(..) | SizePerThread(_) | SizeofPlace(_)
            | StmtExpr(_) | LabelAddr(_) | VaArg(_) | Opaque | Threads | MyThread => {}
            PtrAdd { .. } | Cast { .. } | Rt { .. } => {}
        }
        true
    });
    read.filter(|_| !changes)
}
