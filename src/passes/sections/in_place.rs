//! The loop of a caller that leaves each access in its iteration: `uninstrumented_clone`, which only counts them.

use super::{Loop, body_of, certain, described, form_of, shared_accesses};
use crate::il::{Body, LocalId, Module, StmtId};
use hashbrown::HashSet;

/// Describes a counted loop, of which accesses that raise events have sections, too. Pre: the functions that its body calls return.
/// `None`: it does not count.
pub fn in_place(
    module: &Module,
    body: &Body,
    stmt: StmtId,
    escaped: &HashSet<LocalId>,
) -> Option<Loop> {
    let inner = body_of(body, stmt);
    let accesses = shared_accesses(&module.types, body, inner);
    let (mut form, effects) = form_of(module, body, stmt, escaped).ok()?;
    form.in_place = true;
    if effects.calls {
        form.certain = certain(body, inner, false);
    }
    Some(described(
        module,
        body,
        stmt,
        &accesses,
        Ok((form, effects)),
    ))
}
