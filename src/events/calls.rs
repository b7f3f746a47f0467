//! Library functions whose calls raise events: instrumented code calls `upcr_inst_NAME` in place of `NAME`, with a site
//! before the arguments. `inst_calls.rs` writes these functions as the header `upcr/inst_calls.h`.
//!
//! Only calls by name are instrumented. A call through a pointer calls the function itself. Functions without an event
//! are absent: collectives on values (`bupc_allv_*`), sorting.

use std::sync::LazyLock;

/// A library function that raises an event.
#[derive(Clone, Debug)]
pub struct Call {
    /// Its name in source code.
    pub name: String,
    /// The function that instrumented code calls.
    pub instrumented: String,
    /// Number of arguments; `None`: any number.
    pub args: Option<usize>,
    /// Symbol of its event. `None`: the user's own events, which no flag and no pragma disables (GASP A.3.1.3).
    pub event: Option<&'static str>,
    /// How the instrumented function is written; `None`: by hand, in `upcr/inst_support.h` or `upcr/inst.h`.
    pub(super) wrapper: Option<Wrapper>,
}

/// The function that raises the event around the call.
#[derive(Clone, Debug)]
pub(super) struct Wrapper {
    pub(super) result: String,
    /// Declarations, with the names that the other members use.
    pub(super) parameters: Vec<String>,
    /// The names of the parameters.
    pub(super) values: Vec<String>,
    /// Declarations of further names.
    pub(super) setup: Vec<String>,
    /// The arguments of the event, as C.
    pub(super) reports: String,
    pub(super) end: End,
    /// The caller may look at `errno` afterwards.
    pub(super) sets_errno: bool,
    /// For calls that can be counted without a report: the pointer-to-shared and the number of bytes.
    pub(super) counted: Option<(&'static str, &'static str)>,
}

/// What the event's end has after the arguments of its start.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum End {
    Same,
    /// The result of the call.
    Result,
    /// The address of the result.
    Address,
    /// What `flag` points at, and the result.
    FlagAndResult,
    /// What `where` points at after success.
    Stored,
    /// The handle of a transfer that has none of its own.
    Trivial,
}
use End::{Address, FlagAndResult, Result, Same, Stored, Trivial};

/// Functions that raise an event alike.
#[derive(Clone)]
struct Row {
    event: &'static str,
    prototypes: Vec<String>,
    setup: Vec<String>,
    reports: String,
    end: End,
    sets_errno: bool,
    counted: Option<(&'static str, &'static str)>,
}

fn row(event: &'static str, reports: &str, end: End, prototypes: &[&str]) -> Row {
    Row {
        event,
        prototypes: prototypes.iter().map(|&text| text.to_owned()).collect(),
        setup: Vec::new(),
        reports: reports.to_owned(),
        end,
        sets_errno: false,
        counted: None,
    }
}

impl Row {
    fn counted(self, pointer: &'static str, bytes: &'static str) -> Row {
        let counted = Some((pointer, bytes));
        Row { counted, ..self }
    }

    fn sets_errno(self) -> Row {
        let sets_errno = true;
        Row { sets_errno, ..self }
    }

    fn setup(self, lines: &[&str]) -> Row {
        let setup = lines.iter().map(|&line| line.to_owned()).collect();
        Row { setup, ..self }
    }

    /// Replaces the words of a family in all parts.
    fn with(&self, words: &[(&str, &str)]) -> Row {
        let replaced = |text: &String| {
            let replace = |text: String, (from, to): &(&str, &str)| text.replace(from, to);
            words.iter().fold(text.clone(), replace)
        };
        Row {
            prototypes: self.prototypes.iter().map(replaced).collect(),
            setup: self.setup.iter().map(replaced).collect(),
            reports: replaced(&self.reports),
            ..self.clone()
        }
    }

    fn calls(self) -> impl Iterator<Item = Call> {
        let prototypes = self.prototypes.clone();
        prototypes.into_iter().map(move |prototype| {
            let (name, wrapper) = self.wrapper(&prototype);
            Call {
                instrumented: format!("upcr_inst_{name}"),
                name,
                args: Some(wrapper.values.len()),
                event: Some(self.event),
                wrapper: Some(wrapper),
            }
        })
    }

    /// Splits a prototype such as `void *f(int a, int (*b)(int))`.
    fn wrapper(&self, prototype: &str) -> (String, Wrapper) {
        let (head, rest) = prototype.split_once('(').unwrap_or((prototype, ")"));
        let name = last_word(head);
        let inside = rest.strip_suffix(')').unwrap_or(rest);
        let parameters: Vec<String> = match inside {
            "" | "void" => Vec::new(),
            _ => at_commas(inside),
        };
        let value = |parameter: &String| match parameter.split_once("(*") {
            Some((_, rest)) => rest.split(')').next().unwrap_or_default().to_owned(),
            None => last_word(parameter).to_owned(),
        };
        let wrapper = Wrapper {
            result: head[..head.len() - name.len()].trim_end().to_owned(),
            values: parameters.iter().map(value).collect(),
            parameters,
            setup: self.setup.clone(),
            reports: self.reports.clone(),
            end: self.end,
            sets_errno: self.sets_errno,
            counted: self.counted,
        };
        (name.to_owned(), wrapper)
    }
}

fn last_word(text: &str) -> &str {
    let end = text.rfind(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    &text[end.map_or(0, |end| end + 1)..]
}

/// Splits at the commas outside parentheses.
fn at_commas(text: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut depth = 0;
    for letter in text.chars() {
        depth += i32::from(letter == '(') - i32::from(letter == ')');
        match parts.last_mut() {
            Some(part) if letter != ',' || depth > 0 => part.push(letter),
            _ => parts.push(String::new()),
        }
    }
    parts.iter().map(|part| part.trim().to_owned()).collect()
}

/// The types of Berkeley's atomic operations, as in `upcr/bupc_types.h`: code, type, and whether it is an integer type.
const ATOMIC_TYPES: &[(&str, &str, bool)] = &[
    ("I", "int", true),
    ("UI", "unsigned int", true),
    ("L", "long", true),
    ("UL", "unsigned long", true),
    ("I32", "__INT32_TYPE__", true),
    ("U32", "__UINT32_TYPE__", true),
    ("I64", "__INT64_TYPE__", true),
    ("U64", "__UINT64_TYPE__", true),
    ("F", "float", false),
    ("D", "double", false),
];

#[rustfmt::skip] // a row an operation
/// Berkeley's atomic operations: prototype, the operation of `upc_op_t` that does the same, and whether it is for integer
/// types only. `$C` is the code of the type, `$T` the type, `$O` the order.
const ATOMICS: &[(&str, &str, bool)] = &[
    ("$T bupc_atomic$C_read_$O(upcr_pts_t target)", "UPCR_OP_GET_", false),
    ("void bupc_atomic$C_set_$O(upcr_pts_t target, $T value)", "UPCR_OP_SET_", false),
    ("$T bupc_atomic$C_swap_$O(upcr_pts_t target, $T value)", "UPCR_OP_SET_", false),
    ("$T bupc_atomic$C_cswap_$O(upcr_pts_t target, $T one, $T two)", "UPCR_OP_CSWAP_", false),
    ("$T bupc_atomic$C_fetchadd_$O(upcr_pts_t target, $T value)", "UPCR_OP_ADD_", false),
    ("$T bupc_atomic$C_mswap_$O(upcr_pts_t target, $T one, $T two)", "UPCR_OP_SET_", true),
    ("$T bupc_atomic$C_fetchand_$O(upcr_pts_t target, $T value)", "UPCR_OP_AND_", true),
    ("$T bupc_atomic$C_fetchor_$O(upcr_pts_t target, $T value)", "UPCR_OP_OR_", true),
    ("$T bupc_atomic$C_fetchxor_$O(upcr_pts_t target, $T value)", "UPCR_OP_XOR_", true),
    ("$T bupc_atomic$C_fetchnot_$O(upcr_pts_t target)", "UPCR_OP_XOR_", true),
];

fn atomics() -> Vec<Row> {
    let mut rows = Vec::new();
    for &(code, ty, is_integer) in ATOMIC_TYPES {
        let fitting = ATOMICS.iter().filter(|atomic| is_integer || !atomic.2);
        for &(prototype, op, _) in fitting {
            let reports = format!("&target, {op}, sizeof($T)");
            let of_type = row("GASP_UPCC_ATOMIC", &reports, Same, &[prototype]);
            let of_order = |order| of_type.with(&[("$C", code), ("$T", ty), ("$O", order)]);
            rows.extend(["relaxed", "strict"].map(of_order));
        }
    }
    rows
}

/// The types of reductions: code, type. Their order is that of `gasp_upc_reduction_t`.
const REDUCTION_TYPES: &[(&str, &str)] = &[
    ("C", "signed char"),
    ("UC", "unsigned char"),
    ("S", "short"),
    ("US", "unsigned short"),
    ("I", "int"),
    ("UI", "unsigned"),
    ("L", "long"),
    ("UL", "unsigned long"),
    ("F", "float"),
    ("D", "double"),
    ("LD", "long double"),
];

fn reductions() -> Vec<Row> {
    const NAMES: &[(&str, &str)] = &[
        ("GASP_UPC_ALL_REDUCE", "upc_all_reduce"),
        ("GASP_UPC_ALL_REDUCE", "bupc_all_reduce_all"),
        ("GASP_UPC_ALL_PREFIX_REDUCE", "upc_all_prefix_reduce"),
    ];
    let parameters = "upcr_pts_t dst, upcr_pts_t src, int op, upcr_size count, upcr_size block, $T (*func)($T, $T), int flags";
    let reports = "&dst, &src, op, count, block, (void *)func, flags, $N";
    let of_type = |(number, &(code, ty)): (usize, &(&str, &str))| {
        let number = number.to_string();
        NAMES
            .iter()
            .map(move |(event, name)| {
                let prototype = format!("void {name}$C({parameters})");
                let words = [("$C", code), ("$T", ty), ("$N", number.as_str())];
                row(event, reports, Same, &[&prototype]).with(&words)
            })
            .collect::<Vec<Row>>()
    };
    REDUCTION_TYPES
        .iter()
        .enumerate()
        .flat_map(of_type)
        .collect()
}

/// A side of a scattered transfer.
struct Side {
    /// The type of a place.
    place: &'static str,
    nowhere: &'static str,
    /// The types of an entry of a list of blocks, and of a list of places.
    block: &'static str,
    element: &'static str,
    /// The function that adds up a list of blocks.
    bytes: &'static str,
    /// How the event has the place.
    report: &'static str,
}

const SHARED: Side = Side {
    place: "upcr_pts_t ",
    nowhere: "UPCR_NULL",
    block: "upcr_shared_block_",
    element: "upcr_pts_t const *",
    bytes: "upcr_bytes_of_shared_blocks_",
    report: "&",
};
const PRIVATE: Side = Side {
    place: "const void *",
    nowhere: "(void *)0",
    block: "upcr_private_block_",
    element: "void *const *",
    bytes: "upcr_bytes_of_private_blocks_",
    report: "",
};

/// The shapes of scattered transfers: suffix, parameters, first place of each side, bytes of all. `$D` and `$S` are the
/// places' types.
const SHAPES: &[[&str; 5]] = &[
    [
        "vlist",
        "upcr_size tos, const void *tolist, upcr_size froms, const void *fromlist",
        "tos != 0 ? ((const $DB *)tolist)->addr : $DN",
        "froms != 0 ? ((const $SB *)fromlist)->addr : $SN",
        "$DY((const $DB *)tolist, tos)",
    ],
    [
        "ilist",
        "upcr_size tos, const void *tolist, upcr_size tolength, upcr_size froms, const void *fromlist, upcr_size fromlength",
        "tos != 0 ? *($DE)tolist : $DN",
        "froms != 0 ? *($SE)fromlist : $SN",
        "tos * tolength",
    ],
    [
        "fstrided",
        "$Dto, upcr_size tolength, upcr_size tostride, upcr_size tos, $Sfrom, upcr_size fromlength, upcr_size fromstride, upcr_size froms",
        "to",
        "from",
        "tos * tolength",
    ],
    [
        "strided",
        "$Dto, const upcr_size *tostrides, $Sfrom, const upcr_size *fromstrides, const upcr_size *counts, upcr_size levels",
        "to",
        "from",
        "upcr_strided_bytes_(counts, levels)",
    ],
];

/// Scattered transfers: the event has the first place of each side, and the bytes of all.
fn scattered() -> Vec<Row> {
    const KINDS: &[(&str, &str, &str, &str, Side, Side)] = &[
        (
            "memcpy",
            "GASP_UPC_MEMCPY",
            "GASP_BUPC_NB_MEMCPY_INIT",
            "",
            SHARED,
            SHARED,
        ),
        (
            "memget",
            "GASP_UPC_MEMGET",
            "GASP_UPC_NB_GET_INIT",
            "1, ",
            PRIVATE,
            SHARED,
        ),
        (
            "memput",
            "GASP_UPC_MEMPUT",
            "GASP_UPC_NB_PUT_INIT",
            "1, ",
            SHARED,
            PRIVATE,
        ),
    ];
    let mut rows = Vec::new();
    for (name, event, initiation, first, to, from) in KINDS {
        for [shape, parameters, to_place, from_place, bytes] in SHAPES {
            let setup = [
                format!("$Ddst = {to_place};"),
                format!("$Ssrc = {from_place};"),
                format!("upcr_size n = upcr_inst_on ? {bytes} : 0;"),
            ];
            let words = [
                ("$DB", to.block),
                ("$DN", to.nowhere),
                ("$DE", to.element),
                ("$DY", to.bytes),
                ("$D", to.place),
                ("$SB", from.block),
                ("$SN", from.nowhere),
                ("$SE", from.element),
                ("$S", from.place),
            ];
            let reports = format!("{}dst, {}src, n", to.report, from.report);
            let both = [
                (
                    *event,
                    String::new(),
                    format!("void bupc_{name}_{shape}({parameters})"),
                    Same,
                ),
                (
                    *initiation,
                    (*first).to_owned(),
                    format!("struct upcr_transfer *bupc_{name}_{shape}_async({parameters})"),
                    Result,
                ),
            ];
            rows.extend(both.map(|(event, first, prototype, end)| {
                let reports = first + &reports;
                let row = row(event, &reports, end, &[&prototype]);
                row.setup(&setup.each_ref().map(String::as_str))
                    .with(&words)
            }));
        }
    }
    rows
}

/// Non-blocking transfers of `<upc_nb.h>` and of Berkeley, with a handle and without.
fn initiations() -> Vec<Row> {
    const KINDS: &[(&str, &str, &str, &str)] = &[
        (
            "GASP_BUPC_NB_MEMCPY_INIT",
            "memcpy",
            "upcr_pts_t dst, upcr_pts_t src, upcr_size n",
            "&dst, &src, n",
        ),
        (
            "GASP_UPC_NB_GET_INIT",
            "memget",
            "void *dst, upcr_pts_t src, upcr_size n",
            "1, dst, &src, n",
        ),
        (
            "GASP_UPC_NB_PUT_INIT",
            "memput",
            "upcr_pts_t dst, const void *src, upcr_size n",
            "1, &dst, src, n",
        ),
        (
            "GASP_UPCC_NB_MEMSET_INIT",
            "memset",
            "upcr_pts_t dst, int c, upcr_size n",
            "&dst, c, n",
        ),
    ];
    let of_library = |(library, explicit, implicit): (&str, &str, &str)| {
        KINDS
            .iter()
            .flat_map(|(event, name, parameters, reports)| {
                let with_handle =
                    format!("struct upcr_transfer *{library}_{name}_{explicit}({parameters})");
                let without = format!("void {library}_{name}_{implicit}({parameters})");
                [
                    row(event, reports, Result, &[&with_handle]),
                    row(event, reports, Trivial, &[&without]),
                ]
            })
            .collect::<Vec<Row>>()
    };
    [("upc", "nb", "nbi"), ("bupc", "async", "asynci")]
        .map(of_library)
        .concat()
}

/// Reading and writing of files: suffix of the name, parameters after the file, whether the memory is shared, bytes.
const FILE_TRANSFERS: &[(&str, &str, &str, &str)] = &[
    (
        "local",
        "void *buffer, upcr_size size, upcr_size nmemb",
        "0",
        "size * nmemb",
    ),
    (
        "shared",
        "upcr_pts_t buffer, upcr_size blocksize, upcr_size size, upcr_size nmemb",
        "1",
        "upcr_file_part(fd, size * nmemb)",
    ),
    (
        "list_local",
        "upcr_size memvecs, const void *memvec, upcr_size filevecs, const void *filevec",
        "0",
        "upcr_bytes_of_private_blocks_((const upcr_private_block_ *)memvec, memvecs)",
    ),
    (
        "list_shared",
        "upcr_size memvecs, const void *memvec, upcr_size filevecs, const void *filevec",
        "1",
        "upcr_bytes_of_shared_memvecs_((const upcr_shared_memvec_ *)memvec, memvecs)",
    ),
];

/// Lines that find out about the file.
const FILE_FLAGS: &str = "int kind = upcr_inst_on ? upcr_file_flags(fd) : 0;";

/// Input and output (`<upc_io.h>`).
fn files() -> Vec<Row> {
    let mut rows = Vec::new();
    for &(name, parameters, is_shared, bytes) in FILE_TRANSFERS {
        let setup = [
            FILE_FLAGS,
            &format!("upcr_size n = upcr_inst_on ? {bytes} : 0;"),
            "int sync = upcr_inst_on ? upcr_file_sync_flags(fd, flags) : 0;",
        ];
        let reports = format!("&fd, kind, {is_shared}, n, sync");
        for (verb, event, initiation) in [
            ("read", "GASP_UPCC_ALL_FREAD", "GASP_UPCC_ALL_FREAD_ASYNC"),
            (
                "write",
                "GASP_UPCC_ALL_FWRITE",
                "GASP_UPCC_ALL_FWRITE_ASYNC",
            ),
        ] {
            let parameters = format!("(upcr_pts_t fd, {parameters}, int flags)");
            let waits = format!("__INT64_TYPE__ upc_all_f{verb}_{name}{parameters}");
            let begins = format!("void upc_all_f{verb}_{name}_async{parameters}");
            rows.extend([
                row(event, &reports, Result, &[&waits])
                    .setup(&setup)
                    .sets_errno(),
                row(initiation, &reports, Same, &[&begins]).setup(&setup),
            ]);
        }
    }
    rows.push(
        row("GASP_UPCC_ALL_FOPEN", "name, flags", Address, &[
            "upcr_pts_t upc_all_fopen(const char *name, int flags, upcr_size hints, const void *hint)",
        ])
        .sets_errno(),
    );
    rows.extend(FILE_CALLS.iter().map(|&(event, reports, end, prototype)| {
        row(event, reports, end, &[prototype])
            .setup(&[FILE_FLAGS])
            .sets_errno()
    }));
    rows
}

#[rustfmt::skip] // a row a function
/// Calls on open files: event, what it reports, what its end has, prototype.
const FILE_CALLS: &[(&str, &str, End, &str)] = &[
    ("GASP_UPCC_ALL_FCLOSE", "&fd, kind", Result, "int upc_all_fclose(upcr_pts_t fd)"),
    ("GASP_UPCC_ALL_FSYNC", "&fd, kind", Result, "int upc_all_fsync(upcr_pts_t fd)"),
    ("GASP_UPCC_ALL_FSEEK", "&fd, kind, offset, origin", Result, "__INT64_TYPE__ upc_all_fseek(upcr_pts_t fd, __INT64_TYPE__ offset, int origin)"),
    ("GASP_UPCC_ALL_FSET_SIZE", "&fd, kind, size", Result, "int upc_all_fset_size(upcr_pts_t fd, __INT64_TYPE__ size)"),
    ("GASP_UPCC_ALL_FGET_SIZE", "&fd, kind", Result, "__INT64_TYPE__ upc_all_fget_size(upcr_pts_t fd)"),
    ("GASP_UPCC_ALL_FPREALLOCATE", "&fd, kind, size", Result, "int upc_all_fpreallocate(upcr_pts_t fd, __INT64_TYPE__ size)"),
    ("GASP_UPCC_ALL_FCNTL", "&fd, kind, command", Result, "int upc_all_fcntl(upcr_pts_t fd, int command, void *argument)"),
    ("GASP_UPCC_ALL_FWAIT_ASYNC", "&fd, kind", Result, "__INT64_TYPE__ upc_all_fwait_async(upcr_pts_t fd)"),
    ("GASP_UPCC_ALL_FTEST_ASYNC", "&fd, kind", FlagAndResult, "__INT64_TYPE__ upc_all_ftest_async(upcr_pts_t fd, int *flag)"),
];

/// Functions that belong to no family.
fn others() -> Vec<Row> {
    vec![
        row("GASP_C_REALLOC", "p, n", Result, &["void *realloc(void *p, upcr_size n)"]).sets_errno(),
        row("GASP_C_REALLOC", "p, count * size", Result, &["void *reallocarray(void *p, upcr_size count, upcr_size size)"]).sets_errno(),
        row("GASP_C_MALLOC", "n", Result, &[
            "void *aligned_alloc(upcr_size alignment, upcr_size n)",
            "void *memalign(upcr_size alignment, upcr_size n)",
            "void *valloc(upcr_size n)",
            "void *pvalloc(upcr_size n)",
        ]).sets_errno(),
        row("GASP_C_MALLOC", "n", Stored, &["int posix_memalign(void **where, upcr_size alignment, upcr_size n)"]),
        row("GASP_C_FREE", "p", Same, &["void free(void *p)"]),

        row("GASP_UPC_GLOBAL_ALLOC", "nblocks, nbytes", Address, &["upcr_pts_t upc_global_alloc(upcr_size nblocks, upcr_size nbytes)"]),
        row("GASP_UPC_ALL_ALLOC", "nblocks, nbytes", Address, &["upcr_pts_t upc_all_alloc(upcr_size nblocks, upcr_size nbytes)"]),
        row("GASP_UPC_ALLOC", "n", Address, &["upcr_pts_t upc_alloc(upcr_size n)"]),
        row("GASP_UPC_ALLOC", "nblocks * nbytes", Address, &["upcr_pts_t upc_local_alloc(upcr_size nblocks, upcr_size nbytes)"]),
        row("GASP_UPC_FREE", "&p", Same, &["void upc_free(upcr_pts_t p)", "void upc_all_free(upcr_pts_t p)"]),

        row("GASP_UPC_GLOBAL_LOCK_ALLOC", "", Address, &["upcr_pts_t upc_global_lock_alloc(void)"]),
        row("GASP_UPC_ALL_LOCK_ALLOC", "", Address, &["upcr_pts_t upc_all_lock_alloc(void)"]),
        row("GASP_UPC_LOCK_FREE", "&lock", Same, &["void upc_lock_free(upcr_pts_t lock)", "void upc_all_lock_free(upcr_pts_t lock)"]),
        row("GASP_UPC_LOCK_ATTEMPT", "&lock", Result, &["int upc_lock_attempt(upcr_pts_t lock)"]),
        row("GASP_UPC_UNLOCK", "&lock", Same, &["void upc_unlock(upcr_pts_t lock)"]).counted("lock", "0"),

        row("GASP_UPC_MEMCPY", "&dst, &src, n", Same, &["void upc_memcpy(upcr_pts_t dst, upcr_pts_t src, upcr_size n)"]),
        row("GASP_UPC_MEMGET", "dst, &src, n", Same, &["void upc_memget(void *dst, upcr_pts_t src, upcr_size n)"]).counted("src", "n"),
        row("GASP_UPC_MEMPUT", "&dst, src, n", Same, &["void upc_memput(upcr_pts_t dst, const void *src, upcr_size n)"]).counted("dst", "n"),
        row("GASP_UPC_MEMSET", "&dst, c, n", Same, &["void upc_memset(upcr_pts_t dst, int c, upcr_size n)"]).counted("dst", "n"),
        row("GASP_UPC_MEMPUT", "&dst, src, n", Same,
            &["void bupc_memput_signal(upcr_pts_t dst, const void *src, upcr_size n, upcr_pts_t s, upcr_size by)"]),
        row("GASP_UPC_NB_PUT_INIT", "1, &dst, src, n", Trivial,
            &["void bupc_memput_signal_async(upcr_pts_t dst, const void *src, upcr_size n, upcr_pts_t s, upcr_size by)"]),

        row("GASP_UPCC_SEM_ALLOC", "flags", Address, &["upcr_pts_t bupc_sem_alloc(int flags)"]),
        row("GASP_UPCC_SEM_FREE", "&s", Same, &["void bupc_sem_free(upcr_pts_t s)"]),
        row("GASP_UPCC_SEM_POST", "&s, (upcr_size)1", Same, &["void bupc_sem_post(upcr_pts_t s)"]),
        row("GASP_UPCC_SEM_POST", "&s, n", Same, &["void bupc_sem_postN(upcr_pts_t s, upcr_size n)"]),
        row("GASP_UPCC_SEM_WAIT", "&s, (upcr_size)1", Same, &["void bupc_sem_wait(upcr_pts_t s)"]),
        row("GASP_UPCC_SEM_WAIT", "&s, n", Same, &["void bupc_sem_waitN(upcr_pts_t s, upcr_size n)"]),
        row("GASP_UPCC_SEM_TRY", "&s, (upcr_size)1", Result, &["int bupc_sem_try(upcr_pts_t s)"]),
        row("GASP_UPCC_SEM_TRY", "&s, n", Result, &["int bupc_sem_tryN(upcr_pts_t s, upcr_size n)"]),

        row("GASP_UPC_NB_SYNC", "handle", Same,
            &["void upc_sync(struct upcr_transfer *handle)", "void bupc_waitsync(struct upcr_transfer *handle)"]),
        row("GASP_BUPC_NB_TRYSYNC", "handle", Result,
            &["int upc_sync_attempt(struct upcr_transfer *handle)", "int bupc_trysync(struct upcr_transfer *handle)"]),
        row("GASP_UPC_NB_SYNC", "UPCR_TRIVIAL_", Same, &["void upc_synci(void)", "void bupc_waitsynci(void)"]),
        row("GASP_BUPC_NB_TRYSYNC", "UPCR_TRIVIAL_", Result, &["int upc_synci_attempt(void)", "int bupc_trysynci(void)"]),
        row("GASP_UPC_NB_SYNC", "first", Same, &[
            "void bupc_waitsync_all(struct upcr_transfer **handles, upcr_size count)",
            "void bupc_waitsync_some(struct upcr_transfer **handles, upcr_size count)",
        ]).setup(&[PENDING]),
        row("GASP_BUPC_NB_TRYSYNC", "first", Result, &[
            "int bupc_trysync_all(struct upcr_transfer **handles, upcr_size count)",
            "int bupc_trysync_some(struct upcr_transfer **handles, upcr_size count)",
        ]).setup(&[PENDING]),

        relocation("GASP_UPC_ALL_BROADCAST", "upc_all_broadcast"),
        relocation("GASP_UPC_ALL_SCATTER", "upc_all_scatter"),
        relocation("GASP_UPC_ALL_GATHER", "upc_all_gather"),
        relocation("GASP_UPC_ALL_GATHER_ALL", "upc_all_gather_all"),
        relocation("GASP_UPC_ALL_EXCHANGE", "upc_all_exchange"),
        row("GASP_UPC_ALL_PERMUTE", "&dst, &src, &perm, n, flags", Same,
            &["void upc_all_permute(upcr_pts_t dst, upcr_pts_t src, upcr_pts_t perm, upcr_size n, int flags)"]),

        row("GASP_UPCC_ATOMIC", "&target, op, n", Same, &[
            "void upc_atomic_strict(upcr_pts_t domain, void *fetch, int op, upcr_pts_t target, const void *one, const void *two)",
            "void upc_atomic_relaxed(upcr_pts_t domain, void *fetch, int op, upcr_pts_t target, const void *one, const void *two)",
        ]).setup(&["upcr_size n = upcr_inst_on ? upcr_atomic_bytes(domain) : 0;"]),
    ]
}

/// Of many handles the event names the first that is pending.
const PENDING: &str = "struct upcr_transfer *first = upcr_pending_(handles, count);";

fn relocation(event: &'static str, name: &str) -> Row {
    let prototype = format!("void {name}(upcr_pts_t dst, upcr_pts_t src, upcr_size n, int flags)");
    row(event, "&dst, &src, n, flags", Same, &[&prototype])
}

/// The functions that are written by hand: event, name, number of arguments. The user's own events have no symbol here.
const BY_HAND: &[(Option<&str>, &str, Option<usize>)] = &[
    (Some("GASP_C_MALLOC"), "malloc", Some(1)),
    (Some("GASP_C_MALLOC"), "calloc", Some(2)),
    (
        Some("GASP_UPC_NONCOLLECTIVE_EXIT"),
        "upc_global_exit",
        Some(1),
    ),
    (Some("GASP_UPC_NONCOLLECTIVE_EXIT"), "bupc_exit", Some(1)),
    (Some("GASP_UPC_LOCK"), "upc_lock", Some(1)),
    (None, "pupc_event_start", None),
    (None, "pupc_event_end", None),
    (None, "pupc_event_atomic", None),
    (None, "pupc_create_event", None),
    (None, "pupc_control", None),
];

/// All such functions.
pub static CALLS: LazyLock<Vec<Call>> = LazyLock::new(|| {
    let rows = [
        others(),
        files(),
        scattered(),
        initiations(),
        reductions(),
        atomics(),
    ]
    .concat();
    let by_hand = BY_HAND.iter().map(|&(event, name, args)| Call {
        name: name.to_owned(),
        instrumented: format!("upcr_inst_{name}"),
        args,
        event,
        wrapper: None,
    });
    rows.into_iter()
        .flat_map(Row::calls)
        .chain(by_hand)
        .collect()
});

#[cfg(test)]
mod tests {
    use super::*;
    use crate::events::find;

    #[test]
    fn every_call_has_an_event_of_the_table() {
        for call in CALLS.iter() {
            assert!(
                call.event.is_none_or(|event| find(event).is_some()),
                "{call:?}"
            );
        }
    }

    #[test]
    fn atomic_operations_of_all_types() {
        let types = include_str!("../../runtime-c/include/upcr/bupc_types.h");
        let codes = types
            .lines()
            .filter_map(|line| line.trim().strip_prefix("X("));
        for code in codes.filter_map(|line| line.split(',').next()) {
            let last = format!("bupc_atomic{code}_fetchadd_strict");
            assert!(CALLS.iter().any(|call| call.name == last), "{last}");
        }
    }

    #[test]
    fn no_function_is_there_twice() {
        let mut names: Vec<&str> = CALLS.iter().map(|call| call.name.as_str()).collect();
        names.sort_unstable();
        assert!(names.windows(2).all(|pair| pair[0] != pair[1]));
    }
}
