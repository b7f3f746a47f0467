//! Programs in all forms that users have: by default, checked, for static THREADS, over messages, instrumented.

use crate::assert_forms;

#[test]
fn forms_of_accesses() {
    assert_forms!(
        r#"
shared int a[10*THREADS];
strict shared int flag;
int f(int i)
{
    a[i] = a[i + 1] + 1;
    a[i] += 2;
    flag = a[i]++;
    return flag;
}
"#
    );
}

#[test]
fn forms_of_pointers() {
    assert_forms!(
        r#"
shared [3] int blocked[9*THREADS];
shared [3] int *f(shared [3] int *p, shared int *q, shared [] int *r, int n)
{
    p += n;
    q[n] = r[n] + *p;
    if (p - blocked > n && p != 0 && (shared void *)q == r)
        return p - 1;
    return &blocked[n];
}
"#
    );
}

#[test]
fn forms_of_casts() {
    assert_forms!(
        r#"
shared [4] int a[4*THREADS];
shared [] int *one(void) { return (shared [] int *)&a[4 * MYTHREAD]; }
int *mine(void) { return (int *)&a[4 * MYTHREAD]; }
shared void *generic(shared [4] int *p) { return p; }
shared [4] int *back(shared void *p) { return p; }
"#
    );
}

#[test]
fn forms_of_loops_by_owner() {
    assert_forms!(
        r#"
shared [8] double a[8*THREADS], b[8*THREADS];
void f(void)
{
    upc_forall (int i = 1; i < 8 * THREADS - 1; i++; &a[i])
        a[i] = b[i - 1] + b[i] + b[i + 1];
}
"#
    );
}

#[test]
fn forms_of_loops_by_number() {
    assert_forms!(
        r#"
shared int a[10*THREADS];
void f(int n)
{
    int i;
    upc_forall (i = 0; i < n; i++; i)
        upc_forall (int j = 0; j < n; j++; &a[j])
            a[j] += i;
}
"#
    );
}

#[test]
fn forms_of_counted_loops() {
    assert_forms!(
        r#"
shared [] int *shared dir[THREADS];
int f(int n)
{
    int s = 0;
    for (int i = 0; i < n; i++) {
        int k = i;
        shared [] int *p = dir[k];
        s += p[0];
    }
#pragma GCC ivdep
    for (int i = 0; i < n; i++)
        s += dir[0][i];
    return s;
}
"#
    );
}

#[test]
fn forms_of_synchronisation() {
    assert_forms!(
        r#"
shared int turn;
void f(int n)
{
    upc_notify n;
    upc_wait n;
    upc_barrier;
    upc_barrier turn;
    upc_fence;
}
"#
    );
}

#[test]
fn forms_of_library_calls() {
    assert_forms!(
        r#"
typedef unsigned long size_t;
typedef shared struct upcr_lock upc_lock_t;
extern void upc_lock(upc_lock_t *), upc_unlock(upc_lock_t *);
extern shared void *upc_alloc(size_t);
extern void upc_memput(shared void *, const void *, size_t), upc_memget(void *, shared const void *, size_t);
extern size_t upc_threadof(shared const void *), upc_phaseof(shared const void *);
shared [] char *f(char *local, upc_lock_t *lock, size_t n)
{
    shared [] char *p = upc_alloc(n);
    upc_lock(lock);
    upc_memput(p, local, n);
    upc_memget(local, p, n);
    upc_unlock(lock);
    return (int)upc_threadof(p) == MYTHREAD && upc_phaseof(p) == 0 ? p : 0;
}
"#
    );
}

#[test]
fn forms_of_structures() {
    assert_forms!(
        r#"
struct inner { unsigned low : 4, high : 12; short v[3]; };
struct __attribute__((packed)) outer { char tag; struct inner in; shared struct outer *next; };
shared struct outer list[THREADS];
int f(shared struct outer *p, struct outer *q, int i)
{
    p->in.high += 3;
    p->next->in.v[i] = p->tag;
    *q = *p;
    list[i] = *q;
    return p->next->next == 0;
}
"#
    );
}

#[test]
fn forms_of_initialisers() {
    assert_forms!(
        r#"
shared int a[10*THREADS];
shared int *table[] = { a, &a[7], [4] = a + 1 };
static shared double start = 2.5;
shared int *f(void)
{
    static shared int *kept = &a[3];
    static shared [2] int grid[4*THREADS][3];
    grid[1][2] = (int)start;
    return kept++;
}
"#
    );
}

#[test]
fn forms_of_effects() {
    assert_forms!(
        r#"
shared int a[10*THREADS];
int side(void);
int f(int i)
{
    int n = (a[i++], a[side()]) ? a[0] : (a[1] && a[2]);
    do
        a[n]--;
    while (a[n]);
    switch (a[n]) {
    case 0: return a[i] <<= 2;
    default: return ({ int k = a[n]; k + 1; });
    }
}
"#
    );
}

#[test]
fn forms_of_dimensions() {
    assert_forms!(
        r#"
shared [5] int m[4*THREADS][5];
int f(shared [5] int (*rows)[5], int i, int j)
{
    return m[i][j] + rows[i][j] + *(*(m + i) + j) + (int)(sizeof m / sizeof m[0]);
}
"#
    );
}
