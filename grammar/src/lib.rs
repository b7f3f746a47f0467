//! Tokens, AST and grammar of UPC 1.3 over GNU C11.

pub mod ast;
pub mod symbol;
