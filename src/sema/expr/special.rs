//! GNU and C11 forms that look like calls: `_Generic`, statement expressions, `va_arg`, labels as values and others.

use super::*;
use crate::sema::jumps::Guard;
use crate::types::{ArrayLen, TypeId};
use hashbrown::HashMap;
use il::StmtKind;

/// The types of associations and their spans, keyed by a property that compatible types share.
type Seen = HashMap<(u32, TypeId), Vec<(QualType, Span)>>;

impl Sema<'_> {
    /// Analyses `_Generic` (C11 6.5.1.1). The result is the chosen expression itself; it is not verbatim if any part of
    /// the selection contains UPC.
    pub(super) fn generic_expr(
        &mut self,
        control: ast::ExprId,
        list: ast::GenericList,
        span: Span,
    ) -> il::ExprId {
        let (chosen, touched) = self.watching(|s| s.select(control, list, span));
        match chosen {
            Some(id) => {
                let e = self.expr(id);
                if touched {
                    self.clear_verbatim(e);
                }
                e
            }
            None => self.poison(span),
        }
    }

    fn select(
        &mut self,
        control: ast::ExprId,
        list: ast::GenericList,
        span: Span,
    ) -> Option<ast::ExprId> {
        let ty = self.unevaluated(|s| {
            let e = s.rvalue(control);
            s.ty(e)
        });
        let ast = self.ast;
        let (mut chosen, mut default) = (None, None);
        let mut seen = Seen::new();
        for (name, value) in ast.generic_assocs(list) {
            match name {
                None if default.is_some() => {
                    let (message, help) =
                        ("this _Generic already has a default", "remove one of them");
                    self.error(code::BAD_GENERIC, ast[value].span, message, help);
                }
                None => default = Some(value),
                Some(name) => {
                    let candidate = self.type_name(name);
                    self.check_association(candidate, ast[name].span, &mut seen);
                    let same =
                        self.types.compatible(ty, candidate) && !self.types.is_unknown(candidate);
                    if same && chosen.is_none() {
                        chosen = Some(value);
                    }
                }
            }
        }
        let found = chosen.or(default);
        // The other associations are analysed too, to find UPC in them. The caller analyses the chosen one, so it is
        // analysed once.
        for (_, value) in ast.generic_assocs(list) {
            if Some(value) != found {
                self.expr_type(value);
            }
        }
        if found.is_none() && !self.types.is_unknown(ty) {
            let message = format!(
                "no association of _Generic has type `{}`, and there is no default",
                self.show(ty)
            );
            self.error(
                code::BAD_GENERIC,
                span,
                message,
                "add an association for this type, or a default",
            );
        }
        found
    }

    /// Analyses `({ ... })` (GNU): the value is that of the last statement, if that is an expression.
    pub(super) fn statement_expr(&mut self, body: ast::StmtId, span: Span) -> il::ExprId {
        if self.function.is_none() {
            let message = "statement expression outside a function".to_string();
            self.error(
                code::BAD_OPERANDS,
                span,
                message,
                "move it into a function, or write an expression without statements",
            );
            return self.poison(span);
        }
        let mark = self.flow.regions.mark();
        self.flow.regions.enter(Guard::StatementExpr, span);
        let (stmt, touched) = self.watching(|s| s.statement(body));
        self.flow.regions.leave(mark, span.hi);
        let ty = match self.last_value(stmt) {
            Some(e) => self.ty(e),
            None => QualType::plain(Types::VOID),
        };
        let verbatim = !touched && !self.types.has_shared(ty);
        let flags = if verbatim {
            ExprFlags::VERBATIM
        } else {
            ExprFlags::default()
        };
        self.push_expr(ExprKind::StmtExpr(stmt), ty, span, flags)
    }

    /// Analyses `&&label` (GNU).
    pub(super) fn label_address(&mut self, label: Symbol, span: Span) -> il::ExprId {
        if self.function.is_none() {
            self.error(
                code::BAD_LABEL_ADDRESS,
                span,
                "label outside a function",
                "take its address inside the function that has it",
            );
            return self.poison(span);
        }
        self.use_label(label, span, false);
        let ty = QualType::plain(self.types.pointer_to(QualType::plain(Types::VOID)));
        self.make(ExprKind::LabelAddr(label), ty, span, &[])
    }

    pub(super) fn va_arg_expr(
        &mut self,
        list: ast::ExprId,
        ty: ast::TypeNameId,
        span: Span,
    ) -> il::ExprId {
        let list = self.expr(list);
        let lengths = self.length_mark();
        let (ty, touched) = self.watching(|s| s.type_name(ty));
        let ty = self.types.unqualified(ty);
        let from = self.body.exprs[list].ty;
        if self.types.is_arithmetic(from) {
            let message = format!("va_arg of `{}`, which is not a va_list", self.show(from));
            let at = self.body.exprs[list].span;
            let help = "pass the va_list that va_start has initialised";
            self.error(code::BAD_BUILTIN, at, message, help);
            return self.poison(span);
        }
        if self.types.is_function(ty) {
            let message = format!(
                "va_arg cannot return a value of function type `{}`",
                self.show(ty)
            );
            let help = "functions are passed as pointers";
            self.error(code::BAD_BUILTIN, span, message, help);
            return self.poison(span);
        }
        if !self.types.is_complete(ty) && !self.types.is_unknown(ty) {
            let message = format!(
                "va_arg cannot return a value of incomplete type `{}`",
                self.show(ty)
            );
            let help = "name the type that the caller passes";
            self.error(code::BAD_BUILTIN, span, message, help);
            return self.poison(span);
        }
        let e = self.make(ExprKind::VaArg(list), ty, span, &[list]);
        if touched {
            self.clear_verbatim(e);
        }
        self.behind_lengths(lengths, e)
    }

    pub(super) fn types_compatible_expr(
        &mut self,
        a: ast::TypeNameId,
        b: ast::TypeNameId,
        span: Span,
    ) -> il::ExprId {
        let lengths = self.length_mark();
        let ((a, b), touched) = self.watching(|s| (s.type_name(a), s.type_name(b)));
        self.drop_lengths(lengths);
        let value = self.types.compatible_unqualified(a, b);
        self.int_node(value.into(), QualType::plain(Types::INT), span, !touched)
    }

    /// Analyses `__builtin_convertvector (e, type)`.
    pub(super) fn convert_vector(
        &mut self,
        operand: ast::ExprId,
        ty: ast::TypeNameId,
        span: Span,
    ) -> il::ExprId {
        let e = self.rvalue(operand);
        let ty = self.type_name(ty);
        let ty = self.types.unqualified(ty);
        if !self.is_verbatim(e) {
            let message =
                "__builtin_convertvector does not support an operand that contains UPC".to_string();
            self.error(
                code::UNSUPPORTED,
                span,
                message,
                "copy the operand into a private variable first",
            );
        }
        self.opaque(ty, span)
    }

    /// Analyses `__builtin_choose_expr (constant, a, b)` (GNU): the result is one of the two, unconverted.
    pub(super) fn choose_expr(&mut self, args: ast::ExprList, span: Span) -> il::ExprId {
        let ast = self.ast;
        let &[condition, a, b] = ast.expr_list(args) else {
            return self.wrong_builtin_args("__builtin_choose_expr", 3, span);
        };
        let (value, touched) = self
            .watching(|s| s.const_int(condition, "the first argument of __builtin_choose_expr"));
        let (taken, left) = if value.is_none_or(|v| v != 0) {
            (a, b)
        } else {
            (b, a)
        };
        let ((), other) = self.watching(|s| {
            s.expr_type(left);
        });
        let e = self.expr(taken);
        if touched || other {
            self.clear_verbatim(e);
        }
        e
    }

    /// Analyses `__builtin_constant_p (e)` (GNU): true for what upcc folds, and for string literals.
    pub(super) fn constant_p(&mut self, args: ast::ExprList, span: Span) -> il::ExprId {
        let ast = self.ast;
        let &[operand] = ast.expr_list(args) else {
            return self.wrong_builtin_args("__builtin_constant_p", 1, span);
        };
        let (constant, touched) = self.watching(|s| {
            s.unevaluated(|s| {
                let e = s.rvalue(operand);
                let literal = matches!(s.node(e).kind, ExprKind::Decay(place) if matches!(s.node(place).kind, ExprKind::Str));
                literal || s.folder().value(e).is_some()
            })
        });
        self.int_node(constant.into(), QualType::plain(Types::INT), span, !touched)
    }

    /// Analyses `__builtin_classify_type (e)` (GNU): the codes are those of gcc's `typeclass.h`.
    pub(super) fn classify_type(&mut self, args: ast::ExprList, span: Span) -> il::ExprId {
        let ast = self.ast;
        let &[operand] = ast.expr_list(args) else {
            return self.wrong_builtin_args("__builtin_classify_type", 1, span);
        };
        let (ty, touched) = self.watching(|s| {
            s.unevaluated(|s| {
                let e = s.rvalue(operand);
                s.ty(e)
            })
        });
        let class = match *self.types.kind(ty) {
            Type::Void => 0,
            Type::Int(_) | Type::Enum(_) => 1,
            Type::Pointer(_) | Type::Array(..) | Type::Function(_) => 5,
            Type::Float(_) => 8,
            Type::Complex(_) | Type::ComplexInt(_) => 9,
            Type::Record(id) if self.types.record(id).is_union => 13,
            Type::Record(_) | Type::VaList => 12,
            Type::Vector(..) => 17,
            Type::Typedef(_) | Type::Unknown => -1,
        };
        self.int_node(class, QualType::plain(Types::INT), span, !touched)
    }
}

impl Nodes<'_> {
    /// Marks a node as not verbatim: the tokens around it are not its own, so it must be printed from the IL.
    pub(super) fn clear_verbatim(&mut self, e: il::ExprId) {
        let node = &mut self.body.exprs[e];
        node.flags = node.flags.without(ExprFlags::VERBATIM);
        self.touched = true;
    }

    fn last_value(&self, mut stmt: il::StmtId) -> Option<il::ExprId> {
        loop {
            match &self.body.stmts[stmt].kind {
                StmtKind::Compound(block) => stmt = *block.items.last()?,
                StmtKind::Label(_, inner) => stmt = *inner,
                StmtKind::Expr(e) => return Some(*e),
                _ => return None,
            }
        }
    }

    /// The type of `__builtin_complex (re, im)` (GNU).
    pub(super) fn builtin_complex(&mut self, args: &[il::ExprId]) -> QualType {
        match args {
            &[re, _] => match *self.types.kind(self.ty(re)) {
                Type::Float(kind) => QualType::plain(self.types.intern(Type::Complex(kind))),
                _ => QualType::plain(Types::UNKNOWN),
            },
            // The number of arguments has been checked.
            _ => QualType::plain(Types::UNKNOWN),
        }
    }

    fn wrong_builtin_args(&mut self, name: &str, want: u32, span: Span) -> il::ExprId {
        let message = format!(
            "{name} takes {want} argument{}",
            if want == 1 { "" } else { "s" }
        );
        self.error(
            code::BAD_BUILTIN,
            span,
            message,
            "pass the right number of arguments",
        );
        self.poison(span)
    }
}

impl Context<'_> {
    /// Checks that no two associations name compatible types (C11 6.5.1.1p2).
    fn check_association(&mut self, ty: QualType, span: Span, seen: &mut Seen) {
        if self.types.is_unknown(ty) {
            return;
        }
        if !self.types.is_complete(ty) || self.types.is_function(ty) || self.is_variable(ty) {
            let message = format!(
                "this _Generic has an association for `{}`, which is not the type of any value",
                self.show(ty)
            );
            let help = "name a complete object type of known size";
            return self.error(code::BAD_GENERIC, span, message, help);
        }
        let seen = seen.entry(self.types.compatibility_class(ty)).or_default();
        let first = seen
            .iter()
            .find(|(other, _)| self.types.compatible(*other, ty));
        if let Some(&(_, first)) = first {
            let message = format!(
                "this _Generic already has an association for type `{}`",
                self.show(ty)
            );
            let (note, help) = ("the first is here", "remove one of them");
            self.error_with_note(code::BAD_GENERIC, span, message, first, note, help);
        }
        seen.push((ty, span));
    }

    /// True for an array of variable length, or an array of such arrays.
    pub(in crate::sema) fn is_variable(&self, ty: QualType) -> bool {
        let mut at = ty;
        while let Some((elem, len)) = self.types.array(at) {
            if matches!(len, ArrayLen::Variable(_)) {
                return true;
            }
            at = elem;
        }
        false
    }
}
