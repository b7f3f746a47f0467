//! Walks over expressions. Verbatim ones are not changed; for the others, a new tree is built beside the old one.

use super::Lower;
use crate::il::operations::AccessOp;
use crate::il::{Expr, ExprFlags, ExprId, ExprKind, ExprList, RtOp, StmtKind, UnOp};
use crate::passes::analysis::refs::int_value;
use crate::types::{QualType, Types};
use upcc_grammar::ast::{BinOp, Span};
use upcc_grammar::symbol::Symbol;

impl Lower<'_> {
    /// Lowers an expression whose value (or, for a private place, object) is used.
    pub(super) fn value(&mut self, id: ExprId) -> ExprId {
        if self.is_verbatim(id) {
            return id;
        }
        stacker::maybe_grow(64 * 1024, 4 << 20, || {
            if !self.is_pts(id) || self.is_private_place(id) {
                return self.other(id);
            }
            let Expr { ty, span, .. } = *self.body.expr(id);
            if let ExprKind::Cast { value, .. } = self.body.expr(id).kind
                && !self.is_pts(value)
            {
                self.converted_to_pts(value, ty, span)
            } else {
                let p = self.pts(id);
                self.finish(p, ty, span)
            }
        })
    }

    /// True for a place that is not shared.
    fn is_private_place(&self, id: ExprId) -> bool {
        self.body.is_place(id) && !self.types.is_shared(self.ty_of(id))
    }

    /// Lowers an expression of pointer-to-shared type that is not an address, arithmetic or conversion of one.
    pub(super) fn opaque_pts(&mut self, id: ExprId) -> ExprId {
        let Expr { kind, ty, span, .. } = *self.body.expr(id);
        if let ExprKind::Cast { value, .. } = kind {
            self.converted_to_pts(value, ty, span)
        } else {
            self.other(id)
        }
    }

    /// Converts another value to a pointer-to-shared: only a null pointer constant can be converted (UPC 6.4.3p1).
    fn converted_to_pts(&mut self, value: ExprId, ty: QualType, span: Span) -> ExprId {
        let null = self.null(ty, span);
        if self.is_null(value) {
            return null;
        }
        let effect = self.discard(value);
        self.push(ExprKind::Comma(effect, null), ty, span)
    }

    /// Lowers an expression whose value is not used.
    pub(super) fn discard(&mut self, id: ExprId) -> ExprId {
        use ExprKind::*;
        if self.is_verbatim(id) {
            return id;
        }
        let id = self.in_own_part(id);
        let Expr {
            kind,
            ty,
            span,
            flags,
        } = *self.body.expr(id);
        match kind {
            IncDec { place, dec, .. } => match self.change_by_one(place, dec, flags) {
                Some(change) => self.update(id, place, change),
                None => self.inc_dec(id, place, false, dec),
            },
            Assign { place, value } => self.assign(id, place, value),
            Comma(a, b) => {
                let (a, b) = (self.unused(a), self.unused(b));
                let ty = self.ty_of(b);
                self.push(Comma(a, b), ty, span)
            }
            Cond(c, a, b) => {
                let c = self.truth(c);
                let (a, b) = (self.discard_to_void(a), self.discard_to_void(b));
                self.push(Cond(c, a, b), QualType::plain(Types::VOID), span)
            }
            // The right operand is evaluated for its side effects.
            Binary(op @ (BinOp::And | BinOp::Or), a, b) if !self.is_verbatim(b) => {
                let a = self.truth(a);
                let b = self.discard_to_void(b);
                let zero = self.int(0, span);
                let nothing = self.cast_to_void(zero);
                let (then, other) = if op == BinOp::And {
                    (b, nothing)
                } else {
                    (nothing, b)
                };
                self.push(Cond(a, then, other), QualType::plain(Types::VOID), span)
            }
            Cast { value, implicit } if self.types.is_void(ty) => {
                let value = self.discard(value);
                let kind = Cast { value, implicit };
                self.body.push_expr(kind, ty, span, flags)
            }
            StmtExpr(stmt) => {
                self.stmt(stmt);
                self.push(StmtExpr(stmt), ty, span)
            }
            Local(_) | Object(_) | Deref(_) | Field(..) | Str | CompoundLit(_) | RealPlace(_)
            | ImagPlace(_) | Int(_) | Number | Load(_) | AddrOf(_) | Decay(_) | Unary(..)
            | Binary(..) | PtrDiff(..) | CondElvis(..) | Call(..) | SizePerThread(_)
            | SizeofPlace(_) | LabelAddr(_) | VaArg(_) | Opaque | Threads | MyThread => {
                self.value(id)
            }
            AssignOp {
                op,
                place,
                value,
                compute,
            } => match self.change_of_assign_op(op, place, value, compute, flags) {
                Some(change) => self.update(id, place, change),
                None => self.value(id),
            },
            PtrAdd { .. } | Cast { .. } | Rt { .. } => self.value(id),
        }
    }

    /// Lowers an operand of a comma whose value is not used. For a runtime operation, C compilers would warn about
    /// that.
    fn unused(&mut self, id: ExprId) -> ExprId {
        let e = self.discard(id);
        let kind = &self.body.expr(e).kind;
        if matches!(kind, ExprKind::Rt { .. } | ExprKind::StmtExpr(_)) {
            return self.cast_to_void(e);
        }
        e
    }

    fn discard_to_void(&mut self, id: ExprId) -> ExprId {
        let e = self.discard(id);
        self.cast_to_void(e)
    }

    /// Builds `(void)e`.
    fn cast_to_void(&mut self, e: ExprId) -> ExprId {
        let Expr { ty, span, .. } = *self.body.expr(e);
        if self.types.is_void(ty) {
            return e;
        }
        let cast = ExprKind::Cast {
            value: e,
            implicit: false,
        };
        self.push(cast, QualType::plain(Types::VOID), span)
    }

    /// Lowers an expression that is only compared with zero.
    pub(super) fn truth(&mut self, id: ExprId) -> ExprId {
        if self.is_verbatim(id) {
            return id;
        }
        let span = self.body.expr(id).span;
        if self.is_pts(id) {
            let null = self.null_test(id, span);
            return self.not(null, span);
        }
        self.value(id)
    }

    fn other(&mut self, id: ExprId) -> ExprId {
        let id = self.in_own_part(id);
        let Expr {
            kind,
            ty,
            span,
            flags,
        } = *self.body.expr(id);
        let kind = match kind {
            ExprKind::Local(_)
            | ExprKind::Object(_)
            | ExprKind::Str
            | ExprKind::Int(_)
            | ExprKind::Number
            | ExprKind::LabelAddr(_)
            | ExprKind::Opaque => return id,
            ExprKind::Threads => return self.rt(RtOp::Threads, &[], Types::INT, span),
            ExprKind::MyThread => return self.rt(RtOp::MyThread, &[], Types::INT, span),
            ExprKind::SizePerThread(n) => {
                let n = self.body.int(n as i64, Types::SIZE_T, span);
                let threads = self.rt(RtOp::Threads, &[], Types::INT, span);
                let threads = self.implicit_cast(threads, ty, span);
                ExprKind::Binary(BinOp::Mul, n, threads)
            }
            ExprKind::Load(place) if self.types.is_shared(self.ty_of(place)) => {
                let access = self.access(place, flags, span);
                return self.get(access, span);
            }
            ExprKind::Assign { place, value } => {
                let stored = self.assign(id, place, value);
                return self.kept(stored);
            }
            ExprKind::AssignOp {
                op,
                place,
                value,
                compute,
            } => return self.assign_op(id, op, place, value, compute),
            ExprKind::IncDec { place, post, dec } => return self.inc_dec(id, place, post, dec),
            ExprKind::Call(callee, args) => return self.call(id, callee, args),
            ExprKind::Cast { value, implicit } => return self.cast(id, value, implicit),
            ExprKind::CondElvis(a, b) => return self.elvis(id, a, b),
            ExprKind::Binary(op, a, b) if is_comparison(op) && self.is_pts(a) => {
                return self.compare(op, a, b, span);
            }
            ExprKind::PtrDiff(a, b) if self.is_pts(a) => {
                let to = self.types.pointee(self.ty_of(a));
                return self.difference(a, b, to, true, span);
            }
            ExprKind::Unary(UnOp::Not, e) if self.is_pts(e) => return self.null_test(e, span),
            ExprKind::AddrOf(place) | ExprKind::Decay(place)
                if self.static_context && self.is_literal(place) =>
            {
                let object = self.static_literal(place);
                if let ExprKind::AddrOf(_) = kind {
                    ExprKind::AddrOf(object)
                } else {
                    ExprKind::Decay(object)
                }
            }
            ExprKind::CompoundLit(init) => {
                self.init(init);
                return id;
            }
            ExprKind::Binary(op @ (BinOp::And | BinOp::Or), a, b) => {
                ExprKind::Binary(op, self.truth(a), self.truth(b))
            }
            ExprKind::Cond(c, a, b) => ExprKind::Cond(self.truth(c), self.value(a), self.value(b)),
            ExprKind::Comma(a, b) => ExprKind::Comma(self.unused(a), self.value(b)),
            ExprKind::StmtExpr(stmt) => {
                self.stmt_expr_body(stmt);
                ExprKind::StmtExpr(stmt)
            }
            ExprKind::Rt {
                op,
                args,
                ty_arg,
                field,
            } => ExprKind::Rt {
                op,
                args: self.lowered(op, args),
                ty_arg,
                field,
            },
            ExprKind::Deref(e) => ExprKind::Deref(self.value(e)),
            ExprKind::Field(e, i) => ExprKind::Field(self.value(e), i),
            ExprKind::RealPlace(e) => ExprKind::RealPlace(self.value(e)),
            ExprKind::ImagPlace(e) => ExprKind::ImagPlace(self.value(e)),
            ExprKind::Load(e) => ExprKind::Load(self.value(e)),
            ExprKind::AddrOf(e) => ExprKind::AddrOf(self.value(e)),
            ExprKind::Decay(e) => ExprKind::Decay(self.value(e)),
            ExprKind::SizeofPlace(e) => ExprKind::SizeofPlace(self.value(e)),
            ExprKind::VaArg(e) => ExprKind::VaArg(self.value(e)),
            ExprKind::Unary(op, e) => ExprKind::Unary(op, self.value(e)),
            ExprKind::Binary(op, a, b) => ExprKind::Binary(op, self.value(a), self.value(b)),
            ExprKind::PtrDiff(a, b) => ExprKind::PtrDiff(self.value(a), self.value(b)),
            ExprKind::PtrAdd { ptr, index, negate } => ExprKind::PtrAdd {
                ptr: self.value(ptr),
                index: self.value(index),
                negate,
            },
        };
        self.body.push_expr(kind, ty, span, flags)
    }

    /// Marks a write of a record whose value is used.
    fn kept(&mut self, id: ExprId) -> ExprId {
        let e = &mut self.body.exprs[id];
        if matches!(e.kind, ExprKind::Rt { .. }) && self.types.is_record(e.ty) {
            e.flags = e.flags.with(ExprFlags::KEPT);
        }
        id
    }

    /// The same, where the first operand is the address of a place that is accessed: it needs no phase.
    fn place_and_values(&mut self, list: ExprList) -> ExprList {
        let args: Vec<ExprId> = self.body.list(list).to_vec();
        let address = |lower: &mut Self, e: ExprId| {
            let Expr { kind, span, .. } = *lower.body.expr(e);
            if let ExprKind::AddrOf(place) = kind {
                lower.access(place, ExprFlags::default(), span).address
            } else {
                lower.value(e)
            }
        };
        let args = args.into_iter().enumerate();
        let args: Vec<ExprId> = args
            .map(|(at, e)| match at {
                0 => address(self, e),
                _ => self.value(e),
            })
            .collect();
        self.body.push_list(&args)
    }

    fn values(&mut self, list: ExprList) -> ExprList {
        let args: Vec<ExprId> = self.body.list(list).to_vec();
        let args: Vec<ExprId> = args.into_iter().map(|a| self.value(a)).collect();
        self.body.push_list(&args)
    }

    fn call(&mut self, id: ExprId, callee: ExprId, args: ExprList) -> ExprId {
        let Expr {
            ty, span, flags, ..
        } = *self.body.expr(id);
        if let Some(object) = self.body.called(callee) {
            let name = self.objects[object].name;
            let transfer = self.small_transfer(name, args, flags);
            let reported = self.checks || flags.has(ExprFlags::INSTRUMENT_CALL);
            let inline = self.builtins.inline_form(name, args.len as usize, reported);
            if let Some(op) = inline.or(transfer) {
                let args = match transfer {
                    Some(_) => self.transferred(args),
                    None => self.values(args),
                };
                let kind = ExprKind::Rt {
                    op,
                    args,
                    ty_arg: None,
                    field: 0,
                };
                return self.body.push_expr(kind, ty, span, flags);
            }
            if flags.has(ExprFlags::INSTRUMENT_CALL)
                && let Some(op) = self.instrumented_call(name)
            {
                let mut all = vec![self.bare_site(span)];
                let args = self.values(args);
                all.extend_from_slice(self.body.list(args));
                let args = self.body.push_list(&all);
                let kind = ExprKind::Rt {
                    op,
                    args,
                    ty_arg: None,
                    field: 0,
                };
                return self.push(kind, ty, span);
            }
        }
        let callee = self.value(callee);
        let args = self.values(args);
        self.body
            .push_expr(ExprKind::Call(callee, args), ty, span, flags)
    }

    /// The arguments of a transfer. Pointers-to-shared point to objects, as those of accesses do.
    fn transferred(&mut self, args: ExprList) -> ExprList {
        let all = self.body.list(args).to_vec();
        let lowered = all.into_iter().map(|arg| match self.is_pts(arg) {
            true => {
                let Expr { ty, span, .. } = *self.body.expr(arg);
                let p = self.pts(arg);
                self.access_address(p, ty, span).0
            }
            false => self.value(arg),
        });
        let lowered: Vec<ExprId> = lowered.collect();
        self.body.push_list(&lowered)
    }

    /// The operands of an operation that a pass has made.
    fn lowered(&mut self, op: RtOp, args: ExprList) -> ExprList {
        if op == RtOp::ScatterPlace {
            self.place_and_values(args)
        } else if op == RtOp::LocalNn && self.is_of_place(args) {
            self.transferred(args)
        } else {
            self.values(args)
        }
    }

    /// True if the operand of `LocalNn` is the address of a place: all accesses through the result are in its block.
    fn is_of_place(&self, args: ExprList) -> bool {
        let operand = self.body.list(args).first();
        operand.is_some_and(|&it| matches!(self.body.expr(it).kind, ExprKind::AddrOf(_)))
    }

    /// The inline form of a transfer of a small constant size: neither checked nor reported.
    fn small_transfer(&self, name: Symbol, args: ExprList, flags: ExprFlags) -> Option<RtOp> {
        let &[_, _, size] = self.body.list(args) else {
            return None;
        };
        let plain = !self.checks && !flags.has(ExprFlags::INSTRUMENT_CALL);
        let bytes = int_value(self.types, &self.body, size).filter(|_| plain)?;
        self.builtins.small_transfer(name, bytes)
    }

    /// Lowers a conversion whose result is not a pointer-to-shared.
    fn cast(&mut self, id: ExprId, value: ExprId, implicit: bool) -> ExprId {
        let Expr {
            ty, span, flags, ..
        } = *self.body.expr(id);
        if self.is_pts(value) && !self.types.is_void(ty) {
            if matches!(
                *self.types.kind(ty),
                crate::types::Type::Int(crate::types::IntKind::Bool)
            ) {
                // Explicit, because clang treats `!p == 1` as a mistake.
                let kind = ExprKind::Cast {
                    value: self.truth(value),
                    implicit: false,
                };
                return self.push(kind, ty, span);
            }
            if self.types.is_pointer(ty) {
                return self.cast_to_local(value, ty, span);
            }
            let from = self.ty_of(value);
            let p = self.pts(value);
            let p = self.finish(p, from, span);
            let field = self.rt(RtOp::Addrfield, &[p], Types::SIZE_T, span);
            let kind = ExprKind::Cast {
                value: field,
                implicit: false,
            };
            return self.push(kind, ty, span);
        }
        let value = if self.types.is_void(ty) {
            self.discard(value)
        } else {
            self.value(value)
        };
        // C compilers differ on the type of a bit-field's value, so the promotion is explicit.
        let implicit = implicit
            && !matches!(
                self.body.expr(value).kind,
                ExprKind::Rt {
                    op: RtOp::Access(AccessOp {
                        bits: true,
                        site: false,
                        ..
                    }),
                    ..
                }
            );
        let kind = ExprKind::Cast { value, implicit };
        self.body.push_expr(kind, ty, span, flags)
    }

    /// Lowers `a ?: b`.
    fn elvis(&mut self, id: ExprId, a: ExprId, b: ExprId) -> ExprId {
        let Expr {
            ty, span, flags, ..
        } = *self.body.expr(id);
        if !self.is_pts(a) {
            let (a, b) = (self.value(a), self.value(b));
            return self
                .body
                .push_expr(ExprKind::CondElvis(a, b), ty, span, flags);
        }
        let a = self.value(a);
        let (local, decl) = self.temp(a, self.value_type(ty), span);
        let tested = self.body.load_local(local, span);
        let null = self.rt(RtOp::IsNull, &[tested], Types::INT, span);
        let b = self.value(b);
        let a = self.body.load_local(local, span);
        let chosen = self.push(ExprKind::Cond(null, b, a), ty, span);
        self.stmt_expr(vec![decl], chosen, span)
    }

    /// Lowers the statement of `({ ... })`: the value of its last expression is used.
    fn stmt_expr_body(&mut self, stmt: crate::il::StmtId) {
        let StmtKind::Compound(block) = &self.body.stmt(stmt).kind else {
            return self.stmt(stmt);
        };
        let items = block.items.clone();
        let Some((&last, rest)) = items.split_last() else {
            return;
        };
        let mut lowered = Vec::with_capacity(items.len());
        for &s in rest {
            self.stmt(s);
            lowered.push(s);
            lowered.append(&mut self.after);
        }
        self.last_of_stmt_expr(last);
        lowered.push(last);
        if let StmtKind::Compound(block) = &mut self.body.stmts[stmt].kind {
            block.items = lowered;
        }
    }

    /// Lowers the last statement, which may be below labels.
    fn last_of_stmt_expr(&mut self, stmt: crate::il::StmtId) {
        use StmtKind::*;
        match self.body.stmt(stmt).kind {
            Expr(e) => {
                let e = self.value(e);
                self.body.stmts[stmt].kind = Expr(e);
            }
            Label(_, inner) => self.last_of_stmt_expr(inner),
            Compound(_) | Null | If(..) | Switch(..) | While(..) | DoWhile(..) | Nested(_)
            | Case(..) | Default(_) | Goto(_) | GotoExpr(_) | Break | Continue | Return(_)
            | Decl(_) | Sync(..) | Fence | Scope(..) => self.stmt(stmt),
            For { .. } | Forall { .. } | Asm { .. } => self.stmt(stmt),
        }
    }

    /// Adds a conversion that C performs implicitly.
    pub(super) fn implicit_cast(&mut self, value: ExprId, ty: QualType, span: Span) -> ExprId {
        if self.types.canon_qt(self.ty_of(value)) == self.types.canon_qt(ty) {
            return value;
        }
        let kind = ExprKind::Cast {
            value,
            implicit: true,
        };
        self.body.push_expr(kind, ty, span, ExprFlags::default())
    }

    /// True for a compound literal or a part of one.
    fn is_literal(&self, place: ExprId) -> bool {
        use ExprKind::*;
        match self.body.expr(place).kind {
            CompoundLit(_) => true,
            Field(inner, _) => self.is_literal(inner),
            Local(_) | Object(_) | Deref(_) | Str | RealPlace(_) | ImagPlace(_) | Int(_)
            | Number | Load(_) | AddrOf(_) | Decay(_) | Unary(..) | Binary(..) | PtrDiff(..)
            | Cond(..) | CondElvis(..) | Comma(..) | Call(..) | SizePerThread(_)
            | SizeofPlace(_) | StmtExpr(_) | LabelAddr(_) | VaArg(_) | Opaque | Threads
            | MyThread => false,
            Assign { .. } | AssignOp { .. } | IncDec { .. } => false,
            PtrAdd { .. } | Cast { .. } | Rt { .. } => false,
        }
    }
}

fn is_comparison(op: BinOp) -> bool {
    matches!(
        op,
        BinOp::Lt | BinOp::Gt | BinOp::Le | BinOp::Ge | BinOp::Eq | BinOp::Ne
    )
}
