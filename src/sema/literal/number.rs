//! Integer and floating constants (C11 6.4.4.1, 6.4.4.2), with the suffixes of C23 and gcc.

use super::LitError;
use crate::types::{FloatKind, IntKind};

/// A number as its token spells it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Number {
    /// `value` holds the bits; the kind is `IntKind::Int128` if no standard type fits (as in gcc). `too_large`: the
    /// value exceeds 128 bits.
    Int {
        value: u128,
        kind: IntKind,
        imaginary: bool,
        too_large: bool,
    },
    /// The value is rounded to `double`, which is sufficient for the integer constant expressions that convert it.
    Float {
        value: f64,
        kind: FloatKind,
        imaginary: bool,
    },
}

/// Reads a preprocessing number; C23's digit separators are skipped.
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

/// True for a floating constant, which has a point or an exponent of its base.
fn is_floating(bytes: &[u8], base: u32) -> bool {
    match base {
        16 => bytes.iter().any(|b| matches!(b, b'.' | b'p' | b'P')),
        2 => bytes.contains(&b'.'),
        // The decimal suffixes contain no `e`; `0x` was handled before.
        _ => {
            bytes.iter().any(|b| matches!(b, b'.' | b'e' | b'E'))
                || matches!(bytes, [b'0'..=b'9', ..] if has_float_suffix(bytes))
        }
    }
}

/// True for a suffix of a floating constant. gcc rejects `1f` and `1df`, and `1w` and `1q` too: no integer constant has
/// these suffixes.
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

pub(super) fn digit_value(b: u8) -> u32 {
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

/// The first type in the list of C11 6.4.4.1 that holds the value.
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
    // As in gcc, a value that fits neither is __int128 if decimal and unsuffixed; larger values lose their upper half.
    match () {
        () if suffix.unsigned => ULongLong,
        () if value <= u64::MAX as u128 => Int128,
        () => Int,
    }
}

/// Suffixes of floating constants, without the `i` or `j` that may precede or follow them.
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

/// Reads a hexadecimal constant. Up to 2^64 of mantissa is exact, which is more than the resulting `double` keeps.
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
    // Apply the exponent in two steps, so that the power itself neither overflows nor underflows too early.
    let half = exponent / 2;
    Ok((
        mantissa as f64 * 2f64.powi(half) * 2f64.powi(exponent - half),
        &text[end..],
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
