//! `upcprof analyze`: why a program is slow. One pass over the events of a trace feeds three observers, and each of
//! them says what it has found.
//!
//! ```text
//! Recording -> events, spans -> phases::Phases, locks::Locks, accesses::Accesses -> Vec<Finding> -> text, JSON
//! ```
//!
//! | observer | sees | finds |
//! |---|---|---|
//! | `phases` | when threads reach and leave barriers, and what they did before | late threads, load imbalance, barriers without work |
//! | `locks` | who waits for a lock, and who holds it meanwhile | contended locks, serialised critical sections |
//! | `accesses` | single gets and puts of shared objects | neighbouring elements one by one, one owner for all, block sizes that do not fit |
//!
//! A finding's cost is thread time: what all threads together would save if its cause vanished and nothing else
//! changed. A barrier is not blamed for the time that another finding explains. Times are those of the trace, without what recording a pair adds.

mod accesses;
mod finding;
pub(in crate::prof) mod layout;
mod locks;
mod phases;
mod print;
#[cfg(test)]
mod tests;

pub use finding::{Finding, KINDS, Kind, kind_named};
pub use print::{LEAST_SHARE, explain, json, share, text};

use super::limits::{Shown, limits};
use super::model::{Recording, SiteId, Thread};
use super::pairs::{Found, Pairs};
use hashbrown::HashMap;

/// What the observers know of the run.
pub(super) struct Run<'r> {
    pub(super) recording: &'r dyn Recording,
    /// THREADS.
    pub(super) threads: u32,
    /// The time of all threads in nanoseconds.
    pub(super) whole: u64,
}

impl Run<'_> {
    /// The place as `file:line`.
    pub(super) fn place(&self, site: SiteId) -> String {
        let tables = self.recording.tables();
        match tables.site(site) {
            Some(site) if site.line > 0 => format!("{}:{}", tables.text(site.file), site.line),
            Some(site) => tables.text(site.file).to_owned(),
            None => "the end of the program".to_owned(),
        }
    }

    /// The nanoseconds that recording a pair adds to it on this thread.
    pub(super) fn pair_cost(&self, thread: u32) -> u64 {
        let thread = self.recording.threads().get(thread as usize);
        thread.map_or(0, |thread| thread.pair_cost)
    }
}

/// Returns the key with the most time; the larger of equals, so that the result does not depend on the map's order.
fn most<K: Copy + Ord>(times: &HashMap<K, u64>) -> Option<(K, u64)> {
    let times = times.iter().map(|(&key, &time)| (key, time));
    times.max_by_key(|&(key, time)| (time, key))
}

/// Returns a part in percent, as text.
fn percent(part: u64, whole: u64) -> String {
    format!("{:.0} %", part as f64 * 100.0 / whole.max(1) as f64)
}

/// What was found in a recording.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// The findings, the costliest first.
    pub findings: Vec<Finding>,
    /// The time of all threads in nanoseconds, of which costs are parts.
    pub whole: u64,
    /// What the recording lacks, in sentences.
    pub incomplete: Vec<String>,
}

/// Analyses the events of a recording. Memory grows with the number of places, locks and objects, and not with the
/// number of events.
pub fn analyze(of: &dyn Recording) -> Analysis {
    let whole = of.threads().iter().map(Thread::time);
    let run = Run {
        recording: of,
        threads: of.facts().threads,
        whole: whole.fold(0, u64::saturating_add),
    };
    let mut phases = phases::Phases::new(&run);
    let mut locks = locks::Locks::default();
    let mut accesses = accesses::Accesses::new(&run);
    let mut pairs = Pairs::new(of.tables());
    let mut events = of.merged();
    while let Some(event) = events.next() {
        // Other pthreads of a thread neither pass barriers nor hold locks.
        let is_first = event.pthread == 0;
        if is_first {
            locks.event(of.tables().kind(event.kind), event);
        }
        pairs.feed(event, |found| {
            if let Found::Span(span) = found {
                if is_first {
                    phases.span(&run, &span);
                }
                accesses.span(&run, &span);
            }
        });
    }
    let mut findings = locks.findings(&run);
    findings.extend(accesses.findings(&run));
    let explained = findings.iter().map(|finding| finding.site).collect();
    findings.extend(phases.findings(&run, &explained));
    findings.retain(|finding| finding.cost > 0);
    findings.sort_by(|a, b| (b.cost, a.kind, a.site).cmp(&(a.cost, b.kind, b.site)));
    Analysis {
        findings,
        whole: run.whole,
        incomplete: limits(of, Shown::Trace),
    }
}
