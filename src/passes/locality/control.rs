//! The loop variable and the bound of a planned loop, as expressions and statements.

use super::plan::Plan;
use crate::il::{ExprId, ExprKind, LocalId, StmtId, StmtKind};
use crate::passes::writer::{LONG, Writer};
use crate::types::QualType;

impl Writer<'_> {
    /// The loop variable as `long`.
    pub(super) fn var(&mut self, plan: &Plan) -> ExprId {
        let value = self.load(plan.var);
        self.cast(value, LONG)
    }

    /// The first value of the variable after the loop, if the loop runs at all.
    pub(super) fn bound(&mut self, plan: &Plan) -> ExprId {
        let bound = self.copy(plan.bound);
        let bound = self.cast(bound, LONG);
        let bound = self.plus(bound, i64::from(plan.inclusive));
        let Some(guard) = plan.guard else {
            return bound;
        };
        let (runs, start) = (self.copy(guard), self.var(plan));
        self.expr(ExprKind::Cond(runs, bound, start), LONG)
    }

    pub(super) fn assign_var(&mut self, plan: &Plan, value: ExprId) -> StmtId {
        let ty = QualType::plain(self.body.locals[plan.var].ty.ty);
        let place = self.place(plan.var);
        let value = self.cast(value, ty);
        let assign = self.expr(ExprKind::Assign { place, value }, ty);
        self.stmt(StmtKind::Expr(assign))
    }

    /// Sets the variable as if every iteration had run: `lo < hi ? hi : lo`.
    pub(super) fn last_value(&mut self, plan: &Plan, lo: LocalId, hi: LocalId) -> StmtId {
        let value = self.choose(lo, hi, hi, lo);
        self.assign_var(plan, value)
    }
}
