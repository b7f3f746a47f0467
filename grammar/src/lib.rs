//! Tokens, AST and grammar of UPC 1.3 over GNU C11.

pub mod ast;
pub mod dump;
pub mod error;
pub mod lex;
pub mod parse;
pub mod source_map;
pub mod symbol;
pub mod token;

pub use error::SyntaxError;
pub use parse::{Parsed, parse};
