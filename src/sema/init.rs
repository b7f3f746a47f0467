//! Initialisers (C11 6.7.9).

use super::*;

impl Sema<'_> {
    /// An initialiser for an object of type `ty`, and that type completed where the initialiser gives the number of elements.
    /// `static_storage`: the object lives as long as the program (its initialiser may still be no constant: pointers-to-shared).
    pub fn initializer(
        &mut self,
        id: ast::InitId,
        ty: QualType,
        static_storage: bool,
    ) -> (il::InitId, QualType) {
        let _ = static_storage;
        let span = self.ast[id].span;
        self.body.inits.push(il::Init {
            kind: il::InitKind::List(Vec::new()),
            ty,
            span,
            plain: true,
        });
        (il::InitId(self.body.inits.len() as u32 - 1), ty)
    }
}
