//! What a name is: its declaration, its type in words, affinity, and the picture of its layout.

use super::analysis::Analysis;
use crate::explain::{self, Charset, Style};
use crate::sema::{Named, Occurrence, Role};
use crate::types::RecordId;

/// The width of words and pictures in columns.
const WIDTH: usize = 76;

const STYLE: Style = Style {
    charset: Charset::Unicode,
    width: WIDTH,
};

/// Returns the text about a name, as Markdown.
pub fn of_name(analysis: &Analysis, occurrence: &Occurrence) -> String {
    let module = &analysis.unit.module;
    let names = &analysis.unit.parsed.interner;
    let name = analysis.spelling(occurrence);
    let typed = |ty, typedef| explain::explain_type(module, names, name, ty, typedef, STYLE);
    let text = match occurrence.named {
        Named::Object(id) => typed(module.objects[id].ty, false),
        Named::Local(_) => {
            // Its declaration has the type that its initialiser completes.
            let declared = analysis.definition(occurrence.named);
            let declared = declared.filter(|found| found.role != Role::Uses);
            typed(declared.unwrap_or(occurrence).ty, false)
        }
        Named::Typedef(id) => typed(module.types.typedef(id).target, true),
        Named::Enumerator(_) => enumerator(analysis, name),
        Named::Record(id) => explain::record(module, names, id),
        Named::Enum(id) => enumeration(analysis, id),
        Named::Member(record, at) => member(analysis, occurrence, record, at),
        Named::Label(_) => format!("{name}:\nlabel of this function"),
    };
    let (head, rest) = text.split_once('\n').unwrap_or((&text, ""));
    let rest = rest.trim_matches('\n');
    match rest.is_empty() {
        true => format!("```upc\n{head}\n```\n"),
        false => format!("```upc\n{head}\n```\n```text\n{rest}\n```\n"),
    }
}

/// Returns the text about a macro: its definition.
pub fn of_macro(definition: &str) -> String {
    format!("```upc\n{}\n```\n", definition.trim())
}

fn enumerator(analysis: &Analysis, name: &str) -> String {
    let types = &analysis.unit.module.types;
    let names = &analysis.unit.parsed.interner;
    let all = types.enums.iter().rev().flat_map(|each| {
        let tag = each.tag.map(|tag| names.name(tag));
        each.enumerators
            .iter()
            .map(move |&(name, value)| (tag, name, value))
    });
    let mut all = all.filter(|&(_, symbol, _)| names.name(symbol) == name);
    match all.next() {
        Some((Some(tag), _, value)) => format!("{name} = {value}\nconstant of enum {tag}"),
        Some((None, _, value)) => format!("{name} = {value}\nenumeration constant"),
        None => format!("{name}\nenumeration constant"),
    }
}

fn enumeration(analysis: &Analysis, id: crate::types::EnumId) -> String {
    let each = analysis.unit.module.types.enumeration(id);
    let names = &analysis.unit.parsed.interner;
    let tag = each.tag.map_or("", |tag| names.name(tag));
    let mut text = format!("enum {tag}");
    for &(name, value) in &each.enumerators {
        text.push_str(&format!("\n{} = {value}", names.name(name)));
    }
    text
}

/// A member has the affinity of the structure that it is part of, so neither home nor picture are its own.
fn member(analysis: &Analysis, occurrence: &Occurrence, record: RecordId, at: u32) -> String {
    let module = &analysis.unit.module;
    let types = &module.types;
    let names = &analysis.unit.parsed.interner;
    let name = analysis.spelling(occurrence);
    let whole = types.record(record);
    let keyword = if whole.is_union { "union" } else { "struct" };
    let tag = whole.tag.map_or("<without a tag>", |tag| names.name(tag));
    let body = whole.body.as_ref();
    let Some(field) = body.and_then(|body| body.fields.get(at as usize)) else {
        return types.declare(occurrence.ty, name, names);
    };
    let mut text = types.declare(field.ty, name, names);
    if let Some(bits) = field.bits {
        text.push_str(&format!(" : {bits}"));
    }
    text.push_str(&format!(
        "\n{}\nmember of {keyword} {tag}, at byte {}\n",
        explain::words_of(module, names, field.ty),
        field.offset
    ));
    if types.is_shared(occurrence.ty) && !types.is_shared(field.ty) {
        text.push_str("here part of a shared object, with the affinity of that object\n");
    }
    if types.pointee(types.ultimate(field.ty)).is_some() {
        // What the pointer points into does not depend on where the pointer is.
        let typed = explain::explain_type(module, names, name, field.ty, false, STYLE);
        let facts = typed.split_once("\n\n").map_or("", |(_, facts)| facts);
        let facts = facts
            .lines()
            .filter(|line| !line.trim_start().starts_with("lives in"));
        text.push('\n');
        text.push_str(&facts.collect::<Vec<_>>().join("\n"));
    }
    text
}
