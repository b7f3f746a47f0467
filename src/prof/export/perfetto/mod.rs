//! Perfetto's trace format, for ui.perfetto.dev: a timeline of all threads.
//!
//! | track | what it shows |
//! |---|---|
//! | `UPC thread N` | the thread's activity: slices from start to end of events, instants for atomic ones |
//! | `memory of thread N` | where other threads' transfers read or write its shared memory; arrows lead from and to them |
//! | `in flight N.M` | non-blocking transfers of thread N, from initiation to completion |
//! | `barriers` | from the first arrival to the last one |
//! | counters | bytes moved from and to other threads, transfers in flight, hardware counters |
//!
//! Arrows: transfers, from where data are read to where they are written; non-blocking transfers, from initiation to
//! completion; locks, from the thread that releases one to the thread that acquires it next.

pub(in crate::prof) mod barriers;
mod flight;
mod intern;
mod packets;
pub(in crate::prof) mod proto;
mod relations;

use std::collections::{BTreeMap, HashMap};
use std::io::{self, Write};
use std::time::UNIX_EPOCH;

use super::Summary;
use super::label::title;
use super::nest::{Nest, Span, Step};
use crate::prof::limits::Shown;
use crate::prof::model::{End, Event, Group, Kind, Phase, Recording, Shared, Tables};
use crate::prof::roles::{Role, Roles};
use barriers::{Barriers, Step as BarrierStep};
use flight::Flights;
use packets::{Mark, Packets, Track};
use proto::{CounterDescriptor, ProcessDescriptor, ThreadDescriptor, TrackDescriptor, Unit, Value};

/// Perfetto requires a process; its number only has to differ from the system's (0).
const PROCESS: i32 = 1;

/// A pthread's activity, on a track of its own.
struct Lane {
    track: Track,
    nest: Nest,
}

/// The export's state of one thread.
struct Thread {
    /// The thread's first pthread.
    lane: Lane,
    /// The other pthreads by number.
    pthreads: BTreeMap<u32, Lane>,
    /// Created when first needed.
    memory: Option<Track>,
    flights: Flights,
    in_flight: Option<Track>,
    remote_bytes: u64,
    remote: Option<Track>,
    counters: Vec<(Option<Track>, u64)>,
}

/// A released lock.
struct Released {
    by: u32,
    flow: u64,
}

struct Export<'a> {
    recording: &'a dyn Recording,
    tables: &'a Tables,
    packets: Packets<'a>,
    roles: Roles,
    process: Track,
    threads: Vec<Thread>,
    locks: HashMap<Shared, Released>,
    barriers: Barriers,
    barrier_track: Option<Track>,
    summary: Summary,
}

/// Writes the trace of a recording. Memory grows with the number of threads and places, not of events.
pub fn write(recording: &dyn Recording, out: &mut dyn Write) -> io::Result<Summary> {
    let mut export = Export::new(recording, out)?;
    let mut events = recording.merged();
    let mut steps = Vec::new();
    while let Some(event) = events.next() {
        export.event(event, &mut steps)?;
    }
    export.finish(&mut steps)
}

impl<'a> Export<'a> {
    fn new(recording: &'a dyn Recording, out: &'a mut dyn Write) -> io::Result<Export<'a>> {
        let tables = recording.tables();
        let facts = recording.facts();
        let mut packets = Packets::new(recording, out);
        if let Some(started) = facts
            .started
            .and_then(|t| t.duration_since(UNIX_EPOCH).ok())
        {
            packets.began(u64::try_from(started.as_nanos()).unwrap_or(0))?;
        }
        let mut command = vec![facts.program.clone()];
        command.extend_from_slice(&facts.args);
        let process = packets.track(TrackDescriptor {
            process: Some(ProcessDescriptor {
                pid: Some(PROCESS),
                cmdline: command,
                process_name: Some(title(recording, Shown::Trace)),
            }),
            ..TrackDescriptor::default()
        })?;
        let several = several_hosts(recording);
        let threads: io::Result<Vec<Thread>> = recording
            .threads()
            .iter()
            .map(|thread| {
                let name = match several {
                    true => format!("UPC thread {} ({})", thread.id, thread.host),
                    false => format!("UPC thread {}", thread.id),
                };
                let id = i32::try_from(thread.id).unwrap_or(i32::MAX - 1);
                let track = packets.track(TrackDescriptor {
                    thread: Some(ThreadDescriptor {
                        pid: Some(PROCESS),
                        tid: Some(id + 1),
                        thread_name: Some(name),
                    }),
                    ..TrackDescriptor::default()
                })?;
                Ok(Thread::new(track, facts.counters.len()))
            })
            .collect();
        let threads = threads?;
        Ok(Export {
            recording,
            tables,
            packets,
            roles: Roles::new(tables),
            process,
            barriers: Barriers::new(threads.len()),
            threads,
            locks: HashMap::new(),
            barrier_track: None,
            summary: Summary::default(),
        })
    }

    fn event(&mut self, event: &Event, steps: &mut Vec<Step>) -> io::Result<()> {
        // A damaged file may name threads that do not exist.
        let me = event.thread as usize;
        let tables = self.tables;
        if me >= self.threads.len() {
            return Ok(());
        }
        self.summary.events += 1;
        self.make_lane(event)?;
        let kind = tables.kind(event.kind);
        let role = self.roles.of(event.kind);
        if role == Role::Data && self.data(kind, event)? {
            return Ok(());
        }
        let lane = self.threads[me].lane_of(event);
        lane.nest.take(tables, event, steps);
        self.arrive(role, event)?;
        for step in steps.iter() {
            self.step(*step, kind, role, event)?;
        }
        self.after(role, event)
    }

    /// Handles one step of the thread's own track.
    fn step(&mut self, step: Step, kind: &Kind, role: Role, event: &Event) -> io::Result<()> {
        let lane = self.threads[event.thread as usize].lane_of(event);
        let (time, track) = (lane.nest.now(), lane.track);
        match step {
            Step::Open(span) => {
                let incoming = self.incoming(event, time)?;
                let given = self.release(kind, role, event);
                let mark = self.described(span, kind, event);
                let mark = mark.flow(given).flow_end(incoming);
                self.summary.spans += 1;
                self.packets.begin(time, track, mark)
            }
            Step::Point(span) => {
                let mark = self.described(span, kind, event);
                self.packets.instant(time, track, mark)
            }
            Step::Close(_) => {
                self.acquire(kind, role, event)?;
                self.complete(kind, role, event)?;
                let launched = self.launch(kind, role, event);
                let outgoing = match launched {
                    Some(_) => None,
                    None => self.outgoing(event.traffic, event.thread),
                };
                let mark = self.packets.with_args(
                    Mark::default(),
                    kind.args(Phase::End),
                    kind.args(Phase::Start),
                    &event.args,
                );
                let mark = mark.flow(outgoing.map(|(_, flow)| flow)).flow(launched);
                self.packets.end(time, track, mark)?;
                self.arrive_in_memory(outgoing, event.thread, time)?;
                match launched {
                    Some(flow) => self.take_off(kind, flow, event),
                    None => Ok(()),
                }
            }
            Step::Cut(_) => {
                self.summary.cut += 1;
                self.flagged_end(time, track, "unfinished")
            }
            Step::Split(_) => self.flagged_end(time, track, "interrupted"),
            Step::Resume(span) => {
                let mark = self.packets.mark(span);
                let mark = self.packets.with(mark, "resumed", Value::Bool(true));
                self.packets.begin(time, track, mark)
            }
            Step::Stray => {
                self.summary.stray += 1;
                Ok(())
            }
        }
    }

    fn flagged_end(&mut self, time: u64, track: Track, flag: &'static str) -> io::Result<()> {
        let mark = self.packets.with(Mark::default(), flag, Value::Bool(true));
        self.packets.end(time, track, mark)
    }

    /// Returns a mark with name, category, place and all arguments.
    fn described(&mut self, span: Span, kind: &Kind, event: &Event) -> Mark {
        let mark = self.packets.mark(span);
        let mark = match kind.group {
            // The type is already in the argument `funcsig`.
            Group::Function => mark,
            _ => self.packets.with_place(mark, span.site),
        };
        let mark = match kind.group {
            Group::User => self.packets.with_user_args(mark, &event.args),
            _ => self
                .packets
                .with_args(mark, kind.args(event.phase), &[], &event.args),
        };
        match event.weight {
            0 | 1 => mark,
            weight => self.packets.with(mark, "weight", Value::Uint(weight)),
        }
    }

    /// Handles a thread's arrival at a barrier.
    fn arrive(&mut self, role: Role, event: &Event) -> io::Result<()> {
        if event.phase == Phase::End || !matches!(role, Role::Arrive | Role::Barrier) {
            return Ok(());
        }
        let step = self.barriers.arrive(event.thread);
        self.barrier(step, event)
    }

    /// Handles the rest after the event is on its track: counters, and the end of waiting.
    fn after(&mut self, role: Role, event: &Event) -> io::Result<()> {
        let me = event.thread as usize;
        if event.phase == Phase::End {
            if matches!(role, Role::Leave | Role::Barrier) {
                let step = self.barriers.leave(event.thread);
                self.barrier(step, event)?;
            }
            self.count_remote(event)?;
        }
        let time = self.threads[me].lane_of(event).nest.now();
        let (threads, packets) = (&mut self.threads, &mut self.packets);
        let names = &self.recording.facts().counters;
        let thread = &mut threads[me];
        let counters = thread.counters.iter_mut().zip(names).zip(&event.counters);
        for (((track, sum), name), more) in counters.filter(|(_, more)| **more > 0) {
            *sum += more;
            let track = counter(packets, track, thread.lane.track, name, Unit::Count)?;
            packets.count(time, track, *sum)?;
        }
        Ok(())
    }

    /// Counts the bytes from and to other threads.
    fn count_remote(&mut self, event: &Event) -> io::Result<()> {
        let thread = &mut self.threads[event.thread as usize];
        let remote = event
            .traffic
            .is_some_and(|t| t.peer(event.thread) != event.thread);
        let bytes = event.bytes.saturating_mul(event.weight.max(1));
        if !remote || bytes == 0 {
            return Ok(());
        }
        thread.remote_bytes = thread.remote_bytes.saturating_add(bytes);
        let (time, packets) = (thread.lane_of(event).nest.now(), &mut self.packets);
        let track = counter(
            packets,
            &mut thread.remote,
            thread.lane.track,
            "remote bytes",
            Unit::SizeBytes,
        )?;
        packets.count(time, track, thread.remote_bytes)
    }

    fn barrier(&mut self, step: BarrierStep, event: &Event) -> io::Result<()> {
        let thread = &mut self.threads[event.thread as usize];
        let time = thread.lane_of(event).nest.now();
        let process = self.process;
        let track = match self.barrier_track {
            Some(track) => track,
            None if step == BarrierStep::Nothing => return Ok(()),
            None => *self
                .barrier_track
                .insert(self.packets.track_below(process, "barriers".to_owned())?),
        };
        match step {
            BarrierStep::First(number) => {
                let mark = self
                    .packets
                    .named(&format!("barrier {number}"), Group::Barrier);
                self.packets.begin(time, track, mark)
            }
            BarrierStep::Last { first } => {
                let mark = Mark::default();
                let mark = self.packets.with(mark, "first", Value::Uint(first.into()));
                let last = Value::Uint(event.thread.into());
                let mark = self.packets.with(mark, "last", last);
                self.packets.end(time, track, mark)
            }
            BarrierStep::Lost => self.flagged_end(time, track, "unfinished"),
            BarrierStep::Nothing => Ok(()),
        }
    }

    /// Creates a track for the event's pthread.
    fn make_lane(&mut self, event: &Event) -> io::Result<()> {
        let of = &mut self.threads[event.thread as usize];
        if event.pthread == 0 || of.pthreads.contains_key(&event.pthread) {
            return Ok(());
        }
        let name = format!("pthread {}", event.pthread);
        let track = self.packets.track_below(of.lane.track, name)?;
        of.pthreads.insert(event.pthread, Lane::new(track));
        Ok(())
    }

    /// Ends those of a pthread's spans that are cut.
    fn cut(&mut self, lane: &Lane, steps: &[Step]) -> io::Result<()> {
        steps.iter().try_for_each(|_| {
            self.summary.cut += 1;
            self.flagged_end(lane.nest.now(), lane.track, "unfinished")
        })
    }

    /// Ends all open spans when their threads end.
    fn finish(mut self, steps: &mut Vec<Step>) -> io::Result<Summary> {
        let recording = self.recording;
        let mut last = 0;
        for (me, of) in recording.threads().iter().enumerate() {
            let lanes = std::mem::take(&mut self.threads[me].pthreads);
            for mut lane in lanes.into_values() {
                lane.nest.finish(of.end_of_trace(lane.nest.now()), steps);
                self.cut(&lane, steps)?;
            }
            let lane = &mut self.threads[me].lane;
            lane.nest.finish(of.end_of_trace(lane.nest.now()), steps);
            let (time, track) = (lane.nest.now(), lane.track);
            last = last.max(time);
            for handle in self.threads[me].flights.handles() {
                self.land(of.id, handle, "unfinished")?;
            }
            for _ in steps.iter() {
                self.summary.cut += 1;
                self.flagged_end(time, track, "unfinished")?;
            }
            if let Some(name) = death(of.end) {
                let mark = self.packets.named(&name, Group::Runtime);
                self.packets.instant(time, track, mark)?;
            }
        }
        if let Some(track) = self.barrier_track.filter(|_| self.barriers.waiting()) {
            self.flagged_end(last, track, "unfinished")?;
        }
        self.packets.finish()?;
        Ok(self.summary)
    }
}

impl Lane {
    fn new(track: Track) -> Lane {
        Lane {
            track,
            nest: Nest::default(),
        }
    }
}

impl Thread {
    /// Returns the lane of the event's pthread, or the first pthread's if that lane was not created.
    fn lane_of(&mut self, event: &Event) -> &mut Lane {
        match self.pthreads.get_mut(&event.pthread) {
            Some(lane) => lane,
            None => &mut self.lane,
        }
    }

    fn new(track: Track, counters: usize) -> Thread {
        Thread {
            lane: Lane::new(track),
            pthreads: BTreeMap::new(),
            memory: None,
            flights: Flights::default(),
            in_flight: None,
            remote_bytes: 0,
            remote: None,
            counters: vec![(None, 0); counters],
        }
    }
}

/// Returns the track of a thread's counter, created when first needed.
fn counter(
    packets: &mut Packets,
    track: &mut Option<Track>,
    thread: Track,
    name: &str,
    unit: Unit,
) -> io::Result<Track> {
    match track {
        Some(track) => Ok(*track),
        None => Ok(*track.insert(packets.track(TrackDescriptor {
            name: Some(name.to_owned()),
            parent_uuid: Some(thread),
            counter: Some(CounterDescriptor {
                unit: Some(unit.into()),
            }),
            ..TrackDescriptor::default()
        })?)),
    }
}

/// Returns a remark on a thread that did not end by itself.
fn death(end: End) -> Option<String> {
    match end {
        End::Signal(signal) => Some(format!("killed by signal {signal}")),
        End::WithJob => Some("ended with the job".to_owned()),
        End::Vanished(_) => Some("called _exit".to_owned()),
        End::Unknown => Some("end of the recording".to_owned()),
        // Other events show these.
        End::Exit(_) | End::GlobalExit(_) => None,
    }
}

fn several_hosts(recording: &dyn Recording) -> bool {
    let mut hosts = recording.threads().iter().map(|thread| &thread.host);
    hosts
        .next()
        .is_some_and(|first| hosts.any(|host| host != first))
}
