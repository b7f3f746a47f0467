//! Typedef names: in force exactly where C says.

mod common;

use common::{errors, good};
use upcc_grammar::ast::*;

#[test]
fn redeclared_in_inner_scopes() {
    good("typedef int T; void f(void) { T T = 1; T = T * 2; { int T; T++; } } T g;");
    good("typedef int T; void f(int T) { T = T * T; } T after;");
    good("typedef int T; void f(void) { for (int T = 0; T < 3; T++) T * T; T x; }");
    good("typedef int T; int f(void) { enum { T = 3 } e = T; return T * e; } T x;");
    good("typedef int T; void f(void) { typedef char T; { T x; } } T y;");
    good("typedef int T; void f(void) { int x = sizeof(T), T = x, y = T * x; }");
    good("typedef int T; void f(void) { if (sizeof(enum { T })) T + 1; T x; }");
    good("typedef int T; void f(int a) { if (a) (void)sizeof(enum { T }); else { T x; } T y; }");
    good("typedef int T; void f(int a) { while (sizeof(enum { T })) T + 1; T x; }");
    good("typedef int T; int x = ({ int T = 1; T * T; }); T y;");
}

#[test]
fn redeclared_in_their_own_declaration() {
    good("typedef int T; void f(void) { T *T = 0; T; }");
    good("typedef int T; void f(void) { T T = sizeof T; }");
    good("typedef signed int t; struct tag { unsigned t:4; const t:5; t r:5; };");
    good("typedef int T, *U, V[3]; T t; U u; V v;");
    good("typedef struct S S; struct S { S *next; }; S s;");
    good("int typedef unsigned T; T x; long unsigned typedef int U; U y;");
    good("typedef int T; enum { A = sizeof(T), T, B = T }; int x = T * B;");
}

#[test]
fn floating_types_of_gcc_where_the_text_declares_them() {
    good(
        "typedef float _Float32; typedef __float128 _Float128; _Float32 x; _Complex double y; _Float128 z;",
    );
    good("_Float32 x; _Complex _Float64 y; _Float128 z; __float128 w;");
}

#[test]
fn other_name_spaces() {
    good("typedef int T; struct T { T T; }; union U { struct T T; }; enum E { X }; T x;");
    good("typedef int T; void f(struct T { int T; } *p) { p->T = 1; goto T; T: p->T++; T x; }");
    good("typedef int T; struct S { T T; } s = { .T = 1 }; struct S r = { T: 2 };");
    good("typedef int T; int f(void) { T: T: return __builtin_offsetof(struct { int T; }, T); }");
    good("typedef int T; void f(void) { void *p = &&T; T: ; T x; }");
}

#[test]
fn parameters() {
    good("typedef int T; int f(int(T)); int g(int T(T)); int h(T T, int x[sizeof(T)]); T x;");
    good("typedef int T; int f(T); int g(T[3]); int h(T(*)(T)); int i(T *(T)); int k(const T);");
    good(
        "typedef int T; void f(T T, T2) ;"
            .replace("T T, T2", "int x, T y")
            .as_str(),
    );
    good("typedef int T; void f(int T) { T * T; } void g(T T) { T = 3; }");
    good(
        "typedef int T; void (*f(int T))(T x) { T * 1; }"
            .replace("(T x)", "(int x)")
            .as_str(),
    );
    good("typedef int T; int (*f(int T))[1] { T = T * T; return 0; } T g;");
    good("typedef int T; void f(enum { T } x) { T * x; } T y;");
    good("f(a, b) int a; char *b; { return a * *b; }");
    good("typedef int T; int f(a) T a; { T x = a; return x; }");
    assert!(!errors("typedef int T; int f(a, T) int a; { }").is_empty());
}

#[test]
fn the_function_itself_and_its_scope() {
    good("typedef int T; void T2(void); void f(void) { f(); }");
    good("typedef int T; void g(void) { int T(void); T(); } T x;");
    let parsed = good(
        "typedef int T; int f(int (*T)(T x)) { return T(1); }"
            .replace("(T x)", "(int x)")
            .as_str(),
    );
    assert!(matches!(parsed.ast.items[1].kind, ItemKind::Function(_)));
}

#[test]
fn expressions_that_look_like_declarations() {
    let parsed =
        good("typedef int T; int a, b; void f(void) { T *a; b * a; (T)(a); (b)(a); T(c); }");
    let kinds: Vec<bool> = parsed
        .ast
        .stmts
        .iter()
        .filter_map(|s| match s.kind {
            StmtKind::Decl(_) => Some(true),
            StmtKind::Expr(_) => Some(false),
            _ => None,
        })
        .collect();
    assert_eq!(kinds, [true, false, false, false, true]);
}

#[test]
fn implicit_int() {
    good("main() { return 0; } x; static y; const z = 3, w; extern f(), *g(); *p;");
    good("void f(void) { register i; static j = 2; auto k = 1; const c = 1; i + j + k + c; }");
    good("typedef T; T x; int f(register i, const *p) { return i + *p; }");
    good("typedef int T; const T; static T x; volatile T *y;");
}
