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
