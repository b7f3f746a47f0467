//! Enforces the invariants of `il/mod.rs`, each check named by its number.
//!
//! Only what can be reached from an item's roots counts: the passes leave replaced nodes behind. Types that sema could not model are not judged.

use super::walk::{Node, expr_children, group_inits, visit};
use super::{
    Body, Decl, DeclGroup, Expr, ExprFlags, ExprId, ExprKind, ForInit, Item, ItemKind, Module,
    StmtId, StmtKind, scopes,
};
use crate::types::{QualType, Type, Types};
use upcc_grammar::ast::BinOp;

/// When a module is looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// From sema on.
    Typed,
    /// Behind `passes::lower`: invariant 8 holds too.
    Lowered,
}

/// The violations, one line each; empty for a valid module.
pub fn validate(module: &Module, stage: Stage) -> Vec<String> {
    let mut violations = Vec::new();
    for (index, item) in module.items.iter().enumerate() {
        // Printed from its text: sema keeps no nodes for it.
        if item.plain {
            continue;
        }
        let mut check = Check {
            module,
            types: &module.types,
            body: &item.body,
            stage,
            item: index,
            violations: &mut violations,
        };
        check.item(item);
    }
    violations
}

struct Check<'a> {
    module: &'a Module,
    types: &'a Types,
    body: &'a Body,
    stage: Stage,
    item: usize,
    violations: &'a mut Vec<String>,
}

impl Check<'_> {
    fn fail(&mut self, invariant: u32, node: Node, what: &str) {
        self.violations.push(format!(
            "item {}, {node:?}: invariant {invariant}: {what}",
            self.item
        ));
    }

    fn item(&mut self, item: &Item) {
        let body = self.body;
        let roots: Vec<Node> = match &item.kind {
            ItemKind::Function(f) | ItemKind::Generated(f) => {
                let module = self.module;
                let report = &mut |e, what: &str| self.fail(10, Node::Expr(e), what);
                scopes::check(module, body, f, report);
                vec![Node::Stmt(f.root)]
            }
            ItemKind::Decl(group) => {
                self.group(group, Node::Stmt(StmtId(u32::MAX)));
                group_inits(group).map(Node::Init).collect()
            }
            ItemKind::Text => Vec::new(),
        };
        let mut reached = Vec::new();
        for root in roots {
            visit(body, root, &mut |node| {
                reached.push(node);
                true
            });
        }
        for node in reached {
            match node {
                Node::Expr(e) => self.expr(e),
                Node::Stmt(s) => self.stmt(s),
                Node::Init(_) => {}
            }
        }
    }

    fn expr(&mut self, id: ExprId) {
        let node = Node::Expr(id);
        let e = self.body.expr(id);
        let mut children = Vec::new();
        expr_children(self.body, id, &mut |child| children.push(child));
        let plain = e.flags.has(ExprFlags::PLAIN);
        for child in children {
            let Node::Expr(child) = child else { continue };
            if child >= id {
                self.fail(1, node, "operand not before its user");
            }
            if plain && !self.body.expr(child).flags.has(ExprFlags::PLAIN) {
                self.fail(6, node, "plain, with an operand that is not");
            }
        }
        if plain && self.types.has_shared(e.ty) {
            self.fail(6, node, "plain, of a type with shared in it");
        }
        if matches!(e.kind, ExprKind::Opaque) && !plain {
            self.fail(7, node, "opaque, not plain");
        }
        self.places(node, e);
        self.conversions(node, e);
        if let ExprKind::Field(record, _) = e.kind
            && self.types.is_shared(self.ty(record))
            && self.types.shared_elem(e.ty).is_none_or(|(_, b)| b != 0)
        {
            self.fail(9, node, "member of a shared record without 'shared []'");
        }
        if self.stage == Stage::Lowered {
            self.lowered(node, e);
        }
    }

    fn ty(&self, id: ExprId) -> QualType {
        self.body.expr(id).ty
    }

    /// Invariant 2.
    fn places(&mut self, node: Node, e: &Expr) {
        let place = match e.kind {
            ExprKind::Load(p)
            | ExprKind::AddrOf(p)
            | ExprKind::Decay(p)
            | ExprKind::IncDec { place: p, .. }
            | ExprKind::Assign { place: p, .. }
            | ExprKind::AssignOp { place: p, .. }
            | ExprKind::RealPlace(p)
            | ExprKind::ImagPlace(p) => Some(p),
            _ => None,
        };
        if let Some(place) = place {
            // What is opaque may be either; an array member of a function's result decays without being a place (C11 6.2.4p8).
            let kind = self.body.expr(place).kind;
            let member = matches!((e.kind, kind), (ExprKind::Decay(_), ExprKind::Field(..)));
            if !self.body.is_place(place) && !matches!(kind, ExprKind::Opaque) && !member {
                self.fail(2, node, "operand is no place");
            }
        }
        let aggregate = self.types.is_array(e.ty) || self.types.is_function(e.ty);
        let is_place = match node {
            Node::Expr(id) => self.body.is_place(id),
            Node::Stmt(_) | Node::Init(_) => true,
        };
        if aggregate && !is_place && !matches!(e.kind, ExprKind::Opaque | ExprKind::Field(..)) {
            self.fail(2, node, "value of array or function type");
        }
    }

    /// Invariant 3, for arithmetic types.
    fn conversions(&mut self, node: Node, e: &Expr) {
        let value = |id| self.types.canon_qt(self.types.unqualified(self.ty(id)));
        let arithmetic = |t: QualType| {
            matches!(
                self.types.get(t.ty),
                Type::Int(_) | Type::Float(_) | Type::Complex(_)
            )
        };
        let own = self.types.canon_qt(self.types.unqualified(e.ty));
        let wrong = match e.kind {
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (value(a), value(b));
                if !arithmetic(a) || !arithmetic(b) {
                    false
                } else {
                    match op {
                        BinOp::And | BinOp::Or => false,
                        BinOp::Shl | BinOp::Shr => a != own,
                        BinOp::Lt | BinOp::Gt | BinOp::Le | BinOp::Ge | BinOp::Eq | BinOp::Ne => {
                            a != b
                        }
                        BinOp::Mul
                        | BinOp::Div
                        | BinOp::Rem
                        | BinOp::Add
                        | BinOp::Sub
                        | BinOp::BitAnd
                        | BinOp::BitXor
                        | BinOp::BitOr => a != own || b != own,
                    }
                }
            }
            ExprKind::Assign { place, value: v } => {
                let (p, v) = (value(place), value(v));
                arithmetic(p) && arithmetic(v) && p != v
            }
            _ => false,
        };
        if wrong {
            self.fail(3, node, "operands not converted");
        }
    }

    /// Invariant 8, expressions.
    fn lowered(&mut self, node: Node, e: &Expr) {
        let shared = |id| self.types.is_shared(self.ty(id));
        let pts = |id| self.types.is_pts(self.ty(id));
        let left = match e.kind {
            ExprKind::Load(p)
            | ExprKind::AddrOf(p)
            | ExprKind::Decay(p)
            | ExprKind::Assign { place: p, .. }
            | ExprKind::AssignOp { place: p, .. }
            | ExprKind::IncDec { place: p, .. } => {
                shared(p)
                    || (pts(p)
                        && matches!(e.kind, ExprKind::AssignOp { .. } | ExprKind::IncDec { .. }))
            }
            ExprKind::PtrAdd { ptr, .. } => pts(ptr),
            ExprKind::PtrDiff(a, _) | ExprKind::Binary(_, a, _) => pts(a),
            ExprKind::Unary(_, a) | ExprKind::Cond(a, ..) | ExprKind::CondElvis(a, _) => pts(a),
            ExprKind::Cast { value, .. } => {
                (pts(value) || self.types.is_pts(e.ty)) && !self.types.is_void(e.ty)
            }
            ExprKind::Threads | ExprKind::MyThread | ExprKind::SizePerThread(_) => true,
            _ => false,
        };
        if left {
            self.fail(8, node, "UPC after lower");
        }
    }

    fn stmt(&mut self, id: StmtId) {
        let node = Node::Stmt(id);
        let stmt = self.body.stmt(id);
        match &stmt.kind {
            StmtKind::Decl(group)
            | StmtKind::For {
                init: ForInit::Decl(group),
                ..
            }
            | StmtKind::Forall {
                init: ForInit::Decl(group),
                ..
            } => self.group(group, node),
            _ => {}
        }
        let upc = matches!(
            stmt.kind,
            StmtKind::Forall { .. } | StmtKind::Sync(..) | StmtKind::Fence
        );
        if upc && stmt.plain {
            self.fail(6, node, "plain UPC statement");
        }
        if upc && self.stage == Stage::Lowered {
            self.fail(8, node, "UPC statement after lower");
        }
    }

    fn group(&mut self, group: &DeclGroup, node: Node) {
        for decl in &group.decls {
            let Decl::Object { object, .. } = decl else {
                continue;
            };
            let object = &self.module.objects[object.0 as usize];
            let shared = !object.is_function && self.types.is_shared(object.ty);
            if shared && group.plain {
                self.fail(6, node, "plain declaration of a shared object");
            }
            if shared && self.stage == Stage::Lowered {
                self.fail(8, node, "declaration of a shared object after lower");
            }
        }
    }
}
