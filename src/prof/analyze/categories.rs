//! The time of all threads by category: what the program does itself, what the compiler and the runtime have added, what
//! recording adds.
//!
//! An event that no place of the program raises is of the runtime, as is what the cache and the start and the end of the
//! program raise. An instrumented program makes its accesses itself, as the source has them: what the compiler else
//! inserts for them, such as gathers and transfers ahead, is not in it.

use super::super::model::{KindId, SiteId, Tables};
use super::shares::{Part, Spent};

/// A category. The order is that of [`CATEGORIES`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Category {
    /// Outside events, and in functions, loops and events of the user's: as a rule, computing.
    Computing,
    /// Single reads and writes of shared objects.
    References,
    /// Bulk and non-blocking transfers.
    Transfers,
    /// Barriers and fences of the program.
    Barriers,
    /// Locks.
    Locks,
    /// Semaphores.
    Semaphores,
    /// Collective functions.
    Collectives,
    /// Atomic operations.
    Atomics,
    /// Allocating and freeing memory.
    Memory,
    /// Files.
    Files,
    /// The program's calls of MPI.
    Mpi,
    /// What the compiler and the runtime have inserted.
    Inserted,
    /// What recording adds to events, and writing them into the file.
    Recording,
    /// Ready to run, but without a processor.
    NoProcessor,
}

/// What users and programs call a category.
#[rustfmt::skip]
pub const CATEGORIES: [(Category, &str, &str); 14] = [
    (Category::Computing, "computing", "computing: outside events and in regions"),
    (Category::References, "references", "single reads and writes of shared objects"),
    (Category::Transfers, "transfers", "bulk and non-blocking transfers"),
    (Category::Barriers, "barriers", "barriers and fences of the program"),
    (Category::Locks, "locks", "locks"),
    (Category::Semaphores, "semaphores", "semaphores"),
    (Category::Collectives, "collectives", "collective functions"),
    (Category::Atomics, "atomics", "atomic operations"),
    (Category::Memory, "memory", "allocating and freeing memory"),
    (Category::Files, "files", "files"),
    (Category::Mpi, "mpi", "calls of MPI"),
    (Category::Inserted, "inserted", "inserted by the compiler and the runtime"),
    (Category::Recording, "recording", "recording the events"),
    (Category::NoProcessor, "no-processor", "ready to run, but without a processor"),
];

/// The time of a category in nanoseconds of all threads, and the number of its events.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OfCategory {
    /// The category.
    pub category: Category,
    /// Nanoseconds of all threads.
    pub time: u64,
    /// The number of events.
    pub number: u64,
}

fn of_event(tables: &Tables, kind: KindId, site: SiteId) -> Category {
    let kind = tables.kind(kind);
    let is_users = tables.site(site).is_some_and(|site| site.line > 0);
    let is_single = matches!(kind.name.as_str(), "UPC_GET" | "UPC_PUT");
    match kind.group.facts().category {
        _ if !is_users => Category::Inserted,
        Category::Transfers if is_single => Category::References,
        category => category,
    }
}

/// Adds up the parts of the time by category. All categories are the whole.
pub(super) fn categories(tables: &Tables, spent: &[Spent]) -> Vec<OfCategory> {
    let mut sums = CATEGORIES.map(|(category, ..)| OfCategory {
        category,
        time: 0,
        number: 0,
    });
    for spent in spent {
        let category = match spent.part {
            Part::Events(kind, site) => of_event(tables, kind, site),
            Part::OutsideEvents => Category::Computing,
            Part::NoProcessor => Category::NoProcessor,
            Part::Writing => Category::Recording,
        };
        let sum = &mut sums[category as usize];
        sum.time += spent.time - spent.recording;
        sum.number += spent.number;
        sums[Category::Recording as usize].time += spent.recording;
    }
    sums.into_iter()
        .filter(|sum| sum.time > 0 || sum.number > 0)
        .collect()
}

impl Category {
    /// Returns its name in JSON, and that for people.
    pub fn names(self) -> (&'static str, &'static str) {
        let (_, name, title) = CATEGORIES[self as usize];
        (name, title)
    }
}
