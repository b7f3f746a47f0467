//! Expressions.

use super::{Builder, span};
use crate::ast::*;
use crate::token::{Infix, TokenKind};

/// An infix operator that has been read.
#[derive(Clone, Copy, Debug)]
pub enum Operator {
    Infix(Infix),
    /// `? e :` or, without the middle operand, GNU `?:`.
    Cond(Option<ExprId>),
}

/// An expression whose operators still lack their right operands: the operators above `base` on the operator stack.
#[derive(Clone, Copy, Debug)]
pub struct Operation {
    base: u32,
    last: ExprId,
}

impl Operator {
    /// Precedence, higher binds tighter (C11 6.5.5 to 6.5.16).
    fn precedence(self) -> u8 {
        match self {
            Operator::Infix(Infix::Assign(_)) => 1,
            Operator::Cond(_) => 2,
            Operator::Infix(Infix::Binary(op)) => match op {
                BinOp::Or => 3,
                BinOp::And => 4,
                BinOp::BitOr => 5,
                BinOp::BitXor => 6,
                BinOp::BitAnd => 7,
                BinOp::Eq | BinOp::Ne => 8,
                BinOp::Lt | BinOp::Gt | BinOp::Le | BinOp::Ge => 9,
                BinOp::Shl | BinOp::Shr => 10,
                BinOp::Add | BinOp::Sub => 11,
                BinOp::Mul | BinOp::Div | BinOp::Rem => 12,
            },
        }
    }

    /// True if this operator, on the left of `next`, binds the operand between them.
    fn takes_before(self, next: Operator) -> bool {
        let (mine, other) = (self.precedence(), next.precedence());
        // Assignment and conditional are right-associative.
        mine > other || (mine == other && mine > 2)
    }
}

impl Builder<'_> {
    /// Builds an expression node over tokens `lo..hi`.
    pub fn expr(&mut self, kind: ExprKind, lo: u32, hi: u32) -> ExprId {
        self.ast.push_expr(Expr {
            kind,
            span: span(lo, hi),
        })
    }

    /// The infix operator at token `at`.
    pub fn operator(&self, at: u32) -> Operator {
        match self.tokens[at as usize].kind.infix() {
            Some(infix) => Operator::Infix(infix),
            // The grammar passes only operator tokens; the fallback keeps the function total.
            None => Operator::Infix(Infix::Assign(None)),
        }
    }

    /// Begins an operator expression with `a op b`.
    pub fn first_operation(&mut self, lhs: ExprId, op: Operator, rhs: ExprId) -> Operation {
        let base = self.operators.len() as u32;
        self.operators.push((op, lhs));
        Operation { base, last: rhs }
    }

    /// Continues an operator expression with `op b`: operators to the left that bind tighter get their operands first.
    pub fn next_operation(&mut self, so_far: Operation, op: Operator, rhs: ExprId) -> Operation {
        let mut lhs = so_far.last;
        while self.operators.len() > so_far.base as usize
            && let Some(&(waiting, left)) = self.operators.last()
            && waiting.takes_before(op)
        {
            self.operators.pop();
            lhs = self.apply(waiting, left, lhs);
        }
        self.operators.push((op, lhs));
        Operation {
            base: so_far.base,
            last: rhs,
        }
    }

    /// Finishes an operator expression.
    pub fn finish_operation(&mut self, so_far: Operation) -> ExprId {
        let mut rhs = so_far.last;
        while self.operators.len() > so_far.base as usize
            && let Some((op, lhs)) = self.operators.pop()
        {
            rhs = self.apply(op, lhs, rhs);
        }
        rhs
    }

    fn apply(&mut self, op: Operator, lhs: ExprId, rhs: ExprId) -> ExprId {
        let span = self.ast[lhs].span.to(self.ast[rhs].span);
        let kind = match op {
            Operator::Infix(Infix::Binary(op)) => ExprKind::Binary(op, lhs, rhs),
            Operator::Infix(Infix::Assign(op)) => ExprKind::Assign(op, lhs, rhs),
            Operator::Cond(middle) => ExprKind::Cond(lhs, middle, rhs),
        };
        self.ast.push_expr(Expr { kind, span })
    }

    /// Builds a prefix operator at token `at`.
    pub fn unary(&mut self, at: u32, operand: ExprId, hi: u32) -> ExprId {
        let op = match self.tokens[at as usize].kind {
            TokenKind::PlusPlus => UnOp::PreInc,
            TokenKind::MinusMinus => UnOp::PreDec,
            TokenKind::Amp => UnOp::AddrOf,
            TokenKind::Star => UnOp::Deref,
            TokenKind::Minus => UnOp::Neg,
            TokenKind::Tilde => UnOp::BitNot,
            TokenKind::Bang => UnOp::Not,
            TokenKind::Real => UnOp::Real,
            TokenKind::Imag => UnOp::Imag,
            // The grammar passes only prefix operators, so the remaining one is `+`.
            _ => UnOp::Plus,
        };
        self.expr(ExprKind::Unary(op, operand), at, hi)
    }

    /// Builds `++` or `--` after its operand.
    pub fn postfix(&mut self, lo: u32, operand: ExprId, at: u32) -> ExprId {
        let op = if self.tokens[at as usize].kind == TokenKind::PlusPlus {
            UnOp::PostInc
        } else {
            UnOp::PostDec
        };
        self.expr(ExprKind::Unary(op, operand), lo, at + 1)
    }

    /// The size operator at token `at`.
    pub fn size_op(&self, at: u32) -> SizeOp {
        // The grammar passes only size operators.
        self.tokens[at as usize]
            .kind
            .size_op()
            .unwrap_or(SizeOp::Sizeof)
    }

    /// Builds `THREADS` or `MYTHREAD`.
    pub fn upc_const(&mut self, at: u32) -> ExprId {
        let kind = if self.tokens[at as usize].kind == TokenKind::Threads {
            ExprKind::Threads
        } else {
            ExprKind::MyThread
        };
        self.expr(kind, at, at + 1)
    }

    /// Begins an expression list.
    pub fn first_expr(&mut self, e: ExprId) -> u32 {
        self.exprs.push(e);
        self.exprs.len() as u32 - 1
    }

    /// Adds the next expression of a list.
    pub fn next_expr(&mut self, list: u32, e: ExprId) -> u32 {
        self.exprs.push(e);
        list
    }

    /// Stores the list that begins at `list`.
    pub fn end_exprs(&mut self, list: u32) -> ExprList {
        let stored = self.ast.push_expr_list(&self.exprs[list as usize..]);
        self.exprs.truncate(list as usize);
        stored
    }

    /// Adds one association of a `_Generic`; `ty` is `None` for `default`. See [`GenericList`].
    pub fn association(&mut self, ty: Option<TypeNameId>, value: ExprId) -> u32 {
        self.exprs.push(ExprId(ty.map_or(u32::MAX, |t| t.0)));
        self.exprs.push(value);
        self.exprs.len() as u32 - 2
    }
}
