//! Statements.

use super::{ActionError, Block, Builder, FunctionHead, span, take};
use crate::ast::*;
use crate::context::Mark;
use crate::symbol::Symbol;
use crate::token::{TokenKind, old_word};

/// The head of a statement whose body has not been read.
#[derive(Debug)]
pub(super) struct Head {
    kind: HeadKind,
    lo: u32,
    /// The scope that ends with the statement; `None` for labels.
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

/// `if ( e )`, with the scope of the whole statement and the scope after the condition.
#[derive(Clone, Copy, Debug)]
pub struct IfHead {
    pub mark: Mark,
    pub inner: Mark,
    pub cond: ExprId,
}

/// An open `{`: its scope, and the indices at which its lists begin.
#[derive(Clone, Copy, Debug)]
pub struct OpenBlock {
    mark: Mark,
    stmts: u32,
    labels: u32,
}

impl Builder<'_> {
    /// Builds a statement node over tokens `lo..hi`.
    pub fn stmt(&mut self, kind: StmtKind, lo: u32, hi: u32) -> StmtId {
        self.ast.push_stmt(Stmt {
            kind,
            span: span(lo, hi),
        })
    }

    /// Opens a block after the `{` before token `at`.
    pub fn open_block(&mut self) -> OpenBlock {
        let mark = self.names.open();
        // The brace is the token before the parser's lookahead.
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

    /// Adds a placeholder for the tokens that a syntax error has cost in the innermost block: those from its last
    /// statement up to `to`.
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

    /// Ends the innermost block before token `hi` with the statements it has. The parser no longer knows which
    /// statement the block belonged to.
    pub fn salvage_block(&mut self, hi: u32) -> Option<StmtId> {
        let block = self.blocks.pop()?;
        let compound = Compound {
            local_labels: take(&mut self.labels, block.labels),
            items: take(&mut self.stmts, block.stmts),
        };
        self.lost_statement(block.token);
        Some(self.stmt(StmtKind::Compound(compound), block.token, hi))
    }

    /// Finishes a block at its `}`.
    pub fn close_block(&mut self, block: OpenBlock, lo: u32, hi: u32) -> StmtId {
        self.names.close(block.mark);
        self.blocks.pop();
        let compound = Compound {
            local_labels: take(&mut self.labels, block.labels),
            items: take(&mut self.stmts, block.stmts),
        };
        self.stmt(StmtKind::Compound(compound), lo, hi)
    }

    /// Adds a block item.
    pub fn block_item(&mut self, stmt: StmtId) {
        self.stmts.push(stmt);
    }

    /// Adds one name of a `__label__` declaration.
    pub fn local_label(&mut self, at: u32) {
        let symbol = self.symbol(at);
        self.labels.push(symbol);
    }

    /// Begins `if ( e )`.
    pub fn if_head(&mut self, mark: Mark, cond: ExprId) -> IfHead {
        IfHead {
            mark,
            inner: self.names.mark(),
            cond,
        }
    }

    /// Continues with `if ( e ) s else`: declarations of `s` end at the `else`.
    pub fn else_head(&mut self, head: IfHead, then: StmtId) -> (IfHead, StmtId) {
        self.names.rewind(head.inner);
        (head, then)
    }

    /// Finishes an `if` statement.
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

    /// Begins `name :`.
    pub fn label_head(&mut self, at: u32) {
        let symbol = self.symbol(at);
        self.head(HeadKind::Label(symbol), at, None);
    }

    /// Begins `case a :` or `case a ... b :`.
    pub fn case_head(&mut self, lo: u32, first: ExprId, last: Option<ExprId>) {
        let kind = match last {
            Some(last) => HeadKind::CaseRange(first, last),
            None => HeadKind::Case(first),
        };
        self.head(kind, lo, None);
    }

    /// Begins `default :`.
    pub fn default_head(&mut self, lo: u32) {
        self.head(HeadKind::Default, lo, None);
    }

    /// Begins `switch ( e )`.
    pub fn switch_head(&mut self, lo: u32, mark: Mark, cond: ExprId) {
        self.head(HeadKind::Switch(cond), lo, Some(mark));
    }

    /// Begins `while ( e )`.
    pub fn while_head(&mut self, lo: u32, mark: Mark, cond: ExprId) {
        self.head(HeadKind::While(cond), lo, Some(mark));
    }

    /// Begins `for ( ... )`.
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

    /// Begins `upc_forall ( ... )`.
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

    /// Finishes the innermost open head with its body.
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

    /// Builds `do s while ( e ) ;`.
    pub fn do_while(&mut self, mark: Mark, body: StmtId, cond: ExprId, lo: u32, hi: u32) -> StmtId {
        self.names.close(mark);
        self.stmt(StmtKind::DoWhile(body, cond), lo, hi)
    }

    /// Builds the sync statement at token `at`.
    pub fn sync(&mut self, value: Option<ExprId>, at: u32, hi: u32) -> StmtId {
        let token = self.tokens[at as usize];
        let kind = match old_word(token.symbol).unwrap_or(token.kind) {
            TokenKind::UpcNotify => SyncKind::Notify,
            TokenKind::UpcWait => SyncKind::Wait,
            // The grammar passes only the three sync statements.
            _ => SyncKind::Barrier,
        };
        self.stmt(StmtKind::Sync(kind, value), at, hi)
    }

    /// Builds a function definition inside a function (GNU); `decls` is the number of declarations after those of its
    /// parameters.
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

    /// Checks a qualifier of asm: `volatile`, `inline` or `goto`.
    pub fn asm_qualifier(&mut self, at: u32) -> Result<(), ActionError> {
        match self.tokens[at as usize].kind {
            TokenKind::Volatile | TokenKind::Inline | TokenKind::Goto | TokenKind::Const => Ok(()),
            _ => Err(ActionError::Message(
                at,
                "only `volatile`, `inline` and `goto` may follow `asm`".into(),
            )),
        }
    }

    /// Returns the index at which the operands of an asm begin.
    pub fn asm_operands(&mut self) -> u32 {
        self.asm_operands.len() as u32
    }

    /// Adds `[name] "constraint" ( e )`.
    pub fn asm_operand(&mut self, name: Option<u32>, constraint: Span, value: ExprId) {
        let name = name.map(|at| self.symbol(at));
        self.asm_operands.push(AsmOperand {
            name,
            constraint,
            value,
        });
    }

    /// Builds an asm. `outputs` and `inputs` are the indices of the first operands; its labels begin at `labels`.
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

    /// Returns the index at which a list of labels begins.
    pub fn label_base(&mut self) -> u32 {
        self.labels.len() as u32
    }
}
