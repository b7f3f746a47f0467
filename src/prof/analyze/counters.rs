//! Counters, as evidence for findings: how the way of a late thread to a barrier differs from those of the others, and
//! which ratios of a place differ from those of the whole program.

use super::super::model::{Cell, Event, Group, Kind as EventKind, Phase, Recording, SiteId};
use super::super::pairs::{Seen, Span};
use super::super::ratios::{PARTS, Ratio, useful};
use super::finding::{Finding, Kind};
use hashbrown::HashMap;

/// A thread's counter says something if it has so many times as many as the others', in tenths.
const MORE: u64 = 15;
/// A ratio says something if it is so many times as large as elsewhere, or as small.
const FACTOR: u64 = 2;
/// The most sentences for a finding.
const MOST: usize = 3;

/// The counters of the run.
pub(super) struct Counters<'r> {
    names: &'r [String],
    ratios: Vec<Ratio>,
    /// Those that the user wants to know in any case.
    asked: &'r [Ratio],
    /// By thread: what its first pthread has counted since it left the last barrier.
    ways: Vec<Vec<u64>>,
    /// By barrier and thread: what it counted on its ways to it.
    barriers: HashMap<SiteId, HashMap<u32, Vec<u64>>>,
    /// What the events of a place have counted, without those inside.
    places: HashMap<SiteId, Cell>,
    whole: Cell,
}

fn add(to: &mut Vec<u64>, more: &[u64]) {
    to.resize(more.len().max(to.len()), 0);
    for (sum, more) in to.iter_mut().zip(more) {
        *sum = sum.saturating_add(*more);
    }
}

/// Returns a cell that has only these counters.
fn cell_of(counters: impl Iterator<Item = u64>) -> Cell {
    Cell {
        counters: counters.map(|own| (own, own)).collect(),
        ..Cell::default()
    }
}

/// Returns a ratio as text.
fn shown(parts: u64) -> String {
    format!("{:.3}", parts as f64 / PARTS as f64)
}

/// Compares a thread's ratio on its ways to a barrier with that of the others.
fn of_late(ratio: &Ratio, late: u32, own: &str, others: &str) -> String {
    format!(
        "{} of thread {late} are {own} there, and {others} of the others",
        ratio.name
    )
}

/// Compares a ratio of a place with that of the program.
fn of_place(ratio: &Ratio, here: &str, whole: &str) -> String {
    format!(
        "{} are {here} here, and {whole} in the whole program",
        ratio.name
    )
}

impl<'r> Counters<'r> {
    pub(super) fn new(of: &'r dyn Recording, asked: &'r [Ratio]) -> Counters<'r> {
        let names = &of.facts().counters;
        let mut ratios = useful(names);
        ratios.retain(|ratio| !asked.contains(ratio));
        Counters {
            names,
            ratios,
            asked,
            ways: vec![Vec::new(); of.threads().len()],
            barriers: HashMap::new(),
            places: HashMap::new(),
            whole: Cell::default(),
        }
    }

    /// Takes an event of any thread, with what was counted since the one before.
    pub(super) fn event(&mut self, kind: &EventKind, event: &Event) {
        if event.counters.is_empty() {
            return;
        }
        let counted = event.counters.iter().copied();
        self.whole.add(&cell_of(counted));
        let Some(way) = self.ways.get_mut(event.thread as usize) else {
            return;
        };
        if event.pthread != 0 {
            return;
        }
        let meets = matches!(kind.group, Group::Barrier | Group::Collective);
        match event.phase {
            // What is counted while the thread waits for others is no part of its way.
            Phase::End if meets || kind.group == Group::Wait => way.clear(),
            Phase::Start | Phase::Atomic if meets || kind.group == Group::Notify => {
                add(way, &event.counters);
                let barrier = self.barriers.entry(event.site).or_default();
                add(barrier.entry(event.thread).or_default(), way);
                way.clear();
            }
            Phase::Start | Phase::End | Phase::Atomic => add(way, &event.counters),
        }
    }

    /// Takes a span of any thread, with its nanoseconds.
    pub(super) fn span(&mut self, span: &Span, own: u64) {
        if self.are_unknown() || span.seen == Seen::Atomic {
            return;
        }
        let counted = Cell {
            count: span.weight,
            own,
            bytes: span.bytes,
            counters: span.counters.clone(),
            ..Cell::default()
        };
        self.whole.count += span.weight;
        self.whole.own += own;
        self.whole.bytes += span.bytes;
        self.places.entry(span.site).or_default().add(&counted);
    }

    /// True if there is nothing to say.
    fn are_unknown(&self) -> bool {
        self.names.is_empty() && self.asked.is_empty()
    }

    /// Adds what counters say about a finding.
    pub(super) fn explain(&self, finding: &mut Finding) {
        if self.are_unknown() {
            return;
        }
        let mut why = match (finding.kind, finding.thread) {
            (Kind::LateThread, Some(late)) => self.late(finding.site, late),
            (Kind::LateThread | Kind::LoadImbalance, _) => self.unequal(finding.site),
            _ => self.unusual(finding.site),
        };
        why.truncate(MOST);
        finding.why.append(&mut why);
        finding.why.extend(self.wanted(finding));
    }

    /// The ratios that the user wants: those of the ways of a late thread, where only counters are divided, and those of
    /// the place otherwise.
    fn wanted(&self, finding: &Finding) -> Vec<String> {
        let late = finding
            .thread
            .filter(|_| finding.kind == Kind::LateThread)
            .and_then(|late| Some((late, self.against(finding.site, late)?)));
        let place = self.places.get(&finding.site);
        let say = |ratio: &Ratio| match &late {
            Some((late, (own, means))) if ratio.is_of_counters() => {
                let (own, others) = (ratio.of(own)?, ratio.of(means)?);
                Some(of_late(ratio, *late, &shown(own), &shown(others)))
            }
            _ => {
                let (here, whole) = (ratio.of(place?)?, ratio.of(&self.whole)?);
                Some(of_place(ratio, &shown(here), &shown(whole)))
            }
        };
        self.asked.iter().filter_map(say).collect()
    }

    /// What a thread counts on its ways to a barrier, and the mean of what the others count.
    fn against(&self, site: SiteId, late: u32) -> Option<(Cell, Cell)> {
        let ways = self.barriers.get(&site).filter(|ways| ways.len() > 1)?;
        let own = ways.get(&late)?;
        let others = ways.len() as u64 - 1;
        let mut sums = Vec::new();
        for (_, way) in ways.iter().filter(|(thread, _)| **thread != late) {
            add(&mut sums, way);
        }
        let means = cell_of(sums.iter().map(|sum| sum / others));
        Some((cell_of(own.iter().copied()), means))
    }

    /// How a thread's ways to a barrier differ from the mean of the others'.
    fn late(&self, site: SiteId, late: u32) -> Vec<String> {
        let Some((own, means)) = self.against(site, late) else {
            return Vec::new();
        };
        let more = self.names.iter().zip(&own.counters).zip(&means.counters);
        let more = more.filter(|((_, (own, _)), (mean, _))| {
            *own > 0 && own.saturating_mul(10) >= mean.saturating_mul(MORE)
        });
        let more = more.map(|((name, (own, _)), (mean, _))| {
            format!("on its way there, thread {late} counts {own} {name}, and the others {mean} on average")
        });
        let ratios = self.different(&own, &means);
        let ratios = ratios.map(|(ratio, own, mean)| of_late(ratio, late, &own, &mean));
        more.chain(ratios).collect()
    }

    /// Which counters differ among the threads on their ways to a barrier.
    fn unequal(&self, site: SiteId) -> Vec<String> {
        let Some(ways) = self.barriers.get(&site) else {
            return Vec::new();
        };
        let of = |(at, name): (usize, &String)| {
            let counted = || {
                let counted = ways
                    .iter()
                    .map(|(&thread, way)| (way.get(at).copied(), thread));
                counted.filter_map(|(counted, thread)| Some((counted?, thread)))
            };
            let (least, fewest) = counted().min()?;
            let (most, largest) = counted().max()?;
            let differs = most > 0 && most.saturating_mul(10) >= least.saturating_mul(MORE);
            differs.then(|| {
                format!("on the ways there, thread {fewest} counts {least} {name}, and thread {largest} {most}")
            })
        };
        self.names.iter().enumerate().filter_map(of).collect()
    }

    /// Which ratios of a place are unlike those of the whole program.
    fn unusual(&self, site: SiteId) -> Vec<String> {
        let Some(place) = self.places.get(&site) else {
            return Vec::new();
        };
        let ratios = self.different(place, &self.whole);
        ratios
            .map(|(ratio, here, whole)| of_place(ratio, &here, &whole))
            .collect()
    }

    /// The ratios of counters that differ clearly, as text.
    fn different<'s>(
        &'s self,
        one: &'s Cell,
        other: &'s Cell,
    ) -> impl Iterator<Item = (&'s Ratio, String, String)> {
        let ratios = self.ratios.iter().filter(|ratio| ratio.is_of_counters());
        ratios.filter_map(|ratio| {
            let (one, other) = (ratio.of(one)?, ratio.of(other)?);
            let (less, more) = (one.min(other), one.max(other));
            let differs = more > 0 && more >= less.saturating_mul(FACTOR);
            differs.then(|| (ratio, shown(one), shown(other)))
        })
    }
}
