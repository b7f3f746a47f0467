//! Checks jumps that must not enter a region: the scope of an identifier with a variably modified type (C11 6.8.6.1p1,
//! 6.8.4.2p2), or a statement expression (GNU).

use super::report::code;
use super::upc::first_token;
use super::*;

/// The kind of a region.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Guard {
    /// The scope of an identifier.
    Variable,
    StatementExpr,
    /// A statement after `#pragma upcc race_ok`, which may be entered elsewhere, without the pragma's effect.
    RaceOk,
}

/// A part of a function that may only be entered at its beginning.
struct Region {
    guard: Guard,
    first: Span,
    /// The token after it; `None` while it is open.
    end: Option<u32>,
    /// The innermost region around it.
    outer: RegionId,
}

/// The regions of the current function and of its enclosing functions.
#[derive(Default)]
pub(super) struct Regions {
    all: Vec<Region>,
    /// Indices of the open regions, inner ones last.
    open: Vec<u32>,
}

/// A region, by number.
pub(super) type RegionId = Option<u32>;

impl Regions {
    pub(super) fn innermost(&self) -> RegionId {
        self.open.last().copied()
    }

    pub(super) fn enter(&mut self, guard: Guard, first: Span) {
        let outer = self.innermost();
        self.open.push(self.all.len() as u32);
        self.all.push(Region {
            guard,
            first,
            end: None,
            outer,
        });
    }

    pub(super) fn mark(&self) -> usize {
        self.open.len()
    }

    /// Ends the regions that were entered after a mark.
    pub(super) fn leave(&mut self, mark: usize, end: u32) {
        for id in self.open.drain(mark..) {
            self.all[id as usize].end = Some(end);
        }
    }

    /// Whether a token is in a region. Regions nest, so a token in the innermost region around a place is in all of
    /// them.
    fn holds(&self, id: RegionId, token: u32) -> bool {
        id.is_none_or(|id| {
            let region = &self.all[id as usize];
            token >= region.first.lo && region.end.is_none_or(|end| token < end)
        })
    }
}

impl Sema<'_> {
    /// Records that the scope of an identifier begins.
    pub(super) fn guard_scope(&mut self, ty: QualType, name: Span) {
        if self.function.is_some() && self.types.is_variably_modified(ty) {
            self.flow.regions.enter(Guard::Variable, name);
        }
    }

    /// Checks a jump from `from` to a label in the region `to`.
    pub(super) fn check_guard(&mut self, to: RegionId, from: Span) {
        let mut at = to;
        while !self.flow.regions.holds(at, from.lo) {
            at = self.report_guard(at, from, "this jump leads");
        }
    }

    /// Checks a label of a switch that is in the region `of`.
    pub(super) fn check_case_guard(&mut self, of: RegionId, label: Span) {
        let mut here = self.flow.regions.innermost();
        while here.is_some() && here != of {
            here = self.report_guard(here, label, "the switch jumps");
        }
    }

    /// Reports a jump into a region. Returns the region around it if a jump into that one would be worse.
    fn report_guard(&mut self, region: RegionId, at: Span, what: &str) -> RegionId {
        let region = &self.flow.regions.all[region? as usize];
        let (first, guard, outer) = (region.first, region.guard, region.outer);
        let (into, note, help) = match guard {
            Guard::Variable => (
                "the scope of a type of variable length, after its declaration",
                "declared here",
                "put the declaration into a block that does not contain the label, or move it before the jump",
            ),
            Guard::StatementExpr => (
                "a statement expression",
                "it begins here",
                "move the label out of it",
            ),
            Guard::RaceOk => {
                let message = format!(
                    "{what} into a statement after `#pragma upcc race_ok`, which has no effect then"
                );
                let help = "put the pragma in front of the statements after the label";
                self.warn(code::PRAGMA_PLACE, at, message, help);
                self.note(first_token(first), "the statement");
                return outer;
            }
        };
        let message = format!("{what} into {into}");
        self.error_with_note(code::JUMP_INTO_SCOPE, at, message, first, note, help);
        None
    }
}
