//! Statements (C11 6.8, UPC 6.6).

use super::*;

#[derive(Debug, Clone)]
pub struct Stmt {
    pub kind: StmtKind,
    pub span: Span,
}

#[derive(Debug, Clone)]
pub enum StmtKind {
    Compound(Compound),
    /// `None`: a null statement.
    Expr(Option<ExprId>),
    If(ExprId, StmtId, Option<StmtId>),
    Switch(ExprId, StmtId),
    While(ExprId, StmtId),
    DoWhile(StmtId, ExprId),
    For {
        init: ForInit,
        cond: Option<ExprId>,
        step: Option<ExprId>,
        body: StmtId,
    },
    /// `upc_forall` (UPC 6.6.2).
    Forall {
        init: ForInit,
        cond: Option<ExprId>,
        step: Option<ExprId>,
        affinity: Affinity,
        body: StmtId,
    },
    Label(Symbol, StmtId),
    Case(ExprId, StmtId),
    /// `case a ... b:` (GNU)
    CaseRange(ExprId, ExprId, StmtId),
    Default(StmtId),
    Goto(Symbol),
    /// `goto *e;`
    GotoExpr(ExprId),
    Break,
    Continue,
    Return(Option<ExprId>),
    Asm(AsmId),
    /// A declaration as a block item, or after a label as in C23.
    Decl(DeclId),
    /// `upc_notify`, `upc_wait`, `upc_barrier` with optional expression (UPC 6.6.1).
    Sync(SyncKind, Option<ExprId>),
    /// `upc_fence;`
    Fence,
    /// A nested function definition (GNU).
    NestedFunction(Box<FunctionDef>),
    /// The tokens that the parser skipped after a syntax error that it has reported.
    Error,
}

#[derive(Debug, Clone, Default)]
pub struct Compound {
    /// `__label__` declarations.
    pub local_labels: Vec<Symbol>,
    pub items: Vec<StmtId>,
}

#[derive(Debug, Clone, Copy)]
pub enum ForInit {
    None,
    Expr(ExprId),
    Decl(DeclId),
}

#[derive(Debug, Clone, Copy)]
pub enum Affinity {
    /// No affinity expression.
    None,
    /// `continue`
    Continue,
    Expr(ExprId),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SyncKind {
    Notify,
    Wait,
    Barrier,
}

#[derive(Debug, Clone)]
pub struct Asm {
    /// The whole statement, from `asm` to `)`.
    pub span: Span,
    /// Basic asm has no operands.
    pub outputs: Vec<AsmOperand>,
    pub inputs: Vec<AsmOperand>,
    pub labels: Vec<Symbol>,
}

#[derive(Debug, Clone, Copy)]
pub struct AsmOperand {
    pub name: Option<Symbol>,
    /// The constraint literal.
    pub constraint: Span,
    pub value: ExprId,
}
