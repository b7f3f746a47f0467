//! Diagnostics for the editor, and the edits that their suggestions offer. Those of a header are shown at the line that includes it, with the place in the header.

use super::analysis::Analysis;
use super::{document, uri};
use crate::diag::locate::{Locator, Place};
use crate::diag::{Certainty, Diagnostics, Fix, Severity, Shown};
use crate::driver::unsaved::CppMessage;
use lsp_types::{
    Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, Location, NumberOrString,
    Position, Range, TextEdit, Uri,
};
use std::path::Path;
use upcc_grammar::Parsed;

/// The source of diagnostics, as editors show it.
const SOURCE: &str = "upcc";

/// A diagnostic and its edits.
pub struct Found {
    pub diagnostic: Diagnostic,
    pub offers: Vec<Offer>,
}

/// The edits of a suggestion.
pub struct Offer {
    /// The words of the suggestion.
    pub title: String,
    /// The edits certainly are what was meant.
    pub certain: bool,
    /// Files, each with its edits.
    pub edits: Vec<(Uri, Vec<TextEdit>)>,
}

/// Returns what the front end reports about an analysed text.
pub fn of_unit(analysis: &Analysis) -> Vec<Found> {
    shown(
        &analysis.unit.diags,
        &analysis.unit.parsed,
        analysis.locator(),
        analysis,
    )
}

/// As [`of_unit`], for diagnostics in another preprocessed form of the same text.
pub fn of_text(diags: &Diagnostics, parsed: &Parsed, analysis: &Analysis) -> Vec<Found> {
    shown(diags, parsed, analysis.locator_in(parsed), analysis)
}

fn shown(
    diags: &Diagnostics,
    parsed: &Parsed,
    mut locator: Locator<'_>,
    analysis: &Analysis,
) -> Vec<Found> {
    let all = Shown::all(diags, &mut locator);
    let own = analysis.path.to_string_lossy();
    all.iter()
        .map(|shown| {
            let mut related: Vec<DiagnosticRelatedInformation> = shown
                .labels
                .iter()
                .filter_map(|(place, text)| related(analysis, place, text.clone()))
                .collect();
            let mut message = shown.item.message.clone();
            let range = match &shown.place {
                Some(place) if place.file == own => range(place),
                Some(place) => {
                    message = format!("in {}:{}: {message}", place.file, place.line);
                    related.extend(self::related(analysis, place, "the place".to_owned()));
                    let start = shown.item.span.as_ref().map_or(0, |span| span.start);
                    let chain = parsed.source_map.include_chain(start);
                    let mut own_lines =
                        chain.filter(|&(file, _)| parsed.source_map.file(file) == own);
                    line(&analysis.text, own_lines.next().map_or(1, |(_, line)| line))
                }
                None => line(&analysis.text, 1),
            };
            let label = Some(&shown.item.label).filter(|label| !label.is_empty());
            let notes = shown.notes.iter().map(|note| format!("note: {note}"));
            let help = shown
                .item
                .help
                .iter()
                .map(|help| format!("help: {}", help.text));
            for line in label.cloned().into_iter().chain(notes).chain(help) {
                message.push('\n');
                message.push_str(&line);
            }
            let diagnostic = Diagnostic {
                range,
                severity: Some(match shown.severity {
                    Severity::Error => DiagnosticSeverity::ERROR,
                    Severity::Warning => DiagnosticSeverity::WARNING,
                }),
                code: Some(NumberOrString::String(shown.item.code.to_string())),
                source: Some(SOURCE.to_owned()),
                message,
                related_information: (!related.is_empty()).then_some(related),
                ..Diagnostic::default()
            };
            let offers = shown.help.iter();
            let offers = offers.filter_map(|(words, fix)| offer(words, fix.as_ref()?, analysis));
            Found {
                diagnostic,
                offers: offers.collect(),
            }
        })
        .collect()
}

/// Returns the edits of a suggestion in the protocol's form.
fn offer(words: &str, fix: &Fix, analysis: &Analysis) -> Option<Offer> {
    let mut edits: Vec<(Uri, Vec<TextEdit>)> = Vec::new();
    for edit in &fix.edits {
        let file = uri::of_path(&analysis.resolved(&edit.file))?;
        let row = edit.line.saturating_sub(1);
        let column = |byte| document::units(&edit.old, byte);
        let (start, end) = edit.columns;
        let range = Range::new(
            Position::new(row, column(start)),
            Position::new(row, column(end)),
        );
        let made = TextEdit::new(range, edit.text.clone());
        match edits.iter_mut().find(|(known, _)| *known == file) {
            Some((_, list)) => list.push(made),
            None => edits.push((file, vec![made])),
        }
    }
    Some(Offer {
        title: words.to_owned(),
        certain: fix.certainty == Certainty::Certain,
        edits,
    })
}

/// Returns the messages of the C preprocessor about a text.
pub fn of_preprocessor(messages: &[CppMessage], path: &Path, text: &str) -> Vec<Found> {
    let own = path.to_string_lossy();
    let place = |message: &CppMessage| {
        if message.file != own {
            return line(text, message.included.unwrap_or(1));
        }
        let start = document::line_start(text, message.line.saturating_sub(1));
        let mut at = (start + message.column.saturating_sub(1) as usize).min(text.len());
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        let word = document::word(text, at);
        let end = word.end.max(at);
        match text[at..end].is_empty() {
            true => line(text, message.line),
            false => document::range(text, &(at..end)),
        }
    };
    let diagnostic = |message: &CppMessage| Diagnostic {
        range: place(message),
        severity: Some(match message.error {
            true => DiagnosticSeverity::ERROR,
            false => DiagnosticSeverity::WARNING,
        }),
        source: Some(SOURCE.to_owned()),
        message: match message.file == own {
            true => message.text.clone(),
            false => format!("in {}:{}: {}", message.file, message.line, message.text),
        },
        ..Diagnostic::default()
    };
    let found = messages.iter().map(|message| Found {
        diagnostic: diagnostic(message),
        offers: Vec::new(),
    });
    found.collect()
}

/// Returns the range of a place in its line.
fn range(place: &Place) -> Range {
    let row = place.line.saturating_sub(1);
    let column = |byte| document::units(&place.text, byte);
    Range::new(
        Position::new(row, column(place.range.start)),
        Position::new(row, column(place.range.end)),
    )
}

/// Returns the range of the text of line `number` (from 1).
fn line(text: &str, number: u32) -> Range {
    let start = document::line_start(text, number.saturating_sub(1));
    let line = text[start..].split('\n').next().unwrap_or_default();
    let lead = line.len() - line.trim_start().len();
    document::range(
        text,
        &(start + lead..start + line.trim_end().len().max(lead)),
    )
}

fn related(
    analysis: &Analysis,
    place: &Place,
    message: String,
) -> Option<DiagnosticRelatedInformation> {
    let path = analysis.resolved(&place.file);
    let location = Location::new(uri::of_path(&path)?, range(place));
    Some(DiagnosticRelatedInformation { location, message })
}
