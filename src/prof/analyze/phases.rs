//! Synchronization phases: when threads reach and leave barriers, and what they did since the barrier before. A
//! collective call in which all threads wait for each other is a barrier, too.
//!
//! Arrivals are compared as if each thread had a processor of its own: a thread's way to a barrier takes the time
//! since it left the one before, less that in which it was ready to run and had no processor. All leave a barrier at
//! the same moment.

use super::super::model::{Event, Group, KindId, Phase, SiteId};
use super::super::pairs::{Seen, Span};
use super::super::table::time;
use super::Run;
use super::crowded::{self, Way};
use super::explained::Explained;
use super::finding::{Finding, Kind};
use super::meets::synchronises;
use super::removal::{self, Removal};
use hashbrown::HashMap;
use std::cmp::Reverse;

/// A thread is late if it causes this share, in percent, of the waiting at a barrier.
const LATE: u64 = 80;
/// And if it is the last one in this share of the passes, in percent.
const OFTEN: u64 = 66;

/// What helps where threads have different amounts of work.
const DISTRIBUTE: &str = "Distribute the iterations before this barrier by their cost: smaller blocks, or a shared counter.";

/// What a span of time was spent on: the events of a place, or none.
type Spent = Option<(KindId, SiteId)>;

/// A thread's way to a barrier.
struct Arrival {
    thread: u32,
    site: SiteId,
    is_barrier: bool,
    /// The time from the barrier before to this one that it had a processor for.
    busy: u64,
    /// The rest of the time until it arrived.
    delayed: u64,
    /// The time without a processor that was known when it left the barrier.
    after: u64,
    /// When it left the barrier before, and by how much that was after the first thread that did.
    since: u64,
    behind: u64,
    /// The time from its arrival on in which it does not wait, after upc_notify, and in the barrier.
    slack: u64,
    inside: u64,
    /// Time by events, without that of events inside.
    spent: HashMap<Spent, u64>,
    /// The number of operations on shared memory.
    operations: u64,
}

/// The phase of a thread that is not over.
#[derive(Default)]
struct Current {
    number: usize,
    since: u64,
    notified: Option<Notified>,
    /// The time without a processor.
    delayed: u64,
    /// What the end of the last operation noted in which threads wait.
    at_end: u64,
    /// The part of the operation under way in which the thread waited only because another one had no processor.
    stretched: u64,
    /// In the last collective call, threads wait for each other at both ends.
    synchronises: bool,
    spent: HashMap<Spent, u64>,
    operations: u64,
}

/// A thread's upc_notify.
struct Notified {
    at: u64,
    site: SiteId,
    delayed: u64,
}

/// A barrier that all have left.
struct Pass {
    number: usize,
    arrivals: Vec<Arrival>,
    /// Nothing happened in front of it that it could order, and so in front of the one before.
    is_idle: bool,
    follows_idle: bool,
}

/// What happened at the barriers of a place.
#[derive(Default)]
struct Barrier {
    passes: u64,
    /// The time that threads waited for the last one.
    waited: u64,
    late: HashMap<u32, Late>,
    /// By thread: by how much more time than the others it spent on something.
    excess: HashMap<u32, HashMap<Spent, i64>>,
    /// By thread: the time from the barrier before.
    busy: HashMap<u32, u64>,
    /// Passes with no operation on shared memory before them.
    idle: u64,
}

/// What a thread has caused by coming last.
#[derive(Clone, Copy, Default)]
struct Late {
    /// The waiting that it caused alone.
    alone: u64,
    /// By how much it came later than the second last.
    own: u64,
    /// How often it was last, and how often it caused nearly all of the waiting alone.
    times: u64,
    clearly: u64,
}

/// Why threads are late.
struct Excess {
    /// The part of its additional time that other findings explain.
    elsewhere: f64,
    /// These findings by their numbers, and the part of each.
    findings: Vec<(usize, f64)>,
    /// Sentences about the largest differences.
    why: Vec<String>,
}

/// The waiting at barriers for threads that a finding has delayed.
#[derive(Default)]
pub(super) struct Caused {
    pub(super) time: u64,
    /// The barrier with the most of it, and its part.
    pub(super) barrier: SiteId,
    most: u64,
}

impl Caused {
    fn add(&mut self, barrier: SiteId, time: u64) {
        self.time = self.time.saturating_add(time);
        if time > self.most {
            (self.barrier, self.most) = (barrier, time);
        }
    }
}

/// The phases of the run.
pub(super) struct Phases {
    threads: Vec<Current>,
    /// Barriers that some threads have left, by number.
    open: HashMap<usize, Vec<Arrival>>,
    /// Barriers that all have left and that are not compared yet, by place.
    left: HashMap<SiteId, Vec<Pass>>,
    /// The ways to the passes that were compared last, by place.
    compared: HashMap<SiteId, Vec<Vec<Way>>>,
    /// The last barrier was idle.
    was_idle: bool,
    removal: Removal,
    barriers: HashMap<SiteId, Barrier>,
    /// The time that threads would wait longer if each had a processor.
    pub(super) longer: u64,
    /// The time that threads wait only because those that they wait for have no processor.
    pub(super) stretched: u64,
    /// The delays noted on the way to a barrier that are longer than it: they were in the barrier before, and so are
    /// waiting.
    pub(super) before: u64,
    /// The waiting for threads that may only have had no processor.
    pub(super) unclear: u64,
}

impl Phases {
    pub(super) fn new(run: &Run) -> Phases {
        let threads = run.recording.threads();
        let threads = threads.iter().map(|thread| Current {
            since: thread.first,
            ..Current::default()
        });
        Phases {
            threads: threads.collect(),
            open: HashMap::new(),
            left: HashMap::new(),
            compared: HashMap::new(),
            was_idle: false,
            removal: Removal::default(),
            barriers: HashMap::new(),
            longer: 0,
            stretched: 0,
            before: 0,
            unclear: 0,
        }
    }

    /// A thread has waited so long for a lock or a semaphore only because another one had no processor: that is no more its
    /// way to a barrier than the time in which it had none itself.
    pub(super) fn stretch(&mut self, thread: u32, time: u64) {
        if let Some(current) = self.threads.get_mut(thread as usize) {
            current.delayed += time;
            current.stretched += time;
        }
    }

    /// Takes an event of a thread's first pthread, before the span that it ends.
    pub(super) fn event(&mut self, run: &Run, event: &Event) {
        let kind = run.recording.tables().kind(event.kind);
        let group = kind.group;
        let ends_waiting = kind.waits() && event.phase == Phase::End;
        let Some(current) = self.threads.get_mut(event.thread as usize) else {
            return;
        };
        if ends_waiting {
            current.at_end = event.delayed;
        } else {
            current.delayed += event.delayed;
            if group == Group::Notify {
                current.notified = Some(Notified {
                    at: event.time,
                    site: event.site,
                    delayed: current.delayed,
                });
            } else if matches!(group, Group::Collective | Group::Io | Group::Mpi) {
                current.synchronises = synchronises(run, kind, &event.args);
            }
        }
    }

    /// Takes a span of a thread's first pthread.
    pub(super) fn span(&mut self, run: &Run, span: &Span) {
        let kind = run.recording.tables().kind(span.kind);
        let Some(current) = self.threads.get_mut(span.thread as usize) else {
            return;
        };
        match kind.group {
            Group::Notify => {}
            Group::Wait | Group::Barrier => self.leave(run, span, true),
            Group::Collective | Group::Io | Group::Mpi if current.synchronises => {
                self.leave(run, span, false);
            }
            group => {
                let stretched = std::mem::take(&mut current.stretched);
                let time = run.net(span).saturating_sub(stretched);
                if span.seen != Seen::Atomic {
                    *current
                        .spent
                        .entry(Some((span.kind, span.site)))
                        .or_default() += time;
                }
                current.operations += u64::from(group.facts().is_ordered);
            }
        }
    }

    /// A thread has left a barrier, or a collective call.
    fn leave(&mut self, run: &Run, span: &Span, is_barrier: bool) {
        let current = &mut self.threads[span.thread as usize];
        let notified = current.notified.take().filter(|_| is_barrier);
        let at = notified.unwrap_or(Notified {
            at: span.start,
            site: span.site,
            delayed: current.delayed,
        });
        let mut spent = std::mem::take(&mut current.spent);
        let known: u64 = spent.values().sum();
        let way = at.at.saturating_sub(current.since);
        let busy = way.saturating_sub(at.delayed);
        let too_long = current.at_end.saturating_sub(span.delayed);
        self.before += (at.delayed + too_long).saturating_sub(way);
        spent.insert(None, busy.saturating_sub(known));
        let arrival = Arrival {
            thread: span.thread,
            site: at.site,
            is_barrier,
            busy,
            delayed: at.delayed.min(way),
            after: current.at_end,
            since: current.since,
            behind: 0,
            slack: span.start.saturating_sub(at.at),
            inside: span.end - span.start,
            spent,
            operations: std::mem::take(&mut current.operations),
        };
        let number = current.number;
        current.number += 1;
        current.since = span.end;
        current.delayed = 0;
        let open = self.open.entry(number).or_default();
        open.push(arrival);
        if open.len() == run.threads as usize {
            let mut arrivals = self.open.remove(&number).unwrap_or_default();
            arrivals.sort_by_key(|it| it.thread);
            // Threads do not begin at the same moment.
            let first = arrivals.iter().map(|it| it.since).min();
            for it in arrivals.iter_mut().filter(|_| number > 0) {
                it.behind = it.since - first.unwrap_or(it.since);
            }
            let Some(last) = arrivals.iter().max_by_key(|it| (it.busy, it.thread)) else {
                return;
            };
            let site = last.site;
            // Before the first barrier, the runtime itself has prepared the job.
            let is_idle = number > 0 && arrivals.iter().all(Arrival::is_idle);
            let follows_idle = std::mem::replace(&mut self.was_idle, is_idle);
            let left = self.left.entry(site).or_default();
            left.push(Pass {
                number,
                arrivals,
                is_idle,
                follows_idle,
            });
            if left.len() == crowded::PASSES {
                let passes = std::mem::take(left);
                self.compare(site, passes);
            }
        }
    }

    /// Compares the passes that are left at the end of the trace.
    pub(super) fn finish(&mut self) {
        let mut left: Vec<_> = std::mem::take(&mut self.left).into_iter().collect();
        left.sort_by_key(|(site, _)| *site);
        left.into_iter()
            .for_each(|(site, passes)| self.compare(site, passes));
    }

    /// Compares arrivals in some passes of a place, without what may be a lack of processors.
    fn compare(&mut self, site: SiteId, mut passes: Vec<Pass>) {
        let way = |it: &Arrival| Way {
            busy: it.busy,
            delayed: it.delayed,
            after: it.after,
        };
        let of_pass = |pass: &Pass| pass.arrivals.iter().map(way).collect();
        let own: Vec<Vec<Way>> = passes.iter().map(of_pass).collect();
        // Few passes say little about what threads do as a rule.
        let mut ways = match own.len() {
            crowded::PASSES => Vec::new(),
            _ => self.compared.remove(&site).unwrap_or_default(),
        };
        let earlier = ways.len();
        ways.extend_from_slice(&own);
        crowded::correct(&mut ways);
        self.compared.insert(site, own);
        for (pass, ways) in passes.iter_mut().zip(&ways[earlier..]) {
            let before = waiting(&pass.arrivals);
            for (it, way) in pass.arrivals.iter_mut().zip(ways) {
                it.delayed = (it.delayed + it.busy).saturating_sub(way.busy);
                it.busy = way.busy;
            }
            self.unclear += before.saturating_sub(waiting(&pass.arrivals));
            self.pass(pass);
        }
    }

    /// All threads have left a barrier.
    fn pass(&mut self, pass: &Pass) {
        let arrivals = &pass.arrivals;
        let Some(last) = arrivals.iter().max_by_key(|it| (it.busy, it.thread)) else {
            return;
        };
        let others = || arrivals.iter().filter(|it| it.thread != last.thread);
        let second = others().map(|it| it.busy).max().unwrap_or(last.busy);
        let barrier = self.barriers.entry(last.site).or_default();
        barrier.passes += 1;
        // The thread that really arrived last only passed through.
        let passing = arrivals.iter().map(|it| it.inside).min().unwrap_or(0);
        let needed = |it: &Arrival| it.waits_for(last).saturating_add(passing).min(it.inside);
        for it in arrivals {
            self.stretched += it.inside - needed(it);
        }
        let (mut alone, mut all) = (0, 0);
        for other in others() {
            let waited = other.waits_for(last);
            all += waited;
            self.longer += waited.saturating_sub(other.inside);
            alone += waited.min(last.busy - second);
        }
        let late = barrier.late.entry(last.thread).or_default();
        late.alone += alone;
        late.own += last.busy - second;
        late.times += 1;
        late.clearly += u64::from(alone > 0 && alone * 100 >= all * LATE);
        barrier.waited += all;
        barrier.compare(last, arrivals);
        for it in arrivals {
            *barrier.busy.entry(it.thread).or_default() += it.busy;
        }
        barrier.idle += u64::from(pass.is_idle);
        if pass.is_idle || pass.follows_idle {
            self.removal.pass(last.site, pass.without(passing));
        }
    }

    /// Returns what was found, and the waiting at barriers that other findings have caused, by their numbers.
    pub(super) fn findings(
        self,
        run: &Run,
        explained: &Explained,
    ) -> (Vec<Finding>, HashMap<usize, Caused>) {
        let saved = self.removal.finish();
        let mut barriers: Vec<_> = self.barriers.into_iter().collect();
        barriers.sort_by_key(|(site, _)| *site);
        let (mut findings, mut caused) = (Vec::new(), HashMap::new());
        for (site, barrier) in &barriers {
            // The barrier at the end of the program has no place, and orders what the program leaves.
            let saved = saved.get(site).filter(|_| *site != SiteId::NONE);
            match saved.filter(|_| barrier.is_redundant()) {
                Some(&saved) => {
                    let idle = (barrier.idle, barrier.passes);
                    findings.push(removal::finding(run, *site, idle, saved));
                }
                None => findings.extend(barrier.waiting(run, *site, explained, &mut caused)),
            }
        }
        (findings, caused)
    }
}

/// The time that threads wait for the last one.
fn waiting(arrivals: &[Arrival]) -> u64 {
    let last = arrivals.iter().max_by_key(|it| (it.busy, it.thread));
    last.map_or(0, |last| arrivals.iter().map(|it| it.waits_for(last)).sum())
}

impl Pass {
    /// The pass, for a run without it; `passing`: what the thread that arrives last spends inside.
    fn without(&self, passing: u64) -> removal::Pass {
        let way = |it: &Arrival| removal::Way {
            work: it.busy,
            slack: it.slack,
            at: it.since + it.busy + it.delayed,
            inside: it.inside,
            is_delayed: it.delayed + it.after > 0,
        };
        removal::Pass {
            number: self.number,
            is_idle: self.is_idle,
            follows_idle: self.follows_idle,
            passing,
            ways: self.arrivals.iter().map(way).collect(),
        }
    }
}

impl Arrival {
    /// True if the thread has done nothing since the barrier before that this one could order.
    fn is_idle(&self) -> bool {
        self.is_barrier && self.operations == 0
    }

    /// The time that the thread waits for the last one; at most the time that it would have been there.
    fn waits_for(&self, last: &Arrival) -> u64 {
        let waits = last.busy.saturating_sub(self.busy + self.slack);
        waits.min(self.inside + self.delayed + self.behind)
    }
}

impl Barrier {
    /// Compares what the last thread did with the average of the others.
    fn compare(&mut self, last: &Arrival, arrivals: &[Arrival]) {
        let others = (arrivals.len() as u64).saturating_sub(1).max(1);
        let excess = self.excess.entry(last.thread).or_default();
        for it in arrivals {
            let is_last = it.thread == last.thread;
            for (&on, &time) in &it.spent {
                let time = i64::try_from(time).unwrap_or(i64::MAX);
                let more = match is_last {
                    true => time,
                    false => -(time / others as i64),
                };
                *excess.entry(on).or_default() += more;
            }
        }
    }

    /// True if it has nothing to order in most passes.
    fn is_redundant(&self) -> bool {
        self.idle * 10 >= self.passes * 9
    }

    /// The thread that causes most of the waiting alone.
    fn latest(&self) -> (u32, Late) {
        let late = self.late.iter();
        let late = late.max_by_key(|(thread, late)| (late.alone, **thread));
        late.map_or((0, Late::default()), |(&thread, &late)| (thread, late))
    }

    /// True if a thread causes nearly all of the waiting.
    fn is_cause(&self, late: Late) -> bool {
        late.alone * 100 >= self.waited * LATE && late.times * 100 >= self.passes * OFTEN
    }

    /// True if it does so in most passes, whatever there is in the others.
    fn is_rule(&self, late: Late) -> bool {
        late.clearly * 100 >= self.passes * OFTEN
    }

    /// What the waiting at the barrier comes from: the thread that is late there, or different amounts of work. Both, if
    /// threads wait for one as a rule and for others in the other passes; what little is left beside a thread that is the
    /// cause is only that of other findings.
    fn waiting(
        &self,
        run: &Run,
        site: SiteId,
        explained: &Explained,
        caused: &mut HashMap<usize, Caused>,
    ) -> Vec<Finding> {
        let (thread, late) = self.latest();
        let mut take = |cost: u64, is_of: &dyn Fn(u32) -> bool| {
            let excess = self.excess_of(run, is_of, explained);
            for &(finding, part) in &excess.findings {
                let caused = caused.entry(finding).or_default();
                caused.add(site, (cost as f64 * part) as u64);
            }
            let elsewhere = (cost as f64 * excess.elsewhere) as u64;
            (cost.saturating_sub(elsewhere), excess.why)
        };
        if !self.is_cause(late) && !self.is_rule(late) {
            let (cost, why) = take(self.waited, &|_| true);
            return vec![self.imbalance(run, site, cost, why)];
        }
        let (cost, why) = take(late.alone, &|it| it == thread);
        // Work that vanishes saves the late thread's own time, too.
        let part = cost as f64 / late.alone.max(1) as f64;
        let own = (late.own as f64 * part) as u64;
        let mut findings = vec![Finding {
            most: Some(cost + own),
            ..self.late(run, site, thread, cost, why)
        }];
        let (cost, mut why) = take(self.waited - late.alone, &|it| it != thread);
        if !self.is_cause(late) {
            why.insert(0, self.exception(run, site, thread, late));
            findings.push(Finding {
                what: format!("In the other passes, threads wait for others than thread {thread}."),
                ..self.imbalance(run, site, cost, why)
            });
        }
        findings
    }

    /// Says in how many passes threads wait for the one that is late as a rule.
    fn exception(&self, run: &Run, site: SiteId, thread: u32, late: Late) -> String {
        format!(
            "thread {thread} causes the waiting in {} of {} passes at {}",
            late.clearly,
            self.passes,
            run.place(site)
        )
    }

    fn late(&self, run: &Run, site: SiteId, thread: u32, cost: u64, why: Vec<String>) -> Finding {
        let times = self.late.get(&thread).map_or(0, |late| late.times);
        Finding {
            thread: Some(thread),
            what: format!(
                "Thread {thread} is the last to arrive, {times} of {} times.",
                self.passes
            ),
            why,
            advice: format!(
                "Give thread {thread} less work before {}, or do what only it does elsewhere.",
                run.place(site)
            ),
            ..Finding::new(Kind::LateThread, site, cost)
        }
    }

    fn imbalance(&self, run: &Run, site: SiteId, cost: u64, more: Vec<String>) -> Finding {
        let busy = |thread: u32| self.busy.get(&thread).copied().unwrap_or(0) / self.passes.max(1);
        let least = (0..run.threads).min_by_key(|&it| busy(it)).unwrap_or(0);
        let most = (0..run.threads).max_by_key(|&it| busy(it)).unwrap_or(0);
        let mut why = vec![format!(
            "from the barrier before, thread {least} takes {} and thread {most} {} on average",
            time(busy(least)),
            time(busy(most))
        )];
        why.extend(more);
        Finding {
            what: "Threads arrive at different times, and wait for the last one.".to_owned(),
            why,
            advice: DISTRIBUTE.to_owned(),
            ..Finding::new(Kind::LoadImbalance, site, cost)
        }
    }

    /// What threads spent their additional time on, each in the passes in which it was the last one.
    fn excess_of(&self, run: &Run, is_of: &dyn Fn(u32) -> bool, explained: &Explained) -> Excess {
        let tables = run.recording.tables();
        let of_thread = |(&thread, on): (&u32, &HashMap<Spent, i64>)| {
            let more = on.iter().map(move |(&on, &time)| (thread, on, time));
            more.collect::<Vec<_>>()
        };
        let all = self.excess.iter().filter(|(thread, _)| is_of(**thread));
        let mut more: Vec<(u32, Spent, u64)> = all
            .flat_map(of_thread)
            .filter_map(|(thread, on, time)| Some((thread, on, u64::try_from(time).ok()?)))
            .filter(|(_, _, time)| *time > 0)
            .collect();
        more.sort_by_key(|&(thread, on, time)| (Reverse(time), on, thread));
        let all: u64 = more.iter().map(|(_, _, time)| time).sum();
        let part = |time: u64| time as f64 / all.max(1) as f64;
        let (mut elsewhere, mut findings) = (0.0, Vec::new());
        for &(thread, on, time) in &more {
            let Some((kind, site)) = on else { continue };
            let explained = explained.parts(site, thread, time);
            // What a thread waited for a lock or a semaphore is the fault of who has it.
            let waits = matches!(tables.kind(kind).group, Group::Lock | Group::Semaphore);
            let sum: f64 = explained.iter().map(|(_, part)| part).sum();
            elsewhere += part(time) * if waits { 1.0 } else { sum };
            findings.extend(explained.iter().map(|&(it, of)| (it, of * part(time))));
        }
        let say = |(thread, on, more): &(u32, Spent, u64)| {
            let on = on.map_or_else(
                || "outside events, as a rule computing".to_owned(),
                |(kind, site)| format!("in {}", run.event_at(kind, site)),
            );
            let more = time(*more);
            format!("before it arrives, thread {thread} spends {more} more than the others {on}")
        };
        let large = more.iter().filter(|(_, _, time)| *time * 10 >= all).take(3);
        Excess {
            elsewhere,
            findings,
            why: large.map(say).collect(),
        }
    }
}
