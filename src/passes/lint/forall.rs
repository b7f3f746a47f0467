//! Checks the body of a `upc_forall`: collective calls in it, and jumps out of it (UPC 6.6.2p13).

use super::*;
use crate::diag::codes;

/// Checks the body, if the statement is a `upc_forall`.
pub(super) fn check(cx: &mut Cx<'_>, stmt: StmtId) {
    let &StmtKind::Forall { body, .. } = cx.stmt(stmt) else {
        return;
    };
    let controls = cx.outline.loop_at(stmt).is_some_and(|l| l.controls);
    if controls && !cx.is_controlled(stmt) {
        collective_calls(cx, body, cx.head(stmt));
    }
}

fn collective_calls(cx: &mut Cx<'_>, body: StmtId, head: Span) {
    let mut found = Vec::new();
    visit(cx.body, Node::Stmt(body), &mut |node| {
        if let Node::Expr(e) = node
            && let Some(name) = cx.collective_call(e)
        {
            found.push((cx.span(e), name));
        }
        true
    });
    for (span, name) in found {
        let message =
            format!("`{name}` is collective, but not every thread executes it inside a upc_forall");
        let help = "call it before or after the loop";
        cx.warn(codes::BARRIER_IN_FORALL, span, message, help);
        cx.note(head, "inside this upc_forall");
    }
}

/// Reports `break`, `return` and `goto` that end a loop on one thread only.
pub(super) fn leaving(cx: &mut Cx<'_>) {
    for exit in cx.outline.exits().to_vec() {
        let message = format!(
            "this {} leaves a upc_forall on one thread: the behaviour of the other threads is then undefined",
            exit.word
        );
        let help = "let all iterations run and skip their work with continue, or use a plain for";
        cx.warn(codes::FORALL_LEFT, cx.stmt_span(exit.stmt), message, help);
        cx.note(cx.head(exit.forall), "this upc_forall");
    }
}
