//! Strips that the runtime fetches when a synchronization phase begins, because it has read them in such phases before
//! (`runtime-c/src/cache/phases.c`): all at the same time.

use super::super::shape::{EXPECTED, PHASES};
use super::super::work::{Cause, Row};
use super::Model;
use crate::references::Transfer;

impl Model<'_> {
    /// The strips that are fetched at the same time as those of this row, these included: all of its loop in a phase.
    pub(super) fn at_once(&self, at: usize, later: bool) -> Result<f64, String> {
        // Without a cache, nothing is expected.
        let Some(cache) = self.costs(later).cache() else {
            return Ok(1.0);
        };
        let row = &self.work.rows[at];
        let phase = self.shape_of(at, row, later)?.phase;
        let is_repeated = phase > 0.0 && self.count_of(at, row, later)? / phase >= PHASES;
        if !is_repeated || !self.fetches(row, later) {
            return Ok(1.0);
        }
        let loop_of = |row: &Row| row.known.as_ref().map(|it| it.loop_line);
        let mut all = 0.0;
        for (at, other) in self.work.rows.iter().enumerate() {
            let is_beside = other.place.file == row.place.file && loop_of(other) == loop_of(row);
            if is_beside && self.fetches(other, later) {
                let shape = self.shape_of(at, other, later)?;
                all += shape.strips(Some(cache)).0 * shape.phase;
            }
        }
        Ok(if all <= EXPECTED { all.max(1.0) } else { 1.0 })
    }

    /// The row reads strips, with messages of their own.
    fn fetches(&self, row: &Row, later: bool) -> bool {
        let costs = self.costs(later);
        let is_strip = row.cause == Cause::Read && costs.transfer(row).1 == Transfer::Strip;
        is_strip && !costs.has_come(row)
    }
}
