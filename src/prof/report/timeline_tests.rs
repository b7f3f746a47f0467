//! Levels of detail: whatever the level, the sums are the same.

use super::*;
use crate::prof::fixture::{random, sample};
use crate::prof::memory::Memory;
use crate::prof::model::{Phase, SiteId};
use crate::prof::pairs::{Found, Pairs};
use crate::prof::report::state::State;

/// The times by state and the number of events of a row.
type Sums = (ByState, u64);

/// Reads a level of a row as `page/levels.js` does: the length, the path if it is one, and the sums of each part.
fn parts(numbers: &Numbers, paths: &Paths) -> Vec<(u64, Option<Path>, Sums)> {
    let list = numbers.list();
    let mut numbers = list.into_iter();
    let mut parts = Vec::new();
    while let Some(head) = numbers.next() {
        let mut next = || numbers.next().expect("a number is missing");
        let (code, rest) = (head % 4, head / 4);
        let mut times = [0; COUNT];
        let (path, events) = match code {
            3 => {
                let events = next();
                for (state, time) in times.iter_mut().enumerate() {
                    if rest & 1 << state != 0 {
                        *time = next();
                    }
                }
                (None, events)
            }
            code => {
                let events = if code == 2 { next() } else { code };
                times[paths.state(rest as Path)] = next();
                (Some(rest as Path), events)
            }
        };
        parts.push((times.iter().sum(), path, (times, events)));
    }
    parts
}

fn sums(numbers: &Numbers, paths: &Paths) -> Sums {
    let mut sums = ([0; COUNT], 0);
    for (_, _, (times, events)) in parts(numbers, paths) {
        sums.1 += events;
        for (sum, time) in sums.0.iter_mut().zip(times) {
            *sum += time;
        }
    }
    sums
}

/// What the events say, without a timeline: own times by state, the rest in user code, and all nested events.
fn expected(of: &Memory, thread: u32) -> Sums {
    let (mut times, mut events) = ([0; COUNT], 0);
    let mut pairs = Pairs::new(of.tables());
    let mut add = |found: Found| {
        if let Found::Span(span) = found {
            times[State::of(of.tables().kind(span.kind).group).index()] += span.own;
            events += 1;
        }
    };
    let mut stream = of.events(thread);
    while let Some(event) = stream.next() {
        pairs.feed(event, &mut add);
    }
    let thread = &of.threads()[thread as usize];
    pairs.finish(thread, &mut add);
    let known: u64 = times.iter().sum();
    times[State::User.index()] += thread.last - thread.first - known;
    (times, events)
}

fn timeline(of: &Memory, most_parts: usize, paths: &mut Paths) -> Timeline {
    let mut lanes = Lanes::keeping(most_parts);
    let mut events = of.merged();
    while let Some(event) = events.next() {
        lanes.event(of, event, paths);
    }
    lanes.finish(of, paths)
}

#[test]
fn all_levels_have_the_sums_of_the_events() {
    for (seed, most_parts) in [(1, MOST_PARTS), (2, MOST_PARTS), (3, 400), (4, 50)] {
        let of = random(seed, 3, 4000);
        let mut paths = Paths::new(of.tables());
        let timeline = timeline(&of, most_parts, &mut paths);
        assert!(timeline.widths.len() > 1 || most_parts < MOST_PARTS);
        assert_eq!(timeline.widths[0] == 0, most_parts == MOST_PARTS);
        assert_eq!(timeline.rows.len(), 3);
        for row in &timeline.rows {
            assert_eq!(row.levels.len(), timeline.widths.len());
            for (level, width) in row.levels.iter().zip(&timeline.widths) {
                let wanted = expected(&of, row.thread);
                assert_eq!(sums(level, &paths), wanted, "width {width}");
            }
        }
    }
}

#[test]
fn coarser_levels_are_small_and_keep_long_parts() {
    let of = random(7, 2, 20_000);
    let mut paths = Paths::new(of.tables());
    let timeline = timeline(&of, MOST_PARTS, &mut paths);
    for row in &timeline.rows {
        let exact = parts(&row.levels[0], &paths);
        for (level, &width) in row.levels.iter().zip(&timeline.widths).skip(1) {
            let level = parts(level, &paths);
            let run: u64 = level.iter().map(|(length, ..)| length).sum();
            assert!(level.len() as u64 <= 2 * (run / width + 1) + 1);
            let long = |list: &[(u64, Option<Path>, Sums)]| -> Vec<(u64, Option<Path>)> {
                let long = list.iter().filter(|(length, ..)| *length >= width);
                let long = long.map(|(length, path, _)| (*length, *path));
                long.filter(|(_, path)| path.is_some()).collect()
            };
            let (all, kept) = (long(&exact), long(&level));
            assert!(all.iter().all(|part| kept.contains(part)), "width {width}");
        }
    }
}

#[test]
fn a_page_has_at_most_the_bytes_that_it_may_have() {
    let of = random(5, 2, 20_000);
    let mut paths = Paths::new(of.tables());
    let mut lanes = Lanes::default();
    let mut events = of.merged();
    while let Some(event) = events.next() {
        lanes.event(&of, event, &mut paths);
    }
    let tracks = lanes.lanes.into_iter();
    let tracks: Vec<_> = tracks.map(|(name, lane)| (name, lane.track)).collect();
    let sizes: Vec<usize> = [usize::MAX, 20_000, 2_000]
        .into_iter()
        .map(|most| {
            let timeline = Timeline::new(tracks.clone(), 0, &paths, most);
            let levels = timeline.rows.iter().flat_map(|row| &row.levels);
            let size = levels.map(Numbers::bytes).sum();
            assert!(size <= most);
            size
        })
        .collect();
    assert!(sizes[0] > 20_000 && sizes[1] > 2_000, "{sizes:?}");
}

#[test]
fn parts_of_the_sample() {
    let mut of = Memory::new(1);
    let site = of.site("a.upc", 3, 1, "");
    of.event(0, 100, "C_FUNC", Phase::Start, SiteId::NONE, &[]);
    of.pair(0, (150, 170), "UPC_BARRIER", site, &[]);
    // Without duration: counted, but no part.
    of.pair(0, (180, 180), "UPC_FENCE", site, &[]);
    of.event(0, 200, "C_FUNC", Phase::End, SiteId::NONE, &[]);
    of.threads[0].last = 210;
    let mut paths = Paths::new(of.tables());
    let timeline = timeline(&of, MOST_PARTS, &mut paths);
    let shown: Vec<_> = parts(&timeline.rows[0].levels[0], &paths)
        .into_iter()
        .map(|(length, path, (_, events))| (length, path.map(|path| paths.state(path)), events))
        .collect();
    let (user, barrier) = (State::User.index(), State::Barrier.index());
    assert_eq!(
        shown,
        [
            (100, Some(user), 0),
            (50, Some(user), 1),
            (20, Some(barrier), 1),
            (10, Some(user), 0),
            (20, Some(user), 1),
            (10, Some(user), 0)
        ]
    );
}

#[test]
fn transfers_in_the_background_are_not_what_a_thread_does() {
    let of = sample();
    let mut paths = Paths::new(of.tables());
    let timeline = timeline(&of, MOST_PARTS, &mut paths);
    for row in &timeline.rows {
        let (times, _) = sums(&row.levels[0], &paths);
        let thread = &of.threads()[row.thread as usize];
        assert_eq!(times.iter().sum::<u64>(), thread.last - thread.first);
        // The wait for the transfer, not the 750 ns of the transfer itself.
        assert_eq!(times[State::Completion.index()], 200);
    }
}
