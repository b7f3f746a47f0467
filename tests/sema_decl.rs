//! Tests of declarations: types as declared and as printed, constraints of C and GNU C, constraints of UPC,
//! initialisers, verbatim items.

#[path = "common/sema.rs"]
mod sema;

use std::process::Command;
use upcc::diag::Diagnostics;
use upcc::il::{InitKind, ItemKind, Module, PathElem};
use upcc::sema::analyse;
use upcc::types::QualType;
use upcc_grammar::Parsed;

struct Analysed {
    parsed: Parsed,
    module: Module,
    /// The codes of the reported diagnostics, in order.
    codes: Vec<String>,
}

impl Analysed {
    fn of(text: &str, threads: Option<u32>) -> Analysed {
        let mut parsed = upcc_grammar::parse(text.to_string());
        assert!(parsed.errors.is_empty(), "{:?}\n{text}", parsed.errors);
        let mut diags = Diagnostics::default();
        let opts = sema::options(threads);
        let module = analyse(&mut parsed, opts, &mut diags);
        let items = diags.items();
        let codes = items.iter().map(|d| d.code.to_string()).collect();
        Analysed {
            parsed,
            module,
            codes,
        }
    }

    fn clean(text: &str) -> Analysed {
        let analysed = Analysed::of(text, None);
        assert!(analysed.codes.is_empty(), "{:?}\n{text}", analysed.codes);
        analysed
    }

    /// Returns the type of the last object of that name.
    fn object(&self, name: &str) -> QualType {
        let named = |o: &&upcc::il::Object| self.parsed.interner.name(o.name) == name;
        self.module.objects.iter().rfind(named).expect(name).ty
    }

    fn shown(&self, name: &str) -> String {
        let ty = self.object(name);
        self.module.types.declare(ty, name, &self.parsed.interner)
    }
}

#[test]
fn types_print_as_they_are_written() {
    let declarations = [
        "int x",
        "const char *const *x",
        "int (*x)[3]",
        "int *x[3]",
        "int (*(*x)(int, void (*)(char)))[2]",
        "void (*x(int, void (*)(int)))(int)",
        "double x(void)",
        "int x()",
        "int x(const char *, ...)",
        "unsigned long long x[2][3]",
        "struct S *x",
        "_Complex float x",
        "shared int *x",
        "shared [4] int *x",
        "shared [] char *shared x",
        "strict shared [3] int *shared [2] *x[2]",
        "shared int (*x)[5]",
        "shared [2] int x[2*THREADS][3]",
        "relaxed shared [7] const struct S *x(shared void *)",
        "__builtin_va_list x",
        "unsigned __int128 x",
    ];
    for text in declarations {
        let analysed = Analysed::clean(&format!("struct S; extern {text};"));
        let shown = analysed.shown("x");
        assert_eq!(shown, text);
        // The printed text declares the same type.
        let again = format!("struct S; extern {text}; extern {shown};");
        Analysed::clean(&again);
    }
}

#[test]
fn specifiers_come_in_any_order() {
    let cases = [
        ("long unsigned int long", "unsigned long long"),
        ("char signed", "signed char"),
        ("int short const", "const short"),
        ("signed", "int"),
        ("double long", "long double"),
        ("_Complex", "_Complex double"),
        ("long double _Complex", "_Complex long double"),
        ("signed long", "long"),
        ("__int128 unsigned", "unsigned __int128"),
    ];
    for (written, shown) in cases {
        let analysed = Analysed::clean(&format!("{written} x;"));
        assert_eq!(analysed.shown("x"), format!("{shown} x"), "{written}");
    }
    for wrong in ["long char", "short long", "signed unsigned", "float int"] {
        let analysed = Analysed::of(&format!("{wrong} x;"), None);
        assert_eq!(analysed.codes, ["E0202"], "{wrong}");
    }
}

const ACCEPTED: &str = include_str!("declarations.c");

#[test]
fn what_gcc_accepts_is_accepted() {
    let analysed = Analysed::of(ACCEPTED, None);
    let errors: Vec<_> = analysed
        .codes
        .iter()
        .filter(|c| c.starts_with('E'))
        .collect();
    assert!(errors.is_empty(), "{errors:?}");
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/declarations.c");
    let gcc = Command::new("gcc")
        .args(["-std=gnu11", "-w", "-fsyntax-only", path])
        .status();
    assert!(gcc.is_ok_and(|s| s.success()), "the oracle takes it too");
    assert!(analysed.module.items.iter().all(|i| i.verbatim));
}

#[test]
fn wrong_declarations_draw_their_codes() {
    let cases = [
        ("int x; char x;", "E0200"),
        ("int f(int); int f(char);", "E0200"),
        ("typedef int x; int x;", "E0200"),
        ("int x = 1; int x = 2;", "E0201"),
        (
            "int f(void) { return 0; } int f(void) { return 1; }",
            "E0201",
        ),
        ("struct S { int x; }; struct S { int y; };", "E0201"),
        ("void f(void) { int x; char x; }", "E0201"),
        ("void f(int a, int a) {}", "E0201"),
        ("struct S { struct T t; };", "E0204"),
        ("void f(void) { struct T t; }", "E0204"),
        ("int x[-1];", "E0205"),
        ("int x[1.5];", "E0205"),
        ("void x[3];", "E0206"),
        ("int x[][];", "E0206"),
        ("int f(void)[3];", "E0207"),
        ("struct S { int x : 33; };", "E0209"),
        ("struct S { int x : 0; };", "E0209"),
        ("struct S { double x : 3; };", "E0209"),
        ("struct S { int x; struct { int x; }; };", "E0210"),
        ("struct S; union S *p;", "E0211"),
        ("struct S { int a; } s = { .b = 1 };", "E0214"),
        ("int a[2] = { [2] = 1 };", "E0214"),
        ("int a[1] = { 1, 2 };", "W0215"),
        ("_Static_assert(1 == 2, \"no\");", "E0217"),
        ("x;", "W0218"),
        ("int n; int a[n];", "E0221"),
        ("struct S { int a[]; int b; };", "E0224"),
        ("extern int x; static int x;", "E0225"),
        ("enum { A = 1.5 };", "E0317"),
        ("enum { A, A };", "E0200"),
    ];
    for (text, code) in cases {
        let analysed = Analysed::of(text, None);
        assert_eq!(analysed.codes, [code], "{text}");
    }
}

/// The number of a word is not kept modulo a power of two.
#[test]
fn many_times_the_same_specifier() {
    for word in ["long", "int", "signed", "_Complex"] {
        for number in [3, 4, 255, 256, 257, 258, 259, 512, 65_536, 65_538] {
            let text = format!("{} x;", vec![word; number].join(" "));
            let analysed = Analysed::of(&text, None);
            assert_eq!(analysed.codes, ["E0202"], "{number} times {word}");
        }
    }
}

#[test]
fn block_sizes() {
    // Layout, declarator, block size with dynamic THREADS, and with 4.
    let cases = [
        ("shared", "x", 1, 1),
        ("shared [3]", "x", 3, 3),
        ("shared []", "x[10]", 0, 0),
        ("shared [0]", "x[10]", 0, 0),
        ("shared [2 * 3]", "x[THREADS]", 6, 6),
        ("shared [*]", "x", 1, 1),
        ("shared [*]", "x[10 * THREADS]", 10, 10),
        ("shared [*]", "x[3 * THREADS][5]", 15, 15),
    ];
    for (layout, declarator, dynamic, fixed) in cases {
        for (threads, block) in [(None, dynamic), (Some(4), fixed)] {
            let text = format!("{layout} int {declarator};");
            let analysed = Analysed::of(&text, threads);
            assert!(analysed.codes.is_empty(), "{:?} {text}", analysed.codes);
            let elem = analysed.module.types.shared_elem(analysed.object("x"));
            assert_eq!(elem.map(|(_, b)| b), Some(block), "{text} {threads:?}");
        }
    }
    for (n, block) in [(10, 3), (1, 1), (4, 1), (5, 2)] {
        let analysed = Analysed::of(&format!("shared [*] int x[{n}];"), Some(4));
        let elem = analysed.module.types.shared_elem(analysed.object("x"));
        assert_eq!(elem.map(|(_, b)| b), Some(block));
    }
}

#[test]
fn layouts_go_to_the_ultimate_element() {
    let analysed = Analysed::clean(
        "typedef int S[10]; shared [3] S T[3*THREADS]; typedef shared [5] int B; B *p; B a[5*THREADS];\
         typedef struct { int v; } R; shared R r; shared R *q;",
    );
    assert_eq!(analysed.shown("T"), "shared [3] int T[3*THREADS][10]");
    assert_eq!(analysed.shown("p"), "B *p");
    let types = &analysed.module.types;
    assert!(types.is_pts(analysed.object("p")) && types.is_pts(analysed.object("q")));
    assert_eq!(
        types.shared_elem(analysed.object("a")).map(|(_, b)| b),
        Some(5)
    );
    assert_eq!(analysed.shown("r"), "shared R r");
}

#[test]
fn redeclarations_agree_in_block_size() {
    Analysed::clean("extern shared [2] int x[]; shared [2] int x[2*THREADS];");
    for wrong in [
        "extern shared [2] int x[]; shared [3] int x[3*THREADS];",
        "extern shared int *p; shared [] int *p;",
        "extern int x; shared int x;",
        "void f(shared int *); void f(shared [2] int *);",
    ] {
        assert_eq!(Analysed::of(wrong, None).codes, ["E0200"], "{wrong}");
    }
}

#[test]
fn only_what_upc_touches_is_not_verbatim() {
    let text = "int a;\n\
        shared int b;\n\
        typedef shared int *pts;\n\
        struct S { pts p; };\n\
        struct S s;\n\
        pts q;\n\
        int f(int x) { return x; }\n\
        int g(void) { return MYTHREAD; }\n\
        int h(pts p) { return 0; }\n\
        int i(void) { int local[THREADS]; return 0; }\n\
        int j(int n) { int local[n]; return sizeof local; }\n\
        int k(void) { return sizeof(b); }\n\
        struct T { int x[sizeof(int)]; };\n";
    let analysed = Analysed::clean(text);
    let verbatim: Vec<bool> = analysed.module.items.iter().map(|i| i.verbatim).collect();
    let expected = [
        true, false, false, false, true, false, true, false, false, false, true, false, true,
    ];
    assert_eq!(verbatim, expected);
    // The nodes of a verbatim item are not kept.
    let kept = |i: &&upcc::il::Item| i.verbatim && !i.body.exprs.is_empty();
    assert!(analysed.module.items.iter().find(kept).is_none());
    let vla = analysed
        .module
        .items
        .iter()
        .find(|i| i.body.vlas.len() == 1);
    assert!(vla.is_some(), "the length of `local` is kept");
}

/// Returns the paths of the leaves of the list that initialises the last declared object.
fn paths(text: &str) -> Vec<Vec<PathElem>> {
    // The pointer-to-shared prevents the item from being copied verbatim, which would drop its nodes.
    let analysed = Analysed::clean(&format!("shared int *w; {text}"));
    let item = analysed.module.items.last().expect("an item");
    let ItemKind::Decl(group) = &item.kind else {
        panic!("a declaration")
    };
    let Some(upcc::il::Decl::Object {
        init: Some(init), ..
    }) = group.decls.last()
    else {
        panic!("an initialised object")
    };
    let mut found = Vec::new();
    leaves(&item.body, *init, &[], &mut found);
    found
}

/// Adds the path of each leaf of an initialiser, from `before` on.
fn leaves(
    body: &upcc::il::Body,
    init: upcc::il::InitId,
    before: &[PathElem],
    found: &mut Vec<Vec<PathElem>>,
) {
    match &body.inits[init].kind {
        InitKind::List(list) => {
            for (path, inner) in list {
                leaves(body, *inner, &[before, path].concat(), found);
            }
        }
        InitKind::Expr(_) => found.push(before.to_vec()),
    }
}

#[test]
fn braces_that_are_left_out() {
    use PathElem::{Field as F, Index as I, Range as R};
    let of = |init: &str| {
        paths(&format!(
            "struct {{ struct {{ int a[2], b; }} s[2]; union {{ int u; char c; }}; shared int *p; }} x[3] = {init};"
        ))
    };
    let first: Vec<_> = of("{ 1, 2, 3, 4 }");
    let expected = vec![
        vec![I(0), F(0), I(0), F(0), I(0)],
        vec![I(0), F(0), I(0), F(0), I(1)],
        vec![I(0), F(0), I(0), F(1)],
        vec![I(0), F(0), I(1), F(0), I(0)],
    ];
    assert_eq!(first, expected);
    let mixed = of("{ [1].s[1].b = 1, 2, w, 4, [0 ... 1].u = 5, w, { .p = w } }");
    let expected = vec![
        vec![I(1), F(0), I(1), F(1)],
        vec![I(1), F(1), F(0)],
        vec![I(1), F(2)],
        vec![I(2), F(0), I(0), F(0), I(0)],
        vec![R(0, 1), F(1), F(0)],
        vec![I(1), F(2)],
        vec![I(2), F(2)],
    ];
    assert_eq!(mixed, expected);
}

#[test]
fn a_large_initialiser_takes_linear_time() {
    let numbers: Vec<String> = (0..100_000).map(|n| n.to_string()).collect();
    let text = format!(
        "struct {{ int x, y[4]; }} a[] = {{ {} }};",
        numbers.join(",")
    );
    let start = std::time::Instant::now();
    let analysed = Analysed::clean(&text);
    assert_eq!(analysed.shown("a"), "struct <anonymous> a[20000]");
    assert!(start.elapsed().as_secs() < 20);
}

#[test]
fn deep_nesting_needs_no_stack() {
    let n = 3000;
    let nest = |open: &str, close: &str| format!("{}{}", open.repeat(n), close.repeat(n));
    for text in [
        format!("int x = {}1{};", "{".repeat(n), "}".repeat(n)),
        format!("int {}x{};", "(".repeat(n), ")".repeat(n)),
        format!("int {}x;", "*".repeat(n)),
        format!("int f({});", nest("int (*)(", ")")),
        format!(
            "int x{} = {}1{};",
            "[1]".repeat(n),
            "{".repeat(n),
            "}".repeat(n)
        ),
        format!(
            "struct {{ {}int x;{} }} s;",
            "struct { ".repeat(n),
            " };".repeat(n)
        ),
    ] {
        Analysed::clean(&text);
    }
}

/// `mode` and `vector_size` change the type of the member that they stand on, not that of the structure around it.
#[test]
fn attributes_of_members_leave_the_structure_alone() {
    let unit = Analysed::clean(
        "struct s { int a __attribute__((mode(DI))); __attribute__((vector_size(16))) int b; } v; \
         enum e { E __attribute__((unused)) } __attribute__((mode(QI))) w; \
         struct __attribute__((vector_size(8))) s *p; \
         _Static_assert(sizeof v.a == 8 && sizeof v.b == 16 && sizeof v == 32, \"sizes\");",
    );
    assert_eq!(unit.shown("v"), "struct s v");
    assert_eq!(unit.shown("p"), "struct s *p");
}
