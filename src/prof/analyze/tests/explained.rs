//! Who is late because of a finding, and who is late although there is one at the same place.

use super::super::super::memory::Memory;
use super::super::super::model::{Arg, SiteId};
use super::super::Kind;
use super::{STEP, STEPS, access, analyze, barrier, recording, shared};

/// The time of an unusually long read.
const SLOW: u64 = 17_000;
/// How late thread 2 is.
const LATE: u64 = 40_000;

/// Each of four threads reads an element of its neighbour ten times in each step, and thread 2 reads 400 more, which makes
/// it late. In one step, a read of thread `slow` takes [`SLOW`].
fn reads(slow: u32) -> (Memory, SiteId, SiteId) {
    let mut m = recording(4);
    m.facts.has_processor = true;
    let (read, meet) = (m.site("a.upc", 12, 5, ""), m.site("a.upc", 20, 5, ""));
    for step in 0..STEPS {
        let mut arrivals = [20_000; 4];
        for thread in 0..4 {
            let number = if thread == 2 { 10 + LATE / 100 } else { 10 };
            let owner = (thread + 1) % 4;
            let start = step * STEP + 200;
            for i in 0..number {
                let place = (owner, 0x5000 + i * 7919 % 1000 * 16);
                access(&mut m, thread, start + 100 * i, "UPC_GET", read, place);
            }
            let end = start + 100 * number;
            arrivals[thread as usize] += 100 * (number - 10);
            if thread == slow && step == 5 {
                let args = [
                    Arg::Int(1),
                    Arg::Unknown,
                    shared(owner, 0x9000),
                    Arg::Size(8),
                ];
                m.pair(thread, (end, end + SLOW), "UPC_GET", read, &args);
                arrivals[thread as usize] += SLOW;
            }
        }
        barrier(&mut m, meet, step, &arrivals);
    }
    (m, read, meet)
}

#[test]
fn a_late_thread_stays_late_if_another_one_is_slow_once_at_the_same_place() {
    let (m, read, meet) = reads(1);
    let found = analyze(&m).findings;
    // In one step, the others wait for thread 1 first.
    let found: Vec<_> = found
        .iter()
        .map(|it| (it.kind, it.site, it.thread, it.cost))
        .collect();
    assert_eq!(
        found,
        [
            (Kind::LateThread, meet, Some(2), STEPS * 3 * LATE - 3 * SLOW),
            (Kind::VaryingOperation, read, Some(1), SLOW - 100)
        ]
    );
}

#[test]
fn an_operation_that_is_slow_once_has_only_its_part_of_the_waiting_for_its_thread() {
    let (m, read, meet) = reads(2);
    let findings = analyze(&m).findings;
    let found: Vec<_> = findings
        .iter()
        .map(|it| (it.kind, it.site, it.thread))
        .collect();
    assert_eq!(
        found,
        [
            (Kind::LateThread, meet, Some(2)),
            (Kind::VaryingOperation, read, Some(2))
        ]
    );
    // The others wait for thread 2 longer by the slow read, in one step; averages are rounded.
    let varying = SLOW - 100 + 3 * (SLOW - 100);
    assert!(findings[1].cost.abs_diff(varying) <= 10, "{findings:?}");
    let late = STEPS * 3 * LATE + 3 * 100;
    assert!(findings[0].cost.abs_diff(late) <= 10, "{findings:?}");
}
