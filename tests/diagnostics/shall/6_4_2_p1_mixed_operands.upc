// UPC 6.4.2 p1: no binary operator takes a pointer-to-shared and a pointer-to-local.

shared int *s;
int *p;
shared void *g;
void *v;

int f(int n)
{
    if (s == p) //~ E0603 @14 `int *` to `shared int *`
        n = 1;
    if (p != s) //~ E0603 @14
        n = 2;
    if (s < p || p >= s) //~ E0603 @13 //~ E0603 @23
        n = 3;
    n = s - p; //~ E0603 @13
    n = p - s; //~ E0603 @13
    if (g == v) //~ E0603 @14
        n = 4;
    p = n ? p : s; //~ E0603 @17
    // Null pointers compare with both, and each kind with itself.
    if (s == 0 || (void *)0 == s || p == 0 || g == s || v == p || s == (shared int *)0)
        n = s - s;
    return n;
}
