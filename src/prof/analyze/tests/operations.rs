//! Operations that take longer than they have to.

use super::super::super::baseline::Baseline;
use super::super::super::memory::Memory;
use super::super::super::model::{Arg, SiteId};
use super::super::{self as subject, Kind};
use super::{analyze, first, recording, shared};

/// Thread 0 reads 64 bytes of thread 1 or 2 a hundred times: each read takes `usual` ns, and every tenth `rare` ns, from
/// thread 2.
fn reads(usual: u64, rare: u64) -> (Memory, SiteId) {
    let mut m = recording(3);
    m.facts.has_processor = true;
    let site = m.site("a.upc", 70, 5, "");
    for i in 0..100 {
        let (time, owner) = if i % 10 == 9 { (rare, 2) } else { (usual, 1) };
        let args = [Arg::Unknown, shared(owner, 0x100), Arg::Size(64)];
        let start = i * 100_000;
        m.pair(0, (start, start + time), "UPC_MEMGET", site, &args);
    }
    (m, site)
}

#[test]
fn an_operation_slower_than_its_baseline_is_found_and_costs_the_difference() {
    let (ideal, _) = reads(300, 300);
    let baseline = Baseline::measure(&ideal);
    let (slow, site) = reads(2_000, 2_000);
    let analysis = subject::analyze(&slow, Some(&baseline));
    let finding = first(&analysis);
    assert_eq!((finding.kind, finding.site), (Kind::SlowOperation, site));
    assert_eq!((finding.cost, finding.thread), (100 * 1_700, Some(0)));
    assert!(finding.why[0].contains("2.000 us on average; on this platform it takes 300 ns"));
    // Less than three times as long, or no 200 ns longer.
    for (usual, baseline) in [(800, 300), (150, 10)] {
        let baseline = Baseline::measure(&reads(baseline, baseline).0);
        assert_eq!(
            subject::analyze(&reads(usual, usual).0, Some(&baseline)).findings,
            []
        );
    }
    assert_eq!(analyze(&slow).findings, []);
}

#[test]
fn an_operation_that_sometimes_takes_long_is_found_without_a_baseline() {
    let (m, site) = reads(2_000, 50_000);
    let analysis = analyze(&m);
    let finding = first(&analysis);
    assert_eq!((finding.kind, finding.site), (Kind::VaryingOperation, site));
    assert_eq!(finding.cost, 10 * 48_000);
    assert!(finding.why[0].starts_with("10 of 100 times with 64 bytes it takes 50.000 us"));
    assert!(
        finding
            .why
            .iter()
            .any(|why| why.contains("memory of thread 2")),
        "{:?}",
        finding.why
    );
    // Interrupted, or only 6 us longer, it does not vary.
    assert_eq!(analyze(&reads(2_000, 8_000).0).findings, []);
    let mut interrupted = m.clone();
    for event in &mut interrupted.events[0] {
        let is_rare = event.time % 100_000 == 50_000;
        event.delayed = if is_rare { 48_000 } else { 0 };
    }
    assert_eq!(analyze(&interrupted).findings, []);
    // Without that knowledge nobody is blamed.
    let mut unknown = m;
    unknown.facts.has_processor = false;
    assert_eq!(analyze(&unknown).findings, []);
}

/// The reads of [`reads`] over messages, while thread 2 makes calls that take long and thread 1 computes, or the other
/// way round.
fn with_owners(is_busy: bool) -> (Memory, SiteId) {
    let (mut m, site) = reads(2_000, 50_000);
    m.facts.network = "mpi".to_owned();
    let call = m.site("a.upc", 90, 5, "");
    let thread = if is_busy { 1 } else { 2 };
    for i in 0..100 {
        let times = (i * 100_000 + 1, i * 100_000 + 90_000);
        m.pair(thread, times, "UPC_FENCE", call, &[]);
    }
    // An owner without events is not known to compute.
    m.pair(3 - thread, (0, 1), "UPC_FENCE", call, &[]);
    (m, site)
}

#[test]
fn owners_that_compute_while_others_wait_for_them_are_evidence() {
    for is_busy in [true, false] {
        let (m, site) = with_owners(is_busy);
        let finding = first(&analyze(&m)).clone();
        assert_eq!((finding.kind, finding.site), (Kind::VaryingOperation, site));
        let told = |text: &str| finding.why.iter().any(|why| why.contains(text));
        let text = "the target is busy: in 100 % of this time the owner of the memory computes, and in 0 % of the others";
        assert_eq!(told(text), is_busy, "{finding:?}");
        assert_eq!(told("is busy"), is_busy, "{finding:?}");
    }
    // Where memory is mapped, nobody answers.
    let (mut m, _) = with_owners(true);
    m.facts.network = "smp".to_owned();
    let why = first(&analyze(&m)).why.clone();
    assert!(!why.iter().any(|why| why.contains("busy")), "{why:?}");
}
