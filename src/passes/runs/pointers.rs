//! The pointers of a run: where they start, how far their blocks and buffers reach, and what they go through.

use super::rewrite::Run;
use super::strips::Strip;
use super::{Kind, Pointer};
use crate::il::walk::Copier;
use crate::il::{Body, ExprId, ExprKind, LocalId, RtOp, StmtId, StmtKind, UnOp};
use crate::passes::analysis::stride::Stride;
use crate::passes::sections::{Extent, Section};
use crate::passes::writer::{INT, LONG, Writer, private};
use crate::types::{QualType, Types};
use hashbrown::HashMap;
use upcc_grammar::ast::BinOp;

impl Writer<'_> {
    /// Builds the test whether private pointers reach all elements of a run: those without a buffer are mapped, and those
    /// with one are not elements of others. `None`: they always do. `gathered`: without the pointers whose elements are
    /// gathered.
    pub(super) fn is_reached(
        &mut self,
        run: &Run,
        starts: &[LocalId],
        gathered: bool,
    ) -> Option<ExprId> {
        let pointers = &run.plan.pointers;
        let mut tests = Vec::new();
        for (index, (pointer, &at)) in pointers.iter().zip(starts).enumerate() {
            let Kind::Private(_) = pointer.kind else {
                continue;
            };
            if gathered && run.plan.gathers.iter().any(|it| it.pointer == Some(index)) {
                continue;
            }
            let Some(strip) = &pointer.strip else {
                tests.push(self.is_mapped(at));
                continue;
            };
            for &other in &strip.apart {
                // Both have compared themselves with the other.
                let twice = |it: &Strip| it.apart.contains(&index) && other < index;
                if pointers[other].strip.as_ref().is_some_and(twice) {
                    continue;
                }
                let mapped = self.is_mapped(at);
                let [p, q] = [(pointer, at), (&pointers[other], starts[other])];
                let (m, n) = (self.bytes_of(run, p.0), self.bytes_of(run, q.0));
                let (from, other) = (self.load(p.1), self.load(q.1));
                let apart = self.rt(RtOp::Apart, &[from, m, other, n], INT);
                tests.push(self.expr(ExprKind::Binary(BinOp::Or, mapped, apart), INT));
            }
        }
        tests
            .into_iter()
            .reduce(|a, b| self.expr(ExprKind::Binary(BinOp::And, a, b), INT))
    }

    pub(super) fn is_mapped(&mut self, at: LocalId) -> ExprId {
        let at = self.load(at);
        self.rt(RtOp::Mapped, &[at], INT)
    }

    /// The bytes that a pointer goes through in a run; it does not move, or by one element.
    fn bytes_of(&mut self, run: &Run, pointer: &Pointer) -> ExprId {
        let ty = self.body.expr(pointer.section.element).ty;
        let size = self.module.types.fixed_size(ty).unwrap_or(1);
        if pointer.kind == Kind::Private(Stride::ZERO) {
            return self.int(size as i64);
        }
        let turns = self.load(run.run);
        self.times(turns, size)
    }

    /// Takes the buffer of a strip, and declares the pointer to its elements, in the buffer or in place. `after` writes them
    /// back.
    pub(super) fn strip(
        &mut self,
        items: &mut Vec<StmtId>,
        after: &mut Vec<StmtId>,
        run: &Run,
        pointer: &Pointer,
        (at, strip): (LocalId, &Strip),
    ) -> LocalId {
        let element = private(self.body.expr(pointer.section.element).ty);
        let types = &mut self.module.types;
        let stored = QualType::plain(types.pointer_to(QualType::plain(element.ty)));
        let ty = QualType::plain(types.pointer_to(element));
        let buffer = self.define(items, "strip", stored, |w| {
            let number = w.int(strip.number as i64);
            w.rt(RtOp::StripBuffer, &[number], stored)
        });
        let own = self.define(items, "own", ty, |w| {
            let (from, to) = (w.load(at), w.load(buffer));
            if strip.reads {
                let bytes = w.bytes_of(run, pointer);
                let get = match strip.stays {
                    true => RtOp::StripSee,
                    false => RtOp::StripGet,
                };
                w.rt(get, &[from, to, bytes], ty)
            } else {
                w.rt(RtOp::Strip, &[from, to], ty)
            }
        });
        if strip.writes {
            let (to, from) = (self.load(at), self.load(buffer));
            let bytes = self.bytes_of(run, pointer);
            let void = QualType::plain(Types::VOID);
            let put = self.rt(RtOp::StripPut, &[to, from, bytes], void);
            after.push(self.stmt(StmtKind::Expr(put)));
        }
        own
    }

    /// Ends the run where the pointer's block does, or its buffer if it needs one.
    pub(super) fn shorten(
        &mut self,
        items: &mut Vec<StmtId>,
        run: &Run,
        pointer: &Pointer,
        at: LocalId,
    ) {
        let Kind::Private(_) = pointer.kind else {
            return;
        };
        if let Extent::Block(step) = pointer.section.extent {
            let left = self.define(items, "left", LONG, |w| {
                w.left_in_block(at, pointer.section.block, step)
            });
            let value = self.choose(left, run.run, left, run.run);
            items.push(self.set_run(run, value));
        }
        if let Some(strip) = &pointer.strip
            && strip.ends_run
        {
            let most = self.int(strip.elements as i64);
            let turns = self.load(run.run);
            let longer = self.less(most, turns);
            let mapped = self.is_mapped(at);
            let remote = self.expr(ExprKind::Unary(UnOp::Not, mapped), INT);
            let ends = self.expr(ExprKind::Binary(BinOp::And, longer, remote), INT);
            let most = self.int(strip.elements as i64);
            let set = self.set_run(run, most);
            items.push(self.stmt(StmtKind::If(ends, set, None)));
        }
    }

    pub(super) fn set_run(&mut self, run: &Run, value: ExprId) -> StmtId {
        let place = self.place(run.run);
        let assign = self.expr(ExprKind::Assign { place, value }, LONG);
        self.stmt(StmtKind::Expr(assign))
    }

    /// Returns the private pointer to the element at which a pointer starts: it is its start already, or it is declared.
    pub(super) fn private_pointer(
        &mut self,
        items: &mut Vec<StmtId>,
        run: &Run,
        pointer: &Pointer,
        at: LocalId,
    ) -> LocalId {
        if starts_private(run, pointer) {
            return at;
        }
        let ty = self.private_type(pointer);
        self.define(items, "own", ty, |w| {
            let at = w.load(at);
            w.rt(RtOp::LocalNn, &[at], ty)
        })
    }

    fn private_type(&mut self, pointer: &Pointer) -> QualType {
        let element = private(self.body.expr(pointer.section.element).ty);
        QualType::plain(self.module.types.pointer_to(element))
    }

    /// Builds the step of a private pointer that goes from thread to thread by whole blocks.
    pub(super) fn walk(&mut self, own: LocalId, section: Section, blocks: i64) -> ExprId {
        let element = self.body.expr(section.element).ty;
        let size = self.module.types.fixed_size(element).unwrap_or(1);
        let bytes = size.saturating_mul(u64::from(section.block));
        let ty = self.body.local(own).ty;
        let (place, at) = (self.place(own), self.load(own));
        let (blocks, bytes) = (self.int(blocks), self.int(bytes as i64));
        let value = self.rt(RtOp::Walk, &[at, blocks, bytes], ty);
        self.expr(ExprKind::Assign { place, value }, ty)
    }

    /// Declares a pointer to the first element of a section in this run: a pointer-to-shared, or a private one if nothing
    /// else is needed. The loop variable has its value of the run's first iteration.
    pub(super) fn start(
        &mut self,
        items: &mut Vec<StmtId>,
        run: &Run,
        pointer: &Pointer,
    ) -> LocalId {
        let start = pointer.section.element;
        let element = self.body.expr(start).ty;
        let ty = QualType::plain(self.module.types.pointer_to(element));
        let derived = &run.plan.form.derived;
        if starts_private(run, pointer) {
            let private = self.private_type(pointer);
            return self.define(items, "own", private, |w| {
                let place = w.with_values(start, derived);
                let at = w.expr(ExprKind::AddrOf(place), ty);
                w.rt(RtOp::LocalNn, &[at], private)
            });
        }
        self.define(items, "at", ty, |w| {
            let place = w.with_values(start, derived);
            w.expr(ExprKind::AddrOf(place), ty)
        })
    }

    /// A copy of an expression with the values of derived variables, which are not declared yet, in their places.
    fn with_values(&mut self, e: ExprId, derived: &HashMap<LocalId, ExprId>) -> ExprId {
        let mut replace = |body: &mut Body, id: ExprId| {
            let mut inner = Writer {
                module: self.module,
                span: self.span,
                body,
            };
            if let Some(value) = inner.value_of_step(id) {
                return Some(value);
            }
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
        Copier {
            replace: &mut replace,
        }
        .expr_out_of_scope(self.body, e)
    }

    /// The value of `p++`, `++i` or the like, without its effect.
    fn value_of_step(&mut self, e: ExprId) -> Option<ExprId> {
        let ExprKind::IncDec { place, post, dec } = self.body.expr(e).kind else {
            return None;
        };
        let ExprKind::Local(local) = self.body.expr(place).kind else {
            return None;
        };
        let value = self.load(local);
        if post {
            return Some(value);
        }
        let ty = self.body.expr(value).ty;
        let one = self.int(1);
        let next = match self.module.types.is_pts(ty) {
            true => ExprKind::PtrAdd {
                ptr: value,
                index: one,
                negate: dec,
            },
            false => {
                let one = self.cast(one, ty);
                let op = if dec { BinOp::Sub } else { BinOp::Add };
                ExprKind::Binary(op, value, one)
            }
        };
        Some(self.expr(next, ty))
    }

    /// The number of iterations from an element to the end of its block.
    fn left_in_block(&mut self, at: LocalId, block: u32, step: Stride) -> ExprId {
        let at = self.load(at);
        let phase = self.rt(RtOp::Phaseof, &[at], QualType::plain(Types::SIZE_T));
        let phase = self.cast(phase, LONG);
        if let Stride::Constant(n) = step
            && n < 0
        {
            let rest = self.divided(phase, Stride::Constant(n.saturating_neg()));
            return self.plus(rest, 1);
        }
        let last = self.int(i64::from(block) - 1);
        let rest = self.bin(BinOp::Sub, last, phase);
        let rest = self.divided(rest, step);
        self.plus(rest, 1)
    }

    /// `n / stride`
    fn divided(&mut self, n: ExprId, stride: Stride) -> ExprId {
        if stride == Stride::Constant(1) {
            return n;
        }
        let one = self.int(1);
        let by = match stride {
            Stride::Constant(n) => self.int(n),
            Stride::Threads(_) => self.by_stride(one, stride),
        };
        self.bin(BinOp::Div, n, by)
    }
}

/// True if the start of a pointer is used for a private pointer only, and the whole run is in the block of the start: all
/// memory is mapped, and no block ends the run. The first iteration need not make the access, and an element before the
/// array may be in another block than the next one.
fn starts_private(run: &Run, pointer: &Pointer) -> bool {
    let block = i64::from(pointer.section.block);
    let in_block = match pointer.section.extent {
        Extent::Whole(Stride::Constant(n)) => n == 0 || block == 0 || n % block != 0,
        Extent::Whole(Stride::Threads(_)) | Extent::Block(_) | Extent::Element => false,
    };
    matches!(pointer.kind, Kind::Private(_)) && !run.plan.remote && in_block
}
