//! Statements: synchronisation, C statements and pragmas among others.

use crate::assert_translation;

#[test]
fn synchronisation() {
    assert_translation!(
        r#"
void f(int n)
{
    upc_barrier;
    upc_barrier n + 1;
    upc_notify 3;
    upc_wait 3;
    upc_notify;
    upc_wait;
    upc_fence;
}
"#
    );
}

#[test]
fn control_flow() {
    assert_translation!(
        r#"
shared int x;
int f(int n)
{
    switch (x) {
    case 1 ... 3:
        n = 2;
        break;
    case 4:
        n = x;
        __attribute__((fallthrough));
    default:
        n++;
    }
    do {
        if (x > 3 && (n & 1) == 0 || x << 2 > n)
            continue;
        else if (x)
            goto out;
    } while (x < 10);
out:
    return x ? n : -x;
}
"#
    );
}

#[test]
fn pragmas_stay() {
    assert_translation!(
        r#"
shared int total;
int f(int n, int *a)
{
    int sum = 0;
    total = 0;
#pragma GCC ivdep
    for (int i = 0; i < n; i++)
        sum += a[i];
    total = sum;
    return sum;
}
"#
    );
}

#[test]
fn statement_expressions() {
    assert_translation!(
        r#"
shared int x;
int f(int n)
{
    int y = ({ int t = x; t + n; });
    ({ x = y; });
    return ({ x; });
}
"#
    );
}

#[test]
fn assembly() {
    assert_translation!(
        r#"
shared int x;
int f(int n)
{
    int y;
    __asm__("mov %1, %0" : "=r"(y) : "r"(x + n));
    return y;
}
"#
    );
}

#[test]
fn verbatim_items_are_untouched() {
    assert_translation!(
        r#"
#pragma pack(1)
static __inline__ int __attribute__((const)) twice ( int  x ) { return x
   +  x; }
#pragma pack()
shared int a;
extern int k (c) char c; { return c; }
int   b [ 3 ] = { [0 ... 1] = 2 , } ;
"#
    );
}

const RACE_OK: &str = r#"
shared int x;
static int plain(int *p, int n)
{
#pragma upcc race_ok
    for (; n > 0; n--)
        if (p[n])
            return p[n];
    return THREADS;
}
int f(int n)
{
    int mine[2] = {n, n};
#pragma upcc race_ok
    int a = x, b = x;
#pragma upcc race_ok
    upc_forall (int i = 0; i < n; i++; i)
        x = i;
    if (n)
#pragma upcc race_ok
        x = 1;
    else
        x = 2;
    switch (n) {
#pragma upcc race_ok
    case 1:
        x++;
        break;
    }
    _Pragma("upcc race_ok") x = plain(mine, 1);
    return ({
        n++;
#pragma upcc race_ok
        x + a + b;
    });
}
"#;

/// Each way out of a statement ends its scope. A value of a statement expression, and a declaration, stay in their block.
#[test]
fn race_ok() {
    assert_translation!(flags = &["-O", "-fupc-races"], RACE_OK);
}

#[test]
fn race_ok_without_detection() {
    assert_translation!(RACE_OK);
}
