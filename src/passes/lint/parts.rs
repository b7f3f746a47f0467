//! The parts of variables that something may give a value other than null.

use super::*;
use crate::il::PathElem;

/// A variable of a function, or a declared object.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Root {
    Local(LocalId),
    Object(ObjectId),
}

/// A variable, or a member of it or of its elements. The members of a union are one part.
pub(super) struct Part {
    pub root: Root,
    members: Vec<u32>,
}

impl Part {
    /// The part that a place is, or is an element of.
    pub(super) fn of(module: &Module, body: &Body, mut place: ExprId) -> Option<Part> {
        let mut members = Vec::new();
        let root = loop {
            let kind = body.exprs[place].kind;
            place = if let ExprKind::Local(local) = kind {
                break Root::Local(local);
            } else if let ExprKind::Object(object) = kind {
                break Root::Object(object);
            } else if let ExprKind::Field(record, member) = kind {
                let types = &module.types;
                let id = types.record_id(body.exprs[record].ty)?;
                match types.record(id).is_union {
                    true => members.clear(),
                    false => members.push(member),
                }
                record
            } else if let ExprKind::RealPlace(inner) | ExprKind::ImagPlace(inner) = kind {
                inner
            } else if let ExprKind::Deref(pointer) = kind {
                let array = subscripted(body, pointer)?;
                let ExprKind::Decay(array) = body.exprs[array].kind else {
                    return None;
                };
                array
            } else {
                return None;
            };
        };
        members.reverse();
        Some(Part { root, members })
    }
}

/// The array, converted to a pointer, of which a pointer selects an element.
fn subscripted(body: &Body, mut pointer: ExprId) -> Option<ExprId> {
    while let ExprKind::PtrAdd { ptr, .. } = body.exprs[pointer].kind {
        pointer = ptr;
    }
    matches!(body.exprs[pointer].kind, ExprKind::Decay(_)).then_some(pointer)
}

/// A set of parts.
#[derive(Default)]
pub(super) struct Parts(HashMap<Root, HashSet<Vec<u32>>>);

impl Parts {
    /// True if the set has a part that contains this one, or is in it.
    pub(super) fn meets(&self, part: &Part) -> bool {
        let within = |a: &[u32], b: &[u32]| a.starts_with(b) || b.starts_with(a);
        let all = self.0.get(&part.root);
        all.is_some_and(|all| all.iter().any(|other| within(other, &part.members)))
    }

    fn add(&mut self, part: Part) {
        self.0.entry(part.root).or_default().insert(part.members);
    }

    /// Adds what the expressions of a body assign to, or take the address of.
    pub(super) fn add_set_by(&mut self, module: &Module, body: &Body) {
        let exprs = || body.exprs.iter_enumerated();
        let elements = exprs().filter_map(|(_, expr)| {
            if let ExprKind::Deref(pointer) = expr.kind {
                subscripted(body, pointer)
            } else {
                None
            }
        });
        let elements: HashSet<ExprId> = elements.collect();
        for (e, expr) in exprs() {
            if let ExprKind::Assign { place, .. }
            | ExprKind::AssignOp { place, .. }
            | ExprKind::IncDec { place, .. }
            | ExprKind::AddrOf(place)
            | ExprKind::Decay(place) = expr.kind
                && !elements.contains(&e)
            {
                self.add_place(module, body, place);
            }
        }
    }

    /// Adds the part that a place is.
    pub(super) fn add_place(&mut self, module: &Module, body: &Body, place: ExprId) {
        if let Some(part) = Part::of(module, body, place) {
            self.add(part);
        }
    }

    /// Adds what an initialiser gives another value than null.
    pub(super) fn add_initialised(&mut self, body: &Body, root: Root, init: InitId) {
        let mut rest = vec![(Vec::new(), init)];
        while let Some((members, init)) = rest.pop() {
            match &body.init(init).kind {
                InitKind::Expr(e) if unit::is_null(body, *e) => {}
                InitKind::Expr(_) => self.add(Part { root, members }),
                InitKind::List(items) => {
                    let field = |step: &PathElem| match *step {
                        PathElem::Field(member) => Some(member),
                        PathElem::Index(_) | PathElem::Range(..) => None,
                    };
                    for (path, inner) in items {
                        let further = path.iter().filter_map(field);
                        rest.push((members.iter().copied().chain(further).collect(), *inner));
                    }
                }
            }
        }
    }
}
