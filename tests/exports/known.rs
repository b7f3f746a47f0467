//! Recordings whose every event is known.

use upcc::prof::memory::Memory;
use upcc::prof::model::{
    Arg, Cell, End, Frame, Key, KindId, Object, PathId, Phase, Profile, Shared, SiteId, TextId,
};

fn at(thread: u32, addr: u64) -> Arg {
    Arg::Shared(Shared {
        thread,
        addr,
        phase: Some(0),
    })
}

/// Returns a place whose type or signature is known.
fn typed(of: &mut Memory, line: u32, column: u32, name: &str, type_name: &str) -> SiteId {
    let site = of.site("known.upc", line, column, name);
    let text: TextId = of.text(type_name);
    of.tables.sites[site.0 as usize].type_name = Some(text);
    site
}

struct Places {
    main: SiteId,
    work: SiteId,
    line: [SiteId; 9],
}

fn places(of: &mut Memory) -> Places {
    let main = typed(of, 10, 5, "", "int main(int argc, char **argv)");
    let work = typed(of, 20, 13, "", "static void work(int n)");
    let get = typed(of, 30, 7, "a[i]", "shared int");
    let put = typed(of, 31, 9, "b[j].x", "shared [4] double");
    let line = [0, 1, 2, 3, 4, 5, 6, 7, 8];
    let line = line.map(|number| match number {
        0 => get,
        1 => put,
        number => of.site("known.upc", 30 + number, 1, ""),
    });
    Places { main, work, line }
}

/// Returns a run of three threads: accesses, a copy, a lock that passes between threads, transfers in flight, barriers,
/// overlapping user events, and a thread that dies.
pub fn trace() -> Memory {
    let mut run = Memory::new(3);
    run.facts.program = "./known".to_owned();
    run.facts.args = vec!["-n".to_owned(), "3".to_owned()];
    run.facts.counters = vec!["cycles".to_owned()];
    let (name, type_name) = (run.text("a"), run.text("shared int[16*THREADS]"));
    run.object(Object {
        name,
        type_name,
        addr: 64,
        bytes_per_thread: 64,
        elem_bytes: 4,
        blocks: 48,
        block_bytes: 4,
    });
    let places = places(&mut run);
    for thread in 0..3 {
        run.event(
            thread,
            thread.into(),
            "C_FUNC",
            Phase::Start,
            places.main,
            &[],
        );
        run.threads[thread as usize].end = End::Exit(0);
    }
    thread_0(&mut run, &places);
    thread_1(&mut run, &places);
    thread_2(&mut run, &places);
    for thread in 0..2 {
        run.event(thread, 10_000, "C_FUNC", Phase::End, places.main, &[]);
    }
    for (number, event) in run.events[0].iter_mut().enumerate() {
        event.counters = vec![number as u64 * 100];
    }
    run
}

fn thread_0(run: &mut Memory, places: &Places) {
    let line = &places.line;
    run.event(0, 100, "C_FUNC", Phase::Start, places.work, &[]);
    let get = [Arg::Int(1), Arg::Address(0x7f00), at(1, 64), Arg::Size(4)];
    run.pair(0, (200, 260), "UPC_GET", line[0], &get);
    let put = [Arg::Int(0), at(2, 128), Arg::Unknown, Arg::Size(8)];
    run.pair(0, (300, 340), "UPC_PUT", line[1], &put);
    run.pair(0, (400, 420), "UPC_LOCK", line[3], &[at(0, 4096)]);
    run.pair(0, (500, 510), "UPC_UNLOCK", line[4], &[at(0, 4096)]);
    run.pair(
        0,
        (600, 800),
        "UPC_BARRIER",
        line[5],
        &[Arg::Int(1), Arg::Int(5)],
    );
    // A local access: it has no arrow and no remote bytes.
    let local = [Arg::Int(1), Arg::Address(0x7f00), at(0, 64), Arg::Size(4)];
    run.pair(0, (820, 830), "UPC_GET", line[0], &local);
    run.event(0, 900, "C_FUNC", Phase::End, places.work, &[]);
    let mut sum = vec![at(0, 64), at(0, 512)];
    sum.extend([
        Arg::Int(1),
        Arg::Size(48),
        Arg::Size(1),
        Arg::Unknown,
        Arg::Int(9),
        Arg::Int(4),
    ]);
    run.pair(0, (1000, 1400), "UPC_ALL_REDUCE", line[2], &sum);
    run.pair(
        0,
        (2000, 2100),
        "UPC_NOTIFY",
        line[6],
        &[Arg::Int(0), Arg::Int(0)],
    );
    run.pair(
        0,
        (2200, 2300),
        "UPC_WAIT",
        line[6],
        &[Arg::Int(0), Arg::Int(0)],
    );
}

fn thread_1(run: &mut Memory, places: &Places) {
    let line = &places.line;
    run.pair(1, (410, 530), "UPC_LOCK", line[3], &[at(0, 4096)]);
    run.pair(1, (540, 545), "UPC_UNLOCK", line[4], &[at(0, 4096)]);
    run.pair(
        1,
        (650, 800),
        "UPC_BARRIER",
        line[5],
        &[Arg::Int(1), Arg::Int(5)],
    );
    for (handle, time, addr) in [(7, 1000, 256), (9, 1020, 512)] {
        let init = [
            Arg::Int(1),
            Arg::Address(0x7f40),
            at(2, addr),
            Arg::Size(1024),
        ];
        let mut done = init.to_vec();
        done.push(Arg::Address(handle));
        run.event(1, time, "UPC_NB_GET_INIT", Phase::Start, line[7], &init);
        run.event(1, time + 10, "UPC_NB_GET_INIT", Phase::End, line[7], &done);
    }
    run.event(
        1,
        1040,
        "UPC_NB_GET_DATA",
        Phase::Start,
        SiteId::NONE,
        &[Arg::Address(7)],
    );
    run.pair(1, (1050, 1060), "UPC_FENCE", line[8], &[]);
    run.event(
        1,
        1090,
        "UPC_NB_GET_DATA",
        Phase::End,
        SiteId::NONE,
        &[Arg::Address(7)],
    );
    run.pair(1, (1100, 1150), "UPC_NB_SYNC", line[8], &[Arg::Address(7)]);
    let try_sync = |run: &mut Memory, time, result| {
        run.event(
            1,
            time,
            "BUPC_NB_TRYSYNC",
            Phase::Start,
            line[8],
            &[Arg::Address(9)],
        );
        let end = [Arg::Address(9), Arg::Int(result)];
        run.event(1, time + 5, "BUPC_NB_TRYSYNC", Phase::End, line[8], &end);
    };
    try_sync(run, 1160, 0);
    try_sync(run, 1200, 1);
    run.pair(
        1,
        (2050, 2060),
        "UPC_NOTIFY",
        line[6],
        &[Arg::Int(0), Arg::Int(0)],
    );
    run.pair(
        1,
        (2070, 2290),
        "UPC_WAIT",
        line[6],
        &[Arg::Int(0), Arg::Int(0)],
    );
}

fn thread_2(run: &mut Memory, places: &Places) {
    let line = &places.line;
    run.user_kind("phase A", Some("%d of %d"));
    run.user_kind("phase B", None);
    let text = run.text("1 of 2");
    run.event(2, 50, "phase A", Phase::Start, line[2], &[Arg::Text(text)]);
    run.event(2, 60, "phase B", Phase::Start, line[2], &[]);
    run.event(2, 80, "phase A", Phase::End, line[2], &[]);
    run.event(2, 90, "phase B", Phase::End, line[2], &[]);
    run.pair(
        2,
        (700, 801),
        "UPC_BARRIER",
        line[5],
        &[Arg::Int(1), Arg::Int(5)],
    );
    run.pair(
        2,
        (900, 950),
        "UPC_MEMCPY",
        line[2],
        &[at(0, 64), at(1, 64), Arg::Size(4096)],
    );
    run.event(
        2,
        960,
        "UPC_CACHE_HIT",
        Phase::Atomic,
        line[0],
        &[Arg::Size(8)],
    );
    // An end without its start, and starts without their end.
    run.event(2, 1000, "UPC_FORALL", Phase::End, line[2], &[]);
    run.event(2, 1100, "C_FUNC", Phase::Start, places.work, &[]);
    run.event(2, 1200, "UPC_FENCE", Phase::Start, line[8], &[]);
    run.pair(
        2,
        (2150, 2160),
        "UPC_NOTIFY",
        line[6],
        &[Arg::Int(0), Arg::Int(0)],
    );
    run.threads[2].end = End::Signal(11);
    run.threads[2].last = 3000;
}

/// Returns a run of two threads, ten milliseconds each.
pub fn profile() -> Memory {
    let mut run = Memory::new(2);
    run.facts.program = "./known;odd name".to_owned();
    let places = places(&mut run);
    for thread in &mut run.threads {
        (thread.first, thread.last) = (0, 10_000_000);
        thread.end = End::Exit(0);
    }
    let kind = |run: &Memory, name: &str| run.tables.kind_named(name).expect("in the table");
    let frame = |parent, kind, site| Frame {
        parent: PathId(parent),
        kind,
        site,
    };
    let (function, get, barrier) = (
        kind(&run, "C_FUNC"),
        kind(&run, "UPC_GET"),
        kind(&run, "UPC_BARRIER"),
    );
    let paths = vec![
        frame(0, KindId(0), SiteId::NONE),
        frame(0, function, places.main),
        frame(1, function, places.work),
        frame(2, get, places.line[0]),
        frame(1, barrier, places.line[5]),
    ];
    let cell = |thread, path, peer, (count, timed, own)| {
        let key = Key {
            thread,
            path: PathId(path),
            peer,
            object: None,
        };
        let cell = Cell {
            count,
            timed,
            own,
            ..Cell::default()
        };
        (key, cell)
    };
    let cells = vec![
        cell(0, 1, None, (1, 1, 1_000_400)),
        cell(0, 2, None, (3, 3, 2_000_000)),
        // Sampled: one of four events was timed; the rest of the time is in `work`.
        cell(0, 3, Some(1), (400, 100, 300_000)),
        cell(0, 3, Some(0), (10, 10, 100)),
        cell(0, 4, None, (2, 2, 3_000_000)),
        cell(1, 1, None, (1, 1, 4_000_000)),
        cell(1, 4, None, (2, 2, 499)),
    ];
    run.profile = Some(Profile { paths, cells });
    run
}

/// Returns recordings with irregular contents, by name.
pub fn odd() -> Vec<(&'static str, Memory)> {
    vec![
        ("many-threads", many_threads()),
        ("odd-names", odd_names()),
        ("backwards", backwards()),
        ("deep", deep()),
        ("no-such-thread", no_such_thread()),
        ("relations", relations()),
        ("lost-barrier", lost_barrier()),
    ]
}

fn many_threads() -> Memory {
    let mut run = Memory::new(1024);
    let site = run.site("many.upc", 1, 1, "");
    for thread in 0..1024 {
        let time = u64::from(thread) * 10;
        run.pair(
            thread,
            (time, 20_000 + time),
            "UPC_BARRIER",
            site,
            &[Arg::Int(0), Arg::Int(0)],
        );
        let put = [at((thread + 1) % 1024, 64), Arg::Unknown, Arg::Size(64)];
        run.pair(thread, (40_000, 40_000 + time), "UPC_MEMPUT", site, &put);
    }
    run
}

fn odd_names() -> Memory {
    let mut run = Memory::new(1);
    run.facts.program = "a \"b\" \\c\u{1}\n\u{e9}\u{1f600}".to_owned();
    let site = run.site("dir;x/\"q\".upc", 7, 0, "p->f(\"\\n;\")[0]");
    let none = run.site("", 0, 0, "");
    run.user_kind("semi;colon \t\u{7f} \u{202e}rtl", None);
    let get = [Arg::Int(1), Arg::Unknown, at(0, 0), Arg::Size(0)];
    run.pair(0, (1, 2), "UPC_GET", site, &get);
    run.pair(
        0,
        (3, 4),
        "semi;colon \t\u{7f} \u{202e}rtl",
        none,
        &[Arg::Real(f64::NAN)],
    );
    run.pair(0, (5, 6), "C_FUNC", none, &[]);
    run
}

/// Returns a run with a clock that goes back, and a last time that is before the last event.
fn backwards() -> Memory {
    let mut run = Memory::new(2);
    let site = run.site("back.upc", 1, 1, "");
    run.event(0, 1000, "C_FUNC", Phase::Start, site, &[]);
    run.pair(0, (500, 400), "UPC_FENCE", site, &[]);
    run.pair(0, (u64::MAX - 1, u64::MAX), "UPC_FENCE", site, &[]);
    run.threads[0].last = 10;
    run.pair(1, (5, 5), "UPC_FENCE", site, &[]);
    run
}

fn deep() -> Memory {
    let mut run = Memory::new(1);
    let site = run.site("deep.upc", 1, 1, "");
    for depth in 0..5000 {
        run.event(0, depth, "C_FUNC", Phase::Start, site, &[]);
    }
    run
}

/// Returns a run with events of a thread that does not exist, as in a damaged file.
fn no_such_thread() -> Memory {
    let mut run = Memory::new(1);
    let site = run.site("remote.upc", 1, 1, "");
    let put = [at(70_000, 64), Arg::Unknown, Arg::Size(64)];
    run.pair(0, (1, 2), "UPC_MEMPUT", site, &put);
    let get = [Arg::Unknown, at(u32::MAX, 64), Arg::Size(64)];
    run.pair(0, (3, 4), "UPC_MEMGET", site, &get);
    run
}

/// Returns a run with transfers that never complete, or complete in their initiation; a handle that is used twice; a
/// lock taken by attempts; two machines.
fn relations() -> Memory {
    let mut run = Memory::new(2);
    run.threads[0].host = "one".to_owned();
    run.threads[1].host = "two".to_owned();
    run.threads[1].end = End::WithJob;
    let site = run.site("relations.upc", 1, 1, "");
    for (handle, time) in [(0, 100), (5, 200), (5, 300), (6, 400)] {
        let init = [at(1, 256), Arg::Int(0), Arg::Size(32)];
        let mut done = init.to_vec();
        done.push(Arg::Address(handle));
        run.event(0, time, "UPCC_NB_MEMSET_INIT", Phase::Start, site, &init);
        run.event(0, time + 10, "UPCC_NB_MEMSET_INIT", Phase::End, site, &done);
    }
    let handle = [Arg::Address(6)];
    run.event(
        0,
        450,
        "UPC_NB_PUT_DATA",
        Phase::Start,
        SiteId::NONE,
        &handle,
    );
    run.pair(0, (500, 520), "UPC_NB_SYNC", site, &handle);
    // The lock passes from thread 0 to thread 1 at the second attempt. Thread 1 releases it and takes it again.
    run.pair(0, (600, 610), "UPC_UNLOCK", site, &[at(0, 4096)]);
    for (time, result) in [(605, 0), (620, 1), (660, 1)] {
        run.event(
            1,
            time,
            "UPC_LOCK_ATTEMPT",
            Phase::Start,
            site,
            &[at(0, 4096)],
        );
        let end = [at(0, 4096), Arg::Int(result)];
        run.event(1, time + 2, "UPC_LOCK_ATTEMPT", Phase::End, site, &end);
        if time == 620 {
            run.pair(1, (650, 655), "UPC_UNLOCK", site, &[at(0, 4096)]);
        }
    }
    run.pair(
        1,
        (700, 720),
        "UPCC_ATOMIC",
        site,
        &[at(0, 8), Arg::Int(1), Arg::Size(8)],
    );
    for event in &mut run.events[1] {
        event.weight = 16;
    }
    run.event(1, 730, "OFF", Phase::Atomic, site, &[]);
    run.event(1, 740, "ON", Phase::Atomic, site, &[]);
    run.event(
        1,
        745,
        "LOST",
        Phase::Atomic,
        SiteId::NONE,
        &[Arg::Size(17)],
    );
    // The job ends while thread 1 waits.
    run.pair(
        0,
        (800, 800),
        "UPC_NOTIFY",
        site,
        &[Arg::Int(0), Arg::Int(0)],
    );
    run.threads[0].last = 900;
    run
}

/// Returns a run in which thread 0 raises events for each of its barriers, but thread 1 not for its first.
fn lost_barrier() -> Memory {
    let mut run = Memory::new(2);
    let site = run.site("lost.upc", 1, 1, "");
    let value = [Arg::Int(0), Arg::Int(0)];
    run.pair(0, (100, 200), "UPC_BARRIER", site, &value);
    run.pair(0, (300, 400), "UPC_BARRIER", site, &value);
    run.pair(1, (350, 400), "UPC_BARRIER", site, &value);
    run
}
