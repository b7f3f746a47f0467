//! Errors of lexer and parser.

use std::ops::Range;

/// Errors of one file after which lexer and parser give up, each for itself.
pub const MAX_ERRORS: usize = 100;

/// One syntax error, in terms of the preprocessed text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// Bytes of the offending text.
    pub bytes: Range<u32>,
    /// One line, lower case, without a full stop.
    pub message: String,
    /// What could have stood there, in words; empty if that says nothing.
    pub expected: String,
    /// A way out, if one is known.
    pub help: Option<String>,
}

impl SyntaxError {
    /// An error that says all in its message.
    pub fn new(bytes: Range<u32>, message: impl Into<String>) -> SyntaxError {
        SyntaxError {
            bytes,
            message: message.into(),
            expected: String::new(),
            help: None,
        }
    }
}
