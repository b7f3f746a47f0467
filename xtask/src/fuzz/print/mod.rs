//! Prints a program as text: in UPC, or as the oracle in plain C.
//!
//! What is C in both is printed by the same code; what is shared, or knows of threads, differs. In the oracle a shared object is a plain array,
//! a pointer-to-shared a plain pointer, `MYTHREAD` a variable, and private variables have an element for each thread; every phase is run by
//! one thread after the other. The oracle computes affinity from an element's number alone ([`Text::thread_of`]), and counts each thread's
//! accesses (`R_`, `W_`, `U_`) and its other operations (`E_`). Instrumented programs must raise as many events.

pub use library::{has_atomics, reduce_letters};

mod control;
mod declare;
mod library;
mod main;
mod stmt;

use super::model::*;

/// The two texts of a program.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    Upc,
    Oracle,
}

pub fn print(program: &Program, dialect: Dialect) -> String {
    let mut text = Text {
        program,
        upc: dialect == Dialect::Upc,
        out: String::new(),
        helpers: String::new(),
        depth: 0,
        uncounted: false,
        next: 0,
    };
    text.whole();
    text.out
}

struct Text<'a> {
    program: &'a Program,
    upc: bool,
    out: String,
    /// The functions that the current function calls.
    helpers: String,
    /// The depth of indentation.
    depth: usize,
    /// The oracle does not count the accesses that are printed now.
    uncounted: bool,
    /// The number of the next helper function.
    next: usize,
}

/// What an access does, as the oracle counts.
#[derive(Clone, Copy)]
enum Does {
    Reads,
    Writes,
    Updates,
}

impl Does {
    fn counter(self) -> &'static str {
        match self {
            Does::Reads => "R_",
            Does::Writes => "W_",
            Does::Updates => "U_",
        }
    }
}

impl Text<'_> {
    fn line(&mut self, text: &str) {
        self.out.push_str(&"    ".repeat(self.depth));
        self.out.push_str(text);
        self.out.push('\n');
    }

    fn open(&mut self, text: &str) {
        self.line(text);
        self.depth += 1;
    }

    fn close(&mut self, text: &str) {
        self.depth -= 1;
        self.line(text);
    }

    /// Prints that the oracle counts an event.
    fn raises(&mut self, event: &str) {
        if !self.upc && !self.uncounted {
            self.line(&format!("E_({event});"));
        }
    }

    /// Returns the C type of an object's elements.
    fn element(&self, object: usize) -> String {
        match self.program.objects[object].element {
            Element::Scalar(scalar) => scalar.name().to_string(),
            Element::Record(record) => self.record_type(record),
            Element::Pointer(to) => format!("q{to}"),
        }
    }

    /// `struct rN`, or `union rN`.
    fn record_type(&self, record: usize) -> String {
        let kind = match self.program.records[record].union {
            true => "union",
            false => "struct",
        };
        format!("{kind} r{record}")
    }

    /// Returns the target type of a pointer to elements of an object: `shared [3] int`.
    fn target(&self, object: usize) -> String {
        let element = self.element(object);
        match self.upc {
            true => format!(
                "{}{element}",
                layout(
                    self.program.block(object),
                    self.program.objects[object].strict
                )
            ),
            false => element,
        }
    }

    /// Returns a place in an object as one number. The oracle counts nothing in it.
    fn number(&mut self, access: &Access) -> String {
        let before = std::mem::replace(&mut self.uncounted, true);
        let text = self.number_text(access);
        self.uncounted = before;
        text
    }

    fn number_text(&mut self, access: &Access) -> String {
        let object = access.object;
        match &access.index {
            Index::Linear {
                var,
                scale,
                offset,
                reversed,
            } => {
                let forward = linear(*var, *scale, *offset);
                match reversed {
                    true => format!("N{object}_ - 1 - ({forward})"),
                    false => forward,
                }
            }
            Index::Grid(_) => {
                let shape = self.program.shape(object).clone();
                let dims = self.subscripts(access);
                let rest = dims.iter().zip(&shape.dims).skip(1);
                rest.fold(format!("({})", dims[0]), |outer, (index, dim)| {
                    format!("({outer} * {} + ({index}))", dim_text(*dim))
                })
            }
            Index::Free(value) => {
                format!("(unsigned long)({}) % N{object}_", self.expr(value))
            }
            Index::Through { pointer, offset } => {
                format!("(p{pointer} - B{object}_) + {offset}")
            }
            Index::Ahead {
                pointer,
                var,
                offset,
            } => format!("(p{pointer} - B{object}_) + {}", linear(*var, 1, *offset)),
            Index::Mine { var, .. } => format!("MINE{object}_(i{var})"),
            Index::Stored(pointer) => {
                let pointer = self.read(pointer);
                format!("({pointer} - B{object}_)")
            }
        }
    }

    /// Returns a place as an index for each dimension.
    fn subscripts(&mut self, access: &Access) -> Vec<String> {
        if let Index::Grid(indices) = &access.index {
            return indices
                .iter()
                .map(|(var, offset)| linear(*var, 1, *offset))
                .collect();
        }
        let number = self.number_text(access);
        let dims = self.program.shape(access.object).dims.clone();
        if dims.len() == 1 {
            return vec![number];
        }
        let mut below = 1;
        let mut found = Vec::new();
        for (at, dim) in dims.iter().enumerate().rev() {
            let size = dim.size(self.program.threads);
            let part = match below {
                1 => format!("({number})"),
                _ => format!("({number}) / {below}"),
            };
            found.push(match at {
                0 => part,
                _ => format!("{part} % {size}"),
            });
            below *= size;
        }
        found.reverse();
        found
    }

    /// Returns an element as C or UPC writes it, and does not count the access.
    fn place(&mut self, access: &Access) -> String {
        let object = access.object;
        let flat = self.program.shape(object).dims.len() == 1;
        match (&access.index, access.spelling) {
            (Index::Through { pointer, offset: 0 }, Spelling::Subscript) => {
                format!("(*p{pointer})")
            }
            (Index::Through { pointer, offset }, Spelling::Star) => {
                format!("(*(p{pointer} + {offset}))")
            }
            (Index::Through { pointer, offset }, _) => format!("p{pointer}[{offset}]"),
            (
                Index::Ahead {
                    pointer,
                    var,
                    offset,
                },
                Spelling::Star,
            ) => format!("(*(p{pointer} + ({})))", linear(*var, 1, *offset)),
            (
                Index::Ahead {
                    pointer,
                    var,
                    offset,
                },
                _,
            ) => format!("p{pointer}[{}]", linear(*var, 1, *offset)),
            (Index::Mine { pointer, var }, _) if self.upc => format!("l{pointer}[i{var}]"),
            (Index::Mine { .. }, _) => format!("B{object}_[{}]", self.number_text(access)),
            (Index::Stored(pointer), _) => format!("(*{})", self.read(pointer)),
            (
                Index::Linear {
                    var,
                    scale,
                    offset,
                    reversed: false,
                },
                Spelling::Address,
            ) if flat => {
                format!("(&a{object}[{}])[{offset}]", linear(*var, *scale, 0))
            }
            (Index::Linear { .. } | Index::Free(_) | Index::Grid(_), Spelling::Cast { strict }) => {
                let place = self.place(&Access {
                    spelling: Spelling::Subscript,
                    ..access.clone()
                });
                let order = if strict { "strict" } else { "relaxed" };
                let layout = layout(self.program.block(object), false);
                let element = self.element(object);
                match self.upc {
                    true => format!("(*({order} {layout}{element} *)&{place})"),
                    false => place,
                }
            }
            (Index::Linear { .. } | Index::Free(_), Spelling::Star) if flat => {
                format!("(*(a{object} + ({})))", self.number_text(access))
            }
            (Index::Linear { .. } | Index::Free(_) | Index::Grid(_), _) => {
                let subscripts = self.subscripts(access);
                format!("a{object}[{}]", subscripts.join("]["))
            }
        }
    }

    /// Returns the address of an element. The program reads a directory's pointer for it.
    fn address(&mut self, access: &Access) -> String {
        let address = match (&access.index, access.spelling) {
            (Index::Stored(pointer), _) => return self.read(pointer),
            (_, Spelling::Cast { .. }) => {
                return self.address(&Access {
                    spelling: Spelling::Subscript,
                    ..access.clone()
                });
            }
            _ => format!("&{}", self.place(access)),
        };
        match self.directory_row(access) {
            Some(row) => format!("(D_({row}), {address})"),
            None => address,
        }
    }

    /// Returns, for the oracle, the row whose pointer an access by the directory reads.
    fn directory_row(&mut self, access: &Access) -> Option<String> {
        let directory = self.program.objects[access.object].storage == Storage::Directory;
        let by_name = matches!(
            access.index,
            Index::Linear { .. } | Index::Free(_) | Index::Grid(_)
        );
        (directory && by_name && !self.upc && !self.uncounted)
            .then(|| format!("T{}_({})", access.object, self.number(access)))
    }

    /// Returns the thread that has an element.
    fn thread_of(&mut self, access: &Access) -> String {
        if self.upc {
            return format!("(int)upc_threadof({})", self.address(access));
        }
        let thread = format!("T{}_({})", access.object, self.number(access));
        match self.directory_row(access) {
            Some(row) => format!("D_({row})"),
            None => thread,
        }
    }

    /// Returns an element or member as an operand.
    fn access(&mut self, access: &Access, does: Does) -> String {
        let counts = !self.upc && !self.uncounted && !matches!(access.index, Index::Mine { .. });
        let place = match counts {
            true => {
                let thread = format!("T{}_({})", access.object, self.number(access));
                format!("(*{}({thread}, {}))", does.counter(), self.address(access))
            }
            false => self.place(access),
        };
        place + &self.path(access)
    }

    fn path(&self, access: &Access) -> String {
        let steps = access.path.iter().map(|step| match step {
            Step::Field(field) => format!(".f{field}"),
            Step::Item(item) => format!("[{item}]"),
            Step::Turn { var, count } => format!("[(unsigned long)i{var} % {count}]"),
        });
        steps.collect()
    }

    fn read(&mut self, access: &Access) -> String {
        self.access(access, Does::Reads)
    }

    /// Returns a condition that holds for the thread that writes this element.
    fn owned(&mut self, owner: Owner, access: &Access) -> String {
        let thread = match owner {
            Owner::Cyclic { shift } => format!("({} + {shift}) % THREADS", self.number(access)),
            Owner::Blocks(size) => format!("({}) / {size} % THREADS", self.number(access)),
            Owner::Reversed => format!("THREADS - 1 - ({}) % THREADS", self.number(access)),
            Owner::Affinity => self.thread_of(access),
            Owner::AffinityOf(object) => {
                let other = Access {
                    object,
                    spelling: Spelling::Subscript,
                    ..access.clone()
                };
                match access.index {
                    Index::Through { .. } if self.upc => {
                        let number = self.number(access);
                        format!("(int)upc_threadof(&B{object}_[{number}])")
                    }
                    Index::Through { .. } => format!("T{object}_({})", self.number(access)),
                    _ => self.thread_of(&other),
                }
            }
        };
        format!("{thread} == MYTHREAD")
    }

    fn expr(&mut self, expr: &Expr) -> String {
        match expr {
            Expr::Number(number) => format!("{number}"),
            Expr::Var(var) => format!("i{var}"),
            Expr::MyThread => "MYTHREAD".to_string(),
            Expr::Threads => "THREADS".to_string(),
            Expr::Sum(sum) => format!("x{sum}"),
            Expr::Read { access, cast } => {
                let text = self.read(access);
                match self.program.leaf(access) {
                    Leaf::Scalar(scalar) if scalar.is_floating() => whole(scalar, &text),
                    Leaf::Scalar(_) if !cast => text,
                    _ => format!("(unsigned long){text}"),
                }
            }
            Expr::Pick {
                test,
                yes,
                no,
                by_value,
            } => self.pick(test, yes, no, *by_value),
            Expr::Comma(left, right) => {
                format!("({}, {})", self.expr(left), self.expr(right))
            }
            Expr::Query(query, access) => self.query(*query, access),
            Expr::Difference(left, right) => {
                let (left, right) = (self.address(left), self.address(right));
                format!("(long)({left} - {right})")
            }
            Expr::Compare(relation, left, right) => {
                let (left, right) = (self.address(left), self.address(right));
                format!("({left} {} {right})", relation.sign())
            }
            Expr::Not(value) => format!("!({})", self.expr(value)),
            Expr::Negative(value) => format!("-({})", self.expr(value)),
            Expr::Binary(op, left, right) => self.binary(*op, left, right),
            Expr::Choose(test, yes, no) => {
                let (test, yes, no) = (self.expr(test), self.expr(yes), self.expr(no));
                format!("({test} ? {yes} : {no})")
            }
        }
    }

    fn pick(&mut self, test: &Expr, yes: &Access, no: &Access, by_value: bool) -> String {
        let test = self.expr(test);
        let leaf = self.program.leaf(yes);
        let text = match (self.upc, by_value) {
            (false, _) => format!("({test} ? {} : {})", self.read(yes), self.read(no)),
            (true, true) => {
                let element = |access: &Access| Access {
                    path: Vec::new(),
                    ..access.clone()
                };
                let (left, right) = (self.read(&element(yes)), self.read(&element(no)));
                format!("({test} ? {left} : {right}){}", self.path(yes))
            }
            (true, false) => {
                let (left, right) = (self.address(yes), self.address(no));
                format!("(*({test} ? {left} : {right})){}", self.path(yes))
            }
        };
        match leaf {
            Leaf::Scalar(scalar) => whole(scalar, &text),
            Leaf::Bits(..) | Leaf::Pointer(_) | Leaf::Record(_) => format!("(long){text}"),
        }
    }

    fn binary(&mut self, op: Binary, left: &Expr, right: &Expr) -> String {
        let left = self.expr(left);
        let sign = match op {
            Binary::Div(by) => return format!("({left}) / {by}"),
            Binary::Rem(by) => return format!("({left}) % {by}"),
            Binary::Shl(by) => return format!("(({left}) << {by})"),
            Binary::Shr(by) => return format!("(({left}) >> {by})"),
            Binary::Add => "+",
            Binary::Sub => "-",
            Binary::Mul => "*",
            Binary::Xor => "^",
            Binary::And => "&",
            Binary::Or => "|",
            Binary::Less => "<",
            Binary::Equal => "==",
            Binary::Both => "&&",
            Binary::Either => "||",
        };
        let right = self.expr(right);
        format!("({left} {sign} {right})")
    }

    fn query(&mut self, query: Query, access: &Access) -> String {
        let object = access.object;
        let element = self.element(object);
        match (query, self.upc) {
            (Query::Thread, _) => self.thread_of(access),
            (Query::Phase, true) => format!("(long)upc_phaseof({})", self.address(access)),
            (Query::Phase, false) => {
                let block = self.program.block(object).max(1);
                let number = self.number(access);
                let address = self.address(access);
                format!("({address}, (long)(({number}) % {block}))")
            }
            (Query::Place, true) => {
                let address = self.address(access);
                format!(
                    "(long)((upc_addrfield({address}) - upc_addrfield(B{object}_)) / sizeof({element}))"
                )
            }
            (Query::Place, false) => {
                let run = self.program.run_of(object);
                let number = self.number(access);
                let address = self.address(access);
                format!("({address}, place_({run}, {number}))")
            }
            (Query::ResetPhase, true) => {
                let address = self.address(access);
                format!("(long)upc_phaseof(upc_resetphase({address}))")
            }
            (Query::ResetPhase, false) => format!("({}, 0L)", self.address(access)),
            (Query::Portion, true) => {
                let (run, thread) = (self.program.run_of(object), self.thread_of(access));
                format!(
                    "(long)(upc_affinitysize(N{object}_ * sizeof({element}), {run} * sizeof({element}), {thread}) / sizeof({element}))"
                )
            }
            (Query::Portion, false) => {
                let (run, thread) = (self.program.run_of(object), self.thread_of(access));
                format!("(long)mine_count_(N{object}_, {run}, {thread})")
            }
            // The number is in elements, because a pointer-to-shared has another size than the oracle's pointers.
            (Query::Sizes, true) => format!(
                "(long)(upc_elemsizeof(a{object}) / sizeof({element}) + upc_blocksizeof(a{object}))"
            ),
            (Query::Sizes, false) => format!("{}L", 1 + self.program.block(object)),
            (Query::IsFirst, _) => {
                let address = self.address(access);
                format!("({address} == B{object}_)")
            }
        }
    }
}

/// Returns a number as an integer.
fn whole(scalar: Scalar, text: &str) -> String {
    match scalar.is_complex() {
        true => format!("fold_({text})"),
        false => format!("(long){text}"),
    }
}

impl Relation {
    fn sign(self) -> &'static str {
        match self {
            Relation::Less => "<",
            Relation::More => ">",
            Relation::AtMost => "<=",
            Relation::AtLeast => ">=",
            Relation::Equal => "==",
            Relation::Unequal => "!=",
        }
    }
}

/// `shared [3] `, as a qualifier.
fn layout(block: u32, strict: bool) -> String {
    let order = if strict { "strict " } else { "" };
    match block {
        0 => format!("{order}shared [] "),
        1 => format!("{order}shared "),
        size => format!("{order}shared [{size}] "),
    }
}

fn linear(var: Var, scale: i64, offset: i64) -> String {
    let scaled = match scale {
        1 => format!("i{var}"),
        _ => format!("{scale} * i{var}"),
    };
    match offset {
        0 => scaled,
        1.. => format!("{scaled} + {offset}"),
        _ => format!("{scaled} - {}", -offset),
    }
}

/// `12`, `12 * THREADS`.
fn dim_text(dim: Dim) -> String {
    match (dim.per_thread, dim.count) {
        (false, count) => format!("{count}"),
        (true, 1) => "THREADS".to_string(),
        (true, count) => format!("{count} * THREADS"),
    }
}
