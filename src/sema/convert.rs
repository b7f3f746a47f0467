//! Conversions. Seam: signatures; not built yet.

use super::*;

/// What a value is converted for, as messages name it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AssignContext {
    Assign,
    Init,
    /// Argument by number from 1, of the function of that name if it has one.
    Argument(u32, Option<Symbol>),
    Return,
}

impl Sema<'_> {
    /// Converts as by assignment (C11 6.5.16.1, UPC 6.4.3) to the unqualified target, reporting what does not convert. A place is loaded first.
    pub fn assign_convert(
        &mut self,
        value: il::ExprId,
        target: QualType,
        context: AssignContext,
    ) -> il::ExprId {
        let _ = (target, context);
        value
    }
}
