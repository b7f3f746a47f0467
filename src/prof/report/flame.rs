//! The flame graph: own times by call path, of all threads and of each.

use super::costs::Costs;
use super::encode::Numbers;
use super::paths::Path;
use serde::Serialize;
use std::collections::BTreeMap;

/// The largest number of pairs of a thread and a path for which the page has times of each thread.
const MOST: usize = 400_000;

/// The flame graph as data of the page.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Flame {
    /// Path, nanoseconds, number of events and bytes, one after the other.
    pub all: Numbers,
    /// For each thread, paths and nanoseconds; empty: there are too many.
    pub threads: Vec<Numbers>,
}

impl Flame {
    /// Adds up the costs of each path.
    pub fn new(costs: &Costs) -> Flame {
        let mut all: BTreeMap<Path, [u64; 3]> = BTreeMap::new();
        let mut threads: Vec<BTreeMap<Path, u64>> = vec![BTreeMap::new(); costs.threads as usize];
        for row in &costs.rows {
            let sums = all.entry(row.path).or_default();
            for (sum, more) in sums.iter_mut().zip([row.own, row.count, row.bytes]) {
                *sum = sum.saturating_add(more);
            }
            if let Some(of) = threads.get_mut(row.thread as usize) {
                *of.entry(row.path).or_default() += row.own;
            }
        }
        if threads.iter().map(BTreeMap::len).sum::<usize>() > MOST {
            threads.clear();
        }
        let numbers = |(path, sums): (Path, [u64; 3])| std::iter::once(u64::from(path)).chain(sums);
        let of_thread = |of: BTreeMap<Path, u64>| {
            let numbers = of
                .into_iter()
                .flat_map(|(path, own)| [u64::from(path), own]);
            numbers.collect()
        };
        Flame {
            all: all.into_iter().flat_map(numbers).collect(),
            threads: threads.into_iter().map(of_thread).collect(),
        }
    }
}
