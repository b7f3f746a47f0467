//! Exports a trace to Paraver: the records (`.prv`), what their numbers mean (`.pcf`), and the names of threads
//! (`.row`). A UPC thread is a task, and its pthreads are the task's threads.
//!
//! Records are sorted by time. Each lane (a pthread) yields its own in that order, and those of all lanes are merged, so
//! memory does not grow with the number of events.

use super::label::title;
use super::nest::{Nest, Span, Step};
use super::timeline::{lanes, name_of};
use super::{Files, Summary};
use crate::prof::limits::Shown;
use crate::prof::model::{Direction, Events, Group, Phase, Recording, SiteId, Tables};
use crate::prof::names::shown;
use crate::prof::stat::calendar;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use std::io::{self, Write};
use std::time::UNIX_EPOCH;

/// The types of events: a span of a kind (value 0: it ends), its place, the bytes that it moves, and an event without
/// duration.
const TYPES: [(u32, &str); 4] = [
    (64_000_001, "UPC event"),
    (64_000_002, "UPC line"),
    (64_000_003, "UPC bytes"),
    (64_000_004, "UPC event without duration"),
];

/// The states that Paraver colours, with red, green and blue.
const STATES: [(&str, [u8; 3]); 10] = [
    ("Idle", [117, 195, 255]),
    ("Running", [0, 0, 255]),
    ("Get", [255, 140, 0]),
    ("Put", [255, 215, 0]),
    ("Synchronization", [255, 0, 0]),
    ("Lock", [150, 0, 60]),
    ("Group communication", [160, 32, 240]),
    ("Memory", [0, 160, 80]),
    ("I/O", [150, 75, 0]),
    ("MPI", [255, 105, 180]),
];

/// The index of the state outside events.
const RUNNING: usize = 1;

/// A record without its kind and its object.
enum Record {
    /// The state from one time to another.
    State(u64, u64, usize),
    /// Values of types of events.
    Event(u64, Vec<(u32, u64)>),
    /// Bytes from one task, which sends them at a time, to another one, which has them at a time.
    Transfer(u32, u64, u32, u64, u64),
}

impl Record {
    /// The time by which records are sorted, and the order of those at the same time.
    fn key(&self) -> (u64, u8) {
        match self {
            Record::State(from, ..) => (*from, 0),
            Record::Event(at, _) => (*at, 1),
            Record::Transfer(_, from, ..) => (*from, 2),
        }
    }
}

/// The records of a pthread.
struct Lane<'r> {
    recording: &'r dyn Recording,
    thread: u32,
    /// The number of the lane among its task's, from 1, and among all.
    number: usize,
    processor: usize,
    events: Box<dyn Events + 'r>,
    nest: Nest,
    steps: Vec<Step>,
    open: Vec<Span>,
    ready: VecDeque<Record>,
    /// The time up to which its state has been recorded; `None`: it has not begun.
    last: Option<u64>,
    is_over: bool,
}

impl Lane<'_> {
    /// Returns the next record.
    fn next(&mut self, summary: &mut Summary) -> Option<Record> {
        while self.ready.is_empty() && !self.is_over {
            self.step(summary);
        }
        self.ready.pop_front()
    }

    /// Takes the next event.
    fn step(&mut self, summary: &mut Summary) {
        let tables = self.recording.tables();
        let Some(event) = self.events.next() else {
            let thread = &self.recording.threads()[self.thread as usize];
            let end = thread.end_of_trace(self.nest.now());
            self.nest.finish(end, &mut self.steps);
            self.is_over = true;
            self.pass();
            let steps = std::mem::take(&mut self.steps);
            return self.take(tables, steps, 0, summary);
        };
        summary.events += 1;
        self.nest.take(tables, event, &mut self.steps);
        let bytes = match event.phase {
            Phase::Start | Phase::Atomic => event.bytes,
            Phase::End => 0,
        };
        // Transfers in the background are those of the calls that start them.
        let moved = (event.phase == Phase::End && tables.kind(event.kind).nested)
            .then_some(event.traffic)
            .flatten()
            .map(|traffic| (traffic, event.bytes));
        let begun = self.last;
        self.pass();
        if let Some((traffic, bytes)) = moved
            && bytes > 0
            && traffic.peer(self.thread) != self.thread
            && (traffic.peer(self.thread) as usize) < self.recording.threads().len()
        {
            let (peer, now) = (traffic.peer(self.thread), self.nest.now());
            let begun = begun.unwrap_or(now);
            let (from, to) = match traffic.direction {
                Direction::Get => (peer, self.thread),
                Direction::Put | Direction::Copy => (self.thread, peer),
            };
            // Between start and end of an access there is as a rule no other event of the lane.
            self.ready
                .push_back(Record::Transfer(from, begun, to, now, bytes));
        }
        let steps = std::mem::take(&mut self.steps);
        self.take(tables, steps, bytes, summary);
    }

    /// Records the state up to now.
    fn pass(&mut self) {
        let now = self.nest.now();
        let tables = self.recording.tables();
        let last = self.last.unwrap_or(now);
        if now > last {
            let inner = self.open.last();
            let state = inner.map_or(RUNNING, |span| tables.kind(span.kind).group.facts().paraver);
            self.ready.push_back(Record::State(last, now, state));
        }
        self.last = Some(now.max(last));
    }

    fn take(&mut self, tables: &Tables, steps: Vec<Step>, bytes: u64, summary: &mut Summary) {
        let now = self.nest.now();
        let [(event, _), (line, _), (size, _), (point, _)] = TYPES;
        for step in &steps {
            let values = match *step {
                Step::Open(span) | Step::Resume(span) => {
                    summary.spans += u64::from(matches!(step, Step::Open(_)));
                    self.open.push(span);
                    let mut values = values(span);
                    if bytes > 0 {
                        values.push((size, bytes));
                    }
                    values
                }
                Step::Close(_) | Step::Split(_) | Step::Cut(_) => {
                    summary.cut += u64::from(matches!(step, Step::Cut(_)));
                    self.open.pop();
                    vec![(event, 0), (line, 0)]
                }
                Step::Point(span) if tables.kind(span.kind).group != Group::Note => {
                    vec![(point, number(span))]
                }
                Step::Point(_) => continue,
                Step::Stray => {
                    summary.stray += 1;
                    continue;
                }
            };
            self.ready.push_back(Record::Event(now, values));
        }
        self.steps = steps;
    }

    /// The object of a record: processor, application, task and thread.
    fn object(&self) -> String {
        object(self.processor, self.thread, self.number)
    }

    fn print(&self, record: &Record, first: &[usize], out: &mut dyn Write) -> io::Result<()> {
        match record {
            Record::State(from, to, state) => {
                writeln!(out, "1:{}:{from}:{to}:{state}", self.object())
            }
            Record::Event(at, values) => {
                write!(out, "2:{}:{at}", self.object())?;
                for (of, value) in values {
                    write!(out, ":{of}:{value}")?;
                }
                writeln!(out)
            }
            Record::Transfer(from, sent, to, received, bytes) => {
                let of = |thread: u32| match thread == self.thread {
                    true => self.object(),
                    false => {
                        let processor = first.get(thread as usize).copied();
                        object(processor.unwrap_or(self.processor), thread, 1)
                    }
                };
                let (from, to) = (of(*from), of(*to));
                writeln!(
                    out,
                    "3:{from}:{sent}:{sent}:{to}:{received}:{received}:{bytes}:0"
                )
            }
        }
    }
}

fn object(processor: usize, thread: u32, number: usize) -> String {
    format!("{processor}:1:{}:{number}", thread + 1)
}

/// The values of a span: its kind and its place.
fn values(span: Span) -> Vec<(u32, u64)> {
    let [(event, _), (line, _), ..] = TYPES;
    let place = match span.site {
        SiteId::NONE => 0,
        site => u64::from(site.0),
    };
    vec![(event, number(span)), (line, place)]
}

/// The number of a span's kind.
fn number(span: Span) -> u64 {
    u64::from(span.kind.0) + 1
}

/// Writes the files.
pub fn write(recording: &dyn Recording, files: &mut dyn Files) -> io::Result<Summary> {
    let mut summary = Summary::default();
    files.file("prv", &mut |out| {
        summary = records(recording, out)?;
        Ok(())
    })?;
    files.file("pcf", &mut |out| meanings(recording.tables(), out))?;
    files.file("row", &mut |out| rows(recording, out))?;
    Ok(summary)
}

fn records(recording: &dyn Recording, out: &mut dyn Write) -> io::Result<Summary> {
    let mut summary = Summary::default();
    let mut lanes: Vec<Lane> = Vec::new();
    // The processor of each thread's first lane: each lane has one of its own.
    let mut first: Vec<usize> = Vec::new();
    for (thread, pthread) in lanes_of(recording) {
        let number = match lanes.last() {
            Some(last) if last.thread == thread => last.number + 1,
            _ => 1,
        };
        let processor = lanes.len() + 1;
        first.resize(first.len().max(thread as usize + 1), processor);
        lanes.push(Lane {
            recording,
            thread,
            number,
            processor,
            events: recording.pthread_events(thread, pthread),
            nest: Nest::default(),
            steps: Vec::new(),
            open: Vec::new(),
            ready: VecDeque::new(),
            last: (pthread == 0).then(|| recording.threads()[thread as usize].first),
            is_over: false,
        });
    }
    head(recording, &lanes, out)?;
    let mut heads: Vec<Option<Record>> = Vec::new();
    let mut queue = BinaryHeap::new();
    for (at, lane) in lanes.iter_mut().enumerate() {
        let record = lane.next(&mut summary);
        if let Some(record) = &record {
            queue.push(Reverse((record.key(), at)));
        }
        heads.push(record);
    }
    while let Some(Reverse((_, at))) = queue.pop() {
        let next = lanes[at].next(&mut summary);
        if let Some(next) = &next {
            queue.push(Reverse((next.key(), at)));
        }
        if let Some(record) = std::mem::replace(&mut heads[at], next) {
            lanes[at].print(&record, &first, out)?;
        }
    }
    Ok(summary)
}

/// Returns the lanes as numbers of threads and pthreads.
fn lanes_of(recording: &dyn Recording) -> impl Iterator<Item = (u32, u32)> {
    lanes(recording).map(|(thread, pthread)| (thread.id, pthread))
}

/// Writes the first line: when the run was, how long it took, and its objects, all on one node.
fn head(recording: &dyn Recording, lanes: &[Lane], out: &mut dyn Write) -> io::Result<()> {
    let threads = recording.threads();
    let last = threads.iter().map(|thread| thread.last).max().unwrap_or(0);
    let started = recording.facts().started.unwrap_or(UNIX_EPOCH);
    let [year, month, day, hour, minute, _] = calendar(started);
    let of = |thread: u32| lanes.iter().filter(|lane| lane.thread == thread).count();
    let tasks: Vec<String> = threads
        .iter()
        .map(|thread| format!("{}:1", of(thread.id).max(1)))
        .collect();
    writeln!(
        out,
        "#Paraver ({day:02}/{month:02}/{year} at {hour:02}:{minute:02}):{last}_ns:1({}):1:{}({})",
        lanes.len().max(1),
        tasks.len(),
        tasks.join(",")
    )
}

/// Writes the meaning of numbers.
fn meanings(tables: &Tables, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "DEFAULT_OPTIONS\n\nLEVEL THREAD\nUNITS NANOSEC\n")?;
    writeln!(out, "STATES")?;
    for (at, (name, _)) in STATES.iter().enumerate() {
        writeln!(out, "{at}    {name}")?;
    }
    writeln!(out, "\nSTATES_COLOR")?;
    for (at, (_, [red, green, blue])) in STATES.iter().enumerate() {
        writeln!(out, "{at}    {{{red},{green},{blue}}}")?;
    }
    let [event, line, size, point] = TYPES;
    for (number, name) in [event, point] {
        writeln!(
            out,
            "\nEVENT_TYPE\n0    {number}    {name}\nVALUES\n0    End"
        )?;
        for (at, kind) in tables.kinds.iter().enumerate() {
            writeln!(out, "{}    {}", at + 1, shown(&kind.name))?;
        }
    }
    writeln!(
        out,
        "\nEVENT_TYPE\n0    {}    {}\nVALUES\n0    End",
        line.0, line.1
    )?;
    for (at, site) in tables.sites.iter().enumerate().skip(1) {
        let file = shown(tables.text(site.file));
        writeln!(out, "{at}    {file}:{}", site.line)?;
    }
    writeln!(out, "\nEVENT_TYPE\n0    {}    {}", size.0, size.1)
}

/// Writes the names of processors, nodes and threads.
fn rows(recording: &dyn Recording, out: &mut dyn Write) -> io::Result<()> {
    let names: Vec<String> = lanes(recording)
        .map(|(thread, pthread)| name_of(thread, pthread))
        .collect();
    writeln!(out, "LEVEL CPU SIZE {}", names.len())?;
    for at in 1..=names.len() {
        writeln!(out, "CPU {at}")?;
    }
    writeln!(
        out,
        "\nLEVEL NODE SIZE 1\n{}",
        title(recording, Shown::Trace)
    )?;
    writeln!(out, "\nLEVEL THREAD SIZE {}", names.len())?;
    for name in names {
        writeln!(out, "{name}")?;
    }
    Ok(())
}
