//! Unroll: a loop of few iterations, known at compile time, that makes shared accesses inside another loop is written
//! out. The outer loop then is the innermost one, whose sections `runs` finds.
//!
//! ```text
//! for (j = 1; j < W - 1; j++)
//!     for (k = -1; k <= 1; k++)
//!         s += weight[k + 1] * a[i][j + k];
//! ```
//!
//! becomes
//!
//! ```text
//! for (j = 1; j < W - 1; j++) {
//!     k = -1; s += weight[k + 1] * a[i][j + -1]; k++;
//!     s += weight[k + 1] * a[i][j + 0]; k++;
//!     s += weight[k + 1] * a[i][j + 1]; k++;
//! }
//! ```
//!
//! The iterations make the same accesses in the same order. Only shared places have the variable's value in place of its
//! name, because their subscripts are what `sections` looks at.

use super::analysis::effects::{self, Effects, has_continue};
use super::analysis::loop_pragmas::Parallel;
use super::analysis::loops::{changes, count, range};
use super::analysis::places::{accessed, raises_events};
use super::analysis::stride::Stride;
use super::each_function;
use super::remarks::{About, Remark};
use super::writer::Writer;
use crate::il::walk::{Copier, Node, visit};
use crate::il::{
    Block, Body, Expr, ExprFlags, ExprId, ExprKind, ForInit, LocalId, Module, Stmt, StmtId,
    StmtKind, Turns,
};
use crate::types::QualType;
use hashbrown::HashSet;
use upcc_grammar::Parsed;
use upcc_grammar::ast::{BinOp, Span};

/// Maximum number of iterations of a loop that is written out.
const MOST_TURNS: usize = 4;

/// Maximum number of expressions in what a loop becomes.
const MOST_NODES: usize = 1200;

/// Writes out the short loops of every function of the module.
pub fn run(module: &mut Module, parsed: &Parsed, remarks: &mut Vec<Remark>) {
    each_function(module, |module, body, function| {
        let inner = loops_in_loops(body, function.root);
        if inner.is_empty() {
            return;
        }
        let escaped = effects::escaped(body, function.root);
        let parallel = Parallel::of(&parsed.stream, body, function.root);
        for stmt in inner {
            let written = body.stmt(stmt);
            let Some(plan) = parallel
                .leaves_free(&parsed.stream, written)
                .then(|| plan(module, body, stmt, &escaped))
                .flatten()
            else {
                continue;
            };
            remarks.push(Remark {
                span: written.span,
                text: format!(
                    "this loop of {} iterations is written out",
                    plan.values.len()
                ),
                about: About::Loop,
            });
            write_out(module, body, stmt, &plan);
        }
    });
}

/// The `for` loops inside other loops, inner ones first.
fn loops_in_loops(body: &Body, root: StmtId) -> Vec<StmtId> {
    let mut found = Vec::new();
    let mut rest = vec![(root, false)];
    while let Some((top, within)) = rest.pop() {
        visit(body, Node::Stmt(top), &mut |node| {
            let Node::Stmt(s) = node else { return true };
            let kind = &body.stmt(s).kind;
            if let StmtKind::For { .. } = kind
                && within
            {
                found.push(s);
            }
            if let StmtKind::For { body: inner, .. }
            | StmtKind::Forall { body: inner, .. }
            | StmtKind::While(_, inner)
            | StmtKind::DoWhile(inner, _) = *kind
            {
                rest.push((inner, true));
                return false;
            }
            true
        });
    }
    found.reverse();
    found
}

/// A loop that is written out.
struct Plan {
    var: LocalId,
    /// The values of the variable, one for each iteration.
    values: Vec<i64>,
    step: ExprId,
    body: StmtId,
}

fn plan(module: &Module, body: &Body, stmt: StmtId, escaped: &HashSet<LocalId>) -> Option<Plan> {
    let StmtKind::For {
        ref init,
        cond: Some(cond),
        step: Some(step),
        body: inner,
    } = body.stmt(stmt).kind
    else {
        return None;
    };
    let count = count(module, body, cond, step)?;
    let (low, high) = range(module, body, init, &count)?;
    let Stride::Constant(by) = count.step else {
        return None;
    };
    let size = by.unsigned_abs();
    let turns = usize::try_from(u64::try_from(high.checked_sub(low)?).ok()? / size + 1).ok()?;
    if turns > MOST_TURNS || !is_alone(init) {
        return None;
    }
    let (nodes, shared) = weigh(module, body, inner);
    if !shared || nodes * turns > MOST_NODES {
        return None;
    }
    let effects = Effects::of(module, body, inner, escaped);
    let keeps_form = effects.pinned || effects.opaque || effects.exits || has_continue(body, inner);
    if keeps_form || escaped.contains(&count.var) || changes(module, body, count.var, &effects) {
        return None;
    }
    let first = if by > 0 { low } else { high };
    let values = (0..turns as i64).map(|turn| first + turn * by).collect();
    Some(Plan {
        var: count.var,
        values,
        step,
        body: inner,
    })
}

/// True for a first clause with one declarator, or an expression.
fn is_alone(init: &ForInit) -> bool {
    match init {
        ForInit::None => false,
        ForInit::Expr(_) => true,
        ForInit::Decl(group) => group.decls.len() == 1,
    }
}

/// The number of expressions in a statement, and whether it makes shared accesses, none of which raises an event.
fn weigh(module: &Module, body: &Body, root: StmtId) -> (usize, bool) {
    let (mut nodes, mut shared, mut reported) = (0, false, false);
    visit(body, Node::Stmt(root), &mut |node| {
        if let Node::Expr(e) = node {
            nodes += 1;
            reported |= raises_events(&module.types, body, e);
            shared |= accessed(body, e).is_some_and(|it| module.types.is_shared(body.expr(it).ty));
        }
        true
    });
    (nodes, shared && !reported)
}

/// Replaces the loop by its iterations.
fn write_out(module: &mut Module, body: &mut Body, stmt: StmtId, plan: &Plan) {
    let span = body.stmt(stmt).span;
    let StmtKind::For { init, .. } = std::mem::replace(&mut body.stmts[stmt].kind, StmtKind::Null)
    else {
        return;
    };
    let at = Span {
        lo: span.lo,
        hi: span.lo,
    };
    let mut w = Writer {
        module,
        body,
        span: at,
    };
    let mut items = Vec::new();
    match init {
        ForInit::None => {}
        ForInit::Expr(e) => items.push(w.stmt(StmtKind::Expr(e))),
        ForInit::Decl(group) => items.push(w.stmt(StmtKind::Decl(group))),
    }
    for &value in &plan.values {
        let turn = with_value(w.module, w.body, plan, value);
        // A scope of its own: each iteration has its own variables.
        let turn = w.stmt(StmtKind::Compound(Block {
            items: vec![turn],
            ..Block::default()
        }));
        let step = w.copy(plan.step);
        items.extend([turn, w.stmt(StmtKind::Expr(step))]);
    }
    body.stmts[stmt] = Stmt {
        kind: StmtKind::Compound(Block {
            items,
            ..Block::default()
        }),
        span,
        verbatim: false,
        instrumented: false,
        turns: Turns::Unknown,
        trivia: None,
    };
}

/// A copy of the loop's body for one value of its variable.
fn with_value(module: &Module, body: &mut Body, plan: &Plan, value: i64) -> StmtId {
    let mut replace = |body: &mut Body, e: ExprId| {
        let expr = body.expr(e);
        let ExprKind::Deref(_) = expr.kind else {
            return None;
        };
        let takes_it = module.types.is_shared(expr.ty) && !divides(body, e);
        takes_it.then(|| place_with_value(body, e, plan.var, value))
    };
    Copier {
        replace: &mut replace,
    }
    .stmt(body, plan.body)
}

/// A copy of a shared place, printed from the IL, with a literal for each read of the variable.
fn place_with_value(body: &mut Body, place: ExprId, var: LocalId, value: i64) -> ExprId {
    let mut replace = |body: &mut Body, e: ExprId| {
        let Expr { kind, ty, span, .. } = *body.expr(e);
        let ExprKind::Load(from) = kind else {
            return None;
        };
        matches!(body.expr(from).kind, ExprKind::Local(local) if local == var).then(|| {
            body.exprs.push(Expr {
                kind: ExprKind::Int(value),
                ty: QualType::plain(ty.ty),
                span,
                flags: ExprFlags::default(),
            });
            ExprId(body.exprs.len() as u32 - 1)
        })
    };
    Copier {
        replace: &mut replace,
    }
    .expr_out_of_scope(body, place)
}

/// True for an expression with an operation that C compilers warn of, or refuse, for certain constants.
fn divides(body: &Body, root: ExprId) -> bool {
    let mut found = false;
    visit(body, Node::Expr(root), &mut |node| {
        found |= matches!(node, Node::Expr(e) if matches!(
            body.expr(e).kind,
            ExprKind::Binary(BinOp::Div | BinOp::Rem | BinOp::Shl | BinOp::Shr, ..)
        ));
        !found
    });
    found
}
