//! Big inputs: texts of 50,000 lines (200,000 in a long run) and expressions 10,000 levels deep translate without a
//! stack overflow, in time that grows with the text.

use std::fmt::Write;
use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;
use std::time::Duration;

use super::shapes::{SHAPES, Shape};
use super::test::Test;
use crate::context::{Context, forever, read, write};
use crate::process;

/// The number of lines in a normal run and in a long one.
const LINES: usize = 50_000;
const LINES_LONG: usize = 200_000;
const DEPTH: usize = 10_000;
const LIMIT: Duration = Duration::from_secs(120);
/// The largest ratio of times for twice the text; quadratic growth would give 4.
const GROWTH: f64 = 3.0;
/// The fastest of at most this number of runs counts: the machine may be busy, but quadratic growth shows in every run.
const TRIES: usize = 12;
/// Below this number of seconds a ratio of times is not meaningful, and the text is made longer. A long run measures
/// more precisely.
const MEASURABLE: f64 = 0.1;
const MEASURABLE_LONG: f64 = 0.2;
const LARGEST: usize = 1_000_000;

const HEAD: &str = "#include <upc.h>\nshared int a[10*THREADS];\nint g(int x);\n";

/// A kind of long text: its name and a function that writes it with about `n` lines.
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

/// A text of any size, and the options of its translation.
struct Text<'a> {
    name: &'a str,
    make: &'a dyn Fn(usize) -> String,
    flags: &'a [&'a str],
    /// It contains many errors.
    refused: bool,
}

pub fn tests(context: &'static Context) -> Result<Vec<Test>, String> {
    let work: &Path = forever(context.fresh("big")?).as_path();
    let deep = |deep: &'static Deep| {
        Test::one(format!("deep::{}", deep.name), move || {
            let make = |depth| {
                let (open, close) = (deep.open.repeat(depth), deep.close.repeat(depth));
                let (before, after) = (deep.before, deep.after);
                format!("{HEAD}{before}{open}{}{close}{after}", deep.middle)
            };
            let text = plain(deep.name, &make);
            translate(context, work, &text, DEPTH).map(|_| ())
        })
    };
    let long = |long: &'static Long| {
        Test::one(format!("long::{}", long.name), move || {
            let make = |lines| HEAD.to_string() + &(long.text)(lines);
            let lines = if context.long { LINES_LONG } else { LINES };
            growth(context, work, &plain(long.name, &make), lines)
        })
    };
    let shape = |shape: &'static Shape| {
        Test::one(format!("shape::{}", shape.name), move || {
            let make = |n| HEAD.to_string() + &shape.text(n);
            let text = Text {
                flags: shape.flags,
                refused: shape.refused,
                ..plain(shape.name, &make)
            };
            growth(context, work, &text, shape.size)
        })
    };
    let shapes = SHAPES.iter().map(shape);
    let deep = DEEP.iter().map(deep);
    Ok(deep.chain(LONG.iter().map(long)).chain(shapes).collect())
}

fn plain<'a>(name: &'a str, make: &'a dyn Fn(usize) -> String) -> Text<'a> {
    Text {
        name,
        make,
        flags: &[],
        refused: false,
    }
}

/// Returns the processor time of the translation of the shortest text. Without it, the times of two short texts differ
/// by less than their lengths.
fn start(context: &Context, work: &Path) -> Result<f64, String> {
    static START: OnceLock<Result<f64, String>> = OnceLock::new();
    let once = || translate(context, work, &plain("nothing", &|_| HEAD.to_owned()), 0);
    let all = || -> Result<f64, String> { Ok(once()?.min(once()?).min(once()?)) };
    START.get_or_init(all).clone()
}

/// Compares the processor times of two sizes of a text. The sizes grow until the larger takes a measurable time.
fn growth(context: &Context, work: &Path, text: &Text, size: usize) -> Result<(), String> {
    let start = start(context, work)?;
    let time = |size| translate(context, work, text, size).map(|time| (time - start).max(0.0));
    let measurable = match context.long {
        true => MEASURABLE_LONG,
        false => MEASURABLE,
    };
    let mut size = size;
    let mut half = None;
    let mut whole = time(size)?;
    while whole < measurable && size < LARGEST {
        size *= 2;
        half = Some(whole);
        whole = time(size)?;
    }
    let mut fastest = [half.map_or_else(|| time(size / 2), Ok)?, whole];
    for _ in 1..TRIES {
        if fastest[1] <= fastest[0] * GROWTH {
            return Ok(());
        }
        // The sizes alternate, so that other load affects both.
        for (best, size) in fastest.iter_mut().zip([size / 2, size]) {
            *best = best.min(time(size)?);
        }
    }
    match fastest[1] / fastest[0] {
        ratio if ratio <= GROWTH => Ok(()),
        ratio => Err(format!(
            "{:.2} s in size {}, {:.2} s in size {size}: {ratio:.1} times as long",
            fastest[0],
            size / 2,
            fastest[1]
        )),
    }
}

/// Runs its arguments, and writes the processor times of this shell and of its children to a file, one line each.
const TIMED: &str = "file=$1; shift; \"$@\"; status=$?; times >\"$file\"; exit $status";

/// Returns the processor time of `upcc -trans` in seconds, which does not depend on other load.
fn translate(context: &Context, work: &Path, text: &Text, size: usize) -> Result<f64, String> {
    let source = work.join(format!("{}.upc", text.name.replace(' ', "-")));
    let output = source.with_extension("out.c");
    write(&source, &(text.make)(size))?;
    let times = source.with_extension("times");
    let mut upcc = Command::new("sh");
    upcc.args(["-c", TIMED, "sh"])
        .arg(&times)
        .arg(&context.upcc)
        .args(["-w", "-trans"])
        .args(text.flags)
        .arg(&source)
        .arg("-o")
        .arg(&output);
    let done = match text.refused {
        true => process::run(&mut upcc, LIMIT)?,
        false => process::must(&mut upcc, LIMIT)?,
    };
    if text.refused && done.status.and_then(|s| s.code()) != Some(1) {
        return Err(format!("status 1 expected: {}", done.tail()));
    }
    let seconds = of_children(&read(&times)?);
    for file in [source, output, times] {
        let _ = std::fs::remove_file(file);
    }
    seconds.ok_or_else(|| "the shell says no times".to_owned())
}

/// Returns the second line of the output of `times` in seconds: `0m1.250000s 0m0.040000s`.
fn of_children(times: &str) -> Option<f64> {
    let of_word = |word: &str| {
        let (minutes, seconds) = word.strip_suffix('s')?.split_once('m')?;
        Some(minutes.parse::<f64>().ok()? * 60.0 + seconds.parse::<f64>().ok()?)
    };
    let words = times.lines().nth(1)?.split_whitespace();
    words.map(of_word).sum()
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
