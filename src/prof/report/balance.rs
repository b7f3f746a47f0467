//! Load balance: what each thread spends its time on.

use super::costs::Costs;
use super::paths::Paths;
use super::state::{ByState, COUNT};
use crate::prof::analyze::{Analysis, OfCategory};
use crate::prof::table::time;
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

/// A category of the time as the page says it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Category {
    /// What it is.
    pub title: &'static str,
    /// The part of the time of all threads in percent, and the time with its unit.
    pub share: String,
    /// See `share`.
    pub time: String,
}

/// Returns the categories that have time, the largest first.
pub fn categories(analysis: &Analysis) -> Vec<Category> {
    let mut all: Vec<_> = analysis.categories.iter().collect();
    all.retain(|of| of.time > 0);
    all.sort_by_key(|of| (std::cmp::Reverse(of.time), of.category as usize));
    let share = |part: u64| part as f64 * 100.0 / analysis.time.max(1) as f64;
    let one = |of: &OfCategory| Category {
        title: of.category.names().1,
        share: format!("{:.1}", share(of.time)),
        time: time(of.time),
    };
    all.into_iter().map(one).collect()
}
