//! Interned identifiers.

use hashbrown::{DefaultHashBuilder, HashTable};
use std::hash::BuildHasher;

/// An identifier; equal symbols are equal names.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Symbol(pub u32);

/// The table of all identifiers of a translation unit, in one string.
#[derive(Debug)]
pub struct Interner<S = DefaultHashBuilder> {
    text: String,
    /// End of each symbol's text, which starts where the previous one ends.
    ends: Vec<u32>,
    table: HashTable<u32>,
    hasher: S,
}

impl Default for Interner {
    fn default() -> Self {
        Interner {
            text: String::new(),
            ends: Vec::new(),
            table: HashTable::new(),
            hasher: DefaultHashBuilder::default(),
        }
    }
}

impl<S: BuildHasher> Interner<S> {
    /// Returns the symbol of a name and creates it on first use.
    pub fn intern(&mut self, name: &str) -> Symbol {
        let hash = self.hasher.hash_one(name);
        let Interner {
            text,
            ends,
            table,
            hasher,
        } = self;
        if let Some(&found) = table.find(hash, |&i| slice(text, ends, i) == name) {
            return Symbol(found);
        }
        let id = ends.len() as u32;
        text.push_str(name);
        ends.push(text.len() as u32);
        table.insert_unique(hash, id, |&i| hasher.hash_one(slice(text, ends, i)));
        Symbol(id)
    }

    /// The name of a symbol.
    pub fn name(&self, symbol: Symbol) -> &str {
        slice(&self.text, &self.ends, symbol.0)
    }

    /// Returns the symbol of a name that has been interned before.
    pub fn get(&self, name: &str) -> Option<Symbol> {
        let hash = self.hasher.hash_one(name);
        self.table
            .find(hash, |&i| slice(&self.text, &self.ends, i) == name)
            .map(|&i| Symbol(i))
    }

    /// Number of symbols: ids are `0..len`.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// True before the first `intern`.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }
}

fn slice<'a>(text: &'a str, ends: &[u32], i: u32) -> &'a str {
    let i = i as usize;
    let start = if i == 0 { 0 } else { ends[i - 1] as usize };
    &text[start..ends[i] as usize]
}
