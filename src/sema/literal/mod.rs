//! Constants and string literals: from spelling to value and type (C11 6.4.4, 6.4.5, with gcc's extensions).
//!
//! All functions except those of [`Sema`](super::Sema) in `string` work on text alone; callers add spans and reports.

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
    /// Element type: `char`, or that of the prefix `L`, `u`, `U`; `u8` gives `char`.
    pub elem: IntKind,
    /// Number of elements, including the terminating zero.
    pub len: u64,
}

/// An error in a constant's spelling.
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
    /// `\u0041`, for a character that must be written directly.
    BasicCharacter,
    /// A character that does not fit into its code unit, or several characters in a wide constant.
    TooWide,
    /// `L"a" u"b"`
    MixedPrefixes,
}

impl LitError {
    /// The message, without the spelling.
    pub fn text(self) -> &'static str {
        match self {
            LitError::BadDigit => "this constant has a digit that is not valid in its base",
            LitError::NoDigits => "this constant lacks digits",
            LitError::BadSuffix => "invalid suffix on a constant",
            LitError::NoExponent => "a hexadecimal floating constant needs an exponent (`p`)",
            LitError::EmptyChar => "empty character constant",
            LitError::Unterminated => "missing closing quote",
            LitError::BasicCharacter => {
                "a universal character name cannot denote a basic or control character"
            }
            LitError::BadEscape => "this escape sequence lacks digits",
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
    long_wchar: crate::types::IntKind::Int,
    short_wchar: false,
    pack: 0,
    x86: true,
    unnamed_aligns: false,
};
