//! A function in source order: queries about everything below a statement are searches in sorted lists, so nested
//! statements cost no more than others.

use super::*;
use crate::il::walk::{expr_children, init_children, stmt_children};
use crate::il::{Affinity, ExprFlags, ObjectId};
use crate::passes::analysis::effects::{escaping, never_returns, root_of};
use hashbrown::HashMap;
use std::ops::Range;
use upcc_grammar::ast::SyncKind;
use upcc_grammar::symbol::Symbol;

/// A loop of the function.
#[derive(Clone, Copy)]
pub(super) struct Loop {
    /// The loop is a `upc_forall` with an affinity other than `continue`.
    pub controls: bool,
    /// An enclosing loop controls.
    pub controlled: bool,
    pub outermost: StmtId,
}

/// A step of synchronization; a barrier counts as two.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Step<'a> {
    Notify,
    Wait,
    Call(&'a str),
    Forall,
}

/// A step, its position in the order, and the user's text for it.
#[derive(Clone, Copy)]
pub(super) struct Written<'a> {
    at: u32,
    pub step: Step<'a>,
    pub span: Span,
    pub name: &'a str,
}

/// The properties of a node that can be queried.
#[derive(Clone, Copy)]
pub(super) enum Mark {
    /// The node calls functions of the program.
    Calls,
    /// The node is a loop or a condition: nodes below it may run any number of times.
    Irregular,
    /// The node may not reach its end.
    Leaves,
    /// The node may end a wait, or order memory.
    EndsWaits,
    /// The node contains a step other than a `upc_forall`.
    Synchronizes,
    /// The node may order the accesses before and after it.
    Orders,
}

const MARKS: usize = Mark::Orders as usize + 1;

/// A jump out of a `upc_forall`.
#[derive(Clone, Copy)]
pub(super) struct Exit {
    pub stmt: StmtId,
    pub word: &'static str,
    /// The innermost `upc_forall` that it leaves.
    pub forall: StmtId,
}

#[derive(Default)]
pub(super) struct Outline<'a> {
    /// By statement: its own position in the order, and the end of the nodes below it.
    below: Vec<Range<u32>>,
    loops: HashMap<StmtId, Loop>,
    /// Loops and switches that contain a `break` of their own, and how many.
    broken: HashMap<StmtId, u32>,
    steps: Vec<Written<'a>>,
    marks: [Vec<u32>; MARKS],
    written: HashMap<LocalId, Vec<u32>>,
    written_objects: HashMap<ObjectId, Vec<u32>>,
    /// The relaxed writes of shared memory.
    puts: Vec<(u32, ExprId)>,
    labels: HashMap<Symbol, u32>,
    exits: Vec<Exit>,
}

impl<'a> Outline<'a> {
    pub(super) fn of(cx: &Cx<'a>) -> Outline<'a> {
        let mut outline = Outline {
            below: vec![0..0; cx.body.stmts.len()],
            ..Outline::default()
        };
        outline.fill(cx);
        let Outline {
            below,
            labels,
            exits,
            ..
        } = &mut outline;
        // A jump to a label inside the loop does not leave it.
        exits.retain(|exit| {
            if let StmtKind::Goto(label) = cx.stmt(exit.stmt) {
                let inside = &below[exit.forall.0 as usize];
                !labels.get(label).is_some_and(|at| inside.contains(at))
            } else {
                true
            }
        });
        outline
    }

    pub(super) fn loop_at(&self, stmt: StmtId) -> Option<Loop> {
        self.loops.get(&stmt).copied()
    }

    /// Whether a node at or below the statement has the mark.
    pub(super) fn has(&self, mark: Mark, stmt: StmtId) -> bool {
        self.meets(&self.marks[mark as usize], stmt)
    }

    pub(super) fn is_broken(&self, stmt: StmtId) -> bool {
        self.breaks(stmt) > 0
    }

    /// How many `break` statements leave a loop or a switch.
    pub(super) fn breaks(&self, stmt: StmtId) -> u32 {
        self.broken.get(&stmt).copied().unwrap_or(0)
    }

    /// Whether the statement writes to a local, or takes its address.
    pub(super) fn writes(&self, local: LocalId, stmt: StmtId) -> bool {
        let places = self.written.get(&local);
        places.is_some_and(|places| self.meets(places, stmt))
    }

    /// Whether the statement writes to an object by its name.
    pub(super) fn writes_object(&self, object: ObjectId, stmt: StmtId) -> bool {
        let places = self.written_objects.get(&object);
        places.is_some_and(|places| self.meets(places, stmt))
    }

    /// The steps of synchronization of a statement, in source order.
    pub(super) fn steps(&self, stmt: StmtId) -> &[Written<'a>] {
        let below = &self.below[stmt.0 as usize];
        let before = |at: u32| self.steps.partition_point(|step| step.at < at);
        &self.steps[before(below.start)..before(below.end)]
    }

    /// The last relaxed write of shared memory in the statement.
    pub(super) fn last_put(&self, stmt: StmtId) -> Option<ExprId> {
        let below = &self.below[stmt.0 as usize];
        let before = self.puts.partition_point(|&(at, _)| at < below.end);
        let &(at, put) = self.puts[..before].last()?;
        (at >= below.start).then_some(put)
    }

    pub(super) fn exits(&self) -> &[Exit] {
        &self.exits
    }

    fn meets(&self, places: &[u32], stmt: StmtId) -> bool {
        let below = &self.below[stmt.0 as usize];
        let first = places.partition_point(|&at| at < below.start);
        places.get(first).is_some_and(|&at| at < below.end)
    }

    fn fill(&mut self, cx: &Cx<'a>) {
        enum Visit {
            Enter(Node),
            Leave(StmtId),
        }
        let mut stack = vec![Visit::Enter(Node::Stmt(cx.function.root))];
        let mut around = Around::default();
        let mut children = Vec::new();
        let mut at = 0;
        while let Some(visit) = stack.pop() {
            let node = match visit {
                Visit::Enter(node) => node,
                Visit::Leave(s) => {
                    self.below[s.0 as usize].end = at;
                    around.leave(s);
                    continue;
                }
            };
            let push = &mut |n| children.push(Visit::Enter(n));
            match node {
                Node::Expr(e) => {
                    self.expr(cx, e, at);
                    expr_children(cx.body, e, push);
                }
                Node::Stmt(s) => {
                    self.below[s.0 as usize].start = at;
                    stack.push(Visit::Leave(s));
                    self.stmt(cx, s, at, &mut around);
                    stmt_children(cx.body, s, push);
                }
                Node::Init(i) => init_children(cx.body, i, push),
            }
            stack.extend(children.drain(..).rev());
            at += 1;
        }
    }

    fn mark(&mut self, at: u32, marks: &[Mark]) {
        for &mark in marks {
            self.marks[mark as usize].push(at);
        }
    }

    fn step(&mut self, at: u32, span: Span, name: &'a str, steps: &[Step<'a>]) {
        if steps.iter().any(|&step| step != Step::Forall) {
            self.mark(at, &[Mark::Synchronizes]);
        }
        let written = |&step| Written {
            at,
            step,
            span,
            name,
        };
        self.steps.extend(steps.iter().map(written));
    }

    fn stmt(&mut self, cx: &Cx<'a>, s: StmtId, at: u32, around: &mut Around) {
        use Mark::{EndsWaits, Irregular, Leaves, Orders};
        let kind = cx.stmt(s);
        self.exits.extend(around.exit(s, kind));
        match kind {
            StmtKind::Sync(kind, _) => {
                let (name, steps): (_, &[_]) = match kind {
                    SyncKind::Notify => ("upc_notify", &[Step::Notify]),
                    SyncKind::Wait => ("upc_wait", &[Step::Wait]),
                    SyncKind::Barrier => ("upc_barrier", &[Step::Notify, Step::Wait]),
                };
                self.step(at, cx.stmt_span(s), name, steps);
                self.mark(at, &[EndsWaits, Orders]);
            }
            StmtKind::Forall { affinity, .. } => {
                let controls = !matches!(affinity, Affinity::All);
                self.loops.insert(s, around.enter(s, controls));
                if controls {
                    self.step(at, cx.head(s), "upc_forall", &[Step::Forall]);
                } else {
                    self.mark(at, &[Irregular]);
                }
                self.mark(at, &[EndsWaits]);
                around.foralls.push(s);
            }
            StmtKind::While(..) | StmtKind::DoWhile(..) | StmtKind::For { .. } => {
                self.loops.insert(s, around.enter(s, false));
                self.mark(at, &[Irregular]);
            }
            StmtKind::Switch(..) => {
                around.breakable.push(s);
                self.mark(at, &[Irregular]);
            }
            StmtKind::If(..) | StmtKind::Case(..) | StmtKind::Default(_) => {
                self.mark(at, &[Irregular]);
            }
            StmtKind::Label(label, _) => {
                self.labels.insert(*label, at);
                self.mark(at, &[Leaves, EndsWaits]);
            }
            StmtKind::Break => {
                if let Some(&left) = around.breakable.last() {
                    *self.broken.entry(left).or_default() += 1;
                }
                self.mark(at, &[Leaves]);
            }
            StmtKind::Continue => self.mark(at, &[Leaves]),
            StmtKind::Goto(_)
            | StmtKind::GotoExpr(_)
            | StmtKind::Return(_)
            | StmtKind::Asm { .. } => self.mark(at, &[Leaves, EndsWaits]),
            StmtKind::Fence => self.mark(at, &[EndsWaits, Orders]),
            StmtKind::Decl(group) => {
                if group.decls.iter().any(|d| matches!(d, Decl::Object { .. })) {
                    self.mark(at, &[EndsWaits]);
                }
            }
            StmtKind::Compound(_)
            | StmtKind::Null
            | StmtKind::Nested(_)
            | StmtKind::Expr(_)
            | StmtKind::Scope(..) => {}
        }
    }

    fn expr(&mut self, cx: &Cx<'a>, e: ExprId, at: u32) {
        use ExprKind::*;
        use Mark::{Calls, EndsWaits, Irregular, Leaves, Orders};
        if cx.body.exprs[e].flags.has(ExprFlags::STRICT) {
            self.mark(at, &[EndsWaits, Orders]);
        }
        if signals::relaxed_put(cx, e).is_some() {
            self.puts.push((at, e));
        }
        match cx.kind(e) {
            Call(..) => {
                self.mark(at, &[EndsWaits, Orders]);
                match (cx.collective_call(e), cx.library_call(e)) {
                    (Some(name), _) => self.step(at, cx.span(e), name, &[Step::Call(name)]),
                    (None, Some(name)) if never_returns(name) => self.mark(at, &[Leaves]),
                    (None, Some(_)) => {}
                    (None, None) => self.mark(at, &[Calls]),
                }
            }
            Cond(..) | CondElvis(..) | Binary(BinOp::And | BinOp::Or, ..) => {
                self.mark(at, &[Irregular])
            }
            Assign { place, .. } | AssignOp { place, .. } | IncDec { place, .. } => {
                match cx.kind(root_of(cx.body, place)) {
                    Local(local) => self.written.entry(local).or_default().push(at),
                    Object(object) => {
                        self.written_objects.entry(object).or_default().push(at);
                    }
                    Deref(_) | Field(..) | Str | CompoundLit(_) | RealPlace(_) | ImagPlace(_)
                    | Int(_) | Number | Load(_) | AddrOf(_) | Decay(_) | Unary(..) | Binary(..)
                    | PtrDiff(..) | Cond(..) | CondElvis(..) | Comma(..) | Call(..)
                    | SizePerThread(_) | SizeofPlace(_) | StmtExpr(_) | LabelAddr(_) | VaArg(_)
                    | Opaque | Threads | MyThread => self.mark(at, &[EndsWaits]),
                    Assign { .. } | AssignOp { .. } | IncDec { .. } => self.mark(at, &[EndsWaits]),
                    PtrAdd { .. } | Cast { .. } | Rt { .. } => self.mark(at, &[EndsWaits]),
                }
            }
            AddrOf(_) | Decay(_) => {
                if let Some(local) = escaping(cx.body, e) {
                    self.written.entry(local).or_default().push(at);
                }
            }
            LabelAddr(_) | Opaque | VaArg(_) | StmtExpr(_) => self.mark(at, &[EndsWaits, Orders]),
            Local(_) | Object(_) | Deref(_) | Field(..) | Str | CompoundLit(_) | RealPlace(_)
            | ImagPlace(_) | Int(_) | Number | Load(_) | Unary(..) | Binary(..) | PtrDiff(..)
            | Comma(..) | SizePerThread(_) | SizeofPlace(_) | Threads | MyThread => {}
            PtrAdd { .. } | Cast { .. } | Rt { .. } => {}
        }
    }
}

/// The statements around the current one, outer ones first.
#[derive(Default)]
struct Around {
    loops: Vec<(StmtId, bool)>,
    breakable: Vec<StmtId>,
    foralls: Vec<StmtId>,
}

impl Around {
    fn enter(&mut self, s: StmtId, controls: bool) -> Loop {
        let entered = Loop {
            controls,
            controlled: self.loops.last().is_some_and(|&(_, any)| any),
            outermost: self.loops.first().map_or(s, |&(outer, _)| outer),
        };
        self.loops.push((s, entered.controlled || controls));
        self.breakable.push(s);
        entered
    }

    fn leave(&mut self, s: StmtId) {
        self.loops.pop_if(|(last, _)| *last == s);
        self.breakable.pop_if(|last| *last == s);
        self.foralls.pop_if(|last| *last == s);
    }

    /// The jump of a statement out of an enclosing `upc_forall`. The positions of labels are not known at this point.
    fn exit(&self, stmt: StmtId, kind: &StmtKind) -> Option<Exit> {
        use StmtKind::*;
        let forall = *self.foralls.last()?;
        let word = match kind {
            Return(_) => "return",
            Goto(_) => "goto",
            Break if self.breakable.last() == Some(&forall) => "break",
            Compound(_) | Null | Expr(_) | If(..) | Switch(..) | While(..) | DoWhile(..)
            | Label(..) | Nested(_) | Case(..) | Default(_) | GotoExpr(_) | Break | Continue
            | Decl(_) | Sync(..) | Fence | Scope(..) => return None,
            For { .. } | Forall { .. } | Asm { .. } => return None,
        };
        Some(Exit { stmt, word, forall })
    }
}
