//! Writes packets: tracks, events on them, and the texts that events refer to by number.

use std::io::{self, Write};

use super::intern::Interned;
use super::proto::{
    self, Clock, ClockSnapshot, DebugAnnotation, InternedData, TracePacket, TrackDescriptor,
    TrackEvent, Type, Value,
};
use crate::prof::export::nest::Span;
use crate::prof::model::{Arg, ArgKind, ArgSpec, Facts, Group, Recording, Shared, SiteId, Tables};
use crate::prof::names;

/// All packets are of one sequence.
const SEQUENCE: u32 = 1;

/// The number of a track.
pub type Track = u64;

/// The contents of an event on a track.
#[derive(Default)]
pub struct Mark {
    name: Option<u64>,
    category: Option<u64>,
    location: Option<u64>,
    args: Vec<DebugAnnotation>,
    flows: Vec<u64>,
    last_flows: Vec<u64>,
}

impl Mark {
    /// Adds an arrow that starts or passes through at this event.
    pub fn flow(mut self, flow: Option<u64>) -> Mark {
        self.flows.extend(flow);
        self
    }

    /// Adds an arrow that ends at this event.
    pub fn flow_end(mut self, flow: Option<u64>) -> Mark {
        self.last_flows.extend(flow);
        self
    }
}

pub struct Packets<'a> {
    facts: &'a Facts,
    tables: &'a Tables,
    out: &'a mut dyn Write,
    stream: proto::Stream,
    interned: Interned,
    any: bool,
    tracks: Track,
    flows: u64,
}

impl<'a> Packets<'a> {
    pub fn new(recording: &'a dyn Recording, out: &'a mut dyn Write) -> Packets<'a> {
        Packets {
            facts: recording.facts(),
            tables: recording.tables(),
            out,
            stream: proto::Stream::default(),
            interned: Interned::default(),
            any: false,
            tracks: 0,
            flows: 0,
        }
    }

    /// Writes the time when the run began.
    pub fn began(&mut self, since_1970: u64) -> io::Result<()> {
        let clock = |id, time| Clock {
            clock_id: Some(id),
            timestamp: Some(time),
        };
        self.write(TracePacket {
            clock_snapshot: Some(ClockSnapshot {
                clocks: vec![
                    clock(proto::CLOCK_BOOTTIME, 0),
                    clock(proto::CLOCK_REALTIME, since_1970),
                ],
            }),
            ..TracePacket::default()
        })
    }

    /// Creates a track.
    pub fn track(&mut self, descriptor: TrackDescriptor) -> io::Result<Track> {
        self.tracks += 1;
        let descriptor = TrackDescriptor {
            uuid: Some(self.tracks),
            ..descriptor
        };
        self.write(TracePacket {
            track_descriptor: Some(descriptor),
            ..TracePacket::default()
        })?;
        Ok(self.tracks)
    }

    /// Creates a track with a name, below another one.
    pub fn track_below(&mut self, parent: Track, name: String) -> io::Result<Track> {
        self.track(TrackDescriptor {
            name: Some(name),
            parent_uuid: Some(parent),
            ..TrackDescriptor::default()
        })
    }

    /// Returns the number of a new arrow.
    pub fn flow(&mut self) -> u64 {
        self.flows += 1;
        self.flows
    }

    /// Returns a mark with the name, category and place of a span.
    pub fn mark(&mut self, span: Span) -> Mark {
        let group = self.tables.kind(span.kind).group;
        Mark {
            name: Some(self.interned.label(self.tables, span)),
            category: Some(self.interned.category(group)),
            location: self.interned.location(self.tables, span.site),
            ..Mark::default()
        }
    }

    /// Returns a mark with a given name.
    pub fn named(&mut self, name: &str, group: Group) -> Mark {
        Mark {
            name: Some(self.interned.name(name)),
            category: Some(self.interned.category(group)),
            ..Mark::default()
        }
    }

    /// Returns the mark with the place's data other than file and line.
    pub fn with_place(&mut self, mut mark: Mark, site: SiteId) -> Mark {
        let Some(site) = self.tables.site(site) else {
            return mark;
        };
        if site.column > 0 {
            mark = self.with(mark, "column", Value::Uint(site.column.into()));
        }
        if let Some(of) = site.type_name {
            let of = Value::StringIid(self.interned.text(self.tables.text(of)));
            mark = self.with(mark, "type", of);
        }
        mark
    }

    /// Returns the mark with one more argument.
    pub fn with(&mut self, mut mark: Mark, name: &'static str, value: Value) -> Mark {
        let argument = self.argument(name, Some(value));
        mark.args.push(argument);
        mark
    }

    /// Returns the mark with the values of the arguments, except those already in `known`.
    pub fn with_args(
        &mut self,
        mut mark: Mark,
        specs: &[ArgSpec],
        known: &[ArgSpec],
        args: &[Arg],
    ) -> Mark {
        let new = specs.iter().zip(args);
        for (spec, arg) in new.filter(|(spec, _)| known.iter().all(|t| t.name != spec.name)) {
            mark.args
                .extend(self.value(spec.name, Some(spec.kind), *arg));
        }
        mark
    }

    /// Returns the mark with the arguments of a user's event.
    pub fn with_user_args(&mut self, mut mark: Mark, args: &[Arg]) -> Mark {
        for arg in args {
            mark.args.extend(self.value("arguments", None, *arg));
        }
        mark
    }

    pub fn begin(&mut self, time: u64, track: Track, mark: Mark) -> io::Result<()> {
        self.event(time, track, Type::SliceBegin, mark)
    }

    /// Ends the innermost slice of the track.
    pub fn end(&mut self, time: u64, track: Track, mark: Mark) -> io::Result<()> {
        self.event(time, track, Type::SliceEnd, mark)
    }

    pub fn instant(&mut self, time: u64, track: Track, mark: Mark) -> io::Result<()> {
        self.event(time, track, Type::Instant, mark)
    }

    /// Sets the value of a counter from this time on.
    pub fn count(&mut self, time: u64, track: Track, value: u64) -> io::Result<()> {
        let event = TrackEvent {
            r#type: Some(Type::Counter.into()),
            track_uuid: Some(track),
            counter_value: Some(i64::try_from(value).unwrap_or(i64::MAX)),
            ..TrackEvent::default()
        };
        self.event_packet(time, event)
    }

    fn event(&mut self, time: u64, track: Track, r#type: Type, mark: Mark) -> io::Result<()> {
        let event = TrackEvent {
            category_iids: mark.category.into_iter().collect(),
            debug_annotations: mark.args,
            r#type: Some(r#type.into()),
            name_iid: mark.name,
            track_uuid: Some(track),
            counter_value: None,
            source_location_iid: mark.location,
            flow_ids: mark.flows,
            terminating_flow_ids: mark.last_flows,
        };
        self.event_packet(time, event)
    }

    fn event_packet(&mut self, time: u64, event: TrackEvent) -> io::Result<()> {
        self.write(TracePacket {
            timestamp: Some(time),
            track_event: Some(event),
            ..TracePacket::default()
        })
    }

    fn write(&mut self, mut packet: TracePacket) -> io::Result<()> {
        packet.trusted_packet_sequence_id = Some(SEQUENCE);
        packet.sequence_flags = Some(match self.any {
            true => proto::SEQ_NEEDS_INCREMENTAL_STATE,
            false => proto::SEQ_INCREMENTAL_STATE_CLEARED,
        });
        self.any = true;
        let fresh = std::mem::take(&mut self.interned.fresh);
        packet.interned_data = (fresh != InternedData::default()).then_some(fresh);
        self.stream.add(&packet, self.out)
    }

    /// Writes the last packets.
    pub fn finish(&mut self) -> io::Result<()> {
        self.stream.flush(self.out)
    }

    /// Returns an argument; `None` if the recording does not contain it. Pointers-to-shared are dictionaries of thread
    /// and address.
    fn value(
        &mut self,
        name: &'static str,
        kind: Option<ArgKind>,
        arg: Arg,
    ) -> Option<DebugAnnotation> {
        let value = match (arg, kind) {
            (Arg::Unknown, _) => return None,
            (Arg::Int(value), Some(ArgKind::Int))
                if matches!(name, "is_relaxed" | "named" | "is_shared") =>
            {
                Value::Bool(value != 0)
            }
            (
                Arg::Int(_),
                Some(ArgKind::Flags | ArgKind::Operation | ArgKind::Reduction | ArgKind::FileFlags),
            ) => {
                let mut text = String::new();
                names::push_arg(&mut text, self.facts, self.tables, &arg, kind);
                Value::StringIid(self.interned.text(&text))
            }
            (Arg::Int(value), _) => Value::Int(value),
            (Arg::Size(value), _) => Value::Uint(value),
            (Arg::Address(value), _) => Value::Pointer(value),
            (Arg::Real(value), _) => Value::Double(value),
            (Arg::Text(text), _) => Value::String(self.tables.text(text).to_owned()),
            (Arg::Shared(place), _) => return Some(self.shared(name, place)),
        };
        Some(self.argument(name, Some(value)))
    }

    fn shared(&mut self, name: &'static str, place: Shared) -> DebugAnnotation {
        let mut dictionary = self.argument(name, None);
        dictionary.dict_entries = vec![
            self.argument("thread", Some(Value::Uint(place.thread.into()))),
            self.argument("addrfield", Some(Value::Pointer(place.addr))),
        ];
        let mut object = String::new();
        if names::push_object(&mut object, self.facts, self.tables, place) {
            let object = self.argument("object", Some(Value::String(object)));
            dictionary.dict_entries.push(object);
        }
        dictionary
    }

    fn argument(&mut self, name: &'static str, value: Option<Value>) -> DebugAnnotation {
        DebugAnnotation {
            name_iid: Some(self.interned.argument(name)),
            value,
            dict_entries: Vec::new(),
        }
    }
}
