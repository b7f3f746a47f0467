//! What every part of the analysis reads: the AST, the options and the types; and the diagnostics it reports to.

use super::SemaOptions;
use super::members::Members;
use super::occurrences::Occurrences;
use crate::diag::Diagnostics;
use crate::il::ObjectId;
use crate::types::print::ANONYMOUS;
use crate::types::{QualType, Types};
use hashbrown::{HashMap, HashSet};
use upcc_grammar::Parsed;
use upcc_grammar::ast::{Ast, Span};
use upcc_grammar::spell::Speller;
use upcc_grammar::symbol::Symbol;

/// Types, their members and the wording of messages. Its functions know neither names nor IL nodes.
pub struct Context<'a> {
    pub parsed: &'a Parsed,
    pub ast: &'a Ast,
    pub diags: &'a mut Diagnostics,
    pub opts: SemaOptions,
    pub types: Types,
    pub(super) members: Members,
    pub(super) occurrences: Occurrences,
    pub(super) speller: Speller,
    /// The name in the declaration of each object, by the number of the object.
    pub(super) declared: Vec<Span>,
    /// Objects of incomplete type, for which an access has been reported.
    pub(super) accessed: HashSet<ObjectId>,
    /// [`crate::il::Module::alignments`].
    pub(super) alignments: HashMap<u32, u64>,
}

impl<'a> Context<'a> {
    pub(super) fn new(
        parsed: &'a Parsed,
        diags: &'a mut Diagnostics,
        opts: SemaOptions,
        types: Types,
    ) -> Context<'a> {
        Context {
            parsed,
            ast: &parsed.ast,
            diags,
            opts,
            types,
            members: Members::default(),
            occurrences: Occurrences::default(),
            speller: Speller::default(),
            declared: Vec::new(),
            accessed: HashSet::default(),
            alignments: HashMap::default(),
        }
    }
}

impl Context<'_> {
    /// Returns the spelling of a symbol.
    pub fn name(&self, symbol: Symbol) -> &str {
        self.parsed.interner.name(symbol)
    }

    /// Returns a type as the user writes it, for messages.
    pub fn show(&self, qt: QualType) -> String {
        self.types.display(qt, &self.parsed.interner)
    }

    /// Returns a type for messages about mismatches, in quotation marks: as the user wrote it, and with its typedef
    /// names replaced by their targets.
    pub(crate) fn quoted(&self, qt: QualType) -> String {
        let written = self.show(qt);
        let meant = self.show(self.types.canon_qt(qt));
        // Without a tag, the typedef name is the only name.
        if written == meant || meant.contains(ANONYMOUS) {
            return format!("`{written}`");
        }
        format!("`{written}` (aka `{meant}`)")
    }
}
