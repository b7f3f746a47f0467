//! The parts of character constants and string literals: a prefix, and characters and escapes between quotes.

use super::LitError;
use super::number::digit_value;
use crate::types::{Abi, IntKind};

/// The prefix of a character constant or string literal, without the `R` of a raw string.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Prefix {
    None,
    Utf8,
    /// `u`
    Char16,
    /// `U`
    Char32,
    /// `L`
    Wide,
}

impl Prefix {
    /// Element type of a string literal.
    pub fn string_kind(self, abi: Abi) -> IntKind {
        match self {
            Prefix::None | Prefix::Utf8 => IntKind::Char,
            Prefix::Char16 => IntKind::UShort,
            Prefix::Char32 => IntKind::UInt,
            Prefix::Wide => abi.wchar(),
        }
    }

    /// Type of a character constant.
    pub fn char_kind(self, abi: Abi) -> IntKind {
        match self {
            Prefix::None => IntKind::Int,
            Prefix::Utf8 => IntKind::UChar,
            other => other.string_kind(abi),
        }
    }

    /// Splits a string literal into its prefix, its contents, and whether it is raw, that is, without escapes.
    pub(super) fn split_string(text: &str) -> Result<(Prefix, &str, bool), LitError> {
        let (prefix, body) = Prefix::split(text, '"')?;
        if !text[..text.len() - body.len() - 1].ends_with("R\"") {
            return Ok((prefix, body, false));
        }
        // The lexer has checked that the delimiter stands at both ends.
        let (delimiter, rest) = body.split_once('(').ok_or(LitError::Unterminated)?;
        let end = rest.len().checked_sub(delimiter.len() + 1);
        let body = end.and_then(|end| rest.get(..end));
        Ok((prefix, body.ok_or(LitError::Unterminated)?, true))
    }

    /// Splits a literal into its prefix and the text between the quotes.
    pub(super) fn split(text: &str, quote: char) -> Result<(Prefix, &str), LitError> {
        let open = text.find(quote).ok_or(LitError::Unterminated)?;
        let prefix = match text[..open].trim_end_matches('R') {
            "u8" => Prefix::Utf8,
            "u" => Prefix::Char16,
            "U" => Prefix::Char32,
            "L" => Prefix::Wide,
            _ => Prefix::None,
        };
        let rest = &text[open + 1..];
        Ok((
            prefix,
            rest.strip_suffix(quote).ok_or(LitError::Unterminated)?,
        ))
    }
}

/// One element of a literal's body.
#[derive(Clone, Copy)]
pub(super) enum Unit {
    /// A source character or universal character name, encoded as the prefix requires.
    Char(char),
    /// The value of an escape: one code unit.
    Code(u32),
}

/// Removes the next element from `body`.
pub(super) fn next_unit(body: &mut &str) -> Result<Option<Unit>, LitError> {
    let mut chars = body.chars();
    let Some(first) = chars.next() else {
        return Ok(None);
    };
    if first != '\\' {
        *body = chars.as_str();
        return Ok(Some(Unit::Char(first)));
    }
    let kind = chars.next().ok_or(LitError::BadEscape)?;
    let rest = chars.as_str();
    let number = |text: &str, radix: u32, max: usize| -> (u32, usize) {
        let digits = text
            .bytes()
            .take(max)
            .take_while(|b| digit_value(*b) < radix)
            .count();
        (
            text.bytes().take(digits).fold(0u32, |v, b| {
                v.wrapping_mul(radix).wrapping_add(digit_value(b))
            }),
            digits,
        )
    };
    let simple = |code: u32| Ok((Unit::Code(code), 0));
    let (unit, used) = match kind {
        'n' => simple(10),
        't' => simple(9),
        'r' => simple(13),
        'a' => simple(7),
        'b' => simple(8),
        'f' => simple(12),
        'v' => simple(11),
        'e' | 'E' => simple(27),
        'x' => match number(rest, 16, usize::MAX) {
            (_, 0) => Err(LitError::BadEscape),
            (value, used) => Ok((Unit::Code(value), used)),
        },
        'u' | 'U' => {
            let want = if kind == 'u' { 4 } else { 8 };
            let (value, used) = number(rest, 16, want);
            let char = char::from_u32(value)
                .filter(|_| used == want)
                .ok_or(LitError::BadEscape)?;
            // C11 6.4.3p2 forbids these.
            if char < '\u{a0}' && !matches!(char, '$' | '@' | '`') {
                return Err(LitError::BasicCharacter);
            }
            Ok((Unit::Char(char), used))
        }
        '0'..='7' => {
            let from = &body[1..];
            let (value, used) = number(from, 8, 3);
            Ok((Unit::Code(value), used - 1))
        }
        // `\'`, `\"`, `\\`, `\?`, and, as in gcc, an unknown escape: the character itself.
        other => Ok((Unit::Char(other), 0)),
    }?;
    *body = &rest[used..];
    Ok(Some(unit))
}
