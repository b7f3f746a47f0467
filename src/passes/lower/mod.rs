//! The last pass: shared accesses become runtime operations, pointers-to-shared become values, and `upc_forall` becomes
//! a verbatim loop (IL invariant 8).
//!
//! Decisions that the specification leaves open:
//! - A pointer-to-shared converted to an integer yields its `upc_addrfield`.
//! - Thread 0 stores the initialisers of shared objects before `main`; a barrier follows (the runtime's, see
//!   `UPCR_INIT`).
//! - The dynamic nesting depth of `upc_forall` is raised around the whole loop, including its clauses, and restored
//!   wherever control leaves it, including by `goto` and `return`.
//!
//! Files: `expr` the walk over expressions, `place` shared places, `pointer` pointer-to-shared arithmetic and
//! conversions, `own` accesses to the thread's own elements, `assign` assignments, `update` assignments that the owner
//! of the memory makes, `stmt` statements, `forall` the loop, `decl` declarations, `init` static initialisers,
//! `builtins` library functions with inline forms, `checks` the additional code of checked units, `events` the
//! lowering of instrumented units.

mod assign;
mod builtins;
mod checks;
mod decl;
mod distance;
mod events;
mod expr;
mod flexible;
mod forall;
#[cfg(test)]
mod ice_tests;
mod init;
mod init_const;
mod own;
mod place;
mod pointer;
mod stmt;
mod update;

use crate::ids::TiVec;
use crate::il::{
    Body, ExprFlags, ExprId, ExprKind, Item, ItemKind, LocalId, Module, Object, ObjectId, RtOp,
    Site, SiteId, StmtId, StmtKind,
};
use crate::types::{QualType, TypeId, Types};
use hashbrown::{HashMap, HashSet};
use upcc_grammar::ast::Span;
use upcc_grammar::symbol::{Interner, Symbol};

/// Options of the lowering.
#[derive(Clone, Copy, Debug, Default)]
pub struct Style {
    /// Emit operations that check their operands (`-fupc-checks`).
    pub checks: bool,
    /// Instrumented accesses that turn out to be local raise events too (`--inst-local`).
    pub local_events: bool,
    /// Accesses go by linear images of arrays (`-fno-upc-linear`).
    pub linear: bool,
    /// The thread that has the memory makes `*p += v` (`-fno-upc-updates`).
    pub updates: bool,
}

/// The places of accesses to which lowering did more than a remark of another pass says.
#[derive(Debug)]
pub struct Lowered {
    pub by_linear_image: Vec<Span>,
    pub updates: Vec<Span>,
}

/// Lowers a module.
pub fn run(module: &mut Module, names: &Interner, style: Style) -> Lowered {
    let items = std::mem::take(&mut module.items);
    let mut lower = Lower {
        builtins: builtins::Builtins::new(names),
        names,
        initialised: decl::initialised_objects(&items, &module.objects, &module.types),
        types: &mut module.types,
        objects: &mut module.objects,
        static_threads: module.static_threads,
        checks: style.checks,
        local_events: style.local_events,
        linear: style.linear,
        updates: style.updates,
        updated: Vec::new(),
        site_of: events::sites_of_accesses(&module.sites),
        sites: &mut module.sites,
        body: Body::default(),
        function: None,
        hoisted: Vec::new(),
        hoisted_body: Body::default(),
        runtime_inits: Vec::new(),
        defined: HashSet::new(),
        foralls: Vec::new(),
        after: Vec::new(),
        item_start: 0,
        static_context: false,
        aggregate: None,
        flexible_bytes: 0,
        generated: 0,
        by_linear_image: Vec::new(),
    };
    let mut out = Vec::with_capacity(items.len() + 1);
    for item in items {
        crate::progress::at(item.span.lo);
        lower.item(item, &mut out);
    }
    module.items = out;
    Lowered {
        by_linear_image: lower.by_linear_image,
        updates: lower.updated,
    }
}

/// The state of the pass.
struct Lower<'a> {
    types: &'a mut Types,
    objects: &'a mut TiVec<ObjectId, Object>,
    static_threads: Option<u32>,
    /// Check indices of declared arrays and conversions of pointers.
    checks: bool,
    /// Local accesses raise events.
    local_events: bool,
    /// Accesses go by linear images of arrays, and where some do.
    linear: bool,
    by_linear_image: Vec<Span>,
    /// The thread that has the memory makes updates, and where they are.
    updates: bool,
    updated: Vec<Span>,
    /// The sites of events, and beside them the sites of accesses and calls by their text, which passes may have
    /// copied.
    sites: &'a mut TiVec<SiteId, Site>,
    site_of: HashMap<(u32, u32), SiteId>,
    names: &'a Interner,
    builtins: builtins::Builtins,
    /// Shared objects that have an initialiser in this unit.
    initialised: HashSet<ObjectId>,
    /// Shared objects whose definition has been emitted.
    defined: HashSet<ObjectId>,
    /// Arenas of the current item.
    body: Body,
    /// Name of the current function.
    function: Option<Symbol>,
    /// Declarations that must precede the current item.
    hoisted: Vec<crate::il::Decl>,
    /// Arenas of those declarations.
    hoisted_body: Body,
    /// Statements of the item's initialiser function.
    runtime_inits: Vec<StmtId>,
    /// The controlling loops around the current statement.
    foralls: Vec<forall::Frame>,
    /// Statements that must follow the current declaration.
    after: Vec<StmtId>,
    /// First token of the current item.
    item_start: u32,
    /// True in a static initialiser, where a compound literal whose address is taken has static storage.
    static_context: bool,
    /// The innermost shared object whose braced initialiser is being lowered.
    aggregate: Option<place::Aggregate>,
    /// Bytes of the elements of the flexible array member of the object whose initialiser is being lowered.
    flexible_bytes: u64,
    /// Number of names generated so far.
    generated: u32,
}

impl Lower<'_> {
    fn item(&mut self, mut item: Item, out: &mut Vec<Item>) {
        if item.verbatim {
            out.push(item);
            return;
        }
        self.body = std::mem::take(&mut item.body);
        self.item_start = item.span.lo;
        match &mut item.kind {
            ItemKind::Function(function) | ItemKind::Generated(function) => {
                self.function = Some(self.objects[function.object].name);
                self.stmt(function.root);
                self.vla_sizes();
                self.function = None;
            }
            ItemKind::Decl(group) => {
                self.file_scope_group(group);
                self.vla_sizes();
            }
            ItemKind::Text => {}
        }
        let initialiser = self.initialiser_function(item.span);
        item.body = std::mem::take(&mut self.body);
        let mut decls = std::mem::take(&mut self.hoisted);
        if let ItemKind::Decl(group) = &mut item.kind {
            // After the tags that the declaration defines.
            decls.append(&mut group.decls);
            group.decls = decls;
        } else if !decls.is_empty() {
            let at = Span {
                lo: item.span.lo,
                hi: item.span.lo,
            };
            out.push(decl::generated_group(
                decls,
                std::mem::take(&mut self.hoisted_body),
                at,
            ));
        }
        out.push(item);
        out.extend(initialiser);
    }

    fn vla_sizes(&mut self) {
        for i in 0..self.body.vlas.len() {
            if let (number, Some(size)) = self.body.vlas[i] {
                self.body.vlas[i] = (number, Some(self.value(size)));
            }
        }
    }

    /// Returns a number for a generated name.
    fn fresh(&mut self) -> u32 {
        self.generated += 1;
        self.generated
    }

    // ---- small constructors

    fn push(&mut self, kind: ExprKind, ty: QualType, span: Span) -> ExprId {
        self.body.push_expr(kind, ty, span, ExprFlags::default())
    }

    fn int(&mut self, value: i64, span: Span) -> ExprId {
        let ty = if i32::try_from(value).is_ok() {
            Types::INT
        } else {
            Types::LONG
        };
        self.body.int(value, ty, span)
    }

    fn rt(&mut self, op: RtOp, args: &[ExprId], ty: TypeId, span: Span) -> ExprId {
        self.body.rt(op, args, QualType::plain(ty), span)
    }

    fn expr_stmt(&mut self, value: ExprId, span: Span) -> StmtId {
        self.body.push_stmt(StmtKind::Expr(value), span, false)
    }

    /// Creates a new temporary with an initial value. Returns the temporary and its declaration.
    fn temp(&mut self, value: ExprId, ty: QualType, span: Span) -> (LocalId, StmtId) {
        let local = self.body.push_temp(ty, span);
        let decl = self.body.declare_local(local, value, span);
        (local, decl)
    }

    /// Builds `({ statements; result; })`.
    fn stmt_expr(&mut self, mut items: Vec<StmtId>, result: ExprId, span: Span) -> ExprId {
        let ty = self.body.expr(result).ty;
        items.push(self.expr_stmt(result, span));
        let block = self.body.compound(items, span);
        self.push(ExprKind::StmtExpr(block), ty, span)
    }

    fn ty_of(&self, id: ExprId) -> QualType {
        self.body.expr(id).ty
    }

    fn is_verbatim(&self, id: ExprId) -> bool {
        self.body.expr(id).flags.has(ExprFlags::VERBATIM)
    }

    fn is_pts(&self, id: ExprId) -> bool {
        self.types.is_pts(self.ty_of(id))
    }

    /// The type of the values of a place.
    fn value_type(&self, ty: QualType) -> QualType {
        self.types.unqualified(ty)
    }
}
