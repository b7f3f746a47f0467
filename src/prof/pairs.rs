//! Matches starts and ends: spans with their call paths, and non-blocking operations from initiation to completion.

use super::model::{self, Arg, Event, Frame, Kind, KindId, PathId, Phase, SiteId, Tables, Traffic};
use hashbrown::HashMap;
use std::collections::BTreeMap;

/// The largest number of pairs open at once on one thread that are recorded; deeper pairs are left out and counted.
pub const DEEPEST: usize = 1 << 16;

/// The span from a start to its end, or of an atomic event.
#[derive(Clone, PartialEq, Debug)]
pub struct Span {
    /// The UPC thread.
    pub thread: u32,
    /// The kind of event.
    pub kind: KindId,
    /// The place of the start.
    pub site: SiteId,
    /// The call path, whose last frame this is.
    pub path: PathId,
    /// The number of pairs that are open around it.
    pub depth: usize,
    /// The start in nanoseconds since the start of the run.
    pub start: u64,
    /// The end in the same unit; for an atomic event, its start.
    pub end: u64,
    /// The nanoseconds excluding those of the pairs inside.
    pub own: u64,
    /// The nanoseconds of `own` in which the pthread did not go on (`Event::delayed`).
    pub delayed: u64,
    /// How much of the span was recorded.
    pub seen: Seen,
    /// The shared memory that it accessed.
    pub traffic: Option<Traffic>,
    /// The peer thread.
    pub peer: Option<u32>,
    /// Bytes.
    pub bytes: u64,
    /// The number of similar events that this one stands for.
    pub weight: u64,
    /// For each hardware counter: its increment from start to end, and the same excluding the pairs inside.
    pub counters: Vec<(u64, u64)>,
}

/// How much of a span is in the recording.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Seen {
    /// Start and end.
    Pair,
    /// Its start; the span ends with the thread.
    Open,
    /// An atomic event, without duration.
    Atomic,
}

/// A non-blocking operation.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Operation {
    /// UPC thread.
    pub thread: u32,
    /// The kind of the initiation, `UPC_NB_GET_INIT`, or of the transfer itself, `UPC_NB_GET_DATA`.
    pub kind: KindId,
    /// The place of the initiation.
    pub site: SiteId,
    /// The number that the runtime assigned to it.
    pub handle: u64,
    /// The time when its initiation started.
    pub start: u64,
    /// The time when the call that completed it returned; `None`: not in the recording.
    pub end: Option<u64>,
    /// The place of the completion.
    pub completed: SiteId,
    /// The shared memory that it accesses.
    pub traffic: Option<Traffic>,
    /// Bytes.
    pub bytes: u64,
}

/// An item found in the stream of events.
#[derive(Clone, PartialEq, Debug)]
pub enum Found {
    /// A span has ended.
    Span(Span),
    /// A non-blocking operation is complete.
    Operation(Operation),
}

/// A pair without an end so far. `own`: the time so far in which it was the innermost. `counters`: each counter's value
/// at the start, and its increment inside.
struct Open(Span);

#[derive(Default)]
struct Thread {
    open: Vec<Open>,
    /// The number of open starts beyond [`DEEPEST`].
    beyond: u64,
    /// Operations in progress by handle, and transfers.
    operations: HashMap<u64, Operation>,
    transfers: HashMap<(KindId, u64), Operation>,
    last: u64,
    /// The time up to which all time is assigned to spans.
    spent: u64,
    /// The time in which it did not go on that is not assigned yet.
    delayed: u64,
    /// The current value of each hardware counter.
    counted: Vec<u64>,
}

/// Matches the events of any number of threads, each pthread's in its own order.
pub struct Pairs<'t> {
    tables: &'t Tables,
    /// The pthreads of all threads in the order of their first event, their indices by thread and number, and the last
    /// lookup.
    threads: Vec<Thread>,
    places: BTreeMap<(u32, u32), usize>,
    last: ((u32, u32), usize),
    paths: Vec<Frame>,
    known: HashMap<Frame, PathId>,
    /// The number of ends without a start.
    pub unmatched: u64,
    /// The number of starts beyond [`DEEPEST`].
    pub too_deep: u64,
}

impl<'t> Pairs<'t> {
    /// Returns the initial state, without open pairs.
    pub fn new(tables: &'t Tables) -> Pairs<'t> {
        let root = Frame {
            parent: PathId::ROOT,
            kind: KindId(0),
            site: SiteId::NONE,
        };
        Pairs {
            tables,
            threads: Vec::new(),
            places: BTreeMap::new(),
            last: ((0, 0), usize::MAX),
            paths: vec![root],
            known: HashMap::new(),
            unmatched: 0,
            too_deep: 0,
        }
    }

    /// Returns the call paths so far, as in [`super::model::Profile::paths`].
    pub fn paths(&self) -> &[Frame] {
        &self.paths
    }

    /// Returns the final call paths.
    pub fn into_paths(self) -> Vec<Frame> {
        self.paths
    }

    /// Takes the next event; reports the items that it completes.
    pub fn feed(&mut self, event: &Event, mut found: impl FnMut(Found)) {
        let at = self.find(event);
        self.threads[at].count(event);
        let kind = self.tables.kind(event.kind);
        if !kind.nested {
            return self.transfer(kind, event, found);
        }
        match event.phase {
            Phase::Start => self.start(kind, event),
            Phase::Atomic => {
                let mut span = self.span(kind, event);
                span.seen = Seen::Atomic;
                span.counters.fill((0, 0));
                found(Found::Span(span));
            }
            Phase::End => {
                if let Some(span) = self.end(event) {
                    self.operation(kind, event, &span, &mut found);
                    found(Found::Span(span));
                }
            }
        }
    }

    /// Ends a thread: its open pairs end with its trace.
    pub fn finish(&mut self, thread: &model::Thread, mut found: impl FnMut(Found)) {
        let pthreads = self.places.range((thread.id, 0)..=(thread.id, u32::MAX));
        let pthreads: Vec<usize> = pthreads.map(|(_, &at)| at).collect();
        for at in pthreads {
            self.finish_one(at, thread, &mut found);
        }
    }

    fn finish_one(&mut self, at: usize, thread: &model::Thread, found: &mut impl FnMut(Found)) {
        let of = &mut self.threads[at];
        let time = thread.end_of_trace(of.last);
        of.spend(time);
        while let Some(open) = of.open.pop() {
            let span = of.close(open, time, Seen::Open);
            if let Some(outer) = of.open.last_mut() {
                outer.account(&span);
            }
            found(Found::Span(span));
        }
        let operations = of.operations.drain().map(|(_, operation)| operation);
        let mut left: Vec<Operation> = operations
            .chain(of.transfers.drain().map(|(_, transfer)| transfer))
            .collect();
        left.sort_by_key(|operation| (operation.start, operation.kind, operation.handle));
        left.into_iter()
            .for_each(|operation| found(Found::Operation(operation)));
    }

    /// Returns the index of the event's pthread, which is added if it is new.
    fn find(&mut self, event: &Event) -> usize {
        let key = (event.thread, event.pthread);
        if self.last.0 != key || self.last.1 == usize::MAX {
            let threads = &mut self.threads;
            let at = *self.places.entry(key).or_insert_with(|| {
                threads.push(Thread::default());
                threads.len() - 1
            });
            self.last = (key, at);
        }
        self.last.1
    }

    /// Returns the same index while the event is being processed.
    fn at(&self, event: &Event) -> usize {
        debug_assert_eq!(self.last.0, (event.thread, event.pthread));
        self.last.1
    }

    /// Returns the span of an event as known at its start.
    fn span(&mut self, kind: &Kind, event: &Event) -> Span {
        let of = &self.threads[self.at(event)];
        let open = &of.open;
        let frame = Frame {
            parent: open.last().map_or(PathId::ROOT, |Open(span)| span.path),
            kind: event.kind,
            site: event.site,
        };
        let depth = open.len();
        let paths = &mut self.paths;
        let path = *self.known.entry(frame).or_insert_with(|| {
            paths.push(frame);
            PathId((paths.len() - 1) as u32)
        });
        Span {
            thread: event.thread,
            kind: event.kind,
            site: event.site,
            path,
            depth,
            start: event.time,
            end: event.time,
            own: 0,
            delayed: 0,
            seen: Seen::Pair,
            traffic: event.traffic,
            peer: kind.peer(event),
            bytes: event.bytes,
            weight: event.weight,
            counters: of.counted.iter().map(|&counted| (counted, 0)).collect(),
        }
    }

    fn start(&mut self, kind: &Kind, event: &Event) {
        let at = self.at(event);
        let of = &mut self.threads[at];
        if of.open.len() >= DEEPEST {
            of.beyond += 1;
            self.too_deep += 1;
            return;
        }
        let span = self.span(kind, event);
        let of = &mut self.threads[at];
        of.spend(event.time);
        of.open.push(Open(span));
    }

    fn end(&mut self, event: &Event) -> Option<Span> {
        let at = self.at(event);
        let of = &mut self.threads[at];
        if of.beyond > 0 {
            of.beyond -= 1;
            return None;
        }
        of.spend(event.time);
        // This is almost always the innermost pair; events of the user may overlap.
        let at = of
            .open
            .iter()
            .rposition(|Open(span)| span.kind == event.kind);
        let Some(at) = at else {
            self.unmatched += 1;
            return None;
        };
        let open = of.open.remove(at);
        let span = of.close(open, event.time, Seen::Pair);
        if let Some(outer) = at.checked_sub(1).map(|outer| &mut of.open[outer]) {
            outer.account(&span);
        }
        Some(span)
    }

    /// Starts an operation at an initiation, and ends it at a completion.
    fn operation(
        &mut self,
        kind: &Kind,
        event: &Event,
        span: &Span,
        found: &mut impl FnMut(Found),
    ) {
        let handle = kind.moves.handle.and_then(|at| event.args.get(at));
        let Some(Arg::Address(handle @ 1..)) = handle.copied() else {
            // No handle, or `GASP_NB_TRIVIAL`: the operation was complete at its initiation.
            return;
        };
        let at = self.at(event);
        let operations = &mut self.threads[at].operations;
        if kind.moves.traffic.is_some() {
            let operation = Operation {
                thread: event.thread,
                kind: event.kind,
                site: span.site,
                handle,
                start: span.start,
                end: None,
                completed: SiteId::NONE,
                traffic: event.traffic,
                bytes: event.bytes,
            };
            if let Some(lost) = operations.insert(handle, operation) {
                found(Found::Operation(lost));
            }
        } else if !matches!(event.args.last(), Some(Arg::Int(0))) {
            // All events but a test that found the operation in progress.
            if let Some(mut operation) = operations.remove(&handle) {
                operation.end = Some(event.time);
                operation.completed = span.site;
                found(Found::Operation(operation));
            }
        }
    }

    /// Matches transfers, which are not nested: a start and its end have the same handle.
    fn transfer(&mut self, kind: &Kind, event: &Event, mut found: impl FnMut(Found)) {
        let handle = kind.moves.handle.and_then(|at| event.args.get(at));
        let Some(Arg::Address(handle)) = handle.copied() else {
            return;
        };
        let at = self.at(event);
        let of = &mut self.threads[at];
        let initiated = of.operations.get(&handle);
        let before = match event.phase {
            Phase::End => match of.transfers.remove(&(event.kind, handle)) {
                Some(transfer) => Some(Operation {
                    end: Some(event.time),
                    ..transfer
                }),
                None => {
                    self.unmatched += 1;
                    None
                }
            },
            Phase::Start | Phase::Atomic => {
                let transfer = Operation {
                    thread: event.thread,
                    kind: event.kind,
                    site: initiated.map_or(event.site, |operation| operation.site),
                    handle,
                    start: event.time,
                    end: None,
                    completed: SiteId::NONE,
                    traffic: initiated.and_then(|operation| operation.traffic),
                    bytes: initiated.map_or(0, |operation| operation.bytes),
                };
                of.transfers.insert((event.kind, handle), transfer)
            }
        };
        if let Some(transfer) = before {
            found(Found::Operation(transfer));
        }
    }
}

impl Open {
    /// Adds the counters of a pair inside.
    fn account(&mut self, inner: &Span) {
        for ((_, inside), (total, _)) in self.0.counters.iter_mut().zip(&inner.counters) {
            *inside = inside.saturating_add(*total);
        }
    }
}

impl Thread {
    /// Advances time and counters to those of an event.
    fn count(&mut self, event: &Event) {
        self.last = event.time;
        self.delayed = self.delayed.saturating_add(event.delayed);
        if !event.counters.is_empty() {
            self.counted.resize(event.counters.len(), 0);
        }
        for (sum, more) in self.counted.iter_mut().zip(&event.counters) {
            *sum = sum.saturating_add(*more);
        }
    }

    /// Advances the time. The innermost pair gets the time, so that overlapping pairs share it.
    fn spend(&mut self, time: u64) {
        let passed = time.saturating_sub(self.spent);
        self.spent += passed;
        let delayed = std::mem::take(&mut self.delayed);
        if let Some(Open(span)) = self.open.last_mut() {
            span.own += passed;
            span.delayed += delayed.min(passed);
        }
    }

    fn close(&self, open: Open, end: u64, seen: Seen) -> Span {
        let Open(mut span) = open;
        span.end = end.max(span.start);
        span.seen = seen;
        // A pair that was open when counting began has no counters at its start.
        span.counters.resize(self.counted.len(), (0, 0));
        for ((from, inside), now) in span.counters.iter_mut().zip(&self.counted) {
            let total = now.saturating_sub(*from);
            (*from, *inside) = (total, total.saturating_sub(*inside));
        }
        span
    }
}
