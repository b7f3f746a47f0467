//! The table of events as the C side has it.

use std::collections::BTreeMap;

use crate::context::{Context, read};

/// Symbol of each event and whether it is told once, not as start and end.
pub struct Table(BTreeMap<String, bool>);

impl Table {
    /// # Errors
    /// It cannot be read, or nothing is in it.
    pub fn read(context: &Context) -> Result<Table, String> {
        let text = read(&context.root.join("runtime-c/src/gasp/events.def"))?;
        let rows = text.lines().filter_map(|line| {
            let row: Vec<&str> = line.strip_prefix("EVENT(")?.split(", ").collect();
            Some((row.get(1)?.to_string(), *row.get(4)? == "ONCE"))
        });
        let table: BTreeMap<String, bool> = rows.collect();
        match table.is_empty() {
            true => Err("events.def has no events".to_owned()),
            false => Ok(Table(table)),
        }
    }

    /// All symbols.
    pub fn symbols(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// The symbol of an event as the dump prints it; `None`: a user's event.
    pub fn symbol(&self, event: &str) -> Option<String> {
        let symbol = format!("GASP_{event}");
        self.0.contains_key(&symbol).then_some(symbol)
    }

    /// True for events without start and end.
    pub fn is_reported_once(&self, event: &str) -> bool {
        self.0
            .get(&format!("GASP_{event}"))
            .copied()
            .unwrap_or(false)
    }
}
