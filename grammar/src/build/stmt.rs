//! Statements.

use super::{ActionError, Block, Builder, FunctionHead, span, take};
use crate::ast::*;
use crate::context::Mark;
use crate::symbol::Symbol;
use crate::token::{TokenKind, old_word};

/// What a statement begins with, waiting for the statement that is its body.
#[derive(Debug)]
pub(super) struct Head {
    kind: HeadKind,
    lo: u32,
    /// The scope to end with the statement; labels have none.
    mark: Option<Mark>,
}

#[derive(Debug)]
enum HeadKind {
    Label(Symbol),
    Case(ExprId),
    CaseRange(ExprId, ExprId),
    Default,
    Switch(ExprId),
    While(ExprId),
    For(ForInit, Option<ExprId>, Option<ExprId>),
    Forall(ForInit, Option<ExprId>, Option<ExprId>, Affinity),
}

/// `if ( e )`, with the scope of the whole and the one the condition leaves.
#[derive(Clone, Copy, Debug)]
pub struct IfHead {
    pub mark: Mark,
    pub inner: Mark,
    pub cond: ExprId,
}

/// `{`: its scope and where its lists begin.
#[derive(Clone, Copy, Debug)]
pub struct OpenBlock {
    mark: Mark,
    stmts: u32,
    labels: u32,
}

impl Builder<'_> {
    /// A statement node over tokens `lo..hi`.
    pub fn stmt(&mut self, kind: StmtKind, lo: u32, hi: u32) -> StmtId {
        self.ast.push_stmt(Stmt {
            kind,
            span: span(lo, hi),
        })
    }

    /// Behind the `{` before token `at`.
    pub fn open_block(&mut self) -> OpenBlock {
        let mark = self.names.open();
        // The brace is the token before the one the parser looks at.
        let token = self.names.lookahead().saturating_sub(1);
        let (stmts, labels) = (self.stmts.len() as u32, self.labels.len() as u32);
        self.blocks.push(Block {
            token,
            depth: self.names.depth(),
            stmts,
            labels,
        });
        OpenBlock {
            mark,
            stmts,
            labels,
        }
    }

    /// Stands for tokens that a syntax error has cost in the innermost block: those from its last statement up to `to`.
    pub fn lost_statement(&mut self, to: u32) {
        let Some(block) = self.blocks.last() else {
            return;
        };
        let last = self.stmts[block.stmts as usize..].last();
        let from = last.map_or(block.token + 1, |&s| self.ast[s].span.hi);
        if from < to {
            let error = self.stmt(StmtKind::Error, from, to);
            self.stmts.push(error);
        }
    }

    /// Ends the innermost block before token `hi`, with the statements it has; the parser no longer knows what it belonged to.
    pub fn salvage_block(&mut self, hi: u32) -> Option<StmtId> {
        let block = self.blocks.pop()?;
        let compound = Compound {
            local_labels: take(&mut self.labels, block.labels),
            items: take(&mut self.stmts, block.stmts),
        };
        self.lost_statement(block.token);
        Some(self.stmt(StmtKind::Compound(compound), block.token, hi))
    }

    /// `}`.
    pub fn close_block(&mut self, block: OpenBlock, lo: u32, hi: u32) -> StmtId {
        self.names.close(block.mark);
        self.blocks.pop();
        let compound = Compound {
            local_labels: take(&mut self.labels, block.labels),
            items: take(&mut self.stmts, block.stmts),
        };
        self.stmt(StmtKind::Compound(compound), lo, hi)
    }

    /// A block item.
    pub fn block_item(&mut self, stmt: StmtId) {
        self.stmts.push(stmt);
    }

    /// One name of a `__label__` declaration.
    pub fn local_label(&mut self, at: u32) {
        let symbol = self.symbol(at);
        self.labels.push(symbol);
    }

    /// `if ( e )`.
    pub fn if_head(&mut self, mark: Mark, cond: ExprId) -> IfHead {
        IfHead {
            mark,
            inner: self.names.mark(),
            cond,
        }
    }

    /// `if ( e ) s else`: what `s` declared ends here.
    pub fn else_head(&mut self, head: IfHead, then: StmtId) -> (IfHead, StmtId) {
        self.names.rewind(head.inner);
        (head, then)
    }

    /// A whole `if`.
    pub fn finish_if(
        &mut self,
        head: IfHead,
        then: StmtId,
        other: Option<StmtId>,
        lo: u32,
        hi: u32,
    ) -> StmtId {
        self.names.close(head.mark);
        self.stmt(StmtKind::If(head.cond, then, other), lo, hi)
    }

    fn head(&mut self, kind: HeadKind, lo: u32, mark: Option<Mark>) {
        self.heads.push(Head { kind, lo, mark });
    }

    /// `name :`
    pub fn label_head(&mut self, at: u32) {
        let symbol = self.symbol(at);
        self.head(HeadKind::Label(symbol), at, None);
    }

    /// `case a :` or `case a ... b :`
    pub fn case_head(&mut self, lo: u32, first: ExprId, last: Option<ExprId>) {
        let kind = match last {
            Some(last) => HeadKind::CaseRange(first, last),
            None => HeadKind::Case(first),
        };
        self.head(kind, lo, None);
    }

    /// `default :`
    pub fn default_head(&mut self, lo: u32) {
        self.head(HeadKind::Default, lo, None);
    }

    /// `switch ( e )`
    pub fn switch_head(&mut self, lo: u32, mark: Mark, cond: ExprId) {
        self.head(HeadKind::Switch(cond), lo, Some(mark));
    }

    /// `while ( e )`
    pub fn while_head(&mut self, lo: u32, mark: Mark, cond: ExprId) {
        self.head(HeadKind::While(cond), lo, Some(mark));
    }

    /// `for ( ... )`
    pub fn for_head(
        &mut self,
        lo: u32,
        mark: Mark,
        init: ForInit,
        cond: Option<ExprId>,
        step: Option<ExprId>,
    ) {
        self.head(HeadKind::For(init, cond, step), lo, Some(mark));
    }

    /// `upc_forall ( ... )`
    pub fn forall_head(
        &mut self,
        lo: u32,
        mark: Mark,
        init: ForInit,
        cond: Option<ExprId>,
        step: Option<ExprId>,
        affinity: Affinity,
    ) {
        self.head(HeadKind::Forall(init, cond, step, affinity), lo, Some(mark));
    }

    /// The body of the innermost waiting head.
    pub fn finish_head(&mut self, body: StmtId, hi: u32) -> StmtId {
        let Some(head) = self.heads.pop() else {
            return body;
        };
        let kind = match head.kind {
            HeadKind::Label(name) => StmtKind::Label(name, body),
            HeadKind::Case(e) => StmtKind::Case(e, body),
            HeadKind::CaseRange(a, b) => StmtKind::CaseRange(a, b, body),
            HeadKind::Default => StmtKind::Default(body),
            HeadKind::Switch(e) => StmtKind::Switch(e, body),
            HeadKind::While(e) => StmtKind::While(e, body),
            HeadKind::For(init, cond, step) => StmtKind::For {
                init,
                cond,
                step,
                body,
            },
            HeadKind::Forall(init, cond, step, affinity) => StmtKind::Forall {
                init,
                cond,
                step,
                affinity,
                body,
            },
        };
        if let Some(mark) = head.mark {
            self.names.close(mark);
        }
        self.stmt(kind, head.lo, hi)
    }

    /// `do s while ( e ) ;`
    pub fn do_while(&mut self, mark: Mark, body: StmtId, cond: ExprId, lo: u32, hi: u32) -> StmtId {
        self.names.close(mark);
        self.stmt(StmtKind::DoWhile(body, cond), lo, hi)
    }

    /// The sync statement at token `at`.
    pub fn sync(&mut self, value: Option<ExprId>, at: u32, hi: u32) -> StmtId {
        let token = self.tokens[at as usize];
        let kind = match old_word(token.symbol).unwrap_or(token.kind) {
            TokenKind::UpcNotify => SyncKind::Notify,
            TokenKind::UpcWait => SyncKind::Wait,
            // The grammar hands only the three sync statements here.
            _ => SyncKind::Barrier,
        };
        self.stmt(StmtKind::Sync(kind, value), at, hi)
    }

    /// A function definition inside a function (GNU); `decls` is how many declarations there are behind those of its parameters.
    pub fn nested_function(
        &mut self,
        head: FunctionHead,
        decls: u32,
        body: StmtId,
        lo: u32,
        hi: u32,
    ) -> StmtId {
        let def = self.finish_function(head, (head.decls, decls), body);
        self.stmt(StmtKind::NestedFunction(Box::new(def)), lo, hi)
    }

    /// A qualifier of asm: `volatile`, `inline` or `goto`.
    pub fn asm_qualifier(&mut self, at: u32) -> Result<(), ActionError> {
        match self.tokens[at as usize].kind {
            TokenKind::Volatile | TokenKind::Inline | TokenKind::Goto | TokenKind::Const => Ok(()),
            _ => Err(ActionError::Message(
                at,
                "only `volatile`, `inline` and `goto` may follow `asm`".into(),
            )),
        }
    }

    /// Where the operands of an asm begin.
    pub fn asm_operands(&mut self) -> u32 {
        self.asm_operands.len() as u32
    }

    /// `[name] "constraint" ( e )`
    pub fn asm_operand(&mut self, name: Option<u32>, constraint: Span, value: ExprId) {
        let name = name.map(|at| self.symbol(at));
        self.asm_operands.push(AsmOperand {
            name,
            constraint,
            value,
        });
    }

    /// A whole asm; `parts` are the bases of outputs and inputs, labels begin at `labels`.
    pub fn asm(&mut self, outputs: u32, inputs: u32, labels: u32, lo: u32, hi: u32) -> AsmId {
        let labels = take(&mut self.labels, labels);
        let inputs = take(&mut self.asm_operands, inputs);
        let outputs = take(&mut self.asm_operands, outputs);
        self.ast.push_asm(Asm {
            span: span(lo, hi),
            outputs,
            inputs,
            labels,
        })
    }

    /// Where a list of labels begins.
    pub fn label_base(&mut self) -> u32 {
        self.labels.len() as u32
    }
}
