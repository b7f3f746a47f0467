//! From a span of the preprocessed text to a range of the user's own source line.
//!
//! The preprocessor drops comments, changes white space and expands macros, so a line of its output is not the user's line. Both lines
//! are cut into coarse tokens: those equal from the left or from the right correspond; what lies between is what a macro replaced.

use super::ByteSpan;
use std::collections::HashMap;
use std::ops::Range;
use upcc_grammar::source_map::{FileId, SourceMap};

/// Where a span lies for the user.
#[derive(Debug, PartialEq, Eq)]
pub struct Place {
    /// Name of the file.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// Bytes of `text` to point at; never empty unless the line is.
    pub range: Range<usize>,
    /// The line to show: the user's if the file can be read, else the preprocessed one.
    pub text: String,
    /// The preprocessed line around the span, if the span lies in what a macro expanded to.
    pub expansion: Option<String>,
}

/// Finds places; keeps the files it has read.
pub struct Locator<'a> {
    map: &'a SourceMap,
    text: &'a str,
    sources: HashMap<FileId, Option<Source>>,
}

/// A file of the user.
struct Source {
    text: String,
    line_starts: Vec<usize>,
}

impl Source {
    fn read(path: &str) -> Option<Source> {
        let bytes = std::fs::read(path).ok()?;
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let line_starts = std::iter::once(0)
            .chain(memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at + 1))
            .collect();
        Some(Source { text, line_starts })
    }

    /// Line `number` (from 1) without its newline.
    fn line(&self, number: u32) -> Option<&str> {
        let index = (number as usize).checked_sub(1)?;
        let start = *self.line_starts.get(index)?;
        let end = self
            .line_starts
            .get(index + 1)
            .map_or(self.text.len(), |next| next - 1);
        Some(self.text[start..end].trim_end_matches('\r'))
    }
}

/// Most bytes of a macro's expansion that are shown.
const EXPANSION_SHOWN: usize = 100;

impl<'a> Locator<'a> {
    /// A locator for one translation unit.
    pub fn new(map: &'a SourceMap, text: &'a str) -> Self {
        Locator {
            map,
            text,
            sources: HashMap::new(),
        }
    }

    /// Where `span` lies. A span of several lines is cut at the end of its first.
    pub fn place(&mut self, span: &ByteSpan) -> Place {
        let (map, text) = (self.map, self.text);
        let loc = map.lookup(span.start);
        let line = map.line_range(span.start);
        let preprocessed = &text[line.start as usize..line.end as usize];
        let start = (span.start.min(line.end) - line.start) as usize;
        let end = (span.end.clamp(line.start, line.end) - line.start) as usize;
        let inside = snap(preprocessed, start..end.max(start));
        let file = map.file(loc.file).to_owned();
        let source = self
            .sources
            .entry(loc.file)
            .or_insert_with(|| Source::read(&file));
        let original = source.as_ref().and_then(|source| source.line(loc.line));
        let (text, range, expanded) = match original {
            Some(original) => {
                let (range, exact) = correspond(preprocessed, original, inside.clone());
                (original.to_owned(), range, !exact)
            }
            None => (preprocessed.to_owned(), inside.clone(), false),
        };
        let expansion = expanded.then(|| excerpt(preprocessed, inside));
        Place {
            file,
            line: loc.line,
            range,
            text,
            expansion,
        }
    }
}

/// Makes a range of a line start and end on characters, and not be empty where the line has a character to point at.
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

/// Part of a long line around a range, white space at its ends removed.
fn excerpt(line: &str, range: Range<usize>) -> String {
    if line.len() <= EXPANSION_SHOWN {
        return line.trim().to_owned();
    }
    let window = snap(
        line,
        range.start.saturating_sub(EXPANSION_SHOWN / 2)..range.start + EXPANSION_SHOWN / 2,
    );
    let before = if window.start > 0 { "..." } else { "" };
    let after = if window.end < line.len() { "..." } else { "" };
    format!("{before}{}{after}", line[window].trim())
}

/// The range of `original` that corresponds to `range` of `preprocessed`, and whether it is that very text (else: a macro's name or call).
fn correspond(preprocessed: &str, original: &str, range: Range<usize>) -> (Range<usize>, bool) {
    if preprocessed == original {
        return (range, true);
    }
    let (pre, orig) = (tokens(preprocessed), tokens(original));
    let text_of = |line: &'_ str, token: &Range<usize>| line[token.clone()].to_owned();
    let same =
        |(a, b): &(&Range<usize>, &Range<usize>)| text_of(preprocessed, a) == text_of(original, b);
    let prefix = pre.iter().zip(&orig).take_while(same).count();
    let most = pre.len().min(orig.len()) - prefix;
    let suffix = pre
        .iter()
        .rev()
        .zip(orig.iter().rev())
        .take(most)
        .take_while(same)
        .count();
    let counterpart = |index: usize| match index {
        _ if index < prefix => Some(index),
        _ if index >= pre.len() - suffix => Some(index + orig.len() - pre.len()),
        _ => unique_between(preprocessed, original, &pre, &orig, index, prefix, suffix),
    };
    let first = pre.partition_point(|token| token.end <= range.start);
    let last = pre
        .partition_point(|token| token.start < range.end)
        .saturating_sub(1)
        .max(first);
    let found = |index: usize| (index < pre.len()).then(|| counterpart(index)).flatten();
    match (found(first), found(last)) {
        (Some(first), Some(last)) if first <= last => (orig[first].start..orig[last].end, true),
        (Some(first), _) => (orig[first].clone(), true),
        (None, _) => (replaced(original, &orig, prefix, suffix), false),
    }
}

/// The index in `orig` of the only token, among those not paired yet, that is spelled like token `index` of `pre`.
fn unique_between(
    preprocessed: &str,
    original: &str,
    pre: &[Range<usize>],
    orig: &[Range<usize>],
    index: usize,
    prefix: usize,
    suffix: usize,
) -> Option<usize> {
    let spelled = &preprocessed[pre[index].clone()];
    let once = |line: &str, tokens: &[Range<usize>]| {
        let mut hits =
            (prefix..tokens.len() - suffix).filter(|&at| line[tokens[at].clone()] == *spelled);
        hits.next().filter(|_| hits.next().is_none())
    };
    once(preprocessed, pre)?;
    once(original, orig)
}

/// What stands in the original line where the preprocessed line has something else.
fn replaced(original: &str, orig: &[Range<usize>], prefix: usize, suffix: usize) -> Range<usize> {
    match (orig.get(prefix), orig[..orig.len() - suffix].last()) {
        (Some(first), Some(last)) if first.start < last.end => first.start..last.end,
        _ => {
            let start = original.len() - original.trim_start().len();
            start..original.trim_end().len().max(start)
        }
    }
}

/// Coarse tokens of a line: words, strings, single characters; no white space and no comments.
fn tokens(line: &str) -> Vec<Range<usize>> {
    let bytes = line.as_bytes();
    let word =
        |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80;
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let rest = &line[at..];
        let len = if byte.is_ascii_whitespace() || rest.starts_with("/*") || rest.starts_with("//")
        {
            at += blank_len(rest);
            continue;
        } else if word(byte) {
            bytes[at..].iter().take_while(|&&byte| word(byte)).count()
        } else if byte == b'"' || byte == b'\'' {
            quoted_len(&bytes[at..])
        } else {
            1
        };
        found.push(at..at + len);
        at += len;
    }
    found
}

/// Length of the white space character or comment at the start of `rest`.
fn blank_len(rest: &str) -> usize {
    if rest.starts_with("//") {
        rest.len()
    } else if let Some(comment) = rest.strip_prefix("/*") {
        comment.find("*/").map_or(rest.len(), |close| close + 4)
    } else {
        1
    }
}

/// Length of the string or character constant at the start of `bytes`, up to the end if it is open.
fn quoted_len(bytes: &[u8]) -> usize {
    let mut escaped = false;
    let close = bytes[1..].iter().position(|&byte| {
        let close = byte == bytes[0] && !escaped;
        escaped = byte == b'\\' && !escaped;
        close
    });
    close.map_or(bytes.len(), |close| close + 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What `needle` of the preprocessed line is in the original line.
    fn seen<'a>(preprocessed: &str, original: &'a str, needle: &str) -> (&'a str, bool) {
        let start = preprocessed.find(needle).unwrap();
        let (range, exact) = correspond(preprocessed, original, start..start + needle.len());
        (&original[range], exact)
    }

    #[test]
    fn comments_and_blanks_do_not_matter() {
        assert_eq!(
            seen("  int x = y;", "\tint /* a */ x  = y; // end", "y"),
            ("y", true)
        );
        assert_eq!(
            seen("f( a,  b );", "f( a, /* no */ b ); ", "a,  b"),
            ("a, /* no */ b", true)
        );
    }

    #[test]
    fn around_a_macro() {
        let (pre, orig) = ("x = ((a) < (b) ? (a) : (b)) + y;", "x = MIN(a, b) + y;");
        assert_eq!(seen(pre, orig, "y"), ("y", true));
        assert_eq!(seen(pre, orig, "x"), ("x", true));
        assert_eq!(seen(pre, orig, "?"), ("MIN(a, b", false));
        assert_eq!(
            seen("p = ((void *)0) + q;", "p = NULL + q;", "void"),
            ("NULL", false)
        );
    }

    #[test]
    fn argument_of_a_macro_that_occurs_once() {
        assert_eq!(
            seen("do { use(bad); } while (0);", "USE(bad);", "bad"),
            ("bad", true)
        );
    }

    #[test]
    fn odd_lines_do_not_panic() {
        for line in ["", "\"open", "/* open", "é'", "''", "\\"] {
            for other in ["", "x", "\"a\\\"b\" y"] {
                let whole = snap(line, 0..line.len() + 1);
                let (range, _) = correspond(line, other, whole);
                assert!(other.get(range).is_some());
            }
        }
        assert_eq!(snap("é", 1..1), 0..2);
    }
}
