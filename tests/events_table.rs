//! Tests that the table of events is well-formed, and that the C files match it. `UPDATE=1` writes the files again.

use std::collections::HashSet;
use std::fs;
use std::path::Path;
use upcc::events::{
    ArgKind, EVENTS, Shape, USER_EVENTS, c_header, index_header, inst_calls_header, markdown,
    pupc_header, x_macros,
};

fn holds(path: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&path, text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }
    let kept = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        kept == text,
        "{} is not what src/events/table.rs says: UPDATE=1 cargo test --test events_table",
        path.display()
    );
}

#[test]
fn c_has_the_same_events() {
    holds("runtime-c/include/upcr/gasp_events.h", &c_header());
    holds("runtime-c/include/upcr/events.h", &index_header());
    holds("runtime-c/include/upcr/pupc_events.h", &pupc_header());
    holds("runtime-c/src/gasp/events.def", &x_macros());
    holds("runtime-c/include/upcr/inst_calls.h", &inst_calls_header());
}

/// Compares the part of the page between its marks.
#[test]
fn the_page_lists_all_events() {
    let page = include_str!("../docs/events.md");
    let (start, end) = ("<!-- events -->\n", "<!-- end of events -->\n");
    let (head, rest) = page.split_once(start).expect("a mark before the table");
    let (_, tail) = rest.split_once(end).expect("a mark after the table");
    let text = format!("{head}{start}{}{end}{tail}", markdown());
    holds("docs/events.md", &text);
}

#[test]
fn symbols_and_tags_are_unique() {
    let symbols: HashSet<_> = EVENTS.iter().map(|event| event.symbol).collect();
    let tags: HashSet<_> = EVENTS.iter().map(|event| event.tag).collect();
    assert_eq!((symbols.len(), tags.len()), (EVENTS.len(), EVENTS.len()));
    assert!(!tags.contains(&0), "0 is GASP_UPC_EVT_NONE");
    let (first, last) = USER_EVENTS;
    assert!(tags.iter().all(|tag| !(first..=last).contains(tag)));
}

#[test]
fn the_masks_fit() {
    assert!(
        EVENTS.len() <= 128,
        "UPCR_INST_UNIT has two words of 64 bits"
    );
}

/// An end repeats the start's arguments and may add results (GASP's tables; lock allocations have no arguments at the
/// start).
#[test]
fn ends_extend_starts() {
    for event in EVENTS {
        if let Shape::Pair(start, end) = event.shape {
            assert!(end.starts_with(start), "{}", event.symbol);
        }
    }
}

#[test]
fn ids_of_the_older_interface_are_even_and_unique() {
    let ids: Vec<u32> = EVENTS
        .iter()
        .flat_map(|event| event.pupc)
        .map(|&(_, id)| id)
        .collect();
    let unique: HashSet<_> = ids.iter().collect();
    assert_eq!(unique.len(), ids.len());
    assert!(ids.iter().all(|id| id % 2 == 0));
}

/// Handles are reported only once they exist: no start of an initiation has one.
#[test]
fn initiations_start_without_a_handle() {
    for event in EVENTS
        .iter()
        .filter(|event| event.symbol.ends_with("_INIT"))
    {
        let Shape::Pair(start, end) = event.shape else {
            panic!("{} is a pair", event.symbol);
        };
        assert!(
            start.iter().all(|arg| arg.kind != ArgKind::Handle),
            "{}",
            event.symbol
        );
        assert!(
            end.iter().any(|arg| arg.kind == ArgKind::Handle),
            "{}",
            event.symbol
        );
    }
}
