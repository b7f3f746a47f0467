//! Passes from IL to IL.

#![cfg_attr(not(test), deny(clippy::wildcard_enum_match_arm))]

mod analysis;
pub mod fences;
pub mod inst;
pub mod lint;
pub mod locality;
pub mod lower;
mod own_elements;
pub mod references;
pub mod remarks;
pub mod runs;
pub mod sections;
pub mod stepping_tests;
mod uninstrumented_clone;
pub mod unroll;
mod writer;

use crate::events::Instrument;
use crate::il::validate::{Stage, validate};
use crate::il::{Body, ItemKind, Module, ObjectId, StmtId};
use remarks::Remark;
use upcc_grammar::Parsed;

/// The passes to apply to a typed module.
#[derive(Clone, Copy, Debug, Default)]
pub struct Plan<'a> {
    /// Instrument the module: it raises performance events.
    pub instrument: Option<&'a Instrument>,
    /// Rewrite `upc_forall` and accesses to the thread's own elements.
    pub locality: bool,
    /// Write out short loops.
    pub unroll: bool,
    /// Let loops go through the memory of one thread by private pointers.
    pub runs: Option<runs::Options>,
    /// Find the strict reads that need no fence.
    pub fences: bool,
    /// Let accesses go by linear images of arrays.
    pub linear: bool,
    /// Let the thread that has the memory make updates.
    pub updates: bool,
    /// Lower to operations that check their operands (`-fupc-checks`).
    pub checks: bool,
}

/// Transforms a module without errors from the typed IL to the lowered one. Returns what it did with loops.
pub fn run(module: &mut Module, parsed: &Parsed, plan: Plan) -> Vec<Remark> {
    let mut remarks = Vec::new();
    check(module, Stage::Typed);
    if let Some(instrument) = plan.instrument {
        inst::run(module, parsed, instrument);
        check(module, Stage::Typed);
    }
    if plan.runs.is_some() {
        stepping_tests::run(module, parsed);
        check(module, Stage::Typed);
    }
    if plan.unroll {
        unroll::run(module, parsed, &mut remarks);
        check(module, Stage::Typed);
    }
    let local_events = plan.instrument.is_some_and(|i| i.local);
    if plan.locality {
        locality::run(module, parsed, local_events, &mut remarks);
        check(module, Stage::Typed);
    }
    if plan.instrument.is_some() {
        uninstrumented_clone::run(module, parsed, local_events);
        check(module, Stage::Typed);
    }
    if let Some(options) = plan.runs {
        runs::run(module, parsed, options, &mut remarks);
        check(module, Stage::Typed);
    }
    if plan.locality {
        own_elements::run(module, local_events);
        check(module, Stage::Typed);
    }
    if plan.fences {
        fences::run(module);
        check(module, Stage::Typed);
    }
    let style = lower::Style {
        checks: plan.checks,
        local_events,
        linear: plan.linear,
        updates: plan.updates,
    };
    let lowered = lower::run(module, &parsed.interner, style);
    remarks::note_lowered(&mut remarks, &lowered);
    remarks
}

/// A function whose body passes may rewrite.
#[derive(Clone, Copy)]
struct Rewritable {
    object: ObjectId,
    root: StmtId,
}

/// Calls `f` with each function that is printed from the IL, and its body. Functions with functions inside (GNU) are left
/// out: passes do not follow what an inner function does with the variables of the outer one.
fn each_function(module: &mut Module, mut f: impl FnMut(&mut Module, &mut Body, Rewritable)) {
    for index in 0..module.items.len() {
        let item = &mut module.items[index];
        let ItemKind::Function(function) = &item.kind else {
            continue;
        };
        if item.verbatim || !item.body.nested.is_empty() {
            continue;
        }
        let function = Rewritable {
            object: function.object,
            root: function.root,
        };
        let mut body = std::mem::take(&mut item.body);
        f(module, &mut body, function);
        module.items[index].body = body;
    }
}

/// Checks the IL's invariants between the passes, in builds with assertions. For the module that is emitted, see
/// `il::validate::lowered`.
fn check(module: &Module, stage: Stage) {
    if cfg!(debug_assertions)
        && let Err(violations) = validate(module, stage)
    {
        violations.end();
    }
}
