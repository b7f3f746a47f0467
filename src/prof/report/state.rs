//! What a thread does at a moment, as the page colours it.

use crate::prof::model::Group;
use serde::Serialize;

/// What a thread does; the index in [`STATES`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum State {
    /// Code of the program: outside events, or in a function, a loop or an event of its own.
    User,
    /// Waits at barriers, and notifies.
    Barrier,
    /// Takes or releases a lock.
    Lock,
    /// Reads shared memory.
    Get,
    /// Writes shared memory, or copies in it.
    Put,
    /// Waits for non-blocking transfers.
    Completion,
    /// Runs a collective function.
    Collective,
    /// Runs an atomic operation.
    Atomic,
    /// Allocates or frees memory.
    Memory,
    /// Reads or writes files.
    Io,
    /// Posts to a semaphore, or waits for one.
    Semaphore,
    /// Calls MPI.
    Mpi,
    /// Is in the runtime otherwise: fences, the cache.
    Runtime,
}

/// A state as the page shows it.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Described {
    /// Its name in the style sheet: the colour is `--state-NAME`.
    pub name: &'static str,
    /// Its name for people.
    pub title: &'static str,
}

/// The number of states.
pub const COUNT: usize = 13;

/// All states, in the order of [`State`].
#[rustfmt::skip]
pub const STATES: [Described; COUNT] = [
    Described { name: "user", title: "user code" },
    Described { name: "barrier", title: "barrier" },
    Described { name: "lock", title: "lock" },
    Described { name: "get", title: "get" },
    Described { name: "put", title: "put, copy" },
    Described { name: "completion", title: "wait for transfer" },
    Described { name: "collective", title: "collective" },
    Described { name: "atomic", title: "atomic" },
    Described { name: "memory", title: "allocation" },
    Described { name: "io", title: "input, output" },
    Described { name: "semaphore", title: "semaphore" },
    Described { name: "mpi", title: "MPI" },
    Described { name: "runtime", title: "runtime" },
];

/// Nanoseconds, or another quantity, by state.
pub type ByState = [u64; COUNT];

impl State {
    /// Returns the state of a thread whose innermost event is of this group.
    pub fn of(group: Group) -> State {
        group.facts().state
    }

    /// Returns the index in [`STATES`].
    pub fn index(self) -> usize {
        self as usize
    }
}
