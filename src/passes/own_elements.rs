//! Accesses to elements of the thread's own part of an array by its number, wherever they stand: `a[MYTHREAD]`,
//! `counts[MYTHREAD][key]`, `state[me].done` with `int me = MYTHREAD`. They become private accesses.
//!
//! The element must belong to the thread for each value of the other subscripts. So a row of the first subscript must be
//! one block: row number MYTHREAD then begins the thread's part of the array. The other subscripts stay within the row,
//! because C does not define a subscript beyond its dimension (C11 6.5.6p8, J.2). `locality` and `runs` come first: they
//! know more about loops. `lower` writes what is marked here.

use super::analysis::effects::{Effects, escaped, initial_values};
use super::analysis::places::{accessed, raises_events};
use super::analysis::refs::{Base, element_around};
use super::each_function;
use crate::il::walk::{Node, visit};
use crate::il::{Body, ExprFlags, ExprId, ExprKind, LocalId, Module, StmtId};
use hashbrown::HashSet;

/// Marks the relaxed accesses of all functions with the flag `OWN`. `local_events`: accesses to own memory raise events,
/// and are not marked.
pub fn run(module: &mut Module, local_events: bool) {
    each_function(module, |module, body, function| {
        for access in own_accesses(module, body, function.root, local_events) {
            let flags = &mut body.exprs[access].flags;
            *flags = flags.with(ExprFlags::OWN);
        }
    });
}

/// True if a function could have accesses to elements by the number of its thread.
fn names_mythread(body: &Body, root: StmtId) -> bool {
    let mut found = false;
    visit(body, Node::Stmt(root), &mut |node| {
        found |= matches!(node, Node::Expr(e) if matches!(body.expr(e).kind, ExprKind::MyThread));
        !found
    });
    found
}

/// The relaxed accesses of a function to elements of the thread's own part of an array by its number; `local_events`: but
/// those that raise events.
pub(super) fn own_accesses(
    module: &Module,
    body: &Body,
    root: StmtId,
    local_events: bool,
) -> Vec<ExprId> {
    let mut found = Vec::new();
    if !names_mythread(body, root) {
        return found;
    }
    // The variables that hold MYTHREAD, found when they are needed.
    let mut numbers = None;
    visit(body, Node::Stmt(root), &mut |node| {
        let Node::Expr(access) = node else {
            return true;
        };
        let Some(place) = accessed(body, access) else {
            return true;
        };
        let is_strict = body.expr(access).flags.has(ExprFlags::STRICT);
        if is_strict || (local_events && raises_events(&module.types, body, access)) {
            return true;
        }
        if let Some((_, element)) = element_around(&module.types, body, place)
            && matches!(element.base, Base::Array(_))
            && u64::from(element.block) == element.row
            && is_mythread(module, body, root, element.outer, &mut numbers)
        {
            found.push(access);
        }
        true
    });
    found
}

/// Returns whether an expression is MYTHREAD, or a variable that always holds it.
pub(super) fn is_mythread(
    module: &Module,
    body: &Body,
    root: StmtId,
    e: ExprId,
    numbers: &mut Option<HashSet<LocalId>>,
) -> bool {
    let e = without_casts(module, body, e);
    if matches!(body.expr(e).kind, ExprKind::MyThread) {
        return true;
    }
    let ExprKind::Load(place) = body.expr(e).kind else {
        return false;
    };
    let ExprKind::Local(local) = body.expr(place).kind else {
        return false;
    };
    let numbers = numbers.get_or_insert_with(|| copies_of_mythread(module, body, root));
    numbers.contains(&local)
}

/// Strips conversions that a thread's number survives: to integer types of at least 32 bits.
fn without_casts(module: &Module, body: &Body, mut e: ExprId) -> ExprId {
    while let ExprKind::Cast { value, .. } = body.expr(e).kind {
        let ty = body.expr(e).ty;
        let bytes = module.types.fixed_size(ty);
        if !module.types.is_integer(ty) || bytes.is_none_or(|bytes| bytes < 4) {
            break;
        }
        e = value;
    }
    e
}

/// Returns the locals that are initialised with MYTHREAD and not written anywhere else.
fn copies_of_mythread(module: &Module, body: &Body, root: StmtId) -> HashSet<LocalId> {
    let effects = Effects::of(module, body, root, &escaped(body, root));
    let initial = initial_values(body, root, &effects).into_iter();
    let copies = initial.filter(|&(_, e)| {
        let e = without_casts(module, body, e);
        matches!(body.expr(e).kind, ExprKind::MyThread)
    });
    copies.map(|(local, _)| local).collect()
}
