//! Finds updates of one shared object that all threads make without a lock, such as `count++`: the object is read and
//! written in two steps, so updates get lost (UPC 5.1.2.3).
//!
//! Follows each function in source order. `main` is executed by all threads, and so are the functions that it calls
//! where nothing selects a thread; a `upc_forall` gives its iterations to several threads in any function. Does not warn:
//!
//! - under a condition that may select threads ([`Guards`]), and after a jump under such a condition;
//! - while a lock may be held, and after anything that could be a lock of the program's own: a wait for shared memory,
//!   asm, a label, and a call into another unit up to the next barrier ([`Doubt`]);
//! - of elements that a subscript selects, unless each thread counts through the same subscripts, or data select what is
//!   counted ([`Alike`]).

use super::alike::{Alike, At, is_by_data, same_on_all_threads};
use super::doubt::Doubt;
use super::guards::Guards;
use super::*;
use crate::diag::codes;
use crate::il::walk::{expr_children, init_children, stmt_children};
use crate::il::{Affinity, DeclGroup, ExprFlags, ForInit, ObjectId};
use crate::passes::analysis::effects::root_of;
use crate::passes::analysis::places::same_value;
use crate::passes::sections::is_on_one_thread;
use outline::Mark;
use upcc_grammar::ast::SyncKind;

/// What all threads do in a function, if all threads call it.
#[derive(Default)]
pub(super) struct Common {
    pub calls: Vec<ObjectId>,
    pub updates: Vec<Update>,
}

/// An update of a shared object.
pub(super) struct Update {
    span: Span,
    /// Where the object is declared, or allocated.
    made: Span,
    message: String,
    /// The `upc_forall` around it.
    forall: Option<Span>,
}

const HELP: &str = "let each thread compute its part in a private variable, and add the parts, for example with upc_all_reduceL; or update the object with upc_atomic_relaxed, or between upc_lock and upc_unlock";

impl Update {
    /// True in an iteration of a `upc_forall`, which gives its iterations to several threads.
    pub(super) fn is_shared_out(&self) -> bool {
        self.forall.is_some()
    }

    pub(super) fn place(&self) -> u32 {
        self.span.lo
    }

    pub(super) fn report(&self, unit: &Unit, diags: &mut Diagnostics) {
        let stream = &unit.parsed.stream;
        let report = diags.report(
            codes::SHARED_UPDATE,
            stream.bytes(self.span),
            self.message.clone(),
        );
        report.help(HELP);
        report.label(stream.bytes(self.made), "all threads share this object");
        if let Some(forall) = self.forall {
            let words = "several threads run iterations of this upc_forall";
            report.label(stream.bytes(forall), words);
        }
    }
}

/// Follows a function.
pub(super) fn follow(cx: &mut Cx<'_>) -> Common {
    if cx.module.static_threads == Some(1) {
        return Common::default();
    }
    let guards = Guards::of(cx);
    let mut walk = Walk {
        guards,
        common: Common::default(),
        todo: vec![Step::Enter(Node::Stmt(cx.function.root))],
        selected: 0,
        depth: 0,
        held: None,
        lost: false,
        doubt: Doubt::default(),
        alike: Alike::default(),
        foralls: Vec::new(),
    };
    while let Some(step) = walk.todo.pop() {
        if walk.lost {
            break;
        }
        walk.step(cx, step);
    }
    walk.common
}

#[derive(Clone, Copy)]
enum Step {
    Enter(Node),
    /// A part begins that may not be executed, or that a thread may execute alone.
    Open {
        selects: bool,
    },
    Close {
        selects: bool,
    },
    /// Statements are no longer followed, because some threads have left.
    Lose,
    Counter(LocalId),
    EndCounter,
    /// A `upc_forall` begins; whether data select the threads.
    Forall(StmtId, bool),
    EndForall,
    /// A call whose arguments have been evaluated.
    Call(ExprId),
}

struct Walk {
    guards: Guards,
    common: Common,
    todo: Vec<Step>,
    /// Number of conditions around that may select threads.
    selected: u32,
    /// Number of conditions around.
    depth: u32,
    /// A lock is held, since it was acquired under so many conditions.
    held: Option<u32>,
    lost: bool,
    doubt: Doubt,
    alike: Alike,
    /// The `upc_forall` statements around.
    foralls: Vec<Around>,
}

/// A `upc_forall` around.
struct Around {
    stmt: StmtId,
    /// Data select the thread of an iteration.
    by_data: bool,
    /// One thread runs all iterations, once that was asked.
    one_thread: Option<bool>,
}

impl Walk {
    fn step(&mut self, cx: &mut Cx<'_>, step: Step) {
        match step {
            Step::Enter(Node::Expr(e)) => self.expr(cx, e),
            Step::Enter(Node::Stmt(s)) => self.stmt(cx, s),
            Step::Enter(Node::Init(i)) => self.children(|f| init_children(cx.body, i, f)),
            Step::Open { selects } => {
                self.depth += 1;
                self.doubt.open();
                self.selected += u32::from(selects);
            }
            Step::Close { selects } => {
                self.depth -= 1;
                self.doubt.close();
                self.alike.close(self.depth);
                self.selected -= u32::from(selects);
            }
            Step::Lose => self.lost = true,
            Step::Counter(local) => self.alike.begin_counter(local),
            Step::EndCounter => self.alike.end_counter(),
            Step::Forall(stmt, by_data) => self.foralls.push(Around {
                stmt,
                by_data,
                one_thread: None,
            }),
            Step::EndForall => drop(self.foralls.pop()),
            Step::Call(e) => self.call(cx, e),
        }
    }

    /// Enters all children, in order.
    fn children(&mut self, each: impl FnOnce(&mut dyn FnMut(Node))) {
        let mut found = Vec::new();
        each(&mut |node| found.push(Step::Enter(node)));
        self.then(found);
    }

    /// Takes these steps next, in order.
    fn then(&mut self, steps: impl IntoIterator<Item = Step>) {
        let at = self.todo.len();
        self.todo.extend(steps);
        self.todo[at..].reverse();
    }

    fn under(selects: bool, nodes: impl IntoIterator<Item = Node>) -> Vec<Step> {
        let mut steps = vec![Step::Open { selects }];
        steps.extend(nodes.into_iter().map(Step::Enter));
        steps.push(Step::Close { selects });
        steps
    }

    fn stmt(&mut self, cx: &mut Cx<'_>, s: StmtId) {
        match cx.stmt(s) {
            &StmtKind::If(cond, then, other) => {
                if let Some((e, place)) = kept_extreme(cx, cond, then)
                    && self.doubt.is_none()
                {
                    let update = self.update(cx, e, place);
                    self.common.updates.extend(update);
                }
                let selects = self.guards.selects(cx, cond);
                let mut steps = vec![Step::Enter(Node::Expr(cond))];
                for branch in [Some(then), other].into_iter().flatten() {
                    steps.extend(Walk::under(selects, [Node::Stmt(branch)]));
                }
                if selects && cx.outline.has(Mark::Leaves, s) {
                    steps.push(Step::Lose);
                }
                self.then(steps);
            }
            &StmtKind::Switch(value, body) => {
                let selects = self.guards.selects(cx, value);
                let mut steps = vec![Step::Enter(Node::Expr(value))];
                steps.extend(Walk::under(selects, [Node::Stmt(body)]));
                self.then(steps);
            }
            &StmtKind::While(cond, body) | &StmtKind::DoWhile(body, cond) => {
                self.turns(cx, Some(cond), [Node::Expr(cond), Node::Stmt(body)]);
            }
            StmtKind::For {
                init,
                cond,
                step,
                body,
            } => {
                let (cond, step, body) = (*cond, *step, *body);
                let counter = same_on_all_threads(cx, init, step, body);
                let last = step.map(Node::Expr);
                let nodes = [cond.map(Node::Expr), Some(Node::Stmt(body)), last];
                self.then(counter.map(|_| Step::EndCounter));
                self.turns(cx, cond, nodes.into_iter().flatten());
                self.then(counter.map(Step::Counter));
                match init {
                    ForInit::Expr(e) => self.then([Step::Enter(Node::Expr(*e))]),
                    ForInit::Decl(group) => self.declare(cx, group),
                    ForInit::None => {}
                }
            }
            StmtKind::Forall {
                affinity,
                body,
                init,
                ..
            } => {
                let (affinity, body) = (*affinity, *body);
                if let ForInit::Decl(group) = init {
                    self.declare(cx, group);
                }
                self.forall(cx, s, affinity, body);
            }
            StmtKind::Label(..) | StmtKind::Asm { .. } | StmtKind::Nested(_) => self.lost = true,
            StmtKind::Decl(group) => {
                self.declare(cx, group);
                self.children(|f| stmt_children(cx.body, s, f));
            }
            StmtKind::Case(..) | StmtKind::Default(_) => {
                self.doubt.label();
                self.children(|f| stmt_children(cx.body, s, f));
            }
            StmtKind::Sync(SyncKind::Barrier, _) => {
                if self.selected == 0 {
                    self.common.updates.extend(self.doubt.barrier());
                }
                self.children(|f| stmt_children(cx.body, s, f));
            }
            StmtKind::Compound(_)
            | StmtKind::Null
            | StmtKind::Expr(_)
            | StmtKind::Goto(_)
            | StmtKind::GotoExpr(_)
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Return(_)
            | StmtKind::Sync(SyncKind::Notify | SyncKind::Wait, _)
            | StmtKind::Fence
            | StmtKind::Scope(..) => self.children(|f| stmt_children(cx.body, s, f)),
        }
    }

    /// Follows the parts of a loop that each iteration executes.
    fn turns(&mut self, cx: &Cx<'_>, cond: Option<ExprId>, nodes: impl IntoIterator<Item = Node>) {
        if cond.is_some_and(|cond| self.guards.waits(cx, cond)) {
            self.lost = true;
            return;
        }
        let selects = cond.is_some_and(|cond| self.guards.picks(cx, cond));
        let mut steps = Walk::under(selects, nodes);
        // Threads may leave it one after the other.
        steps.extend(selects.then_some(Step::Lose));
        self.then(steps);
    }

    fn forall(&mut self, cx: &mut Cx<'_>, s: StmtId, affinity: Affinity, body: StmtId) {
        let inner = cx.is_controlled(s) || matches!(affinity, Affinity::All);
        let one_thread = !inner && affinity::names_one_thread(cx, s, affinity);
        if inner || one_thread {
            self.then(Walk::under(one_thread, [Node::Stmt(body)]));
            return;
        }
        let mut steps = Walk::under(false, [Node::Stmt(body)]);
        steps.insert(0, Step::Forall(s, is_by_data(cx, affinity)));
        steps.push(Step::EndForall);
        self.then(steps);
    }

    fn expr(&mut self, cx: &Cx<'_>, e: ExprId) {
        use ExprKind::*;
        match cx.kind(e) {
            // What may not be evaluated counts as selected by a thread.
            Cond(test, a, b) => {
                self.then(Walk::under(true, [Node::Expr(a), Node::Expr(b)]));
                self.then([Step::Enter(Node::Expr(test))]);
                return;
            }
            Binary(BinOp::And | BinOp::Or, test, b) | CondElvis(test, b) => {
                self.then(Walk::under(true, [Node::Expr(b)]));
                self.then([Step::Enter(Node::Expr(test))]);
                return;
            }
            Call(..) => self.then([Step::Call(e)]),
            AssignOp { place, .. } | IncDec { place, .. } | Assign { place, .. } => {
                self.write(cx, e, place);
            }
            // Not evaluated.
            SizeofPlace(_) => return,
            Local(_) | Object(_) | Deref(_) | Field(..) | Str | CompoundLit(_) | RealPlace(_)
            | ImagPlace(_) | Int(_) | Number | Load(_) | AddrOf(_) | Decay(_) | Unary(..)
            | Binary(..) | PtrDiff(..) | Comma(..) | SizePerThread(_) | StmtExpr(_)
            | LabelAddr(_) | VaArg(_) | Opaque | Threads | MyThread => {}
            PtrAdd { .. } | Cast { .. } | Rt { .. } => {}
        }
        self.children(|f| expr_children(cx.body, e, f));
    }

    fn call(&mut self, cx: &Cx<'_>, e: ExprId) {
        let ExprKind::Call(callee, _) = cx.kind(e) else {
            return;
        };
        if let Some(name) = cx.library_call(e) {
            match name {
                "upc_lock" | "upc_lock_attempt" => self.held = self.held.or(Some(self.depth)),
                "upc_unlock" => {
                    self.held = self.held.filter(|&since| self.depth > since);
                    self.doubt.release();
                }
                _ if unit::may_lock(name) => self.lost = true,
                _ if unit::only_asks(name) => {}
                _ => self.doubt.release(),
            }
            return;
        }
        let called = cx.body.called(callee);
        // Its first statements are executed without a lock, whatever it may acquire.
        if let Some(function) = called
            && self.is_common()
            && self.doubt.is_none()
        {
            self.common.calls.push(function);
        }
        match called {
            Some(function) if cx.unit.keeps_locks(function) => self.doubt.release(),
            Some(_) | None => self.doubt.call(),
        }
    }

    fn at(&self) -> At<'_> {
        At {
            guards: &self.guards,
            depth: self.depth,
            all: self.selected == 0,
            shared_out: !self.foralls.is_empty(),
        }
    }

    fn declare(&mut self, cx: &Cx<'_>, group: &DeclGroup) {
        let mut alike = std::mem::take(&mut self.alike);
        alike.declare(cx, self.at(), group);
        self.alike = alike;
    }

    /// An assignment, which may be an update.
    fn write(&mut self, cx: &Cx<'_>, e: ExprId, place: ExprId) {
        let reads =
            !matches!(cx.kind(e), ExprKind::Assign { value, .. } if !reads_back(cx, place, value));
        let found = reads.then(|| self.update(cx, e, place)).flatten();
        match found {
            Some(update) if self.doubt.is_none() => self.common.updates.push(update),
            Some(update) => self.doubt.update(update),
            None if may_be_shared(cx, place) => self.doubt.release(),
            None => {}
        }
        let mut alike = std::mem::take(&mut self.alike);
        alike.assign(cx, self.at(), e);
        self.alike = alike;
    }

    /// True where nothing selects a thread.
    fn is_common(&self) -> bool {
        self.selected == 0 && self.held.is_none()
    }

    /// The update that an expression makes, if several threads make it to the same place.
    fn update(&mut self, cx: &Cx<'_>, e: ExprId, place: ExprId) -> Option<Update> {
        if !self.is_common() {
            return None;
        }
        let found = self.alike.place(cx, &self.guards, place)?;
        if found.by_data && !(counts(cx, e) && self.foralls.iter().all(|it| !it.by_data)) {
            return None;
        }
        let forall = match self.foralls.last_mut() {
            Some(around) => {
                let one = *around.one_thread.get_or_insert_with(|| {
                    is_on_one_thread(cx.module, cx.body, around.stmt, &cx.escaped)
                });
                if one {
                    return None;
                }
                Some(cx.head(around.stmt))
            }
            None => None,
        };
        let strict = cx.body.exprs[e].flags.has(ExprFlags::STRICT);
        let also = if strict {
            ". Strict accesses are ordered, but not atomic"
        } else {
            ""
        };
        let who = if found.by_data {
            "several threads may update the same element"
        } else {
            "all threads update"
        };
        let message = format!(
            "{who} `{}` here, and nothing keeps them apart: an update between another thread's read and write is lost{also}",
            cx.text(place)
        );
        Some(Update {
            span: cx.span(e),
            made: found.made,
            message,
            forall,
        })
    }
}

/// True for an update by a constant: it counts, and what it counts is usually found several times.
fn counts(cx: &Cx<'_>, e: ExprId) -> bool {
    let kind = cx.kind(e);
    matches!(kind, ExprKind::IncDec { .. })
        || matches!(kind, ExprKind::AssignOp { value, .. } if cx.constant(value).is_some() || matches!(cx.kind(cx.without_casts(value)), ExprKind::Number))
}

/// False for a place in private memory.
fn may_be_shared(cx: &Cx<'_>, place: ExprId) -> bool {
    let root = cx.kind(root_of(cx.body, place));
    cx.module.types.is_shared(cx.ty(place))
        || !matches!(root, ExprKind::Local(_) | ExprKind::Object(_))
}

/// The assignment in `if (x > max) max = x;`, which updates the place that the condition reads. It may stand in a block, in
/// front of other statements.
fn kept_extreme(cx: &Cx<'_>, cond: ExprId, then: StmtId) -> Option<(ExprId, ExprId)> {
    let ExprKind::Binary(BinOp::Lt | BinOp::Gt | BinOp::Le | BinOp::Ge, a, b) = cx.kind(cond)
    else {
        return None;
    };
    let first = if let StmtKind::Compound(block) = cx.stmt(then) {
        *block.items.first()?
    } else {
        then
    };
    let &StmtKind::Expr(e) = cx.stmt(first) else {
        return None;
    };
    let ExprKind::Assign { place, value } = cx.kind(e) else {
        return None;
    };
    let value = cx.without_casts(value);
    let holds =
        |e: ExprId| matches!(cx.kind(e), ExprKind::Load(from) if same_value(cx.body, from, place));
    let (a, b) = (cx.without_casts(a), cx.without_casts(b));
    let is = |old: ExprId, new: ExprId| holds(old) && same_value(cx.body, new, value);
    (is(a, b) || is(b, a)).then_some((e, place))
}

/// True if a value is computed from what the place holds: `count = count + 1`, `max = x > max ? x : max`,
/// `max = fmax(max, x)`.
fn reads_back(cx: &Cx<'_>, place: ExprId, value: ExprId) -> bool {
    let mut rest = vec![value];
    while let Some(e) = rest.pop() {
        let kind = cx.kind(cx.without_casts(e));
        if let ExprKind::Binary(op, a, b) = kind {
            use BinOp::*;
            match op {
                Mul | Div | Rem | Add | Sub | Shl | Shr | BitAnd | BitXor | BitOr => {
                    rest.extend([a, b]);
                }
                Lt | Gt | Le | Ge | Eq | Ne | And | Or => {}
            }
        } else if let ExprKind::Cond(_, a, b) = kind {
            rest.extend([a, b]);
        } else if let ExprKind::Call(..) = kind
            && cx.library_call(e).is_some_and(|name| !name.contains("upc"))
        {
            rest.extend(cx.arguments(e));
        } else if let ExprKind::Load(from) = kind
            && same_value(cx.body, from, place)
        {
            return true;
        }
    }
    false
}
