//! The costs that the sections share: counts, bytes and own times of a profile by thread, path and peer, in the page's
//! paths. All sections but the timeline add up these rows, so their sums agree, and are those of `upcprof profile`.

use super::paths::{OUTSIDE, Path, Paths};
use crate::prof::estimate::Estimate;
use crate::prof::model::Recording;

/// A cell of the profile.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// The thread.
    pub thread: u32,
    /// The path.
    pub path: Path,
    /// The thread whose memory or lock it used.
    pub peer: Option<u32>,
    /// Nanoseconds without those of events inside.
    pub own: u64,
    /// The number of events.
    pub count: u64,
    /// Bytes.
    pub bytes: u64,
    /// By how much each counter has grown, without events inside; empty if there is none.
    pub counted: Vec<u64>,
}

/// The costs of a run.
#[derive(Clone, Debug, Default)]
pub struct Costs {
    /// THREADS.
    pub threads: u32,
    /// The cells, and the time outside of all events of each thread.
    pub rows: Vec<Row>,
}

impl Costs {
    /// Returns the costs of an estimate.
    pub fn new(of: &dyn Recording, estimate: &Estimate, paths: &mut Paths) -> Costs {
        let pages = paths.of_profile(&estimate.profile);
        let outside = estimate.outside.iter().zip(0..);
        let outside = outside.map(|(&own, thread)| Row {
            thread,
            path: OUTSIDE,
            peer: None,
            own,
            count: 0,
            bytes: 0,
            counted: Vec::new(),
        });
        let threads = of.threads().len() as u32;
        let cells = estimate.profile.cells.iter().map(|(key, cell)| Row {
            thread: key.thread,
            path: pages.get(key.path.0 as usize).copied().unwrap_or(OUTSIDE),
            // A damaged file may name a thread that the run does not have.
            peer: key.peer.filter(|peer| *peer < threads),
            own: cell.own,
            count: cell.count,
            bytes: cell.bytes,
            counted: cell.counters.iter().map(|(_, own)| *own).collect(),
        });
        Costs {
            threads,
            rows: outside.chain(cells).collect(),
        }
    }
}
