//! Tests that exports of traces stream: their memory does not grow with the number of events.

use std::fs;
use std::io::{self, Write};

use upcc::prof::compute;
use upcc::prof::estimate::estimate;
use upcc::prof::export::{self, FORMATS, Files, Format, Options, Several, Summary, Unit};
use upcc::prof::kinds;
use upcc::prof::memory::Memory;
use upcc::prof::model::{
    Arg, Count, Damage, Event, Events, Facts, Phase, Profile, Recording, Shared, SiteId, Tables,
    Thread,
};

const THREADS: u32 = 4;
const FEW: u64 = 20_000;
const MANY: u64 = 200_000;
/// An event kept in memory would take more than 50 bytes.
const MAY_GROW: u64 = (MANY - FEW) * 5;

/// A run that makes its events on demand: gets, puts, locks that pass between threads, transfers in flight, barriers.
struct Endless {
    facts: Memory,
    site: SiteId,
    events: u64,
}

/// The pairs that each thread repeats, at 100 nanoseconds each.
const ROUND: [&str; 7] = [
    "UPC_GET",
    "UPC_MEMPUT",
    "UPC_LOCK",
    "UPC_UNLOCK",
    "UPC_NB_GET_INIT",
    "UPC_NB_SYNC",
    "UPC_BARRIER",
];

impl Endless {
    fn new(events: u64) -> Endless {
        let mut facts = Memory::new(THREADS);
        let site = facts.site("endless.upc", 1, 1, "a[i]");
        Endless {
            facts,
            site,
            events,
        }
    }

    /// Returns the event of this number; threads take turns.
    fn event(&self, number: u64) -> Event {
        let thread = (number % u64::from(THREADS)) as u32;
        let step = number / u64::from(THREADS);
        let name = ROUND[(step / 2) as usize % ROUND.len()];
        let tables = self.facts.tables();
        let kind = tables.kind_named(name).expect("in the table");
        let phase = [Phase::Start, Phase::End][(step % 2) as usize];
        let place = |thread| {
            Arg::Shared(Shared {
                thread,
                addr: 64,
                phase: Some(0),
            })
        };
        let specs = tables.kind(kind).args(phase);
        let args = specs.iter().map(|spec| match spec.name {
            "dst" | "src" => place((thread + 1) % THREADS),
            "lck" => place(0),
            "handle" => Arg::Address(1 + step / (2 * ROUND.len() as u64)),
            "n" => Arg::Size(8),
            _ => Arg::Int(0),
        });
        let mut event = Event {
            time: step * 100 + u64::from(thread),
            thread,
            pthread: 0,
            kind,
            phase,
            site: self.site,
            traffic: None,
            bytes: 0,
            delayed: 0,
            written: 0,
            args: args.collect(),
            counters: Vec::new(),
            weight: 1,
        };
        kinds::complete(tables.kind(kind), &mut event);
        event
    }
}

struct Stream<'r> {
    run: &'r Endless,
    next: u64,
    by: u64,
    event: Option<Event>,
}

impl Events for Stream<'_> {
    fn next(&mut self) -> Option<&Event> {
        self.event = (self.next < self.run.events).then(|| self.run.event(self.next));
        self.next += self.by;
        self.event.as_ref()
    }
}

impl Recording for Endless {
    fn facts(&self) -> &Facts {
        self.facts.facts()
    }

    fn threads(&self) -> &[Thread] {
        self.facts.threads()
    }

    fn tables(&self) -> &Tables {
        self.facts.tables()
    }

    fn profile(&self) -> Option<&Profile> {
        None
    }

    fn counts(&self) -> &[Count] {
        &[]
    }

    fn has_trace(&self) -> bool {
        true
    }

    fn events(&self, thread: u32) -> Box<dyn Events + '_> {
        Box::new(Stream {
            run: self,
            next: thread.into(),
            by: THREADS.into(),
            event: None,
        })
    }

    fn pthreads(&self, _thread: u32) -> Vec<u32> {
        Vec::new()
    }

    fn pthread_events(&self, thread: u32, _pthread: u32) -> Box<dyn Events + '_> {
        self.events(thread)
    }

    fn merged(&self) -> Box<dyn Events + '_> {
        Box::new(Stream {
            run: self,
            next: 0,
            by: 1,
            event: None,
        })
    }

    fn damage(&self) -> Vec<Damage> {
        Vec::new()
    }
}

/// Returns the peak memory of this process in bytes.
fn peak() -> u64 {
    let status = fs::read_to_string("/proc/self/status").expect("Linux has this file");
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let number = line.and_then(|line| line.split_whitespace().next());
    number
        .and_then(|n| n.parse::<u64>().ok())
        .expect("a number")
        * 1024
}

/// Files that nobody keeps.
struct Nowhere;

impl Files for Nowhere {
    fn path(&self, name: &str) -> String {
        name.to_owned()
    }

    fn file(
        &mut self,
        _name: &str,
        write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>,
    ) -> io::Result<()> {
        write(&mut io::sink())
    }
}

/// Exports a run of this many events.
fn exported(format: Format, events: u64) -> Summary {
    let run = Endless::new(events);
    let summary = match format.several() {
        Some(_) => {
            let estimate = estimate(&run, &compute::profile(&run));
            export::export_files(&run, Some(&estimate), format, &mut Nowhere)
        }
        None => {
            let options = Options {
                format,
                per_thread: false,
                unit: Unit::Nanoseconds,
            };
            export::export(&run, None, options, &mut io::sink())
        }
    };
    summary.unwrap_or_else(|error| panic!("{format:?}: {error}"))
}

#[test]
fn memory_does_not_grow_with_the_trace() {
    let of_traces = FORMATS
        .iter()
        .map(|(_, format, _)| *format)
        // Stacks and TAU's files are profiles. The library of OTF2 writes that format.
        .filter(|format| *format != Format::Collapsed)
        .filter(|format| !matches!(format.several(), Some(Several::Folder | Several::Archive)));
    for format in of_traces {
        let run = |events| {
            let summary = exported(format, events);
            assert_eq!(summary.events, events);
            assert_eq!(summary.stray, 0);
            peak()
        };
        let before = run(FEW);
        let grown = run(MANY).saturating_sub(before);
        assert!(grown < MAY_GROW, "{format:?}: {grown} bytes more");
    }
}
