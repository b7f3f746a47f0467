//! Declarations and function definitions.

use super::*;

impl Sema<'_> {
    /// An external declaration.
    pub(super) fn item(&mut self, item: ast::Item) {
        let _ = item;
    }

    /// What can be said only at the end of the unit.
    pub(super) fn finish(&mut self) {}

    /// A declaration, binding its names in the innermost scope.
    pub fn declaration(&mut self, id: ast::DeclId, level: Level) -> il::DeclGroup {
        let _ = level;
        il::DeclGroup {
            span: self.ast[id].span,
            plain: true,
            tags: Vec::new(),
            decls: Vec::new(),
        }
    }

    /// Declares a function that is called without a declaration (C89 6.3.2.2), with a warning.
    pub fn implicit_function(&mut self, name: Symbol, span: Span) -> il::ObjectId {
        let _ = (name, span);
        il::ObjectId(0)
    }
}
