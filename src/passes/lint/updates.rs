//! Finds updates of one shared object that all threads make without a lock, such as `count++`: the object is read and
//! written in two steps, so updates get lost (UPC 5.1.2.3).
//!
//! Follows each function in source order. `main` is executed by all threads, and so are the functions that it calls
//! where nothing selects a thread; a `upc_forall` gives its iterations to several threads in any function. Does not warn:
//!
//! - under a condition that may select threads ([`Guards`]), and after a jump under such a condition;
//! - while a lock may be held, and after anything that could be a lock of the program's own: a wait for shared memory, a
//!   call into another unit, asm, a label;
//! - of elements that a subscript selects, unless each thread counts through the same subscripts.

use super::guards::Guards;
use super::*;
use crate::diag::codes;
use crate::il::walk::{expr_children, init_children, stmt_children};
use crate::il::{Affinity, ExprFlags, ForInit, ObjectId};
use crate::passes::analysis::loops::{start, stepped};
use crate::passes::analysis::places::same_value;
use crate::passes::sections::is_on_one_thread;
use outline::Mark;

/// What all threads do in a function, if all threads call it.
#[derive(Default)]
pub(super) struct Common {
    pub calls: Vec<ObjectId>,
    pub updates: Vec<Update>,
}

/// An update of a shared object.
pub(super) struct Update {
    span: Span,
    object: ObjectId,
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
        let declared = stream.bytes(unit.module.objects[self.object].span);
        report.label(declared, "all threads share this object");
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
        counters: Vec::new(),
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
    Forall(StmtId),
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
    /// Variables with which each thread counts through the same values.
    counters: Vec<LocalId>,
    /// The `upc_forall` statements around, and whether one thread runs all iterations, once that was asked.
    foralls: Vec<(StmtId, Option<bool>)>,
}

impl Walk {
    fn step(&mut self, cx: &mut Cx<'_>, step: Step) {
        match step {
            Step::Enter(Node::Expr(e)) => self.expr(cx, e),
            Step::Enter(Node::Stmt(s)) => self.stmt(cx, s),
            Step::Enter(Node::Init(i)) => self.children(|f| init_children(cx.body, i, f)),
            Step::Open { selects } => {
                self.depth += 1;
                self.selected += u32::from(selects);
            }
            Step::Close { selects } => {
                self.depth -= 1;
                self.selected -= u32::from(selects);
            }
            Step::Lose => self.lost = true,
            Step::Counter(local) => self.counters.push(local),
            Step::EndCounter => drop(self.counters.pop()),
            Step::Forall(s) => self.foralls.push((s, None)),
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
                if let Some((e, place)) = kept_extreme(cx, cond, then) {
                    self.update(cx, e, place);
                }
                let selects = self.guards.selects(cx, cond);
                let branches = [Some(then), other].into_iter().flatten().map(Node::Stmt);
                let mut steps = vec![Step::Enter(Node::Expr(cond))];
                steps.extend(Walk::under(selects, branches));
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
                if let ForInit::Expr(e) = init {
                    self.then([Step::Enter(Node::Expr(*e))]);
                }
            }
            StmtKind::Forall { affinity, body, .. } => {
                let (affinity, body) = (*affinity, *body);
                self.forall(cx, s, affinity, body);
            }
            StmtKind::Label(..) | StmtKind::Asm { .. } | StmtKind::Nested(_) => self.lost = true,
            StmtKind::Compound(_)
            | StmtKind::Null
            | StmtKind::Expr(_)
            | StmtKind::Case(..)
            | StmtKind::Default(_)
            | StmtKind::Goto(_)
            | StmtKind::GotoExpr(_)
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Return(_)
            | StmtKind::Decl(_)
            | StmtKind::Sync(..)
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
        steps.insert(0, Step::Forall(s));
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
            AssignOp { place, .. } | IncDec { place, .. } => self.update(cx, e, place),
            Assign { place, value } if reads_back(cx, place, value) => self.update(cx, e, place),
            // Not evaluated.
            SizeofPlace(_) => return,
            Local(_) | Object(_) | Deref(_) | Field(..) | Str | CompoundLit(_) | RealPlace(_)
            | ImagPlace(_) | Int(_) | Number | Load(_) | AddrOf(_) | Decay(_) | Unary(..)
            | Binary(..) | PtrDiff(..) | Comma(..) | SizePerThread(_) | StmtExpr(_)
            | LabelAddr(_) | VaArg(_) | Opaque | Threads | MyThread => {}
            Assign { .. } | PtrAdd { .. } | Cast { .. } | Rt { .. } => {}
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
                "upc_unlock" => self.held = self.held.filter(|&since| self.depth > since),
                _ => self.lost |= unit::may_lock(name),
            }
            return;
        }
        match cx.body.called(callee) {
            Some(function) if cx.unit.keeps_locks(function) => {
                if self.is_common() {
                    self.common.calls.push(function);
                }
            }
            Some(_) | None => self.lost = true,
        }
    }

    /// True where nothing selects a thread.
    fn is_common(&self) -> bool {
        self.selected == 0 && self.held.is_none()
    }

    fn update(&mut self, cx: &Cx<'_>, e: ExprId, place: ExprId) {
        if !cx.module.types.is_shared(cx.ty(place)) || !self.is_common() {
            return;
        }
        let Some(object) = self.object(cx, place) else {
            return;
        };
        let forall = match self.foralls.last_mut() {
            Some((s, known)) => {
                let one = *known
                    .get_or_insert_with(|| is_on_one_thread(cx.module, cx.body, *s, &cx.escaped));
                if one {
                    return;
                }
                Some(cx.head(*s))
            }
            None => None,
        };
        let strict = cx.body.exprs[e].flags.has(ExprFlags::STRICT);
        let also = if strict {
            ". Strict accesses are ordered, but not atomic"
        } else {
            ""
        };
        let message = format!(
            "all threads update `{}` here, and nothing keeps them apart: an update between another thread's read and write is lost{also}",
            cx.text(place)
        );
        let update = Update {
            span: cx.span(e),
            object,
            message,
            forall,
        };
        self.common.updates.push(update);
    }

    /// The shared object that a place is in, if it is the same place on all threads.
    fn object(&self, cx: &Cx<'_>, mut place: ExprId) -> Option<ObjectId> {
        loop {
            let kind = cx.kind(place);
            place = if let ExprKind::Object(object) = kind {
                return Some(object);
            } else if let ExprKind::Field(inner, _)
            | ExprKind::Decay(inner)
            | ExprKind::Deref(inner) = kind
            {
                inner
            } else if let ExprKind::PtrAdd { ptr, index, .. } = kind {
                self.is_same(cx, index).then_some(ptr)?
            } else if let ExprKind::Load(pointer) = kind
                && cx.module.types.is_shared(cx.ty(pointer))
            {
                pointer
            } else {
                return None;
            };
        }
    }

    /// True for constants, and variables that go through the same values on each thread.
    fn is_same(&self, cx: &Cx<'_>, index: ExprId) -> bool {
        let mut same = true;
        visit(cx.body, Node::Expr(index), &mut |node| {
            let Node::Expr(e) = node else { return true };
            let kind = cx.kind(e);
            let is_part = matches!(
                kind,
                ExprKind::Int(_)
                    | ExprKind::Threads
                    | ExprKind::Cast { .. }
                    | ExprKind::Load(_)
                    | ExprKind::Binary(BinOp::Add | BinOp::Sub | BinOp::Mul, ..)
            );
            let counts = matches!(kind, ExprKind::Local(local) if self.counters.contains(&local));
            same &= is_part || counts;
            same
        });
        same
    }
}

/// The variable of a loop that each thread starts at the same constant, and that only the third clause changes.
fn same_on_all_threads(
    cx: &Cx<'_>,
    init: &ForInit,
    step: Option<ExprId>,
    body: StmtId,
) -> Option<LocalId> {
    let (local, _) = stepped(cx.module, cx.body, step?)?;
    let from = start(cx.body, init, local)?;
    let same = cx.constant(from).is_some() && !cx.outline.writes(local, body);
    (same && !cx.escaped.contains(&local)).then_some(local)
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
    if !cx.module.types.is_shared(cx.ty(place)) {
        return false;
    }
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
