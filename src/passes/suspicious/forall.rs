//! The body of a `upc_forall`: collective calls in it, and ways out of it (UPC 6.6.2p13).

use super::*;
use crate::diag::codes;

/// Checks the body, if the statement is a `upc_forall`.
pub(super) fn check(cx: &mut Cx<'_>, stmt: StmtId) {
    let &StmtKind::Forall { body, .. } = cx.stmt(stmt) else {
        return;
    };
    let span = cx.stmt_span(stmt);
    let head = Span {
        lo: span.lo,
        hi: span.lo + 1,
    };
    let is_outermost = !cx.is_controlled(stmt);
    let controls = cx.loops.iter().any(|l| l.stmt == stmt && l.controls);
    if is_outermost && controls {
        collective_calls(cx, body, head);
    }
    leaving(cx, body, head);
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
            format!("`{name}` is collective, and not every thread comes here inside a upc_forall");
        let help = "call it before or behind the loop";
        cx.warn(codes::BARRIER_IN_FORALL, span, message, help);
        cx.note(head, "inside this upc_forall");
    }
}

/// `break`, `return` and `goto` that end the loop on this thread only.
fn leaving(cx: &mut Cx<'_>, body: StmtId, head: Span) {
    let mut found = Vec::new();
    let mut labels = HashSet::new();
    let mut jumps = Vec::new();
    visit(cx.body, Node::Stmt(body), &mut |node| {
        if let Node::Stmt(s) = node {
            match cx.stmt(s) {
                StmtKind::Return(_) => found.push((s, "return")),
                StmtKind::Goto(label) => jumps.push((s, *label)),
                StmtKind::Label(label, _) => drop(labels.insert(*label)),
                _ => {}
            }
        }
        true
    });
    let out = jumps.iter().filter(|(_, label)| !labels.contains(label));
    found.extend(out.map(|&(s, _)| (s, "goto")));
    visit(cx.body, Node::Stmt(body), &mut |node| {
        let Node::Stmt(s) = node else { return true };
        match cx.stmt(s) {
            StmtKind::Break => found.push((s, "break")),
            StmtKind::While(..)
            | StmtKind::DoWhile(..)
            | StmtKind::For { .. }
            | StmtKind::Forall { .. }
            | StmtKind::Switch(..) => return false,
            _ => {}
        }
        true
    });
    for (s, word) in found {
        let message = format!(
            "this {word} leaves a upc_forall on one thread: what the other threads do then is undefined"
        );
        let help = "let all iterations run and skip their work with continue, or use a plain for";
        cx.warn(codes::FORALL_LEFT, cx.stmt_span(s), message, help);
        cx.note(head, "this upc_forall");
    }
}
