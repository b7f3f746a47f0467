//! Struct, union and enum specifiers.

use super::*;
use crate::types::RecordId;

/// Field indices from a record down to a member, through unnamed members; the last is the member itself.
pub type MemberPath = Vec<u32>;

impl Sema<'_> {
    /// Finds a member by name, also in unnamed struct and union members.
    pub fn lookup_member(&self, record: RecordId, name: Symbol) -> Option<MemberPath> {
        let _ = (record, name);
        None
    }
}
