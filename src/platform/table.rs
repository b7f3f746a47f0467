//! The costs of a platform as a table: those of tables 6.1 to 6.4 of Zhang's thesis on MuPC, and of the other operations.

use super::operations::{Axis, OPERATIONS};
use super::{Cost, Platform, Setting};
use std::fmt::Write as _;

impl Platform {
    /// Returns the table: a row for an operation, a column for a setting and a number of threads.
    pub fn table(&self) -> String {
        let mut text = format!(
            "nanoseconds for an access to 8 bytes, or for another operation; {} processors on each of {} machines\n",
            self.processors, self.machines
        );
        // Writing to a String cannot fail, here and below.
        for setting in &self.settings {
            let threads = setting.threads();
            let _ = writeln!(text, "\n{}", setting.title());
            let heads = threads.iter().map(|n| format!("{n:>12}"));
            let _ = writeln!(text, "{:<24}{}", "THREADS", heads.collect::<String>());
            for operation in OPERATIONS {
                let Some(costs) = setting.costs.get(operation.name) else {
                    continue;
                };
                for amount in super::amounts(costs) {
                    let name = match operation.axis {
                        Axis::Threads => operation.name.to_owned(),
                        Axis::Bytes => format!("{} {amount} B", operation.name),
                        Axis::Computing => format!("{} {amount} us", operation.name),
                    };
                    let cells = threads.iter().map(|n| cell(costs, *n, amount));
                    let _ = writeln!(text, "{name:<24}{}", cells.collect::<String>());
                }
            }
        }
        text
    }
}

/// `mpi with the cache`
pub(super) fn title(network: &str, cache: Option<bool>) -> String {
    let cache = match cache {
        None => "",
        Some(true) => " with the cache",
        Some(false) => " without the cache",
    };
    format!("{network}{cache}")
}

impl Setting {
    /// `mpi with the cache`
    pub fn title(&self) -> String {
        title(&self.network, self.cache)
    }

    /// The numbers of threads of which there are costs.
    fn threads(&self) -> Vec<u32> {
        let all = self.costs.values().flatten();
        let mut all: Vec<u32> = all.map(|it| it.threads).collect();
        all.sort_unstable();
        all.dedup();
        all
    }
}

fn cell(costs: &[Cost], threads: u32, amount: u64) -> String {
    let it = costs
        .iter()
        .find(|it| it.threads == threads && it.amount == amount);
    it.map_or_else(
        || format!("{:>12}", "-"),
        |it| format!("{:>12.2}", it.time.mean),
    )
}
