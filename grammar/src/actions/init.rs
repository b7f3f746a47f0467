//! Initialisers.

use super::{ActionError, Builder, span, take};
use crate::ast::*;
use crate::symbol::Symbol;

impl Builder<'_> {
    /// Builds an initialiser that is an expression.
    pub fn init_expr(&mut self, e: ExprId) -> InitId {
        let span = self.ast[e].span;
        self.ast.push_init(Init {
            kind: InitKind::Expr(e),
            span,
        })
    }

    /// Returns the index at which the items of a braced initialiser begin.
    pub fn init_base(&mut self) -> u32 {
        self.init_items.len() as u32
    }

    /// Builds `{ ... }`.
    pub fn init_list(&mut self, items: u32, lo: u32, hi: u32) -> InitId {
        let items = take(&mut self.init_items, items);
        self.ast.push_init(Init {
            kind: InitKind::List(items),
            span: span(lo, hi),
        })
    }

    /// Adds one item of a braced initialiser, with the designators that begin at `designators`. Returns its index.
    pub fn init_item(&mut self, designators: Option<u32>, value: InitId) -> u32 {
        let designators =
            designators.map_or_else(Vec::new, |base| take(&mut self.designators, base));
        self.init_items.push(InitItem { designators, value });
        self.init_items.len() as u32 - 1
    }

    /// Adds `[n] value`, the obsolete form without `=`. It may not designate a field.
    pub fn obsolete_item(
        &mut self,
        designators: u32,
        value: InitId,
        at: u32,
    ) -> Result<u32, ActionError> {
        match self.designators.last() {
            Some(Designator::Field(..)) => Err(ActionError::Message(
                at,
                "expected `=` after the designator".into(),
            )),
            _ => Ok(self.init_item(Some(designators), value)),
        }
    }

    /// Adds a designator. Returns its index.
    pub fn designator(&mut self, designator: Designator) -> u32 {
        self.designators.push(designator);
        self.designators.len() as u32 - 1
    }

    /// Adds `.name` or `name :`.
    pub fn field_designator(&mut self, at: u32) -> u32 {
        let name: Symbol = self.symbol(at);
        self.designator(Designator::Field(name, at))
    }
}
