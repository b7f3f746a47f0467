//! Constants. Seam: signatures; not built yet.

use super::*;
use crate::types::IntKind;

/// A string literal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StringLiteral {
    /// Element: `char`, or that of the prefix `L`, `u`, `U`; `u8` is `char`.
    pub elem: IntKind,
    /// Elements, the terminating zero included.
    pub len: u64,
}

impl Sema<'_> {
    /// Kind and length where the expression is a string literal, in parentheses or not.
    pub fn string_literal(&mut self, id: ast::ExprId) -> Option<StringLiteral> {
        let _ = id;
        None
    }
}
