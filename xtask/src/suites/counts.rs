//! Events that a program knows it raises: `counts: UPC_LOCK=2*THREADS+1`. Instrumented forms compare the profile of a
//! run with them.
//!
//! The number is the sum over all threads. `UPC_GET.remote` counts only accesses to data with affinity to another
//! thread.

use serde_json::Value;

use super::forms::{Form, INST_ONLY};

/// The number of events of one kind that all threads together raise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Count {
    /// The event's name without `GASP_`.
    pub event: String,
    /// Only accesses to data with affinity to another thread.
    remote: bool,
    /// A C expression over integers and THREADS.
    number: String,
}

impl Count {
    /// Parses `UPC_LOCK=3`, `UPC_LOCK=2*THREADS+1` or `UPC_GET.remote=THREADS*(THREADS-1)`; `None`: it has another
    /// form.
    pub fn read(text: &str) -> Option<Count> {
        let (event, number) = text.split_once('=')?;
        let (event, remote) = match event.strip_suffix(".remote") {
            Some(event) => (event, true),
            None => (event, false),
        };
        evaluate(number, 1).map(|_| Count {
            event: event.to_owned(),
            remote,
            number: number.to_owned(),
        })
    }

    /// Returns the number on that many threads; `None`: it divides by 0.
    fn on(&self, threads: usize) -> Option<i64> {
        evaluate(&self.number, threads)
    }

    /// Returns whether a form raises all counted events.
    fn is_raised_in(&self, form: &Form) -> bool {
        let has = |flag: &str| form.flags.contains(&flag);
        match self.event.as_str() {
            "C_FUNC" => has("--inst-functions") || has(INST_ONLY),
            "UPC_GET" | "UPC_PUT" => self.remote || has("--inst-local"),
            _ => true,
        }
    }

    /// Checks that a profile by events has the number, for a run of a form on that many threads.
    pub fn hold(&self, form: &Form, threads: usize, rows: &[Value]) -> Result<(), String> {
        if !self.is_raised_in(form) {
            return Ok(());
        }
        let key = if self.remote { "remote" } else { "calls" };
        let of_event = rows
            .iter()
            .filter(|row| row["event"].as_str() == Some(&self.event));
        let found: i64 = of_event.filter_map(|row| row[key].as_i64()).sum();
        let wanted = self
            .on(threads)
            .ok_or_else(|| format!("`{}` divides by 0", self.number))?;
        match found == wanted {
            true => Ok(()),
            false => Err(format!(
                "{found} of {}{} in the profile, the program raises {wanted}",
                self.event,
                if self.remote { " (remote)" } else { "" }
            )),
        }
    }
}

/// Returns the value of a C expression of integers, `THREADS`, parentheses, `+ - * / %` and one comparison `> < ==`,
/// without white space.
fn evaluate(text: &str, threads: usize) -> Option<i64> {
    let threads = i64::try_from(threads).ok()?;
    let mut parser = Parser {
        rest: text,
        threads,
    };
    let value = parser.comparison()?;
    parser.rest.is_empty().then_some(value)
}

struct Parser<'a> {
    rest: &'a str,
    threads: i64,
}

impl Parser<'_> {
    fn takes(&mut self, sign: &str) -> bool {
        match self.rest.strip_prefix(sign) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn comparison(&mut self) -> Option<i64> {
        let left = self.sum()?;
        let holds = if self.takes(">") {
            left > self.sum()?
        } else if self.takes("<") {
            left < self.sum()?
        } else if self.takes("==") {
            left == self.sum()?
        } else {
            return Some(left);
        };
        Some(holds.into())
    }

    fn sum(&mut self) -> Option<i64> {
        let mut value = self.product()?;
        loop {
            if self.takes("+") {
                value = value.checked_add(self.product()?)?;
            } else if self.takes("-") {
                value = value.checked_sub(self.product()?)?;
            } else {
                return Some(value);
            }
        }
    }

    fn product(&mut self) -> Option<i64> {
        let mut value = self.operand()?;
        loop {
            if self.takes("*") {
                value = value.checked_mul(self.operand()?)?;
            } else if self.takes("/") {
                value = value.checked_div(self.operand()?)?;
            } else if self.takes("%") {
                value = value.checked_rem(self.operand()?)?;
            } else {
                return Some(value);
            }
        }
    }

    fn operand(&mut self) -> Option<i64> {
        if self.takes("THREADS") {
            return Some(self.threads);
        }
        if self.takes("(") {
            let value = self.comparison()?;
            return self.takes(")").then_some(value);
        }
        let end = self.rest.find(|c: char| !c.is_ascii_digit());
        let (digits, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        self.rest = rest;
        digits.parse().ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suites::forms::FORMS;

    #[test]
    fn numbers_are_computed() {
        let on = |text: &str, threads| Count::read(text).and_then(|it| it.on(threads));
        assert_eq!(on("UPC_LOCK=3", 4), Some(3));
        assert_eq!(on("A=2*THREADS+1", 4), Some(9));
        assert_eq!(on("A=THREADS*(THREADS-1)/2", 4), Some(6));
        assert_eq!(on("A=7-2-1+10%4", 4), Some(6));
        assert_eq!(on("A=5*(THREADS>1)", 1), Some(0));
        assert_eq!(on("A=5*(THREADS>1)", 2), Some(5));
        for wrong in ["A", "A=", "A=2*", "A=(1", "A=1 2", "A=NODES", "A=3)"] {
            assert_eq!(Count::read(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn accesses_are_held_where_they_are_raised() {
        let form = |name: &str| FORMS.iter().find(|form| form.name == name);
        let rows = [serde_json::json!({ "event": "UPC_GET", "calls": 5, "remote": 3 })];
        let holds = |count: &str, name: &str| {
            let (count, form) = (Count::read(count)?, form(name)?);
            Some(count.hold(form, 2, &rows).is_ok())
        };
        assert_eq!(holds("UPC_GET=2*THREADS+1", "inst-local"), Some(true));
        assert_eq!(holds("UPC_GET=4", "inst-local"), Some(false));
        assert_eq!(holds("UPC_GET=4", "inst"), Some(true));
        assert_eq!(holds("UPC_GET.remote=4", "inst"), Some(false));
        assert_eq!(holds("UPC_GET.remote=3", "inst-only"), Some(true));
        assert_eq!(holds("UPC_LOCK=1", "inst"), Some(false));
    }
}
