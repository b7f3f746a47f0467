//! Summarises what a statement may change, and its control flow.

use crate::il::walk::{Node, visit};
use crate::il::{
    Body, Decl, ExprFlags, ExprId, ExprKind, ForInit, InitKind, LocalId, Module, ObjectId, StmtId,
    StmtKind,
};
use crate::types::{QualType, Types};
use hashbrown::{HashMap, HashSet};

/// Conservative summary of a loop body.
#[derive(Default)]
pub struct Effects {
    /// Locals assigned, or whose address is taken.
    pub written: HashSet<LocalId>,
    /// Locals declared: they do not exist outside the statement.
    pub declared: HashSet<LocalId>,
    /// Locals whose address is taken anywhere in the function.
    pub escaped: HashSet<LocalId>,
    /// Objects assigned by name.
    pub written_objects: HashSet<ObjectId>,
    /// Types of the places stored to through pointers, private or shared.
    pub stored: Vec<QualType>,
    /// A call of a function, other than one that only computes a value ([`Module::pure`]).
    pub calls: bool,
    /// A strict access, a fence or a barrier: what other threads wrote becomes visible here.
    pub syncs: bool,
    /// asm, or a statement that the IL does not model.
    pub opaque: bool,
    /// A jump out of the statement: `break`, `return`, `goto`.
    pub exits: bool,
    /// Something that must not be copied: labels, `case` of a switch around it, static declarations, nested functions,
    /// variable length arrays.
    pub pinned: bool,
}

impl Effects {
    /// Summarises the body of a loop in a function whose escaped locals are known.
    pub fn of(module: &Module, body: &Body, root: StmtId, escaped: &HashSet<LocalId>) -> Effects {
        let mut effects = Effects {
            escaped: escaped.clone(),
            ..Effects::default()
        };
        effects.include(module, body, Node::Stmt(root));
        effects.exits |= breaks_out(body, root);
        effects.pinned |= is_entered_by_case(body, root);
        effects
    }

    /// Adds what another part of the loop may change.
    pub fn include(&mut self, module: &Module, body: &Body, root: Node) {
        visit(body, root, &mut |node| {
            match node {
                Node::Expr(e) => self.expr(module, body, e),
                Node::Stmt(s) => self.stmt(&module.types, body, s),
                Node::Init(_) => {}
            }
            true
        });
    }

    /// True if there is a jump in the statement, out of it or into it, or something that must not be copied.
    pub fn jumps(&self) -> bool {
        self.exits || self.pinned
    }

    /// True for a local that has other values, or does not exist, before the statement.
    pub fn sets(&self, local: LocalId) -> bool {
        self.written.contains(&local) || self.declared.contains(&local)
    }

    fn expr(&mut self, module: &Module, body: &Body, id: ExprId) {
        use ExprKind::*;
        let types = &module.types;
        self.syncs |= body.exprs[id].flags.has(ExprFlags::STRICT);
        match body.exprs[id].kind {
            Assign { place, .. } | AssignOp { place, .. } | IncDec { place, .. } => {
                self.write(body, place)
            }
            AddrOf(_) | Decay(_) => self.written.extend(escaping(body, id)),
            Call(callee, _) => {
                let called = body.called(callee);
                self.calls |= called.is_none_or(|function| !module.pure.contains(&function));
            }
            LabelAddr(_) => self.pinned = true,
            Opaque | VaArg(_) => self.opaque = true,
            // The lengths in its type may have side effects.
            Cast { .. } if types.is_variably_modified(body.expr(id).ty) => {
                self.opaque = true;
            }
            Local(_) | Object(_) | Deref(_) | Field(..) | Str | CompoundLit(_) | RealPlace(_)
            | ImagPlace(_) | Int(_) | Number | Load(_) | Unary(..) | Binary(..) | PtrDiff(..)
            | Cond(..) | CondElvis(..) | Comma(..) | SizePerThread(_) | SizeofPlace(_)
            | StmtExpr(_) | Threads | MyThread => {}
            PtrAdd { .. } | Cast { .. } | Rt { .. } => {}
        }
    }

    fn write(&mut self, body: &Body, place: ExprId) {
        use ExprKind::*;
        match body.exprs[root_of(body, place)].kind {
            Local(local) => drop(self.written.insert(local)),
            Object(object) => drop(self.written_objects.insert(object)),
            Deref(_) | Field(..) | Str | CompoundLit(_) | RealPlace(_) | ImagPlace(_) | Int(_)
            | Number | Load(_) | AddrOf(_) | Decay(_) | Unary(..) | Binary(..) | PtrDiff(..)
            | Cond(..) | CondElvis(..) | Comma(..) | Call(..) | SizePerThread(_)
            | SizeofPlace(_) | StmtExpr(_) | LabelAddr(_) | VaArg(_) | Opaque | Threads
            | MyThread => self.stored.push(body.exprs[place].ty),
            Assign { .. } | AssignOp { .. } | IncDec { .. } => {
                self.stored.push(body.exprs[place].ty)
            }
            PtrAdd { .. } | Cast { .. } | Rt { .. } => self.stored.push(body.exprs[place].ty),
        }
    }

    fn stmt(&mut self, types: &Types, body: &Body, id: StmtId) {
        use StmtKind::*;
        match &body.stmts[id].kind {
            Goto(_) | GotoExpr(_) | Return(_) => self.exits = true,
            Label(..) | Nested(_) => self.pinned = true,
            Asm { .. } => self.opaque = true,
            Decl(group)
            | For {
                init: ForInit::Decl(group),
                ..
            }
            | Forall {
                init: ForInit::Decl(group),
                ..
            } => group.decls.iter().for_each(|d| self.decl(types, body, d)),
            Sync(..) | Fence => self.syncs = true,
            Compound(_) | Null | Expr(_) | If(..) | Switch(..) | While(..) | DoWhile(..)
            | Case(..) | Default(_) | Break | Continue | Scope(..) => {}
            For { .. } | Forall { .. } => {}
        }
    }

    fn decl(&mut self, types: &Types, body: &Body, decl: &Decl) {
        self.calls |= decl.has_attributes();
        match decl {
            Decl::Local { local, .. } => {
                self.declared.insert(*local);
                self.pinned |= types.is_variably_modified(body.local(*local).ty);
            }
            Decl::Typedef { typedef, .. } => {
                self.pinned |= types.is_variably_modified(types.typedef(*typedef).target);
            }
            Decl::Object { .. } => self.pinned = true,
            Decl::Length { local, .. } => drop(self.written.insert(*local)),
            Decl::StaticAssert | Decl::Shared { .. } => {}
        }
    }
}

/// True for library functions that do not return to their caller.
pub fn never_returns(name: &str) -> bool {
    const LEAVING: [&str; 16] = [
        "exit",
        "_exit",
        "_Exit",
        "quick_exit",
        "abort",
        "longjmp",
        "_longjmp",
        "siglongjmp",
        "pthread_exit",
        "upc_global_exit",
        "__assert_fail",
        "__builtin_abort",
        "__builtin_exit",
        "__builtin_longjmp",
        "__builtin_trap",
        "__builtin_unreachable",
    ];
    LEAVING.contains(&name)
}

/// The initialisers of locals of a function that are not written anywhere else.
pub fn initial_values(body: &Body, root: StmtId, effects: &Effects) -> HashMap<LocalId, ExprId> {
    let mut found = HashMap::new();
    visit(body, Node::Stmt(root), &mut |node| {
        if let Node::Stmt(s) = node
            && let StmtKind::Decl(group) = &body.stmt(s).kind
        {
            for decl in &group.decls {
                if let Decl::Local {
                    local,
                    init: Some(init),
                    ..
                } = decl
                    && let InitKind::Expr(e) = body.inits[*init].kind
                    && !effects.written.contains(local)
                {
                    found.insert(*local, e);
                }
            }
        }
        true
    });
    found
}

/// The locals of a function whose address is taken: a store through a pointer or a call may change them.
pub fn escaped(body: &Body, root: StmtId) -> HashSet<LocalId> {
    let mut found = HashSet::new();
    visit(body, Node::Stmt(root), &mut |node| {
        if let Node::Expr(e) = node {
            found.extend(escaping(body, e));
        }
        true
    });
    // A call may lead to a nested function, which can access all variables around it.
    for inner in &body.nested {
        visit(body, Node::Stmt(inner.root), &mut |node| {
            if let Node::Expr(e) = node
                && let ExprKind::Local(local) = body.exprs[e].kind
            {
                found.insert(local);
            }
            true
        });
    }
    found
}

/// The local whose address an expression takes.
pub fn escaping(body: &Body, id: ExprId) -> Option<LocalId> {
    let (ExprKind::AddrOf(place) | ExprKind::Decay(place)) = body.exprs[id].kind else {
        return None;
    };
    if let ExprKind::Local(local) = body.exprs[root_of(body, place)].kind {
        Some(local)
    } else {
        None
    }
}

/// The place of which a member place is a part.
pub fn root_of(body: &Body, mut place: ExprId) -> ExprId {
    while let ExprKind::Field(inner, _) | ExprKind::RealPlace(inner) | ExprKind::ImagPlace(inner) =
        body.exprs[place].kind
    {
        place = inner;
    }
    place
}

/// True if there is a `continue` in the statement.
pub fn has_continue(body: &Body, stmt: StmtId) -> bool {
    let mut found = false;
    visit(body, Node::Stmt(stmt), &mut |node| {
        found |= matches!(node, Node::Stmt(s) if matches!(body.stmt(s).kind, StmtKind::Continue));
        !found
    });
    found
}

/// True if a `break` in the statement belongs to an enclosing loop or switch.
fn breaks_out(body: &Body, root: StmtId) -> bool {
    use StmtKind::*;
    let mut found = false;
    visit(body, Node::Stmt(root), &mut |node| {
        let Node::Stmt(id) = node else { return true };
        match &body.stmts[id].kind {
            Break => found = true,
            While(..) | DoWhile(..) | For { .. } | Forall { .. } | Switch(..) => return false,
            Compound(_) | Null | Expr(_) | If(..) | Label(..) | Nested(_) | Case(..)
            | Default(_) | Goto(_) | GotoExpr(_) | Continue | Return(_) | Decl(_) | Sync(..)
            | Fence | Scope(..) => {}
            Asm { .. } => {}
        }
        true
    });
    found
}

/// True if a `case` or `default` in the statement belongs to an enclosing switch.
fn is_entered_by_case(body: &Body, root: StmtId) -> bool {
    let mut found = false;
    visit(body, Node::Stmt(root), &mut |node| {
        let Node::Stmt(id) = node else { return true };
        found |= matches!(
            body.stmt(id).kind,
            StmtKind::Case(..) | StmtKind::Default(_)
        );
        !matches!(body.stmt(id).kind, StmtKind::Switch(..))
    });
    found
}
