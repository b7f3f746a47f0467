//! Statements (C11 6.8, UPC 6.6), and the state of statements and expressions: labels, loops, switches, the
//! strict/relaxed pragma.

use super::expr::Class;
use super::jumps::Regions;
use super::labels::LabelScope;
use super::race_ok::RaceOk;
use super::report::code;
use super::switch::Switch;
use super::*;
use il::StmtKind;
use upcc_grammar::SyntaxKind;
use upcc_grammar::token::TokenKind;

/// The state that statements and expressions keep between nodes.
#[derive(Default)]
pub struct Flow {
    /// Arguments of the calls being analysed, innermost last.
    pub(super) pending: Vec<il::ExprId>,
    pub(super) pragmas: upc::Pragmas,
    pub(super) race_ok: RaceOk,
    /// Old spellings of keywords that have already been warned about.
    pub(super) old_words: Vec<(Symbol, usize)>,
    /// The `upc_forall` loops around the current statement, innermost last.
    pub(super) foralls: Vec<upc::Forall>,
    pub(super) labels: Vec<LabelScope>,
    pub(super) regions: Regions,
    /// Jumps out of functions nested in the current one.
    pub(super) jumps_out: Vec<Span>,
    /// A syntax error has cost statements of the function: a missing label may have been among them.
    pub(super) incomplete: bool,
    /// Loops and switches that enclose the current statement.
    pub(super) breakable: u32,
    loops: u32,
    pub(super) switches: Vec<Switch>,
}

impl Sema<'_> {
    /// Handles tokens that a syntax error has cost: names that they may have declared are not reported as missing.
    pub(super) fn lost(&mut self, span: Span) {
        self.flow.incomplete = true;
        let mut before = TokenKind::Semi;
        for token in span.lo..span.hi {
            let token = self.parsed.stream.tokens[token as usize];
            if token.kind == TokenKind::Ident && self.lookup(token.symbol).is_none() {
                self.scopes.bind(token.symbol, Entity::Reported, span);
            }
            if token.kind == TokenKind::Ident
                && matches!(
                    before,
                    TokenKind::Struct | TokenKind::Union | TokenKind::Enum
                )
            {
                self.already_reported.tags.insert(token.symbol);
            }
            before = token.kind;
        }
    }

    /// Analyses the body of the function in `self.function`. The caller has opened the function's scope and bound the
    /// parameters.
    pub fn function_body(&mut self, body: ast::StmtId) -> il::StmtId {
        let span = self.ast[body].span;
        self.take_pragmas(span.lo, true);
        self.flow.labels.push(LabelScope::default());
        self.flow.incomplete = false;
        let outer = (
            std::mem::take(&mut self.flow.breakable),
            std::mem::take(&mut self.flow.loops),
            std::mem::take(&mut self.flow.switches),
        );
        let mark = self.flow.regions.mark();
        let (kind, touched) = self.watching(|s| s.compound_kind(body));
        (self.flow.breakable, self.flow.loops, self.flow.switches) = outer;
        self.close_labels();
        self.flow.regions.leave(mark, span.hi);
        self.body.push_written(kind, span, !touched)
    }

    /// Analyses a statement, but not the pragma in front of it.
    pub(super) fn statement_itself(&mut self, id: ast::StmtId) -> il::StmtId {
        let span = self.ast[id].span;
        let mark = self.flow.regions.mark();
        let (kind, touched) = self.watching(|s| deep(|| s.statement_kind(id)));
        if opens_scope(&self.ast[id].kind) {
            self.flow.regions.leave(mark, span.hi);
        }
        self.body.push_written(kind, span, !touched)
    }

    fn statement_kind(&mut self, id: ast::StmtId) -> StmtKind {
        use ast::StmtKind as A;
        let ast = self.ast;
        let ast::Stmt { kind, span } = &ast[id];
        let span = *span;
        match kind {
            A::Compound(_) => {
                self.scopes.push();
                let kind = self.compound_kind(id);
                self.scopes.pop();
                kind
            }
            A::Expr(None) => StmtKind::Null,
            A::Error => {
                self.lost(span);
                StmtKind::Null
            }
            A::Expr(Some(e)) => StmtKind::Expr(self.rvalue(*e)),
            A::If(c, then, other) => self.in_scope(|s| {
                let c = s.condition(*c);
                let then = s.scoped(*then);
                let other = other.map(|other| s.scoped(other));
                StmtKind::If(c, then, other)
            }),
            A::Switch(value, body) => self.in_scope(|s| s.switch(*value, *body)),
            A::While(c, body) => self.in_scope(|s| {
                let c = s.condition(*c);
                StmtKind::While(c, s.loop_body(*body))
            }),
            A::DoWhile(body, c) => self.in_scope(|s| {
                let body = s.loop_body(*body);
                StmtKind::DoWhile(body, s.condition(*c))
            }),
            A::For {
                init,
                cond,
                step,
                body,
            } => self.in_scope(|s| {
                let init = s.for_init(*init);
                let cond = cond.map(|c| s.condition(c));
                let step = step.map(|e| s.rvalue(e));
                StmtKind::For {
                    init,
                    cond,
                    step,
                    body: s.loop_body(*body),
                }
            }),
            A::Forall {
                init,
                cond,
                step,
                affinity,
                body,
            } => self.in_scope(|s| s.forall((*init, *cond, *step), *affinity, *body, span)),
            A::Label(name, inner) => {
                self.define_label(
                    *name,
                    Span {
                        lo: span.lo,
                        hi: span.lo + 1,
                    },
                );
                StmtKind::Label(*name, self.statement(*inner))
            }
            A::Case(value, inner) => self.case(*value, None, *inner, span),
            A::CaseRange(low, high, inner) => self.case(*low, Some(*high), *inner, span),
            A::Default(inner) => self.default(*inner, span),
            A::Goto(label) => {
                self.use_label(*label, span, true);
                self.touched |= self.in_controlling();
                StmtKind::Goto(*label)
            }
            A::GotoExpr(e) => {
                let e = self.rvalue(*e);
                let void = QualType::plain(Types::VOID);
                let to = QualType::plain(self.types.pointer_to(void));
                let given = self.body.exprs[e].ty;
                if self.types.is_integer(given) && !self.is_null_constant(e) {
                    let message = format!(
                        "the target of a computed goto has type `{}`",
                        self.show(given)
                    );
                    let help = "the address of a label is a pointer: `&&label`";
                    let at = self.body.exprs[e].span;
                    self.error(code::BAD_LABEL_ADDRESS, at, message, help);
                }
                StmtKind::GotoExpr(self.assign_convert(e, to, AssignContext::Assign))
            }
            A::Break => {
                if self.flow.breakable == 0 && !self.flow.incomplete {
                    self.error(
                        code::BREAK_OUTSIDE,
                        span,
                        "break outside a loop or switch",
                        "remove it, or use return or goto",
                    );
                }
                StmtKind::Break
            }
            A::Continue => {
                if self.flow.loops == 0 && !self.flow.incomplete {
                    self.error(
                        code::CONTINUE_OUTSIDE,
                        span,
                        "continue outside a loop",
                        "remove it, or use return or goto",
                    );
                }
                StmtKind::Continue
            }
            A::Return(value) => {
                self.touched |= self.in_controlling();
                self.return_statement(*value, span)
            }
            A::Asm(asm) => self.asm(*asm),
            A::Decl(decl) => StmtKind::Decl(self.declaration(*decl, Level::Block)),
            A::Sync(kind, value) => self.sync(*kind, *value, span),
            A::Fence => {
                self.check_spelling(span.lo);
                self.touched = true;
                StmtKind::Fence
            }
            A::NestedFunction(def) => self.nested_function(def, span),
        }
    }

    /// Analyses a function nested in a function (GNU).
    fn nested_function(&mut self, def: &ast::FunctionDef, span: Span) -> StmtKind {
        let declarator = &self.ast[def.declarator];
        // A missing brace makes functions of the file look nested.
        let errors = &self.parsed.errors;
        if errors.iter().any(|e| e.kind == SyntaxKind::Unclosed) {
            if let Some(name) = declarator.name {
                self.scopes.bind(name, Entity::Reported, declarator.span);
            }
            return StmtKind::Null;
        }
        let tags = std::mem::take(&mut self.tags);
        let (strict, incomplete) = (self.strict, self.flow.incomplete);
        let foralls = std::mem::take(&mut self.flow.foralls);
        let function = self.inner_function(def, span);
        self.flow.foralls = foralls;
        self.strict = strict;
        self.flow.incomplete |= incomplete;
        self.tags = tags;
        match function {
            Some(function) => StmtKind::Nested(self.body.push_nested(function)),
            // It has already been reported.
            None => StmtKind::Null,
        }
    }

    /// Analyses a statement of a block. The records and enumerations that its expressions define are inserted before
    /// it.
    fn block_item(&mut self, id: ast::StmtId, last: bool, items: &mut Vec<il::StmtId>) {
        let outer = std::mem::take(&mut self.tags);
        let stmt = self.item_statement(id, last, items);
        let mut tags = std::mem::replace(&mut self.tags, outer);
        let verbatim = self.body.stmts[stmt].verbatim;
        // A mention of a tag declares it at its own position.
        tags.retain(|tag| !matches!(tag, il::TagDef::ForwardRecord(_)));
        if !tags.is_empty() && (!verbatim || self.kept) {
            self.name_untagged(&tags);
            let at = ast::Span {
                lo: self.ast[id].span.lo,
                hi: self.ast[id].span.lo,
            };
            let (span, decls) = (at, Vec::new());
            let group = il::DeclGroup {
                span,
                verbatim,
                tags,
                decls,
            };
            let group = self.body.push_stmt(StmtKind::Decl(group), at, verbatim);
            if self.is_block(id) {
                items.push(self.block_of(vec![group, stmt], at.lo, verbatim));
                return;
            }
            items.push(group);
        }
        items.push(stmt);
        self.end_race_ok(id, items);
    }

    /// Analyses the items of a compound statement, in the current scope.
    fn compound_kind(&mut self, id: ast::StmtId) -> StmtKind {
        let ast = self.ast;
        let ast::Stmt { kind, span } = &ast[id];
        // The grammar produces a compound for every body; an error statement represents a body that could not be
        // parsed.
        let ast::StmtKind::Compound(compound) = kind else {
            return StmtKind::Compound(il::Block::default());
        };
        let strict = self.strict;
        if !compound.local_labels.is_empty() {
            self.declare_labels(&compound.local_labels, *span);
        }
        let mut items = Vec::with_capacity(compound.items.len());
        for &item in &compound.items {
            self.take_pragmas(ast[item].span.lo, items.is_empty());
            let last = compound.items.last() == Some(&item);
            self.block_item(item, last, &mut items);
        }
        self.take_pragmas(span.hi.saturating_sub(1), items.is_empty());
        self.strict = strict;
        if !compound.local_labels.is_empty() {
            self.close_labels();
        }
        StmtKind::Compound(il::Block {
            local_labels: compound.local_labels.clone(),
            items,
        })
    }

    fn in_scope<R>(&mut self, work: impl FnOnce(&mut Self) -> R) -> R {
        self.scopes.push();
        let result = work(self);
        self.scopes.pop();
        result
    }

    /// Analyses a substatement, which is a block (C11 6.8.4p3).
    pub(super) fn scoped(&mut self, id: ast::StmtId) -> il::StmtId {
        let mut items = Vec::new();
        self.in_scope(|s| s.block_item(id, false, &mut items));
        if let [only] = items[..] {
            return only;
        }
        let lo = self.ast[id].span.lo;
        self.block_of(items, lo, false)
    }

    pub(super) fn loop_body(&mut self, id: ast::StmtId) -> il::StmtId {
        self.flow.breakable += 1;
        self.flow.loops += 1;
        let body = self.scoped(id);
        self.flow.breakable -= 1;
        self.flow.loops -= 1;
        body
    }

    pub(super) fn for_init(&mut self, init: ast::ForInit) -> il::ForInit {
        match init {
            ast::ForInit::None => il::ForInit::None,
            ast::ForInit::Expr(e) => il::ForInit::Expr(self.rvalue(e)),
            ast::ForInit::Decl(decl) => il::ForInit::Decl(self.declaration(decl, Level::ForInit)),
        }
    }

    fn asm(&mut self, id: ast::AsmId) -> StmtKind {
        let ast = self.ast;
        let asm = &ast[id];
        for &label in &asm.labels {
            self.use_label(label, asm.span, true);
        }
        let outputs = asm
            .outputs
            .iter()
            .map(|operand| self.asm_operand(operand, true))
            .collect();
        let inputs = asm
            .inputs
            .iter()
            .map(|operand| self.asm_operand(operand, false))
            .collect();
        StmtKind::Asm { outputs, inputs }
    }

    /// Analyses an operand. Outputs and memory inputs are places, which must be private; other inputs are values.
    fn asm_operand(&mut self, operand: &ast::AsmOperand, output: bool) -> il::AsmOperand {
        let span = self.ast[operand.value].span;
        let constraint = self.parsed.stream.token_text(operand.constraint.lo);
        let memory = output || constraint.contains(['m', 'o', 'V', 'Q']);
        let mut e = self.expr(operand.value);
        let place = self.is_place(e);
        if memory && place && self.types.is_shared(self.ty(e)) {
            let message = "asm operand in shared memory".to_string();
            self.error(
                code::SHARED_ASM,
                span,
                message,
                "use a private variable, and copy between it and the shared object",
            );
        }
        if output && !place && self.class_of(e) != Class::Unknown {
            self.error(
                code::BAD_ASM,
                span,
                "an asm output must be an object",
                "use a variable",
            );
        }
        if !memory || !place {
            e = self.value_of(e);
        }
        il::AsmOperand { value: e, span }
    }
}

impl SymbolTable<'_> {
    /// Whether to report the incomplete type: not if it was reported before, or if a syntax error has cost its
    /// definition.
    pub(super) fn missed(&mut self, ty: QualType) -> bool {
        let Some(id) = self.types.record_id(ty) else {
            return true;
        };
        let tag = self.types.record(id).tag;
        tag.is_none_or(|tag| !self.already_reported.tags.contains(&tag))
            && self.already_reported.records.insert(id)
    }
}

impl Nodes<'_> {
    /// Creates a block that exists only in the IL.
    fn block_of(&mut self, items: Vec<il::StmtId>, lo: u32, verbatim: bool) -> il::StmtId {
        let block = il::Block {
            local_labels: Vec::new(),
            items,
        };
        let kind = StmtKind::Compound(block);
        self.body
            .push_stmt(kind, ast::Span { lo, hi: lo }, verbatim)
    }
}

impl Context<'_> {
    /// True for selection and iteration statements, which are blocks (C11 6.8.4p3, 6.8.5p5): the types that their
    /// expressions define end with them.
    fn is_block(&self, mut id: ast::StmtId) -> bool {
        use ast::StmtKind as A;
        loop {
            id = match self.ast[id].kind {
                A::Label(_, inner)
                | A::Case(_, inner)
                | A::CaseRange(_, _, inner)
                | A::Default(inner) => inner,
                A::Compound(_) => return false,
                ref kind => return opens_scope(kind),
            }
        }
    }
}

/// True for statements whose own declarations end with them (C11 6.8.2, 6.8.4p3, 6.8.5p5).
fn opens_scope(kind: &ast::StmtKind) -> bool {
    use ast::StmtKind as A;
    match kind {
        A::Compound(_)
        | A::If(..)
        | A::Switch(..)
        | A::While(..)
        | A::DoWhile(..)
        | A::For { .. }
        | A::Forall { .. } => true,
        A::Label(..)
        | A::Case(..)
        | A::CaseRange(..)
        | A::Default(_)
        | A::Expr(_)
        | A::Error
        | A::Goto(_)
        | A::GotoExpr(_)
        | A::Break
        | A::Continue
        | A::Return(_)
        | A::Asm(_)
        | A::Decl(_)
        | A::Sync(..)
        | A::Fence
        | A::NestedFunction(_) => false,
    }
}
