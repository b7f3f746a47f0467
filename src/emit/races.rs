//! Which functions the C compiler instruments for the detection of data races: accesses by pointers-to-local, which
//! may point to shared memory.

use super::Emitter;
use crate::il::{Body, ExprKind, Item, ItemKind, RtOp};
use crate::translate::Races;

/// Functions of libraries that return a pointer-to-local to shared memory (UPC library 7.7.3, Berkeley's extensions).
const CASTS: [&str; 2] = ["upc_cast", "bupc_cast"];

impl Emitter<'_> {
    /// Returns the attribute of a function whose accesses by pointers-to-local are not followed; otherwise "".
    pub(super) fn not_followed(&self, item: &Item) -> &'static str {
        let is_function = matches!(item.kind, ItemKind::Function(_));
        let follows = match self.races {
            Races::Off | Races::All => true,
            Races::On => !is_function || self.makes_local_pointers(&item.body),
        };
        if follows { "" } else { "UPCR_NOT_FOLLOWED " }
    }

    /// Returns whether a function converts pointers-to-shared to pointers-to-local, or calls a function that does.
    fn makes_local_pointers(&self, body: &Body) -> bool {
        body.exprs.iter().any(|expr| {
            if let ExprKind::Rt { op, .. } = expr.kind {
                matches!(op, RtOp::Local | RtOp::LocalNn)
            } else if let ExprKind::Object(object) = expr.kind {
                let name = self.names.name(self.module.objects[object].name);
                CASTS.contains(&name)
            } else {
                false
            }
        })
    }
}
