//! What the costs of a platform are about.

use super::CACHE_LINE;

/// What a cost depends on besides the number of threads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Axis {
    /// Nothing.
    Threads,
    /// The bytes that are moved.
    Bytes,
    /// The microseconds for which threads compute between two operations, each on a processor of its own.
    Computing,
}

/// An operation of which a platform has costs.
pub struct Operation {
    /// Its name in files.
    pub name: &'static str,
    /// What its cost depends on.
    pub axis: Axis,
    /// Whether the cache of remote memory may change its cost.
    pub cached: Cached,
    /// What is measured.
    pub meaning: &'static str,
    /// The operation that stands for it on a platform that has no cost of it.
    pub instead: Option<&'static str>,
}

/// Whether the cache of remote memory may change a cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cached {
    /// It may.
    Always,
    /// It may, for no more bytes than a line has: more bytes pass it (`runtime-c/src/cache/bulk.c`).
    InLine,
    /// It does not.
    Never,
}

const CACHED: Cached = Cached::Always;
const SHORT: Cached = Cached::InLine;
const ALIKE: Cached = Cached::Never;

const fn row(
    name: &'static str,
    axis: Axis,
    cached: Cached,
    instead: Option<&'static str>,
    meaning: &'static str,
) -> Operation {
    Operation {
        name,
        axis,
        cached,
        meaning,
        instead,
    }
}

impl Operation {
    /// The cache never changes the cost, with so many bytes.
    pub fn is_alike(&self, bytes: u64) -> bool {
        match self.cached {
            Cached::Always => false,
            Cached::InLine => bytes > u64::from(CACHE_LINE),
            Cached::Never => true,
        }
    }
}

/// All operations. Accesses are to elements of 8 bytes of the next thread, by all threads at once, unless the row says
/// something else.
#[rustfmt::skip] // one row per line
pub const OPERATIONS: &[Operation] = &[
    row("stream.read", Axis::Threads, CACHED, Some("baseline.read"), "a read of a random element by one thread, while the others wait"),
    row("baseline.read", Axis::Threads, CACHED, None, "a read of a random element"),
    row("busy.read", Axis::Computing, ALIKE, Some("baseline.read"), "a read of a random element of a thread that computes, as all do between two reads, beyond these microseconds"),
    row("baseline.write", Axis::Threads, CACHED, Some("baseline.read"), "a write of a random element"),
    row("flush.read", Axis::Threads, CACHED, Some("baseline.read"), "a read of a random element of the last thread by all others"),
    row("vector.read", Axis::Threads, CACHED, Some("baseline.read"), "a read of one of 64 consecutive elements, in a loop"),
    row("vector.write", Axis::Threads, CACHED, Some("baseline.write"), "a write of one of 64 consecutive elements, in a loop"),
    row("strided.read", Axis::Threads, CACHED, Some("vector.read"), "a read of each 16th element, in a loop"),
    row("strided.write", Axis::Threads, CACHED, Some("vector.write"), "a write of each 16th element, in a loop"),
    row("coalesce.read", Axis::Threads, CACHED, Some("baseline.read"), "a read of one of eight elements close to each other, in a sequence of statements"),
    row("coalesce.write", Axis::Threads, CACHED, Some("baseline.write"), "the same with writes"),
    row("gather.read", Axis::Threads, CACHED, Some("baseline.read"), "a read of a random element that a subscript selects, `a[ix[i]]` in a loop"),
    row("scatter.write", Axis::Threads, CACHED, Some("vector.write"), "a write of a random element that a subscript selects, `a[ix[i]] = x` in a loop"),
    row("append.write", Axis::Threads, ALIKE, Some("scatter.write"), "a write of the element behind the one that the thread wrote before, `a[n[x[i]]++] = x` in a loop"),
    row("update", Axis::Threads, CACHED, None, "an update of a random element, `a[i] += x`"),
    row("near.update", Axis::Threads, CACHED, Some("update"), "an update of one of 4096 elements, which a processor's cache holds, in as many lines of the cache of remote memory"),
    row("hit.read", Axis::Threads, CACHED, Some("local.read"), "a read of what was read before"),
    row("miss.read", Axis::Threads, CACHED, Some("baseline.read"), "a read beyond the cached lines, with what a line takes"),
    row("strict.read", Axis::Threads, ALIKE, Some("baseline.read"), "a strict read"),
    row("strict.write", Axis::Threads, ALIKE, Some("baseline.write"), "a strict write"),
    row("local.read", Axis::Threads, ALIKE, None, "a read of a random element of the thread's own shared memory"),
    row("local.write", Axis::Threads, ALIKE, Some("local.read"), "a write of one"),
    row("find.read", Axis::Threads, ALIKE, None, "a read of an element that a subscript selects, in the processor's cache, of a block whose thread must be found"),
    row("near.read", Axis::Threads, ALIKE, Some("local.read"), "a read of a random element of 256 KiB of the thread's own shared memory"),
    row("private.read", Axis::Threads, ALIKE, Some("local.read"), "a read of a random element of private memory"),
    row("private.write", Axis::Threads, ALIKE, Some("private.read"), "a write of one"),
    row("memory", Axis::Threads, ALIKE, Some("private.read"), "8 bytes of a copy of a large private array by all threads at once"),
    row("add.free", Axis::Threads, ALIKE, Some("strict.read"), "a fetch-and-add on a counter of the next thread, which no other thread uses"),
    row("add.contended", Axis::Threads, ALIKE, Some("add.free"), "the same on one counter for all threads"),
    row("lock.own", Axis::Threads, ALIKE, Some("lock.free"), "upc_lock and upc_unlock of a free lock of the thread's own"),
    row("lock.free", Axis::Threads, ALIKE, Some("add.free"), "upc_lock and upc_unlock of a free lock of the next thread"),
    row("lock.contended", Axis::Threads, ALIKE, Some("lock.free"), "the same of one lock that all threads want"),
    row("spread.fence", Axis::Threads, ALIKE, Some("strict.write"), "upc_fence after a write to each other thread"),
    row("busy.fence", Axis::Computing, ALIKE, Some("spread.fence"), "the same of threads that compute before it, beyond these microseconds"),
    row("barrier", Axis::Threads, ALIKE, Some("lock.contended"), "upc_barrier"),
    row("busy.barrier", Axis::Computing, ALIKE, Some("barrier"), "upc_barrier of threads that compute before it, beyond these microseconds"),
    row("broadcast", Axis::Threads, ALIKE, Some("barrier"), "upc_all_broadcast of 8 bytes"),
    row("reduce", Axis::Threads, ALIKE, Some("broadcast"), "upc_all_reduceL of an element of each thread"),
    row("bulk.read", Axis::Bytes, SHORT, Some("baseline.read"), "upc_memget of this number of bytes"),
    row("bulk.write", Axis::Bytes, SHORT, Some("bulk.read"), "upc_memput of this number of bytes"),
    row("walk.read", Axis::Bytes, SHORT, Some("bulk.read"), "upc_memget of this number of bytes of the first two threads in turn, which wait, by all others"),
];

/// Operations on a thread's own memory. They cost the same over each network. Over messages, what delivers these may take the
/// processor from the measurement.
pub const OF_OWN_MEMORY: &[&str] = &[
    "local.read",
    "local.write",
    "find.read",
    "near.read",
    "private.read",
    "private.write",
    "memory",
];

/// Returns the operation of a name.
pub fn named(name: &str) -> Option<&'static Operation> {
    OPERATIONS.iter().find(|it| it.name == name)
}
