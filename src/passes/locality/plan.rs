//! Decides whether the iterations of a `upc_forall` that a thread owns are stepped through, and which references become
//! private accesses.

use crate::il::walk::{Node, visit};
use crate::il::{Body, ExprFlags, ExprId, LocalId, Module, StmtId};
use crate::passes::analysis::effects::Effects;
use crate::passes::analysis::places::{accessed, member_root};
use crate::passes::sections::{OwnRef, Owned, Owner, owned};
use hashbrown::HashMap;

/// A loop whose owned iterations can be enumerated.
pub struct Plan {
    /// The loop variable: it steps up by one, and the body does not change it.
    pub var: LocalId,
    /// The loop runs while `var < bound`, or `<=`.
    pub bound: ExprId,
    pub inclusive: bool,
    /// The condition, if its conversion to an unsigned type makes it false for a negative start: then the loop never
    /// runs.
    pub guard: Option<ExprId>,
    pub owner: Owner,
    /// Places in the body that are local in owned iterations; each is a whole element reference.
    pub local: HashMap<ExprId, OwnRef>,
}

impl Plan {
    /// Number of iterations at the beginning and at the end of a block whose references reach other blocks.
    pub fn rims(&self) -> (i64, i64) {
        rims(&self.local)
    }

    /// Removes the accesses that raise events.
    pub fn keep_instrumented(&mut self, body: &Body, root: StmtId) {
        visit(body, Node::Stmt(root), &mut |node| {
            let Node::Expr(e) = node else { return true };
            let flags = body.exprs[e].flags;
            let instrumented =
                flags.has(ExprFlags::INSTRUMENT_GET) || flags.has(ExprFlags::INSTRUMENT_PUT);
            if instrumented && let Some(place) = accessed(body, e) {
                self.local.remove(&member_root(body, place));
            }
            true
        });
    }
}

fn rims(local: &HashMap<ExprId, OwnRef>) -> (i64, i64) {
    let aheads = || local.values().map(|r| r.ahead);
    let behind = aheads().min().unwrap_or(0).min(0);
    (-behind, aheads().max().unwrap_or(0).max(0))
}

/// Plans a loop. `None`: the loop is not of the supported form, and the general lowering applies.
pub fn plan(module: &Module, body: &Body, stmt: StmtId, effects: &Effects) -> Option<Plan> {
    if effects.jumps() || effects.opaque {
        return None;
    }
    let Owned {
        count,
        owner,
        references,
    } = owned(module, body, stmt, effects)?;
    Some(Plan {
        var: count.var,
        bound: count.bound,
        inclusive: count.inclusive,
        guard: count.guard,
        local: local_refs(references, &owner),
        owner,
    })
}

/// A block gets an inner loop of its own if the rims at its ends have at most one in `RIM_OF` of its iterations.
const RIM_OF: u64 = 4;

/// Those of the references that are local, all or but for the ends of a block.
fn local_refs(mut found: HashMap<ExprId, OwnRef>, owner: &Owner) -> HashMap<ExprId, OwnRef> {
    let most = (owner.block / RIM_OF) as i64;
    found.retain(|_, r| r.ahead == 0 || (-most..=most).contains(&r.ahead));
    let (front, back) = rims(&found);
    if (front + back) as u64 > owner.block / RIM_OF {
        found.retain(|_, r| r.ahead == 0);
    }
    found
}
