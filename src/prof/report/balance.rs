//! Load balance: what each thread spends its time on.

use super::costs::Costs;
use super::paths::Paths;
use super::state::{ByState, COUNT};
use serde::Serialize;

/// The load balance as data of the page.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Balance {
    /// Nanoseconds by thread and state.
    pub times: Vec<ByState>,
    /// The part of `times` that no event covers, by thread.
    pub outside: Vec<u64>,
}

impl Balance {
    /// Adds up the costs of each thread.
    pub fn new(costs: &Costs, paths: &Paths) -> Balance {
        let mut balance = Balance {
            times: vec![[0; COUNT]; costs.threads as usize],
            outside: vec![0; costs.threads as usize],
        };
        for row in &costs.rows {
            let thread = row.thread as usize;
            if let Some(times) = balance.times.get_mut(thread) {
                times[paths.state(row.path)] += row.own;
                if row.path == super::paths::OUTSIDE {
                    balance.outside[thread] += row.own;
                }
            }
        }
        balance
    }
}
