//! What the C compiler instruments for the detection of data races: accesses by pointers-to-local, which may point to
//! shared memory, and the entries and exits of functions, which give a report its calls.

use super::Emitter;
use crate::il::{Body, ExprKind, Item, ItemKind, Module, ObjectId, RtOp, StmtKind};
use crate::translate::Races;
use hashbrown::HashSet;
use upcc_grammar::symbol::Interner;

/// Functions of libraries that return a pointer-to-local to shared memory (UPC library 7.7.3, Berkeley's extensions).
const CASTS: [&str; 2] = ["upc_cast", "bupc_cast"];

/// The attribute of a function whose accesses by pointers-to-local are not instrumented, and what its body begins with.
pub(super) const NOT_FOLLOWED: &str = "UPCR_NOT_FOLLOWED ";
pub(super) const NOT_FOLLOWED_BODY: &str = " UPCR_NOT_FOLLOWED_BODY;";

impl Emitter<'_> {
    /// Returns the attributes of a function that the C compiler does not instrument, or not in full; otherwise "".
    pub(super) fn not_followed(&self, item: &Item) -> &'static str {
        let ItemKind::Function(function) = &item.kind else {
            return "";
        };
        let follows = match self.races {
            Races::Off | Races::All => true,
            Races::On => makes_local_pointers(self.module, self.names, &item.body),
        };
        match follows {
            true => "",
            false if self.unrecorded.contains(&function.object) => "UPCR_NOT_RECORDED ",
            false => NOT_FOLLOWED,
        }
    }
}

/// Returns whether a function converts pointers-to-shared to pointers-to-local, or calls a function that does.
fn makes_local_pointers(module: &Module, names: &Interner, body: &Body) -> bool {
    body.exprs.iter().any(|expr| {
        if let ExprKind::Rt { op, .. } = expr.kind {
            matches!(op, RtOp::Local | RtOp::LocalNn)
        } else if let ExprKind::Object(object) = expr.kind {
            CASTS.contains(&names.name(module.objects[object].name))
        } else {
            false
        }
    })
}

/// Returns the functions below which no access is recorded, so that their entries and exits need not be: they use
/// nothing of the runtime, and call each other and functions that only compute a value.
pub(super) fn unrecorded(module: &Module) -> HashSet<ObjectId> {
    let functions = module.items.iter().filter_map(|item| match &item.kind {
        ItemKind::Function(function) => Some((function.object, &item.body)),
        ItemKind::Decl(_) | ItemKind::Text | ItemKind::Generated(_) => None,
    });
    let plain: Vec<(ObjectId, &Body)> = functions.filter(|(_, body)| is_plain(body)).collect();
    let mut found: HashSet<ObjectId> = plain.iter().map(|(function, _)| *function).collect();
    loop {
        let before = found.len();
        for (function, body) in &plain {
            if !uses_only(module, body, &found) {
                found.remove(function);
            }
        }
        if found.len() == before {
            return found;
        }
    }
}

/// Returns whether a function has nothing of the runtime but constants of the job, nothing that the IL does not model,
/// and no call by a pointer.
fn is_plain(body: &Body) -> bool {
    let exprs = body.exprs.iter().all(|expr| {
        if let ExprKind::Call(callee, _) = expr.kind {
            body.called(callee).is_some()
        } else if let ExprKind::Rt { op, .. } = expr.kind {
            matches!(op, RtOp::Threads | RtOp::MyThread)
        } else {
            !matches!(expr.kind, ExprKind::Opaque)
        }
    });
    let stmts = body.stmts.iter().all(|stmt| {
        !matches!(
            stmt.kind,
            StmtKind::Asm { .. } | StmtKind::Nested(_) | StmtKind::Sync(..) | StmtKind::Fence
        )
    });
    exprs && stmts
}

/// Returns whether all functions that a body names are in the set or only compute a value.
fn uses_only(module: &Module, body: &Body, functions: &HashSet<ObjectId>) -> bool {
    body.exprs.iter().all(|expr| {
        if let ExprKind::Object(object) = expr.kind {
            let is_known = functions.contains(&object) || module.pure.contains(&object);
            is_known || !module.objects[object].is_function
        } else {
            true
        }
    })
}
