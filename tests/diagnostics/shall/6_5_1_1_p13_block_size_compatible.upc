// UPC 6.5.1.1 p13: the block size is part of the type: assignment between pointers of different ones is reported, a cast is taken as meant.
// UPC 6.5.1.1 p14: a generic pointer-to-shared is assigned to and from all.

shared [4] int *b;
shared int *p;
shared [] int *i;
shared void *g;
shared int a[THREADS];
shared [4] int blocked[4 * THREADS];
struct holder { shared [4] int *b; };
void take(shared int *x);
shared int *result(void)
{
    return b; //~ W0602 @12 return converts
}

void f(void)
{
    shared int *start = b; //~ W0602 @25 initialisation converts
    shared int *list[] = { a, i }; //~ W0602 @31
    struct holder holder = { p }; //~ W0602 @30
    b = p; //~ W0602 @9 assignment converts
    p = i; //~ W0602 @9
    p = blocked; //~ W0602 @9
    take(b); //~ W0602 @10 argument 1 of `take` converts
    take(&blocked[1]); //~ W0602 @10
    start = MYTHREAD ? p : b; //~ W0602 @28
    holder.b = i; //~ W0602 @16
    b = (shared [4] int *)p;
    take((shared int *)b);
    p = (shared int *)blocked;
    g = b;
    p = g;
    g = i;
    b = a ? g : 0;
    take(a);
    shared const int *c = p;
    strict shared int *s = p;
    (void)list, (void)holder, (void)c, (void)s;
}
