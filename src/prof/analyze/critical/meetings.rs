//! Barriers, and collective calls in which all wait for all: all continue the path of the last thread that arrives.

use super::super::super::model::{Event, SiteId};
use super::super::Run;
use super::path::Cause;
use super::tree::Tree;
use super::{Paths, Point, Wait};

/// Threads on their way to a barrier.
#[derive(Default)]
pub(super) struct Meeting {
    arrived: u32,
    left: u32,
    last: Option<(Point, SiteId)>,
    /// The lengths of the paths: of the last but one, and the sum.
    second: u64,
    sum: u64,
    /// When the last thread arrived.
    at: u64,
}

impl Paths {
    /// A thread comes to a barrier.
    pub(super) fn arrive(&mut self, event: &Event) {
        let current = self.current(event);
        let (number, length, at) = (current.barriers, current.length, current.at);
        let last = self.meetings.get(&number).and_then(|it| it.last.as_ref());
        let before = last.map_or(0, |(point, _)| point.length);
        let point = (last.is_none() || length > before).then(|| self.point(event.thread));
        let threads = self.threads.len() as u64;
        let meeting = self.meetings.entry(number).or_default();
        meeting.arrived += 1;
        meeting.sum += length;
        meeting.at = meeting.at.max(at);
        meeting.second = meeting.second.max(length.min(before));
        let Some(point) = point else {
            return meeting.complete(&mut self.tree, threads);
        };
        if let Some((before, _)) = meeting.last.replace((point, event.site)) {
            self.tree.release(before.node);
        }
        meeting.complete(&mut self.tree, threads);
    }

    /// A thread goes on from a barrier.
    pub(super) fn leave(&mut self, run: &Run, event: &Event, wait: Option<Wait>) {
        let threads = self.threads.len() as u32;
        let current = self.current(event);
        let number = current.barriers;
        current.barriers += 1;
        let Some(mut meeting) = self.meetings.remove(&number) else {
            return;
        };
        meeting.left += 1;
        let from = meeting.at;
        if let (Some((last, _)), Some(wait)) = (&meeting.last, wait) {
            // With lost events, or clocks that differ, the last one may not be known.
            if meeting.arrived == threads
                && last.thread != event.thread
                && last.length > wait.length
            {
                self.follow(event.thread, last);
                self.current(event).leg = from.min(event.time);
            }
            self.pass(run, event, &wait, wait.at.max(from));
        }
        match meeting.last {
            Some((last, _)) if meeting.left == threads => self.tree.release(last.node),
            _ => {
                self.meetings.insert(number, meeting);
            }
        }
    }
}

impl Meeting {
    /// If all have arrived, charges the last one with what the path has of its lateness.
    fn complete(&mut self, tree: &mut Tree, threads: u64) {
        if u64::from(self.arrived) != threads {
            return;
        }
        if let Some((last, site)) = &self.last {
            let causes = &mut tree.sums(last.node).causes;
            let mut charge = |cause, from: u64| {
                let time = last.length.saturating_sub(from).min(last.piece);
                *causes.entry(cause).or_default() += time;
            };
            charge(Cause::Late(*site), self.second);
            charge(Cause::Imbalance(*site), self.sum / threads);
        }
    }
}
