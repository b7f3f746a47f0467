//! Reads the files of a run: `docs/trace-format.md`.
//!
//! Opening a recording scans all blocks once, checks their sums and reads everything but the events; those are decoded
//! on demand, one block of each thread at a time. The file is read, not mapped, because it may still be written, or be
//! truncated, meanwhile.
//!
//! `live` reads a run that is under way.
//! `blocks` finds blocks, `fields` and `define` decode their contents, `tree` profiles and counts, `clock` times,
//! `thread` the rest of a thread, `stream` and `merge` events.

mod blocks;
mod clock;
mod define;
mod fields;
mod live;
mod merge;
mod stream;
#[cfg(test)]
mod tests;
mod thread;
mod tree;

use super::format::{BlockKind, Field, mode};
use super::model::{
    Clocks, Count, Damage, End, Events, Facts, Profile, Recording, Tables, Thread, dropped,
};
use blocks::{Block, NoRecording, Scan};
use clock::{Clock, Drift, Moment, Offset};
use define::Definitions;
use fields::Fields;
use hashbrown::HashMap;
pub use live::open_live;
use merge::Merged;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::{Duration, UNIX_EPOCH};
use stream::Stream;
use thread::PerThread;
use tree::Trees;

/// The largest number of threads of a recording; limits the memory that a hostile file can ask for.
const MOST_THREADS: u32 = 1 << 20;

/// A file that cannot be read as a recording.
#[derive(Debug)]
pub struct OpenError {
    /// The file.
    pub path: PathBuf,
    /// The reason.
    reason: NoRecording,
}

impl std::fmt::Display for OpenError {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let path = self.path.display();
        match &self.reason {
            NoRecording::Io(error) => {
                write!(to, "cannot read {path}: {}", crate::cli::system_text(error))
            }
            NoRecording::Signature => write!(
                to,
                "{path} is not a recording of a UPC program (upcrun -trace and -profile write them)"
            ),
            NoRecording::Version(major, minor) => write!(
                to,
                "{path} has version {major}.{minor} of the format, but this upcprof reads up to {}: use the upcprof of the upcc that built the program",
                super::format::MAJOR
            ),
            NoRecording::Empty => {
                write!(to, "{path} has no complete block: nothing can be read")
            }
            NoRecording::Another => write!(
                to,
                "{path} is from a different run than the files before it"
            ),
        }
    }
}

impl std::error::Error for OpenError {}

/// A recording in files.
#[derive(Debug)]
pub struct Opened {
    files: Vec<File>,
    facts: Facts,
    definitions: Definitions,
    per_thread: Vec<PerThread>,
    threads: Vec<Thread>,
    clocks: Vec<Clock>,
    profile: Option<Profile>,
    counts: Vec<Count>,
    /// The damage by position, so that several passes report it once.
    damage: RefCell<BTreeMap<(usize, u64), Damage>>,
}

/// Opens the file of a run, or the files of its threads.
///
/// # Errors
/// The files are not a recording. A damaged recording opens: [`Recording::damage`] reports the damage.
pub fn open(paths: &[PathBuf]) -> Result<Opened, OpenError> {
    let mut opening = Opening::default();
    for path in paths {
        let failed = |reason| OpenError {
            path: path.clone(),
            reason,
        };
        opening.file(path).map_err(failed)?;
    }
    Ok(opening.finish())
}

/// The start of the run.
#[derive(Clone, Copy)]
struct RunStart {
    /// Nanoseconds since 1970.
    wall: u64,
    /// The moment on both clocks of this thread's machine.
    moment: Option<Moment>,
    thread: u32,
}

/// The data collected during the scan of the blocks.
#[derive(Default)]
struct Opening {
    files: Vec<File>,
    facts: Facts,
    run: Option<RunStart>,
    definitions: Option<Definitions>,
    threads: HashMap<u32, PerThread>,
    trees: Trees,
    damage: BTreeMap<(usize, u64), Damage>,
}

impl Opening {
    fn file(&mut self, path: &Path) -> Result<(), NoRecording> {
        let file = File::open(path)?;
        self.facts.version = blocks::version(&file)?;
        let index = self.files.len();
        let mut scan = Scan::new(&file, index)?;
        self.facts.file_bytes += scan.size();
        let mut count = 0;
        while let Some((block, payload)) = scan.next()? {
            count += 1;
            self.block(block, payload)?;
        }
        for damage in scan.into_damage() {
            self.damage.insert((index, damage.offset), damage);
        }
        self.files.push(file);
        if count == 0 {
            return Err(NoRecording::Empty);
        }
        Ok(())
    }

    fn wrong(&mut self, block: &Block, message: String) {
        let damage = Damage {
            offset: block.offset,
            thread: Some(block.head.thread),
            message,
        };
        self.damage.insert((block.file, block.offset), damage);
    }

    fn block(&mut self, block: Block, payload: &[u8]) -> Result<(), NoRecording> {
        let number = block.head.thread;
        let Some(kind) = BlockKind::from_code(block.head.kind.into()) else {
            // The block belongs to a later version.
            return Ok(());
        };
        if kind == BlockKind::Run {
            self.run(number, payload)?;
        }
        if number >= MOST_THREADS {
            self.wrong(&block, format!("no run has a thread {number}"));
            return Ok(());
        }
        let thread = self.threads.entry(number).or_default();
        let expected = thread.next;
        if block.head.number.checked_add(1) == Some(expected) && block.head.crc == thread.sum {
            // The thread was killed before it knew that the block is in the file, and the launcher wrote the block
            // again.
            return Ok(());
        }
        if block.head.number < expected {
            self.wrong(
                &block,
                format!("block {} is repeated or out of order", block.head.number),
            );
            return Ok(());
        }
        thread.next = block.head.number.saturating_add(1);
        thread.sum = block.head.crc;
        thread.bytes_add(&block);
        let definitions = self.definitions.get_or_insert_with(Definitions::new);
        let sense = match kind {
            BlockKind::Run => Some(()),
            BlockKind::Thread | BlockKind::End => {
                thread.fields(number, kind == BlockKind::End, payload);
                Some(())
            }
            BlockKind::Define => definitions.read(&mut thread.local, payload),
            BlockKind::Events => thread.events(block, payload),
            BlockKind::PthreadEvents => thread.pthread_events(block, payload),
            BlockKind::Profile => {
                let counters = self.facts.counters.len();
                self.trees.profile(
                    number,
                    &thread.local,
                    &definitions.event_sites,
                    counters,
                    payload,
                )
            }
            BlockKind::Loops => definitions.loops(payload),
            BlockKind::Remarks => definitions.remarks(payload),
            BlockKind::Samples => self.trees.samples(number, payload),
            BlockKind::Counts => {
                self.trees
                    .counts(number, &thread.local, &definitions.event_sites, payload)
            }
        };
        if block.head.number > expected {
            thread.gaps.push(block.head.number);
            let last = block.head.number - 1;
            let which = match last == expected {
                true => format!("block {last} is missing"),
                false => format!("blocks {expected} to {last} are missing"),
            };
            self.wrong(&block, which);
        }
        if sense.is_none() {
            self.wrong(
                &block,
                format!("block {kind:?} (number {}) is invalid", block.head.number),
            );
        }
        Ok(())
    }

    fn run(&mut self, thread: u32, payload: &[u8]) -> Result<(), NoRecording> {
        let mut facts = Facts {
            version: self.facts.version,
            file_bytes: self.facts.file_bytes,
            has_paths: true,
            ..Facts::default()
        };
        let (mut start, mut ticks, mut ns, mut modes) = (0, None, None, 0);
        for (field, value) in Fields(payload) {
            match field {
                Field::Program => facts.program = value.text(),
                Field::Argument => facts.args.push(value.text()),
                Field::Threads => facts.threads = value.small(),
                Field::StaticThreads => facts.static_threads = value.small(),
                Field::Version => facts.runtime = value.text(),
                Field::Start => start = value.number(),
                Field::Mode => modes = value.number(),
                Field::Counter => facts.counters.push(value.text()),
                Field::Setting => facts.settings.push(value.text()),
                Field::Network => facts.network = value.text(),
                Field::Ticks => ticks = Some(value.number()),
                Field::Ns => ns = Some(value.number()),
                Field::Host
                | Field::Process
                | Field::Offset
                | Field::OffsetError
                | Field::PairCost
                | Field::PairError
                | Field::Processors
                | Field::How
                | Field::Status
                | Field::Events
                | Field::Raised
                | Field::DroppedSampling
                | Field::DroppedRate
                | Field::DroppedSize
                | Field::DroppedDepth
                | Field::DroppedControl
                | Field::DroppedReentry
                | Field::NodesFull
                | Field::Salvaged
                | Field::Pthreads
                | Field::PthreadTicks
                | Field::Began => {}
            }
        }
        facts.has_paths = modes & mode::FLAT == 0;
        facts.has_local = modes & mode::LOCAL != 0;
        facts.has_processor = modes & mode::PROCESSOR != 0;
        facts.is_profiled = modes & mode::PROFILE != 0;
        facts.started = (start > 0).then(|| UNIX_EPOCH + Duration::from_nanos(start));
        let moment = ticks.zip(ns).map(|(ticks, ns)| Moment { ticks, ns });
        if let Some(run) = self.run {
            let same = run.wall == start
                && self.facts.threads == facts.threads
                && self.facts.program == facts.program;
            return if same {
                Ok(())
            } else {
                Err(NoRecording::Another)
            };
        }
        self.run = Some(RunStart {
            wall: start,
            moment,
            thread,
        });
        self.facts = facts;
        Ok(())
    }

    fn finish(mut self) -> Opened {
        let threads = self.all_threads();
        self.facts.threads = threads.len() as u32;
        let mut definitions = self.definitions.unwrap_or_else(Definitions::new);
        definitions.finish(self.facts.threads);
        let mut opened = Opened {
            files: self.files,
            facts: self.facts,
            definitions,
            clocks: Vec::new(),
            threads: Vec::new(),
            per_thread: threads,
            profile: None,
            counts: Vec::new(),
            damage: RefCell::new(self.damage),
        };
        opened.set_clocks(self.run);
        opened.set_threads();
        let ns = |thread: u32, ticks| match opened.per_thread.get(thread as usize) {
            Some(of) => opened.clock(of).duration(ticks),
            None => 0,
        };
        let (profile, counts) = self.trees.finish(opened.tables(), ns);
        opened.profile = profile;
        opened.counts = counts;
        opened
    }

    /// Returns the threads by number: as many as the run had, or as the file contains.
    fn all_threads(&mut self) -> Vec<PerThread> {
        let known = self.threads.keys().max().map_or(0, |&last| last + 1);
        let said = self.facts.threads;
        let count = match said {
            1..=MOST_THREADS => said,
            _ => known,
        };
        if known > count {
            let damage = Damage {
                offset: 0,
                thread: None,
                message: format!(
                    "blocks of threads {count} to {} in a run of {count} threads are left out",
                    known - 1
                ),
            };
            self.damage.insert((0, 0), damage);
        }
        (0..count)
            .map(|number| self.threads.remove(&number).unwrap_or_default())
            .collect()
    }
}

fn compared(machines: &[Machine], home: usize) -> Clocks {
    let known = machines.iter().filter(|of| of.span.is_some()).count();
    let mut others = machines.iter().enumerate();
    let lacks = |(index, of): (usize, &Machine)| {
        index != home && of.span.is_some() && of.offsets == [None; 2]
    };
    match known {
        0 | 1 => Clocks::One,
        known if others.any(lacks) => Clocks::Apart(known),
        known => {
            let errors = machines.iter().map(|of| of.drift().error);
            Clocks::Compared(known, errors.max().unwrap_or(0))
        }
    }
}

/// What the threads of a machine recorded about its clocks.
#[derive(Default)]
struct Machine {
    span: Option<(Moment, Moment)>,
    /// The best comparison at the start, and at the end.
    offsets: [Option<Offset>; 2],
}

impl Machine {
    /// Adds a thread. `began`: the start of the run, if this thread recorded it.
    fn add(&mut self, thread: &PerThread, began: Option<Moment>) {
        let first = began.or(thread.first);
        if let Some((first, last)) = first.zip(thread.last.or(first)) {
            let (from, to) = self.span.get_or_insert((first, last));
            if first.ticks < from.ticks {
                *from = first;
            }
            if last.ticks > to.ticks {
                *to = last;
            }
        }
        for (best, offset) in self.offsets.iter_mut().zip(thread.offsets) {
            *best = [*best, offset]
                .into_iter()
                .flatten()
                .min_by_key(|of| of.error);
        }
    }

    fn drift(&self) -> Drift {
        let [start, end] = self.offsets;
        start
            .or(end)
            .map_or_else(Drift::default, |start| Drift::new(start, end))
    }

    fn clock(&self, start: u64) -> Clock {
        self.span.map_or_else(Clock::default, |(first, last)| {
            Clock::new(first, last, self.drift(), start)
        })
    }
}

impl Opened {
    fn clock(&self, thread: &PerThread) -> Clock {
        self.clocks.get(thread.clock).copied().unwrap_or_default()
    }

    /// Sets one clock for each machine from the data of all its threads.
    fn set_clocks(&mut self, run: Option<RunStart>) {
        let mut names: HashMap<String, usize> = HashMap::new();
        let mut machines: Vec<Machine> = Vec::new();
        for (number, thread) in self.per_thread.iter_mut().enumerate() {
            let host = thread.facts().host.clone();
            thread.clock = *names.entry(host).or_insert_with(|| {
                machines.push(Machine::default());
                machines.len() - 1
            });
            let began = run.filter(|run| run.thread as usize == number);
            machines[thread.clock].add(thread, began.and_then(|run| run.moment));
        }
        let home = self.per_thread.first().map_or(0, |thread| thread.clock);
        if let Some(machine) = machines.get_mut(home) {
            // This is thread 0's machine, which other groups of threads may have compared, too.
            machine.offsets = [None; 2];
        }
        let corrected = |moment: Moment, machine: &Machine| machine.drift().correct(moment.ns);
        let start = run.and_then(|run| {
            let thread = self.per_thread.get(run.thread as usize)?;
            Some(corrected(run.moment?, &machines[thread.clock]))
        });
        let earliest = || {
            let spans = machines.iter().filter_map(|of| Some((of.span?.0, of)));
            spans.map(|(first, of)| corrected(first, of)).min()
        };
        let start = start.or_else(earliest).unwrap_or(0);
        self.facts.clocks = compared(&machines, home);
        self.clocks = machines.iter().map(|of| of.clock(start)).collect();
    }

    /// Sets the threads of the model. A thread whose end is unknown ends with its last event.
    fn set_threads(&mut self) {
        let mut threads = Vec::new();
        for (number, thread) in self.per_thread.iter().enumerate() {
            let clock = self.clock(thread);
            let time = |moment: Option<Moment>| moment.map_or(0, |moment| clock.time(moment.ticks));
            let mut facts = thread.facts.clone().unwrap_or_else(|| Thread::unknown(0));
            facts.id = number as u32;
            facts.last = time(thread.last);
            facts.first = time(thread.first);
            if let Some(began) = thread.began {
                let began = clock.time(began);
                facts.first = began.clamp(facts.first, facts.last.max(facts.first));
            }
            facts.pthread_time = clock.duration(thread.pthread_ticks);
            facts.pair_cost = clock.duration(facts.pair_cost);
            facts.pair_error = clock.duration(facts.pair_error);
            let is_cut = facts.dropped(dropped::SIZE) > 0;
            if facts.end == End::Unknown || is_cut {
                let last = self.last_event(facts.id, thread);
                facts.last = facts.last.max(last);
                facts.cut = is_cut.then_some(last.max(facts.first));
            }
            threads.push(facts);
        }
        self.threads = threads;
    }

    /// Returns the time of a thread's last event, from the last blocks of its pthreads.
    fn last_event(&self, id: u32, thread: &PerThread) -> u64 {
        let last = thread.with_events().map(|pthread| {
            let mut stream = Stream::last_block(self, id, pthread, thread);
            while stream.advance() {}
            stream.current().time
        });
        last.max().unwrap_or(0)
    }

    /// Returns the event streams of a thread's pthreads.
    fn streams<'f>(&'f self, id: u32, of: &'f PerThread) -> impl Iterator<Item = Stream<'f>> {
        of.with_events()
            .map(move |pthread| Stream::new(self, id, pthread, of))
    }

    /// Records the damage that a stream found.
    fn note_damage(&self, offset: u64, thread: u32, message: String) {
        let damage = Damage {
            offset,
            thread: Some(thread),
            message,
        };
        let key = (thread as usize, offset);
        self.damage.borrow_mut().entry(key).or_insert(damage);
    }
}

impl Recording for Opened {
    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn threads(&self) -> &[Thread] {
        &self.threads
    }

    fn tables(&self) -> &Tables {
        &self.definitions.tables
    }

    fn profile(&self) -> Option<&Profile> {
        self.profile.as_ref()
    }

    fn counts(&self) -> &[Count] {
        &self.counts
    }

    fn has_trace(&self) -> bool {
        self.per_thread
            .iter()
            .any(|thread| thread.with_events().next().is_some())
    }

    fn events(&self, thread: u32) -> Box<dyn Events + '_> {
        match self.per_thread.get(thread as usize) {
            Some(of) if of.pthreads.is_empty() => Box::new(Stream::new(self, thread, 0, of)),
            Some(of) => Box::new(Merged::new(self.streams(thread, of).collect())),
            None => Box::new(Merged::new(Vec::new())),
        }
    }

    fn pthreads(&self, thread: u32) -> Vec<u32> {
        let of = self.per_thread.get(thread as usize);
        of.map_or_else(Vec::new, |of| of.pthreads.keys().copied().collect())
    }

    fn pthread_events(&self, thread: u32, pthread: u32) -> Box<dyn Events + '_> {
        match self.per_thread.get(thread as usize) {
            Some(of) => Box::new(Stream::new(self, thread, pthread, of)),
            None => Box::new(Merged::new(Vec::new())),
        }
    }

    fn merged(&self) -> Box<dyn Events + '_> {
        let threads = self.per_thread.iter().zip(0..);
        Box::new(Merged::new(
            threads
                .flat_map(|(thread, id)| self.streams(id, thread))
                .collect(),
        ))
    }

    fn damage(&self) -> Vec<Damage> {
        self.damage.borrow().values().cloned().collect()
    }
}
