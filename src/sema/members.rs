//! Finds members of structs and unions by name, through unnamed ones. Records with many members have an index, so that
//! n uses of n members take linear time; an unnamed member's index is merged into that of the record around it.

use super::*;
use crate::diag::codes;
use crate::types::layout::Member;
use crate::types::{Field, RecordId};
use hashbrown::HashMap;
use hashbrown::hash_map::Entry;

/// Field indices from a record down to a member, through unnamed members; the last is the member itself.
pub type MemberPath = Vec<u32>;

/// Maximum length of a list of members, without unnamed ones, that needs no index.
const FEW_MEMBERS: usize = 16;

/// The position of a name: which member of the record itself, or of an unnamed record below it.
#[derive(Clone, Copy)]
struct Place {
    record: RecordId,
    at: u32,
    span: Span,
}

type Names = HashMap<Symbol, Place>;

/// The indices of all records.
#[derive(Default)]
pub(super) struct Members {
    names: HashMap<RecordId, Names>,
    /// Unnamed members whose names are in the index of the record around them: that record, and the member's number in
    /// it.
    around: HashMap<RecordId, (RecordId, u32)>,
}

impl Context<'_> {
    /// Finds a member by name, also in unnamed struct and union members.
    pub fn lookup_member(&self, record: RecordId, name: Symbol) -> Option<MemberPath> {
        let fields = &self.types.record(record).body.as_ref()?.fields;
        if let Some(names) = self.members.names.get(&record) {
            return names.get(&name).map(|&place| self.path_to(place, record));
        }
        if let Some(at) = fields.iter().position(|f| f.name == Some(name)) {
            return Some(vec![at as u32]);
        }
        fields.iter().enumerate().find_map(|(at, field)| {
            let inner = self.unnamed_record(field)?;
            let mut path = deep(|| self.lookup_member(inner, name))?;
            path.insert(0, at as u32);
            Some(path)
        })
    }

    fn path_to(&self, place: Place, record: RecordId) -> MemberPath {
        let mut path = vec![place.at];
        let mut inner = place.record;
        while inner != record
            && let Some(&(outer, at)) = self.members.around.get(&inner)
        {
            path.push(at);
            inner = outer;
        }
        path.reverse();
        path
    }

    /// The record of an unnamed struct or union member.
    pub(super) fn unnamed_record(&self, field: &Field) -> Option<RecordId> {
        if field.name.is_some() || field.bits.is_some() {
            return None;
        }
        self.types.record_id(field.ty)
    }

    /// Adds the members of a record that is being defined, and reports a duplicate name.
    pub(super) fn enter_members(&mut self, record: RecordId, list: &[Member]) {
        let flat = list.iter().all(|m| m.field.name.is_some());
        let twice = if flat && list.len() <= FEW_MEMBERS {
            twice_among(list)
        } else {
            self.enter_many(record, list)
        };
        if let Some((name, first, span)) = twice {
            let message = format!("member `{}` is declared twice", self.name(name));
            self.error_with_note(
                codes::DUPLICATE_MEMBER,
                span,
                message,
                first,
                "the first is here",
                "rename one",
            );
        }
    }

    fn enter_many(&mut self, record: RecordId, list: &[Member]) -> Option<(Symbol, Span, Span)> {
        let mut names = Names::default();
        let mut twice = None;
        // A record that is an unnamed member of two others, as `-fms-extensions` allows, is in no index.
        let mut complete = true;
        for (at, Member { field, .. }) in list.iter().enumerate() {
            let at = at as u32;
            let mut below = Names::default();
            if let Some(name) = field.name {
                let span = field.span;
                below.insert(name, Place { record, at, span });
            } else if let Some(inner) = self.unnamed_record(field) {
                complete &= self.names_below(inner, &mut below);
                self.members.around.entry(inner).or_insert((record, at));
            }
            if below.len() > names.len() {
                std::mem::swap(&mut below, &mut names);
            }
            for (name, place) in below {
                match names.entry(name) {
                    Entry::Vacant(entry) => drop(entry.insert(place)),
                    Entry::Occupied(entry) => {
                        let mut spans = [entry.get().span, place.span];
                        spans.sort_by_key(|span| span.lo);
                        twice = Some((name, spans[0], spans[1]));
                    }
                }
            }
        }
        if complete {
            self.members.names.insert(record, names);
        }
        twice
    }

    /// Returns the names of an unnamed member, taken from its index if it has one. False if it is already a member of
    /// another record.
    fn names_below(&mut self, record: RecordId, names: &mut Names) -> bool {
        if let Some(index) = self.members.names.remove(&record) {
            *names = index;
            return true;
        }
        let fields = match &self.types.record(record).body {
            Some(body) => body.fields.clone(),
            None => return true,
        };
        let mut fresh = !self.members.around.contains_key(&record);
        for (at, field) in fields.iter().enumerate() {
            let (at, span) = (at as u32, field.span);
            if let Some(name) = field.name {
                names.insert(name, Place { record, at, span });
            } else if let Some(inner) = self.unnamed_record(field) {
                let mut below = Names::default();
                fresh &= deep(|| self.names_below(inner, &mut below));
                names.extend(below);
            }
        }
        fresh
    }
}

/// Returns a name that two members of a short list have, with the spans of the first and the second.
fn twice_among(list: &[Member]) -> Option<(Symbol, Span, Span)> {
    let named = |m: &Member| Some((m.field.name?, m.field.span));
    let mut twice = None;
    for (at, (name, span)) in list.iter().filter_map(named).enumerate() {
        let mut before = list[..at].iter().filter_map(named);
        if let Some((_, first)) = before.find(|(other, _)| *other == name) {
            twice = Some((name, first, span));
        }
    }
    twice
}
