//! Maps byte offsets of preprocessed text to the user's files and lines.
//!
//! The preprocessor leaves *line markers* (`# 12 "file.h" 1 3`) in its output: the line after this marker is line 12 of
//! `file.h`. A [`SourceMap`] is built by one scan over the text; [`SourceMap::lookup`] then takes two binary searches.

use memchr::memchr_iter;
use std::ops::Range;

/// A file named by a line marker.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FileId(pub u32);

/// A place in a user's file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Loc {
    /// The file; [`SourceMap::file`] gives its name.
    pub file: FileId,
    /// Line in that file, from 1.
    pub line: u32,
    /// Column in the *preprocessed* line in bytes, from 1. Equals the user's column unless a macro was expanded before
    /// it.
    pub col: u32,
    /// The file is a system header.
    pub system_header: bool,
}

/// A line marker and the text up to the next one.
#[derive(Debug)]
struct Segment {
    /// Offset of the first byte after the marker's line.
    start: u32,
    /// Index in `line_starts` of the line at `start`.
    first_line: u32,
    /// The number that the marker gives to that line.
    line: u32,
    file: FileId,
    system_header: bool,
    /// Index in `includes` of the `#include` that included this file; `NO_INCLUDE` for the main file.
    include: u32,
}

impl Segment {
    /// The number of a line of the text that does not precede the segment. Numbers wrap to 0 after the largest, as
    /// gcc's do.
    fn line_at(&self, index: u32) -> u32 {
        self.line
            .wrapping_add(index.saturating_sub(self.first_line))
    }
}

/// The position of an `#include`.
#[derive(Debug)]
struct Include {
    file: FileId,
    line: u32,
    parent: u32,
}

const NO_INCLUDE: u32 = u32::MAX;

/// The line markers and line starts of a preprocessed text (of less than 4 GiB).
#[derive(Debug, Default)]
pub struct SourceMap {
    files: Vec<String>,
    segments: Vec<Segment>,
    includes: Vec<Include>,
    /// Offset of each line of the text; the first is 0.
    line_starts: Vec<u32>,
    text_len: u32,
}

/// The contents of a line marker.
#[derive(Debug, PartialEq)]
struct Marker<'a> {
    line: u32,
    /// `None`: the file stays the same (`#line 7`).
    file: Option<&'a str>,
    enter: bool,
    leave: bool,
    system_header: bool,
}

impl SourceMap {
    /// Scans `text` for line markers (GNU's `# 1 "f" 1 3` and the standard's `#line 1 "f"`).
    pub fn from_preprocessed(text: &str) -> SourceMap {
        let bytes = text.as_bytes();
        let mut map = SourceMap {
            text_len: text.len() as u32,
            line_starts: Vec::with_capacity(text.len() / 24 + 1),
            ..SourceMap::default()
        };
        map.line_starts.push(0);
        map.line_starts
            .extend(memchr_iter(b'\n', bytes).map(|at| at as u32 + 1));
        map.segments.push(Segment {
            start: 0,
            first_line: 0,
            line: 1,
            file: FileId(0),
            system_header: false,
            include: NO_INCLUDE,
        });
        map.files.push(String::new());
        let mut scan = MarkerScan::default();
        for index in 0..map.line_starts.len() {
            let start = map.line_starts[index] as usize;
            if bytes.get(start) != Some(&b'#') {
                continue;
            }
            let end = map
                .line_starts
                .get(index + 1)
                .map_or(text.len(), |&next| next as usize);
            if let Some(marker) = parse_marker(&text[start..end]) {
                scan.marker(&mut map, index as u32, end as u32, &marker);
            }
        }
        map
    }

    /// The place of a byte of the text. An offset past the end counts as the end.
    pub fn lookup(&self, offset: u32) -> Loc {
        let offset = offset.min(self.text_len);
        let line_index = self.line_index(offset);
        let segment = self.segment(offset);
        Loc {
            file: segment.file,
            line: segment.line_at(line_index as u32),
            col: offset - self.line_starts[line_index] + 1,
            system_header: segment.system_header,
        }
    }

    /// The ranges of the text that come from system headers, in ascending order.
    pub fn system_headers(&self) -> impl Iterator<Item = Range<u32>> + '_ {
        let ends = self.segments.iter().skip(1).map(|next| next.start);
        let ends = ends.chain(std::iter::once(self.text_len));
        self.segments
            .iter()
            .zip(ends)
            .filter(|(segment, _)| segment.system_header)
            .map(|(segment, end)| segment.start..end)
    }

    /// Name of a file as the line marker spells it (escapes undone). Text before any marker has the empty name.
    pub fn file(&self, id: FileId) -> &str {
        &self.files[id.0 as usize]
    }

    /// Whether a file counts as a system header wherever it appears.
    pub fn is_system(&self, id: FileId) -> bool {
        let mut segments = self.segments.iter().filter(|segment| segment.file == id);
        segments.all(|segment| segment.system_header)
    }

    /// All files named by markers, in order of first appearance; index = [`FileId`].
    pub fn files(&self) -> &[String] {
        &self.files
    }

    /// Bytes of the line of the text that contains `offset`, without its newline.
    pub fn line_range(&self, offset: u32) -> Range<u32> {
        let index = self.line_index(offset.min(self.text_len));
        let end = self
            .line_starts
            .get(index + 1)
            .map_or(self.text_len, |&next| next - 1);
        self.line_starts[index]..end
    }

    /// The `#include` directives through which the text at `offset` was included, innermost first, as file and line.
    pub fn include_chain(&self, offset: u32) -> impl Iterator<Item = (FileId, u32)> + '_ {
        let first = self.segment(offset.min(self.text_len)).include;
        let at = move |index: u32| self.includes.get(index as usize);
        std::iter::successors(at(first), move |include| at(include.parent))
            .map(|include| (include.file, include.line))
    }

    fn line_index(&self, offset: u32) -> usize {
        // line_starts[0] is 0, so at least one element is <= offset.
        self.line_starts.partition_point(|&start| start <= offset) - 1
    }

    fn segment(&self, offset: u32) -> &Segment {
        // segments[0].start is 0.
        &self.segments[self
            .segments
            .partition_point(|segment| segment.start <= offset)
            - 1]
    }
}

/// State of the scan over the markers of one text.
#[derive(Default)]
struct MarkerScan {
    /// The current include as index + 1; the default means none.
    include: u32,
    ids: hashbrown::HashMap<String, FileId>,
}

impl MarkerScan {
    /// Adds the segment that a marker opens. The marker is line `index` of the text and ends before `end`.
    fn marker(&mut self, map: &mut SourceMap, index: u32, end: u32, marker: &Marker<'_>) {
        // The first segment exists before the first marker.
        let Some(previous) = map.segments.last() else {
            return;
        };
        let previous_file = previous.file;
        let previous_line = previous.line_at(index);
        let file = match marker.file {
            Some(name) => self.file_id(map, name),
            None => previous_file,
        };
        if marker.enter {
            map.includes.push(Include {
                file: previous_file,
                line: previous_line,
                parent: self.include.checked_sub(1).unwrap_or(NO_INCLUDE),
            });
            self.include = map.includes.len() as u32;
        } else if marker.leave
            && let Some(left) = self.include.checked_sub(1)
        {
            self.include = map.includes[left as usize].parent.wrapping_add(1);
        }
        map.segments.push(Segment {
            start: end,
            first_line: index + 1,
            line: marker.line,
            file,
            system_header: marker.system_header,
            include: self.include.checked_sub(1).unwrap_or(NO_INCLUDE),
        });
    }

    fn file_id(&mut self, map: &mut SourceMap, spelled: &str) -> FileId {
        if let Some(&id) = self.ids.get(spelled) {
            return id;
        }
        let id = FileId(map.files.len() as u32);
        map.files.push(unescape(spelled));
        self.ids.insert(spelled.to_owned(), id);
        id
    }
}

/// Reads a line that starts with `#`. `None`: another directive.
fn parse_marker(line: &str) -> Option<Marker<'_>> {
    let rest = line.strip_prefix('#')?.trim_start();
    let rest = rest.strip_prefix("line").map_or(rest, str::trim_start);
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let number = rest[..digits].parse().ok()?;
    let rest = rest[digits..].trim();
    let mut marker = Marker {
        line: number,
        file: None,
        enter: false,
        leave: false,
        system_header: false,
    };
    let Some(quoted) = rest.strip_prefix('"') else {
        return rest.is_empty().then_some(marker);
    };
    let close = closing_quote(quoted)?;
    marker.file = Some(&quoted[..close]);
    for flag in quoted[close + 1..].split_ascii_whitespace() {
        match flag {
            "1" => marker.enter = true,
            "2" => marker.leave = true,
            "3" => marker.system_header = true,
            _ => {}
        }
    }
    Some(marker)
}

/// Index of the `"` that closes a string; `text` starts after the opening quote.
fn closing_quote(text: &str) -> Option<usize> {
    let mut escaped = false;
    text.bytes().position(|byte| {
        let close = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        close
    })
}

/// Undoes the escapes that the preprocessor writes in file names: `\\`, `\"` and octal bytes.
fn unescape(spelled: &str) -> String {
    if !spelled.contains('\\') {
        return spelled.to_owned();
    }
    let mut bytes = Vec::with_capacity(spelled.len());
    let mut rest = spelled.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        rest = after;
        if first != b'\\' {
            bytes.push(first);
            continue;
        }
        let octal = rest
            .iter()
            .take(3)
            .take_while(|byte| (b'0'..=b'7').contains(byte))
            .count();
        if octal > 0 {
            let value = rest[..octal]
                .iter()
                .fold(0u32, |value, byte| value * 8 + u32::from(byte - b'0'));
            bytes.push(value as u8);
            rest = &rest[octal..];
        } else if let Some((&escaped, after)) = rest.split_first() {
            bytes.push(escaped);
            rest = after;
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# 0 \"a.upc\"\n# 1 \"a.upc\"\nint x;\n# 1 \"/usr/inc/h.h\" 1 3 4\nint h;\n\n  int g;\n# 3 \"a.upc\" 2\nint y;\nint z;";

    fn at(map: &SourceMap, needle: &str) -> (String, u32, u32, bool) {
        let loc = map.lookup(TEXT.find(needle).unwrap() as u32);
        (
            map.file(loc.file).to_owned(),
            loc.line,
            loc.col,
            loc.system_header,
        )
    }

    #[test]
    fn places_follow_markers() {
        let map = SourceMap::from_preprocessed(TEXT);
        assert_eq!(at(&map, "x;"), ("a.upc".into(), 1, 5, false));
        assert_eq!(at(&map, "h;"), ("/usr/inc/h.h".into(), 1, 5, true));
        assert_eq!(at(&map, "g;"), ("/usr/inc/h.h".into(), 3, 7, true));
        assert_eq!(at(&map, "z;"), ("a.upc".into(), 4, 5, false));
        assert_eq!(map.lookup(u32::MAX).line, 4);
    }

    #[test]
    fn include_chain_names_the_directive() {
        let map = SourceMap::from_preprocessed(TEXT);
        let chain = |needle: &str| {
            let offset = TEXT.find(needle).unwrap() as u32;
            map.include_chain(offset)
                .map(|(file, line)| (map.file(file).to_owned(), line))
                .collect::<Vec<_>>()
        };
        assert_eq!(chain("g;"), [("a.upc".to_owned(), 2)]);
        assert!(chain("z;").is_empty());
    }

    #[test]
    fn line_range_excludes_the_newline() {
        let map = SourceMap::from_preprocessed("ab\ncd\n");
        assert_eq!(map.line_range(0), 0..2);
        assert_eq!(map.line_range(4), 3..5);
        assert_eq!(map.line_range(6), 6..6);
    }

    #[test]
    fn markers_and_other_directives() {
        let marker = |line, file| {
            Some(Marker {
                line,
                file,
                enter: false,
                leave: false,
                system_header: false,
            })
        };
        assert_eq!(parse_marker("# 12 \"a b.h\"\n"), marker(12, Some("a b.h")));
        assert_eq!(parse_marker("#line 7\n"), marker(7, None));
        assert_eq!(parse_marker("#line 7 \"f.y\"\n"), marker(7, Some("f.y")));
        assert_eq!(parse_marker("#pragma upc strict\n"), None);
        assert_eq!(parse_marker("# 1 \"open\n"), None);
        assert_eq!(unescape(r#"a\"b\\c\303\251"#), "a\"b\\cé");
    }

    #[test]
    fn text_without_markers() {
        let map = SourceMap::from_preprocessed("int a;\nint b;\n");
        let loc = map.lookup(11);
        assert_eq!((map.file(loc.file), loc.line, loc.col), ("", 2, 5));
    }
}
