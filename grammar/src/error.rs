//! Errors of lexer and parser.

use std::ops::Range;

/// Errors of one file after which lexer and parser give up, each for itself.
pub const MAX_ERRORS: usize = 100;

/// What sort of error it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SyntaxKind {
    /// Tokens in an order that the grammar does not have.
    Order,
    /// A name that was meant to be a keyword.
    Misspelt,
    /// Text that is no token.
    Token,
    /// A literal or comment that does not end.
    Unterminated,
    /// A bracket that is never closed.
    Unclosed,
    /// An attribute or `_Pragma` that is not written as one.
    Attribute,
    /// A name in the place of a type that is none.
    UnknownType,
    /// The parser gives up.
    TooMany,
}

/// One syntax error, in terms of the preprocessed text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// Bytes of the offending text.
    pub bytes: Range<u32>,
    /// Sort of error.
    pub kind: SyntaxKind,
    /// One line, lower case, without a full stop.
    pub message: String,
    /// What to say under the offending text; empty if the message says it all.
    pub expected: String,
    /// A way out, if one is known.
    pub help: Option<String>,
    /// Another place that matters, and what is there.
    pub other: Option<(Range<u32>, String)>,
}

impl SyntaxError {
    /// An error that says all in its message.
    pub fn new(bytes: Range<u32>, kind: SyntaxKind, message: impl Into<String>) -> SyntaxError {
        SyntaxError {
            bytes,
            kind,
            message: message.into(),
            expected: String::new(),
            help: None,
            other: None,
        }
    }
}
