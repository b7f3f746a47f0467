//! What block sizes would change, from the accesses of a trace.

use super::super::analyze::layout::Layout;
use super::super::model::{ObjectId, Recording};
use super::super::pairs::{Found, Pairs, Seen};
use std::collections::BTreeMap;

/// The accesses to the static shared arrays.
#[derive(Default)]
pub struct Blocks {
    arrays: BTreeMap<String, Layout>,
    /// Why there are none.
    lacking: Option<&'static str>,
}

impl Blocks {
    /// Counts the accesses of a trace.
    pub fn new(of: &dyn Recording) -> Blocks {
        let lacking = match (of.has_trace(), of.facts().has_local) {
            (false, _) => Some("record a trace: upcrun -trace"),
            (true, false) => Some(
                "compile the program with --inst-local, so that accesses to own memory are recorded",
            ),
            (true, true) => None,
        };
        let tables = of.tables();
        let threads = of.facts().threads;
        let layouts = tables
            .objects
            .iter()
            .enumerate()
            .filter_map(|(at, object)| Some((ObjectId(at as u32), Layout::new(object, threads)?)));
        let mut layouts: BTreeMap<u32, Layout> =
            layouts.map(|(id, layout)| (id.0, layout)).collect();
        if lacking.is_none() {
            count(of, &mut layouts);
        }
        let named = layouts.into_iter().map(|(id, layout)| {
            let object = &tables.objects[id as usize];
            (tables.text(object.name).to_owned(), layout)
        });
        Blocks {
            arrays: named.collect(),
            lacking,
        }
    }

    /// The elements of an array for each thread.
    pub fn each(&self, array: &str) -> Option<u64> {
        let layout = self.arrays.get(array)?;
        Some(layout.elements.div_ceil(layout.counts.len() as u64))
    }

    /// How many times as many accesses to an array are remote with blocks of this size, made by the same threads.
    ///
    /// # Errors
    /// A sentence that says what is missing.
    pub fn factor(&self, array: &str, block: u64) -> Result<f64, String> {
        let layout = self.arrays.get(array).ok_or_else(|| {
            format!("`{array}` is no static shared array of the recorded program")
        })?;
        if let Some(lacking) = self.lacking {
            return Err(format!("block({array}): {lacking}"));
        }
        let remote = |block| 1.0 - layout.local_with(block);
        let before = remote(layout.block);
        Ok(if before > 0.0 {
            remote(block) / before
        } else {
            1.0
        })
    }
}

fn count(of: &dyn Recording, layouts: &mut BTreeMap<u32, Layout>) {
    let tables = of.tables();
    let mut pairs = Pairs::new(tables);
    for thread in of.threads() {
        let mut events = of.events(thread.id);
        while let Some(event) = events.next() {
            pairs.feed(event, |found| {
                let Found::Span(span) = found else { return };
                let (Some(traffic), Seen::Pair) = (span.traffic, span.seen) else {
                    return;
                };
                let object = tables.object_at(traffic.place);
                let layout = object.and_then(|it| Some((it, layouts.get_mut(&it.0)?)));
                if let Some((id, layout)) = layout
                    && let Some(element) =
                        layout.element(&tables.objects[id.0 as usize], traffic.place)
                {
                    let is_local = traffic.place.thread == span.thread;
                    layout.count(span.thread, element, span.weight, is_local);
                }
            });
        }
    }
}
