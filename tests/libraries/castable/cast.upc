// question: does upc_cast give a local pointer to what any thread holds?
// counts: UPC_ALLOC=THREADS, UPC_BARRIER=4*THREADS, UPC_PUT=6*THREADS, UPC_PUT.remote=0, UPC_GET=THREADS*THREADS+THREADS
#include "../../programs/check.h"
#include <upc_castable.h>

#if __UPC_CASTABLE__ != 1 || UPC_CASTABLE_ALL != (UPC_CASTABLE_ALL_ALLOC | UPC_CASTABLE_GLOBAL_ALLOC | UPC_CASTABLE_ALLOC | UPC_CASTABLE_STATIC)
#error "macros"
#endif

static shared [2] int a[4 * THREADS];
static shared void *shared heap[THREADS];

int main(void)
{
    int t, *p;
    shared [] int *mine = upc_alloc(3 * sizeof(int));
    mine[2] = 100 + MYTHREAD;
    heap[MYTHREAD] = mine;
    for (t = 0; t < 4; t++)
        a[2 * MYTHREAD + t % 2 + t / 2 * 2 * THREADS] = 10 * MYTHREAD + t;
    upc_barrier;
    CHECK(upc_cast(NULL) == NULL);
    CHECK(upc_cast(&a[2 * MYTHREAD]) == (void *)&a[2 * MYTHREAD]);
    for (t = 0; t < THREADS; t++) {
        upc_thread_info_t info = upc_thread_info(t);
        CHECK((info.guaranteedCastable & ~info.probablyCastable & UPC_CASTABLE_ALL) == 0);
        if (info.guaranteedCastable != UPC_CASTABLE_ALL)
            continue;
        p = upc_cast(&a[2 * t]);
        CHECK(p[0] == 10 * t && p[1] == 10 * t + 1 && p[2] == 10 * t + 2 && p[3] == 10 * t + 3);
        p = upc_cast(heap[t]);
        CHECK(p[2] == 100 + t);
    }
    t = (MYTHREAD + 1) % THREADS;
    p = upc_cast(&a[2 * t]);
    upc_barrier;
    if (p != NULL)
        p[3] = -t;
    upc_barrier;
    if (p != NULL)
        CHECK(a[2 * t + 1 + 2 * THREADS] == -t);
    return pass();
}
