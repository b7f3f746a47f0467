//! The result: the path of the thread that ends last.

use super::super::super::model::SiteId;
use super::super::Part;
use super::super::finding::{Finding, Kind};
use super::tree::{Leg, Sums};
use hashbrown::HashMap;
use std::cmp::Reverse;

/// A cause of waiting, at its place.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Cause {
    /// The last thread at a barrier, compared with the one before.
    Late(SiteId),
    /// The same, compared with the average.
    Imbalance(SiteId),
    /// A lock; where it was taken.
    Lock(SiteId),
    /// A semaphore; where a thread waits.
    Post(SiteId),
}

/// The critical path of a run. Times are nanoseconds.
#[derive(Clone, Debug, Default)]
pub struct CriticalPath {
    /// Its length, if each thread had a processor.
    pub length: u64,
    /// What it consists of, the largest part first.
    pub parts: Vec<(Part, u64)>,
    /// The threads that it leads through, the one with most of it first.
    pub threads: Vec<(u32, u64)>,
    /// The way through the threads in the order of time; the shortest legs may be combined with others.
    pub legs: Vec<Leg>,
    causes: HashMap<Cause, u64>,
}

/// Returns the times that are not 0, the largest first.
fn sorted<K: Ord + Copy>(times: HashMap<K, u64>) -> Vec<(K, u64)> {
    let mut times: Vec<(K, u64)> = times.into_iter().filter(|(_, time)| *time > 0).collect();
    times.sort_by_key(|&(key, time)| (Reverse(time), key));
    times
}

impl CriticalPath {
    pub(super) fn new(length: u64, sums: Sums) -> CriticalPath {
        CriticalPath {
            length,
            parts: sorted(sums.parts),
            threads: sorted(sums.threads),
            legs: sums.legs.into(),
            causes: sums.causes,
        }
    }

    /// Returns the time of the path that a finding is about.
    pub fn of(&self, finding: &Finding) -> u64 {
        let site = finding.site;
        let cause = match finding.kind {
            Kind::LateThread => Cause::Late(site),
            Kind::LoadImbalance => Cause::Imbalance(site),
            Kind::ContendedLock | Kind::SerialisedSection => Cause::Lock(site),
            Kind::LatePost => Cause::Post(site),
            Kind::RedundantBarrier
            | Kind::SingleTransfers
            | Kind::OneOwner
            | Kind::BlockSize
            | Kind::SmallIo
            | Kind::SlowOperation
            | Kind::VaryingOperation => return self.at(site),
        };
        self.causes.get(&cause).copied().unwrap_or(0)
    }

    /// Returns the time of the path in the events of a place.
    fn at(&self, site: SiteId) -> u64 {
        let here = |part: Part| match part {
            Part::Events(_, at) => at == site,
            Part::OutsideEvents | Part::NoProcessor | Part::Writing => false,
        };
        let parts = self.parts.iter().filter(|(part, _)| here(*part));
        parts.map(|(_, time)| time).sum()
    }
}
