//! Where the time of all threads went: by event and place, outside events, and without a processor.

use super::super::model::{self, Event, KindId, Phase, SiteId, Thread};
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
    /// Time in which a thread wrote its events into the file.
    Writing,
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
    /// The part of `time` that recording adds to them.
    pub recording: u64,
}

/// The events of a place on a thread.
#[derive(Clone, Copy, Default)]
struct Sum {
    time: u64,
    number: u64,
    recording: u64,
}

/// Sums over the events so far.
#[derive(Default)]
pub(super) struct Shares {
    events: HashMap<(u32, KindId, SiteId), Sum>,
    /// The time in which threads did not go on, that of all and of each; and the part of it in which they wrote events.
    pub(super) delayed: u64,
    pub(super) written: u64,
    delayed_of: HashMap<u32, u64>,
}

impl Shares {
    /// Takes an event of any pthread.
    pub(super) fn event(&mut self, kind: &model::Kind, event: &Event) {
        if event.delayed > 0 {
            // Whoever waits for others meanwhile waits.
            let is_waiting = kind.waits() && event.phase == Phase::End;
            self.written += if is_waiting { 0 } else { event.written };
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
            let time = span.own.saturating_sub(delayed);
            sum.time += time;
            sum.recording += run.pair_cost(span.thread).min(time);
        }
        sum.number += span.weight;
    }

    /// Returns what recording adds to the events of all threads.
    pub(super) fn recording(&self) -> u64 {
        self.events.values().map(|sum| sum.recording).sum()
    }

    /// Returns how long all threads were in the events of each place; `lost`: the part of it that is only a lack of
    /// processors.
    pub(super) fn by_site(&self, lost: &HashMap<SiteId, u64>) -> HashMap<SiteId, u64> {
        let mut spent: HashMap<SiteId, u64> = HashMap::new();
        for (&(_, _, site), sum) in &self.events {
            *spent.entry(site).or_default() += sum.time - sum.recording;
        }
        for (site, time) in &mut spent {
            *time = time.saturating_sub(lost.get(site).copied().unwrap_or(0));
        }
        spent
    }

    /// Returns what a thread spent its time on, without the time in which it did not go on.
    pub(super) fn of_thread(&self, thread: &Thread) -> BTreeMap<Part, u64> {
        let mine = self.events.iter().filter(|(key, _)| key.0 == thread.id);
        let mut times: BTreeMap<Part, u64> = mine
            .map(|(&(_, kind, site), sum)| (Part::Events(kind, site), sum.time))
            .collect();
        let inside: u64 = times.values().sum();
        let delayed = self.delayed_of.get(&thread.id).copied().unwrap_or(0);
        let outside = thread.time().saturating_sub(inside + delayed);
        times.insert(Part::OutsideEvents, outside);
        times
    }

    /// Returns the parts, the largest first; `all`: the time of all threads, which is their sum.
    pub(super) fn parts(self, all: u64) -> Vec<Spent> {
        let inside: u64 = self.events.values().map(|sum| sum.time).sum();
        let delayed = self.delayed.min(all.saturating_sub(inside));
        let written = self.written.min(delayed);
        let outside = all.saturating_sub(inside + delayed);
        let rest = |part, time| Spent {
            part,
            time,
            number: 0,
            recording: 0,
        };
        let mut events: HashMap<(KindId, SiteId), Sum> = HashMap::new();
        for ((_, kind, site), of) in self.events {
            let sum = events.entry((kind, site)).or_default();
            sum.time += of.time;
            sum.number += of.number;
            sum.recording += of.recording;
        }
        let events = events.into_iter().map(|((kind, site), sum)| Spent {
            part: Part::Events(kind, site),
            time: sum.time,
            number: sum.number,
            recording: sum.recording,
        });
        let mut parts: Vec<Spent> = events.collect();
        parts.push(rest(Part::OutsideEvents, outside));
        parts.push(rest(Part::NoProcessor, delayed - written));
        parts.push(rest(Part::Writing, written));
        parts.retain(|spent| spent.time > 0 || spent.number > 0);
        parts.sort_by(|a, b| (b.time, a.part).cmp(&(a.time, b.part)));
        parts
    }
}
