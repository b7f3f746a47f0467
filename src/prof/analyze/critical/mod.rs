//! The critical path: what made the run take as long as it did. It leads through one thread at a time. Where a thread
//! waits for another one, the path is that of the other thread until then.
//!
//! | a thread waits | for |
//! |---|---|
//! | at a barrier, in a collective call in which all wait for all | the last thread that arrives |
//! | for a lock | the thread that releases it |
//! | for a semaphore | the post of the last unit that it takes |
//! | for a message of MPI, in `MPI_Recv` or `MPI_Sendrecv` | the thread that sends it |
//! | for requests of MPI, in `MPI_Wait`, `MPI_Waitall` and others | the thread that sends the last of their messages |
//! | in other collective calls | the last thread that comes before it goes on |
//! | for a flag: it reads one shared object again and again, strictly | the thread that writes it meanwhile, strictly |
//!
//! Each thread has a path that leads to where it is. Who waits takes over the path of the thread that it waits for, if
//! that is longer; the path of the thread that ends last is the critical one (Yang and Miller, "Critical path analysis
//! for the execution of parallel and distributed programs", 1988). A path's length is the time that it would take with a
//! processor for each thread, without recording it.
//!
//! A cause of waiting is charged with the time of the path in which another thread only waited for it: for how long the
//! path is longer than that of the one who waits, and not more than the last piece of it that one thread has made.

mod flags;
mod joins;
mod meetings;
mod messages;
mod path;
#[cfg(test)]
mod tests;
mod tree;

use super::super::model::{Arg, Event, Group, Kind as EventKind, KindId, Phase, Recording, SiteId};
use super::meets::synchronises;
use super::semaphores::{self, Units};
use super::{Part, Run};
use flags::Flags;
use hashbrown::HashMap;
use joins::Joins;
use meetings::Meeting;
use messages::Messages;
use path::Cause;
pub use path::CriticalPath;
pub use tree::Leg;
use tree::{NodeId, Tree};

/// The end of a path. Who keeps one holds its node.
#[derive(Clone, Copy)]
struct Point {
    thread: u32,
    node: NodeId,
    length: u64,
    /// The length of the last piece on one thread.
    piece: u64,
    /// Nanoseconds since the start of the run.
    at: u64,
}

/// A thread that waits.
struct Wait {
    kind: KindId,
    site: SiteId,
    /// The length of its path, and the time.
    length: u64,
    at: u64,
    /// The time without a processor.
    delayed: u64,
    /// In a collective call in which not all wait for all.
    joins: bool,
}

/// A thread and the path to where it is.
struct Current {
    tip: NodeId,
    length: u64,
    /// The length when the path came to this thread, and up to which the thread's time is in the tree.
    since: u64,
    counted: u64,
    /// The time of the last event, and of the beginning of the leg.
    at: u64,
    leg: u64,
    open: Vec<(KindId, SiteId)>,
    /// Time that is not in the tree yet: outside events, and of the part before. Most events are between these two.
    outside: u64,
    inside: (Part, u64),
    wait: Option<Wait>,
    /// The number of barriers that it has left.
    barriers: usize,
}

#[derive(Default)]
struct Lock {
    waiting: u32,
    holder: SiteId,
    released: Option<Point>,
}

/// The paths so far.
pub(super) struct Paths {
    tree: Tree,
    threads: Vec<Current>,
    meetings: HashMap<usize, Meeting>,
    locks: HashMap<(u32, u64), Lock>,
    semaphores: HashMap<(u32, u64), Units<Point>>,
    flags: Flags,
    messages: Messages,
    joins: Joins,
}

/// What an event is to the paths.
enum Role {
    /// Its start is an arrival, its end leaves a barrier.
    Arrives,
    Leaves,
    Meets,
    Locks,
    Attempts,
    Unlocks,
    Posts,
    Awaits,
    Tries,
    Allocates,
    Receives,
    /// `MPI_Wait` and `MPI_Test`, and those for several requests.
    Completes,
    Tests,
    /// A collective call in which not all wait for all.
    Joins,
    Plain,
}

fn role(run: &Run, kind: &EventKind, event: &Event) -> Role {
    match (kind.group, kind.name.as_str()) {
        (Group::Notify, _) => Role::Arrives,
        (Group::Wait, _) => Role::Leaves,
        (Group::Barrier, _) => Role::Meets,
        (Group::Collective | Group::Io | Group::Mpi, _)
            if event.phase == Phase::Start && synchronises(run, kind, &event.args) =>
        {
            Role::Meets
        }
        (Group::Mpi, "UPCC_MPI_RECV" | "UPCC_MPI_SENDRECV") => Role::Receives,
        (Group::Mpi, "UPCC_MPI_WAIT") => Role::Completes,
        (Group::Mpi, "UPCC_MPI_TEST") => Role::Tests,
        (Group::Collective | Group::Mpi, _)
            if event.phase == Phase::Start && joins::is_of_all(run, kind, event) =>
        {
            Role::Joins
        }
        (Group::Lock, "UPC_LOCK") => Role::Locks,
        (Group::Lock, "UPC_LOCK_ATTEMPT") => Role::Attempts,
        (Group::Lock, "UPC_UNLOCK") => Role::Unlocks,
        (Group::Post, _) => Role::Posts,
        (Group::Semaphore, "UPCC_SEM_WAIT") => Role::Awaits,
        (Group::Semaphore, "UPCC_SEM_TRY") => Role::Tries,
        (Group::Semaphore, "UPCC_SEM_ALLOC") => Role::Allocates,
        _ => Role::Plain,
    }
}

impl Paths {
    pub(super) fn new(of: &dyn Recording) -> Paths {
        let mut tree = Tree::new();
        let threads = of.threads().iter().map(|thread| Current {
            tip: tree.add(None),
            length: 0,
            since: 0,
            counted: 0,
            at: thread.first,
            leg: thread.first,
            open: Vec::new(),
            outside: 0,
            inside: (Part::OutsideEvents, 0),
            wait: None,
            barriers: 0,
        });
        Paths {
            threads: threads.collect(),
            tree,
            meetings: HashMap::new(),
            locks: HashMap::new(),
            semaphores: HashMap::new(),
            flags: Flags::default(),
            messages: Messages::default(),
            joins: Joins::default(),
        }
    }

    /// Takes the next event of all threads. Other pthreads than a thread's first are on no path.
    pub(super) fn event(&mut self, run: &Run, event: &Event) {
        let is_known = (event.thread as usize) < self.threads.len();
        let kind = run.recording.tables().kind(event.kind);
        if event.pthread != 0 || !kind.nested || !is_known {
            return;
        }
        self.advance(run, event);
        let role = role(run, kind, event);
        match event.phase {
            Phase::Start => {
                self.flags(kind, event);
                self.start(&role, kind, event);
                self.current(event).open.push((event.kind, event.site));
            }
            Phase::End => {
                self.end(run, &role, kind, event);
                let open = &mut self.current(event).open;
                if let Some(at) = open.iter().rposition(|it| it.0 == event.kind) {
                    open.remove(at);
                }
            }
            Phase::Atomic => {}
        }
    }

    fn current(&mut self, event: &Event) -> &mut Current {
        &mut self.threads[event.thread as usize]
    }

    /// A thread has come to an event.
    fn advance(&mut self, run: &Run, event: &Event) {
        let current = &mut self.threads[event.thread as usize];
        let passed = event.time.saturating_sub(current.at);
        current.at += passed;
        if let Some(wait) = &mut current.wait {
            wait.delayed += event.delayed;
            return;
        }
        let recording = match event.phase {
            Phase::End => run.pair_cost(event.thread),
            Phase::Start | Phase::Atomic => 0,
        };
        let time = passed.saturating_sub(event.delayed.saturating_add(recording));
        let inside = current.open.last();
        let part = inside.map_or(Part::OutsideEvents, |&(kind, site)| {
            Part::Events(kind, site)
        });
        self.spend(event.thread, part, time);
    }

    fn spend(&mut self, thread: u32, part: Part, time: u64) {
        let current = &mut self.threads[thread as usize];
        current.length += time;
        if part == Part::OutsideEvents {
            current.outside += time;
        } else if part == current.inside.0 {
            current.inside.1 += time;
        } else {
            let before = std::mem::replace(&mut current.inside, (part, time));
            self.tree.sums(current.tip).spend(before);
        }
    }

    /// Returns where a thread is, for others to continue from there. The caller holds the node.
    fn point(&mut self, thread: u32) -> Point {
        let current = &mut self.threads[thread as usize];
        let sums = self.tree.sums(current.tip);
        sums.spend((Part::OutsideEvents, std::mem::take(&mut current.outside)));
        sums.spend((current.inside.0, std::mem::take(&mut current.inside.1)));
        *sums.threads.entry(thread).or_default() += current.length - current.counted;
        sums.legs.push_back(Leg {
            thread,
            from: current.leg,
            to: current.at,
        });
        (current.counted, current.leg) = (current.length, current.at);
        self.tree.settle(current.tip);
        let node = current.tip;
        current.tip = self.tree.add(Some(node));
        Point {
            thread,
            node,
            length: current.length,
            piece: current.length - current.since,
            at: current.at,
        }
    }

    /// A thread continues where another one was, with a path of this length.
    fn follow(&mut self, thread: u32, point: &Point) {
        let current = &mut self.threads[thread as usize];
        let tip = self.tree.add(Some(point.node));
        self.tree.release(std::mem::replace(&mut current.tip, tip));
        (current.length, current.since, current.counted) =
            (point.length, point.length, point.length);
        (current.outside, current.inside.1) = (0, 0);
        current.leg = point.at.min(current.at);
    }

    fn start(&mut self, role: &Role, kind: &EventKind, event: &Event) {
        self.send(kind, event);
        let waits = match role {
            Role::Arrives => {
                self.arrive(event);
                false
            }
            Role::Meets => {
                self.arrive(event);
                true
            }
            Role::Joins => {
                self.join(event);
                true
            }
            Role::Leaves | Role::Awaits | Role::Receives | Role::Completes => true,
            Role::Locks => {
                if let Some(lock) = self.lock(kind, event) {
                    lock.waiting += 1;
                }
                true
            }
            Role::Unlocks => {
                self.unlock(kind, event);
                false
            }
            Role::Posts => {
                self.post(kind, event);
                false
            }
            Role::Attempts | Role::Tries | Role::Tests | Role::Allocates | Role::Plain => false,
        };
        let current = self.current(event);
        if waits && current.wait.is_none() {
            current.wait = Some(Wait {
                kind: event.kind,
                site: event.site,
                length: current.length,
                at: current.at,
                delayed: 0,
                joins: matches!(role, Role::Joins),
            });
        }
    }

    fn end(&mut self, run: &Run, role: &Role, kind: &EventKind, event: &Event) {
        let current = self.current(event);
        let wait = current.wait.take_if(|wait| wait.kind == event.kind);
        match (role, wait) {
            (Role::Leaves | Role::Meets, wait) => self.leave(run, event, wait),
            (Role::Plain, Some(wait)) if wait.joins => self.joined(run, event, &wait),
            // A collective call: only its start says that all wait.
            (Role::Plain, Some(wait)) => self.leave(run, event, Some(wait)),
            (Role::Locks, Some(wait)) => self.locked(run, kind, event, wait),
            (Role::Attempts, _) => {
                if matches!(event.args.last(), Some(Arg::Int(1..)))
                    && let Some(lock) = self.lock(kind, event)
                {
                    lock.holder = event.site;
                }
            }
            (Role::Awaits, Some(wait)) => {
                let post = self.take(kind, event);
                let cause = Cause::Post(wait.site);
                self.resume(run, event, (wait, Some(cause)), post);
            }
            (Role::Tries, _) => {
                if semaphores::number(kind, event, "result").is_some_and(|result| result != 0)
                    && let Some(post) = self.take(kind, event)
                {
                    self.depend(event, &post);
                    self.tree.release(post.node);
                }
            }
            (Role::Allocates, _) => {
                if let Some(sem) = semaphores::of(kind, event) {
                    let before = self.semaphores.insert(sem, Units::of(kind, event));
                    for point in before.into_iter().flat_map(Units::into_posts) {
                        self.tree.release(point.node);
                    }
                }
            }
            (Role::Completes, Some(wait)) => self.completed(run, kind, event, Some(wait)),
            (Role::Tests, _) => self.completed(run, kind, event, None),
            (Role::Receives, Some(wait)) => {
                let sender = self.messages.receive(kind, event);
                self.resume(run, event, (wait, None), sender);
            }
            (
                Role::Arrives
                | Role::Locks
                | Role::Awaits
                | Role::Unlocks
                | Role::Posts
                | Role::Receives
                | Role::Completes
                | Role::Joins,
                _,
            )
            | (Role::Plain, None) => {}
        }
    }

    /// A thread goes on after it has waited, for where another one was. The point is released.
    fn resume(
        &mut self,
        run: &Run,
        event: &Event,
        (wait, cause): (Wait, Option<Cause>),
        point: Option<Point>,
    ) {
        let mut from = wait.at;
        if let Some(point) = point {
            from = from.max(point.at);
            let longer = point.length.saturating_sub(wait.length);
            if longer > 0 && point.thread != event.thread {
                self.follow(event.thread, &point);
                if let Some(cause) = cause {
                    let tip = self.current(event).tip;
                    *self.tree.sums(tip).causes.entry(cause).or_default() +=
                        longer.min(point.piece);
                }
            }
            self.tree.release(point.node);
        }
        self.pass(run, event, &wait, from);
    }

    /// The time in which a thread does not wait any more, from that time on.
    fn pass(&mut self, run: &Run, event: &Event, wait: &Wait, from: u64) {
        let taken = wait.delayed.saturating_add(run.pair_cost(event.thread));
        let passing = event.time.saturating_sub(from).saturating_sub(taken);
        self.spend(event.thread, Part::Events(wait.kind, wait.site), passing);
    }

    /// A thread that has not waited continues from where another one was, if its own path is shorter.
    fn depend(&mut self, event: &Event, point: &Point) {
        if point.thread != event.thread && point.length > self.current(event).length {
            self.follow(event.thread, point);
        }
    }

    fn lock(&mut self, kind: &EventKind, event: &Event) -> Option<&mut Lock> {
        let lock = super::locks::lock_of(kind, event)?;
        Some(self.locks.entry((lock.thread, lock.addr)).or_default())
    }

    fn unlock(&mut self, kind: &EventKind, event: &Event) {
        let is_awaited = |lock: &mut Lock| lock.waiting > 0;
        if !self.lock(kind, event).is_some_and(is_awaited) {
            return;
        }
        let point = self.point(event.thread);
        let lock = self.lock(kind, event);
        if let Some(before) = lock.and_then(|lock| lock.released.replace(point)) {
            self.tree.release(before.node);
        }
    }

    fn locked(&mut self, run: &Run, kind: &EventKind, event: &Event, wait: Wait) {
        let Some(lock) = self.lock(kind, event) else {
            return;
        };
        lock.waiting = lock.waiting.saturating_sub(1);
        let (holder, released) = (lock.holder, lock.released.take());
        lock.holder = wait.site;
        // A lock that was free already did not make this thread wait.
        let awaited = released.filter(|point| {
            let is_late = point.at >= wait.at;
            if !is_late {
                self.tree.release(point.node);
            }
            is_late
        });
        self.resume(run, event, (wait, Some(Cause::Lock(holder))), awaited);
    }

    fn post(&mut self, kind: &EventKind, event: &Event) {
        let Some(sem) = semaphores::of(kind, event) else {
            return;
        };
        let units = semaphores::units(kind, event);
        let point = self.point(event.thread);
        let semaphore = self.semaphores.entry(sem).or_default();
        if let Some(point) = semaphore.post(units, point) {
            self.tree.release(point.node);
        }
    }

    /// Takes units of a semaphore. Returns the post of the last of them, whose node the caller holds.
    fn take(&mut self, kind: &EventKind, event: &Event) -> Option<Point> {
        let sem = semaphores::of(kind, event)?;
        let units = semaphores::units(kind, event);
        let semaphore = self.semaphores.entry(sem).or_default();
        let tree = &mut self.tree;
        let (last, before) = semaphore.take(units, |point| {
            tree.hold(point.node);
            *point
        });
        for point in before {
            self.tree.release(point.node);
        }
        last
    }

    /// A thread that has read a flag again and again goes on: another one has set it.
    fn flags(&mut self, kind: &EventKind, event: &Event) {
        let length = self.current(event).length;
        if let Some(read) = self.flags.start(kind, event, length)
            && let Some(point) = self.flags.set(&read)
            && point.thread != event.thread
            && point.length > read.length
        {
            let since = event.time.saturating_sub(point.at);
            let passing = since.min(length.saturating_sub(read.length));
            let point = *point;
            self.follow(event.thread, &point);
            self.spend(event.thread, Part::Events(read.kind, read.site), passing);
        }
        if self.flags.sets(kind, event) {
            let point = self.point(event.thread);
            if let Some(before) = self.flags.keep(event, point) {
                self.tree.release(before.node);
            }
        }
    }

    /// Returns the path of the thread that ends last.
    pub(super) fn finish(mut self, run: &Run) -> CriticalPath {
        for thread in run.recording.threads() {
            let Some(current) = self.threads.get_mut(thread.id as usize) else {
                continue;
            };
            let rest = thread.end_of_trace(current.at).saturating_sub(current.at);
            current.at += rest;
            // Who waits at the end waits for nothing that the trace has.
            if current.wait.is_none() {
                self.spend(thread.id, Part::OutsideEvents, rest);
            }
        }
        let last = (0..self.threads.len()).max_by_key(|&it| (self.threads[it].length, it));
        let Some(last) = last else {
            return CriticalPath::default();
        };
        let point = self.point(last as u32);
        let sums = self.tree.path(point.node);
        CriticalPath::new(point.length, sums)
    }
}
