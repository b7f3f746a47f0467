//! Tests constant folding and the types of C expressions, with gcc as the oracle: each expression is the value of an
//! enumerator, which both compilers compute from the same text.

#[path = "common/sema.rs"]
mod sema;

use std::fmt::Write;
use std::path::Path;
use std::process::Command;
use upcc::diag::Diagnostics;
use upcc::sema::analyse;

/// Returns upcc's values of the enumerators of the first enumeration that has any named `E...`, in order.
fn by_upcc(text: &str) -> Vec<i128> {
    let mut parsed = upcc_grammar::parse(text.to_string());
    assert!(parsed.errors.is_empty(), "{:?}\n{text}", parsed.errors);
    let mut diags = Diagnostics::default();
    let opts = sema::options(None);
    let module = analyse(&mut parsed, opts, &mut diags);
    let wrong: Vec<String> = diags
        .items()
        .iter()
        .map(|d| {
            let at = d.span.clone().unwrap_or_default();
            format!(
                "{}: {} in `{}`",
                d.code,
                d.message,
                &text[at.start as usize..at.end as usize]
            )
        })
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    let enums = &module.types.enums;
    let mine = enums.iter().find(|e| {
        e.enumerators
            .first()
            .is_some_and(|(name, _)| parsed.interner.name(*name).starts_with("E0"))
    });
    mine.map(|e| e.enumerators.iter().map(|(_, value)| *value).collect())
        .unwrap_or_default()
}

/// Returns gcc's values, from a program that prints them.
fn by_gcc(text: &str, count: usize) -> Vec<i128> {
    let dir = tempfile::tempdir().expect("a directory for the oracle's program");
    let (source, program) = (dir.path().join("oracle.c"), dir.path().join("oracle"));
    let mut main = format!("{text}\nint printf(const char *, ...);\nint main(void) {{\n");
    for at in 0..count {
        let _ = writeln!(main, "printf(\"%lld\\n\", (long long)E{at});");
    }
    main.push_str("return 0; }\n");
    std::fs::write(&source, main).expect("writing the oracle's program");
    run(Command::new("gcc")
        .args(["-std=gnu11", "-w", "-o"])
        .arg(&program)
        .arg(&source));
    run(&mut Command::new(Path::new(&program)))
        .lines()
        .map(|line| line.parse().expect("a number"))
        .collect()
}

fn run(command: &mut Command) -> String {
    let output = command.output().expect("starting a command");
    assert!(
        output.status.success(),
        "{command:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).expect("text")
}

/// Compares the two compilers on `prelude; enum { E0 = ..., E1 = ... };`.
fn agree(prelude: &str, expressions: &[String]) {
    let mut text = format!("{prelude}\nenum {{\n");
    for (at, expression) in expressions.iter().enumerate() {
        let _ = writeln!(text, "E{at} = {expression},");
    }
    text.push_str("};\n");
    let (ours, theirs) = (by_upcc(&text), by_gcc(&text, expressions.len()));
    assert_eq!(ours.len(), expressions.len());
    let wrong: Vec<String> = expressions
        .iter()
        .zip(ours.iter().zip(&theirs))
        .filter(|(_, (a, b))| a != b)
        .map(|(e, (a, b))| format!("{e}: upcc {a}, gcc {b}"))
        .collect();
    assert!(
        wrong.is_empty(),
        "{} of {}:\n{}",
        wrong.len(),
        expressions.len(),
        wrong.join("\n")
    );
}

/// xorshift64*: the tests are the same on every run.
struct Rng(u64);

impl Rng {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        ((self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize) % n
    }

    fn pick<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.below(list.len())]
    }
}

const TYPES: [&str; 12] = [
    "char",
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned",
    "long",
    "unsigned long",
    "long long",
    "unsigned long long",
    "_Bool",
];

/// Returns a random integer constant expression that never divides by zero, and shifts by less than 32.
fn expression(rng: &mut Rng, depth: u32) -> String {
    if depth == 0 {
        return match rng.below(6) {
            0 => format!(
                "{}{}",
                rng.below(1 << 31),
                rng.pick(&["", "u", "l", "ull", "L"])
            ),
            1 => format!(
                "0x{:x}{:x}{}",
                rng.below(1 << 31),
                rng.below(1 << 31),
                rng.pick(&["", "u", "LL", "uL"])
            ),
            2 => rng
                .pick(&["'a'", "'\\377'", "L'\\x80000000'", "u'x'", "'ab'", "'\\n'"])
                .to_string(),
            3 => format!("sizeof({})", rng.pick(&TYPES)),
            4 => format!("(int){}.{}", rng.below(1000), rng.below(1000)),
            _ => rng.below(10).to_string(),
        };
    }
    let a = expression(rng, depth - 1);
    match rng.below(10) {
        0 => format!("({})({a})", rng.pick(&TYPES)),
        1 => format!("{}({a})", rng.pick(&["-", "~", "!", "+"])),
        2 => format!(
            "(({a}) {} ((({}) & 1023) | 1))",
            rng.pick(&["/", "%"]),
            expression(rng, depth - 1)
        ),
        3 => format!(
            "(({a}) {} (({}) & 31))",
            rng.pick(&["<<", ">>"]),
            expression(rng, depth - 1)
        ),
        4 => format!(
            "(({a}) ? ({}) : ({}))",
            expression(rng, depth - 1),
            expression(rng, depth - 1)
        ),
        5 => format!("sizeof({a})"),
        _ => {
            let op = rng.pick(&[
                "+", "-", "*", "&", "|", "^", "<", ">", "<=", ">=", "==", "!=", "&&", "||",
            ]);
            format!("(({a}) {op} ({}))", expression(rng, depth - 1))
        }
    }
}

#[test]
fn random_integer_constants() {
    let mut rng = Rng(0x1234_5678_9abc_def1);
    let mut list = Vec::new();
    for at in 0..300 {
        let e = expression(&mut rng, 1 + at % 4);
        list.push(format!("(int)({e})"));
        list.push(format!("(int)((unsigned long long)({e}) >> 32)"));
    }
    agree("", &list);
}

#[test]
fn constants_with_addresses_and_floats() {
    let list = [
        "(int)(long)&((struct s *)0)->b[2]",
        "(int)__builtin_offsetof(struct s, c.y)",
        "(int)__builtin_offsetof(struct s, b[1])",
        "(int)(3.75 * 2)",
        "(unsigned char)300.5",
        "(int)-1.9",
        "1 ? 2 : 1 / 0 + 3",
        "(0 && 1 / 1) + (1 || 0)",
        "__builtin_choose_expr(1, 5, x)",
        "__builtin_types_compatible_p(int, const int) * 2 + __builtin_types_compatible_p(int *, const int *)",
        "(int)_Alignof(struct s)",
        "__alignof__(double)",
        "sizeof((struct s *)0)->b",
        "sizeof(struct s)",
        "sizeof \"abc\" \"de\"",
        "sizeof L\"\\u00e9x\"",
        "sizeof u\"\\U0001F600\"",
        "sizeof u8\"\\u00e9\"",
        "sizeof(\"a\\x41\\101z\")",
        "(int)0x1.8p3",
        "(int)1e2f",
        "0b1011",
        "(1.5 > 1) + !0.0",
        "(long)(char *)16 == 16",
        "sizeof(int[3][5]) / sizeof(int)",
        "(int)((__int128)1 << 100 >> 98)",
        "(int)(((unsigned __int128)-1 >> 64) == 0xffffffffffffffff)",
        "__builtin_constant_p(3) + __builtin_constant_p(\"s\")",
    ];
    agree(
        "struct s { char a; int b[4]; struct { short x; double y; } c; }; int x;",
        &list.map(String::from),
    );
}

/// Declarations whose names the typing test combines.
const VARIABLES: &str = "char c; signed char sc; unsigned char uc; short s; unsigned short us; int i; unsigned u; long l; unsigned long ul;
long long ll; unsigned long long ull; __int128 n; unsigned __int128 un; float f; double d; long double ld; _Float128 q; _Bool b;
float _Complex fc; double _Complex dc; enum e { EA, EB } e; enum neg { NA = -1 } ne;
struct bits { unsigned small : 3; unsigned whole : 32; int sign : 7; _Bool flag : 1; unsigned long wide : 20; } bits;
int *pi; const int *pci; void *pv; const void *pcv; char *pc; int arr[4]; const char carr[3]; int (*pa)[4]; int fn(int); int (*pf)(int);
struct r { int m; const char *name; int in[2]; union { long deep; char raw[8]; }; } r, *pr; const struct r *pcr; volatile int vi; const int ci;\n";

/// Returns an expression that maps each possible type to a number.
fn type_number(expression: &str) -> String {
    const LIST: [&str; 36] = [
        "_Bool",
        "char",
        "signed char",
        "unsigned char",
        "short",
        "unsigned short",
        "int",
        "unsigned",
        "long",
        "unsigned long",
        "long long",
        "unsigned long long",
        "__int128",
        "unsigned __int128",
        "float",
        "double",
        "long double",
        "_Float128",
        "float _Complex",
        "double _Complex",
        "long double _Complex",
        "int *",
        "const int *",
        "void *",
        "const void *",
        "char *",
        "const char *",
        "int (*)[4]",
        "int (*)(int)",
        "struct r",
        "struct r *",
        "const struct r *",
        "volatile int *",
        "int **",
        "const char **",
        "long *",
    ];
    let mut text = format!("_Generic(({expression})");
    for (at, ty) in LIST.iter().enumerate() {
        let _ = write!(text, ", {ty}: {}", at + 1);
    }
    text + ", default: 0)"
}

#[test]
fn usual_conversions() {
    let operands = [
        "c",
        "sc",
        "uc",
        "s",
        "us",
        "i",
        "u",
        "l",
        "ul",
        "ll",
        "ull",
        "n",
        "un",
        "f",
        "d",
        "ld",
        "q",
        "b",
        "fc",
        "dc",
        "e",
        "ne",
        "bits.small",
        "bits.whole",
        "bits.sign",
        "bits.flag",
        "1",
        "1u",
        "1.0f",
        "'a'",
        "L'a'",
        "EA",
    ];
    let mut list = Vec::new();
    for x in operands {
        for op in ["+", "-", "~", "!"] {
            if op != "~" || !["f", "d", "ld", "q", "1.0f"].contains(&x) {
                list.push(type_number(&format!("{op}{x}")));
            }
        }
        for y in operands {
            list.push(type_number(&format!("{x} * {y}")));
            list.push(type_number(&format!("i ? {x} : {y}")));
            if ![x, y]
                .iter()
                .any(|v| ["f", "d", "ld", "q", "fc", "dc", "1.0f"].contains(v))
            {
                list.push(type_number(&format!("{x} << {y}")));
                list.push(type_number(&format!("{x} & {y}")));
            }
        }
    }
    agree(VARIABLES, &list);
}

#[test]
fn types_of_expressions() {
    let list = [
        "pi + 1",
        "1 + pi",
        "pi - pi",
        "pv + 1",
        "arr",
        "&arr",
        "&arr[1]",
        "*arr",
        "*pa",
        "&*pa",
        "carr",
        "&carr[0]",
        "fn",
        "&fn",
        "*fn",
        "fn(1)",
        "(*pf)(2)",
        "pf(2)",
        "(***pf)(2)",
        "i ? pi : 0",
        "i ? 0 : pci",
        "i ? pi : pci",
        "i ? pi : pv",
        "i ? pci : pv",
        "i ? pi : (void *)0",
        "i ? (void *)0 : pc",
        "i ? pcv : pi",
        "pi ?: 0",
        "c ?: 1L",
        "pi == 0",
        "pi && pv",
        "r.m",
        "r.name",
        "pr->in",
        "pr->in[1]",
        "&pr->m",
        "pcr->m",
        "&pcr->m",
        "&pcr->name",
        "pcr->in",
        "r.deep",
        "pr->raw",
        "&r.deep",
        "r",
        "&r",
        "*pr",
        "pr",
        "(pr)",
        "pr++",
        "--pi",
        "c++",
        "i = 3",
        "c = 300",
        "c += 1.5",
        "pi += 2",
        "bits.small + 1",
        "-bits.sign",
        "(i, l)",
        "(c, c)",
        "vi",
        "&vi",
        "ci",
        "&ci",
        "\"abc\"",
        "&\"abc\"",
        "*\"abc\"",
        "sizeof i",
        "_Alignof(int)",
        "(short)i",
        "(const int)i",
        "(struct r){1}",
        "&(struct r){1}",
        "(int[4]){1}",
        "__func__",
        "({ long z = 1; z; })",
        "1 ? 1 : 2L",
        "arr[2]",
        "2[arr]",
        "i << 2L",
        "~bits.flag",
        "__real__ dc",
        "__imag__ fc",
        "&__real__ dc",
        "dc + 1",
        "i < l",
        "!pi",
        "__builtin_expect(c, 1)",
        "__builtin_strlen(pc)",
        "__builtin_memcpy(pv, pv, 1)",
        "__sync_fetch_and_add(&l, 1)",
        "__atomic_load_n(&c, 0)",
        "__builtin_fabsf(d)",
        "__builtin_sqrtl(d)",
        "__builtin_inf()",
        "__builtin_clz(u)",
        "1.0f",
        "1.0L",
        "1i",
        "1.0fi",
        "0x7fffffff",
        "0x80000000",
        "2147483648",
        "0xffffffffffffffff",
        "9223372036854775808u",
        "1llu",
        "0777777777777",
        "u'x'",
        "U'x'",
        "L'x'",
        "u8\"x\"",
        "L\"x\"",
        "&\"abc\"[1]",
        "&pi",
        "&pr->name",
        "*&i",
        "*&ci",
        "(char)1 + (char)1",
        "i ? 1 : 'a'",
        "__extension__ 3L",
        "(void *)0",
        "pi - 1",
        "&arr[3] - arr",
        "-bits.whole",
        "+bits.wide",
        "__builtin_choose_expr(0, i, d)",
        "_Generic(i, int: l, default: d)",
        "(__typeof__(pci))0",
        "(__typeof__(arr) *)0",
    ];
    // `__func__` and statement expressions need a function.
    let (inside, outside): (Vec<&str>, Vec<&str>) = list
        .iter()
        .partition(|e| e.contains("__func__") || e.contains("({"));
    agree(
        VARIABLES,
        &outside.iter().map(|e| type_number(e)).collect::<Vec<_>>(),
    );
    let mut body = format!("{VARIABLES} void inside(void) {{ ");
    for (at, e) in inside.iter().enumerate() {
        let _ = write!(
            body,
            "enum {{ F{at} = {} }}; _Static_assert(F{at}, \"a type that is known\");",
            type_number(e)
        );
    }
    by_upcc(&(body + "}"));
}
