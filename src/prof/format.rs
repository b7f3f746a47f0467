//! The byte format of a recording: constants and codes of `docs/trace-format.md`. The C side is
//! `runtime-c/src/tools/measure/format.h`.

/// The first bytes of a file.
pub const SIGNATURE: [u8; 8] = *b"\x89UPCT\r\n\x1a";
/// Readers reject files of a higher major version.
pub const MAJOR: u16 = 3;
/// Higher minor versions add data that readers may skip.
pub const MINOR: u16 = 3;
/// Bytes before the first block.
pub const FILE_HEADER: usize = 16;
/// The first word of a block, "UBLK".
pub const BLOCK_MAGIC: u32 = 0x4b4c_4255;
/// Bytes before a payload.
pub const BLOCK_HEADER: usize = 24;
/// The largest payload in bytes.
pub const MAX_PAYLOAD: u32 = 64 << 20;

/// Declares an enum whose values are the codes in a file, with the conversion from a code.
macro_rules! codes {
    ($(#[$meta:meta])* $name:ident: $repr:ty { $($(#[$doc:meta])* $variant:ident = $code:literal,)* }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[repr($repr)]
        pub enum $name {
            $($(#[$doc])* $variant = $code,)*
        }

        impl $name {
            /// All values.
            pub const ALL: &[$name] = &[$($name::$variant),*];

            /// Returns the value with this code; `None`: it belongs to a later version.
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
    /// The contents of a block.
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
        /// The data on events that were not timed.
        Samples = 8,
        /// Part of the trace of a pthread that is not the thread's first.
        PthreadEvents = 9,
        /// The loops of the program.
        Loops = 10,
        /// What the compiler does with references of loops.
        Remarks = 11,
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
        /// The value of the thread's clock.
        Ticks = 18,
        /// The value of the system's monotonic clock at the same moment, in nanoseconds.
        Ns = 19,
        /// The difference of thread 0's monotonic clock minus this machine's at that moment, zigzag.
        Offset = 20,
        /// The error of that difference in nanoseconds.
        OffsetError = 21,
        /// The ticks of an empty pair in the trace.
        PairCost = 22,
        /// The error, in ticks, of the amount subtracted from the time of a pair.
        PairError = 23,
        /// Text: the processors that the thread may run on, as `0-3,8`.
        Processors = 24,
        /// [`How`] the thread ended.
        How = 32,
        /// Exit status or signal.
        Status = 33,
        /// Events in the trace.
        Events = 34,
        /// Events raised.
        Raised = 35,
        /// Events left out: sampling.
        DroppedSampling = 36,
        /// Events left out: events per second.
        DroppedRate = 37,
        /// Events left out: size of the file.
        DroppedSize = 38,
        /// Events left out: depth of calls.
        DroppedDepth = 39,
        /// Events left out: pupc_control.
        DroppedControl = 40,
        /// Events left out: raised inside the library.
        DroppedReentry = 41,
        /// Events without a profile node of their own.
        NodesFull = 42,
        /// The launcher wrote data that the thread could not write any more.
        Salvaged = 43,
        /// The number of pthreads that raised events, without the thread's first one.
        Pthreads = 44,
        /// The total number of ticks during which these pthreads raised events.
        PthreadTicks = 45,
        /// The tick at which the program began on the thread.
        Began = 46,
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
    /// Accesses that turn out to be local raise events, too.
    pub const LOCAL: u64 = 8;
    /// The trace says how long pthreads waited for a processor.
    pub const PROCESSOR: u64 = 16;
}

codes! {
    /// How a thread ended.
    How: u8 {
        /// main returned, or the program called exit.
        Exit = 0,
        /// The program called upc_global_exit.
        GlobalExit = 1,
        /// A fatal signal.
        Signal = 2,
        /// The job ended because another thread ended it.
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
    /// An entry of a LOOPS block.
    LoopEntry: u8 {
        /// Text: the file of the loops that follow.
        File = 0,
        /// A `for` loop.
        For = 1,
        /// A `while` loop.
        While = 2,
        /// A `do` loop.
        Do = 3,
    }
}

codes! {
    /// The phase of the events of an event site.
    Side: u8 {
        /// Something starts.
        Start = 0,
        /// It ends.
        End = 1,
        /// An event without duration.
        Atomic = 2,
    }
}

/// Flags of an event site.
pub mod event_site_flag {
    /// Starts and ends do not nest; they are matched by their first argument.
    pub const NOT_NESTED: u8 = 1;
}

codes! {
    /// The kind of an argument of an event site.
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
        /// A pointer-to-shared whose address is reduced by the phase times the first size of the event.
        Element = 13,
    }
}

impl ArgCode {
    /// Returns the number of columns that it takes up in a record.
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
        /// One value: the number of events that are missing at this point.
        Lost = 3,
        /// Two values: an event site, and the number of events that each of its events stands for from this point on.
        Weight = 4,
        /// One value: for how many nanoseconds before the next event the pthread had no processor.
        Processor = 5,
    }
}

/// The header of a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BlockHead {
    /// The code of its [`BlockKind`].
    pub kind: u8,
    /// The thread that wrote it.
    pub thread: u32,
    /// Its number among those of the thread, starting at 0.
    pub number: u32,
    /// Bytes of payload.
    pub length: u32,
    /// Check sum of the header's first 20 bytes and the payload.
    pub crc: u32,
}

impl BlockHead {
    /// Returns the header at the front of `bytes`; `None` if there is none.
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

    /// Returns the header as bytes, with the check sum for `payload`.
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

/// Returns the check sum of a block: of its header without the last four bytes, and its payload.
pub fn check_sum(head: &[u8; BLOCK_HEADER], payload: &[u8]) -> u32 {
    crc32c::crc32c_append(crc32c::crc32c(&head[..BLOCK_HEADER - 4]), payload)
}

/// Removes a varint from the front of `bytes`; `None` if `bytes` end inside it or it is longer than 10 bytes.
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

/// Returns the difference that a zigzag varint stands for, to be added modulo 2^64.
#[inline]
pub fn unzigzag(value: u64) -> u64 {
    (value >> 1) ^ (value & 1).wrapping_neg()
}

/// Returns the zigzag code of a difference.
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
