// UPC 6.4.2 p1: no binary operator takes a pointer-to-shared and a pointer-to-local.

shared int *s;
int *p;
shared void *g;
void *v;

int f(int n)
{
    if (s == p) //~ E0603 @14 `int *` to `shared int *`
        n = 1;
    if (p != s) //~ E0603
        n = 2;
    if (s < p || p >= s) //~ E0603 //~ E0603
        n = 3;
    n = s - p; //~ E0603
    n = p - s; //~ E0603
    if (g == v) //~ E0603
        n = 4;
    p = n ? p : s; //~ E0603
    // Null pointers compare with both, and each kind with itself.
    if (s == 0 || (void *)0 == s || p == 0 || g == s || v == p || s == (shared int *)0)
        n = s - s;
    return n;
}
