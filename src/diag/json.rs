//! `-fdiagnostics-format=json`: gcc's form, an array of objects on one line, extended with the code, rule and help of
//! `upcc`.

use super::locate::Place;
use super::render::Shown;
use super::{Diagnostic, Severity};
use serde_json::{Value, json};

/// Columns between two tab stops, as gcc counts display columns.
const TAB: usize = 8;

/// Returns the array for the diagnostics of one translation unit.
pub fn array(shown: &[Shown<'_>]) -> Value {
    shown.iter().map(object).collect()
}

fn object(shown: &Shown<'_>) -> Value {
    let item = shown.item;
    let labels = shown
        .labels
        .iter()
        .map(|(place, text)| note(text, Some(place)));
    let notes = shown.notes.iter().map(|text| note(text, None));
    let help = item
        .help
        .iter()
        .map(|text| note(&format!("help: {text}"), None));
    let children: Vec<Value> = labels.chain(notes).chain(help).collect();
    let mut object = json!({
        "kind": kind(shown.severity),
        "message": item.message,
        "code": item.code.to_string(),
        "rule": item.code.rule,
        "title": item.code.title,
        "column-origin": 1,
        "escape-source": false,
        "locations": shown.place.iter().map(|place| location(place, &item.label)).collect::<Vec<_>>(),
        "children": children,
    });
    add_option(&mut object, item, shown.severity);
    object
}

fn kind(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    }
}

/// An error that is not a promoted warning has no option, and then lacks this member, as in gcc.
fn add_option(object: &mut Value, item: &Diagnostic, severity: Severity) {
    if let Some(option) = item.option(severity) {
        object["option"] = json!(option);
    }
}

fn note(text: &str, place: Option<&Place>) -> Value {
    let locations: Vec<Value> = place.map(|place| location(place, "")).into_iter().collect();
    json!({ "kind": "note", "message": text, "escape-source": false, "locations": locations })
}

/// `caret` and `start` are the same position. `finish` is the last character, and is absent if it equals `caret`.
fn location(place: &Place, label: &str) -> Value {
    let caret = point(place, place.range.start);
    let last = place.text[..place.range.end].char_indices().next_back();
    let last = last.map_or(place.range.start, |(at, _)| at.max(place.range.start));
    let mut location = json!({ "caret": caret });
    if last > place.range.start {
        location["finish"] = point(place, last);
    }
    if !label.is_empty() {
        location["label"] = json!(label);
    }
    location
}

fn point(place: &Place, byte: usize) -> Value {
    let display = place.text[..byte]
        .chars()
        .fold(0, |column, letter| match letter {
            '\t' => (column / TAB + 1) * TAB,
            _ => column + 1,
        });
    json!({
        "file": place.file,
        "line": place.line,
        "byte-column": byte + 1,
        "display-column": display + 1,
        "column": display + 1,
    })
}
