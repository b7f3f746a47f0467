//! Initialisers that C does not support, and shared objects that have one.

use crate::assert_translation;

#[test]
fn static_pointers() {
    assert_translation!(
        r#"
shared int x[10*THREADS];
shared int *p = &x[3];
shared int *const q = x;
shared int *none = 0;
static shared int *table[4] = { x, [2] = &x[1] };
struct s { int n; shared int *p; } s = { 1, &x[5] }, *sp = &(struct s){ 2, x };
int f(void)
{
    static shared int *here = &x[7];
    return *p + *q + *here + *table[0] + *s.p + *sp->p + (none == 0);
}
"#
    );
}

#[test]
fn shared_objects() {
    assert_translation!(
        r#"
struct pair { int a; struct { char c[3]; } in; };
shared int x = 5, zero = 0;
static shared int y = 6;
shared [] int a[4] = { 1, [2 ... 3] = 7 };
shared struct pair s = { 1, { "ab" } };
shared [] char text[8] = "hello";
int f(void)
{
    static shared int count = 3;
    return count++ + x + y + zero + a[0] + s.a + text[1];
}
"#
    );
}

#[test]
fn statics_of_local_types() {
    assert_translation!(
        r#"
shared int x[10*THREADS];
int f(void)
{
    static struct here { shared int *p; int n; } s[2] = { [1] = { &x[3], 4 } };
    typedef shared int *pointer;
    static pointer p = x;
    return *s[1].p + s[1].n + *p;
}
"#
    );
}

#[test]
fn const_members() {
    assert_translation!(
        r#"
shared int a[3 * THREADS];
struct small { int a; const unsigned f : 11; };
struct pointing { shared int *const p; volatile const int g : 9; const char text[3]; };
static shared struct small g = { -1, 1392 };
static const struct pointing pc = {
    &a[2],
    -3,
    "ab" };
"#
    );
}
