//! Character constants (C11 6.4.4.4).

use super::LitError;
use super::unit::{Prefix, Unit, next_unit};
use crate::types::{Abi, IntKind};

/// Returns the value (with the sign of its type) and the type of a character constant.
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

/// As in gcc, one byte is a `char`; several are packed into an `int`, of which the last four count.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sema::literal::ABI;

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
}
