//! Writes random programs of loops over shared arrays. Every function exists twice: on the arrays, and with the
//! functions of `loops.h`, which count.

mod loops;

use std::fmt::Write;

use super::names::{Array, Meaning, Scopes};
use crate::rng::Rng;

/// The largest nesting depth of loops.
const DEPTH: usize = 3;
/// The largest number of iterations of a loop at nesting depth 0, 1 and 2.
const MOST: [i64; DEPTH] = [24, 8, 4];

/// Returns the text of a program with that many functions.
pub fn program(seed: u64, functions: usize) -> String {
    let mut rng = Rng::new(seed.wrapping_mul(0x9e37_79b9).wrapping_add(17));
    let mut text = format!("/* Generated, seed {seed}. */\n#include \"loops.h\"\n");
    let mut calls = String::new();
    for number in 0..functions {
        let Texts { real, mirror } = Writer::new(&mut rng, number).function();
        // Writing to a String cannot fail.
        let _ = write!(
            text,
            "\nstatic unsigned long f{number}(void)\n{real}\n#pragma pupc off\nstatic unsigned long m{number}(void)\n{mirror}#pragma pupc on\n"
        );
        let _ = writeln!(calls, "    compare(\"f{number}\", f{number}, m{number});");
    }
    text + "\nint main(void)\n{\n    start();\n" + &calls + "    return finish();\n}\n"
}

/// A text in both forms.
#[derive(Clone, Default)]
struct Texts {
    real: String,
    mirror: String,
}

impl Texts {
    fn same(text: impl Into<String>) -> Texts {
        let text = text.into();
        Texts {
            mirror: text.clone(),
            real: text,
        }
    }

    fn new(real: impl Into<String>, mirror: impl Into<String>) -> Texts {
        Texts {
            real: real.into(),
            mirror: mirror.into(),
        }
    }

    /// Inserts both forms for `@` in a text.
    fn within(&self, frame: &str) -> Texts {
        Texts::new(
            frame.replace('@', &self.real),
            frame.replace('@', &self.mirror),
        )
    }

    fn join(&mut self, other: &Texts) {
        self.real.push_str(&other.real);
        self.mirror.push_str(&other.mirror);
    }
}

/// Writes one function.
struct Writer<'a> {
    rng: &'a mut Rng,
    scopes: Scopes,
    /// The number of enclosing loops.
    depth: usize,
    /// Whether one of them is a `upc_forall`, and the jumps of the innermost loop.
    forall: bool,
    jumps: Jumps,
    labels: usize,
    number: usize,
}

/// The jumps that the innermost loop allows.
#[derive(Clone, Copy, Default)]
struct Jumps {
    breaks: bool,
    continues: bool,
    /// A label after the loop.
    out: Option<usize>,
}

impl Writer<'_> {
    fn new(rng: &mut Rng, number: usize) -> Writer<'_> {
        Writer {
            rng,
            scopes: Scopes::default(),
            depth: 0,
            forall: false,
            jumps: Jumps::default(),
            labels: 0,
            number,
        }
    }

    fn function(mut self) -> Texts {
        self.scopes.open();
        let mut text = Texts::same(format!("{{\n    unsigned long s = {};\n", self.number));
        for _ in 0..2 {
            let declaration = self.declaration();
            text.join(&declaration);
        }
        for _ in 0..1 + self.rng.below(2) {
            let looping = self.looping();
            text.join(&looping);
        }
        text.join(&Texts::same("    return s;\n}\n"));
        text
    }

    fn one_in(&mut self, n: usize) -> bool {
        self.rng.below(n) == 0
    }

    // ---- expressions

    /// Returns an expression for an integer from 0 to `most`.
    fn index(&mut self, most: i64) -> String {
        let fits = |name, meaning| match meaning {
            Meaning::Int(high) if high <= most => Some((name, high)),
            _ => None,
        };
        let fitting = self.scopes.visible(fits);
        if fitting.is_empty() || self.one_in(10) {
            return self.rng.below(most as usize + 1).to_string();
        }
        let (name, high) = *self.rng.pick(&fitting);
        let times = [1, 1, 1, 2, 3][self.rng.below(5)].min(if high == 0 { 1 } else { most / high });
        let scaled = match times {
            1 => name.to_owned(),
            n if self.one_in(2) => format!("{n} * {name}"),
            n => format!("{name} * {n}"),
        };
        let rest = most - times * high;
        let sized = |name, meaning| match meaning {
            Meaning::Sized(n) if n <= rest => Some(name),
            _ => None,
        };
        let sized = self.scopes.visible(sized);
        let more = self.rng.below(rest as usize + 1);
        match self.rng.below(6) {
            0 | 1 => scaled,
            2 if !sized.is_empty() => {
                let array = self.rng.pick(&sized);
                format!("{scaled} + (int)(sizeof {array} / sizeof *{array})")
            }
            2 if times == 1 => format!("{high} - {name}"),
            3 => format!("{more} + {scaled}"),
            4 if times == 1 && rest > 0 => {
                // A second variable.
                let other = self.index(rest);
                format!("{scaled} + ({other})")
            }
            _ => format!("{scaled} + {more}"),
        }
    }

    /// Returns a read of some element.
    fn read(&mut self) -> Texts {
        let pointer = |name, meaning| match meaning {
            Meaning::Pointer(array, rest) => Some((name, array, rest)),
            _ => None,
        };
        let pointers = self.scopes.visible(pointer);
        if !pointers.is_empty() && !self.one_in(3) {
            let (name, array, rest) = *self.rng.pick(&pointers);
            let index = self.index(rest);
            let place = match self.rng.below(4) {
                0 => format!("(*({name} + ({index})))"),
                1 if rest == 0 => format!("(*{name})"),
                _ => format!("{name}[{index}]"),
            };
            let real = place + array.member(self.rng);
            return Texts::new(real, format!("m_{}({name} + ({index}))", array.name()));
        }
        let full = |name, meaning| (meaning == Meaning::Index).then_some(name);
        let full = self.scopes.visible(full);
        if !full.is_empty() && !self.one_in(4) {
            let (name, array) = (*self.rng.pick(&full), self.array(Array::is_long));
            let real = format!("{}[{name}]{}", array.name(), array.member(self.rng));
            return Texts::new(real, format!("m_{}({name})", array.name()));
        }
        let array = self.array(|_| true);
        match array {
            Array::Table => {
                let (row, column) = (self.index(14), self.index(3));
                Texts::new(
                    format!("table[{row}][{column}]"),
                    format!("m_table(4 * ({row}) + ({column}))"),
                )
            }
            Array::Rows => {
                let (row, column) = (self.index(3), self.index(59));
                Texts::new(
                    format!("rows[{row}][{column}]"),
                    format!("m_rows(LEN * ({row}) + ({column}))"),
                )
            }
            _ => {
                let index = self.index(59);
                let real = format!("{}[{index}]{}", array.name(), array.member(self.rng));
                Texts::new(real, format!("m_{}({index})", array.name()))
            }
        }
    }

    fn array(&mut self, wanted: impl Fn(Array) -> bool) -> Array {
        let fitting: Vec<Array> = Array::ALL.into_iter().filter(|&a| wanted(a)).collect();
        *self.rng.pick(&fitting)
    }

    /// Returns a value that reads, sometimes conditionally or in a statement expression.
    fn value(&mut self) -> Texts {
        let read = self.read();
        match self.rng.below(9) {
            0 => {
                let other = self.read().within("(s % 3 == 0 ? @ : 1)");
                let mut both = read.within("@ + ");
                both.join(&other);
                both
            }
            1 => {
                let mut both = read.within("(@ % 2 && ");
                both.join(&self.read().within("@ % 3)"));
                both
            }
            2 => read.within("id(@)"),
            3 => {
                self.scopes.open();
                let declaration = self.declaration();
                let inner = self.read();
                self.scopes.close();
                let mut text = read.within("@ + ({ ");
                text.join(&declaration);
                text.join(&inner.within("@; })"));
                text
            }
            4 => {
                let mut both = read.within("@ - ");
                both.join(&self.read());
                both
            }
            _ => read,
        }
    }

    fn condition(&mut self) -> Texts {
        if self.one_in(3) {
            return self.read().within("@ > 50");
        }
        let index = self.index(20);
        let modulus = 2 + self.rng.below(4);
        Texts::same(format!("({index} + s) % {modulus} == 1"))
    }

    // ---- statements

    /// Returns a declaration of a name that the block has not declared, if there is one.
    fn declaration(&mut self) -> Texts {
        let Some(name) = self.scopes.fresh(self.rng) else {
            return Texts::default();
        };
        match self.rng.below(6) {
            0 => {
                let count = 1 + self.rng.below(4) as i64;
                self.scopes.declare(name, Meaning::Sized(count));
                Texts::same(format!("int {name}[{count}]; (void){name};\n"))
            }
            1..=2 => self.pointer(name),
            _ => {
                let high = [3, 8, 14, 20][self.rng.below(4)];
                let value = self.index(high);
                let ty = *self.rng.pick(&["int", "int", "long", "unsigned", "short"]);
                self.scopes.declare(name, Meaning::Int(high));
                // An initialiser is in the scope of its name.
                match uses(&value, name) {
                    true => Texts::same(format!("{ty} {name} = {high};\n")),
                    false => Texts::same(format!("{ty} {name} = {value};\n")),
                }
            }
        }
    }

    fn pointer(&mut self, name: &'static str) -> Texts {
        let array = self.array(|a| a.pointee().is_some());
        let Some(pointee) = array.pointee() else {
            return Texts::default();
        };
        let start = self.index(30);
        let row = self.index(3);
        let (start, row) = match uses(&start, name) || uses(&row, name) {
            true => ("5".to_owned(), "1".to_owned()),
            false => (start, row),
        };
        self.scopes.declare(name, Meaning::Pointer(array, 29));
        if array == Array::Rows {
            let real = match self.one_in(2) {
                true => {
                    return Texts::new(
                        format!("row_t {name} = rows[{row}];\n"),
                        format!("long {name} = LEN * ({row});\n"),
                    );
                }
                false => format!("{pointee} *{name} = &rows[{row}][{start}];\n"),
            };
            return Texts::new(real, format!("long {name} = LEN * ({row}) + ({start});\n"));
        }
        let address = match self.one_in(2) {
            true => format!("&{}[{start}]", array.name()),
            false => format!("{} + ({start})", array.name()),
        };
        Texts::new(
            format!("{pointee} *{name} = {address};\n"),
            format!("long {name} = {start};\n"),
        )
    }

    /// Returns a write to an element of the thread's own part.
    fn write(&mut self) -> Texts {
        let array = *self.rng.pick(&["mine", "ours", "pairs"]);
        let member = if array == "pairs" { ".y" } else { "" };
        let index = format!("MYTHREAD * LEN + {}", self.index(59));
        let real = format!("{array}[{index}]{member}");
        match self.rng.below(3) {
            0 => {
                let value = self.read();
                Texts::new(
                    format!("{real} = {};\n", value.real),
                    format!("m_put_{array}({index}, {});\n", value.mirror),
                )
            }
            1 => Texts::new(
                format!("{real}++;\n"),
                format!("m_put_{array}({index}, m_get_{array}({index}) + 1);\n"),
            ),
            _ => Texts::new(
                format!("{real} += 3;\n"),
                format!("m_put_{array}({index}, m_get_{array}({index}) + 3);\n"),
            ),
        }
    }

    fn statement(&mut self) -> Texts {
        match self.rng.below(14) {
            0..=2 => self.declaration(),
            3 => self.write(),
            4 => self.choice(),
            5 => self.jump(),
            6 if self.depth < DEPTH => self.looping(),
            6 | 7 if !self.bounds().is_empty() => {
                let condition = self.condition();
                condition.within("if (n > 1 && @) n--;\n")
            }
            7 => Texts::same("{ static int calls; s += ++calls; }\n"),
            8 => self.block().within("@\n"),
            _ => {
                let value = self.value();
                match self.one_in(3) {
                    true => value.within("s = s * 3 + (@);\n"),
                    false => value.within("s += @;\n"),
                }
            }
        }
    }

    fn bounds(&self) -> Vec<&'static str> {
        let bound = |name, meaning| (meaning == Meaning::Bound).then_some(name);
        self.scopes.visible(bound)
    }

    fn choice(&mut self) -> Texts {
        let mut text = self.condition().within("if (@)\n");
        text.join(&self.value().within("s += @;\n"));
        if self.one_in(2) {
            text.join(&Texts::same("else "));
            text.join(&self.block());
        }
        text
    }

    /// Returns a jump that the innermost loop allows.
    fn jump(&mut self) -> Texts {
        let Jumps {
            breaks,
            continues,
            out,
        } = self.jumps;
        let jump = match (self.rng.below(3), out) {
            (0, _) if breaks => "break;\n".to_owned(),
            (1, Some(label)) => format!("goto out{label};\n"),
            (2, _) if continues => "continue;\n".to_owned(),
            _ => return Texts::default(),
        };
        let mut text = self.condition().within("if (@)\n");
        text.join(&Texts::same(jump));
        text
    }

    /// Returns some statements in braces.
    fn block(&mut self) -> Texts {
        self.scopes.open();
        let mut text = Texts::same("{\n");
        for _ in 0..1 + self.rng.below(3) {
            let statement = self.statement();
            text.join(&statement);
        }
        self.scopes.close();
        text.join(&Texts::same("}\n"));
        text
    }

    /// Returns the body of a loop: a block or one statement.
    fn body(&mut self) -> Texts {
        match self.one_in(3) {
            true => self.value().within("s += @;\n"),
            false => self.block(),
        }
    }
}

/// Returns whether an expression contains a name.
fn uses(text: &str, name: &str) -> bool {
    text.split(|c: char| !c.is_alphanumeric() && c != '_')
        .any(|word| word == name)
}
