//! What a thread of a recorded run did, on average.

use super::super::compute;
use super::super::estimate::estimate;
use super::super::model::{Cell, Frame, Group, Key, Object, Recording, Tables};
use crate::references::{Class, Formula, Loop, Mode, Reference, References, Region, Transfer};
use std::collections::BTreeMap;

/// A line of the program.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Place {
    /// The file; empty: no place of the program.
    pub file: String,
    /// The line; 0: unknown.
    pub line: u32,
    /// The column; 0: unknown.
    pub column: u32,
}

/// Why a row takes time.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Cause {
    /// Reads of elements of other threads.
    Read,
    /// Writes of elements of other threads.
    Write,
    /// `upc_memget` and the like.
    BulkRead,
    /// `upc_memput` and the like.
    BulkWrite,
    /// Locks.
    Lock,
    /// Atomic operations.
    Atomic,
    /// Fences, which wait for writes.
    Fence,
    /// Barriers.
    Barrier,
    /// Collective functions that combine values.
    Reduce,
    /// Other collective functions.
    Broadcast,
}

impl Cause {
    /// The words of tables.
    pub fn name(self) -> &'static str {
        match self {
            Cause::Read => "remote reads",
            Cause::Write => "remote writes",
            Cause::BulkRead => "bulk reads",
            Cause::BulkWrite => "bulk writes",
            Cause::Lock => "locks",
            Cause::Atomic => "atomic operations",
            Cause::Fence => "fences",
            Cause::Barrier => "barriers",
            Cause::Reduce | Cause::Broadcast => "collective functions",
        }
    }
}

/// What the compiler knows of a reference.
#[derive(Clone, PartialEq, Debug)]
pub struct Known {
    /// Its pattern.
    pub class: Class,
    /// How it moves.
    pub transfer: Transfer,
    /// Bytes from one access to the next.
    pub step: Option<u64>,
    /// How often a thread makes it.
    pub count: Option<Formula>,
    /// How often it does until it may synchronize.
    pub phase: Option<Formula>,
    /// How often it makes the same accesses in that time.
    pub repeats: Option<Formula>,
    /// The line of its loop.
    pub loop_line: u32,
    /// The iterations of its loop.
    pub turns: Option<Formula>,
    /// The same statement reads and writes the element.
    pub updates: bool,
    /// Another reference of the loop, which stands before it, has its elements in the same buffer, or in the same lines of
    /// the cache.
    pub follows: Follows,
}

/// What another reference of a loop brings.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Follows {
    /// The same buffer.
    pub buffer: bool,
    /// Elements close to these.
    pub partition: bool,
}

/// Operations of a kind in a line.
#[derive(Clone, PartialEq, Debug)]
pub struct Row {
    /// Where.
    pub place: Place,
    /// The event.
    pub event: String,
    /// The text of what is accessed; empty: unknown.
    pub text: String,
    /// The accessed array, if it is a static one.
    pub array: Option<String>,
    /// The bytes of that array in the memory of a thread.
    pub array_bytes: Option<f64>,
    /// The first thread and the last one are neighbours in it, or they are not. `None`: the recording does not say that.
    pub is_ring: Option<bool>,
    /// Why it takes time.
    pub cause: Cause,
    /// The operations of a thread that concern other threads, or all threads.
    pub count: f64,
    /// Those on the thread's own memory, if they were recorded.
    pub local: f64,
    /// Bytes of an operation.
    pub bytes: f64,
    /// The nanoseconds that they took when they were recorded.
    pub recorded: f64,
    /// The part of them that the cache answered, if it was recorded.
    pub hits: Option<f64>,
    /// What the compiler knows.
    pub known: Option<Known>,
    /// How often a thread comes to the line, as the compiler knows.
    pub visits: Option<Formula>,
    /// Of a fence: the loop or function around it writes to elements anywhere, so that all other threads answer.
    pub spreads: bool,
}

impl Row {
    /// The line of its loop.
    pub fn loop_line(&self) -> Option<u32> {
        self.known.as_ref().map(|it| it.loop_line)
    }

    /// The row is a part of updates of elements of which the compiler does not know the place.
    pub fn updates_anywhere(&self) -> bool {
        let known = self.known.as_ref();
        known.is_some_and(|it| it.updates && it.step.is_none())
    }
}

/// What a thread did.
#[derive(Clone, PartialEq, Debug)]
pub struct Work {
    /// THREADS.
    pub threads: u32,
    /// The transport.
    pub network: String,
    /// Nanoseconds of the run, as recorded.
    pub run: f64,
    /// Nanoseconds outside of the operations of the rows, of the thread with the most of them.
    pub computing: f64,
    /// The part of it, from 0 to 1, that one thread has more than another: that is not divided among threads.
    pub serial: f64,
    /// The operations.
    pub rows: Vec<Row>,
    /// How much a thread computes, as the compiler knows.
    pub amount: Option<Formula>,
    /// The same without loops that update elements anywhere: where memory is mapped, these take what the updates take.
    pub beside_updates: Option<Formula>,
    /// How often a thread finds out to which thread an element belongs, by reference, where the time that this takes
    /// depends on the number of threads.
    pub finds: Vec<Formula>,
    /// Bytes of shared data of a thread: static arrays, and what it allocates.
    pub shared_bytes: f64,
    /// How often a thread synchronizes so that its cache is emptied.
    pub flushes: f64,
}

/// Differences between threads up to this part are chance.
const CHANCE: f64 = 0.1;

impl Work {
    /// Adds up a recording.
    pub fn new(of: &dyn Recording, references: Option<&References>) -> Work {
        let computed;
        let profile = match of.profile() {
            Some(profile) => profile,
            None => {
                computed = compute::profile(of);
                &computed
            }
        };
        let estimate = estimate(of, profile);
        let tables = of.tables();
        let threads = of.facts().threads.max(1);
        let mut rows: BTreeMap<(Place, String, String), Row> = BTreeMap::new();
        let mut flushes = 0.0;
        let arrays = tables.objects.iter().map(|it| it.bytes_per_thread as f64);
        let mut shared_bytes: f64 = arrays.sum();
        let mut cached: BTreeMap<Place, (f64, f64)> = BTreeMap::new();
        let mut own: Vec<f64> = estimate.outside.iter().map(|&time| time as f64).collect();
        own.resize(threads as usize, 0.0);
        for (key, cell) in &estimate.profile.cells {
            let Some(frame) = profile.frame(key.path) else {
                continue;
            };
            let kind = tables.kind(frame.kind);
            if kind.group == Group::Cache {
                let at = cached.entry(place(tables, frame)).or_default();
                match kind.name.as_str() {
                    "UPC_CACHE_HIT" => at.0 += cell.count as f64,
                    "UPC_CACHE_MISS" => at.1 += cell.count as f64,
                    _ => {}
                }
            }
            if kind.group == Group::Memory {
                shared_bytes += allocated(&kind.name, cell.bytes, threads);
            }
            if flushes_cache(kind.group) {
                flushes += cell.count as f64 / f64::from(threads);
            }
            match cause(kind.group, &kind.name) {
                Some(cause) => add(&mut rows, tables, frame, (key, cell), cause, threads),
                None if kind.group == Group::Note => {}
                None => own[key.thread as usize] += cell.own as f64,
            }
        }
        let mut rows: Vec<Row> = rows.into_values().collect();
        for row in &mut rows {
            row.bytes /= (row.count + row.local).max(f64::MIN_POSITIVE);
            row.known = references.and_then(|all| known(all, row));
            row.hits = cached
                .get(&row.place)
                .map(|(hits, misses)| hits / (hits + misses).max(1.0));
        }
        if let Some(all) = references {
            find_regions(all, &mut rows);
        }
        let most = own.iter().copied().fold(0.0, f64::max);
        let least = own.iter().copied().fold(f64::INFINITY, f64::min);
        let apart = if most > 0.0 {
            (most - least) / most
        } else {
            0.0
        };
        let first = of.threads().iter().map(|it| it.first).min().unwrap_or(0);
        let last = of.threads().iter().map(|it| it.last).max().unwrap_or(0);
        Work {
            threads,
            network: of.facts().network.clone(),
            run: last.saturating_sub(first) as f64,
            computing: most,
            serial: if apart > CHANCE { apart } else { 0.0 },
            amount: references.and_then(|it| it.work.clone()),
            beside_updates: references.and_then(|it| beside_updates(it, &rows)),
            finds: references.map_or_else(Vec::new, |it| finds(it, tables, &rows)),
            shared_bytes,
            flushes,
            rows,
        }
    }
}

/// How much a thread computes in other loops than those that update elements anywhere.
fn beside_updates(all: &References, rows: &[Row]) -> Option<Formula> {
    let updates = |it: &&Loop| {
        let of_loop = |row: &&Row| row.place.file == it.file && row.loop_line() == Some(it.line);
        rows.iter().filter(of_loop).any(Row::updates_anywhere)
    };
    let loops = all.loops.iter().filter(updates);
    let mut rest = all.work.clone()?;
    for it in loops {
        rest = rest.minus(it.work.as_ref()?)?;
    }
    Some(rest)
}

/// Why the events of a kind take time; `None`: it is time of the program's own.
fn cause(group: Group, name: &str) -> Option<Cause> {
    match group {
        Group::Get if name == "UPC_GET" => Some(Cause::Read),
        Group::Put if name == "UPC_PUT" => Some(Cause::Write),
        Group::Get | Group::Copy => Some(Cause::BulkRead),
        Group::Put => Some(Cause::BulkWrite),
        Group::Wait | Group::Barrier => Some(Cause::Barrier),
        Group::Lock if name == "UPC_LOCK" => Some(Cause::Lock),
        Group::Collective if name.contains("REDUCE") => Some(Cause::Reduce),
        Group::Collective => Some(Cause::Broadcast),
        Group::Atomic => Some(Cause::Atomic),
        Group::Fence => Some(Cause::Fence),
        Group::Lock
        | Group::Function
        | Group::Notify
        | Group::Forall
        | Group::Loop
        | Group::Memory
        | Group::NonBlocking
        | Group::Cache
        | Group::Io
        | Group::Semaphore
        | Group::Post
        | Group::Mpi
        | Group::Runtime
        | Group::Note
        | Group::User => None,
    }
}

/// A thread's part of the bytes that an event of a thread allocates. All threads name the bytes of `upc_all_alloc`.
fn allocated(event: &str, bytes: u64, threads: u32) -> f64 {
    let threads = f64::from(threads);
    let events = if event == "UPC_ALL_ALLOC" {
        threads
    } else {
        1.0
    };
    bytes as f64 / threads / events
}

/// True for what empties the cache of remote memory.
fn flushes_cache(group: Group) -> bool {
    matches!(
        group,
        Group::Barrier | Group::Wait | Group::Fence | Group::Lock | Group::Collective
    )
}

fn place(tables: &Tables, frame: &Frame) -> Place {
    let site = tables.site(frame.site);
    Place {
        file: site.map_or(String::new(), |it| tables.text(it.file).to_owned()),
        line: site.map_or(0, |it| it.line),
        column: site.map_or(0, |it| it.column),
    }
}

/// Adds the events of a cell to their row, each thread's part of them.
fn add(
    rows: &mut BTreeMap<(Place, String, String), Row>,
    tables: &Tables,
    frame: &Frame,
    (key, cell): (&Key, &Cell),
    cause: Cause,
    threads: u32,
) {
    let event = tables.kind(frame.kind).name.clone();
    let place = place(tables, frame);
    let name = tables.site(frame.site).and_then(|it| it.name);
    let text = name.map_or(String::new(), |it| tables.text(it).to_owned());
    let row = rows
        .entry((place.clone(), event.clone(), text.clone()))
        .or_insert_with(|| Row {
            place,
            event,
            text,
            array: None,
            array_bytes: None,
            is_ring: None,
            cause,
            count: 0.0,
            local: 0.0,
            bytes: 0.0,
            recorded: 0.0,
            hits: None,
            known: None,
            visits: None,
            spreads: false,
        });
    let object = key.object.and_then(|it| tables.objects.get(it.0 as usize));
    row.array = object
        .map(|it| tables.text(it.name).to_owned())
        .or(row.array.take());
    row.array_bytes = object
        .map(|it| it.bytes_per_thread as f64)
        .or(row.array_bytes);
    if let Some(wraps) = object.and_then(|it| wraps(it, key, cell, threads)) {
        row.is_ring = Some(wraps || row.is_ring == Some(true));
    }
    let part = |n: u64| n as f64 / f64::from(threads);
    match key.peer {
        Some(peer) if peer == key.thread => row.local += part(cell.count),
        Some(_) | None => row.count += part(cell.count),
    }
    row.bytes += part(cell.bytes);
    row.recorded += part(cell.own);
}

/// True if a thread turns from its end of an array to the other end of it, where the first thread and the last one are neighbours.
/// On two threads, the first one then begins at the upper end of the other's part, or the other one at the lower end of its part.
/// `None`: the cell does not say that.
fn wraps(object: &Object, key: &Key, cell: &Cell, threads: u32) -> Option<bool> {
    let peer = key.peer.filter(|&peer| peer != key.thread)?;
    let are_ends = key.thread.abs_diff(peer) == threads - 1;
    let at = cell
        .first
        .filter(|_| object.has_one_block())?
        .checked_sub(object.addr)?;
    let is_upper = 2 * at >= object.bytes_per_thread;
    Some(are_ends && (threads > 2 || is_upper == (key.thread == 0)))
}

/// Finds the reference of a row: with its text at its column, or at its column, or the only one of its kind in its line.
fn known(all: &References, row: &Row) -> Option<Known> {
    if !matches!(row.cause, Cause::Read | Cause::Write) {
        return None;
    }
    let reads = row.cause == Cause::Read;
    let suits = |mode: Mode| match mode {
        Mode::Read => reads,
        Mode::Write => !reads,
        Mode::ReadWrite => true,
    };
    let of_file = all.loops.iter().filter(|it| it.file == row.place.file);
    let of_line = of_file.flat_map(|it| it.references.iter().map(move |r| (it, r)));
    let of_line = of_line
        .filter(|(_, r)| r.line == row.place.line && suits(r.mode) && r.class != Class::Local);
    let (found, reference) = of_line.max_by_key(|(_, r)| {
        let here = r.column == row.place.column;
        (
            here && r.text == row.text,
            here,
            std::cmp::Reverse(r.column),
        )
    })?;
    let before = found.references.iter().filter(|it| suits(it.mode));
    let before: Vec<&Reference> = before.take_while(|it| *it != reference).collect();
    let same_buffer = |it: &&Reference| reference.buffer.is_some() && it.buffer == reference.buffer;
    let is_close = |it: &&Reference| it.partition == reference.partition;
    Some(Known {
        class: reference.class,
        transfer: reference.transfer,
        step: reference.step,
        count: reference.count.clone(),
        phase: reference.phase.clone(),
        repeats: reference.repeats.clone(),
        loop_line: found.line,
        turns: found.turns.clone(),
        updates: reference.mode == Mode::ReadWrite,
        follows: Follows {
            buffer: before.iter().any(same_buffer),
            partition: before.iter().any(is_close),
        },
    })
}

/// Says of each row how often its line is run: as often as the innermost loop or function around it.
fn find_regions(all: &References, rows: &mut [Row]) {
    let has = |region: &Region, place: &Place| {
        region.file == place.file && (region.first..=region.last).contains(&place.line)
    };
    let anywhere: Vec<Place> = rows
        .iter()
        .filter(|row| row.cause == Cause::Write)
        .filter(|row| row.known.as_ref().is_some_and(|it| it.step.is_none()))
        .map(|row| row.place.clone())
        .collect();
    for row in rows {
        let around = all.regions.iter().filter(|it| has(it, &row.place));
        let innermost = around.min_by_key(|it| it.last - it.first);
        row.visits = innermost.and_then(|it| it.count.clone());
        row.spreads = row.cause == Cause::Fence
            && innermost.is_some_and(|it| anywhere.iter().any(|place| has(it, place)));
    }
}

/// How often references by subscripts that the compiler does not know are made, of which each access finds out to which
/// thread its element belongs. In an array with a block for each thread, `upcr_at_block` of the runtime's headers compares
/// the subscript with the ends of the first blocks, and divides it if there are more threads. A block that is a power of two
/// is found by a shift in any case.
fn finds(all: &References, tables: &Tables, rows: &[Row]) -> Vec<Formula> {
    let has_one_block = |name: &str| {
        let objects = &mut tables.objects.iter();
        let object = objects.find(|it| tables.text(it.name) == name);
        object.is_some_and(Object::has_one_block)
    };
    let each_finds = |it: &Reference| match it.transfer {
        Transfer::Single | Transfer::Gather | Transfer::Scatter | Transfer::Append => {
            it.class == Class::Baseline && it.block > 1 && !it.block.is_power_of_two()
        }
        Transfer::Strict | Transfer::Strip | Transfer::Strided | Transfer::Once => false,
    };
    // What is not made in each iteration counts if it was made in the recorded run.
    let is_made = |file: &str, it: &Reference| {
        let here = |row: &Row| row.place.line == it.line && row.place.column == it.column;
        !it.maybe || rows.iter().any(|row| row.place.file == file && here(row))
    };
    let references = all
        .loops
        .iter()
        .flat_map(|of| of.references.iter().map(move |it| (of, it)));
    let references = references.filter(|(of, it)| each_finds(it) && is_made(&of.file, it));
    let of_arrays = references.filter(|(_, it)| it.array.as_deref().is_some_and(has_one_block));
    of_arrays.filter_map(|(_, it)| it.count.clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::{Cell, Key, Object, wraps};
    use crate::prof::model::{PathId, TextId};

    /// What the first access at this byte of a part of 800 bytes says, on so many threads.
    fn says(threads: u32, (thread, peer): (u32, u32), at: u64) -> Option<bool> {
        let object = Object {
            name: TextId(0),
            type_name: TextId(0),
            addr: 5000,
            bytes_per_thread: 800,
            elem_bytes: 8,
            blocks: u64::from(threads),
            block_bytes: 800,
        };
        let key = Key {
            thread,
            path: PathId::ROOT,
            peer: Some(peer),
            object: None,
        };
        let cell = Cell {
            first: Some(5000 + at),
            ..Cell::default()
        };
        wraps(&object, &key, &cell, threads)
    }

    /// In a line of two threads, the first one reads the lower end of the other's part, and that one the upper end of the
    /// first one's.
    #[test]
    fn a_ring_of_two_is_told_from_a_line_by_the_ends() {
        assert_eq!(says(2, (0, 1), 0), Some(false));
        assert_eq!(says(2, (1, 0), 792), Some(false));
        assert_eq!(says(2, (0, 1), 792), Some(true));
        assert_eq!(says(2, (1, 0), 0), Some(true));
        assert_eq!(says(2, (1, 1), 0), None);
    }

    #[test]
    fn in_a_ring_of_more_the_first_and_the_last_are_neighbours() {
        assert_eq!(says(4, (0, 1), 792), Some(false));
        assert_eq!(says(4, (0, 3), 0), Some(true));
        assert_eq!(says(4, (3, 0), 0), Some(true));
    }
}
