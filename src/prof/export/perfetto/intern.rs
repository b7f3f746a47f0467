//! Numbers for repeated texts; each kind of text has its own numbering.

use std::collections::HashMap;

use super::proto::{InternedData, InternedString, Name, SourceLocation};
use crate::prof::export::label::label;
use crate::prof::export::nest::Span;
use crate::prof::model::{Group, SiteId, Tables};

/// The numbers that stand for texts, and the entries that the file does not contain yet.
#[derive(Default)]
pub struct Interned {
    categories: HashMap<Group, u64>,
    labels: HashMap<Span, u64>,
    names: HashMap<String, u64>,
    arguments: HashMap<&'static str, u64>,
    texts: HashMap<String, u64>,
    locations: HashMap<SiteId, u64>,
    /// The new entries, to be written with the next packet.
    pub fresh: InternedData,
}

fn name(iid: u64, text: &str) -> Name {
    Name {
        iid: Some(iid),
        name: Some(text.to_owned()),
    }
}

/// Returns the number of the next entry.
fn next<K, V>(known: &HashMap<K, V>) -> u64 {
    known.len() as u64 + 1
}

impl Interned {
    pub fn category(&mut self, group: Group) -> u64 {
        if let Some(iid) = self.categories.get(&group) {
            return *iid;
        }
        let iid = next(&self.categories);
        self.fresh
            .event_categories
            .push(name(iid, group.facts().word));
        self.categories.insert(group, iid);
        iid
    }

    pub fn label(&mut self, tables: &Tables, span: Span) -> u64 {
        if let Some(iid) = self.labels.get(&span) {
            return *iid;
        }
        let iid = self.name(&label(tables, span.kind, span.site));
        self.labels.insert(span, iid);
        iid
    }

    pub fn name(&mut self, text: &str) -> u64 {
        if let Some(iid) = self.names.get(text) {
            return *iid;
        }
        let iid = next(&self.names);
        self.fresh.event_names.push(name(iid, text));
        self.names.insert(text.to_owned(), iid);
        iid
    }

    pub fn argument(&mut self, text: &'static str) -> u64 {
        if let Some(iid) = self.arguments.get(text) {
            return *iid;
        }
        let iid = next(&self.arguments);
        self.fresh.debug_annotation_names.push(name(iid, text));
        self.arguments.insert(text, iid);
        iid
    }

    /// Returns the number of a place; `None` if there is no place.
    pub fn location(&mut self, tables: &Tables, id: SiteId) -> Option<u64> {
        if let Some(iid) = self.locations.get(&id) {
            return Some(*iid);
        }
        let site = tables.site(id).filter(|site| site.line > 0)?;
        let iid = next(&self.locations);
        self.fresh.source_locations.push(SourceLocation {
            iid: Some(iid),
            file_name: Some(tables.text(site.file).to_owned()),
            line_number: Some(site.line),
        });
        self.locations.insert(id, iid);
        Some(iid)
    }

    /// Returns the number of a text that is an argument's value.
    pub fn text(&mut self, text: &str) -> u64 {
        if let Some(iid) = self.texts.get(text) {
            return *iid;
        }
        let iid = next(&self.texts);
        self.fresh
            .debug_annotation_string_values
            .push(InternedString {
                iid: Some(iid),
                str: Some(text.as_bytes().to_vec()),
            });
        self.texts.insert(text.to_owned(), iid);
        iid
    }
}
