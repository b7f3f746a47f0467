//! Findings and their kinds.

use super::super::model::{ObjectId, SiteId};
use super::super::table::time;
use super::Run;
use super::phases::Caused;
use hashbrown::HashMap;

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

impl Finding {
    /// Adds the time that threads waited at barriers for those that this finding delayed. `waited`: how long threads were
    /// in calls that take locks or wait for semaphores, by place; a finding has its part of what these have caused.
    pub(super) fn add_waiting(
        &mut self,
        run: &Run,
        caused: &HashMap<SiteId, Caused>,
        waited: &HashMap<SiteId, u64>,
    ) {
        let part = |site: &SiteId, time: u64| {
            let all = waited.get(site).copied().unwrap_or(0);
            (time as f64 / all.max(1) as f64).min(1.0)
        };
        let mut parts: Vec<(SiteId, f64)> = self
            .delays
            .iter()
            .map(|(site, time)| (*site, part(site, *time)))
            .collect();
        if parts.is_empty() {
            parts.push((self.site, 1.0));
        }
        let caused = parts
            .iter()
            .filter_map(|(site, part)| Some((caused.get(site)?, *part)));
        let caused = caused.map(|(of, part)| ((of.time as f64 * part) as u64, of.barrier));
        let caused: Vec<(u64, SiteId)> = caused.collect();
        let all: u64 = caused.iter().map(|(time, _)| time).sum();
        let Some(&(_, barrier)) = caused.iter().max().filter(|_| all > 0) else {
            return;
        };
        self.cost = self.cost.saturating_add(all);
        self.most = self.most.map(|most| most.saturating_add(all));
        self.why.push(format!(
            "meanwhile other threads wait {} at barriers, most at {}",
            time(all),
            run.place(barrier)
        ));
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
    /// Where threads wait in a lock or for a semaphore because of it, and for how long.
    pub delays: Vec<(SiteId, u64)>,
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
            delays: Vec::new(),
            what: String::new(),
            why: Vec::new(),
            advice: String::new(),
        }
    }
}
