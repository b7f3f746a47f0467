//! Tokens, AST and grammar of UPC 1.3 over GNU C11.

mod actions;
pub mod ast;
pub mod attr;
mod context;
pub mod dump;
pub mod error;
pub mod fix;
mod keyword_fallback;
pub mod lex;
pub mod parse;
mod recover;
pub mod source_map;
pub mod spell;
pub mod symbol;
mod syntax_error;
mod syntax_help;
pub mod term;
pub mod token;

lalrpop_util::lalrpop_mod!(
    #[allow(clippy::all, clippy::unwrap_used, unused, unreachable_pub)]
    upc
);

pub use attr::{AttrItem, parse_attr_args};
pub use error::{SyntaxError, SyntaxKind};
pub use parse::{Parsed, parse};
