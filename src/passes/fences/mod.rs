//! Fences: a strict read needs a full fence before it only if a write of this thread may be pending since the last one
//! (on processors that order their loads; `upcr/access.h`).
//!
//! The pass follows each function from its start, where writes may be pending. A strict access and `upc_fence` settle
//! them. A store to shared memory or through any pointer, and a call, may leave one pending. Where nothing can be pending,
//! the strict reads get the flag `SETTLED`. In front of a loop that only reads, such as one that waits for a strict
//! object, the pass puts a fence, and the reads of all turns are settled.
//!
//! The order of strict accesses does not change: on such processors a load is performed after every earlier load, and a
//! strict write ends with a full fence.

use super::analysis::certain::visit_certain;
use super::analysis::effects::root_of;
use super::each_function;
use crate::il::walk::{Node, visit};
use crate::il::{
    Body, Decl, ExprFlags, ExprId, ExprKind, ForInit, InitId, Module, StmtId, StmtKind,
};
use crate::types::Types;
use upcc_grammar::ast::Span;

/// Marks the strict reads of every function of the module.
pub fn run(module: &mut Module) {
    each_function(module, |module, body, function| {
        if !has_strict_reads(body, function.root) {
            return;
        }
        let mut flow = Flow {
            module,
            body,
            settled: false,
            breaks: true,
            continues: true,
            reads: Vec::new(),
            fenced: Vec::new(),
        };
        flow.stmt(function.root);
        let Flow { reads, fenced, .. } = flow;
        for read in reads {
            let flags = &mut body.exprs[read].flags;
            *flags = flags.with(ExprFlags::SETTLED);
        }
        for stmt in fenced {
            put_fence_before(body, stmt);
        }
    });
}

fn has_strict_reads(body: &Body, root: StmtId) -> bool {
    let mut found = false;
    visit(body, Node::Stmt(root), &mut |node| {
        found |= matches!(node, Node::Expr(e) if is_strict_read(body, e));
        !found
    });
    found
}

fn is_strict_read(body: &Body, e: ExprId) -> bool {
    let expr = body.expr(e);
    matches!(expr.kind, ExprKind::Load(_)) && expr.flags.has(ExprFlags::STRICT)
}

fn put_fence_before(body: &mut Body, stmt: StmtId) {
    let at = body.stmt(stmt).span.lo;
    let line = Span { lo: at, hi: at };
    let moved = body.move_stmt(stmt);
    let fence = body.push_stmt(StmtKind::Fence, line, false);
    let items = vec![fence, moved];
    body.stmts[stmt].kind = StmtKind::Compound(crate::il::Block {
        items,
        ..crate::il::Block::default()
    });
    body.stmts[stmt].verbatim = false;
}

/// What is known on the way through a function.
struct Flow<'a> {
    module: &'a Module,
    body: &'a Body,
    /// No write of this thread is pending.
    settled: bool,
    /// The same at each `break` out of the innermost loop or switch, and at each `continue` of the loop.
    breaks: bool,
    continues: bool,
    /// Strict reads that need no fence.
    reads: Vec<ExprId>,
    /// Loops with a fence in front.
    fenced: Vec<StmtId>,
}

/// A loop as the flow sees it.
struct Turns {
    cond: Option<ExprId>,
    step: Option<ExprId>,
    body: StmtId,
    /// The condition is evaluated after the body.
    late: bool,
}

impl Flow<'_> {
    /// Follows an expression that is evaluated as a whole.
    fn expr(&mut self, root: ExprId) {
        let body = self.body;
        let mut inside = Inside::default();
        visit(body, Node::Expr(root), &mut |node| {
            if let Node::Expr(e) = node {
                inside.add(self.module, body, e, root);
            } else {
                inside.pending = true;
            }
            true
        });
        let reads = || inside.reads.iter().copied();
        if inside.pending {
            self.settled = false;
            return;
        }
        if self.settled {
            self.reads.extend(reads());
        }
        let mut always = inside.ends_strict;
        visit_certain(body, Node::Expr(root), &mut |node| {
            always |= matches!(node, Node::Expr(e) if is_strict_read(body, e));
        });
        self.settled |= always;
    }

    fn init(&mut self, init: InitId) {
        let body = self.body;
        let mut roots = Vec::new();
        visit(body, Node::Init(init), &mut |node| {
            if let Node::Expr(e) = node {
                roots.push(e);
            }
            matches!(node, Node::Init(_))
        });
        roots.into_iter().for_each(|e| self.expr(e));
    }

    fn decls(&mut self, decls: &[Decl]) {
        for decl in decls {
            match decl {
                Decl::Local { init, attrs, .. } => {
                    init.iter().for_each(|&init| self.init(init));
                    self.settled &= attrs.is_empty();
                }
                Decl::Length { value, .. } => self.expr(*value),
                Decl::Object { .. } | Decl::Typedef { .. } => self.settled = false,
                Decl::StaticAssert | Decl::Shared { .. } => {}
            }
        }
    }

    fn stmt(&mut self, id: StmtId) {
        stacker::maybe_grow(64 * 1024, 4 << 20, || self.any_stmt(id));
    }

    fn any_stmt(&mut self, id: StmtId) {
        let body = self.body;
        match &body.stmt(id).kind {
            StmtKind::Null => {}
            StmtKind::Compound(block) => block.items.iter().for_each(|&s| self.stmt(s)),
            StmtKind::Expr(e) => self.expr(*e),
            StmtKind::Decl(group) => self.decls(&group.decls),
            StmtKind::If(test, then, other) => {
                self.expr(*test);
                let before = self.settled;
                self.stmt(*then);
                let after = std::mem::replace(&mut self.settled, before);
                other.iter().for_each(|&s| self.stmt(s));
                self.settled &= after;
            }
            StmtKind::While(test, inner) => self.turns(id, true, &turns(Some(*test), None, *inner)),
            StmtKind::DoWhile(inner, test) => {
                let late = Turns {
                    late: true,
                    ..turns(Some(*test), None, *inner)
                };
                self.turns(id, false, &late);
            }
            StmtKind::For {
                init,
                cond,
                step,
                body: inner,
            } => {
                let begins = match init {
                    ForInit::None => true,
                    ForInit::Expr(e) => self.stays_settled(|flow| flow.expr(*e)),
                    ForInit::Decl(group) => self.stays_settled(|flow| flow.decls(&group.decls)),
                };
                self.turns(id, begins, &turns(*cond, *step, *inner));
            }
            StmtKind::Break => self.breaks &= std::mem::replace(&mut self.settled, true),
            StmtKind::Continue => self.continues &= std::mem::replace(&mut self.settled, true),
            StmtKind::Return(value) => {
                value.iter().for_each(|&e| self.expr(e));
                self.settled = true;
            }
            StmtKind::Fence if !body.stmt(id).instrumented => self.settled = true,
            // Entered from elsewhere, or left for somewhere else.
            StmtKind::Switch(..)
            | StmtKind::Case(..)
            | StmtKind::Default(_)
            | StmtKind::Label(..)
            | StmtKind::Forall { .. } => self.unknown(id),
            StmtKind::Nested(_)
            | StmtKind::Goto(_)
            | StmtKind::GotoExpr(_)
            | StmtKind::Asm { .. }
            | StmtKind::Sync(..)
            | StmtKind::Fence
            | StmtKind::Scope(..) => self.settled = false,
        }
    }

    /// Follows the parts of a statement that control may enter from elsewhere.
    fn unknown(&mut self, id: StmtId) {
        let body = self.body;
        let outer = (self.breaks, self.continues);
        crate::il::walk::stmt_children(body, id, &mut |node| {
            self.settled = false;
            match node {
                Node::Stmt(s) => self.stmt(s),
                Node::Expr(e) => self.expr(e),
                Node::Init(init) => self.init(init),
            }
        });
        // A `continue` in a switch belongs to the loop around it.
        (self.breaks, self.continues) = (outer.0 && self.breaks, outer.1 && self.continues);
        self.settled = false;
    }

    /// Follows a part; true if it would leave a settled state settled.
    fn stays_settled(&mut self, part: impl Fn(&mut Self)) -> bool {
        let before = std::mem::replace(&mut self.settled, true);
        let known = self.reads.len();
        part(self);
        let stays = self.settled;
        self.reads.truncate(known);
        self.settled = before;
        part(self);
        stays
    }

    /// Follows a loop. `begins`: a fence may stand in front of it.
    fn turns(&mut self, id: StmtId, begins: bool, turns: &Turns) {
        let outer = (
            std::mem::replace(&mut self.breaks, true),
            std::mem::replace(&mut self.continues, true),
        );
        let entry = self.settled;
        // Only loops without loops in them are followed twice, so the time stays linear.
        let inner = !super::sections::has_loops(self.body, id);
        let marks = (self.reads.len(), self.fenced.len());
        let repeats = inner && self.turn(true, turns);
        let fence = repeats && !entry && begins && self.always_reads(turns);
        let head = repeats && (entry || fence);
        if !head {
            self.reads.truncate(marks.0);
            self.fenced.truncate(marks.1);
            (self.breaks, self.continues) = (true, true);
            self.turn(false, turns);
        }
        if fence {
            self.fenced.push(id);
        }
        self.settled &= self.breaks;
        (self.breaks, self.continues) = outer;
    }

    /// True for a loop each turn of which makes a strict read.
    fn always_reads(&self, turns: &Turns) -> bool {
        let mut always = false;
        let cond = turns.cond.map(Node::Expr);
        for part in cond.into_iter().chain([Node::Stmt(turns.body)]) {
            visit_certain(self.body, part, &mut |node| {
                always |= matches!(node, Node::Expr(e) if is_strict_read(self.body, e));
            });
        }
        always
    }

    /// Follows one turn from its head; returns whether the next one begins settled. The state is then that of the loop's
    /// end by its condition.
    fn turn(&mut self, head: bool, turns: &Turns) -> bool {
        self.settled = head;
        let early = turns.cond.filter(|_| !turns.late);
        early.into_iter().for_each(|cond| self.expr(cond));
        let mut end = self.settled;
        self.stmt(turns.body);
        self.settled &= self.continues;
        if turns.late {
            turns.cond.into_iter().for_each(|cond| self.expr(cond));
            end = self.settled;
        }
        turns.step.into_iter().for_each(|step| self.expr(step));
        std::mem::replace(&mut self.settled, end)
    }
}

fn turns(cond: Option<ExprId>, step: Option<ExprId>, body: StmtId) -> Turns {
    Turns {
        cond,
        step,
        body,
        late: false,
    }
}

/// What an expression does, as far as the order of memory is concerned.
#[derive(Default)]
struct Inside {
    reads: Vec<ExprId>,
    /// A write may be pending after it, or in front of one of its reads.
    pending: bool,
    /// It is a strict write and nothing else.
    ends_strict: bool,
}

impl Inside {
    fn add(&mut self, module: &Module, body: &Body, e: ExprId, root: ExprId) {
        let expr = body.expr(e);
        let reported = [ExprFlags::INSTRUMENT_GET, ExprFlags::INSTRUMENT_PUT];
        self.pending |= reported.iter().any(|&flag| expr.flags.has(flag));
        if is_strict_read(body, e) {
            self.reads.push(e);
        }
        if let ExprKind::Assign { place, .. } = expr.kind {
            let strict = expr.flags.has(ExprFlags::STRICT);
            self.ends_strict |= strict && e == root;
            self.pending |= !(strict && e == root) && is_seen(&module.types, body, place);
        } else if let ExprKind::AssignOp { place, .. } | ExprKind::IncDec { place, .. } = expr.kind
        {
            self.pending |= is_seen(&module.types, body, place);
        } else if let ExprKind::Call(callee, _) = expr.kind {
            let called = body.called(callee);
            self.pending |= called.is_none_or(|function| !module.pure.contains(&function));
        } else {
            self.pending |= expr.kind.has_side_effects();
        }
    }
}

/// True for a place that other threads may see: not for a private variable.
fn is_seen(types: &Types, body: &Body, place: ExprId) -> bool {
    let root = root_of(body, place);
    let private = matches!(
        body.expr(root).kind,
        ExprKind::Local(_) | ExprKind::Object(_)
    );
    !private || types.is_shared(body.expr(place).ty)
}
