//! Loops that wait for a relaxed access to change: the value may be read once and kept (UPC 5.1.2.3p3).
//!
//! Silent where anything in the loop could end the wait or order memory: calls, strict accesses, barriers, fences, asm, volatile, stores that may
//! be to what is read, ways out.

use super::*;
use crate::diag::codes;
use crate::types::Quals;
use outline::Mark;

/// Checks the condition, if the statement is a loop.
pub(super) fn check(cx: &mut Cx<'_>, stmt: StmtId) {
    use StmtKind::*;
    let cond = match *cx.stmt(stmt) {
        While(cond, _) | DoWhile(_, cond) => cond,
        For {
            cond: Some(cond), ..
        } => cond,
        Compound(_) | Null | Expr(_) | If(..) | Switch(..) | Label(..) | Nested(_) | Case(..)
        | Default(_) | Goto(_) | GotoExpr(_) | Break | Continue | Return(_) | Decl(_)
        | Sync(..) | Fence | Scope(..) => return,
        For { .. } | Forall { .. } | Asm { .. } => return,
    };
    let ends = cx.outline.has(Mark::EndsWaits, stmt) || cx.outline.is_broken(stmt);
    if ends || !reads_shared(cx, cond) {
        return;
    }
    let Some(read) = awaited(cx, stmt, cond) else {
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
