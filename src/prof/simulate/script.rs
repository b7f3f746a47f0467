//! What recorded threads do, and how more threads than were recorded do the same.

use super::super::model::{Arg, Phase, Recording, Shared};
use super::super::predict::{Cause, Scale, Scales};
use super::engine::{Machine, Simulation, Step, run};
use std::collections::{BTreeMap, BTreeSet};

/// Something that a recorded thread did.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Deed {
    Compute(f64),
    /// Operations of a row on the memory of a thread.
    Operation(usize, u32, f64),
    Barrier(usize),
    Lock(usize, u64),
    Unlock(u64),
}

/// What a recorded thread did, in order.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Script {
    deeds: Vec<Deed>,
}

/// What all recorded threads did.
#[derive(Clone, PartialEq, Debug)]
pub struct Scripts {
    threads: Vec<Script>,
    /// Locks that several threads take.
    common: BTreeSet<u64>,
    /// Rows whose operations of all threads concern the memory of one.
    one: BTreeMap<usize, u32>,
}

/// Which thread an operation of a thread concerns, that was not recorded.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Peers {
    /// The next one and the one before.
    Neighbours,
    /// Any one.
    All,
    One(u32),
}

impl Scripts {
    /// Reads a trace. `row`: the number of the row of an event at a place.
    pub fn new(
        of: &dyn Recording,
        row: impl Fn(&str, &str, u32, u32) -> Option<(usize, Cause)>,
    ) -> Scripts {
        let mut holders: BTreeMap<u64, BTreeSet<u32>> = BTreeMap::new();
        let mut peers: BTreeMap<usize, BTreeSet<u32>> = BTreeMap::new();
        let mut threads = Vec::new();
        for thread in of.threads() {
            let script = Reader::read(of, thread.id, thread.pair_cost as f64, &row);
            for deed in &script.deeds {
                match *deed {
                    Deed::Lock(_, lock) => {
                        holders.entry(lock).or_default().insert(thread.id);
                    }
                    Deed::Operation(row, peer, _) => {
                        peers.entry(row).or_default().insert(peer);
                    }
                    Deed::Compute(_) | Deed::Barrier(_) | Deed::Unlock(_) => {}
                }
            }
            threads.push(script);
        }
        let several = |(lock, of): (u64, BTreeSet<u32>)| (of.len() > 1).then_some(lock);
        let one = peers.into_iter().filter(|(_, of)| of.len() == 1);
        Scripts {
            common: holders.into_iter().filter_map(several).collect(),
            one: one
                .filter_map(|(row, of)| Some((row, *of.first()?)))
                .collect(),
            threads,
        }
    }

    /// Replays them on so many threads.
    pub fn simulate(&self, scales: &Scales, machine: Machine) -> Simulation {
        let recorded = self.threads.len().max(1);
        let mut at = vec![0usize; machine.threads as usize];
        let mut random = 0u64;
        run(machine, |thread| {
            let script = &self.threads[thread as usize % recorded];
            loop {
                let number = at[thread as usize];
                let deed = script.deeds.get(number)?;
                at[thread as usize] += 1;
                random = hash(u64::from(thread) << 32 | number as u64);
                if let Some(step) = self.step(*deed, thread, random, scales, machine) {
                    return Some(step);
                }
            }
        })
    }

    fn step(
        &self,
        deed: Deed,
        thread: u32,
        random: u64,
        scales: &Scales,
        machine: Machine,
    ) -> Option<Step> {
        let recorded = self.threads.len() as u32;
        // A lock of one thread's own is another one in each copy of the thread.
        let lock = |lock: u64| match self.common.contains(&lock) {
            true => lock,
            false => hash(lock ^ u64::from(thread / recorded.max(1))),
        };
        Some(match deed {
            Deed::Compute(time) => Step::Compute(time * scales.computing),
            Deed::Barrier(row) => Step::Barrier(scales.rows.get(row)?.each),
            Deed::Lock(row, it) => Step::Lock(lock(it), scales.rows.get(row)?.each),
            Deed::Unlock(it) => Step::Unlock(lock(it)),
            Deed::Operation(row, peer, count) => {
                let scale = scales.rows.get(row)?;
                let peers = match (self.one.get(&row), scale.is_border) {
                    (Some(&owner), _) if recorded > 2 || owner == 0 => Peers::One(owner),
                    (_, true) => Peers::Neighbours,
                    (_, false) => Peers::All,
                };
                let peer = match machine.threads == recorded {
                    true => peer,
                    false => chosen(peers, thread, random, machine.threads),
                };
                access(scale, peer, count)?
            }
        })
    }
}

fn access(scale: &Scale, peer: u32, count: f64) -> Option<Step> {
    let count = count * scale.growth;
    (count > 0.0).then_some(Step::Access {
        peer,
        count,
        each: scale.each,
        occupied: scale.occupied,
        link: scale.link,
    })
}

/// A thread that another one accesses.
fn chosen(peers: Peers, thread: u32, random: u64, threads: u32) -> u32 {
    let other = |by: u32| (thread + by) % threads.max(1);
    match peers {
        Peers::One(owner) => owner,
        Peers::Neighbours if random.is_multiple_of(2) => other(1),
        Peers::Neighbours => other(threads - 1),
        Peers::All => other(1 + (random % u64::from(threads.saturating_sub(1).max(1))) as u32),
    }
}

/// Mixes the bits of a number, so that a run is the same each time (splitmix64).
fn hash(n: u64) -> u64 {
    let n = n.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let n = (n ^ (n >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let n = (n ^ (n >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    n ^ (n >> 31)
}

/// Reads the events of a thread.
struct Reader {
    deeds: Vec<Deed>,
    /// Open operations: what is inside them is theirs.
    depth: usize,
    /// The end of what is read so far.
    last: u64,
    pair_cost: f64,
}

impl Reader {
    fn read(
        of: &dyn Recording,
        thread: u32,
        pair_cost: f64,
        row: &impl Fn(&str, &str, u32, u32) -> Option<(usize, Cause)>,
    ) -> Script {
        let tables = of.tables();
        let first = of
            .threads()
            .iter()
            .find(|it| it.id == thread)
            .map_or(0, |it| it.first);
        let mut reader = Reader {
            deeds: Vec::new(),
            depth: 0,
            last: first,
            pair_cost,
        };
        let mut events = of.events(thread);
        while let Some(event) = events.next() {
            let kind = tables.kind(event.kind);
            let site = tables.site(event.site);
            let file = site.map_or("", |it| tables.text(it.file));
            let at = site.map_or((0, 0), |it| (it.line, it.column));
            let unlocks = kind.name == "UPC_UNLOCK";
            let found = row(&kind.name, file, at.0, at.1);
            if found.is_none() && !unlocks || !kind.nested {
                continue;
            }
            match event.phase {
                Phase::Start => {
                    reader.start(event.time, event.delayed);
                    if reader.depth == 1 {
                        let lock = kind.moves.lock.and_then(|it| match event.args.get(it) {
                            Some(Arg::Shared(lock)) => Some(number(*lock)),
                            _ => None,
                        });
                        let peer = kind.peer(event).filter(|peer| *peer != thread);
                        let weight = event.weight as f64;
                        reader.deeds.extend(match (found, lock) {
                            (None, lock) => lock.map(Deed::Unlock),
                            (Some((row, Cause::Barrier | Cause::Reduce | Cause::Broadcast)), _) => {
                                Some(Deed::Barrier(row))
                            }
                            (Some((row, Cause::Lock)), Some(lock)) => Some(Deed::Lock(row, lock)),
                            (Some((row, _)), _) => peer.map(|it| Deed::Operation(row, it, weight)),
                        });
                    }
                }
                Phase::End => reader.end(event.time),
                Phase::Atomic => {}
            }
        }
        let end = of
            .threads()
            .iter()
            .find(|it| it.id == thread)
            .map_or(0, |it| it.last);
        reader.compute(end.saturating_sub(reader.last) as f64);
        Script {
            deeds: joined(reader.deeds),
        }
    }

    fn start(&mut self, time: u64, delayed: u64) {
        self.depth += 1;
        if self.depth == 1 {
            let gap = time.saturating_sub(self.last).saturating_sub(delayed);
            self.compute(gap as f64 - self.pair_cost);
        }
    }

    fn end(&mut self, time: u64) {
        self.depth = self.depth.saturating_sub(1);
        if self.depth == 0 {
            self.last = time;
        }
    }

    fn compute(&mut self, time: f64) {
        if time > 0.0 {
            self.deeds.push(Deed::Compute(time));
        }
    }
}

/// The number of a lock.
fn number(lock: Shared) -> u64 {
    hash(lock.addr ^ u64::from(lock.thread) << 48)
}

/// Accesses of a row to one thread, and what is computed between them, become one step: a long trace has millions.
fn joined(deeds: Vec<Deed>) -> Vec<Deed> {
    let mut all: Vec<Deed> = Vec::new();
    for deed in deeds {
        let between = match all[..] {
            [.., Deed::Operation(row, peer, n), Deed::Compute(time)] if time < LITTLE => {
                Some((row, peer, n, time))
            }
            [.., Deed::Operation(row, peer, n)] => Some((row, peer, n, 0.0)),
            _ => None,
        };
        match (between, deed) {
            (Some((row, peer, n, time)), Deed::Operation(r, p, more)) if (row, peer) == (r, p) => {
                if time > 0.0 {
                    all.pop();
                }
                all.pop();
                compute(&mut all, time);
                all.push(Deed::Operation(row, peer, n + more));
            }
            (_, Deed::Compute(time)) => compute(&mut all, time),
            (_, deed) => all.push(deed),
        }
    }
    all
}

/// Adds computing to what comes last.
fn compute(all: &mut Vec<Deed>, time: f64) {
    match all.last_mut() {
        Some(Deed::Compute(before)) => *before += time,
        _ if time > 0.0 => all.push(Deed::Compute(time)),
        _ => {}
    }
}

/// Nanoseconds of computing between two accesses that are one step.
const LITTLE: f64 = 10_000.0;
