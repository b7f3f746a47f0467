//! The table of events. Names, arguments and their order follow GASP 1.5, tables; ids of the older
//! interface follow PUPC 1.1, section 3.2.

use Group::*;

/// An event that instrumented programs raise.
#[derive(Debug)]
pub struct Event {
    /// The macro that names the event for tools.
    pub symbol: &'static str,
    /// The macro's value. It is Berkeley UPC's value if Berkeley UPC had the event; no tool may depend on it.
    pub tag: u32,
    /// The group to which the event belongs.
    pub group: Group,
    /// How many reports one occurrence causes, and with which arguments.
    pub shape: Shape,
    /// Its names in PUPC 1.1, each with the id of its start (its end has the next id). For accesses, the first is the
    /// strict one and the second the relaxed one.
    pub pupc: &'static [(&'static str, u32)],
}

/// Groups of related events.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Group {
    /// Entry and exit of user functions: `--inst-functions`.
    Function,
    /// The C library's heap.
    Heap,
    /// Termination of a program.
    Exit,
    /// Barriers and fences.
    Sync,
    /// `upc_forall`.
    Work,
    /// Shared heap.
    Alloc,
    /// Locks.
    Lock,
    /// `upc_memget` and similar functions.
    Transfer,
    /// Reads and writes of shared objects.
    Access,
    /// Transfers that continue after the call.
    NonBlocking,
    /// The software cache of remote data.
    Cache,
    /// Collective functions.
    Collective,
    /// Atomic operations on shared memory.
    Atomic,
    /// Input and output (`<upc_io.h>`).
    Io,
    /// Berkeley's semaphores.
    Semaphore,
    /// The program's own calls of MPI.
    Mpi,
    /// The program's properties, reported at start-up.
    Start,
}

/// How an event is reported.
#[derive(Debug)]
pub enum Shape {
    /// Its start with the first arguments, then its end with the second.
    Pair(&'static [Arg], &'static [Arg]),
    /// A single report with these arguments.
    Once(&'static [Arg]),
}

/// An argument that follows the column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Arg {
    /// Its name in GASP's tables.
    pub name: &'static str,
    /// Its type and meaning.
    pub kind: ArgKind,
}

/// The type and meaning of an argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ArgKind {
    /// `int`
    Int,
    /// `size_t`
    Size,
    /// `void *` into private memory
    Pointer,
    /// `gasp_upc_PTS_t *`: the address of a generic pointer-to-shared
    Shared,
    /// `gasp_upc_lock_t *`: the address of a pointer-to-shared to the lock
    Lock,
    /// `const char *`
    Text,
    /// `int`: a `upc_flag_t`
    Flags,
    /// `int`: a `upc_op_t`
    Operation,
    /// `gasp_upc_reduction_t`
    Reduction,
    /// `gasp_upc_nb_handle_t`
    Handle,
    /// `int`: flags of `upc_all_fopen`
    FileFlags,
    /// `int64_t`: a `upc_off_t`
    Offset,
}

const fn arg(name: &'static str, kind: ArgKind) -> Arg {
    Arg { name, kind }
}

const NBYTES: Arg = arg("nbytes", ArgKind::Size);
const N: Arg = arg("n", ArgKind::Size);
const STATUS: Arg = arg("status", ArgKind::Int);
const RELAXED: Arg = arg("is_relaxed", ArgKind::Int);
const LCK: Arg = arg("lck", ArgKind::Lock);
const PRIVATE_DST: Arg = arg("dst", ArgKind::Pointer);
const PRIVATE_SRC: Arg = arg("src", ArgKind::Pointer);
const DST: Arg = arg("dst", ArgKind::Shared);
const SRC: Arg = arg("src", ArgKind::Shared);
const HANDLE: Arg = arg("handle", ArgKind::Handle);
const NEW: Arg = arg("newshrd_ptr", ArgKind::Shared);
const FLAGS: Arg = arg("upc_flags", ArgKind::Flags);
const FUNCSIG: &[Arg] = &[arg("funcsig", ArgKind::Text)];
const PTR: &[Arg] = &[arg("ptr", ArgKind::Pointer)];
const VALUE: &[Arg] = &[arg("named", ArgKind::Int), arg("expr", ArgKind::Int)];
const NBLOCKS: Arg = arg("nblocks", ArgKind::Size);
const REDUCE: &[Arg] = &[
    DST,
    SRC,
    arg("upc_op", ArgKind::Operation),
    arg("nelems", ArgKind::Size),
    arg("blk_size", ArgKind::Size),
    arg("func", ArgKind::Pointer),
    FLAGS,
    arg("type", ArgKind::Reduction),
];
const RELOCATE: &[Arg] = &[DST, SRC, NBYTES, FLAGS];
const ATOMIC: &[Arg] = &[
    arg("target", ArgKind::Shared),
    arg("op", ArgKind::Operation),
    N,
];

const CALL: Arg = arg("call", ArgKind::Text);
const PEER: Arg = arg("peer", ArgKind::Int);
const MEMBERS: Arg = arg("members", ArgKind::Int);
const REQUESTS: Arg = arg("requests", ArgKind::Size);
const MESSAGE: &[Arg] = &[CALL, PEER, N];
/// A message that is received: at the end, who has sent it, and its bytes.
const RECEPTION: Shape = Shape::Pair(
    MESSAGE,
    &[
        CALL,
        PEER,
        N,
        arg("source", ArgKind::Int),
        arg("received", ArgKind::Size),
    ],
);
const SEM: Arg = arg("sem", ArgKind::Shared);
const SEM_COUNT: &[Arg] = &[SEM, arg("count", ArgKind::Size)];
const SEM_FLAGS: Arg = arg("sem_flags", ArgKind::Int);
const FILE: Arg = arg("file", ArgKind::Shared);
const FILE_FLAGS: Arg = arg("file_flags", ArgKind::FileFlags);
const IS_SHARED: Arg = arg("is_shared", ArgKind::Int);
const RESULT: Arg = arg("result", ArgKind::Int);
const OFFSET_RESULT: Arg = arg("result", ArgKind::Offset);
const LENGTH: Arg = arg("length", ArgKind::Offset);
const OF_FILE: &[Arg] = &[FILE, FILE_FLAGS];
/// Calls that describe or change a file as a whole: the file, and at the end the result.
const FILE_CALL: Shape = Shape::Pair(OF_FILE, &[FILE, FILE_FLAGS, RESULT]);
const FILE_MOVE: Shape = Shape::Pair(
    FILE_TRANSFER,
    &[FILE, FILE_FLAGS, IS_SHARED, N, FLAGS, OFFSET_RESULT],
);
const FILE_TRANSFER: &[Arg] = &[FILE, FILE_FLAGS, IS_SHARED, N, FLAGS];
const FILE_LENGTH: Shape = Shape::Pair(
    &[FILE, FILE_FLAGS, LENGTH],
    &[FILE, FILE_FLAGS, LENGTH, RESULT],
);
const FILE_RESULT: Shape = Shape::Pair(OF_FILE, &[FILE, FILE_FLAGS, OFFSET_RESULT]);

const fn same(args: &'static [Arg]) -> Shape {
    Shape::Pair(args, args)
}

const fn row(symbol: &'static str, tag: u32, group: Group, shape: Shape) -> Event {
    Event {
        symbol,
        tag,
        group,
        shape,
        pupc: &[],
    }
}

const fn old(
    symbol: &'static str,
    tag: u32,
    group: Group,
    shape: Shape,
    pupc: &'static [(&'static str, u32)],
) -> Event {
    Event {
        symbol,
        tag,
        group,
        shape,
        pupc,
    }
}

/// Tags of user events, inclusive.
pub const USER_EVENTS: (u32, u32) = (10_000, 999_999);

/// Every event, in the order of the masks of `UPCR_INST_UNIT`.
#[rustfmt::skip]
pub const EVENTS: &[Event] = &[
    old("GASP_C_FUNC", 1023, Function, same(FUNCSIG), &[("PUPC_USERFN", 0x0500_0000)]),
    row("GASP_C_MALLOC", 1020, Heap, Shape::Pair(&[NBYTES], &[NBYTES, arg("returnptr", ArgKind::Pointer)])),
    row("GASP_C_REALLOC", 1021, Heap, Shape::Pair(&[arg("ptr", ArgKind::Pointer), arg("size", ArgKind::Size)],
        &[arg("ptr", ArgKind::Pointer), arg("size", ArgKind::Size), arg("returnptr", ArgKind::Pointer)])),
    row("GASP_C_FREE", 1022, Heap, same(PTR)),

    row("GASP_UPC_COLLECTIVE_EXIT", 1210, Exit, same(&[STATUS])),
    old("GASP_UPC_NONCOLLECTIVE_EXIT", 1211, Exit, Shape::Once(&[STATUS]), &[("PUPC_GLOBAL_EXIT", 0x0000_0100)]),

    old("GASP_UPC_NOTIFY", 1100, Sync, same(VALUE), &[("PUPC_NOTIFY", 0x0100_0000)]),
    old("GASP_UPC_WAIT", 1101, Sync, same(VALUE), &[("PUPC_WAIT", 0x0100_0100)]),
    old("GASP_UPC_BARRIER", 1102, Sync, same(VALUE), &[("PUPC_BARRIER", 0x0100_0200)]),
    old("GASP_UPC_FENCE", 1103, Sync, same(&[]), &[("PUPC_FENCE", 0x0100_0300)]),
    old("GASP_UPC_FORALL", 1104, Work, same(&[]), &[("PUPC_FORALL", 0x0200_0000)]),

    row("GASP_UPC_GLOBAL_ALLOC", 1001, Alloc, Shape::Pair(&[NBLOCKS, NBYTES], &[NBLOCKS, NBYTES, NEW])),
    row("GASP_UPC_ALL_ALLOC", 1002, Alloc, Shape::Pair(&[NBLOCKS, NBYTES], &[NBLOCKS, NBYTES, NEW])),
    row("GASP_UPC_ALLOC", 1000, Alloc, Shape::Pair(&[NBYTES], &[NBYTES, NEW])),
    row("GASP_UPC_FREE", 1003, Alloc, same(&[arg("shrd_ptr", ArgKind::Shared)])),

    old("GASP_UPC_GLOBAL_LOCK_ALLOC", 1010, Lock, Shape::Pair(&[], &[LCK]), &[("PUPC_GLOBAL_LOCK_ALLOC", 0x0300_0500)]),
    old("GASP_UPC_ALL_LOCK_ALLOC", 1011, Lock, Shape::Pair(&[], &[LCK]), &[("PUPC_ALL_LOCK_ALLOC", 0x0300_0400)]),
    old("GASP_UPC_LOCK_FREE", 1012, Lock, same(&[LCK]), &[("PUPC_LOCK_FREE", 0x0300_0600)]),
    old("GASP_UPC_LOCK", 1014, Lock, same(&[LCK]), &[("PUPC_LOCK", 0x0300_0000)]),
    old("GASP_UPC_LOCK_ATTEMPT", 1013, Lock, Shape::Pair(&[LCK], &[LCK, arg("result", ArgKind::Int)]), &[("PUPC_LOCK_ATTEMPT", 0x0300_0200)]),
    old("GASP_UPC_UNLOCK", 1015, Lock, same(&[LCK]), &[("PUPC_UNLOCK", 0x0300_0100)]),

    old("GASP_UPC_MEMCPY", 1032, Transfer, same(&[DST, SRC, N]), &[("PUPC_MEMCPY", 0x0300_0700)]),
    old("GASP_UPC_MEMGET", 1030, Transfer, same(&[PRIVATE_DST, SRC, N]), &[("PUPC_MEMGET", 0x0300_0800)]),
    old("GASP_UPC_MEMPUT", 1031, Transfer, same(&[DST, PRIVATE_SRC, N]), &[("PUPC_MEMPUT", 0x0300_0900)]),
    old("GASP_UPC_MEMSET", 1033, Transfer, same(&[DST, arg("c", ArgKind::Int), N]), &[("PUPC_MEMSET", 0x0300_0A00)]),

    old("GASP_UPC_GET", 1111, Access, same(&[RELAXED, PRIVATE_DST, SRC, N]), &[("PUPC_STRICT_GET", 0x0400_0000), ("PUPC_RELAXED_GET", 0x0400_0002)]),
    old("GASP_UPC_PUT", 1110, Access, same(&[RELAXED, DST, PRIVATE_SRC, N]), &[("PUPC_STRICT_PUT", 0x0400_0100), ("PUPC_RELAXED_PUT", 0x0400_0102)]),

    row("GASP_UPC_NB_GET_INIT", 1120, NonBlocking, Shape::Pair(&[RELAXED, PRIVATE_DST, SRC, N], &[RELAXED, PRIVATE_DST, SRC, N, HANDLE])),
    row("GASP_UPC_NB_GET_DATA", 1123, NonBlocking, same(&[HANDLE])),
    row("GASP_UPC_NB_PUT_INIT", 1121, NonBlocking, Shape::Pair(&[RELAXED, DST, PRIVATE_SRC, N], &[RELAXED, DST, PRIVATE_SRC, N, HANDLE])),
    row("GASP_UPC_NB_PUT_DATA", 1124, NonBlocking, same(&[HANDLE])),
    row("GASP_UPC_NB_SYNC", 1122, NonBlocking, same(&[HANDLE])),
    row("GASP_BUPC_NB_TRYSYNC", 1130, NonBlocking, Shape::Pair(&[HANDLE], &[HANDLE, arg("result", ArgKind::Int)])),
    row("GASP_BUPC_NB_MEMCPY_INIT", 1133, NonBlocking, Shape::Pair(&[DST, SRC, N], &[DST, SRC, N, HANDLE])),
    row("GASP_UPCC_NB_MEMSET_INIT", 1134, NonBlocking, Shape::Pair(&[DST, arg("c", ArgKind::Int), N], &[DST, arg("c", ArgKind::Int), N, HANDLE])),

    row("GASP_UPC_CACHE_MISS", 1150, Cache, Shape::Once(&[N, arg("n_lines", ArgKind::Size)])),
    row("GASP_UPC_CACHE_HIT", 1151, Cache, Shape::Once(&[N])),
    row("GASP_UPC_CACHE_INVALIDATE", 1152, Cache, Shape::Once(&[arg("n_dirty", ArgKind::Size)])),

    row("GASP_UPC_ALL_BROADCAST", 1300, Collective, same(RELOCATE)),
    row("GASP_UPC_ALL_SCATTER", 1310, Collective, same(RELOCATE)),
    row("GASP_UPC_ALL_GATHER", 1320, Collective, same(RELOCATE)),
    row("GASP_UPC_ALL_GATHER_ALL", 1330, Collective, same(RELOCATE)),
    row("GASP_UPC_ALL_EXCHANGE", 1340, Collective, same(RELOCATE)),
    row("GASP_UPC_ALL_PERMUTE", 1350, Collective, same(&[DST, SRC, arg("perm", ArgKind::Shared), NBYTES, FLAGS])),
    row("GASP_UPC_ALL_REDUCE", 1400, Collective, same(REDUCE)),
    row("GASP_UPC_ALL_PREFIX_REDUCE", 1410, Collective, same(REDUCE)),

    row("GASP_UPCC_ATOMIC", 1160, Atomic, same(ATOMIC)),
    row("GASP_BUPC_STATIC_SHARED", 1140, Start, Shape::Once(&[arg("blocks", ArgKind::Size), arg("bytes", ArgKind::Size),
        arg("address", ArgKind::Shared), arg("symbol", ArgKind::Pointer), arg("elemsz", ArgKind::Size), arg("name", ArgKind::Text),
        arg("type", ArgKind::Text)])),

    row("GASP_UPCC_ALL_FOPEN", 1170, Io, Shape::Pair(&[arg("name", ArgKind::Text), FILE_FLAGS], &[arg("name", ArgKind::Text), FILE_FLAGS, FILE])),
    row("GASP_UPCC_ALL_FCLOSE", 1171, Io, FILE_CALL),
    row("GASP_UPCC_ALL_FREAD", 1172, Io, FILE_MOVE),
    row("GASP_UPCC_ALL_FWRITE", 1173, Io, FILE_MOVE),
    row("GASP_UPCC_ALL_FREAD_ASYNC", 1174, Io, same(FILE_TRANSFER)),
    row("GASP_UPCC_ALL_FWRITE_ASYNC", 1175, Io, same(FILE_TRANSFER)),
    row("GASP_UPCC_ALL_FWAIT_ASYNC", 1176, Io, FILE_RESULT),
    row("GASP_UPCC_ALL_FTEST_ASYNC", 1177, Io, Shape::Pair(OF_FILE, &[FILE, FILE_FLAGS, arg("done", ArgKind::Int), OFFSET_RESULT])),
    row("GASP_UPCC_ALL_FSYNC", 1178, Io, FILE_CALL),
    row("GASP_UPCC_ALL_FSEEK", 1179, Io, Shape::Pair(&[FILE, FILE_FLAGS, arg("offset", ArgKind::Offset), arg("origin", ArgKind::Int)],
        &[FILE, FILE_FLAGS, arg("offset", ArgKind::Offset), arg("origin", ArgKind::Int), OFFSET_RESULT])),
    row("GASP_UPCC_ALL_FSET_SIZE", 1180, Io, FILE_LENGTH),
    row("GASP_UPCC_ALL_FGET_SIZE", 1181, Io, FILE_RESULT),
    row("GASP_UPCC_ALL_FPREALLOCATE", 1182, Io, FILE_LENGTH),
    row("GASP_UPCC_ALL_FCNTL", 1183, Io, Shape::Pair(&[FILE, FILE_FLAGS, arg("cmd", ArgKind::Int)], &[FILE, FILE_FLAGS, arg("cmd", ArgKind::Int), RESULT])),

    row("GASP_UPCC_SEM_ALLOC", 1190, Semaphore, Shape::Pair(&[SEM_FLAGS], &[SEM_FLAGS, SEM])),
    row("GASP_UPCC_SEM_FREE", 1191, Semaphore, same(&[SEM])),
    row("GASP_UPCC_SEM_POST", 1192, Semaphore, same(SEM_COUNT)),
    row("GASP_UPCC_SEM_WAIT", 1193, Semaphore, same(SEM_COUNT)),
    row("GASP_UPCC_SEM_TRY", 1194, Semaphore, Shape::Pair(SEM_COUNT, &[SEM, arg("count", ArgKind::Size), RESULT])),

    row("GASP_UPCC_MPI_SEND", 1200, Mpi, same(MESSAGE)),
    row("GASP_UPCC_MPI_RECV", 1201, Mpi, RECEPTION),
    row("GASP_UPCC_MPI_SENDRECV", 1202, Mpi, RECEPTION),
    row("GASP_UPCC_MPI_ISEND", 1203, Mpi, same(MESSAGE)),
    row("GASP_UPCC_MPI_IRECV", 1204, Mpi, same(MESSAGE)),
    row("GASP_UPCC_MPI_WAIT", 1205, Mpi, same(&[CALL, REQUESTS])),
    row("GASP_UPCC_MPI_TEST", 1206, Mpi, Shape::Pair(&[CALL, REQUESTS], &[CALL, REQUESTS, RESULT])),
    row("GASP_UPCC_MPI_PROBE", 1207, Mpi, Shape::Pair(&[CALL, PEER], &[CALL, PEER, RESULT])),
    row("GASP_UPCC_MPI_BARRIER", 1208, Mpi, same(&[CALL, MEMBERS])),
    row("GASP_UPCC_MPI_COLLECTIVE", 1209, Mpi, same(&[CALL, PEER, N, MEMBERS])),
];

/// The index in [`EVENTS`] of the event with this symbol.
pub fn find(symbol: &str) -> Option<usize> {
    EVENTS.iter().position(|event| event.symbol == symbol)
}
