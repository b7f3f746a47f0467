//! Generated programs over shapes, block sizes, element types and thread counts; `tests/layouts/` defines the checks of
//! each array.

use std::fmt::Write;
use std::path::Path;

use super::test::Test;
use crate::context::{COMPILE, Context, RUN, forever, write};
use crate::process;
use crate::report::Tally;
use crate::rng::Rng;
use crate::tools::compilers;

const THREADS: &[usize] = &[1, 2, 3, 4, 5, 8];
/// The number of arrays in one program.
const ARRAYS: usize = 12;
/// The number of programs for each environment in a normal run and in a long one.
const PROGRAMS: u64 = 1;
const PROGRAMS_LONG: u64 = 40;
/// The optimisation levels, used in turn.
const LEVELS: &[&str] = &["-O0", "-O1", "-O2"];
/// Upper limit of an array's elements.
const ELEMENTS: usize = 600;

/// An element type: its name, and code to make and compare values.
struct Element {
    name: &'static str,
    set: &'static str,
    same: &'static str,
}

/// The types defined for the programs that use them.
const TYPES: &str = "\
struct three { char c[3]; };
struct pair { int key; short tag; };
struct mixed { double d; char c; int i[3]; };
union either { long l; double d; char c[5]; };
typedef struct pair pair_t;
typedef shared int *pts_t;
typedef shared [7] struct pair *pts7_t;
static shared int anchor[16 * THREADS];
static shared [7] struct pair anchor7[7 * THREADS];
";

#[rustfmt::skip]
const ELEMENTS_TABLE: &[Element] = &[
    Element { name: "char", set: "(v) = (char)((e) % 101)", same: "(v) == (char)((e) % 101)" },
    Element { name: "unsigned short", set: "(v) = (e) * 3", same: "(v) == (unsigned short)((e) * 3)" },
    Element { name: "int", set: "(v) = (e) * 7 - 5", same: "(v) == (e) * 7 - 5" },
    Element { name: "long", set: "(v) = (e) * 1000003L", same: "(v) == (e) * 1000003L" },
    Element { name: "double", set: "(v) = (e) / 8.0", same: "(v) == (e) / 8.0" },
    Element { name: "float", set: "(v) = (e) / 4.0f", same: "(v) == (e) / 4.0f" },
    Element { name: "long double", set: "(v) = (e) / 16.0L", same: "(v) == (e) / 16.0L" },
    Element { name: "_Bool", set: "(v) = (e) % 3", same: "(v) == ((e) % 3 != 0)" },
    Element { name: "struct three", set: "(v).c[0] = (e) % 97, (v).c[1] = 1, (v).c[2] = (e) % 89", same: "(v).c[0] == (e) % 97 && (v).c[1] == 1 && (v).c[2] == (e) % 89" },
    Element { name: "pair_t", set: "(v).key = (e), (v).tag = -(e)", same: "(v).key == (e) && (v).tag == (short)-(e)" },
    Element { name: "struct mixed", set: "(v).d = (e), (v).c = (e) % 11, (v).i[0] = (v).i[2] = (e), (v).i[1] = 1", same: "(v).d == (e) && (v).c == (e) % 11 && (v).i[2] == (e) && (v).i[1] == 1" },
    Element { name: "union either", set: "(v).l = (e) * 77", same: "(v).l == (e) * 77" },
    Element { name: "pts_t", set: "(v) = &anchor[(e) % (16 * THREADS)]", same: "(v) == &anchor[(e) % (16 * THREADS)]" },
    Element { name: "pts7_t", set: "(v) = &anchor7[(e) % (7 * THREADS)]", same: "(v) - anchor7 == (e) % (7 * THREADS)" },
];

/// The layout qualifiers of declarations.
#[derive(Clone, Copy)]
enum Layout {
    Default,
    Indefinite,
    Star,
    Blocks(usize),
}

#[rustfmt::skip]
const LAYOUTS: &[Layout] = &[
    Layout::Default, Layout::Indefinite, Layout::Star, Layout::Blocks(1), Layout::Blocks(2), Layout::Blocks(3), Layout::Blocks(4),
    Layout::Blocks(5), Layout::Blocks(7), Layout::Blocks(8), Layout::Blocks(13), Layout::Blocks(16), Layout::Star,
];
const OTHER_BLOCKS: &[usize] = &[1, 2, 3, 4, 6, 9, 16];

/// One dimension: `factor`, multiplied by THREADS if `threads` is set.
struct Dimension {
    factor: usize,
    threads: bool,
}

impl Dimension {
    fn text(&self) -> String {
        if self.threads {
            format!("{}*THREADS", self.factor)
        } else {
            self.factor.to_string()
        }
    }
}

/// The number of threads a program is compiled for.
#[derive(Clone, Copy)]
enum Environment {
    Static(usize),
    Dynamic,
}

struct Case {
    seed: u64,
    environment: Environment,
    cc: &'static str,
}

pub fn tests(context: &'static Context) -> Result<Vec<Test>, String> {
    let work: &Path = forever(context.fresh("layouts")?).as_path();
    let programs = if context.long {
        PROGRAMS_LONG
    } else {
        PROGRAMS
    };
    let mut cases = Vec::new();
    for seed in 0..programs {
        let turn = |number: usize| compilers()[(seed as usize + number) % compilers().len()];
        cases.push(Case {
            seed,
            environment: Environment::Dynamic,
            cc: turn(0),
        });
        // A static program has one thread count: seeds differ, so that each count is tested with other shapes.
        let of = |n: &usize| Case {
            seed: seed * 100 + *n as u64,
            environment: Environment::Static(*n),
            cc: turn(*n),
        };
        cases.extend(THREADS.iter().map(of));
    }
    let test = |case: Case| Test::new(case.name(), move || one(context, work, &case));
    Ok(cases.into_iter().map(test).collect())
}

impl Case {
    fn name(&self) -> String {
        match self.environment {
            Environment::Static(n) => format!("static-{n}-seed-{}", self.seed),
            Environment::Dynamic => format!("dynamic-seed-{}", self.seed),
        }
    }
}

fn one(context: &Context, work: &Path, case: &Case) -> Tally {
    let counts: Vec<usize> = match case.environment {
        Environment::Static(n) => vec![n],
        Environment::Dynamic => THREADS.to_vec(),
    };
    let name = case.name();
    let source = work.join(format!("{name}.upc"));
    let program = work.join(&name);
    let mut tally = Tally::default();
    let compiled = write(&source, &generate(case)).and_then(|()| {
        let mut upcc = context.upcc(case.cc);
        upcc.arg(LEVELS[case.seed as usize % LEVELS.len()])
            .arg("-I")
            .arg(context.root.join("tests/layouts"))
            .arg(&source)
            .arg("-o")
            .arg(&program);
        if let Environment::Static(n) = case.environment {
            upcc.arg(format!("-T={n}"));
        }
        process::must(&mut upcc, COMPILE)
    });
    if let Err(why) = compiled {
        tally.add(&name, Err(why));
        return tally;
    }
    for threads in counts {
        let verdict = process::must(&mut context.upcrun(threads, &program), RUN).map(|_| ());
        tally.add(
            &format!("{name} with {} on {threads} threads", case.cc),
            verdict,
        );
    }
    tally
}

/// Returns the text of a program.
fn generate(case: &Case) -> String {
    let mut rng = Rng::new(
        case.seed.wrapping_mul(0x5851_f42d_4c95_7f2d)
            + matches!(case.environment, Environment::Dynamic) as u64,
    );
    let mut text = format!(
        "/* Generated, seed {}. */\n#include \"layouts.h\"\n\n{TYPES}\n",
        case.seed
    );
    let mut calls = String::new();
    for index in 0..ARRAYS {
        array(&mut rng, case.environment, index, &mut text, &mut calls);
    }
    text + "int main(void)\n{\n"
        + &calls
        + "    upc_barrier;\n    if (failures)\n        upc_global_exit(1);\n    return 0;\n}\n"
}

/// Declares an array and the function that checks its kind; adds the calls.
fn array(
    rng: &mut Rng,
    environment: Environment,
    index: usize,
    text: &mut String,
    calls: &mut String,
) {
    let layout = *rng.pick(LAYOUTS);
    let element = rng.pick(ELEMENTS_TABLE);
    let dimensions = shape(rng, environment, layout);
    let count = dimensions
        .iter()
        .map(|d| format!("({})", d.text()))
        .collect::<Vec<_>>()
        .join("*");
    let (qualifier, block) = match layout {
        Layout::Default => ("shared".to_string(), "1".to_string()),
        Layout::Indefinite => (
            rng.pick(&["shared []", "shared [0]"]).to_string(),
            "0".to_string(),
        ),
        Layout::Blocks(b) => (format!("shared [{b}]"), b.to_string()),
        Layout::Star => (
            "shared [*]".to_string(),
            star_block(environment, &dimensions, &count),
        ),
    };
    let name = format!("a{index}");
    let subscripts: String = dimensions
        .iter()
        .map(|d| format!("[{}]", d.text()))
        .collect();
    let other = rng.pick(OTHER_BLOCKS);
    let Element {
        name: ty,
        set,
        same,
    } = element;
    // write! to a String cannot fail.
    let _ = write!(
        text,
        "static {qualifier} {ty} {name}{subscripts};\n#define NAME check_{name}\n#define T {ty}\n#define B ({block})\n#define C {other}\n\
         #define SET(v, e) ({set})\n#define SAME(v, e) ({same})\n#include \"array.h\"\nstatic shared [{block}] {ty} *shared slot{index};\n\n"
    );
    let flat = format!("(&{name}{})", "[0]".repeat(dimensions.len()));
    let _ = writeln!(
        calls,
        "    CHECK_SIZES({name}, {ty}, ({block}), {count});\n    check_{name}({flat}, {count});"
    );
    if dimensions.len() > 1 {
        let sizes: Vec<String> = dimensions.iter().map(Dimension::text).collect();
        let _ = writeln!(
            calls,
            "    CHECK_RANK_{}({name}, {flat}, {ty}, ({block}), {});",
            sizes.len(),
            sizes.join(", ")
        );
    }
    allocate(rng, layout, index, &block, ty, calls);
}

/// Returns the block size that `[*]` stands for (6.5.1.1).
fn star_block(environment: Environment, dimensions: &[Dimension], count: &str) -> String {
    match environment {
        Environment::Static(_) => format!("({count} + THREADS - 1) / THREADS"),
        Environment::Dynamic => dimensions
            .iter()
            .map(|d| d.factor)
            .product::<usize>()
            .to_string(),
    }
}

/// Returns a rank and dimensions that the environment allows for this layout (6.5.2.1).
fn shape(rng: &mut Rng, environment: Environment, layout: Layout) -> Vec<Dimension> {
    let threads_allowed = match (environment, layout) {
        (Environment::Dynamic, Layout::Indefinite) => 0,
        (Environment::Dynamic, _) => 1,
        (Environment::Static(_), _) => rng.below(3),
    };
    let limit = match environment {
        Environment::Static(n) => ELEMENTS / n.pow(threads_allowed as u32).max(1),
        Environment::Dynamic => ELEMENTS / 8,
    };
    let rank = 1 + rng.below(3);
    let mut dimensions: Vec<Dimension> = (0..rank)
        .map(|_| Dimension {
            factor: 1 + rng.below(if rank == 1 { 60 } else { 9 }),
            threads: false,
        })
        .collect();
    for _ in 0..threads_allowed.min(rank) {
        let at = rng.below(rank);
        dimensions[at].threads = true;
    }
    while dimensions.iter().map(|d| d.factor).product::<usize>() > limit.max(1) {
        if let Some(largest) = dimensions.iter_mut().max_by_key(|d| d.factor) {
            largest.factor = largest.factor.div_ceil(2);
        }
    }
    dimensions
}

/// Adds the same check for memory of the shared heap.
fn allocate(
    rng: &mut Rng,
    layout: Layout,
    index: usize,
    block: &str,
    ty: &str,
    calls: &mut String,
) {
    let blocks = 1 + rng.below(9);
    let size = format!("({block}) * sizeof({ty})");
    let (who, call, count) = match (layout, rng.below(2)) {
        (Layout::Indefinite, _) => (
            "THREADS - 1",
            format!("upc_alloc(40 * sizeof({ty}))"),
            "40".to_string(),
        ),
        (_, 0) => (
            "0",
            format!("upc_global_alloc({blocks}, {size})"),
            format!("{blocks} * ({block})"),
        ),
        (_, _) => (
            "-1",
            format!("upc_all_alloc({blocks}, {size})"),
            format!("{blocks} * ({block})"),
        ),
    };
    let _ = match who {
        "-1" => writeln!(
            calls,
            "    {{\n        shared [{block}] {ty} *heap = {call};\n        check_a{index}(heap, {count});\n        upc_all_free(heap);\n    }}"
        ),
        _ => writeln!(
            calls,
            "    if (MYTHREAD == {who})\n        slot{index} = {call};\n    upc_barrier;\n    check_a{index}(slot{index}, {count});\n    \
             if (MYTHREAD == {who})\n        upc_free(slot{index});"
        ),
    };
}
