//! Locality: turns `upc_forall` loops whose owner function is affine into loops over owned iterations only. References
//! in them with the same owner become private accesses.
//!
//! `sections::owned` finds the owner function, `(t0 + floor((i + d) / G)) mod THREADS`, and the references that have it.
//!
//! A reference in the body with the same owner function is local in every owned iteration. G = 1 gives one loop with a
//! counter. G > 1 gives a loop over owned blocks around a loop within the block; the inner loop walks contiguous
//! memory, and so does the loop for G = 1. A reference that differs from the owner function only in `d`, such as
//! `a[i - 1]`, is local where `i` is at least the difference away from the ends of a block: those iterations get a loop
//! of their own.
//!
//! The rewriting keeps the original loop for the case that the function is called from inside another `upc_forall` (UPC
//! 6.6.2p10), where every thread runs every iteration. Loops that contain `goto`, labels, `break` out of them or static
//! declarations are not changed.

mod control;
mod plan;
mod rewrite;

use crate::il::walk::{Node, visit};
use crate::il::{Affinity, Body, LocalId, Module, StmtId, StmtKind};
use crate::passes::analysis::effects::{self, Effects};
use crate::passes::analysis::loop_pragmas;
use crate::passes::each_function;
use crate::passes::remarks::{About, Remark};
use hashbrown::HashSet;
use upcc_grammar::Parsed;

/// Rewrites the loops of every function of the module. `keep_instrumented`: accesses that raise events stay accesses
/// (`--inst-local`).
pub fn run(
    module: &mut Module,
    parsed: &Parsed,
    keep_instrumented: bool,
    remarks: &mut Vec<Remark>,
) {
    each_function(module, |module, body, function| {
        let name = module.objects[function.object].name;
        let form = Form {
            is_main: parsed.interner.name(name) == "main",
            keep_instrumented,
        };
        let loops = foralls(body, function.root);
        let escaped = match loops.is_empty() {
            true => HashSet::new(),
            false => effects::escaped(body, function.root),
        };
        for (stmt, nested) in loops {
            if nested {
                make_uncontrolled(body, stmt);
                continue;
            }
            if loop_pragmas::form(&parsed.stream, body.stmt(stmt)) == loop_pragmas::Form::Fixed
                || runs_everywhere(body, stmt)
            {
                continue;
            }
            let span = body.stmt(stmt).span;
            let rewritten = rewrite_one(module, body, stmt, &escaped, form);
            let text = if rewritten { STEPPED } else { TESTED };
            remarks.push(Remark {
                span,
                text: text.to_owned(),
                about: About::Loop,
            });
        }
    });
}

/// The remarks on an `upc_forall`.
const STEPPED: &str = "this upc_forall runs through the thread's own iterations only";
const TESTED: &str = "this upc_forall tests the affinity of each iteration: its affinity or its form is not one that can be stepped over";

/// True for an `upc_forall` of which every thread runs every iteration.
fn runs_everywhere(body: &Body, stmt: StmtId) -> bool {
    matches!(
        body.stmt(stmt).kind,
        StmtKind::Forall {
            affinity: Affinity::All,
            ..
        }
    )
}

/// The `upc_forall` statements of a function, inner ones first, each with whether it is inside a controlling one.
fn foralls(body: &Body, root: StmtId) -> Vec<(StmtId, bool)> {
    let mut found = Vec::new();
    let mut stack = vec![(root, false)];
    while let Some((top, nested)) = stack.pop() {
        visit(body, Node::Stmt(top), &mut |node| {
            let Node::Stmt(id) = node else { return true };
            let StmtKind::Forall {
                affinity,
                body: inner,
                ..
            } = &body.stmts[id].kind
            else {
                return true;
            };
            found.push((id, nested));
            stack.push((*inner, nested || !matches!(affinity, Affinity::All)));
            false
        });
    }
    found.reverse();
    found
}

/// Options of the rewriting.
#[derive(Clone, Copy)]
struct Form {
    /// The function is `main`, which is not called from a `upc_forall`.
    is_main: bool,
    /// Accesses that raise events are not changed.
    keep_instrumented: bool,
}

/// Makes a loop not controlling, as if its affinity were `continue` (UPC 6.6.2p10).
fn make_uncontrolled(body: &mut Body, stmt: StmtId) {
    if let StmtKind::Forall { affinity, .. } = &mut body.stmts[stmt].kind {
        *affinity = Affinity::All;
    }
}

/// Returns whether the loop could be rewritten.
fn rewrite_one(
    module: &mut Module,
    body: &mut Body,
    stmt: StmtId,
    escaped: &HashSet<LocalId>,
    form: Form,
) -> bool {
    let StmtKind::Forall { body: inner, .. } = body.stmts[stmt].kind else {
        return false;
    };
    let effects = Effects::of(module, body, inner, escaped);
    let Some(mut plan) = plan::plan(module, body, stmt, &effects) else {
        return false;
    };
    if form.keep_instrumented {
        plan.keep_instrumented(body, inner);
    }
    rewrite::rewrite(module, body, stmt, &plan, &effects, form.is_main);
    true
}
