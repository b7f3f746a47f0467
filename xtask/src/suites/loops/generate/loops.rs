//! Loops of all kinds.

use super::super::names::NAMES;
use super::*;

impl Writer<'_> {
    /// Returns a loop, with the text before it and a label after it.
    pub(super) fn looping(&mut self) -> Texts {
        let outer = (self.jumps, self.forall);
        let label = (!self.forall && self.one_in(3)).then(|| {
            self.labels += 1;
            self.labels
        });
        self.jumps = Jumps {
            breaks: true,
            continues: true,
            out: label,
        };
        self.depth += 1;
        self.scopes.open();
        let looping = match self.rng.below(10) {
            0 => self.walk(),
            1 => self.while_loop(),
            2 => self.do_loop(),
            3 => self.entered_by_case(),
            4..=5 if !self.forall => self.forall(),
            6 if self.depth == 1 => self.parallel(),
            _ => self.for_loop(),
        };
        self.scopes.close();
        self.depth -= 1;
        let mut text = looping;
        (self.jumps, self.forall) = outer;
        if let Some(label) = label {
            text.join(&Texts::same(format!(
                "out{label}: __attribute__((unused));\n"
            )));
        }
        text.within("{\n@}\n")
    }

    fn most(&mut self) -> i64 {
        let most = MOST[self.depth - 1] as usize;
        1 + self.rng.below(most) as i64
    }

    /// Returns the text before a loop: a label, or a hint, which only the loop on the arrays has.
    fn in_front(&mut self) -> Texts {
        let hint = match self.rng.below(12) {
            0 => "#pragma GCC unroll 3\n",
            1 => "_Pragma(\"GCC unroll 2\") ",
            2 => "#pragma GCC unroll 1\n#pragma pupc on\n",
            3 => {
                self.labels += 1;
                return Texts::same(format!("here{}: __attribute__((unused))\n", self.labels));
            }
            _ => "",
        };
        Texts::new(hint, "")
    }

    /// Returns the head of a loop that counts upwards or downwards, and its counter.
    fn head(&mut self) -> (Texts, Texts) {
        let name = *self.rng.pick(&NAMES);
        let ty = *self
            .rng
            .pick(&["int", "int", "int", "unsigned", "long", "size_t"]);
        if self.depth == 1 && self.one_in(4) {
            self.scopes.declare(name, Meaning::Index);
            let cond = *self.rng.pick(&[
                "@ < LEN * THREADS",
                "LEN * THREADS > @",
                "@ <= LEN * THREADS - 1",
            ]);
            let head = format!("{ty} {name} = 0; {}; {name}++", cond.replace('@', name));
            return (Texts::default(), Texts::same(head));
        }
        let most = self.most();
        if ty != "unsigned" && ty != "size_t" && self.one_in(8) {
            self.scopes.declare(name, Meaning::Int(most));
            let head = format!("{ty} {name} = {most}; {name} >= 0; {name}--");
            return (Texts::default(), Texts::same(head));
        }
        let step = *self
            .rng
            .pick(&["@++", "@++", "++@", "@ += 1", "@ = @ + 1", "@ += 2"]);
        let step = step.replace('@', name);
        let outer = self.one_in(3);
        let from = self.rng.below(2);
        let mut before = Texts::default();
        let mut bound = most.to_string();
        // A bound that the loop may lower.
        let lowered = self.one_in(4) && name != "n";
        if lowered {
            before = Texts::same(format!("int n = {most};\n"));
            self.scopes.declare("n", Meaning::Bound);
            bound = "n".to_owned();
        }
        self.scopes.declare(name, Meaning::Int(most));
        let cond = match self.rng.below(3) {
            0 => format!("{bound} > {name}"),
            1 => format!("{name} <= {bound}"),
            _ => format!("{name} < {bound}"),
        };
        let head = match outer {
            true => {
                before.join(&Texts::same(format!("{ty} {name};\n")));
                format!("{name} = {from}; {cond}; {step}")
            }
            false => format!("{ty} {name} = {from}; {cond}; {step}"),
        };
        (before, Texts::same(head))
    }

    fn for_loop(&mut self) -> Texts {
        let (mut text, head) = self.head();
        text.join(&self.in_front());
        text.join(&head.within("for (@)\n"));
        let body = self.body();
        text.join(&body);
        text
    }

    fn while_loop(&mut self) -> Texts {
        let (name, most) = (*self.rng.pick(&NAMES), self.most());
        let mut text = Texts::same(format!("int {name} = 0;\n"));
        self.scopes.declare(name, Meaning::Int(most));
        text.join(&self.in_front());
        text.join(&Texts::same(format!("while ({name} < {most}) {{\n")));
        self.jumps.continues = false;
        let body = self.block();
        text.join(&body);
        text.join(&Texts::same(format!("{name}++;\n}}\n")));
        text
    }

    fn do_loop(&mut self) -> Texts {
        let (name, most) = (*self.rng.pick(&NAMES), self.most());
        let mut text = Texts::same(format!("int {name} = 0;\n"));
        self.scopes.declare(name, Meaning::Int(most));
        text.join(&self.in_front());
        text.join(&Texts::same("do "));
        self.jumps.continues = false;
        let body = self.block();
        text.join(&body);
        text.join(&Texts::same(format!("while (++{name} <= {most});\n")));
        text
    }

    /// Returns a loop in which a pointer walks through an array.
    fn walk(&mut self) -> Texts {
        let array = self.array(|a| a.pointee().is_some() && a != Array::Rows);
        let pointee = array.pointee().unwrap_or_default();
        let (most, start, member) = (self.most(), self.index(30), array.member(self.rng));
        let name = array.name();
        match self.one_in(2) {
            true => Texts::new(
                format!(
                    "for ({pointee} *at = &{name}[{start}], *end = at + {most}; at < end; at++) s += (*at){member};\n"
                ),
                format!(
                    "for (long at = {start}, end = at + {most}; at < end; at++) s += m_{name}(at);\n"
                ),
            ),
            false => Texts::new(
                format!(
                    "{pointee} *at = &{name}[{start}]; for (int i = 0; i < {most}; i++) s += (*at++){member};\n"
                ),
                format!(
                    "long at = {start}; for (int i = 0; i < {most}; i++) s += m_{name}(at++);\n"
                ),
            ),
        }
    }

    /// Returns a switch around a loop with a case in its body.
    fn entered_by_case(&mut self) -> Texts {
        self.scopes.declare("i", Meaning::Int(9));
        let (first, second) = (self.read(), self.read());
        let start = self.rng.below(2);
        let mut text = Texts::same(format!(
            "int i = 0; switch ({start}) {{ case 0: for (; i < 9; i++) {{\ns += "
        ));
        text.join(&first);
        text.join(&second.within(";\ncase 1: s += @;\n} }\n"));
        text
    }

    fn forall(&mut self) -> Texts {
        self.forall = true;
        self.jumps.breaks = false;
        self.jumps.out = None;
        let name = *self.rng.pick(&NAMES);
        let full = self.one_in(2);
        let (meaning, bound) = match full {
            true => (Meaning::Index, "LEN * THREADS".to_owned()),
            false => {
                let most = self.most();
                (Meaning::Int(most), most.to_string())
            }
        };
        self.scopes.declare(name, meaning);
        let array = self.array(|a| a.is_long());
        let place = array.name();
        let more = self.rng.below(20);
        let (real, mirror) = match self.rng.below(6) {
            0 => ("continue".to_owned(), "1".to_owned()),
            1 => (name.to_owned(), format!("({name}) % THREADS == MYTHREAD")),
            2 => (
                format!("{name} + 3"),
                format!("({name} + 3) % THREADS == MYTHREAD"),
            ),
            3 if full => (
                format!("{place}[{name}]"),
                format!("m_{place}({name}) % THREADS == MYTHREAD"),
            ),
            _ if full => (
                format!("&{place}[{name}]"),
                format!("upc_threadof(&{place}[{name}]) == MYTHREAD"),
            ),
            _ => (
                format!("&{place}[{name} + {more}]"),
                format!("upc_threadof(&{place}[{name} + {more}]) == MYTHREAD"),
            ),
        };
        // An affinity expression that reads an element of a structure reads a member.
        let real = match (array, real.starts_with("cells")) {
            (Array::Cells, true) => real + ".x",
            _ => real,
        };
        let mut text = self.in_front();
        let head = format!("int {name} = 0; {name} < {bound}; {name}++");
        text.join(&Texts::new(
            format!("upc_forall ({head}; {real}) "),
            format!("for ({head}) if ({mirror}) "),
        ));
        let mut body = self.block();
        if full && self.one_in(2) {
            body = self.write_owned(name, &body);
        }
        text.join(&body);
        text
    }

    /// Returns a body preceded by a write to the iteration's own element.
    fn write_owned(&mut self, name: &str, body: &Texts) -> Texts {
        let (array, owner) = *self.rng.pick(&[("owned", "@"), ("owned4", "@ / 4")]);
        let owner = owner.replace('@', name);
        let mut text = Texts::new(
            format!("{{\n{array}[{name}] = {name};\n"),
            format!("{{\ncount(PUT, {owner});\n"),
        );
        text.join(&body.within("@}\n"));
        text
    }

    /// Returns an OpenMP loop, executed by one thread.
    fn parallel(&mut self) -> Texts {
        let most = self.most();
        let pragma = *self.rng.pick(&[
            "#pragma omp parallel for reduction(+ : s)\n",
            "#pragma omp simd reduction(+ : s)\n",
            "_Pragma(\"omp parallel for reduction(+ : s)\") ",
            "#pragma omp parallel\n#pragma omp single\n",
        ]);
        self.scopes.declare("i", Meaning::Int(most));
        self.jumps = Jumps::default();
        let (inner, outer) = (self.read(), self.read());
        let mut text = Texts::new(pragma, "");
        text.join(&Texts::same(format!(
            "for (int i = 0; i < {most}; i++) {{\ns += "
        )));
        text.join(&outer);
        text.join(&inner.within(";\nfor (int k_ = 0; k_ < 3; k_++) s += @;\n}\n"));
        text
    }
}
