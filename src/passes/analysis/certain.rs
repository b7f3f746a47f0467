//! What every execution of a statement evaluates.

use crate::il::walk::{Node, visit};
use crate::il::{Body, ExprId, ExprKind, StmtKind};
use upcc_grammar::ast::BinOp;

/// Calls `f` with the nodes that every execution of `root` evaluates, if nothing in it jumps or ends early.
pub fn visit_certain(body: &Body, root: Node, f: &mut dyn FnMut(Node)) {
    let mut roots = vec![root];
    while let Some(root) = roots.pop() {
        visit(body, root, &mut |node| {
            f(node);
            let part = certain_part(body, node);
            roots.extend(part.flatten().map(Node::Expr));
            part.is_none()
        });
    }
}

/// For a node that evaluates some of its parts conditionally, the part that it always evaluates, if there is one.
fn certain_part(body: &Body, node: Node) -> Option<Option<ExprId>> {
    match node {
        Node::Stmt(s) => match body.stmt(s).kind {
            StmtKind::If(test, ..) | StmtKind::Switch(test, _) | StmtKind::While(test, _) => {
                Some(Some(test))
            }
            StmtKind::For { .. } | StmtKind::Forall { .. } => Some(None),
            StmtKind::Compound(_)
            | StmtKind::Null
            | StmtKind::Expr(_)
            | StmtKind::DoWhile(..)
            | StmtKind::Label(..)
            | StmtKind::Nested(_)
            | StmtKind::Case(..)
            | StmtKind::Default(_)
            | StmtKind::Goto(_)
            | StmtKind::GotoExpr(_)
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Return(_)
            | StmtKind::Asm { .. }
            | StmtKind::Decl(_)
            | StmtKind::Sync(..)
            | StmtKind::Fence
            | StmtKind::Scope(..) => None,
        },
        Node::Expr(e) => {
            if let ExprKind::Cond(test, ..)
            | ExprKind::CondElvis(test, _)
            | ExprKind::Binary(BinOp::And | BinOp::Or, test, _) = body.expr(e).kind
            {
                Some(Some(test))
            } else {
                None
            }
        }
        Node::Init(_) => None,
    }
}
