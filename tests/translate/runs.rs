//! Loops that go through the memory of one thread by private pointers.

use crate::{assert_output, assert_translation};

#[test]
fn blocks_rows_and_strides() {
    assert_translation!(
        r#"
shared [40] double a[40*THREADS], b[40*THREADS];
shared [16] struct { int k; double d; } items[16*THREADS];
shared int cyclic[8*THREADS];
void axpy(int n, double by) { for (int i = 0; i < n; i++) b[i] += by * a[i]; }
double down(int n)
{
    double s = 0;
    int i;
    for (i = n - 1; i >= 0; i -= 2)
        s += a[i];
    return s + i;
}
int own(int n)
{
    int s = 0;
    for (int i = MYTHREAD; i < n; i += THREADS) {
        int next = i + THREADS;
        s += cyclic[next] + items[3].k;
    }
    return s;
}
int each(int n)
{
    int s = 0;
    for (int i = 0; i < n; i++)
        s += cyclic[i];
    return s;
}
void strided(int n) { for (int i = MYTHREAD; i < n; i += THREADS) a[i] = 0; }
"#
    );
}

#[test]
fn short_loops_and_columns() {
    assert_translation!(
        r#"
shared [64] int image[64*THREADS][64], edges[64*THREADS][64];
shared [32] double m[32*THREADS][32];
static const int weight[3][3] = {{1, 2, 1}, {0, 0, 0}, {-1, -2, -1}};
void blur(int i)
{
    int j, k;
    for (j = 1; j < 63; j++) {
        int s = 0;
        for (k = -1; k <= 1; k++)
            for (int l = -1; l <= 1; l++)
                s += weight[k + 1][l + 1] * image[i + k][j + l];
        edges[i][j] = s;
    }
}
double column(int j, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++)
        s += m[i][j];
    for (int i = n; i > 0; i -= 2)
        s += m[i][j];
    return s;
}
"#
    );
}

#[test]
fn pointers_that_count() {
    assert_translation!(
        r#"
shared [40] double a[40*THREADS];
shared int cyclic[8*THREADS];
double sum(shared [40] double *end)
{
    double s = 0;
    for (shared [40] double *p = a; p < end; p++)
        s += *p;
    shared int *q = &cyclic[MYTHREAD];
    do {
        s += *q;
        q += THREADS;
    } while (q != &cyclic[8 * THREADS + MYTHREAD] && 0);
    for (q = &cyclic[MYTHREAD]; q <= &cyclic[7 * THREADS + MYTHREAD]; q += THREADS)
        s += *q;
    int i = 0;
    do
        s += a[i++ * 1 - 1 + 1];
    while (i < 0);
    do {
        s += a[i];
        i++;
    } while (i < 7);
    return s;
}
"#
    );
}

#[test]
fn where_memory_may_not_be_mapped() {
    assert_translation!(
        flags = &["-O", "-network=mpi"],
        r#"
shared [40] double a[40*THREADS];
double sum(int n)
{
    double s = 0;
    for (int i = 0; i < n; i++)
        s += a[i];
    return s;
}
"#
    );
}

#[test]
fn writes_that_data_orders() {
    assert_translation!(
        flags = &["-O", "-network=mpi"],
        r#"
shared [40] int a[40*THREADS];
shared long b[40*THREADS];
void sort(int n, const int *key, long *place)
{
    for (int i = 0; i < n; i++) {
        if (key[i] > 0)
            a[place[key[i] % 8]++] = key[i];
        b[key[i]] += 1;
    }
}
void shift(int n, const int *key)
{
    for (int i = 0; i < n; i++)
        a[key[i]] = a[key[i + 1]];
}
"#
    );
}

#[test]
fn sections() {
    assert_output!(
        &["--emit=sections"],
        r#"
shared [40] double a[40*THREADS];
shared [8] int rows[8*THREADS][8];
shared int cyclic[8*THREADS];
strict shared int flag;
int f(int n, shared [] int *p, int *index)
{
    int s = 0, k = 0;
    for (int i = 0; i < n; i++)
        s += a[2 * i + 1] + rows[n][i] + cyclic[i] + cyclic[n * THREADS] + p[n - i];
    for (int i = n; i > 0; i--)
        s += cyclic[index[i]] + flag + (n > 3 ? cyclic[i / n] : 0);
    for (int i = 0; i < n; i += THREADS)
        s += cyclic[i] + a[i] + a[i * i];
    for (int i = 0; i < n; i++)
        if (cyclic[i] == 3)
            break;
    for (int i = 0; i < s; i++)
        s += cyclic[i];
    while (k < n)
        s += a[k++];
    for (int i = 0; i < n; i *= 2)
        s += a[i];
    return s;
}
"#
    );
}

#[test]
fn sections_of_nests_and_of_upc_forall() {
    assert_output!(
        &["--emit=sections"],
        r#"
shared [8] double a[64*THREADS], b[64*THREADS];
shared [64] double m[64*THREADS][64];
void f(int n)
{
    int i;
    upc_forall (i = 1; i < n - 1; i++; &a[i])
        b[i] = a[i - 1] + a[i + 1];
    upc_forall (i = 0; i < n; i++; &m[i][0])
        for (int j = 1; j < 63; j++)
            m[i][j] = m[i][j - 1] + a[i];
    for (int k = 0; k < 64; k++)
        for (i = 0; i < n; i++)
            m[i][k] = a[k];
}
"#
    );
}

/// The programs of chapter 7 of the MuPC thesis, and the pointers of its section 6.5.
#[test]
fn references() {
    assert_output!(
        &["--emit=refs"],
        r#"
#define N 240
shared int array[N*THREADS];
shared [N] double a[N*THREADS][N], c[N*THREADS][N];
shared double b[N][N*THREADS];
shared [N*N] int o[N*THREADS][N], e[N*THREADS][N];
strict shared int flag[THREADS];
void histogram(int n, const int *loc)
{
    for (int i = 0; i < n; i++)
        array[loc[i]]++;
}
void product(void)
{
    int i, j, k;
    upc_forall (i = 0; i < N*THREADS; i++; &a[i][0])
        for (j = 0; j < N; j++) {
            c[i][j] = 0;
            for (k = 0; k < N; k++)
                c[i][j] += a[i][k] * b[k][j];
        }
}
void sobel(int rows)
{
    int i, j;
    upc_forall (i = 1; i < rows - 1; i++; &e[i][0])
        for (j = 1; j < N - 1; j++)
            e[i][j] = o[i][j + 1] - o[i][j - 1] + o[i + 1][j] - o[i - 1][j];
}
double pairs(shared [] double *p, shared double *q, int n, long m)
{
    double s = 0;
    for (int i = 1; i < n; i++)
        s += p[i] + p[i - 1];
    for (int i = 1; i < n; i++)
        s += q[i] + q[i - 1];
    for (int i = 0; i < n; i++, m = m * 5 % n)
        s += p[m] + p[m + 1];
    return s;
}
int wait(int n)
{
    int s = 0;
    for (int i = 0; i <= n; i += 2)
        s += flag[i] + flag[MYTHREAD];
    while (s < n)
        s += array[s];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            array[j] = s;
    return s;
}
"#
    );
}

/// Counts are those of all calls; moves are those that the compiler makes.
#[test]
fn references_in_calls() {
    assert_output!(
        &["--emit=refs"],
        r#"
#define N 64
shared [N] double a[N*THREADS];
shared [N] int sorted[N*THREADS];
static int place[N];
static void sweep(int n)
{
    for (int i = 0; i < n; i++)
        a[i] += 1;
}
static void move(const int *key)
{
    for (int i = 0; i < N; i++)
        sorted[place[key[i]]++] = key[i];
}
static double walk(int depth, double s)
{
    for (int i = 0; i < N; i++)
        s += a[i];
    return depth > 0 ? walk(depth - 1, s) : s;
}
static double near(double s)
{
    for (int i = 1; i < N - 1; i++)
        for (int k = -1; k <= 1; k++)
            s += a[MYTHREAD * N + i + k];
    return s;
}
int main(void)
{
    int key[N] = {0};
    double s = 0;
    for (int step = 0; step < 10; step++) {
        sweep(N);
        upc_barrier;
        for (int half = 0; half < 2; half++)
            move(key);
        s += walk(3, s);
    }
    return near(s) < 0;
}
"#
    );
}

#[test]
fn conditions_that_step() {
    assert_translation!(
        flags = &["-O"],
        r#"
shared [] int a[100];
void f(int n, long m)
{
    while (n-- > 0)
        a[n] = 0;
    for (int i = -1; ++i < m;)
        a[i] = 1;
    do {
        a[n] = 2;
    } while (++n < m);
}
"#
    );
}

#[test]
fn dependences() {
    assert_output!(
        &["--emit=sections"],
        r#"
shared [64] double x[64*THREADS][64];
shared [16] int a[16*THREADS];
shared [8] struct { int u, v, f : 3, g : 3; } r[8*THREADS];
shared int c[64*THREADS];
void f(int n, int i, shared [16] int *p, shared [16] int *q)
{
    for (int j = 1; j < n; j++)
        a[j] = a[j - 1] + 1;
    for (int j = 0; j < n; j++)
        a[2 * j] = a[2 * j + 1];
    for (int j = 0; j < 64; j++)
        x[i][j] = x[i - 1][j] + x[i][j];
    for (int j = 0; j < n; j++)
        r[j].u = r[j + 1].v;
    for (int j = 0; j < n; j++)
        r[j].f = r[j + 1].g;
    for (int j = 0; j < n; j++)
        p[j] = q[j];
    for (int j = n; j > 0; j--)
        p[j] = p[j + 3];
    for (int j = MYTHREAD; j < n; j += THREADS)
        c[j] = c[j + 1] + c[j];
    for (int j = 0; j < 8; j++)
        a[j] = a[15 - j];
    for (int j = 0; j < 9; j++)
        a[3 * j] = a[2 * j + 16];
    for (int j = 0; j < n; j++)
        a[i] += a[j] + c[a[j]];
    for (; p < q; p++)
        p[1] = *p;
}
"#
    );
}

#[test]
fn remarks() {
    assert_output!(
        &["-Rupc", "-fsyntax-only"],
        r#"
shared [40] double a[40*THREADS], b[40*THREADS];
shared [4] int small[4*THREADS];
shared int cyclic[8*THREADS];
int f(int n, int *index)
{
    int s = 0;
    for (int i = 0; i < n; i++)
        s += a[i] + cyclic[3] + cyclic[i] + small[3 * i] + a[index[i]];
    upc_forall (int i = 1; i < n - 1; i++; &b[i])
        b[i] = a[i - 1] + small[i];
    upc_forall (int i = 1; i < n - 1; i++; index[i])
        b[i] = 0;
    while ((n /= 2) > 0)
        s += a[n];
    return s;
}
"#
    );
}

#[test]
fn references_to_the_own_part_by_number() {
    assert_output!(
        &["--emit=refs"],
        r#"
#define B 8
shared [B] int row[THREADS][B], flat[B*THREADS];
void f(void)
{
    int me = MYTHREAD, i;
    for (i = 0; i < B; i++)
        row[MYTHREAD][flat[me * B + i] % B]++;
    for (i = 0; i < B - 1; i++)
        flat[MYTHREAD * B + i + 1] = 1;
    for (i = 0; i < B; i++)
        flat[MYTHREAD * B + i + 1] = 1;
    for (i = B / 2; i >= 0; i--)
        flat[MYTHREAD * B - i] = 1;
}
"#
    );
}

#[test]
fn calls_that_only_compute() {
    assert_output!(
        &["-Rupc", "-fsyntax-only"],
        r#"
#include <math.h>
double scale(double);
shared [40] double a[40*THREADS];
int n;
double f(shared [40] double *shared *table)
{
    double s = 0;
    for (int i = 0; i < n; i++)
        s += sqrt(a[i]) + (*table)[i];
    for (int i = 0; i < n; i++)
        s += scale(a[i]);
    return s;
}
"#
    );
}

#[test]
fn optimization_record() {
    let source = r#"
shared [40] double a[40*THREADS];
shared [4] int small[4*THREADS];
int f(int n, int *index)
{
    int s = 0;
    for (int i = 0; i < n; i++)
        s += a[i] + a[index[i]];
    for (int i = 0; i < n; i += 3)
        small[i]++;
    while ((n /= 2) > 0)
        s += a[n];
    return s;
}
"#;
    let dir = tempfile::tempdir().expect("a temporary directory");
    std::fs::write(dir.path().join("t.upc"), source).expect("the directory is writable");
    let status = std::process::Command::new(env!("CARGO_BIN_EXE_upcc"))
        .current_dir(dir.path())
        .args(["-fsave-optimization-record", "-trans", "t.upc"])
        .status()
        .expect("upcc runs");
    assert!(status.success());
    let record = dir.path().join("t.opt-record.json");
    let record = std::fs::read_to_string(record).expect("upcc writes the record");
    insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false }, {
        insta::assert_snapshot!(record);
    });
}
