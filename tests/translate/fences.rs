//! Strict reads before which no write can be pending.

use crate::assert_translation;

#[test]
fn strict_reads() {
    assert_translation!(
        r#"
strict shared int flag, other[THREADS];
relaxed shared int data;
int plain;
void f(void);
double sqrt(double);
int reads(int *p, int n)
{
    int sum = flag;
    sum += flag + other[1];
    plain = 3;
    sum += flag + (int)sqrt(flag);
    *p = 4;
    sum += flag;
    data = 1;
    sum += flag;
    f();
    sum += flag;
    flag = 1;
    sum += flag;
    if (n) {
        data = 2;
        sum += flag;
    } else
        sum += flag;
    sum += flag;
    upc_fence;
    sum += flag;
    upc_barrier;
    return sum + flag;
}
void waits(int n)
{
    while (flag == 0)
        ;
    data = 1;
    do {
        n += flag;
    } while (other[n] == 0);
    for (int i = 0; i < n && flag; i++)
        n--;
    data = 1;
    for (int i = 0; i < n; i++) {
        if (flag == i)
            break;
        if (other[i] == 0)
            continue;
        data = i;
    }
    n = flag;
    while (flag == n)
        data++;
}
int jumps(int n)
{
    n += flag;
    switch (n) {
    case 1:
        n += flag;
    default:
        data = 1;
    }
again:
    n += flag;
    if (flag < n)
        goto again;
    return flag;
}
"#
    );
}
