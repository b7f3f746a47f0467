//! Locks: who waits for whom, and what that costs.

use super::super::super::memory::Memory;
use super::super::super::model::SiteId;
use super::super::{Finding, Kind};
use super::{STEP, STEPS, analyze, barrier, first, recording, shared};

/// Two threads take a lock in turn and hold it for `hold` ns. Thread 1 asks when thread 0 has taken it.
fn locked(hold: u64) -> (Memory, SiteId) {
    let mut m = recording(2);
    let (lock, unlock) = (m.site("a.upc", 30, 5, ""), m.site("a.upc", 33, 5, ""));
    let args = [shared(0, 0x9000)];
    for step in 0..STEPS {
        let at = step * 10 * hold + 1_000;
        m.pair(0, (at, at + 50), "UPC_LOCK", lock, &args);
        m.pair(
            0,
            (at + 50 + hold, at + 60 + hold),
            "UPC_UNLOCK",
            unlock,
            &args,
        );
        m.pair(1, (at + 60, at + 70 + hold), "UPC_LOCK", lock, &args);
        m.pair(
            1,
            (at + 70 + 2 * hold, at + 80 + 2 * hold),
            "UPC_UNLOCK",
            unlock,
            &args,
        );
    }
    (m, lock)
}

#[test]
fn a_lock_is_contended_or_its_section_long_and_the_waiting_is_its_cost() {
    for (hold, kind) in [
        (500, Kind::ContendedLock),
        (50_000, Kind::SerialisedSection),
    ] {
        let (m, lock) = locked(hold);
        let analysis = analyze(&m);
        let finding = first(&analysis);
        assert_eq!(
            (finding.kind, finding.site, finding.thread),
            (kind, lock, Some(0))
        );
        // Of each call of thread 1, what the fastest call does not take; of long sections, only the waiting for one.
        let each = match kind {
            Kind::SerialisedSection => hold,
            _ => 10 + hold - 50,
        };
        assert_eq!(finding.cost, STEPS * each);
    }
}

/// Both threads work under the lock for 20 us in each step, and meet at a barrier. `first` says which thread has the lock
/// first, and has no processor for `lost` ns while it holds it. Returns the findings, and the place of upc_lock.
fn section_in_turn(lost: u64, first: fn(u64) -> u32) -> (Vec<Finding>, SiteId) {
    let mut m = recording(2);
    m.facts.has_processor = lost > 0;
    let (lock, unlock) = (m.site("a.upc", 30, 5, ""), m.site("a.upc", 33, 5, ""));
    let end = m.site("a.upc", 40, 5, "");
    let args = [shared(0, 0x9000)];
    let (released, last) = (30_050 + lost, 50_050 + lost);
    for step in 0..STEPS {
        let at = |time| step * STEP + time;
        let first = first(step);
        let second = 1 - first;
        m.pair(first, (at(10_000), at(10_050)), "UPC_LOCK", lock, &args);
        let times = (at(released), at(released + 10));
        m.pair(first, times, "UPC_UNLOCK", unlock, &args);
        let start = m.events[first as usize].len() - 2;
        m.events[first as usize][start].delayed = lost;
        m.pair(second, (at(10_050), at(released)), "UPC_LOCK", lock, &args);
        m.pair(
            second,
            (at(last), at(last + 10)),
            "UPC_UNLOCK",
            unlock,
            &args,
        );
        let mut arrivals = [released + 10, last + 10];
        arrivals.rotate_left(first as usize);
        barrier(&mut m, end, step, &arrivals);
    }
    (analyze(&m).findings, lock)
}

/// One thread waits for the lock for 20 us, and then the other one at the barrier; but for what the fastest call takes.
/// Nothing else costs a hundredth of that.
fn assert_costs_both(findings: &[Finding], lock: SiteId) -> &Finding {
    let (finding, others) = findings.split_first().expect("there is a finding");
    assert!(
        others.iter().all(|it| it.cost * 100 < finding.cost),
        "{findings:?}"
    );
    let is_it = (finding.kind, finding.site);
    assert_eq!(is_it, (Kind::SerialisedSection, lock));
    let planted = STEPS * (20_000 + 20_000);
    assert!(
        finding.cost.abs_diff(planted) < planted / 100,
        "{finding:?}"
    );
    finding
}

#[test]
fn a_lock_also_costs_what_others_wait_at_barriers_for_those_who_waited_for_it() {
    let (findings, lock) = section_in_turn(0, |_| 0);
    let finding = assert_costs_both(&findings, lock);
    let told = finding.why.iter().any(|why| why.contains("at barriers"));
    assert!(told, "{finding:?}");
}

/// Thread 1 is the last at the barrier as a rule, which makes the waiting in the other passes a matter of its own.
#[test]
fn a_lock_also_costs_what_others_wait_in_passes_that_are_no_rule() {
    let rule: fn(u64) -> u32 = |step| u32::from(step % 4 == 3);
    assert_eq!((0..STEPS).filter(|step| rule(*step) == 1).count(), 2);
    let often: fn(u64) -> u32 = |step| u32::from(step % 3 == 2);
    assert_eq!((0..STEPS).filter(|step| often(*step) == 1).count(), 3);
    for first in [rule, often, |step| (step % 2) as u32] {
        let (findings, lock) = section_in_turn(0, first);
        assert_costs_both(&findings, lock);
    }
}

#[test]
fn any_pthread_may_hold_a_lock() {
    let (mut m, lock) = locked(50_000);
    for event in m.events.iter_mut().flatten() {
        event.pthread = 2;
    }
    let finding = first(&analyze(&m)).clone();
    assert_eq!(
        (finding.kind, finding.site, finding.cost),
        (Kind::SerialisedSection, lock, STEPS * 50_000)
    );
}

#[test]
fn to_pass_a_lock_on_costs_what_the_fastest_release_does_not_take() {
    let mut m = recording(2);
    let (lock, unlock) = (m.site("a.upc", 30, 5, ""), m.site("a.upc", 33, 5, ""));
    let args = [shared(0, 0x9000)];
    for step in 0..STEPS {
        let at = |time| step * STEP + time;
        // Thread 0 wakes thread 1 when it releases the lock, which nobody awaits when thread 1 does.
        m.pair(0, (at(10_000), at(10_050)), "UPC_LOCK", lock, &args);
        m.pair(0, (at(10_600), at(10_750)), "UPC_UNLOCK", unlock, &args);
        m.pair(1, (at(10_060), at(10_700)), "UPC_LOCK", lock, &args);
        m.pair(1, (at(11_200), at(11_210)), "UPC_UNLOCK", unlock, &args);
    }
    let finding = first(&analyze(&m)).clone();
    assert_eq!(
        (finding.kind, finding.cost),
        (Kind::ContendedLock, STEPS * ((640 - 50) + (150 - 10)))
    );
    let told = |text: &str| finding.why.iter().any(|why| why.contains(text));
    // 150 and 10 ns in upc_unlock, 50 and 640 ns in upc_lock.
    assert!(told("to pass it on took 1.400 us"), "{finding:?}");
    let calls = (50 + 640 + 150 + 10) * STEPS;
    let under = (550 + 500) * STEPS;
    assert!(
        told("took 8.500 us, and the work between them 10.500 us"),
        "{finding:?}"
    );
    assert_eq!(finding.most, Some(calls + under));
}

#[test]
fn who_waits_behind_a_holder_without_a_processor_is_not_late() {
    let (findings, lock) = section_in_turn(20_000, |_| 0);
    let finding = assert_costs_both(&findings, lock);
    assert!(!finding.why.iter().any(|why| why.contains("it was free")));
}

#[test]
fn a_holder_that_is_interrupted_once_makes_no_section_long() {
    let (mut m, _) = locked(500);
    let (lock, unlock) = (m.site("a.upc", 30, 5, ""), m.site("a.upc", 33, 5, ""));
    let args = [shared(0, 0x9000)];
    // The mean of all 21 times is 48 us.
    let at = STEPS * STEP;
    m.pair(0, (at, at + 50), "UPC_LOCK", lock, &args);
    m.pair(
        0,
        (at + 1_000_050, at + 1_000_060),
        "UPC_UNLOCK",
        unlock,
        &args,
    );
    assert_eq!(first(&analyze(&m)).kind, Kind::ContendedLock);
}

#[test]
fn where_threads_share_processors_passing_a_lock_on_takes_longer() {
    let (mut m, _) = locked(5_000);
    assert_eq!(first(&analyze(&m)).kind, Kind::SerialisedSection);
    for thread in &mut m.threads {
        thread.processors = "0".to_owned();
    }
    assert_eq!(first(&analyze(&m)).kind, Kind::ContendedLock);
}
