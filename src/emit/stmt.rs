//! Statements.

use super::Emitter;
use super::expr::Prec;
use super::sites::scope_text;
use crate::diag;
use crate::il::{AsmOperand, Decl, DeclGroup, ExprId, ForInit, Stmt, StmtId, StmtKind, Turns};
use upcc_grammar::ast::Span;
use upcc_grammar::token::TokenKind;

/// The position of the declaration or expression that begins a `for` loop.
enum Clause {
    /// Inside the loop's parentheses.
    Inside(String),
    /// In front of the loop, in a block of its own. Used for declarators whose specifiers differ in C, and for
    /// generated names, which gnu89 rejects in a clause.
    InFront,
}

impl Emitter<'_> {
    /// Writes a statement on the user's line of its first token.
    pub(super) fn stmt(&mut self, id: StmtId) {
        let body = self.body;
        let stmt = body.stmt(id);
        if self.prints_nothing(id) {
            return;
        }
        let copied = self.is_copied(stmt.verbatim) && stmt.span.lo < stmt.span.hi;
        let clause = if let StmtKind::For { init, .. } = &stmt.kind
            && !copied
        {
            self.first_clause(init)
        } else {
            Clause::Inside(String::new())
        };
        if let Clause::Inside(_) = clause {
            self.trivia(stmt);
        }
        let start = self.out.start_of(stmt.span.lo);
        let label = matches!(
            stmt.kind,
            StmtKind::Case(..) | StmtKind::Default(_) | StmtKind::Label(..)
        );
        // A label is indented less than the statement it labels.
        let indent = self.out.indent;
        self.out.indent = indent.saturating_sub(u32::from(label));
        if stmt.span.lo < stmt.span.hi {
            self.out.go_to(start);
        } else {
            // A pass made the statement, so it stays on the line where the previous one ended.
            self.out.stay();
        }
        self.out.indent = indent;
        stacker::maybe_grow(64 * 1024, 4 << 20, || {
            if copied {
                let bytes = self.out.stream.bytes(stmt.span);
                self.out.copy(bytes, None);
            } else {
                self.stmt_kind(stmt, clause);
            }
        });
    }

    /// A statement of a block. One that a pass made gets a line of its own, with the position of the construct that it
    /// was made for.
    fn block_item(&mut self, id: StmtId) {
        let span = self.body.stmt(id).span;
        if span.lo >= span.hi && !self.prints_nothing(id) {
            let construct = self.out.start_of(span.lo);
            self.out.made_line(construct);
        }
        self.stmt(id);
    }

    /// True for a declaration of which nothing is left.
    fn prints_nothing(&self, id: StmtId) -> bool {
        if let StmtKind::Decl(group) = &self.body.stmt(id).kind {
            !self.is_copied(group.verbatim) && group.decls.is_empty() && group.tags.is_empty()
        } else {
            false
        }
    }

    fn stmt_kind(&mut self, stmt: &Stmt, clause: Clause) {
        let (span, start) = (stmt.span, self.out.start_of(stmt.span.lo));
        match &stmt.kind {
            StmtKind::Compound(block) => {
                self.out.put("{");
                self.out.indent += 1;
                self.local_labels(&block.local_labels);
                let start = std::mem::take(&mut self.vlas.at_start);
                self.out.put(&start);
                block.items.iter().for_each(|&s| self.block_item(s));
                self.out.indent -= 1;
                self.close(span);
            }
            StmtKind::Null => self.out.put(";"),
            StmtKind::Nested(id) => self.function(self.body.nested(*id), span, ""),
            StmtKind::Expr(e) => {
                self.expr(*e, Prec::Comma);
                self.out.put(";");
            }
            StmtKind::If(c, a, b) => self.if_else(*c, *a, *b),
            StmtKind::Switch(e, s) => self.headed("switch (", *e, *s),
            StmtKind::While(e, s) => self.headed("while (", *e, *s),
            StmtKind::DoWhile(s, e) => {
                self.out.put("do");
                self.sub_stmt(*s);
                self.out.space();
                self.out.put("while (");
                self.condition(*e);
                self.out.put(");");
            }
            StmtKind::For {
                init,
                cond,
                step,
                body,
            } => match clause {
                Clause::Inside(init) => {
                    self.hint(stmt);
                    self.for_loop(&init, *cond, *step, *body, span);
                }
                Clause::InFront => {
                    self.out.put("{");
                    self.out.indent += 1;
                    if let ForInit::Decl(group) = init {
                        self.out.made_line(start);
                        self.group(group);
                    }
                    self.trivia(stmt);
                    match span.lo < span.hi {
                        true => self.out.go_to(start),
                        false => self.out.made_line(start),
                    }
                    self.hint(stmt);
                    self.for_loop(";", *cond, *step, *body, span);
                    self.out.indent -= 1;
                    self.close(Span { lo: 0, hi: 0 });
                }
            },
            StmtKind::Label(name, s) => {
                self.out.put(self.names.name(*name));
                self.labelled(*s);
            }
            StmtKind::Case(lo, hi, s) => {
                self.out.put("case ");
                self.expr(*lo, Prec::Cond);
                if let Some(hi) = hi {
                    self.out.put(" ... ");
                    self.expr(*hi, Prec::Cond);
                }
                self.labelled(*s);
            }
            StmtKind::Default(s) => {
                self.out.put("default");
                self.labelled(*s);
            }
            StmtKind::Goto(label) => {
                self.out.put("goto ");
                self.out.put(self.names.name(*label));
                self.out.put(";");
            }
            StmtKind::GotoExpr(e) => {
                self.out.put("goto *");
                self.expr(*e, Prec::Unary);
                self.out.put(";");
            }
            StmtKind::Break => self.out.put("break;"),
            StmtKind::Continue => self.out.put("continue;"),
            StmtKind::Return(None) => self.out.put("return;"),
            StmtKind::Return(Some(e)) => {
                self.out.put("return ");
                self.expr(*e, Prec::Comma);
                self.out.put(";");
            }
            StmtKind::Asm { outputs, inputs } => self.asm(outputs, inputs, span),
            StmtKind::Decl(group) => self.group(group),
            StmtKind::Scope(scope) => {
                let text = scope_text(*scope);
                self.out.put(&text);
            }
            // After `lower` there are none (IL invariant 8).
            StmtKind::Forall { .. } | StmtKind::Sync(..) | StmtKind::Fence => {
                diag::ice(span, "UPC statement after lower")
            }
        }
    }

    fn local_labels(&mut self, labels: &[upcc_grammar::symbol::Symbol]) {
        if labels.is_empty() {
            return;
        }
        let names: Vec<&str> = labels.iter().map(|&l| self.names.name(l)).collect();
        self.out.put(&format!(" __label__ {};", names.join(", ")));
    }

    /// Writes `}` on the user's line for it, if that line is near.
    fn close(&mut self, span: Span) {
        if span.lo < span.hi {
            let at = self.out.start_of(span.hi - 1);
            self.out.go_to_close(at);
        } else {
            self.out.made_close();
        }
        self.out.put("}");
    }

    /// Writes a substatement of the current statement.
    fn sub_stmt(&mut self, id: StmtId) {
        self.out.space();
        if self.prints_nothing(id) {
            return self.out.put(";");
        }
        let stmt = self.body.stmt(id);
        let compound = matches!(stmt.kind, StmtKind::Compound(_)) || stmt.span.lo >= stmt.span.hi;
        self.out.indent += u32::from(!compound);
        self.stmt(id);
        self.out.indent -= u32::from(!compound);
    }

    /// Writes a statement in generated braces.
    fn braced(&mut self, id: StmtId) {
        self.out.put(" {");
        self.sub_stmt(id);
        self.out.put(" }");
    }

    /// Writes the statement that a head governs. A statement made by a pass stays on the head's line, where the
    /// following code would look as if it belonged to it, so it gets braces.
    fn own_stmt(&mut self, id: StmtId) {
        let stmt = self.body.stmt(id);
        let compound = matches!(stmt.kind, StmtKind::Compound(_));
        if stmt.span.lo >= stmt.span.hi && !compound && !self.prints_nothing(id) {
            self.braced(id);
        } else {
            self.sub_stmt(id);
        }
    }

    /// Writes the statement after a label. A declaration after a label is C23, so a null statement is inserted.
    fn labelled(&mut self, id: StmtId) {
        self.out.put(":");
        let stmt = self.body.stmt(id);
        if matches!(stmt.kind, StmtKind::Decl(_)) {
            self.out.put(";");
        } else if self.is_labelled(stmt) {
            self.out.attrs_before(stmt.span.lo);
        }
        self.stmt(id);
    }

    fn headed(&mut self, head: &str, e: ExprId, s: StmtId) {
        self.out.put(head);
        self.condition(e);
        self.out.put(")");
        self.own_stmt(s);
    }

    fn if_else(&mut self, c: ExprId, a: StmtId, b: Option<StmtId>) {
        self.out.put("if (");
        self.condition(c);
        self.out.put(")");
        let Some(b) = b else {
            return self.own_stmt(a);
        };
        if self.ends_open(a) {
            self.braced(a);
        } else {
            self.own_stmt(a);
        }
        let span = self.body.stmt(b).span;
        if span.lo < span.hi {
            let at = self.out.start_of(span.lo);
            self.out.go_to_close(at);
        } else {
            self.out.stay();
        }
        self.out.put("else");
        if matches!(self.body.stmt(b).kind, StmtKind::If(..)) {
            self.stmt(b);
        } else {
            self.own_stmt(b);
        }
    }

    /// True for a statement whose last part is an `if` without `else`, to which a following `else` would bind.
    fn ends_open(&self, mut id: StmtId) -> bool {
        loop {
            id = match &self.body.stmt(id).kind {
                StmtKind::If(_, _, None) => return true,
                StmtKind::If(_, _, Some(s))
                | StmtKind::Switch(_, s)
                | StmtKind::While(_, s)
                | StmtKind::For { body: s, .. }
                | StmtKind::Forall { body: s, .. }
                | StmtKind::Label(_, s)
                | StmtKind::Case(_, _, s)
                | StmtKind::Default(s) => *s,
                StmtKind::Compound(_)
                | StmtKind::Null
                | StmtKind::Nested(_)
                | StmtKind::Expr(_)
                | StmtKind::DoWhile(..)
                | StmtKind::Goto(_)
                | StmtKind::GotoExpr(_)
                | StmtKind::Break
                | StmtKind::Continue
                | StmtKind::Return(_)
                | StmtKind::Asm { .. }
                | StmtKind::Decl(_)
                | StmtKind::Sync(..)
                | StmtKind::Fence
                | StmtKind::Scope(..) => return false,
            }
        }
    }

    /// Formats the first clause of a loop, on one line.
    fn first_clause(&mut self, init: &ForInit) -> Clause {
        match init {
            ForInit::None => Clause::Inside(";".to_owned()),
            ForInit::Expr(e) => {
                let before = self.out.aside_begin();
                self.expr(*e, Prec::Comma);
                Clause::Inside(self.out.aside_end(before) + ";")
            }
            ForInit::Decl(group) => match self.joined_group(group) {
                Some(text) if !self.declares_temporaries(group) => Clause::Inside(text),
                Some(_) | None => Clause::InFront,
            },
        }
    }

    /// Writes the pragmas and attributes in front of a statement.
    fn trivia(&mut self, stmt: &Stmt) {
        let Some(token) = stmt.trivia else { return };
        self.out.pragmas_before(token);
        if !self.is_labelled(stmt) {
            self.out.attrs_before(token);
        }
    }

    /// Writes what the C compiler should know of a loop that a pass has made.
    fn hint(&mut self, stmt: &Stmt) {
        let stream = self.out.stream;
        let has_pragma = |token| {
            let mut pragmas = stream.pragmas_in(token..=token).iter();
            pragmas.any(|&pragma| !diag::is_upc_pragma(&stream.pragma_text(pragma)))
        };
        if stmt.turns == Turns::Many && !stmt.trivia.is_some_and(has_pragma) {
            self.out.put("UPCR_UNROLL ");
        }
    }

    /// True for a statement after a label: attributes between them belong to the label.
    fn is_labelled(&self, stmt: &Stmt) -> bool {
        let before = stmt.span.lo.checked_sub(1);
        let before = before.map(|token| self.out.stream.tokens[token as usize].kind);
        before == Some(TokenKind::Colon) && !matches!(stmt.kind, StmtKind::Decl(_))
    }

    fn for_loop(
        &mut self,
        clause: &str,
        cond: Option<ExprId>,
        step: Option<ExprId>,
        body: StmtId,
        span: Span,
    ) {
        self.out.put("for (");
        self.out.put(clause);
        if let Some(cond) = cond {
            self.out.put(" ");
            self.condition(cond);
        }
        self.out.put(";");
        if let Some(step) = step {
            self.out.put(" ");
            self.expr(step, Prec::Comma);
        }
        self.out.put(")");
        // The body of a loop made by a pass may start on a later line.
        let made = span.lo >= span.hi;
        if made && !matches!(self.body.stmt(body).kind, StmtKind::Compound(_)) {
            self.braced(body);
        } else {
            self.own_stmt(body);
        }
    }

    /// True if a pass made this declaration.
    fn declares_temporaries(&self, group: &DeclGroup) -> bool {
        group.decls.iter().any(|decl| {
            matches!(decl, Decl::Local { local, .. } if self.body.local(*local).name.is_none())
        })
    }

    /// Writes the text of an asm statement, with operands that are not verbatim printed from the IL.
    fn asm(&mut self, outputs: &[AsmOperand], inputs: &[AsmOperand], span: Span) {
        let mut from = self.out.start_of(span.lo);
        for operand in outputs.iter().chain(inputs) {
            let bytes = self.out.stream.bytes(operand.span);
            self.out.copy(from..bytes.start.max(from), None);
            self.expr(operand.value, Prec::Comma);
            from = bytes.end.max(from);
        }
        let end = self.out.end_before(span.hi);
        self.out.copy(from..end.max(from), None);
        let last = span
            .hi
            .checked_sub(1)
            .and_then(|i| self.out.stream.tokens.get(i as usize));
        if last.is_none_or(|t| t.kind != TokenKind::Semi) {
            self.out.put(";");
        }
    }

    /// Writes the statements of `({ ... })`.
    pub(super) fn stmt_expr(&mut self, id: StmtId) {
        let body = self.body;
        if let StmtKind::Compound(block) = &body.stmt(id).kind {
            self.out.indent += 1;
            self.local_labels(&block.local_labels);
            for &s in &block.items {
                self.out.space();
                self.stmt(s);
            }
            self.out.indent -= 1;
        } else {
            self.stmt(id)
        }
    }
}
