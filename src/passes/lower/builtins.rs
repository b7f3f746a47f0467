//! Library functions that have an inline form in `upcr/upcr.h`.

use crate::il::RtOp;
use hashbrown::HashMap;
use upcc_grammar::symbol::{Interner, Symbol};

/// Function, operation, number of arguments (UPC library 7.2.3).
const INLINE_FORMS: [(&str, RtOp, usize); 4] = [
    ("upc_threadof", RtOp::Threadof, 1),
    ("upc_phaseof", RtOp::Phaseof, 1),
    ("upc_addrfield", RtOp::Addrfield, 1),
    ("upc_resetphase", RtOp::Resetphase, 1),
];

/// The table, by symbol.
pub(super) struct Builtins(HashMap<Symbol, (RtOp, usize)>);

impl Builtins {
    pub(super) fn new(names: &Interner) -> Builtins {
        Builtins(
            INLINE_FORMS
                .iter()
                .filter_map(|&(name, op, arity)| Some((names.get(name)?, (op, arity))))
                .collect(),
        )
    }

    /// The operation that implements a call of the function with `arity` arguments.
    pub(super) fn inline_form(&self, name: Symbol, arity: usize) -> Option<RtOp> {
        self.0
            .get(&name)
            .filter(|(_, n)| *n == arity)
            .map(|&(op, _)| op)
    }
}
