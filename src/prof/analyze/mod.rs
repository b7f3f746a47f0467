//! `upcprof analyze`: why a program is slow. One pass over the events of a trace feeds observers, and each of
//! them says what it has found.
//!
//! ```text
//! Recording -> events, spans -> phases::Phases, locks::Locks, accesses::Accesses, shares::Shares -> Analysis -> text, JSON
//! ```
//!
//! | observer | sees | finds |
//! |---|---|---|
//! | `phases` | when threads reach and leave barriers, and what they did before | late threads, load imbalance, barriers without work (what these cost: `removal`) |
//! | `locks` | who waits for a lock, and who holds it meanwhile | contended locks, serialised critical sections |
//! | `shares` | all events | where the time went, also by category (`categories`); `clusters`: which threads behave alike |
//! | `operations` | operations that do not wait for others | those slower than the baseline, or than most of their place |
//! | `semaphores` | who waits for a semaphore, and who posts it when | semaphores that are posted late |
//! | `busy` | what the owner of memory does while others access it | nothing of its own: evidence for `operations` |
//! | `files` | calls that move bytes of files | many calls with few bytes each |
//! | `counters` | what was counted with each event | nothing of its own: evidence for all |
//! | `critical` | who waits for whom | nothing of its own: the path that made the run as long as it is |
//! | `accesses` | single gets and puts of shared objects | neighbouring elements one by one, one owner for all, block sizes that do not fit |
//!
//! A finding's cost is thread time: what all threads together would save if its cause vanished and nothing else
//! changed, if each thread had a processor. A barrier is not blamed for the time that another finding explains. Times
//! are those of the trace, without what recording a pair adds.

mod accesses;
mod busy;
mod categories;
mod clusters;
mod counters;
mod critical;
mod crowded;
mod delays;
mod explained;
mod files;
mod finding;
pub(in crate::prof) mod layout;
mod locks;
mod meets;
mod operations;
mod phases;
mod print;
mod removal;
pub(in crate::prof) mod semaphores;
mod shares;
#[cfg(test)]
mod tests;

pub use categories::{Category, OfCategory};
pub use clusters::{Cluster, ranges};
pub use critical::{CriticalPath, Leg};
pub use explained::Delay;
pub use finding::{Finding, KINDS, Kind, kind_named};
pub use print::{LEAST_SHARE, critical_share, explain, json, share, text};
pub use shares::{Part, Spent};

use super::baseline::Baseline;
use super::export::label;
use super::limits::{Shown, limits};
use super::loops::Enclosing;
use super::model::{KindId, Recording, SiteId, Tables, Thread};
use super::pairs::{Found, Pairs, Span};
use super::ratios::Ratio;
use hashbrown::HashMap;

/// What the observers know of the run.
pub(super) struct Run<'r> {
    pub(super) recording: &'r dyn Recording,
    /// THREADS.
    pub(super) threads: u32,
}

impl Run<'_> {
    /// The place as `file:line`, and with its column where the line has several accesses.
    pub(super) fn place(&self, site: SiteId) -> String {
        let tables = self.recording.tables();
        let column = match tables.column(site) {
            Some(column) => format!(":{column}"),
            None => String::new(),
        };
        match tables.site(site) {
            Some(site) if site.line > 0 => {
                format!("{}:{}{column}", tables.text(site.file), site.line)
            }
            Some(site) => tables.text(site.file).to_owned(),
            None => "the end of the program".to_owned(),
        }
    }

    /// An event and its place, in UPC's terms.
    pub(super) fn event_at(&self, kind: KindId, site: SiteId) -> String {
        let name = label(self.recording.tables(), kind, site);
        format!("{name} at {}", self.place(site))
    }

    /// The nanoseconds of a span, without the pairs inside, in which the thread did not go on and did not wait for
    /// others.
    pub(super) fn delayed(&self, span: &Span) -> u64 {
        match self.recording.tables().kind(span.kind).waits() {
            true => 0,
            false => span.delayed,
        }
    }

    /// The nanoseconds of a span without those of the pairs inside, of recording it, of writing events, and of waiting for
    /// a processor.
    pub(super) fn net(&self, span: &Span) -> u64 {
        let taken = self
            .pair_cost(span.thread)
            .saturating_add(self.delayed(span));
        span.own.saturating_sub(taken)
    }

    /// The nanoseconds that recording a pair adds to it on this thread.
    pub(super) fn pair_cost(&self, thread: u32) -> u64 {
        let thread = self.recording.threads().get(thread as usize);
        thread.map_or(0, |thread| thread.pair_cost)
    }
}

/// Says which loop of the user is around a place: the innermost one.
pub fn loop_around(tables: &Tables, site: SiteId) -> Option<String> {
    let around = Enclosing::new(tables).around(site);
    let of = around.last()?;
    let first = tables.site(of.first)?.line;
    let name = &tables.kind(of.kind).name;
    Some(match of.last.0 {
        last if last == first => format!("in the {name} of line {first}"),
        last => format!("in the {name} of lines {first} to {last}"),
    })
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
    /// The time of which costs are parts: that of all threads in nanoseconds, if each had a processor and events were
    /// not recorded.
    pub whole: u64,
    /// The time of all threads in nanoseconds.
    pub time: u64,
    /// The part of it in which threads were ready to run and had no processor; 0 if it was not recorded.
    pub delayed: u64,
    /// The waiting at barriers that may be a lack of processors as well: no finding has it.
    pub unclear: u64,
    /// Where the time went: parts of `time`, the largest first.
    pub spent: Vec<Spent>,
    /// The same by category.
    pub categories: Vec<OfCategory>,
    /// What made the run as long as it is.
    pub critical: CriticalPath,
    /// Threads that behave alike, the largest cluster first.
    pub clusters: Vec<Cluster>,
    /// What the recording lacks, in sentences.
    pub incomplete: Vec<String>,
}

/// Analyses the events of a recording. Memory grows with the number of places, locks and objects, and not with the
/// number of events.
///
/// baseline: what operations cost on the platform of the run.
pub fn analyze(of: &dyn Recording, baseline: Option<&Baseline>) -> Analysis {
    analyze_with(of, baseline, &[])
}

/// As [`analyze`], and each finding says what these ratios are at its place.
pub fn analyze_with(of: &dyn Recording, baseline: Option<&Baseline>, ratios: &[Ratio]) -> Analysis {
    let run = Run {
        recording: of,
        threads: of.facts().threads,
    };
    let mut shares = shares::Shares::default();
    let mut phases = phases::Phases::new(&run);
    let mut locks = locks::Locks::default();
    let mut semaphores = semaphores::Semaphores::default();
    let mut accesses = accesses::Accesses::new(&run);
    let mut files = files::Files::default();
    let mut paths = critical::Paths::new(of);
    let mut operations = operations::Operations::new(baseline);
    let mut owners = busy::Owners::default();
    let mut counters = counters::Counters::new(of, ratios);
    let mut pairs = Pairs::new(of.tables());
    let mut events = of.merged();
    while let Some(event) = events.next() {
        // The first pthread of a thread is taken to be the one that passes barriers. Any may hold locks, one at a time.
        let (is_first, pthread) = (event.pthread == 0, event.pthread);
        let kind = of.tables().kind(event.kind);
        let stretched = locks.event(kind, event) + semaphores.event(kind, event);
        paths.event(&run, event);
        owners.event(kind, event);
        counters.event(kind, event);
        files.event(kind, event);
        if is_first {
            phases.stretch(event.thread, stretched);
            phases.event(&run, event);
        }
        shares.event(kind, event);
        pairs.feed(event, |found| {
            if let Found::Span(span) = found {
                if is_first {
                    phases.span(&run, &span);
                }
                semaphores.span(&run, pthread, &span);
                accesses.span(&run, &span);
                files.span(&run, &span);
                operations.span(&run, &span, owners.during());
                shares.span(&run, &span);
                counters.span(&span, run.net(&span));
            }
        });
    }
    for thread in of.threads() {
        pairs.finish(thread, |found| {
            if let Found::Span(span) = found {
                shares.span(&run, &span);
            }
        });
    }
    phases.finish();
    let times = of.threads().iter().map(Thread::time);
    let time = times.fold(0, u64::saturating_add);
    let delayed = shares.delayed.saturating_sub(phases.before).min(time);
    let written = shares.written.min(delayed);
    let lost = std::mem::take(&mut locks.stretched);
    let stretched = phases.stretched + lost.values().sum::<u64>() + semaphores.stretched;
    let stretched = match of.facts().has_processor {
        true => stretched.min(time - delayed),
        false => 0,
    };
    let unclear = phases.unclear;
    let longer = phases.longer.saturating_add(semaphores.longer);
    let whole = (time - delayed - stretched).saturating_add(longer);
    let whole = whole.saturating_sub(shares.recording());
    let mut findings = locks.findings(&run);
    findings.extend(semaphores.findings(&run));
    findings.extend(accesses.findings(&run));
    findings.extend(files.findings(&run));
    operations::add(&mut findings, operations.findings(&run));
    let spent = shares.by_site(&lost);
    let explained = explained::Explained::new(&findings, &spent);
    let (waiting, caused) = phases.findings(&run, &explained);
    for (number, caused) in &caused {
        findings[*number].add_waiting(&run, caused);
    }
    findings.extend(waiting);
    for finding in &mut findings {
        let remark = run.recording.tables().remark(finding.site);
        let remark = remark.map(|text| format!("compiled without --inst: {text}"));
        finding.why.extend(remark);
        counters.explain(finding);
    }
    findings.retain(|finding| finding.cost > 0);
    findings.sort_by(|a, b| (b.cost, a.kind, a.site).cmp(&(a.cost, b.kind, b.site)));
    // What recording adds to the ways of threads to a barrier is in the cost of waiting there.
    let whole = whole.max(findings.first().map_or(0, |finding| finding.cost));
    let clusters = clusters::clusters(of, &shares);
    let spent = shares.parts(time);
    Analysis {
        findings,
        whole,
        time,
        delayed: delayed - written,
        unclear,
        critical: paths.finish(&run),
        clusters,
        categories: categories::categories(of.tables(), &spent),
        spent,
        incomplete: limits(of, Shown::Trace),
    }
}
