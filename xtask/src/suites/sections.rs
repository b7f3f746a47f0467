//! Random counted loops over shared arrays: they leave the same elements as the same text in plain C, with and without
//! the passes that rewrite them, in shared memory and where other threads' memory is not mapped.
//!
//! A program is one text. For `upcc` the macro `SH(b)` is `shared [b]`; for gcc it is nothing, THREADS is a constant, and
//! the functions that the threads call in turn are called by one.

mod function;

use std::fmt::Write;
use std::path::Path;
use std::process::Command;

use self::function::Function;
use super::test::Test;
use crate::context::{COMPILE, Context, RUN, forever, write};
use crate::process;
use crate::rng::Rng;
use crate::tools::compilers;

/// The number of programs of a normal run, one for each form, and of a long one, and of functions in each.
const PROGRAMS: u64 = FORMS.len() as u64;
const PROGRAMS_LONG: u64 = 1000;
const FUNCTIONS: usize = 12;

/// Elements of each array for each thread.
const PER_THREAD: i64 = 96;

/// Flags and the number of threads. A program's number chooses one.
#[rustfmt::skip]
const FORMS: &[(&[&str], usize)] = &[
    (&["-O2", "-fupc-runs=1"], 3),
    (&["-O1", "-fupc-runs=1", "-T=3"], 3),
    (&["-O2", "-fupc-runs=1", "-pshm-width=1"], 2),
    (&["-O3", "-fupc-runs=4", "-T=4"], 4),
    (&["-O0", "-fupc-runs=1", "-fupc-pts=struct"], 3),
    (&["-O2", "-fupc-runs=1", "-T=2", "-pshm-width=1"], 2),
    (&["-O2", "--inst", "-fupc-runs=1"], 2),
    (&["-O2", "-fno-upc-unroll", "-fno-upc-locality", "-fno-upc-linear", "-fupc-runs=1"], 3),
    (&["-O1", "-fno-upc-runs", "-fno-upc-fences"], 3),
];

/// Arrays: element type, block size (0: one block for each thread), and whether it is a record.
const ARRAYS: &[(&str, i64, bool)] = &[
    ("int", 1, false),
    ("int", 96, false),
    ("long", 7, false),
    ("unsigned char", 32, false),
    ("short", 4, false),
    ("item_t", 1, true),
    ("item_t", 24, true),
    ("int", 48, false),
    // Blocks of whole pages.
    ("wide_t", 96, true),
];

pub fn tests(context: &'static Context) -> Result<Vec<Test>, String> {
    let work: &Path = forever(context.fresh("sections")?).as_path();
    let (first, programs) = match context.long {
        true => (context.seed, PROGRAMS_LONG),
        false => (1, PROGRAMS),
    };
    let test = |seed: u64| Test::one(format!("seed-{seed}"), move || one(context, work, seed));
    Ok((first..first + programs).map(test).collect())
}

fn one(context: &Context, work: &Path, seed: u64) -> Result<(), String> {
    let source = work.join(format!("{seed}.upc"));
    write(&source, &program(seed))?;
    let (flags, threads) = FORMS[(seed % FORMS.len() as u64) as usize];
    let oracle = work.join(format!("{seed}-oracle"));
    let mut gcc = Command::new("gcc");
    gcc.args(["-x", "c", "-w", "-fwrapv", &format!("-DTHREADS={threads}")]);
    process::must(gcc.arg(&source).arg("-o").arg(&oracle), COMPILE)?;
    let expected = process::must(&mut Command::new(&oracle), RUN)?.out();
    let binary = work.join(format!("{seed}-upc"));
    // The numbers of forms and of compilers have no common factor: in a long run each form meets each compiler.
    let cc = compilers()[(seed + 1) as usize % compilers().len()];
    let mut upcc = context.upcc(cc);
    upcc.args(["-w", "-fwrapv"]).args(flags);
    if cc == "clang" {
        // Otherwise it takes minutes to evaluate some of these loops at compile time.
        upcc.args(["-mllvm", "-scalar-evolution-max-iterations=20"]);
    }
    process::must(upcc.arg(&source).arg("-o").arg(&binary), COMPILE)?;
    // Without the cache, irregular reads are gathered from the first one on.
    let caches: &[&str] = match flags.contains(&"-pshm-width=1") {
        true => &["auto", "off"],
        false => &["auto"],
    };
    for cache in caches {
        let mut run = context.upcrun(threads, &binary);
        let found = process::must(run.env("UPC_CACHE", cache), RUN)?.out();
        if found == expected {
            continue;
        }
        let differs = expected.lines().zip(found.lines()).find(|(a, b)| a != b);
        let (wanted, said) = differs.unwrap_or(("nothing more", "other lines"));
        return Err(format!(
            "{}, {} by {cc}, cache {cache}: gcc says `{wanted}`, upcc `{said}`",
            source.display(),
            flags.join(" ")
        ));
    }
    Ok(())
}

/// The text of a program.
fn program(seed: u64) -> String {
    let mut rng = Rng::new(seed.wrapping_mul(0x2545_f491_4f6c_dd1d).wrapping_add(5));
    let mut text = String::from(HEAD);
    for (number, (ty, block, _)) in ARRAYS.iter().enumerate() {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "SH({block}) {ty} a{number}[{PER_THREAD} * THREADS];");
    }
    text += "SH(1) int scalar;\n\nstatic void fill(void)\n{\n    for (int i = 0; i < 96 * THREADS; i++) {\n";
    for (number, (_, _, record)) in ARRAYS.iter().enumerate() {
        let _ = match record {
            true => writeln!(
                text,
                "        a{number}[i].k = i % 31; a{number}[i].v[1] = i % 7; a{number}[i].b = i % 100;"
            ),
            false => writeln!(text, "        a{number}[i] = (i * {number} + 3) % 50;"),
        };
    }
    text += "    }\n    scalar = 3;\n}\n";
    for number in 0..FUNCTIONS {
        let body = Function::body(&mut rng);
        let _ = writeln!(text, "\nstatic long f{number}(int n, int m)\n{body}");
    }
    text += "\nstatic unsigned long sum(void)\n{\n    unsigned long s = 17 + scalar;\n";
    for (number, (_, _, record)) in ARRAYS.iter().enumerate() {
        let value = match record {
            true => format!("a{number}[i].k * 5 + a{number}[i].v[1] + a{number}[i].b"),
            false => format!("a{number}[i]"),
        };
        let _ = writeln!(
            text,
            "    for (int i = 0; i < {PER_THREAD} * THREADS; i++)\n        s = s * 31 + {value};"
        );
    }
    text += "    return s;\n}\n\nint main(void)\n{\n    long s = 0;\n    TURN(0, fill());\n";
    for number in 0..FUNCTIONS {
        let (n, m) = (rng.below(9), rng.below(3));
        let _ = writeln!(
            text,
            "    TURN({number}, s = f{number}({n}, {m}); printf(\"{number} %ld %lx\\n\", s, sum()); fflush(stdout));"
        );
    }
    text + "    return 0;\n}\n"
}

const HEAD: &str = r#"#include <stdio.h>
#include <math.h>
#ifdef __UPC__
#include <upc_relaxed.h>
#define SH(b) shared [b]
#define TURN(number, ...) do { if (MYTHREAD == (number) % THREADS) { __VA_ARGS__; } upc_barrier; } while (0)
#else
#define SH(b)
#define TURN(number, ...) do { __VA_ARGS__; } while (0)
#endif
typedef struct { char c; int k; short v[3]; int b : 9; } item_t;
typedef struct { int k; short v[50]; int b : 9; char c[20]; } wide_t;
static unsigned mixed(unsigned x) { return x * 1664525u + 1013904223u; }
static int never, table[8] = {3, 1, 4, 1, 5, 2, 6, 0};
"#;
