//! The thread-to-thread matrix: whose memory and locks each thread uses, how often, and at which cost.

use super::costs::Costs;
use super::encode::Numbers;
use super::paths::Paths;
use serde::Serialize;
use std::collections::BTreeMap;

/// The matrix as data of the page.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Matrix {
    /// Thread, peer, state, number of events, bytes and nanoseconds, one after the other. A thread may be its own peer.
    pub cells: Numbers,
}

impl Matrix {
    /// Adds up the costs of each pair of threads.
    pub fn new(costs: &Costs, paths: &Paths) -> Matrix {
        let mut cells: BTreeMap<(u32, u32, usize), [u64; 3]> = BTreeMap::new();
        for row in &costs.rows {
            let Some(peer) = row.peer else { continue };
            let sums = cells
                .entry((row.thread, peer, paths.state(row.path)))
                .or_default();
            for (sum, more) in sums.iter_mut().zip([row.count, row.bytes, row.own]) {
                *sum = sum.saturating_add(more);
            }
        }
        let numbers = |((thread, peer, state), sums): ((u32, u32, usize), [u64; 3])| {
            [u64::from(thread), u64::from(peer), state as u64]
                .into_iter()
                .chain(sums)
        };
        Matrix {
            cells: cells.into_iter().flat_map(numbers).collect(),
        }
    }
}
