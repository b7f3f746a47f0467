//! A part of a recording: some of its threads, and a period of the run. It is a recording itself, so that what reads
//! recordings does not know about it.

use super::model::{
    Count, Damage, Event, Events, Facts, Phase, Profile, Recording, Tables, Thread,
};
use super::select::Selection;
use std::collections::VecDeque;

/// The events of a recording within a selection's threads and times. It has neither profile nor counts, which are those
/// of the whole run.
pub struct Window<'r> {
    of: &'r dyn Recording,
    selection: &'r Selection,
    /// All threads, with the times that they have in the period.
    threads: Vec<Thread>,
}

impl<'r> Window<'r> {
    /// Returns the part that a selection leaves. Its kinds and places of events do not matter.
    pub fn new(of: &'r dyn Recording, selection: &'r Selection) -> Window<'r> {
        let (from, to) = period(selection);
        let within = |time: u64| time.clamp(from, to);
        let threads = of.threads().iter().map(|thread| Thread {
            first: within(thread.first),
            last: within(thread.last),
            cut: thread.cut.filter(|cut| *cut < to).map(within),
            ..thread.clone()
        });
        Window {
            of,
            selection,
            threads: threads.collect(),
        }
    }

    fn clip<'w>(&'w self, events: Box<dyn Events + 'w>) -> Box<dyn Events + 'w> {
        Box::new(Clip {
            events,
            selection: self.selection,
            at: At::Before(Vec::new()),
            lent: None,
        })
    }
}

/// Returns the first time and the one after the last.
fn period(selection: &Selection) -> (u64, u64) {
    let from = selection.from.unwrap_or(0);
    (from, selection.to.unwrap_or(u64::MAX).max(from))
}

impl Recording for Window<'_> {
    fn facts(&self) -> &Facts {
        self.of.facts()
    }

    fn threads(&self) -> &[Thread] {
        &self.threads
    }

    fn is_selected(&self, thread: u32) -> bool {
        self.selection.thread(thread) && self.of.is_selected(thread)
    }

    fn tables(&self) -> &Tables {
        self.of.tables()
    }

    fn profile(&self) -> Option<&Profile> {
        None
    }

    fn counts(&self) -> &[Count] {
        &[]
    }

    fn has_trace(&self) -> bool {
        self.of.has_trace()
    }

    fn events(&self, thread: u32) -> Box<dyn Events + '_> {
        self.clip(self.of.events(thread))
    }

    fn pthreads(&self, thread: u32) -> Vec<u32> {
        self.of.pthreads(thread)
    }

    fn pthread_events(&self, thread: u32, pthread: u32) -> Box<dyn Events + '_> {
        self.clip(self.of.pthread_events(thread, pthread))
    }

    fn merged(&self) -> Box<dyn Events + '_> {
        self.clip(self.of.merged())
    }

    fn damage(&self) -> Vec<Damage> {
        self.of.damage()
    }
}

/// Where a stream is.
enum At {
    /// Before the period: what has started and not ended.
    Before(Vec<Event>),
    /// At its beginning: the starts of what is under way, and the first event in it.
    Begin(VecDeque<Event>),
    Within,
    After,
}

/// A stream of the events in the period. Those under way at its beginning start with it.
struct Clip<'w> {
    events: Box<dyn Events + 'w>,
    selection: &'w Selection,
    at: At,
    lent: Option<Event>,
}

impl Clip<'_> {
    /// Returns the next event of the selected threads.
    fn read(&mut self) -> Option<Event> {
        loop {
            let event = self.events.next()?;
            if self.selection.thread(event.thread) {
                return Some(event.clone());
            }
        }
    }

    fn advance(&mut self) -> Option<Event> {
        let (from, to) = period(self.selection);
        loop {
            match &mut self.at {
                At::Before(open) => {
                    let mut open = std::mem::take(open);
                    let mut next = self.read();
                    while let Some(event) = next.take_if(|event| event.time < from) {
                        pass(&mut open, event, from);
                        next = self.read();
                    }
                    self.at = At::Begin(open.into_iter().chain(next).collect());
                }
                At::Begin(events) => match events.pop_front() {
                    Some(event) => return Some(event).filter(|event| event.time < to),
                    None => self.at = At::Within,
                },
                At::Within => match self.read() {
                    Some(event) if event.time < to => return Some(event),
                    Some(_) | None => self.at = At::After,
                },
                At::After => return None,
            }
        }
    }
}

impl Events for Clip<'_> {
    fn next(&mut self) -> Option<&Event> {
        self.lent = self.advance();
        self.lent.as_ref()
    }
}

/// Keeps account of the starts without an end, as events at the time `from`.
fn pass(open: &mut Vec<Event>, event: Event, from: u64) {
    match event.phase {
        Phase::Start => open.push(Event {
            time: from,
            ..event
        }),
        Phase::End => {
            let ends = |start: &Event| {
                (start.thread, start.pthread, start.kind)
                    == (event.thread, event.pthread, event.kind)
            };
            if let Some(at) = open.iter().rposition(ends) {
                open.remove(at);
            }
        }
        Phase::Atomic => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prof::memory::Memory;
    use crate::prof::model::SiteId;

    fn recording() -> Memory {
        let mut memory = Memory::new(2);
        for name in ["A", "B"] {
            memory.user_kind(name, None);
        }
        for thread in [0, 1] {
            for (time, name, phase) in [
                (10, "A", Phase::Start),
                (20, "B", Phase::Start),
                (30, "B", Phase::End),
                (40, "B", Phase::Start),
                (50, "B", Phase::End),
                (60, "A", Phase::End),
            ] {
                memory.event(thread, time, name, phase, SiteId::NONE, &[]);
            }
            memory.threads[thread as usize].last = 70;
        }
        memory
    }

    /// The events of a stream: `+A@10`.
    fn listed(mut events: Box<dyn Events + '_>, tables: &Tables) -> String {
        let mut list = Vec::new();
        while let Some(event) = events.next() {
            let sign = match event.phase {
                Phase::Start => '+',
                Phase::End => '-',
                Phase::Atomic => '.',
            };
            let name = &tables.kind(event.kind).name;
            list.push(format!("{}{sign}{name}@{}", event.thread, event.time));
        }
        list.join(" ")
    }

    fn selected(threads: &[u32], from: Option<u64>, to: Option<u64>) -> Selection {
        let mut selection = Selection::default();
        selection.threads = threads.to_vec();
        (selection.from, selection.to) = (from, to);
        selection
    }

    #[test]
    fn what_is_under_way_starts_with_the_period() {
        let memory = recording();
        let selection = selected(&[], Some(35), Some(50));
        let window = Window::new(&memory, &selection);
        assert_eq!(listed(window.events(1), memory.tables()), "1+A@35 1+B@40");
        let selection = selected(&[], Some(20), None);
        let window = Window::new(&memory, &selection);
        let events = listed(window.pthread_events(0, 0), memory.tables());
        assert_eq!(events, "0+A@20 0+B@20 0-B@30 0+B@40 0-B@50 0-A@60");
        let times = |thread: &Thread| (thread.first, thread.last);
        assert_eq!(times(&window.threads()[0]), (20, 70));
    }

    #[test]
    fn other_threads_have_no_events() {
        let memory = recording();
        let selection = selected(&[1], None, Some(25));
        let window = Window::new(&memory, &selection);
        let events = listed(window.merged(), memory.tables());
        assert_eq!(events, "1+A@10 1+B@20");
        assert_eq!(listed(window.events(0), memory.tables()), "");
        assert_eq!(
            [0, 1].map(|thread| window.is_selected(thread)),
            [false, true]
        );
        assert_eq!(window.threads()[0].last, 25);
    }

    #[test]
    fn a_period_after_the_end_has_nothing() {
        let memory = recording();
        let selection = selected(&[], Some(65), None);
        let window = Window::new(&memory, &selection);
        assert_eq!(listed(window.merged(), memory.tables()), "");
        let selection = selected(&[], Some(30), Some(30));
        let window = Window::new(&memory, &selection);
        assert_eq!(listed(window.merged(), memory.tables()), "");
    }
}
