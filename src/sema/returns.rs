//! `return` (C11 6.8.6.4).

use super::report::code;
use super::*;
use crate::types::Type;
use il::{ExprFlags, StmtKind};

impl Sema<'_> {
    /// Analyses a `return` statement. A mismatch with the function's type is a warning, as in gcc; the output for the C
    /// compiler has the right type.
    pub(super) fn return_statement(&mut self, value: Option<ast::ExprId>, span: Span) -> StmtKind {
        // Statements occur only in functions.
        let ret = self
            .function
            .as_ref()
            .map_or(QualType::plain(Types::UNKNOWN), |f| f.ret);
        let Some(value) = value else {
            return self.return_nothing(ret, span);
        };
        let e = self.rvalue(value);
        if !self.types.is_void(ret) {
            return StmtKind::Return(Some(self.assign_convert(e, ret, AssignContext::Return)));
        }
        self.return_from_void(e, span)
    }
}

impl SymbolTable<'_> {
    /// Analyses `return;`. In a function with a result it returns an unspecified value, which callers must not use (C11
    /// 6.9.1p12).
    fn return_nothing(&mut self, ret: QualType, span: Span) -> StmtKind {
        if self.types.is_void(ret) || self.types.is_unknown(ret) {
            return StmtKind::Return(None);
        }
        let message = format!(
            "return without a value in a function that returns {}",
            self.quoted(ret)
        );
        let help = "return a value, or make the function `void`";
        self.warn(code::RETURN_MISMATCH, span, message, help);
        self.note_function();
        // Not every C compiler accepts the user's text.
        self.touched = true;
        StmtKind::Return(Some(self.zero(ret, span)))
    }

    /// Analyses `return value;` in a function without a result: the value is computed and dropped.
    fn return_from_void(&mut self, value: il::ExprId, span: Span) -> StmtKind {
        let node = self.body.exprs[value];
        if self.types.is_void(node.ty) || self.types.is_unknown(node.ty) {
            return StmtKind::Return(Some(value));
        }
        let message = format!(
            "return with a value of type {} in a `void` function",
            self.quoted(node.ty)
        );
        let help = "remove the value, or give the function this return type";
        self.warn(code::RETURN_MISMATCH, node.span, message, help);
        self.note_function();
        self.touched = true;
        let kind = il::ExprKind::Cast {
            value,
            implicit: false,
        };
        let void = QualType::plain(Types::VOID);
        let dropped = self.push_expr(kind, void, node.span, ExprFlags::default());
        let dropped = self.body.push_stmt(StmtKind::Expr(dropped), span, false);
        let leave = self.body.push_stmt(StmtKind::Return(None), span, false);
        StmtKind::Compound(il::Block {
            local_labels: Vec::new(),
            items: vec![dropped, leave],
        })
    }

    /// Adds the declaration of the current function to the last report.
    fn note_function(&mut self) {
        if let Some(function) = &self.function {
            let span = self.objects[function.object].span;
            self.note(span, "the function is declared here");
        }
    }
}

impl Nodes<'_> {
    /// Builds a zero of any type that a function can return.
    fn zero(&mut self, ty: QualType, span: Span) -> il::ExprId {
        if self.types.is_record(ty) || matches!(self.types.kind(ty), Type::Vector(..)) {
            let list = il::InitKind::List(Vec::new());
            let init = self.body.push_init(list, ty, span, false);
            let kind = il::ExprKind::CompoundLit(init);
            let literal = self.push_expr(kind, ty, span, ExprFlags::default());
            return self.value_of(literal);
        }
        let zero = self.int_node(0, QualType::plain(Types::INT), span, false);
        self.cast_implicit(zero, ty)
    }
}
