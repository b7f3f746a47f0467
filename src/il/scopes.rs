//! Invariant 10: the object that an expression names is the one that C finds under that name at the expression's
//! position.
//!
//! The IL refers to variables by handle, C text by name. An expression that a pass moves must not leave the scope of
//! the names it uses, nor enter a scope in which such a name designates something else.

use super::walk::{Node, expr_children, init_children, stmt_children};
use super::{
    Body, Decl, DeclGroup, ExprId, ExprKind, ForInit, Function, InitId, LocalId, Module, ObjectId,
    StmtId, StmtKind,
};
use upcc_grammar::symbol::Symbol;

/// Receives the nodes of the walk. All checks of a user's build share one walk, because the walk is the most expensive
/// part.
pub(super) trait Watch {
    /// Called for every node, before the nodes below it. Initialisers of loops are visited twice.
    fn node(&mut self, node: Node);
    /// Called before the nodes of a function, which may be nested in another.
    fn enter(&mut self, function: &Function);
    /// Called behind them.
    fn leave(&mut self);
    /// Called for every expression directly below another.
    fn operand(&mut self, user: ExprId, operand: ExprId);
    /// Called for an expression that names something out of its scope.
    fn misnamed(&mut self, id: ExprId, what: &str);
}

/// The start of a walk.
pub(super) enum Root<'a> {
    Function(&'a Function),
    Init(InitId),
}

/// Tables that successive walks reuse. Between walks, no name has a meaning.
#[derive(Default)]
pub(super) struct Tables {
    /// Which locals are in scope.
    visible: Vec<bool>,
    /// The current meaning of names, by symbol, as far as the function has declared them.
    names: Vec<Option<Meaning>>,
    /// The declarations of the open scopes, each with the previous meaning of the name.
    hidden: Vec<Declared>,
}

/// Walks over a function or an initialiser.
pub(super) fn walk(
    module: &Module,
    body: &Body,
    root: &Root<'_>,
    tables: &mut Tables,
    watch: &mut impl Watch,
) {
    if tables.visible.len() < body.locals.len() {
        tables.visible.resize(body.locals.len(), false);
    }
    let mut scopes = Scopes {
        module,
        body,
        tables,
        watch,
    };
    match root {
        Root::Function(function) => scopes.function(function),
        Root::Init(init) => scopes.node(Node::Init(*init)),
    }
}

/// The meaning of a name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Meaning {
    Local(LocalId),
    Object(ObjectId),
    Type,
}

struct Scopes<'a, W> {
    module: &'a Module,
    body: &'a Body,
    tables: &'a mut Tables,
    watch: &'a mut W,
}

struct Declared {
    name: Option<Symbol>,
    before: Option<Meaning>,
    local: Option<LocalId>,
}

impl Tables {
    fn meaning(&self, name: Symbol) -> Option<Meaning> {
        self.names.get(name.0 as usize).copied().flatten()
    }

    fn declare(&mut self, name: Option<Symbol>, meaning: Meaning) {
        let before = name.and_then(|name| {
            let at = name.0 as usize;
            if self.names.len() <= at {
                self.names.resize(at + 1, None);
            }
            self.names[at].replace(meaning)
        });
        let local = match meaning {
            Meaning::Local(local) => Some(local),
            Meaning::Object(_) | Meaning::Type => None,
        };
        self.hidden.push(Declared {
            name,
            before,
            local,
        });
    }

    /// Ends the scopes that were opened since there were `outer` declarations.
    fn close(&mut self, outer: usize) {
        for declared in self.hidden.drain(outer..).rev() {
            if let Some(local) = declared.local {
                self.visible[local.0 as usize] = false;
            }
            if let Some(name) = declared.name {
                self.names[name.0 as usize] = declared.before;
            }
        }
    }
}

impl<W: Watch> Scopes<'_, W> {
    fn scope(&mut self, inside: impl FnOnce(&mut Self)) {
        let outer = self.tables.hidden.len();
        inside(self);
        self.tables.close(outer);
    }

    fn function(&mut self, function: &Function) {
        self.watch.enter(function);
        self.scope(|scopes| {
            function
                .params
                .iter()
                .for_each(|&param| scopes.local(param));
            scopes.node(Node::Stmt(function.root));
        });
        self.watch.leave();
    }

    fn local(&mut self, local: LocalId) {
        self.tables.visible[local.0 as usize] = true;
        self.tables
            .declare(self.body.local(local).name, Meaning::Local(local));
    }

    fn object(&mut self, object: ObjectId) {
        let name = self.module.objects[object].name;
        self.tables.declare(Some(name), Meaning::Object(object));
    }

    fn group(&mut self, group: &DeclGroup) {
        for decl in &group.decls {
            match decl {
                // The variable is in scope in its own initialiser (C11 6.2.1p7).
                Decl::Local { local, init, .. } => {
                    self.local(*local);
                    init.iter().for_each(|&init| self.node(Node::Init(init)));
                }
                Decl::Object { object, init, .. } => {
                    self.object(*object);
                    init.iter().for_each(|&init| self.node(Node::Init(init)));
                }
                Decl::Typedef { typedef, .. } => {
                    let name = self.module.types.typedef(*typedef).name;
                    self.tables.declare(Some(name), Meaning::Type);
                }
                Decl::Shared { object, .. } => self.object(*object),
                Decl::StaticAssert => {}
                Decl::Length { value, .. } => self.expr(*value),
            }
        }
    }

    fn stmt(&mut self, id: StmtId) {
        use StmtKind::*;
        stacker::maybe_grow(64 * 1024, 4 << 20, || match &self.body.stmt(id).kind {
            Decl(group) => self.group(group),
            Nested(id) => self.function(self.body.nested(*id)),
            Compound(_) => self.scope(|scopes| scopes.stmt_parts(id)),
            For { init, .. } | Forall { init, .. } => {
                self.scope(|scopes| {
                    // The walk visits these initialisers again, in the scope of their variables.
                    if let ForInit::Decl(group) = init {
                        scopes.group(group);
                    }
                    scopes.stmt_parts(id);
                });
            }
            Null | Expr(_) | If(..) | Switch(..) | While(..) | DoWhile(..) | Label(..)
            | Case(..) | Default(_) | Goto(_) | GotoExpr(_) | Break | Continue | Return(_)
            | Sync(..) | Fence | Scope(..) => self.stmt_parts(id),
            Asm { .. } => self.stmt_parts(id),
        });
    }

    fn stmt_parts(&mut self, id: StmtId) {
        stmt_children(self.body, id, &mut |node| self.node(node));
    }

    fn init(&mut self, id: InitId) {
        init_children(self.body, id, &mut |node| self.node(node));
    }

    fn node(&mut self, node: Node) {
        self.watch.node(node);
        match node {
            Node::Expr(e) => self.expr(e),
            Node::Stmt(s) => self.stmt(s),
            Node::Init(i) => stacker::maybe_grow(64 * 1024, 4 << 20, || self.init(i)),
        }
    }

    fn expr(&mut self, id: ExprId) {
        if let ExprKind::Local(local) = self.body.expr(id).kind {
            self.names_local(id, local);
        } else if let ExprKind::Object(object) = self.body.expr(id).kind {
            self.names_object(id, object);
        } else {
            stacker::maybe_grow(64 * 1024, 4 << 20, || {
                expr_children(self.body, id, &mut |node| {
                    if let Node::Expr(operand) = node {
                        self.watch.operand(id, operand);
                    }
                    self.node(node);
                });
            });
        }
    }

    fn names_local(&mut self, id: ExprId, local: LocalId) {
        let name = self.body.local(local).name;
        if !self.tables.visible[local.0 as usize] {
            self.watch
                .misnamed(id, "names a local variable that is not in scope");
        } else if name.is_some_and(|name| self.tables.meaning(name) != Some(Meaning::Local(local)))
        {
            self.watch
                .misnamed(id, "names a local variable that another declaration hides");
        }
    }

    fn names_object(&mut self, id: ExprId, object: ObjectId) {
        let declared = &self.module.objects[object];
        let hidden = matches!(
            self.tables.meaning(declared.name),
            Some(Meaning::Local(_) | Meaning::Type)
        );
        if hidden && declared.emit_name.is_none() {
            self.watch
                .misnamed(id, "names an object that another declaration hides");
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::diag::{Diagnostics, WarningPolicy};
    use crate::il::validate::{Stage, validate};
    use crate::il::{Body, ItemKind, StmtId, StmtKind};
    use crate::sema::{SemaOptions, analyse};

    /// The validator's report for a function whose only block loses its last statement to the function if `out`, and
    /// otherwise gets the function's first.
    fn moved(text: &str, out: bool) -> String {
        let mut parsed = upcc_grammar::parse(format!("shared int c[10];\n{text}"));
        let mut diags = Diagnostics::new(WarningPolicy::default());
        let mut module = analyse(&mut parsed, SemaOptions::of_tests(), &mut diags);
        assert!(validate(&module, Stage::Typed).is_ok());
        for item in &mut module.items {
            let ItemKind::Function(function) = &item.kind else {
                continue;
            };
            let is_block = |&id: &StmtId| matches!(item.body.stmt(id).kind, StmtKind::Compound(_));
            let StmtKind::Compound(outer) = &item.body.stmt(function.root).kind else {
                continue;
            };
            let inner = outer.items.iter().copied().find(is_block);
            let inner = inner.expect("the function has a block");
            let (from, to) = match out {
                true => (inner, function.root),
                false => (function.root, inner),
            };
            let moved = match items(&mut item.body, from) {
                items if out => items.pop(),
                items => Some(items.remove(0)),
            };
            items(&mut item.body, to).extend(moved);
        }
        validate(&module, Stage::Typed).map_or_else(|broken| broken.to_string(), |()| String::new())
    }

    fn items(body: &mut Body, block: StmtId) -> &mut Vec<StmtId> {
        match &mut body.stmts[block].kind {
            StmtKind::Compound(block) => &mut block.items,
            _ => unreachable!("a block"),
        }
    }

    #[test]
    fn a_name_does_not_leave_the_scope_of_its_declaration() {
        let said = moved("void f(void) { { int k = 1; c[k] = 1; } }", true);
        assert!(said.contains("invariant 10: names a local variable that is not in scope"));
        let said = moved("void f(int n) { { int k = 1; c[n] = 1; } }", true);
        assert_eq!(said, "");
    }

    #[test]
    fn a_name_does_not_come_where_another_declaration_hides_it() {
        let said = moved("void f(int k) { c[k] = 1; { int k = 2; } }", false);
        assert!(
            said.contains("invariant 10: names a local variable that another declaration hides")
        );
        let said = moved("void f(void) { c[1] = 1; { int c = 2; } }", false);
        assert!(said.contains("invariant 10: names an object that another declaration hides"));
        let said = moved("void f(int k) { c[k] = 1; { int n = 2; } }", false);
        assert_eq!(said, "");
    }
}
