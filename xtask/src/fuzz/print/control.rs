//! Prints statements around others, and events of the program.

use super::super::model::*;
use super::Text;

impl Text<'_> {
    pub(super) fn switch(&mut self, value: &Expr, cases: &[Case]) {
        let value = self.expr(value);
        self.open(&format!("switch ({value}) {{"));
        for case in cases {
            match case.value {
                Some(value) => self.line(&format!("case {value}:")),
                None => self.line("default:"),
            }
            self.depth += 1;
            self.body(&case.body);
            self.line(if case.falls { ";" } else { "break;" });
            self.depth -= 1;
        }
        self.close("}");
    }

    /// Prints a variable that follows a loop's variable, first at one distance and then at another.
    pub(super) fn derived(&mut self, var: Var, of: Var, offsets: [i64; 2], bodies: [&[Stmt]; 2]) {
        self.open("{");
        for ((offset, body), kind) in offsets.iter().zip(bodies).zip(["long ", ""]) {
            let sign = if *offset < 0 { '-' } else { '+' };
            let distance = offset.unsigned_abs();
            self.line(&format!("{kind}i{var} = i{of} {sign} {distance};"));
            self.body(body);
        }
        self.close("}");
    }

    pub(super) fn event(&mut self, event: usize, body: &[Stmt]) {
        self.own_event(event);
        if self.upc {
            self.line(&format!("pupc_event_start(mine{event}_, {event});"));
        }
        self.body(body);
        if self.upc {
            self.line(&format!("pupc_event_end(mine{event}_, {event});"));
        }
    }

    pub(super) fn mark(&mut self, event: usize, value: &Expr) {
        let value = self.expr(value);
        self.own_event(event);
        match self.upc {
            true => self.line(&format!("pupc_event_atomic(mine{event}_, (int)({value}));")),
            false => self.line(&format!("(void)({value});")),
        }
    }

    /// Prints an event of the program. It is reported whatever a pragma says.
    fn own_event(&mut self, event: usize) {
        let uncounted = std::mem::replace(&mut self.uncounted, false);
        self.raises(&format!("mine{event}"));
        self.uncounted = uncounted;
    }

    pub(super) fn uninstrumented_block(&mut self, body: &[Stmt]) {
        let uncounted = std::mem::replace(&mut self.uncounted, true);
        self.open("{");
        self.uninstrumented("off");
        self.body(body);
        self.close("}");
        self.uncounted = uncounted;
    }
}
