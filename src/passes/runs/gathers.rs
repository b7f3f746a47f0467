//! Gathers: a loop reads elements in an order that only its data knows, `x[col[j]]`, or with a stride. Where their memory
//! is not mapped, a loop in front of a run computes their addresses, and the runtime reads them with one message to each
//! thread.
//!
//! ```text
//! shared [B] double **places = upcr_gather_places();
//! for (long turn = 0; turn < run; turn++)
//!     places[turn] = &x[col[j + turn]];
//! double **table = upcr_gather(0, buffer, places, run, sizeof(double));
//! for (long turn = 0; turn < run; turn++, j++)
//!     s += a[j] * *table[turn];
//! ```
//!
//! An element in mapped memory is read when the program reads it, through its entry of the table. The others are read when
//! the run begins. That is right under the conditions of a strip (`strips`): nothing in the loop synchronizes, every
//! iteration makes the read, and the loop writes only to other declared arrays.

use super::rewrite::{Own, Run, Way};
use super::strips::{BYTES, FEWEST, MOST};
use super::{Kind, Pointer, below};
use crate::il::walk::Copier;
use crate::il::{Body, ExprId, ExprKind, ForInit, LocalId, Module, RtOp, StmtId, StmtKind, UnOp};
use crate::passes::analysis::places::same_value;
use crate::passes::sections::Loop;
use crate::passes::writer::{INT, LONG, Writer, private};
use crate::types::QualType;
use hashbrown::HashSet;
use upcc_grammar::ast::BinOp;

/// Maximum number of gathers of a loop (`UPCR_GATHERS`).
const MOST_GATHERS: usize = 4;

/// Maximum number of iterations of a run (`UPCR_GATHER_MOST`).
pub const TURNS: u64 = 1024;

/// Elements that a run gathers.
pub(super) struct Gather {
    /// The number of the table.
    number: usize,
    /// The number of the buffer.
    buffer: usize,
    /// Elements in the buffer.
    elements: u64,
    /// The loop may have more iterations than that.
    ends_run: bool,
    /// The places of the element, all with the same address.
    pub(super) places: Vec<ExprId>,
    /// Its pointer, by its place in the list, if it has one.
    pub(super) pointer: Option<usize>,
}

impl Gather {
    pub(super) fn ends_run(&self) -> bool {
        self.ends_run
    }
}

/// The pointer of an element, by its place in the list.
fn pointer_of(pointers: &[Pointer], element: ExprId) -> Option<usize> {
    pointers
        .iter()
        .position(|it| it.elements.contains(&element))
}

/// Plans the gathers of a loop whose pointers have their strips.
pub(super) fn plan(
    module: &Module,
    body: &Body,
    found: &Loop,
    pointers: &[Pointer],
) -> Vec<Gather> {
    let Ok(form) = &found.form else {
        return Vec::new();
    };
    if !form.movable {
        return Vec::new();
    }
    let mut gathers: Vec<Gather> = Vec::new();
    let strips = pointers.iter().filter(|it| it.strip.is_some()).count();
    let candidates = found.references.iter().filter_map(|it| it.foreseen);
    let candidates: Vec<ExprId> = candidates
        .filter(|&it| pointer_of(pointers, it).is_none_or(|at| pointers[at].strip.is_none()))
        .collect();
    // What only takes part in the address of another one is read with that.
    let all = pointers.iter().flat_map(|it| &it.elements);
    let inner = all.chain(&candidates).flat_map(|&it| below(body, it));
    let inner: HashSet<ExprId> = inner.collect();
    let wanted = |it: &ExprId| !inner.contains(it) && is_only_read(found, *it);
    for element in candidates.into_iter().filter(wanted) {
        let mut known = gathers.iter_mut();
        if let Some(known) = known.find(|it| same_value(body, it.places[0], element)) {
            known.places.push(element);
            continue;
        }
        let number = gathers.len();
        let buffer = strips + number;
        let size = module.types.fixed_size(body.expr(element).ty).unwrap_or(0);
        let elements = TURNS.min(BYTES / size.max(1));
        if number == MOST_GATHERS || buffer >= MOST || elements < FEWEST {
            continue;
        }
        gathers.push(Gather {
            number,
            buffer,
            elements,
            ends_run: form.most_turns().is_none_or(|turns| turns > elements),
            places: vec![element],
            pointer: pointer_of(pointers, element),
        });
    }
    gathers
}

/// True if the loop does not write what it reads there.
fn is_only_read(found: &Loop, element: ExprId) -> bool {
    let all = || found.references.iter().enumerate();
    let reads = all().filter(|(_, it)| it.foreseen == Some(element));
    let mut pairs = reads.flat_map(|(read, _)| all().map(move |(other, _)| (read, other)));
    pairs.all(|(read, other)| found.are_independent(read, other))
}

impl Writer<'_> {
    /// Ends the run where a buffer does, if its elements are gathered.
    pub(super) fn shorten_to_gathers(&mut self, items: &mut Vec<StmtId>, run: &Run) {
        let ending = run.plan.gathers.iter().filter(|it| it.ends_run);
        let Some(least) = ending.map(|it| it.elements as i64).min() else {
            return;
        };
        let most = self.int(least);
        let turns = self.load(run.run);
        let longer = self.less(most, turns);
        let gathers = self.gathers(run);
        let ends = self.expr(ExprKind::Binary(BinOp::And, longer, gathers), INT);
        let most = self.int(least);
        let set = self.set_run(run, most);
        items.push(self.stmt(StmtKind::If(ends, set, None)));
    }

    /// Builds the test whether the run gathers elements.
    fn gathers(&mut self, run: &Run) -> ExprId {
        let turns = self.load(run.run);
        self.rt(RtOp::Gathers, &[turns], INT)
    }

    /// Builds the test whether the run gathers elements, some of which may not be mapped. `reached`: the test of
    /// [`Writer::is_reached`] for all others.
    pub(super) fn is_gathered(
        &mut self,
        run: &Run,
        starts: &[LocalId],
        reached: Option<ExprId>,
    ) -> ExprId {
        let plan = run.plan;
        let private = |at: &usize| matches!(plan.pointers[*at].kind, Kind::Private(_));
        let walks = plan.gathers.iter().map(|it| it.pointer.filter(private));
        let remote = walks.collect::<Option<Vec<usize>>>().and_then(|walks| {
            let tests = walks.into_iter().map(|at| {
                let mapped = self.is_mapped(starts[at]);
                self.expr(ExprKind::Unary(UnOp::Not, mapped), INT)
            });
            let tests: Vec<ExprId> = tests.collect();
            let or = |a, b| self.expr(ExprKind::Binary(BinOp::Or, a, b), INT);
            tests.into_iter().reduce(or)
        });
        let all = self.gathers(run);
        let tests = remote.into_iter().chain(reached);
        tests.fold(all, |a, b| {
            self.expr(ExprKind::Binary(BinOp::And, a, b), INT)
        })
    }

    /// Gathers the elements of a run, and returns the table of their addresses. `own`: the elements that have pointers.
    pub(super) fn gather(
        &mut self,
        items: &mut Vec<StmtId>,
        run: &Run,
        gather: &Gather,
        own: &Own,
    ) -> LocalId {
        let element = self.body.expr(gather.places[0]).ty;
        let types = &mut self.module.types;
        let pts = QualType::plain(types.pointer_to(element));
        let list = QualType::plain(types.pointer_to(pts));
        let pointer = QualType::plain(types.pointer_to(private(element)));
        let table = QualType::plain(types.pointer_to(pointer));
        let size = types.fixed_size(element).unwrap_or(0) as i64;
        let places = self.define(items, "places", list, |w| {
            w.rt(RtOp::GatherPlaces, &[], list)
        });
        items.push(self.list_places(run, own, (places, pts), gather.places[0]));
        self.define(items, "table", table, |w| {
            let buffer_ty = QualType::plain(w.module.types.pointer_to(private(element)));
            let buffer = w.int(gather.buffer as i64);
            let buffer = w.rt(RtOp::StripBuffer, &[buffer], buffer_ty);
            let number = w.int(gather.number as i64);
            let (places, turns, size) = (w.load(places), w.load(run.run), w.int(size));
            w.rt(RtOp::Gather, &[number, buffer, places, turns, size], table)
        })
    }

    /// Builds `for (long turn = 0; turn < run; turn++) places[turn] = &element;`.
    fn list_places(
        &mut self,
        run: &Run,
        own: &Own,
        (places, pts): (LocalId, QualType),
        element: ExprId,
    ) -> StmtId {
        let zero = self.int(0);
        let (turn, init) = self.declare("turn", LONG, zero);
        let place = self.foreseen(run, own, turn, element);
        let value = self.expr(ExprKind::AddrOf(place), pts);
        let entry = self.entry(places, turn, pts);
        let set = self.expr(
            ExprKind::Assign {
                place: entry,
                value,
            },
            pts,
        );
        let set = self.stmt(StmtKind::Expr(set));
        let next = self.place(turn);
        let step = ExprKind::IncDec {
            place: next,
            post: true,
            dec: false,
        };
        let (a, b) = (self.load(turn), self.load(run.run));
        let cond = self.less(a, b);
        let step = self.expr(step, LONG);
        self.stmt(StmtKind::For {
            init: ForInit::Decl(init),
            cond: Some(cond),
            step: Some(step),
            body: set,
        })
    }

    /// Builds the place `table[turn]`, which has type `ty`.
    pub(super) fn entry(&mut self, table: LocalId, turn: LocalId, ty: QualType) -> ExprId {
        let (ptr, index) = (self.load(table), self.load(turn));
        let entry = self.moved(ptr, index);
        self.expr(ExprKind::Deref(entry), ty)
    }

    /// A copy of an expression with the values that its variables have in iteration `turn` of the run. Shared elements go
    /// through their private pointers.
    fn foreseen(&mut self, run: &Run, own: &Own, turn: LocalId, e: ExprId) -> ExprId {
        let form = run.plan.form;
        let mut replace = |body: &mut Body, id: ExprId| {
            let mut w = Writer {
                module: self.module,
                span: self.span,
                body,
            };
            let part = w.part_of(
                id,
                &|w, id| match own.get(&id)? {
                    Way::Section(_, Kind::Private(_), _) => w.own_whole(own, turn, id),
                    Way::Section(_, Kind::Shared(_) | Kind::Strided(_), _)
                    | Way::Table(_)
                    | Way::Scatter => None,
                },
                &mut |w, e| w.foreseen(run, own, turn, e),
            );
            if part.is_some() {
                return part;
            }
            let ExprKind::Load(place) = w.body.expr(id).kind else {
                return None;
            };
            let ExprKind::Local(local) = w.body.expr(place).kind else {
                return None;
            };
            if local == form.count.var {
                let ty = w.body.expr(id).ty;
                let (value, turns) = (w.load(local), w.load(turn));
                let by = w.by_stride(turns, form.count.step);
                let by = w.cast(by, ty);
                return Some(w.expr(ExprKind::Binary(BinOp::Add, value, by), ty));
            }
            let value = *form.foreseen.get(&local)?;
            Some(w.foreseen(run, own, turn, value))
        };
        Copier {
            replace: &mut replace,
        }
        .expr_out_of_scope(self.body, e)
    }
}
