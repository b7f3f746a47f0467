//! What instrumented units do instead: operations that raise events, with the site they come from.

use super::Lower;
use super::place::Access;
use crate::events::CALLS;
use crate::il::{ExprFlags, ExprId, RtOp, Site, SiteId, SiteKind};
use crate::passes::inst::place_span;
use crate::types::{QualType, Types};
use hashbrown::HashMap;
use upcc_grammar::ast::{Span, SyncKind};
use upcc_grammar::symbol::Symbol;

/// What of an access raises events.
#[derive(Clone, Copy)]
pub(super) struct Watch {
    site: SiteId,
    get: bool,
    put: bool,
}

impl Lower<'_> {
    /// The watch on an access to `place` by a node with these flags.
    pub(super) fn watch(&mut self, place: ExprId, flags: ExprFlags, span: Span) -> Option<Watch> {
        let (get, put) = (
            flags.has(ExprFlags::INSTRUMENT_GET),
            flags.has(ExprFlags::INSTRUMENT_PUT),
        );
        if !get && !put {
            return None;
        }
        let at = place_span(&self.body, place, span);
        let site = self.site(at, SiteKind::Access(self.ty_of(place)));
        Some(Watch { site, get, put })
    }

    /// The operation for a read or write by an access, and what stands before its operands.
    pub(super) fn instrumented_op(
        &mut self,
        op: RtOp,
        access: &Access,
        span: Span,
    ) -> (RtOp, Vec<ExprId>) {
        let (Some(watch), Some((instrumented, is_put))) = (access.watch, instrumented_form(op))
        else {
            return (op, Vec::new());
        };
        if !(if is_put { watch.put } else { watch.get }) {
            return (op, Vec::new());
        }
        let site = self.site_address(watch.site, span);
        let local = self.int(i64::from(self.local_events), span);
        (instrumented, vec![site, local])
    }

    /// The site of a statement or call, as an argument.
    pub(super) fn bare_site(&mut self, span: Span) -> ExprId {
        let site = self.site(span, SiteKind::Bare);
        self.site_address(site, span)
    }

    fn site_address(&mut self, site: SiteId, span: Span) -> ExprId {
        let ty = self.types.pointer_to(QualType::plain(Types::VOID));
        self.rt(RtOp::Site(site), &[], ty, span)
    }

    /// Copies of one piece of text share a site.
    fn site(&mut self, at: Span, kind: SiteKind) -> SiteId {
        let sites = &mut *self.sites;
        *self.site_of.entry((at.lo, at.hi)).or_insert_with(|| {
            sites.push(Site { at, kind });
            SiteId(sites.len() as u32 - 1)
        })
    }

    /// The operation for a instrumented statement of synchronization.
    pub(super) fn instrumented_sync(kind: SyncKind) -> RtOp {
        match kind {
            SyncKind::Notify => RtOp::InstNotify,
            SyncKind::Wait => RtOp::InstWait,
            SyncKind::Barrier => RtOp::InstBarrier,
        }
    }

    /// The operation for a instrumented call of a library function.
    pub(super) fn instrumented_call(&self, name: Symbol) -> Option<RtOp> {
        let name = self.names.name(name);
        let index = CALLS.iter().position(|call| call.name == name)?;
        u16::try_from(index).ok().map(RtOp::InstCall)
    }
}

/// The sites of accesses that `inst` has made, by their text.
pub(super) fn sites_of_accesses(sites: &[Site]) -> HashMap<(u32, u32), SiteId> {
    let sites = sites.iter().enumerate();
    sites
        .filter(|(_, site)| matches!(site.kind, SiteKind::Access(_)))
        .map(|(index, site)| ((site.at.lo, site.at.hi), SiteId(index as u32)))
        .collect()
}

/// The form of an access that raises events, and whether it writes.
fn instrumented_form(op: RtOp) -> Option<(RtOp, bool)> {
    use RtOp::*;
    Some(match op {
        Get => (InstGet, false),
        Get0 => (InstGet0, false),
        GetStrict => (InstGetStrict, false),
        GetBits => (InstGetBits, false),
        GetBitsStrict => (InstGetBitsStrict, false),
        Put => (InstPut, true),
        Put0 => (InstPut0, true),
        PutStrict => (InstPutStrict, true),
        PutBits => (InstPutBits, true),
        PutBitsStrict => (InstPutBitsStrict, true),
        Null | Static | IsNull | Eq | Threadof | Phaseof | Addrfield | Resetphase | Add0 | Add1
        | AddB | At1 | AtB | AtB0 | Diff0 | Diff1 | DiffB | Field | Local | LocalNn | Notify
        | Wait | Barrier | Fence | ForallDepth | Threads | MyThread | ForallSkip | FloorDiv
        | Index | WithPhase | Site(_) | InstOn | InstBudget | InstConsume | InstGet | InstPut
        | InstGet0 | InstPut0 | InstGetStrict | InstPutStrict | InstGetBits | InstPutBits
        | InstGetBitsStrict | InstPutBitsStrict | InstNotify | InstWait | InstBarrier
        | InstFence | InstCall(_) => return None,
    })
}
