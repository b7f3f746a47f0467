//! Statements around others: `switch`, jumps, events and pragmas.

use super::super::model::*;
use super::Generator;

impl Generator {
    /// Makes a statement around others. `body` makes each of these.
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

    /// Makes a `switch` with `default` anywhere, and labels whose statements continue with the next ones.
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

    /// Makes an event around statements. Nothing jumps out of them, so that the event ends.
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

    /// Makes loops that a `goto` leaves.
    pub(super) fn escape(&mut self) -> Stmt {
        let label = self.var();
        let outer = self.escape.replace(label);
        let body = vec![self.inner_loop()];
        self.escape = outer;
        Stmt::Escape { label, body }
    }
}
