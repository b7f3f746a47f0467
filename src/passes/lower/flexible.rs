//! Storage for the elements of flexible array members (GNU): as with gcc, the initialiser of an object with static
//! storage determines their number.

use super::Lower;
use crate::il::{Body, ExprKind, InitId, InitKind, PathElem, RtOp};
use crate::types::{ArrayLen, QualType, Types};
use upcc_grammar::ast::Span;

/// The elements that an initialiser gives a flexible array member.
pub(super) struct FlexibleElements {
    record: QualType,
    /// The member's index in its structure.
    member: u32,
    elem: QualType,
    /// At least 1.
    count: u64,
    /// Bytes behind the structure, whose size does not include the elements.
    pub bytes: u64,
    span: Span,
}

impl Lower<'_> {
    /// The elements that an object's initialiser gives the flexible array member of the object; `None` if it has no
    /// such elements.
    pub(super) fn flexible_elements(&self, init: InitId) -> Option<FlexibleElements> {
        let init = self.body.init(init);
        let InitKind::List(items) = &init.kind else {
            return None;
        };
        let record = self.types.record_id(init.ty)?;
        let body = self.types.record(record).body.as_ref()?;
        let member = body.fields.len().checked_sub(1)? as u32;
        let (elem, len) = self.types.array(body.fields.last()?.ty)?;
        if len != ArrayLen::Incomplete {
            return None;
        }
        let mut count = 0;
        for (path, item) in items {
            if let [PathElem::Field(field), rest @ ..] = &path[..]
                && *field == member
            {
                count = count.max(self.count_elements(rest, *item));
            }
        }
        let size = self.types.fixed_size(elem).unwrap_or(0);
        (count > 0).then_some(FlexibleElements {
            record: init.ty,
            span: init.span,
            member,
            elem,
            count,
            bytes: count.saturating_mul(size),
        })
    }

    /// The number of elements up to the last one that an item initialises. `path` leads from the array to the item.
    fn count_elements(&self, path: &[PathElem], init: InitId) -> u64 {
        match (path.first(), &self.body.init(init).kind) {
            (Some(PathElem::Index(last) | PathElem::Range(_, last)), _) => last + 1,
            (Some(PathElem::Field(_)), _) => 0,
            (None, InitKind::List(items)) => {
                let counts = items.iter().map(|(path, i)| self.count_elements(path, *i));
                counts.max().unwrap_or(0)
            }
            (None, InitKind::Expr(value)) => {
                let value = self.body.expr(*value);
                if let ExprKind::CompoundLit(init) = value.kind {
                    return self.count_elements(&[], init);
                }
                match self.types.array(value.ty) {
                    Some((_, ArrayLen::Fixed(n))) => n,
                    _ => 0,
                }
            }
        }
    }

    /// The initialiser of an object whose values the initialiser function stores: zeros, as many as the flexible array
    /// member has elements.
    pub(super) fn room_for_elements(&mut self, init: InitId) -> Option<InitId> {
        let elements = self.flexible_elements(init)?;
        Some(elements.zeros(self.types, &mut self.body))
    }

    /// The same for an object of a block that moves to file scope.
    pub(super) fn hoisted_room_for_elements(&mut self, init: InitId) -> Option<InitId> {
        let elements = self.flexible_elements(init)?;
        Some(elements.zeros(self.types, &mut self.hoisted_body))
    }
}

impl FlexibleElements {
    /// Builds `{.member = {[count - 1] = 0}}`.
    fn zeros(&self, types: &mut Types, body: &mut Body) -> InitId {
        let array = QualType::plain(types.array_of(self.elem, ArrayLen::Incomplete));
        let list = |body: &mut Body, path, init, ty| {
            let kind = InitKind::List(vec![(path, init)]);
            body.push_init(kind, ty, self.span, false)
        };
        let pts = types.is_pts(self.elem);
        let int = QualType::plain(Types::INT);
        let (zero, ty) = match pts {
            true => (body.rt(RtOp::Null, &[], self.elem, self.span), self.elem),
            false => (body.int(0, Types::INT, self.span), int),
        };
        let mut last = body.push_init(InitKind::Expr(zero), ty, self.span, false);
        if types.is_record(self.elem) || types.is_array(self.elem) {
            last = list(body, Vec::new(), last, self.elem);
        }
        let member = list(body, vec![PathElem::Index(self.count - 1)], last, array);
        list(
            body,
            vec![PathElem::Field(self.member)],
            member,
            self.record,
        )
    }
}
