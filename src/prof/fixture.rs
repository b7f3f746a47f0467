//! Recordings for tests.

use super::memory::Memory;
use super::model::{Arg, End, Object, Phase, Shared};
use super::profile::{Asked, By, Sort};
use std::time::{Duration, UNIX_EPOCH};

/// A random number generator for tests with a reproducible sequence.
pub struct Random(pub u64);

impl Random {
    /// Returns a number below `below`.
    pub fn below(&mut self, below: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % below
    }
}

fn shared(thread: u32, addr: u64) -> Arg {
    Arg::Shared(Shared {
        thread,
        addr,
        phase: Some(addr / 8 % 4),
    })
}

/// Returns a recording of two threads with events of many kinds.
pub fn sample() -> Memory {
    let mut m = Memory::new(2);
    m.facts.program = "./heat".to_owned();
    m.facts.args = vec!["-n".to_owned(), "100".to_owned()];
    m.facts.runtime = "0.1.0".to_owned();
    m.facts.network = "smp".to_owned();
    m.facts.has_paths = true;
    m.facts.started = Some(UNIX_EPOCH + Duration::from_secs(1_700_000_000));
    let (name, type_name) = (m.text("grid"), m.text("shared [4] double[8*THREADS]"));
    m.object(Object {
        name,
        type_name,
        addr: 0x10000,
        bytes_per_thread: 64,
        elem_bytes: 8,
        blocks: 4,
        block_bytes: 32,
    });
    let signature = m.text("int main(int argc, char **argv)");
    let main = m.site("heat.upc", 10, 5, "");
    m.tables.sites[main.0 as usize].type_name = Some(signature);
    let get = m.site("heat.upc", 14, 12, "grid[i - 1]");
    let put = m.site("heat.upc", 15, 9, "grid[i]");
    let barrier = m.site("heat.upc", 20, 5, "");
    let nb = m.site("heat.upc", 25, 5, "");
    let sync = m.site("heat.upc", 27, 5, "");
    let alloc = m.site("heat.upc", 12, 9, "");
    let lock = m.site("lib/queue.upc", 7, 3, "");
    let user = m.site("heat.upc", 30, 5, "");
    let solve = m.user_kind("solve", Some("in %s"));
    let user_name = m.tables.kind(solve).name.clone();
    let step = m.text("step 3");
    for me in 0..2u32 {
        let peer = 1 - me;
        let at = u64::from(me) * 7;
        m.event(
            me,
            1_000 + at,
            "C_FUNC",
            Phase::Start,
            main,
            &[Arg::Text(signature)],
        );
        let sizes = [Arg::Size(4), Arg::Size(32)];
        m.event(me, 1_500, "UPC_ALL_ALLOC", Phase::Start, alloc, &sizes);
        m.event(
            me,
            2_500,
            "UPC_ALL_ALLOC",
            Phase::End,
            alloc,
            &[sizes[0], sizes[1], shared(0, 0x20000)],
        );
        for i in 0..3u64 {
            let t = 3_000 + 1_000 * i + at;
            let from = shared(peer, 0x10000 + 8 * i);
            let args = [Arg::Int(1), Arg::Unknown, from, Arg::Size(8)];
            m.pair(me, (t, t + 100), "UPC_GET", get, &args);
            let args = [
                Arg::Int(i64::from(i == 0)),
                shared(me, 0x10020),
                Arg::Unknown,
                Arg::Size(8),
            ];
            m.pair(me, (t + 200, t + 250), "UPC_PUT", put, &args);
        }
        m.event(me, 6_500, "solve", Phase::Start, user, &[Arg::Text(step)]);
        let remote = [
            Arg::Int(1),
            Arg::Address(0x7f00),
            shared(peer, 0x20000),
            Arg::Size(4096),
        ];
        m.event(me, 7_000, "UPC_NB_GET_INIT", Phase::Start, nb, &remote);
        let ended = [
            remote[0],
            remote[1],
            remote[2],
            remote[3],
            Arg::Address(0x30),
        ];
        m.event(me, 7_100, "UPC_NB_GET_INIT", Phase::End, nb, &ended);
        m.event(
            me,
            7_150,
            "UPC_NB_GET_DATA",
            Phase::Start,
            nb,
            &[Arg::Address(0x30)],
        );
        m.event(
            me,
            7_900,
            "UPC_NB_GET_DATA",
            Phase::End,
            nb,
            &[Arg::Address(0x30)],
        );
        m.pair(
            me,
            (8_000, 8_200),
            "UPC_NB_SYNC",
            sync,
            &[Arg::Address(0x30)],
        );
        m.event(me, 8_300, "OFF", Phase::Atomic, Default::default(), &[]);
        m.event(me, 8_400, "ON", Phase::Atomic, Default::default(), &[]);
        m.event(
            me,
            8_400,
            "LOST",
            Phase::Atomic,
            Default::default(),
            &[Arg::Size(12)],
        );
        let held = 8_500 + 400 * u64::from(me);
        m.pair(me, (8_450, held), "UPC_LOCK", lock, &[shared(0, 0x30000)]);
        m.pair(
            me,
            (held + 100, held + 150),
            "UPC_UNLOCK",
            lock,
            &[shared(0, 0x30000)],
        );
        m.event(me, 9_500, &user_name, Phase::End, user, &[]);
        let reduce = [
            shared(0, 0x10000),
            shared(0, 0x10020),
            Arg::Int(1),
            Arg::Size(16),
            Arg::Size(4),
            Arg::Unknown,
            Arg::Int(9),
            Arg::Int(9),
        ];
        m.pair(me, (9_600, 9_900), "UPC_ALL_REDUCE", barrier, &reduce);
        m.pair(
            me,
            (10_000 + at, 12_000),
            "UPC_BARRIER",
            barrier,
            &[Arg::Int(1), Arg::Int(42)],
        );
        m.event(
            me,
            12_500,
            "C_FUNC",
            Phase::End,
            main,
            &[Arg::Text(signature)],
        );
        let thread = &mut m.threads[me as usize];
        thread.process = 100 + me;
        thread.host = "node".to_owned();
        thread.first = 500;
        thread.last = 13_000;
        thread.end = if me == 0 {
            End::Exit(0)
        } else {
            End::Signal(11)
        };
    }
    // A record of a thread that had no processor before it.
    m.facts.has_processor = true;
    if let Some(event) = m.events[1].get_mut(4) {
        event.delayed = 40;
    }
    m
}

/// Returns a recording of threads with events of all kinds in random nesting.
pub fn random(seed: u64, threads: u32, events: usize) -> Memory {
    let mut random = Random(seed | 1);
    let mut m = Memory::new(threads);
    let sites: Vec<_> = (0..20)
        .map(|line| m.site(if line % 3 == 0 { "a.upc" } else { "b.upc" }, line, 1, "x"))
        .collect();
    let kinds = m.tables.kinds.clone();
    let text = m.text("some text");
    for thread in 0..threads {
        let mut time = 0;
        let mut open: Vec<(String, usize, Vec<Arg>)> = Vec::new();
        for _ in 0..events {
            time += random.below(300);
            if random.below(2) == 0
                && let Some((name, site, args)) = open.pop()
            {
                let kind = m.tables.kind_named(&name).unwrap();
                let end = m.tables.kind(kind).end;
                let all: Vec<Arg> = end
                    .iter()
                    .enumerate()
                    .map(|(at, spec)| match args.get(at) {
                        Some(arg) => *arg,
                        None => value(spec, text, &mut random),
                    })
                    .collect();
                m.event(thread, time, &name, Phase::End, sites[site], &all);
                continue;
            }
            let kind = &kinds[random.below(kinds.len() as u64) as usize];
            let site = random.below(sites.len() as u64) as usize;
            if !kind.nested || kind.group == super::model::Group::Note {
                continue;
            }
            let args: Vec<Arg> = kind
                .start
                .iter()
                .map(|spec| value(spec, text, &mut random))
                .collect();
            let once = kind.name.contains("CACHE")
                || kind.name.contains("STATIC")
                || kind.name.contains("NONCOLL");
            let phase = if once { Phase::Atomic } else { Phase::Start };
            m.event(thread, time, &kind.name, phase, sites[site], &args);
            if !once {
                open.push((kind.name.clone(), site, args));
            }
        }
    }
    m
}

fn value(spec: &super::model::ArgSpec, text: super::model::TextId, random: &mut Random) -> Arg {
    use super::model::ArgKind;
    match spec.kind {
        // A thread, or none.
        ArgKind::Int if spec.name == "peer" => Arg::Int(random.below(5) as i64 - 1),
        ArgKind::Int
        | ArgKind::Flags
        | ArgKind::Operation
        | ArgKind::Reduction
        | ArgKind::FileFlags
        | ArgKind::Offset => Arg::Int(random.below(20) as i64 - 4),
        ArgKind::Size => Arg::Size(random.below(1 << 40)),
        ArgKind::Pointer | ArgKind::Handle => Arg::Address(random.below(u64::MAX)),
        ArgKind::Shared | ArgKind::Lock => shared(random.below(4) as u32, random.below(1 << 34)),
        ArgKind::Text => Arg::Text(text),
    }
}

/// All rows of a profile, the longest own time first.
pub fn asked(by: By) -> Asked {
    Asked {
        by,
        sort: vec![Sort::Own],
        hide: Vec::new(),
        report: Vec::new(),
        per_thread: false,
        internal: true,
        top: None,
        ratios: Vec::new(),
    }
}
