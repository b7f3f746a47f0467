//! Goes over a program: its lists of statements, its expressions, the objects that it names.

use std::collections::BTreeSet;

use super::model::*;

/// Every list of statements, outer ones first.
pub fn lists(program: &mut Program, visit: &mut dyn FnMut(&mut Vec<Stmt>)) {
    for phase in &mut program.phases {
        if let Phase::Compute { body, split, .. } = phase {
            list(body, visit);
            if let Some(split) = split {
                list(split, visit);
            }
        }
    }
}

fn list(stmts: &mut Vec<Stmt>, visit: &mut dyn FnMut(&mut Vec<Stmt>)) {
    visit(stmts);
    for stmt in stmts {
        for inner in bodies(stmt) {
            list(inner, visit);
        }
    }
}

/// The lists of statements directly in one.
pub fn bodies(stmt: &mut Stmt) -> Vec<&mut Vec<Stmt>> {
    match stmt {
        Stmt::If {
            then, otherwise, ..
        } => vec![then, otherwise],
        Stmt::Derived { near, far, .. } => vec![near, far],
        Stmt::Guard { body, .. }
        | Stmt::Loop(Loop { body, .. })
        | Stmt::Local { body, .. }
        | Stmt::Pointer { body, .. }
        | Stmt::Walk(Walk { body, .. })
        | Stmt::Mine { body, .. }
        | Stmt::Outlined { body, .. }
        | Stmt::Ordered { body, .. }
        | Stmt::Skip { body, .. }
        | Stmt::Escape { body, .. }
        | Stmt::Event { body, .. }
        | Stmt::Uninstrumented { body }
        | Stmt::Locked { body, .. } => vec![body],
        Stmt::Switch { cases, .. } => cases.iter_mut().map(|case| &mut case.body).collect(),
        Stmt::Store { .. }
        | Stmt::StorePointer { .. }
        | Stmt::StepPointer { .. }
        | Stmt::Copy { .. }
        | Stmt::Sum { .. }
        | Stmt::Recast { .. }
        | Stmt::Transfer(_)
        | Stmt::Atomic { .. }
        | Stmt::Fence
        | Stmt::Mark { .. }
        | Stmt::Jump { .. }
        | Stmt::Leave { .. } => Vec::new(),
    }
}

/// What a statement itself says, without those in it.
fn parts(stmt: &mut Stmt) -> (Vec<&mut Expr>, Vec<&mut Access>) {
    match stmt {
        Stmt::Store { target, value, .. } => (vec![value], vec![target]),
        Stmt::StorePointer { target, to } => (vec![], vec![target, to]),
        Stmt::StepPointer { target, .. } => (vec![], vec![target]),
        Stmt::Copy { to, from } => (vec![], vec![to, from]),
        Stmt::Sum { value, .. }
        | Stmt::Local { value, .. }
        | Stmt::Switch { value, .. }
        | Stmt::Mark { value, .. } => (vec![value], vec![]),
        Stmt::If { test, .. }
        | Stmt::Skip { test, .. }
        | Stmt::Jump { test, .. }
        | Stmt::Leave { test, .. } => (vec![test], vec![]),
        Stmt::Guard { access, .. } => (vec![], vec![access]),
        Stmt::Loop(of) => match &mut of.kind {
            LoopKind::Forall(Affinity::Number { of, .. } | Affinity::Address(of)) => {
                (vec![], vec![of])
            }
            _ => (vec![], vec![]),
        },
        Stmt::Pointer { to, .. } => (vec![], vec![to]),
        Stmt::Recast { at, .. } => (vec![at], vec![]),
        Stmt::Transfer(of) => (vec![&mut of.first], vec![]),
        Stmt::Atomic {
            target, operand, ..
        } => (vec![operand], vec![target]),
        Stmt::Walk(_)
        | Stmt::Derived { .. }
        | Stmt::Mine { .. }
        | Stmt::Outlined { .. }
        | Stmt::Locked { .. }
        | Stmt::Ordered { .. }
        | Stmt::Escape { .. }
        | Stmt::Event { .. }
        | Stmt::Uninstrumented { .. }
        | Stmt::Fence => (vec![], vec![]),
    }
}

/// Every expression, outer ones first, and every access.
pub struct Visitor<'a> {
    pub expr: &'a mut dyn FnMut(&mut Expr),
    pub access: &'a mut dyn FnMut(&mut Access),
}

impl Visitor<'_> {
    pub fn program(&mut self, program: &mut Program) {
        lists(program, &mut |stmts| {
            for stmt in stmts {
                let (exprs, accesses) = parts(stmt);
                exprs.into_iter().for_each(|expr| self.visit_expr(expr));
                accesses.into_iter().for_each(|to| self.visit_access(to));
            }
        });
    }

    fn visit_expr(&mut self, expr: &mut Expr) {
        (self.expr)(expr);
        match expr {
            Expr::Read { access, .. } | Expr::Query(_, access) => self.visit_access(access),
            Expr::Difference(left, right) | Expr::Compare(_, left, right) => {
                self.visit_access(left);
                self.visit_access(right);
            }
            Expr::Pick { test, yes, no, .. } => {
                self.visit_expr(test);
                self.visit_access(yes);
                self.visit_access(no);
            }
            Expr::Not(value) | Expr::Negative(value) => self.visit_expr(value),
            Expr::Binary(_, left, right) | Expr::Comma(left, right) => {
                self.visit_expr(left);
                self.visit_expr(right);
            }
            Expr::Choose(test, yes, no) => {
                self.visit_expr(test);
                self.visit_expr(yes);
                self.visit_expr(no);
            }
            Expr::Number(_) | Expr::Var(_) | Expr::MyThread | Expr::Threads | Expr::Sum(_) => {}
        }
    }

    fn visit_access(&mut self, access: &mut Access) {
        (self.access)(access);
        match &mut access.index {
            Index::Free(value) => self.visit_expr(value),
            Index::Stored(pointer) => self.visit_access(pointer),
            Index::Linear { .. }
            | Index::Grid(_)
            | Index::Through { .. }
            | Index::Ahead { .. }
            | Index::Mine { .. } => {}
        }
    }
}

/// The objects that a program needs.
pub fn objects(program: &Program) -> BTreeSet<usize> {
    let mut copy = program.clone();
    let mut found = BTreeSet::new();
    Visitor {
        expr: &mut |_| {},
        access: &mut |access| _ = found.insert(access.object),
    }
    .program(&mut copy);
    lists(&mut copy, &mut |stmts| {
        for stmt in stmts {
            match stmt {
                Stmt::Walk(Walk { object, .. })
                | Stmt::Mine { object, .. }
                | Stmt::Recast { object, .. } => _ = found.insert(*object),
                Stmt::Transfer(of) => {
                    found.insert(of.object);
                    if let TransferKind::Copy(from) = of.kind {
                        found.insert(from);
                    }
                }
                Stmt::Guard {
                    owner: Owner::AffinityOf(object),
                    ..
                } => _ = found.insert(*object),
                _ => {}
            }
        }
    });
    for phase in &copy.phases {
        if let Phase::Collective(of) = phase {
            found.extend([of.to, of.from]);
        }
    }
    // What their elements point to.
    for object in found.clone() {
        for path in program.leaves(object) {
            let access = Access {
                object,
                index: Index::Free(Box::new(Expr::Number(0))),
                path,
                spelling: Spelling::Subscript,
            };
            if let Leaf::Pointer(to) = program.leaf(&access) {
                found.insert(to);
            }
        }
    }
    found
}
