// A pointer-to-shared of another block size
#include <upc.h>

shared [4] int a[4 * THREADS];

int first(void)
{
    shared int *p = a; //~ W0602 @21
    return p[1];
}
