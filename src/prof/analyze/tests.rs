//! Recordings with one known fault: kind, place, thread and cost are exact.

use super::super::memory::Memory;
use super::super::model::{Arg, Object, Phase, Shared, SiteId};
use super::{Analysis, Finding, KINDS, Kind, Part};

mod categories;
mod counters;
mod explained;
mod locks;
mod operations;
mod removal;

fn analyze(of: &Memory) -> Analysis {
    super::analyze(of, None)
}

/// The number of barriers of the recordings below.
const STEPS: u64 = 10;
/// The time between two steps.
const STEP: u64 = 100_000;

fn recording(threads: u32) -> Memory {
    let mut m = Memory::new(threads);
    m.facts.has_local = true;
    m
}

/// A barrier that threads reach at these times of a step, and that ends when the last one has arrived.
fn barrier(m: &mut Memory, site: SiteId, step: u64, arrivals: &[u64]) {
    let last = step * STEP + arrivals.iter().copied().max().unwrap_or(0);
    for (thread, at) in (0..).zip(arrivals) {
        let args = [Arg::Int(0), Arg::Int(0)];
        m.pair(thread, (step * STEP + at, last), "UPC_BARRIER", site, &args);
    }
}

fn shared(thread: u32, addr: u64) -> Arg {
    let phase = None;
    Arg::Shared(Shared {
        thread,
        addr,
        phase,
    })
}

/// An access of 8 bytes that takes 100 ns.
fn access(m: &mut Memory, me: u32, time: u64, name: &str, site: SiteId, place: (u32, u64)) {
    let place = shared(place.0, place.1);
    let args = match name {
        "UPC_PUT" => [Arg::Int(1), place, Arg::Unknown, Arg::Size(8)],
        _ => [Arg::Int(1), Arg::Unknown, place, Arg::Size(8)],
    };
    m.pair(me, (time, time + 100), name, site, &args);
}

/// An access early in a step, to a place of its own, so that the barrier behind it orders something.
fn operate(m: &mut Memory, name: &str, site: SiteId, step: u64) {
    access(
        m,
        0,
        step * STEP + 1_000,
        name,
        site,
        (1, 0x5000 + 64 * step),
    );
}

fn first(analysis: &Analysis) -> &Finding {
    analysis.findings.first().expect("there is a finding")
}

#[test]
fn the_table_has_each_kind_in_the_order_of_the_enum() {
    for (number, described) in KINDS.iter().enumerate() {
        assert_eq!(described.kind as usize, number, "{}", described.name);
        assert!(described.page.lines().all(|line| line.len() <= 98));
    }
    assert_eq!(Kind::VaryingOperation as usize + 1, KINDS.len());
}

#[test]
fn a_late_thread_is_named_with_what_it_did_meanwhile() {
    let mut m = recording(4);
    let site = m.site("a.upc", 20, 5, "");
    let work = m.site("a.upc", 12, 5, "");
    let signature = m.text("void work(void)");
    for step in 0..STEPS {
        let from = step * STEP + 10_000;
        let args = [Arg::Text(signature)];
        m.pair(2, (from, from + 40_000), "C_FUNC", work, &args);
        m.pair(1, (from, from + 4_000), "C_FUNC", work, &args);
        access(&mut m, 0, from, "UPC_GET", work, (1, 0x5000 + 64 * step));
        barrier(&mut m, site, step, &[20_000, 20_000, 60_000, 20_000]);
    }
    let analysis = analyze(&m);
    let finding = first(&analysis);
    assert_eq!(
        (finding.kind, finding.site, finding.thread),
        (Kind::LateThread, site, Some(2))
    );
    assert_eq!(finding.cost, STEPS * 3 * 40_000);
    assert!(
        finding.why[0].contains("in (function) at a.upc:12"),
        "{:?}",
        finding.why
    );
}

#[test]
fn threads_that_are_late_in_turn_are_an_imbalance() {
    let mut m = recording(4);
    let site = m.site("a.upc", 20, 5, "");
    let work = m.site("a.upc", 12, 5, "");
    for step in 0..STEPS {
        let at = |thread: u64| 20_000 + (thread + step) % 4 * 10_000;
        operate(&mut m, "UPC_GET", work, step);
        barrier(&mut m, site, step, &[at(0), at(1), at(2), at(3)]);
    }
    let analysis = analyze(&m);
    let finding = first(&analysis);
    assert_eq!((finding.kind, finding.thread), (Kind::LoadImbalance, None));
    assert_eq!(finding.cost, STEPS * (10_000 + 20_000 + 30_000));
}

#[test]
fn a_thread_that_is_late_as_a_rule_is_named_whatever_the_other_passes_have() {
    let mut m = recording(4);
    let (site, work) = (m.site("a.upc", 20, 5, ""), m.site("a.upc", 12, 5, ""));
    for step in 0..STEPS {
        operate(&mut m, "UPC_GET", work, step);
        let arrivals = match step {
            3 | 6 => [20_000, 95_000, 20_000, 20_000],
            _ => [20_000, 20_000, 60_000, 20_000],
        };
        barrier(&mut m, site, step, &arrivals);
    }
    let analysis = analyze(&m);
    let found = analysis.findings.iter();
    let found: Vec<_> = found.map(|it| (it.kind, it.thread, it.cost)).collect();
    assert_eq!(
        found,
        [
            (Kind::LateThread, Some(2), 8 * 3 * 40_000),
            (Kind::LoadImbalance, None, 2 * 3 * 75_000)
        ]
    );
}

#[test]
fn a_barrier_behind_nothing_is_redundant_and_one_behind_an_access_is_not() {
    let mut m = recording(2);
    let (needed, redundant) = (m.site("a.upc", 20, 5, ""), m.site("a.upc", 21, 5, ""));
    let work = m.site("a.upc", 12, 5, "");
    for step in 0..STEPS {
        operate(&mut m, "UPC_PUT", work, step);
        barrier(&mut m, needed, step, &[5_000, 5_000]);
        for thread in 0..2 {
            let args = [Arg::Int(0), Arg::Int(0)];
            let times = (step * STEP + 10_000, step * STEP + 17_000);
            m.pair(thread, times, "UPC_BARRIER", redundant, &args);
        }
    }
    let analysis = analyze(&m);
    let finding = first(&analysis);
    assert_eq!(
        (finding.kind, finding.site),
        (Kind::RedundantBarrier, redundant)
    );
    assert_eq!(finding.cost, STEPS * 2 * 7_000);
    assert_eq!(analysis.findings.len(), 1, "{:?}", analysis.findings);
}

#[test]
fn neighbours_read_one_by_one_are_single_transfers() {
    let mut m = recording(2);
    let site = m.site("a.upc", 40, 5, "a[i]");
    m.add_remark("a.upc", (40, 5), "`a[i]` stays as it is: it is strict");
    for i in 0..400 {
        access(
            &mut m,
            0,
            i * 200,
            "UPC_GET",
            site,
            (1, 0x8000 + i % 100 * 8),
        );
    }
    let analysis = analyze(&m);
    let finding = first(&analysis);
    assert_eq!((finding.kind, finding.site), (Kind::SingleTransfers, site));
    let remark = "compiled without --inst: `a[i]` stays as it is: it is strict";
    assert!(finding.why.iter().any(|it| it == remark), "{finding:?}");
    // One access for each run of 100 is left.
    assert_eq!(finding.cost, 400 * 100 - 400 * 100 / 100);
    assert!(finding.advice.contains("100 elements by one upc_memget"));
}

#[test]
fn a_thread_whose_memory_all_others_read_is_one_owner() {
    let mut m = recording(4);
    let site = m.site("a.upc", 50, 5, "table[i]");
    for me in 1..4 {
        for i in 0..100 {
            access(
                &mut m,
                me,
                i * 200,
                "UPC_GET",
                site,
                (0, 0x8000 + i * 7919 % 1000 * 16),
            );
        }
    }
    let analysis = analyze(&m);
    let finding = first(&analysis);
    assert_eq!(
        (finding.kind, finding.site, finding.thread),
        (Kind::OneOwner, site, Some(0))
    );
    assert_eq!(finding.cost, 300 * 100);
}

#[test]
fn a_finding_costs_what_others_wait_at_barriers_for_its_operations() {
    let mut m = recording(2);
    let (site, end) = (m.site("a.upc", 50, 5, "t"), m.site("a.upc", 60, 5, ""));
    for i in 0..100 {
        access(&mut m, 1, i * 100, "UPC_GET", site, (0, 0x8000 + i * 32));
    }
    barrier(&mut m, end, 0, &[0, 10_000]);
    let analysis = analyze(&m);
    let [finding] = &analysis.findings[..] else {
        panic!("{:?}", analysis.findings);
    };
    assert_eq!((finding.kind, finding.site), (Kind::OneOwner, site));
    assert_eq!(finding.cost, 10_000 + 10_000);
    let waiting = "meanwhile other threads wait 10.000 us at barriers, most at a.upc:60";
    assert_eq!(finding.why[1], waiting);
}

/// Barriers take long only because one thread has no processor: the last look before a barrier notes a delay that was in
/// the barrier before.
#[test]
fn no_finding_costs_more_than_the_whole_if_barriers_wait_for_processors() {
    let mut m = recording(2);
    let site = m.site("a.upc", 20, 5, "");
    for step in 0..STEPS {
        let start = step * STEP;
        let args = [Arg::Int(0), Arg::Int(0)];
        m.pair(0, (start + 100, start + STEP), "UPC_BARRIER", site, &args);
        m.pair(1, (start + 100, start + STEP), "UPC_BARRIER", site, &args);
    }
    delay(&mut m, 1, STEP / 2);
    for thread in &mut m.threads {
        thread.last = STEPS * STEP;
    }
    let analysis = analyze(&m);
    assert_eq!(first(&analysis).kind, Kind::RedundantBarrier);
    assert!(first(&analysis).cost <= analysis.whole, "{analysis:?}");
    assert!(analysis.whole >= analysis.time - analysis.delayed);
}

#[test]
fn a_cyclic_array_used_in_ranges_gets_the_block_size_that_fits() {
    let mut m = recording(4);
    let (name, type_name) = (m.text("a"), m.text("shared double[64*THREADS]"));
    m.object(Object {
        name,
        type_name,
        addr: 0x10000,
        bytes_per_thread: 64 * 8,
        elem_bytes: 8,
        blocks: 256,
        block_bytes: 8,
    });
    let site = m.site("a.upc", 60, 5, "a[i]");
    for me in 0..4u32 {
        for i in 0..64u64 {
            let element = u64::from(me) * 64 + (i * 37) % 64;
            let (owner, row) = ((element % 4) as u32, element / 4);
            access(
                &mut m,
                me,
                i * 200,
                "UPC_PUT",
                site,
                (owner, 0x10000 + row * 8),
            );
        }
    }
    let analysis = analyze(&m);
    let finding = first(&analysis);
    assert_eq!((finding.kind, finding.site), (Kind::BlockSize, site));
    assert!(finding.advice.contains("[64]"), "{}", finding.advice);
    // All remote accesses become local: three of four.
    assert_eq!(finding.cost, 4 * 48 * 100);
}

/// Delays the arrivals of a thread at its barriers: it had no processor.
fn delay(m: &mut Memory, thread: u32, by: u64) {
    m.facts.has_processor = true;
    for event in &mut m.events[thread as usize] {
        let kind = &m.tables.kinds[event.kind.0 as usize];
        if kind.name == "UPC_BARRIER" && event.phase == Phase::Start {
            event.delayed = by;
        }
    }
}

#[test]
fn a_thread_without_a_processor_is_not_late() {
    let mut m = recording(4);
    let site = m.site("a.upc", 20, 5, "");
    let work = m.site("a.upc", 12, 5, "");
    for step in 0..STEPS {
        operate(&mut m, "UPC_GET", work, step);
        barrier(&mut m, site, step, &[20_000, 20_000, 60_000, 20_000]);
    }
    assert_eq!(first(&analyze(&m)).thread, Some(2));
    delay(&mut m, 2, 40_000);
    let analysis = analyze(&m);
    assert_eq!(analysis.findings, []);
    assert_eq!(analysis.delayed, STEPS * 40_000);
    // The others waited only because of that.
    let stretched = STEPS * 3 * 40_000;
    assert_eq!(analysis.whole, analysis.time - analysis.delayed - stretched);
}

#[test]
fn waiting_that_a_lack_of_processors_hides_is_found() {
    let mut m = recording(4);
    let site = m.site("a.upc", 20, 5, "");
    let work = m.site("a.upc", 12, 5, "");
    for step in 0..STEPS {
        operate(&mut m, "UPC_GET", work, step);
        barrier(&mut m, site, step, &[60_000; 4]);
    }
    // Threads 0, 1 and 3 computed for less, and arrived as late because they had no processor.
    for thread in [0, 1, 3] {
        delay(&mut m, thread, 40_000);
    }
    let analysis = analyze(&m);
    let finding = first(&analysis);
    assert_eq!(
        (finding.kind, finding.thread, finding.cost),
        (Kind::LateThread, Some(2), STEPS * 3 * 40_000)
    );
    assert!(finding.cost <= analysis.whole);
}

/// Who gets no processor at the end of a barrier reaches the next one later, and waits there less than it would have.
#[test]
fn who_leaves_a_barrier_late_would_have_waited_longer_at_the_next_one() {
    let mut m = recording(2);
    m.facts.has_processor = true;
    let (site, work) = (m.site("a.upc", 20, 5, ""), m.site("a.upc", 12, 5, ""));
    let args = [Arg::Int(0), Arg::Int(0)];
    let (mut left, mut released) = (0, 0);
    for step in 0..STEPS {
        let behind = if step % 2 == 0 { 50_000 } else { 0 };
        access(
            &mut m,
            1,
            released + 100,
            "UPC_GET",
            work,
            (0, 0x5000 + 64 * step),
        );
        let arrives = released + 60_000;
        m.pair(1, (arrives, arrives + 10), "UPC_BARRIER", site, &args);
        let times = (left + 1_000, arrives + 10 + behind);
        m.pair(0, times, "UPC_BARRIER", site, &args);
        m.events[0].last_mut().unwrap().delayed = behind;
        (left, released) = (times.1, arrives + 10);
    }
    let analysis = analyze(&m);
    let finding = first(&analysis);
    assert_eq!(
        (finding.kind, finding.thread, finding.cost),
        (Kind::LateThread, Some(1), STEPS * 59_000)
    );
}

#[test]
fn the_last_thread_in_a_collective_call_is_late_if_all_wait_there() {
    for (flags, finds) in [(1 | 8, true), (4 | 32, false)] {
        let mut m = recording(2);
        let site = m.site("a.upc", 20, 5, "");
        let args = [
            shared(0, 0x100),
            shared(0, 0x200),
            Arg::Size(8),
            Arg::Int(flags),
        ];
        for step in 0..STEPS {
            for (thread, at) in [(0, 60_000), (1, 20_000)] {
                let times = (step * STEP + at, step * STEP + 60_500);
                m.pair(thread, times, "UPC_ALL_BROADCAST", site, &args);
            }
        }
        let analysis = analyze(&m);
        let found = analysis
            .findings
            .first()
            .map(|it| (it.kind, it.thread, it.cost));
        let planted = (Kind::LateThread, Some(0), STEPS * 40_000);
        assert_eq!(found, finds.then_some(planted));
    }
}

#[test]
fn a_late_thread_is_found_where_files_are_opened_and_at_barriers_of_mpi() {
    for (name, arg, finds) in [
        ("UPCC_ALL_FOPEN", 1 | 8, true),
        ("UPCC_ALL_FGET_SIZE", 1 | 8, false),
        ("UPCC_MPI_BARRIER", 2, true),
        ("UPCC_MPI_BARRIER", 1, false),
    ] {
        let mut m = recording(2);
        let site = m.site("a.upc", 20, 5, "");
        let text = Arg::Text(m.text("name"));
        for step in 0..STEPS {
            for (thread, at) in [(0, 60_000), (1, 20_000)] {
                let times = (step * STEP + at, step * STEP + 60_500);
                m.pair(thread, times, name, site, &[text, Arg::Int(arg)]);
            }
        }
        let found = analyze(&m).findings;
        let found = found.first().map(|it| (it.kind, it.thread, it.cost));
        let planted = (Kind::LateThread, Some(0), STEPS * 40_000);
        assert_eq!(found, finds.then_some(planted), "{name}");
    }
}

#[test]
fn the_parts_of_the_time_are_all_of_it() {
    let mut m = recording(2);
    let site = m.site("a.upc", 20, 5, "");
    let work = m.site("a.upc", 12, 5, "");
    for step in 0..STEPS {
        operate(&mut m, "UPC_GET", work, step);
        barrier(&mut m, site, step, &[20_000, 50_000]);
    }
    delay(&mut m, 1, 5_000);
    let analysis = analyze(&m);
    let sum: u64 = analysis.spent.iter().map(|spent| spent.time).sum();
    assert_eq!(sum, analysis.time);
    let of = |part| analysis.spent.iter().find(|spent| spent.part == part);
    assert_eq!(of(Part::NoProcessor).map(|it| it.time), Some(STEPS * 5_000));
    let barriers = of(Part::Events(
        m.tables.kind_named("UPC_BARRIER").unwrap(),
        site,
    ));
    assert_eq!(
        barriers.map(|it| (it.time, it.number)),
        Some((STEPS * 30_000, 2 * STEPS))
    );
}

#[test]
fn equal_work_behind_exact_barriers_costs_nothing() {
    let mut m = recording(4);
    let site = m.site("a.upc", 20, 5, "");
    let work = m.site("a.upc", 12, 5, "");
    for step in 0..STEPS {
        operate(&mut m, "UPC_GET", work, step);
        barrier(&mut m, site, step, &[20_000; 4]);
    }
    assert_eq!(analyze(&m).findings, []);
}

#[test]
fn pairs_that_are_open_or_cut_do_not_disturb() {
    let mut m = recording(2);
    let site = m.site("a.upc", 20, 5, "");
    barrier(&mut m, site, 0, &[10, 20]);
    m.event(
        0,
        500,
        "UPC_BARRIER",
        Phase::Start,
        site,
        &[Arg::Int(0), Arg::Int(0)],
    );
    m.event(1, 400, "UPC_LOCK", Phase::Start, site, &[shared(0, 0x9000)]);
    let analysis = analyze(&m);
    assert!(analysis.findings.iter().all(|finding| finding.cost <= 500));
}

#[test]
fn threads_that_spend_their_time_alike_have_one_representative() {
    let mut m = recording(6);
    let site = m.site("a.upc", 20, 5, "");
    for step in 0..STEPS {
        // Thread 4 is the late one. Thread 2 has the mean of the others.
        let arrivals = [20_000, 20_400, 20_200, 20_200, 60_000, 20_200];
        barrier(&mut m, site, step, &arrivals);
    }
    // A thread that had no processor for a while is like the others.
    m.facts.has_processor = true;
    for thread in &mut m.threads {
        thread.last = STEPS * STEP;
    }
    m.threads[5].last += 300_000;
    let last = m.threads[5].last;
    m.event(5, last, "UPC_FENCE", Phase::Atomic, site, &[]);
    m.events[5].last_mut().unwrap().delayed = 300_000;
    let analysis = analyze(&m);
    let barrier = Part::Events(m.tables.kind_named("UPC_BARRIER").unwrap(), site);
    let [alike, late] = &analysis.clusters[..] else {
        panic!("{:?}", analysis.clusters);
    };
    assert_eq!(
        (&alike.threads[..], alike.representative),
        (&[0, 1, 2, 3, 5][..], 2)
    );
    assert_eq!(alike.differs, None);
    assert_eq!((&late.threads[..], late.representative), (&[4][..], 4));
    // It waits 39.8 us less each time, which it computes more; of equal differences the last in order is named.
    let more = STEPS as i64 * 39_800;
    assert!(
        [(Part::OutsideEvents, more), (barrier, -more)]
            .map(Some)
            .contains(&late.differs),
        "{:?}",
        late.differs
    );
    assert_eq!(super::ranges(&[0, 1, 2, 3, 5, 7, 8]), "0-3, 5, 7-8");
}
