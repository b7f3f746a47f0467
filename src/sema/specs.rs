//! Specifiers and declarators to types.

use super::*;

impl Sema<'_> {
    /// The type that a type name denotes.
    pub fn type_name(&mut self, id: ast::TypeNameId) -> QualType {
        let _ = id;
        QualType::plain(Types::UNKNOWN)
    }
}
