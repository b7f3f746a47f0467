//! Messages of MPI on the critical path: who receives one waits for its sender.
//!
//! Messages between two processes do not overtake each other, but for those of other tags and communicators, which the
//! trace does not name. So a reception is that of the first message under way between the two with as many bytes.
//!
//! `MPI_Irecv` does not wait. The calls that complete requests do, and the trace says how many they complete, but not
//! which. They are taken to be those whose message was sent during the call, then those whose message was sent before,
//! in the order in which they were made. Who waits for several has waited for the message that was sent last. Persistent
//! requests and the receivers that `MPI_Ssend` waits for are not known.

use super::super::super::model::{Arg, Event, Kind as EventKind, Phase};
use super::super::Run;
use super::super::semaphores::number;
use super::{Paths, Point, Wait};
use hashbrown::HashMap;
use std::collections::VecDeque;

/// The most messages under way between two threads that are remembered.
const MOST: usize = 64;
/// The most requests of a thread that are remembered.
const MOST_REQUESTS: usize = 1024;

/// A request that no call has completed.
struct Request {
    /// Its number among those of the job.
    number: u64,
    is_send: bool,
    /// Where the sender was of the message that it receives, if that is sent.
    message: Option<Point>,
}

/// Messages under way.
#[derive(Default)]
pub(super) struct Messages {
    /// By sender and receiver: bytes, and where the sender was.
    under_way: HashMap<(u32, u32), VecDeque<(u64, Point)>>,
    /// The same: requests of `MPI_Irecv` whose message is not sent yet.
    expected: HashMap<(u32, u32), VecDeque<u64>>,
    /// By thread: the requests that are not complete, in the order in which they were made.
    requests: HashMap<u32, VecDeque<Request>>,
    /// The number of requests that were made.
    made: u64,
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

/// Returns how many requests an event has completed at least; 0: it completes none.
fn completed(run: &Run, kind: &EventKind, event: &Event) -> usize {
    let is_done = match kind.name.as_str() {
        "UPCC_MPI_WAIT" => true,
        "UPCC_MPI_TEST" => number(kind, event, "result").is_some_and(|flag| flag != 0),
        _ => false,
    };
    let all = bytes(kind, event, "requests").filter(|_| is_done);
    let all = all.map_or(0, |all| usize::try_from(all).unwrap_or(MOST_REQUESTS));
    let call = match event.args.first() {
        Some(Arg::Text(call)) => run.recording.tables().text(*call),
        _ => "",
    };
    match call {
        "MPI_Waitany" | "MPI_Waitsome" | "MPI_Testany" | "MPI_Testsome" => all.min(1),
        _ => all,
    }
}

impl Request {
    /// The order in which requests are taken to be complete, for a call that has begun at this time.
    fn rank(&self, since: u64) -> u32 {
        match &self.message {
            Some(point) if point.at >= since => 0,
            Some(_) => 1,
            None if self.is_send => 1,
            None => 2,
        }
    }
}

impl Messages {
    /// A message is under way. Returns the point that is no longer needed.
    fn send(&mut self, from: u32, (to, bytes): (u32, u64), point: Point) -> Option<Point> {
        let expected = self.expected.get_mut(&(from, to));
        if let Some(number) = expected.and_then(VecDeque::pop_front) {
            let requests = self.requests.get_mut(&to).into_iter().flatten();
            let mut requests = requests.filter(|it| it.number == number);
            let Some(request) = requests.next() else {
                return Some(point);
            };
            return request.message.replace(point);
        }
        let messages = self.under_way.entry((from, to)).or_default();
        messages.push_back((bytes, point));
        let oldest = (messages.len() > MOST).then(|| messages.pop_front());
        oldest.flatten().map(|(_, point)| point)
    }

    /// A thread makes a request; `from`: the thread whose message it will receive, if it is known. Returns the point that
    /// is no longer needed.
    fn request(&mut self, thread: u32, is_send: bool, from: Option<u32>) -> Option<Point> {
        let number = self.made;
        self.made += 1;
        let ways = from.map(|from| (from, thread));
        let sent = ways.and_then(|ways| self.under_way.get_mut(&ways)?.pop_front());
        if let Some(ways) = ways.filter(|_| sent.is_none()) {
            self.expected.entry(ways).or_default().push_back(number);
        }
        let requests = self.requests.entry(thread).or_default();
        requests.push_back(Request {
            number,
            is_send,
            message: sent.map(|(_, point)| point),
        });
        let oldest = (requests.len() > MOST_REQUESTS).then(|| requests.pop_front());
        oldest.flatten().and_then(|request| request.message)
    }

    /// A call that has begun at this time completes so many requests of a thread. Returns where the senders of their
    /// messages were.
    fn complete(&mut self, thread: u32, number: usize, since: u64) -> Vec<Point> {
        let Some(requests) = self.requests.get_mut(&thread) else {
            return Vec::new();
        };
        let mut order: Vec<usize> = (0..requests.len()).collect();
        order.sort_by_key(|&at| requests[at].rank(since));
        order.truncate(number);
        // From the last to the first, so that the others keep their places.
        order.sort_unstable_by(|a, b| b.cmp(a));
        let done = order.into_iter().filter_map(|at| requests.remove(at));
        done.filter_map(|request| request.message).collect()
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
    /// A thread sends a message, or makes a request, if the event does.
    pub(super) fn send(&mut self, kind: &EventKind, event: &Event) {
        let is_send = event.phase == Phase::Start && kind.name == "UPCC_MPI_ISEND";
        let is_reception = event.phase == Phase::Start && kind.name == "UPCC_MPI_IRECV";
        if is_send || is_reception {
            let from = expects(kind, event);
            if let Some(unused) = self.messages.request(event.thread, is_send, from) {
                self.tree.release(unused.node);
            }
        }
        let Some(message) = sent(kind, event) else {
            return;
        };
        let point = self.point(event.thread);
        if let Some(unused) = self.messages.send(event.thread, message, point) {
            self.tree.release(unused.node);
        }
    }

    /// A call about requests has ended; `wait`: since when the thread has waited in it, if it does.
    pub(super) fn completed(
        &mut self,
        run: &Run,
        kind: &EventKind,
        event: &Event,
        wait: Option<Wait>,
    ) {
        let number = completed(run, kind, event);
        let since = wait.as_ref().map_or(event.time, |wait| wait.at);
        let mut senders = self.messages.complete(event.thread, number, since);
        senders.sort_by_key(|point| (point.at, point.thread));
        let last = senders.pop();
        for point in senders {
            self.tree.release(point.node);
        }
        match (wait, last) {
            (Some(wait), last) => self.resume(run, event, (wait, None), last),
            (None, Some(last)) => {
                self.depend(event, &last);
                self.tree.release(last.node);
            }
            (None, None) => {}
        }
    }
}
