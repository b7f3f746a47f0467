//! How shared arrays are distributed, and which threads access which elements, by single gets and puts.

use super::encode::Numbers;
use super::paths::short;
use crate::prof::analyze::layout::Layout;
use crate::prof::model::{KindId, ObjectId, Recording};
use crate::prof::pairs::{Seen, Span};
use hashbrown::HashMap;
use serde::Serialize;

/// The largest number of arrays in the page.
const MOST: usize = 24;

/// An array as data of the page.
#[derive(Clone, Debug, Serialize)]
pub struct Array {
    /// Its name.
    pub name: String,
    /// Its type as declared.
    pub declared: String,
    /// The number of its elements.
    pub elements: u64,
    /// Elements of a block.
    pub block: u64,
    /// Elements of a part, in which accesses are counted.
    pub width: u64,
    /// Accesses to elements of the accessing thread, and to those of others.
    pub local: u64,
    /// See `local`.
    pub remote: u64,
    /// The block size with the most local accesses.
    pub best: Option<u64>,
    /// For each thread that accesses it, the thread, the number of pairs that follow, and pairs: the difference from
    /// the part before, and the number of accesses to the part.
    pub accesses: Numbers,
}

/// The arrays as data of the page.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Distribution {
    /// The arrays, that with the most remote accesses first.
    pub arrays: Vec<Array>,
    /// The number of arrays that are left out.
    pub left_out: usize,
    /// Whether local accesses are counted.
    pub has_local: bool,
}

/// Counts accesses by array, thread and element.
pub struct Accesses {
    kinds: [Option<KindId>; 2],
    threads: u32,
    arrays: HashMap<ObjectId, Option<Layout>>,
}

impl Accesses {
    /// Returns the counts before the first event.
    pub fn new(of: &dyn Recording) -> Accesses {
        Accesses {
            kinds: ["UPC_GET", "UPC_PUT"].map(|name| of.tables().kind_named(name)),
            threads: of.facts().threads,
            arrays: HashMap::new(),
        }
    }

    /// Takes a span of any thread.
    pub fn span(&mut self, of: &dyn Recording, span: &Span) {
        let (Some(traffic), Seen::Pair) = (span.traffic, span.seen) else {
            return;
        };
        if !self.kinds.contains(&Some(span.kind)) {
            return;
        }
        let Some(object) = of.tables().object_at(traffic.place) else {
            return;
        };
        let described = &of.tables().objects[object.0 as usize];
        let array = self.arrays.entry(object);
        let array = array.or_insert_with(|| Layout::new(described, self.threads));
        let Some(array) = array else { return };
        if let Some(element) = array.element(described, traffic.place) {
            let is_local = traffic.place.thread == span.thread;
            array.count(span.thread, element, span.weight, is_local);
        }
    }

    /// Returns the arrays.
    pub fn finish(self, of: &dyn Recording) -> Distribution {
        let tables = of.tables();
        let arrays = self.arrays.into_iter();
        let arrays = arrays.filter_map(|(id, layout)| Some((id, layout?)));
        let mut arrays: Vec<(ObjectId, Layout)> = arrays.collect();
        arrays.sort_by_key(|(id, layout)| (std::cmp::Reverse((layout.remote, layout.local)), *id));
        let left_out = arrays.len().saturating_sub(MOST);
        arrays.truncate(MOST);
        let array = |(id, layout): &(ObjectId, Layout)| {
            let object = &tables.objects[id.0 as usize];
            Array {
                name: short(tables.text(object.name)),
                declared: short(tables.text(object.type_name)),
                elements: layout.elements,
                block: layout.block,
                width: layout.width,
                local: layout.local,
                remote: layout.remote,
                best: layout.best().map(|best| best.block),
                accesses: accesses(&layout.counts),
            }
        };
        Distribution {
            arrays: arrays.iter().map(array).collect(),
            left_out,
            has_local: of.facts().has_local,
        }
    }
}

fn accesses(counts: &[Vec<u64>]) -> Numbers {
    let mut numbers = Numbers::default();
    for (thread, counts) in counts.iter().enumerate() {
        let parts = counts.iter().enumerate().filter(|(_, count)| **count > 0);
        let number = parts.clone().count() as u64;
        if number == 0 {
            continue;
        }
        numbers.push(thread as u64);
        numbers.push(number);
        let mut before = 0;
        for (part, count) in parts {
            numbers.push((part - before) as u64);
            numbers.push(*count);
            before = part;
        }
    }
    numbers
}
