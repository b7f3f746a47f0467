//! Reads and writes of shared scalars and arrays.

use crate::assert_translation;

#[test]
fn scalar_read_and_write() {
    assert_translation!(
        r#"
shared int x;
int f(void)
{
    x = 1;
    return x + 2;
}
"#
    );
}

#[test]
fn compound_assignment_and_increment() {
    assert_translation!(
        r#"
shared int x, a[10*THREADS];
int f(int i)
{
    x += 3;
    x++;
    int y = x++;
    a[i] *= 2;
    a[i++] -= y;
    --a[i];
    return a[i]-- + ++x;
}
"#
    );
}

/// Where memory is not mapped, its owner makes updates whose value nobody uses. Others are a get and a put.
#[test]
fn updates_by_the_owner() {
    assert_translation!(
        flags = &["-O", "-network=mpi"],
        r#"
#include <upc_relaxed.h>
struct s { char c; int bits : 3; double d; };
shared int x, a[10*THREADS];
shared double d;
shared float f;
shared _Bool b;
shared struct s s;
strict shared int strict_x;
shared volatile int v;
void updates(int i, long n, unsigned char *p)
{
    x += n;
    a[i]++, --a[i + 1];
    a[i] -= n, x &= ~1, x |= *p, x ^= 3;
    d -= n;
    f += 1.5f;
    s.c += 2;
    s.d++;
    n ? (void)x++ : (void)(a[i] += a[i + 1]);
}
int others(int i)
{
    f += 1.5;
    x += 1.5;
    x *= 2;
    x <<= 1;
    b += 1;
    s.bits++;
    strict_x++;
    v++;
    return a[i] += 2;
}
"#
    );
}

#[test]
fn chained_and_nested_assignment() {
    assert_translation!(
        r#"
shared int x, y;
shared char c;
int g(int);
int f(int v)
{
    int z;
    z = x = y = v;
    z = c = v;
    if ((x = g(v)))
        z = (y = 1, y);
    return z ? x : y;
}
"#
    );
}

#[test]
fn block_sizes() {
    assert_translation!(
        r#"
shared int cyclic[10*THREADS];
shared [4] int blocked[40*THREADS];
shared [] int here[10];
shared [*] int spread[10*THREADS];
int f(int i)
{
    cyclic[i] = blocked[i];
    here[i] = spread[i];
    return cyclic[3] + blocked[5] + here[7] + spread[i + 1];
}
"#
    );
}

#[test]
fn several_dimensions() {
    assert_translation!(
        r#"
shared [3] int a[6][4*THREADS];
shared [4] double b[THREADS][8][4];
double f(int i, int j, unsigned k)
{
    a[i][j] = a[j][2];
    b[i][j][k] = 1.5;
    return b[MYTHREAD][2][3] + a[1][1];
}
"#
    );
}

#[test]
fn strict_and_relaxed() {
    assert_translation!(
        r#"
strict shared int flag;
relaxed shared int data;
shared int other;
int f(void)
{
    #pragma upc strict
    data = other;
    flag = 1;
    while (!flag)
        ;
    flag++;
    return other;
}
int g(void)
{
    return other;
}
"#
    );
}

#[test]
fn c_code_leaves_strict_in_force() {
    assert_translation!(
        r#"
#pragma upc strict
shared int x;
#pragma upc c_code
int shared(int strict);
#pragma upc upc_code
int f(void)
{
    x = 1;
    {
#pragma upc c_code
        shared(3);
#pragma upc upc_code
        x = 2;
    }
    return x;
}
"#
    );
}

#[test]
fn threads_and_mythread() {
    assert_translation!(
        r#"
shared int total;
shared int a[3*THREADS];
unsigned long f(void)
{
    int each[THREADS];
    each[MYTHREAD] = THREADS - 1;
    return sizeof a + upc_localsizeof(a) + upc_blocksizeof(a) + each[0];
}
"#
    );
}

#[test]
fn static_threads() {
    assert_translation!(
        flags = &["-O", "-T=4"],
        r#"
shared [2] int a[10];
shared int m[THREADS][THREADS];
int private_too[THREADS];
int f(int i)
{
    private_too[i] = a[i] + m[i][MYTHREAD];
    return THREADS + sizeof a;
}
"#
    );
}

/// Element n of an array of one block of whole pages for each thread lies n elements behind the first of its linear image.
#[test]
fn linear_images() {
    assert_translation!(
        r#"
typedef struct { double x[3]; int kind, tag : 3; } item_t;
shared [1024] int a[1024 * THREADS], half[512 * THREADS], twice[2048 * THREADS];
shared [1024] item_t items[1024 * THREADS];
strict shared [1024] int flags[1024 * THREADS];
int f(int n, int k)
{
    shared [1024] int *p = &a[n];
    a[n] = half[n] + twice[n];
    a[n] += (*p)++ + a[5];
    items[n].x[k] = items[n].tag;
    items[k] = items[n];
    return flags[n] + *(int *)&a[k];
}
"#
    );
}

/// What MYTHREAD selects is the thread's own if a row is a block.
#[test]
fn own_elements() {
    assert_translation!(
        r#"
shared int one[THREADS];
shared [4] short rows[THREADS][4], cubes[THREADS][2][2], halves[THREADS][8];
shared struct state { int done; char text[3]; } states[THREADS];
strict shared int flags[THREADS];
int f(const int *key, int n)
{
    int me = MYTHREAD, moving = MYTHREAD;
    for (int i = 0; i < n; i++)
        rows[MYTHREAD][key[i]]++;
    one[me] = cubes[me][n][one[MYTHREAD]];
    states[me].done |= states[me].text[n];
    moving += n;
    flags[MYTHREAD] = 1;
    return one[moving] + halves[MYTHREAD][n] + one[(short)MYTHREAD];
}
"#
    );
}
