//! Operations that take longer than they have to: than the same operation takes on this platform when it waits for
//! nothing (baseline filter), or than most of the same place take (deviation filter).

use super::super::baseline::{self, Baseline, Operation};
use super::super::model::{KindId, SiteId};
use super::super::pairs::Span;
use super::super::table::time;
use super::explained::Delay;
use super::finding::{Finding, Kind};
use super::{Run, most, percent};
use hashbrown::HashMap;
use std::collections::BTreeMap;

/// Fewer operations of a place are no pattern.
const FEW: u64 = 16;
/// An operation is slow if it takes this many times its baseline, and this many nanoseconds more: less is how far memory
/// is from a processor.
const RATIO: u64 = 3;
const EXTRA: u64 = 200;
/// An operation is an outlier if it takes this many times what most take, and this many nanoseconds more.
const OUTLIER_RATIO: u64 = 4;
const OUTLIER_EXTRA: u64 = 10_000;
/// The share of slow time, in percent, that makes one thread its cause.
const MOSTLY: u64 = 80;

/// The share of the time of slow operations in which the owner of the memory computes, from which on that is evidence.
const BUSY: f64 = 0.5;
/// And by how much that is more than in the other operations.
const MORE: f64 = 0.2;
/// What is shorter than this many nanoseconds on average is no message.
const MESSAGE: u64 = 1_000;

/// Operations of one size at a place. Sizes are combined by powers of two.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Which {
    site: SiteId,
    kind: KindId,
    remote: Option<bool>,
    size: u32,
}

/// Their times.
#[derive(Default)]
struct Times {
    number: u64,
    time: u64,
    bytes: u64,
    /// The sum of the costs that the baseline has for them; `None`: it does not have all.
    expected: Option<u64>,
    by: HashMap<By, Sums>,
}

/// What the times of a place are divided by.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct By {
    /// The power of two of the time.
    class: u32,
    thread: u32,
    peer: Option<u32>,
}

/// The sums of some operations.
#[derive(Clone, Copy, Default)]
struct Sums {
    number: u64,
    time: u64,
    /// The part of the time in which the owner of the memory computes.
    busy: u64,
}

impl Sums {
    fn add(&mut self, other: &Sums) {
        self.number = self.number.saturating_add(other.number);
        self.time = self.time.saturating_add(other.time);
        self.busy = self.busy.saturating_add(other.busy);
    }
}

/// The operations of the run.
pub(super) struct Operations<'b> {
    baseline: Option<&'b Baseline>,
    times: HashMap<Which, Times>,
    /// The costs looked up so far.
    costs: HashMap<(KindId, Option<bool>, u64), Option<u64>>,
}

fn power(number: u64) -> u32 {
    u64::BITS - number.leading_zeros()
}

impl<'b> Operations<'b> {
    pub(super) fn new(baseline: Option<&'b Baseline>) -> Operations<'b> {
        Operations {
            baseline,
            times: HashMap::new(),
            costs: HashMap::new(),
        }
    }

    /// Takes a span of any thread. What waits for other threads has findings of its own. `busy`: for how long the owner of
    /// the memory computed meanwhile.
    pub(super) fn span(&mut self, run: &Run, span: &Span, busy: Option<u64>) {
        let kind = run.recording.tables().kind(span.kind);
        if kind.waits() || !baseline::is_operation(kind, span) {
            return;
        }
        let remote = span.peer.map(|peer| peer != span.thread);
        let which = Which {
            site: span.site,
            kind: span.kind,
            remote,
            size: power(span.bytes),
        };
        let cost = self.baseline.and_then(|baseline| {
            let key = (span.kind, remote, span.bytes);
            let cost = self.costs.entry(key);
            *cost.or_insert_with(|| baseline.cost(&Operation::new(kind, span)))
        });
        let time = run.net(span);
        let times = self.times.entry(which).or_insert_with(|| Times {
            expected: Some(0),
            ..Times::default()
        });
        let all = time.saturating_mul(span.weight);
        let add = |sum: &mut u64, more: u64| *sum = sum.saturating_add(more);
        add(&mut times.number, span.weight);
        add(&mut times.time, all);
        add(&mut times.bytes, span.bytes.saturating_mul(span.weight));
        let expected = times.expected.zip(cost);
        times.expected =
            expected.map(|(sum, cost)| sum.saturating_add(cost.saturating_mul(span.weight)));
        let by = By {
            class: power(time),
            thread: span.thread,
            peer: span.peer,
        };
        let busy = busy.unwrap_or(0).min(time);
        times.by.entry(by).or_default().add(&Sums {
            number: span.weight,
            time: all,
            busy: busy.saturating_mul(span.weight),
        });
    }

    /// Returns what was found.
    pub(super) fn findings(self, run: &Run) -> Vec<Finding> {
        let mut all: Vec<_> = self.times.into_iter().collect();
        all.sort_by_key(|(which, _)| *which);
        let has_processor = run.recording.facts().has_processor;
        let of = |(which, times): &(Which, Times)| match times.expected {
            _ if times.number < FEW => None,
            Some(expected) => times.slow(run, which, expected),
            // A thread that lost its processor is no slow operation.
            None => has_processor.then(|| times.outliers(run, which)).flatten(),
        };
        all.iter().filter_map(of).collect()
    }
}

/// Adds findings of places that no other finding explains: what makes an operation slow may have a finding already.
pub(super) fn add(findings: &mut Vec<Finding>, slow: Vec<Finding>) {
    for finding in slow {
        if !findings.iter().any(|other| other.site == finding.site) {
            findings.push(finding);
        }
    }
}

impl Times {
    /// Compares with the baseline.
    fn slow(&self, run: &Run, which: &Which, expected: u64) -> Option<Finding> {
        let (mean, least) = (self.time / self.number, expected / self.number);
        if mean < least.saturating_mul(RATIO) || mean < least + EXTRA {
            return None;
        }
        let why = format!(
            "{} times{} it takes {} on average; on this platform it takes {} when it waits for nothing (upcprof calibrate)",
            self.number,
            self.size(),
            time(mean),
            time(least)
        );
        Some(self.finding(
            run,
            which,
            Kind::SlowOperation,
            self.time - expected,
            (0, why),
        ))
    }

    /// Compares with most operations of the same place.
    fn outliers(&self, run: &Run, which: &Which) -> Option<Finding> {
        let classes = self.classes();
        let (typical, class) = self.typical(&classes)?;
        let least = typical
            .saturating_mul(OUTLIER_RATIO)
            .max(typical + OUTLIER_EXTRA);
        // The first class whose times are all that long.
        let first = (power(least.saturating_sub(1)) + 1).max(class + 1);
        let slow = classes.range(first..);
        let (number, slow_time) =
            slow.fold((0, 0), |sum, (_, of)| (sum.0 + of.number, sum.1 + of.time));
        let cost = slow_time.saturating_sub(number * typical);
        let mean = slow_time.checked_div(number)?;
        let why = format!(
            "{number} of {} times{} it takes {} on average, and otherwise {}",
            self.number,
            self.size(),
            time(mean),
            time(typical)
        );
        let finding = self.finding(run, which, Kind::VaryingOperation, cost, (first, why));
        Some(Finding {
            delays: self.delays(which.site, first, typical),
            ..finding
        })
    }

    /// What each thread loses in operations from a class on, beyond the typical time of an operation.
    fn delays(&self, site: SiteId, from: u32, typical: u64) -> Vec<Delay> {
        let mut lost: BTreeMap<u32, u64> = BTreeMap::new();
        for (by, sums) in self.by.iter().filter(|(by, _)| by.class >= from) {
            *lost.entry(by.thread).or_default() += sums.time.saturating_sub(sums.number * typical);
        }
        let of = |(thread, time)| Delay {
            site,
            thread: Some(thread),
            time,
        };
        lost.into_iter().map(of).collect()
    }

    /// The operations of each class.
    fn classes(&self) -> BTreeMap<u32, Sums> {
        let mut classes: BTreeMap<u32, Sums> = BTreeMap::new();
        for (by, sums) in &self.by {
            classes.entry(by.class).or_default().add(sums);
        }
        classes
    }

    /// Says that the owners of the memory compute while others wait for them, if they do so in the slow operations and
    /// less in the others. `from`: the first class of slow ones.
    fn busy_owners(&self, from: u32) -> Option<String> {
        let (mut slow, mut others) = (Sums::default(), Sums::default());
        for (class, sums) in self.classes() {
            let of = if class >= from {
                &mut slow
            } else {
                &mut others
            };
            of.add(&sums);
        }
        let part = |of: &Sums| of.busy as f64 / of.time.max(1) as f64;
        let is_more = others.number == 0 || part(&slow) >= part(&others) + MORE;
        let is_cause = part(&slow) >= BUSY && is_more;
        let otherwise = match others.number {
            0 => String::new(),
            _ => format!(
                ", and in {} of the others",
                percent(others.busy, others.time)
            ),
        };
        is_cause.then(|| {
            format!(
                "the target is busy: in {} of this time the owner of the memory computes{otherwise}",
                percent(slow.busy, slow.time)
            )
        })
    }

    /// The mean time of the class in the middle of all operations, and the class.
    fn typical(&self, classes: &BTreeMap<u32, Sums>) -> Option<(u64, u32)> {
        let mut before = 0;
        for (class, of) in classes {
            before += of.number;
            if before * 2 >= self.number {
                return Some((of.time / of.number, *class));
            }
        }
        None
    }

    /// True if the slow operations take so long that they are messages.
    fn is_message(&self, from: u32) -> bool {
        let slow = self.by.iter().filter(|(by, _)| by.class >= from);
        let sums = slow.fold(Sums::default(), |mut sums, (_, of)| {
            sums.add(of);
            sums
        });
        sums.time >= sums.number.saturating_mul(MESSAGE)
    }

    fn size(&self) -> String {
        match self.bytes / self.number {
            0 => String::new(),
            bytes => format!(" with {bytes} bytes"),
        }
    }

    /// `from`: the first class of slow operations, and what says that they are.
    fn finding(
        &self,
        run: &Run,
        which: &Which,
        kind: Kind,
        cost: u64,
        (from, reason): (u32, String),
    ) -> Finding {
        let of = |thread: fn(&By) -> Option<u32>| {
            let mut sums: HashMap<u32, u64> = HashMap::new();
            let slow = self.by.iter().filter(|(by, _)| by.class >= from);
            for (thread, of) in slow.filter_map(|(by, of)| Some((thread(by)?, *of))) {
                *sums.entry(thread).or_default() += of.time;
            }
            let all: u64 = sums.values().sum();
            let largest = most(&sums).filter(|(_, time)| time * 100 >= all * MOSTLY);
            largest.map(|(thread, time)| (thread, percent(time, all)))
        };
        let (by_thread, by_peer) = (of(|by| Some(by.thread)), of(|by| by.peer));
        let mut why = vec![reason];
        if let Some((thread, share)) = &by_thread {
            why.push(format!("{share} of this time is that of thread {thread}"));
        }
        if let Some((peer, share)) =
            by_peer.filter(|_| which.remote == Some(true) && run.threads > 2)
        {
            why.push(format!(
                "{share} of this time goes to the memory of thread {peer}"
            ));
        }
        // Where memory is mapped, nobody needs to answer.
        let is_mapped = run.recording.facts().network == "smp";
        let is_message = which.remote == Some(true) && !is_mapped && self.is_message(from);
        why.extend(is_message.then(|| self.busy_owners(from)).flatten());
        let name = run.event_at(which.kind, which.site);
        let (what, advice) = match kind {
            Kind::SlowOperation => (
                format!("{name} takes longer than it has to."),
                "Look at what happens at the same time: other transfers to the same thread, first uses of memory, other programs on the machine.",
            ),
            _ => (
                format!("{name} takes very different times."),
                "Look at a long one in the timeline (upcprof report), and at what the other threads do meanwhile.",
            ),
        };
        Finding {
            thread: by_thread.map(|(thread, _)| thread),
            what,
            why,
            advice: advice.to_owned(),
            ..Finding::new(kind, which.site, cost)
        }
    }
}
