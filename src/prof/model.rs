//! The contents of a recording: the facts of the run, its tables, its events, its profile.
//!
//! A [`Recording`] is a file that was opened (`reader`), or one built in memory (`memory`, for tests). Every id in it
//! is valid for the whole run: the reader has unified the threads' own numberings. Tables are complete once the
//! recording is open; events are streamed, so memory does not grow with their number. Times are nanoseconds since the
//! start of the run, on one clock for all threads.
//!
//! Streams lend their current event:
//! ```text
//! let mut events = recording.merged();
//! while let Some(event) = events.next() { ... }
//! ```

mod profile;
mod tables;

pub use super::groups::Group;
pub use crate::events::{Arg as ArgSpec, ArgKind};
pub use profile::{Cell, Count, Frame, Key, Profile, Samples};
use std::time::SystemTime;
pub use tables::{Loop, Object, Tables};

/// The index of a text in [`Tables::texts`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TextId(pub u32);

/// The index of a place in [`Tables::sites`]; 0 stands for "no place".
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct SiteId(pub u32);

impl SiteId {
    /// The site of events that no place of the program raised, such as those at start-up.
    pub const NONE: SiteId = SiteId(0);
}

/// The index of a kind of event in [`Tables::kinds`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct KindId(pub u32);

/// The index of a static shared object in [`Tables::objects`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ObjectId(pub u32);

/// The index of a call path in [`Profile::paths`]; 0 is the root, which has no frame.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct PathId(pub u32);

impl PathId {
    /// The empty path.
    pub const ROOT: PathId = PathId(0);
}

/// A place in the program that raises events.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Site {
    /// The file's name as passed to the compiler.
    pub file: TextId,
    /// The line, starting at 1; 0: unknown.
    pub line: u32,
    /// The column, starting at 1; 0: unknown.
    pub column: u32,
    /// The C type of the accessed expression; for a function, its signature.
    pub type_name: Option<TextId>,
    /// The text of the accessed expression, `a[i]`.
    pub name: Option<TextId>,
}

/// The name of the note that `pupc_control(0)` was called.
pub const OFF: &str = "OFF";
/// The name of the note that `pupc_control(1)` was called.
pub const ON: &str = "ON";
/// The name of the note that events are missing at this point, with their number as argument.
pub const LOST: &str = "LOST";

/// A kind of event: a row of the table of events, or one that the user created.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Kind {
    /// The symbol without `GASP_`: `UPC_GET`; for a user's event, the name it was given.
    pub name: String,
    /// The group that it belongs to.
    pub group: Group,
    /// The arguments of start events and of atomic events.
    pub start: &'static [ArgSpec],
    /// The arguments of end events.
    pub end: &'static [ArgSpec],
    /// Which arguments describe the moved data.
    pub moves: Moves,
    /// Starts and ends nest; otherwise they are matched by the handle that is their first argument.
    pub nested: bool,
    /// For a user's event: the printf format it was given.
    pub description: Option<String>,
}

/// The positions of the arguments that describe the moved data; the same at the event's start and end.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Moves {
    /// The direction, the argument with the place, and for a copy the argument with the source. `None` if there is no
    /// single peer: collectives.
    pub traffic: Option<(Direction, usize, Option<usize>)>,
    /// The arguments whose product is the number of bytes.
    pub bytes: [Option<usize>; 2],
    /// The argument with the lock or the semaphore.
    pub lock: Option<usize>,
    /// The argument with the number of a thread that a message is exchanged with; -1: none.
    pub rank: Option<usize>,
    /// The argument with the handle of a non-blocking operation, at its end.
    pub handle: Option<usize>,
}

impl Kind {
    /// Returns whether the thread waits for others in it.
    pub fn waits(&self) -> bool {
        self.group.facts().waits
    }

    /// Returns the peer thread of an event of this kind: that of the accessed memory, of the lock or of the
    /// semaphore.
    pub fn peer(&self, event: &Event) -> Option<u32> {
        let lock = || match event.args.get(self.moves.lock?) {
            Some(Arg::Shared(lock)) => Some(lock.thread),
            _ => None,
        };
        let traffic = event.traffic.map(|traffic| traffic.peer(event.thread));
        let rank = || match event.args.get(self.moves.rank?) {
            Some(Arg::Int(rank)) => u32::try_from(*rank).ok(),
            _ => None,
        };
        traffic.or_else(lock).or_else(rank)
    }

    /// Returns the specifications of the arguments in this phase. A user's event has none: its arguments are the
    /// user's.
    pub fn args(&self, phase: Phase) -> &'static [ArgSpec] {
        match phase {
            Phase::Start | Phase::Atomic => self.start,
            Phase::End => self.end,
        }
    }
}

/// A place in shared memory.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Shared {
    /// The thread it has affinity to.
    pub thread: u32,
    /// The address field, as `upc_addrfield` returns it.
    pub addr: u64,
    /// The phase; `None`: not recorded.
    pub phase: Option<u64>,
}

/// The value of an argument.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Arg {
    /// The measurement library does not record this argument.
    Unknown,
    /// [`ArgKind::Int`], `Flags`, `Operation`, `Reduction`, `FileFlags`, `Offset`.
    Int(i64),
    /// [`ArgKind::Size`].
    Size(u64),
    /// [`ArgKind::Pointer`], `Handle`.
    Address(u64),
    /// [`ArgKind::Shared`], `Lock`.
    Shared(Shared),
    /// [`ArgKind::Text`]; for a user's event, all its arguments, formatted by its description.
    Text(TextId),
    /// A floating-point number, in a user's event.
    Real(f64),
}

/// The phase of an event.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Phase {
    /// Something starts.
    Start,
    /// The last start of this kind ends.
    End,
    /// An event without duration.
    Atomic,
}

/// One event.
#[derive(Clone, PartialEq, Debug)]
pub struct Event {
    /// Nanoseconds since the start of the run.
    pub time: u64,
    /// The UPC thread.
    pub thread: u32,
    /// The number of the pthread; 0: the thread's first.
    pub pthread: u32,
    /// The kind of event.
    pub kind: KindId,
    /// The phase: start, end or atomic.
    pub phase: Phase,
    /// The place in the program.
    pub site: SiteId,
    /// The shared memory that it accesses, if there is a single such place; set at its start and at its end.
    pub traffic: Option<Traffic>,
    /// The bytes that it moves or allocates.
    pub bytes: u64,
    /// For how many nanoseconds since the pthread's previous event it did not go on: it was ready to run and had no
    /// processor, or it wrote its events into the file.
    pub delayed: u64,
    /// The part of `delayed` in which it wrote its events, with a processor or waiting for the file.
    pub written: u64,
    /// The arguments, in the order of [`Kind::args`].
    pub args: Vec<Arg>,
    /// The increments of the hardware counters since the thread's previous event, in the order of [`Facts::counters`];
    /// empty without counters.
    pub counters: Vec<u64>,
    /// The number of events that this one stands for: more than 1 if a hot place was sampled.
    pub weight: u64,
}

/// Shared memory that an event accesses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Traffic {
    /// The direction.
    pub direction: Direction,
    /// The place in shared memory; for a copy, the destination.
    pub place: Shared,
    /// The source of a copy.
    pub from: Option<Shared>,
}

/// The direction in which bytes move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    /// From shared memory to private.
    Get,
    /// To shared memory.
    Put,
    /// From shared to shared memory.
    Copy,
}

impl Traffic {
    /// Returns the other thread: that of the place; for a copy, the one that is not `me`, or the destination's if
    /// neither is.
    pub fn peer(&self, me: u32) -> u32 {
        match self.from {
            Some(from) if self.place.thread == me => from.thread,
            Some(_) | None => self.place.thread,
        }
    }
}

/// A stream of events in the order of time.
///
/// Within one thread, an end of a nested kind ends the innermost open start of its kind. All starts inside it have
/// ended before, except events of the user, which may overlap. Where blocks are missing, the reader inserts the starts
/// and ends that make this true.
pub trait Events {
    /// Returns the next event, lent until the next call. Parts of the recording that cannot be read are left out and
    /// reported by [`Recording::damage`].
    fn next(&mut self) -> Option<&Event>;
}

/// The facts of a run.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    /// The program's path as started; empty: unknown.
    pub program: String,
    /// Its arguments.
    pub args: Vec<String>,
    /// THREADS.
    pub threads: u32,
    /// THREADS at compilation; 0: dynamic.
    pub static_threads: u32,
    /// Version of the runtime.
    pub runtime: String,
    /// The transport.
    pub network: String,
    /// The time when the run began.
    pub started: Option<SystemTime>,
    /// The names of the hardware counters that events carry.
    pub counters: Vec<String>,
    /// The settings that affect the recording (limits, sampling), as `name=value`.
    pub settings: Vec<String>,
    /// Whether the profile, if there is one, has call paths.
    pub has_paths: bool,
    /// Whether accesses that turn out to be local raise events, too.
    pub has_local: bool,
    /// Whether the trace says how long threads waited for a processor.
    pub has_processor: bool,
    /// Whether the run writes a profile.
    pub is_profiled: bool,
    /// Version of the file's format.
    pub version: (u16, u16),
    /// The size of the file in bytes, or of all files of the run.
    pub file_bytes: u64,
    /// How the times of different threads compare.
    pub clocks: Clocks,
}

/// How the clocks of the threads' machines were compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Clocks {
    /// All threads ran on one machine.
    #[default]
    One,
    /// The clocks of this number of machines were compared; a time may be wrong by this number of nanoseconds.
    Compared(usize, u64),
    /// The clocks of some of this number of machines were not compared.
    Apart(usize),
}

/// How a thread ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// Unknown: killed, or the file is truncated.
    Unknown,
    /// Returned from main or called `exit`, with this status.
    Exit(i32),
    /// Called `upc_global_exit`.
    GlobalExit(i32),
    /// Died of this signal.
    Signal(i32),
    /// Was ended with the job when another thread died.
    WithJob,
    /// Its process called `_exit`, with this status.
    Vanished(i32),
}

/// The recorded data of one thread.
#[derive(Clone, Debug)]
pub struct Thread {
    /// MYTHREAD.
    pub id: u32,
    /// Process id; 0: unknown.
    pub process: u32,
    /// Name of its machine; empty: unknown.
    pub host: String,
    /// The numbers of the processors that it may run on, as `0-3,8`; empty: unknown.
    pub processors: String,
    /// How the thread ended.
    pub end: End,
    /// The time when its measurement began.
    pub first: u64,
    /// The time when it ended; if that is unknown, the last time that the recording has of it.
    pub last: u64,
    /// The number of events reported to it; `None`: the thread ended before writing it.
    pub raised: Option<u64>,
    /// The number of events in the trace; `None`: the thread ended before writing it.
    pub events: Option<u64>,
    /// The number of events that were kept out of the trace, by reason; empty if the thread ended before writing it.
    pub dropped: Vec<(&'static str, u64)>,
    /// The number of events that the profile counts under their parent's path, because it had too many paths.
    pub paths_full: u64,
    /// The size of its blocks in bytes.
    pub bytes: u64,
    /// The launcher wrote data that the thread could not write any more.
    pub salvaged: bool,
    /// The number of pthreads that raised events, without the thread's first one.
    pub pthreads: u64,
    /// The total time of these pthreads in nanoseconds, to be added to the thread's own time.
    pub pthread_time: u64,
    /// The nanoseconds of an empty pair in the trace: the time that recording adds to a pair. Times of a profile
    /// exclude it.
    pub pair_cost: u64,
    /// The error, in nanoseconds, of the amount subtracted from the time of a pair.
    pub pair_error: u64,
    /// The time when its trace ended, if that was before the thread's end: a limit was reached, or the disk was full.
    pub cut: Option<u64>,
}

/// The reasons why events are not in the file, for [`Thread::dropped`].
pub mod dropped {
    /// The event's place was sampled.
    pub const SAMPLED: &str = "sampled places";
    /// UPC_MEASURE_RATE.
    pub const RATE: &str = "too many a second";
    /// UPC_MEASURE_MAX_FILE, a full disk.
    pub const SIZE: &str = "file full";
    /// UPC_MEASURE_DEPTH.
    pub const DEPTH: &str = "calls too deep";
    /// The program turned recording off.
    pub const CONTROL: &str = "pupc_control(0)";
    /// The events were raised in a signal handler.
    pub const REENTRY: &str = "raised while one was recorded";
}

impl Thread {
    /// Returns the total time of its pthreads, which its events share.
    pub fn time(&self) -> u64 {
        let first = self.last.saturating_sub(self.first);
        first.saturating_add(self.pthread_time)
    }

    /// Returns the time when open pairs in its trace end, given the time of its last event in the trace.
    pub fn end_of_trace(&self, last_event: u64) -> u64 {
        match self.cut {
            Some(_) => last_event,
            None => last_event.max(self.last),
        }
    }

    /// Returns the number of events that were left out for this reason.
    pub fn dropped(&self, why: &str) -> u64 {
        let of_reason = self.dropped.iter().filter(|(reason, _)| *reason == why);
        of_reason.map(|(_, count)| *count).sum()
    }

    /// Returns a thread without any known data.
    pub fn unknown(id: u32) -> Thread {
        Thread {
            id,
            process: 0,
            host: String::new(),
            processors: String::new(),
            end: End::Unknown,
            first: 0,
            last: 0,
            raised: None,
            events: None,
            dropped: Vec::new(),
            paths_full: 0,
            bytes: 0,
            salvaged: false,
            pthreads: 0,
            pthread_time: 0,
            pair_cost: 0,
            pair_error: 0,
            cut: None,
        }
    }
}

/// Something that is missing or wrong in a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Damage {
    /// The position in the file, in bytes.
    pub offset: u64,
    /// The thread of the damaged block, if known.
    pub thread: Option<u32>,
    /// The damage, and the data lost.
    pub message: String,
}

/// A recording.
pub trait Recording {
    /// Returns the facts of the run.
    fn facts(&self) -> &Facts;

    /// Returns all threads of the run, by number, including those without recorded data.
    fn threads(&self) -> &[Thread];

    /// Returns whether a thread is to be shown. Those of a part of a recording may not be, and then have no events.
    fn is_selected(&self, _thread: u32) -> bool {
        true
    }

    /// Returns the tables that ids refer to.
    fn tables(&self) -> &Tables;

    /// Returns the profile blocks, if the run wrote any.
    fn profile(&self) -> Option<&Profile>;

    /// Returns the exact counts of the threads that wrote them before they ended.
    fn counts(&self) -> &[Count];

    /// Returns whether the recording has events.
    fn has_trace(&self) -> bool;

    /// Returns the events of one thread: those of all its pthreads, by time.
    fn events(&self, thread: u32) -> Box<dyn Events + '_>;

    /// Returns its pthreads that have events, without the first one.
    fn pthreads(&self, thread: u32) -> Vec<u32>;

    /// Returns the events of one of its pthreads. Within a pthread, unlike a thread, an end of a nested kind ends an
    /// open start.
    fn pthread_events(&self, thread: u32, pthread: u32) -> Box<dyn Events + '_>;

    /// Returns the events of all threads, by time; at equal times, lower threads come first.
    fn merged(&self) -> Box<dyn Events + '_>;

    /// Returns the damage found so far; reading streams may find more.
    fn damage(&self) -> Vec<Damage>;
}
