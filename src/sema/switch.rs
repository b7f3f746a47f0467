//! `switch` and its labels (C11 6.8.1, 6.8.4.2).

use super::expr::Class;
use super::jumps::RegionId;
use super::report::code;
use super::upc::first_token;
use super::*;
use il::{ExprFlags, StmtKind};
use std::collections::BTreeMap;

/// A `switch` around the current statement.
pub(super) struct Switch {
    /// Promoted type of the controlling value.
    ty: QualType,
    /// From the first value of a label to its last, which differ only in GNU ranges; the ranges do not overlap.
    cases: BTreeMap<i128, (i128, Span)>,
    default: Option<Span>,
    /// Innermost `upc_forall` around the statement.
    forall: Option<Span>,
    /// Innermost region around the statement.
    region: RegionId,
}

impl Sema<'_> {
    pub(super) fn switch(&mut self, value: ast::ExprId, body: ast::StmtId) -> StmtKind {
        let e = self.rvalue(value);
        let node = self.body.exprs[e];
        if !self.types.is_integer(node.ty) && self.class(node.ty) != Class::Unknown {
            let message = format!("switch on a value of type `{}`", self.show(node.ty));
            self.error(code::BAD_SWITCH, node.span, message, "switch on an integer");
        }
        let e = self.promote(e);
        let ty = self.ty(e);
        let (forall, region) = (self.innermost_forall(), self.flow.regions.innermost());
        self.flow.switches.push(Switch {
            ty,
            forall,
            region,
            cases: BTreeMap::new(),
            default: None,
        });
        self.flow.breakable += 1;
        let body = self.scoped(body);
        self.flow.breakable -= 1;
        self.flow.switches.pop();
        StmtKind::Switch(e, body)
    }

    pub(super) fn case(
        &mut self,
        low: ast::ExprId,
        high: Option<ast::ExprId>,
        inner: ast::StmtId,
        span: Span,
    ) -> StmtKind {
        let (low, low_value) = self.case_value(low);
        let high = high.map(|high| self.case_value(high));
        let head = Span {
            lo: span.lo,
            hi: self.body.exprs[high.map_or(low, |(e, _)| e)].span.hi,
        };
        if self.flow.switches.is_empty() && !self.flow.incomplete {
            self.error(
                code::CASE_OUTSIDE,
                head,
                "case label outside a switch",
                "put it into the body of a switch",
            );
        }
        self.check_case_place(head);
        let high_value = high.map_or(low_value, |(_, value)| value);
        if let (Some(a), Some(b)) = (low_value, high_value) {
            self.check_duplicate(a, b, head);
        }
        // A chain of labels on one statement may be long.
        let inner = deep(|| self.statement(inner));
        StmtKind::Case(low, high.map(|(e, _)| e), inner)
    }

    /// Returns a case label's value, converted to the type of the switch; folded if its tokens are not plain C.
    fn case_value(&mut self, id: ast::ExprId) -> (il::ExprId, Option<i128>) {
        let e = self.rvalue(id);
        let value = self.const_value(e, "a case label");
        let Some(ty) = self.flow.switches.last().map(|s| s.ty) else {
            return (e, value);
        };
        let value = value.map(|v| {
            self.types
                .int_kind_of(ty)
                .map_or(v, |kind| arith::wrap(v, kind))
        });
        if self.is_verbatim(e) {
            return (self.cast_implicit(e, ty), value);
        }
        let span = self.body.exprs[e].span;
        let folded = value.map_or(0, |v| v as i64);
        (
            self.push_expr(il::ExprKind::Int(folded), ty, span, ExprFlags::CONST),
            value,
        )
    }

    fn check_duplicate(&mut self, low: i128, high: i128, span: Span) {
        let Some(switch) = self.flow.switches.last_mut() else {
            return;
        };
        // The C compiler warns about an empty range (high below low).
        let below = switch.cases.range(..=high).next_back();
        let overlap = below.filter(|(_, (last, _))| low <= high && *last >= low);
        let first = overlap.map(|(_, &(_, first))| first);
        if first.is_none() {
            switch.cases.insert(low, (high, span));
        }
        if let Some(first) = first {
            let message = if low == high {
                format!("case {low} occurs twice")
            } else {
                format!("case range {low} ... {high} overlaps another case")
            };
            self.error_with_note(
                code::DUPLICATE_CASE,
                span,
                message,
                first,
                "the earlier case is here",
                "remove one of them",
            );
        }
    }

    /// Checks that a case label is not in a `upc_forall` that does not contain the switch: a switch jumps to its
    /// labels.
    fn check_case_place(&mut self, head: Span) {
        if let Some(region) = self.flow.switches.last().map(|s| s.region) {
            self.check_case_guard(region, head);
        }
        if let Some(outer) = self.flow.switches.last().map(|s| s.forall)
            && let Some(inner) = self.innermost_forall()
            && outer != Some(inner)
        {
            self.error(
                code::FORALL_JUMP_IN,
                head,
                "a switch jumps from outside to this label in the body of a upc_forall".to_string(),
                "put the whole switch into the loop",
            );
            self.note(first_token(inner), "this upc_forall");
        }
    }

    pub(super) fn default(&mut self, inner: ast::StmtId, span: Span) -> StmtKind {
        let head = Span {
            lo: span.lo,
            hi: span.lo + 1,
        };
        match self
            .flow
            .switches
            .last_mut()
            .map(|s| s.default.replace(head))
        {
            None if self.flow.incomplete => {}
            None => self.error(
                code::CASE_OUTSIDE,
                head,
                "default label outside a switch",
                "put it into the body of a switch",
            ),
            Some(Some(first)) => self.error_with_note(
                code::DUPLICATE_CASE,
                head,
                "a switch can have only one default label",
                first,
                "the first is here",
                "remove one of them",
            ),
            Some(None) => {}
        }
        self.check_case_place(head);
        StmtKind::Default(self.statement(inner))
    }
}
