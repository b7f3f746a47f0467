//! Performance events: where instrumented code raises them, by flag and by pragma.

use crate::assert_translation;

/// An access is a pair of events, preceded by its operands and the accesses in them.
#[test]
fn accesses() {
    assert_translation!(
        flags = &["-O", "--inst"],
        r#"
shared int a[10*THREADS], b[10*THREADS];
shared int *shared p;
strict shared int s;
int side(void);
int f(int i)
{
    a[i] = b[a[i]] + 1;
    a[i] += side();
    a[i]++;
    --a[side()];
    *p = 1;
    s = s + 1;
    if (a[0] && b[0] || a[1])
        i = a[2] ? b[2] : (a[3], b[3]);
    return a[i] + b[i];
}
"#
    );
}

#[test]
fn records_and_bit_fields() {
    assert_translation!(
        flags = &["-O", "--inst"],
        r#"
struct S { int x; unsigned bits : 3; struct { int y; } in; };
shared struct S s, t;
void f(shared struct S *p)
{
    s = t;
    struct S mine = s, pair[2] = { s, t };
    p->in.y = p->x;
    s.bits++;
    mine = *p;
    *p = mine.x ? pair[1] : mine;
}
"#
    );
}

/// Sizes of arrays are computed, operands of sizeof are not.
#[test]
fn sizes_and_unevaluated_operands() {
    assert_translation!(
        flags = &["-O", "--inst"],
        r#"
shared int n, a[10*THREADS];
unsigned long f(void)
{
    int v[n + 1];
    __typeof__(a[n]) w = 0;
    return sizeof(a[n]) + sizeof v + sizeof(v[n]) + w + (unsigned long)&a[n];
}
"#
    );
}

#[test]
fn synchronization() {
    assert_translation!(
        flags = &["-O", "--inst"],
        r#"
shared int x;
void f(int i)
{
    upc_notify;
    upc_wait;
    upc_barrier x;
    upc_notify i;
    upc_wait i;
    upc_fence;
}
"#
    );
}

/// An access that is provably local raises nothing; with `--inst-local` it remains an access that raises events.
#[test]
fn owned_iterations() {
    assert_translation!(
        flags = &["-O", "--inst"],
        r#"
shared int a[10*THREADS], b[10*THREADS];
void f(void)
{
    upc_forall (int i = 0; i < 10*THREADS; i++; &a[i])
        a[i] = b[i] + b[i + 1];
}
"#
    );
}

/// Accesses to neighbouring elements that leave a block only at its ends raise nothing inside the block.
#[test]
fn neighbours_of_owned_elements() {
    assert_translation!(
        flags = &["-O", "--inst"],
        r#"
shared [40] int a[80*THREADS], b[80*THREADS];
int main(void)
{
    upc_forall (int i = 1; i < 80*THREADS - 2; i++; &b[i])
        b[i] = a[i - 1] + a[i] + a[i + 2];
}
"#
    );
}

#[test]
fn owned_iterations_that_raise_events() {
    assert_translation!(
        flags = &["-O", "--inst-local"],
        r#"
shared int a[10*THREADS], b[10*THREADS];
void f(void)
{
    upc_forall (int i = 0; i < 10*THREADS; i++; &a[i])
        a[i] = b[i] + b[i + 1];
}
"#
    );
}

/// Whole loops are bracketed, including their heads, on every way out.
#[test]
fn loops() {
    assert_translation!(
        flags = &["-O", "--inst"],
        r#"
shared int n, a[10*THREADS];
int f(void)
{
    int i, sum = 0;
    upc_forall (i = n; i < n; i += n; a[i]) {
        if (sum > 5)
            return a[i];
        if (sum < 0)
            continue;
        if (sum == 3)
            goto out;
        upc_forall (int j = 0; j < 3; j++; continue)
            sum += a[j];
    }
out:
    return sum;
}
"#
    );
}

/// Verbatim functions keep their text, except for the calls and braces that raise events.
#[test]
fn verbatim_text() {
    assert_translation!(
        flags = &["-O", "--inst-functions"],
        r#"
void *malloc(unsigned long);
void *calloc(unsigned long, unsigned long);
void *realloc(void *, unsigned long);
void free(void *);
static int odd (  int n ) { return n  %  2; }
__attribute__((noinline)) char *
copy(const char *s, // the text
     unsigned long n)
{
    char *p = malloc(n), *q = (calloc)(n, 1);
    if (sizeof(malloc(3)) == 8 && odd((int)n))
        p = realloc(p,
                    n * 2);
    void (*other)(void *) = free;
    other(q);
    return s ? p : (free(p), (char *)0);
}
int old(n) int n; { return n; }
__attribute__((no_instrument_function)) int quiet(void) { return 1; }
"#
    );
}

/// A function of the user's own is not a library function, whatever its name.
#[test]
fn own_functions_of_library_names() {
    assert_translation!(
        flags = &["-O", "--inst"],
        r#"
extern shared void *upc_alloc(unsigned long);
extern void upc_free(shared void *);
static void upc_free_all(void) { }
void *malloc(unsigned long n) { return 0; }
void free(void *);
void f(int free_it)
{
    shared void *p = upc_alloc(8);
    void (*free)(shared void *) = upc_free;
    free(p);
    upc_free(p);
    malloc(free_it);
    upc_free_all();
}
"#
    );
}

/// Lists name events one by one.
#[test]
fn listed_events() {
    assert_translation!(
        flags = &["-O", "--inst-only", "list"],
        list = "GASP_UPC_PUT\nGASP_UPC_LOCK\n",
        r#"
typedef shared struct upcr_lock upc_lock_t;
extern void upc_lock(upc_lock_t *), upc_unlock(upc_lock_t *);
shared int a[THREADS];
void f(upc_lock_t *l)
{
    upc_lock(l);
    a[0] += a[1];
    upc_unlock(l);
    upc_barrier;
}
"#
    );
}

#[test]
fn strict_accesses_alone() {
    assert_translation!(
        flags = &["-O", "--profile-partial", "list"],
        list = "PUPC_STRICT_PUT\nPUPC_STRICT_GET\nPUPC_FENCE\n",
        r#"
strict shared int s;
shared int r;
void f(void) { s = r; r = s; upc_fence; upc_barrier; }
"#
    );
}

/// The pragma applies until the end of its block. An event that began before it is still reported at its end; user
/// events are always reported.
#[test]
fn pragmas() {
    assert_translation!(
        flags = &["-O", "--inst-functions"],
        r#"
extern void pupc_event_start(unsigned, ...), pupc_event_end(unsigned, ...);
extern int pupc_control(int);
shared int a[THREADS];
int plain(unsigned tag)
{
#pragma pupc off
    pupc_event_start(tag, 1, "two");
    pupc_control(0);
    return 0;
}
void f(unsigned tag)
{
    a[0] = 1;
    {
#pragma pupc off
        a[1] = 2;
        pupc_event_end(tag, a[0]);
        upc_barrier;
#pragma pupc on
        a[2] = 3;
#pragma pupc off
    }
    a[3] = a[4]
#pragma pupc off
        + a[5];
    upc_fence;
}
#pragma pupc off
int quiet(void) { return a[6]; }
#pragma pupc on
int function(void) { return a[7]; }
"#
    );
}

/// Functions on a list are not reported; the events inside them are.
#[test]
fn excluded_functions() {
    assert_translation!(
        flags = &["-O", "--inst-functions", "--exclude-functions", "list"],
        list = "light\n",
        r#"
shared int a[THREADS];
int light(void) { return a[0]; }
int heavy(void) { return a[0]; }
"#
    );
}

/// Iterations that can be counted without reports run without events, if all accesses step evenly and each iteration
/// makes them.
#[test]
fn loops_that_count() {
    assert_translation!(
        flags = &["-O", "--inst"],
        r#"
shared [3] int a[100*THREADS], b[10][4*THREADS];
shared int n;
int other(int);
static int twice(int x) { return 2 * x; }
static int through(int x) { return other(x); }
_Noreturn void exit(int);
long f(unsigned long m, int k)
{
    long sum = 0;
    for (unsigned long i = 0; i < m; i++)
        a[6 * i + k] += n;
    for (int i = k; i <= 9; ++i)
        sum += twice(b[i][k]);
    for (int i = k; i <= 9; ++i)
        sum += through(b[i][k]);
    for (int i = 0; i < 9; i++)
        if (a[k + i] < 0)
            exit(1);
    for (int i = 0; i < 9; i++)
        sum += i < k ? a[i] : 0;
    return sum;
}
"#
    );
}

/// A loop through pointers that do not change has a version without events, for pointers to local memory.
#[test]
fn loops_through_unchanging_pointers() {
    assert_translation!(
        flags = &["-O", "--inst"],
        r#"
typedef shared [] double *row_t;
shared [] double *other(void);
void sweep(double *to, shared [] const double *up, row_t down, shared double *cyclic, int n)
{
    for (int x = 1; x < n; x++)
        to[x] = up[x] + down[x - 1] + to[x - 1];
    for (int x = 1; x < n; x++)
        to[x] = up[x] + cyclic[x];
    for (int x = 1; x < n; x++)
        *down++ = up[x];
    while (*down)
        for (int x = 1; x < n; x++) {
            down[x] += 1;
            if (down[x] > 4) break;
        }
    for (int x = 1; x < n; x++)
        other()[x] = down[x];
    for (int x = 1; x < n; x++)
        if (up[x] > 0)
            n--;
}
"#
    );
}

/// A name declared in a loop's body is not invariant: no test in front of the loop uses it, or an outer declaration of
/// the same name.
#[test]
fn names_that_bodies_declare() {
    assert_translation!(
        flags = &["-O", "--inst"],
        r#"
shared int c[10*THREADS];
typedef shared [] int *own_t;
own_t dir[4];
long f(int k)
{
    long s = 0;
    for (int i = 0; i < 5; i++) {
        int k = i;
        s += c[k];
    }
    for (int i = 0; i < 4; i++) {
        own_t p = dir[i];
        s += p[0];
    }
    for (int i = 0; i < 4; i++) {
        int k[2];
        s += c[i + sizeof k / sizeof *k];
    }
    return s + k;
}
"#
    );
}

/// Directives in front of a loop stay there: hints in front of each version, other pragmas in front of the unchanged
/// loop.
#[test]
fn pragmas_in_front_of_loops() {
    assert_translation!(
        flags = &["-O", "--inst"],
        r#"
shared int c[10*THREADS];
shared [4] int b[4*THREADS];
int f(void)
{
    int s = 0;
#pragma GCC ivdep
    for (int i = 0; i < 5; i++)
        s += c[i];
#pragma GCC unroll 2
    upc_forall (int i = 0; i < 4; i++; &b[i])
        s += b[i];
#pragma omp parallel for
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 5; j++)
            b[j] = c[i];
#pragma omp parallel
    {
        for (int j = 0; j < 5; j++)
            b[j] = 0;
    }
again:
    __attribute__((unused))
    for (int i = 0; i < 5; i++)
        s += c[i];
    if (s < 0)
        goto again;
    return s;
}
"#
    );
}
