//! The lines that a diagnostic shows, as codespan sees them. A generated file can have lines of a megabyte: only the part of
//! such a line that labels point into is shown.

use super::locate::Place;
use crate::text::printable;
use codespan_reporting::diagnostic as report;
use codespan_reporting::files::{Error as FilesError, Files, column_index};
use std::borrow::Cow;
use std::ops::Range;

/// Bytes of a line that is shown whole.
const WHOLE: usize = 300;
/// Bytes that are shown on either side of a label in a longer line.
const AROUND: usize = 80;
/// Stands for what is left out of a line.
const LEFT_OUT: &str = "...";

/// The lines of all labels of a diagnostic. Each file consists of these lines.
pub struct Excerpts {
    files: Vec<ExcerptFile>,
    views: Vec<View>,
}

/// Where the text of a label lies in [`Excerpts`].
pub struct View {
    file: usize,
    range: Range<usize>,
}

/// Lines of one user file.
struct ExcerptFile {
    name: String,
    text: String,
    /// Ascending by number. With `#line` in a source one number may stand for several lines.
    lines: Vec<Line>,
}

struct Line {
    /// In the user's file.
    number: u32,
    /// Offset in the text of the excerpt.
    start: usize,
    /// Characters of the user's line in front of the part that is shown.
    skipped: usize,
}

impl Excerpts {
    /// The lines of these places.
    pub fn new(places: &[&Place]) -> Excerpts {
        let parts = parts(places);
        let mut order: Vec<usize> = (0..places.len()).collect();
        order.sort_by_key(|&at| {
            let place = places[at];
            (&place.file, place.line, &place.text, parts[at].start)
        });
        let mut files: Vec<ExcerptFile> = Vec::new();
        let mut views: Vec<Option<View>> = places.iter().map(|_| None).collect();
        let mut last: Option<usize> = None;
        for at in order {
            let (place, part) = (places[at], &parts[at]);
            if files.last().is_none_or(|file| file.name != place.file) {
                files.push(ExcerptFile::new(&place.file));
            }
            let id = files.len() - 1;
            let same = |other: usize| {
                let of = places[other];
                (&of.file, of.line, &of.text, &parts[other])
                    == (&place.file, place.line, &place.text, part)
            };
            if !last.is_some_and(same) {
                files[id].push(place, part);
            }
            last = Some(at);
            let range = files[id].range(place, part);
            views[at] = Some(View { file: id, range });
        }
        let views = views.into_iter().flatten().collect();
        Excerpts { files, views }
    }

    /// In the order of the places.
    pub fn views(&self) -> &[View] {
        &self.views
    }
}

impl View {
    /// A label at this place.
    pub fn label(&self, style: report::LabelStyle, message: &str) -> report::Label<usize> {
        report::Label::new(style, self.file, self.range.clone()).with_message(printable(message))
    }
}

/// The part of its line that is shown of each place, in bytes. Labels of one line share a part if it holds both.
fn parts(places: &[&Place]) -> Vec<Range<usize>> {
    let mut parts: Vec<Range<usize>> = Vec::new();
    for place in places {
        let shares = |(other, part): &(&&Place, &Range<usize>)| {
            let holds = part.start <= place.range.start && place.range.end <= part.end;
            holds && (&other.file, other.line, &other.text) == (&place.file, place.line, &place.text)
        };
        let shared = places.iter().zip(&parts).find(shares);
        let part = shared.map_or_else(|| part(place), |(_, part)| part.clone());
        parts.push(part);
    }
    parts
}

fn part(place: &Place) -> Range<usize> {
    let text = &place.text;
    if text.len() <= WHOLE {
        return 0..text.len();
    }
    let end = place.range.end.min(place.range.start + WHOLE) + AROUND;
    let is_boundary = |at: &usize| text.is_char_boundary(*at);
    let start = (0..=place.range.start.saturating_sub(AROUND)).rfind(is_boundary);
    let end = (end..text.len()).find(is_boundary);
    start.unwrap_or(0)..end.unwrap_or(text.len())
}

/// What stands in front of a part of a line.
fn lead(part: &Range<usize>) -> &'static str {
    if part.start > 0 { LEFT_OUT } else { "" }
}

impl ExcerptFile {
    fn new(name: &str) -> ExcerptFile {
        ExcerptFile {
            name: name.to_owned(),
            text: String::new(),
            lines: Vec::new(),
        }
    }

    /// Appends a part of the line of a place.
    fn push(&mut self, place: &Place, part: &Range<usize>) {
        let skipped = place.text[..part.start].chars().count();
        self.lines.push(Line {
            number: place.line,
            start: self.text.len(),
            skipped: skipped.saturating_sub(lead(part).len()),
        });
        self.text.push_str(lead(part));
        self.text.push_str(&printable(&place.text[part.clone()]));
        if part.end < place.text.len() {
            self.text.push_str(LEFT_OUT);
        }
        self.text.push('\n');
    }

    /// A place in the line that was appended last.
    fn range(&self, place: &Place, part: &Range<usize>) -> Range<usize> {
        let start = self.lines.last().map_or(0, |line| line.start) + lead(part).len();
        let at = |byte: usize| start + printable(&place.text[part.start..byte.min(part.end)]).len();
        at(place.range.start)..at(place.range.end)
    }
}

impl<'a> Files<'a> for Excerpts {
    type FileId = usize;
    type Name = Cow<'a, str>;
    type Source = &'a str;

    fn name(&'a self, id: usize) -> Result<Cow<'a, str>, FilesError> {
        self.files
            .get(id)
            .map(|file| printable(&file.name))
            .ok_or(FilesError::FileMissing)
    }

    fn source(&'a self, id: usize) -> Result<&'a str, FilesError> {
        self.files
            .get(id)
            .map(|file| file.text.as_str())
            .ok_or(FilesError::FileMissing)
    }

    fn line_index(&'a self, id: usize, byte: usize) -> Result<usize, FilesError> {
        let file = self.files.get(id).ok_or(FilesError::FileMissing)?;
        Ok(file
            .lines
            .partition_point(|line| line.start <= byte)
            .saturating_sub(1))
    }

    fn line_number(&'a self, id: usize, line_index: usize) -> Result<usize, FilesError> {
        let file = self.files.get(id).ok_or(FilesError::FileMissing)?;
        // Codespan also asks for the line after the last.
        let after = || file.lines.last().map_or(1, |last| last.number as usize + 1);
        let line = file.lines.get(line_index);
        Ok(line.map_or_else(after, |line| line.number as usize))
    }

    fn column_number(&'a self, id: usize, line: usize, byte: usize) -> Result<usize, FilesError> {
        let range = self.line_range(id, line)?;
        let index = column_index(self.source(id)?, range, byte);
        let skipped = self.files[id].lines.get(line).map_or(0, |line| line.skipped);
        Ok(index + 1 + skipped)
    }

    fn line_range(&'a self, id: usize, line_index: usize) -> Result<Range<usize>, FilesError> {
        let file = self.files.get(id).ok_or(FilesError::FileMissing)?;
        let at = |index: usize| {
            let line = file.lines.get(index);
            line.map_or(file.text.len(), |line| line.start)
        };
        Ok(at(line_index)..at(line_index + 1))
    }
}
