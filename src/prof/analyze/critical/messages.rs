//! Messages of MPI on the critical path: who receives one waits for its sender.
//!
//! Messages between two processes do not overtake each other, but for those of other tags and communicators, which the
//! trace does not name. So a reception is that of the first message under way between the two with as many bytes. What
//! `MPI_Irecv` receives is not waited for there, and the trace does not say which wait completes it.

use super::super::super::model::{Arg, Event, Kind as EventKind, Phase};
use super::super::semaphores::number;
use super::{Paths, Point};
use hashbrown::HashMap;
use std::collections::VecDeque;

/// The most messages under way between two threads that are remembered.
const MOST: usize = 64;

/// Messages under way.
#[derive(Default)]
pub(super) struct Messages {
    /// By sender and receiver: bytes, and where the sender was.
    under_way: HashMap<(u32, u32), VecDeque<(u64, Point)>>,
    /// The same: the number of those that `MPI_Irecv` receives and that are not sent yet.
    expected: HashMap<(u32, u32), u64>,
}

/// Returns the thread that an event sends a message to, and the bytes.
fn sent(kind: &EventKind, event: &Event) -> Option<(u32, u64)> {
    let sends = ["UPCC_MPI_SEND", "UPCC_MPI_ISEND", "UPCC_MPI_SENDRECV"];
    if event.phase != Phase::Start || !sends.contains(&kind.name.as_str()) {
        return None;
    }
    let peer = u32::try_from(number(kind, event, "peer")?).ok()?;
    Some((peer, bytes(kind, event, "n")?))
}

/// Returns the thread whose message `MPI_Irecv` will receive.
fn expects(kind: &EventKind, event: &Event) -> Option<u32> {
    let is_it = event.phase == Phase::Start && kind.name == "UPCC_MPI_IRECV";
    let peer = is_it.then(|| number(kind, event, "peer")).flatten();
    u32::try_from(peer?).ok()
}

/// Returns the thread whose message an event has received, and the bytes.
fn received(kind: &EventKind, event: &Event) -> Option<(u32, u64)> {
    let receives = ["UPCC_MPI_RECV", "UPCC_MPI_SENDRECV"];
    if event.phase != Phase::End || !receives.contains(&kind.name.as_str()) {
        return None;
    }
    let source = u32::try_from(number(kind, event, "source")?).ok()?;
    Some((source, bytes(kind, event, "received")?))
}

fn bytes(kind: &EventKind, event: &Event, name: &str) -> Option<u64> {
    let at = kind.args(event.phase).iter().position(|it| it.name == name);
    match event.args.get(at?)? {
        Arg::Size(size) => Some(*size),
        _ => None,
    }
}

impl Messages {
    /// A message is under way. Returns the point that is no longer needed.
    fn send(&mut self, from: u32, (to, bytes): (u32, u64), point: Point) -> Option<Point> {
        let messages = self.under_way.entry((from, to)).or_default();
        messages.push_back((bytes, point));
        let oldest = (messages.len() > MOST).then(|| messages.pop_front());
        oldest.flatten().map(|(_, point)| point)
    }

    /// `MPI_Irecv` will receive a message. Returns the point that is no longer needed.
    fn expect(&mut self, from: u32, to: u32) -> Option<Point> {
        let messages = self.under_way.get_mut(&(from, to));
        let first = messages.and_then(VecDeque::pop_front);
        if first.is_none() {
            *self.expected.entry((from, to)).or_default() += 1;
        }
        first.map(|(_, point)| point)
    }

    /// Returns whether `MPI_Irecv` receives the message that is sent now.
    fn is_expected(&mut self, from: u32, to: u32) -> bool {
        let left = self.expected.get_mut(&(from, to)).filter(|left| **left > 0);
        left.map(|left| *left -= 1).is_some()
    }

    /// Returns where the sender of the message was that an event has received.
    pub(super) fn receive(&mut self, kind: &EventKind, event: &Event) -> Option<Point> {
        let (source, bytes) = received(kind, event)?;
        let messages = self.under_way.get_mut(&(source, event.thread))?;
        let at = messages.iter().position(|(of, _)| *of == bytes)?;
        messages.remove(at).map(|(_, point)| point)
    }
}

impl Paths {
    /// A thread sends a message, or will receive one, if the event does.
    pub(super) fn send(&mut self, kind: &EventKind, event: &Event) {
        if let Some(from) = expects(kind, event)
            && let Some(point) = self.messages.expect(from, event.thread)
        {
            self.tree.release(point.node);
        }
        let Some(message) = sent(kind, event) else {
            return;
        };
        if self.messages.is_expected(event.thread, message.0) {
            return;
        }
        let point = self.point(event.thread);
        if let Some(oldest) = self.messages.send(event.thread, message, point) {
            self.tree.release(oldest.node);
        }
    }
}
