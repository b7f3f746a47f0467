//! Costs of a recording with known times.

use super::{Baseline, Operation, file};
use crate::prof::memory::Memory;
use crate::prof::model::{Arg, Shared};

/// A recording in which thread 0 reads from thread 1: 20 times each of 8 bytes, in 100 to 119 ns, and of 72 bytes, in
/// 500 to 519 ns; and 3 times a fence.
pub fn recording() -> Memory {
    let mut m = Memory::new(2);
    m.facts.network = "smp".to_owned();
    let site = m.site("calibrate.upc", 10, 5, "");
    let mut now = 0;
    for (bytes, time) in [(8, 100), (72, 500)] {
        for i in 0..20 {
            let from = Shared {
                thread: 1,
                addr: 0x100,
                phase: None,
            };
            let args = [Arg::Unknown, Arg::Shared(from), Arg::Size(bytes)];
            m.pair(0, (now, now + time + i), "UPC_MEMGET", site, &args);
            now += 1_000;
        }
    }
    for _ in 0..3 {
        m.pair(0, (now, now + 7), "UPC_FENCE", site, &[]);
        now += 10;
    }
    m
}

fn get(remote: bool, bytes: u64) -> Operation {
    Operation {
        event: "UPC_MEMGET".to_owned(),
        remote: Some(remote),
        bytes,
    }
}

#[test]
fn typical_times_and_what_lies_between_them() {
    let baseline = Baseline::measure(&recording());
    // The fences are too few.
    assert_eq!(baseline.operations.len(), 2);
    for (bytes, cost) in [(1, 110), (8, 110), (40, 310), (72, 510), (144, 1020)] {
        assert_eq!(baseline.cost(&get(true, bytes)), Some(cost), "{bytes}");
    }
    assert_eq!(baseline.cost(&get(false, 8)), None);
    let mut costly = recording();
    costly.threads[0].pair_cost = 30;
    costly.facts.has_processor = true;
    // An interrupted read is no slow read.
    costly.events[0][1].delayed = 40;
    assert_eq!(Baseline::measure(&costly).cost(&get(true, 8)), Some(80));
}

#[test]
fn a_file_has_what_was_measured_and_others_are_refused() {
    let baseline = Baseline::measure(&recording());
    let text = baseline.json().unwrap();
    assert_eq!(Baseline::parse(&text), Ok(baseline));
    for (text, message) in [
        ("{}", "is no baseline: missing field"),
        (&text.replace("upcprof baseline", "x")[..], "is no baseline"),
        (
            &text.replace("\"version\": 1", "\"version\": 9")[..],
            "has version 9, not 1",
        ),
    ] {
        let error = Baseline::parse(text).unwrap_err();
        assert!(error.contains(message), "{error}");
    }
}

#[test]
fn a_network_of_a_recording_names_no_other_file() {
    for network in ["../../x", "a/b", "", "."] {
        assert_eq!(file(network), None, "{network}");
    }
}
