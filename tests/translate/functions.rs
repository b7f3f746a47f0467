//! Functions with pointers-to-shared in their types.

use crate::assert_translation;

#[test]
fn definitions() {
    assert_translation!(
        r#"
static inline shared int *next(shared int *p, int by) { return p + by; }
__attribute__((noinline)) shared [] char *id(shared [] char *p __attribute__((unused))) { return p; }
int old(p, c) shared int *p; char c; { return *p + c; }
void none();
int many(int n, ...)
{
    __builtin_va_list ap;
    __builtin_va_start(ap, n);
    shared int *p = __builtin_va_arg(ap, shared int *);
    __builtin_va_end(ap);
    return n ? *p + old(p, 'c') + many(0, next(p, n), id(0)) : 0;
}
"#
    );
}

#[test]
fn function_pointers() {
    assert_translation!(
        r#"
shared int *pick(shared int *a, shared int *b) { return a ? a : b; }
int f(shared int *a, shared int *(*g)(shared int *, shared int *))
{
    shared int *(*h)(shared int *, shared int *) = g ? g : pick;
    return *h(a, 0) + *(*g)(a, a) + *pick(a, 0);
}
"#
    );
}

/// The headers declare hundreds of functions. The C text has those that the program names, if only in a pragma.
#[test]
fn unused_library_functions() {
    let source = r#"
#include <upc.h>
#include <stdio.h>
#pragma weak upc_alloc
shared void *(*allocate)(size_t, size_t) = upc_all_alloc;
int f(shared void *p)
{
    upc_free(p);
    return puts("freed");
}
"#;
    let c = crate::translate(source, crate::Form::of(&["-O"]));
    let declares = |name: &str| c.contains(&format!("{name}("));
    for used in ["upc_alloc", "upc_all_alloc", "upc_free", "puts"] {
        assert!(declares(used), "{used} is not declared in\n{c}");
    }
    for unused in ["upc_global_alloc", "bupc_allocated", "printf", "strtol"] {
        assert!(!declares(unused), "{unused} is declared in\n{c}");
    }
}
