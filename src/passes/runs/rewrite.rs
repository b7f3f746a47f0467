//! Writes the loop over runs that a [`Plan`] describes.

use super::gathers::Gather;
use super::{Kind, Pointer};
use crate::il::walk::{Node, visit};
use crate::il::{
    Block, Body, Decl, ExprId, ExprKind, ForInit, LocalId, Module, Stmt, StmtId, StmtKind, Turns,
};
use crate::passes::analysis::stride::Stride;
use crate::passes::sections::{Extent, Form, Walker};
use crate::passes::writer::{INT, LONG, Writer, copy_init};
use crate::types::{QualType, Types};
use hashbrown::HashMap;
use upcc_grammar::ast::{BinOp, Span};

/// C compilers unroll a loop of this many iterations as a whole.
const FULLY_UNROLLED: u64 = 16;

/// A loop that is rewritten.
pub(super) struct Plan<'a> {
    pub(super) stmt: StmtId,
    pub(super) form: &'a Form,
    pub(super) pointers: Vec<Pointer>,
    pub(super) gathers: Vec<Gather>,
    /// Places whose writes are collected.
    pub(super) scatters: Vec<ExprId>,
    /// With more threads than this, the loop stays as it is.
    pub(super) most_threads: Option<i64>,
    /// Test whether the memory is mapped.
    pub(super) remote: bool,
}

/// Replaces the statement.
pub(super) fn rewrite(module: &mut Module, body: &mut Body, plan: &Plan) {
    let Stmt {
        kind, span, trivia, ..
    } = body.stmts[plan.stmt].clone();
    // The first clause; a `while` has none.
    let (mut old, mut init) = (kind, ForInit::None);
    if let StmtKind::For { init: first, .. } = &mut old {
        init = std::mem::replace(first, ForInit::None);
    }
    let line = Span {
        lo: span.lo,
        hi: span.lo,
    };
    let mut w = Writer {
        module,
        body,
        span: line,
    };
    let old_init = match plan.most_threads {
        Some(_) => copy_init(w.body, init.clone()),
        None => ForInit::None,
    };
    let mut items = Vec::new();
    match init {
        ForInit::None => {}
        ForInit::Expr(e) => items.push(w.stmt(StmtKind::Expr(e))),
        ForInit::Decl(group) => items.push(w.stmt(StmtKind::Decl(group))),
    }
    let var = plan.form.count.var;
    let counts_pointer = w.module.types.is_pts(w.body.local(var).ty);
    let count = match counts_pointer {
        true => w.define(&mut items, "count", LONG, |w| w.turns_of_pointer(plan)),
        false => {
            let first = w.define(&mut items, "first", LONG, |w| w.long_of(var));
            w.define(&mut items, "count", LONG, |w| w.turns_of(plan, first))
        }
    };
    let in_blocks = plan.pointers.iter().any(Pointer::ends_runs)
        || plan.gathers.iter().any(Gather::ends_run)
        || !plan.scatters.is_empty();
    let mut run = Run {
        plan,
        run: count,
        trivia,
        breaks_blocks: in_blocks && plan.form.exits,
    };
    if in_blocks {
        w.over_blocks(&mut items, &mut run);
    } else {
        let mut within = Vec::new();
        w.run(&mut within, &run);
        let block = w.block(within);
        let (zero, all) = (w.int(0), w.load(count));
        let any = w.less(zero, all);
        items.push(w.stmt(StmtKind::If(any, block, None)));
    }
    let new = StmtKind::Compound(Block {
        items,
        ..Block::default()
    });
    let kind = match plan.most_threads {
        None => new,
        Some(most) => {
            let (threads, most) = (w.threads(), w.int(most));
            let few = w.expr(ExprKind::Binary(BinOp::Le, threads, most), INT);
            let new = w.stmt(new);
            if let StmtKind::For { init, .. } = &mut old {
                *init = old_init;
            }
            let old = w.stmt(old);
            w.body.stmts[old].trivia = trivia;
            StmtKind::If(few, new, Some(old))
        }
    };
    body.stmts[plan.stmt] = Stmt {
        kind,
        span,
        verbatim: false,
        instrumented: false,
        turns: Turns::Unknown,
        trivia: None,
    };
}

/// Iterations whose elements lie side by side in the memory of one thread for each reference.
pub(super) struct Run<'a> {
    pub(super) plan: &'a Plan<'a>,
    /// The number of iterations of the run.
    pub(super) run: LocalId,
    /// The pragmas and attributes in front of the user's loop.
    trivia: Option<u32>,
    /// A run that ends early ends the loop over runs.
    breaks_blocks: bool,
}

/// How a run reaches the element places that it does not leave as they are.
pub(super) type Own = HashMap<ExprId, Way>;

/// What leads to an element.
#[derive(Clone, Copy)]
pub(super) enum Way {
    /// The pointer of a section, or of another element of its block, this many elements after it.
    Section(LocalId, Kind, i64),
    /// A table with a pointer for each iteration of the run.
    Table(LocalId),
    /// The runtime, which says where to put the value that is written.
    Scatter,
}

impl Pointer {
    /// True if a run may end before the loop, with the block of its section or a buffer.
    fn ends_runs(&self) -> bool {
        matches!(
            (self.kind, self.section.extent),
            (Kind::Private(_), Extent::Block(_))
        ) || self.strip.as_ref().is_some_and(|it| it.ends_run)
    }
}

impl Writer<'_> {
    fn long_of(&mut self, var: LocalId) -> ExprId {
        let value = self.load(var);
        self.cast(value, LONG)
    }

    /// Adds the step of the loop to its variable, in the variable's type: the C compiler then sees that it counts.
    fn advance(&mut self, var: LocalId, step: Stride) -> ExprId {
        let ty = QualType::plain(self.body.locals[var].ty.ty);
        let place = self.place(var);
        let kind = match step {
            Stride::Constant(n @ (1 | -1)) => ExprKind::IncDec {
                place,
                post: true,
                dec: n < 0,
            },
            Stride::Constant(_) | Stride::Threads(_) => {
                let value = match step {
                    Stride::Constant(n) => self.expr(ExprKind::Int(n), ty),
                    Stride::Threads(n) => {
                        let threads = self.expr(ExprKind::Threads, INT);
                        let threads = self.cast(threads, ty);
                        match n {
                            1 => threads,
                            _ => {
                                let n = self.expr(ExprKind::Int(n), ty);
                                self.expr(ExprKind::Binary(BinOp::Mul, threads, n), ty)
                            }
                        }
                    }
                };
                ExprKind::AssignOp {
                    op: BinOp::Add,
                    place,
                    value,
                    compute: ty.ty,
                }
            }
        };
        self.expr(kind, ty)
    }

    /// `n * stride`
    pub(super) fn by_stride(&mut self, n: ExprId, stride: Stride) -> ExprId {
        match stride {
            Stride::Constant(by) => self.times_signed(n, by),
            Stride::Threads(by) => {
                let threads = self.threads();
                let n = self.bin(BinOp::Mul, n, threads);
                self.times_signed(n, by)
            }
        }
    }

    pub(super) fn times_signed(&mut self, n: ExprId, by: i64) -> ExprId {
        if by == 1 {
            return n;
        }
        let by = self.int(by);
        self.bin(BinOp::Mul, n, by)
    }

    /// Writes the loop over the runs of all blocks.
    fn over_blocks(&mut self, items: &mut Vec<StmtId>, run: &mut Run) {
        let count = run.run;
        let zero = self.int(0);
        let (done, group) = self.declare("done", LONG, zero);
        items.push(self.stmt(StmtKind::Decl(group)));
        let mut within = Vec::new();
        run.run = self.define(&mut within, "run", LONG, |w| {
            let (all, done) = (w.load(count), w.load(done));
            w.bin(BinOp::Sub, all, done)
        });
        self.run(&mut within, run);
        let (place, value) = (self.place(done), self.load(run.run));
        let advance = self.expr(
            ExprKind::AssignOp {
                op: BinOp::Add,
                place,
                value,
                compute: Types::PTRDIFF_T,
            },
            LONG,
        );
        within.push(self.stmt(StmtKind::Expr(advance)));
        let block = self.block(within);
        let (at, end) = (self.load(done), self.load(count));
        let more = self.less(at, end);
        items.push(self.stmt(StmtKind::While(more, block)));
    }

    /// Writes the starts of a run's pointers, shortens the run to the ends of their blocks and buffers, and writes its loop.
    fn run(&mut self, items: &mut Vec<StmtId>, run: &Run) {
        let pointers = &run.plan.pointers;
        let starts: Vec<LocalId> = pointers
            .iter()
            .map(|pointer| {
                let at = self.start(items, run, pointer);
                self.shorten(items, run, pointer, at);
                at
            })
            .collect();
        self.shorten_to_gathers(items, run);
        let with_starts = || pointers.iter().zip(&starts);
        let mut shared = Own::new();
        let mut walkers = Vec::new();
        for (pointer, &at) in with_starts() {
            if let Kind::Shared(by) = pointer.kind {
                walkers.push((at, by));
                shared.extend(
                    pointer
                        .elements
                        .iter()
                        .map(|&e| (e, Way::Section(at, pointer.kind, 0))),
                );
            }
        }
        let mut turns = Vec::new();
        if !run.plan.remote || walkers.len() == pointers.len() {
            self.private_turns(&mut turns, run, &starts, (&shared, &walkers));
        } else {
            self.tested_turns(&mut turns, run, &starts, (&shared, &walkers));
        }
        if !run.plan.scatters.is_empty() {
            let otherwise = std::mem::take(&mut turns);
            self.scattered_turns(&mut turns, run, &starts, (&shared, &walkers), otherwise);
        }
        if run.plan.gathers.is_empty() {
            items.append(&mut turns);
            return;
        }
        let reached = self.is_reached(run, &starts, true);
        let gathered = self.is_gathered(run, &starts, reached);
        let mut with = Vec::new();
        self.gathered_turns(&mut with, run, &starts, (&shared, &walkers));
        let (with, without) = (self.block(with), self.block(turns));
        items.push(self.stmt(StmtKind::If(gathered, with, Some(without))));
    }

    /// Writes the loop of a run where memory may not be mapped: a test, and a copy of the loop with the accesses as they
    /// were.
    fn tested_turns(
        &mut self,
        items: &mut Vec<StmtId>,
        run: &Run,
        starts: &[LocalId],
        (shared, walkers): (&Own, &[(LocalId, Stride)]),
    ) {
        let reached = self.is_reached(run, starts, false);
        let mut fast = Vec::new();
        self.private_turns(&mut fast, run, starts, (shared, walkers));
        let fast = self.block(fast);
        let mut slow = Vec::new();
        self.turns(&mut slow, run, shared, walkers);
        let slow = self.block(slow);
        items.push(match reached {
            None => fast,
            Some(reached) => self.stmt(StmtKind::If(reached, fast, Some(slow))),
        });
    }

    /// Writes the private pointers of a run and its loop; buffers are filled before it, and written back after it.
    fn private_turns(
        &mut self,
        items: &mut Vec<StmtId>,
        run: &Run,
        starts: &[LocalId],
        (shared, walkers): (&Own, &[(LocalId, Stride)]),
    ) {
        let mut after = Vec::new();
        let own = self.private_pointers(items, &mut after, run, starts, (shared, false));
        self.turns(items, run, &own, walkers);
        items.extend(after);
    }

    /// The same for a run that gathers elements.
    fn gathered_turns(
        &mut self,
        items: &mut Vec<StmtId>,
        run: &Run,
        starts: &[LocalId],
        (shared, walkers): (&Own, &[(LocalId, Stride)]),
    ) {
        let mut after = Vec::new();
        let own = self.private_pointers(items, &mut after, run, starts, (shared, true));
        let mut all = own.clone();
        for gather in &run.plan.gathers {
            let table = self.gather(items, run, gather, &own);
            let places = gather.places.iter();
            all.extend(places.map(|&place| (place, Way::Table(table))));
        }
        self.turns(items, run, &all, walkers);
        items.extend(after);
    }

    /// Writes the private pointers of a run, if `gathered` without those of the elements that are gathered.
    pub(super) fn private_pointers(
        &mut self,
        items: &mut Vec<StmtId>,
        after: &mut Vec<StmtId>,
        run: &Run,
        starts: &[LocalId],
        (shared, gathered): (&Own, bool),
    ) -> Own {
        let mut all = shared.clone();
        for (index, (pointer, &at)) in run.plan.pointers.iter().zip(starts).enumerate() {
            if let Kind::Shared(_) = pointer.kind {
                continue;
            }
            if gathered && run.plan.gathers.iter().any(|it| it.pointer == Some(index)) {
                continue;
            }
            let own = match &pointer.strip {
                None => self.private_pointer(items, run, pointer, at),
                Some(strip) => self.strip(items, after, run, pointer, (at, strip)),
            };
            let way = |n| Way::Section(own, pointer.kind, n);
            all.extend(pointer.all().map(|(e, n)| (e, way(n))));
        }
        all
    }

    /// Writes `for (long turn = 0; turn < run; turn++, var++) body`, with the elements in `own` behind their pointers. The
    /// pointers-to-shared in `moving` move on by one, up or down, or stay.
    pub(super) fn turns(
        &mut self,
        items: &mut Vec<StmtId>,
        run: &Run,
        own: &Own,
        moving: &[(LocalId, Stride)],
    ) {
        let form = run.plan.form;
        let zero = self.int(0);
        let (turn, init) = self.declare("turn", LONG, zero);
        let body = self.behind_pointers(own, turn, form.body);
        if let StmtKind::Compound(block) = &mut self.body.stmts[body].kind {
            block.items.truncate(block.items.len() - form.tail);
        }
        for local in self.declared(body) {
            self.keep_used(body, local);
        }
        let (each, mut after) = self.walkers_steps(run, body);
        let block = self.block(vec![body]);
        let place = self.place(turn);
        let next = ExprKind::IncDec {
            place,
            post: true,
            dec: false,
        };
        let mut step = self.expr(next, LONG);
        let counting = self.counting_step(run, body, &mut after);
        let moves = moving.iter().filter(|(_, by)| *by != Stride::ZERO);
        let moves = moves.map(|&(at, by)| self.move_pointer(at, by, None));
        let mut moves: Vec<ExprId> = moves.collect();
        for pointer in &run.plan.pointers {
            if let Kind::Strided(blocks) = pointer.kind
                && let Some(&Way::Section(walking, ..)) = own.get(&pointer.elements[0])
            {
                moves.push(self.walk(walking, pointer.section, blocks));
            }
        }
        let others = form.others.iter().map(|&it| self.copy(it));
        let others: Vec<ExprId> = others.collect();
        for next in counting.into_iter().chain(others).chain(each).chain(moves) {
            let ty = self.body.expr(next).ty;
            step = self.expr(ExprKind::Comma(step, next), ty);
        }
        let (a, b) = (self.load(turn), self.load(run.run));
        let cond = self.less(a, b);
        let mut init = ForInit::Decl(init);
        if run.breaks_blocks {
            if let ForInit::Decl(init) = std::mem::replace(&mut init, ForInit::None) {
                items.push(self.stmt(StmtKind::Decl(init)));
            }
            let (done, all) = (self.load(turn), self.load(run.run));
            let early = self.less(done, all);
            let leave = self.stmt(StmtKind::Break);
            after.push(self.stmt(StmtKind::If(early, leave, None)));
        }
        let turns = self.stmt(StmtKind::For {
            init,
            cond: Some(cond),
            step: Some(step),
            body: block,
        });
        self.body.stmts[turns].trivia = run.trivia;
        let few = form
            .most_turns()
            .is_some_and(|turns| turns <= FULLY_UNROLLED);
        if !few {
            self.body.stmts[turns].turns = self.turns_of_body(body);
        }
        items.push(turns);
        items.extend(after);
    }

    /// The step of the loop variable in each iteration; of a pointer that a copied body uses no longer, one step after the loop.
    fn counting_step(
        &mut self,
        run: &Run,
        body: StmtId,
        after: &mut Vec<StmtId>,
    ) -> Option<ExprId> {
        let form = run.plan.form;
        let (var, step) = (form.count.var, form.count.step);
        if !self.module.types.is_pts(self.body.local(var).ty) {
            return Some(self.advance(var, step));
        }
        if self.uses(body, var) > 0 || form.exits {
            return Some(self.move_pointer(var, step, None));
        }
        let moved = self.move_pointer(var, step, Some(run.run));
        after.push(self.stmt(StmtKind::Expr(moved)));
        None
    }

    /// The steps of the walkers that each iteration makes, and of those that one statement after the loop can make: pointers
    /// that a copied body uses no longer.
    fn walkers_steps(&mut self, run: &Run, body: StmtId) -> (Vec<ExprId>, Vec<StmtId>) {
        let (mut each, mut after) = (Vec::new(), Vec::new());
        for &Walker {
            local,
            stride,
            step,
            within,
        } in &run.plan.form.walkers
        {
            if within && self.uses(body, local) > 0 {
                // The body makes it still.
                continue;
            }
            let unused =
                self.module.types.is_pts(self.body.local(local).ty) && self.uses(body, local) == 0;
            // A loop that ends early has not made all its steps.
            if unused && !run.plan.form.exits {
                let moved = self.move_pointer(local, stride, Some(run.run));
                after.push(self.stmt(StmtKind::Expr(moved)));
            } else {
                each.push(self.copy(step));
            }
        }
        (each, after)
    }

    /// Builds `pointer = pointer + by`, or that many times.
    fn move_pointer(&mut self, pointer: LocalId, by: Stride, times: Option<LocalId>) -> ExprId {
        let (place, ptr) = (self.place(pointer), self.load(pointer));
        let ty = self.body.expr(ptr).ty;
        let negate = by == Stride::Constant(-1);
        let by = if negate { Stride::Constant(1) } else { by };
        let n = match times {
            None => self.int(1),
            Some(times) => self.load(times),
        };
        let index = self.by_stride(n, by);
        let value = self.expr(ExprKind::PtrAdd { ptr, index, negate }, ty);
        self.expr(ExprKind::Assign { place, value }, ty)
    }

    /// The variables that a statement declares.
    fn declared(&self, root: StmtId) -> Vec<LocalId> {
        let mut found = Vec::new();
        visit(self.body, Node::Stmt(root), &mut |node| {
            if let Node::Stmt(s) = node
                && let StmtKind::Decl(group) = &self.body.stmt(s).kind
            {
                found.extend(group.decls.iter().filter_map(|decl| match decl {
                    Decl::Local { local, .. } => Some(*local),
                    Decl::Object { .. }
                    | Decl::Typedef { .. }
                    | Decl::StaticAssert
                    | Decl::Length { .. }
                    | Decl::Shared { .. } => None,
                }));
            }
            true
        });
        found
    }

    /// How often a statement uses a variable.
    fn uses(&self, root: StmtId, local: LocalId) -> usize {
        let mut uses = 0;
        visit(self.body, Node::Stmt(root), &mut |node| {
            if let Node::Expr(e) = node {
                let kind = self.body.expr(e).kind;
                uses += usize::from(matches!(kind, ExprKind::Local(l) if l == local));
            }
            true
        });
        uses
    }

    /// Adds `(void)variable;` after the declaration of a variable that a copied body uses no longer: the C compiler would
    /// warn of it.
    fn keep_used(&mut self, root: StmtId, local: LocalId) {
        let mut block = None;
        let declares = |body: &Body, s: &StmtId| {
            matches!(&body.stmt(*s).kind, StmtKind::Decl(group)
                if group.decls.iter().any(|d| matches!(d, Decl::Local { local: l, .. } if *l == local)))
        };
        visit(self.body, Node::Stmt(root), &mut |node| {
            if let Node::Stmt(s) = node
                && let StmtKind::Compound(items) = &self.body.stmt(s).kind
                && let Some(at) = items.items.iter().position(|it| declares(self.body, it))
            {
                block = Some((s, at));
            }
            true
        });
        let uses = self.uses(root, local);
        let (0, Some((block, at))) = (uses, block) else {
            return;
        };
        // The address of an array or a record is one in any case.
        let ty = self.body.local(local).ty;
        let place = self.place(local);
        let pointer = QualType::plain(self.module.types.pointer_to(ty));
        let value = match self.module.types.is_scalar(ty) {
            true => self.load(local),
            false => self.expr(ExprKind::AddrOf(place), pointer),
        };
        let used = self.cast(value, QualType::plain(Types::VOID));
        let used = self.stmt(StmtKind::Expr(used));
        if let StmtKind::Compound(block) = &mut self.body.stmts[block].kind {
            block.items.insert(at + 1, used);
        }
    }
}
