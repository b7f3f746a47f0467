//! What a barrier costs that orders nothing: the run is played again without its passes.
//!
//! Between the synchronization before a barrier and the barrier, thread t works A(t); between the barrier and the next
//! synchronization, B(t). With the barrier, all reach the next synchronization after max A + max B and the time that the
//! last thread passes through the barrier; without it, after max (A + B). The difference is what a pass costs each thread:
//! a thread that has waited at the barrier for one that is late there waits for it at the next synchronization instead,
//! unless it has more work in front of that one.
//!
//! This takes all threads to leave a synchronization at the same moment. They do not, and the recording does not say
//! whether a thread that leaves late would have been late without the barrier. So the most that the advice may save comes
//! from the arrivals as they were: thread t reaches the next synchronization earlier by what it spent in the barrier, and
//! all of them by as much as the last one of them.

use super::super::model::SiteId;
use super::finding::{Finding, Kind};
use super::{Run, percent};
use hashbrown::HashMap;

/// What a thread did in a pass of a barrier. Times are nanoseconds.
#[derive(Clone, Copy)]
pub(super) struct Way {
    /// The time from the synchronization before to its arrival that it had a processor for, and the time that it works
    /// then before it waits, after upc_notify.
    pub(super) work: u64,
    pub(super) slack: u64,
    /// When it arrived, and how long it was inside.
    pub(super) at: u64,
    pub(super) inside: u64,
    /// True if it had no processor for a part of the time: then the moments say nothing.
    pub(super) is_delayed: bool,
}

/// A pass of a barrier, whose number is that of the synchronization.
pub(super) struct Pass {
    pub(super) number: usize,
    /// Nothing happened in front of it that it could order.
    pub(super) is_idle: bool,
    /// Nothing happened in front of the pass before.
    pub(super) follows_idle: bool,
    /// What the thread that arrives last spends inside.
    pub(super) passing: u64,
    /// By thread.
    pub(super) ways: Vec<Way>,
}

/// The thread time that removing passes of a barrier saves: what follows from the work of threads, and the most that
/// follows from their arrivals.
#[derive(Clone, Copy, Default)]
pub(super) struct Saved {
    pub(super) least: u64,
    pub(super) most: u64,
}

/// A pass that a neighbour is missing for.
struct Kept {
    site: SiteId,
    pass: Pass,
    /// The work of each thread from the last synchronization that stays to its arrival, if this pass goes.
    since: Vec<u64>,
    /// The numbers of neighbours that are still to come.
    missing: u32,
}

/// The passes that are not played yet. They come by place, and not in the order of their numbers. Memory grows with the
/// number of places: the passes of a place come in their order, and few at once.
#[derive(Default)]
pub(super) struct Removal {
    kept: HashMap<usize, Kept>,
    saved: HashMap<SiteId, Saved>,
}

impl Removal {
    /// Takes a pass of the barrier at a place that is idle or follows one that is.
    pub(super) fn pass(&mut self, site: SiteId, pass: Pass) {
        let number = pass.number;
        let missing = u32::from(pass.is_idle) + u32::from(pass.follows_idle);
        let mut since: Vec<u64> = pass.ways.iter().map(|way| way.work).collect();
        let before = number.checked_sub(1).filter(|_| pass.follows_idle);
        // Passes of one place go together: the work in front of all of them is done without a stop.
        let earlier = before.and_then(|before| self.kept.get(&before));
        if let Some(earlier) = earlier.filter(|it| it.site == site && pass.is_idle) {
            let sums = since.iter_mut().zip(earlier.until_waiting());
            sums.for_each(|(sum, before)| *sum += before);
        }
        self.kept.insert(
            number,
            Kept {
                site,
                pass,
                since,
                missing,
            },
        );
        if let Some(before) = before {
            self.play(before);
        }
        self.play(number);
    }

    /// Plays a pass, if it is idle and the next one is known.
    fn play(&mut self, number: usize) {
        let (Some(removed), Some(next)) = (self.kept.get(&number), self.kept.get(&(number + 1)))
        else {
            return;
        };
        if !removed.pass.is_idle {
            return;
        }
        let saved = removed.without(&next.pass);
        let of_site = self.saved.entry(removed.site).or_default();
        of_site.least += saved.least;
        of_site.most += saved.most;
        for played in [number, number + 1] {
            let Some(kept) = self.kept.get_mut(&played) else {
                continue;
            };
            kept.missing -= 1;
            if kept.missing == 0 {
                self.kept.remove(&played);
            }
        }
    }

    /// Returns what is saved, by place. Behind a pass that is left is no synchronization: threads save only the passing.
    pub(super) fn finish(mut self) -> HashMap<SiteId, Saved> {
        for kept in self.kept.into_values().filter(|kept| kept.pass.is_idle) {
            let threads = kept.pass.ways.len() as u64;
            let of_site = self.saved.entry(kept.site).or_default();
            of_site.least += threads * kept.pass.passing;
            of_site.most += threads * kept.pass.passing;
        }
        self.saved
    }
}

fn most(times: impl Iterator<Item = u64>) -> u64 {
    times.max().unwrap_or(0)
}

impl Kept {
    /// The work of each thread from the last synchronization that stays until it waits in this pass.
    fn until_waiting(&self) -> impl Iterator<Item = u64> {
        let ways = self.since.iter().zip(&self.pass.ways);
        ways.map(|(since, way)| since + way.slack)
    }

    /// Returns what all threads save if this pass goes and the next one stays.
    fn without(&self, next: &Pass) -> Saved {
        let threads = self.pass.ways.len() as u64;
        let last = most(self.since.iter().copied());
        let work = || {
            self.until_waiting()
                .zip(next.ways.iter().map(|way| way.work))
        };
        let with = most(work().map(|(mine, work)| mine.max(last) + work));
        let without = most(work().map(|(mine, work)| mine + work));
        let least = self.pass.passing + with.saturating_sub(without);
        let was = most(next.ways.iter().map(|way| way.at));
        let pairs = || self.pass.ways.iter().zip(&next.ways);
        let is = most(pairs().map(|(of, next)| next.at.saturating_sub(of.inside)));
        let is_known = pairs().all(|(of, next)| !of.is_delayed && !next.is_delayed);
        let earlier = if is_known { was.saturating_sub(is) } else { 0 };
        Saved {
            least: threads * least,
            most: threads * least.max(earlier),
        }
    }
}

/// Says that a barrier orders nothing; `idle`: in how many of its passes.
pub(super) fn finding(
    run: &Run,
    site: SiteId,
    (idle, passes): (u64, u64),
    saved: Saved,
) -> Finding {
    let mut why = vec![format!(
        "in {idle} of {passes} passes ({}) no thread accessed shared memory since the barrier before",
        percent(idle, passes)
    )];
    if !run.recording.facts().has_local {
        why.push(
            "accesses to own elements raised no events: compile with --inst-local to be sure"
                .to_owned(),
        );
    }
    Finding {
        most: Some(saved.most).filter(|most| *most > saved.least),
        what: "This barrier orders nothing.".to_owned(),
        why,
        advice: "Remove it, if no thread reads after it what another thread wrote before it through a pointer-to-local.".to_owned(),
        ..Finding::new(Kind::RedundantBarrier, site, saved.least)
    }
}
