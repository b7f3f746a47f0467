//! Variables that each iteration computes from the loop variable before anything else: `int k = i * W + j;`, or the
//! user's variable in a loop that `locality` wrote.

use super::super::analysis::affine::Affine;
use super::super::analysis::effects::Effects;
use super::super::analysis::loops::Count;
use super::super::analysis::stride::Stride;
use crate::il::walk::{Node, visit};
use crate::il::{
    Body, Decl, ExprFlags, ExprId, ExprKind, InitKind, LocalId, Module, StmtId, StmtKind,
};
use crate::types::Quals;
use hashbrown::HashMap;

/// The derived variables of a loop's body, each with its value.
///
/// The head of the body sets them to a value that is affine in the loop variable. Nothing but such settings and
/// declarations stands before them, and nothing else writes them or takes their address.
pub(super) fn of(
    module: &Module,
    body: &Body,
    inner: StmtId,
    (count, walkers): (&Count, &HashMap<LocalId, Stride>),
    effects: &Effects,
) -> HashMap<LocalId, ExprId> {
    let mut derived = HashMap::new();
    for (local, value) in settings(body, inner) {
        let affine = Affine {
            module,
            body,
            var: count.var,
            effects,
            derived: &derived,
            walkers,
        };
        let stays = local != count.var
            && module.types.is_integer(body.local(local).ty)
            && is_set_once(body, inner, local, effects);
        if stays && !has_shared(module, body, value) && affine.index(value).is_some() {
            derived.insert(local, value);
        }
    }
    derived
}

/// True for a variable that one place in a loop's body sets, by name. Nobody else can change it.
pub(super) fn is_set_once(body: &Body, inner: StmtId, local: LocalId, effects: &Effects) -> bool {
    !effects.escaped.contains(&local)
        && !body.local(local).ty.quals.has(Quals::VOLATILE)
        && settings_of(body, inner, local) == 1
}

/// What the head of a statement sets: initialised declarations and assignments, in order.
pub(super) fn settings(body: &Body, root: StmtId) -> Vec<(LocalId, ExprId)> {
    let mut found = Vec::new();
    let mut rest = vec![root];
    while let Some(stmt) = rest.pop() {
        match &body.stmt(stmt).kind {
            StmtKind::Compound(block) => rest.extend(block.items.iter().rev()),
            StmtKind::Null => {}
            StmtKind::Expr(e) => {
                let ExprKind::Assign { place, value } = body.expr(*e).kind else {
                    return found;
                };
                let ExprKind::Local(local) = body.expr(place).kind else {
                    return found;
                };
                found.push((local, value));
            }
            StmtKind::Decl(group) => {
                for decl in &group.decls {
                    let Decl::Local { local, init, .. } = decl else {
                        return found;
                    };
                    let Some(init) = init else { continue };
                    let InitKind::Expr(value) = body.init(*init).kind else {
                        return found;
                    };
                    found.push((*local, value));
                }
            }
            StmtKind::If(..)
            | StmtKind::Switch(..)
            | StmtKind::While(..)
            | StmtKind::DoWhile(..)
            | StmtKind::For { .. }
            | StmtKind::Forall { .. }
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
            | StmtKind::Sync(..)
            | StmtKind::Fence
            | StmtKind::Scope(..) => return found,
        }
    }
    found
}

/// How many initialisers and assignments in a statement set a variable.
pub(super) fn settings_of(body: &Body, root: StmtId, local: LocalId) -> usize {
    let mut count = 0;
    visit(body, Node::Stmt(root), &mut |node| {
        if let Node::Expr(e) = node
            && let ExprKind::Assign { place, .. }
            | ExprKind::AssignOp { place, .. }
            | ExprKind::IncDec { place, .. } = body.expr(e).kind
        {
            count += usize::from(matches!(body.expr(place).kind, ExprKind::Local(l) if l == local));
        }
        if let Node::Stmt(s) = node
            && let StmtKind::Decl(group) = &body.stmt(s).kind
        {
            let sets = |decl: &&Decl| matches!(decl, Decl::Local { local: l, .. } if *l == local);
            count += group.decls.iter().filter(sets).count();
        }
        true
    });
    count
}

/// True for a value that reads shared memory: it stays where it is, with its events.
fn has_shared(module: &Module, body: &Body, value: ExprId) -> bool {
    let mut found = false;
    visit(body, Node::Expr(value), &mut |node| {
        if let Node::Expr(e) = node {
            let expr = body.expr(e);
            found |= expr.flags.has(ExprFlags::INSTRUMENT_GET)
                || matches!(expr.kind, ExprKind::Load(place) if module.types.is_shared(body.expr(place).ty));
        }
        !found
    });
    found
}
