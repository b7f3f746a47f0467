//! What the checks ask about the whole translation unit.

use super::*;
use crate::il::{DeclGroup, ObjectId};
use crate::passes::analysis::effects::root_of;
use std::cell::OnceCell;

/// The translation unit.
pub(super) struct Unit<'a> {
    pub module: &'a Module,
    pub parsed: &'a Parsed,
    /// Objects that are assigned, that have an initialiser other than null, or whose address is taken.
    set: HashSet<ObjectId>,
    whole: OnceCell<bool>,
}

impl<'a> Unit<'a> {
    pub(super) fn of(module: &'a Module, parsed: &'a Parsed) -> Unit<'a> {
        let mut set = HashSet::new();
        // Verbatim items have no body here. They concern no pointer-to-shared, and so no lock and no file.
        for item in module.items.iter().filter(|it| !it.verbatim) {
            let body = &item.body;
            for (_, expr) in body.exprs.iter_enumerated() {
                set.extend(set_by(body, expr.kind));
            }
            if let ItemKind::Decl(group) = &item.kind {
                initialised(body, group, &mut set);
            }
            for (_, stmt) in body.stmts.iter_enumerated() {
                match &stmt.kind {
                    StmtKind::Decl(group) => initialised(body, group, &mut set),
                    // An output may be any object.
                    StmtKind::Asm { outputs, .. } => {
                        set.extend(outputs.iter().filter_map(|it| object_of(body, it.value)));
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
            whole: OnceCell::new(),
        }
    }

    /// True if nothing in the program gives an object a value other than null: nothing in the unit does, and no other
    /// unit can.
    pub(super) fn is_never_set(&self, id: ObjectId) -> bool {
        let object = &self.module.objects[id];
        let elsewhere = object.linkage == Linkage::External && !(object.defined && self.is_whole());
        !self.set.contains(&id) && !elsewhere
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

/// The object that an expression may change now or later.
fn set_by(body: &Body, kind: ExprKind) -> Option<ObjectId> {
    use ExprKind::*;
    match kind {
        Assign { place, .. } | AssignOp { place, .. } | IncDec { place, .. } => {
            object_of(body, place)
        }
        AddrOf(place) | Decay(place) => object_of(body, place),
        Local(_) | Object(_) | Deref(_) | Field(..) | Str | CompoundLit(_) | RealPlace(_)
        | ImagPlace(_) | Int(_) | Number | Load(_) | Unary(..) | Binary(..) | PtrDiff(..)
        | Cond(..) | CondElvis(..) | Comma(..) | Call(..) | SizePerThread(_) | SizeofPlace(_)
        | StmtExpr(_) | LabelAddr(_) | VaArg(_) | Opaque | Threads | MyThread => None,
        PtrAdd { .. } | Cast { .. } | Rt { .. } => None,
    }
}

fn object_of(body: &Body, place: ExprId) -> Option<ObjectId> {
    if let ExprKind::Object(object) = body.exprs[root_of(body, place)].kind {
        Some(object)
    } else {
        None
    }
}

fn initialised(body: &Body, group: &DeclGroup, set: &mut HashSet<ObjectId>) {
    for decl in &group.decls {
        if let Decl::Object {
            object,
            init: Some(init),
            ..
        } = decl
            && !is_null_init(body, *init)
        {
            set.insert(*object);
        }
    }
}

/// True for an initialiser that is a null pointer constant, or 0.
pub(super) fn is_null_init(body: &Body, init: InitId) -> bool {
    matches!(body.init(init).kind, InitKind::Expr(e) if is_null(body, e))
}

/// True for 0 and its conversions.
pub(super) fn is_null(body: &Body, mut e: ExprId) -> bool {
    while let ExprKind::Cast { value, .. } = body.exprs[e].kind {
        e = value;
    }
    matches!(body.exprs[e].kind, ExprKind::Int(0))
}
