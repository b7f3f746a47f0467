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
    while (n-- > 0)
        s += a[n];
    return s;
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
    while (n-- > 0)
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
