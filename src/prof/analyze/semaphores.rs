//! Semaphores: who waits, and who posts only then.
//!
//! A wait takes units that posts have given, the oldest first. If the last unit that it takes was posted after the wait
//! began, the thread waited for that post.

use super::super::model::{Arg, Event, Group, Kind as EventKind, KindId, Phase, SiteId};
use super::super::pairs::{Seen, Span};
use super::super::table::time;
use super::delays::Delays;
use super::finding::{Finding, Kind};
use super::{Run, most, percent};
use hashbrown::HashMap;
use std::collections::VecDeque;

/// `BUPC_SEM_BOOLEAN`: such a semaphore has one unit at most.
const BOOLEAN: i64 = 1;
/// The part of the waiting, in percent, that makes one thread its cause.
const MOSTLY: u64 = 80;

/// What a thread spends time on: the events of a place, or none.
type Spent = Option<(KindId, SiteId)>;

/// A call that has posted units.
#[derive(Clone)]
struct Post {
    thread: u32,
    site: SiteId,
    at: u64,
    /// Since when it did not wait itself: its wait or post before.
    from: u64,
    /// When it had no processor since its post before, and what it did.
    delayed: Delays,
    spent: HashMap<Spent, u64>,
}

/// The units of a semaphore, those of the oldest post first. `P`: what is known of a post.
pub(in crate::prof) struct Units<P> {
    is_boolean: bool,
    posts: VecDeque<(u64, P)>,
    /// Units that were taken before their post was recorded.
    owed: u64,
}

impl<P> Default for Units<P> {
    fn default() -> Units<P> {
        Units {
            is_boolean: false,
            posts: VecDeque::new(),
            owed: 0,
        }
    }
}

impl<P> Units<P> {
    /// Returns those of a new semaphore; `event`: the end of its allocation.
    pub(in crate::prof) fn of(kind: &EventKind, event: &Event) -> Units<P> {
        let flags = number(kind, event, "sem_flags").unwrap_or(0);
        Units {
            is_boolean: flags & BOOLEAN != 0,
            ..Units::default()
        }
    }

    /// Adds units. Returns the post if nothing is left of it.
    pub(in crate::prof) fn post(&mut self, units: u64, post: P) -> Option<P> {
        let paid = self.owed.min(units);
        self.owed -= paid;
        let is_full = self.is_boolean && !self.posts.is_empty();
        if units == paid || is_full {
            return Some(post);
        }
        self.posts.push_back((units - paid, post));
        None
    }

    /// Takes units. Returns the post of the last of them, and those of the others; `copy`: of a post that has units left.
    pub(in crate::prof) fn take(
        &mut self,
        mut units: u64,
        mut copy: impl FnMut(&P) -> P,
    ) -> (Option<P>, Vec<P>) {
        let (mut last, mut others) = (None, Vec::new());
        while units > 0 {
            let Some(front) = self.posts.front_mut() else {
                self.owed += units;
                break;
            };
            let taken = front.0.min(units);
            front.0 -= taken;
            units -= taken;
            let post = match front.0 {
                0 => self.posts.pop_front().map(|(_, post)| post),
                _ => Some(copy(&front.1)),
            };
            others.extend(std::mem::replace(&mut last, post));
        }
        (last, others)
    }

    /// Returns the posts that nobody has taken.
    pub(in crate::prof) fn into_posts(self) -> impl Iterator<Item = P> {
        self.posts.into_iter().map(|(_, post)| post)
    }
}

/// What a thread did since its last post.
#[derive(Default)]
struct Since {
    at: u64,
    /// The end of its last wait.
    waited: u64,
    delayed: Delays,
    spent: HashMap<Spent, u64>,
}

/// The waiting at a place.
#[derive(Default)]
struct Place {
    calls: u64,
    waits: u64,
    time: u64,
    /// By thread and place of the posts.
    blame: HashMap<(u32, SiteId), u64>,
    /// What the posting threads did before.
    before: HashMap<(u32, Spent), u64>,
}

/// The semaphores of the run.
#[derive(Default)]
pub(super) struct Semaphores {
    semaphores: HashMap<(u32, u64), Units<Post>>,
    /// By thread: when it began to wait.
    waiting: HashMap<u32, u64>,
    /// By thread and pthread.
    since: HashMap<(u32, u32), Since>,
    /// When the first semaphore is used.
    first: Option<u64>,
    places: HashMap<SiteId, Place>,
    /// The time that threads waited only because those who post, or they themselves, had no processor.
    pub(super) stretched: u64,
    /// The time that threads would wait longer if they had a processor on their way to the semaphore.
    pub(super) longer: u64,
}

/// Returns thread and address of the semaphore of an event. Phases are of no importance to the place.
pub(in crate::prof) fn of(kind: &EventKind, event: &Event) -> Option<(u32, u64)> {
    let at = kind
        .args(event.phase)
        .iter()
        .position(|it| it.name == "sem");
    match event.args.get(at?)? {
        Arg::Shared(sem) => Some((sem.thread, sem.addr)),
        _ => None,
    }
}

/// Returns the number of units that an event posts or takes.
pub(in crate::prof) fn units(kind: &EventKind, event: &Event) -> u64 {
    number(kind, event, "count").map_or(1, |units| units.max(0) as u64)
}

/// Returns an argument with a number.
pub(super) fn number(kind: &EventKind, event: &Event, name: &str) -> Option<i64> {
    let at = kind.args(event.phase).iter().position(|it| it.name == name);
    match event.args.get(at?)? {
        Arg::Int(number) => Some(*number),
        Arg::Size(size) => i64::try_from(*size).ok(),
        _ => None,
    }
}

impl Semaphores {
    /// Takes an event. Semaphores are a thread's, whichever of its pthreads posts or waits. At the end of a wait, returns for
    /// how long it waited only because the one that posts, or it itself, had no processor.
    pub(super) fn event(&mut self, kind: &EventKind, event: &Event) -> u64 {
        // What the end of an operation in which threads wait notes is part of the waiting.
        let ends_waiting = kind.waits() && event.phase == Phase::End;
        if event.delayed > 0 && !ends_waiting && self.first.is_some() {
            let since = self.since_of((event.thread, event.pthread));
            since.delayed.add(event.time, event.delayed);
        }
        if !matches!(kind.group, Group::Semaphore | Group::Post) {
            return 0;
        }
        self.first.get_or_insert(event.time);
        let Some(sem) = of(kind, event) else { return 0 };
        let units = units(kind, event);
        match (kind.name.as_str(), event.phase) {
            ("UPCC_SEM_ALLOC", Phase::End) => {
                self.semaphores.insert(sem, Units::of(kind, event));
            }
            ("UPCC_SEM_POST", Phase::Start) => self.post(sem, units, event),
            ("UPCC_SEM_WAIT", Phase::Start) => {
                self.waiting.insert(event.thread, event.time);
            }
            ("UPCC_SEM_WAIT", Phase::End) => {
                let since = self.waiting.remove(&event.thread);
                let last = self.take(sem, units);
                return self.waited(event, since.unwrap_or(event.time), last);
            }
            ("UPCC_SEM_TRY", Phase::End)
                if number(kind, event, "result").is_some_and(|result| result != 0) =>
            {
                self.take(sem, units);
            }
            _ => {}
        }
        0
    }

    /// Takes a span of a pthread.
    pub(super) fn span(&mut self, run: &Run, pthread: u32, span: &Span) {
        if span.seen == Seen::Atomic || self.first.is_none() {
            return;
        }
        let since = self.since_of((span.thread, pthread));
        let spent = since.spent.entry(Some((span.kind, span.site))).or_default();
        *spent += run.net(span);
    }

    /// What a pthread did since its last post, or since the first semaphore was used.
    fn since_of(&mut self, pthread: (u32, u32)) -> &mut Since {
        let at = self.first.unwrap_or(0);
        let fresh = || Since {
            at,
            ..Since::default()
        };
        self.since.entry(pthread).or_insert_with(fresh)
    }

    fn post(&mut self, sem: (u32, u64), units: u64, event: &Event) {
        let since = self.since_of((event.thread, event.pthread));
        let mut spent = std::mem::take(&mut since.spent);
        let inside: u64 = spent.values().sum();
        let whole = event.time.saturating_sub(since.at);
        let outside = whole.saturating_sub(inside + since.delayed.all());
        spent.insert(None, outside);
        let post = Post {
            thread: event.thread,
            site: event.site,
            at: event.time,
            from: since.waited.max(since.at),
            delayed: std::mem::take(&mut since.delayed),
            spent,
        };
        since.at = event.time;
        self.semaphores.entry(sem).or_default().post(units, post);
    }

    /// Takes units. Returns the post of the last of them.
    fn take(&mut self, sem: (u32, u64), units: u64) -> Option<Post> {
        let semaphore = self.semaphores.entry(sem).or_default();
        semaphore.take(units, Post::clone).0
    }

    /// A thread has waited since that time, for a post. Returns what of that was for processors.
    fn waited(&mut self, event: &Event, since: u64, last: Option<Post>) -> u64 {
        self.places.entry(event.site).or_default().calls += 1;
        let Some(post) = last else { return 0 };
        // From the post on, the thread only lacks a processor: if it posts late itself, that is a reason.
        let woken = event.time.saturating_sub(post.at.max(since));
        let woken = event.delayed.min(woken);
        let me = self.since_of((event.thread, event.pthread));
        // With processors, the other one would have come to the post earlier, and this one to the wait.
        let longer = me.delayed.between(post.from, since);
        me.delayed.add(event.time, woken);
        me.waited = event.time;
        let waited = post.at.min(event.time).saturating_sub(since);
        let late = match waited {
            0 => 0,
            _ => (waited + longer).saturating_sub(post.delayed.between(post.from, post.at)),
        };
        let stretched = woken + waited.saturating_sub(late);
        self.stretched += stretched;
        self.longer += late.saturating_sub(waited);
        if late == 0 || post.thread == event.thread {
            return stretched;
        }
        let place = self.places.entry(event.site).or_default();
        place.waits += 1;
        place.time += late;
        *place.blame.entry((post.thread, post.site)).or_default() += late;
        for (on, time) in post.spent {
            *place.before.entry((post.thread, on)).or_default() += time;
        }
        stretched
    }

    /// Returns what was found.
    pub(super) fn findings(&self, run: &Run) -> Vec<Finding> {
        let places = self.places.iter().filter(|(_, place)| place.time > 0);
        places
            .map(|(&site, place)| place.finding(run, site))
            .collect()
    }
}

impl Place {
    fn finding(&self, run: &Run, site: SiteId) -> Finding {
        let mut threads: HashMap<u32, u64> = HashMap::new();
        let mut sites: HashMap<SiteId, u64> = HashMap::new();
        for (&(thread, from), &time) in &self.blame {
            *threads.entry(thread).or_default() += time;
            *sites.entry(from).or_default() += time;
        }
        let thread = most(&threads).filter(|(_, time)| time * 100 >= self.time * MOSTLY);
        let posts = most(&sites).map_or(SiteId::NONE, |(site, _)| site);
        let mut why = vec![format!(
            "{} of {} waits ended with a post that came later, most at {}",
            self.waits,
            self.calls,
            run.place(posts)
        )];
        if let Some((thread, time_of)) = thread {
            let share = percent(time_of, self.time);
            why.push(format!("{share} of the waiting was for thread {thread}"));
        }
        let before = self
            .before
            .iter()
            .filter(|((of, _), _)| thread.is_none_or(|(thread, _)| thread == *of))
            .max_by_key(|(key, time)| (**time, **key));
        if let Some((&(of, on), &spent)) = before {
            let each = time(spent / self.waits.max(1));
            let on = match on {
                Some((kind, site)) => format!("in {}", run.event_at(kind, site)),
                None => "outside events, as a rule computing".to_owned(),
            };
            why.push(format!("before it posts, thread {of} spends {each} {on}"));
        }
        Finding {
            thread: thread.map(|(thread, _)| thread),
            what: "Threads wait for a semaphore that is posted late.".to_owned(),
            why,
            advice: format!(
                "Post earlier at {}: before work that the waiting thread does not need; or let the waiting thread do other work first.",
                run.place(posts)
            ),
            ..Finding::new(Kind::LatePost, site, self.time)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::memory::Memory;
    use super::super::super::model::Shared;
    use super::super::analyze;
    use super::*;

    const STEP: u64 = 100_000;
    const STEPS: u64 = 10;

    fn sem() -> Arg {
        Arg::Shared(Shared {
            thread: 0,
            addr: 0x100,
            phase: Some(0),
        })
    }

    /// Thread 0 waits `from` ns after the beginning of each step for what thread 2 posts at `posted`, and has it 100 ns
    /// after both.
    fn recording(flags: i64, posted: u64, from: u64) -> (Memory, SiteId) {
        let mut m = Memory::new(3);
        let (alloc, wait) = (m.site("a.upc", 10, 5, ""), m.site("a.upc", 20, 5, ""));
        let post = m.site("a.upc", 30, 5, "");
        m.event(
            0,
            0,
            "UPCC_SEM_ALLOC",
            Phase::Start,
            alloc,
            &[Arg::Int(flags)],
        );
        let args = [Arg::Int(flags), sem()];
        m.event(0, 10, "UPCC_SEM_ALLOC", Phase::End, alloc, &args);
        for step in 1..=STEPS {
            let at = step * STEP;
            let args = [sem(), Arg::Size(1)];
            m.pair(
                2,
                (at + posted, at + posted + 50),
                "UPCC_SEM_POST",
                post,
                &args,
            );
            let end = at + posted.max(from) + 100;
            m.pair(0, (at + from, end), "UPCC_SEM_WAIT", wait, &args);
        }
        (m, wait)
    }

    #[test]
    fn waiting_for_a_late_post_names_who_posts() {
        let (m, site) = recording(0, 50_000, 10_000);
        let analysis = analyze(&m, None);
        let finding = analysis.findings.first().expect("a finding");
        assert_eq!(
            (finding.kind, finding.site, finding.thread),
            (Kind::LatePost, site, Some(2))
        );
        assert_eq!(finding.cost, STEPS * 40_000);
        assert!(finding.why[0].starts_with("10 of 10 waits"), "{finding:?}");
        assert!(finding.advice.contains("a.upc:30"));
    }

    #[test]
    fn any_pthread_may_post_and_wait() {
        let (mut m, site) = recording(0, 50_000, 10_000);
        for (thread, pthread) in [(0, 1), (2, 3)] {
            for event in &mut m.events[thread] {
                event.pthread = pthread;
            }
        }
        let findings = analyze(&m, None).findings;
        let finding = findings.first().expect("a finding");
        assert_eq!((finding.site, finding.thread), (site, Some(2)));
        assert_eq!(finding.cost, STEPS * 40_000);
    }

    #[test]
    fn who_comes_later_than_the_post_does_not_wait() {
        let (m, _) = recording(0, 10_000, 50_000);
        assert_eq!(analyze(&m, None).findings, []);
    }

    #[test]
    fn a_boolean_semaphore_keeps_one_unit() {
        for (flags, waits) in [(BOOLEAN, true), (0, false)] {
            let (mut m, site) = recording(flags, 50_000, 10_000);
            // Posts that nobody takes: the units of one are there for the first wait, or those of all for all waits.
            let post = m.site("a.upc", 31, 5, "");
            let args = [sem(), Arg::Size(1)];
            let later = std::mem::take(&mut m.events[2]);
            for i in 0..STEPS {
                let at = 100 + i * 100;
                m.pair(2, (at, at + 10), "UPCC_SEM_POST", post, &args);
            }
            m.events[2].extend(later);
            let analysis = analyze(&m, None);
            let late = analysis.findings.iter();
            let late = late.filter(|it| it.kind == Kind::LatePost && it.site == site);
            assert_eq!(late.count() == 1, waits, "{flags}");
        }
    }

    /// Who has no processor behind its own post reaches the next wait later, and waits there less than it would have; what
    /// the other thread lost before it waited itself has made no wait longer.
    #[test]
    fn a_wait_is_as_long_as_if_each_thread_had_a_processor() {
        let mut m = Memory::new(2);
        m.facts.has_processor = true;
        let site = m.site("a.upc", 20, 5, "");
        let post = m.site("a.upc", 30, 5, "");
        let args = |thread: u32| {
            [
                Arg::Shared(Shared {
                    thread,
                    addr: 0x100,
                    phase: None,
                }),
                Arg::Size(1),
            ]
        };
        // Thread 1 has the first unit without waiting.
        m.pair(1, (50_050, 50_100), "UPCC_SEM_WAIT", post, &args(0));
        for i in 0..STEPS {
            let at = i * 100_000;
            // Thread 0 computes for 50 us, posts, loses 5 us and waits for thread 1, which computes for 30 us.
            m.pair(
                0,
                (at + 50_000, at + 55_100),
                "UPCC_SEM_POST",
                post,
                &args(0),
            );
            m.events[0].last_mut().unwrap().delayed = 5_000;
            m.pair(
                0,
                (at + 55_200, at + 80_200),
                "UPCC_SEM_WAIT",
                post,
                &args(1),
            );
            // Thread 1 loses 10 us behind its post and waits only then.
            m.pair(
                1,
                (at + 80_100, at + 90_200),
                "UPCC_SEM_POST",
                post,
                &args(1),
            );
            m.events[1].last_mut().unwrap().delayed = 10_000;
            if i + 1 < STEPS {
                m.pair(
                    1,
                    (at + 90_300, at + 150_100),
                    "UPCC_SEM_WAIT",
                    site,
                    &args(0),
                );
            }
        }
        let analysis = analyze(&m, None);
        let found = analysis.findings.iter().find(|it| it.site == site);
        // Thread 0 goes on at 80.2 us and posts at 150 us. Thread 1 would have waited from 80.3 us on, and so for 100 ns less
        // than that.
        let cost = found.map(|it| (it.kind, it.cost));
        assert_eq!(
            cost,
            Some((Kind::LatePost, (STEPS - 1) * (150_000 - 90_300 + 10_000)))
        );
    }

    #[test]
    fn who_waits_for_one_without_a_processor_is_not_late_at_the_barrier() {
        const STEPS: u64 = 10;
        let mut m = Memory::new(2);
        let [wait, post, barrier] = [10, 20, 30].map(|line| m.site("a.upc", line, 5, ""));
        let place = Shared {
            thread: 0,
            addr: 0x100,
            phase: None,
        };
        let sem = [Arg::Shared(place), Arg::Size(1)];
        for at in (0..STEPS).map(|i| i * 100_000) {
            // Thread 1 computes for 30 us in 90 us and posts; thread 0 computes for 20 us and waits; both compute for 5 us.
            m.pair(1, (at + 90_000, at + 90_100), "UPCC_SEM_POST", post, &sem);
            let of_post = m.events[1].len() - 2;
            m.events[1][of_post].delayed = 60_000;
            m.pair(0, (at + 20_000, at + 90_100), "UPCC_SEM_WAIT", wait, &sem);
            for thread in 0..2 {
                m.pair(
                    thread,
                    (at + 95_100, at + 100_000),
                    "UPC_BARRIER",
                    barrier,
                    &[],
                );
            }
        }
        let analysis = analyze(&m, None);
        let costs = |of| {
            let found = analysis.findings.iter().filter(move |it| it.site == of);
            found.map(|it| it.cost).sum::<u64>()
        };
        assert_eq!(costs(wait), STEPS * 10_000);
        assert!(costs(barrier) < STEPS * 200, "{}", costs(barrier));
    }

    #[test]
    fn a_wait_whose_post_is_recorded_later_blames_nobody() {
        let (mut m, _) = recording(0, 50_000, 10_000);
        // The clock of the posting machine is late.
        for event in &mut m.events[2] {
            event.time += 1_000;
        }
        assert_eq!(analyze(&m, None).findings, []);
    }
}
