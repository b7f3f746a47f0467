//! What the checks ask about the whole translation unit.

use super::*;
use crate::il::{DeclGroup, ObjectId};
use hashbrown::HashMap;
use parts::{Part, Parts, Root};
use std::sync::OnceLock;

/// The translation unit.
pub(super) struct Unit<'a> {
    pub module: &'a Module,
    pub parsed: &'a Parsed,
    /// What is assigned, has an initialiser other than null, or has its address taken.
    set: Parts,
    whole: OnceLock<bool>,
    /// Functions of the unit that hold the same locks at their end as at their start.
    keeps_locks: HashSet<ObjectId>,
    /// Functions of the unit that UPC does not touch.
    plain_c: HashSet<ObjectId>,
    /// Shared objects for which loops wait, each with the place of a read.
    awaited: HashMap<signals::Signal, Span>,
}

impl<'a> Unit<'a> {
    pub(super) fn of(module: &'a Module, parsed: &'a Parsed) -> Unit<'a> {
        let (mut set, mut awaited) = (Parts::default(), HashMap::new());
        // Verbatim items have no body here. They concern no pointer-to-shared, and so no lock and no file.
        for item in module.items.iter().filter(|it| !it.verbatim) {
            let body = &item.body;
            if let ItemKind::Function(_) = &item.kind {
                signals::awaited(module, parsed, body, &mut awaited);
            }
            set.add_set_by(module, body);
            if let ItemKind::Decl(group) = &item.kind {
                initialised(body, group, &mut set);
            }
            for (_, stmt) in body.stmts.iter_enumerated() {
                match &stmt.kind {
                    StmtKind::Decl(group) => initialised(body, group, &mut set),
                    // An output may be any object.
                    StmtKind::Asm { outputs, .. } => {
                        let places = outputs.iter().map(|it| it.value);
                        places.for_each(|place| set.add_place(module, body, place));
                    }
                    StmtKind::Compound(_)
                    | StmtKind::Null
                    | StmtKind::Expr(_)
                    | StmtKind::If(..)
                    | StmtKind::Switch(..)
                    | StmtKind::While(..)
                    | StmtKind::DoWhile(..)
                    | StmtKind::For { .. }
                    | StmtKind::Forall { .. }
                    | StmtKind::Label(..)
                    | StmtKind::Nested(_)
                    | StmtKind::Case(..)
                    | StmtKind::Default(_)
                    | StmtKind::Goto(_)
                    | StmtKind::GotoExpr(_)
                    | StmtKind::Break
                    | StmtKind::Continue
                    | StmtKind::Return(_)
                    | StmtKind::Sync(..)
                    | StmtKind::Fence
                    | StmtKind::Scope(..) => {}
                }
            }
        }
        Unit {
            module,
            parsed,
            set,
            whole: OnceLock::new(),
            keeps_locks: keeping_locks(module, parsed),
            plain_c: plain_c(module),
            awaited,
        }
    }

    /// True if nothing in the program gives a part of an object a value other than null: nothing in the unit does, and no
    /// other unit can.
    pub(super) fn is_never_set(&self, id: ObjectId, part: &Part) -> bool {
        let object = &self.module.objects[id];
        let elsewhere = object.linkage == Linkage::External && !(object.defined && self.is_whole());
        !self.set.meets(part) && !elsewhere
    }

    /// True for a function that holds the same locks at its end as at its start.
    pub(super) fn keeps_locks(&self, function: ObjectId) -> bool {
        self.keeps_locks.contains(&function)
    }

    /// The place where a loop reads a shared object for which it waits.
    pub(super) fn awaited(&self, signal: signals::Signal) -> Option<Span> {
        self.awaited.get(&signal).copied()
    }

    /// True if loops of the unit wait for shared objects.
    pub(super) fn awaits_any(&self) -> bool {
        !self.awaited.is_empty()
    }

    /// True for a function of the unit that UPC does not touch: it cannot synchronise threads.
    pub(super) fn is_plain_c(&self, function: ObjectId) -> bool {
        self.plain_c.contains(&function)
    }

    /// True if the unit is a program of its own: it defines `main`, and all functions that it declares, other than those
    /// of system headers.
    fn is_whole(&self) -> bool {
        *self.whole.get_or_init(|| {
            let parsed = self.parsed;
            let mut functions = self.module.objects.iter().filter(|it| it.is_function);
            let has_main = functions
                .clone()
                .any(|it| it.defined && parsed.interner.name(it.name) == "main");
            has_main && functions.all(|it| it.defined || parsed.in_system_header(it.span))
        })
    }
}

fn initialised(body: &Body, group: &DeclGroup, set: &mut Parts) {
    for decl in &group.decls {
        if let Decl::Object {
            object,
            init: Some(init),
            ..
        } = decl
        {
            set.add_initialised(body, Root::Object(*object), *init);
        }
    }
}

/// True for 0 and its conversions.
pub(super) fn is_null(body: &Body, e: ExprId) -> bool {
    matches!(body.exprs[without_casts(body, e)].kind, ExprKind::Int(0))
}

/// True for a function of a library that may acquire or release a lock other than one of `<upc.h>`.
pub(super) fn may_lock(name: &str) -> bool {
    let upc = name.starts_with("upc_") || name.contains("clock");
    let words = ["lock", "mutex", "sem_", "critical", "longjmp"];
    !upc && words.iter().any(|word| name.contains(word))
}

/// True for a function of `<upc.h>` that neither writes shared memory nor releases anything, and for functions of the C
/// library, which get no pointer-to-shared.
pub(super) fn only_asks(name: &str) -> bool {
    let queries = [
        "of",
        "field",
        "resetphase",
        "affinitysize",
        "ticks",
        "_cast",
    ];
    let upc = name.contains("upc_");
    !upc || queries.iter().any(|word| name.contains(word))
}

fn plain_c(module: &Module) -> HashSet<ObjectId> {
    let verbatim = module.items.iter().filter(|item| item.verbatim);
    let functions = verbatim.filter_map(|item| {
        if let ItemKind::Function(function) = &item.kind {
            Some(function.object)
        } else {
            None
        }
    });
    functions.collect()
}

/// The functions of the unit that both acquire and release locks, or neither, and that call only such functions.
fn keeping_locks(module: &Module, parsed: &Parsed) -> HashSet<ObjectId> {
    let mut callers: HashMap<ObjectId, Vec<ObjectId>> = HashMap::new();
    let (mut keeping, mut other) = (HashSet::new(), Vec::new());
    let defined = module.items.iter().filter(|item| !item.verbatim);
    for item in defined {
        let ItemKind::Function(function) = &item.kind else {
            continue;
        };
        keeping.insert(function.object);
        let (mut acquires, mut releases, mut unknown) = (false, false, false);
        for (_, expr) in item.body.exprs.iter_enumerated() {
            let ExprKind::Call(callee, _) = expr.kind else {
                continue;
            };
            let Some(called) = item.body.called(callee) else {
                unknown = true;
                continue;
            };
            let object = &module.objects[called];
            if !parsed.in_system_header(object.span) {
                callers.entry(called).or_default().push(function.object);
                continue;
            }
            match parsed.interner.name(object.name) {
                "upc_lock" | "upc_lock_attempt" => acquires = true,
                "upc_unlock" => releases = true,
                name => unknown |= may_lock(name),
            }
        }
        if acquires != releases || unknown {
            other.push(function.object);
        }
    }
    // A verbatim function holds no lock of UPC. What it calls is not known, unless it is a function of the unit.
    let is_defined = |id: &ObjectId| module.objects[*id].defined;
    other.extend(callers.keys().filter(|id| !is_defined(id)));
    keeping.extend(callers.keys().filter(|id| is_defined(id)));
    while let Some(function) = other.pop() {
        keeping.remove(&function);
        other.extend(callers.remove(&function).into_iter().flatten());
    }
    keeping
}
