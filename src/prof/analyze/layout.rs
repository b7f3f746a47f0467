//! Which block size suits the accesses to a shared array: they are counted by thread and element.

use super::super::model::{Object, Shared};

/// The number of parts of an array in which accesses are counted, at most.
const PARTS: u64 = 4096;

/// The accesses to an array.
pub(in crate::prof) struct Layout {
    pub(in crate::prof) elements: u64,
    /// Elements of a block now.
    pub(in crate::prof) block: u64,
    elem_bytes: u64,
    /// Elements of a part.
    pub(in crate::prof) width: u64,
    threads: u64,
    /// By thread and part.
    pub(in crate::prof) counts: Vec<Vec<u64>>,
    pub(in crate::prof) local: u64,
    pub(in crate::prof) remote: u64,
}

/// A block size and the share of accesses that are then local.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(in crate::prof) struct Better {
    pub(in crate::prof) block: u64,
    pub(in crate::prof) local: f64,
}

impl Layout {
    /// `None`: an object that has no blocks to choose, as a scalar.
    pub(in crate::prof) fn new(object: &Object, threads: u32) -> Option<Layout> {
        let elem_bytes = object.elem_bytes;
        let block = object.block_bytes.checked_div(elem_bytes)?;
        let elements = object.blocks.checked_mul(block)?;
        let is_array = block > 0 && elements > u64::from(threads) && threads > 1;
        is_array.then(|| Layout {
            elements,
            block,
            elem_bytes,
            width: elements.div_ceil(PARTS),
            threads: threads.into(),
            counts: vec![Vec::new(); threads as usize],
            local: 0,
            remote: 0,
        })
    }

    /// Returns the number of the element at a place.
    pub(in crate::prof) fn element(&self, object: &Object, place: Shared) -> Option<u64> {
        let at = place.addr.checked_sub(object.addr)? / self.elem_bytes;
        let block = (at / self.block) * self.threads + u64::from(place.thread);
        let element = block * self.block + at % self.block;
        (element < self.elements).then_some(element)
    }

    /// Counts accesses of a thread to an element.
    pub(in crate::prof) fn count(
        &mut self,
        thread: u32,
        element: u64,
        accesses: u64,
        is_local: bool,
    ) {
        let Some(counts) = self.counts.get_mut(thread as usize) else {
            return;
        };
        let part = (element / self.width) as usize;
        if counts.len() <= part {
            counts.resize(part + 1, 0);
        }
        counts[part] += accesses;
        match is_local {
            true => self.local += accesses,
            false => self.remote += accesses,
        }
    }

    /// Returns the block size with the most local accesses, the largest of equals.
    pub(in crate::prof) fn best(&self) -> Option<Better> {
        let each = self.elements.div_ceil(self.threads);
        let powers = (0..63).map(|shift| 1u64 << shift);
        let powers = powers.take_while(|block| *block < each);
        let sizes = powers.chain([each]);
        let rated = sizes.map(|block| Better {
            block,
            local: self.local_with(block),
        });
        rated.max_by(|a, b| a.local.total_cmp(&b.local).then(a.block.cmp(&b.block)))
    }

    /// The share of the accesses that are local with blocks of this size. Of a part with several blocks, the threads
    /// share the accesses.
    pub(in crate::prof) fn local_with(&self, block: u64) -> f64 {
        let (mut local, mut all) = (0.0, 0.0);
        for (thread, counts) in self.counts.iter().enumerate() {
            for (part, &count) in counts.iter().enumerate() {
                let (count, first) = (count as f64, part as u64 * self.width);
                all += count;
                if self.width > block {
                    local += count / self.threads as f64;
                } else if (first / block) % self.threads == thread as u64 {
                    local += count;
                }
            }
        }
        if all == 0.0 { 0.0 } else { local / all }
    }
}
