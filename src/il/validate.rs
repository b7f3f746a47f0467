//! Enforces the invariants of `il/mod.rs`; each check names the number of its invariant.
//!
//! Only nodes reachable from an item's roots are checked: the passes leave replaced nodes behind. Types that sema could
//! not model are not checked.

use super::operations::{Operand, TypeArg};
use super::scopes::{self, Root, Tables, Watch};
use super::walk::{Node, group_inits, visit};
use super::{
    Body, Decl, DeclGroup, Expr, ExprFlags, ExprId, ExprKind, ExprList, ForInit, Function, InitId,
    Item, ItemKind, Module, RtOp, StmtId, StmtKind,
};
use crate::diag;
use crate::types::{QualType, TypeId, Types};
use std::fmt;
use upcc_grammar::ast::Span;

/// The point at which a module is checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// After sema.
    Typed,
    /// After `passes::lower`: invariant 8 holds too.
    Lowered,
}

/// A lowered module, validated if [`is_on`]; only [`lowered`] creates one.
#[derive(Clone, Copy)]
pub struct Valid<'m>(&'m Module);

impl<'m> Valid<'m> {
    /// Returns the module.
    pub fn module(self) -> &'m Module {
        self.0
    }
}

/// Checks a lowered module for `emit`.
///
/// # Errors
/// The violations, which are bugs in the passes.
pub fn lowered(module: &Module) -> Result<Valid<'_>, Violations> {
    if is_on() {
        validate(module, Stage::Lowered)?;
    }
    Ok(Valid(module))
}

/// True if modules are validated: in builds with assertions, and in everything that cargo runs, because
/// `.cargo/config.toml` sets `UPCC_VALIDATE`.
///
/// Validation takes about a tenth of the time of a translation (docs/testing.md), so users' builds skip it. In these builds, a stage that
/// meets an error that the validator would have found ends in `diag::ice`.
fn is_on() -> bool {
    cfg!(debug_assertions) || std::env::var_os("UPCC_VALIDATE").is_some()
}

/// The violations in a module; never empty.
#[derive(Debug)]
pub struct Violations(Vec<Violation>);

#[derive(Debug)]
struct Violation {
    /// Position in the user's text.
    span: Span,
    /// The item, the node, the invariant, and the error.
    text: String,
}

impl Violations {
    /// Ends the translation with an internal error.
    #[track_caller]
    pub fn end(&self) -> ! {
        let span = self.0.first().map_or(Span { lo: 0, hi: 0 }, |v| v.span);
        diag::ice(span, &format!("IL invariants broken:\n{self}"))
    }
}

impl fmt::Display for Violations {
    /// Writes one line per violation.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let texts: Vec<&str> = self.0.iter().map(|v| v.text.as_str()).collect();
        f.write_str(&texts.join("\n"))
    }
}

/// Checks whether a module satisfies the invariants of a stage.
///
/// # Errors
/// The violations.
pub fn validate(module: &Module, stage: Stage) -> Result<(), Violations> {
    let mut violations = Vec::new();
    let mut tables = Tables::default();
    for (index, item) in module.items.iter().enumerate() {
        // Printed from its text: sema keeps no nodes for it.
        if item.verbatim {
            continue;
        }
        let mut check = Check {
            module,
            types: &module.types,
            body: &item.body,
            stage,
            item: index,
            results: Vec::new(),
            violations: &mut violations,
        };
        check.item(item, &mut tables);
    }
    match violations.is_empty() {
        true => Ok(()),
        false => Err(Violations(violations)),
    }
}

pub(super) struct Check<'a> {
    module: &'a Module,
    pub(super) types: &'a Types,
    pub(super) body: &'a Body,
    pub(super) stage: Stage,
    item: usize,
    /// The result types of the functions around the node.
    pub(super) results: Vec<QualType>,
    violations: &'a mut Vec<Violation>,
}

impl Watch for Check<'_> {
    fn node(&mut self, node: Node) {
        match node {
            Node::Expr(e) => self.expr(e),
            Node::Stmt(s) => self.stmt(s),
            Node::Init(i) => self.init(i),
        }
    }

    fn enter(&mut self, function: &Function) {
        let ty = self.module.objects[function.object].ty;
        let result = self.types.function(ty).map(|function| function.ret);
        self.results
            .push(result.unwrap_or(QualType::plain(Types::UNKNOWN)));
    }

    fn leave(&mut self) {
        self.results.pop();
    }

    fn operand(&mut self, user: ExprId, operand: ExprId) {
        if operand >= user {
            self.fail(1, Node::Expr(user), "operand not before its user");
        }
        let verbatim = |id| self.body.expr(id).flags.has(ExprFlags::VERBATIM);
        if verbatim(user) && !verbatim(operand) {
            self.fail(6, Node::Expr(user), "verbatim, with an operand that is not");
        }
    }

    fn misnamed(&mut self, id: ExprId, what: &str) {
        self.fail(10, Node::Expr(id), what);
    }
}

impl Check<'_> {
    #[cold]
    pub(super) fn fail(&mut self, invariant: u32, node: Node, what: &str) {
        let span = match node {
            Node::Expr(e) => self.body.expr(e).span,
            Node::Stmt(s) if s.0 != u32::MAX => self.body.stmt(s).span,
            Node::Stmt(_) | Node::Init(_) => self.module.items[self.item].span,
        };
        let text = format!(
            "item {}, {node:?}: invariant {invariant}: {what}",
            self.item
        );
        self.violations.push(Violation { span, text });
    }

    fn item(&mut self, item: &Item, tables: &mut Tables) {
        let (module, body) = (self.module, self.body);
        match &item.kind {
            ItemKind::Function(f) | ItemKind::Generated(f) => {
                scopes::walk(module, body, &Root::Function(f), tables, self);
            }
            ItemKind::Decl(group) => {
                self.group(group, Node::Stmt(StmtId(u32::MAX)));
                for init in group_inits(group) {
                    scopes::walk(module, body, &Root::Init(init), tables, self);
                }
            }
            ItemKind::Text => {}
        }
    }

    fn expr(&mut self, id: ExprId) {
        let node = Node::Expr(id);
        let e = self.body.expr(id);
        let verbatim = e.flags.has(ExprFlags::VERBATIM);
        if verbatim && self.types.has_shared(e.ty) {
            self.fail(6, node, "verbatim, of a type with shared in it");
        }
        if matches!(e.kind, ExprKind::Opaque) && !verbatim {
            self.fail(7, node, "opaque, not verbatim");
        }
        self.places(node, e);
        self.conversions(node, e);
        self.pointers(node, e);
        self.strictness(node, e);
        if let ExprKind::Rt {
            op, args, ty_arg, ..
        } = e.kind
            && let Err(what) = self.operation(e, op, args, ty_arg)
        {
            self.fail(11, node, &format!("{op}: {what}"));
        }
        if self.stage == Stage::Lowered {
            self.lowered(node, e);
        }
    }

    /// Invariant 11.
    fn operation(
        &self,
        e: &Expr,
        op: RtOp,
        args: ExprList,
        ty_arg: Option<TypeId>,
    ) -> Result<(), String> {
        let row = op.row();
        let args = self.body.list(args);
        let fits = match row.more {
            true => args.len() >= row.operands.len(),
            false => args.len() == row.operands.len(),
        };
        if !fits {
            return Err(format!("{} operands", args.len()));
        }
        if ty_arg.is_some() != (row.type_arg != TypeArg::None) {
            return Err("type argument".to_owned());
        }
        for (at, (&arg, &wanted)) in args.iter().zip(row.operands).enumerate() {
            if !self.is_operand(self.body.expr(arg), wanted) {
                return Err(format!("operand {at} is not a {wanted:?}"));
            }
        }
        match self.is_operand(e, row.result) {
            true => Ok(()),
            false => Err(format!("its result is not a {:?}", row.result)),
        }
    }

    fn is_operand(&self, e: &Expr, wanted: Operand) -> bool {
        match wanted {
            Operand::Pts => self.types.is_pts(e.ty),
            Operand::Int => self.types.is_integer(e.ty),
            Operand::Pointer => self.types.is_pointer(e.ty) && !self.types.is_pts(e.ty),
            Operand::Object => matches!(e.kind, ExprKind::Object(_)) && self.types.is_shared(e.ty),
            Operand::Site => matches!(
                e.kind,
                ExprKind::Rt {
                    op: RtOp::Site(_),
                    ..
                }
            ),
            Operand::Value => !self.types.is_void(e.ty) && !self.types.is_function(e.ty),
            Operand::Any => true,
        }
    }

    pub(super) fn ty(&self, id: ExprId) -> QualType {
        self.body.expr(id).ty
    }

    /// Invariant 2.
    fn places(&mut self, node: Node, e: &Expr) {
        let place = if let ExprKind::Load(p)
        | ExprKind::AddrOf(p)
        | ExprKind::Decay(p)
        | ExprKind::IncDec { place: p, .. }
        | ExprKind::Assign { place: p, .. }
        | ExprKind::AssignOp { place: p, .. }
        | ExprKind::RealPlace(p)
        | ExprKind::ImagPlace(p) = e.kind
        {
            Some(p)
        } else {
            None
        };
        if let Some(place) = place {
            // An opaque expression may be either. An array member of a function's result decays without being a place
            // (C11 6.2.4p8).
            let kind = self.body.expr(place).kind;
            let member = matches!((e.kind, kind), (ExprKind::Decay(_), ExprKind::Field(..)));
            if !self.body.is_place(place) && !matches!(kind, ExprKind::Opaque) && !member {
                self.fail(2, node, "operand is not a place");
            }
        }
        let aggregate = self.types.is_array(e.ty) || self.types.is_function(e.ty);
        if aggregate
            && !e.kind.is_place()
            && !matches!(e.kind, ExprKind::Opaque | ExprKind::Field(..))
        {
            self.fail(2, node, "value of array or function type");
        }
    }

    /// Invariant 8, for expressions.
    fn lowered(&mut self, node: Node, e: &Expr) {
        use ExprKind::*;
        let shared = |id| self.types.is_shared(self.ty(id));
        let pts = |id| self.types.is_pts(self.ty(id));
        let left = match e.kind {
            Load(p)
            | AddrOf(p)
            | Decay(p)
            | Assign { place: p, .. }
            | AssignOp { place: p, .. }
            | IncDec { place: p, .. } => {
                shared(p) || (pts(p) && matches!(e.kind, AssignOp { .. } | IncDec { .. }))
            }
            PtrAdd { ptr, .. } => pts(ptr),
            PtrDiff(a, b) | Binary(_, a, b) => pts(a) || pts(b),
            Unary(_, a) | Cond(a, ..) | CondElvis(a, _) => pts(a),
            Cast { value, .. } => {
                (pts(value) || self.types.is_pts(e.ty)) && !self.types.is_void(e.ty)
            }
            Threads | MyThread | SizePerThread(_) => true,
            Local(_) | Object(_) | Deref(_) | Field(..) | Str | CompoundLit(_) | RealPlace(_)
            | ImagPlace(_) | Int(_) | Number | Comma(..) | Call(..) | SizeofPlace(_)
            | StmtExpr(_) | LabelAddr(_) | VaArg(_) | Opaque => false,
            Rt { .. } => false,
        };
        if left {
            self.fail(8, node, "UPC after lower");
        }
    }

    fn stmt(&mut self, id: StmtId) {
        let node = Node::Stmt(id);
        let stmt = self.body.stmt(id);
        if let StmtKind::Decl(group)
        | StmtKind::For {
            init: ForInit::Decl(group),
            ..
        }
        | StmtKind::Forall {
            init: ForInit::Decl(group),
            ..
        } = &stmt.kind
        {
            self.group(group, node)
        }
        let upc = matches!(
            stmt.kind,
            StmtKind::Forall { .. } | StmtKind::Sync(..) | StmtKind::Fence
        );
        if upc && stmt.verbatim {
            self.fail(6, node, "verbatim UPC statement");
        }
        if self.stage == Stage::Lowered && (upc || self.tests_pts(&stmt.kind)) {
            self.fail(8, node, "UPC statement after lower");
        }
        if let StmtKind::Return(Some(value)) = stmt.kind {
            self.returned(node, value);
        }
    }

    /// True for a statement whose condition is a pointer-to-shared.
    fn tests_pts(&self, kind: &StmtKind) -> bool {
        use StmtKind::*;
        let condition = match *kind {
            If(c, ..) | Switch(c, _) | While(c, _) | DoWhile(_, c) => Some(c),
            For { cond, .. } | Forall { cond, .. } => cond,
            Compound(_)
            | Null
            | Expr(_)
            | Label(..)
            | Nested(_)
            | Case(..)
            | Default(_)
            | Goto(_)
            | GotoExpr(_)
            | Break
            | Continue
            | Return(_)
            | Asm { .. }
            | Decl(_)
            | Sync(..)
            | Fence
            | Scope(..) => None,
        };
        condition.is_some_and(|c| self.types.is_pts(self.ty(c)))
    }

    /// True for an initialiser that C cannot evaluate before the program starts.
    fn runs(&self, init: InitId) -> bool {
        let mut found = false;
        visit(self.body, Node::Init(init), &mut |node| {
            if let Node::Expr(id) = node {
                let e = self.body.expr(id);
                let acts = e.kind.has_side_effects() && !e.flags.has(ExprFlags::VERBATIM);
                let constant = |op| {
                    op == RtOp::Null
                        || (op == RtOp::Threads && self.module.static_threads.is_some())
                };
                let computes = matches!(e.kind, ExprKind::Rt { op, .. } if !constant(op));
                found |= acts || computes;
            }
            !found
        });
        found
    }

    fn group(&mut self, group: &DeclGroup, node: Node) {
        for decl in &group.decls {
            let Decl::Object { object, init, .. } = decl else {
                continue;
            };
            if self.stage == Stage::Lowered && init.is_some_and(|init| self.runs(init)) {
                self.fail(
                    8,
                    node,
                    "a static initialiser that is not constant after lower",
                );
            }
            let object = &self.module.objects[*object];
            let shared = !object.is_function && self.types.is_shared(object.ty);
            if shared && group.verbatim {
                self.fail(6, node, "verbatim declaration of a shared object");
            }
            if shared && self.stage == Stage::Lowered {
                self.fail(8, node, "declaration of a shared object after lower");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diag::{Diagnostics, WarningPolicy};
    use crate::il::operations::{AccessOp, Direction};
    use crate::passes;
    use crate::sema::{SemaOptions, analyse};

    #[test]
    fn tests_of_every_profile_validate() {
        assert!(is_on());
    }

    const TEXT: &str =
        "shared int a[THREADS]; int f(int i, shared int *p) { a[i] = 1; return a[i] + p[i]; }\n";

    /// The validator's report for the text, lowered if `stage` requires it, after `break_it` has modified the
    /// expressions it selects.
    fn said(stage: Stage, break_it: impl Fn(&mut Expr) -> bool) -> String {
        let mut parsed = upcc_grammar::parse(TEXT.to_owned());
        let mut diags = Diagnostics::new(WarningPolicy::default());
        let mut module = analyse(&mut parsed, SemaOptions::of_tests(), &mut diags);
        if stage == Stage::Lowered {
            passes::run(&mut module, &parsed, passes::Plan::default());
        }
        assert!(validate(&module, stage).is_ok());
        let exprs = module.items.iter_mut().flat_map(|it| &mut it.body.exprs);
        assert!(exprs.filter_map(|e| break_it(e).then_some(())).count() > 0);
        validate(&module, stage).map_or_else(|broken| broken.to_string(), |()| String::new())
    }

    #[test]
    fn an_operation_has_its_operands() {
        let fewer = said(Stage::Lowered, |e| match &mut e.kind {
            ExprKind::Rt {
                op:
                    RtOp::Access(AccessOp {
                        direction: Direction::Put,
                        ..
                    }),
                args,
                ..
            } => {
                args.len = 1;
                true
            }
            _ => false,
        });
        assert!(fewer.contains("invariant 11: UPCR_PUT"), "{fewer}");
        let other = said(Stage::Lowered, |e| match &mut e.kind {
            ExprKind::Rt { op, .. } if *op == RtOp::Add1 => {
                *op = RtOp::Diff1;
                true
            }
            _ => false,
        });
        assert!(
            other.contains("invariant 11: upcr_diff1: operand 1 is not a Pts"),
            "{other}"
        );
    }

    #[test]
    fn only_shared_accesses_are_strict() {
        let strict = said(Stage::Typed, |e| {
            let private = matches!(e.kind, ExprKind::Local(_));
            if private {
                e.flags = e.flags.with(ExprFlags::STRICT);
            }
            private
        });
        assert!(strict.contains("invariant 5"), "{strict}");
    }

    #[test]
    fn a_pointer_is_indexed_by_an_integer() {
        let index = said(Stage::Typed, |e| match &mut e.kind {
            ExprKind::PtrAdd { ptr, index, .. } => {
                *index = *ptr;
                true
            }
            _ => false,
        });
        assert!(index.contains("invariant 4"), "{index}");
    }

    #[test]
    fn what_upc_leaves_behind_is_found() {
        let left = said(Stage::Lowered, |e| {
            let is_rt = matches!(e.kind, ExprKind::Rt { .. });
            if is_rt {
                e.kind = ExprKind::MyThread;
            }
            is_rt
        });
        assert!(left.contains("invariant 8"), "{left}");
    }
}
