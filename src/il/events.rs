//! The additions of `passes::inst`: event sites, and other spellings of tokens in verbatim text.

use crate::types::QualType;
use upcc_grammar::ast::Span;

crate::ids::ids! {
    /// An index in [`super::Module::sites`].
    SiteId;
}

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

/// What a copy of verbatim text has in place of a token. `emit` spells it.
#[derive(Clone, Copy, Debug)]
pub struct Patch {
    pub token: u32,
    pub to: PatchTo,
}

/// What stands in place of a token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PatchTo {
    /// In place of a library function's name: the instrumented function of [`crate::events::CALLS`] with this index.
    Instrumented(usize),
    /// In place of the parenthesis before a call's arguments: the parenthesis and a site as the first argument.
    SiteArgument {
        site: SiteId,
        /// No argument follows.
        only: bool,
    },
    /// In place of the brace that opens a function's body: the brace, the scope of the function, and another brace if
    /// the body declares labels, which must stay first in their block.
    OpenFunction { site: SiteId, inner: bool },
    /// In place of the brace that closes such a body with an inner block: both braces.
    CloseInner,
}

/// What begins at a place in a block and ends on every way out of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scope {
    /// A pair of events of a function, made by `inst`.
    Function(SiteId),
    /// A pair of events of a `upc_forall`, made by `inst`.
    Forall(SiteId),
    /// Accesses that take no part in the detection of races (`#pragma upcc race_ok`). The pragmas of a
    /// unit are numbered.
    RaceOk(u32),
    /// The end of a `RaceOk` before the end of its block.
    RaceOkEnd(u32),
}
