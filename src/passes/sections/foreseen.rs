//! Foreseen places: those whose addresses can be computed before the iterations that access them, such as `x[col[j]]`.

use super::super::analysis::effects::{Effects, root_of};
use super::super::analysis::loops::{Part, unchanged};
use super::derived::{is_set_once, settings};
use crate::il::walk::{Node, visit};
use crate::il::{Body, ExprFlags, ExprId, ExprKind, LocalId, Module, StmtId};
use hashbrown::HashMap;

/// What each iteration computes from the loop variable and from memory that the loop does not change.
#[derive(Clone, Copy)]
pub(super) struct Foreseen<'a> {
    pub(super) module: &'a Module,
    pub(super) body: &'a Body,
    pub(super) var: LocalId,
    pub(super) effects: &'a Effects,
    /// Variables that the head of the body sets once to foreseen values.
    pub(super) values: &'a HashMap<LocalId, ExprId>,
}

/// The variables that the head of a loop's body sets to foreseen values.
pub(super) fn values(
    module: &Module,
    body: &Body,
    (inner, var): (StmtId, LocalId),
    effects: &Effects,
) -> HashMap<LocalId, ExprId> {
    let mut values = HashMap::new();
    for (local, value) in settings(body, inner) {
        let foreseen = Foreseen {
            module,
            body,
            var,
            effects,
            values: &values,
        };
        if local != var
            && module.types.is_integer(body.local(local).ty)
            && is_set_once(body, inner, local, effects)
            && foreseen.is_foreseen(value)
        {
            values.insert(local, value);
        }
    }
    values
}

impl Foreseen<'_> {
    /// True for an element, a whole one or a record, whose address is foreseen.
    pub(super) fn is_element(&self, element: ExprId) -> bool {
        let (types, ty) = (&self.module.types, self.body.expr(element).ty);
        let designates = matches!(self.body.expr(element).kind, ExprKind::Deref(_));
        let sized = !types.is_array(ty) && types.fixed_size(ty).is_some_and(|size| size > 0);
        designates && sized && self.is_foreseen(element)
    }

    /// True if an expression has no side effect, and can be computed before its iteration, with the value of the loop
    /// variable there.
    pub(super) fn is_foreseen(&self, e: ExprId) -> bool {
        let mut ok = true;
        visit(self.body, Node::Expr(e), &mut |node| {
            ok &= match node {
                Node::Expr(e) => self.is_node_foreseen(e),
                Node::Stmt(_) | Node::Init(_) => false,
            };
            ok
        });
        ok
    }

    fn is_node_foreseen(&self, e: ExprId) -> bool {
        let expr = self.body.expr(e);
        let fixed = [
            ExprFlags::STRICT,
            ExprFlags::INSTRUMENT_GET,
            ExprFlags::INSTRUMENT_PUT,
        ];
        if fixed.into_iter().any(|flag| expr.flags.has(flag)) {
            return false;
        }
        match Part::of(self.body, e, self.effects) {
            Part::Computed | Part::Chosen => true,
            Part::Loaded(place) => self.is_load_foreseen(place),
            Part::Other => false,
        }
    }

    fn is_load_foreseen(&self, place: ExprId) -> bool {
        if let ExprKind::Local(local) = self.body.expr(root_of(self.body, place)).kind
            && (local == self.var || self.values.contains_key(&local))
        {
            return true;
        }
        unchanged(self.module, self.body, place, self.var, self.effects)
    }
}
