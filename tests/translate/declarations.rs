//! Declarations: storage, typedefs, types that hide pointers-to-shared.

use crate::assert_translation;

#[test]
fn storage_of_shared_objects() {
    assert_translation!(
        r#"
shared int tentative;
shared int tentative;
extern shared int elsewhere;
static shared double internal[THREADS];
shared [5] char blocks[13*THREADS];
_Alignas(64) shared int aligned;
shared struct { int a, b; } anonymous;
int f(void)
{
    static shared int local;
    extern shared int elsewhere_too;
    return local + elsewhere_too + tentative + elsewhere + anonymous.b;
}
"#
    );
}

#[test]
fn typedefs() {
    assert_translation!(
        r#"
typedef shared int sint;
typedef sint *psint;
typedef shared [4] int block_t[4];
typedef psint (*callback)(psint, int);
typedef int plain_t;
sint x;
psint p;
const psint cp;
callback cb;
shared plain_t y;
int f(psint *restrict pp, block_t *b)
{
    psint local = *pp;
    p = cb(local, 1);
    return *p + x + y + (*b)[2] + *cp;
}
"#
    );
}

#[test]
fn declarators() {
    assert_translation!(
        r#"
shared int *a[3], *(*f(int))(void), *(*table[2])(shared int *, int), **pp;
shared int *volatile vp, *const *cpp;
int n, *q, m[2];
static shared int *__restrict s __attribute__((unused));
register_like(shared int *p) { return *p; }
"#
    );
}

#[test]
fn variable_length_arrays() {
    assert_translation!(
        r#"
int f(int n)
{
    int a[THREADS], b[n][THREADS + 1];
    shared int *p[n];
    int (*row)[THREADS] = &a;
    for (int i = 0; i < n; i++)
        p[i] = 0;
    a[0] = b[0][0] = 1;
    return sizeof b + sizeof a + (*row)[0] + (p[0] == 0);
}
"#
    );
}

#[test]
fn loop_declarations() {
    assert_translation!(
        r#"
int f(shared int *a, int n)
{
    int sum = 0;
    for (shared int *p = a, *q = a + n; p != q; p++)
        sum += *p;
    for (shared int *p = a, **pp = &p; *pp; (*pp)++)
        sum++;
    return sum;
}
"#
    );
}

/// Data with the names of C library functions, which compilers know.
#[test]
fn library_names() {
    assert_translation!(
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
