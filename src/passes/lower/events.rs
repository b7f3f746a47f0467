//! Lowering of instrumented units: operations that raise events, with their sites.

use super::Lower;
use super::place::Access;
use crate::events::CALLS;
use crate::ids::TiVec;
use crate::il::operations::Direction;
use crate::il::{ExprFlags, ExprId, RtOp, Site, SiteId, SiteKind};
use crate::passes::analysis::places::place_span;
use crate::types::{QualType, Types};
use hashbrown::HashMap;
use upcc_grammar::ast::Span;
use upcc_grammar::symbol::Symbol;

/// The events of an access.
#[derive(Clone, Copy)]
pub(super) struct AccessEvents {
    site: SiteId,
    get: bool,
    put: bool,
}

impl Lower<'_> {
    /// The events of an access to `place` by a node with these flags.
    pub(super) fn access_events(
        &mut self,
        place: ExprId,
        flags: ExprFlags,
        span: Span,
    ) -> Option<AccessEvents> {
        let (get, put) = (
            flags.has(ExprFlags::INSTRUMENT_GET),
            flags.has(ExprFlags::INSTRUMENT_PUT),
        );
        if !get && !put {
            return None;
        }
        let at = place_span(&self.body, place, span);
        let site = self.site(at, SiteKind::Access(self.ty_of(place)));
        Some(AccessEvents { site, get, put })
    }

    /// The operands of an access that raises an event: its site, and whether local accesses raise events. None if it raises none.
    pub(super) fn event_of_access(
        &mut self,
        direction: Direction,
        access: &Access,
        span: Span,
    ) -> Vec<ExprId> {
        let raises = |events: &AccessEvents| match direction {
            Direction::Get => events.get,
            Direction::Put => events.put,
            Direction::Update(_) => events.get && events.put,
        };
        let Some(events) = access.events.filter(raises) else {
            return Vec::new();
        };
        let site = self.site_address(events.site, span);
        vec![site, self.int(i64::from(self.local_events), span)]
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

    /// Copies of the same text share a site.
    fn site(&mut self, at: Span, kind: SiteKind) -> SiteId {
        let sites = &mut *self.sites;
        *self.site_of.entry((at.lo, at.hi)).or_insert_with(|| {
            sites.push(Site { at, kind });
            SiteId(sites.len() as u32 - 1)
        })
    }

    /// The operation for an instrumented call of a library function.
    pub(super) fn instrumented_call(&self, name: Symbol) -> Option<RtOp> {
        let name = self.names.name(name);
        let index = CALLS.iter().position(|call| call.name == name)?;
        u16::try_from(index).ok().map(RtOp::InstCall)
    }
}

/// The sites of accesses that `inst` has created, by their text.
pub(super) fn sites_of_accesses(sites: &TiVec<SiteId, Site>) -> HashMap<(u32, u32), SiteId> {
    let sites = sites.iter_enumerated();
    sites
        .filter(|(_, site)| matches!(site.kind, SiteKind::Access(_)))
        .map(|(id, site)| ((site.at.lo, site.at.hi), id))
        .collect()
}
