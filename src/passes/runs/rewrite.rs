//! Writes the loop over runs that a [`Plan`] describes.

use crate::il::walk::{Copier, copy_stmt};
use crate::il::{
    Block, Body, Expr, ExprFlags, ExprId, ExprKind, ForInit, LocalId, Module, RtOp, Stmt, StmtId,
    StmtKind,
};
use crate::passes::analysis::stride::Stride;
use crate::passes::sections::{Extent, Form, Section};
use crate::passes::writer::{LONG, Writer, private};
use crate::types::{QualType, Types};
use hashbrown::HashMap;
use upcc_grammar::ast::{BinOp, Span};

const INT: QualType = QualType::plain(Types::INT);

/// A loop that is rewritten.
pub(super) struct Plan<'a> {
    pub(super) stmt: StmtId,
    pub(super) form: &'a Form,
    /// What private pointers walk, each with the element places that it replaces.
    pub(super) pointers: Vec<(Section, Vec<ExprId>)>,
    /// Test whether the memory is mapped.
    pub(super) remote: bool,
}

/// Replaces the statement.
pub(super) fn rewrite(module: &mut Module, body: &mut Body, plan: &Plan) {
    let Stmt {
        kind, span, trivia, ..
    } = body.stmts[plan.stmt].clone();
    let StmtKind::For { init, .. } = kind else {
        return;
    };
    let line = Span {
        lo: span.lo,
        hi: span.lo,
    };
    let mut w = Writer {
        module,
        body,
        span: line,
    };
    let declares = matches!(init, ForInit::Decl(_));
    let mut items = Vec::new();
    match init {
        ForInit::None => {}
        ForInit::Expr(e) => items.push(w.stmt(StmtKind::Expr(e))),
        ForInit::Decl(group) => items.push(w.stmt(StmtKind::Decl(group))),
    }
    let var = plan.form.count.var;
    let first = w.define(&mut items, "first", LONG, |w| w.long_of(var));
    let count = w.define(&mut items, "count", LONG, |w| w.turns_of(plan, first));
    let in_blocks = plan
        .pointers
        .iter()
        .any(|(section, _)| matches!(section.extent, Extent::Block(_)));
    let mut rows = Run {
        plan,
        first,
        done: None,
        run: count,
        trivia,
    };
    if in_blocks {
        let zero = w.int(0);
        let (done, group) = w.declare("done", LONG, zero);
        items.push(w.stmt(StmtKind::Decl(group)));
        rows.done = Some(done);
        let mut within = Vec::new();
        let from = w.load(done);
        let value = w.value_at(plan, first, from);
        within.push(w.set(var, value));
        rows.run = w.define(&mut within, "run", LONG, |w| {
            let (all, done) = (w.load(count), w.load(done));
            w.bin(BinOp::Sub, all, done)
        });
        w.run(&mut within, &rows);
        let (place, by) = (w.place(done), w.load(rows.run));
        let advance = w.expr(
            ExprKind::AssignOp {
                op: BinOp::Add,
                place,
                value: by,
                compute: Types::PTRDIFF_T,
            },
            LONG,
        );
        within.push(w.stmt(StmtKind::Expr(advance)));
        let block = w.block(within);
        let (at, end) = (w.load(done), w.load(count));
        let more = w.less(at, end);
        items.push(w.stmt(StmtKind::While(more, block)));
    } else {
        let mut within = Vec::new();
        w.run(&mut within, &rows);
        let block = w.block(within);
        let (zero, all) = (w.int(0), w.load(count));
        let any = w.less(zero, all);
        items.push(w.stmt(StmtKind::If(any, block, None)));
    }
    if !declares {
        let all = w.load(count);
        let value = w.value_at(plan, first, all);
        items.push(w.set(var, value));
    }
    body.stmts[plan.stmt] = Stmt {
        kind: StmtKind::Compound(Block {
            items,
            ..Block::default()
        }),
        span,
        verbatim: false,
        instrumented: false,
        trivia: None,
    };
}

/// Iterations whose elements lie side by side in the memory of one thread for each reference.
struct Run<'a> {
    plan: &'a Plan<'a>,
    /// The value of the loop variable before the loop.
    first: LocalId,
    /// The number of iterations before the run; `None`: 0.
    done: Option<LocalId>,
    /// The number of iterations of the run.
    run: LocalId,
    /// The pragmas and attributes in front of the user's loop.
    trivia: Option<u32>,
}

impl Writer<'_> {
    fn block(&mut self, items: Vec<StmtId>) -> StmtId {
        self.stmt(StmtKind::Compound(Block {
            items,
            ..Block::default()
        }))
    }

    fn long_of(&mut self, var: LocalId) -> ExprId {
        let value = self.load(var);
        self.cast(value, LONG)
    }

    /// `var = value`
    fn set(&mut self, var: LocalId, value: ExprId) -> StmtId {
        let ty = QualType::plain(self.body.locals[var].ty.ty);
        let place = self.place(var);
        let value = self.cast(value, ty);
        let assign = self.expr(ExprKind::Assign { place, value }, ty);
        self.stmt(StmtKind::Expr(assign))
    }

    /// `n * stride`
    fn by_stride(&mut self, n: ExprId, stride: Stride) -> ExprId {
        match stride {
            Stride::Constant(by) => self.times_signed(n, by),
            Stride::Threads(by) => {
                let threads = self.threads();
                let n = self.bin(BinOp::Mul, n, threads);
                self.times_signed(n, by)
            }
        }
    }

    fn times_signed(&mut self, n: ExprId, by: i64) -> ExprId {
        if by == 1 {
            return n;
        }
        let by = self.int(by);
        self.bin(BinOp::Mul, n, by)
    }

    /// The value of the loop variable after `n` iterations: `first + n * step`.
    fn value_at(&mut self, plan: &Plan, first: LocalId, n: ExprId) -> ExprId {
        let first = self.load(first);
        let by = self.by_stride(n, plan.form.count.step);
        self.bin(BinOp::Add, first, by)
    }

    /// The number of iterations: with a step s up to a bound b, `first < b ? (b - first + s - 1) / s : 0`.
    fn turns_of(&mut self, plan: &Plan, first: LocalId) -> ExprId {
        let count = &plan.form.count;
        let bound = || count.bound;
        let down = matches!(count.step, Stride::Constant(n) if n < 0);
        let beyond = match (count.inclusive, down) {
            (false, _) => 0,
            (true, false) => 1,
            (true, true) => -1,
        };
        let end = |w: &mut Self| {
            let end = w.copy(bound());
            let end = w.cast(end, LONG);
            w.plus(end, beyond)
        };
        let (from, to) = (self.load(first), end(self));
        let (low, high) = if down { (to, from) } else { (from, to) };
        let mut runs = self.less(low, high);
        if let Some(guard) = count.guard {
            let guard = self.copy(guard);
            runs = self.expr(ExprKind::Binary(BinOp::And, guard, runs), INT);
        }
        let (from, to) = (self.load(first), end(self));
        let (low, high) = if down { (to, from) } else { (from, to) };
        let span = self.bin(BinOp::Sub, high, low);
        let turns = match count.step {
            Stride::Constant(1 | -1) => span,
            Stride::Constant(n) => {
                let n = n.saturating_abs();
                let span = self.plus(span, n - 1);
                let by = self.int(n);
                self.bin(BinOp::Div, span, by)
            }
            Stride::Threads(n) => {
                let threads = self.threads();
                let by = self.times_signed(threads, n);
                let span = self.plus(span, -1);
                let span = self.bin(BinOp::Add, span, by);
                let threads = self.threads();
                let by = self.times_signed(threads, n);
                self.bin(BinOp::Div, span, by)
            }
        };
        let zero = self.int(0);
        self.expr(ExprKind::Cond(runs, turns, zero), LONG)
    }

    /// Writes the pointers of a run, shortens the run to the ends of their blocks, and writes its loop.
    fn run(&mut self, items: &mut Vec<StmtId>, run: &Run) {
        let mut own = HashMap::new();
        let mut starts = Vec::new();
        for (section, elements) in &run.plan.pointers {
            let at = self.start(items, run, *section);
            if let Extent::Block(step) = section.extent {
                let left = self.define(items, "left", LONG, |w| {
                    w.left_in_block(at, section.block, step)
                });
                let (a, b, place) = (self.load(left), self.load(run.run), self.place(run.run));
                let shorter = self.less(a, b);
                let value = self.load(left);
                let assign = self.expr(ExprKind::Assign { place, value }, LONG);
                let shorten = self.stmt(StmtKind::Expr(assign));
                items.push(self.stmt(StmtKind::If(shorter, shorten, None)));
            }
            let element = private(self.body.expr(section.element).ty);
            let ty = QualType::plain(self.module.types.pointer_to(element));
            let pointer = self.define(items, "own", ty, |w| {
                let at = w.load(at);
                w.rt(RtOp::LocalNn, &[at], ty)
            });
            let walk = match section.extent {
                Extent::Whole(step) => step,
                Extent::Block(step) => Stride::Constant(step),
                Extent::Element => Stride::ZERO,
            };
            own.extend(elements.iter().map(|&element| (element, (pointer, walk))));
            starts.push(at);
        }
        let fast = self.turns(run, Some(&own));
        if !run.plan.remote {
            items.push(fast);
            return;
        }
        let slow = self.turns(run, None);
        let [fast, slow] = [fast, slow].map(|turns| self.block(vec![turns]));
        let mapped = starts.into_iter().map(|at| {
            let at = self.load(at);
            self.rt(RtOp::Mapped, &[at], INT)
        });
        let mapped: Vec<ExprId> = mapped.collect();
        let all = mapped
            .into_iter()
            .reduce(|a, b| self.expr(ExprKind::Binary(BinOp::And, a, b), INT));
        let Some(all) = all else { return };
        items.push(self.stmt(StmtKind::If(all, fast, Some(slow))));
    }

    /// Declares a pointer-to-shared to the first element of a section in this run. The loop variable has its value of the
    /// run's first iteration.
    fn start(&mut self, items: &mut Vec<StmtId>, run: &Run, section: Section) -> LocalId {
        let element = self.body.expr(section.element).ty;
        let ty = QualType::plain(self.module.types.pointer_to(element));
        self.define(items, "at", ty, |w| {
            let derived = &run.plan.form.derived;
            let place = w.with_values(section.element, derived);
            w.expr(ExprKind::AddrOf(place), ty)
        })
    }

    /// A copy of an expression with the values of derived variables, which are not declared yet, in their places.
    fn with_values(&mut self, e: ExprId, derived: &HashMap<LocalId, ExprId>) -> ExprId {
        let mut replace = |body: &mut Body, id: ExprId| {
            let ExprKind::Load(place) = body.expr(id).kind else {
                return None;
            };
            let ExprKind::Local(local) = body.expr(place).kind else {
                return None;
            };
            let value = *derived.get(&local)?;
            let mut inner = Writer {
                module: self.module,
                span: self.span,
                body,
            };
            Some(inner.with_values(value, derived))
        };
        let first_copied = self.body.exprs.next_key();
        let copied = Copier {
            replace: &mut replace,
        }
        .expr(self.body, e);
        if !derived.is_empty() {
            // Their tokens name the variables (IL invariant 6).
            for node in &mut self.body.exprs[first_copied..] {
                node.flags = node.flags.without(ExprFlags::VERBATIM);
            }
        }
        copied
    }

    /// The number of iterations from an element to the end of its block.
    fn left_in_block(&mut self, at: LocalId, block: u32, step: i64) -> ExprId {
        let at = self.load(at);
        let phase = self.rt(RtOp::Phaseof, &[at], QualType::plain(Types::SIZE_T));
        let phase = self.cast(phase, LONG);
        if step < 0 {
            let by = self.int(step.saturating_abs());
            let behind = match step {
                -1 => phase,
                _ => self.bin(BinOp::Div, phase, by),
            };
            return self.plus(behind, 1);
        }
        let end = self.int(i64::from(block) + step - 1);
        let elements = self.bin(BinOp::Sub, end, phase);
        if step == 1 {
            return elements;
        }
        let by = self.int(step);
        self.bin(BinOp::Div, elements, by)
    }

    /// Builds `for (long turn = 0; turn < run; turn++) { var = ...; body }`, with private pointers if they are given.
    fn turns(&mut self, run: &Run, own: Option<&HashMap<ExprId, (LocalId, Stride)>>) -> StmtId {
        let zero = self.int(0);
        let (turn, init) = self.declare("turn", LONG, zero);
        let n = self.load(turn);
        let n = match run.done {
            None => n,
            Some(done) => {
                let done = self.load(done);
                self.bin(BinOp::Add, done, n)
            }
        };
        let value = self.value_at(run.plan, run.first, n);
        let set = self.set(run.plan.form.count.var, value);
        let inner = run.plan.form.body;
        let body = match own {
            Some(own) => self.privately(own, turn, inner),
            None => copy_stmt(self.body, inner),
        };
        let block = self.block(vec![set, body]);
        let place = self.place(turn);
        let step = self.expr(
            ExprKind::IncDec {
                place,
                post: true,
                dec: false,
            },
            LONG,
        );
        let (a, b) = (self.load(turn), self.load(run.run));
        let cond = self.less(a, b);
        let turns = self.stmt(StmtKind::For {
            init: ForInit::Decl(init),
            cond: Some(cond),
            step: Some(step),
            body: block,
        });
        self.body.stmts[turns].trivia = run.trivia;
        turns
    }

    /// Copies a statement so that the elements in `own` go through their pointers.
    fn privately(
        &mut self,
        own: &HashMap<ExprId, (LocalId, Stride)>,
        turn: LocalId,
        stmt: StmtId,
    ) -> StmtId {
        let span = self.span;
        let module = &mut *self.module;
        let mut replace =
            |body: &mut Body, id: ExprId| Writer { module, body, span }.own_place(own, turn, id);
        Copier {
            replace: &mut replace,
        }
        .stmt(self.body, stmt)
    }

    /// The place `id`, an element or a member of one, through its private pointer, if it has one.
    fn own_place(
        &mut self,
        own: &HashMap<ExprId, (LocalId, Stride)>,
        turn: LocalId,
        id: ExprId,
    ) -> Option<ExprId> {
        let Expr { kind, ty, span, .. } = self.body.exprs[id];
        if let Some(&(pointer, walk)) = own.get(&id) {
            self.span = span;
            let n = self.load(turn);
            let index = match walk {
                Stride::Constant(0) => self.int(0),
                walk => self.by_stride(n, walk),
            };
            let ptr = self.load(pointer);
            let ptr_ty = self.body.exprs[ptr].ty;
            let address = self.expr(
                ExprKind::PtrAdd {
                    ptr,
                    index,
                    negate: false,
                },
                ptr_ty,
            );
            return Some(self.expr(ExprKind::Deref(address), private(ty)));
        }
        if let ExprKind::Field(record, field) = kind {
            let record = self.own_place(own, turn, record)?;
            self.span = span;
            return Some(self.expr(ExprKind::Field(record, field), private(ty)));
        }
        None
    }
}
