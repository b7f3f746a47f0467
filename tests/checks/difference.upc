// check: DIFFERENCE_NULL DIFFERENCE_THREAD DIFFERENCE_STEP DIFFERENCE_OBJECT
#include "check.h"

struct three { char c[3]; };

shared int a[4 * THREADS];
shared [2] int b[4 * THREADS];
shared [] int *shared heads[THREADS];

static int legal(void)
{
    shared int *p = a, *null = NULL;
    shared [2] int *q = b + 4 * THREADS;
    if (null - null != 0 || null < null || p == null)
        return 1;
    if (q - b != 4 * THREADS || &a[4 * THREADS] - p != 4 * THREADS || !(p <= &a[4 * THREADS]))
        return 1;
    /* Past the end by a round, as loops with such steps are. */
    for (p = &a[MYTHREAD]; p < &a[4 * THREADS]; p += THREADS)
        *p = 1;
    heads[MYTHREAD] = upc_alloc(20);
    if (heads[MYTHREAD] + 5 - heads[MYTHREAD] != 5)
        return 1;
    upc_barrier;
    if (THREADS > 1 && heads[0] == heads[1])
        return 1;
    return passed();
}

int main(int argc, char **argv)
{
    shared int *null = NULL, *p = a;
    shared int *other = upc_all_alloc(THREADS, 16), *third = upc_all_alloc(THREADS, 16);
    shared [] struct three *threes = upc_alloc(30);
    shared [] struct three *askew = (shared [] struct three *)((shared [] char *)threes + 4);
    shared int *crooked = (shared int *)((shared [] char *)p + 2);
    heads[MYTHREAD] = upc_alloc(20);
    upc_barrier;
    switch (the_case(argc, argv)) {
    case 0: return legal();
    case 1: return p - null > 0; //~ 1 a null pointer-to-shared is subtracted or compared by a relational operator
    case 2: return null < p; //~ 2 a null pointer-to-shared is subtracted or compared by a relational operator
    case 3: return heads[0] < heads[1]; //~ 3 2+ of indefinite block size to threads 0 and 1
    case 4: return crooked - p == 0; //~ 4 not a whole number of elements of 4 bytes
    case 5: return other - third == 0; //~ 5 a pointer into an allocated block of
    case 6: return other >= p + 1; //~ 6 a pointer into an allocated block of
    }
    return askew == threes;
}
