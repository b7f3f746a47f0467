//! Splits the format of `printf`, `scanf` or `strftime` (C11 7.21.6, 7.27.3.5) into conversions, with the bytes of the
//! source that each is written in.

use super::Family;
use std::ops::Range;

/// A character of a string literal, and the bytes that it is written in.
#[derive(Clone, Debug)]
pub struct Letter {
    pub letter: char,
    pub bytes: Range<u32>,
}

/// A length modifier.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Length {
    None,
    Char,
    Short,
    Long,
    LongLong,
    IntMax,
    Size,
    PtrDiff,
    LongDouble,
}

/// The spellings of length modifiers, longer ones first.
pub const LENGTHS: [(&str, Length); 10] = [
    ("hh", Length::Char),
    ("h", Length::Short),
    ("ll", Length::LongLong),
    ("l", Length::Long),
    ("q", Length::LongLong),
    ("j", Length::IntMax),
    ("z", Length::Size),
    ("Z", Length::Size),
    ("t", Length::PtrDiff),
    ("L", Length::LongDouble),
];

/// A field width or precision.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Number {
    None,
    Given,
    /// `*`, or `*2$` with the number of the argument.
    Argument(Option<u32>),
}

/// One conversion.
#[derive(Clone, Debug)]
pub struct Conversion {
    /// As it is written, without escapes.
    pub text: String,
    pub bytes: Range<u32>,
    /// `%2$d`: the number of the argument.
    pub position: Option<u32>,
    pub flags: String,
    pub width: Number,
    pub precision: Number,
    /// Where `text` has what follows the field width.
    pub after_width: usize,
    pub length: Length,
    /// Where `text` has the length modifier.
    pub before_length: usize,
    /// `%*d` of `scanf`.
    pub suppressed: bool,
    /// `%ms` of `scanf` allocates.
    pub allocates: bool,
    pub letter: char,
}

/// What a format consists of.
#[derive(Clone, Debug)]
pub enum Piece {
    Conversion(Conversion),
    /// It ends within a conversion, which is in these bytes.
    Unfinished(Range<u32>),
}

/// Reads the letters of a format.
struct Reader<'l> {
    letters: &'l [Letter],
    at: usize,
}

impl Reader<'_> {
    fn peek(&self) -> Option<char> {
        self.letters.get(self.at).map(|letter| letter.letter)
    }

    fn take(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        self.at += usize::from(found);
        found
    }

    fn take_all(&mut self, set: &str) -> String {
        let mut taken = String::new();
        while let Some(letter) = self.peek().filter(|&letter| set.contains(letter)) {
            taken.push(letter);
            self.at += 1;
        }
        taken
    }

    fn number(&mut self) -> Option<u32> {
        self.take_all("0123456789").parse().ok()
    }

    /// Takes `12$`, or nothing.
    fn position(&mut self) -> Option<u32> {
        let start = self.at;
        let number = self.number();
        if number.is_some() && self.take('$') {
            return number;
        }
        self.at = start;
        None
    }

    fn starred(&mut self) -> Number {
        if self.take('*') {
            return Number::Argument(self.position());
        }
        match self.number() {
            Some(_) => Number::Given,
            None => Number::None,
        }
    }

    fn length(&mut self) -> Length {
        for (spelled, length) in LENGTHS {
            let start = self.at;
            if spelled.chars().all(|letter| self.take(letter)) {
                return length;
            }
            self.at = start;
        }
        Length::None
    }
}

/// Returns the conversions of a format; `%%` is none.
pub fn pieces(letters: &[Letter], family: Family) -> Vec<Piece> {
    let mut reader = Reader { letters, at: 0 };
    let mut found = Vec::new();
    while reader.at < letters.len() {
        let start = reader.at;
        if !reader.take('%') {
            reader.at += 1;
            continue;
        }
        if reader.take('%') {
            continue;
        }
        let conversion = match family {
            Family::Printf => printf(&mut reader, start),
            Family::Scanf => scanf(&mut reader, start),
            Family::Strftime => strftime(&mut reader, start),
        };
        found.push(match conversion {
            Some(conversion) => Piece::Conversion(conversion),
            None => Piece::Unfinished(bytes(&letters[start..])),
        });
    }
    found
}

fn bytes(letters: &[Letter]) -> Range<u32> {
    let start = letters.first().map_or(0, |letter| letter.bytes.start);
    start..letters.last().map_or(start, |letter| letter.bytes.end)
}

/// A conversion that has been read up to its letter.
fn finished(reader: &mut Reader<'_>, start: usize, head: Head) -> Option<Conversion> {
    // A percent sign that was meant to be one often precedes a blank or the end of the line.
    let letter = reader.peek().filter(char::is_ascii_graphic)?;
    reader.at += 1;
    let letters = &reader.letters[start..reader.at];
    let text: String = letters.iter().map(|letter| letter.letter).collect();
    Some(Conversion {
        bytes: bytes(letters),
        text,
        position: head.position,
        flags: head.flags,
        width: head.width,
        precision: head.precision,
        after_width: head.after_width - start,
        length: head.length,
        before_length: head.before_length - start,
        suppressed: head.suppressed,
        allocates: head.allocates,
        letter,
    })
}

/// What precedes the letter of a conversion. Indices are those of letters.
struct Head {
    position: Option<u32>,
    flags: String,
    width: Number,
    precision: Number,
    after_width: usize,
    length: Length,
    before_length: usize,
    suppressed: bool,
    allocates: bool,
}

fn printf(reader: &mut Reader<'_>, start: usize) -> Option<Conversion> {
    let position = reader.position();
    let flags = reader.take_all("-+ #0'I");
    let width = reader.starred();
    let after_width = reader.at;
    let precision = match reader.take('.') {
        true => match reader.starred() {
            // A precision without digits is 0.
            Number::None => Number::Given,
            number => number,
        },
        false => Number::None,
    };
    let before_length = reader.at;
    let length = reader.length();
    let head = Head {
        position,
        flags,
        width,
        precision,
        after_width,
        length,
        before_length,
        suppressed: false,
        allocates: false,
    };
    finished(reader, start, head)
}

fn scanf(reader: &mut Reader<'_>, start: usize) -> Option<Conversion> {
    let position = reader.position();
    let mut suppressed = reader.take('*');
    let flags = reader.take_all("'I");
    suppressed |= reader.take('*');
    let width = match reader.number() {
        Some(_) => Number::Given,
        None => Number::None,
    };
    let after_width = reader.at;
    let allocates = reader.take('m');
    let before_length = reader.at;
    let length = reader.length();
    let head = Head {
        position,
        flags,
        width,
        precision: Number::None,
        after_width,
        length,
        before_length,
        suppressed,
        allocates,
    };
    let conversion = finished(reader, start, head)?;
    if conversion.letter == '[' {
        skip_set(reader)?;
    }
    Some(conversion)
}

/// Skips the set of `%[^a-z]`, in which a first `]` stands for itself.
fn skip_set(reader: &mut Reader<'_>) -> Option<()> {
    reader.take('^');
    reader.take(']');
    while !reader.take(']') {
        reader.peek()?;
        reader.at += 1;
    }
    Some(())
}

fn strftime(reader: &mut Reader<'_>, start: usize) -> Option<Conversion> {
    let flags = reader.take_all("_-0^#");
    reader.number();
    let after_width = reader.at;
    reader.take_all("EO");
    let head = Head {
        position: None,
        flags,
        width: Number::None,
        precision: Number::None,
        after_width,
        length: Length::None,
        before_length: after_width,
        suppressed: true,
        allocates: false,
    };
    finished(reader, start, head)
}

/// The letters of adjacent string literals, given with their first bytes; `None` if their characters are not `char`, or
/// if the text cannot be told from the escapes.
pub fn letters<'t>(tokens: impl Iterator<Item = (&'t str, u32)>) -> Option<Vec<Letter>> {
    let mut letters = Vec::new();
    for (token, start) in tokens {
        let open = token.find('"')?;
        if !matches!(&token[..open], "" | "u8") {
            return None;
        }
        let body = token[open + 1..].strip_suffix('"')?;
        let mut chars = body.char_indices().peekable();
        while let Some((at, letter)) = chars.next() {
            let from = start + (open + 1 + at) as u32;
            let mut value = letter;
            if letter == '\\' {
                let (_, escape) = chars.next()?;
                value = escaped(escape);
                if escape == 'x' || escape.is_digit(8) {
                    let more = |c: char| match escape {
                        'x' => c.is_ascii_hexdigit(),
                        _ => c.is_digit(8),
                    };
                    let mut digits = match escape {
                        'x' => String::new(),
                        digit => digit.to_string(),
                    };
                    while let Some((_, digit)) =
                        chars.next_if(|&(_, c)| more(c) && (escape == 'x' || digits.len() < 3))
                    {
                        digits.push(digit);
                    }
                    let radix = if escape == 'x' { 16 } else { 8 };
                    value = match u32::from_str_radix(&digits, radix) {
                        // The string ends here, or the escape spells a letter of a conversion.
                        Ok(0 | 0x20..=0x7e) => return None,
                        _ => '\u{fffd}',
                    };
                }
            }
            let end = chars.peek().map_or(body.len(), |&(at, _)| at);
            let bytes = from..start + (open + 1 + end) as u32;
            letters.push(Letter {
                letter: value,
                bytes,
            });
        }
    }
    Some(letters)
}

/// What a simple escape means, as far as formats are concerned.
fn escaped(letter: char) -> char {
    match letter {
        '"' | '\'' | '\\' | '?' => letter,
        _ => '\u{fffd}',
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str, family: Family) -> Vec<(String, u32)> {
        let letters = letters(std::iter::once((text, 10))).unwrap();
        let pieces = pieces(&letters, family);
        let shown = pieces.into_iter().map(|piece| match piece {
            Piece::Conversion(it) => (it.text, it.bytes.start),
            Piece::Unfinished(bytes) => ("unfinished".to_owned(), bytes.start),
        });
        shown.collect()
    }

    #[test]
    fn conversions_and_their_places() {
        let text = r#""\t%d %%%-5.*lf\n%2$s %""#;
        let found = of(text, Family::Printf);
        let found: Vec<(&str, u32)> = found.iter().map(|(t, at)| (&**t, *at)).collect();
        assert_eq!(
            found,
            [
                ("%d", 13),
                ("%-5.*lf", 18),
                ("%2$s", 27),
                ("unfinished", 32)
            ]
        );
        let scanned = of(r#""%*d%[^]a]%5hhd%m[a""#, Family::Scanf);
        let scanned: Vec<&str> = scanned.iter().map(|(t, _)| &**t).collect();
        assert_eq!(scanned, ["%*d", "%[", "%5hhd", "unfinished"]);
        assert!(letters(std::iter::once((r#""a\0%d""#, 0))).is_none());
        assert!(letters(std::iter::once((r#"L"%d""#, 0))).is_none());
    }
}
