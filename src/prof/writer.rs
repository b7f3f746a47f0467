//! Writes a recording as specified in `docs/trace-format.md`: a second implementation of that page, against which the
//! reader is tested.

use super::format::{
    ArgCode, BlockHead, BlockKind, Definition, FILE_HEADER, MAJOR, MINOR, Note, SIGNATURE, Side,
    event_site_flag, put_varint, zigzag,
};
use super::memory::Memory;
use super::model::{Arg, ArgKind, Event, Group, KindId, Phase, SiteId, TextId};
use std::collections::HashMap;

mod facts;
mod loops;
mod profile;

/// The options of the writer.
pub struct Shape {
    /// The number of records in a block.
    pub block: usize,
    /// Ticks per nanosecond.
    pub ticks: u64,
    /// Whether threads record how they ended.
    pub ends: bool,
}

/// The ticks and nanoseconds at which the run began.
const FIRST_TICK: u64 = 7_000_000;
const FIRST_NS: u64 = 1_000_000_000;
/// The difference of the clocks of other machines from thread 0's.
const APART: u64 = 5_000_000_000_000;

/// Returns the bytes of the file.
pub fn write(of: &Memory, shape: &Shape) -> Vec<u8> {
    let mut file = SIGNATURE.to_vec();
    file.extend(MAJOR.to_le_bytes());
    file.extend(MINOR.to_le_bytes());
    file.resize(FILE_HEADER, 0);
    let mut threads: Vec<Writer<'_>> = (0..of.facts.threads)
        .map(|thread| Writer::new(of, shape, thread))
        .collect();
    if let Some(first) = threads.first_mut() {
        first.run(&mut file);
        first.loops(&mut file);
        first.remarks(&mut file);
    }
    for thread in &mut threads {
        thread.thread(&mut file);
    }
    // Threads take turns, as in a real run.
    let mut chunks: Vec<_> = of
        .events
        .iter()
        .map(|events| events.chunks(shape.block.max(1)))
        .collect();
    loop {
        let mut more = false;
        for (thread, chunks) in threads.iter_mut().zip(&mut chunks) {
            if let Some(events) = chunks.next() {
                thread.events(events, &mut file);
                more = true;
            }
        }
        if !more {
            break;
        }
    }
    for thread in &mut threads {
        if let Some(profile) = &of.profile {
            thread.profile(profile, &mut file);
        }
        thread.counts(&mut file);
        if shape.ends {
            thread.end(&mut file);
        }
    }
    file
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct EventSiteKey {
    kind: KindId,
    phase: Phase,
    site: SiteId,
    /// For a user's event: the kinds of its arguments.
    user: Vec<u8>,
}

struct Writer<'m> {
    of: &'m Memory,
    shape: &'m Shape,
    thread: u32,
    number: u32,
    define: Vec<u8>,
    texts: HashMap<TextId, u64>,
    names: HashMap<String, u64>,
    text_count: u64,
    event_sites: HashMap<EventSiteKey, u64>,
    event_site_count: u64,
    first: (u64, u64),
    users: HashMap<KindId, u64>,
    open: Vec<(u64, Event)>,
    /// The number of events raised and recorded, for each event site.
    counts: Vec<u64>,
    objects: bool,
    /// The ticks of the last record.
    last: Option<u64>,
}

impl<'m> Writer<'m> {
    fn new(of: &'m Memory, shape: &'m Shape, thread: u32) -> Writer<'m> {
        Writer {
            of,
            shape,
            thread,
            number: 0,
            define: Vec::new(),
            texts: HashMap::new(),
            names: HashMap::new(),
            text_count: 0,
            event_sites: HashMap::new(),
            event_site_count: 0,
            first: (1, 1),
            users: HashMap::new(),
            open: Vec::new(),
            counts: Vec::new(),
            objects: thread != 0,
            last: None,
        }
    }

    fn block(&mut self, kind: BlockKind, payload: &[u8], file: &mut Vec<u8>) {
        let head = BlockHead {
            kind: kind as u8,
            thread: self.thread,
            number: self.number,
            length: payload.len() as u32,
            crc: 0,
        };
        self.number += 1;
        file.extend(head.write(payload));
        file.extend(payload);
    }

    fn ticks(&self, time: u64) -> u64 {
        FIRST_TICK + time * self.shape.ticks
    }

    /// Returns the moment on the clock of the thread's machine.
    fn ns(&self, time: u64) -> u64 {
        FIRST_NS + time + self.apart()
    }

    fn apart(&self) -> u64 {
        let host = |thread: u32| &self.of.threads[thread as usize].host;
        match host(self.thread) == host(0) {
            true => 0,
            false => APART,
        }
    }

    /// Writes both clocks, and this machine's offset.
    fn text(&mut self, text: TextId) -> u64 {
        if text.0 == 0 {
            return 0;
        }
        if let Some(&known) = self.texts.get(&text) {
            return known;
        }
        let id = self.define_text(&self.of.tables.texts[text.0 as usize]);
        self.texts.insert(text, id);
        id
    }

    fn define_text(&mut self, text: &str) -> u64 {
        if let Some(&known) = self.names.get(text) {
            return known;
        }
        self.define.push(Definition::Text as u8);
        put_varint(&mut self.define, text.len() as u64);
        self.define.extend(text.as_bytes());
        self.text_count += 1;
        self.names.insert(text.to_owned(), self.text_count);
        self.text_count
    }

    fn user(&mut self, kind: KindId) -> u64 {
        if let Some(&tag) = self.users.get(&kind) {
            return tag;
        }
        // Each thread numbers its own events.
        let tag = 10_000 + self.users.len() as u64 + u64::from(self.thread);
        let of = &self.of.tables.kinds[kind.0 as usize];
        let name = match of.name.as_str() {
            "" => 0,
            name => self.define_text(name),
        };
        let description = of
            .description
            .as_deref()
            .map_or(0, |text| self.define_text(text));
        self.define.push(Definition::UserEvent as u8);
        put_varint(&mut self.define, tag);
        put_varint(&mut self.define, name);
        put_varint(&mut self.define, description);
        self.users.insert(kind, tag);
        tag
    }

    /// Returns the number of an event's event site; defines it if it is new.
    fn event_site(&mut self, event: &Event) -> u64 {
        let columns = self.columns(event);
        let codes: Vec<(ArgCode, &str)> = columns
            .iter()
            .map(|(code, name, _)| (*code, *name))
            .collect();
        let kind = self.of.tables.kind(event.kind);
        let key = EventSiteKey {
            kind: event.kind,
            phase: event.phase,
            site: event.site,
            user: match kind.group {
                Group::User => codes.iter().map(|(code, _)| *code as u8).collect(),
                _ => Vec::new(),
            },
        };
        if let Some(&known) = self.event_sites.get(&key) {
            return known;
        }
        let (tag, symbol) = match kind.group {
            Group::User => (self.user(event.kind), 0),
            _ => (
                u64::from(event.kind.0) + 1000,
                self.define_text(&format!("GASP_{}", kind.name)),
            ),
        };
        let site = self.of.tables.sites[event.site.0 as usize].clone();
        let mut definition = vec![Definition::EventSite as u8];
        put_varint(&mut definition, tag);
        put_varint(&mut definition, symbol);
        definition.push(match event.phase {
            Phase::Start => Side::Start,
            Phase::End => Side::End,
            Phase::Atomic => Side::Atomic,
        } as u8);
        definition.push(if kind.nested {
            0
        } else {
            event_site_flag::NOT_NESTED
        });
        let file = self.text(site.file);
        put_varint(&mut definition, file);
        put_varint(&mut definition, site.line.into());
        put_varint(&mut definition, site.column.into());
        for text in [site.type_name, site.name] {
            let text = text.map_or(0, |text| self.text(text));
            put_varint(&mut definition, text);
        }
        put_varint(&mut definition, codes.len() as u64);
        for (code, name) in codes {
            definition.push(code as u8);
            let name = if name.is_empty() {
                0
            } else {
                self.define_text(name)
            };
            put_varint(&mut definition, name);
        }
        self.define.extend(definition);
        self.event_site_count += 1;
        self.counts.push(0);
        self.event_sites.insert(key, self.event_site_count);
        self.event_site_count
    }

    /// Returns the columns of an event; for an end, those that its start does not have. Unknown arguments have no
    /// column.
    fn columns(&self, event: &Event) -> Vec<(ArgCode, &'static str, Arg)> {
        let kind = self.of.tables.kind(event.kind);
        let specs = kind.args(event.phase);
        let all = event.args.iter().enumerate().filter_map(|(at, arg)| {
            let spec = specs.get(at);
            if event.phase == Phase::End
                && kind.nested
                && kind.group != Group::User
                && kind
                    .start
                    .iter()
                    .any(|start| Some(start.name) == spec.map(|spec| spec.name))
            {
                return None;
            }
            Some((
                code(arg, spec.map(|spec| spec.kind))?,
                spec.map_or("", |spec| spec.name),
                *arg,
            ))
        });
        let mut all: Vec<(ArgCode, &'static str, Arg)> = all.collect();
        if size_of(&all).is_some() {
            let places = all.iter_mut().filter(|(code, ..)| *code == ArgCode::Place);
            places.for_each(|(code, ..)| *code = ArgCode::Element);
        }
        all
    }

    fn events(&mut self, events: &[Event], file: &mut Vec<u8>) {
        let start = match (self.last, events.first()) {
            (None, first) => self.ticks(first.map_or(0, |event| event.time)),
            (Some(last), None) => last,
            // Whoever wrote the block before had no processor for a part of that time, which has a note.
            (Some(last), Some(first)) if first.written > 0 => {
                last + first.delayed * self.shape.ticks
            }
            (Some(last), Some(_)) => last,
        };
        let mut block = Vec::new();
        put_varint(&mut block, start);
        put_varint(&mut block, self.ns((start - FIRST_TICK) / self.shape.ticks));
        for _ in &self.of.facts.counters {
            put_varint(&mut block, 5);
        }
        put_varint(&mut block, self.open.len() as u64);
        for (event_site, _) in &self.open {
            put_varint(&mut block, *event_site);
        }
        let mut now = start;
        let mut last: HashMap<u64, Vec<u64>> = HashMap::new();
        let mut weights: HashMap<u64, u64> = HashMap::new();
        for event in events {
            let ticks = self.ticks(event.time);
            let since = (ticks - now) << 1;
            now = ticks;
            self.record(event, since, &mut last, &mut weights, &mut block);
        }
        self.last = Some(now);
        self.flush_define(file);
        self.block(BlockKind::Events, &block, file);
    }

    fn flush_define(&mut self, file: &mut Vec<u8>) {
        if !self.objects {
            self.objects = true;
            for object in self.of.tables.objects.clone() {
                let (name, type_name) = (self.text(object.name), self.text(object.type_name));
                self.define.push(Definition::Object as u8);
                for number in [
                    object.blocks,
                    object.block_bytes,
                    0,
                    object.addr,
                    object.elem_bytes,
                    name,
                    type_name,
                ] {
                    put_varint(&mut self.define, number);
                }
            }
        }
        if self.define.is_empty() {
            return;
        }
        let mut payload = Vec::new();
        put_varint(&mut payload, self.first.0);
        put_varint(&mut payload, self.first.1);
        payload.append(&mut self.define);
        self.first = (self.text_count + 1, self.event_site_count + 1);
        self.block(BlockKind::Define, &payload, file);
    }

    fn record(
        &mut self,
        event: &Event,
        since: u64,
        last: &mut HashMap<u64, Vec<u64>>,
        weights: &mut HashMap<u64, u64>,
        block: &mut Vec<u8>,
    ) {
        let mut since = since;
        let waited = event.delayed - event.written;
        if waited > 0 {
            put_varint(block, since | 1);
            since = 0;
            for number in [0, Note::Processor as u64, waited] {
                put_varint(block, number);
            }
        }
        let kind = self.of.tables.kind(event.kind);
        if kind.group == Group::Note {
            put_varint(block, since | 1);
            put_varint(block, 0);
            let note = match kind.name.as_str() {
                "OFF" => Note::Off,
                "ON" => Note::On,
                _ => Note::Lost,
            };
            put_varint(block, note as u64);
            if let Some(Arg::Size(lost)) = event.args.first() {
                put_varint(block, *lost);
            }
            return;
        }
        let columns = self.columns(event);
        let mut short = false;
        if kind.nested && event.phase == Phase::End {
            let at = self
                .open
                .iter()
                .rposition(|(_, open)| open.kind == event.kind);
            if let Some(at) = at {
                let innermost = at + 1 == self.open.len();
                let (_, open) = self.open.remove(at);
                short = innermost && columns.is_empty() && open.site == event.site;
            }
        }
        if short {
            put_varint(block, since);
        } else {
            let event_site = self.event_site(event);
            self.counts[event_site as usize - 1] += 1;
            if event.weight != weights.get(&event_site).copied().unwrap_or(1) {
                weights.insert(event_site, event.weight);
                put_varint(block, since | 1);
                since = 0;
                for number in [0, Note::Weight as u64, event_site, event.weight] {
                    put_varint(block, number);
                }
            }
            put_varint(block, since | 1);
            put_varint(block, event_site);
            let values: Vec<u64> = columns
                .iter()
                .flat_map(|(code, _, arg)| self.values(*code, arg, size_of(&columns)))
                .collect();
            if !values.is_empty() {
                put_columns(
                    last.entry(event_site)
                        .or_insert_with(|| vec![0; values.len()]),
                    &values,
                    block,
                );
            }
            if kind.nested && event.phase == Phase::Start {
                self.open.push((event_site, event.clone()));
            }
        }
        for counter in &event.counters {
            put_varint(block, *counter);
        }
    }

    fn values(&mut self, code: ArgCode, arg: &Arg, size: Option<u64>) -> Vec<u64> {
        match *arg {
            Arg::Unknown => Vec::new(),
            Arg::Int(int) => vec![int as u64],
            Arg::Size(size) | Arg::Address(size) => vec![size],
            Arg::Shared(place) => {
                let phase = place.phase.unwrap_or_default();
                let bytes = size.filter(|_| code == ArgCode::Element).unwrap_or(0);
                let addr = place.addr.wrapping_sub(phase.wrapping_mul(bytes));
                let mut values = vec![place.thread.into(), addr, phase];
                values.truncate(code.columns());
                values
            }
            Arg::Text(text) => vec![self.text(text)],
            Arg::Real(real) => vec![real.to_bits()],
        }
    }
}

/// Returns the first size of an event.
fn size_of(columns: &[(ArgCode, &'static str, Arg)]) -> Option<u64> {
    columns.iter().find_map(|(_, _, arg)| match arg {
        Arg::Size(size) => Some(*size),
        _ => None,
    })
}

fn put_columns(last: &mut Vec<u64>, values: &[u64], block: &mut Vec<u8>) {
    last.resize(values.len(), 0);
    let changed = |at: &usize| last[*at] != values[*at];
    let mask = (0..values.len())
        .filter(changed)
        .fold(0u64, |mask, at| mask | 1 << at);
    put_varint(block, mask);
    for at in 0..values.len() {
        if mask & 1 << at != 0 {
            put_varint(block, zigzag(values[at].wrapping_sub(last[at])));
        }
    }
    last.copy_from_slice(values);
}

fn code(arg: &Arg, kind: Option<ArgKind>) -> Option<ArgCode> {
    Some(match arg {
        Arg::Unknown => return None,
        Arg::Int(_) => match kind {
            Some(ArgKind::Flags) => ArgCode::Flags,
            Some(ArgKind::Operation) => ArgCode::Operation,
            Some(ArgKind::Reduction) => ArgCode::Reduction,
            _ => ArgCode::Int,
        },
        Arg::Size(_) => ArgCode::Size,
        Arg::Address(_) => match kind {
            Some(ArgKind::Handle) => ArgCode::Handle,
            _ => ArgCode::Pointer,
        },
        Arg::Shared(place) => match kind {
            Some(ArgKind::Lock) => ArgCode::Lock,
            _ if place.phase.is_some() => ArgCode::Place,
            _ => ArgCode::Shared,
        },
        Arg::Text(_) => ArgCode::Text,
        Arg::Real(_) => ArgCode::Real,
    })
}
