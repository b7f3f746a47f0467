//! What a recording says: the facts of the run, its tables, its events, its profile.
//!
//! A [`Recording`] is a file that was opened (`reader`), or one built in memory (`memory`, for tests). Every id in it is valid for the
//! whole run: the reader has unified what each thread numbered for itself. Tables are complete once the recording is open; events are
//! streamed, so memory does not grow with their number. Times are nanoseconds since the start of the run, on one clock for all threads.
//!
//! Streams lend their current event:
//! ```text
//! let mut events = recording.merged();
//! while let Some(event) = events.next() { ... }
//! ```

mod profile;

pub use crate::events::{Arg as ArgSpec, ArgKind};
pub use profile::{Cell, Count, Frame, Key, Profile, Samples};
use std::time::SystemTime;

/// Index of a text in [`Tables::texts`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TextId(pub u32);

/// Index of a place in [`Tables::sites`]; 0 stands for "no place".
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct SiteId(pub u32);

impl SiteId {
    /// Of events that no place of the program raised, such as those at start-up.
    pub const NONE: SiteId = SiteId(0);
}

/// Index of a kind of event in [`Tables::kinds`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct KindId(pub u32);

/// Index of a static shared object in [`Tables::objects`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ObjectId(pub u32);

/// Index of a call path in [`Profile::paths`]; 0 is the root, which has no frame.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct PathId(pub u32);

impl PathId {
    /// The empty path.
    pub const ROOT: PathId = PathId(0);
}

/// A place in the program that raises events.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Site {
    /// As the compiler was given it.
    pub file: TextId,
    /// From 1 on; 0: unknown.
    pub line: u32,
    /// From 1 on; 0: unknown.
    pub column: u32,
    /// C type of what is accessed; of a function its signature.
    pub type_name: Option<TextId>,
    /// Text of what is accessed, `a[i]`.
    pub name: Option<TextId>,
}

/// What sort of thing an event is: what filters, colours and categories go by.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Group {
    /// Function of the user's.
    Function,
    /// Reads of shared memory: GET, MEMGET, NB_GET_INIT.
    Get,
    /// Writes of shared memory: PUT, MEMPUT, MEMSET, NB_PUT_INIT.
    Put,
    /// Copies from shared to shared memory: MEMCPY.
    Copy,
    /// NOTIFY.
    Notify,
    /// WAIT.
    Wait,
    /// BARRIER, and the implicit one of the exit.
    Barrier,
    /// FENCE.
    Fence,
    /// FORALL.
    Forall,
    /// Locking and unlocking.
    Lock,
    /// Allocation and freeing, shared and private, of memory and of locks.
    Memory,
    /// Collective functions.
    Collective,
    /// Transfer and completion of non-blocking operations; their initiations are gets, puts and copies.
    NonBlocking,
    /// Atomic operations on shared memory.
    Atomic,
    /// Software cache.
    Cache,
    /// Ends of the program, static shared objects and whatever else the runtime tells.
    Runtime,
    /// What the recording says of itself: [`OFF`], [`ON`], [`LOST`].
    Note,
    /// The user's own events.
    User,
}

/// Name of the note that `pupc_control(0)` was called.
pub const OFF: &str = "OFF";
/// Name of the note that `pupc_control(1)` was called.
pub const ON: &str = "ON";
/// Name of the note that events are missing here, with their number as argument.
pub const LOST: &str = "LOST";

/// A kind of event: a row of the table of events, or one that the user made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Kind {
    /// Symbol without `GASP_`: `UPC_GET`; a user's event: the name it was given.
    pub name: String,
    /// What sort of thing it is.
    pub group: Group,
    /// Arguments of start and of atomic events.
    pub start: &'static [ArgSpec],
    /// Arguments of end events.
    pub end: &'static [ArgSpec],
    /// Which of them tell what is moved.
    pub moves: Moves,
    /// Starts and ends bracket other events; else they are matched by the handle that is their first argument.
    pub nested: bool,
    /// A user's event: the printf format it was given.
    pub description: Option<String>,
}

/// Where among the arguments of an event stands what it moves; the same at its start and at its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Moves {
    /// Direction, the argument with the place, and of a copy that with the source. None where there is no one peer: collectives.
    pub traffic: Option<(Direction, usize, Option<usize>)>,
    /// The factors of the number of bytes.
    pub bytes: [Option<usize>; 2],
    /// The lock.
    pub lock: Option<usize>,
    /// The handle of a non-blocking operation, at its end.
    pub handle: Option<usize>,
}

impl Kind {
    /// The thread that an event of this kind has to do with: that of the memory it accesses or of its lock.
    pub fn peer(&self, event: &Event) -> Option<u32> {
        let lock = || match event.args.get(self.moves.lock?) {
            Some(Arg::Shared(lock)) => Some(lock.thread),
            _ => None,
        };
        let traffic = event.traffic.map(|traffic| traffic.peer(event.thread));
        traffic.or_else(lock)
    }

    /// What the arguments of such an event mean. A user's event has none: its arguments are its own.
    pub fn args(&self, phase: Phase) -> &'static [ArgSpec] {
        match phase {
            Phase::Start | Phase::Atomic => self.start,
            Phase::End => self.end,
        }
    }
}

/// A static shared object, as `GASP_BUPC_STATIC_SHARED` tells.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Object {
    /// Its name in the program.
    pub name: TextId,
    /// Its type as declared.
    pub type_name: TextId,
    /// Its first byte has this address on every thread.
    pub addr: u64,
    /// Bytes that it takes on each thread.
    pub bytes_per_thread: u64,
    /// Bytes of one element.
    pub elem_bytes: u64,
    /// Blocks of it, over all threads.
    pub blocks: u64,
    /// Bytes of one block.
    pub block_bytes: u64,
}

/// All that ids stand for.
#[derive(Clone, Default, Debug)]
pub struct Tables {
    /// Texts, each one once.
    pub texts: Vec<String>,
    /// Places; the first is none.
    pub sites: Vec<Site>,
    /// Kinds of events: those of the table, then the user's.
    pub kinds: Vec<Kind>,
    /// Static shared objects by address.
    pub objects: Vec<Object>,
}

impl Tables {
    /// The text of an id; empty for one that no table defines, which a damaged file may have.
    pub fn text(&self, id: TextId) -> &str {
        self.texts.get(id.0 as usize).map_or("", String::as_str)
    }

    /// The place, unless there is none.
    pub fn site(&self, id: SiteId) -> Option<&Site> {
        (id != SiteId::NONE)
            .then(|| self.sites.get(id.0 as usize))
            .flatten()
    }

    /// The kind of an id that came from this recording.
    pub fn kind(&self, id: KindId) -> &Kind {
        &self.kinds[id.0 as usize]
    }

    /// The kind of that name.
    pub fn kind_named(&self, name: &str) -> Option<KindId> {
        let at = self.kinds.iter().position(|kind| kind.name == name)?;
        Some(KindId(at as u32))
    }

    /// The static shared object that has this byte.
    pub fn object_at(&self, place: Shared) -> Option<ObjectId> {
        let behind = self.objects.partition_point(|o| o.addr <= place.addr);
        let at = behind.checked_sub(1)?;
        let object = &self.objects[at];
        (place.addr - object.addr < object.bytes_per_thread).then_some(ObjectId(at as u32))
    }
}

/// A place in shared memory.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Shared {
    /// Thread it has affinity to.
    pub thread: u32,
    /// Address field, as `upc_addrfield` gives it.
    pub addr: u64,
    /// Phase; `None`: the recording does not say.
    pub phase: Option<u64>,
}

/// The value of an argument.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Arg {
    /// The measurement library does not record this one.
    Unknown,
    /// [`ArgKind::Int`], `Flags`, `Operation`, `Reduction`.
    Int(i64),
    /// [`ArgKind::Size`].
    Size(u64),
    /// [`ArgKind::Pointer`], `Handle`.
    Address(u64),
    /// [`ArgKind::Shared`], `Lock`.
    Shared(Shared),
    /// [`ArgKind::Text`]; of a user's event all its arguments, formatted as its description says.
    Text(TextId),
    /// Floating point, in a user's event.
    Real(f64),
}

/// Which end of it an event is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Phase {
    /// Something starts.
    Start,
    /// What started last, of this kind, ends.
    End,
    /// All there is.
    Atomic,
}

/// One event.
#[derive(Clone, PartialEq, Debug)]
pub struct Event {
    /// Nanoseconds since the start of the run.
    pub time: u64,
    /// UPC thread.
    pub thread: u32,
    /// Which of its pthreads; 0: its first.
    pub pthread: u32,
    /// What happens.
    pub kind: KindId,
    /// Start, end or atomic.
    pub phase: Phase,
    /// Where.
    pub site: SiteId,
    /// Shared memory that it accesses, if there is one such place: known at its start and at its end.
    pub traffic: Option<Traffic>,
    /// Bytes that it moves or allocates.
    pub bytes: u64,
    /// Arguments, in the order of [`Kind::args`].
    pub args: Vec<Arg>,
    /// What hardware counters counted since the thread's event before, in the order of [`Facts::counters`]; empty without counters.
    pub counters: Vec<u64>,
    /// How many events this one stands for: more than 1 where a hot place was sampled.
    pub weight: u64,
}

/// Shared memory that an event accesses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Traffic {
    /// Which way.
    pub direction: Direction,
    /// Where in shared memory: of a copy the destination.
    pub place: Shared,
    /// Of a copy: its source.
    pub from: Option<Shared>,
}

/// Which way bytes go.
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
    /// The other thread: that of the place; of a copy the one that is not `me`, its destination if neither is.
    pub fn peer(&self, me: u32) -> u32 {
        match self.from {
            Some(from) if self.place.thread == me => from.thread,
            Some(_) | None => self.place.thread,
        }
    }
}

/// A stream of events in the order of time.
///
/// Of one thread, an end of a nested kind ends the innermost open start of its kind. All that lies above it has ended before, but for events of the
/// user, which may overlap. Where blocks are missing, the reader puts in the starts and ends that make this true.
pub trait Events {
    /// The next event, lent until the one after it is asked for. Parts of the recording that cannot be read are left out and reported by
    /// [`Recording::damage`].
    fn next(&mut self) -> Option<&Event>;
}

/// The facts of a run.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    /// The program as it was started; empty: unknown.
    pub program: String,
    /// Its arguments.
    pub args: Vec<String>,
    /// THREADS.
    pub threads: u32,
    /// THREADS of the compilation; 0: dynamic.
    pub static_threads: u32,
    /// Version of the runtime.
    pub runtime: String,
    /// The transport.
    pub network: String,
    /// When the run began.
    pub started: Option<SystemTime>,
    /// Names of the hardware counters that events carry.
    pub counters: Vec<String>,
    /// Words for the settings that shaped the recording (limits, sampling), `name=value`.
    pub settings: Vec<String>,
    /// Whether the profile, if there is one, has call paths.
    pub has_paths: bool,
    /// Whether accesses raised events where they turned out local, too.
    pub has_local: bool,
    /// Version of the file's format.
    pub version: (u16, u16),
    /// Bytes of the file, or of all files of the run.
    pub file_bytes: u64,
    /// How times of different threads may be compared.
    pub clocks: Clocks,
}

/// How the clocks of the threads' machines go together.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Clocks {
    /// All threads were on one machine.
    #[default]
    One,
    /// So many machines' were compared; a time may be wrong by so many nanoseconds.
    Compared(usize, u64),
    /// Those of some of so many machines were not.
    Apart(usize),
}

/// How a thread ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// Nothing says so: killed, or the file is cut.
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

/// What a recording knows of one thread.
#[derive(Clone, Debug)]
pub struct Thread {
    /// MYTHREAD.
    pub id: u32,
    /// Process id; 0: unknown.
    pub process: u32,
    /// Name of its machine; empty: unknown.
    pub host: String,
    /// How it ended.
    pub end: End,
    /// When its measurement began.
    pub first: u64,
    /// When it ended; of a thread whose end is unknown the last time that the recording has of it.
    pub last: u64,
    /// Events that the thread was notified of; `None`: it did not live to say.
    pub raised: Option<u64>,
    /// Events in the trace, if it lived to say.
    pub events: Option<u64>,
    /// Events that were kept out of the trace, by reason; empty if it did not live to say.
    pub dropped: Vec<(&'static str, u64)>,
    /// Events that the profile counts under their parent's path, because it had too many paths.
    pub paths_full: u64,
    /// Bytes of its blocks.
    pub bytes: u64,
    /// The launcher wrote what the thread could not write any more.
    pub salvaged: bool,
    /// Pthreads that raised events, without the thread's first one,
    pub pthreads: u64,
    /// and for how many nanoseconds they did, in sum: to be added to the thread's own time.
    pub pthread_time: u64,
    /// Nanoseconds that a pair in the trace takes in which nothing happens: what recording it adds to its time. Times of a profile are without.
    pub pair_cost: u64,
    /// By how many nanoseconds what was taken off the time of a pair may be wrong.
    pub pair_error: u64,
    /// When its trace ended, if that was before it did: a limit was reached, or the disk full.
    pub cut: Option<u64>,
}

/// Why events are not in the file, of [`Thread::dropped`].
pub mod dropped {
    /// Their place was sampled.
    pub const SAMPLED: &str = "sampled places";
    /// UPC_MEASURE_RATE.
    pub const RATE: &str = "too many a second";
    /// UPC_MEASURE_MAX_FILE, a full disk.
    pub const SIZE: &str = "file full";
    /// UPC_MEASURE_DEPTH.
    pub const DEPTH: &str = "calls too deep";
    /// The program wanted it so.
    pub const CONTROL: &str = "pupc_control(0)";
    /// A signal handler raised them.
    pub const REENTRY: &str = "raised while one was recorded";
}

impl Thread {
    /// How long its pthreads were there, in sum: the time that its events share.
    pub fn time(&self) -> u64 {
        let first = self.last.saturating_sub(self.first);
        first.saturating_add(self.pthread_time)
    }

    /// When what is open in its trace ends, if its last event there was at that time.
    pub fn end_of_trace(&self, last_event: u64) -> u64 {
        match self.cut {
            Some(_) => last_event,
            None => last_event.max(self.last),
        }
    }

    /// How many events were left out for this reason.
    pub fn dropped(&self, why: &str) -> u64 {
        let of_reason = self.dropped.iter().filter(|(reason, _)| *reason == why);
        of_reason.map(|(_, count)| *count).sum()
    }

    /// One of which nothing is known.
    pub fn unknown(id: u32) -> Thread {
        Thread {
            id,
            process: 0,
            host: String::new(),
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
    /// Where in the file, in bytes.
    pub offset: u64,
    /// Whose block it was, if that is known.
    pub thread: Option<u32>,
    /// What is wrong and what is lost.
    pub message: String,
}

/// A recording.
pub trait Recording {
    /// Facts of the run.
    fn facts(&self) -> &Facts;

    /// All threads of the run, by number, also those of which nothing was recorded.
    fn threads(&self) -> &[Thread];

    /// What ids stand for.
    fn tables(&self) -> &Tables;

    /// The profile blocks, if the run wrote any.
    fn profile(&self) -> Option<&Profile>;

    /// Exact counts, of threads that lived to write them.
    fn counts(&self) -> &[Count];

    /// Whether it has events.
    fn has_trace(&self) -> bool;

    /// The events of one thread, of all its pthreads by time.
    fn events(&self, thread: u32) -> Box<dyn Events + '_>;

    /// Its pthreads that have events, besides the first one.
    fn pthreads(&self, thread: u32) -> Vec<u32>;

    /// The events of one of its pthreads. Of one pthread, not of a thread, an end of a nested kind ends what is open.
    fn pthread_events(&self, thread: u32, pthread: u32) -> Box<dyn Events + '_>;

    /// The events of all threads, by time; of those at one time, lower threads first.
    fn merged(&self) -> Box<dyn Events + '_>;

    /// What was found to be missing or wrong, up to now: streams may find more.
    fn damage(&self) -> Vec<Damage>;
}
