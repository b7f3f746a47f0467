//! The number of iterations of a loop that is rewritten, computed in front of it.

use super::rewrite::Plan;
use crate::il::{ExprId, ExprKind, LocalId};
use crate::passes::analysis::stride::Stride;
use crate::passes::writer::{INT, LONG, Writer};
use upcc_grammar::ast::BinOp;

impl Writer<'_> {
    /// The number of iterations: with a step s up to a bound b, `first < b ? (b - first + s - 1) / s : 0`.
    pub(super) fn turns_of(&mut self, plan: &Plan, first: LocalId) -> ExprId {
        let count = &plan.form.count;
        let bound = || count.bound;
        let down = matches!(count.step, Stride::Constant(n) if n < 0);
        let beyond = match (count.inclusive, down) {
            (false, _) => 0,
            (true, false) => 1,
            (true, true) => -1,
        };
        let end = |w: &mut Self| {
            let end = w.copy(bound());
            let end = w.cast(end, LONG);
            w.plus(end, beyond)
        };
        let (from, to) = (self.load(first), end(self));
        let (low, high) = if down { (to, from) } else { (from, to) };
        let mut runs = self.runs(plan, low, high);
        if let Some(guard) = count.guard {
            let guard = self.copy(guard);
            runs = self.expr(ExprKind::Binary(BinOp::And, guard, runs), INT);
        }
        let (from, to) = (self.load(first), end(self));
        let (low, high) = if down { (to, from) } else { (from, to) };
        let span = self.bin(BinOp::Sub, high, low);
        self.turns_by_span(plan, runs, span)
    }

    /// The same for a pointer-to-shared that counts.
    pub(super) fn turns_of_pointer(&mut self, plan: &Plan) -> ExprId {
        let count = &plan.form.count;
        let down = matches!(count.step, Stride::Constant(n) if n < 0);
        let span = |w: &mut Self| {
            let (from, to) = (w.load(count.var), w.copy(count.bound));
            let (low, high) = if down { (to, from) } else { (from, to) };
            let span = w.expr(ExprKind::PtrDiff(high, low), LONG);
            w.plus(span, i64::from(count.inclusive))
        };
        let (zero, some) = (self.int(0), span(self));
        let runs = self.runs(plan, zero, some);
        let span = span(self);
        self.turns_by_span(plan, runs, span)
    }

    /// True if the span from `low` to `high` says how many iterations there are. If it is false, there is none, or the first
    /// one of `do`; or, where the condition is `!=`, as many as it takes until something else ends the loop.
    fn runs(&mut self, plan: &Plan, low: ExprId, high: ExprId) -> ExprId {
        match plan.form.count.unequal && !plan.form.tests_last {
            true => self.expr(ExprKind::Binary(BinOp::Le, low, high), INT),
            false => self.less(low, high),
        }
    }

    /// The number of iterations that go over `span` values, if `runs`.
    fn turns_by_span(&mut self, plan: &Plan, runs: ExprId, span: ExprId) -> ExprId {
        let turns = match plan.form.count.step {
            Stride::Constant(1 | -1) => span,
            Stride::Constant(n) => {
                let n = n.saturating_abs();
                let span = self.plus(span, n - 1);
                let by = self.int(n);
                self.bin(BinOp::Div, span, by)
            }
            Stride::Threads(n) => {
                let threads = self.threads();
                let by = self.times_signed(threads, n);
                let span = self.plus(span, -1);
                let span = self.bin(BinOp::Add, span, by);
                let threads = self.threads();
                let by = self.times_signed(threads, n);
                self.bin(BinOp::Div, span, by)
            }
        };
        let otherwise = match plan.form.count.unequal {
            true => self.int(i64::MAX),
            false => self.int(i64::from(plan.form.tests_last)),
        };
        self.expr(ExprKind::Cond(runs, turns, otherwise), LONG)
    }
}
