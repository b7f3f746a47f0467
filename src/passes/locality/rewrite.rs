//! Writes the loop over owned iterations that a [`Plan`] describes.

use super::plan::Plan;
use crate::il::walk::Copier;
use crate::il::{
    Affinity, Block, Body, Expr, ExprId, ExprKind, ForInit, LocalId, Module, RtOp, Stmt, StmtId,
    StmtKind, Turns,
};
use crate::passes::analysis::effects::Effects;
use crate::passes::analysis::refs::ElemRef;
use crate::passes::sections::{OwnRef, Owner};
use crate::passes::writer::{LONG, Writer, copy_init, private};
use crate::types::{QualType, Types};
use hashbrown::HashMap;
use upcc_grammar::ast::{BinOp, Span};

/// Replaces the statement.
pub fn rewrite(
    module: &mut Module,
    body: &mut Body,
    stmt: StmtId,
    plan: &Plan,
    effects: &Effects,
    is_main: bool,
) {
    let Stmt {
        kind, span, trivia, ..
    } = body.stmts[stmt].clone();
    let StmtKind::Forall {
        init,
        cond,
        step,
        body: inner,
        ..
    } = kind
    else {
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
    let copied_init = if is_main {
        init.clone()
    } else {
        copy_init(w.body, init.clone())
    };
    match copied_init {
        ForInit::None => {}
        ForInit::Expr(e) => items.push(w.stmt(StmtKind::Expr(e))),
        ForInit::Decl(group) => items.push(w.stmt(StmtKind::Decl(group))),
    }
    let lo = w.define(&mut items, "lo", LONG, |w| w.var(plan));
    let hi = w.define(&mut items, "hi", LONG, |w| w.bound(plan));
    if effects.calls {
        let step = w.depth_step(false);
        items.push(step);
    }
    if plan.owner.block == 1 && !plan.owner.spread {
        w.cyclic(&mut items, plan, [lo, hi], inner, trivia);
    } else {
        w.blocked(&mut items, plan, [lo, hi], inner, trivia);
    }
    if effects.calls {
        let step = w.depth_step(true);
        items.push(step);
    }
    if !declares {
        let end = w.last_value(plan, lo, hi);
        items.push(end);
    }
    let fast = StmtKind::Compound(Block {
        items,
        ..Block::default()
    });
    let kind = if is_main {
        fast
    } else {
        let fast = w.stmt(fast);
        let all = w.stmt(StmtKind::Forall {
            init,
            cond,
            step,
            affinity: Affinity::All,
            body: inner,
        });
        w.body.stmts[all].trivia = trivia;
        let nested = w.rt(RtOp::ForallDepth, &[], QualType::plain(Types::INT));
        StmtKind::If(nested, all, Some(fast))
    };
    body.stmts[stmt] = Stmt {
        kind,
        span,
        verbatim: false,
        instrumented: false,
        turns: Turns::Unknown,
        trivia: None,
    };
}

impl Writer<'_> {
    /// Adds t0, the thread at which the owner's pointer starts.
    fn plus_start(&mut self, e: ExprId, owner: &Owner) -> ExprId {
        let Some(base) = owner.base else { return e };
        let pointer = self.copy(base.load);
        let thread = self.rt(RtOp::Threadof, &[pointer], QualType::plain(Types::SIZE_T));
        let thread = self.cast(thread, LONG);
        self.bin(BinOp::Add, e, thread)
    }

    /// G = 1: writes the loop over iterations `first + k * THREADS`, k from 0.
    fn cyclic(
        &mut self,
        items: &mut Vec<StmtId>,
        plan: &Plan,
        [lo, hi]: [LocalId; 2],
        inner: StmtId,
        trivia: Option<u32>,
    ) {
        let first = self.define(items, "first", LONG, |w| {
            let at = w.load(lo);
            let at = w.plus(at, plan.owner.offset);
            let at = w.plus_start(at, &plan.owner);
            let skip = w.rt(RtOp::ForallSkip, &[at], LONG);
            let lo = w.load(lo);
            w.bin(BinOp::Add, lo, skip)
        });
        let count = self.define(items, "count", LONG, |w| w.owned_count(first, hi));
        let pointers = self.local_pointers(items, plan, first);
        let zero = self.int(0);
        let (k, init) = self.declare("k", LONG, zero);
        let (threads, step) = (self.threads(), self.load(k));
        let jump = self.bin(BinOp::Mul, step, threads);
        let start = self.load(first);
        let value = self.bin(BinOp::Add, start, jump);
        let set = self.assign_var(plan, value);
        let mut local = LocalRefs {
            plan,
            pointers: &pointers,
            inside: false,
            steps: &mut |w| w.load(k),
        };
        let body = self.localising(&mut local, |copier, body| copier.stmt(body, inner));
        let run = self.counted(ForInit::Decl(init), k, count, vec![set, body]);
        self.describe(run, body, trivia);
        items.push(run);
    }

    /// Gives a loop over own iterations the pragmas and attributes of the user's loop.
    fn describe(&mut self, run: StmtId, body: StmtId, trivia: Option<u32>) {
        self.body.stmts[run].trivia = trivia;
        self.body.stmts[run].turns = self.turns_of_body(body);
    }

    /// Computes `first < hi ? (hi - first + THREADS - 1) / THREADS : 0`.
    fn owned_count(&mut self, first: LocalId, hi: LocalId) -> ExprId {
        let [a, b, from, to] = [first, hi, first, hi].map(|l| self.load(l));
        let test = self.less(a, b);
        let span = self.bin(BinOp::Sub, to, from);
        let span = self.plus(span, -1);
        let (add, by) = (self.threads(), self.threads());
        let span = self.bin(BinOp::Add, span, add);
        let count = self.bin(BinOp::Div, span, by);
        let zero = self.int(0);
        self.expr(ExprKind::Cond(test, count, zero), LONG)
    }

    /// G > 1: writes the loop over owned blocks `b`, `b + THREADS` ...; in each, the iterations from `start` to `end`.
    fn blocked(
        &mut self,
        items: &mut Vec<StmtId>,
        plan: &Plan,
        [lo, hi]: [LocalId; 2],
        inner: StmtId,
        trivia: Option<u32>,
    ) {
        let owner = &plan.owner;
        // Iteration i is element i + shift of a pattern that starts at a block boundary.
        let shift = (owner.base.is_some() || owner.offset != 0)
            .then(|| self.define(items, "shift", LONG, |w| w.shift(owner)));
        let first = self.define(items, "first", LONG, |w| {
            let mut at = w.load(lo);
            if let Some(shift) = shift {
                let shift = w.load(shift);
                at = w.bin(BinOp::Add, at, shift);
            }
            if owner.spread {
                let threads = w.threads();
                at = w.bin(BinOp::Mul, at, threads);
            }
            let size = w.int(owner.block as i64);
            w.rt(RtOp::FloorDiv, &[at, size], LONG)
        });
        let start = self.load(first);
        let at = self.load(first);
        let at = self.plus_start(at, owner);
        let skip = self.rt(RtOp::ForallSkip, &[at], LONG);
        let start = self.bin(BinOp::Add, start, skip);
        let (block, init) = self.declare("block", LONG, start);
        let begin = self.block_start(block, shift, owner);
        let bound = self.load(hi);
        let cond = self.less(begin, bound);

        let mut within = Vec::new();
        let begin = self.define(&mut within, "begin", LONG, |w| {
            w.block_start(block, shift, owner)
        });
        let end = self.define(&mut within, "end", LONG, |w| match owner.spread {
            false => {
                let begin = w.load(begin);
                w.plus(begin, owner.block as i64)
            }
            true => {
                let next = w.load(block);
                let next = w.plus(next, 1);
                w.start_of(next, shift, owner)
            }
        });
        let start = self.define(&mut within, "start", LONG, |w| {
            w.choose(begin, lo, lo, begin)
        });
        let stop = self.define(&mut within, "stop", LONG, |w| w.choose(hi, end, hi, end));
        // Iterations are counted from the first one, so that the C compiler sees one pointer for `a[i - 1]` and `a[i + 1]`.
        let count = self.define(&mut within, "count", LONG, |w| w.between(start, stop));
        let pointers = self.local_pointers(&mut within, plan, start);
        let part = Part {
            plan,
            inner,
            pointers,
            start,
            trivia,
        };
        match plan.rims() {
            (0, 0) => {
                // A separate counter lets the C compiler compute the trip count, whatever type the loop variable has.
                let zero = self.int(0);
                let (k, init) = self.declare("k", LONG, zero);
                let run = self.iterations(&part, ForInit::Decl(init), k, count, false);
                within.push(run);
            }
            rims => self.with_rims(&mut within, &part, [begin, end, count], rims),
        }
        let outer_block = self.stmt(StmtKind::Compound(Block {
            items: within,
            ..Block::default()
        }));
        let (place, value) = (self.place(block), self.threads());
        let step = self.expr(
            ExprKind::AssignOp {
                op: BinOp::Add,
                place,
                value,
                compute: Types::PTRDIFF_T,
            },
            LONG,
        );
        let outer = self.stmt(StmtKind::For {
            init: ForInit::Decl(init),
            cond: Some(cond),
            step: Some(step),
            body: outer_block,
        });
        items.push(outer);
    }

    /// Writes the loops for a block in which some references leave the block near its ends: an inside loop where they
    /// are private, and a loop for the rims.
    ///
    /// ```text
    /// while (k < count)
    ///     if (inside_begin <= k && k < inside_end) for (; k < to; k++) ...;
    ///     else for (; k < to; k++) ...;
    /// ```
    fn with_rims(
        &mut self,
        items: &mut Vec<StmtId>,
        part: &Part,
        [begin, end, count]: [LocalId; 3],
        (front, back): (i64, i64),
    ) {
        let k = self.define(items, "k", LONG, |w| w.int(0));
        let inside_begin = self.define(items, "inside", LONG, |w| {
            let begin = w.between(part.start, begin);
            w.plus(begin, front)
        });
        let inside_end = self.define(items, "outside", LONG, |w| {
            let end = w.between(part.start, end);
            w.plus(end, -back)
        });

        let mut inside = Vec::new();
        let to = self.define(&mut inside, "to", LONG, |w| {
            w.choose(count, inside_end, count, inside_end)
        });
        let run = self.iterations(part, ForInit::None, k, to, true);
        inside.push(run);
        let mut rim = Vec::new();
        let to = self.define(&mut rim, "to", LONG, |w| {
            let nearer = w.choose(inside_begin, count, inside_begin, count);
            let (k, begin, count) = (w.load(k), w.load(inside_begin), w.load(count));
            let before = w.less(k, begin);
            w.expr(ExprKind::Cond(before, nearer, count), LONG)
        });
        let run = self.iterations(part, ForInit::None, k, to, false);
        self.body.stmts[run].turns = Turns::Few;
        rim.push(run);

        let [inside, rim] = [inside, rim].map(|items| {
            self.stmt(StmtKind::Compound(Block {
                items,
                ..Block::default()
            }))
        });
        let int = QualType::plain(Types::INT);
        let (from, at) = (self.load(inside_begin), self.load(k));
        let behind = self.expr(ExprKind::Binary(BinOp::Le, from, at), int);
        let (at, to) = (self.load(k), self.load(inside_end));
        let before = self.less(at, to);
        let is_inside = self.expr(ExprKind::Binary(BinOp::And, behind, before), int);
        let either = self.stmt(StmtKind::If(is_inside, inside, Some(rim)));
        let (at, to) = (self.load(k), self.load(count));
        let more = self.less(at, to);
        let turns = self.stmt(StmtKind::While(more, either));
        items.push(turns);
    }

    /// Builds `for (init; k < to; k++) { var = start + k; body }`.
    fn iterations(
        &mut self,
        part: &Part,
        init: ForInit,
        k: LocalId,
        to: LocalId,
        inside: bool,
    ) -> StmtId {
        let (start, steps) = (self.load(part.start), self.load(k));
        let value = self.bin(BinOp::Add, start, steps);
        let set = self.assign_var(part.plan, value);
        let mut steps = |w: &mut Writer| w.load(k);
        let mut local = LocalRefs {
            plan: part.plan,
            pointers: &part.pointers,
            inside,
            steps: &mut steps,
        };
        let body = self.localising(&mut local, |copier, body| copier.stmt(body, part.inner));
        let run = self.counted(init, k, to, vec![set, body]);
        self.describe(run, body, part.trivia);
        run
    }

    /// Computes `to - from`.
    fn between(&mut self, from: LocalId, to: LocalId) -> ExprId {
        let [to, from] = [to, from].map(|l| self.load(l));
        self.bin(BinOp::Sub, to, from)
    }

    /// Builds `for (init; counter < to; counter++) { items }`.
    fn counted(
        &mut self,
        init: ForInit,
        counter: LocalId,
        to: LocalId,
        items: Vec<StmtId>,
    ) -> StmtId {
        let block = self.stmt(StmtKind::Compound(Block {
            items,
            ..Block::default()
        }));
        let place = self.place(counter);
        let step = self.expr(
            ExprKind::IncDec {
                place,
                post: true,
                dec: false,
            },
            LONG,
        );
        let (a, b) = (self.load(counter), self.load(to));
        let cond = self.less(a, b);
        self.stmt(StmtKind::For {
            init,
            cond: Some(cond),
            step: Some(step),
            body: block,
        })
    }

    /// `offset`, plus the phase of the owner's pointer.
    fn shift(&mut self, owner: &Owner) -> ExprId {
        let offset = self.int(owner.offset);
        let Some(base) = owner.base else {
            return offset;
        };
        let pointer = self.copy(base.load);
        let phase = self.rt(RtOp::Phaseof, &[pointer], QualType::plain(Types::SIZE_T));
        let phase = self.cast(phase, LONG);
        self.bin(BinOp::Add, offset, phase)
    }

    /// Computes the first iteration of a block.
    fn block_start(&mut self, block: LocalId, shift: Option<LocalId>, owner: &Owner) -> ExprId {
        let block = self.load(block);
        self.start_of(block, shift, owner)
    }

    /// Computes `block * size - shift`; for iterations that are spread, `ceil(block * size / THREADS) - shift`.
    fn start_of(&mut self, block: ExprId, shift: Option<LocalId>, owner: &Owner) -> ExprId {
        let mut begin = self.times(block, owner.block);
        if owner.spread {
            let most = self.threads();
            let most = self.plus(most, -1);
            let (sum, threads) = (self.bin(BinOp::Add, begin, most), self.threads());
            begin = self.rt(RtOp::FloorDiv, &[sum, threads], LONG);
        }
        let Some(shift) = shift else { return begin };
        let shift = self.load(shift);
        self.bin(BinOp::Sub, begin, shift)
    }

    /// Declares one private pointer for each base and element type, to the element of iteration `at`.
    fn local_pointers(
        &mut self,
        items: &mut Vec<StmtId>,
        plan: &Plan,
        at: LocalId,
    ) -> HashMap<ExprId, LocalId> {
        let mut refs: Vec<(&ExprId, &OwnRef)> = plan.local.iter().collect();
        refs.sort_by_key(|&(id, _)| *id);
        let mut made: Vec<(&ElemRef, LocalId)> = Vec::new();
        let mut pointers = HashMap::new();
        for (&place, OwnRef { element: r, .. }) in refs {
            let known = made
                .iter()
                .find(|(m, _)| m.base == r.base && m.elem == r.elem && m.row == r.row);
            let local = match known {
                Some(&(_, local)) => local,
                None => {
                    let local = self.local_pointer(items, plan, r, at);
                    made.push((r, local));
                    local
                }
            };
            pointers.insert(place, local);
        }
        pointers
    }

    fn local_pointer(
        &mut self,
        items: &mut Vec<StmtId>,
        plan: &Plan,
        r: &ElemRef,
        at: LocalId,
    ) -> LocalId {
        let elem = private(r.elem);
        let ty = QualType::plain(self.module.types.pointer_to(elem));
        let row_ty = self.body.exprs[r.step].ty;
        self.define(items, "own", ty, |w| {
            let ptr = w.copy(r.start);
            let at = w.load(at);
            let index = w.plus(at, plan.owner.offset);
            let address = w.expr(
                ExprKind::PtrAdd {
                    ptr,
                    index,
                    negate: false,
                },
                row_ty,
            );
            w.rt(RtOp::LocalNn, &[address], ty)
        })
    }

    /// Copies code so that the plan's local references go through private pointers.
    fn localising<R>(
        &mut self,
        local: &mut LocalRefs,
        copy: impl FnOnce(&mut Copier, &mut Body) -> R,
    ) -> R {
        let span = self.span;
        let module = &mut *self.module;
        let mut replace = |body: &mut Body, id: ExprId| {
            let element = element_root(body, id)?;
            let (r, &pointer) = (
                local.plan.local.get(&element)?,
                local.pointers.get(&element)?,
            );
            if r.ahead != 0 && !local.inside {
                return None;
            }
            Some(Writer { module, body, span }.private_place(id, r, pointer, local))
        };
        copy(
            &mut Copier {
                replace: &mut replace,
            },
            self.body,
        )
    }

    /// The place `id` (the element, or a member of it) accessed through the private pointer.
    fn private_place(
        &mut self,
        id: ExprId,
        r: &OwnRef,
        pointer: LocalId,
        local: &mut LocalRefs,
    ) -> ExprId {
        let Expr { kind, ty, span, .. } = self.body.exprs[id];
        self.span = span;
        if let ExprKind::Field(inner, field) = kind {
            let inner = self.private_place(inner, r, pointer, local);
            return self.expr(ExprKind::Field(inner, field), private(ty));
        }
        let steps = (local.steps)(self);
        let steps = self.plus(steps, r.ahead);
        let r = &r.element;
        let mut index = self.times(steps, r.row);
        for &(subscript, elements) in &r.inner {
            // Inner subscripts may contain local references themselves.
            let subscript = self.localising(local, |copier, body| copier.expr(body, subscript));
            let subscript = self.cast(subscript, LONG);
            let elements = self.times(subscript, elements);
            index = self.bin(BinOp::Add, index, elements);
        }
        let ptr = self.load(pointer);
        let address = self.moved(ptr, index);
        self.expr(ExprKind::Deref(address), private(r.elem))
    }
}

/// The common parts of the loops within a block.
struct Part<'a> {
    plan: &'a Plan,
    inner: StmtId,
    pointers: HashMap<ExprId, LocalId>,
    /// The first iteration of the block that runs.
    start: LocalId,
    /// The pragmas and attributes in front of the user's loop.
    trivia: Option<u32>,
}

/// The references of a loop body that are private in owned iterations.
struct LocalRefs<'a> {
    plan: &'a Plan,
    /// The private pointer of each reference, to the row of the first iteration.
    pointers: &'a HashMap<ExprId, LocalId>,
    /// References with `ahead` other than 0 are local too.
    inside: bool,
    /// Writes the number of owned rows between the first iteration and the current one.
    steps: &'a mut dyn FnMut(&mut Writer) -> ExprId,
}

/// The element: the place itself, or the place under its `Field`s.
fn element_root(body: &Body, mut id: ExprId) -> Option<ExprId> {
    use ExprKind::*;
    loop {
        match body.exprs[id].kind {
            Field(inner, _) => id = inner,
            Deref(_) => return Some(id),
            Local(_) | Object(_) | Str | CompoundLit(_) | RealPlace(_) | ImagPlace(_) | Int(_)
            | Number | Load(_) | AddrOf(_) | Decay(_) | Unary(..) | Binary(..) | PtrDiff(..)
            | Cond(..) | CondElvis(..) | Comma(..) | Call(..) | SizePerThread(_)
            | SizeofPlace(_) | StmtExpr(_) | LabelAddr(_) | VaArg(_) | Opaque | Threads
            | MyThread => return None,
            Assign { .. } | AssignOp { .. } | IncDec { .. } => return None,
            PtrAdd { .. } | Cast { .. } | Rt { .. } => return None,
        }
    }
}
