//! Big inputs: 200,000 lines and expressions 10,000 levels deep translate without a stack overflow, in time that grows with the text.

use std::fmt::Write;
use std::path::Path;
use std::time::Duration;

use super::shapes::{SHAPES, Shape};
use super::test::Test;
use crate::context::{Context, forever, write};
use crate::process;

const LINES: usize = 200_000;
const DEPTH: usize = 10_000;
const LIMIT: Duration = Duration::from_secs(120);
/// Twice the text may take this many times as long; quadratic would be 4.
const GROWTH: f64 = 3.0;
/// The fastest of at most so many runs counts: the machine may be busy with other things, but what is quadratic stays so.
const TRIES: usize = 12;
/// Below this a ratio of times says nothing.
const MEASURABLE: f64 = 0.2;

const HEAD: &str = "#include <upc.h>\nshared int a[10*THREADS];\nint g(int x);\n";

/// A kind of long text: its name and how to write it with about `n` lines.
struct Long {
    name: &'static str,
    text: fn(usize) -> String,
}

#[rustfmt::skip]
const LONG: &[Long] = &[
    Long { name: "functions", text: functions },
    Long { name: "one function", text: one_function },
    Long { name: "one initialiser", text: initialiser },
    Long { name: "declarations", text: declarations },
];

/// A kind of deep expression or statement: `open` repeated, the middle, `close` repeated, inside `before` and `after`.
struct Deep {
    name: &'static str,
    before: &'static str,
    open: &'static str,
    middle: &'static str,
    close: &'static str,
    after: &'static str,
}

const FUNCTION: &str = "int f(int x) { return ";
const END: &str = "; }\n";

#[rustfmt::skip]
const DEEP: &[Deep] = &[
    Deep { name: "parentheses", before: FUNCTION, open: "(", middle: "x", close: ")", after: END },
    Deep { name: "minus signs", before: FUNCTION, open: "- ", middle: "x", close: "", after: END },
    Deep { name: "sums to the left", before: FUNCTION, open: "", middle: "x", close: "+a[1]", after: END },
    Deep { name: "sums to the right", before: FUNCTION, open: "x+(", middle: "a[0]", close: ")", after: END },
    Deep { name: "conditionals", before: FUNCTION, open: "x ? a[2] : ", middle: "x", close: "", after: END },
    Deep { name: "assignments", before: FUNCTION, open: "a[0] = ", middle: "x", close: "", after: END },
    Deep { name: "shared subscripts", before: FUNCTION, open: "a[", middle: "x", close: "]", after: END },
    Deep { name: "calls", before: FUNCTION, open: "g(", middle: "a[0]", close: ")", after: END },
    Deep { name: "commas", before: FUNCTION, open: "x, ", middle: "a[0]", close: "", after: END },
    Deep { name: "casts", before: FUNCTION, open: "(long)", middle: "a[0]", close: "", after: END },
    Deep { name: "blocks", before: "void f(int x) ", open: "{", middle: "a[0] = x;", close: "}", after: "\n" },
    Deep { name: "ifs", before: "void f(int x) {", open: "if (a[0]) ", middle: "x++;", close: "", after: "}\n" },
    Deep { name: "else ifs", before: "void f(int x) {", open: "if (a[0] == x) x = 1; else\n", middle: ";", close: "", after: "}\n" },
    Deep { name: "loops", before: "void f(int x) {", open: "upc_forall (int i = 0; i < x; i++; i) ", middle: "a[i] = 1;", close: "", after: "}\n" },
    Deep { name: "pointers", before: "int ", open: "*", middle: "p", close: "", after: ";\n" },
    Deep { name: "braces", before: "int p[] = ", open: "{", middle: "1", close: "}", after: ";\n" },
    Deep { name: "statement expressions", before: FUNCTION, open: "({ int y = ", middle: "a[0]", close: "; y; })", after: END },
];

pub fn tests(context: &'static Context) -> Result<Vec<Test>, String> {
    let work: &Path = forever(context.fresh("big")?).as_path();
    let deep = |deep: &'static Deep| {
        Test::one(format!("deep::{}", deep.name), move || {
            let text = format!(
                "{HEAD}{}{}{}{}{}",
                deep.before,
                deep.open.repeat(DEPTH),
                deep.middle,
                deep.close.repeat(DEPTH),
                deep.after
            );
            translate(context, work, deep.name, &text, false).map(|_| ())
        })
    };
    // One after the other: their times are compared.
    let long = |long: &'static Long| {
        Test::one(format!("long::{}", long.name), move || {
            let text = |lines| HEAD.to_string() + &(long.text)(lines);
            growth(context, work, long.name, [LINES / 2, LINES], &text, false)
        })
        .alone()
    };
    let shape = |shape: &'static Shape| {
        Test::one(format!("shape::{}", shape.name), move || {
            let text = |n| HEAD.to_string() + &shape.text(n);
            let sizes = [shape.size / 2, shape.size];
            growth(context, work, shape.name, sizes, &text, shape.refused)
        })
        .alone()
    };
    let shapes = SHAPES.iter().map(shape);
    Ok(DEEP
        .iter()
        .map(deep)
        .chain(LONG.iter().map(long))
        .chain(shapes)
        .collect())
}

/// Holds the times of two sizes of a text against each other.
fn growth(
    context: &Context,
    work: &Path,
    name: &str,
    sizes: [usize; 2],
    text: &dyn Fn(usize) -> String,
    refused: bool,
) -> Result<(), String> {
    let texts = sizes.map(text);
    let mut fastest = [f64::INFINITY; 2];
    let mut ratio = f64::INFINITY;
    for _ in 0..TRIES {
        // In turns, so that a busy stretch meets both.
        for (best, text) in fastest.iter_mut().zip(&texts) {
            *best = best.min(translate(context, work, name, text, refused)?);
        }
        ratio = fastest[1] / fastest[0].max(MEASURABLE);
        if ratio <= GROWTH {
            return Ok(());
        }
    }
    Err(format!(
        "{:.2} s in size {}, {:.2} s in size {}: {ratio:.1} times as long",
        fastest[0], sizes[0], fastest[1], sizes[1]
    ))
}

/// Seconds that `upcc -trans` takes; a text with mistakes is `refused`.
fn translate(
    context: &Context,
    work: &Path,
    name: &str,
    text: &str,
    refused: bool,
) -> Result<f64, String> {
    let source = work.join(format!("{}.upc", name.replace(' ', "-")));
    let output = source.with_extension("out.c");
    write(&source, text)?;
    let mut upcc = context.upcc("gcc");
    upcc.args(["-w", "-trans"])
        .arg(&source)
        .arg("-o")
        .arg(&output);
    let done = match refused {
        true => process::run(&mut upcc, LIMIT)?,
        false => process::must(&mut upcc, LIMIT)?,
    };
    if refused && done.status.and_then(|s| s.code()) != Some(1) {
        return Err(format!("status 1 expected: {}", done.tail()));
    }
    for file in [source, output] {
        let _ = std::fs::remove_file(file);
    }
    Ok(done.time.as_secs_f64())
}

// write! to a String cannot fail.

fn functions(n: usize) -> String {
    let mut text = String::new();
    for i in 0..n / 8 {
        let _ = write!(
            text,
            "static int f{i}(int x, shared int *p)\n{{\n    int y = x * {i} + 1;\n    if (y > 3)\n        p[x] += y;\n    \
             a[y % 10] = x;\n    return y + p[{i}];\n}}\n"
        );
    }
    text
}

fn one_function(n: usize) -> String {
    let mut text = "void f(int x, int *q)\n{\n".to_string();
    for i in 0..n / 3 {
        let _ = write!(
            text,
            "    x += q[{i}] * 3;\n    a[x] = q[{}];\n    {{ int y{i} = x; q[0] = y{i}; }}\n",
            i + 1
        );
    }
    text + "}\n"
}

fn initialiser(n: usize) -> String {
    let mut text = "struct s { int i; const char *s; double d[2]; } table[] = {\n".to_string();
    for i in 0..n {
        let _ = writeln!(text, "    {{ {i}, \"name\", {{ {i}.5, 1 }} }},");
    }
    text + "};\n"
}

fn declarations(n: usize) -> String {
    let mut text = String::new();
    for i in 0..n / 4 {
        let _ = write!(
            text,
            "typedef struct s{i} {{ int x; struct s{i} *next; }} t{i};\nextern t{i} v{i}[3];\nshared [4] t{i} w{i}[4*THREADS];\n\
             enum {{ e{i} = sizeof(t{i}) }};\n"
        );
    }
    text
}
