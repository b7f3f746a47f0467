//! Where the time of all threads went: by event and place, outside events, and without a processor.

use super::super::model::{Event, KindId, SiteId, Thread};
use super::super::pairs::{Seen, Span};
use super::Run;
use hashbrown::HashMap;
use std::collections::BTreeMap;

/// A part of the time of all threads; all parts are the whole.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Part {
    /// Events of this kind and place, without the events inside them.
    Events(KindId, SiteId),
    /// Time in which the program raised no event: as a rule, computing.
    OutsideEvents,
    /// Time in which a thread was ready to run and had no processor.
    NoProcessor,
}

/// The time of a part.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Spent {
    /// The part.
    pub part: Part,
    /// Nanoseconds of all threads.
    pub time: u64,
    /// The number of events; 0 for the other parts.
    pub number: u64,
}

/// Sums over the events so far.
#[derive(Default)]
pub(super) struct Shares {
    events: HashMap<(u32, KindId, SiteId), (u64, u64)>,
    /// The time without a processor, of all threads and of each.
    pub(super) delayed: u64,
    delayed_of: HashMap<u32, u64>,
}

impl Shares {
    /// Takes an event of any pthread.
    pub(super) fn event(&mut self, event: &Event) {
        if event.delayed > 0 {
            self.delayed += event.delayed;
            *self.delayed_of.entry(event.thread).or_default() += event.delayed;
        }
    }

    /// Takes a span of any pthread.
    pub(super) fn span(&mut self, run: &Run, span: &Span) {
        let delayed = run.delayed(span);
        let waited = span.delayed - delayed;
        self.delayed -= waited;
        if let Some(of_thread) = self.delayed_of.get_mut(&span.thread) {
            *of_thread -= waited;
        }
        let sum = self
            .events
            .entry((span.thread, span.kind, span.site))
            .or_default();
        if span.seen != Seen::Atomic {
            sum.0 += span.own.saturating_sub(delayed);
        }
        sum.1 += span.weight;
    }

    /// Returns what a thread spent its time on, without the time in which it had no processor.
    pub(super) fn of_thread(&self, thread: &Thread) -> BTreeMap<Part, u64> {
        let mine = self.events.iter().filter(|(key, _)| key.0 == thread.id);
        let mut times: BTreeMap<Part, u64> = mine
            .map(|(&(_, kind, site), &(time, _))| (Part::Events(kind, site), time))
            .collect();
        let inside: u64 = times.values().sum();
        let delayed = self.delayed_of.get(&thread.id).copied().unwrap_or(0);
        let outside = thread.time().saturating_sub(inside + delayed);
        times.insert(Part::OutsideEvents, outside);
        times
    }

    /// Returns the parts, the largest first; `all`: the time of all threads, which is their sum.
    pub(super) fn parts(self, all: u64) -> Vec<Spent> {
        let inside: u64 = self.events.values().map(|(time, _)| time).sum();
        let no_processor = self.delayed.min(all.saturating_sub(inside));
        let outside = all.saturating_sub(inside + no_processor);
        let of = |part, time, number| Spent { part, time, number };
        let mut events: HashMap<(KindId, SiteId), (u64, u64)> = HashMap::new();
        for ((_, kind, site), (time, number)) in self.events {
            let sum = events.entry((kind, site)).or_default();
            *sum = (sum.0 + time, sum.1 + number);
        }
        let events = events.into_iter();
        let events =
            events.map(|((kind, site), (time, number))| of(Part::Events(kind, site), time, number));
        let mut parts: Vec<Spent> = events.collect();
        parts.push(of(Part::OutsideEvents, outside, 0));
        parts.push(of(Part::NoProcessor, no_processor, 0));
        parts.retain(|spent| spent.time > 0);
        parts.sort_by(|a, b| (b.time, a.part).cmp(&(a.time, b.part)));
        parts
    }
}
