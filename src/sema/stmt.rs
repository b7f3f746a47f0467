//! Statements. Seam: signatures; not built yet.

use super::*;

/// What statements and expressions keep between nodes: labels, loops, the strict/relaxed pragma in force.
#[derive(Default)]
pub struct Flow {}

impl Sema<'_> {
    /// The body of the function in `self.function`. The caller has opened the function's scope and bound the parameters.
    pub fn function_body(&mut self, body: ast::StmtId) -> il::StmtId {
        let span = self.ast[body].span;
        self.body.stmts.push(il::Stmt {
            kind: il::StmtKind::Compound(il::Block::default()),
            span,
            plain: true,
        });
        il::StmtId(self.body.stmts.len() as u32 - 1)
    }
}
