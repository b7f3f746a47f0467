//! The bytes of a recording: constants and codes of `docs/trace-format.md`. The C side is `runtime-c/src/tools/measure/format.h`.

/// First bytes of a file.
pub const SIGNATURE: [u8; 8] = *b"\x89UPCT\r\n\x1a";
/// Readers refuse files of a higher major version.
pub const MAJOR: u16 = 2;
/// Higher ones add what may be skipped.
pub const MINOR: u16 = 1;
/// Bytes in front of the first block.
pub const FILE_HEADER: usize = 16;
/// First word of a block, "UBLK".
pub const BLOCK_MAGIC: u32 = 0x4b4c_4255;
/// Bytes in front of a payload.
pub const BLOCK_HEADER: usize = 24;
/// Largest payload.
pub const MAX_PAYLOAD: u32 = 64 << 20;

/// Declares an enum whose values are the codes in a file, and the way back from a code.
macro_rules! codes {
    ($(#[$meta:meta])* $name:ident: $repr:ty { $($(#[$doc:meta])* $variant:ident = $code:literal,)* }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[repr($repr)]
        pub enum $name {
            $($(#[$doc])* $variant = $code,)*
        }

        impl $name {
            /// All of them.
            pub const ALL: &[$name] = &[$($name::$variant),*];

            /// The one with this code; `None`: a later version's.
            pub fn from_code(code: u64) -> Option<$name> {
                match code {
                    $($code => Some($name::$variant),)*
                    _ => None,
                }
            }
        }
    };
}

codes! {
    /// What a block holds.
    BlockKind: u8 {
        /// Fields: facts of the run.
        Run = 1,
        /// Fields: facts of a thread.
        Thread = 2,
        /// Definitions.
        Define = 3,
        /// Part of a trace.
        Events = 4,
        /// Part of a profile.
        Profile = 5,
        /// Exact counts of event sites.
        Counts = 6,
        /// Fields: how a thread ended.
        End = 7,
        /// What a profile knows of events that were not timed.
        Samples = 8,
        /// Part of the trace of a pthread that is not the thread's first.
        PthreadEvents = 9,
    }
}

codes! {
    /// A field of the blocks RUN, THREAD and END.
    Field: u8 {
        /// Text: the program.
        Program = 1,
        /// Text: one argument.
        Argument = 2,
        /// THREADS.
        Threads = 3,
        /// THREADS of the compilation, 0: dynamic.
        StaticThreads = 4,
        /// Text: version of the runtime.
        Version = 5,
        /// Nanoseconds since 1970.
        Start = 6,
        /// [`mode`] bits.
        Mode = 7,
        /// Text: name of a counter.
        Counter = 8,
        /// Text: `name=value`.
        Setting = 9,
        /// Text: the transport.
        Network = 10,
        /// Text: name of the machine.
        Host = 16,
        /// Process id.
        Process = 17,
        /// Reading of the thread's clock,
        Ticks = 18,
        /// and of the system's monotonic one, nanoseconds.
        Ns = 19,
        /// What thread 0's monotonic clock showed more than this machine's then, zigzag,
        Offset = 20,
        /// and by how many nanoseconds that may be wrong.
        OffsetError = 21,
        /// Ticks of a pair in the trace in which nothing happens,
        PairCost = 22,
        /// and by how many ticks what was taken off the time of a pair may be wrong.
        PairError = 23,
        /// [`How`] the thread ended.
        How = 32,
        /// Exit status or signal.
        Status = 33,
        /// Events in the trace.
        Events = 34,
        /// Events raised.
        Raised = 35,
        /// Left out: sampling.
        DroppedSampling = 36,
        /// Left out: events a second.
        DroppedRate = 37,
        /// Left out: size of the file.
        DroppedSize = 38,
        /// Left out: depth of calls.
        DroppedDepth = 39,
        /// Left out: pupc_control.
        DroppedControl = 40,
        /// Left out: raised inside of the library.
        DroppedReentry = 41,
        /// Events without a profile node of their own.
        NodesFull = 42,
        /// The launcher wrote what the thread could not write any more.
        Salvaged = 43,
        /// Pthreads that raised events, without the thread's first one,
        Pthreads = 44,
        /// and for how many ticks they did, in sum.
        PthreadTicks = 45,
    }
}

/// Bits of [`Field::Mode`].
pub mod mode {
    /// The run wrote a trace.
    pub const TRACE: u64 = 1;
    /// The run wrote a profile.
    pub const PROFILE: u64 = 2;
    /// The profile has no call paths.
    pub const FLAT: u64 = 4;
    /// Accesses raised events where they turned out local, too.
    pub const LOCAL: u64 = 8;
}

codes! {
    /// How a thread ended.
    How: u8 {
        /// main returned, or exit.
        Exit = 0,
        /// upc_global_exit.
        GlobalExit = 1,
        /// A fatal signal.
        Signal = 2,
        /// With the job, when another thread ended it.
        Job = 3,
        /// Its process called `_exit`.
        Vanished = 4,
    }
}

codes! {
    /// An entry of a DEFINE block.
    Definition: u8 {
        /// A text.
        Text = 1,
        /// An event site of events.
        EventSite = 2,
        /// A user's kind of event.
        UserEvent = 3,
        /// A static shared object.
        Object = 4,
    }
}

codes! {
    /// Which side of it an event site's events tell.
    Side: u8 {
        /// Something starts.
        Start = 0,
        /// It ends.
        End = 1,
        /// All there is.
        Atomic = 2,
    }
}

/// Flags of an event site.
pub mod event_site_flag {
    /// Starts and ends bracket nothing; their first argument matches them.
    pub const NOT_NESTED: u8 = 1;
}

codes! {
    /// Kind of an argument of an event site.
    ArgCode: u8 {
        /// `int`
        Int = 1,
        /// `size_t`
        Size = 2,
        /// Private address.
        Pointer = 3,
        /// Pointer-to-shared in version 1: thread, address.
        Shared = 4,
        /// Lock: thread, address.
        Lock = 5,
        /// Text id.
        Text = 6,
        /// `upc_flag_t`
        Flags = 7,
        /// `upc_op_t`
        Operation = 8,
        /// `gasp_upc_reduction_t`
        Reduction = 9,
        /// Handle of a non-blocking operation.
        Handle = 10,
        /// Bits of a `double`.
        Real = 11,
        /// Pointer-to-shared: thread, address, phase.
        Place = 12,
        /// The same, its address less the phase times the first size of the event.
        Element = 13,
    }
}

impl ArgCode {
    /// Columns that it takes up in a record.
    pub fn columns(self) -> usize {
        match self {
            ArgCode::Shared | ArgCode::Lock => 2,
            ArgCode::Place | ArgCode::Element => 3,
            ArgCode::Int
            | ArgCode::Size
            | ArgCode::Pointer
            | ArgCode::Text
            | ArgCode::Flags
            | ArgCode::Operation
            | ArgCode::Reduction
            | ArgCode::Handle
            | ArgCode::Real => 1,
        }
    }
}

codes! {
    /// A note in a trace: event site 0.
    Note: u8 {
        /// pupc_control(0).
        Off = 1,
        /// pupc_control(1).
        On = 2,
        /// One value: events that are missing here.
        Lost = 3,
        /// Two values: an event site, and how many events each of its events stands for from here on.
        Weight = 4,
    }
}

/// The head of a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BlockHead {
    /// Code of its [`BlockKind`].
    pub kind: u8,
    /// Thread that wrote it.
    pub thread: u32,
    /// Its number among those of the thread, from 0.
    pub number: u32,
    /// Bytes of payload.
    pub length: u32,
    /// Check sum of the head's first 20 bytes and the payload.
    pub crc: u32,
}

impl BlockHead {
    /// The head at the front of `bytes`; `None` if there is none.
    pub fn read(bytes: &[u8]) -> Option<BlockHead> {
        let head: &[u8; BLOCK_HEADER] = bytes.first_chunk()?;
        let word =
            |at: usize| u32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]);
        let block = BlockHead {
            kind: head[4],
            thread: word(8),
            number: word(12),
            length: word(16),
            crc: word(20),
        };
        (word(0) == BLOCK_MAGIC && block.length <= MAX_PAYLOAD).then_some(block)
    }

    /// The head as bytes, with the check sum that goes with `payload`.
    pub fn write(mut self, payload: &[u8]) -> [u8; BLOCK_HEADER] {
        let mut head = [0; BLOCK_HEADER];
        head[..4].copy_from_slice(&BLOCK_MAGIC.to_le_bytes());
        head[4] = self.kind;
        head[8..12].copy_from_slice(&self.thread.to_le_bytes());
        head[12..16].copy_from_slice(&self.number.to_le_bytes());
        head[16..20].copy_from_slice(&self.length.to_le_bytes());
        self.crc = check_sum(&head, payload);
        head[20..].copy_from_slice(&self.crc.to_le_bytes());
        head
    }
}

/// The check sum of a block: of all of its head but the last four bytes, and its payload.
pub fn check_sum(head: &[u8; BLOCK_HEADER], payload: &[u8]) -> u32 {
    crc32c::crc32c_append(crc32c::crc32c(&head[..BLOCK_HEADER - 4]), payload)
}

/// Takes a varint from the front of `bytes`; `None` if they end in the middle of it or it has more than 10.
#[inline]
pub fn varint(bytes: &mut &[u8]) -> Option<u64> {
    let (&first, rest) = bytes.split_first()?;
    if first < 0x80 {
        *bytes = rest;
        return Some(u64::from(first));
    }
    let mut value = u64::from(first & 0x7f);
    for (index, &byte) in rest.iter().take(9).enumerate() {
        value |= u64::from(byte & 0x7f) << (7 * (index + 1));
        if byte < 0x80 {
            *bytes = &rest[index + 1..];
            return Some(value);
        }
    }
    None
}

/// The difference that a zigzag varint stands for, to be added modulo 2^64.
#[inline]
pub fn unzigzag(value: u64) -> u64 {
    (value >> 1) ^ (value & 1).wrapping_neg()
}

/// The code of a difference.
#[inline]
pub fn zigzag(difference: u64) -> u64 {
    (difference << 1) ^ ((difference as i64 >> 63) as u64)
}

/// Appends a varint.
pub fn put_varint(bytes: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
}
