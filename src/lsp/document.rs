//! The text of an open document, and places in it. The protocol counts columns in UTF-16 units.

use lsp_types::{Position, Range, TextDocumentContentChangeEvent};

/// A document that the editor has open.
#[derive(Debug)]
pub struct Document {
    pub version: i32,
    pub text: String,
}

impl Document {
    /// Applies the changes of one notification, in order.
    pub fn change(&mut self, changes: Vec<TextDocumentContentChangeEvent>) {
        for change in changes {
            match change.range {
                Some(range) => {
                    let start = offset(&self.text, range.start);
                    let end = offset(&self.text, range.end).max(start);
                    self.text.replace_range(start..end, &change.text);
                }
                None => self.text = change.text,
            }
        }
    }
}

/// Returns the byte at which line `number` (from 0) begins; the end of the text if it has fewer lines.
pub fn line_start(text: &str, number: u32) -> usize {
    match number.checked_sub(1) {
        None => 0,
        Some(before) => memchr::memchr_iter(b'\n', text.as_bytes())
            .nth(before as usize)
            .map_or(text.len(), |at| at + 1),
    }
}

/// Returns the byte at a position. A column beyond the end of its line is the end of the line.
pub fn offset(text: &str, position: Position) -> usize {
    let start = line_start(text, position.line);
    let line = text[start..].split('\n').next().unwrap_or_default();
    start + byte_column(line, position.character)
}

/// Returns the byte at a column of UTF-16 units.
pub fn byte_column(line: &str, units: u32) -> usize {
    let mut left = units as usize;
    for (at, letter) in line.char_indices() {
        if left < letter.len_utf16() {
            return at;
        }
        left -= letter.len_utf16();
    }
    line.len()
}

/// Returns the column in UTF-16 units at a byte of a line.
pub fn units(line: &str, byte: usize) -> u32 {
    let before = line.get(..byte).unwrap_or(line);
    before.chars().map(char::len_utf16).sum::<usize>() as u32
}

/// Returns the position of a byte, which must be at a character.
pub fn position(text: &str, offset: usize) -> Position {
    let before = text.get(..offset).unwrap_or(text);
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    let line = memchr::memchr_iter(b'\n', before.as_bytes()).count() as u32;
    Position::new(line, units(&before[start..], offset - start))
}

/// Returns the range of bytes as positions.
pub fn range(text: &str, bytes: &std::ops::Range<usize>) -> Range {
    Range::new(position(text, bytes.start), position(text, bytes.end))
}

/// Returns the bytes of the word that contains `offset` or ends there; empty if there is none.
pub fn word(text: &str, offset: usize) -> std::ops::Range<usize> {
    let of_name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || !byte.is_ascii();
    let bytes = text.as_bytes();
    let before = bytes[..offset].iter().rev().take_while(|b| of_name(b));
    let after = bytes[offset..].iter().take_while(|b| of_name(b));
    offset - before.count()..offset + after.count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_utf16() {
        let text = "int a;\n/* 𝄞 */ int bä;\n";
        let at = offset(text, Position::new(1, 13));
        assert_eq!(&text[at..at + 1], "b");
        assert_eq!(position(text, at), Position::new(1, 13));
        assert_eq!(&text[word(text, at)], "bä");
        assert_eq!(offset(text, Position::new(0, 99)), 6);
        assert_eq!(offset(text, Position::new(9, 0)), text.len());
    }

    #[test]
    fn changes_apply_in_order() {
        let mut document = Document {
            version: 1,
            text: "int a;\nint b;\n".to_owned(),
        };
        let edit =
            |start: (u32, u32), end: (u32, u32), text: &str| TextDocumentContentChangeEvent {
                range: Some(Range::new(
                    Position::new(start.0, start.1),
                    Position::new(end.0, end.1),
                )),
                range_length: None,
                text: text.to_owned(),
            };
        document.change(vec![edit((0, 4), (0, 5), "xy"), edit((0, 6), (1, 0), ";")]);
        assert_eq!(document.text, "int xy;int b;\n");
    }
}
