//! Single accesses to shared memory: which neighbours, whose memory, which block size.

use super::super::model::{KindId, ObjectId, SiteId};
use super::super::pairs::{Seen, Span};
use super::super::table::time;
use super::explained::Delay;
use super::finding::{Finding, Kind};
use super::layout::Layout;
use super::{Run, most, percent};
use hashbrown::HashMap;

/// Fewer remote accesses of a place are no pattern.
const FEW: u64 = 32;
/// The least part of a place's remote accesses, in percent, that reach the neighbour of the element before.
const NEIGHBOURS: u64 = 50;
/// The least part of the time of remote accesses, in percent, that goes to one thread.
const ONE: u64 = 80;
/// The least part of the accesses, in percent, that another block size makes local.
const GAIN: f64 = 0.3;

/// Remote accesses of a place.
#[derive(Default)]
struct Place {
    object: Option<ObjectId>,
    is_put: bool,
    number: u64,
    time: u64,
    /// Accesses to the element behind the one before.
    neighbours: u64,
    /// By thread: the peer and the address behind the last access.
    last: HashMap<u32, (u32, u64)>,
}

/// Remote accesses to the memory of a thread.
#[derive(Default)]
struct Owner {
    time: u64,
    number: u64,
    by_thread: HashMap<u32, u64>,
    by_site: HashMap<SiteId, u64>,
}

/// Accesses to a shared array.
struct Array {
    layout: Layout,
    /// The time of remote accesses, by place.
    remote: HashMap<SiteId, u64>,
}

/// The single accesses of the run.
pub(super) struct Accesses {
    get: Option<KindId>,
    put: Option<KindId>,
    places: HashMap<SiteId, Place>,
    owners: HashMap<u32, Owner>,
    arrays: HashMap<ObjectId, Array>,
}

impl Accesses {
    pub(super) fn new(run: &Run) -> Accesses {
        let tables = run.recording.tables();
        Accesses {
            get: tables.kind_named("UPC_GET"),
            put: tables.kind_named("UPC_PUT"),
            places: HashMap::new(),
            owners: HashMap::new(),
            arrays: HashMap::new(),
        }
    }

    /// Takes a span of any thread.
    pub(super) fn span(&mut self, run: &Run, span: &Span) {
        let is_put = Some(span.kind) == self.put;
        let is_access = is_put || Some(span.kind) == self.get;
        let (true, Some(traffic), Seen::Pair) = (is_access, span.traffic, span.seen) else {
            return;
        };
        let tables = run.recording.tables();
        let object = tables.object_at(traffic.place);
        let is_local = traffic.place.thread == span.thread;
        let spent = run.net(span).saturating_mul(span.weight);
        if let Some(object) = object {
            self.count(run, span, object, (is_local, spent));
        }
        if is_local {
            return;
        }
        let peer = traffic.place.thread;
        let place = self.places.entry(span.site).or_default();
        (place.object, place.is_put) = (object, is_put);
        place.number += span.weight;
        place.time += spent;
        let behind = (peer, traffic.place.addr + span.bytes);
        let before = place.last.insert(span.thread, behind);
        if before == Some((peer, traffic.place.addr)) {
            place.neighbours += span.weight;
        }
        let owner = self.owners.entry(peer).or_default();
        owner.time += spent;
        owner.number += span.weight;
        *owner.by_thread.entry(span.thread).or_default() += spent;
        *owner.by_site.entry(span.site).or_default() += spent;
    }

    /// Counts an access to an array.
    fn count(&mut self, run: &Run, span: &Span, object: ObjectId, (is_local, spent): (bool, u64)) {
        let described = &run.recording.tables().objects[object.0 as usize];
        if !self.arrays.contains_key(&object) {
            let Some(layout) = Layout::new(described, run.threads) else {
                return;
            };
            let remote = HashMap::new();
            self.arrays.insert(object, Array { layout, remote });
        }
        let (Some(array), Some(traffic)) = (self.arrays.get_mut(&object), span.traffic) else {
            return;
        };
        if let Some(element) = array.layout.element(described, traffic.place) {
            array
                .layout
                .count(span.thread, element, span.weight, is_local);
            if !is_local {
                *array.remote.entry(span.site).or_default() += spent;
            }
        }
    }

    /// Returns what was found.
    pub(super) fn findings(self, run: &Run) -> Vec<Finding> {
        let mut findings = Vec::new();
        for (&site, place) in &self.places {
            findings.extend(place.single(run, site));
        }
        findings.extend(self.one_owner(run));
        if run.recording.facts().has_local {
            for (&object, array) in &self.arrays {
                findings.extend(array.block_size(run, object));
            }
        }
        findings
    }

    fn one_owner(&self, run: &Run) -> Option<Finding> {
        let all: u64 = self.owners.values().map(|owner| owner.time).sum();
        let number: u64 = self.owners.values().map(|owner| owner.number).sum();
        let (&thread, owner) = self
            .owners
            .iter()
            .max_by_key(|(thread, owner)| (owner.time, **thread))?;
        let (site, _) = most(&owner.by_site)?;
        let others = u64::from(run.threads).saturating_sub(1);
        let from_all = owner.by_thread.len() as u64 >= others;
        let is_one = owner.time * 100 >= all * ONE && owner.number * 100 >= number * ONE;
        // Where neighbours are accessed one by one, another finding has the cost.
        let is_single = |site: &SiteId| self.places.get(site).is_some_and(Place::is_single);
        let single = owner.by_site.iter().filter(|(site, _)| is_single(site));
        let single: u64 = single.map(|(_, time)| time).sum();
        (is_one && from_all && number >= FEW).then(|| Finding {
            object: self.places.get(&site).and_then(|place| place.object),
            thread: Some(thread),
            what: format!("All other threads access the memory of thread {thread}."),
            why: vec![format!(
                "{} of {number} remote gets and puts, with {} of their time, go to thread {thread}; most at {}",
                owner.number,
                percent(owner.time, all),
                run.place(site)
            )],
            advice: "Distribute the data over all threads, or copy what is only read to each of them once.".to_owned(),
            delays: delays(owner.by_site.iter().filter(|(site, _)| !is_single(site)), 1.0),
            ..Finding::new(Kind::OneOwner, site, owner.time - single)
        })
    }
}

impl Place {
    fn is_single(&self) -> bool {
        self.number >= FEW && self.neighbours * 100 >= self.number * NEIGHBOURS
    }

    /// Neighbouring elements of another thread, one by one.
    fn single(&self, run: &Run, site: SiteId) -> Option<Finding> {
        if !self.is_single() {
            return None;
        }
        let run_length = self.number / (self.number - self.neighbours).max(1);
        let (what, call) = match self.is_put {
            true => (
                "Neighbouring elements of another thread are written one by one.",
                "upc_memput",
            ),
            false => (
                "Neighbouring elements of another thread are read one by one.",
                "upc_memget",
            ),
        };
        let name = object_name(run, self.object);
        Some(Finding {
            object: self.object,
            what: what.to_owned(),
            why: vec![format!(
                "{} remote accesses{name} take {} each; {} of them are next to the one before, in runs of {run_length} on average",
                self.number,
                time(self.time / self.number),
                percent(self.neighbours, self.number)
            )],
            advice: format!("Move {run_length} elements by one {call}, through a private buffer."),
            ..Finding::new(
                Kind::SingleTransfers,
                site,
                self.time - self.time / run_length.max(1),
            )
        })
    }
}

impl Array {
    /// A block size with which most accesses are local.
    fn block_size(&self, run: &Run, object: ObjectId) -> Option<Finding> {
        let all = self.layout.local + self.layout.remote;
        let now = self.layout.local as f64 / all.max(1) as f64;
        let better = self.layout.best()?;
        let (site, _) = most(&self.remote)?;
        if self.layout.remote < FEW || better.local - now < GAIN {
            return None;
        }
        let spent: u64 = self.remote.values().sum();
        let tables = run.recording.tables();
        let described = &tables.objects[object.0 as usize];
        let (name, declared) = (
            tables.text(described.name),
            tables.text(described.type_name),
        );
        let part = (better.local - now) / (1.0 - now);
        let cost = (spent as f64 * part) as u64;
        Some(Finding {
            object: Some(object),
            what: format!("Threads access elements of `{name}` mostly on other threads."),
            why: vec![format!(
                "{:.0} % of {all} accesses are local with `{declared}`; with blocks of {} elements {:.0} % would be",
                now * 100.0,
                better.block,
                better.local * 100.0
            )],
            advice: format!(
                "Declare `{name}` with the layout qualifier [{}], and let each upc_forall over it follow.",
                better.block
            ),
            delays: delays(self.remote.iter(), part),
            ..Finding::new(Kind::BlockSize, site, cost)
        })
    }
}

/// Returns a part of the times at places as delays.
fn delays<'t>(times: impl Iterator<Item = (&'t SiteId, &'t u64)>, part: f64) -> Vec<Delay> {
    let of = |(&site, &time): (&SiteId, &u64)| Delay {
        site,
        thread: None,
        time: (time as f64 * part) as u64,
    };
    times.map(of).collect()
}

/// Returns ` to NAME` for a static shared object.
fn object_name(run: &Run, object: Option<ObjectId>) -> String {
    let tables = run.recording.tables();
    let object = object.and_then(|object| tables.objects.get(object.0 as usize));
    object.map_or(String::new(), |object| {
        format!(" to `{}`", tables.text(object.name))
    })
}
