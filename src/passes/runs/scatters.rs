//! Scatters: a loop writes elements in an order that only its data knows, `sorted[place[key]++] = key`. Where their memory is
//! not mapped, the runtime collects the writes to each thread as long as each continues the one before it, and makes them
//! together.
//!
//! ```text
//! long turns = upcr_scatters(run);
//! if (turns != 0) {
//!     run = turns;
//!     for (long turn = 0; turn < run; turn++, i++)
//!         *(T *)upcr_scatter_place(&sorted[place[key]++], sizeof(T)) = key;
//!     upcr_scatter_end();
//! }
//! ```
//!
//! An element in mapped memory is written when the program writes it. The others are written when the run ends, or before.
//! That is right if
//! - nothing in the loop synchronizes or calls a function, so that no other thread can tell;
//! - no other access of the loop concerns the same bytes, other than writes that are collected, too: those to one thread
//!   keep their order;
//! - the write is a statement of its own, so that its value is stored before the next write asks where to store.
//!
//! Only writes that the program makes are collected, so an iteration may leave them out.

use super::Pointer;
use super::rewrite::{Own, Run, Way};
use crate::il::walk::{Node, visit};
use crate::il::{Body, ExprId, ExprKind, LocalId, Module, RtOp, StmtId, StmtKind};
use crate::passes::analysis::places::accessed;
use crate::passes::analysis::stride::Stride;
use crate::passes::sections::{Loop, Reference};
use crate::passes::writer::{LONG, Writer, private};
use crate::types::{QualType, Types};
use hashbrown::HashSet;

/// Maximum number of bytes of an element.
const BYTES: u64 = 256;

/// Plans which writes of a loop are collected: returns their places.
pub(super) fn plan(
    module: &Module,
    body: &Body,
    found: &Loop,
    pointers: &[Pointer],
) -> Vec<ExprId> {
    let Ok(form) = &found.form else {
        return Vec::new();
    };
    if !form.movable {
        return Vec::new();
    }
    let statements = statements(body, form.body);
    let has_pointer = |place: ExprId| {
        let mut all = pointers.iter().flat_map(Pointer::all);
        all.any(|(element, _)| element == place)
    };
    let is_small = |place: ExprId| {
        let size = module.types.fixed_size(body.expr(place).ty);
        size.is_some_and(|size| size <= BYTES)
    };
    // A section's element may be the record with an array in which the place is.
    let is_free = |reference: &Reference| match reference.section {
        Ok(section) => !has_pointer(section.element),
        Err(_) => true,
    };
    let candidates = found.references.iter().enumerate().filter(|(_, it)| {
        let fits = |place| is_small(place) && !has_pointer(place);
        statements.contains(&it.access) && is_free(it) && it.written.is_some_and(fits)
    });
    let mut chosen: Vec<usize> = candidates.map(|(at, _)| at).collect();
    // Each may depend on others that are chosen, until one of those is not.
    loop {
        let before = chosen.len();
        let keeps = |&at: &usize| {
            let mut others = 0..found.references.len();
            others.all(|other| chosen.contains(&other) || found.are_independent(at, other))
        };
        let kept: Vec<usize> = chosen.iter().copied().filter(keeps).collect();
        chosen = kept;
        if chosen.len() == before {
            break;
        }
    }
    let places = chosen.into_iter();
    places
        .filter_map(|at| found.references[at].written)
        .collect()
}

/// The accesses that are statements of their own, with no other such statement in them.
fn statements(body: &Body, root: StmtId) -> HashSet<ExprId> {
    let mut found = HashSet::new();
    visit(body, Node::Stmt(root), &mut |node| {
        if let Node::Stmt(s) = node
            && let StmtKind::Expr(e) = body.stmt(s).kind
            && accessed(body, e).is_some()
        {
            found.insert(e);
            return false;
        }
        true
    });
    found
}

impl Writer<'_> {
    /// Writes the loop of a run that collects writes, which the runtime may make shorter. `otherwise`: the loop of any other.
    pub(super) fn scattered_turns(
        &mut self,
        items: &mut Vec<StmtId>,
        run: &Run,
        starts: &[LocalId],
        walking: (&Own, &[(LocalId, Stride)]),
        otherwise: Vec<StmtId>,
    ) {
        let reached = self.is_reached(run, starts, false);
        let turns = self.define(items, "turns", LONG, |w| {
            let all = w.load(run.run);
            let turns = w.rt(RtOp::Scatters, &[all], LONG);
            let none = w.int(0);
            match reached {
                None => turns,
                Some(reached) => w.expr(ExprKind::Cond(reached, turns, none), LONG),
            }
        });
        let (none, some) = (self.int(0), self.load(turns));
        let scatters = self.less(none, some);
        let turns = self.load(turns);
        let mut with = vec![self.set_run(run, turns)];
        self.collecting_turns(&mut with, run, starts, walking);
        let (with, without) = (self.block(with), self.block(otherwise));
        items.push(self.stmt(StmtKind::If(scatters, with, Some(without))));
    }

    fn collecting_turns(
        &mut self,
        items: &mut Vec<StmtId>,
        run: &Run,
        starts: &[LocalId],
        (shared, walkers): (&Own, &[(LocalId, Stride)]),
    ) {
        let mut after = Vec::new();
        let mut own = self.private_pointers(items, &mut after, run, starts, (shared, false));
        own.extend(run.plan.scatters.iter().map(|&it| (it, Way::Scatter)));
        self.turns(items, run, &own, walkers);
        let end = self.rt(RtOp::ScatterEnd, &[], QualType::plain(Types::VOID));
        items.push(self.stmt(StmtKind::Expr(end)));
        items.extend(after);
    }

    /// The place to which the runtime wants the value of a collected write.
    pub(super) fn scattered(&mut self, own: &Own, turn: LocalId, id: ExprId) -> Option<ExprId> {
        let ExprKind::Deref(pointer) = self.body.expr(id).kind else {
            return None;
        };
        let ty = self.body.expr(id).ty;
        let pts = self.body.expr(pointer).ty;
        let pointer = self.behind_pointers_in(own, turn, pointer);
        let place = self.expr(ExprKind::Deref(pointer), ty);
        let place = self.expr(ExprKind::AddrOf(place), pts);
        let size = self.module.types.fixed_size(ty).unwrap_or(0);
        let size = self.int(size as i64);
        let types = &mut self.module.types;
        let nothing = QualType::plain(types.pointer_to(QualType::plain(Types::VOID)));
        let to = QualType::plain(types.pointer_to(private(ty)));
        let at = self.rt(RtOp::ScatterPlace, &[place, size], nothing);
        let at = self.cast(at, to);
        Some(self.expr(ExprKind::Deref(at), private(ty)))
    }
}
