// `%p` for a pointer-to-shared
#include <upc.h>
#include <stdio.h>

shared int a[THREADS];

void show(void)
{
    printf("a is at %p\n", &a[1]); //~ W0621 @28
}
