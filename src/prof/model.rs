//! What a recording says: the facts of the run, its tables, its events, its profile.
//!
//! A [`Recording`] is a file that was opened (`reader`), or one built in memory (`memory`, for tests). Every id in it is valid for the
//! whole run: the reader has unified what each thread numbered for itself. Tables are complete once the recording is open; events are
//! streamed, so memory does not grow with their number. Times are nanoseconds since the start of the run, on one clock for all threads.
//!
//! Streams lend their current event:
//! ```ignore
//! let mut events = recording.merged();
//! while let Some(event) = events.next() { ... }
//! ```

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
pub struct KindId(pub u16);

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
#[derive(Clone, PartialEq, Eq, Debug)]
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
    /// Reads of shared memory: GET, MEMGET.
    Get,
    /// Writes of shared memory: PUT, MEMPUT, MEMSET.
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
    /// Initiation, transfer and completion of non-blocking operations.
    NonBlocking,
    /// Software cache.
    Cache,
    /// Ends of the program, static shared objects and whatever else the runtime tells.
    Runtime,
    /// The user's own events.
    User,
}

/// How the value of an argument is to be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ArgKind {
    /// `int` and its like.
    Int,
    /// `size_t`, counts and bytes.
    Size,
    /// Private pointer.
    Address,
    /// Pointer-to-shared.
    Shared,
    /// A lock: pointer-to-shared, too.
    Lock,
    /// Handle of a non-blocking operation.
    Handle,
    /// Text.
    Text,
    /// Floating point.
    Real,
    /// `upc_flag_t`.
    Flags,
    /// `upc_op_t`.
    Op,
    /// `gasp_upc_reduction_t`.
    Reduction,
}

/// An argument in a kind's signature.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ArgSpec {
    /// `nbytes`, `dst` ...
    pub name: String,
    /// How to read it.
    pub kind: ArgKind,
}

/// A kind of event: a row of the table of events, or one that the user made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Kind {
    /// Symbol without `GASP_`: `UPC_GET`; a user's event: the name it was given.
    pub name: String,
    /// What sort of thing it is.
    pub group: Group,
    /// Arguments of start and of atomic events.
    pub start: Vec<ArgSpec>,
    /// Arguments of end events.
    pub end: Vec<ArgSpec>,
    /// A user's event: the printf format it was given.
    pub description: Option<String>,
}

impl Kind {
    /// What the arguments of such an event mean. A user's event has none: its arguments are its own.
    pub fn args(&self, phase: Phase) -> &[ArgSpec] {
        match phase {
            Phase::Start | Phase::Atomic => &self.start,
            Phase::End => &self.end,
        }
    }
}

/// A static shared object, as `GASP_BUPC_STATIC_SHARED` tells.
#[derive(Clone, PartialEq, Eq, Debug)]
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
        &self.kinds[usize::from(id.0)]
    }

    /// The kind of that name.
    pub fn kind_named(&self, name: &str) -> Option<KindId> {
        let at = self.kinds.iter().position(|kind| kind.name == name)?;
        u16::try_from(at).ok().map(KindId)
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
    /// Phase.
    pub phase: u64,
}

/// The value of an argument.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Arg {
    /// The measurement library does not record this one.
    Unknown,
    /// [`ArgKind::Int`], `Flags`, `Op`, `Reduction`.
    Int(i64),
    /// [`ArgKind::Size`].
    Size(u64),
    /// [`ArgKind::Address`], `Handle`.
    Address(u64),
    /// [`ArgKind::Shared`], `Lock`.
    Shared(Shared),
    /// [`ArgKind::Text`].
    Text(TextId),
    /// [`ArgKind::Real`].
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
    /// What happens.
    pub kind: KindId,
    /// Start, end or atomic.
    pub phase: Phase,
    /// Where.
    pub site: SiteId,
    /// What it moves, if it moves anything: known at its start and at its end.
    pub traffic: Option<Traffic>,
    /// Arguments, in the order of [`Kind::args`].
    pub args: Vec<Arg>,
    /// What hardware counters counted since the thread's last event, in the order of [`Facts::counters`]; empty without counters.
    pub counters: Vec<u64>,
    /// How many events this one stands for: more than 1 where a hot place was sampled.
    pub weight: u64,
}

/// Shared memory that an event moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Traffic {
    /// Which way.
    pub direction: Direction,
    /// Where in shared memory: of a copy the destination.
    pub place: Shared,
    /// Of a copy: its source.
    pub from: Option<Shared>,
    /// Bytes.
    pub bytes: u64,
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
    /// When the run began.
    pub started: Option<SystemTime>,
    /// Names of the hardware counters that events carry.
    pub counters: Vec<String>,
    /// Words for the settings that shaped the recording (limits, sampling), `name=value`.
    pub settings: Vec<String>,
    /// Version of the file's format.
    pub version: u32,
    /// Bytes of the file.
    pub file_bytes: u64,
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
    /// Times of the first and the last event, or of the measurement's start and end where those are known.
    pub first: u64,
    /// See `first`.
    pub last: u64,
    /// Events in the trace.
    pub events: u64,
    /// Events that happened and that limits (rate, depth, `pupc_control`) kept out of the trace.
    pub dropped: u64,
    /// Bytes of its blocks.
    pub bytes: u64,
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

/// A step of a call path: a kind of event at a place.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Frame {
    /// The path that it continues.
    pub parent: PathId,
    /// What.
    pub kind: KindId,
    /// Where.
    pub site: SiteId,
}

/// What one cell of a profile counts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Key {
    /// Whose.
    pub thread: u32,
    /// The call path, whose last frame is the event itself.
    pub path: PathId,
    /// The other thread, if one takes part.
    pub peer: Option<u32>,
    /// The static shared object, where the recording tells.
    pub object: Option<ObjectId>,
}

/// What was counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cell {
    /// Events: pairs of start and end, or atomic ones.
    pub count: u64,
    /// Nanoseconds from start to end, in sum.
    pub total: u64,
    /// The same without what was spent in events inside.
    pub own: u64,
    /// Shortest, nanoseconds; `u64::MAX` if nothing was timed.
    pub min: u64,
    /// Longest, nanoseconds.
    pub max: u64,
    /// Bytes moved.
    pub bytes: u64,
    /// Fewest bytes of one event; `u64::MAX` if nothing was moved.
    pub min_bytes: u64,
    /// Most bytes of one event.
    pub max_bytes: u64,
}

impl Default for Cell {
    fn default() -> Cell {
        Cell {
            count: 0,
            total: 0,
            own: 0,
            min: u64::MAX,
            max: 0,
            bytes: 0,
            min_bytes: u64::MAX,
            max_bytes: 0,
        }
    }
}

impl Cell {
    /// Takes in what another cell counted.
    pub fn add(&mut self, other: &Cell) {
        self.count = self.count.saturating_add(other.count);
        self.total = self.total.saturating_add(other.total);
        self.own = self.own.saturating_add(other.own);
        self.min = self.min.min(other.min);
        self.max = self.max.max(other.max);
        self.bytes = self.bytes.saturating_add(other.bytes);
        self.min_bytes = self.min_bytes.min(other.min_bytes);
        self.max_bytes = self.max_bytes.max(other.max_bytes);
    }
}

/// Counts and times, from the file's profile blocks or computed from its events.
#[derive(Clone, Debug)]
pub struct Profile {
    /// Call paths; the first is the root. A path stands behind its parent.
    pub paths: Vec<Frame>,
    /// Cells, each key once.
    pub cells: Vec<(Key, Cell)>,
    /// Nanoseconds that each thread was measured.
    pub durations: Vec<u64>,
}

impl Profile {
    /// The frame of a path; none for the root.
    pub fn frame(&self, path: PathId) -> Option<&Frame> {
        (path != PathId::ROOT)
            .then(|| self.paths.get(path.0 as usize))
            .flatten()
    }

    /// Frames of a path from the outermost to the event itself.
    pub fn frames(&self, path: PathId) -> Vec<Frame> {
        let mut frames = Vec::new();
        let mut at = path;
        while let Some(frame) = self.frame(at) {
            frames.push(*frame);
            at = frame.parent;
        }
        frames.reverse();
        frames
    }
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

    /// Whether it has events.
    fn has_trace(&self) -> bool;

    /// The events of one thread.
    fn events(&self, thread: u32) -> Box<dyn Events + '_>;

    /// The events of all threads, by time; of those at one time, lower threads first.
    fn merged(&self) -> Box<dyn Events + '_>;

    /// What was found to be missing or wrong, up to now: streams may find more.
    fn damage(&self) -> Vec<Damage>;
}
