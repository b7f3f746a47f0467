//! What counters say about findings.

use super::super::super::ratios::asked;
use super::*;

/// Gives each event of the recording counters: what it has counted since the event before of its thread.
fn count(m: &mut Memory, names: &[&str], of: impl Fn(u32, &str, Phase) -> Vec<u64>) {
    m.facts.counters = names.iter().map(|name| (*name).to_owned()).collect();
    let kinds = &m.tables.kinds;
    for event in m.events.iter_mut().flatten() {
        let kind = &kinds[event.kind.0 as usize].name;
        event.counters = of(event.thread, kind, event.phase);
    }
}

/// Thread 2 of four is late in each step.
fn late_thread() -> (Memory, SiteId) {
    let mut m = recording(4);
    let site = m.site("a.upc", 20, 5, "");
    for step in 0..STEPS {
        operate(&mut m, "UPC_GET", site, step);
        barrier(&mut m, site, step, &[20_000, 20_000, 60_000, 20_000]);
    }
    (m, site)
}

#[test]
fn a_late_thread_has_counted_more_than_the_others() {
    let (mut m, site) = late_thread();
    count(
        &mut m,
        &["instructions", "cycles", "page-faults"],
        |thread, kind, phase| match (kind, phase, thread) {
            ("UPC_BARRIER", Phase::Start, 2) => vec![1_000, 4_000, 0],
            ("UPC_BARRIER", Phase::Start, _) => vec![1_000, 1_000, 0],
            // What is counted while threads wait says nothing about the way.
            ("UPC_BARRIER", _, _) => vec![70_000, 70_000, 9],
            _ => vec![0, 0, 0],
        },
    );
    let analysis = analyze(&m);
    let finding = first(&analysis);
    assert_eq!((finding.kind, finding.site), (Kind::LateThread, site));
    let counted: Vec<&String> = finding
        .why
        .iter()
        .filter(|why| why.contains("there"))
        .collect();
    assert_eq!(
        counted,
        [
            "on its way there, thread 2 counts 40000 cycles, and the others 10000 on average",
            "instructions/cycles of thread 2 are 0.250 there, and 1.000 of the others",
        ]
    );
}

#[test]
fn equal_counters_explain_nothing() {
    let (mut m, _) = late_thread();
    count(&mut m, &["cycles"], |_, _, _| vec![1_000]);
    let analysis = analyze(&m);
    let why = &first(&analysis).why;
    assert!(!why.iter().any(|why| why.contains("cycles")), "{why:?}");
}

#[test]
fn an_imbalance_has_the_threads_that_count_least_and_most() {
    let mut m = recording(4);
    let site = m.site("a.upc", 20, 5, "");
    for step in 0..STEPS {
        operate(&mut m, "UPC_GET", site, step);
        let at = |thread: u64| 20_000 + 20_000 * ((step + thread) % 4);
        barrier(&mut m, site, step, &[at(0), at(1), at(2), at(3)]);
    }
    count(&mut m, &["page-faults"], |thread, kind, phase| {
        match (kind, phase) {
            ("UPC_BARRIER", Phase::Start) => vec![u64::from(thread)],
            _ => vec![0],
        }
    });
    let analysis = analyze(&m);
    let finding = first(&analysis);
    assert_eq!(finding.kind, Kind::LoadImbalance);
    let sentence = "on the ways there, thread 0 counts 0 page-faults, and thread 3 30";
    assert!(
        finding.why.iter().any(|why| why == sentence),
        "{:?}",
        finding.why
    );
}

#[test]
fn a_place_has_the_ratios_that_are_unlike_those_of_the_program() {
    let mut m = recording(2);
    let (get, end) = (m.site("a.upc", 12, 5, ""), m.site("a.upc", 20, 5, ""));
    for at in 0..64u64 {
        access(
            &mut m,
            0,
            1_000 + 200 * at,
            "UPC_GET",
            get,
            (1, 0x5000 + 8 * at),
        );
    }
    barrier(&mut m, end, 0, &[20_000, 20_000]);
    count(
        &mut m,
        &["cache-misses", "cache-references"],
        |_, kind, phase| match (kind, phase) {
            ("UPC_GET", Phase::End) => vec![5, 10],
            ("UPC_GET", _) => vec![0, 30],
            _ => vec![0, 0],
        },
    );
    let analysis = analyze(&m);
    let of_gets = |finding: &&Finding| finding.kind == Kind::SingleTransfers;
    let finding = analysis.findings.iter().find(of_gets).unwrap();
    let sentence = "cache-misses/cache-references are 0.500 here, and 0.125 in the whole program";
    assert!(
        finding.why.iter().any(|why| why == sentence),
        "{:?}",
        finding.why
    );
}

#[test]
fn asked_ratios_are_said_in_any_case() {
    let (mut m, _) = late_thread();
    count(&mut m, &["instructions", "cycles"], |_, _, _| {
        vec![2_000, 1_000]
    });
    let words = ["instructions/cycles", "cycles/calls"].map(str::to_owned);
    let ratios = asked(&m.facts.counters, &words).unwrap();
    let analysis = super::super::analyze_with(&m, None, &ratios);
    let why = &first(&analysis).why;
    let said: Vec<_> = why.iter().filter(|why| why.contains("cycles")).collect();
    assert_eq!(
        said,
        [
            "instructions/cycles of thread 2 are 2.000 there, and 2.000 of the others",
            // The program has counted outside events, too.
            "cycles/calls are 1000.000 here, and 2000.000 in the whole program",
        ]
    );
}
