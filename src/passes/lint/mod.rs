//! Lints: warnings for code that is legal but probably not intended. They read the typed IL and change nothing.
//!
//! A false warning costs more than a missed one, so each check lists the cases it does not report. Plain C functions
//! and functions of system headers are not checked.
//!
//! Files: `affinity` the fourth clause of `upc_forall`; `forall` its body, `dependences` iterations that depend on
//! each other; `barrier` barriers that not all threads reach, and their order; `handles` locks and files that do not
//! exist, `parts` the parts of variables that are set; `library` pointers-to-shared that functions of the C library get; `outline` answers queries about whole
//! statements, `unit` about the whole unit; `spin` loops that wait for a relaxed access, `signals` writes that end such
//! waits; `updates` shared objects that all threads update at once, `alike` places that are the same on all threads,
//! `doubt` locks of the program's own, `guards` conditions that may select threads;
//! `thread` comparisons with MYTHREAD; `place` private pointers, shared places and copies that do not fit.

mod affinity;
mod alike;
mod barrier;
mod dependences;
mod doubt;
mod forall;
mod guards;
mod handles;
mod library;
mod outline;
mod parts;
mod place;
mod signals;
mod spin;
mod thread;
mod unit;
mod updates;

use super::analysis::effects::{Effects, initial_values};
use super::analysis::refs::fold;
use crate::diag::{Code, Diagnostics};
use crate::il::walk::{Node, visit};
use crate::il::{
    Body, Decl, ExprId, ExprKind, Function, InitId, InitKind, ItemKind, Linkage, LocalId, Module,
    Object, ObjectId, StmtId, StmtKind, UnOp,
};
use crate::sema::deep;
use crate::types::QualType;
use handles::Unset;
use hashbrown::{HashMap, HashSet};
use outline::Outline;
use std::rc::Rc;
use unit::Unit;
use upcc_grammar::Parsed;
use upcc_grammar::ast::{BinOp, Span};
use updates::{Common, Update};

/// The threads that check a unit at most, and the expressions for which a thread is worth its start.
const MOST_THREADS: usize = 4;
const LEAST_EXPRESSIONS: usize = 4000;

/// Checks every function of the module that UPC touches, except functions with nested functions, whose calls are not
/// followed.
pub fn run(module: &Module, parsed: &Parsed, diags: &mut Diagnostics) {
    let unit = Unit::of(module, parsed);
    let functions = module.items.iter().filter_map(|item| match &item.kind {
        ItemKind::Function(function)
            if !item.verbatim
                && item.body.nested.is_empty()
                && !parsed.in_system_header(item.span) =>
        {
            Some((&item.body, function))
        }
        ItemKind::Function(_) | ItemKind::Decl(_) | ItemKind::Text | ItemKind::Generated(_) => None,
    });
    let functions: Vec<Checked> = functions.collect();
    let mut followed = HashMap::new();
    for (found, common) in check_all(&unit, &functions) {
        found.into_items().for_each(|item| {
            diags.push(item);
        });
        followed.extend(common);
    }
    common_updates(&unit, followed, diags);
}

/// A function that is checked.
type Checked<'a> = (&'a Body, &'a Function);

/// What the checks of some functions found.
type Found = (Diagnostics, Vec<(ObjectId, Common)>);

/// Checks functions, on several processors if there is much to check. Returns what was found in source order.
fn check_all(unit: &Unit, functions: &[Checked]) -> Vec<Found> {
    let check = |functions: &[Checked]| {
        let mut diags = Diagnostics::default();
        let common = functions.iter().map(|(body, function)| {
            let common = check_function(unit, body, function, &mut diags);
            (function.object, common)
        });
        let common = common.collect();
        (diags, common)
    };
    let size: usize = functions.iter().map(|(body, _)| body.exprs.len()).sum();
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = processors.min(MOST_THREADS).min(size / LEAST_EXPRESSIONS);
    if threads < 2 {
        return vec![check(functions)];
    }
    let parts = functions.chunks(functions.len().div_ceil(threads));
    std::thread::scope(|scope| {
        let check = &check;
        let parts: Vec<_> = parts.map(|part| scope.spawn(move || check(part))).collect();
        let found = parts.into_iter().map(|part| part.join());
        found
            .map(|part| part.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect()
    })
}

/// Reports the updates of shared objects that all threads make: in `main`, and in the functions that it calls where
/// nothing selects a thread.
fn common_updates(unit: &Unit, mut followed: HashMap<ObjectId, Common>, diags: &mut Diagnostics) {
    let is_main =
        |id: &ObjectId| unit.parsed.interner.name(unit.module.objects[*id].name) == "main";
    let mut rest: Vec<ObjectId> = followed.keys().copied().filter(is_main).collect();
    let mut found = Vec::new();
    while let Some(function) = rest.pop() {
        if let Some(common) = followed.remove(&function) {
            found.extend(common.updates);
            rest.extend(common.calls);
        }
    }
    // Those of functions that not all threads call: iterations of a upc_forall.
    let others = followed.into_values().flat_map(|it| it.updates);
    found.extend(others.filter(Update::is_shared_out));
    found.sort_by_key(Update::place);
    for update in found {
        update.report(unit, diags);
    }
}

fn check_function(
    unit: &Unit,
    body: &Body,
    function: &Function,
    diags: &mut Diagnostics,
) -> Common {
    let (module, parsed) = (unit.module, unit.parsed);
    let escaped = super::analysis::effects::escaped(body, function.root);
    let effects = Effects::of(module, body, function.root, &escaped);
    let mut cx = Cx {
        module,
        parsed,
        unit,
        body,
        function,
        diags,
        escaped,
        initial: HashMap::new(),
        my_threads: HashSet::new(),
        unset: Unset::default(),
        outline: Outline::default(),
        outer: None,
        synchronises: false,
    };
    cx.initial = initial_values(body, function.root, &effects);
    cx.my_threads = cx.copies_of_mythread();
    cx.unset = Unset::of(&cx, &effects);
    cx.outline = Outline::of(&cx);
    let (mut exprs, mut stmts) = (Vec::new(), Vec::new());
    visit(body, Node::Stmt(function.root), &mut |node| {
        match node {
            Node::Expr(e) => exprs.push(e),
            Node::Stmt(s) => stmts.push(s),
            Node::Init(_) => {}
        }
        true
    });
    cx.synchronises = stmts
        .iter()
        .any(|&s| matches!(cx.stmt(s), StmtKind::Sync(..) | StmtKind::Forall { .. }))
        || exprs.iter().any(|&e| cx.collective_call(e).is_some());
    for e in exprs {
        thread::check(&mut cx, e);
        place::check(&mut cx, e);
        handles::check(&mut cx, e);
        library::check(&mut cx, e);
    }
    forall::leaving(&mut cx);
    for s in stmts {
        affinity::check(&mut cx, s);
        forall::check(&mut cx, s);
        dependences::check(&mut cx, s);
        barrier::check(&mut cx, s);
        spin::check(&mut cx, s);
        signals::check(&mut cx, s);
    }
    updates::follow(&mut cx)
}

fn without_casts(body: &Body, mut e: ExprId) -> ExprId {
    while let ExprKind::Cast { value, .. } = body.exprs[e].kind {
        e = value;
    }
    e
}

/// The current function.
struct Cx<'a> {
    module: &'a Module,
    parsed: &'a Parsed,
    unit: &'a Unit<'a>,
    body: &'a Body,
    function: &'a Function,
    diags: &'a mut Diagnostics,
    /// Locals whose address is taken.
    escaped: HashSet<LocalId>,
    /// The initialisers of locals that are not written anywhere else.
    initial: HashMap<LocalId, ExprId>,
    /// Locals that always hold MYTHREAD.
    my_threads: HashSet<LocalId>,
    /// The locals of which parts may be null for ever.
    unset: Unset,
    outline: Outline<'a>,
    /// The outermost loop queried last, and its effects.
    outer: Option<(StmtId, Rc<Effects>)>,
    /// The function contains a synchronization statement, a collective call or a `upc_forall`.
    synchronises: bool,
}

impl<'a> Cx<'a> {
    fn kind(&self, e: ExprId) -> ExprKind {
        self.body.exprs[e].kind
    }

    fn ty(&self, e: ExprId) -> QualType {
        self.body.exprs[e].ty
    }

    fn span(&self, e: ExprId) -> Span {
        self.body.exprs[e].span
    }

    fn stmt(&self, s: StmtId) -> &'a StmtKind {
        &self.body.stmts[s].kind
    }

    fn stmt_span(&self, s: StmtId) -> Span {
        self.body.stmts[s].span
    }

    fn object(&self, id: crate::il::ObjectId) -> &'a Object {
        &self.module.objects[id]
    }

    fn name_of(&self, object: &Object) -> &'a str {
        self.parsed.interner.name(object.name)
    }

    /// The text of an expression, with macros expanded.
    fn text(&self, e: ExprId) -> &'a str {
        self.parsed.stream.slice(self.span(e))
    }

    fn warn(&mut self, code: Code, span: Span, message: impl Into<String>, help: &str) {
        let bytes = self.parsed.stream.bytes(span);
        self.diags.report(code, bytes, message).help(help);
    }

    /// Adds another place to the last report.
    fn note(&mut self, span: Span, text: &str) {
        let bytes = self.parsed.stream.bytes(span);
        if let Some(last) = self.diags.last_mut() {
            last.label(bytes, text);
        }
    }

    /// The arguments of a call.
    fn arguments(&self, e: ExprId) -> &'a [ExprId] {
        if let ExprKind::Call(_, list) = self.kind(e) {
            &self.body.lists[list.start as usize..(list.start + list.len) as usize]
        } else {
            &[]
        }
    }

    /// The function that a call names.
    fn callee(&self, e: ExprId) -> Option<&'a Object> {
        let ExprKind::Call(callee, _) = self.kind(e) else {
            return None;
        };
        let ExprKind::Decay(place) = self.kind(self.without_casts(callee)) else {
            return None;
        };
        if let ExprKind::Object(object) = self.kind(place) {
            Some(self.object(object))
        } else {
            None
        }
    }

    /// The name of the library function that an expression calls; a library function is one that a system header
    /// declares.
    fn library_call(&self, e: ExprId) -> Option<&'a str> {
        let callee = self.callee(e)?;
        self.parsed
            .in_system_header(callee.span)
            .then(|| self.name_of(callee))
    }

    /// The collective library function that an expression calls, recognised by its prefix (UPC 7.1p6; Berkeley's
    /// extensions follow it).
    fn collective_call(&self, e: ExprId) -> Option<&'a str> {
        self.library_call(e)
            .filter(|name| name.starts_with("upc_all_") || name.starts_with("bupc_all_"))
    }

    fn without_casts(&self, e: ExprId) -> ExprId {
        without_casts(self.body, e)
    }

    /// The value of an integer constant expression.
    fn constant(&self, e: ExprId) -> Option<i128> {
        deep(|| self.constant_of(e))
    }

    fn constant_of(&self, e: ExprId) -> Option<i128> {
        use ExprKind::*;
        match self.kind(e) {
            Int(n) => Some(match self.module.types.int_kind_of(self.ty(e)) {
                Some(kind) if !kind.is_signed() => i128::from(n as u64),
                Some(_) | None => i128::from(n),
            }),
            Cast { value, .. } if self.module.types.is_integer(self.ty(e)) => self.constant(value),
            Unary(UnOp::Neg, a) => self.constant(a)?.checked_neg(),
            Unary(UnOp::Plus, a) => self.constant(a),
            Binary(op, a, b) => fold(op, self.constant(a)?, self.constant(b)?),
            Local(_) | Object(_) | Deref(_) | Field(..) | Str | CompoundLit(_) | RealPlace(_)
            | ImagPlace(_) | Number | Load(_) | AddrOf(_) | Decay(_) | Unary(..) | PtrDiff(..)
            | Cond(..) | CondElvis(..) | Comma(..) | Call(..) | SizePerThread(_)
            | SizeofPlace(_) | StmtExpr(_) | LabelAddr(_) | VaArg(_) | Opaque | Threads
            | MyThread => None,
            Assign { .. } | AssignOp { .. } | IncDec { .. } => None,
            PtrAdd { .. } | Cast { .. } | Rt { .. } => None,
        }
    }

    /// Whether an expression is MYTHREAD, possibly converted, or a variable that always holds it.
    fn is_mythread(&self, e: ExprId) -> bool {
        use ExprKind::*;
        match self.kind(self.without_casts(e)) {
            MyThread => true,
            Load(place) => {
                matches!(self.kind(place), Local(l) if self.my_threads.contains(&l))
            }
            Local(_) | Object(_) | Deref(_) | Field(..) | Str | CompoundLit(_) | RealPlace(_)
            | ImagPlace(_) | Int(_) | Number | AddrOf(_) | Decay(_) | Unary(..) | Binary(..)
            | PtrDiff(..) | Cond(..) | CondElvis(..) | Comma(..) | Call(..) | SizePerThread(_)
            | SizeofPlace(_) | StmtExpr(_) | LabelAddr(_) | VaArg(_) | Opaque | Threads => false,
            Assign { .. } | AssignOp { .. } | IncDec { .. } => false,
            PtrAdd { .. } | Cast { .. } | Rt { .. } => false,
        }
    }

    /// Locals that are initialised with MYTHREAD and not written anywhere else.
    fn copies_of_mythread(&self) -> HashSet<LocalId> {
        let is_copy = |e: &ExprId| matches!(self.kind(self.without_casts(*e)), ExprKind::MyThread);
        let copies = self.initial.iter().filter(|(_, e)| is_copy(e));
        copies.map(|(local, _)| *local).collect()
    }

    /// Whether a `upc_forall` around the loop already selects the thread.
    fn is_controlled(&self, stmt: StmtId) -> bool {
        self.outline.loop_at(stmt).is_some_and(|l| l.controlled)
    }

    /// The effects of the outermost loop around a loop.
    fn outer_effects(&mut self, stmt: StmtId) -> Rc<Effects> {
        let outermost = self.outline.loop_at(stmt).map_or(stmt, |l| l.outermost);
        match &self.outer {
            Some((known, effects)) if *known == outermost => effects.clone(),
            _ => {
                let effects = Rc::new(Effects::of(
                    self.module,
                    self.body,
                    outermost,
                    &self.escaped,
                ));
                self.outer = Some((outermost, effects.clone()));
                effects
            }
        }
    }

    /// The first token of a statement.
    fn head(&self, s: StmtId) -> Span {
        let span = self.stmt_span(s);
        Span {
            lo: span.lo,
            hi: span.lo + 1,
        }
    }
}
