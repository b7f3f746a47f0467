// A pointer-to-shared assigned to a pointer-to-local
#include <upc.h>

shared int a[THREADS];

void set(void)
{
    int *p = &a[MYTHREAD]; //~ E0601 @14
    *p = 1;
}
