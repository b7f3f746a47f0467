//! Definitions and references, in the document and its headers.

use super::analysis::{Analysis, NamePlace};
use super::{document, uri};
use crate::sema::{Occurrence, Role};
use lsp_types::{Location, Position, Range};
use std::path::{Path, PathBuf};

/// A place in a file.
pub type Found = (PathBuf, Range);

/// Returns where a name is defined, else where it is declared.
pub fn definition(analysis: &Analysis, occurrence: &Occurrence) -> Option<Found> {
    let found = analysis.definition(occurrence.named)?;
    let place = analysis.place(&mut analysis.locator(), found);
    Some((place.path.clone(), place.range()))
}

/// Returns the places that name the same entity, sorted. A use that a macro makes counts at the macro call.
pub fn references(analysis: &Analysis, occurrence: &Occurrence, declarations: bool) -> Vec<Found> {
    let mut locator = analysis.locator();
    let all = analysis.occurrences_of(occurrence.named);
    let wanted = all.filter(|o| declarations || o.role == Role::Uses);
    let places: Vec<NamePlace> = wanted.map(|o| analysis.place(&mut locator, o)).collect();
    let mut found: Vec<Found> = places
        .iter()
        .map(|place| (place.path.clone(), place.range()))
        .collect();
    found.sort_by_key(|(path, range)| (path.clone(), range.start, range.end));
    found.dedup();
    found
}

/// A macro's definition: its place and its line.
pub struct Macro {
    pub place: Found,
    pub text: String,
}

/// Returns the definition of the macro that is named at a byte of the analysed text.
pub fn macro_at(analysis: &Analysis, offset: usize) -> Option<Macro> {
    let name = analysis.text.get(document::word(&analysis.text, offset))?;
    if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let file = analysis.file(&analysis.path)?;
    let line = document::position(&analysis.text, offset).line;
    let definition = analysis.locator().macro_definition(name, file, line + 1)?;
    let place = &definition.place;
    let path = analysis.resolved(&place.file);
    let row = place.line.saturating_sub(1);
    let column = |byte| document::units(&place.text, byte);
    let range = Range::new(
        Position::new(row, column(place.range.start)),
        Position::new(row, column(place.range.end)),
    );
    Some(Macro {
        place: (path, range),
        text: place.text.clone(),
    })
}

/// Returns the header that the `#include` at a byte of the analysed text includes.
pub fn header_at(analysis: &Analysis, offset: usize) -> Option<Found> {
    let text = &analysis.text;
    let row = document::position(text, offset).line;
    let start = document::line_start(text, row);
    let line = text[start..].split('\n').next()?;
    let rest = line.trim_start().strip_prefix('#')?.trim_start();
    let rest = rest.strip_prefix("include")?.trim_start();
    let name = rest.strip_prefix(['"', '<'])?;
    let name = Path::new(&name[..name.find(['"', '>'])?]);
    let beside = analysis.path.parent()?.join(name);
    let files = analysis.files().iter();
    let path = files
        .clone()
        .find(|file| **file == beside)
        .or_else(|| files.clone().find(|file| file.ends_with(name)))?;
    Some((path.clone(), Range::default()))
}

/// Returns a place as the protocol writes it.
pub fn location((path, range): Found) -> Option<Location> {
    Some(Location::new(uri::of_path(&path)?, range))
}
