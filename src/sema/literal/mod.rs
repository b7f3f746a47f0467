//! Constants and string literals: from spelling to value and type (C11 6.4.4, 6.4.5, with gcc's extensions).
//!
//! Everything but the seam to [`Sema`](super::Sema) in `string` works on text alone; spans and reports belong to the callers.

mod character;
mod number;
mod string;
mod unit;

pub use character::character;
pub use number::{Number, number};
pub use string::string_extent;
pub use unit::Prefix;

#[cfg(test)]
use crate::types::Abi;
use crate::types::IntKind;

/// A string literal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StringLiteral {
    /// Element: `char`, or that of the prefix `L`, `u`, `U`; `u8` is `char`.
    pub elem: IntKind,
    /// Elements, the terminating zero included.
    pub len: u64,
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
    /// `\u0041` for a character that is written as it is.
    BasicCharacter,
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
            LitError::BasicCharacter => "universal character name of a basic or control character",
            LitError::BadEscape => "escape sequence without the digits it needs",
            LitError::TooWide => "character constant too long for its type",
            LitError::MixedPrefixes => {
                "adjacent string literals with different prefixes cannot be joined"
            }
        }
    }
}

/// The usual ABI of x86-64, for tests.
#[cfg(test)]
const ABI: Abi = Abi {
    unsigned_char: false,
    short_enums: false,
    short_wchar: false,
    pack: 0,
};
