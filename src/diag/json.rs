//! `-fdiagnostics-format=json`: gcc's form, an array of objects on one line, extended with the code, rule and help of
//! `upcc`. A suggestion that edits the source has its edits as `fixits`, and says how certain they are in
//! `applicability`. Those of the first certain one are also the `fixits` of the diagnostic.

use super::fix::{Fix, TextEdit};
use super::locate::Place;
use super::render::Shown;
use super::{Certainty, Diagnostic, Severity};
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
    let help = shown.help.iter().map(|(text, fix)| {
        let mut note = note(&format!("help: {text}"), None);
        if let Some(fix) = fix {
            add_fix(&mut note, fix);
        }
        note
    });
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
    let mut fixes = shown.help.iter().filter_map(|(_, fix)| fix.as_ref());
    if let Some(fix) = fixes.find(|fix| fix.certainty == Certainty::Certain) {
        add_fix(&mut object, fix);
    }
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

/// gcc's form of edits: `next` is the position behind the text that is replaced.
fn add_fix(object: &mut Value, fix: &Fix) {
    let fixits = fix.edits.iter().map(|edit| {
        let at = |byte| position(&edit.file, edit.line, &edit.old, byte);
        let TextEdit { columns, text, .. } = edit;
        json!({ "start": at(columns.0), "next": at(columns.1), "string": text })
    });
    object["fixits"] = fixits.collect();
    object["applicability"] = json!(fix.certainty.name());
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
    position(&place.file, place.line, &place.text, byte)
}

fn position(file: &str, line: u32, text: &str, byte: usize) -> Value {
    let display = text[..byte].chars().fold(0, |column, letter| match letter {
        '\t' => (column / TAB + 1) * TAB,
        _ => column + 1,
    });
    json!({
        "file": file,
        "line": line,
        "byte-column": byte + 1,
        "display-column": display + 1,
        "column": display + 1,
    })
}
