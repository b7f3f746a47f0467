//! Errors of the lexer and the parser.

use crate::fix::Help;
use std::ops::Range;

/// Number of errors in one file after which the lexer or the parser gives up; each counts its own.
pub const MAX_ERRORS: usize = 100;

/// The kind of an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SyntaxKind {
    /// Tokens in an order that the grammar does not allow.
    Order,
    /// A name that was meant to be a keyword.
    Misspelt,
    /// Text that is not a token.
    Token,
    /// A literal or comment without an end.
    Unterminated,
    /// A bracket that is never closed.
    Unclosed,
    /// A `upc_forall` without its fourth part.
    NoAffinity,
    /// A malformed attribute or `_Pragma`.
    Attribute,
    /// A name that is not a type, in the place of a type.
    UnknownType,
    /// The parser gives up.
    TooMany,
}

/// One syntax error, in terms of the preprocessed text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// Bytes of the offending text; empty: the error is behind the text in front of them.
    pub bytes: Range<u32>,
    /// Kind of error.
    pub kind: SyntaxKind,
    /// One line, lower case, without a full stop.
    pub message: String,
    /// Label for the offending text; empty if the message is sufficient.
    pub expected: String,
    /// A suggested fix, if one is known.
    pub help: Option<Help>,
    /// A related place, and its label.
    pub other: Option<(Range<u32>, String)>,
}

impl SyntaxError {
    /// Creates an error that consists of its message alone.
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
