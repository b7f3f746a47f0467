//! `upcc --explain-decl`: describes a declaration in words, its consequences for affinity and memory, and draws its
//! layout over the threads.
//!
//! `words` describes a type, `facts` derives its consequences, and `picture` draws. The text goes through the real
//! parser and sema, so errors in it are reported as for any program.

mod facts;
mod picture;
mod words;

pub use picture::{Charset, Shape};

use crate::diag::{Diagnostics, Severity};
use crate::il::{Decl, Item, ItemKind, Module, TagDef};
use crate::sema::{self, SemaOptions};
use crate::translate::TranslateOptions;
use crate::types::QualType;
use crate::types::RecordId;
use facts::{Legal, Subject};
use std::fmt::Write;
use upcc_grammar::Parsed;
use upcc_grammar::symbol::Interner;

/// Name of the `--explain-decl` argument in messages and line markers.
pub const SOURCE_NAME: &str = "<declaration>";

/// Number of threads in the picture if the user does not specify one.
const USUAL_THREADS: u32 = 4;

/// How the explanation is written.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    /// Character set for the boxes.
    pub charset: Charset,
    /// Maximum width of a picture in columns.
    pub width: usize,
}

/// The explanation, or the errors of the declaration.
#[derive(Debug)]
pub struct Explanation {
    /// `None`: the declaration has errors.
    pub text: Option<String>,
    /// Errors and warnings.
    pub diags: Diagnostics,
    /// The text into which the diagnostics point.
    pub parsed: Parsed,
}

/// Completes an argument to a whole declaration, by adding the semicolon that users leave out.
pub fn completed(argument: &str) -> String {
    let argument = argument.trim_end();
    let semicolon = if argument.ends_with([';', '}']) {
        ""
    } else {
        ";"
    };
    format!("{argument}{semicolon}\n")
}

/// Explains the declarations in `text` that come from [`SOURCE_NAME`]. `text` is preprocessed in the dynamic THREADS
/// environment.
pub fn explain(text: &str, options: &TranslateOptions, style: Style) -> Explanation {
    let threads = options.static_threads.unwrap_or(USUAL_THREADS);
    let (fixed, parsed, mut diags) = analyse(text, options, Some(threads));
    let (dynamic, _, dynamic_diags) = analyse(text, options, None);
    if diags.has_errors() {
        return Explanation {
            text: None,
            diags,
            parsed,
        };
    }
    let illegal = dynamic_diags
        .items()
        .iter()
        .find(|item| dynamic_diags.severity_of(item) == Some(Severity::Error));
    let illegal = illegal.map(|item| item.message.as_str());
    let subjects = subjects(&fixed, &parsed);
    let mut out = String::new();
    for (at, subject) in subjects.iter().enumerate() {
        if at > 0 {
            out.push('\n');
        }
        // In the dynamic environment extents still contain THREADS. Both analyses number their objects alike.
        let spoken = if illegal.is_none() { &dynamic } else { &fixed };
        out.push_str(&one(
            spoken, &fixed, &parsed, subject, threads, illegal, style,
        ));
    }
    if subjects.is_empty() {
        let end = parsed.stream.text.trim_end().len() as u32;
        let message = "there is no declaration to explain";
        diags.report(
            crate::diag::codes::SYNTAX,
            end.saturating_sub(1)..end,
            message,
        );
    }
    Explanation {
        text: (!diags.has_errors()).then_some(out),
        diags,
        parsed,
    }
}

/// Parses and analyses the text in one of the two THREADS environments.
fn analyse(
    text: &str,
    options: &TranslateOptions,
    threads: Option<u32>,
) -> (Module, Parsed, Diagnostics) {
    let mut diags = Diagnostics::new(options.warnings.clone());
    let mut parsed = upcc_grammar::parse(text.to_owned());
    for error in &mut parsed.errors {
        if error.message.starts_with("unknown type name") {
            error.help = Some(UNKNOWN_TYPE_HELP.into());
        }
    }
    crate::translate::report_syntax(&parsed, &mut diags);
    let sema = SemaOptions {
        static_threads: threads,
        max_block_size: options.pointers.max_block_size(),
        pts_bytes: options.pointers.bytes(),
        ms_members: options.ms_members,
        abi: options.abi,
        races: false,
        keep_verbatim: true,
        keep_bodies: false,
    };
    let module = sema::analyse(&mut parsed, sema, &mut diags);
    (module, parsed, diags)
}

/// `--explain-decl` has options that declare an unknown type name.
const UNKNOWN_TYPE_HELP: &str = "if a header or another file declares it, name that file: `-include upc.h`, `-include FILE.h`, or FILE.upc after the declaration";

/// The entities that the user's declarations declare, in order.
fn subjects(module: &Module, parsed: &Parsed) -> Vec<Subject> {
    let mut found = Vec::new();
    for item in module.items.iter().filter(|item| is_asked(item, parsed)) {
        match &item.kind {
            ItemKind::Function(function) => found.push(Subject::Object(function.object)),
            ItemKind::Decl(group) => {
                for tag in &group.tags {
                    if let TagDef::Record(id) = tag {
                        found.push(Subject::Record(*id));
                    }
                }
                for decl in &group.decls {
                    match decl {
                        Decl::Object { object, .. } => found.push(Subject::Object(*object)),
                        Decl::Typedef { typedef, .. } => found.push(Subject::Typedef(*typedef)),
                        // Neither occurs at file scope after sema.
                        Decl::Local { .. }
                        | Decl::StaticAssert
                        | Decl::Length { .. }
                        | Decl::Shared { .. } => {}
                    }
                }
            }
            ItemKind::Text | ItemKind::Generated(_) => {}
        }
    }
    found
}

/// True for an item in the argument itself.
fn is_asked(item: &Item, parsed: &Parsed) -> bool {
    let at = parsed.stream.bytes(item.span).start;
    let file = parsed.source_map.lookup(at).file;
    parsed.source_map.file(file) == SOURCE_NAME
}

/// Explains one declared entity. `spoken` is the module whose types are described, `fixed` the module for the picture.
fn one(
    spoken: &Module,
    fixed: &Module,
    parsed: &Parsed,
    subject: &Subject,
    threads: u32,
    illegal_dynamic: Option<&str>,
    style: Style,
) -> String {
    let names = &parsed.interner;
    let (name, kind, said, drawn) = match *subject {
        Subject::Record(id) => return record(fixed, names, id),
        Subject::Object(id) => {
            let (object, twin) = (&spoken.objects[id], &fixed.objects[id]);
            (names.name(object.name), "", object.ty, twin.ty)
        }
        Subject::Typedef(id) => {
            let (typedef, twin) = (spoken.types.typedef(id), fixed.types.typedef(id));
            (
                names.name(typedef.name),
                TYPEDEF,
                typedef.target,
                twin.target,
            )
        }
    };
    let legal = illegal_dynamic.map_or(Legal::Both, Legal::Static);
    let mut out = in_words(spoken, names, (name, kind, said), legal, style);
    out.push_str(&drawing(fixed, name, drawn, threads, style));
    out
}

/// Before the type of a typedef name, in words.
const TYPEDEF: &str = "name for the type ";

/// Explains an entity whose type a tool has at hand: its declaration, words, facts and picture, which
/// is for [`USUAL_THREADS`] unless the module fixes their number.
pub fn explain_type(
    module: &Module,
    names: &Interner,
    name: &str,
    ty: QualType,
    typedef: bool,
    style: Style,
) -> String {
    let threads = module.static_threads.unwrap_or(USUAL_THREADS);
    let kind = if typedef { TYPEDEF } else { "" };
    let mut out = in_words(module, names, (name, kind, ty), Legal::Unknown, style);
    out.push_str(&drawing(module, name, ty, threads, style));
    out
}

/// Returns a type in words.
pub fn words_of(module: &Module, names: &Interner, ty: QualType) -> String {
    words::describe(module, names, ty)
}

/// Describes an entity (its name, what precedes its type, its type) without a picture.
fn in_words(
    module: &Module,
    names: &Interner,
    (name, kind, said): (&str, &str, QualType),
    legal: Legal<'_>,
    style: Style,
) -> String {
    let mut out = String::new();
    // Writing to a String cannot fail.
    let _ = writeln!(out, "{}", module.types.declare(said, name, names));
    let words = format!("{kind}{}", words::describe(module, names, said));
    facts::wrap(&mut out, format!("{name}:"), 4, &words, style.width);
    out.push('\n');
    for (label, text) in facts::facts(module, names, said, legal) {
        facts::write_fact(&mut out, label, &text, style.width);
    }
    out
}

/// Draws the layout of an entity, if it has one.
fn drawing(module: &Module, name: &str, ty: QualType, threads: u32, style: Style) -> String {
    let mut out = String::new();
    if let Some(shape) = picture::shape(&module.types, name, ty, threads) {
        out.push('\n');
        facts::wrap(&mut out, String::new(), 0, &shape.title(), style.width);
        out.push('\n');
        out.push_str(&shape.draw(style));
    }
    out
}

/// Explains a struct or union: its members and their offsets.
pub fn record(module: &Module, names: &Interner, id: RecordId) -> String {
    let types = &module.types;
    let record = types.record(id);
    let keyword = if record.is_union { "union" } else { "struct" };
    let tag = record.tag.map_or("<without a tag>", |tag| names.name(tag));
    let mut out = String::new();
    // Writing to a String cannot fail.
    let Some(body) = &record.body else {
        let _ = writeln!(out, "{keyword} {tag}: declared, its members are not known");
        return out;
    };
    let _ = writeln!(
        out,
        "{keyword} {tag}: {} bytes, aligned to {}\n",
        body.size, body.align
    );
    for field in &body.fields {
        let name = field.name.map_or("", |name| names.name(name));
        let bits = field.bits.map(|bits| format!(", bit-field of {bits}"));
        let text = format!(
            "{name}: {}{}",
            words::describe(module, names, field.ty),
            bits.unwrap_or_default()
        );
        let _ = writeln!(out, "  at {:<6}  {text}", field.offset);
    }
    out
}
