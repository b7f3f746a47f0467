//! `upcprof dump`: one line for each event.

use super::limits::{Shown, limits};
use super::model::{Event, Events, Phase, Recording};
use super::names::{push_arg, shown};
use super::printf::push_formatted;
use super::select::Selection;
use std::fmt::Write as _;
use std::io;

/// Writes the selected events, at most `limit`.
///
/// # Errors
/// Those of `out`.
pub fn dump(
    of: &dyn Recording,
    selection: &Selection,
    limit: Option<u64>,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    let mut left = limit.unwrap_or(u64::MAX);
    let mut events: Box<dyn Events + '_> = match selection.only_thread() {
        Some(thread) => of.events(thread),
        None => of.merged(),
    };
    for limit in limits(of, Shown::Trace) {
        writeln!(out, "# incomplete: {limit}")?;
    }
    let mut text = String::new();
    while let Some(event) = events.next() {
        // Merged threads are in the order of time, so no selected event follows.
        if left == 0 || selection.to.is_some_and(|to| event.time >= to) {
            break;
        }
        if selection.event(event) {
            text.clear();
            line(&mut text, of, event);
            writeln!(out, "{}", shown(&text))?;
            left -= 1;
        }
    }
    Ok(())
}

/// Appends the line of an event, without its end: `me/threads seconds> [file:line:column] TAG TYPE { args }`.
pub fn line(text: &mut String, of: &dyn Recording, event: &Event) {
    let (facts, tables) = (of.facts(), of.tables());
    let kind = tables.kind(event.kind);
    let seconds = (event.time / 1_000_000_000, event.time % 1_000_000_000);
    // Writing to a String cannot fail.
    let _ = write!(
        text,
        "{}/{} {}.{:09}> [",
        event.thread, facts.threads, seconds.0, seconds.1
    );
    let _ = match tables.site(event.site) {
        Some(site) => write!(
            text,
            "{}:{}:{}",
            tables.text(site.file),
            site.line,
            site.column
        ),
        None => write!(text, "<unknown>:0:0"),
    };
    let phase = match event.phase {
        Phase::Start => "START",
        Phase::End => "END",
        Phase::Atomic => "ATOMIC",
    };
    let _ = write!(text, "] {} {phase:5} {{ ", kind.name);
    let specs = kind.args(event.phase);
    let mut plain = event.args.as_slice();
    // An end without recorded arguments has no values for its format.
    let shown = |format: &&String| !plain.is_empty() || !format.contains('%');
    if let Some(description) = kind.description.as_ref().filter(shown) {
        push_formatted(text, tables, description, plain);
        plain = &[];
    }
    for (at, arg) in plain.iter().enumerate() {
        let spec = specs.get(at);
        text.push_str(if at == 0 { "" } else { ", " });
        if let Some(spec) = spec {
            let _ = write!(text, "{}=", spec.name);
        }
        push_arg(text, facts, tables, arg, spec.map(|spec| spec.kind));
    }
    for (name, count) in facts.counters.iter().zip(&event.counters) {
        let _ = write!(
            text,
            "{}{name}+{count}",
            if text.ends_with("{ ") { "" } else { ", " }
        );
    }
    text.push_str(" }");
    if event.weight > 1 {
        let _ = write!(text, " x{}", event.weight);
    }
}
