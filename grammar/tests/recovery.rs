//! Wrong text: every error is reported once, nothing panics, nothing hangs.

mod common;

use common::{Random, check, errors, good};
use upcc_grammar::ast::*;
use upcc_grammar::parse;

#[test]
fn messages() {
    for (text, expected) in [
        ("foo x;", "unknown type name `foo`"),
        ("void f(void) { foo x; }", "unknown type name `foo`"),
        ("void f(int a, foo b);", "unknown type name `foo`"),
        ("void f(foo b);", "unknown type name `foo`"),
        ("struct S { foo *b; };", "unknown type name `foo`"),
        ("static foo *b;", "unknown type name `foo`"),
        ("int x int y;", "expected `;` before `int`"),
        ("void f(void) { int a = 1 a++; }", "expected `;` before `a`"),
        ("void f(int a) { if (a { } }", "expected `)` before `{`"),
        ("int x = ;", "expected an expression before `;`"),
        (
            "void f(int a) { a + ; }",
            "expected an expression before `;`",
        ),
        ("int a[3 = 1;", "expected `]` before `;`"),
        ("}", "expected a declaration before `}`"),
        ("void f(void) { ", "expected `}` before the end of the file"),
        (
            "char *s = \"abc;\nint x;",
            "string literal without `\"` at its end",
        ),
        ("int x@;", "stray `@` in program"),
        (
            "int f(static int x);",
            "storage class or function specifier in the declaration of a parameter",
        ),
    ] {
        let found = errors(text);
        assert_eq!(
            found.first().map(String::as_str),
            Some(expected),
            "{text}: {found:?}"
        );
    }
}

#[test]
fn several_errors_of_a_function() {
    let found = errors(
        "int f(int a) { a = ; if (a b) { a = 2 +; } else { a ) ; } for (a = 0 a < 3; a++) { a = [; } return a }
         int g(void) { return 1 2; } struct { int x y; int z; } s; int h(void) { return f(1; }",
    );
    assert_eq!(found.len(), 10, "{found:#?}");
}

#[test]
fn what_is_right_survives() {
    let parsed = parse(
        "typedef int T; int a = ; T b; int f(T x) { T y = ; typedef char U; x = 1 1; U u; } T c;"
            .to_owned(),
    );
    check(&parsed);
    assert_eq!(parsed.errors.len(), 3, "{:?}", parsed.errors);
    let kinds: Vec<bool> = parsed
        .ast
        .items
        .iter()
        .map(|i| matches!(i.kind, ItemKind::Function(_)))
        .collect();
    assert_eq!(
        kinds.iter().filter(|f| **f).count(),
        1,
        "f is still a function"
    );
}

const TEXT: &str = "typedef int T; typedef struct S { T a, *b; unsigned c:3; struct S *next; } S; enum E { A, B = 2 };
static inline T f(T x, S *s, ...) { T T = x; if (x > 1) { for (int i = 0; i < 3; i++) T += s->a[i] ? 1 : 2; } else while (x) x--; return T; }
shared [4] int a[10*THREADS]; strict shared int flag; shared [] int *p; foo(a, b) int a; char *b; { return a * *b; }
void g(void) { upc_forall (int i = 0; i < 10*THREADS; i++; &a[i]) a[i] = MYTHREAD; upc_barrier 1; switch (A) { case 1 ... 2: break; default: ; }
  struct P q = { .x = 1, y: 2, [3] = { 4, }, }; asm volatile (\"x\" : \"=r\"(q) : \"r\"(1) : \"cc\"); ({ int z = sizeof(T); z; }); goto end; end: ; }
int h(int (*cb)(int), T(*arr)[3]) { return _Generic(cb, default: (T)cb(1)) + ((S){ 1, .c = 2 }).a; } __attribute__((aligned(8))) int last;
";

/// Damages a text: pieces are dropped, doubled, exchanged, or the text ends early.
fn mutate(random: &mut Random, pieces: &[&str]) -> String {
    let mut pieces = pieces.to_vec();
    for _ in 0..=random.below(4) {
        let (i, j) = (random.below(pieces.len()), random.below(pieces.len()));
        match random.below(5) {
            0 => drop(pieces.remove(i)),
            1 => pieces.insert(i, pieces[j]),
            2 => pieces.swap(i, j),
            3 => pieces.truncate(i.max(1)),
            _ => {
                pieces[i] = [
                    "(",
                    ")",
                    "{",
                    "}",
                    ";",
                    "[",
                    "\"",
                    "'",
                    "#",
                    "__attribute__((",
                    "T",
                    "int",
                    "=",
                    "/*",
                    "[[",
                    "\\",
                ][j % 16]
            }
        }
        if pieces.is_empty() {
            break;
        }
    }
    pieces.concat()
}

#[test]
fn mutated_text() {
    good(TEXT);
    // Words, blanks and single characters.
    let pieces: Vec<&str> = TEXT
        .split_inclusive(|c: char| !c.is_alphanumeric())
        .collect();
    let mut random = Random(7);
    for _ in 0..4000 {
        check(&parse(mutate(&mut random, &pieces)));
    }
}

#[test]
fn truncated_text() {
    for end in 0..TEXT.len() {
        check(&parse(TEXT[..end].to_owned()));
    }
}

#[test]
fn deep_and_long_text() {
    const N: usize = 10_000;
    let nest = |open: &str, inner: &str, close: &str| {
        format!("{}{inner}{}", open.repeat(N), close.repeat(N))
    };
    for (before, text, after) in [
        ("int x = ", nest("(", "1", ")"), ";"),
        ("void f(void) {", nest("{", ";", "}"), "}"),
        ("int x = ", nest("- ", "1", ""), ";"),
        ("void f(int a) {", nest("if (a) a++; else ", ";", ""), "}"),
        ("int x[] = ", nest("{", "1", "}"), ";"),
        ("int ", nest("*", "p", ""), ";"),
        ("int ", nest("(", "p", ")"), ";"),
        ("int ", nest("(*", "p", ")(void)"), ";"),
        ("int x = ", nest("1 + 2 * ", "1", ""), ";"),
        ("void f(void) { ", nest("1, ", "1", ""), "; }"),
        ("void f(int a) { ", nest("a = ", "1", ""), "; }"),
        ("void f(int a) { a = ", nest("a ? 1 : ", "1", ""), "; }"),
        ("void f(int a) { a = ", nest("a ? ", "1", " : 0"), "; }"),
        ("void f(void) { ", nest("({ ", "1;", " });"), "}"),
        (
            "void f(void) { ",
            nest("upc_forall (;;;continue) ", ";", ""),
            "}",
        ),
        ("", nest("struct { ", "int x;", " } a;"), ""),
        ("", nest("int f(int a) { return a; }\n", "", ""), ""),
    ] {
        good(&format!("{before}{text}{after}"));
    }
    for open in [
        "(",
        "{",
        "[",
        "if (",
        "({",
        "struct {",
        "int x = {",
        "a = ",
        "/*",
        "__attribute__((",
        "[[",
    ] {
        let parsed = parse(format!("void f(int a) {{ {}", open.repeat(N)));
        check(&parsed);
        assert!(!parsed.errors.is_empty());
    }
}
