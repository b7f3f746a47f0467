//! Pointers-to-shared: arithmetic, comparison, conversions.

use crate::assert_translation;

#[test]
fn arithmetic_by_block_size() {
    assert_translation!(
        r#"
shared int *cyclic;
shared [8] int *blocked;
shared [] int *here;
long f(int n)
{
    cyclic++;
    blocked += n;
    here = here - n;
    *cyclic++ = *--blocked;
    return (cyclic - (cyclic + 1)) + (blocked - blocked) + (here - here);
}
"#
    );
}

#[test]
fn arrays_of_run_time_length() {
    assert_translation!(
        r#"
int next(void);
int f(int n, shared [3] int (*p)[n])
{
    shared int (*q)[next()][2] = 0;
    p++;
    q[1][n][0] = sizeof *p;
    return (p - p) + ((shared int (*)[next()])q)[n][1];
}
"#
    );
}

#[test]
fn comparisons_and_truth() {
    assert_translation!(
        r#"
int f(shared int *p, shared int *q, shared void *v)
{
    if (p)
        return !q;
    while (p && q != 0)
        p++;
    for (; p; p--)
        if (p == q || p > q)
            break;
    _Bool b = q;
    return b ? v == p : p <= q;
}
"#
    );
}

#[test]
fn casts() {
    assert_translation!(
        r#"
shared [4] int a[4*THREADS];
shared int *f(shared void *v, shared [4] int *p)
{
    int *local = (int *)&a[MYTHREAD * 4];
    shared [] int *mine = (shared [] int *)p;
    shared [4] int *same = v;
    shared int *other = (shared int *)p;
    void *where = (void *)p;
    *local = *mine + *same + (where != 0);
    v = p;
    p = 0;
    return (shared int *)v ? other : (shared int *)0;
}
"#
    );
}

#[test]
fn library_inline_forms() {
    assert_translation!(
        r#"
unsigned long upc_threadof(shared void *);
unsigned long upc_phaseof(shared void *);
unsigned long upc_addrfield(shared void *);
shared void *upc_resetphase(shared void *);
shared [4] int a[4*THREADS];
unsigned long f(int i)
{
    shared [4] int *p = upc_resetphase(&a[i]);
    return upc_threadof(&a[i]) + upc_phaseof(p) + upc_addrfield(p);
}
"#
    );
}

#[test]
fn pointers_to_arrays() {
    assert_translation!(
        r#"
shared [6] int a[THREADS][6];
int f(int i)
{
    shared [6] int (*row)[6] = a;
    shared [6] int (*whole)[THREADS][6] = &a;
    row += i;
    return (*row)[2] + row[1][3] + (*whole)[i][1] + (row - a);
}
"#
    );
}

#[test]
fn pointers_in_shared_memory() {
    assert_translation!(
        r#"
shared int *shared p;
shared [] char *shared names[THREADS];
shared int *shared *pp;
int f(int i)
{
    p = p + 1;
    p++;
    names[i]++;
    *names[i] = 'x';
    return **pp + (*p)++ + (pp == &p);
}
"#
    );
}

#[test]
fn elvis_and_conditional() {
    assert_translation!(
        r#"
shared int *pick(shared int *a, shared int *b, int c)
{
    shared int *p = a ?: b;
    return c ? p : 0;
}
"#
    );
}

#[test]
fn small_transfers() {
    assert_translation!(
        r#"
void upc_memget(void *, const shared void *, unsigned long);
void upc_memput(shared void *, const void *, unsigned long);
void upc_memcpy(shared void *, const shared void *, unsigned long);
shared [4] double a[4*THREADS];
void f(int i, double *p, unsigned long n)
{
    upc_memget(p, &a[i], sizeof *p);
    upc_memput(&a[i], p, 4 * sizeof *p);
    upc_memcpy(&a[i], &a[0], 64);
    upc_memcpy(&a[i], &a[0], 65);
    upc_memcpy(&a[i], &a[0], n);
    upc_memget(p, &a[i], 0);
}
"#
    );
}

#[test]
fn arrays_of_one_block_for_each_thread() {
    assert_translation!(
        r#"
shared [4] double one[4*THREADS];
shared [4] double two[8*THREADS];
extern shared [4] double some[];
shared [4] struct { int a, b; } records[3*THREADS];
double f(int i, shared [4] double *p)
{
    p = &one[i];
    records[i].b = *p;
    return one[i] + two[i] + some[i] + p[i] + *(double *)&one[i];
}
"#
    );
}
