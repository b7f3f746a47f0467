//! Converts a thread's events to the form that timelines need: nested spans that all have an end, and times that never
//! decrease.
//!
//! Recordings do not always have this form. A thread may die inside functions; `longjmp` and limits may leave starts
//! without ends and ends without starts; a user's own events may overlap (`start A, start B, end A, end B`).

use crate::prof::model::{Event, Group, Kind, KindId, Phase, SiteId, Tables};

/// A span that has started but not ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Span {
    /// The kind of event.
    pub kind: KindId,
    /// The place where it started.
    pub site: SiteId,
}

/// An action for a timeline; actions are done in order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// The event starts a span.
    Open(Span),
    /// The innermost span ends with the event.
    Close(Span),
    /// The innermost span ends without an event, because a span around it or the thread ends.
    Cut(Span),
    /// The innermost span is interrupted: it overlaps the one that ends.
    Split(Span),
    /// The interrupted span continues.
    Resume(Span),
    /// The event is a point in time.
    Point(Span),
    /// The event ends a span that never started; no action.
    Stray,
}

/// The open spans of one thread, outermost first.
#[derive(Default, Debug)]
pub struct Nest {
    open: Vec<Span>,
    now: u64,
}

impl Nest {
    /// Returns the time in nanoseconds: that of the last event, or of an earlier event with a later time.
    pub fn now(&self) -> u64 {
        self.now
    }

    /// Takes the thread's next event. Replaces `steps` by its steps, which all happen at the time `now`.
    pub fn take(&mut self, tables: &Tables, event: &Event, steps: &mut Vec<Step>) {
        steps.clear();
        self.now = self.now.max(event.time);
        let span = Span {
            kind: event.kind,
            site: event.site,
        };
        match event.phase {
            Phase::Atomic => steps.push(Step::Point(span)),
            Phase::Start => {
                self.open.push(span);
                steps.push(Step::Open(span));
            }
            Phase::End => match self.started(tables, span) {
                Some(at) => self.close(tables, at, steps),
                None => steps.push(Step::Stray),
            },
        }
    }

    /// Advances the time to that of an event that is not part of the thread's spans. Returns `now`.
    pub fn pass(&mut self, time: u64) -> u64 {
        self.now = self.now.max(time);
        self.now
    }

    /// Ends all open spans when the thread ends at that time.
    pub fn finish(&mut self, time: u64, steps: &mut Vec<Step>) {
        steps.clear();
        self.now = self.now.max(time);
        while let Some(span) = self.open.pop() {
            steps.push(Step::Cut(span));
        }
    }

    /// Returns the depth of the open span that this end belongs to: the innermost of its kind. A user's event may end
    /// at another place than it started.
    fn started(&self, tables: &Tables, end: Span) -> Option<usize> {
        let of_kind = |span: &Span| span.kind == end.kind;
        let same = self.open.iter().rposition(|span| *span == end);
        match tables.kind(end.kind).group {
            Group::User => self.open.iter().rposition(of_kind),
            _ => same.or_else(|| self.open.iter().rposition(of_kind)),
        }
    }

    /// Ends the span at this depth. The spans inside it lose their end, unless one of the two may overlap others; then
    /// they continue.
    fn close(&mut self, tables: &Tables, at: usize, steps: &mut Vec<Step>) {
        let overlaps = |span: &Span| may_overlap(tables.kind(span.kind));
        let all = overlaps(&self.open[at]);
        let goes_on = |span: &Span| all || overlaps(span);
        steps.extend(self.open[at + 1..].iter().rev().map(|span| {
            if goes_on(span) {
                Step::Split(*span)
            } else {
                Step::Cut(*span)
            }
        }));
        steps.push(Step::Close(self.open[at]));
        let inside = self.open.split_off(at);
        for span in inside.into_iter().skip(1).filter(goes_on) {
            self.open.push(span);
            steps.push(Step::Resume(span));
        }
    }
}

/// Returns whether such spans may overlap others: a user's own events, and transfers that continue in the background.
fn may_overlap(kind: &Kind) -> bool {
    kind.group == Group::User || !kind.nested
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prof::memory::Memory;
    use crate::prof::model::Recording;

    /// Plays a list of events (name, phase, time) and returns the steps, `+A`, `-A`, ... with their times.
    fn play(events: &[(&str, Phase, u64)]) -> String {
        let mut memory = Memory::new(1);
        for name in ["A", "B"] {
            memory.user_kind(name, None);
        }
        for (name, phase, time) in events {
            memory.event(0, *time, name, *phase, SiteId::NONE, &[]);
        }
        let (mut nest, mut steps, mut played) = (Nest::default(), Vec::new(), Vec::new());
        let tables = memory.tables();
        let mut record = |nest: &Nest, steps: &[Step]| {
            played.extend(steps.iter().map(|step| {
                let (sign, span) = match step {
                    Step::Open(span) => ("+", span),
                    Step::Close(span) => ("-", span),
                    Step::Cut(span) => ("!", span),
                    Step::Split(span) => ("<", span),
                    Step::Resume(span) => (">", span),
                    Step::Point(span) => (".", span),
                    Step::Stray => return format!("?@{}", nest.now()),
                };
                format!("{sign}{}@{}", tables.kind(span.kind).name, nest.now())
            }));
        };
        let mut stream = memory.events(0);
        while let Some(event) = stream.next() {
            nest.take(tables, event, &mut steps);
            record(&nest, &steps);
        }
        nest.finish(100, &mut steps);
        record(&nest, &steps);
        assert!(nest.open.is_empty());
        played.join(" ")
    }

    #[test]
    fn spans_that_overlap_are_split() {
        use Phase::{End, Start};
        let played = play(&[
            ("A", Start, 1),
            ("B", Start, 2),
            ("A", End, 3),
            ("B", End, 4),
        ]);
        assert_eq!(played, "+A@1 +B@2 <B@3 -A@3 >B@3 -B@4");
        let played = play(&[
            ("A", Start, 1),
            ("UPC_FORALL", Start, 2),
            ("A", End, 3),
            ("UPC_FORALL", End, 4),
        ]);
        assert_eq!(
            played,
            "+A@1 +UPC_FORALL@2 <UPC_FORALL@3 -A@3 >UPC_FORALL@3 -UPC_FORALL@4"
        );
    }

    #[test]
    fn starts_without_end_are_cut() {
        use Phase::{End, Start};
        let played = play(&[
            ("C_FUNC", Start, 1),
            ("UPC_FENCE", Start, 2),
            ("C_FUNC", End, 3),
        ]);
        assert_eq!(played, "+C_FUNC@1 +UPC_FENCE@2 !UPC_FENCE@3 -C_FUNC@3");
        assert_eq!(
            play(&[("A", Start, 1), ("B", Start, 2)]),
            "+A@1 +B@2 !B@100 !A@100"
        );
    }

    #[test]
    fn ends_without_start_and_time_that_goes_back() {
        use Phase::{Atomic, End, Start};
        let played = play(&[
            ("A", End, 5),
            ("A", Start, 3),
            ("B", Atomic, 4),
            ("A", End, 7),
        ]);
        assert_eq!(played, "?@5 +A@5 .B@5 -A@7");
    }
}
