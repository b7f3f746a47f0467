//! The iterations of an `upc_forall`: which of their references may touch the same elements, and whether different threads
//! run iterations that are a known number apart (UPC 6.6.2).
//!
//! Nothing rewrites what is found here. The loop may contain counted loops: what two references touch is then compared for
//! equal values of the inner loop variables.

use super::super::analysis::affine::Affine;
use super::super::analysis::effects::Effects;
use super::super::analysis::stride::Stride;
use super::affinity::named;
use super::{
    Dependence, Form, Reference, body_of, form_with, references, shared_accesses, walkers,
};
use crate::il::walk::{Node, visit};
use crate::il::{Affinity, Body, ExprId, ExprKind, LocalId, Module, StmtId, StmtKind};
use hashbrown::{HashMap, HashSet};
use upcc_grammar::ast::BinOp;

/// A loop body of more nodes, or with more shared accesses, is not compared: each pair of accesses is.
const MOST_NODES: usize = 4000;
const MOST_ACCESSES: usize = 64;

/// The shared references of an `upc_forall`.
pub struct Iterations {
    pub references: Vec<Reference>,
    pub dependences: Vec<Dependence>,
    /// The greatest number of iterations, if it is known.
    pub most_turns: Option<u64>,
    owner: Owner,
}

/// The thread that runs an iteration.
#[derive(Clone, Copy)]
enum Owner {
    Unknown,
    /// Always the same one.
    One,
    /// It changes somewhere among the iterations: they are divided into ranges.
    Ranges,
    /// The one that has an element of an array of this block size; the element moves by this much in an iteration.
    Element {
        block: u32,
        stride: Stride,
    },
}

impl Iterations {
    /// True if different threads run two iterations that are this many apart, for some of them.
    #[must_use]
    pub fn may_be_on_two_threads(&self, apart: i64, static_threads: Option<u32>) -> bool {
        match self.owner {
            Owner::Unknown | Owner::One => false,
            Owner::Ranges => apart != 0,
            Owner::Element { block, stride } => {
                let round = i64::from(block);
                let moved = stride.times(apart);
                let same = moved.is_none_or(|it| {
                    it.in_threads(static_threads)
                        .is_some_and(|own| own % round == 0)
                });
                !same
            }
        }
    }
}

/// Compares the references of an `upc_forall` with an affinity. The variables count the loops inside it. `None`: it does
/// not count, or it is too large.
#[must_use]
pub fn of_forall(
    module: &Module,
    body: &Body,
    stmt: StmtId,
    escaped: &HashSet<LocalId>,
    counters: &HashSet<LocalId>,
) -> Option<Iterations> {
    let StmtKind::Forall { affinity, .. } = body.stmt(stmt).kind else {
        return None;
    };
    let inner = body_of(body, stmt);
    let accesses = shared_accesses(&module.types, body, inner);
    if accesses.len() < 2 || accesses.len() > MOST_ACCESSES || is_large(body, inner) {
        return None;
    }
    let mut effects = Effects::of(module, body, inner, escaped);
    effects.written.retain(|it| !counters.contains(it));
    effects.declared.retain(|it| !counters.contains(it));
    let (form, effects) = form_with(module, body, stmt, effects).ok()?;
    // One thread does not execute the body of each iteration, so steps in it count only that thread's own.
    if form.tail > 0 || form.walkers.iter().any(|it| it.within) || effects.syncs || form.exits {
        return None;
    }
    let owner = owner(module, body, &form, &effects, affinity);
    let (references, dependences) = references(module, body, &form, &effects, &accesses);
    Some(Iterations {
        references,
        dependences,
        most_turns: form.most_turns(),
        owner,
    })
}

/// True for an `upc_forall` whose iterations all run on one thread, as constant bounds and a block of an array show.
#[must_use]
pub fn is_on_one_thread(
    module: &Module,
    body: &Body,
    stmt: StmtId,
    escaped: &HashSet<LocalId>,
) -> bool {
    let StmtKind::Forall { affinity, .. } = body.stmt(stmt).kind else {
        return false;
    };
    let effects = Effects::of(module, body, body_of(body, stmt), escaped);
    let form = form_with(module, body, stmt, effects);
    form.is_ok_and(|(form, effects)| {
        matches!(owner(module, body, &form, &effects, affinity), Owner::One)
    })
}

fn is_large(body: &Body, inner: StmtId) -> bool {
    let mut nodes = 0;
    visit(body, Node::Stmt(inner), &mut |_| {
        nodes += 1;
        nodes <= MOST_NODES
    });
    nodes > MOST_NODES
}

fn owner(
    module: &Module,
    body: &Body,
    form: &Form,
    effects: &Effects,
    affinity: Affinity,
) -> Owner {
    if form.most_turns() == Some(1) {
        return Owner::One;
    }
    // The affinity is evaluated before the body sets anything.
    let none = HashMap::new();
    let affine = Affine {
        module,
        body,
        var: form.count.var,
        effects,
        derived: &none,
        walkers: &walkers::strides(&form.count, &form.walkers),
    };
    let found = match affinity {
        Affinity::All => None,
        Affinity::Int(e) => owner_by_number(&affine, form, e),
        Affinity::Pts(e) => owner_by_element(&affine, form, e),
    };
    found.unwrap_or(Owner::Unknown)
}

/// The thread that a number names: that many elements into a cyclic array.
fn owner_by_number(affine: &Affine, form: &Form, e: ExprId) -> Option<Owner> {
    let body = affine.body;
    let mut number = e;
    while let ExprKind::Cast { value, .. } = body.expr(number).kind {
        number = value;
    }
    if let ExprKind::Binary(BinOp::Div, of, by) = body.expr(number).kind {
        let divides = affine.index(of)? != Stride::ZERO && affine.index(by)? == Stride::ZERO;
        return divides.then_some(Owner::Ranges);
    }
    if let ExprKind::Binary(BinOp::Rem, of, by) = body.expr(number).kind
        && matches!(body.expr(by).kind, ExprKind::Threads)
    {
        number = of;
    }
    let stride = affine.index(number)?.scaled(form.count.step)?;
    Some(if stride == Stride::ZERO {
        Owner::One
    } else {
        Owner::Element { block: 1, stride }
    })
}

/// The thread that has the element to which a pointer-to-shared leads.
fn owner_by_element(affine: &Affine, form: &Form, e: ExprId) -> Option<Owner> {
    let named = named(affine, e)?;
    let (block, moved) = (named.block, named.stride(affine)?);
    let stride = moved.scaled(form.count.step)?;
    if block == 0 || stride == Stride::ZERO {
        return Some(Owner::One);
    }
    if let (Some((low, high)), Stride::Constant(each), Some(position)) =
        (form.range, moved, named.residue(affine))
    {
        let (a, b) = (each.checked_mul(low)?, each.checked_mul(high)?);
        let room = position.room_in_block(i64::from(block), a.min(b), a.max(b));
        if room.is_some() {
            return Some(Owner::One);
        }
    }
    Some(Owner::Element { block, stride })
}
