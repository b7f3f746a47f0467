//! Converts columns in the C compiler's messages, which refer to translated text, to columns of the user's text.
//!
//! A column is mapped through the line markers of the translation, as for the driver's own diagnostics
//! (`diag/locate.rs`). If the text at that place is not the user's, the message keeps its line but loses its column and
//! excerpt.

use crate::diag::locate::Locator;
use std::collections::HashMap;
use std::ops::Range;
use upcc_grammar::source_map::SourceMap;

/// Returns the C compiler's messages about `translated` with columns of the users' files, or without columns.
pub fn corrected(message: &str, translated: &str) -> String {
    if !message.lines().any(|line| header(line).is_some()) {
        return message.to_owned();
    }
    let map = SourceMap::from_preprocessed(translated);
    let mut finder = Finder {
        lines: lines_by_place(translated, &map),
        translated,
        locator: Locator::new(&map, translated),
    };
    let mut shown = String::new();
    let mut lines = message.split_inclusive('\n').peekable();
    while let Some(line) = lines.next() {
        let Some(header) = header(line) else {
            shown.push_str(line);
            continue;
        };
        let gcc = lines.peek().is_some_and(|next| is_gcc_excerpt(next));
        let (before, after) = (&line[..header.column.start], &line[header.column.end..]);
        match finder.column(&header, gcc) {
            Found::Same => {
                shown.push_str(line);
                continue;
            }
            Found::Column(column) => shown += &format!("{before}{column}{after}"),
            // Removes the colon before the column as well.
            Found::Nowhere => shown += &format!("{}{after}", &before[..before.len() - 1]),
        }
        while lines.peek().is_some_and(|next| is_gcc_excerpt(next)) {
            lines.next();
        }
        if !gcc {
            skip_clang_excerpt(&mut lines);
        }
    }
    shown
}

enum Found {
    /// The column is the user's already.
    Same,
    Column(usize),
    Nowhere,
}

/// The `file:line:column: ` at the start of a message.
struct Header {
    file: String,
    line: u32,
    at: usize,
    /// The byte range of the column's digits.
    column: Range<usize>,
}

/// Parses the place at the start of a message, with or without colours.
fn header(line: &str) -> Option<Header> {
    let mut from = 0;
    while let Some(colon) = line[from..].find(':').map(|at| from + at) {
        from = colon + 1;
        let Some((number, second)) = digits(line, colon + 1) else {
            continue;
        };
        let Some((at, end)) = digits(line, second + 1) else {
            continue;
        };
        let column = second + 1..end;
        let file = without_escapes(&line[..colon]);
        return (!file.starts_with(' ')).then_some(Header {
            file,
            line: number as u32,
            at,
            column,
        });
    }
    None
}

/// Returns a number that is followed by a colon, and the colon's position.
fn digits(line: &str, from: usize) -> Option<(usize, usize)> {
    let rest = line.get(from..)?;
    let end = rest.find(|c: char| !c.is_ascii_digit())?;
    let number = rest[..end].parse().ok()?;
    rest[end..].starts_with(':').then_some((number, from + end))
}

/// Removes the escape sequences that set colours.
pub fn without_escapes(text: &str) -> String {
    let mut parts = text.split('\x1b');
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        plain += part.split_once(['m', 'K']).map_or("", |(_, rest)| rest);
    }
    plain
}

/// Matches `   12 | text` or `      |   ^~`.
fn is_gcc_excerpt(line: &str) -> bool {
    let line = without_escapes(line);
    let text = line.trim_start();
    let text = text.trim_start_matches(|c: char| c.is_ascii_digit());
    line.starts_with(' ') && text.trim_start().starts_with('|')
}

/// Skips a line of source text and the line of markers below it.
fn skip_clang_excerpt<'t>(lines: &mut std::iter::Peekable<impl Iterator<Item = &'t str> + Clone>) {
    let mut ahead = lines.clone();
    ahead.next();
    let marks = ahead.next().map(without_escapes).unwrap_or_default();
    let marks = marks.trim();
    if !marks.is_empty() && marks.chars().all(|c| matches!(c, '^' | '~' | ' ')) {
        lines.nth(1);
    }
}

struct Finder<'t> {
    translated: &'t str,
    /// For each line of a file, the offsets of the lines of translated text that come from it.
    lines: HashMap<(String, u32), Vec<u32>>,
    locator: Locator<'t>,
}

impl Finder<'_> {
    /// Returns the user's column for a place in translated text; all translated lines that come from the user's line
    /// must agree.
    fn column(&mut self, header: &Header, display: bool) -> Found {
        let starts = self.lines.get(&(header.file.clone(), header.line));
        let mut found = None;
        for start in starts.cloned().unwrap_or_default() {
            let length = self.translated[start as usize..].find('\n').unwrap_or(0);
            let Some(own) = self.locator.line_of_user(start) else {
                return Found::Nowhere;
            };
            let offset = match display {
                true => byte_of_display(&own, header.at),
                false => header.at.saturating_sub(1),
            };
            if offset >= length {
                continue;
            }
            let at = start + offset as u32;
            let place = self.locator.place(&(at..at + 1));
            let unsure = place.expansion.is_some_and(|e| e.name.is_none());
            let here = (place.range.start, offset);
            if unsure || found.is_some_and(|known| known != here) {
                return Found::Nowhere;
            }
            found = Some(here);
        }
        match found {
            Some((mapped, offset)) if mapped == offset => Found::Same,
            Some((mapped, _)) => Found::Column(mapped + 1),
            None => Found::Nowhere,
        }
    }
}

/// Returns the byte for a column of gcc's. gcc counts characters of the user's line and expands tabs to the next
/// multiple of eight. Beyond the end of the line each byte is one column.
fn byte_of_display(line: &str, column: usize) -> usize {
    let mut display = 0;
    for (at, c) in line.char_indices() {
        if display + 1 >= column {
            return at;
        }
        display = match c {
            '\t' => (display / 8 + 1) * 8,
            _ => display + 1,
        };
    }
    line.len() + column.saturating_sub(1 + display)
}

fn lines_by_place(text: &str, map: &SourceMap) -> HashMap<(String, u32), Vec<u32>> {
    let mut lines: HashMap<(String, u32), Vec<u32>> = HashMap::new();
    let mut start = 0u32;
    for line in text.split_inclusive('\n') {
        if !line.starts_with('#') && !line.trim().is_empty() {
            let loc = map.lookup(start);
            let place = (map.file(loc.file).to_owned(), loc.line);
            lines.entry(place).or_default().push(start);
        }
        start += line.len() as u32;
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the corrected message about a file whose only line is `own`, translated to `translated`.
    fn shown(own: &str, translated: &str, message: &str) -> String {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("a.upc");
        std::fs::write(&file, own).expect("the folder can be written");
        let name = file.to_string_lossy();
        let text = format!("# 1 \"{name}\"\n{translated}\n");
        corrected(&message.replace('@', &name), &text).replace(&*name, "@")
    }

    #[test]
    fn columns_are_the_users_or_gone() {
        let excerpt = "    1 | x\n      |    ^\n";
        // The user's text unchanged, with a macro, and replaced.
        let same = format!("@:1:5: warning: w\n{excerpt}");
        assert_eq!(shown("int x;", "int x;", &same), same);
        let behind = format!("@:1:15: warning: w\n{excerpt}");
        assert_eq!(
            shown("int M, x;", "int expanded, x;", &behind),
            "@:1:8: warning: w\n"
        );
        let generated = "UPCR_PUT(int, upcr_at1(0, 1), x);";
        let in_generated = format!("@:1:16: error: e\n{excerpt}");
        assert_eq!(
            shown("a[1] = x;", generated, &in_generated),
            "@:1:1: error: e\n"
        );
        // A place in another file, in colours, and text that is not a place.
        assert_eq!(shown("", "", "b.h:3:9: error: e\n"), "b.h:3: error: e\n");
        assert_eq!(
            shown("", "", "\x1b[01m\x1b[Kb.h:3:9:\x1b[m\x1b[K e\n"),
            "\x1b[01m\x1b[Kb.h:3:\x1b[m\x1b[K e\n"
        );
        assert_eq!(
            shown("", "", "cc1: error: at 3:4\n"),
            "cc1: error: at 3:4\n"
        );
    }

    #[test]
    fn tabs_and_letters_are_counted_as_gcc_does() {
        assert_eq!(byte_of_display("\tint x;", 9), 1);
        assert_eq!(byte_of_display("é = x;", 5), 5);
        assert_eq!(byte_of_display("x", 4), 3);
    }
}
