//! Instrumentation: decides from flags, pragmas and the table of events which constructs raise performance events, and
//! marks them.
//!
//! - A shared access gets `INSTRUMENT_GET`, `INSTRUMENT_PUT` or both; if only remote accesses count, `locality` may
//!   still make it private.
//! - `upc_notify`, `upc_wait`, `upc_barrier` and `upc_fence` become `instrumented`.
//! - A function's body and a `upc_forall` are bracketed by a `StmtKind::Scope`.
//! - A call of a library function gets `INSTRUMENT_CALL`; `lower` gives it the function of `events::CALLS`.
//! - Verbatim text stays verbatim (IL invariant 6): its calls, and the brace that opens a verbatim function, become
//!   `Module::patches`.
//! - Loops raise no events. Their texts become `Module::loops`, so that profiles can tell what happens in which loop.
//!
//! The state at a construct's first token decides, so a construct that began before `#pragma pupc off` is reported to
//! its end. System headers raise no events.

mod pragmas;

use crate::events::{CALLS, Instrument, find};
use crate::ids::TiVec;
use crate::il::walk::{Node, visit};
use crate::il::{
    Block, Body, Expr, ExprFlags, ExprId, ExprKind, ExprList, Function, ItemKind, Linkage,
    LoopKind, LoopText, Module, Object, ObjectId, Patch, PatchTo, Scope, Site, SiteId, SiteKind,
    StmtId, StmtKind,
};
use crate::passes::analysis::places::place_span;
use crate::types::Types;
use hashbrown::HashMap;
use pragmas::Regions;
use upcc_grammar::Parsed;
use upcc_grammar::ast::{Span, SyncKind};
use upcc_grammar::lex::Token;
use upcc_grammar::symbol::Symbol;
use upcc_grammar::token::TokenKind;

/// Marks the constructs that raise events.
pub fn run(module: &mut Module, parsed: &Parsed, options: &Instrument) {
    let mut inst = Inst {
        parsed,
        options,
        regions: Regions::read(&parsed.stream),
        calls: instrumented_calls(parsed, options),
        events: Events::new(options),
        types: &module.types,
        objects: &module.objects,
        sites: TiVec::new(),
        patches: Vec::new(),
        loops: Vec::new(),
    };
    for item in &mut module.items {
        crate::progress::at(item.span.lo);
        let ItemKind::Function(function) = &item.kind else {
            continue;
        };
        if parsed.in_system_header(item.span) {
            continue;
        }
        inst.function(function, &mut item.body, item.span, item.verbatim);
    }
    let Inst {
        sites,
        mut patches,
        loops,
        ..
    } = inst;
    patches.sort_by_key(|patch| patch.token);
    // The size of a variable length array may be visited twice.
    patches.dedup_by_key(|patch| patch.token);
    (module.sites, module.patches, module.loops) = (sites, patches, loops);
}

/// The functions whose calls are instrumented: their index in `CALLS`, by name.
fn instrumented_calls(parsed: &Parsed, options: &Instrument) -> HashMap<Symbol, usize> {
    let wanted = |event: Option<&str>| event.is_none_or(|event| wants(options, event));
    let calls = CALLS.iter().enumerate();
    calls
        .filter(|(_, call)| wanted(call.event))
        .filter_map(|(index, call)| Some((parsed.interner.get(&call.name)?, index)))
        .collect()
}

fn wants(options: &Instrument, symbol: &str) -> bool {
    find(symbol).is_some_and(|index| options.events.has(index))
}

/// The selected events of constructs.
struct Events {
    function: bool,
    forall: bool,
    notify: bool,
    wait: bool,
    barrier: bool,
    fence: bool,
    /// For relaxed accesses, then for strict ones.
    get: [bool; 2],
    put: [bool; 2],
}

impl Events {
    fn new(options: &Instrument) -> Events {
        let wants = |symbol| wants(options, symbol);
        let access = |symbol| {
            let index = find(symbol);
            [false, true].map(|strict| index.is_some_and(|i| options.wants_access(i, strict)))
        };
        Events {
            function: wants("GASP_C_FUNC"),
            forall: wants("GASP_UPC_FORALL"),
            notify: wants("GASP_UPC_NOTIFY"),
            wait: wants("GASP_UPC_WAIT"),
            barrier: wants("GASP_UPC_BARRIER"),
            fence: wants("GASP_UPC_FENCE"),
            get: access("GASP_UPC_GET"),
            put: access("GASP_UPC_PUT"),
        }
    }

    fn sync(&self, kind: SyncKind) -> bool {
        match kind {
            SyncKind::Notify => self.notify,
            SyncKind::Wait => self.wait,
            SyncKind::Barrier => self.barrier,
        }
    }
}

/// The state of the pass.
struct Inst<'a> {
    parsed: &'a Parsed,
    options: &'a Instrument,
    regions: Regions,
    calls: HashMap<Symbol, usize>,
    events: Events,
    types: &'a Types,
    objects: &'a TiVec<ObjectId, Object>,
    sites: TiVec<SiteId, Site>,
    patches: Vec<Patch>,
    loops: Vec<LoopText>,
}

impl Inst<'_> {
    fn function(&mut self, function: &Function, body: &mut Body, item: Span, verbatim: bool) {
        let mut nodes = Vec::new();
        let mut roots = vec![Node::Stmt(function.root)];
        roots.extend(
            body.vlas
                .iter()
                .filter_map(|&(_, size)| size.map(Node::Expr)),
        );
        for root in roots {
            visit(body, root, &mut |node| {
                nodes.push(node);
                // The operand of `sizeof` is not evaluated.
                !matches!(node, Node::Expr(e) if matches!(body.expr(e).kind, ExprKind::SizeofPlace(_)))
            });
        }
        for node in nodes {
            match node {
                Node::Expr(e) => self.expr(body, e),
                Node::Stmt(s) => self.stmt(body, s),
                Node::Init(_) => {}
            }
        }
        let head = Span {
            lo: item.lo,
            hi: function.head.hi,
        };
        if !self.is_reported(function, head) {
            return;
        }
        let site = self.site(head, SiteKind::Function);
        if verbatim {
            self.bracket_text(body, function.root, site);
        } else {
            self.bracket(body, function.root, site);
        }
    }

    /// True for a function whose entry and exit raise events.
    fn is_reported(&self, function: &Function, head: Span) -> bool {
        let object = &self.objects[function.object];
        let name = self.parsed.interner.name(object.name);
        self.events.function
            && self.regions.on(head.lo)
            && !self.options.exclude.contains(name)
            && !self.forbids_instrumentation(head)
    }

    /// True for a function whose attributes forbid generated code at its entry.
    fn forbids_instrumentation(&self, head: Span) -> bool {
        let stream = &self.parsed.stream;
        let attrs = stream.attrs_in(head.lo..=head.hi);
        attrs.iter().any(|attr| {
            let text = &stream.text[attr.start as usize..attr.end as usize];
            text.contains("no_instrument_function") || text.contains("naked")
        })
    }

    fn site(&mut self, at: Span, kind: SiteKind) -> SiteId {
        self.sites.push(Site { at, kind });
        SiteId(self.sites.len() as u32 - 1)
    }

    // ---- scopes

    /// Inserts a scope before the statements of a function's body.
    fn bracket(&mut self, body: &mut Body, root: StmtId, site: SiteId) {
        let start = body.stmt(root).span.lo + 1;
        let scope = body.push_scope(Scope::Function(site), start);
        let root = &mut body.stmts[root];
        root.verbatim = false;
        if let StmtKind::Compound(block) = &mut root.kind {
            block.items.insert(0, scope);
        }
    }

    /// As `bracket`, in text. Declarations of labels must stay first in their block, so such a function gets an inner
    /// block.
    fn bracket_text(&mut self, body: &Body, root: StmtId, site: SiteId) {
        let stmt = body.stmt(root);
        let StmtKind::Compound(block) = &stmt.kind else {
            return;
        };
        let inner = !block.local_labels.is_empty();
        self.patch(stmt.span.lo, PatchTo::OpenFunction { site, inner });
        if inner {
            self.patch(stmt.span.hi - 1, PatchTo::CloseInner);
        }
    }

    /// Puts a `upc_forall` into a block of its own, after a scope.
    fn bracket_forall(&mut self, body: &mut Body, id: StmtId) {
        let span = body.stmt(id).span;
        let site = self.site(span, SiteKind::Bare);
        let scope = body.push_scope(Scope::Forall(site), span.lo);
        let inner = body.move_stmt(id);
        body.stmts[id].kind = StmtKind::Compound(Block {
            local_labels: Vec::new(),
            items: vec![scope, inner],
        });
    }

    fn patch(&mut self, token: u32, to: PatchTo) {
        self.patches.push(Patch { token, to });
    }

    // ---- statements

    fn stmt(&mut self, body: &mut Body, id: StmtId) {
        use StmtKind::*;
        let stmt = body.stmt(id);
        let at = stmt.span;
        self.loops
            .extend(loop_kind(&stmt.kind).map(|kind| LoopText { at, kind }));
        if !self.regions.on(at.lo) {
            return;
        }
        match stmt.kind {
            Sync(kind, _) => {
                body.stmts[id].instrumented = self.events.sync(kind);
            }
            Fence => body.stmts[id].instrumented = self.events.fence,
            Forall { .. } if self.events.forall => self.bracket_forall(body, id),
            Compound(_) | Null | Expr(_) | If(..) | Switch(..) | While(..) | DoWhile(..)
            | Label(..) | Nested(_) | Case(..) | Default(_) | Goto(_) | GotoExpr(_) | Break
            | Continue | Return(_) | Decl(_) | Scope(..) => {}
            For { .. } | Forall { .. } | Asm { .. } => {}
        }
    }

    // ---- expressions

    fn expr(&mut self, body: &mut Body, id: ExprId) {
        use ExprKind::*;
        let Expr {
            kind, span, flags, ..
        } = *body.expr(id);
        let (place, get, put) = match kind {
            Load(place) => (place, true, false),
            Assign { place, .. } => (place, false, true),
            AssignOp { place, .. } | IncDec { place, .. } => (place, true, true),
            Call(callee, args) => return self.call(body, id, callee, args),
            Local(_) | Object(_) | Deref(_) | Field(..) | Str | CompoundLit(_) | RealPlace(_)
            | ImagPlace(_) | Int(_) | Number | AddrOf(_) | Decay(_) | Unary(..) | Binary(..)
            | PtrDiff(..) | Cond(..) | CondElvis(..) | Comma(..) | SizePerThread(_)
            | SizeofPlace(_) | StmtExpr(_) | LabelAddr(_) | VaArg(_) | Opaque | Threads
            | MyThread => return,
            PtrAdd { .. } | Cast { .. } | Rt { .. } => return,
        };
        let at = place_span(body, place, span);
        if !self.types.is_shared(body.expr(place).ty) || !self.regions.on(at.lo) {
            return;
        }
        let strict = usize::from(flags.has(ExprFlags::STRICT));
        let mut marks = ExprFlags::default();
        if get && self.events.get[strict] {
            marks = marks.with(ExprFlags::INSTRUMENT_GET);
        }
        if put && self.events.put[strict] {
            marks = marks.with(ExprFlags::INSTRUMENT_PUT);
        }
        body.exprs[id].flags = flags.with(marks);
    }

    fn call(&mut self, body: &mut Body, id: ExprId, callee: ExprId, args: ExprList) {
        let Some(index) = self.instrumented(body, callee, args) else {
            return;
        };
        let Expr { span, flags, .. } = *body.expr(id);
        // The user's own events are reported regardless of the pragma.
        if CALLS[index].event.is_some() && !self.regions.on(span.lo) {
            return;
        }
        if !flags.has(ExprFlags::VERBATIM) {
            body.exprs[id].flags = flags.with(ExprFlags::INSTRUMENT_CALL);
            return;
        }
        let Some((name, open)) = self.call_tokens(body.expr(callee).span) else {
            return;
        };
        let site = self.site(span, SiteKind::Bare);
        self.patch(name, PatchTo::Instrumented(index));
        let only = args.len == 0;
        self.patch(open, PatchTo::SiteArgument { site, only });
    }

    /// The index in `CALLS` of the function called by name, unless the unit defines it.
    fn instrumented(&self, body: &Body, callee: ExprId, args: ExprList) -> Option<usize> {
        let object = &self.objects[body.called(callee)?];
        let index = *self.calls.get(&object.name)?;
        let library = !object.defined && object.linkage == Linkage::External;
        let fits = CALLS[index]
            .args
            .is_none_or(|count| count == args.len as usize);
        (library && fits).then_some(index)
    }

    /// The tokens of a call in text that get another spelling: the function's name, and the parenthesis before its
    /// arguments.
    fn call_tokens(&self, callee: Span) -> Option<(u32, u32)> {
        let tokens = &self.parsed.stream.tokens;
        let name = (callee.lo..callee.hi)
            .find(|&token| tokens[token as usize].symbol != Token::NO_SYMBOL)?;
        let is = |token: u32, kind| tokens.get(token as usize).is_some_and(|t| t.kind == kind);
        // The closing parenthesis of `(free)(p)` may follow the callee's own tokens.
        let mut open = callee.hi;
        while is(open, TokenKind::RParen) {
            open += 1;
        }
        is(open, TokenKind::LParen).then_some((name, open))
    }
}

fn loop_kind(stmt: &StmtKind) -> Option<LoopKind> {
    use StmtKind::*;
    match stmt {
        For { .. } => Some(LoopKind::For),
        While(..) => Some(LoopKind::While),
        DoWhile(..) => Some(LoopKind::Do),
        Sync(..)
        | Fence
        | Forall { .. }
        | Compound(_)
        | Null
        | Expr(_)
        | If(..)
        | Switch(..)
        | Label(..)
        | Nested(_)
        | Case(..)
        | Default(_)
        | Goto(_)
        | GotoExpr(_)
        | Break
        | Continue
        | Return(_)
        | Decl(_)
        | Scope(..)
        | Asm { .. } => None,
    }
}
