//! Stepping tests: a loop whose condition steps the variable that it tests becomes one whose third clause does. `sections`
//! then finds out how it counts.
//!
//! ```text
//! while (n-- > 0) a[n] = 0;           n--; for (; n >= 0; n--) a[n] = 0;
//! do a[i] = 0; while (++i < n);       do { a[i] = 0; ++i; } while (i < n);
//! ```
//!
//! Variable, memory and the end of the loop are the same at every point. Only innermost loops with shared accesses
//! change.

use super::analysis::effects::{self, Effects, has_continue};
use super::analysis::loop_pragmas::Parallel;
use super::analysis::loops::invariant;
use super::analysis::refs::int_value;
use super::each_function;
use super::sections::{has_loops, shared_accesses};
use super::writer::Writer;
use crate::il::walk::{Node, visit};
use crate::il::{Block, Body, ExprId, ExprKind, ForInit, LocalId, Module, Stmt, StmtId, StmtKind};
use crate::types::{QualType, Quals, Types};
use hashbrown::HashSet;
use upcc_grammar::Parsed;
use upcc_grammar::ast::BinOp;

/// Rewrites the loops of every function of the module.
pub fn run(module: &mut Module, parsed: &Parsed) {
    each_function(module, |module, body, function| {
        let loops = loops_with_tests(module, body, function.root);
        if loops.is_empty() {
            return;
        }
        let escaped = effects::escaped(body, function.root);
        let parallel = Parallel::of(&parsed.stream, body, function.root);
        for (stmt, test) in loops {
            let is_free = parallel.leaves_free(&parsed.stream, body.stmt(stmt));
            if is_free && is_suitable(module, body, stmt, &test, &escaped) {
                rewrite(module, body, stmt, &test);
            }
        }
    });
}

/// A condition that steps a variable, and compares it afterwards: `var op bound`.
struct Test {
    step: Step,
    op: BinOp,
    bound: Bound,
    /// The type of the comparison.
    ty: QualType,
}

/// `var++`, `var--`, `++var` or `--var`.
#[derive(Clone, Copy)]
struct Step {
    expr: ExprId,
    var: LocalId,
    /// Its value is the old one.
    post: bool,
    /// 1 or -1.
    by: i64,
}

enum Bound {
    Value(ExprId),
    Constant(i64),
}

/// The loops with such a condition, and no other step.
fn loops_with_tests(module: &Module, body: &Body, root: StmtId) -> Vec<(StmtId, Test)> {
    let mut found = Vec::new();
    visit(body, Node::Stmt(root), &mut |node| {
        if let Node::Stmt(s) = node
            && let StmtKind::While(cond, _)
            | StmtKind::DoWhile(_, cond)
            | StmtKind::For {
                cond: Some(cond),
                step: None,
                ..
            } = body.stmt(s).kind
            && let Some(test) = test_of(module, body, cond)
        {
            found.push((s, test));
        }
        true
    });
    found
}

/// Matches a condition.
fn test_of(module: &Module, body: &Body, cond: ExprId) -> Option<Test> {
    use BinOp::*;
    let types = &module.types;
    if let Some(step) = step_of(types, body, cond) {
        return Some(Test {
            op: Ne,
            bound: Bound::Constant(if step.post { step.by } else { 0 }),
            ty: QualType::plain(body.local(step.var).ty.ty),
            step,
        });
    }
    let ExprKind::Binary(op, a, b) = body.expr(cond).kind else {
        return None;
    };
    let (step, op, other) = match step_of(types, body, a) {
        Some(step) => (step, op, b),
        None => (step_of(types, body, b)?, mirrored(op)?, a),
    };
    // Read with the variable's new value: `i++ < b` is `i <= b`.
    let (op, bound) = match (op, step.by, int_value(types, body, other)) {
        (Lt | Gt | Le | Ge | Ne, _, _) if !step.post => (op, Bound::Value(other)),
        (Lt, 1, _) => (Le, Bound::Value(other)),
        (Gt, -1, _) => (Ge, Bound::Value(other)),
        (Lt | Gt | Le | Ge | Ne, _, Some(n)) => (op, Bound::Constant(n.checked_add(step.by)?)),
        (
            Mul | Div | Rem | Add | Sub | Shl | Shr | Lt | Gt | Le | Ge | Eq | Ne | BitAnd | BitXor
            | BitOr | And | Or,
            _,
            _,
        ) => return None,
    };
    let ty = body.expr(other).ty;
    types.int_kind_of(ty)?.is_signed().then_some(Test {
        step,
        op,
        bound,
        ty,
    })
}

/// The operator with its operands exchanged.
fn mirrored(op: BinOp) -> Option<BinOp> {
    use BinOp::*;
    match op {
        Lt => Some(Gt),
        Gt => Some(Lt),
        Le => Some(Ge),
        Ge => Some(Le),
        Ne => Some(Ne),
        Mul | Div | Rem | Add | Sub | Shl | Shr | Eq | BitAnd | BitXor | BitOr | And | Or => None,
    }
}

/// The step that an expression makes. The variable is signed: it does not wrap around.
fn step_of(types: &Types, body: &Body, e: ExprId) -> Option<Step> {
    let mut e = e;
    while let ExprKind::Cast { value, .. } = body.expr(e).kind {
        let (to, from) = (body.expr(e).ty, body.expr(value).ty);
        let (to, from) = (types.int_kind_of(to)?, types.int_kind_of(from)?);
        let widens = to.is_signed() && to.size() >= from.size();
        e = widens.then_some(value)?;
    }
    let ExprKind::IncDec { place, post, dec } = body.expr(e).kind else {
        return None;
    };
    let ExprKind::Local(var) = body.expr(place).kind else {
        return None;
    };
    let ty = body.local(var).ty;
    let kind = types.int_kind_of(ty)?;
    let counts = kind.is_signed() && (4..=8).contains(&kind.size());
    let plain = counts && !ty.quals.has(Quals::VOLATILE);
    let by = if dec { -1 } else { 1 };
    plain.then_some(Step {
        expr: e,
        var,
        post,
        by,
    })
}

/// True for a loop without loops that makes shared accesses, and whose bound stays what it is.
fn is_suitable(
    module: &Module,
    body: &Body,
    stmt: StmtId,
    test: &Test,
    escaped: &HashSet<LocalId>,
) -> bool {
    let (StmtKind::While(_, inner)
    | StmtKind::DoWhile(inner, _)
    | StmtKind::For { body: inner, .. }) = body.stmt(stmt).kind
    else {
        return false;
    };
    let accesses = shared_accesses(&module.types, body, inner);
    if accesses.is_empty() || has_loops(body, stmt) || escaped.contains(&test.step.var) {
        return false;
    }
    let effects = Effects::of(module, body, inner, escaped);
    let fixed = effects.pinned || effects.opaque;
    let bound = match test.bound {
        Bound::Constant(_) => true,
        Bound::Value(e) => invariant(module, body, e, test.step.var, &effects),
    };
    // The step moves into the body of `do`, behind its declarations.
    let name = body.local(test.step.var).name;
    let mut declared = effects.declared.iter();
    let moves = !matches!(body.stmt(stmt).kind, StmtKind::DoWhile(..))
        || !has_continue(body, inner) && declared.all(|it| body.local(*it).name != name);
    !fixed && bound && moves
}

fn rewrite(module: &mut Module, body: &mut Body, stmt: StmtId, test: &Test) {
    let old = body.stmt(stmt).clone();
    let mut w = Writer {
        module,
        body,
        span: old.span,
    };
    let cond = w.comparison(test);
    let kind = if let StmtKind::DoWhile(inner, _) = old.kind {
        let mut items = vec![inner];
        if let StmtKind::Compound(block) = &w.body.stmt(inner).kind {
            items.clone_from(&block.items);
        }
        items.push(w.stmt(StmtKind::Expr(test.step.expr)));
        StmtKind::DoWhile(w.block(items), cond)
    } else if let StmtKind::For { init, body, .. } = old.kind {
        w.counting(init, test, cond, body)
    } else if let StmtKind::While(_, inner) = old.kind {
        w.counting(ForInit::None, test, cond, inner)
    } else {
        return;
    };
    w.body.stmts[stmt] = Stmt {
        kind,
        verbatim: false,
        ..old
    };
}

impl Writer<'_> {
    /// The condition after the step.
    fn comparison(&mut self, test: &Test) -> ExprId {
        let mut value = self.load(test.step.var);
        if self.body.local(test.step.var).ty.ty != test.ty.ty {
            value = self.cast(value, test.ty);
        }
        let bound = match test.bound {
            Bound::Value(e) => e,
            Bound::Constant(n) => self.expr(ExprKind::Int(n), test.ty),
        };
        let int = QualType::plain(Types::INT);
        self.expr(ExprKind::Binary(test.op, value, bound), int)
    }

    /// The loop, with the first step in front of it.
    fn counting(&mut self, init: ForInit, test: &Test, cond: ExprId, inner: StmtId) -> StmtKind {
        let first = self.copy(test.step.expr);
        let counting = |init| StmtKind::For {
            init,
            cond: Some(cond),
            step: Some(test.step.expr),
            body: inner,
        };
        let mut items = match init {
            ForInit::None => return counting(ForInit::Expr(first)),
            ForInit::Expr(e) => vec![self.stmt(StmtKind::Expr(e))],
            ForInit::Decl(group) => vec![self.stmt(StmtKind::Decl(group))],
        };
        items.push(self.stmt(counting(ForInit::Expr(first))));
        StmtKind::Compound(Block {
            items,
            ..Block::default()
        })
    }
}
