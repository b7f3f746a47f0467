//! What `passes::inst` adds: places that raise events, and other spellings of plain text.

use crate::types::QualType;
use upcc_grammar::ast::Span;

/// An index in [`super::Module::sites`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct SiteId(pub u32);

/// A place in the source that raises events: one `upcr_site` of emitted C.
#[derive(Clone, Copy, Debug)]
pub struct Site {
    /// Where it begins, and the text of what it is about.
    pub at: Span,
    pub kind: SiteKind,
}

/// What a site tells besides file, line and column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SiteKind {
    /// Nothing: a statement, or a call of a library function.
    Bare,
    /// The type of the shared object that is read or written, and its text.
    Access(QualType),
    /// The text of a function's head.
    Function,
}

/// Another spelling of one token.
#[derive(Clone, Debug)]
pub struct Patch {
    pub token: u32,
    pub text: String,
}

/// What is bracketed by a pair of events on every way out of the block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scope {
    Function,
    Forall,
}
