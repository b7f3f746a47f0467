//! Remarks: what the passes did with the loops of a unit, reference by reference, or why they did nothing: the lines of
//! `-Rupc`, and the file of `-fsave-optimization-record`.

use super::lower::Lowered;
use hashbrown::HashSet;
use serde_json::{Value, json};
use std::fmt;
use upcc_grammar::Parsed;
use upcc_grammar::ast::Span;

/// What became of a loop or a reference.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Remark {
    /// Its tokens.
    pub span: Span,
    pub text: String,
    pub about: About,
}

/// What a remark is about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum About {
    Loop,
    /// A loop whose shared accesses stay as they are.
    KeptLoop,
    Reference(Record),
}

/// What is known of a reference.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    /// Its text.
    pub reference: String,
    /// `read`, `write`, or `read and write`.
    pub access: &'static str,
    /// Elements from one iteration to the next, if that is known, with `THREADS` in it or not.
    pub stride: Option<String>,
    /// The block size in elements; 0 is indefinite.
    pub block_size: Option<u32>,
    /// `private pointer`, `pointer-to-shared`, `gathered`, `scattered`, `linear image`, or `none`: the access stays as it is.
    pub outcome: &'static str,
    /// It raises performance events, and is in the copy of a loop that runs while a tool receives them.
    pub raises_events: bool,
}

/// A remark with its place in the source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Placed {
    pub file: String,
    pub line: u32,
    /// In bytes, from 1.
    pub column: u32,
    pub text: String,
    pub about: About,
}

impl fmt::Display for Placed {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Placed {
            file, line, column, ..
        } = self;
        write!(to, "{file}:{line}:{column}: remark: {}", self.text)
    }
}

/// Adds to the remarks on references that stay as they are what lowering did with them.
pub fn note_lowered(remarks: &mut [Remark], lowered: &Lowered) {
    note(
        remarks,
        &lowered.by_linear_image,
        "linear image",
        "; the array is mapped as a whole, so its address is base plus index",
    );
    note(
        remarks,
        &lowered.updates,
        "update",
        "; where it is not mapped, its thread makes the update, for which this one does not wait",
    );
}

fn note(remarks: &mut [Remark], places: &[Span], outcome: &'static str, text: &str) {
    let places: HashSet<(u32, u32)> = places.iter().map(|at| (at.lo, at.hi)).collect();
    for remark in remarks {
        if let About::Reference(record) = &mut remark.about
            && record.outcome == "none"
            && places.contains(&(remark.span.lo, remark.span.hi))
        {
            record.outcome = outcome;
            remark.text += text;
        }
    }
}

/// The remarks in source order, each once. Those on the text of system headers are left out.
#[must_use]
pub fn placed(mut remarks: Vec<Remark>, parsed: &Parsed) -> Vec<Placed> {
    remarks.retain(|remark| !parsed.in_system_header(remark.span));
    remarks.sort_by_key(|remark| remark.span.lo);
    let mut all: Vec<Placed> = Vec::new();
    for remark in remarks {
        let at = parsed.stream.bytes(remark.span).start;
        let loc = parsed.source_map.lookup(at);
        let placed = Placed {
            file: parsed.source_map.file(loc.file).to_owned(),
            line: loc.line,
            column: at - parsed.source_map.line_range(at).start + 1,
            text: remark.text,
            about: remark.about,
        };
        // Copies of a loop have the same remarks.
        let known = all.iter().rev().take_while(|it| it.line == placed.line);
        if !known.into_iter().any(|it| *it == placed) {
            all.push(placed);
        }
    }
    all
}

/// The remarks as an array of JSON, one object a reference or loop.
#[must_use]
pub fn json(remarks: &[Placed]) -> String {
    let object = |remark: &Placed| {
        let mut object = json!({
            "file": remark.file,
            "line": remark.line,
            "column": remark.column,
            "remark": remark.text,
        });
        if let (About::Reference(record), Value::Object(members)) = (&remark.about, &mut object) {
            members.insert("reference".to_owned(), json!(record.reference));
            members.insert("access".to_owned(), json!(record.access));
            members.insert("stride".to_owned(), json!(record.stride));
            members.insert("block_size".to_owned(), json!(record.block_size));
            members.insert("outcome".to_owned(), json!(record.outcome));
        }
        object
    };
    let objects: Vec<Value> = remarks.iter().map(object).collect();
    format!("{:#}\n", Value::Array(objects))
}

/// The text of a reference in a remark: its tokens on one line.
pub(super) fn quoted(parsed: &Parsed, span: Span) -> String {
    format!("`{}`", on_one_line(parsed, span))
}

/// Tokens on one line.
pub(in crate::passes) fn on_one_line(parsed: &Parsed, span: Span) -> String {
    let text = parsed.stream.slice(span);
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let words: Vec<&str> = lines.flat_map(str::split_whitespace).collect();
    words.join(" ")
}
