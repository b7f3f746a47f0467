//! Expressions. Seam: signatures of what declarations call; not built yet.

use super::*;

impl Sema<'_> {
    /// A place or a value; nothing is decayed or loaded.
    pub fn expr(&mut self, id: ast::ExprId) -> il::ExprId {
        let span = self.ast[id].span;
        self.push_expr(
            il::ExprKind::Opaque,
            QualType::plain(Types::UNKNOWN),
            span,
            il::ExprFlags::PLAIN,
        )
    }

    /// A value: places are loaded, arrays and functions decay.
    pub fn rvalue(&mut self, id: ast::ExprId) -> il::ExprId {
        self.expr(id)
    }

    /// The type of an unevaluated expression.
    pub fn expr_type(&mut self, id: ast::ExprId) -> QualType {
        let _ = id;
        QualType::plain(Types::UNKNOWN)
    }
}
