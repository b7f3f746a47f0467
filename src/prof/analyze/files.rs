//! Reading and writing of files: many calls that move few bytes each.

use super::super::model::{self, Event, Group, KindId, Phase, SiteId};
use super::super::pairs::Span;
use super::super::table::{bytes, time};
use super::Run;
use super::finding::{Finding, Kind};
use super::meets::waits_for_none;
use hashbrown::{HashMap, HashSet};

/// Fewer calls of a thread at a place are no pattern.
const FEW: u64 = 16;
/// From this many bytes on, moving them takes longer than calling.
const LARGE: u64 = 64 << 10;

/// The calls of a thread at a place.
#[derive(Clone, Copy, Default)]
struct Calls {
    number: u64,
    time: u64,
    bytes: u64,
}

/// The calls of the run that move bytes of files.
#[derive(Default)]
pub(super) struct Files {
    places: HashMap<(SiteId, KindId), HashMap<u32, Calls>>,
    /// The places with calls that may wait for other threads.
    waiting: HashSet<(SiteId, KindId)>,
}

impl Files {
    /// Takes an event of any thread.
    pub(super) fn event(&mut self, kind: &model::Kind, event: &Event) {
        if event.phase != Phase::End && moves_bytes(kind) && !waits_for_none(kind, &event.args) {
            self.waiting.insert((event.site, event.kind));
        }
    }

    /// Takes a span of any thread.
    pub(super) fn span(&mut self, run: &Run, span: &Span) {
        let kind = run.recording.tables().kind(span.kind);
        if !moves_bytes(kind) {
            return;
        }
        let threads = self.places.entry((span.site, span.kind)).or_default();
        let calls = threads.entry(span.thread).or_default();
        let time = run.net(span).saturating_mul(span.weight);
        calls.number += span.weight;
        calls.time = calls.time.saturating_add(time);
        calls.bytes = calls
            .bytes
            .saturating_add(span.bytes.saturating_mul(span.weight));
    }

    /// Returns what was found.
    pub(super) fn findings(&self, run: &Run) -> Vec<Finding> {
        let places = self.places.iter();
        places
            .filter_map(|(at, threads)| small(run, *at, threads, self.waiting.contains(at)))
            .collect()
    }
}

fn moves_bytes(kind: &model::Kind) -> bool {
    kind.group == Group::Io && kind.moves.bytes[0].is_some()
}

/// Calls of a place that move few bytes each. If they wait, the thread with the shortest calls represents all: the others
/// may wait for each other in them, which is a matter of when they arrive. If they do not wait, all of their time is for the
/// bytes, and threads with shorter calls may wait afterwards for those with longer ones.
fn small(
    run: &Run,
    (site, kind): (SiteId, KindId),
    threads: &HashMap<u32, Calls>,
    is_waiting: bool,
) -> Option<Finding> {
    let mean = |calls: &Calls| calls.time / calls.number.max(1);
    let each = threads.values().map(mean).min()?;
    let number: u64 = threads.values().map(|calls| calls.number).sum();
    let moved = threads
        .values()
        .fold(0, |sum: u64, calls| sum.saturating_add(calls.bytes));
    let of_thread = number / (threads.len() as u64).max(1);
    let size = moved / number.max(1);
    let together = (LARGE / size.max(1)).min(of_thread);
    if of_thread < FEW || together < 2 {
        return None;
    }
    let without = |all: u64| all - all / together;
    let times = || threads.values().map(|calls| calls.time);
    let (cost, most) = if is_waiting {
        (each.saturating_mul(number), None)
    } else {
        let longest = times().max().unwrap_or(0);
        let most = longest.saturating_mul(threads.len() as u64);
        (times().fold(0, u64::saturating_add), Some(most))
    };
    Some(Finding {
        what: "Many calls move few bytes of a file each.".to_owned(),
        why: vec![format!(
            "{} is called {of_thread} times by each thread, for {} on average; a call takes {} where the thread waits least",
            run.event_at(kind, site),
            bytes(size),
            time(each)
        )],
        advice: format!(
            "Move the bytes of {together} calls by one: collect them in memory, or describe them by one call of a list function (upc_all_fread_list_local and its like)."
        ),
        most: most.filter(|most| *most > cost).map(without),
        ..Finding::new(Kind::SmallIo, site, without(cost))
    })
}

#[cfg(test)]
mod tests {
    use super::super::super::memory::Memory;
    use super::super::super::model::{Arg, Shared};
    use super::super::analyze;
    use super::*;

    const MY_SYNC: i64 = 2 | 16;

    const NO_SYNC: i64 = 4 | 32;

    fn writes(number: u64, size: u64, times: (u64, u64)) -> (Memory, SiteId) {
        writes_with(number, size, times, MY_SYNC)
    }

    /// Calls of thread 0 that take `times.0` ns, and as many of thread 1 that take `times.1`, with `size` bytes each.
    fn writes_with(number: u64, size: u64, times: (u64, u64), sync: i64) -> (Memory, SiteId) {
        let mut m = Memory::new(2);
        let site = m.site("a.upc", 30, 5, "");
        let file = Shared {
            thread: 0,
            addr: 0x100,
            phase: None,
        };
        let (file, flags) = (Arg::Shared(file), Arg::Int(2 | 8));
        let args = [file, flags, Arg::Int(0), Arg::Size(size), Arg::Int(sync)];
        for i in 0..number {
            for (thread, time) in [(0, times.0), (1, times.1)] {
                let from = i * 1_000_000;
                m.pair(thread, (from, from + time), "UPCC_ALL_FWRITE", site, &args);
            }
        }
        (m, site)
    }

    fn found(m: &Memory) -> Vec<(Kind, SiteId, u64)> {
        let findings = analyze(m, None).findings;
        let small = findings.iter().filter(|it| it.kind == Kind::SmallIo);
        small.map(|it| (it.kind, it.site, it.cost)).collect()
    }

    #[test]
    fn many_small_writes_cost_what_fewer_large_ones_would_not() {
        let (m, site) = writes(100, 8, (3_000, 3_000));
        let cost = 200 * 3_000 - 200 * 3_000 / 100;
        assert_eq!(found(&m), [(Kind::SmallIo, site, cost)]);
        // Of 16 KiB each, one call can move those of 4.
        let (m, site) = writes(100, 16 << 10, (3_000, 3_000));
        let cost = 200 * 3_000 * 3 / 4;
        assert_eq!(found(&m), [(Kind::SmallIo, site, cost)]);
    }

    #[test]
    fn waiting_for_others_is_no_part_of_the_cost() {
        let (m, site) = writes(100, 8, (3_000, 90_000));
        let cost = 200 * 3_000 - 200 * 3_000 / 100;
        assert_eq!(found(&m), [(Kind::SmallIo, site, cost)]);
    }

    #[test]
    fn calls_that_wait_for_none_cost_their_time_and_at_most_what_the_longest_make_others_wait() {
        let (m, site) = writes_with(100, 8, (3_000, 90_000), NO_SYNC);
        let (all, longest) = (100 * 93_000, 200 * 90_000);
        assert_eq!(found(&m), [(Kind::SmallIo, site, all - all / 100)]);
        let findings = analyze(&m, None).findings;
        let small = findings.iter().find(|it| it.kind == Kind::SmallIo);
        let most = small.and_then(|it| it.most);
        assert_eq!(most, Some(longest - longest / 100));
    }

    #[test]
    fn few_or_large_writes_are_no_fault() {
        for (number, size) in [(15, 8), (100, 64 << 10), (100, 40 << 10)] {
            let (m, _) = writes(number, size, (3_000, 3_000));
            assert_eq!(found(&m), []);
        }
    }
}
