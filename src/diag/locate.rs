//! Maps a span of the preprocessed text to a range of the user's own source line, and to the macro it came out of.

use super::ByteSpan;
use super::align::{Alignment, Counterpart};
use std::collections::{HashMap, VecDeque};
use std::ops::Range;
use std::path::{Path, PathBuf};
use upcc_grammar::source_map::{FileId, Loc, SourceMap};

/// The position of a span in the user's source.
#[derive(Debug, PartialEq, Eq)]
pub struct Place {
    /// Name of the file.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// The bytes of `text` to point at; empty: the place behind the text in front of it, or an empty line.
    pub range: Range<usize>,
    /// The line to show: the user's line if the file can be read, else the preprocessed one.
    pub text: String,
    /// Set if the span lies in the expansion of a macro.
    pub expansion: Option<Expansion>,
}

/// The macro expansion that contains a place.
#[derive(Debug, PartialEq, Eq)]
pub struct Expansion {
    /// The text of the expansion.
    pub text: String,
    /// The macro's name, if known.
    pub name: Option<String>,
    /// The macro's definition, if a readable file contains it.
    pub definition: Option<Box<Definition>>,
}

/// The `#define` of a macro.
#[derive(Debug, PartialEq, Eq)]
pub struct Definition {
    /// The macro's name within its line.
    pub place: Place,
    /// True if the definition is in a system header.
    pub system: bool,
}

/// A line of the user.
struct Line {
    file: FileId,
    number: u32,
    /// The parts of the preprocessed text that are its text after the preprocessor, and where each begins in it.
    pieces: Vec<(Range<u32>, usize)>,
    preprocessed: String,
    /// The line as the user wrote it, if the file can be read, and which of its words correspond.
    original: Option<(String, Alignment)>,
}

impl Line {
    /// Returns the position in the preprocessed line of the text at `offset`, if it is part of the line.
    fn position(&self, offset: u32) -> Option<usize> {
        let behind = self
            .pieces
            .partition_point(|(piece, _)| piece.start <= offset);
        let (piece, start) = &self.pieces[behind.checked_sub(1)?];
        (offset <= piece.end).then(|| start + (offset - piece.start) as usize)
    }
}

/// A span in its line.
struct Inside<'l> {
    preprocessed: &'l str,
    range: Range<usize>,
    /// The line as the user wrote it, if the file can be read, and the counterpart of the span in it.
    original: Option<(&'l str, Counterpart)>,
}

/// Finds places, and caches the files it reads.
pub struct Locator<'a> {
    map: &'a SourceMap,
    text: &'a str,
    sources: HashMap<FileId, Option<Source>>,
    /// Where relative names of files start; empty: in the current folder.
    folder: PathBuf,
    /// The line of the last span: a line of generated text may contain very many of them.
    line: Option<Line>,
}

/// A source file of the user.
struct Source {
    text: String,
    line_starts: Vec<usize>,
}

impl Source {
    fn new(text: String) -> Source {
        let line_starts = std::iter::once(0)
            .chain(memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at + 1))
            .collect();
        Source { text, line_starts }
    }

    /// Reads a file. `None`: the file does not exist or is not a regular file. `#line` may name anything, and reading a
    /// FIFO or a device could block.
    fn read(path: &Path) -> Option<Source> {
        if !std::fs::metadata(path).ok()?.is_file() {
            return None;
        }
        let bytes = std::fs::read(path).ok()?;
        Some(Source::new(String::from_utf8_lossy(&bytes).into_owned()))
    }

    /// Returns line `number` (from 1) without its newline.
    fn line(&self, number: u32) -> Option<&str> {
        let index = (number as usize).checked_sub(1)?;
        let start = *self.line_starts.get(index)?;
        let end = self
            .line_starts
            .get(index + 1)
            .map_or(self.text.len(), |next| next - 1);
        Some(self.text[start..end].trim_end_matches('\r'))
    }

    /// Returns the text of the lines that `\` joins to the front of line `number`, without these characters.
    fn spliced_above(&self, number: u32) -> String {
        let mut joined: Vec<&str> = (1..number)
            .rev()
            .map_while(|above| self.line(above)?.strip_suffix('\\'))
            .collect();
        joined.reverse();
        joined.concat()
    }

    /// Finds the last `#define name` before line `before`. Returns its line, and the range of the name in it.
    fn definition(&self, name: &str, before: u32) -> Option<(u32, Range<usize>)> {
        let mut last = None;
        for at in memchr::memmem::find_iter(self.text.as_bytes(), name) {
            let number = self.line_starts.partition_point(|&start| start <= at);
            if number as u32 >= before {
                break;
            }
            // Line numbers count from 1, so the start of this line is one entry earlier.
            let start = self.line_starts[number - 1];
            let directive = self.text[start..at].trim_start().strip_prefix('#');
            let word = directive.is_some_and(|words| words.trim() == "define");
            let next = self.text.as_bytes().get(at + name.len());
            let longer = next.is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_');
            if word && !longer {
                last = Some((number as u32, at - start..at - start + name.len()));
            }
        }
        last
    }
}

/// Maximum number of bytes of a macro's expansion that are shown.
const EXPANSION_SHOWN: usize = 100;

impl<'a> Locator<'a> {
    /// Creates a locator for one translation unit.
    pub fn new(map: &'a SourceMap, text: &'a str) -> Self {
        Locator {
            map,
            text,
            sources: HashMap::new(),
            folder: PathBuf::new(),
            line: None,
        }
    }

    /// Lets relative names of files start in a folder: the unit was preprocessed there.
    pub fn in_folder(mut self, folder: &Path) -> Self {
        self.folder = folder.to_path_buf();
        self
    }

    /// Uses `text` in place of the contents of a file: an editor has not saved it.
    pub fn with_text(mut self, file: &str, text: &str) -> Self {
        let files = self.map.files().iter();
        let known = files.zip(0..).find(|(name, _)| *name == file);
        if let Some((_, id)) = known {
            let source = Source::new(text.to_owned());
            self.sources.insert(FileId(id), Some(source));
        }
        self
    }

    /// Returns the definition of the macro `name` that holds at the start of the line after `line` of `file`, or at the
    /// end of the unit if it is in another file.
    pub fn macro_definition(&mut self, name: &str, file: FileId, line: u32) -> Option<Definition> {
        let used = Loc {
            file,
            line: line.saturating_add(1),
            col: 1,
            system_header: false,
        };
        self.definition(name, used)
    }

    /// Returns the place of `span`. A span of several lines is cut at the end of its first line. An empty span is the
    /// place behind the character in front of it.
    pub fn place(&mut self, span: &ByteSpan) -> Place {
        if let Some(before) = behind(self.text, span) {
            let mut place = self.place(&before);
            place.range.start = place.range.end;
            place.expansion = None;
            return place;
        }
        let loc = self.map.lookup(span.start);
        let file = self.map.file(loc.file).to_owned();
        let Inside {
            preprocessed,
            range: inside,
            original,
        } = self.inside(span, loc);
        let Some((original, counterpart)) = original else {
            return Place {
                file,
                line: loc.line,
                range: inside,
                text: preprocessed.to_owned(),
                expansion: None,
            };
        };
        let text = |range| excerpt(preprocessed, range);
        let (range, expansion) = match counterpart {
            Counterpart::Exact(range) => (range, None),
            Counterpart::Replaced(range) => (range, Some((text(inside), None))),
            Counterpart::Macro {
                call,
                name,
                expansion,
            } => (call, Some((text(expansion), Some(name)))),
        };
        let original = original.to_owned();
        let expansion = expansion.map(|(text, name)| {
            let definition = name.as_deref().and_then(|name| self.definition(name, loc));
            Expansion {
                text,
                name,
                definition: definition.map(Box::new),
            }
        });
        Place {
            file,
            line: loc.line,
            range: snap(&original, range),
            text: original,
            expansion,
        }
    }

    /// Returns the place of `span` if the user wrote exactly this text there, in a file that can be read.
    pub fn written(&mut self, span: &ByteSpan) -> Option<Place> {
        let loc = self.map.lookup(span.start);
        let own = self.text.get(span.start as usize..span.end as usize)?;
        let inside = self.inside(span, loc);
        let (original, Counterpart::Exact(range)) = inside.original? else {
            return None;
        };
        let text = original.to_owned();
        (text.get(range.clone())? == own).then(|| Place {
            file: self.map.file(loc.file).to_owned(),
            line: loc.line,
            range,
            text,
            expansion: None,
        })
    }

    /// Returns the text of the file of `span` and the line in which `span` begins, if the file can be read and is not a
    /// system header.
    pub fn file_of(&mut self, span: &ByteSpan) -> Option<(&'a str, u32, &str)> {
        let loc = self.map.lookup(span.start);
        let file = self.map.file(loc.file);
        let source = self
            .sources
            .entry(loc.file)
            .or_insert_with(|| Source::read(&self.folder.join(file)));
        let text = source.as_ref()?.text.as_str();
        (!loc.system_header).then_some((file, loc.line, text))
    }

    /// Whether `span` begins in a system header.
    pub fn is_system(&self, span: &ByteSpan) -> bool {
        self.map.lookup(span.start).system_header
    }

    /// Returns file, line and column (in bytes, from 1) at which `span` begins, or at which the macro call begins that
    /// produced it. Gives less information than [`Locator::place`], but is fast.
    pub fn start(&mut self, span: &ByteSpan) -> (&'a str, u32, u32) {
        let loc = self.map.lookup(span.start);
        let inside = self.inside(span, loc);
        let at = match inside.original {
            None => inside.range.start,
            Some((original, Counterpart::Exact(range) | Counterpart::Replaced(range))) => {
                snap(original, range).start
            }
            Some((original, Counterpart::Macro { call, .. })) => snap(original, call).start,
        };
        (self.map.file(loc.file), loc.line, at as u32 + 1)
    }

    /// Returns the user's line for the text at `offset`, if its file can be read.
    pub fn line_of_user(&mut self, offset: u32) -> Option<String> {
        let loc = self.map.lookup(offset);
        let (line, _) = self.line(offset, loc);
        line.original.as_ref().map(|(text, _)| text.clone())
    }

    /// Finds a span in the line in which it begins.
    fn inside(&mut self, span: &ByteSpan, loc: Loc) -> Inside<'_> {
        let (line, start) = self.line(span.start, loc);
        let length = span.end.saturating_sub(span.start) as usize;
        let range = snap(&line.preprocessed, start..start.saturating_add(length));
        let original = line.original.as_mut();
        let original =
            original.map(|(text, alignment)| (&**text, alignment.counterpart(range.clone())));
        Inside {
            preprocessed: &line.preprocessed,
            range,
            original,
        }
    }

    /// Returns the line that contains `offset`, and the position of `offset` in it after the preprocessor.
    fn line(&mut self, offset: u32, loc: Loc) -> (&mut Line, usize) {
        let known = self.line.take();
        let known = known.filter(|line| (line.file, line.number) == (loc.file, loc.line));
        let known = known.and_then(|line| line.position(offset).map(|at| (line, at)));
        let (line, at) = known.unwrap_or_else(|| {
            let line = self.read(offset, loc);
            let at = line.position(offset).unwrap_or(line.preprocessed.len());
            (line, at)
        });
        (self.line.insert(line), at)
    }

    fn read(&mut self, offset: u32, loc: Loc) -> Line {
        let (preprocessed, pieces) = joined(self.map, self.text, offset);
        let file = self.map.file(loc.file);
        let source = self
            .sources
            .entry(loc.file)
            .or_insert_with(|| Source::read(&self.folder.join(file)));
        let original = source.as_ref().and_then(|source| {
            let text = source.line(loc.line)?;
            let above = source.spliced_above(loc.line);
            Some((text.to_owned(), Alignment::new(&preprocessed, text, &above)))
        });
        Line {
            file: loc.file,
            number: loc.line,
            pieces,
            preprocessed,
            original,
        }
    }

    /// Finds the `#define` of a macro used at `used`: the last one before that place in its own file, else one in
    /// another file, user's files first.
    fn definition(&mut self, name: &str, used: Loc) -> Option<Definition> {
        let map = self.map;
        let mut files: Vec<FileId> = (0..map.files().len() as u32).map(FileId).collect();
        files.sort_by_key(|&file| (file != used.file, map.is_system(file)));
        files.into_iter().find_map(|id| {
            let file = map.file(id).to_owned();
            let source = self
                .sources
                .entry(id)
                .or_insert_with(|| Source::read(&self.folder.join(&file)))
                .as_ref()?;
            let before = if id == used.file { used.line } else { u32::MAX };
            let (line, range) = source.definition(name, before)?;
            let text = source.line(line)?.to_owned();
            let place = Place {
                file,
                line,
                range,
                text,
                expansion: None,
            };
            let system = map.is_system(id);
            Some(Definition { place, system })
        })
    }
}

/// Returns the preprocessed text of the user's line that contains `offset`, and the parts that it consists of. Expanding a macro of a system header splits the line, because line markers surround the expansion; the parts are
/// joined.
fn joined(map: &SourceMap, text: &str, offset: u32) -> (String, Vec<(Range<u32>, usize)>) {
    let here = map.lookup(offset);
    let same = |line: &Range<u32>| {
        let loc = map.lookup(line.start);
        (loc.file, loc.line) == (here.file, here.line)
    };
    let is_marker = |line: &Range<u32>| text.as_bytes().get(line.start as usize) == Some(&b'#');
    let before = |line: &Range<u32>| Some(map.line_range(line.start.checked_sub(1)?));
    let after = |line: &Range<u32>| {
        let next = map.line_range(line.end + 1);
        (next.start > line.start).then_some(next)
    };
    let own = map.line_range(offset);
    let mut pieces = VecDeque::from([own]);
    let piece = |line: Option<Range<u32>>| line.filter(|line| !is_marker(line) && same(line));
    while let Some(first) = pieces.front()
        && let Some(marker) = before(first).filter(is_marker)
        && let Some(found) = piece(before(&marker))
    {
        pieces.push_front(found);
    }
    while let Some(last) = pieces.back()
        && let Some(marker) = after(last).filter(is_marker)
        && let Some(found) = piece(after(&marker))
    {
        pieces.push_back(found);
    }
    let mut line = String::new();
    let mut starts = Vec::with_capacity(pieces.len());
    for piece in pieces {
        let start = line.len();
        line.push_str(&text[piece.start as usize..piece.end as usize]);
        starts.push((piece, start));
    }
    (line, starts)
}

/// The character directly in front of an empty span; `None`: there is white space.
fn behind(text: &str, span: &ByteSpan) -> Option<ByteSpan> {
    if span.start < span.end {
        return None;
    }
    let before = text.get(..span.start as usize)?;
    let last = before.chars().next_back().filter(|c| !c.is_whitespace())?;
    Some(span.start - last.len_utf8() as u32..span.start)
}

/// Aligns a range of a line to character boundaries, and makes it non-empty unless the line has no character to point
/// at.
fn snap(line: &str, range: Range<usize>) -> Range<usize> {
    let mut start = range.start.min(line.len());
    while !line.is_char_boundary(start) {
        start -= 1;
    }
    let mut end = range.end.clamp(start, line.len());
    if end == start && end < line.len() {
        end += 1;
    }
    while !line.is_char_boundary(end) {
        end += 1;
    }
    start..end
}

/// Part of a line, truncated if it is long.
fn excerpt(line: &str, range: Range<usize>) -> String {
    let shown = snap(
        line,
        range.start..range.end.min(range.start + EXPANSION_SHOWN),
    );
    let after = if shown.end < range.end { "..." } else { "" };
    format!("{}{after}", line[shown].trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_keep_to_characters() {
        assert_eq!(snap("é", 1..1), 0..2);
        assert_eq!(snap("", 0..1), 0..0);
    }

    #[test]
    fn definitions_of_macros() {
        let text = "#define LONGER 1\n# define LONG(x) x\nint LONG;\n#define LONG 2\n";
        let line_starts = vec![0, 17, 36, 46, 61];
        let source = Source {
            text: text.to_owned(),
            line_starts,
        };
        assert_eq!(source.definition("LONG", 4), Some((2, 9..13)));
        assert_eq!(source.definition("LONG", u32::MAX), Some((4, 8..12)));
        assert_eq!(source.definition("LON", u32::MAX), None);
    }
}
