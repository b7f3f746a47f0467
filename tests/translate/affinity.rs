//! `upc_forall`.

use crate::assert_translation;

#[test]
fn integer_affinity() {
    assert_translation!(
        r#"
shared int a[10*THREADS];
void f(int n, unsigned long m)
{
    int i;
    upc_forall (i = 0; i < n; i++; i)
        a[i] = i;
    upc_forall (int j = 0; j < n; j++; m + j) {
        if (j == 3)
            continue;
        a[j] += j;
    }
}
"#
    );
}

#[test]
fn pointer_affinity() {
    assert_translation!(
        r#"
shared [4] int a[40*THREADS];
void f(void)
{
    upc_forall (int i = 0; i < 40 * THREADS; i++; &a[i])
        a[i] = MYTHREAD;
}
"#
    );
}

#[test]
fn no_affinity_and_nesting() {
    assert_translation!(
        r#"
shared int a[10*THREADS], b[10*THREADS];
void f(int n)
{
    upc_forall (int i = 0; i < n; i++; continue)
        upc_forall (int j = 0; j < n; j++; &a[j])
            upc_forall (int k = 0; k < n; k++; &b[k])
                if (k)
                    a[j] = b[k];
    upc_forall (;;;)
        break;
}
"#
    );
}

#[test]
fn leaving_the_loop() {
    assert_translation!(
        r#"
shared int a[10*THREADS];
int f(int n)
{
    upc_forall (int i = 0; i < n; i++; i) {
        if (i == 3)
            goto out;
        if (i == 4)
            return a[i];
        if (i == 5)
            goto inside;
        break;
    inside:
        ;
    }
out:
    return 0;
}
"#
    );
}
