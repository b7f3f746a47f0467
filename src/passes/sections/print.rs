//! Prints the sections of a unit (`--emit=sections`).

use super::{Dependence, Distance, Extent, Loop, Reference, Section, has_loops};
use crate::il::{Body, Module, StmtKind};
use crate::passes::remarks::quoted;
use std::fmt::Write;
use upcc_grammar::Parsed;

/// The loops of every function of the user's own text: a line for a loop, an indented one for each reference.
#[must_use]
pub fn print(module: &Module, parsed: &Parsed) -> String {
    let mut text = String::new();
    for (body, loops) in super::of_functions(module, parsed) {
        for found in &loops {
            print_loop(&mut text, parsed, body, found);
        }
    }
    text
}

fn print_loop(text: &mut String, parsed: &Parsed, body: &Body, found: &Loop) {
    let at = parsed.stream.bytes(body.stmt(found.stmt).span).start;
    let loc = parsed.source_map.lookup(at);
    let place = format!("{}:{}", parsed.source_map.file(loc.file), loc.line);
    let keyword = if let StmtKind::Forall { .. } = body.stmt(found.stmt).kind {
        "upc_forall"
    } else {
        "loop"
    };
    let around = if has_loops(body, found.stmt) {
        ", around another loop"
    } else {
        ""
    };
    // Writing to a String cannot fail.
    let _ = match &found.form {
        Ok(form) => {
            let var = body.local(form.count.var).name;
            let name = var.map_or("a counter", |name| parsed.interner.name(name));
            let step = form.count.step;
            writeln!(text, "{place}: {keyword} over `{name}` by {step}{around}")
        }
        Err(reason) => writeln!(text, "{place}: {keyword} without sections: {reason}"),
    };
    for reference in &found.references {
        let _ = writeln!(text, "    {}", describe(parsed, body, reference));
    }
    for dependence in &found.dependences {
        let _ = writeln!(text, "    {}", relate(parsed, body, found, *dependence));
    }
}

/// The words for two references that are not independent.
fn relate(parsed: &Parsed, body: &Body, found: &Loop, dependence: Dependence) -> String {
    let name = |at: usize| quoted(parsed, found.references[at].span(body));
    let (first, second) = (name(dependence.first), name(dependence.second));
    match dependence.distance {
        Distance::Iterations(0) => format!("{first} and {second} are the same element"),
        Distance::Iterations(n) => {
            let (which, n) = if n > 0 {
                ("earlier", n)
            } else {
                ("later", n.saturating_neg())
            };
            let iterations = if n == 1 { "iteration" } else { "iterations" };
            format!("{first} is the {second} of {n} {iterations} {which}")
        }
        Distance::Always => format!("{first} and {second} are one element in all iterations"),
        Distance::Unknown => format!("{first} and {second} may be the same element"),
    }
}

fn describe(parsed: &Parsed, body: &Body, reference: &Reference) -> String {
    let name = quoted(parsed, reference.span(body));
    let mode = reference.mode.name();
    match reference.section {
        Ok(section) => format!("{name} {mode}: {}", describe_section(section)),
        Err(reason) => format!("{name} {mode}: no section: {reason}"),
    }
}

fn describe_section(section: Section) -> String {
    let block = match section.block {
        0 => "indefinite block size".to_owned(),
        n => format!("blocks of {n}"),
    };
    let extent = match section.extent {
        Extent::Whole(_) => "in one thread to the end of the loop",
        Extent::Block(_) => "in one thread to the end of the block",
        Extent::Element => "each element may be in another thread",
    };
    let strict = if section.strict { ", strict" } else { "" };
    format!("stride {}, {block}, {extent}{strict}", section.stride)
}
