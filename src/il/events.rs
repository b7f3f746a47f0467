//! The additions of `passes::inst`: event sites, and other spellings of tokens in verbatim text.

use crate::types::QualType;
use upcc_grammar::ast::Span;

/// An index in [`super::Module::sites`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct SiteId(pub u32);

/// A place in the source that raises events: one `upcr_site` of emitted C.
#[derive(Clone, Copy, Debug)]
pub struct Site {
    /// Its position, and the text that it concerns.
    pub at: Span,
    pub kind: SiteKind,
}

/// The information of a site besides file, line and column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SiteKind {
    /// Nothing: a statement, or a call of a library function.
    Bare,
    /// The type of the accessed shared object, and its text.
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

/// The construct whose pair of events brackets every way out of the block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scope {
    Function,
    Forall,
}
