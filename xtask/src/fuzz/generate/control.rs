//! Statements around others: `switch`, jumps, events and pragmas.

use super::super::model::*;
use super::Generator;

impl Generator {
    /// A statement around others, each of them made by `body`.
    pub(super) fn framed(&mut self, body: &dyn Fn(&mut Self) -> Vec<Stmt>) -> Stmt {
        match self.rng.below(9) {
            0..=2 => self.switch(body),
            3..=4 => Stmt::Skip {
                test: self.test(),
                label: self.var(),
                body: body(self),
            },
            5..=6 => self.event(body),
            7 => Stmt::Uninstrumented { body: body(self) },
            _ => Stmt::Ordered {
                strict: self.chance(60),
                body: body(self),
            },
        }
    }

    /// With `default` anywhere, and parts that go on in the next.
    fn switch(&mut self, body: &dyn Fn(&mut Self) -> Vec<Stmt>) -> Stmt {
        let rest = Box::new(Expr::Number(7));
        let value = Expr::Binary(Binary::And, Box::new(self.expr(1)), rest);
        let count = self.number(2, 4);
        let default = self.rng.below(count + 1);
        let cases = (0..count).map(|at| Case {
            value: (at != default).then(|| (at * 5 % 8) as u64),
            body: match self.chance(85) {
                true => body(self),
                false => Vec::new(),
            },
            falls: self.chance(40),
        });
        Stmt::Switch {
            value,
            cases: cases.collect(),
        }
    }

    /// Nothing jumps out of it, so that it ends.
    pub(super) fn event(&mut self, body: &dyn Fn(&mut Self) -> Vec<Stmt>) -> Stmt {
        let event = self.rng.below(EVENTS);
        let outer = self.escape.take();
        let body = body(self);
        self.escape = outer;
        Stmt::Event { event, body }
    }

    pub(super) fn mark(&mut self) -> Stmt {
        Stmt::Mark {
            event: self.rng.below(EVENTS),
            value: self.expr(1),
        }
    }

    /// Loops that `goto` leaves.
    pub(super) fn escape(&mut self) -> Stmt {
        let label = self.var();
        let outer = self.escape.replace(label);
        let body = vec![self.inner_loop()];
        self.escape = outer;
        Stmt::Escape { label, body }
    }
}
