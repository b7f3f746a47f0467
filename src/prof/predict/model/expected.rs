//! What the runtime fetches when a synchronization phase begins, because it has read it in such phases before
//! (`runtime-c/src/cache/phases.c`): strips and lines of the cache, all at the same time.

use super::super::lines::Cache;
use super::super::shape::{EXPECTED, PHASES};
use super::super::work::Cause;
use super::Model;
use crate::references::Transfer;

impl Model<'_> {
    /// The messages that are sent at the same time as those of this row, these included: all of its loop in a phase.
    pub(super) fn at_once(&self, at: usize, later: bool) -> Result<f64, String> {
        // Without a cache, nothing is expected.
        let Some(cache) = self.costs(later).cache() else {
            return Ok(1.0);
        };
        let row = &self.work.rows[at];
        let phase = self.shape_of(at, row, later)?.phase;
        let is_repeated = phase > 0.0 && self.count_of(at, row, later)? / phase >= PHASES;
        if !is_repeated || self.fetches(at, cache, later)? == 0.0 {
            return Ok(1.0);
        }
        let mut all = 0.0;
        for (at, other) in self.work.rows.iter().enumerate() {
            let is_beside =
                other.place.file == row.place.file && other.loop_line() == row.loop_line();
            if is_beside {
                all += self.fetches(at, cache, later)?;
            }
        }
        Ok(if all <= EXPECTED { all.max(1.0) } else { 1.0 })
    }

    /// The messages that bring what a row reads in a phase: its strips, or the lines of elements that it reads one by one.
    fn fetches(&self, at: usize, cache: Cache, later: bool) -> Result<f64, String> {
        let (row, costs) = (&self.work.rows[at], self.costs(later));
        if row.cause != Cause::Read || costs.has_come(row) {
            return Ok(0.0);
        }
        let shape = self.shape_with_hits(at, row, later)?;
        Ok(match costs.transfer(row).1 {
            Transfer::Strip => shape.strips(Some(cache)).0 * shape.phase,
            Transfer::Single if shape.step.is_some() => {
                costs.misses(row, cache, &shape) * shape.phase
            }
            _ => 0.0,
        })
    }
}
