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

/// Transfers that are inline if the size, their third argument, is a constant of 1 to [`MOST_BYTES`] (UPC library 7.2.5).
const SMALL_FORMS: [(&str, RtOp); 3] = [
    ("upc_memget", RtOp::SmallGet),
    ("upc_memput", RtOp::SmallPut),
    ("upc_memcpy", RtOp::SmallCopy),
];

/// Functions that are inline unless the call is reported or checked, by number of arguments (UPC library 7.2.5).
const UNREPORTED_FORMS: [(&str, RtOp, usize); 1] = [("upc_atomic_relaxed", RtOp::AtomicRelaxed, 6)];

/// Longer transfers are calls: the C compiler would write more than a few instructions.
const MOST_BYTES: i64 = 64;

/// The tables, by symbol.
pub(super) struct Builtins {
    functions: HashMap<Symbol, (RtOp, usize)>,
    unreported: HashMap<Symbol, (RtOp, usize)>,
    transfers: HashMap<Symbol, RtOp>,
}

impl Builtins {
    pub(super) fn new(names: &Interner) -> Builtins {
        let transfers = SMALL_FORMS.iter();
        let known = |forms: &[(&str, RtOp, usize)]| {
            let forms = forms.iter();
            forms
                .filter_map(|&(name, op, arity)| Some((names.get(name)?, (op, arity))))
                .collect()
        };
        Builtins {
            functions: known(&INLINE_FORMS),
            unreported: known(&UNREPORTED_FORMS),
            transfers: transfers
                .filter_map(|&(name, op)| Some((names.get(name)?, op)))
                .collect(),
        }
    }

    /// The operation that implements a call of the function with `arity` arguments. `reported`: the call raises an event, or
    /// checks its arguments.
    pub(super) fn inline_form(&self, name: Symbol, arity: usize, reported: bool) -> Option<RtOp> {
        let unreported = self.unreported.get(&name).filter(|_| !reported);
        let form = self.functions.get(&name).or(unreported);
        form.filter(|(_, n)| *n == arity).map(|&(op, _)| op)
    }

    /// The operation that implements a transfer of a constant number of bytes.
    pub(super) fn small_transfer(&self, name: Symbol, bytes: i64) -> Option<RtOp> {
        let op = self.transfers.get(&name).copied()?;
        (1..=MOST_BYTES).contains(&bytes).then_some(op)
    }
}
