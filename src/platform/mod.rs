//! What operations of UPC cost on a platform: the file that `upcrun -calibrate` writes and `upcprof predict` reads.
//!
//! ```text
//! measure.upc --upcc, upcrun--> lines --calibrate--> Platform <--file--> text in TOML
//!                                                    Platform --cost--> nanoseconds with an interval
//! ```
//!
//! A platform has *settings*, one for each network, with the cache of remote memory or without. A setting has costs by
//! operation (`operations`) and number of threads, as tables 6.1 to 6.4 of Zhang's thesis on MuPC have them.

pub mod calibrate;
mod choice;
mod file;
pub mod operations;
mod processor_caches;
mod several;
pub mod table;
#[cfg(test)]
mod tests;

use operations::{Axis, OF_OWN_MEMORY, named};
use std::collections::BTreeMap;

/// Bytes of a line of the runtime's cache, unless somebody changes it.
pub const CACHE_LINE: u32 = 1024;
/// The lines of a thread, likewise.
pub const CACHE_LINES: u32 = 1024;
/// The bytes to which it grows (`BUDGET_MOST` in `runtime-c/src/cache/geometry.c`), on a machine with enough memory.
pub const CACHE_MOST: u32 = 64 << 20;

/// The costs of a platform.
#[derive(Clone, PartialEq, Debug)]
pub struct Platform {
    /// What it is called.
    pub name: String,
    /// The processors of a machine.
    pub processors: u32,
    /// The machines among which the threads were divided.
    pub machines: u32,
    /// Bytes of the last caches before memory, of all processors of a machine together; 0: unknown.
    pub processor_caches: u64,
    /// The costs of each network.
    pub settings: Vec<Setting>,
}

/// The costs of a network.
#[derive(Clone, PartialEq, Debug)]
pub struct Setting {
    /// The transport.
    pub network: String,
    /// Remote memory is cached; `None`: this network has no cache.
    pub cache: Option<bool>,
    /// The bytes of a line of the cache.
    pub cache_line: u32,
    /// The lines of a thread's cache.
    pub cache_lines: u32,
    /// The bytes to which it grows where a thread reads more again and again than it holds; 0: it does not grow.
    pub cache_most: u32,
    /// By operation.
    pub costs: BTreeMap<String, Vec<Cost>>,
}

impl Setting {
    /// Each thread reaches the memory of all others by loads and stores.
    pub fn is_mapped(&self) -> bool {
        self.network == "smp"
    }
}

/// A measured cost.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Cost {
    /// THREADS.
    pub threads: u32,
    /// With which bytes or microseconds it was measured ([`Axis`]); 0: its cost depends on nothing like that.
    pub amount: u64,
    /// Nanoseconds.
    pub time: Time,
}

/// A time in nanoseconds, and the interval in which it varies.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct Time {
    /// The lower end.
    pub low: f64,
    /// The expected time.
    pub mean: f64,
    /// The upper end.
    pub high: f64,
}

impl Time {
    /// A time that does not vary.
    pub fn exactly(mean: f64) -> Time {
        Time {
            low: mean,
            mean,
            high: mean,
        }
    }

    /// That many times this time.
    #[must_use]
    pub fn times(self, n: f64) -> Time {
        let (low, high) = match n < 0.0 {
            true => (self.high, self.low),
            false => (self.low, self.high),
        };
        Time {
            low: low * n,
            mean: self.mean * n,
            high: high * n,
        }
    }

    /// One after the other. The ends are added, too: what makes one operation slow makes all of its kind slow.
    #[must_use]
    pub fn plus(self, other: Time) -> Time {
        Time {
            low: self.low + other.low,
            mean: self.mean + other.mean,
            high: self.high + other.high,
        }
    }

    /// This time, where it is no less than a number.
    #[must_use]
    pub fn at_least(self, n: f64) -> Time {
        Time {
            low: self.low.max(n),
            mean: self.mean.max(n),
            high: self.high.max(n),
        }
    }

    /// The time at `part` of the way from this one to another.
    fn towards(self, other: Time, part: f64) -> Time {
        let end = |a: f64, b: f64| a + (b - a) * part;
        Time {
            low: end(self.low, other.low),
            mean: end(self.mean, other.mean),
            high: end(self.high, other.high),
        }
    }
}

/// The threads whose operations are asked for.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Placement {
    /// THREADS.
    pub threads: u32,
    /// The threads of a machine for each of its processors; at most 1 if each has a processor of its own.
    pub load: f64,
}

impl Platform {
    /// Returns where threads run: on the machines of the platform, or on another number of them.
    pub fn placement(&self, threads: u32, machines: Option<u32>) -> Placement {
        let machines = machines.unwrap_or(self.machines).max(1);
        let of_machine = threads.div_ceil(machines).max(1);
        Placement {
            threads,
            load: f64::from(of_machine) / f64::from(self.processors.max(1)),
        }
    }

    /// Returns the setting of a network. `cache`: with its cache, or without it; else with the cache if there is one.
    pub fn setting(&self, network: &str, cache: Option<bool>) -> Option<&Setting> {
        let of_network = || self.settings.iter().filter(|it| it.network == network);
        match cache {
            Some(_) => of_network().find(|it| it.cache == cache),
            None => of_network()
                .find(|it| it.cache == Some(true))
                .or_else(|| of_network().next()),
        }
    }

    /// The most threads for which each has a processor.
    fn processors_of_all(&self) -> u32 {
        self.processors.saturating_mul(self.machines.max(1))
    }

    /// The cost of an operation on a thread's own memory where threads share memory, if the platform has it.
    fn in_shared_memory(&self, operation: &str, at: Placement) -> Option<Time> {
        let mapped = self.settings.iter().find(|it| it.is_mapped())?;
        let costs = mapped.costs.get(operation)?;
        let is_own = OF_OWN_MEMORY.contains(&operation);
        by_threads(costs, self.processors_of_all(), at).filter(|_| is_own)
    }

    /// The costs of an operation for the threads of a placement, by amount.
    fn by_amount(&self, costs: &[Cost], at: Placement) -> Vec<(u64, Time)> {
        let of_amount = |amount: u64| {
            let same = costs.iter().filter(|it| it.amount == amount);
            let same: Vec<Cost> = same.copied().collect();
            Some((amount, by_threads(&same, self.processors_of_all(), at)?))
        };
        amounts(costs).into_iter().filter_map(of_amount).collect()
    }

    /// Returns the cost of an operation for the threads of a placement, and the operation that it was taken from. `amount`:
    /// the bytes or microseconds on which it depends ([`Axis`]).
    /// `None`: there is no cost that could stand for it.
    pub fn cost(
        &self,
        setting: &Setting,
        operation: &str,
        amount: u64,
        at: Placement,
    ) -> Option<(Time, &'static str)> {
        let mut row = named(operation)?;
        while !setting.costs.contains_key(row.name) {
            row = named(row.instead?)?;
        }
        let costs = setting.costs.get(row.name)?;
        let time = match row.axis {
            Axis::Threads => {
                let time = by_threads(costs, self.processors_of_all(), at);
                [time, self.in_shared_memory(row.name, at)]
                    .into_iter()
                    .flatten()
                    .min_by(|a, b| a.mean.total_cmp(&b.mean))
            }
            Axis::Bytes => by_bytes(&self.by_amount(costs, at), amount),
            Axis::Computing => by_computing(&self.by_amount(costs, at), amount),
        };
        Some((time?, row.name))
    }
}

/// The amounts of which there are costs, in order.
fn amounts(costs: &[Cost]) -> Vec<u64> {
    let mut amounts: Vec<u64> = costs.iter().map(|it| it.amount).collect();
    amounts.sort_unstable();
    amounts.dedup();
    amounts
}

/// Costs grow with the logarithm of the number of threads between two that were measured, and beyond the last one as
/// between the last two. Threads that have a processor each are compared with such measurements only. Where more threads
/// share processors than in any measurement, the cost grows in proportion.
fn by_threads(costs: &[Cost], processors: u32, at: Placement) -> Option<Time> {
    let mut costs = costs.to_vec();
    costs.sort_by_key(|it| it.threads);
    if at.load <= 1.0 && costs.iter().any(|it| it.threads <= processors) {
        costs.retain(|it| it.threads <= processors);
    }
    let last = costs.last()?;
    let after = costs.iter().position(|it| it.threads >= at.threads);
    let between = |a: &Cost, b: &Cost| {
        let log = |n: u32| f64::from(n.max(1)).log2();
        let part = (log(at.threads) - log(a.threads)) / (log(b.threads) - log(a.threads));
        a.time.towards(b.time, part)
    };
    Some(match after {
        Some(i) if costs[i].threads == at.threads || i == 0 => costs[i].time,
        Some(i) => between(&costs[i - 1], &costs[i]),
        None if at.load > 1.0 => {
            let measured = (f64::from(last.threads) / f64::from(processors)).max(1.0);
            last.time.times((at.load / measured).max(1.0))
        }
        // Nothing gets cheaper with more threads than were measured.
        None if costs.len() > 1 => {
            let before = &costs[costs.len() - 2];
            match last.time.mean > before.time.mean {
                true => between(before, last),
                false => last.time,
            }
        }
        None => last.time,
    })
}

/// Between two amounts, the cost grows with the logarithm: whoever waits for a thread that computes waits for less and less of
/// that, the longer it is. Beyond both ends it is that of the end.
fn by_computing(known: &[(u64, Time)], microseconds: u64) -> Option<Time> {
    let log = |n: u64| (n.max(1) as f64).log2();
    let after = known.iter().position(|(us, _)| *us >= microseconds);
    Some(match after {
        Some(0) => known[0].1,
        Some(i) => {
            let ((a, x), (b, y)) = (known[i - 1], known[i]);
            x.towards(y, (log(microseconds) - log(a)) / (log(b) - log(a)))
        }
        None => known.last()?.1,
    })
}

/// Between two sizes, the cost is in proportion; beyond the largest, it grows as between the last two.
fn by_bytes(known: &[(u64, Time)], bytes: u64) -> Option<Time> {
    let (largest, last) = known.last()?;
    let after = known.iter().position(|(size, _)| *size >= bytes);
    let between = |(a, x): (u64, Time), (b, y): (u64, Time)| {
        x.towards(y, (bytes as f64 - a as f64) / (b as f64 - a as f64))
    };
    Some(match after {
        Some(0) => known[0].1,
        Some(i) => between(known[i - 1], known[i]),
        None if known.len() > 1 => between(known[known.len() - 2], (*largest, *last)),
        None => *last,
    })
}
