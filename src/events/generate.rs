//! Generates the C texts from the table. They are stored in `runtime-c/`, and a test compares them with the table.

use super::table::{Arg, ArgKind, EVENTS, Group, Shape, USER_EVENTS};
use std::fmt::Write as _;

const NOTICE: &str =
    "/* Made from src/events/table.rs: UPDATE=1 cargo test --test events_table */\n";

/// Generates `runtime-c/include/upcr/gasp_events.h`: the tags.
pub fn c_header() -> String {
    let mut text = String::from(NOTICE);
    text += "#ifndef UPCR_GASP_EVENTS_H\n#define UPCR_GASP_EVENTS_H\n\n";
    for event in EVENTS {
        let comment = match &event.shape {
            Shape::Once(args) => format!("once: {}", prototypes(args)),
            Shape::Pair(start, end) if start == end => format!("start, end: {}", prototypes(start)),
            Shape::Pair(start, end) => {
                format!("start: {}; end: {}", prototypes(start), prototypes(end))
            }
        };
        let _ = writeln!(
            text,
            "/* {comment} */\n#define {} {}",
            event.symbol, event.tag
        );
    }
    let (first, last) = USER_EVENTS;
    let _ = writeln!(
        text,
        "\n/* Tags that pupc_create_event gives, inclusive. */\n#define GASP_UPC_USEREVT_START {first}\n#define GASP_UPC_USEREVT_END {last}\n\n#endif"
    );
    text
}

fn prototypes(args: &[Arg]) -> String {
    let list: Vec<String> = args
        .iter()
        .map(|arg| format!("{}{}", c_type(arg.kind), arg.name))
        .collect();
    if list.is_empty() {
        "no arguments".to_owned()
    } else {
        list.join(", ")
    }
}

fn c_type(kind: ArgKind) -> &'static str {
    match kind {
        ArgKind::Int | ArgKind::Flags | ArgKind::Operation | ArgKind::FileFlags => "int ",
        ArgKind::Size => "size_t ",
        ArgKind::Pointer => "void *",
        ArgKind::Shared => "gasp_upc_PTS_t *",
        ArgKind::Lock => "gasp_upc_lock_t *",
        ArgKind::Text => "const char *",
        ArgKind::Reduction => "gasp_upc_reduction_t ",
        ArgKind::Handle => "gasp_upc_nb_handle_t ",
        ArgKind::Offset => "int64_t ",
    }
}

/// Generates `runtime-c/include/upcr/events.h`: the events by index, for translated text, where every name must be
/// reserved.
pub fn index_header() -> String {
    let mut text = String::from(NOTICE);
    text += "#ifndef UPCR_EVENTS_H\n#define UPCR_EVENTS_H\n\n/* Bits of the masks of UPCR_INST_UNIT. */\nenum upcr_event_index {\n";
    for (index, event) in EVENTS.iter().enumerate() {
        let name = event.symbol.trim_start_matches("GASP_");
        let _ = writeln!(text, "    UPCR_EVENT_{name} = {index},");
    }
    let _ = writeln!(text, "    UPCR_EVENTS = {}\n}};\n\n#endif", EVENTS.len());
    text
}

/// Generates `runtime-c/include/upcr/pupc_events.h`: the ids of PUPC 1.1.
pub fn pupc_header() -> String {
    let mut text = String::from(NOTICE);
    text += "#ifndef UPCR_PUPC_EVENTS_H\n#define UPCR_PUPC_EVENTS_H\n\n";
    for event in EVENTS {
        for (name, id) in event.pupc {
            let _ = match event.shape {
                Shape::Once(_) => writeln!(text, "#define {name} 0x{id:08X}u"),
                Shape::Pair(..) => writeln!(
                    text,
                    "#define {name}_START 0x{id:08X}u\n#define {name}_END 0x{:08X}u",
                    id + 1
                ),
            };
        }
    }
    text + "\n#endif\n"
}

/// Generates `runtime-c/src/gasp/events.def`: `EVENT(index, symbol, tag, group, shape, ARGS(start), ARGS(end))` and
/// `PUPC_EVENT(name, id, symbol)`.
pub fn x_macros() -> String {
    let mut text = String::from(NOTICE);
    text += "/* EVENT(index, symbol, tag, group, shape, arguments of the start or of the one call, of the end): the arguments are ARG(kind, name) without\n   commas. PUPC_EVENT(name, id of its start, symbol). */\n#ifdef EVENT\n";
    for (index, event) in EVENTS.iter().enumerate() {
        let (shape, start, end): (_, _, &[Arg]) = match event.shape {
            Shape::Pair(start, end) => ("PAIR", start, end),
            Shape::Once(args) => ("ONCE", args, &[]),
        };
        let _ = writeln!(
            text,
            "EVENT({index}, {}, {}, {}, {shape}, {}, {})",
            event.symbol,
            event.tag,
            group_name(event.group),
            arguments(start),
            arguments(end)
        );
    }
    text += "#endif\n#ifdef PUPC_EVENT\n";
    for event in EVENTS {
        for (name, id) in event.pupc {
            let _ = writeln!(text, "PUPC_EVENT({name}, 0x{id:08X}, {})", event.symbol);
        }
    }
    text += "#endif\n";
    text
}

fn arguments(args: &[Arg]) -> String {
    args.iter()
        .map(|arg| format!("ARG({}, {})", kind_name(arg.kind), arg.name))
        .collect::<Vec<_>>()
        .join(" ")
}

fn group_name(group: Group) -> &'static str {
    match group {
        Group::Function => "FUNCTION",
        Group::Heap => "HEAP",
        Group::Exit => "EXIT",
        Group::Sync => "SYNC",
        Group::Work => "WORK",
        Group::Alloc => "ALLOC",
        Group::Lock => "LOCK",
        Group::Transfer => "TRANSFER",
        Group::Access => "ACCESS",
        Group::NonBlocking => "NONBLOCKING",
        Group::Cache => "CACHE",
        Group::Collective => "COLLECTIVE",
        Group::Atomic => "ATOMIC",
        Group::Io => "IO",
        Group::Semaphore => "SEMAPHORE",
        Group::Mpi => "MPI",
        Group::Start => "START",
    }
}

fn kind_name(kind: ArgKind) -> &'static str {
    match kind {
        ArgKind::Int => "INT",
        ArgKind::Size => "SIZE",
        ArgKind::Pointer => "POINTER",
        ArgKind::Shared => "SHARED",
        ArgKind::Lock => "LOCK",
        ArgKind::Text => "TEXT",
        ArgKind::Flags => "FLAGS",
        ArgKind::Operation => "OPERATION",
        ArgKind::Reduction => "REDUCTION",
        ArgKind::Handle => "HANDLE",
        ArgKind::FileFlags => "FILE_FLAGS",
        ArgKind::Offset => "OFFSET",
    }
}

/// Generates the rows of the table in `docs/events.md`.
pub fn markdown() -> String {
    let mut text = String::from("| event | reported | arguments | PUPC 1.1 |\n|---|---|---|---|\n");
    for event in EVENTS {
        let (reported, arguments) = match event.shape {
            Shape::Once(args) => ("once", c_list(args)),
            Shape::Pair(start, end) => ("start, end", with_results(start, end)),
        };
        let older: Vec<String> = event
            .pupc
            .iter()
            .map(|(name, _)| format!("`{name}`"))
            .collect();
        let _ = writeln!(
            text,
            "| `{}` | {reported} | {arguments} | {} |",
            event.symbol,
            older.join(", ")
        );
    }
    text
}

/// The arguments of a start event, then in brackets the additional arguments of its end event.
fn with_results(start: &[Arg], end: &[Arg]) -> String {
    let results = c_list(end.strip_prefix(start).unwrap_or(end));
    [c_list(start), format!("[{results}]")]
        .into_iter()
        .filter(|part| !["", "[]"].contains(&part.as_str()))
        .collect::<Vec<_>>()
        .join(" ")
}

fn c_list(args: &[Arg]) -> String {
    let list = args
        .iter()
        .map(|arg| format!("`{}{}`", c_type(arg.kind), arg.name));
    list.collect::<Vec<_>>().join(", ")
}
