//! Loops that wait for a relaxed access to change: the value may be read once and kept (UPC 5.1.2.3p3).
//!
//! Silent where anything in the loop could end the wait or order memory: calls, strict accesses, barriers, fences, asm, volatile, stores that may
//! be to what is read, ways out.

use super::*;
use crate::diag::codes;
use crate::il::ExprFlags;
use crate::types::Quals;

/// Checks the condition, if the statement is a loop.
pub(super) fn check(cx: &mut Cx<'_>, stmt: StmtId) {
    let (cond, inner) = match *cx.stmt(stmt) {
        StmtKind::While(cond, inner) | StmtKind::DoWhile(inner, cond) => (cond, inner),
        StmtKind::For {
            cond: Some(cond),
            body,
            ..
        } => (cond, body),
        _ => return,
    };
    if !reads_shared(cx, cond) {
        return;
    }
    let mut effects = Effects::of(&cx.module.types, cx.body, stmt, &cx.escaped);
    effects.jumps |= Effects::of(&cx.module.types, cx.body, inner, &cx.escaped).jumps;
    let quiet = effects.calls || effects.opaque || effects.jumps || !effects.stored.is_empty();
    if quiet || orders_memory(cx, stmt) {
        return;
    }
    let Some(read) = awaited(cx, cond, &effects) else {
        return;
    };
    let message = format!(
        "this loop waits for a relaxed access, `{}`: it may be read once and the loop never end, and nothing orders what follows behind it",
        cx.text(read)
    );
    let help = "declare the object `strict shared`, or synchronise with a barrier or a lock";
    cx.warn(codes::RELAXED_SPIN, cx.span(read), message, help);
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

/// A strict access, a synchronization statement or a fence.
fn orders_memory(cx: &Cx<'_>, stmt: StmtId) -> bool {
    let mut found = false;
    visit(cx.body, Node::Stmt(stmt), &mut |node| {
        found |= match node {
            Node::Expr(e) => {
                matches!(cx.kind(e), ExprKind::StmtExpr(_))
                    || cx.body.exprs[e.0 as usize].flags.has(ExprFlags::STRICT)
            }
            Node::Stmt(s) => matches!(
                cx.stmt(s),
                StmtKind::Sync(..) | StmtKind::Fence | StmtKind::Forall { .. }
            ),
            Node::Init(_) => false,
        };
        !found
    });
    found
}

/// The first shared read of a condition that nothing in the loop can change.
fn awaited(cx: &Cx<'_>, cond: ExprId, effects: &Effects) -> Option<ExprId> {
    let types = &cx.module.types;
    let (mut read, mut changes) = (None, false);
    visit(cx.body, Node::Expr(cond), &mut |node| {
        let Node::Expr(e) = node else { return true };
        match cx.kind(e) {
            ExprKind::Load(place) => {
                let ty = cx.ty(place);
                changes |= types.resolve(ty).quals.any(Quals::VOLATILE);
                if types.is_shared(ty) && read.is_none() {
                    read = Some(e);
                }
            }
            ExprKind::Local(local) => changes |= effects.written.contains(&local),
            ExprKind::Object(object) => changes |= effects.written_objects.contains(&object),
            ExprKind::Assign { .. } | ExprKind::AssignOp { .. } | ExprKind::IncDec { .. } => {
                changes = true;
            }
            _ => {}
        }
        true
    });
    read.filter(|_| !changes)
}
