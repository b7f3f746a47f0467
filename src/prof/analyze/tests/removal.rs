//! What a barrier saves that orders nothing, if it goes: by the work on both sides of it, and by arrivals as they were.

use super::super::removal::{Pass, Removal, Way};
use super::*;

/// Two threads pass a barrier that orders something, which thread 1 reaches `later` than at 5 us of each step, or thread 0
/// if that is negative, and then one that orders nothing, in these spans of the step. Returns cost and most of the latter.
fn removed(later: i64, spans: [(u64, u64); 2]) -> (u64, Option<u64>) {
    let mut m = recording(2);
    let (needed, redundant) = (m.site("a.upc", 20, 5, ""), m.site("a.upc", 21, 5, ""));
    let work = m.site("a.upc", 12, 5, "");
    for step in 0..STEPS {
        operate(&mut m, "UPC_PUT", work, step);
        let more = later.unsigned_abs();
        let more = if later < 0 { [more, 0] } else { [0, more] };
        barrier(&mut m, needed, step, &[5_000 + more[0], 5_000 + more[1]]);
        for (thread, (start, end)) in (0..).zip(spans) {
            let args = [Arg::Int(0), Arg::Int(0)];
            let times = (step * STEP + start, step * STEP + end);
            m.pair(thread, times, "UPC_BARRIER", redundant, &args);
        }
    }
    let analysis = analyze(&m);
    let mut findings = analysis.findings.iter();
    let finding = findings.find(|it| it.kind == Kind::RedundantBarrier);
    let finding = finding.expect("the barrier orders nothing");
    assert_eq!(finding.site, redundant);
    (finding.cost, finding.most)
}

#[test]
fn who_waits_for_a_late_thread_there_waits_for_it_at_the_next_barrier() {
    let passing = 2_000;
    let saved = removed(0, [(15_000, 22_000), (20_000, 22_000)]);
    assert_eq!(saved, (STEPS * 2 * passing, None));
}

#[test]
fn work_that_differs_the_other_way_behind_the_barrier_is_made_up_for() {
    let (passing, later) = (2_000, 5_000);
    let saved = removed(-later, [(15_000, 22_000), (20_000, 22_000)]);
    // Behind the last pass is no barrier.
    let least = STEPS * 2 * passing + (STEPS - 1) * 2 * later.unsigned_abs();
    assert_eq!(saved, (least, None));
}

#[test]
fn a_thread_that_leaves_late_may_be_late_because_of_the_barrier() {
    let (passing, later) = (5_000, 2_000);
    let saved = removed(later, [(15_000, 20_000), (15_000, 22_000)]);
    let least = STEPS * 2 * passing;
    let most = least + (STEPS - 1) * 2 * later.unsigned_abs();
    assert_eq!(saved, (least, Some(most)));
}

/// A pass of two threads with this work in front of it, as if it took no time.
fn pass(number: usize, is_idle: bool, work: [u64; 2]) -> Pass {
    let way = |work| Way {
        work,
        slack: 0,
        at: 0,
        inside: 0,
        is_delayed: true,
    };
    Pass {
        number,
        is_idle,
        follows_idle: number > 1,
        passing: 0,
        ways: work.map(way).to_vec(),
    }
}

#[test]
fn passes_in_a_row_go_together_in_whatever_order_places_are_compared() {
    let (redundant, needed) = (SiteId(1), SiteId(2));
    let passes = || {
        [
            (redundant, pass(1, true, [1_000, 5_000])),
            (redundant, pass(2, true, [1_000, 5_000])),
            (needed, pass(3, false, [9_000, 1_000])),
        ]
    };
    // With both, the last thread has 5 + 5 + 9 us to the third; without, each has 11 us.
    for by in [0, 2] {
        let mut passes = Vec::from(passes());
        // Those of a place stay in their order.
        passes.rotate_left(by);
        let mut removal = Removal::default();
        for (site, pass) in passes {
            removal.pass(site, pass);
        }
        let saved = removal.finish();
        let saved = saved.get(&redundant).map(|saved| (saved.least, saved.most));
        assert_eq!(saved, Some((2 * 8_000, 2 * 8_000)));
    }
}
