//! Initialisers of flexible array members (GNU).

use super::Emitter;
use crate::il::{InitId, PathElem};
use crate::types::{ArrayLen, QualType};

impl Emitter<'_> {
    /// The number of items, from the first on, for elements of a flexible array member whose braces are elided.
    pub(super) fn flexible_items(&self, ty: QualType, items: &[(Vec<PathElem>, InitId)]) -> usize {
        let Some((path, _)) = items.first() else {
            return 0;
        };
        let [PathElem::Field(index), _, ..] = path[..] else {
            return 0;
        };
        let types = &self.module.types;
        let fields = types.record_id(ty).map(|id| &types.record(id).body);
        let field = fields.and_then(|b| b.as_ref()?.fields.get(index as usize));
        let flexible =
            field.is_some_and(|f| matches!(types.array(f.ty), Some((_, ArrayLen::Incomplete))));
        if !flexible {
            return 0;
        }
        let belongs = |(other, _): &(Vec<PathElem>, InitId)| other.len() > 1 && other[0] == path[0];
        items.iter().take_while(|item| belongs(item)).count()
    }

    /// Writes items for elements of a flexible array member in braces: clang accepts no designator into it.
    pub(super) fn init_flexible(
        &mut self,
        ty: QualType,
        items: &[(Vec<PathElem>, InitId)],
        first: &mut bool,
    ) {
        if !std::mem::take(first) {
            self.out.put(", ");
        }
        let member = self.designators(ty, "", &items[0].0[..1]);
        self.out.put(&member.text);
        self.out.put(" = {");
        let mut first = true;
        for (path, child) in items {
            self.init_item(member.ty, "", &path[1..], *child, &mut first);
        }
        self.out.put("}");
    }
}
