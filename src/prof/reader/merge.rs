//! Merges the events of several threads by time.

use super::stream::Stream;
use crate::prof::model::{Event, Events};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Merges streams: the one with the earliest event comes first.
pub struct Merged<'f> {
    streams: Vec<Stream<'f>>,
    /// The time of the current event and the index of each stream except the one being lent.
    heap: BinaryHeap<Reverse<(u64, usize)>>,
    lent: Option<usize>,
}

impl<'f> Merged<'f> {
    /// Merges streams given in the order of their threads.
    pub fn new(mut streams: Vec<Stream<'f>>) -> Merged<'f> {
        let mut heap = BinaryHeap::new();
        for (index, stream) in streams.iter_mut().enumerate() {
            if stream.advance() {
                heap.push(Reverse((stream.current().time, index)));
            }
        }
        Merged {
            streams,
            heap,
            lent: None,
        }
    }
}

impl Events for Merged<'_> {
    fn next(&mut self) -> Option<&Event> {
        if let Some(index) = self.lent.take() {
            let stream = &mut self.streams[index];
            if stream.advance() {
                let at = (stream.current().time, index);
                // Usually the same thread continues, and no sorting is necessary.
                if self.heap.peek().is_none_or(|Reverse(first)| at < *first) {
                    self.lent = Some(index);
                    return Some(self.streams[index].current());
                }
                self.heap.push(Reverse(at));
            }
        }
        let Reverse((_, index)) = self.heap.pop()?;
        self.lent = Some(index);
        Some(self.streams[index].current())
    }
}
