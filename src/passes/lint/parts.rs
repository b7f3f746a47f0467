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

/// A set of parts: a tree for each root, whose edges are members. Paths through all levels would make deep records
/// quadratic.
#[derive(Default)]
pub(super) struct Parts {
    roots: HashMap<Root, usize>,
    nodes: Vec<Node>,
}

/// A part, by its number in [`Parts`].
#[derive(Default)]
struct Node {
    outer: Option<usize>,
    members: HashMap<u32, usize>,
    /// The part is in the set.
    is_whole: bool,
    /// The part, or one in it, is in the set.
    holds: bool,
}

impl Parts {
    /// True if the set has a part that contains this one, or is in it.
    pub(super) fn meets(&self, part: &Part) -> bool {
        let Some(&(mut at)) = self.roots.get(&part.root) else {
            return false;
        };
        for member in &part.members {
            let node = &self.nodes[at];
            if node.is_whole {
                return true;
            }
            let Some(&inner) = node.members.get(member) else {
                return false;
            };
            at = inner;
        }
        self.nodes[at].holds
    }

    /// Returns the node of a variable.
    fn root(&mut self, root: Root) -> usize {
        let nodes = &mut self.nodes;
        *self.roots.entry(root).or_insert_with(|| {
            nodes.push(Node::default());
            nodes.len() - 1
        })
    }

    /// Returns the node of a member of a part.
    fn member(&mut self, of: usize, member: u32) -> usize {
        let next = self.nodes.len();
        let inner = *self.nodes[of].members.entry(member).or_insert(next);
        if inner == next {
            self.nodes.push(Node {
                outer: Some(of),
                ..Node::default()
            });
        }
        inner
    }

    /// Adds the part of a node.
    fn add(&mut self, node: usize) {
        self.nodes[node].is_whole = true;
        let mut at = Some(node);
        while let Some(node) = at.filter(|&node| !self.nodes[node].holds) {
            self.nodes[node].holds = true;
            at = self.nodes[node].outer;
        }
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
            let root = self.root(part.root);
            let node = part
                .members
                .iter()
                .fold(root, |at, &member| self.member(at, member));
            self.add(node);
        }
    }

    /// Adds what an initialiser gives another value than null.
    pub(super) fn add_initialised(&mut self, body: &Body, root: Root, init: InitId) {
        let mut rest = vec![(self.root(root), init)];
        while let Some((node, init)) = rest.pop() {
            match &body.init(init).kind {
                InitKind::Expr(e) if unit::is_null(body, *e) => {}
                InitKind::Expr(_) => self.add(node),
                InitKind::List(items) => {
                    let field = |step: &PathElem| match *step {
                        PathElem::Field(member) => Some(member),
                        PathElem::Index(_) | PathElem::Range(..) => None,
                    };
                    for (path, inner) in items {
                        let steps = path.iter().filter_map(field);
                        let node = steps.fold(node, |at, member| self.member(at, member));
                        rest.push((node, *inner));
                    }
                }
            }
        }
    }
}
