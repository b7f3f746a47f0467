//! The discrete events: each thread does its steps one after another; resources serve one request at a time.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, VecDeque};

/// Nanoseconds.
pub type Nanoseconds = u64;

/// What a thread does next.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Step {
    /// It computes.
    Compute(f64),
    /// It accesses the memory of a thread, that many times.
    Access {
        /// The thread.
        peer: u32,
        /// How often.
        count: f64,
        /// Nanoseconds of one access, if nobody else is served.
        each: f64,
        /// The part of it in which the peer's memory serves nobody else.
        occupied: f64,
        /// Nanoseconds for which an access occupies the link of the peer's machine.
        link: f64,
    },
    /// It waits until all threads are here, and then for what a barrier costs.
    Barrier(f64),
    /// It takes a lock, which costs this if it is free.
    Lock(u64, f64),
    /// It releases a lock.
    Unlock(u64),
}

/// Where threads run.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Machine {
    /// THREADS.
    pub threads: u32,
    /// The threads of a machine.
    pub of_machine: u32,
}

/// What a simulated run took; times are those of all threads together.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Simulation {
    /// THREADS.
    pub threads: u32,
    /// The time of the run.
    pub run: Nanoseconds,
    /// Computing.
    pub computing: Nanoseconds,
    /// Accesses, without waiting.
    pub accesses: Nanoseconds,
    /// Waiting for memory that serves another thread, or for a link.
    pub contention: Nanoseconds,
    /// Barriers, and waiting for others at them.
    pub barriers: Nanoseconds,
    /// Locks, and waiting for them.
    pub locks: Nanoseconds,
    /// Threads that wait for something that does not happen.
    pub stuck: u32,
}

#[derive(Default)]
struct Lock {
    holder: Option<u32>,
    waiting: VecDeque<(u32, Nanoseconds)>,
}

/// Runs all threads to their ends. `steps`: the next step of a thread, until it has none.
pub fn run(machine: Machine, mut steps: impl FnMut(u32) -> Option<Step>) -> Simulation {
    let mut state = State {
        machine,
        queue: (0..machine.threads).map(|t| Reverse((0, t))).collect(),
        memory: vec![0; machine.threads as usize],
        links: vec![0; machine.threads.div_ceil(machine.of_machine.max(1)) as usize],
        arrived: Vec::new(),
        locks: BTreeMap::new(),
        running: machine.threads,
        sums: Simulation {
            threads: machine.threads,
            ..Simulation::default()
        },
    };
    while let Some(Reverse((now, thread))) = state.queue.pop() {
        match steps(thread) {
            Some(step) => state.step(now, thread, step),
            None => state.end(now),
        }
    }
    state.sums.stuck = state.running;
    state.sums
}

struct State {
    machine: Machine,
    /// The threads that do something next, by time and number.
    queue: BinaryHeap<Reverse<(Nanoseconds, u32)>>,
    /// When the memory of each thread, and the link of each machine, is free.
    memory: Vec<Nanoseconds>,
    links: Vec<Nanoseconds>,
    /// The threads at the barrier, each with the time of its arrival.
    arrived: Vec<(u32, Nanoseconds)>,
    locks: BTreeMap<u64, Lock>,
    running: u32,
    sums: Simulation,
}

fn rounded(time: f64) -> Nanoseconds {
    time.max(0.0).round() as Nanoseconds
}

impl State {
    fn step(&mut self, now: Nanoseconds, thread: u32, step: Step) {
        match step {
            Step::Compute(time) => {
                let time = rounded(time);
                self.sums.computing += time;
                self.queue.push(Reverse((now + time, thread)));
            }
            Step::Access {
                peer,
                count,
                each,
                occupied,
                link,
            } => {
                let waited = self.serve(now, thread, peer, (count * occupied, count * link));
                let time = rounded(count * each);
                self.sums.accesses += time;
                self.sums.contention += waited;
                self.queue.push(Reverse((now + waited + time, thread)));
            }
            Step::Barrier(cost) => self.barrier(now, thread, cost),
            Step::Lock(lock, cost) => self.lock(now, thread, lock, cost),
            Step::Unlock(lock) => self.unlock(now, thread, lock),
        }
    }

    /// Occupies the memory of a thread, and the link of its machine if the request comes from another one. Returns for
    /// how long the request waits.
    fn serve(
        &mut self,
        now: Nanoseconds,
        thread: u32,
        peer: u32,
        (memory, link): (f64, f64),
    ) -> Nanoseconds {
        let machine = |t: u32| t / self.machine.of_machine.max(1);
        let mut begin = now;
        if let Some(free) = self.memory.get(peer as usize) {
            begin = begin.max(*free);
        }
        let crosses = machine(thread) != machine(peer);
        let (from, to) = (machine(thread) as usize, machine(peer) as usize);
        if crosses {
            for at in [from, to] {
                begin = begin.max(self.links.get(at).copied().unwrap_or(0));
            }
            for at in [from, to] {
                if let Some(free) = self.links.get_mut(at) {
                    *free = begin + rounded(link);
                }
            }
        }
        if let Some(free) = self.memory.get_mut(peer as usize) {
            *free = begin + rounded(memory);
        }
        begin - now
    }

    fn barrier(&mut self, now: Nanoseconds, thread: u32, cost: f64) {
        self.arrived.push((thread, now));
        self.release(now, cost);
    }

    /// Lets all go if the last one has come. Threads that have ended wait for nobody, and nobody waits for them.
    fn release(&mut self, now: Nanoseconds, cost: f64) {
        if self.arrived.is_empty() || (self.arrived.len() as u32) < self.running {
            return;
        }
        let end = now + rounded(cost);
        for (thread, since) in self.arrived.drain(..) {
            self.sums.barriers += end - since;
            self.queue.push(Reverse((end, thread)));
        }
    }

    fn lock(&mut self, now: Nanoseconds, thread: u32, lock: u64, cost: f64) {
        let cost = rounded(cost);
        let lock = self.locks.entry(lock).or_default();
        match lock.holder {
            None => {
                lock.holder = Some(thread);
                self.sums.locks += cost;
                self.queue.push(Reverse((now + cost, thread)));
            }
            Some(_) => {
                // It asks while it waits: its own cost is over when it gets the lock.
                lock.waiting.push_back((thread, now));
                self.sums.locks += cost;
            }
        }
    }

    fn unlock(&mut self, now: Nanoseconds, thread: u32, lock: u64) {
        let lock = self.locks.entry(lock).or_default();
        lock.holder = None;
        if let Some((next, since)) = lock.waiting.pop_front() {
            lock.holder = Some(next);
            self.sums.locks += now - since;
            self.queue.push(Reverse((now, next)));
        }
        self.queue.push(Reverse((now, thread)));
    }

    fn end(&mut self, now: Nanoseconds) {
        self.running -= 1;
        self.sums.run = self.sums.run.max(now);
        self.release(now, 0.0);
    }
}
