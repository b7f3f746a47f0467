//! The role of each kind of event in the relations between threads.

use crate::prof::model::{Arg, Event, Kind, KindId, Phase, Shared, Tables};

/// A role.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// No role.
    Plain,
    /// Its start is the thread's arrival at a barrier.
    Arrive,
    /// Its end is the end of waiting at a barrier.
    Leave,
    /// Both: a blocking barrier.
    Barrier,
    /// Takes a lock.
    Acquire,
    /// Releases a lock.
    Release,
    /// Starts a background transfer.
    Initiate,
    /// The data of such a transfer move.
    Data,
    /// Waits until such a transfer ends, or tests whether it has ended.
    Complete,
}

/// The roles of all kinds.
pub struct Roles(Vec<Role>);

impl Roles {
    pub fn new(tables: &Tables) -> Roles {
        Roles(tables.kinds.iter().map(role).collect())
    }

    pub fn of(&self, kind: KindId) -> Role {
        let role = usize::try_from(kind.0).ok().and_then(|at| self.0.get(at));
        role.copied().unwrap_or(Role::Plain)
    }
}

/// Returns the role of a kind: that of its group, if this kind has what the role needs.
fn role(kind: &Kind) -> Role {
    match kind.group.facts().role {
        Role::Acquire => match kind.name.as_str() {
            "UPC_LOCK" | "UPC_LOCK_ATTEMPT" => Role::Acquire,
            "UPC_UNLOCK" => Role::Release,
            _ => Role::Plain,
        },
        Role::Initiate if kind.moves.handle.is_none() => Role::Plain,
        Role::Complete if !kind.nested => Role::Data,
        role => role,
    }
}

/// Returns the lock of a lock event, if the recording contains it.
pub fn lock(kind: &Kind, event: &Event) -> Option<Shared> {
    match event.args.get(kind.moves.lock?)? {
        Arg::Shared(lock) => Some(*lock),
        _ => None,
    }
}

/// Returns the handle of a background transfer; `None` for a transfer that completed in its initiation.
pub fn handle(kind: &Kind, event: &Event) -> Option<u64> {
    match event.args.get(kind.moves.handle?)? {
        Arg::Address(handle) if *handle != TRIVIAL => Some(*handle),
        _ => None,
    }
}

/// `GASP_NB_TRIVIAL`.
const TRIVIAL: u64 = 0;

/// Returns whether an attempt (to take a lock, to complete a transfer) succeeded; true for an event that cannot fail.
pub fn succeeded(kind: &Kind, event: &Event) -> bool {
    let result = kind
        .args(Phase::End)
        .iter()
        .position(|a| a.name == "result");
    let result = result.and_then(|at| event.args.get(at));
    !matches!(result, Some(Arg::Int(0)))
}
