//! What one operation of a row costs on a platform.

use super::Changes;
use super::lines::Cache;
use super::shape::{Shape, VECTOR};
use super::work::{Cause, Row};
use crate::platform::{Placement, Platform, Setting, Time};
use crate::references::{Class, Transfer};
use std::cell::RefCell;
use std::collections::BTreeSet;

/// The elements that a message gathers in the measurement of that.
const GATHERED: f64 = 256.0;
/// The elements of 8 bytes that a message has in the measurement of `append.write`.
const APPENDS: f64 = 4096.0;
/// Bytes of a thread's memory that `near.read` and `near.update` touch, which the processor's cache holds, and those that
/// `local.read` and `update` touch, which it does not hold.
const IN_CACHE: f64 = 262_144.0;
const IN_MEMORY: f64 = 8_388_608.0;
/// Operations that wait for an answer of the thread that has the memory, besides transfers.
const ASKS: &[&str] = &[
    "baseline.read",
    "coalesce.read",
    "miss.read",
    "strict.read",
    "strict.write",
    "add.free",
    "lock.free",
];
/// The part of the cost of a sent update below which the runtime fetches lines instead (`comes_back` in
/// `runtime-c/src/cache/region.c`).
const CLEARLY: f64 = 2.0 / 3.0;
/// The transfer that waits for an answer.
const READ: &str = "bulk.read";

/// Where operations run.
pub struct Costs<'a> {
    pub platform: &'a Platform,
    pub setting: &'a Setting,
    pub at: Placement,
    pub changes: &'a Changes,
    /// The numbers of threads in the recording.
    pub before: u32,
    /// Nanoseconds for which a thread computes between two waits for others, if it has a processor of its own.
    pub between: f64,
    /// Nanoseconds by which waiting for an answer of another thread takes longer than if that one waited as well.
    pub longer: f64,
    /// Operations of which the platform has no costs, with those that stand for them.
    pub missing: RefCell<BTreeSet<(String, String)>>,
}

impl Costs<'_> {
    /// The cost of an operation of the platform.
    fn of(&self, operation: &str, bytes: u64) -> Time {
        self.of_threads(operation, bytes, self.at)
    }

    /// The cost of an operation that these threads make at the same time.
    fn of_threads(&self, operation: &str, bytes: u64, at: Placement) -> Time {
        let found = self.platform.cost(self.setting, operation, bytes, at);
        let (time, from) = found.unwrap_or((Time::default(), ""));
        if from != operation {
            let pair = (operation.to_owned(), from.to_owned());
            self.missing.borrow_mut().insert(pair);
        }
        time
    }

    /// The same, of an operation that waits for a message and back.
    fn round_trip(&self, operation: &str) -> Time {
        let trip = self.of(operation, 0).times(self.changes.latency);
        match ASKS.contains(&operation) {
            true => trip.plus(self.busy_more()),
            false => trip,
        }
    }

    /// By how much waiting for an answer takes longer if the others compute for so many nanoseconds between two waits.
    pub fn answer_longer(&self, between: f64) -> f64 {
        match self.setting.is_mapped() {
            true => 0.0,
            false => self.more("busy.read", "baseline.read", between),
        }
    }

    /// The same of a barrier, to which threads come that have computed.
    pub fn barrier_longer(&self, between: f64) -> f64 {
        self.more("busy.barrier", "barrier", between)
    }

    /// By how much an operation takes longer if threads compute between two of them for so many nanoseconds. That was
    /// measured from some microseconds on; below, it is in proportion.
    fn more(&self, busy: &str, together: &str, between: f64) -> f64 {
        let Some(costs) = self.setting.costs.get(busy) else {
            return 0.0;
        };
        let microseconds = between / 1e3;
        let least = costs.iter().map(|it| it.amount).min().unwrap_or(0);
        let part = (microseconds / least.max(1) as f64).min(1.0);
        let more = self.of(busy, microseconds.round() as u64).mean - self.of(together, 0).mean;
        more.max(0.0) * part
    }

    fn busy_more(&self) -> Time {
        Time::exactly(self.longer)
    }

    /// True if the platform says by how much a fence after writes to elements anywhere takes longer among threads that
    /// compute.
    pub fn knows_busy_fences(&self) -> bool {
        self.knows("busy.fence")
    }

    /// The same of such a fence, if the platform says that.
    pub fn fence_longer(&self, between: f64) -> f64 {
        self.more("busy.fence", "spread.fence", between)
    }

    /// A fence after writes to elements anywhere. If nobody has measured it among threads that compute, it waits for several
    /// ones, and for each as for any answer.
    fn spread_fence(&self) -> Time {
        let together = self.round_trip("spread.fence");
        if self.knows_busy_fences() {
            return together.plus(Time::exactly(self.fence_longer(self.between)));
        }
        let one = self.of("baseline.read", 0).mean.max(f64::MIN_POSITIVE);
        let several = (self.of("spread.fence", 0).mean / one).max(1.0);
        together.plus(self.busy_more().times(several))
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
        self.bulk_of_threads(operation, bytes, self.at)
    }

    fn bulk_of_threads(&self, operation: &str, bytes: f64, at: Placement) -> Time {
        let empty = self.of_threads(operation, 8, at);
        let all = self.of_threads(operation, bytes.max(8.0) as u64, at);
        let more = all.plus(empty.times(-1.0));
        let (empty, more) = (
            empty.times(self.changes.latency),
            more.times(1.0 / self.changes.bandwidth),
        );
        let empty = match operation == READ {
            true => empty.plus(self.busy_more()),
            false => empty,
        };
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

    /// Nanoseconds to find out to which thread an element belongs; 0: the platform does not say. That takes a processor,
    /// so threads that share one do it one after another.
    pub fn find(&self) -> f64 {
        let costs = self.setting.costs.get("find.read");
        let all = costs.into_iter().flatten();
        let more = all.clone().filter(|it| it.threads >= self.at.threads);
        let cost = more.min_by_key(|it| it.threads);
        let cost = cost.or_else(|| all.max_by_key(|it| it.threads));
        cost.filter(|_| self.setting.is_mapped()).map_or(0.0, |it| {
            let load = self.platform.placement(it.threads, None).load.max(1.0);
            it.time.mean / load * self.at.load.max(1.0)
        })
    }

    /// The cache of a thread; `None`: there is none.
    pub fn cache(&self) -> Option<Cache> {
        let bytes = f64::from(self.setting.cache_line) * f64::from(self.setting.cache_lines);
        let line = self
            .changes
            .cache_line
            .map_or(f64::from(self.setting.cache_line), |it| it as f64);
        // It does not grow where the user has chosen its lines.
        let most = match self.changes.cache_line {
            Some(_) => bytes,
            None => bytes.max(f64::from(self.setting.cache_most)),
        };
        (self.setting.cache == Some(true)).then(|| Cache {
            line,
            lines: bytes / line.max(1.0),
            most: most / line.max(1.0),
        })
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

    /// The accesses are to elements one after another, of one list or of several.
    fn is_in_order(&self, row: &Row) -> bool {
        let (class, transfer) = self.transfer(row);
        matches!(class, Class::Vector | Class::Local) || transfer == Transfer::Append
    }

    /// The cost of an access to the thread's own memory instead.
    pub fn own(&self, row: &Row, shape: &Shape) -> Time {
        match row.cause {
            // A copy is a read and a write. What is read again comes from the processor's cache.
            Cause::Read | Cause::Write
                if self.is_in_order(row) && self.setting.costs.contains_key("memory") =>
            {
                self.of("memory", 0).times(0.5 * shape.first)
            }
            // The next update does not wait for this one.
            Cause::Read if self.updates(row) => self.of("local.write", 0),
            Cause::Read => self.own_read(row),
            Cause::Write => self.of("local.write", 0),
            _ => Time::default(),
        }
    }

    /// A read of a random element of the thread's own part of an array, which the processor's cache holds or not.
    fn own_read(&self, row: &Row) -> Time {
        self.of_element(row, "near.read", "local.read")
    }

    /// The cost of an operation on a random element of a thread's part of an array, between that of one which the
    /// processor's cache holds, and of one which it does not hold.
    fn of_element(&self, row: &Row, in_cache: &str, in_memory: &str) -> Time {
        let part = self.part_in_memory(row, in_cache);
        let missed = self.of(in_memory, 0).times(part);
        match part < 1.0 {
            true => self.of(in_cache, 0).times(1.0 - part).plus(missed),
            false => missed,
        }
    }

    /// The part of such an operation that is taken to be one which the processor's cache does not hold.
    fn part_in_memory(&self, row: &Row, in_cache: &str) -> f64 {
        let bytes = row.array_bytes.filter(|_| self.knows(in_cache));
        bytes.map_or(1.0, |bytes| {
            ((bytes / IN_CACHE).log2() / (IN_MEMORY / IN_CACHE).log2()).clamp(0.0, 1.0)
        })
    }

    /// Nanoseconds of an update of an element anywhere in mapped or own memory: that part which the processor's cache holds, and
    /// the other one. 0: the platform does not say what updates take.
    pub fn own_update(&self, row: &Row) -> (f64, f64) {
        if !self.knows_updates() {
            return (0.0, 0.0);
        }
        let (in_cache, in_memory) = match self.setting.is_mapped() {
            true => ("near.update", "update"),
            false => ("near.read", "local.read"),
        };
        let part = self.part_in_memory(row, in_cache);
        let cached = match part < 1.0 {
            true => self.of(in_cache, 0).mean * (1.0 - part),
            false => 0.0,
        };
        (cached, self.of(in_memory, 0).mean * part)
    }

    /// The cost of one operation of a row that concerns other threads, beyond what it costs if it does not: that is part of
    /// what the program computes. Where memory is mapped, loads and stores cost what they cost in own memory.
    pub fn beyond(&self, row: &Row, shape: &Shape) -> Time {
        let own = match row.cause {
            Cause::Read | Cause::Write if self.setting.is_mapped() => return Time::default(),
            _ => self.own(row, shape).mean,
        };
        let each = self.each(row, shape);
        Time {
            low: each.low - own,
            mean: each.mean - own,
            high: each.high - own,
        }
        .at_least(0.0)
    }

    /// The cost of one operation of a row that concerns other threads.
    pub fn each(&self, row: &Row, shape: &Shape) -> Time {
        match row.cause {
            Cause::Read => self.read(row, shape),
            Cause::Write => self.write(row, shape),
            Cause::BulkRead => self.bulk("bulk.read", row.bytes),
            Cause::BulkWrite => self.bulk("bulk.write", row.bytes),
            Cause::Lock => self.lock(row),
            Cause::Atomic => self.round_trip("add.free"),
            // A strict write waits for itself as a fence does for the writes before it.
            Cause::Fence if row.spreads => self.spread_fence(),
            Cause::Fence => self.round_trip("strict.write"),
            Cause::Barrier => self.barrier(),
            Cause::Reduce => self.collective("reduce", row),
            Cause::Broadcast => self.collective("broadcast", row),
        }
    }

    /// Threads that share processors come to a barrier one after another, if they compute before it.
    fn barrier(&self) -> Time {
        let longer = self.barrier_longer(self.between);
        self.round_trip("barrier").plus(Time::exactly(longer))
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
    pub fn transfer(&self, row: &Row) -> (Class, Transfer) {
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

    /// The platform says how long this takes.
    fn knows(&self, operation: &str) -> bool {
        self.setting.costs.contains_key(operation)
    }

    fn read(&self, row: &Row, shape: &Shape) -> Time {
        let (class, transfer) = self.transfer(row);
        match transfer {
            Transfer::Strict => self.round_trip("strict.read"),
            Transfer::Gather if self.knows("gather.read") => self.gather(row, shape),
            Transfer::Gather => self.shared_trip("gather.read", VECTOR),
            Transfer::Strip | Transfer::Once if self.knows("bulk.read") => {
                self.strip(row, "bulk.read", shape)
            }
            Transfer::Strip => self.again(self.shared_trip("vector.read", VECTOR), shape),
            Transfer::Once => self.round_trip("baseline.read").times(1.0 / shape.run),
            Transfer::Strided => self.shared_trip("strided.read", VECTOR),
            Transfer::Single | Transfer::Scatter | Transfer::Append => {
                self.single(row, class, shape)
            }
        }
    }

    /// A read by itself.
    fn single(&self, row: &Row, class: Class, shape: &Shape) -> Time {
        let is_known = shape.step.is_some() || shape.among.is_some() || row.hits.is_some();
        match self.cache() {
            Some(cache) if is_known && self.knows("miss.read") => {
                let hit = self.of("hit.read", 0);
                let of_misses =
                    |part: f64, miss: Time| hit.times(1.0 - part).plus(miss.times(part));
                match self.updates(row) {
                    true => self.update(row, (cache, shape), of_misses),
                    false => {
                        let miss = self.miss().plus(self.saved(shape, self.at));
                        of_misses(self.misses(row, cache, shape), miss.at_least(0.0))
                    }
                }
            }
            _ if self.updates(row) => self.sent_update(row),
            Some(_) if class == Class::Coalesce => self.shared_trip("coalesce.read", 8.0),
            None if class == Class::Coalesce => self.round_trip("coalesce.read"),
            _ => self.again(self.round_trip("baseline.read"), shape),
        }
    }

    /// An update that the thread makes which has the memory. Nobody waits for that.
    fn sent_update(&self, row: &Row) -> Time {
        self.of_element(row, "near.update", "update")
    }

    /// An update with a cache. It is sent, until what the runtime has seen since the last flush says that lines would have cost
    /// clearly less (`runtime-c/src/cache/region.c`). Then it fetches each line once. It takes the shorter ones of the times
    /// that lines have taken, those of threads that answer at once.
    fn update(
        &self,
        row: &Row,
        (cache, shape): (Cache, &Shape),
        of_misses: impl Fn(f64, Time) -> Time,
    ) -> Time {
        let sent = self.sent_update(row);
        let at_once = self.miss().plus(self.busy_more().times(-1.0));
        let enough = CLEARLY * sent.mean;
        let seen = of_misses(shape.seen_to_miss(cache), at_once).mean;
        match seen < enough {
            true => {
                let before = (seen / enough).min(1.0);
                let lines = of_misses(shape.misses(cache), self.miss());
                sent.times(before).plus(lines)
            }
            false => sent,
        }
    }

    fn write(&self, row: &Row, shape: &Shape) -> Time {
        let (class, transfer) = self.transfer(row);
        if transfer == Transfer::Single && self.updates(row) {
            return self.of("local.write", 0);
        }
        match transfer {
            Transfer::Append if self.knows("append.write") => self.append(row, shape),
            Transfer::Scatter | Transfer::Append if self.knows("scatter.write") => {
                self.shared_trip("scatter.write", GATHERED)
            }
            Transfer::Strict => self.round_trip("strict.write"),
            Transfer::Strip if self.knows("bulk.write") => self.strip(row, "bulk.write", shape),
            Transfer::Strip | Transfer::Scatter | Transfer::Append => {
                self.shared_trip("vector.write", VECTOR)
            }
            Transfer::Strided => self.shared_trip("strided.write", VECTOR),
            Transfer::Single | Transfer::Once | Transfer::Gather => match class {
                Class::Coalesce => self.shared_trip("coalesce.write", 8.0),
                // Writes are collected: a longer way delays none of them but the last.
                Class::Baseline | Class::Vector | Class::Local => self.of("baseline.write", 0),
            },
        }
    }

    /// A write behind the one before: a message has a run of them. That of the measurement has fewer bytes, or more.
    fn append(&self, row: &Row, shape: &Shape) -> Time {
        let measured = self.of("append.write", 0).times(APPENDS);
        let bulk = |bytes: f64| self.of("bulk.write", bytes as u64).mean;
        let more = bulk(shape.run * row.bytes) - bulk(APPENDS * 8.0);
        let longer = self.of("bulk.read", 8).mean * (self.changes.latency - 1.0);
        let message = measured
            .plus(Time::exactly(more / self.changes.bandwidth + longer))
            .at_least(0.0);
        message.times(1.0 / shape.run.max(1.0))
    }

    /// The mean cost of accesses of which only a part is made for the first time, where nothing else is known of a cache.
    fn again(&self, each: Time, shape: &Shape) -> Time {
        let hit = self.of("hit.read", 0);
        let fits = self.cache().is_some_and(|it| shape.fits(it));
        if !fits || hit.mean >= each.mean {
            return each;
        }
        each.times(shape.first).plus(hit.times(1.0 - shape.first))
    }

    /// Another reference of the loop brings the strips of this row.
    pub fn has_come(&self, row: &Row) -> bool {
        let follows = row.known.as_ref().map(|it| it.follows).unwrap_or_default();
        follows.buffer || (follows.partition && self.cache().is_some())
    }

    /// Elements of which a message has a run.
    fn strip(&self, row: &Row, operation: &str, shape: &Shape) -> Time {
        if self.has_come(row) {
            return Time::default();
        }
        let cache = self.cache();
        let reads = row.cause == Cause::Read;
        let (messages, bytes) = shape.strips(cache.filter(|_| reads));
        if shape.active.is_some() && reads && self.knows("walk.read") {
            return self.bulk("walk.read", bytes).times(messages);
        }
        // One thread at least asks, and another one answers.
        let threads = shape.active.map_or(self.at.threads, |it| it.max(2));
        let at = Placement { threads, ..self.at };
        let alone = self.bulk_of_threads(operation, bytes, at);
        alone
            .plus(self.saved(shape, at))
            .at_least(0.0)
            .times(messages)
    }

    /// What a message takes less because others are sent at the same time: the wait for them is one.
    fn saved(&self, shape: &Shape, at: Placement) -> Time {
        let saved = 1.0 - 1.0 / shape.at_once.max(1.0);
        self.bulk_of_threads(READ, 8.0, at).times(-saved)
    }

    /// Elements that are gathered: a message for those of a run, and what each adds; with a cache, what a line adds.
    fn gather(&self, row: &Row, shape: &Shape) -> Time {
        let message = self.bulk("bulk.read", 8.0);
        let all = self.of("gather.read", 0);
        let phase = shape.phase.max(1.0);
        let Some(cache) = self.cache() else {
            let part = (message.mean / GATHERED / all.mean.max(f64::MIN_POSITIVE)).min(1.0);
            let messages = (1.0 / shape.run).max(1.0 / phase);
            return message.times(messages).plus(all.times(1.0 - part));
        };
        let fetched = (phase * self.misses(row, cache, shape)).max(1.0);
        let messages = (phase / shape.run).max(1.0).min(fetched);
        let line = self.bulk("bulk.read", cache.line).plus(message.times(-1.0));
        message
            .times(messages / phase)
            .plus(line.at_least(0.0).times(fetched / phase))
    }

    /// The platform says what an update costs.
    pub fn knows_updates(&self) -> bool {
        self.knows("update")
    }

    /// The row is a part of updates, of which the platform knows the cost: that of the read has that of the write in it.
    fn updates(&self, row: &Row) -> bool {
        let known = row.known.as_ref();
        known.is_some_and(|it| it.updates) && self.knows_updates()
    }

    /// A miss brings a line.
    fn miss(&self) -> Time {
        let Some(bytes) = self.changes.cache_line else {
            return self.round_trip("miss.read");
        };
        let line = |bytes: f64| self.bulk(READ, bytes).mean - self.busy_more().mean;
        let before = line(f64::from(self.setting.cache_line));
        let ratio = line(bytes as f64) / before.max(f64::MIN_POSITIVE);
        let at_once = self.of("miss.read", 0).times(self.changes.latency);
        at_once.times(ratio).plus(self.busy_more())
    }

    /// The part of reads that the cache does not answer (section 7.2 of the thesis): from the shape of the accesses, and as
    /// many times as many as were recorded, if they were.
    pub fn misses(&self, row: &Row, cache: Cache, shape: &Shape) -> f64 {
        let now = shape.misses(cache);
        match (row.hits, shape.expected) {
            (Some(hits), Some(before)) if before > 0.0 => ((1.0 - hits) * now / before).min(1.0),
            (Some(hits), _) => 1.0 - hits,
            (None, _) => now,
        }
    }
}
