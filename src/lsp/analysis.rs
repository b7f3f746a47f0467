//! What the front end knows about one text of a document, and lookups in it by file, line and column.

use super::document;
use super::flags::clean;
use crate::diag::locate::Locator;
use crate::sema::{Named, Occurrence, Role};
use crate::translate::Analysed;
use lsp_types::{Position, Range};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use upcc_grammar::Parsed;
use upcc_grammar::ast::Span;
use upcc_grammar::source_map::FileId;

/// An analysed text.
pub struct Analysis {
    /// The document.
    pub path: PathBuf,
    /// Its text.
    pub text: String,
    /// What the front end knows.
    pub unit: Analysed,
    /// The file has no syntax errors, so nothing of it is missing.
    pub complete: bool,
    /// Where relative names of files start.
    folder: PathBuf,
    /// The path of each file of the source map.
    files: Vec<PathBuf>,
    /// File and line of each occurrence, sorted. Only requests need them, which come after the diagnostics.
    lines: OnceLock<Vec<(FileId, u32, u32)>>,
    own_tokens: OnceLock<Vec<(u32, u32, u32)>>,
}

/// The place of a name in a file.
#[derive(Clone, Debug)]
pub struct NamePlace {
    pub path: PathBuf,
    /// Line, from 0, and its text.
    pub line: u32,
    pub text: String,
    /// The bytes of the name in its line.
    pub bytes: std::ops::Range<usize>,
    /// The name stands there as written: no macro made it.
    pub written: bool,
}

impl NamePlace {
    /// Returns the range of the name in its file.
    pub fn range(&self) -> Range {
        let column = |byte| document::units(&self.text, byte);
        Range::new(
            Position::new(self.line, column(self.bytes.start)),
            Position::new(self.line, column(self.bytes.end)),
        )
    }
}

impl Analysis {
    /// Prepares lookups. `folder`: where relative names of files start.
    pub fn new(path: PathBuf, text: String, unit: Analysed, folder: &Path) -> Analysis {
        let parsed = &unit.parsed;
        let names = parsed.source_map.files().iter();
        let files = names.map(|name| clean(&folder.join(name))).collect();
        Analysis {
            path,
            text,
            complete: parsed.errors.is_empty(),
            unit,
            folder: folder.to_path_buf(),
            files,
            lines: OnceLock::new(),
            own_tokens: OnceLock::new(),
        }
    }

    /// Returns a locator that knows the analysed text.
    pub fn locator(&self) -> Locator<'_> {
        let parsed = &self.unit.parsed;
        self.locator_in(parsed)
    }

    /// Returns a locator for another preprocessed form of the analysed text.
    pub fn locator_in<'p>(&self, parsed: &'p Parsed) -> Locator<'p> {
        Locator::new(&parsed.source_map, &parsed.stream.text)
            .in_folder(&self.folder)
            .with_text(&self.path.to_string_lossy(), &self.text)
    }

    /// Returns the id of a file.
    pub fn file(&self, path: &Path) -> Option<FileId> {
        let at = self.files.iter().position(|file| file == path)?;
        Some(FileId(at as u32))
    }

    /// Returns the path of a file by the name that the source map has for it.
    pub fn resolved(&self, name: &str) -> PathBuf {
        clean(&self.folder.join(name))
    }

    /// Returns the path of a file.
    pub fn path_of(&self, file: FileId) -> &Path {
        &self.files[file.0 as usize]
    }

    /// Returns the files of the unit.
    pub fn files(&self) -> &[PathBuf] {
        &self.files
    }

    /// Finds the name at a byte of a line (from 0) of a file.
    pub fn name_at(&self, path: &Path, line: u32, byte: usize) -> Option<&Occurrence> {
        let file = self.file(path)?;
        let mut locator = self.locator();
        let lines = self.lines();
        let first = lines.partition_point(|&(f, l, _)| (f, l) < (file, line + 1));
        let here = lines[first..].iter();
        let mut here = here.take_while(|&&(f, l, _)| (f, l) == (file, line + 1));
        here.find_map(|&(_, _, at)| {
            let occurrence = &self.unit.occurrences[at as usize];
            let place = self.place(&mut locator, occurrence);
            let inside = place.bytes.contains(&byte) || place.bytes.end == byte;
            (place.written && inside).then_some(occurrence)
        })
    }

    /// Returns file, line and number of each occurrence, sorted.
    fn lines(&self) -> &[(FileId, u32, u32)] {
        self.lines.get_or_init(|| {
            let parsed = &self.unit.parsed;
            let places = self
                .unit
                .occurrences
                .iter()
                .zip(0..)
                .map(|(occurrence, at)| {
                    let start = parsed.stream.bytes(span_of(occurrence)).start;
                    let loc = parsed.source_map.lookup(start);
                    (loc.file, loc.line, at)
                });
            let mut lines: Vec<_> = places.collect();
            lines.sort_unstable();
            lines
        })
    }

    /// Returns the place of an occurrence.
    pub fn place(&self, locator: &mut Locator<'_>, occurrence: &Occurrence) -> NamePlace {
        self.place_of(locator, span_of(occurrence))
    }

    /// Returns the place of a token.
    pub fn place_of(&self, locator: &mut Locator<'_>, span: Span) -> NamePlace {
        let parsed = &self.unit.parsed;
        let bytes = parsed.stream.bytes(span);
        let file = parsed.source_map.lookup(bytes.start).file;
        let place = locator.place(&bytes);
        let name = parsed.stream.slice(span);
        let written =
            place.expansion.is_none() && place.text.get(place.range.clone()) == Some(name);
        NamePlace {
            path: self.path_of(file).to_path_buf(),
            line: place.line.saturating_sub(1),
            bytes: place.range,
            text: place.text,
            written,
        }
    }

    /// Returns the occurrences of an entity, in the order of the preprocessed text.
    pub fn occurrences_of(&self, named: Named) -> impl Iterator<Item = &Occurrence> {
        self.unit
            .occurrences
            .iter()
            .filter(move |o| o.named == named)
    }

    /// Returns where an entity is defined, else where it is first declared.
    pub fn definition(&self, named: Named) -> Option<&Occurrence> {
        let declared = || self.occurrences_of(named).filter(|o| o.role != Role::Uses);
        declared()
            .find(|o| o.role == Role::Defines)
            .or_else(|| declared().next())
    }

    /// Returns the spelling of an occurrence.
    pub fn spelling(&self, occurrence: &Occurrence) -> &str {
        self.unit.parsed.stream.slice(span_of(occurrence))
    }

    /// Returns the first token of the document itself that begins at or behind a byte of its text. A macro call earlier
    /// in the line may shift it.
    pub fn token_at(&self, offset: usize) -> u32 {
        let wanted = document::position(&self.text, offset);
        let start = offset - document::line_start(&self.text, wanted.line);
        let wanted = (wanted.line + 1, start as u32 + 1);
        let own = self.own_tokens();
        let behind = own.partition_point(|&(line, column, _)| (line, column) < wanted);
        match own.get(behind) {
            Some(&(_, _, token)) => token,
            None => self.unit.parsed.stream.program_len,
        }
    }

    /// Returns line, column and number of the tokens of the document itself. A `#line` does not disturb the search
    /// unless it goes backwards.
    fn own_tokens(&self) -> &[(u32, u32, u32)] {
        self.own_tokens.get_or_init(|| {
            let parsed = &self.unit.parsed;
            let Some(own) = self.file(&self.path) else {
                return Vec::new();
            };
            let program = &parsed.stream.tokens[..parsed.stream.program_len as usize];
            let places = program.iter().zip(0..).filter_map(|(token, at)| {
                let loc = parsed.source_map.lookup(token.start);
                (loc.file == own).then_some((loc.line, loc.col, at))
            });
            places.collect()
        })
    }
}

/// The token of an occurrence.
pub fn span_of(occurrence: &Occurrence) -> Span {
    Span {
        lo: occurrence.token,
        hi: occurrence.token + 1,
    }
}
