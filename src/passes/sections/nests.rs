//! The sections of `upc_forall`, and of loops around loops.
//!
//! Nothing rewrites what is found here. Where a loop contains counted loops, an iteration of it is compared with the next one
//! for equal values of their variables.

use super::super::analysis::effects::{self, Effects};
use super::super::analysis::loop_pragmas::Parallel;
use super::{Loop, body_of, described, form_with, has_loops, is_loop, own, owned, shared_accesses};
use crate::il::walk::{Node, visit};
use crate::il::{Body, ExprId, Function, ItemKind, LocalId, Module, StmtId, StmtKind};
use crate::passes::analysis::loops::count;
use crate::passes::own_elements::{is_mythread, own_accesses};
use hashbrown::HashSet;
use upcc_grammar::Parsed;

/// Returns the functions of a unit, without those of system headers, and for each its loops that access shared memory.
pub fn of_functions<'a>(
    module: &'a Module,
    parsed: &'a Parsed,
) -> impl Iterator<Item = (&'a Body, Vec<Loop>)> {
    let all = functions(module, parsed).filter(|(_, _, verbatim)| !verbatim);
    all.map(move |(body, function, _)| {
        let mut loops = find_all(module, parsed, body, function.root);
        loops.retain(|it| !shared_accesses(&module.types, body, body_of(body, it.stmt)).is_empty());
        (body, loops)
    })
}

/// Returns the same functions with all of their loops, and verbatim ones of which sema has kept the bodies.
pub fn all_of_functions<'a>(
    module: &'a Module,
    parsed: &'a Parsed,
) -> impl Iterator<Item = (&'a Function, &'a Body, Vec<Loop>)> {
    functions(module, parsed).map(move |(body, function, _)| {
        let loops = find_all(module, parsed, body, function.root);
        (function, body, loops)
    })
}

/// The functions whose bodies are known, and whether each is verbatim.
fn functions<'a>(
    module: &'a Module,
    parsed: &'a Parsed,
) -> impl Iterator<Item = (&'a Body, &'a Function, bool)> {
    module.items.iter().filter_map(move |item| {
        let ItemKind::Function(function) = &item.kind else {
            return None;
        };
        let known = !item.verbatim || !item.body.stmts.is_empty();
        let own = known && item.body.nested.is_empty() && !parsed.in_system_header(item.span);
        own.then_some((&item.body, function, item.verbatim))
    })
}

/// Every loop of a function, in source order. A loop without shared accesses has no references.
fn find_all(module: &Module, parsed: &Parsed, body: &Body, root: StmtId) -> Vec<Loop> {
    let escaped = effects::escaped(body, root);
    let mut innermost = super::find(module, parsed, body, root, &escaped);
    let parallel = Parallel::of(&parsed.stream, body, root);
    let own_elements = own_accesses(module, body, root, false);
    let mut numbers = None;
    let mut is_mythread = |e| is_mythread(module, body, root, e, &mut numbers);
    let mut found = Vec::new();
    visit(body, Node::Stmt(root), &mut |node| {
        let Node::Stmt(s) = node else {
            return true;
        };
        if let Some(at) = innermost.iter().position(|it| it.stmt == s) {
            let inner = innermost.remove(at);
            found.push(inner);
        } else if is_loop(body, s) && !parallel.fixes(body.stmt(s)) {
            found.push(nest(module, body, s, &escaped));
        }
        true
    });
    for it in &mut found {
        it.own
            .extend(own::by_number(module, body, it, &mut is_mythread));
        let accesses: HashSet<ExprId> = it.references.iter().map(|it| it.access).collect();
        let own = own_elements.iter().filter(|it| accesses.contains(*it));
        it.own.extend(own);
    }
    found
}

/// The loop of a statement.
fn nest(module: &Module, body: &Body, s: StmtId, escaped: &HashSet<LocalId>) -> Loop {
    let inner = body_of(body, s);
    let accesses = shared_accesses(&module.types, body, inner);
    let counters = counters(module, body, inner);
    let mut effects = Effects::of(module, body, inner, escaped);
    effects.written.retain(|it| !counters.contains(it));
    effects.declared.retain(|it| !counters.contains(it));
    let form = form_with(module, body, s, effects);
    let owner = form
        .as_ref()
        .ok()
        .and_then(|(form, effects)| own::element(module, body, s, form, effects));
    let mut nest = described(module, body, s, &accesses, form);
    if let Some(owner) = owner {
        nest.own.extend(own::of(module, body, &nest, &owner));
    }
    if matches!(body.stmt(s).kind, StmtKind::Forall { .. })
        && let Some(owned) = owned(module, body, s, &Effects::of(module, body, inner, escaped))
    {
        nest.own.extend(own::by_owner(body, &nest, &owned));
    }
    // For other values of the inner variables, there may be more of them.
    if has_loops(body, s) {
        nest.dependences.clear();
    }
    nest
}

/// The variables of the counted loops in a statement.
fn counters(module: &Module, body: &Body, inner: StmtId) -> HashSet<LocalId> {
    let mut found = HashSet::new();
    visit(body, Node::Stmt(inner), &mut |node| {
        if let Node::Stmt(s) = node
            && let StmtKind::For { cond, step, .. } | StmtKind::Forall { cond, step, .. } =
                &body.stmt(s).kind
            && let Some(count) = cond.zip(*step).and_then(|(c, s)| count(module, body, c, s))
        {
            found.insert(count.var);
        }
        true
    });
    found
}
