//! One function of a random program: loops over shared arrays.

use super::{ARRAYS, PER_THREAD};
use crate::rng::Rng;

/// A function that is being written.
pub(super) struct Function<'a> {
    rng: &'a mut Rng,
    text: String,
    depth: usize,
    locals: usize,
    /// Elements that pointers of the loop lead to.
    pointers: Vec<String>,
    /// Places with a side effect, to be used once.
    once: Vec<String>,
    /// The step of the loop is in its body, so that `continue` would not make it.
    is_while: bool,
    /// The values of variables that walk along with the loop.
    walking: Vec<String>,
    /// Statements that move such variables once more.
    extra: Vec<String>,
    /// A label after the loop.
    label: Option<String>,
}

/// Loops have at most this many iterations.
const MOST_TURNS: i64 = 32;

/// A variable that walks along is moved at most this many times more than the loop does.
const EXTRA_STEPS: i64 = 2;

/// The variable of a loop, with the least and the greatest value that it has in its body.
#[derive(Clone)]
struct Var {
    name: String,
    least: i64,
    most: i64,
}

/// How a loop counts.
struct Counting {
    ty: &'static str,
    first: i64,
    cond: String,
    /// Empty: the condition makes the step.
    next: String,
    /// The values that the loop variable may have.
    range: (i64, i64),
    /// The value at which the body ends the loop, because the condition never does.
    end: Option<i64>,
}

impl Function<'_> {
    /// Returns the body of a function, in braces.
    pub(super) fn body(rng: &mut Rng) -> String {
        let function = Function {
            rng,
            text: String::new(),
            depth: 0,
            locals: 0,
            pointers: Vec::new(),
            once: Vec::new(),
            is_while: false,
            walking: Vec::new(),
            extra: Vec::new(),
            label: None,
        };
        function.text()
    }

    fn text(mut self) -> String {
        self.line("{");
        self.depth = 1;
        self.line("long s = 0; int last = 0;");
        let nests = 1 + self.rng.below(3);
        for _ in 0..nests {
            self.nest();
        }
        self.line("return s;");
        self.depth = 0;
        self.line("}");
        self.text
    }

    fn line(&mut self, line: &str) {
        self.text += &"    ".repeat(self.depth);
        self.text += line;
        self.text.push('\n');
    }

    /// A loop, in another one or not.
    fn nest(&mut self) {
        let mut vars = Vec::new();
        if self.rng.below(2) == 0 {
            let outer = Var {
                name: "o".to_owned(),
                least: 0,
                most: 3,
            };
            self.line("for (int o = 0; o < 4; o++) {");
            self.depth += 1;
            vars.push(outer);
        }
        let outer = vars.len();
        self.counted(&mut vars);
        if outer > 0 {
            self.depth -= 1;
            self.line("}");
        }
    }

    fn counted(&mut self, vars: &mut Vec<Var>) {
        let Counting {
            ty,
            first,
            cond,
            next,
            range: (from, to),
            end,
        } = self.counting();
        self.line("{");
        let turns = match cond.split_once(['<', '!']) {
            Some((_, bound)) if end.is_none() && next.contains("++") && !bound.contains('n') => {
                Some(to - from + i64::from(bound.contains("= ") && cond.contains('<')))
            }
            _ => None,
        };
        let by_pointer = turns.filter(|_| self.rng.below(4) == 0);
        let (cond, mut steps) = match by_pointer {
            Some(turns) => (self.pointer_counts(turns), vec!["c++".to_owned(), next]),
            None if next.is_empty() => (cond, Vec::new()),
            None => (cond, vec![next]),
        };
        self.walkers(vars, &mut steps);
        self.is_while = self.rng.below(4) == 0;
        let in_clause = match self.is_while {
            true => 0,
            false if steps.is_empty() => 0,
            false => 1 + self.rng.below(steps.len()),
        };
        let clause = steps[..in_clause].join(", ");
        let is_visible = self.is_while || by_pointer.is_some() || self.rng.below(3) == 0;
        if is_visible {
            self.line(&format!("{ty} i = {first};"));
            self.walking.push("i".to_owned());
        }
        let tests_last = self.is_while && self.rng.below(3) == 0;
        match (self.is_while, is_visible) {
            _ if tests_last => self.line("do {"),
            (true, _) => self.line(&format!("while ({cond}) {{")),
            (false, true) => self.line(&format!("for (; {cond}; {clause}) {{")),
            (false, false) => self.line(&format!("for ({ty} i = {first}; {cond}; {clause}) {{")),
        }
        self.depth += 1;
        vars.push(Var {
            name: "i".to_owned(),
            least: from,
            most: to,
        });
        if let Some(end) = end {
            self.line(&format!("if (i == {end}) break;"));
        }
        if self.rng.below(3) == 0 {
            self.derived(vars);
        }
        let statements = 1 + self.rng.below(4);
        let gathers = self.rng.below(4) == 0;
        for _ in 0..statements {
            match gathers {
                true => self.gathering(vars),
                false => self.statement(vars),
            }
        }
        if !self.extra.is_empty() && self.rng.below(4) == 0 {
            let step = self.rng.pick(&self.extra).clone();
            self.line(&format!(
                "if (extra < {EXTRA_STEPS} && (s & 3) == 1) {{ extra++; {step}; }}"
            ));
        }
        for step in steps.drain(in_clause..).rev() {
            self.line(&format!("{step};"));
        }
        self.depth -= 1;
        match tests_last {
            true => self.line(&format!("}} while ({cond});")),
            false => self.line("}"),
        }
        // The values that walkers have after the loop, also where it ended early.
        for value in std::mem::take(&mut self.walking) {
            self.line(&format!("s = s * 3 + {value};"));
        }
        self.line("}");
        if let Some(label) = self.label.take() {
            self.line(&format!("{label}: ;"));
        }
        self.pointers.clear();
        self.once.clear();
        self.extra.clear();
    }

    /// Chooses how a loop counts.
    fn counting(&mut self) -> Counting {
        let (from, to) = (self.rng.below(5) as i64, 8 + self.rng.below(16) as i64);
        match self.rng.below(6) {
            0 => return self.counting_in_test(from, to),
            1 if self.rng.below(4) == 0 => {
                return Counting {
                    ty: "int",
                    first: from + 1,
                    cond: format!("i != {from}"),
                    next: "i++".to_owned(),
                    range: (from + 1, to),
                    end: Some(to),
                };
            }
            _ => {}
        }
        let step = 1 + self.rng.below(3) as i64;
        let ty = *self.rng.pick(&["int", "long", "int", "unsigned"]);
        let threads = self.rng.below(8) == 0;
        let (first, cond, next) = match self.rng.below(6) {
            _ if threads => (from, format!("i < {to}"), "i += THREADS".to_owned()),
            0 if ty != "unsigned" => (to, format!("i > {from}"), format!("i -= {step}")),
            1 if ty != "unsigned" => (to, format!("i >= {from}"), "i--".to_owned()),
            2 => (from, format!("i <= {to}"), "i++".to_owned()),
            5 if ty == "int" => (from, format!("i != {to}"), "i++".to_owned()),
            3 => (from, format!("i < n + {}", to - 8), "i++".to_owned()),
            4 if ty == "int" => (from, format!("{to} > i"), format!("i = i + {step}")),
            _ => (from, format!("i < {to}"), "++i".to_owned()),
        };
        let ty = if threads { "int" } else { ty };
        Counting {
            ty,
            first,
            cond,
            next,
            range: (from, to),
            end: None,
        }
    }

    /// The condition steps the variable, which starts outside the range that is asked for.
    fn counting_in_test(&mut self, from: i64, to: i64) -> Counting {
        let (first, cond) = match self.rng.below(8) {
            0 => (from, format!("++i < {to}")),
            1 => (from, format!("i++ < {to}")),
            2 => (from, format!("n + {} > i++", to - 8)),
            3 => (to, format!("i-- > {from}")),
            4 => (to, format!("--i >= {from}")),
            5 => (to, "i--".to_owned()),
            6 => (from, format!("i++ <= {to}")),
            _ => (to, "0 != --i".to_owned()),
        };
        Counting {
            ty: ["int", "long"][self.rng.below(2)],
            first,
            cond,
            next: String::new(),
            range: (0, to + 1),
            end: None,
        }
    }

    /// Declares a variable that each iteration computes first.
    fn derived(&mut self, vars: &mut Vec<Var>) {
        let index = match self.rng.below(4) {
            0 => format!("table[{} & 7] * 5", vars[0].name),
            1 => "a1[i] & 31".to_owned(),
            _ => self.index(vars, 40),
        };
        let name = format!("d{}", self.locals);
        self.locals += 1;
        match self.rng.below(3) {
            0 => {
                self.line(&format!("last = {index};"));
                self.line(&format!("int {name} = last;"));
                self.walking.push("last".to_owned());
            }
            _ => self.line(&format!("int {name} = {index};")),
        }
        vars.push(Var {
            name,
            least: 0,
            most: 40,
        });
    }

    /// Declares a pointer that counts the iterations of a loop, and returns the condition.
    fn pointer_counts(&mut self, turns: i64) -> String {
        let array = self.rng.below(ARRAYS.len());
        let (ty, block, record) = ARRAYS[array];
        let start = self.rng.below(60) as i64;
        self.line(&format!("SH({block}) {ty} *c = &a{array}[{start}];"));
        self.line(&format!(
            "SH({block}) {ty} *e = &a{array}[{}];",
            start + turns
        ));
        self.walking.push(format!("(c - &a{array}[0])"));
        let places: &[&str] = match record {
            true => &["c->k", "c->v[1]", "c[1].b"],
            false => &["(*c)", "(*c)", "c[1]", "(*(c + 1))"],
        };
        let place = *self.rng.pick(places);
        self.pointers.push(place.to_owned());
        let forms = ["c < e", "c != e", "e > c", "c <= e - 1"];
        (*self.rng.pick(&forms)).to_owned()
    }

    /// A jump out of the loop.
    fn exit(&mut self) -> String {
        match self.rng.below(5) {
            0 => "return s".to_owned(),
            1 => {
                let next = self.locals;
                self.locals += 1;
                let label = self.label.get_or_insert_with(|| format!("out{next}"));
                format!("goto {label}")
            }
            _ => "break".to_owned(),
        }
    }

    /// Declares variables that walk along with the loop variable, and adds their steps.
    fn walkers(&mut self, vars: &mut Vec<Var>, steps: &mut Vec<String>) {
        self.line("int extra = 0;");
        if self.rng.below(3) == 0 {
            let (start, by) = (self.rng.below(9) as i64, self.rng.below(2) as i64 + 1);
            let ty = *self.rng.pick(&["int", "unsigned", "size_t"]);
            self.line(&format!("{ty} w = {start};"));
            steps.push(format!("w += {by}"));
            self.walking.push("w".to_owned());
            self.extra.push("w++".to_owned());
            vars.push(Var {
                name: "w".to_owned(),
                least: start,
                most: start + by * MOST_TURNS + EXTRA_STEPS,
            });
        }
        if self.rng.below(5) == 0 {
            self.line("unsigned x = 3;");
            let step = *self
                .rng
                .pick(&["x = x * 5 + 1", "x = mixed(x)", "x ^= never + 9"]);
            steps.push(step.to_owned());
            self.walking.push("x".to_owned());
            self.pointers.push("a3[x & 31]".to_owned());
        }
        if self.rng.below(3) == 0 {
            let start = self.rng.below(30);
            self.line(&format!("SH(7) long *q = &a2[{start}]; int v = {start};"));
            self.walking
                .extend(["v".to_owned(), "(q - &a2[0])".to_owned()]);
            self.once
                .push((*self.rng.pick(&["(*q++)", "(*++q)", "q++[2]"])).to_owned());
            let index = *self
                .rng
                .pick(&["a1[v++]", "a0[++v]", "a3[2 * v++]", "a6[v++].k"]);
            self.once.push(index.to_owned());
        }
        for number in 0..self.rng.below(3) {
            let array = self.rng.below(ARRAYS.len());
            let (ty, block, record) = ARRAYS[array];
            let (start, step) = match self.rng.below(6) {
                0 => (90, format!("p{number}--")),
                1 => (90, format!("p{number} -= 2")),
                2 => (5, format!("p{number} += THREADS")),
                3 => (self.rng.below(28), format!("p{number} = p{number} + 2")),
                _ => (self.rng.below(28), format!("p{number}++")),
            };
            let block = if block == 0 { PER_THREAD } else { block };
            self.line(&format!(
                "SH({block}) {ty} *p{number} = &a{array}[{start}];"
            ));
            self.extra.push(match step.contains('-') {
                true => format!("p{number}--"),
                false => format!("p{number}++"),
            });
            steps.push(step);
            self.walking.push(format!("(p{number} - &a{array}[0])"));
            let places: &[&str] = match record {
                true => &["{}->k", "{}->v[1]", "{}[1].b"],
                false => &["(*{})", "{}[1]", "{}[n]", "(*({} + 1))"],
            };
            let place = *self.rng.pick(places);
            self.pointers
                .push(place.replace("{}", &format!("p{number}")));
        }
    }

    /// An affine subscript with values from 0 to `most`.
    fn index(&mut self, vars: &[Var], most: i64) -> String {
        for _ in 0..20 {
            let var = self.rng.pick(vars).clone();
            let factor = *self.rng.pick(&[1, 1, 1, 2, 3, -1, -1, -2]);
            let ends = [var.least * factor, var.most * factor];
            let (low, high) = (ends[0].min(ends[1]), ends[0].max(ends[1]));
            if high - low > most {
                continue;
            }
            let add = -low + self.rng.below((most - (high - low) + 1) as usize) as i64;
            let name = &var.name;
            let text = match (factor, self.rng.below(3)) {
                (1, 0) => format!("{add} + {name}"),
                (1, _) => format!("{name} + {add}"),
                (-1, _) => format!("{add} - (int){name}"),
                (_, 0) => format!("(int){name} * {factor} + {add}"),
                _ => format!("{factor} * (int){name} + {add}"),
            };
            return text;
        }
        self.rng.below(most as usize + 1).to_string()
    }

    /// The place of an element or member.
    fn place(&mut self, vars: &[Var]) -> String {
        if !self.pointers.is_empty() && self.rng.below(2) == 0 {
            return self.rng.pick(&self.pointers).clone();
        }
        if self.rng.below(3) == 0
            && let Some(once) = self.once.pop()
        {
            return once;
        }
        let array = self.rng.below(ARRAYS.len());
        if self.rng.below(6) == 0
            && let Some(strided) = self.strided(vars)
        {
            return strided;
        }
        let index = match self.rng.below(12) {
            0 => format!("table[{} & 7]", vars[0].name),
            3 => self.irregular(vars),
            1 => format!(
                "{} * THREADS + (m + 1) % THREADS",
                vars.last()
                    .filter(|v| v.least >= 0)
                    .map_or("0", |v| &v.name)
            ),
            2 => format!(
                "(m % THREADS) * {PER_THREAD} + {}",
                self.index(vars, PER_THREAD - 1)
            ),
            _ => self.index(vars, PER_THREAD - 1),
        };
        let element = format!("a{array}[{index}]");
        match (ARRAYS[array].2, self.rng.below(4)) {
            (false, _) => element,
            (true, 0) => format!("{element}.b"),
            (true, 1) => format!("{element}.v[{}]", self.pick_member()),
            (true, _) => format!("{element}.k"),
        }
    }

    /// An element whose subscript moves by whole blocks, in an array of two threads or more.
    fn strided(&mut self, vars: &[Var]) -> Option<String> {
        let array = *self.rng.pick(&[0, 2, 3, 4, 5]);
        let (_, block, record) = ARRAYS[array];
        let var = self.rng.pick(vars).clone();
        let factor = block * *self.rng.pick(&[1, 1, 2, 3, 5, -1, -2]);
        let ends = [var.least * factor, var.most * factor];
        let (low, high) = (ends[0].min(ends[1]), ends[0].max(ends[1]));
        let room = 2 * PER_THREAD - 1 - (high - low);
        if room < 0 {
            return None;
        }
        let add = self.rng.below(room as usize + 1) as i64 - low;
        let member = if record { ".k" } else { "" };
        Some(format!(
            "a{array}[{factor} * (int){} + {add}]{member}",
            var.name
        ))
    }

    /// A loop of few iterations inside another one, whose variable takes part in subscripts.
    fn short_loop(&mut self, vars: &[Var]) {
        let name = format!("k{}", self.locals);
        self.locals += 1;
        let (least, turns) = (self.rng.below(4) as i64 - 1, 1 + self.rng.below(5) as i64);
        let most = least + turns - 1;
        let ty = match least < 0 {
            true => "int",
            false => self.rng.pick(&["int", "long", "unsigned", "size_t"]),
        };
        let head = match self.rng.below(4) {
            0 if ty == "int" => format!("{name} = {most}; {name} >= {least}; {name}--"),
            1 => format!("{name} = {least}; {name} <= {most}; {name} += 1"),
            2 if ty == "int" => format!("{name} = {least}; {name} != {most} + 1; ++{name}"),
            _ => format!("{name} = {least}; {name} < {}; {name}++", most + 1),
        };
        let is_visible = self.rng.below(3) == 0;
        if is_visible {
            self.line(&format!("{{ {ty} {name}; for ({head}) {{"));
        } else {
            self.line(&format!("for ({ty} {head}) {{"));
        }
        self.depth += 1;
        let mut inner = vars.to_vec();
        inner.push(Var {
            name: name.clone(),
            least,
            most,
        });
        // What steps a variable stands for one step in each iteration of the outer loop.
        let once = std::mem::take(&mut self.once);
        // The subscripts of these use two variables: a neighbour of an element.
        let (array, far) = (*self.rng.pick(&[0, 1, 2, 4, 7]), self.index(vars, 60));
        let near = format!("a{array}[{far} + {name} + 3]");
        for _ in 0..1 + self.rng.below(2) {
            match self.rng.below(5) {
                0 => self.line(&format!("s = s * 5 + {near};")),
                1 => self.line(&format!("{near} += table[{name} + 1] + 1;")),
                2 if vars.len() < 4 && self.depth < 6 => self.short_loop(&inner),
                3 => self.line(&format!(
                    "if ({name} == 1) {{ int d = {name} * 2; a4[d + 40] ^= {near}; }}"
                )),
                _ => self.statement(&inner),
            }
        }
        self.once = once;
        self.depth -= 1;
        match is_visible {
            true => self.line(&format!("}} s += {name}; }}")),
            false => self.line("}"),
        }
    }

    /// A subscript that depends on data: at most 95.
    fn irregular(&mut self, vars: &[Var]) -> String {
        let array = *self.rng.pick(&["a0", "a1", "a2", "a3"]);
        let index = self.index(vars, PER_THREAD - 1);
        let read = format!("({array}[{index}] & 31)");
        match self.rng.below(4) {
            0 => read,
            1 => format!("{read} * 2 + table[{} & 7]", vars[0].name),
            2 => format!("{read} % THREADS * 40 + (m & 7)"),
            _ => format!("({read} > 9 ? {} : 3)", self.index(vars, 40)),
        }
    }

    /// The subscript of an array in a record.
    fn pick_member(&mut self) -> &'static str {
        const FORMS: [&str; 4] = ["1", "m", "table[1]", "n % 3"];
        FORMS[self.rng.below(FORMS.len())]
    }

    fn value(&mut self, vars: &[Var]) -> String {
        let first = self.place(vars);
        match self.rng.below(6) {
            0 => format!("{first} * 3 - {}", self.place(vars)),
            1 => format!("{first} + (int){}", vars[0].name),
            2 => format!("({first} > 5 ? {} : 2)", self.place(vars)),
            3 => format!("(int)fabs({first} + 0.0)"),
            4 => format!("{first} + scalar"),
            _ => first,
        }
    }

    /// A statement that reads elements in an order that depends on data, and at most writes one array.
    fn gathering(&mut self, vars: &[Var]) {
        let array = self.rng.below(ARRAYS.len());
        let member = if ARRAYS[array].2 { ".v[1]" } else { "" };
        let value = format!("a{array}[{}]{member}", self.irregular(vars));
        let line = match self.rng.below(4) {
            0 => format!("a4[{}] = {value};", self.index(vars, PER_THREAD - 1)),
            _ => format!("s = s * 7 + {value};"),
        };
        self.line(&line);
    }

    fn statement(&mut self, vars: &[Var]) {
        if self.depth < 6 && self.rng.below(8) == 0 {
            return self.short_loop(vars);
        }
        let value = self.value(vars);
        let line = match self.rng.below(15) {
            14 => format!("if (({value}) % 23 == 1) {};", self.exit()),
            // From one element of a block to another, of the same one or not.
            12 | 13 => {
                let array = *self.rng.pick(&[1, 7]);
                let [to, from] = [0; 2].map(|_| self.rng.below(20));
                let block = format!("m % THREADS * {PER_THREAD} + (int)i");
                format!("a{array}[{block} + {to}] = a{array}[{block} + {from}] + 1;")
            }
            0..=3 => format!("s = s * 7 + {value};"),
            4 | 5 => format!("{} = {value};", self.place(vars)),
            6 => format!("{} += {value};", self.place(vars)),
            7 => format!("{}++;", self.place(vars)),
            8 => format!("if (({value}) % 3 == 1) {} = 4;", self.place(vars)),
            9 if !self.is_while => format!("if (({value}) % 4 == 1) continue;"),
            10 => format!("if (never) s += a1[(int){} / never];", vars[0].name),
            _ => {
                let array = *self.rng.pick(&[1, 2, 4]);
                let (ty, block, _) = ARRAYS[array];
                let index = self.index(vars, 40);
                let start = self.rng.below(50);
                format!("{{ SH({block}) {ty} *p = &a{array}[{start}]; p[{index}] ^= s & 15; }}")
            }
        };
        self.line(&line);
    }
}
