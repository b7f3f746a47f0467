//! Lowers statements, in place.

use super::Lower;
use crate::il::{AsmOperand, ExprId, ForInit, Function, NestedId, RtOp, StmtId, StmtKind};
use crate::types::{QualType, Types};
use upcc_grammar::ast::{Span, SyncKind};

impl Lower<'_> {
    /// Lowers a statement.
    pub(super) fn stmt(&mut self, id: StmtId) {
        if self.body.stmt(id).verbatim {
            return;
        }
        stacker::maybe_grow(64 * 1024, 4 << 20, || {
            let slot = &mut self.body.stmts[id];
            let (span, instrumented) = (slot.span, slot.instrumented);
            let kind = std::mem::replace(&mut slot.kind, StmtKind::Null);
            let kind = if let StmtKind::Sync(kind, e) = kind {
                self.sync(kind, e, instrumented, span)
            } else if let StmtKind::Fence = kind {
                self.fence(instrumented, span)
            } else {
                self.stmt_kind(id, kind, span)
            };
            self.body.stmts[id].kind = kind;
        });
    }

    fn stmt_kind(&mut self, id: StmtId, kind: StmtKind, span: Span) -> StmtKind {
        match kind {
            StmtKind::Null | StmtKind::Break | StmtKind::Continue | StmtKind::Scope(..) => kind,
            StmtKind::Compound(block) => {
                let mut items = Vec::with_capacity(block.items.len());
                for s in block.items {
                    self.stmt(s);
                    items.push(s);
                    items.append(&mut self.after);
                }
                StmtKind::Compound(crate::il::Block { items, ..block })
            }
            StmtKind::Nested(id) => {
                self.nested_function(id);
                kind
            }
            StmtKind::Expr(e) => StmtKind::Expr(self.discard(e)),
            StmtKind::If(c, a, b) => {
                let c = self.truth(c);
                self.stmt(a);
                b.iter().for_each(|&b| self.stmt(b));
                StmtKind::If(c, a, b)
            }
            StmtKind::Switch(e, s) => {
                let e = self.value(e);
                self.stmt(s);
                StmtKind::Switch(e, s)
            }
            StmtKind::While(c, s) => {
                let c = self.truth(c);
                self.stmt(s);
                StmtKind::While(c, s)
            }
            StmtKind::DoWhile(s, c) => {
                self.stmt(s);
                StmtKind::DoWhile(s, self.truth(c))
            }
            StmtKind::For {
                init,
                cond,
                step,
                body,
            } => {
                let (init, cond, step) = self.clauses(init, cond, step);
                self.stmt(body);
                StmtKind::For {
                    init,
                    cond,
                    step,
                    body,
                }
            }
            StmtKind::Forall {
                init,
                cond,
                step,
                affinity,
                body,
            } => {
                let (init, cond, step) = self.clauses(init, cond, step);
                self.forall(id, (init, cond, step), affinity, body)
            }
            StmtKind::Label(name, s) => {
                self.stmt(s);
                StmtKind::Label(name, s)
            }
            StmtKind::Case(lo, hi, s) => {
                let (lo, hi) = (self.value(lo), hi.map(|e| self.value(e)));
                self.stmt(s);
                StmtKind::Case(lo, hi, s)
            }
            StmtKind::Default(s) => {
                self.stmt(s);
                StmtKind::Default(s)
            }
            StmtKind::Goto(label) => self.goto(label, span),
            StmtKind::GotoExpr(e) => StmtKind::GotoExpr(self.value(e)),
            StmtKind::Return(e) => {
                let e = e.map(|e| self.value(e));
                self.return_stmt(e, span)
            }
            // No operand is in shared memory: sema has checked that.
            StmtKind::Asm { outputs, inputs } => StmtKind::Asm {
                outputs: self.operands(outputs),
                inputs: self.operands(inputs),
            },
            StmtKind::Decl(group) => self.block_group(group),
            StmtKind::Sync(kind, e) => self.sync(kind, e, false, span),
            StmtKind::Fence => self.fence(false, span),
        }
    }

    /// Lowers a nested function: the loops of the enclosing function are not around its statements.
    fn nested_function(&mut self, id: NestedId) {
        let Function { object, root, .. } = *self.body.nested(id);
        let name = self.objects[object].name;
        let foralls = std::mem::take(&mut self.foralls);
        let after = std::mem::take(&mut self.after);
        let outer = self.function.replace(name);
        self.stmt(root);
        (self.foralls, self.after, self.function) = (foralls, after, outer);
    }

    fn operands(&mut self, operands: Vec<AsmOperand>) -> Vec<AsmOperand> {
        operands
            .into_iter()
            .map(|o| AsmOperand {
                value: self.value(o.value),
                ..o
            })
            .collect()
    }

    fn clauses(
        &mut self,
        init: ForInit,
        cond: Option<ExprId>,
        step: Option<ExprId>,
    ) -> (ForInit, Option<ExprId>, Option<ExprId>) {
        let init = match init {
            ForInit::None => ForInit::None,
            ForInit::Expr(e) => ForInit::Expr(self.discard(e)),
            ForInit::Decl(mut group) => {
                self.lower_group(&mut group);
                ForInit::Decl(group)
            }
        };
        let cond = cond.map(|e| self.truth(e));
        let step = step.map(|e| self.discard(e));
        (init, cond, step)
    }

    /// Lowers `upc_fence`.
    fn fence(&mut self, instrumented: bool, span: Span) -> StmtKind {
        let site = instrumented.then(|| self.bare_site(span));
        let args = site.as_slice();
        StmtKind::Expr(self.rt(RtOp::Fence(instrumented), args, Types::VOID, span))
    }

    /// Lowers `upc_notify`, `upc_wait` and `upc_barrier`. Their arguments are whether there is an expression, and its
    /// value.
    fn sync(
        &mut self,
        kind: SyncKind,
        e: Option<ExprId>,
        instrumented: bool,
        span: Span,
    ) -> StmtKind {
        let op = RtOp::Sync(kind, instrumented);
        let mut args = Vec::new();
        if instrumented {
            args.push(self.bare_site(span));
        }
        let named = self.int(i64::from(e.is_some()), span);
        let value = match e {
            Some(e) => self.value(e),
            None => self.int(0, span),
        };
        args.extend([named, value]);
        StmtKind::Expr(self.rt(op, &args, Types::VOID, span))
    }

    /// Lowers `return`. One that leaves controlling loops restores the nesting depth.
    fn return_stmt(&mut self, e: Option<ExprId>, span: Span) -> StmtKind {
        let Some(outermost) = self.foralls.first().map(|f| f.saved) else {
            return StmtKind::Return(e);
        };
        let mut items = Vec::new();
        let value = e.map(|e| {
            let ty = self.ty_of(e);
            if self.types.is_void(ty) {
                items.push(self.expr_stmt(e, span));
                return None;
            }
            let ty = QualType::plain(self.value_type(ty).ty);
            let (local, decl) = self.temp(e, ty, span);
            items.push(decl);
            Some(self.body.load_local(local, span))
        });
        items.push(self.restore_depth(outermost, span));
        items.push(
            self.body
                .push_stmt(StmtKind::Return(value.flatten()), span, false),
        );
        StmtKind::Compound(crate::il::Block {
            local_labels: Vec::new(),
            items,
        })
    }
}
