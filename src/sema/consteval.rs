//! Constant folding. Seam: signatures; not built yet.

use super::*;

impl Sema<'_> {
    /// The value of an integer constant expression; reports that `what` is none. `None` after an error.
    pub fn const_int(&mut self, id: ast::ExprId, what: &str) -> Option<i128> {
        let _ = what;
        let e = self.rvalue(id);
        self.try_const_int(e)
    }

    /// The value of a node that is an integer constant expression; silent.
    pub fn try_const_int(&mut self, id: il::ExprId) -> Option<i128> {
        match self.body.exprs[id.0 as usize].kind {
            il::ExprKind::Int(n) => Some(i128::from(n)),
            _ => None,
        }
    }
}
