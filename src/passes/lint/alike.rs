//! Which places are the same on all threads that execute a statement, or may be the same on several: objects, what
//! pointers point to that all threads set alike, and elements that data select.
//!
//! Follows what local variables hold, in the order in which the statements are executed first. A variable that is set
//! where threads may be at different places is forgotten.

use super::guards::Guards;
use super::*;
use crate::il::{Affinity, DeclGroup, ForInit};
use crate::passes::analysis::loops::{start, stepped};

/// What a local variable holds.
#[derive(Clone, Copy)]
enum Held {
    /// The address of the same shared memory on all threads; where that is declared or allocated.
    Address(Span),
    /// A value from shared data: other threads may find the same value in other data.
    Data,
}

/// A place that several threads access.
#[derive(Clone, Copy)]
pub(super) struct Place {
    /// Where the object is declared, or the memory is allocated.
    pub made: Span,
    /// Data select the element: several threads may access the same one, but not each thread does.
    pub by_data: bool,
}

#[derive(Default)]
pub(super) struct Alike {
    /// Variables with which each thread counts through the same values.
    counters: Vec<LocalId>,
    held: HashMap<LocalId, Held>,
    /// Variables that were set, each with the number of parts around that may not be executed.
    set: Vec<(u32, LocalId)>,
}

/// Functions that convert a pointer-to-shared to a pointer-to-local.
const CASTS: [&str; 2] = ["upc_cast", "bupc_cast"];

/// Functions that return the same pointer on all threads.
const COLLECTIVE: [&str; 1] = ["upc_all_alloc"];

/// Functions that draw a number.
const RANDOM: [&str; 4] = ["lrand48", "rand", "rand_r", "random"];

/// Where a statement stands.
#[derive(Clone, Copy)]
pub(super) struct At<'a> {
    pub guards: &'a Guards,
    /// Number of parts around that may not be executed.
    pub depth: u32,
    /// Nothing selects a thread.
    pub all: bool,
    /// An iteration of a `upc_forall`, which one thread executes.
    pub shared_out: bool,
}

impl Alike {
    pub(super) fn begin_counter(&mut self, local: LocalId) {
        self.counters.push(local);
    }

    pub(super) fn end_counter(&mut self) {
        self.counters.pop();
    }

    /// A part ends that may not be executed, in which so many are around what follows.
    pub(super) fn close(&mut self, depth: u32) {
        while let Some(&(since, local)) = self.set.last()
            && since > depth
        {
            self.set.pop();
            self.held.remove(&local);
        }
    }

    /// Follows an expression that may set a local variable.
    pub(super) fn assign(&mut self, cx: &Cx<'_>, at: At<'_>, e: ExprId) {
        use ExprKind::{Assign, AssignOp, IncDec, Local};
        let kind = cx.kind(e);
        let (Assign { place, .. } | AssignOp { place, .. } | IncDec { place, .. }) = kind else {
            return;
        };
        let Local(local) = cx.kind(place) else {
            return;
        };
        let stepped = self.address(local).filter(|_| !at.shared_out);
        let held = if let Assign { value, .. } = kind {
            self.held_by(cx, at.guards, value)
        } else if let AssignOp { value, .. } = kind {
            let same = stepped.filter(|_| self.is_same(cx, value));
            same.map(Held::Address)
        } else {
            stepped.map(Held::Address)
        };
        self.keep(cx, at, local, held);
    }

    /// Follows the declarations of a group.
    pub(super) fn declare(&mut self, cx: &Cx<'_>, at: At<'_>, group: &DeclGroup) {
        for decl in &group.decls {
            if let Decl::Local {
                local,
                init: Some(init),
                ..
            } = decl
                && let InitKind::Expr(value) = cx.body.init(*init).kind
            {
                let held = self.held_by(cx, at.guards, value);
                self.keep(cx, at, *local, held);
            }
        }
    }

    fn keep(&mut self, cx: &Cx<'_>, at: At<'_>, local: LocalId, held: Option<Held>) {
        match held.filter(|_| at.all && !cx.escaped.contains(&local)) {
            Some(held) => drop(self.held.insert(local, held)),
            None => drop(self.held.remove(&local)),
        }
        self.set.push((at.depth, local));
    }

    fn address(&self, local: LocalId) -> Option<Span> {
        match self.held.get(&local)? {
            Held::Address(made) => Some(*made),
            Held::Data => None,
        }
    }

    fn held_by(&self, cx: &Cx<'_>, guards: &Guards, value: ExprId) -> Option<Held> {
        let pointed = self.pointed(cx, guards, value);
        let address = pointed.filter(|it| !it.by_data).map(|it| it.made);
        address
            .map(Held::Address)
            .or_else(|| self.is_data(cx, guards, value).then_some(Held::Data))
    }

    /// The shared memory that a place is in, if several threads that come here access the same place.
    pub(super) fn place(&self, cx: &Cx<'_>, guards: &Guards, place: ExprId) -> Option<Place> {
        let kind = cx.kind(place);
        if let ExprKind::Object(object) = kind {
            let made = cx.object(object).span;
            let shared = cx.module.types.is_shared(cx.ty(place));
            shared.then_some(Place {
                made,
                by_data: false,
            })
        } else if let ExprKind::Field(inner, _) = kind {
            self.place(cx, guards, inner)
        } else if let ExprKind::Deref(pointer) = kind {
            self.pointed(cx, guards, pointer)
        } else {
            None
        }
    }

    /// The same for what a pointer points to.
    fn pointed(&self, cx: &Cx<'_>, guards: &Guards, pointer: ExprId) -> Option<Place> {
        use ExprKind::{AddrOf, Call, Decay, IncDec, Load, Local, PtrAdd};
        let pointer = cx.without_casts(pointer);
        let kind = cx.kind(pointer);
        if let AddrOf(place) | Decay(place) = kind {
            self.place(cx, guards, place)
        } else if let PtrAdd { ptr, index, .. } = kind {
            let found = self.pointed(cx, guards, ptr)?;
            let same = self.is_same(cx, index);
            (same || self.is_data(cx, guards, index)).then_some(Place {
                made: found.made,
                by_data: found.by_data || !same,
            })
        } else if let Load(from) | IncDec { place: from, .. } = kind {
            if let Local(local) = cx.kind(from) {
                let by_data = false;
                return self.address(local).map(|made| Place { made, by_data });
            }
            // A pointer in shared memory.
            let is_stored = cx.module.types.is_shared(cx.ty(from));
            self.place(cx, guards, from).filter(|_| is_stored)
        } else if let Call(..) = kind {
            let name = cx.library_call(pointer)?;
            if CASTS.contains(&name) {
                return self.pointed(cx, guards, *cx.arguments(pointer).first()?);
            }
            COLLECTIVE.contains(&name).then_some(Place {
                made: cx.span(pointer),
                by_data: false,
            })
        } else {
            None
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

    /// True for a value that is computed from shared elements or random numbers, and from nothing that MYTHREAD selects.
    fn is_data(&self, cx: &Cx<'_>, guards: &Guards, value: ExprId) -> bool {
        let (mut data, mut apart) = (false, false);
        visit(cx.body, Node::Expr(value), &mut |node| {
            let Node::Expr(e) = node else {
                apart = true;
                return false;
            };
            let kind = cx.kind(e);
            if let ExprKind::Load(place) = kind {
                if let ExprKind::Local(local) = cx.kind(place) {
                    let from_data = matches!(self.held.get(&local), Some(Held::Data));
                    data |= from_data;
                    apart |= !from_data && guards.varies(local);
                } else {
                    let element = is_shared_element(cx, guards, place);
                    data |= element;
                    apart |= !element;
                }
                return false;
            }
            if let ExprKind::Call(..) = kind {
                let random = cx.library_call(e).is_some_and(|it| RANDOM.contains(&it));
                data |= random;
                apart |= !random;
                return false;
            }
            apart |= !matches!(
                kind,
                ExprKind::Int(_)
                    | ExprKind::Number
                    | ExprKind::Threads
                    | ExprKind::Cast { .. }
                    | ExprKind::Unary(..)
                    | ExprKind::Binary(..)
            );
            !apart
        });
        data && !apart
    }
}

/// True for an element of a shared array, unless what selects it may depend on the thread: a thread's part of sorted
/// data has values of its own.
fn is_shared_element(cx: &Cx<'_>, guards: &Guards, place: ExprId) -> bool {
    let (mut selected, mut own) = (false, false);
    visit(cx.body, Node::Expr(place), &mut |node| {
        if let Node::Expr(e) = node {
            let kind = cx.kind(e);
            selected |= matches!(kind, ExprKind::PtrAdd { .. });
            own |= cx.is_mythread(e) || matches!(kind, ExprKind::Call(..));
            own |= matches!(kind, ExprKind::Local(local) if guards.varies(local));
        }
        !own
    });
    selected && !own && cx.module.types.is_shared(cx.ty(place))
}

/// True if the affinity of a `upc_forall` comes from data, by which the iterations may be apart.
pub(super) fn is_by_data(cx: &Cx<'_>, affinity: Affinity) -> bool {
    let (Affinity::Int(e) | Affinity::Pts(e)) = affinity else {
        return false;
    };
    let mut found = false;
    visit(cx.body, Node::Expr(e), &mut |node| {
        if let Node::Expr(e) = node
            && let ExprKind::Load(place) = cx.kind(e)
        {
            found |= cx.module.types.is_shared(cx.ty(place));
        }
        !found
    });
    found
}

/// The variable of a loop that each thread starts at the same constant, and that only the third clause changes.
pub(super) fn same_on_all_threads(
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
