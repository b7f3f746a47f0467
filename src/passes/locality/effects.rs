//! What a statement may change, and what control flow it holds.

use crate::il::walk::{Node, visit};
use crate::il::{Body, Decl, ExprId, ExprKind, LocalId, ObjectId, StmtId, StmtKind};
use crate::types::QualType;
use hashbrown::HashSet;

/// Conservative summary of a loop body.
#[derive(Default)]
pub struct Effects {
    /// Locals assigned, or whose address is taken.
    pub written: HashSet<LocalId>,
    /// Locals whose address is taken anywhere in the function.
    pub escaped: HashSet<LocalId>,
    /// Objects assigned by name.
    pub written_objects: HashSet<ObjectId>,
    /// Types of the places stored to through pointers, private or shared.
    pub stored: Vec<QualType>,
    /// A call of any function.
    pub calls: bool,
    /// asm, statement that the IL does not see through.
    pub opaque: bool,
    /// A jump out of, into or around in the statement that a rewritten loop could not keep: goto, label, return, `break` out of it, a static declaration.
    pub jumps: bool,
}

impl Effects {
    /// Summarises the body of a loop in a function whose escaped locals are known.
    pub fn of(body: &Body, root: StmtId, escaped: &HashSet<LocalId>) -> Effects {
        let mut effects = Effects {
            escaped: escaped.clone(),
            ..Effects::default()
        };
        visit(body, Node::Stmt(root), &mut |node| {
            match node {
                Node::Expr(e) => effects.expr(body, e),
                Node::Stmt(s) => effects.stmt(body, s),
                Node::Init(_) => {}
            }
            true
        });
        effects.jumps |= breaks_out(body, root);
        effects
    }

    fn expr(&mut self, body: &Body, id: ExprId) {
        match body.exprs[id.0 as usize].kind {
            ExprKind::Assign { place, .. }
            | ExprKind::AssignOp { place, .. }
            | ExprKind::IncDec { place, .. } => self.write(body, place),
            ExprKind::AddrOf(_) | ExprKind::Decay(_) => self.written.extend(escaping(body, id)),
            ExprKind::Call(..) => self.calls = true,
            ExprKind::LabelAddr(_) => self.jumps = true,
            ExprKind::Opaque | ExprKind::VaArg(_) => self.opaque = true,
            _ => {}
        }
    }

    fn write(&mut self, body: &Body, place: ExprId) {
        match body.exprs[root_of(body, place).0 as usize].kind {
            ExprKind::Local(local) => drop(self.written.insert(local)),
            ExprKind::Object(object) => drop(self.written_objects.insert(object)),
            _ => self.stored.push(body.exprs[place.0 as usize].ty),
        }
    }

    fn stmt(&mut self, body: &Body, id: StmtId) {
        match &body.stmts[id.0 as usize].kind {
            StmtKind::Goto(_)
            | StmtKind::GotoExpr(_)
            | StmtKind::Label(..)
            | StmtKind::Return(_) => self.jumps = true,
            StmtKind::Asm { .. } => self.opaque = true,
            StmtKind::Decl(group) => {
                self.jumps |= group.decls.iter().any(|d| matches!(d, Decl::Object { .. }));
            }
            _ => {}
        }
    }
}

/// Library functions that do not come back to where they are called.
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

/// The locals of a function whose address is taken: a store through a pointer or a call may change them.
pub fn escaped(body: &Body, root: StmtId) -> HashSet<LocalId> {
    let mut found = HashSet::new();
    visit(body, Node::Stmt(root), &mut |node| {
        if let Node::Expr(e) = node {
            found.extend(escaping(body, e));
        }
        true
    });
    // A call may lead to a function inside, which has all variables around it.
    for inner in &body.nested {
        visit(body, Node::Stmt(inner.root), &mut |node| {
            if let Node::Expr(e) = node
                && let ExprKind::Local(local) = body.exprs[e.0 as usize].kind
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
    let (ExprKind::AddrOf(place) | ExprKind::Decay(place)) = body.exprs[id.0 as usize].kind else {
        return None;
    };
    match body.exprs[root_of(body, place).0 as usize].kind {
        ExprKind::Local(local) => Some(local),
        _ => None,
    }
}

/// The place that a member place is part of.
pub fn root_of(body: &Body, mut place: ExprId) -> ExprId {
    while let ExprKind::Field(inner, _) | ExprKind::RealPlace(inner) | ExprKind::ImagPlace(inner) =
        body.exprs[place.0 as usize].kind
    {
        place = inner;
    }
    place
}

/// True when a `break` in the statement belongs to a loop or switch around it.
fn breaks_out(body: &Body, root: StmtId) -> bool {
    let mut found = false;
    visit(body, Node::Stmt(root), &mut |node| {
        let Node::Stmt(id) = node else { return true };
        match &body.stmts[id.0 as usize].kind {
            StmtKind::Break => found = true,
            StmtKind::While(..)
            | StmtKind::DoWhile(..)
            | StmtKind::For { .. }
            | StmtKind::Forall { .. }
            | StmtKind::Switch(..) => return false,
            _ => {}
        }
        true
    });
    found
}
