//! Findings and their kinds.

use super::super::model::{ObjectId, SiteId};
use super::explained::Delay;

/// The kinds of findings; [`KINDS`] describes each.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    /// One thread reaches a barrier after all others.
    LateThread,
    /// Threads have different amounts of work in front of a barrier.
    LoadImbalance,
    /// Nothing happens in shared memory between two barriers.
    RedundantBarrier,
    /// Threads wait for a lock that is held shortly and often.
    ContendedLock,
    /// Threads wait for a lock because the work under it takes long.
    SerialisedSection,
    /// Threads wait for a semaphore that is posted late.
    LatePost,
    /// Neighbouring elements of another thread are accessed one by one.
    SingleTransfers,
    /// Nearly all remote accesses go to one thread.
    OneOwner,
    /// Another block size would make most accesses local.
    BlockSize,
    /// Many calls move few bytes of a file each.
    SmallIo,
    /// An operation takes longer than on this platform alone.
    SlowOperation,
    /// An operation sometimes takes much longer than otherwise.
    VaryingOperation,
}

/// A kind as users see it.
#[derive(Clone, Copy, Debug)]
pub struct Described {
    /// The kind.
    pub kind: Kind,
    /// Its name on the command line and in JSON.
    pub name: &'static str,
    /// What it is, in a line.
    pub title: &'static str,
    /// What it means, how it is found and what helps.
    pub page: &'static str,
}

/// All kinds.
#[rustfmt::skip]
pub const KINDS: &[Described] = &[
    Described { kind: Kind::LateThread, name: "late-thread", title: "one thread is late at a barrier", page: include_str!("pages/late-thread.txt") },
    Described { kind: Kind::LoadImbalance, name: "load-imbalance", title: "threads have different amounts of work", page: include_str!("pages/load-imbalance.txt") },
    Described { kind: Kind::RedundantBarrier, name: "redundant-barrier", title: "a barrier orders nothing", page: include_str!("pages/redundant-barrier.txt") },
    Described { kind: Kind::ContendedLock, name: "contended-lock", title: "threads compete for a lock", page: include_str!("pages/contended-lock.txt") },
    Described { kind: Kind::SerialisedSection, name: "serialised-section", title: "threads do the work under a lock one after the other", page: include_str!("pages/serialised-section.txt") },
    Described { kind: Kind::LatePost, name: "late-post", title: "a semaphore is posted late", page: include_str!("pages/late-post.txt") },
    Described { kind: Kind::SingleTransfers, name: "single-transfers", title: "neighbouring elements are transferred one by one", page: include_str!("pages/single-transfers.txt") },
    Described { kind: Kind::OneOwner, name: "one-owner", title: "nearly all remote accesses go to one thread", page: include_str!("pages/one-owner.txt") },
    Described { kind: Kind::BlockSize, name: "block-size", title: "another block size would make most accesses local", page: include_str!("pages/block-size.txt") },
    Described { kind: Kind::SmallIo, name: "small-io", title: "files are read or written in small pieces", page: include_str!("pages/small-io.txt") },
    Described { kind: Kind::SlowOperation, name: "slow-operation", title: "an operation takes longer than its baseline", page: include_str!("pages/slow-operation.txt") },
    Described { kind: Kind::VaryingOperation, name: "varying-operation", title: "an operation takes very different times", page: include_str!("pages/varying-operation.txt") },
];

/// Returns the description of a kind by its name.
pub fn kind_named(name: &str) -> Option<&'static Described> {
    KINDS.iter().find(|described| described.name == name)
}

impl Kind {
    /// Returns the row of [`KINDS`].
    pub fn described(self) -> &'static Described {
        // A test checks that the table has each kind, in the order of the enum.
        &KINDS[self as usize]
    }
}

/// One cause of lost time.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// What it is.
    pub kind: Kind,
    /// The place to look at.
    pub site: SiteId,
    /// The shared object that it is about.
    pub object: Option<ObjectId>,
    /// The thread that causes it, if it is mostly one.
    pub thread: Option<u32>,
    /// The thread time that it costs, in nanoseconds.
    pub cost: u64,
    /// The most that the advice may save, if the cost is only the least: the recording does not tell how much of the rest
    /// has the same cause.
    pub most: Option<u64>,
    /// Where threads lose time because of it: unless it knows better, all of its cost at its place.
    pub delays: Vec<Delay>,
    /// What happens, in a sentence.
    pub what: String,
    /// Why it happens: what was measured, a sentence each.
    pub why: Vec<String>,
    /// What to try, in a sentence.
    pub advice: String,
}

impl Finding {
    /// Begins a finding of which nothing is known but its cost.
    pub(super) fn new(kind: Kind, site: SiteId, cost: u64) -> Finding {
        Finding {
            kind,
            site,
            object: None,
            thread: None,
            cost,
            most: None,
            delays: vec![Delay {
                site,
                thread: None,
                time: cost,
            }],
            what: String::new(),
            why: Vec::new(),
            advice: String::new(),
        }
    }
}
