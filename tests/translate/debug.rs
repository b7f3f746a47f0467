//! What `-g` adds for debuggers: names of pointers-to-shared, and carriers of their targets and of shared objects.

use crate::assert_translation;

#[test]
fn debug_objects() {
    assert_translation!(
        flags = &["-O", "-g"],
        r#"
shared int scalar;
shared [2] int pairs[4*THREADS];
shared [3] short grid[2*THREADS][3];
extern shared double elsewhere[];
static shared [] char one_thread[6];
shared [2] int *shared chain;
shared struct { int a, b; } anonymous;
int f(void)
{
    static shared int inside[THREADS];
    return inside[MYTHREAD] + pairs[3] + grid[1][2] + one_thread[5] + (chain == 0) + (int)elsewhere[1] + scalar + anonymous.b;
}
"#
    );
}

#[test]
fn debug_pointers() {
    assert_translation!(
        flags = &["-O", "-g"],
        r#"
typedef shared [2] int *pair_ptr;
struct point { int x; shared struct point *next; };
enum color { RED, GREEN };
shared struct point points[THREADS];
static pair_ptr cursor;
shared [2] int *same;
shared void *generic;
shared [3] short (*row)[3];
shared const enum color *colors[2];
shared [4] pair_ptr *to_pointers;
struct later *plain;
int f(shared struct later *unknown, shared int *(*callback)(int), int (*shared *functions)(shared char *))
{
    struct inner { int x; };
    shared struct inner *local = 0;
    shared [2] int *next = cursor + 1;
    return (local == 0) + *next + (unknown == 0) + points[1].next->x + (generic == 0) + (*row)[1] + (colors[0] == 0) + **to_pointers
        + (same == next) + (functions == 0) + (callback == 0) + (plain == 0);
}
"#
    );
}

/// Data with the names of C library functions, which compilers know.
#[test]
fn debug_library_names() {
    assert_translation!(
        flags = &["-O", "-g"],
        r#"
shared int index[THREADS];
shared double y0, gamma;
static shared double exp[2*THREADS];
extern shared int abs[];
double f(void)
{
    return index[0] + y0 + gamma + exp[1] + abs[2];
}
"#
    );
}
