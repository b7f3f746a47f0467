//! Recordings whose critical path is known exactly.

use super::super::super::memory::Memory;
use super::super::super::model::{Arg, Phase, Shared, SiteId};
use super::super::{Analysis, Kind, Part, analyze};
use super::Leg;

const LOCK: Arg = Arg::Shared(Shared {
    thread: 0,
    addr: 0x40,
    phase: None,
});

fn barrier(m: &mut Memory, site: SiteId, arrivals: &[u64], end: u64) {
    for (thread, at) in (0..).zip(arrivals) {
        let args = [Arg::Int(0), Arg::Int(0)];
        m.pair(thread, (*at, end), "UPC_BARRIER", site, &args);
    }
}

fn legs(analysis: &Analysis) -> Vec<(u32, u64, u64)> {
    let legs = analysis.critical.legs.iter();
    legs.map(|&Leg { thread, from, to }| (thread, from, to))
        .collect()
}

fn of(analysis: &Analysis, kind: Kind) -> u64 {
    let mut findings = analysis.findings.iter();
    let finding = findings.find(|finding| finding.kind == kind);
    analysis.critical.of(finding.expect("a finding"))
}

/// All parts are the whole, and so are all threads.
fn is_whole(analysis: &Analysis) -> bool {
    let path = &analysis.critical;
    let parts: u64 = path.parts.iter().map(|(_, time)| time).sum();
    let threads: u64 = path.threads.iter().map(|(_, time)| time).sum();
    (parts, threads) == (path.length, path.length)
}

#[test]
fn the_path_is_that_of_the_last_thread_at_each_barrier() {
    let mut m = Memory::new(3);
    let (a, b) = (m.site("a.upc", 10, 5, ""), m.site("a.upc", 20, 5, ""));
    barrier(&mut m, a, &[100, 700, 300], 710);
    // Without an access, the second barrier would be redundant.
    let args = [Arg::Int(1), Arg::Unknown, LOCK, Arg::Size(4)];
    m.pair(2, (720, 730), "UPC_GET", b, &args);
    barrier(&mut m, b, &[1000, 800, 900], 1020);
    let analysis = analyze(&m, None);
    assert_eq!(
        legs(&analysis),
        [(1, 0, 700), (0, 700, 1000), (2, 1000, 1020)]
    );
    // 700 ns and 290 ns are computed; passing the barriers takes 10 ns and 20 ns.
    assert_eq!(analysis.critical.length, 1020);
    assert_eq!(analysis.critical.parts[0], (Part::OutsideEvents, 700 + 290));
    assert_eq!(analysis.critical.threads[0], (1, 700));
    assert!(is_whole(&analysis), "{:?}", analysis.critical);
    // Thread 2 came 400 ns before thread 1. At the second barrier, all came 100 ns before thread 0 on average.
    assert_eq!(of(&analysis, Kind::LateThread), 400);
    assert_eq!(of(&analysis, Kind::LoadImbalance), 100);
}

#[test]
fn a_path_through_a_lock_is_that_of_its_holders() {
    let mut m = Memory::new(3);
    let (lock, unlock) = (m.site("a.upc", 10, 5, ""), m.site("a.upc", 20, 5, ""));
    // All ask at 100; each holds it for 1000 and passes it on in 10.
    for thread in 0..3u64 {
        let taken = 110 + thread * 1010;
        let me = thread as u32;
        m.pair(me, (100, taken), "UPC_LOCK", lock, &[LOCK]);
        m.pair(
            me,
            (taken + 1000, taken + 1005),
            "UPC_UNLOCK",
            unlock,
            &[LOCK],
        );
    }
    let analysis = analyze(&m, None);
    assert_eq!(
        legs(&analysis),
        [(0, 0, 1110), (1, 1110, 2120), (2, 2120, 3135)]
    );
    assert_eq!(analysis.critical.length, 3135);
    assert!(is_whole(&analysis), "{:?}", analysis.critical);
    // While thread 0 held it, thread 1 waited from 100 to 1110, and thread 2 for all of the time of thread 1.
    assert_eq!(of(&analysis, Kind::SerialisedSection), 1010 + 1010);
}

#[test]
fn who_waits_for_a_semaphore_continues_the_path_of_who_posts() {
    let mut m = Memory::new(2);
    let (wait, post) = (m.site("a.upc", 10, 5, ""), m.site("a.upc", 20, 5, ""));
    let args = [LOCK, Arg::Size(1)];
    for step in 0..3u64 {
        let at = step * 1000;
        m.pair(1, (at + 600, at + 605), "UPCC_SEM_POST", post, &args);
        m.pair(0, (at + 100, at + 620), "UPCC_SEM_WAIT", wait, &args);
    }
    let analysis = analyze(&m, None);
    assert_eq!(legs(&analysis), [(1, 0, 2600), (0, 2600, 2620)]);
    assert!(is_whole(&analysis), "{:?}", analysis.critical);
    // Of the path, only the last wait is a part: thread 0 had waited since 2100.
    assert_eq!(of(&analysis, Kind::LatePost), 500);
}

#[test]
fn a_flag_that_is_read_until_it_is_set_orders_threads() {
    for (is_strict, expected) in [
        (true, vec![(1, 0, 900), (0, 900, 1200)]),
        (false, vec![(0, 0, 1200)]),
    ] {
        let mut m = Memory::new(2);
        let (read, set) = (m.site("a.upc", 10, 5, ""), m.site("a.upc", 20, 5, ""));
        let relaxed = Arg::Int(i64::from(!is_strict));
        for at in (100..1000).step_by(100) {
            let args = [relaxed, Arg::Unknown, LOCK, Arg::Size(4)];
            m.pair(0, (at, at + 50), "UPC_GET", read, &args);
        }
        let args = [relaxed, LOCK, Arg::Unknown, Arg::Size(4)];
        m.pair(1, (900, 905), "UPC_PUT", set, &args);
        m.pair(0, (1000, 1200), "UPC_MEMPUT", set, &args);
        let analysis = analyze(&m, None);
        assert_eq!(legs(&analysis), expected, "{is_strict}");
        assert!(is_whole(&analysis), "{:?}", analysis.critical);
    }
}

#[test]
fn time_without_a_processor_is_on_no_path() {
    let mut m = Memory::new(2);
    let site = m.site("a.upc", 10, 5, "");
    // Thread 0 is last, but only because it had no processor for 500 ns.
    barrier(&mut m, site, &[900, 600], 910);
    m.events[0][0].delayed = 500;
    let analysis = analyze(&m, None);
    assert_eq!(legs(&analysis), [(1, 0, 910)]);
    assert_eq!(analysis.critical.length, 610);
}

#[test]
fn what_is_lost_or_open_ends_no_path() {
    let mut m = Memory::new(2);
    let site = m.site("a.upc", 10, 5, "");
    let args = [Arg::Int(0), Arg::Int(0)];
    // Thread 1 never arrives; thread 0 leaves a lock that nobody released, and waits at the end.
    m.pair(0, (100, 300), "UPC_BARRIER", site, &args);
    m.pair(0, (400, 500), "UPC_LOCK", site, &[LOCK]);
    m.event(0, 600, "UPC_BARRIER", Phase::Start, site, &args);
    m.event(1, 50, "UPC_LOCK", Phase::End, site, &[LOCK]);
    let analysis = analyze(&m, None);
    assert_eq!(analysis.critical.length, 600);
    assert!(is_whole(&analysis), "{:?}", analysis.critical);
}

#[test]
fn who_receives_a_message_continues_the_path_of_its_sender() {
    let mut m = Memory::new(3);
    let (send, receive) = (m.site("a.upc", 10, 5, ""), m.site("a.upc", 20, 5, ""));
    let call = Arg::Text(m.text("MPI_Send"));
    let message = |peer, bytes| [call, Arg::Int(peer), Arg::Size(bytes)];
    let received = |peer, source, bytes| {
        let [call, peer, most] = message(peer, 64);
        [call, peer, most, Arg::Int(source), Arg::Size(bytes)]
    };
    // Thread 1 sends 8 bytes late, thread 2 sends 16 bytes early: thread 0 waits for the one and not for the other.
    m.pair(1, (900, 910), "UPCC_MPI_SEND", send, &message(0, 8));
    m.pair(2, (100, 110), "UPCC_MPI_SEND", send, &message(0, 16));
    m.event(
        0,
        200,
        "UPCC_MPI_RECV",
        Phase::Start,
        receive,
        &message(-1, 64),
    );
    m.event(
        0,
        950,
        "UPCC_MPI_RECV",
        Phase::End,
        receive,
        &received(-1, 1, 8),
    );
    m.event(
        0,
        1000,
        "UPCC_MPI_RECV",
        Phase::Start,
        receive,
        &message(2, 64),
    );
    m.event(
        0,
        1020,
        "UPCC_MPI_RECV",
        Phase::End,
        receive,
        &received(2, 2, 16),
    );
    let analysis = analyze(&m, None);
    assert_eq!(legs(&analysis), [(1, 0, 900), (0, 900, 1020)]);
    assert_eq!(analysis.critical.length, 1020);
    assert!(is_whole(&analysis), "{:?}", analysis.critical);
}

#[test]
fn a_message_of_other_bytes_is_another_message() {
    let mut m = Memory::new(2);
    let site = m.site("a.upc", 10, 5, "");
    let call = Arg::Text(m.text("MPI_Sendrecv"));
    let start = |peer, bytes| [call, Arg::Int(peer), Arg::Size(bytes)];
    let end = |peer, sent, bytes| {
        let [call, to, size] = start(peer, sent);
        [call, to, size, Arg::Int(peer), Arg::Size(bytes)]
    };
    // Both exchange messages; thread 1 comes 400 ns later. Nobody has sent what thread 0 receives at last.
    for (me, peer, at) in [(0, 1, 100), (1, 0, 500)] {
        let (me, bytes) = (me, 8 * (i64::from(me) as u64 + 1));
        let other = 24 - bytes;
        m.event(
            me,
            at,
            "UPCC_MPI_SENDRECV",
            Phase::Start,
            site,
            &start(peer, bytes),
        );
        m.event(
            me,
            520,
            "UPCC_MPI_SENDRECV",
            Phase::End,
            site,
            &end(peer, bytes, other),
        );
    }
    m.event(0, 600, "UPCC_MPI_RECV", Phase::Start, site, &start(1, 64));
    m.event(0, 900, "UPCC_MPI_RECV", Phase::End, site, &end(1, 64, 4));
    let analysis = analyze(&m, None);
    assert_eq!(legs(&analysis), [(1, 0, 500), (0, 500, 900)]);
    assert!(is_whole(&analysis), "{:?}", analysis.critical);
}

#[test]
fn who_is_in_a_collective_call_when_another_thread_comes_has_waited_for_it() {
    // UPC_IN_MYSYNC | UPC_OUT_MYSYNC: not all wait for all.
    const MYSYNC: i64 = 2 | 16;
    let mut m = Memory::new(3);
    let site = m.site("a.upc", 10, 5, "");
    let args = [LOCK, LOCK, Arg::Size(8), Arg::Int(MYSYNC)];
    // Thread 0 leaves before the others come. Thread 1 waits for thread 2, which computes on.
    m.pair(0, (100, 120), "UPC_ALL_BROADCAST", site, &args);
    m.pair(1, (200, 810), "UPC_ALL_BROADCAST", site, &args);
    m.pair(2, (800, 815), "UPC_ALL_BROADCAST", site, &args);
    m.pair(1, (1500, 1600), "UPC_FENCE", site, &[]);
    let analysis = analyze(&m, None);
    assert_eq!(legs(&analysis), [(2, 0, 800), (1, 800, 1600)]);
    assert_eq!(analysis.critical.length, 1600);
    assert!(is_whole(&analysis), "{:?}", analysis.critical);
}

#[test]
fn who_has_asked_for_a_message_before_does_not_wait_for_it() {
    let mut m = Memory::new(2);
    let site = m.site("a.upc", 10, 5, "");
    let call = Arg::Text(m.text("MPI_Send"));
    let message = |peer| [call, Arg::Int(peer), Arg::Size(8)];
    m.pair(0, (50, 60), "UPCC_MPI_IRECV", site, &message(1));
    // The first message is that of MPI_Irecv, the second that of MPI_Recv.
    m.pair(1, (100, 110), "UPCC_MPI_SEND", site, &message(0));
    m.pair(1, (700, 710), "UPCC_MPI_SEND", site, &message(0));
    let [call, peer, size] = message(1);
    m.event(0, 200, "UPCC_MPI_RECV", Phase::Start, site, &message(1));
    let end = [call, peer, size, peer, size];
    m.event(0, 720, "UPCC_MPI_RECV", Phase::End, site, &end);
    let analysis = analyze(&m, None);
    assert_eq!(legs(&analysis), [(1, 0, 700), (0, 700, 720)]);
}

/// A call about this number of requests.
fn about(m: &mut Memory, call: &str, requests: u64) -> [Arg; 2] {
    [Arg::Text(m.text(call)), Arg::Size(requests)]
}

#[test]
fn who_waits_for_requests_continues_the_path_of_who_sends_last() {
    let mut m = Memory::new(3);
    let (make, site) = (m.site("a.upc", 10, 5, ""), m.site("a.upc", 20, 5, ""));
    let call = Arg::Text(m.text("MPI_Irecv"));
    let message = |peer| [call, Arg::Int(peer), Arg::Size(8)];
    // Thread 0 asks for the messages of both others, and sends one itself. That of thread 2 is under way before.
    m.pair(2, (10, 20), "UPCC_MPI_SEND", make, &message(0));
    m.pair(0, (50, 60), "UPCC_MPI_IRECV", make, &message(1));
    m.pair(0, (70, 80), "UPCC_MPI_IRECV", make, &message(2));
    m.pair(0, (90, 100), "UPCC_MPI_ISEND", make, &message(1));
    m.pair(1, (700, 710), "UPCC_MPI_SEND", make, &message(0));
    let all = about(&mut m, "MPI_Waitall", 3);
    m.pair(0, (200, 730), "UPCC_MPI_WAIT", site, &all);
    m.pair(0, (800, 810), "UPC_FENCE", site, &[]);
    let analysis = analyze(&m, None);
    assert_eq!(legs(&analysis), [(1, 0, 700), (0, 700, 810)]);
    assert_eq!(analysis.critical.length, 810);
    assert!(is_whole(&analysis), "{:?}", analysis.critical);
}

#[test]
fn a_wait_is_for_the_request_whose_message_comes_meanwhile() {
    let mut m = Memory::new(2);
    let site = m.site("a.upc", 10, 5, "");
    let call = Arg::Text(m.text("MPI_Isend"));
    let message = |peer| [call, Arg::Int(peer), Arg::Size(8)];
    m.pair(0, (10, 20), "UPCC_MPI_ISEND", site, &message(1));
    m.pair(0, (30, 40), "UPCC_MPI_IRECV", site, &message(1));
    m.pair(1, (500, 510), "UPCC_MPI_SEND", site, &message(0));
    for (from, to, call) in [(100, 520, "MPI_Wait"), (530, 540, "MPI_Wait")] {
        let one = about(&mut m, call, 1);
        m.pair(0, (from, to), "UPCC_MPI_WAIT", site, &one);
    }
    let analysis = analyze(&m, None);
    assert_eq!(legs(&analysis), [(1, 0, 500), (0, 500, 540)]);
    // Computing of both, and 20 ns and 10 ns in the waits.
    assert_eq!(analysis.critical.length, 540);
    assert!(is_whole(&analysis), "{:?}", analysis.critical);
}

#[test]
fn a_test_that_succeeds_depends_on_the_message_and_one_that_fails_does_not() {
    let site_of = |m: &mut Memory| m.site("a.upc", 10, 5, "");
    let of = |result: i64| {
        let mut m = Memory::new(2);
        let site = site_of(&mut m);
        let call = Arg::Text(m.text("MPI_Irecv"));
        let message = |peer| [call, Arg::Int(peer), Arg::Size(8)];
        m.pair(0, (380, 390), "UPCC_MPI_IRECV", site, &message(1));
        m.pair(1, (400, 410), "UPCC_MPI_SEND", site, &message(0));
        let args = about(&mut m, "MPI_Test", 1);
        m.event(0, 450, "UPCC_MPI_TEST", Phase::Start, site, &args);
        let [call, requests] = args;
        let end = [call, requests, Arg::Int(result)];
        m.event(0, 460, "UPCC_MPI_TEST", Phase::End, site, &end);
        // Thread 0 has had no processor for most of the time.
        m.events[0][0].delayed = 300;
        m.pair(0, (500, 510), "UPC_FENCE", site, &[]);
        legs(&analyze(&m, None))
    };
    assert_eq!(of(1)[0], (1, 0, 400));
    assert!(of(0).iter().all(|leg| leg.0 == 1), "{:?}", of(0));
}
