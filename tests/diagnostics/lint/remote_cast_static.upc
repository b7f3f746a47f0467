// W0614 with static THREADS: distances that THREADS divides are the thread's own.
// flags: -T=4
#include <upc.h>

shared int a[100];

void f(void)
{
    int *p = (int *)&a[MYTHREAD + 1]; //~ W0614
    int *q = (int *)&a[MYTHREAD + 2]; //~ W0614
    int *r = (int *)&a[MYTHREAD + 4];
    int *s = (int *)&a[MYTHREAD + 2 * THREADS];
    (void)p, (void)q, (void)r, (void)s;
}
