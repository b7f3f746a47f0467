//! Builds the parts of the IL that the rewritten loops consist of.

use crate::il::walk::{Copier, Node, copy_expr, visit};
use crate::il::{
    Block, Body, Decl, DeclGroup, Expr, ExprFlags, ExprId, ExprKind, ExprList, ForInit, Init,
    InitId, InitKind, LocalId, Module, RtOp, Stmt, StmtId, StmtKind, Turns,
};
use crate::types::{QualType, Quals, Types};
use upcc_grammar::ast::{BinOp, Span};

/// The type of iteration counts.
pub(in crate::passes) const LONG: QualType = QualType::plain(Types::PTRDIFF_T);

/// The type `int`.
pub(in crate::passes) const INT: QualType = QualType::plain(Types::INT);

/// Maximum number of nodes of a body that the C compiler is asked to unroll.
const MOST_UNROLLED: usize = 80;

pub(in crate::passes) fn copy_init(body: &mut Body, init: ForInit) -> ForInit {
    Copier {
        replace: &mut |_, _| None,
    }
    .for_init(body, init)
}

/// Pushes nodes on the loop's line.
pub(in crate::passes) struct Writer<'a> {
    pub(in crate::passes) module: &'a mut Module,
    pub(in crate::passes) body: &'a mut Body,
    pub(in crate::passes) span: Span,
}

impl Writer<'_> {
    pub(in crate::passes) fn expr(&mut self, kind: ExprKind, ty: QualType) -> ExprId {
        self.body.exprs.push(Expr {
            kind,
            ty,
            span: self.span,
            flags: ExprFlags::default(),
        });
        ExprId(self.body.exprs.len() as u32 - 1)
    }

    pub(in crate::passes) fn stmt(&mut self, kind: StmtKind) -> StmtId {
        self.body.stmts.push(Stmt {
            kind,
            span: self.span,
            verbatim: false,
            instrumented: false,
            turns: Turns::Unknown,
            trivia: None,
        });
        StmtId(self.body.stmts.len() as u32 - 1)
    }

    pub(in crate::passes) fn block(&mut self, items: Vec<StmtId>) -> StmtId {
        self.stmt(StmtKind::Compound(Block {
            items,
            ..Block::default()
        }))
    }

    /// What is known of a loop with this body and an unknown number of iterations: a small body without loops and calls is
    /// worth to be unrolled.
    pub(in crate::passes) fn turns_of_body(&self, inner: StmtId) -> Turns {
        let (mut nodes, mut simple) = (0, true);
        visit(self.body, Node::Stmt(inner), &mut |node| {
            nodes += 1;
            simple &= match node {
                Node::Expr(e) => !matches!(self.body.expr(e).kind, ExprKind::Call(..)),
                Node::Stmt(s) => !matches!(
                    self.body.stmt(s).kind,
                    StmtKind::For { .. }
                        | StmtKind::Forall { .. }
                        | StmtKind::While(..)
                        | StmtKind::DoWhile(..)
                        | StmtKind::Switch(..)
                        | StmtKind::Asm { .. }
                ),
                Node::Init(_) => true,
            } && nodes <= MOST_UNROLLED;
            simple
        });
        match simple {
            true => Turns::Many,
            false => Turns::Unknown,
        }
    }

    pub(in crate::passes) fn rt(&mut self, op: RtOp, args: &[ExprId], ty: QualType) -> ExprId {
        let start = self.body.lists.len() as u32;
        self.body.lists.extend_from_slice(args);
        self.expr(
            ExprKind::Rt {
                op,
                args: ExprList {
                    start,
                    len: args.len() as u32,
                },
                ty_arg: None,
                field: 0,
            },
            ty,
        )
    }

    pub(in crate::passes) fn int(&mut self, n: i64) -> ExprId {
        self.expr(ExprKind::Int(n), LONG)
    }

    pub(in crate::passes) fn bin(&mut self, op: BinOp, a: ExprId, b: ExprId) -> ExprId {
        self.expr(ExprKind::Binary(op, a, b), LONG)
    }

    pub(in crate::passes) fn less(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.expr(
            ExprKind::Binary(BinOp::Lt, a, b),
            QualType::plain(Types::INT),
        )
    }

    /// `a + n`; `a` if n is 0.
    pub(in crate::passes) fn plus(&mut self, a: ExprId, n: i64) -> ExprId {
        if n == 0 {
            return a;
        }
        let op = if n < 0 { BinOp::Sub } else { BinOp::Add };
        let n = self.int(n.wrapping_abs());
        self.bin(op, a, n)
    }

    /// `a * n`; `a` if n is 1.
    pub(in crate::passes) fn times(&mut self, a: ExprId, n: u64) -> ExprId {
        if n == 1 {
            return a;
        }
        let n = self.int(n as i64);
        self.bin(BinOp::Mul, a, n)
    }

    pub(in crate::passes) fn cast(&mut self, value: ExprId, ty: QualType) -> ExprId {
        self.expr(
            ExprKind::Cast {
                value,
                implicit: false,
            },
            ty,
        )
    }

    pub(in crate::passes) fn place(&mut self, local: LocalId) -> ExprId {
        let ty = self.body.locals[local].ty;
        self.expr(ExprKind::Local(local), ty)
    }

    /// Builds a pointer to the element that is `index` elements behind that of `ptr`.
    pub(in crate::passes) fn moved(&mut self, ptr: ExprId, index: ExprId) -> ExprId {
        let ty = self.body.expr(ptr).ty;
        let add = ExprKind::PtrAdd {
            ptr,
            index,
            negate: false,
        };
        self.expr(add, ty)
    }

    pub(in crate::passes) fn load(&mut self, local: LocalId) -> ExprId {
        let ty = self.body.locals[local].ty;
        let place = self.place(local);
        self.expr(ExprKind::Load(place), QualType::plain(ty.ty))
    }

    pub(in crate::passes) fn threads(&mut self) -> ExprId {
        let threads = self.expr(ExprKind::Threads, QualType::plain(Types::INT));
        self.cast(threads, LONG)
    }

    pub(in crate::passes) fn copy(&mut self, e: ExprId) -> ExprId {
        copy_expr(self.body, e)
    }

    /// Declares a temporary and sets its value.
    pub(in crate::passes) fn define(
        &mut self,
        items: &mut Vec<StmtId>,
        role: &'static str,
        ty: QualType,
        value: impl FnOnce(&mut Self) -> ExprId,
    ) -> LocalId {
        let value = value(self);
        let (local, group) = self.declare(role, ty, value);
        let stmt = self.stmt(StmtKind::Decl(group));
        items.push(stmt);
        local
    }

    pub(in crate::passes) fn declare(
        &mut self,
        role: &'static str,
        ty: QualType,
        value: ExprId,
    ) -> (LocalId, DeclGroup) {
        self.body.inits.push(Init {
            kind: InitKind::Expr(value),
            ty,
            span: self.span,
            verbatim: false,
        });
        let init = InitId(self.body.inits.len() as u32 - 1);
        let local = self.body.push_temp(ty, self.span);
        self.body.roles.push((local, role));
        let decls = vec![Decl::Local {
            local,
            init: Some(init),
            attrs: Vec::new(),
            asm_label: None,
        }];
        (
            local,
            DeclGroup {
                span: self.span,
                verbatim: false,
                tags: Vec::new(),
                decls,
            },
        )
    }

    /// `upcr_forall_depth++` or `--`. The depth is kept because a call in the body may reach another `upc_forall`.
    pub(in crate::passes) fn depth_step(&mut self, dec: bool) -> StmtId {
        let int = QualType::plain(Types::INT);
        let place = self.rt(RtOp::ForallDepth, &[], int);
        let step = self.expr(
            ExprKind::IncDec {
                place,
                post: true,
                dec,
            },
            int,
        );
        self.stmt(StmtKind::Expr(step))
    }

    /// Builds `a < b ? x : y`.
    pub(in crate::passes) fn choose(
        &mut self,
        a: LocalId,
        b: LocalId,
        x: LocalId,
        y: LocalId,
    ) -> ExprId {
        let [a, b, x, y] = [a, b, x, y].map(|l| self.load(l));
        let test = self.less(a, b);
        self.expr(ExprKind::Cond(test, x, y), LONG)
    }
}

/// The type without its shared qualifiers.
pub(in crate::passes) fn private(ty: QualType) -> QualType {
    QualType {
        ty: ty.ty,
        quals: ty
            .quals
            .without(Quals::SHARED.with(Quals::STRICT).with(Quals::RELAXED)),
        block: 0,
    }
}
