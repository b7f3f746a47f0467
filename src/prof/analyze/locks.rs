//! Locks: who waits, and who holds the lock meanwhile.

use super::super::model::{self, Arg, Event, Phase, Shared, SiteId};
use super::super::processors::processors;
use super::super::table::time;
use super::explained::Delay;
use super::finding::{Finding, Kind};
use super::{Run, most, percent};
use hashbrown::HashMap;
use std::collections::BTreeMap;

/// Work under a lock that takes this many times as long as taking the lock does is what others wait for.
const LONG: u64 = 20;
/// The least time of taking a lock, in nanoseconds, for that comparison.
const LEAST_TAKE: u64 = 50;
/// The same where threads share processors: as a rule, another thread has to be scheduled before it can take the lock.
const LEAST_TAKE_SHARED: u64 = 1_000;

/// The time in which threads wait for a free lock is mentioned from one part in this number of the cost on.
const MENTIONED: u64 = 20;

/// A thread that holds a lock.
#[derive(Clone, Copy)]
struct Holder {
    thread: u32,
    /// The pthread that took the lock.
    pthread: u32,
    site: SiteId,
    since: u64,
    /// For how long that had waited for a processor, since the start of the run.
    delayed: u64,
}

impl Holder {
    /// The time since it took the lock in which it had a processor; `now`: the thread that releases a lock, at that time.
    fn has_worked(&self, now: Holder) -> u64 {
        match (self.thread, self.pthread) == (now.thread, now.pthread) {
            true => {
                let passed = now.since.saturating_sub(self.since);
                passed.saturating_sub(now.delayed.saturating_sub(self.delayed))
            }
            false => 0,
        }
    }
}

/// A thread that waits for a lock.
#[derive(Clone, Copy)]
struct Waiter {
    thread: u32,
    site: SiteId,
    since: u64,
    /// The time so far in which another thread held the lock, and the part of it in which that thread had a processor.
    held: u64,
    blamed: u64,
}

#[derive(Default)]
struct Lock {
    holder: Option<Holder>,
    waiting: Vec<Waiter>,
    /// The calls of upc_lock, and the time in them by place; without the time in which the holder or, when the lock was
    /// free, the thread itself had no processor.
    takes: Calls,
    waited: HashMap<SiteId, u64>,
    /// The part of that time in which another thread held the lock, and the same by thread and place of the holder.
    blamed: u64,
    blame: HashMap<(u32, SiteId), u64>,
    /// Threads that release it, and since when.
    releasing: Vec<(u32, u64)>,
    /// The calls of upc_unlock: who releases a lock that another thread waits for passes it on.
    passes: Calls,
    /// The time between these calls, in which a thread has the lock and a processor.
    under: u64,
    /// By the power of two in it: how often it was held for such a time, and for how long in all.
    holds: BTreeMap<u32, (u64, u64)>,
}

/// Calls of a function.
#[derive(Default)]
struct Calls {
    number: u64,
    time: u64,
    shortest: u64,
}

impl Calls {
    fn add(&mut self, took: u64) {
        self.shortest = match self.number {
            0 => took,
            _ => self.shortest.min(took),
        };
        self.time += took;
        self.number += 1;
    }

    /// The time that they would not take if each were the shortest one.
    fn beyond_shortest(&self) -> u64 {
        let least = self.shortest.saturating_mul(self.number);
        self.time.saturating_sub(least)
    }
}

/// The locks of the run by place.
#[derive(Default)]
pub(super) struct Locks {
    locks: HashMap<(u32, u64), Lock>,
    /// By place: the time that threads waited for locks only because those who held them, or they themselves, had no
    /// processor.
    pub(super) stretched: HashMap<SiteId, u64>,
    /// For how long each pthread has waited for a processor, by thread and its own number.
    delayed: HashMap<(u32, u32), u64>,
}

/// Returns the lock of an event.
pub(super) fn lock_of(kind: &model::Kind, event: &Event) -> Option<Shared> {
    match event.args.get(kind.moves.lock?) {
        Some(&Arg::Shared(lock)) => Some(lock),
        _ => None,
    }
}

impl Locks {
    /// Takes the next event of all threads. Locks are a thread's, whichever of its pthreads takes and releases them.
    /// Returns for how long the thread has waited for a lock only because the holder, or it itself, had no processor; the
    /// latter only beyond what the event says itself.
    pub(super) fn event(&mut self, kind: &model::Kind, event: &Event) -> u64 {
        if event.delayed > 0 {
            let pthread = (event.thread, event.pthread);
            *self.delayed.entry(pthread).or_default() += event.delayed;
        }
        let Some(place) = lock_of(kind, event) else {
            return 0;
        };
        let mut waited = 0;
        let lock = self.locks.entry((place.thread, place.addr)).or_default();
        let delayed = |pthread| self.delayed.get(&pthread).copied().unwrap_or(0);
        let holder = lock
            .holder
            .map_or(0, |holder| delayed((holder.thread, holder.pthread)));
        let me = Holder {
            thread: event.thread,
            pthread: event.pthread,
            site: event.site,
            since: event.time,
            delayed: delayed((event.thread, event.pthread)),
        };
        match (kind.name.as_str(), event.phase) {
            ("UPC_LOCK", Phase::Start) => lock.waiting.push(Waiter {
                thread: event.thread,
                site: event.site,
                since: event.time,
                held: 0,
                blamed: 0,
            }),
            ("UPC_LOCK", Phase::End) => {
                waited = lock.taken(me, holder, event.delayed);
                *self.stretched.entry(event.site).or_default() += waited;
            }
            ("UPC_LOCK_ATTEMPT", Phase::End) => {
                if matches!(event.args.last(), Some(Arg::Int(1..))) {
                    lock.hold(me, holder);
                }
            }
            ("UPC_UNLOCK", Phase::Start) => {
                lock.under += lock.holder.map_or(0, |holder| holder.has_worked(me));
                lock.releasing.push((event.thread, event.time));
            }
            ("UPC_UNLOCK", Phase::End) => {
                lock.passed_on(event);
                lock.release(event.time, holder, Some(event.thread));
            }
            _ => {}
        }
        waited
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
    /// A thread has the lock; `holder_delayed`: for how long the one before has waited for a processor, and `delayed`:
    /// what this one did in the call. Returns for how long it waited only for processors.
    fn taken(&mut self, me: Holder, holder_delayed: u64, delayed: u64) -> u64 {
        self.release(me.since, holder_delayed, None);
        let mut stretched = 0;
        let at = self.waiting.iter().position(|it| it.thread == me.thread);
        if let Some(at) = at {
            let waiter = self.waiting.remove(at);
            let free = me.since.saturating_sub(waiter.since + waiter.held);
            let took = waiter.blamed + free.saturating_sub(delayed);
            stretched = me.since.saturating_sub(waiter.since + took);
            self.blamed += waiter.blamed;
            *self.waited.entry(waiter.site).or_default() += took;
            self.takes.add(took);
        }
        self.holder = Some(me);
        stretched
    }

    /// A thread has released the lock.
    fn passed_on(&mut self, event: &Event) {
        let at = self.releasing.iter().position(|it| it.0 == event.thread);
        let Some((_, since)) = at.map(|at| self.releasing.swap_remove(at)) else {
            return;
        };
        self.passes
            .add(event.time.saturating_sub(since + event.delayed));
    }

    /// The lock has a new holder. The end of the release may be recorded later than that.
    fn hold(&mut self, me: Holder, holder_delayed: u64) {
        self.release(me.since, holder_delayed, None);
        self.holder = Some(me);
    }

    /// Ends the time of the holder, who has waited `delayed` for a processor since the start of the run; `by`: the
    /// thread that releases, if it is known.
    fn release(&mut self, now: u64, delayed: u64, by: Option<u32>) {
        let Some(holder) = self.holder else { return };
        if by.is_some_and(|thread| thread != holder.thread) {
            return;
        }
        let held = now.saturating_sub(holder.since);
        let net = held.saturating_sub(delayed.saturating_sub(holder.delayed));
        let share = net as f64 / held.max(1) as f64;
        for waiter in &mut self.waiting {
            if waiter.thread == holder.thread {
                continue;
            }
            let waited = now.saturating_sub(waiter.since.max(holder.since));
            let blamed = (waited as f64 * share) as u64;
            waiter.held += waited;
            waiter.blamed += blamed;
            *self.blame.entry((holder.thread, holder.site)).or_default() += blamed;
        }
        let of = self.holds.entry(net.max(1).ilog2()).or_default();
        *of = (of.0 + 1, of.1 + net);
        self.holder = None;
    }

    /// Divides the cost among the places at which threads wait.
    fn delays(&self, cost: u64) -> Vec<Delay> {
        let part = cost as f64 / self.takes.time.max(1) as f64;
        let of = |(&site, &time): (&SiteId, &u64)| Delay {
            site,
            thread: None,
            time: (time as f64 * part) as u64,
        };
        self.waited.iter().map(of).collect()
    }

    /// Returns for how long the lock is held as a rule: the mean of the class of times with the middle one. A holder that
    /// was interrupted makes the mean of all long.
    fn typical_hold(&self) -> u64 {
        let all: u64 = self.holds.values().map(|(number, _)| number).sum();
        let mut before = 0;
        let mut classes = self.holds.values();
        let middle = classes.find(|(number, _)| {
            before += number;
            before * 2 >= all
        });
        middle.map_or(0, |(number, time)| time / number)
    }

    /// Says what may be saved beyond the cost, and how much that is.
    fn more(&self, passing: u64, is_long: bool) -> Option<(String, u64)> {
        if !is_long {
            let calls = self.takes.time + self.passes.time;
            let text = format!(
                "to pass it on took {} in upc_unlock; all calls of upc_lock and upc_unlock took {}, and the work between them {}: who makes fewer saves more than the cost",
                time(passing),
                time(calls),
                time(self.under)
            );
            let least = self.takes.beyond_shortest() + passing;
            return Some((text, (calls + self.under).saturating_sub(least)));
        }
        // Who is awake late makes others wait longer, or only finds the system busy: the recording does not tell.
        let free = self.takes.beyond_shortest().saturating_sub(self.blamed);
        (free * MENTIONED >= self.blamed).then(|| {
            let text = format!(
                "when it was free, threads took another {} until they had it: up to that may be saved, too",
                time(free)
            );
            (text, free)
        })
    }

    fn finding(&self, run: &Run) -> Option<Finding> {
        let (waits_at, _) = most(&self.waited)?;
        let typical = self.typical_hold();
        let shares = processors(run.recording).is_some_and(|number| run.threads > number);
        let least = if shares {
            LEAST_TAKE_SHARED
        } else {
            LEAST_TAKE
        };
        let is_long = typical >= LONG * self.takes.shortest.max(least);
        let waiting = match is_long {
            true => self.blamed,
            false => self.takes.beyond_shortest(),
        };
        // To pass a lock on takes no time to speak of beside a long section.
        let passing = match is_long {
            true => 0,
            false => self.passes.beyond_shortest(),
        };
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
                "it was taken {} times and held for {} as a rule; the fastest upc_lock took {}",
                self.takes.number,
                time(typical),
                time(self.takes.shortest)
            ),
            format!("threads waited longest at {}", run.place(waits_at)),
        ];
        if let Some((thread, time_of)) = thread {
            let share = percent(time_of, blamed);
            why.push(format!("{share} of the waiting was for thread {thread}"));
        }
        let cost = waiting + passing;
        let more = self.more(passing, is_long);
        let most = more.as_ref().map(|(_, more)| cost + more);
        why.extend(more.map(|(text, _)| text));
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
            thread: thread.map(|(thread, _)| thread),
            most,
            delays: self.delays(waiting),
            what: what.to_owned(),
            why,
            advice: advice.to_owned(),
            ..Finding::new(kind, site, cost)
        })
    }
}
