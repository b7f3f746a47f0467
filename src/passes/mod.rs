//! IL to IL.

#![cfg_attr(not(test), deny(clippy::wildcard_enum_match_arm))]

pub mod inst;
pub mod lint;
pub mod locality;
mod loop_pragmas;
pub mod lower;
mod uninstrumented_clone;

use crate::events::Instrument;
use crate::il::Module;
use crate::il::validate::{Stage, validate};
use upcc_grammar::Parsed;

/// What becomes of a typed module.
#[derive(Clone, Copy, Debug, Default)]
pub struct Plan<'a> {
    /// It raises performance events.
    pub instrument: Option<&'a Instrument>,
    /// `upc_forall` and accesses to the thread's own elements are rewritten.
    pub locality: bool,
    /// Into operations that check what they are given (`-fupc-checks`).
    pub checks: bool,
}

/// Takes a module without errors from the typed IL to the lowered one.
pub fn run(module: &mut Module, parsed: &Parsed, plan: Plan) {
    check(module, Stage::Typed);
    if let Some(instrument) = plan.instrument {
        inst::run(module, parsed, instrument);
        check(module, Stage::Typed);
    }
    let local_events = plan.instrument.is_some_and(|i| i.local);
    if plan.locality {
        locality::run(module, parsed, local_events);
        check(module, Stage::Typed);
    }
    if plan.instrument.is_some() {
        uninstrumented_clone::run(module, parsed, local_events);
        check(module, Stage::Typed);
    }
    let style = lower::Style {
        checks: plan.checks,
        local_events,
    };
    lower::run(module, &parsed.interner, style);
}

/// Builds with assertions check the IL's invariants between the passes; for what is emitted see `il::validate::lowered`.
fn check(module: &Module, stage: Stage) {
    if cfg!(debug_assertions)
        && let Err(violations) = validate(module, stage)
    {
        violations.end();
    }
}
