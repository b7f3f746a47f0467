//! What one operation of a row costs on a platform.

use super::Changes;
use super::work::{Cause, Row};
use crate::platform::{Placement, Platform, Setting, Time};
use crate::references::{Class, Transfer};
use std::cell::RefCell;
use std::collections::BTreeSet;

/// The elements of a short vector in the measurement of vector accesses.
const VECTOR: f64 = 64.0;

/// Where operations run.
pub struct Costs<'a> {
    pub platform: &'a Platform,
    pub setting: &'a Setting,
    pub at: Placement,
    pub changes: &'a Changes,
    /// The numbers of threads in the recording.
    pub before: u32,
    /// Operations of which the platform has no costs, with those that stand for them.
    pub missing: RefCell<BTreeSet<(String, String)>>,
}

impl Costs<'_> {
    /// The cost of an operation of the platform.
    fn of(&self, operation: &str, bytes: u64) -> Time {
        let found = self.platform.cost(self.setting, operation, bytes, self.at);
        let (time, from) = found.unwrap_or((Time::default(), ""));
        if from != operation {
            let pair = (operation.to_owned(), from.to_owned());
            self.missing.borrow_mut().insert(pair);
        }
        time
    }

    /// The same, of an operation that waits for a message and back.
    fn round_trip(&self, operation: &str) -> Time {
        self.of(operation, 0).times(self.changes.latency)
    }

    /// An operation for which many others share a message: the part of a message that each has gets longer.
    fn shared_trip(&self, operation: &str, members: f64) -> Time {
        let time = self.of(operation, 0);
        let part = self.of("bulk.read", 8).times(1.0 / members);
        let part = (part.mean / time.mean.max(f64::MIN_POSITIVE)).min(1.0);
        let longer = 1.0 + (self.changes.latency - 1.0) * part;
        let rest = 1.0 + (1.0 / self.changes.bandwidth - 1.0) * (1.0 - part);
        time.times(longer * rest)
    }

    /// A transfer of bytes: a message without them, and what they add.
    fn bulk(&self, operation: &str, bytes: f64) -> Time {
        let empty = self.of(operation, 8);
        let all = self.of(operation, bytes.max(8.0) as u64);
        let more = all.plus(empty.times(-1.0));
        let (empty, more) = (
            empty.times(self.changes.latency),
            more.times(1.0 / self.changes.bandwidth),
        );
        empty.plus(Time {
            low: more.low.max(0.0).min(more.mean.max(0.0)),
            mean: more.mean.max(0.0),
            high: more.high.max(more.mean).max(0.0),
        })
    }

    /// What memory costs that all threads use at the same time.
    pub fn memory(&self) -> f64 {
        self.of("memory", 0).mean
    }

    /// The mean cost of accesses of which only a part is made for the first time, to so many bytes.
    pub fn again(&self, each: Time, first: f64, bytes: f64) -> Time {
        let lines = f64::from(self.setting.cache_lines);
        let line = self
            .changes
            .cache_line
            .map_or(f64::from(self.setting.cache_line), |it| it as f64);
        let hit = self.of("hit.read", 0);
        if self.setting.cache != Some(true) || bytes > lines * line || hit.mean >= each.mean {
            return each;
        }
        each.times(first).plus(hit.times(1.0 - first))
    }

    /// The part of an access in which the memory that it concerns serves nobody else: as many threads as were measured
    /// that all access one are served one after another.
    pub fn occupied(&self, each: f64) -> f64 {
        let all = self.setting.costs.get("flush.read");
        let most = all.and_then(|it| it.iter().max_by_key(|cost| cost.threads));
        match most {
            Some(cost) if cost.threads > 2 => {
                (cost.time.mean / f64::from(cost.threads - 1)).min(each)
            }
            Some(_) | None => each / 2.0,
        }
    }

    /// For how long bytes occupy a link: what more of them add to a transfer.
    pub fn link(&self, bytes: f64) -> f64 {
        const LARGE: u64 = 1 << 18;
        let more = self.of("bulk.read", LARGE).mean - self.of("bulk.read", 8).mean;
        (more * bytes / LARGE as f64 / self.changes.bandwidth).max(0.0)
    }

    /// The cost of an access to the thread's own memory instead.
    pub fn own(&self, row: &Row) -> Time {
        let in_order = matches!(
            row.known.as_ref().map(|it| it.class),
            Some(Class::Vector | Class::Local)
        );
        match row.cause {
            // A copy is a read and a write.
            Cause::Read | Cause::Write if in_order && self.setting.costs.contains_key("memory") => {
                self.of("memory", 0).times(0.5)
            }
            Cause::Read => self.of("local.read", 0),
            Cause::Write => self.of("local.write", 0),
            _ => Time::default(),
        }
    }

    /// The cost of one operation of a row that concerns other threads.
    pub fn each(&self, row: &Row) -> Time {
        match row.cause {
            Cause::Read => self.access(row, "read"),
            Cause::Write => self.access(row, "write"),
            Cause::BulkRead => self.bulk("bulk.read", row.bytes),
            Cause::BulkWrite => self.bulk("bulk.write", row.bytes),
            Cause::Lock => self.lock(row),
            Cause::Atomic => self.round_trip("add.free"),
            Cause::Barrier => self.round_trip("barrier"),
            Cause::Reduce => self.collective("reduce", row),
            Cause::Broadcast => self.collective("broadcast", row),
        }
    }

    fn collective(&self, operation: &str, row: &Row) -> Time {
        let more = self.bulk("bulk.read", row.bytes);
        let less = self.bulk("bulk.read", 8.0).times(-1.0);
        self.round_trip(operation).plus(more.plus(less))
    }

    /// A lock is free, or as contended as in the recording; the chance of that grows with the number of threads.
    fn lock(&self, row: &Row) -> Time {
        let (free, contended) = (
            self.round_trip("lock.free"),
            self.round_trip("lock.contended"),
        );
        let each = row.recorded / row.count.max(f64::MIN_POSITIVE);
        let span = contended.mean - free.mean;
        let was = match span > 0.0 {
            true => ((each - free.mean) / span).clamp(0.0, 1.0),
            false => 0.0,
        };
        let more = f64::from(self.at.threads.saturating_sub(1))
            / f64::from(self.before.saturating_sub(1).max(1));
        let now = (was * more).min(1.0);
        free.times(1.0 - now).plus(contended.times(now))
    }

    /// The pattern of a row, after the changes.
    fn transfer(&self, row: &Row) -> (Class, Transfer) {
        let (class, transfer) = row
            .known
            .as_ref()
            .map_or((Class::Baseline, Transfer::Single), |it| {
                (it.class, it.transfer)
            });
        let line = row.place.line.to_string();
        let full = format!("{}:{line}", row.place.file);
        let gathered = &self.changes.gathered;
        if gathered.contains(&line) || gathered.contains(&full) {
            return (Class::Baseline, Transfer::Gather);
        }
        (class, transfer)
    }

    fn access(&self, row: &Row, way: &str) -> Time {
        let (class, transfer) = self.transfer(row);
        let of = |pattern: &str| format!("{pattern}.{way}");
        let cached = self.setting.cache == Some(true);
        if cached
            && way == "read"
            && let Some(part) = self.hits(row, transfer)
        {
            let (hit, miss) = (self.of("hit.read", 0), self.miss());
            return hit.times(part).plus(miss.times(1.0 - part));
        }
        match (class, transfer) {
            (_, Transfer::Strict) => self.round_trip(&of("strict")),
            (_, Transfer::Gather) if way == "read" => self.shared_trip("gather.read", VECTOR),
            (_, Transfer::Strip) => self.strip(row, &of("vector")),
            (_, Transfer::Strided) => self.shared_trip(&of("strided"), VECTOR),
            (Class::Coalesce, _) if cached || way == "write" => {
                self.shared_trip(&of("coalesce"), 8.0)
            }
            (Class::Coalesce, _) => self.round_trip(&of("coalesce")),
            // Writes are collected: a longer way delays none of them but the last.
            (_, _) if way == "write" => self.of(&of("baseline"), 0),
            _ => self.round_trip(&of("baseline")),
        }
    }

    /// Consecutive elements, as far as a block has them.
    fn strip(&self, row: &Row, operation: &str) -> Time {
        let whole = self.shared_trip(operation, VECTOR);
        let block = row
            .array
            .as_ref()
            .and_then(|it| self.changes.blocks.get(it));
        let Some(&block) = block.filter(|n| (**n as f64) < VECTOR) else {
            return whole;
        };
        let short = self
            .bulk("bulk.read", block as f64 * row.bytes)
            .times(1.0 / block as f64);
        if short.mean > whole.mean {
            short
        } else {
            whole
        }
    }

    /// A miss brings a line.
    fn miss(&self) -> Time {
        match self.changes.cache_line {
            None => self.round_trip("miss.read"),
            Some(bytes) => {
                let before = self.bulk("bulk.read", f64::from(self.setting.cache_line));
                let now = self.bulk("bulk.read", bytes as f64);
                let ratio = now.mean / before.mean.max(f64::MIN_POSITIVE);
                self.round_trip("miss.read").times(ratio)
            }
        }
    }

    /// The part of reads that the cache answers (section 7.2 of the thesis): as recorded, or from the step of the
    /// reference if the length of lines is asked for. `None`: the cost of the pattern says it.
    fn hits(&self, row: &Row, transfer: Transfer) -> Option<f64> {
        let of_step = |line: f64| {
            let step = row.known.as_ref().and_then(|it| it.step)?;
            Some(1.0 - (step as f64 / line).min(1.0))
        };
        match (self.changes.cache_line, row.hits, transfer) {
            (_, _, Transfer::Strict | Transfer::Gather) => None,
            (None, hits, _) => hits,
            (Some(line), None, _) => of_step(line as f64),
            (Some(line), Some(hits), _) => {
                // What misses are for another reason than the step stays.
                let before = of_step(f64::from(self.setting.cache_line));
                let now = of_step(line as f64);
                match (before, now) {
                    (Some(before), Some(now)) => Some((hits + now - before).clamp(0.0, 1.0)),
                    _ => Some(hits),
                }
            }
        }
    }
}
