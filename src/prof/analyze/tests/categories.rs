//! The time by category, and where findings are said to be.

use super::super::super::format::LoopEntry;
use super::super::super::model::{Arg, SiteId};
use super::super::{Category, loop_around};
use super::{access, analyze, barrier, recording, shared};

#[test]
fn categories_are_the_whole_and_tell_what_is_inserted() {
    let mut m = recording(2);
    let get = m.site("a.upc", 10, 5, "x");
    let bulk = m.site("a.upc", 11, 5, "");
    let end = m.site("a.upc", 12, 5, "");
    for thread in &mut m.threads {
        thread.pair_cost = 20;
        thread.last = 10_000;
    }
    access(&mut m, 0, 1_000, "UPC_GET", get, (1, 0x100));
    let args = [Arg::Unknown, shared(1, 0x100), Arg::Size(64)];
    m.pair(0, (2_000, 2_300), "UPC_MEMGET", bulk, &args);
    barrier(&mut m, end, 0, &[4_000, 5_000]);
    // The barrier at the end of the program has no place.
    let none = [Arg::Int(0), Arg::Int(0)];
    m.pair(0, (6_000, 6_500), "UPC_BARRIER", SiteId::NONE, &none);
    m.pair(1, (6_500, 6_510), "UPC_BARRIER", SiteId::NONE, &none);
    let analysis = analyze(&m);
    let of = |category| {
        let mut all = analysis.categories.iter();
        let found = all.find(|of| of.category == category);
        found.map(|of| (of.time, of.number))
    };
    assert_eq!(of(Category::References), Some((80, 1)));
    assert_eq!(of(Category::Transfers), Some((280, 1)));
    assert_eq!(of(Category::Barriers), Some((980, 2)));
    // Of the last pair, all is recording; so is the barrier of the thread that came last.
    assert_eq!(of(Category::Inserted), Some((480, 2)));
    assert_eq!(of(Category::Recording), Some((20 + 20 + 20 + 20 + 10, 0)));
    assert_eq!(of(Category::Locks), None);
    let all: u64 = analysis.categories.iter().map(|of| of.time).sum();
    assert_eq!(all, analysis.time);
    assert_eq!(analysis.whole, analysis.time - 90);
}

#[test]
fn to_write_events_is_recording_and_makes_no_thread_late_and_no_operation_slow() {
    let mut m = recording(2);
    let (get, end) = (m.site("a.upc", 10, 5, "x"), m.site("a.upc", 12, 5, ""));
    m.facts.has_processor = true;
    let written = 300_000;
    let mut from = 0;
    for step in 0..20 {
        let busy = if step == 10 { written } else { 0 };
        for at in [100, 300] {
            access(&mut m, 0, from + at, "UPC_GET", get, (0, 0x100));
        }
        // Thread 0 writes its events within the second access; it had no processor for a part of that.
        let last = m.events[0].last_mut().unwrap();
        (last.time, last.delayed) = (last.time + busy, busy);
        last.written = busy * 2 / 3;
        let args = [Arg::Int(0), Arg::Int(0)];
        let times = (from + busy + 500, from + busy + 600);
        m.pair(0, times, "UPC_BARRIER", end, &args);
        m.pair(1, (from + 500, times.1), "UPC_BARRIER", end, &args);
        from = times.1;
    }
    let analysis = analyze(&m);
    let of = |category| {
        let mut all = analysis.categories.iter();
        all.find(|of| of.category == category).map(|of| of.time)
    };
    assert_eq!(of(Category::Recording), Some(written * 2 / 3));
    assert_eq!(of(Category::NoProcessor), Some(written / 3));
    assert_eq!(analysis.delayed, written / 3);
    let all: u64 = analysis.categories.iter().map(|of| of.time).sum();
    assert_eq!(all, analysis.time);
    // Neither that time nor what thread 1 waits for it is a cost.
    assert!(
        analysis.whole <= analysis.time - 2 * written,
        "{analysis:?}"
    );
    let costly = |it: &&super::Finding| it.cost * 100 > analysis.whole;
    assert_eq!(analysis.findings.iter().find(costly), None);
}

#[test]
fn a_finding_is_in_the_innermost_loop_and_at_a_column_of_a_full_line() {
    let mut m = recording(2);
    let first = m.site("a.upc", 15, 9, "a[i]");
    let second = m.site("a.upc", 15, 16, "b[i]");
    m.add_loop(LoopEntry::For, "a.upc", (10, 5), (20, 5));
    m.add_loop(LoopEntry::While, "a.upc", (14, 9), (16, 9));
    let around = loop_around(&m.tables, first);
    assert_eq!(
        around.as_deref(),
        Some("in the while loop of lines 14 to 16")
    );
    for i in 0..100 {
        access(&mut m, 0, 1_000 * i, "UPC_GET", first, (1, 0x5000 + 8 * i));
        access(&mut m, 0, 1_000 * i + 500, "UPC_GET", second, (1, 0x9000));
    }
    let json = super::super::json(&m, &analyze(&m));
    let findings = json["findings"].as_array().expect("findings");
    let mut findings = findings.iter();
    let finding = findings.find(|it| it["kind"] == "single-transfers");
    let finding = finding.expect("neighbours one by one");
    assert_eq!(finding["place"], "a.upc:15:9");
    let at = (&finding["line"], &finding["column"]);
    assert_eq!(at, (&15.into(), &9.into()));
    assert_eq!(finding["loop"], "in the while loop of lines 14 to 16");
}
