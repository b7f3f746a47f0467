//! Declarations and statements of UPC and GNU C.

mod common;

use common::{errors, good};
use upcc_grammar::Parsed;
use upcc_grammar::ast::*;

fn specs_of_first(parsed: &Parsed) -> &Specs {
    let ItemKind::Decl(id) = parsed.ast.items[0].kind else {
        panic!("a declaration")
    };
    let DeclKind::Vars { specs, .. } = &parsed.ast[id].kind else {
        panic!("variables")
    };
    &parsed.ast[*specs]
}

#[test]
fn layouts() {
    for (text, layout, bits) in [
        ("shared int x;", None, qual::SHARED),
        ("shared [] int x;", Some("[]"), qual::SHARED),
        ("int shared [*] x;", Some("[*]"), qual::SHARED),
        (
            "strict shared [4*2] int x;",
            Some("e"),
            qual::SHARED | qual::STRICT,
        ),
        (
            "shared [N] strict const int x;",
            Some("e"),
            qual::SHARED | qual::STRICT | qual::CONST,
        ),
        (
            "typedef shared relaxed [1] int x;"
                .replace("relaxed [1]", "[1] relaxed")
                .as_str(),
            Some("e"),
            qual::SHARED | qual::RELAXED,
        ),
    ] {
        let parsed = good(text);
        let quals = &specs_of_first(&parsed).quals;
        assert_eq!(quals.bits, bits, "{text}");
        let found = quals.layouts.first().map(|(layout, _)| match layout {
            Layout::Empty => "[]",
            Layout::Star => "[*]",
            Layout::Expr(_) => "e",
        });
        assert_eq!(found, layout, "{text}");
    }
}

#[test]
fn shared_everywhere() {
    good("shared [2] int *p, * shared q, * shared [] * r, *shared [3] *s[4];");
    good("struct S { shared int *p; shared [4] struct S *next; int shared *q; } s;");
    good("shared [3] int a[3][4*THREADS], b[THREADS]; shared struct { int x:3; } c;");
    good("int shared *f(shared void *p, shared [5] char q[], int shared [*] *r);");
    good("typedef shared [10] int T; T *p; T x[10*THREADS]; int y = sizeof(shared [2] int *);");
    good("#pragma upc strict\nvoid f(void) {\n#pragma upc relaxed\nshared int *p; p = 0; }");
}

#[test]
fn qualifier_words_as_names_of_plain_c() {
    good("int g(int strict) { return strict ? strict * 2 : !strict; }");
    good("struct S { int shared; } s; int f(void) { return s.shared; }");
    assert!(!errors("shared int x; int strict = 1; strict shared int y;").is_empty());
}

#[test]
fn upc_statements() {
    good(
        "void f(shared int *p) { upc_forall (int i = 0; i < 9; i++; &p[i]) p[i] = i; upc_forall (;;;continue) ; upc_forall (;;;) ;
         upc_barrier; upc_barrier 3; upc_notify f(p); upc_wait; upc_fence; }",
    );
}

#[test]
fn gnu_statements() {
    good(
        "void f(int n) { __label__ a, b; switch (n) { case 1 ... 3: default: ; } a: b: goto *p[n]; x: int y = 1; { end: } {case_: ;}
         asm volatile goto (\"x\" : [o] \"=r\" (n), \"+m\"(*&n) : \"r\"(n) : \"memory\", \"cc\" : a, b); asm(\"\"); asm(\"\" ::: \"memory\");
         asm(\"nop\" : : \"i\"(3)); int nested(int q) { return q; } nested(1); if (n) for (;;) if (1) ; else ; else while (0) do ; while (1); }",
    );
}

#[test]
fn gnu_declarations() {
    good(
        "extern int a asm(\"b\"), c __asm__(\"d\") __attribute__((weak)) = 1; asm(\"top\"); __extension__ typedef struct { } E;",
    );
    good(
        "struct { int; union { int a; struct { char c; }; }; ; int z[0]; int f[]; _Static_assert(1, \"x\"); } s;",
    );
    good(
        "__typeof__(int[3]) a; typeof(a[0]) b; __auto_type c = 1; _Atomic(int) d; _Atomic int e; _Alignas(16) _Alignas(long) char f;",
    );
    good(
        "int x[] = { [0 ... 3] = 1, [4] 5, {}, }; struct P q = { x: 1, .y.z[2] = 3 }; __int128_t big; _Float128 g; _Complex double h;",
    );
    good(
        "[[maybe_unused]] int i; int j [[gnu::aligned(8)]]; __attribute__((aligned(8))) int __attribute__((packed)) k __attribute__((unused));",
    );
    good(
        "static inline __attribute__((always_inline)) int f(int a[static 3], int b[const *], int c[restrict static 1], int d[*]);",
    );
    good(
        "enum E { A, B __attribute__((deprecated)) = 2, C, } e; enum { Z }; _Noreturn void die(void); __thread int t; _Thread_local int u;",
    );
    good(
        "int f(void), g(); void (*signal(int, void (*)(int)))(int); int (*(*h)(void))[3]; char *(*(**m[3])(int))[2];",
    );
    good("# 1 \"a.c\" 1\n#pragma once\nint a; _Pragma(\"x\") int b;\r\n\x0c#ident \"v\"\nint c;");
}

#[test]
fn dangling_else() {
    let parsed = good("void f(int a) { if (a) if (a) ; else ; }");
    let ifs: Vec<bool> = parsed
        .ast
        .stmts
        .iter()
        .filter_map(|s| match s.kind {
            StmtKind::If(_, _, other) => Some(other.is_some()),
            _ => None,
        })
        .collect();
    assert_eq!(ifs, [true, false], "the inner one has the else");
}

#[test]
fn attributes_on_demand() {
    let mut parsed = good(
        "typedef int T; int x __attribute__((aligned(2*sizeof(T)), unused, mode(DI), __vector_size__(16), alias(\"y\"))), y [[gnu::weak]];",
    );
    let attrs = parsed.stream.attrs.clone();
    let symbol = parsed.interner.get("T");
    let items = parsed.attr_items(attrs[0], &mut |name| Some(name) == symbol);
    let names: Vec<&str> = items.iter().map(|i| parsed.interner.name(i.name)).collect();
    assert_eq!(
        names,
        ["aligned", "unused", "mode", "__vector_size__", "alias"]
    );
    let args: Vec<Option<usize>> = items
        .iter()
        .map(|i| i.args.as_ref().map(Vec::len))
        .collect();
    assert_eq!(args, [Some(1), Some(0), Some(1), Some(1), Some(1)]);
    let Some([aligned]) = items[0].args.as_deref() else {
        panic!("one argument")
    };
    assert!(matches!(
        parsed.ast[*aligned].kind,
        ExprKind::Binary(BinOp::Mul, ..)
    ));
    assert_eq!(
        parsed.stream.slice(parsed.ast[*aligned].span),
        "2*sizeof(T)"
    );
    let items = parsed.attr_items(attrs[1], &mut |_| false);
    assert_eq!(parsed.interner.name(items[0].name), "weak");
}
