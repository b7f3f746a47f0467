//! Decodes the events of one pthread block by block.

use super::blocks::{Block, read_up_to};
use super::clock::Clock;
use super::define::{EventSite, MASK_COLUMNS, Source};
use super::{Opened, PerThread};
use crate::prof::format::{ArgCode, Note, unzigzag, varint};
use crate::prof::kinds;
use crate::prof::model::{
    Arg, Event, Events, KindId, LOST, OFF, ON, Phase, Shared, SiteId, Tables, TextId,
};
use crate::prof::pairs::DEEPEST;
use hashbrown::HashMap;
use std::collections::VecDeque;

/// A start that has not ended.
struct Open {
    /// The index in the definitions; `None`: lost.
    event_site: Option<usize>,
    kind: KindId,
    args: Vec<Arg>,
}

/// The values of an event site's columns in its last event of this block.
#[derive(Clone)]
struct Columns {
    block: u32,
    values: Vec<u64>,
}

/// The events of one pthread of a thread.
pub struct Stream<'f> {
    of: &'f Opened,
    thread: &'f PerThread,
    id: u32,
    pthread: u32,
    blocks: &'f [Block],
    clock: Clock,
    /// The index of the next block, and the bytes of this one.
    next_block: usize,
    payload: Vec<u8>,
    at: usize,
    ticks: u64,
    last: u64,
    open: Vec<Open>,
    spare: Vec<Vec<Arg>>,
    columns: Vec<Option<Box<Columns>>>,
    weights: HashMap<u64, u64>,
    /// What the next event waited for a processor, in nanoseconds.
    delayed: u64,
    /// All records of this block could be read, as far as it is read.
    is_whole: bool,
    /// The ticks at the start of this block, and the nanoseconds from the last record of the one before until then: to
    /// write that one took so long. Until the next event.
    written: Option<(u64, u64)>,
    /// Events inserted where blocks are missing, to be returned first.
    made_up: VecDeque<Event>,
    event: Event,
}

/// The result of decoding a record.
enum Record {
    Event,
    /// No event.
    NoEvent,
}

impl<'f> Stream<'f> {
    /// Returns the stream from its first block on.
    pub fn new(of: &'f Opened, id: u32, pthread: u32, thread: &'f PerThread) -> Stream<'f> {
        Stream {
            of,
            thread,
            id,
            pthread,
            blocks: thread.blocks_of(pthread),
            clock: of.clock(thread),
            next_block: 0,
            payload: Vec::new(),
            at: 0,
            ticks: 0,
            last: 0,
            open: Vec::new(),
            spare: Vec::new(),
            columns: Vec::new(),
            weights: HashMap::new(),
            delayed: 0,
            is_whole: false,
            written: None,
            made_up: VecDeque::new(),
            event: blank(id, pthread),
        }
    }

    /// Returns the stream of its last block only.
    pub fn last_block(of: &'f Opened, id: u32, pthread: u32, thread: &'f PerThread) -> Stream<'f> {
        let mut stream = Stream::new(of, id, pthread, thread);
        stream.next_block = stream.blocks.len().saturating_sub(1);
        stream
    }

    /// Advances to the next event; returns whether there is one.
    pub(super) fn advance(&mut self) -> bool {
        loop {
            if let Some(event) = self.made_up.pop_front() {
                self.event = event;
                return true;
            }
            if self.at >= self.payload.len() {
                if !self.load() {
                    return false;
                }
                continue;
            }
            match self.record() {
                Some(Record::Event) => {
                    self.delays();
                    return true;
                }
                Some(Record::NoEvent) => {}
                None => self.give_up(),
            }
        }
    }

    /// Says for how long the thread did not go on before the current event. What it waited for a processor at the time of
    /// writing is taken to be in the time of that.
    #[inline]
    fn delays(&mut self) {
        let delayed = std::mem::take(&mut self.delayed);
        self.event.delayed = delayed;
        self.event.written = 0;
        if let Some((start, took)) = self.written.take() {
            // A large event may need room: then it is older than the block, and the program ran meanwhile.
            let took = if self.ticks > start { took } else { 0 };
            self.event.delayed = delayed.max(took);
            self.event.written = took.saturating_sub(delayed);
        }
    }

    /// Returns the current event.
    #[inline]
    pub(super) fn current(&self) -> &Event {
        &self.event
    }

    /// Skips the rest of the block, which is invalid.
    fn give_up(&mut self) {
        let block = &self.blocks[self.next_block - 1];
        let left = self.payload.len() - self.at;
        self.of.note_damage(
            block.offset + self.at as u64,
            self.id,
            format!(
                "block Events (number {}) is invalid here: {left} bytes of it lost",
                block.head.number
            ),
        );
        self.at = self.payload.len();
        self.is_whole = false;
    }

    /// Loads the next block; returns whether there is one.
    fn load(&mut self) -> bool {
        let Some(block) = self.blocks.get(self.next_block) else {
            return false;
        };
        self.next_block += 1;
        self.at = 0;
        self.payload.resize(block.head.length as usize, 0);
        let length = read_up_to(&self.of.files[block.file], block.offset, &mut self.payload);
        if length.unwrap_or(0) < self.payload.len() {
            self.payload.clear();
            self.is_whole = false;
            let message = format!(
                "block Events (number {}) can no longer be read",
                block.head.number
            );
            self.of.note_damage(block.offset, self.id, message);
            return true;
        }
        if self.head().is_none() {
            self.give_up();
        }
        true
    }

    /// Reads the head of a block: clocks, counters, open pairs.
    fn head(&mut self) -> Option<()> {
        let payload = std::mem::take(&mut self.payload);
        let mut bytes = payload.as_slice();
        let open = self.head_fields(&mut bytes);
        self.at = payload.len() - bytes.len();
        self.payload = payload;
        self.weights.clear();
        self.resume(&open?);
        Some(())
    }

    fn head_fields(&mut self, bytes: &mut &[u8]) -> Option<Vec<Option<usize>>> {
        if self.pthread != 0 {
            varint(bytes)?;
        }
        let before = std::mem::replace(&mut self.ticks, varint(bytes)?);
        self.written = self.follows().then(|| {
            let took = self.ticks.saturating_sub(before);
            (self.ticks, self.clock.duration(took))
        });
        self.is_whole = true;
        varint(bytes)?;
        for _ in &self.of.facts.counters {
            varint(bytes)?;
        }
        let count = varint(bytes).filter(|&count| count <= DEEPEST as u64)?;
        let mut open = Vec::new();
        for _ in 0..count {
            open.push(self.thread.local.event_site(varint(bytes)?));
        }
        Some(open)
    }

    /// True if all records between the last one and this block are known.
    fn follows(&self) -> bool {
        let of = self.next_block.checked_sub(2);
        let of = of.and_then(|at| Some((self.blocks.get(at)?, self.blocks.get(at + 1)?)));
        self.is_whole && of.is_some_and(|(before, this)| self.thread.is_complete(before, this))
    }

    /// Changes the open pairs to those that the block lists, after lost blocks.
    fn resume(&mut self, now: &[Option<usize>]) {
        let same = self.open.iter().zip(now);
        let same = same
            .take_while(|(open, now)| open.event_site == **now)
            .count();
        if same == self.open.len() && same == now.len() {
            return;
        }
        let time = self.time();
        while self.open.len() > same {
            self.close_last(time);
        }
        for &event_site in &now[same..] {
            let Some(known) =
                event_site.map(|event_site| &self.of.definitions.event_sites[event_site])
            else {
                self.open.push(Open {
                    event_site,
                    kind: KindId(u32::MAX),
                    args: Vec::new(),
                });
                continue;
            };
            let args: Vec<Arg> = known.args.iter().map(|_| Arg::Unknown).collect();
            self.open.push(Open {
                event_site,
                kind: known.kind,
                args: args.clone(),
            });
            self.made_up.push_back(Event {
                time,
                kind: known.kind,
                phase: Phase::Start,
                site: known.site,
                args,
                ..blank(self.id, self.pthread)
            });
        }
    }

    /// Inserts the end of the innermost open pair.
    fn close_last(&mut self, time: u64) {
        let Some(open) = self.open.pop() else { return };
        let Some(event_site) = open.event_site else {
            return;
        };
        let event_site = &self.of.definitions.event_sites[event_site];
        let mut event = Event {
            time,
            kind: event_site.kind,
            phase: Phase::End,
            site: event_site.site,
            ..blank(self.id, self.pthread)
        };
        end_args(&event_site.end_args, &open.args, &mut event.args);
        kinds::complete(self.tables().kind(event.kind), &mut event);
        self.made_up.push_back(event);
    }

    fn tables(&self) -> &'f Tables {
        &self.of.definitions.tables
    }

    /// Returns the current time, never before a time that was returned already.
    #[inline]
    fn time(&mut self) -> u64 {
        self.last = self.last.max(self.clock.time(self.ticks));
        self.last
    }

    /// Decodes one record. `None`: it is invalid.
    fn record(&mut self) -> Option<Record> {
        let payload = std::mem::take(&mut self.payload);
        let mut bytes = &payload[self.at..];
        let record = self.record_of(&mut bytes);
        if record.is_some() {
            self.at = payload.len() - bytes.len();
        }
        self.payload = payload;
        record
    }

    #[inline]
    fn record_of(&mut self, bytes: &mut &[u8]) -> Option<Record> {
        let x = varint(bytes)?;
        self.ticks = self.ticks.wrapping_add(x >> 1);
        self.event.time = self.time();
        if x & 1 == 0 {
            let record = self.short_end()?;
            self.counters(bytes)?;
            return Some(record);
        }
        let number = varint(bytes)?;
        if number == 0 {
            return self.note(bytes);
        }
        // For a lost event site the length of its records is unknown.
        let index = self.thread.local.event_site(number)?;
        let of = self.of;
        let event_site = &of.definitions.event_sites[index];
        if event_site.columns > 0 {
            self.columns(index, event_site, bytes)?;
        }
        if self.open.len() >= DEEPEST {
            return None;
        }
        let ended = self.fill(index, event_site);
        self.event.kind = event_site.kind;
        self.event.phase = event_site.phase;
        self.event.site = event_site.site;
        self.event.weight = match self.weights.is_empty() {
            true => 1,
            false => self.weights.get(&number).copied().unwrap_or(1),
        };
        kinds::complete(self.tables().kind(event_site.kind), &mut self.event);
        self.counters(bytes)?;
        if let Some(args) = ended {
            self.spare.push(args);
        }
        Some(Record::Event)
    }

    fn counters(&mut self, bytes: &mut &[u8]) -> Option<()> {
        self.event.counters.clear();
        for _ in &self.of.facts.counters {
            self.event.counters.push(varint(bytes)?);
        }
        Some(())
    }

    /// Ends the innermost open pair.
    fn short_end(&mut self) -> Option<Record> {
        let open = self.open.pop()?;
        let Some(index) = open.event_site else {
            return Some(Record::NoEvent);
        };
        let of = self.of;
        let event_site = &of.definitions.event_sites[index];
        end_args(&event_site.end_args, &open.args, &mut self.event.args);
        self.event.kind = event_site.kind;
        self.event.phase = Phase::End;
        self.event.site = event_site.site;
        self.spare.push(open.args);
        // Weight, traffic and bytes of an end are those of its start.
        self.event.weight = 1;
        kinds::complete(self.tables().kind(event_site.kind), &mut self.event);
        Some(Record::Event)
    }

    fn note(&mut self, bytes: &mut &[u8]) -> Option<Record> {
        let (name, lost) = match Note::from_code(varint(bytes)?)? {
            Note::Off => (OFF, None),
            Note::On => (ON, None),
            Note::Lost => (LOST, Some(varint(bytes)?)),
            Note::Weight => {
                let (event_site, weight) = (varint(bytes)?, varint(bytes)?);
                self.weights.insert(event_site, weight);
                return Some(Record::NoEvent);
            }
            Note::Processor => {
                self.delayed = self.delayed.saturating_add(varint(bytes)?);
                return Some(Record::NoEvent);
            }
        };
        let event = &mut self.event;
        event.kind = self.of.definitions.tables.kind_named(name)?;
        event.phase = Phase::Atomic;
        event.site = SiteId::NONE;
        event.traffic = None;
        event.bytes = 0;
        event.weight = 1;
        event.counters.clear();
        event.args.clear();
        event.args.extend(lost.map(Arg::Size));
        Some(Record::Event)
    }

    /// Updates the columns of an event site.
    #[inline]
    fn columns(&mut self, index: usize, event_site: &EventSite, bytes: &mut &[u8]) -> Option<()> {
        if index >= self.columns.len() {
            self.columns
                .resize(self.of.definitions.event_sites.len(), None);
        }
        let block = self.next_block as u32;
        let columns = self.columns[index].get_or_insert_with(|| {
            Box::new(Columns {
                block,
                values: vec![0; event_site.columns],
            })
        });
        if columns.block != block {
            columns.block = block;
            columns.values.fill(0);
        }
        for group in columns.values.chunks_mut(MASK_COLUMNS) {
            let mut mask = varint(bytes)?;
            while mask != 0 {
                let value = group.get_mut(mask.trailing_zeros() as usize)?;
                *value = value.wrapping_add(unzigzag(varint(bytes)?));
                mask &= mask - 1;
            }
        }
        Some(())
    }

    /// Sets the arguments of an event with an event site of its own, and opens or ends its pair. Returns the arguments
    /// of the start that ended.
    fn fill(&mut self, index: usize, event_site: &EventSite) -> Option<Vec<Arg>> {
        let ends = event_site.nested && event_site.phase == Phase::End;
        let at = ends
            .then(|| {
                self.open
                    .iter()
                    .rposition(|open| open.kind == event_site.kind)
            })
            .flatten();
        let ended = at.map(|at| self.open.remove(at).args);
        let values: &[u64] = match self.columns.get(index) {
            Some(Some(columns)) if event_site.columns > 0 => &columns.values,
            _ => &[],
        };
        let start = ended.as_deref().unwrap_or_default();
        self.event.args.clear();
        for source in &event_site.args {
            let arg = match *source {
                Source::Column(at, code) => arg(&self.thread.local, code, values, at),
                Source::Element(at, bytes) => element(values, at, bytes),
                Source::Start(at) => start.get(at).copied().unwrap_or(Arg::Unknown),
                Source::Signature => self.signature(event_site.site),
                Source::Unknown => Arg::Unknown,
            };
            self.event.args.push(arg);
        }
        if event_site.nested && event_site.phase == Phase::Start {
            let mut args = self.spare.pop().unwrap_or_default();
            args.clear();
            args.extend_from_slice(&self.event.args);
            self.open.push(Open {
                event_site: Some(index),
                kind: event_site.kind,
                args,
            });
        }
        ended
    }

    fn signature(&self, site: SiteId) -> Arg {
        let site = self.tables().site(site);
        site.and_then(|site| site.type_name)
            .map_or(Arg::Unknown, Arg::Text)
    }
}

impl Events for Stream<'_> {
    fn next(&mut self) -> Option<&Event> {
        self.advance().then_some(&self.event)
    }
}

/// Sets the arguments of an end at the place of its start.
fn end_args(sources: &[Source], start: &[Arg], args: &mut Vec<Arg>) {
    args.clear();
    args.extend(sources.iter().map(|source| match *source {
        Source::Start(at) => start.get(at).copied().unwrap_or(Arg::Unknown),
        // A signature is the only argument of its start.
        Source::Signature => start.first().copied().unwrap_or(Arg::Unknown),
        Source::Column(..) | Source::Element(..) | Source::Unknown => Arg::Unknown,
    }));
}

#[inline]
fn arg(local: &super::define::Local, code: ArgCode, values: &[u64], at: usize) -> Arg {
    let value = |at: usize| values.get(at).copied().unwrap_or(0);
    match code {
        ArgCode::Int | ArgCode::Flags | ArgCode::Operation | ArgCode::Reduction => {
            Arg::Int(value(at) as i64)
        }
        ArgCode::Size => Arg::Size(value(at)),
        ArgCode::Pointer | ArgCode::Handle => Arg::Address(value(at)),
        ArgCode::Shared | ArgCode::Lock => Arg::Shared(Shared {
            thread: value(at) as u32,
            addr: value(at + 1),
            phase: None,
        }),
        ArgCode::Place | ArgCode::Element => Arg::Shared(Shared {
            thread: value(at) as u32,
            addr: value(at + 1),
            phase: Some(value(at + 2)),
        }),
        ArgCode::Text => Arg::Text(local.text(value(at)).unwrap_or(TextId(0))),
        ArgCode::Real => Arg::Real(f64::from_bits(value(at))),
    }
}

/// Returns a place whose recorded address is that of phase 0; `bytes`: the column with the size of a unit of the phase.
#[inline]
fn element(values: &[u64], at: usize, bytes: usize) -> Arg {
    let value = |at: usize| values.get(at).copied().unwrap_or(0);
    let phase = value(at + 2);
    Arg::Shared(Shared {
        thread: value(at) as u32,
        addr: value(at + 1).wrapping_add(phase.wrapping_mul(value(bytes))),
        phase: Some(phase),
    })
}

fn blank(thread: u32, pthread: u32) -> Event {
    Event {
        time: 0,
        thread,
        pthread,
        kind: KindId(0),
        phase: Phase::Atomic,
        site: SiteId::NONE,
        traffic: None,
        bytes: 0,
        delayed: 0,
        written: 0,
        args: Vec::new(),
        counters: Vec::new(),
        weight: 1,
    }
}
