//! Relations between threads through memory and locks, as arrows from track to track.

use std::io;

use super::flight::Flight;
use super::packets::Mark;
use super::proto::{Unit, Value};
use super::{Export, Released, counter};
use crate::prof::export::label::label;
use crate::prof::export::nest::Span;
use crate::prof::model::{Direction, Event, Group, Kind, Phase, Traffic};
use crate::prof::roles::{self, Role};

impl Export<'_> {
    /// Returns the arrow from the memory that a transfer reads to its slice, which begins at `time`.
    pub fn incoming(&mut self, event: &Event, time: u64) -> io::Result<Option<u64>> {
        match event.traffic {
            Some(traffic) => self.read_from(traffic, event.thread, time),
            None => Ok(None),
        }
    }

    fn read_from(&mut self, traffic: Traffic, me: u32, time: u64) -> io::Result<Option<u64>> {
        let source = match traffic.direction {
            Direction::Get => Some(traffic.place.thread),
            Direction::Copy => traffic.from.map(|from| from.thread),
            Direction::Put => None,
        };
        let Some(source) = source.filter(|source| *source != me) else {
            return Ok(None);
        };
        let flow = self.packets.flow();
        let name = format!("read by thread {me}");
        Ok(self
            .touch(source, time, &name, |mark| mark.flow(Some(flow)))?
            .then_some(flow))
    }

    /// Returns the arrow from a slice that ends to the memory that it writes.
    pub fn outgoing(&mut self, traffic: Option<Traffic>, me: u32) -> Option<(u32, u64)> {
        let traffic = traffic?;
        let target = match traffic.direction {
            Direction::Get => return None,
            Direction::Put | Direction::Copy => traffic.place.thread,
        };
        let other = target != me && (target as usize) < self.threads.len();
        other.then(|| (target, self.packets.flow()))
    }

    /// Ends that arrow at the write to the other thread's memory.
    pub fn arrive_in_memory(
        &mut self,
        outgoing: Option<(u32, u64)>,
        me: u32,
        time: u64,
    ) -> io::Result<()> {
        let Some((target, flow)) = outgoing else {
            return Ok(());
        };
        let name = format!("written by thread {me}");
        self.touch(target, time, &name, |mark| mark.flow_end(Some(flow)))?;
        Ok(())
    }

    /// Adds an instant to the track of a thread's memory. Returns false if there is no such thread.
    fn touch(
        &mut self,
        thread: u32,
        time: u64,
        name: &str,
        arrow: impl FnOnce(Mark) -> Mark,
    ) -> io::Result<bool> {
        let Some(of) = self.threads.get_mut(thread as usize) else {
            return Ok(false);
        };
        let track = match of.memory {
            Some(track) => track,
            None => *of.memory.insert(
                self.packets
                    .track_below(of.lane.track, format!("memory of thread {thread}"))?,
            ),
        };
        let mark = arrow(self.packets.named(name, Group::Memory));
        self.packets.instant(time, track, mark)?;
        Ok(true)
    }

    /// Handles the release of a lock: returns the arrow to the thread that acquires it next.
    pub fn release(&mut self, kind: &Kind, role: Role, event: &Event) -> Option<u64> {
        let lock = roles::lock(kind, event).filter(|_| role == Role::Release)?;
        let (by, flow) = (event.thread, self.packets.flow());
        self.locks.insert(lock, Released { by, flow });
        Some(flow)
    }

    /// Ends the arrow from the slice in which another thread released the lock that this thread has acquired.
    pub fn acquire(&mut self, kind: &Kind, role: Role, event: &Event) -> io::Result<()> {
        if role != Role::Acquire || !roles::succeeded(kind, event) {
            return Ok(());
        }
        let lock = roles::lock(kind, event);
        let released = lock.and_then(|lock| self.locks.remove(&lock));
        match released {
            Some(Released { by, flow }) if by != event.thread => {
                let name = format!("lock from thread {by}");
                self.reach(&name, Group::Lock, flow, event.thread)
            }
            Some(_) | None => Ok(()),
        }
    }

    /// Ends an arrow in the innermost slice of the thread.
    fn reach(&mut self, name: &str, group: Group, flow: u64, me: u32) -> io::Result<()> {
        let thread = &self.threads[me as usize];
        let mark = self.packets.named(name, group).flow_end(Some(flow));
        self.packets
            .instant(thread.lane.nest.now(), thread.lane.track, mark)
    }

    /// Returns the arrow from an initiation to the transfer that it leaves in flight; `None` if the transfer has
    /// completed.
    pub fn launch(&mut self, kind: &Kind, role: Role, event: &Event) -> Option<u64> {
        if role != Role::Initiate {
            return None;
        }
        roles::handle(kind, event).map(|_| self.packets.flow())
    }

    /// Adds a transfer in flight.
    pub fn take_off(&mut self, kind: &Kind, flow: u64, event: &Event) -> io::Result<()> {
        let Some(handle) = roles::handle(kind, event) else {
            return Ok(());
        };
        // A handle that occurs again stands for a new transfer.
        self.land(event.thread, handle, "unfinished")?;
        let me = event.thread as usize;
        let (time, track) = (
            self.threads[me].lane.nest.now(),
            self.threads[me].lane.track,
        );
        let lane = match self.threads[me].flights.free_lane() {
            Ok(lane) => lane,
            Err(new) => {
                let name = format!("in flight {}.{}", event.thread, new + 1);
                let lane = self.packets.track_below(track, name)?;
                self.threads[me].flights.add_lane(lane);
                new
            }
        };
        let flight = Flight {
            span: Span {
                kind: event.kind,
                site: event.site,
            },
            traffic: event.traffic,
            lane,
            flow,
            moving: false,
        };
        if let Some(lane) = self.threads[me].flights.track(lane) {
            let mark = self.packets.mark(flight.span);
            let mark = self
                .packets
                .with(mark, "bytes", Value::Uint(event.bytes))
                .flow(Some(flow));
            self.packets.begin(time, lane, mark)?;
        }
        self.threads[me].flights.start(handle, flight);
        self.count_flights(event.thread)
    }

    /// Handles an event by which the thread learns that a transfer has completed.
    pub fn complete(&mut self, kind: &Kind, role: Role, event: &Event) -> io::Result<()> {
        if role != Role::Complete || !roles::succeeded(kind, event) {
            return Ok(());
        }
        let Some(handle) = roles::handle(kind, event) else {
            return Ok(());
        };
        match self.land(event.thread, handle, "")? {
            Some(flight) => {
                let what = label(self.tables, flight.span.kind, flight.span.site);
                let name = format!("completed: {what}");
                self.reach(&name, Group::NonBlocking, flight.flow, event.thread)
            }
            None => Ok(()),
        }
    }

    /// Ends the slice of a transfer in flight, with a flag if its name is not empty.
    pub fn land(&mut self, me: u32, handle: u64, flag: &'static str) -> io::Result<Option<Flight>> {
        let thread = &mut self.threads[me as usize];
        let time = thread.lane.nest.now();
        let Some(flight) = thread.flights.end(handle) else {
            return Ok(None);
        };
        let Some(lane) = thread.flights.track(flight.lane) else {
            return Ok(None);
        };
        if flight.moving {
            self.packets.end(time, lane, Mark::default())?;
        }
        match flag {
            "" => {
                let outgoing = self.outgoing(flight.traffic, me);
                let mark = Mark::default().flow(outgoing.map(|(_, flow)| flow));
                self.packets.end(time, lane, mark)?;
                self.arrive_in_memory(outgoing, me, time)?;
            }
            flag => self.flagged_end(time, lane, flag)?,
        }
        self.count_flights(me)?;
        Ok(Some(flight))
    }

    fn count_flights(&mut self, me: u32) -> io::Result<()> {
        let thread = &mut self.threads[me as usize];
        let packets = &mut self.packets;
        let name = "transfers in flight";
        let track = counter(
            packets,
            &mut thread.in_flight,
            thread.lane.track,
            name,
            Unit::Count,
        )?;
        packets.count(thread.lane.nest.now(), track, thread.flights.count())
    }

    /// Shows on the lane of a transfer when its data move. Returns false if no transfer in flight has that handle.
    pub fn data(&mut self, kind: &Kind, event: &Event) -> io::Result<bool> {
        let thread = &mut self.threads[event.thread as usize];
        let handle = roles::handle(kind, event);
        let Some(flight) = handle.and_then(|handle| thread.flights.get(handle)) else {
            return Ok(false);
        };
        let starts = event.phase != Phase::End;
        if flight.moving == starts {
            return Ok(false);
        }
        flight.moving = starts;
        let lane = flight.lane;
        let Some(lane) = thread.flights.track(lane) else {
            return Ok(false);
        };
        let time = thread.lane.nest.pass(event.time);
        if starts {
            let span = Span {
                kind: event.kind,
                site: event.site,
            };
            let mark = self.packets.mark(span);
            self.packets.begin(time, lane, mark)?;
        } else {
            self.packets.end(time, lane, Mark::default())?;
        }
        Ok(true)
    }
}
