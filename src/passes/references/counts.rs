//! How often loops run, as formulas in the program's own parameters.

use super::super::sections::{Form, Loop};
use crate::il::{Affinity, Body, ExprId, ExprKind, LocalId, Module, StmtKind, UnOp};
use crate::passes::analysis::refs::int_value;
use crate::passes::analysis::stride::Stride;
use crate::passes::remarks::on_one_line;
use crate::references::Formula;
use hashbrown::HashMap;
use upcc_grammar::Parsed;
use upcc_grammar::ast::BinOp;

/// A loop around the others of a nest, or the innermost one.
pub(super) struct Counter<'a> {
    pub(super) module: &'a Module,
    pub(super) parsed: &'a Parsed,
    pub(super) body: &'a Body,
    /// The mean values of the variables of the loops around.
    pub(super) means: HashMap<LocalId, Formula>,
}

impl Counter<'_> {
    /// How often a thread runs a loop on average, each time that it comes to it: a name of its own, `turns(LINE)`, if the
    /// bounds do not tell. Adds the mean value of the loop variable: the sum of something affine over the iterations is
    /// as many times its value there.
    pub(super) fn enter(&mut self, found: &Loop, line: u32) -> Option<Formula> {
        let form = found.form.as_ref().ok();
        let known = form.and_then(|form| Some((self.turns(form)?, form.count.var)));
        let Some(((turns, mean), var)) = known else {
            return Some(Formula::name(&format!("turns({line})")));
        };
        self.means.insert(var, mean);
        let divided = matches!(
            self.body.stmt(found.stmt).kind,
            StmtKind::Forall {
                affinity: Affinity::Int(_) | Affinity::Pts(_),
                ..
            }
        );
        match divided {
            true => turns.over(&Formula::name("THREADS")),
            false => Some(turns),
        }
    }

    /// The iterations of all threads, and the mean value of the loop variable.
    fn turns(&self, form: &Form) -> Option<(Formula, Formula)> {
        let count = &form.count;
        if self.module.types.is_pts(self.body.local(count.var).ty) {
            return None;
        }
        let (start, bound) = (
            self.formula(form, form.start?)?,
            self.formula(form, count.bound)?,
        );
        let (step, forward) = match count.step {
            Stride::Constant(n) => (Formula::number(n.checked_abs()?), n > 0),
            Stride::Threads(n) => (Formula::name("THREADS").times(&Formula::number(n))?, n > 0),
        };
        let (low, high) = match forward {
            true => (&start, &bound),
            false => (&bound, &start),
        };
        let mut span = high.minus(low)?;
        if count.inclusive {
            span = span.plus(&Formula::number(1))?;
        }
        // The bound itself is no value, or is one.
        let beyond = i64::from(!count.inclusive) * if forward { -1 } else { 1 };
        let ends = start.plus(&bound)?.plus(&Formula::number(beyond))?;
        Some((span.over(&step)?, ends.over(&Formula::number(2))?))
    }

    /// An integer expression.
    fn formula(&self, form: &Form, e: ExprId) -> Option<Formula> {
        let (types, body) = (&self.module.types, self.body);
        if let Some(n) = int_value(types, body, e) {
            return Some(Formula::number(n));
        }
        let kind = body.expr(e).kind;
        if let ExprKind::Cast { value, .. } = kind {
            return self.formula(form, value);
        }
        self.of_parts(form, kind)
            .or_else(|| Some(Formula::name(&self.text(e)?)))
    }

    /// What the parts of an expression make of it; `None`: nothing is known of it.
    fn of_parts(&self, form: &Form, kind: ExprKind) -> Option<Formula> {
        let part = |it| self.formula(form, it);
        if let ExprKind::Threads = kind {
            Some(Formula::name("THREADS"))
        } else if let ExprKind::MyThread = kind {
            Some(Formula::name("MYTHREAD"))
        } else if let ExprKind::SizePerThread(bytes) = kind {
            Formula::name("THREADS").times(&Formula::number(i64::try_from(bytes).ok()?))
        } else if let ExprKind::Unary(UnOp::Plus, a) = kind {
            part(a)
        } else if let ExprKind::Unary(UnOp::Neg, a) = kind {
            part(a)?.times(&Formula::number(-1))
        } else if let ExprKind::Binary(op, a, b) = kind {
            binary(op, &part(a)?, &part(b)?)
        } else if let ExprKind::Load(place) = kind {
            self.variable(form, place)
        } else {
            None
        }
    }

    /// A variable: of a loop around, its mean; of the head of the body, its value; else a parameter.
    fn variable(&self, form: &Form, place: ExprId) -> Option<Formula> {
        if let ExprKind::Local(local) = self.body.expr(place).kind {
            if let Some(mean) = self.means.get(&local) {
                return Some(mean.clone());
            }
            if let Some(&value) = form.derived.get(&local) {
                return self.formula(form, value);
            }
            let name = self.body.local(local).name?;
            return Some(Formula::name(self.parsed.interner.name(name)));
        }
        None
    }

    /// The text of an expression, as the name of a parameter.
    fn text(&self, e: ExprId) -> Option<String> {
        let text = on_one_line(self.parsed, self.body.expr(e).span);
        (!text.is_empty()).then_some(text)
    }
}

fn binary(op: BinOp, a: &Formula, b: &Formula) -> Option<Formula> {
    use BinOp::*;
    match op {
        Add => a.plus(b),
        Sub => a.minus(b),
        Mul => a.times(b),
        Div => a.over(b),
        Shl => match b.value()? {
            (n @ 0..32, 1) => a.times(&Formula::number(1 << n)),
            _ => None,
        },
        Rem | Shr | Lt | Gt | Le | Ge | Eq | Ne | BitAnd | BitXor | BitOr | And | Or => None,
    }
}
