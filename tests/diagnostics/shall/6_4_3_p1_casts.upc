// UPC 6.4.3 p1: a cast does not make a pointer-to-shared of a pointer-to-local; null pointer constants may be cast.

int x, *p;
void *v;
shared int *s;
shared int **ps;
int **pp;

void f(void)
{
    s = (shared int *)p; //~ E0600 @9 a `int *` cannot be cast to `shared int *`
    s = (shared int *)&x; //~ E0600 @9
    s = (shared int *)v; //~ E0600 @9
    s = (shared int *)(void *)p; //~ E0600 @9
    s = (shared int *)x; //~ E0607 @9 a `int` cannot be cast to `shared int *`
    s = (shared int *)1; //~ E0607 @9
    s = (shared int *)f; //~ E0600 @9
    s = p; //~ E0600 @9
    ps = (shared int **)pp; //~ W0619 @10 `int **` to `shared int **`
    s = (shared int *)0;
    s = (shared int *)(void *)0;
    s = (shared int *)0L;
    p = (int *)s;
    ps = (shared int **)v;
    ps = (shared int **)&s;
    pp = (int **)ps;
    s = (shared [] int *)s; //~ W0602 @9 assignment converts pointers-to-shared of different block size: `shared [] int *` to `shared int *`
}
