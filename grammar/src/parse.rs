//! The parser's entry.

use crate::ast::Ast;
use crate::error::SyntaxError;
use crate::lex::{TokenStream, lex};
use crate::symbol::Interner;

/// A translation unit, parsed.
#[derive(Debug)]
pub struct Parsed {
    pub stream: TokenStream,
    pub ast: Ast,
    pub interner: Interner,
    /// In source order. What they concern is missing from the AST or a `StmtKind::Error` in it.
    pub errors: Vec<SyntaxError>,
}

/// Lexes and parses preprocessed text (less than 4 GiB).
pub fn parse(text: String) -> Parsed {
    let mut interner = Interner::default();
    let mut errors = Vec::new();
    let stream = lex(text, &mut interner, &mut errors);
    Parsed {
        stream,
        ast: Ast::default(),
        interner,
        errors,
    }
}
