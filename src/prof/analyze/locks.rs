//! Locks: who waits, and who holds the lock meanwhile.

use super::super::model::{self, Arg, Event, Phase, Shared, SiteId};
use super::super::table::time;
use super::finding::{Finding, Kind};
use super::{Run, most, percent};
use hashbrown::HashMap;

/// Work under a lock that takes this many times as long as taking the lock does is what others wait for.
const LONG: u64 = 20;
/// The least time of taking a lock, in nanoseconds, for that comparison.
const LEAST_TAKE: u64 = 50;

/// A thread that waits for a lock or holds it.
#[derive(Clone, Copy)]
struct Part {
    thread: u32,
    site: SiteId,
    since: u64,
}

#[derive(Default)]
struct Lock {
    holder: Option<Part>,
    waiting: Vec<Part>,
    /// The time in upc_lock by its place, and the number and the shortest of all calls.
    waited: HashMap<SiteId, u64>,
    calls: u64,
    shortest: u64,
    /// The time that others waited while the lock was held, by thread and place of the holder.
    blame: HashMap<(u32, SiteId), u64>,
    /// The number of times that it was released, and the time that it was held.
    holds: u64,
    held: u64,
}

/// The locks of the run by place.
#[derive(Default)]
pub(super) struct Locks {
    locks: HashMap<(u32, u64), Lock>,
}

/// Returns the lock of an event.
fn lock_of(kind: &model::Kind, event: &Event) -> Option<Shared> {
    match event.args.get(kind.moves.lock?) {
        Some(&Arg::Shared(lock)) => Some(lock),
        _ => None,
    }
}

impl Locks {
    /// Takes the next event of all threads.
    pub(super) fn event(&mut self, kind: &model::Kind, event: &Event) {
        let Some(place) = lock_of(kind, event) else {
            return;
        };
        let lock = self.locks.entry((place.thread, place.addr)).or_default();
        let me = Part {
            thread: event.thread,
            site: event.site,
            since: event.time,
        };
        match (kind.name.as_str(), event.phase) {
            ("UPC_LOCK", Phase::Start) => lock.waiting.push(me),
            ("UPC_LOCK", Phase::End) => lock.taken(me),
            ("UPC_LOCK_ATTEMPT", Phase::End) => {
                if matches!(event.args.last(), Some(Arg::Int(1..))) {
                    lock.hold(me);
                }
            }
            ("UPC_UNLOCK", Phase::End) => lock.release(event.time, Some(event.thread)),
            _ => {}
        }
    }

    /// Returns what was found.
    pub(super) fn findings(self, run: &Run) -> Vec<Finding> {
        let mut locks: Vec<_> = self.locks.into_iter().collect();
        locks.sort_by_key(|(place, _)| *place);
        locks
            .iter()
            .filter_map(|(_, lock)| lock.finding(run))
            .collect()
    }
}

impl Lock {
    fn taken(&mut self, me: Part) {
        let at = self.waiting.iter().position(|it| it.thread == me.thread);
        if let Some(at) = at {
            let request = self.waiting.remove(at);
            let took = me.since.saturating_sub(request.since);
            *self.waited.entry(request.site).or_default() += took;
            self.shortest = match self.calls {
                0 => took,
                _ => self.shortest.min(took),
            };
            self.calls += 1;
            self.blame_waiter(request, me.since);
        }
        self.hold(me);
    }

    /// The lock has a new holder. The end of the release may be recorded later than that.
    fn hold(&mut self, me: Part) {
        self.release(me.since, None);
        self.holder = Some(me);
    }

    /// Ends the time of the holder; `by`: the thread that releases, if it is known.
    fn release(&mut self, now: u64, by: Option<u32>) {
        let Some(holder) = self.holder else { return };
        if by.is_some_and(|thread| thread != holder.thread) {
            return;
        }
        for at in 0..self.waiting.len() {
            self.blame_waiter(self.waiting[at], now);
        }
        self.held += now.saturating_sub(holder.since);
        self.holds += 1;
        self.holder = None;
    }

    /// Blames the holder for the time that a thread has waited since it holds the lock.
    fn blame_waiter(&mut self, waiter: Part, now: u64) {
        if let Some(holder) = self.holder.filter(|holder| holder.thread != waiter.thread) {
            let from = waiter.since.max(holder.since);
            let key = (holder.thread, holder.site);
            *self.blame.entry(key).or_default() += now.saturating_sub(from);
        }
    }

    fn finding(&self, run: &Run) -> Option<Finding> {
        let waited: u64 = self.waited.values().sum();
        let cost = waited.saturating_sub(self.shortest.saturating_mul(self.calls));
        let (waits_at, _) = most(&self.waited)?;
        let mean = self.held / self.holds.max(1);
        let is_long = mean >= LONG * self.shortest.max(LEAST_TAKE);
        let mut sites: HashMap<SiteId, u64> = HashMap::new();
        let mut threads: HashMap<u32, u64> = HashMap::new();
        for (&(thread, site), &time) in &self.blame {
            *sites.entry(site).or_default() += time;
            *threads.entry(thread).or_default() += time;
        }
        let blamed: u64 = sites.values().sum();
        let site = most(&sites).map_or(waits_at, |(site, _)| site);
        // With two threads, each waits for the other one.
        let thread = most(&threads).filter(|(_, time)| time * 5 > blamed * 4);
        let mut why = vec![
            format!(
                "it was taken {} times and held for {} on average; the fastest upc_lock took {}",
                self.calls,
                time(mean),
                time(self.shortest)
            ),
            format!("threads waited longest at {}", run.place(waits_at)),
        ];
        if let Some((thread, time_of)) = thread {
            let share = percent(time_of, blamed);
            why.push(format!("{share} of the waiting was for thread {thread}"));
        }
        let (kind, what, advice) = match is_long {
            true => (
                Kind::SerialisedSection,
                "Threads wait for a lock while another thread works under it.",
                "Move work that needs no protection out of the critical section, or use a lock for each part of the data.",
            ),
            false => (
                Kind::ContendedLock,
                "Threads compete for a lock that is held shortly and often.",
                "Use an atomic operation of <upc_atomic.h>, or collect updates and make several under one lock.",
            ),
        };
        Some(Finding {
            kind,
            site,
            object: None,
            thread: thread.map(|(thread, _)| thread),
            cost,
            what: what.to_owned(),
            why,
            advice: advice.to_owned(),
        })
    }
}
