//! Collective calls in which not all threads wait for all: who still is in one when another thread comes is taken to
//! have waited for that thread.

use super::super::super::model::{Event, Group, Kind as EventKind};
use super::super::Run;
use super::super::semaphores::number;
use super::{Paths, Point, Wait};
use hashbrown::HashMap;

/// A call that not all threads have left.
#[derive(Default)]
struct Join {
    left: u32,
    /// The thread with the longest path of those that have come.
    last: Option<Point>,
}

/// The calls under way, by their number on each thread.
#[derive(Default)]
pub(super) struct Joins {
    calls: HashMap<usize, Join>,
    /// By thread: the number of calls that it has begun, and of those that it has left.
    begun: HashMap<u32, usize>,
    left: HashMap<u32, usize>,
}

/// True for a call of all threads. Those in which all wait for all are barriers.
pub(super) fn is_of_all(run: &Run, kind: &EventKind, event: &Event) -> bool {
    match kind.group {
        Group::Collective => true,
        Group::Mpi => {
            kind.name == "UPCC_MPI_COLLECTIVE"
                && number(kind, event, "members") == Some(i64::from(run.threads))
        }
        _ => false,
    }
}

impl Joins {
    /// Returns whether a thread that comes with a path of this length makes others wait.
    pub(super) fn comes(&self, thread: u32, length: u64) -> bool {
        let number = self.begun.get(&thread).copied().unwrap_or(0);
        let last = self.calls.get(&number).and_then(|call| call.last.as_ref());
        last.is_none_or(|last| length > last.length)
    }

    /// A thread has come; `point`: where it is, if it makes others wait. Returns the point that is no longer needed.
    pub(super) fn begin(&mut self, thread: u32, point: Option<Point>) -> Option<Point> {
        let number = self.begun.entry(thread).or_default();
        let call = self.calls.entry(*number).or_default();
        *number += 1;
        point.and_then(|point| call.last.replace(point))
    }

    /// A thread has left. Returns the thread that it has waited for, and whether the point is not needed any more.
    pub(super) fn leave(&mut self, thread: u32, threads: u32) -> Option<(Point, bool)> {
        let number = self.left.entry(thread).or_default();
        let at = *number;
        *number += 1;
        let call = self.calls.get_mut(&at)?;
        call.left += 1;
        let is_over = call.left == threads;
        let last = call.last;
        if is_over {
            self.calls.remove(&at);
        }
        last.map(|point| (point, is_over))
    }
}

impl Paths {
    /// A thread comes to a call.
    pub(super) fn join(&mut self, event: &Event) {
        let length = self.current(event).length;
        let makes_wait = self.joins.comes(event.thread, length);
        let point = makes_wait.then(|| self.point(event.thread));
        if let Some(before) = self.joins.begin(event.thread, point) {
            self.tree.release(before.node);
        }
    }

    /// A thread goes on from a collective call. It has not waited for a thread that came before it.
    pub(super) fn joined(&mut self, run: &Run, event: &Event, wait: &Wait) {
        let threads = self.threads.len() as u32;
        let Some((point, is_over)) = self.joins.leave(event.thread, threads) else {
            return self.pass(run, event, wait, wait.at);
        };
        let has_waited = point.thread != event.thread && point.at >= wait.at;
        let mut from = wait.at;
        if has_waited && point.length > wait.length {
            self.follow(event.thread, &point);
        }
        if has_waited {
            from = point.at.min(event.time);
        }
        if is_over {
            self.tree.release(point.node);
        }
        self.pass(run, event, wait, from);
    }
}
