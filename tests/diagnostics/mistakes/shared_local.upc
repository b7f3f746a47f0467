#include <upc.h>
int f(void)
{
    shared int x; //~ E0500 @16 shared object `x` with automatic storage duration
    shared [2] int a[4]; //~ E0500 @20 shared object `a` with automatic storage duration //~ E0510 @20 the number of elements of `shared [2] int[4]` does not depend on THREADS
    x = 1;
    a[1] = x;
    return x;
}
