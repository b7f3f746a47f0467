//! Starts and ends brought together: spans with their call paths, and non-blocking operations from initiation to completion.

use super::model::{self, Arg, Event, Frame, Kind, KindId, PathId, Phase, SiteId, Tables, Traffic};
use hashbrown::HashMap;
use std::collections::BTreeMap;

/// Pairs open at once on one thread that are kept apart; deeper ones are left out and counted.
pub const DEEPEST: usize = 1 << 16;

/// What happened from a start to its end, or at once.
#[derive(Clone, PartialEq, Debug)]
pub struct Span {
    /// UPC thread.
    pub thread: u32,
    /// What.
    pub kind: KindId,
    /// Where: the place of the start.
    pub site: SiteId,
    /// The call path, whose last frame this is.
    pub path: PathId,
    /// Pairs that are open around it.
    pub depth: usize,
    /// Nanoseconds since the start of the run.
    pub start: u64,
    /// The same; of an atomic event its start.
    pub end: u64,
    /// Nanoseconds without those of the pairs inside.
    pub own: u64,
    /// How the recording knows.
    pub seen: Seen,
    /// What it accessed.
    pub traffic: Option<Traffic>,
    /// The thread it had to do with.
    pub peer: Option<u32>,
    /// Bytes.
    pub bytes: u64,
    /// How many like it this one stands for.
    pub weight: u64,
    /// Of each hardware counter: what it counted from start to end, and without the pairs inside.
    pub counters: Vec<(u64, u64)>,
}

/// How much of a span is in the recording.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Seen {
    /// Start and end.
    Pair,
    /// Its start; it ended when the thread did.
    Open,
    /// An atomic event: it took no time.
    Atomic,
}

/// A non-blocking operation.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Operation {
    /// UPC thread.
    pub thread: u32,
    /// The initiation, `UPC_NB_GET_INIT`; or the transfer itself, `UPC_NB_GET_DATA`.
    pub kind: KindId,
    /// Where it was initiated.
    pub site: SiteId,
    /// Number that the runtime gave it.
    pub handle: u64,
    /// When its initiation started.
    pub start: u64,
    /// When the call that completed it returned; `None`: not in the recording.
    pub end: Option<u64>,
    /// Where it was completed.
    pub completed: SiteId,
    /// What it accesses.
    pub traffic: Option<Traffic>,
    /// Bytes.
    pub bytes: u64,
}

/// What comes out of the stream of events.
#[derive(Clone, PartialEq, Debug)]
pub enum Found {
    /// A span has ended.
    Span(Span),
    /// A non-blocking operation is complete.
    Operation(Operation),
}

/// A pair that has no end yet. `own`: the time up to now in which it was the innermost. `counters`: what each counter had counted at the start, and what
/// was counted inside.
struct Open(Span);

#[derive(Default)]
struct Thread {
    open: Vec<Open>,
    /// Starts beyond [`DEEPEST`] that have not ended.
    beyond: u64,
    /// Operations under way, by handle, and transfers.
    operations: HashMap<u64, Operation>,
    transfers: HashMap<(KindId, u64), Operation>,
    last: u64,
    /// Time up to which all belongs to some span.
    spent: u64,
    /// What each hardware counter has counted up to now.
    counted: Vec<u64>,
}

/// Pairs up the events of any number of threads, each pthread's in its own order.
pub struct Pairs<'t> {
    tables: &'t Tables,
    /// Pthreads of threads, as they come; by thread and number their places in it, and the last one that was looked up.
    threads: Vec<Thread>,
    places: BTreeMap<(u32, u32), usize>,
    last: ((u32, u32), usize),
    paths: Vec<Frame>,
    known: HashMap<Frame, PathId>,
    /// Ends without a start.
    pub unmatched: u64,
    /// Starts beyond [`DEEPEST`].
    pub too_deep: u64,
}

impl<'t> Pairs<'t> {
    /// Nothing open.
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

    /// Call paths up to now, as in [`super::model::Profile::paths`].
    pub fn paths(&self) -> &[Frame] {
        &self.paths
    }

    /// The same, when all is done.
    pub fn into_paths(self) -> Vec<Frame> {
        self.paths
    }

    /// Takes the next event; tells what it completes.
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

    /// A thread has no more events: what is open ends when its trace does.
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

    /// The place of the event's pthread, which gets one if it has none.
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

    /// The same while its event is being taken.
    fn at(&self, event: &Event) -> usize {
        debug_assert_eq!(self.last.0, (event.thread, event.pthread));
        self.last.1
    }

    /// What is known of an event at its start.
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
        // Almost always the innermost; events of the user may overlap.
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

    /// Initiations begin operations and completions end them.
    fn operation(
        &mut self,
        kind: &Kind,
        event: &Event,
        span: &Span,
        found: &mut impl FnMut(Found),
    ) {
        let handle = kind.moves.handle.and_then(|at| event.args.get(at));
        let Some(Arg::Address(handle @ 1..)) = handle.copied() else {
            // None, or `GASP_NB_TRIVIAL`: complete when the initiation was.
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
            // All but a try that found it going on.
            if let Some(mut operation) = operations.remove(&handle) {
                operation.end = Some(event.time);
                operation.completed = span.site;
                found(Found::Operation(operation));
            }
        }
    }

    /// Transfers are not nested: their starts and ends have the handle in common.
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
    /// Counts a pair that was inside.
    fn account(&mut self, inner: &Span) {
        for ((_, inside), (total, _)) in self.0.counters.iter_mut().zip(&inner.counters) {
            *inside = inside.saturating_add(*total);
        }
    }
}

impl Thread {
    /// Time and counters go on to those of an event.
    fn count(&mut self, event: &Event) {
        self.last = event.time;
        if !event.counters.is_empty() {
            self.counted.resize(event.counters.len(), 0);
        }
        for (sum, more) in self.counted.iter_mut().zip(&event.counters) {
            *sum = sum.saturating_add(*more);
        }
    }

    /// Time goes on: the innermost pair has it, so that those that overlap share theirs.
    fn spend(&mut self, time: u64) {
        let passed = time.saturating_sub(self.spent);
        self.spent += passed;
        if let Some(Open(span)) = self.open.last_mut() {
            span.own += passed;
        }
    }

    fn close(&self, open: Open, end: u64, seen: Seen) -> Span {
        let Open(mut span) = open;
        span.end = end.max(span.start);
        span.seen = seen;
        // A pair that was open when counting began has no counters of its start.
        span.counters.resize(self.counted.len(), (0, 0));
        for ((from, inside), now) in span.counters.iter_mut().zip(&self.counted) {
            let total = now.saturating_sub(*from);
            (*from, *inside) = (total, total.saturating_sub(*inside));
        }
        span
    }
}
