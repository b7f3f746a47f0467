//! Constants and string literals: from spelling to value and type (C11 6.4.4, 6.4.5, with gcc's extensions).
//!
//! Everything but the seam works on text alone; spans and reports belong to the callers.

use super::Sema;
use crate::types::{Abi, FloatKind, IntKind};
use upcc_grammar::ast;

/// A string literal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StringLiteral {
    /// Element: `char`, or that of the prefix `L`, `u`, `U`; `u8` is `char`.
    pub elem: IntKind,
    /// Elements, the terminating zero included.
    pub len: u64,
}

impl Sema<'_> {
    /// Kind and length where the expression is a string literal, in parentheses or not. Silent: `expr` reports what is wrong with it.
    pub fn string_literal(&mut self, mut id: ast::ExprId) -> Option<StringLiteral> {
        while let ast::ExprKind::Paren(inner) = self.ast[id].kind {
            id = inner;
        }
        let node = &self.ast[id];
        match node.kind {
            ast::ExprKind::Str => self.string_of(node.span).ok(),
            _ => None,
        }
    }

    /// The literal that the tokens of a span make.
    pub(super) fn string_of(&self, span: ast::Span) -> Result<StringLiteral, LitError> {
        let stream = &self.parsed.stream;
        let abi = self.types.abi;
        let texts = (span.lo..span.hi).map(|token| stream.token_text(token));
        let (prefix, units) = string_length(texts, abi)?;
        Ok(StringLiteral {
            elem: prefix.string_kind(abi),
            len: units + 1,
        })
    }
}

/// A number as its token spells it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Number {
    /// `value` holds the bits; `IntKind::Int128` where no standard type fits (as gcc does). `too_large`: not even 128 bits hold it.
    Int {
        value: u128,
        kind: IntKind,
        imaginary: bool,
        too_large: bool,
    },
    /// The value is rounded to `double`: enough for the integer constant expressions that convert it.
    Float {
        value: f64,
        kind: FloatKind,
        imaginary: bool,
    },
}

/// What is wrong with a constant's spelling.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LitError {
    /// `09`, `0b2`
    BadDigit,
    /// `0x`, `0b`, `1e+`
    NoDigits,
    BadSuffix,
    /// A hexadecimal floating constant needs `p`.
    NoExponent,
    EmptyChar,
    Unterminated,
    /// `\x` or `\u` without digits.
    BadEscape,
    /// A character that its code unit cannot hold, or several in a wide constant.
    TooWide,
    /// `L"a" u"b"`
    MixedPrefixes,
}

impl LitError {
    /// The message, without the spelling.
    pub fn text(self) -> &'static str {
        match self {
            LitError::BadDigit => "a digit does not belong to the base of this constant",
            LitError::NoDigits => "this constant has no digits where some are needed",
            LitError::BadSuffix => "invalid suffix on a constant",
            LitError::NoExponent => "a hexadecimal floating constant needs an exponent (`p`)",
            LitError::EmptyChar => "empty character constant",
            LitError::Unterminated => "missing closing quote",
            LitError::BadEscape => "escape sequence without the digits it needs",
            LitError::TooWide => "character constant too long for its type",
            LitError::MixedPrefixes => {
                "adjacent string literals with different prefixes cannot be joined"
            }
        }
    }
}

/// Reads a preprocessing number; C23's digit separators are no part of its value.
pub fn number(text: &str) -> Result<Number, LitError> {
    if text.contains('\'') {
        return number(&text.replace('\'', ""));
    }
    let bytes = text.as_bytes();
    let second = bytes.get(1).map(u8::to_ascii_lowercase);
    let base = match (bytes.first(), second) {
        (Some(b'0'), Some(b'x')) => 16,
        (Some(b'0'), Some(b'b')) => 2,
        _ => 10,
    };
    if is_floating(bytes, base) {
        return floating(text, base == 16);
    }
    let (digits, base) = match base {
        10 if bytes.first() == Some(&b'0') && bytes.len() > 1 && bytes[1].is_ascii_digit() => {
            (&bytes[1..], 8)
        }
        10 => (bytes, 10),
        _ => (&bytes[2..], base),
    };
    let len = digits
        .iter()
        .position(|b| !is_digit(*b, base.max(10)))
        .unwrap_or(digits.len());
    if len == 0 {
        return Err(LitError::NoDigits);
    }
    let mut value: u128 = 0;
    let mut too_large = false;
    for &b in &digits[..len] {
        let digit = digit_value(b);
        if digit >= base {
            return Err(LitError::BadDigit);
        }
        (value, too_large) = match value
            .checked_mul(base.into())
            .and_then(|v| v.checked_add(digit.into()))
        {
            Some(v) => (v, too_large),
            None => (
                value.wrapping_mul(base.into()).wrapping_add(digit.into()),
                true,
            ),
        };
    }
    let suffix = int_suffix(&digits[len..])?;
    Ok(Number::Int {
        value,
        kind: int_kind(value, base == 10, suffix),
        imaginary: suffix.imaginary,
        too_large,
    })
}

/// A floating constant has a point, or an exponent of its base.
fn is_floating(bytes: &[u8], base: u32) -> bool {
    match base {
        16 => bytes.iter().any(|b| matches!(b, b'.' | b'p' | b'P')),
        2 => bytes.contains(&b'.'),
        // The decimal suffixes have no `e`; `0x` was taken out before.
        _ => {
            bytes.iter().any(|b| matches!(b, b'.' | b'e' | b'E'))
                || matches!(bytes, [b'0'..=b'9', ..] if has_float_suffix(bytes))
        }
    }
}

/// gcc takes `1f`, `1df` for an error; `1w` and `1q` too: no integer constant has these suffixes.
fn has_float_suffix(bytes: &[u8]) -> bool {
    let end = bytes
        .iter()
        .position(|b| !b.is_ascii_digit())
        .unwrap_or(bytes.len());
    matches!(
        bytes.get(end),
        Some(b'f' | b'F' | b'd' | b'D' | b'w' | b'W' | b'q' | b'Q')
    )
}

fn digit_value(b: u8) -> u32 {
    match b {
        b'0'..=b'9' => u32::from(b - b'0'),
        b'a'..=b'f' => u32::from(b - b'a') + 10,
        b'A'..=b'F' => u32::from(b - b'A') + 10,
        _ => u32::MAX,
    }
}

fn is_digit(b: u8, base: u32) -> bool {
    if base == 16 {
        b.is_ascii_hexdigit()
    } else {
        b.is_ascii_digit()
    }
}

#[derive(Clone, Copy, Default)]
struct IntSuffix {
    unsigned: bool,
    /// 0, 1 (`l`) or 2 (`ll`).
    longs: u8,
    imaginary: bool,
}

fn int_suffix(mut rest: &[u8]) -> Result<IntSuffix, LitError> {
    let mut suffix = IntSuffix::default();
    while let Some(&b) = rest.first() {
        let mut used = 1;
        match b {
            b'u' | b'U' if !suffix.unsigned => suffix.unsigned = true,
            b'i' | b'I' | b'j' | b'J' if !suffix.imaginary => suffix.imaginary = true,
            b'l' | b'L' if suffix.longs == 0 => {
                used = if rest.get(1) == Some(&b) { 2 } else { 1 };
                suffix.longs = used as u8;
            }
            _ => return Err(LitError::BadSuffix),
        }
        rest = &rest[used..];
    }
    Ok(suffix)
}

/// The first type of C11 6.4.4.1's list that holds the value.
fn int_kind(value: u128, decimal: bool, suffix: IntSuffix) -> IntKind {
    use IntKind::*;
    const LADDER: [[(IntKind, u128); 2]; 3] = [
        [(Int, i32::MAX as u128), (UInt, u32::MAX as u128)],
        [(Long, i64::MAX as u128), (ULong, u64::MAX as u128)],
        [(LongLong, i64::MAX as u128), (ULongLong, u64::MAX as u128)],
    ];
    for [signed, unsigned] in &LADDER[suffix.longs as usize..] {
        if !suffix.unsigned && value <= signed.1 {
            return signed.0;
        }
        if (suffix.unsigned || !decimal) && value <= unsigned.1 {
            return unsigned.0;
        }
    }
    // gcc: what fits neither is __int128 if decimal and unsuffixed; larger values lose their upper half.
    match () {
        () if suffix.unsigned => ULongLong,
        () if value <= u64::MAX as u128 => Int128,
        () => Int,
    }
}

/// Suffixes of floating constants, without the `i` or `j` that may stand on either side.
const FLOAT_SUFFIXES: [(&str, FloatKind); 14] = [
    ("", FloatKind::Double),
    ("f", FloatKind::Float),
    ("l", FloatKind::LongDouble),
    ("w", FloatKind::LongDouble),
    ("q", FloatKind::Float128),
    ("f16", FloatKind::Float16),
    ("f32", FloatKind::Float32),
    ("f64", FloatKind::Float64),
    ("f128", FloatKind::Float128),
    ("f32x", FloatKind::Float32x),
    ("f64x", FloatKind::Float64x),
    ("df", FloatKind::Decimal32),
    ("dd", FloatKind::Decimal64),
    ("dl", FloatKind::Decimal128),
];

fn floating(text: &str, hex: bool) -> Result<Number, LitError> {
    let (value, rest) = if hex {
        hex_float(text)?
    } else {
        decimal_float(text)?
    };
    let mut suffix = rest.to_ascii_lowercase();
    let imaginary = match suffix.find(['i', 'j']) {
        Some(at) => {
            suffix.remove(at);
            true
        }
        None => false,
    };
    let kind = FLOAT_SUFFIXES
        .iter()
        .find(|(name, _)| *name == suffix)
        .map(|&(_, kind)| kind)
        .ok_or(LitError::BadSuffix)?;
    Ok(Number::Float {
        value,
        kind,
        imaginary,
    })
}

/// The value and the suffix.
fn decimal_float(text: &str) -> Result<(f64, &str), LitError> {
    let bytes = text.as_bytes();
    let mut end = bytes
        .iter()
        .position(|b| !b.is_ascii_digit() && *b != b'.')
        .unwrap_or(bytes.len());
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        let digits = bytes[end + 1 + sign..]
            .iter()
            .take_while(|b| b.is_ascii_digit())
            .count();
        if digits == 0 {
            return Err(LitError::NoDigits);
        }
        end += 1 + sign + digits;
    }
    let value = text[..end].parse().map_err(|_| LitError::BadSuffix)?;
    Ok((value, &text[end..]))
}

/// Hexadecimal: up to 2^64 of mantissa is exact, which is more than the `double` of the result keeps.
fn hex_float(text: &str) -> Result<(f64, &str), LitError> {
    let bytes = text.as_bytes();
    let (mut mantissa, mut exponent, mut at, mut point, mut digits) = (0u64, 0i64, 2, false, 0);
    while let Some(&b) = bytes.get(at) {
        if b == b'.' && !point {
            point = true;
        } else if b.is_ascii_hexdigit() {
            digits += 1;
            if mantissa >> 60 == 0 {
                mantissa = mantissa << 4 | u64::from(digit_value(b));
                exponent -= if point { 4 } else { 0 };
            } else {
                exponent += if point { 0 } else { 4 };
            }
        } else {
            break;
        }
        at += 1;
    }
    if digits == 0 {
        return Err(LitError::NoDigits);
    }
    if !matches!(bytes.get(at), Some(b'p' | b'P')) {
        return Err(LitError::NoExponent);
    }
    let sign = usize::from(matches!(bytes.get(at + 1), Some(b'+' | b'-')));
    let start = at + 1 + sign;
    let end = start
        + bytes[start..]
            .iter()
            .take_while(|b| b.is_ascii_digit())
            .count();
    if end == start {
        return Err(LitError::NoDigits);
    }
    let written: i64 = text[start..end].parse().unwrap_or(1 << 20);
    exponent += if bytes[at + 1] == b'-' {
        -written
    } else {
        written
    };
    let exponent = exponent.clamp(-2000, 2000) as i32;
    // Two steps, so that the power itself neither overflows nor vanishes too early.
    let half = exponent / 2;
    Ok((
        mantissa as f64 * 2f64.powi(half) * 2f64.powi(exponent - half),
        &text[end..],
    ))
}

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
    /// Type of an element of a string literal (x86-64 and aarch64 Linux: `wchar_t` is `int`).
    pub fn string_kind(self, abi: Abi) -> IntKind {
        match self {
            Prefix::None | Prefix::Utf8 => IntKind::Char,
            Prefix::Char16 => IntKind::UShort,
            Prefix::Char32 => IntKind::UInt,
            Prefix::Wide if abi.short_wchar => IntKind::UShort,
            Prefix::Wide => IntKind::Int,
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

    /// Splits a string literal into prefix, the text it stands for, and whether that is raw: without escapes.
    fn split_string(text: &str) -> Result<(Prefix, &str, bool), LitError> {
        let (prefix, body) = Prefix::split(text, '"')?;
        if !text[..text.len() - body.len() - 1].ends_with("R\"") {
            return Ok((prefix, body, false));
        }
        // The lexer has seen that the delimiter stands at both ends.
        let (delimiter, rest) = body.split_once('(').ok_or(LitError::Unterminated)?;
        let end = rest.len().checked_sub(delimiter.len() + 1);
        let body = end.and_then(|end| rest.get(..end));
        Ok((prefix, body.ok_or(LitError::Unterminated)?, true))
    }

    /// Splits a literal into prefix and the text between the quotes.
    fn split(text: &str, quote: char) -> Result<(Prefix, &str), LitError> {
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
enum Unit {
    /// A source character or universal character name: encoded as the prefix asks.
    Char(char),
    /// An escape's value: one code unit.
    Code(u32),
}

/// Takes the next element off `body`.
fn next_unit(body: &mut &str) -> Result<Option<Unit>, LitError> {
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
            Ok((Unit::Char(char), used))
        }
        '0'..='7' => {
            let from = &body[1..];
            let (value, used) = number(from, 8, 3);
            Ok((Unit::Code(value), used - 1))
        }
        // `\'`, `\"`, `\\`, `\?`, and gcc's reading of an unknown escape: the character itself.
        other => Ok((Unit::Char(other), 0)),
    }?;
    *body = &rest[used..];
    Ok(Some(unit))
}

/// A character constant: its value (sign as the type has it) and its type.
pub fn character(text: &str, abi: Abi) -> Result<(i64, IntKind), LitError> {
    let (prefix, mut body) = Prefix::split(text, '\'')?;
    if body.is_empty() {
        return Err(LitError::EmptyChar);
    }
    if prefix == Prefix::None {
        return narrow_character(body, abi);
    }
    // `split` leaves at least one character, so there is a unit.
    let value = match next_unit(&mut body)? {
        Some(Unit::Char(c)) => c as u32,
        Some(Unit::Code(code)) => code,
        None => return Err(LitError::EmptyChar),
    };
    let kind = prefix.char_kind(abi);
    let fits = match prefix {
        Prefix::Utf8 => value <= 0xff,
        Prefix::Char16 => value <= 0xffff,
        Prefix::Wide if abi.short_wchar => value <= 0xffff,
        _ => true,
    };
    if !body.is_empty() || !fits {
        return Err(LitError::TooWide);
    }
    Ok((
        if kind == IntKind::Int {
            i64::from(value as i32)
        } else {
            i64::from(value)
        },
        kind,
    ))
}

/// gcc: one byte is a `char`, several are packed into an `int`, the last four count.
fn narrow_character(mut body: &str, abi: Abi) -> Result<(i64, IntKind), LitError> {
    let (mut value, mut count) = (0u32, 0);
    let mut buffer = [0; 4];
    while let Some(unit) = next_unit(&mut body)? {
        match unit {
            Unit::Code(code) => {
                value = value << 8 | (code & 0xff);
                count += 1;
            }
            Unit::Char(c) => {
                for &byte in c.encode_utf8(&mut buffer).as_bytes() {
                    value = value << 8 | u32::from(byte);
                    count += 1;
                }
            }
        }
    }
    let value = match count {
        1 if abi.unsigned_char => i64::from(value as u8),
        1 => i64::from(value as u8 as i8),
        _ => i64::from(value as i32),
    };
    Ok((value, IntKind::Int))
}

/// Adjacent string literals joined: prefix and number of code units without the final zero.
pub fn string_length<'t>(
    tokens: impl Iterator<Item = &'t str> + Clone,
    abi: Abi,
) -> Result<(Prefix, u64), LitError> {
    let mut units = 0;
    let prefix = each_unit(tokens, abi, |_, width| units += width)?;
    Ok((prefix, units))
}

/// What `strlen` says of adjacent string literals: prefix and number of code units before the first zero.
pub fn string_extent<'t>(
    tokens: impl Iterator<Item = &'t str> + Clone,
    abi: Abi,
) -> Result<(Prefix, u64), LitError> {
    let (mut units, mut ended) = (0, false);
    let prefix = each_unit(tokens, abi, |unit, width| {
        ended |= matches!(unit, Unit::Code(0) | Unit::Char('\0'));
        units += if ended { 0 } else { width };
    })?;
    Ok((prefix, units))
}

/// Hands each element of adjacent string literals to `take`, with the number of its code units; answers the prefix that all have.
fn each_unit<'t>(
    tokens: impl Iterator<Item = &'t str> + Clone,
    abi: Abi,
    mut take: impl FnMut(Unit, u64),
) -> Result<Prefix, LitError> {
    let mut prefix = Prefix::None;
    for text in tokens.clone() {
        match Prefix::split_string(text)?.0 {
            Prefix::None => {}
            new if prefix == Prefix::None || prefix == new => prefix = new,
            _ => return Err(LitError::MixedPrefixes),
        }
    }
    let width = |unit| match (unit, prefix) {
        (Unit::Code(_), _) => 1,
        (Unit::Char(c), Prefix::None | Prefix::Utf8) => c.len_utf8() as u64,
        (Unit::Char(c), Prefix::Char16) => c.len_utf16() as u64,
        (Unit::Char(c), Prefix::Wide) if abi.short_wchar => c.len_utf16() as u64,
        (Unit::Char(_), Prefix::Char32 | Prefix::Wide) => 1,
    };
    for text in tokens {
        let (_, mut body, raw) = Prefix::split_string(text)?;
        if raw {
            body.chars()
                .for_each(|c| take(Unit::Char(c), width(Unit::Char(c))));
            continue;
        }
        while let Some(unit) = next_unit(&mut body)? {
            take(unit, width(unit));
        }
    }
    Ok(prefix)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ABI: Abi = Abi {
        unsigned_char: false,
        short_enums: false,
        short_wchar: false,
        pack: 0,
    };

    fn int(text: &str) -> (u128, IntKind) {
        match number(text) {
            Ok(Number::Int { value, kind, .. }) => (value, kind),
            other => panic!("{text}: {other:?}"),
        }
    }

    #[test]
    fn integers() {
        assert_eq!(int("0"), (0, IntKind::Int));
        assert_eq!(int("0x80000000"), (1 << 31, IntKind::UInt));
        assert_eq!(int("2147483648"), (1 << 31, IntKind::Long));
        assert_eq!(int("0b101uL"), (5, IntKind::ULong));
        assert_eq!(int("0777"), (511, IntKind::Int));
        assert_eq!(int("0b1010'0101u"), (165, IntKind::UInt));
        assert_eq!(int("9223372036854775808"), (1 << 63, IntKind::Int128));
        assert_eq!(
            int("18446744073709551615ULL"),
            ((1 << 64) - 1, IntKind::ULongLong)
        );
        assert_eq!(number("09"), Err(LitError::BadDigit));
        assert_eq!(number("1lL"), Err(LitError::BadSuffix));
        assert_eq!(number("0x"), Err(LitError::NoDigits));
        assert_eq!(number("1z"), Err(LitError::BadSuffix));
    }

    #[test]
    fn floats() {
        let float = |text| match number(text) {
            Ok(Number::Float { value, kind, .. }) => (value, kind),
            other => panic!("{text}: {other:?}"),
        };
        assert_eq!(float("1e3"), (1000.0, FloatKind::Double));
        assert_eq!(float(".5f"), (0.5, FloatKind::Float));
        assert_eq!(float("1.L"), (1.0, FloatKind::LongDouble));
        assert_eq!(float("0x1.8p3"), (12.0, FloatKind::Double));
        assert_eq!(float("0x.1p-4f128"), (1.0 / 256.0, FloatKind::Float128));
        assert_eq!(float("1.0if").1, FloatKind::Float);
        assert_eq!(number("0x1.8"), Err(LitError::NoExponent));
        assert_eq!(number("1e+"), Err(LitError::NoDigits));
        assert_eq!(number("1.0z"), Err(LitError::BadSuffix));
    }

    #[test]
    fn characters() {
        assert_eq!(character("'a'", ABI), Ok((97, IntKind::Int)));
        assert_eq!(character("'\\377'", ABI), Ok((-1, IntKind::Int)));
        let unsigned = Abi {
            unsigned_char: true,
            short_wchar: true,
            ..ABI
        };
        assert_eq!(character("'\\377'", unsigned), Ok((255, IntKind::Int)));
        assert_eq!(character("L'a'", unsigned), Ok((97, IntKind::UShort)));
        assert_eq!(character("'ab'", ABI), Ok((24930, IntKind::Int)));
        assert_eq!(character("'\\''", ABI), Ok((39, IntKind::Int)));
        assert_eq!(
            character("L'\\x80000000'", ABI),
            Ok((-2_147_483_648, IntKind::Int))
        );
        assert_eq!(
            character("U'\\U0001F600'", ABI),
            Ok((0x1_F600, IntKind::UInt))
        );
        assert_eq!(character("u'ab'", ABI), Err(LitError::TooWide));
        assert_eq!(character("''", ABI), Err(LitError::EmptyChar));
        assert_eq!(character("'", ABI), Err(LitError::Unterminated));
        assert_eq!(character("'\\x'", ABI), Err(LitError::BadEscape));
    }

    #[test]
    fn strings() {
        let length = |tokens: &[&'static str]| string_length(tokens.iter().copied(), ABI);
        assert_eq!(length(&["\"abc\"", "\"de\""]), Ok((Prefix::None, 5)));
        assert_eq!(length(&["\"a\"", "L\"b\\x41\""]), Ok((Prefix::Wide, 3)));
        assert_eq!(length(&["u\"\\U0001F600\""]), Ok((Prefix::Char16, 2)));
        assert_eq!(length(&["u8\"\\u00e9\""]), Ok((Prefix::Utf8, 2)));
        assert_eq!(length(&["u\"a\"", "L\"b\""]), Err(LitError::MixedPrefixes));
        assert_eq!(length(&["\"\\1012\""]), Ok((Prefix::None, 2)));
        assert_eq!(
            length(&["LR\"x(a\\n)\")x\"", "\"b\""]),
            Ok((Prefix::Wide, 6))
        );
        assert_eq!(
            string_extent(["\"ab\\0c\"", "\"d\""].into_iter(), ABI),
            Ok((Prefix::None, 2))
        );
    }
}
