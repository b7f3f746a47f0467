// question: is the race found of two puts whose ranges share one element?
// threads: 2
// race: 13 18
// element: element 8 of `a`
#include "races.h"

static shared [] int a[17];
static int data[9];

/* Two functions: optimising C compilers make one call of two calls of upc_memput in branches, which then has one line. */
static __attribute__((__noinline__)) void lower(void)
{
    upc_memput(&a[0], data, 9 * sizeof(int));
}

static __attribute__((__noinline__)) void upper(void)
{
    upc_memput(&a[8], data, 9 * sizeof(int));
}

int main(void)
{
    if (MYTHREAD == 0)
        lower();
    else
        upper();
    return pass();
}
