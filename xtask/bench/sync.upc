/* Barriers and locks. Each line printed: name, nanoseconds per operation. */
#include <upc.h>
#include "bench.h"

strict shared int x[THREADS];

int main(void)
{
    enum { BARRIERS = 20000, LOCKS = 1000000 };
    upc_lock_t *lock = upc_all_lock_alloc();
    double start;
    int i, sum = 0;
    upc_barrier;
    start = bench_now();
    for (i = 0; i < BARRIERS; i++)
        upc_barrier;
    if (MYTHREAD == 0)
        bench_print("barrier", (bench_now() - start) / BARRIERS);
    upc_barrier;
    if (MYTHREAD == 0) {
        start = bench_now();
        for (i = 0; i < LOCKS; i++) {
            upc_lock(lock);
            upc_unlock(lock);
        }
        bench_print("lock", (bench_now() - start) / LOCKS);
        start = bench_now();
        for (i = 0; i < LOCKS; i++)
            sum += x[THREADS - 1];
        bench_print("strict_read", (bench_now() - start) / LOCKS);
    }
    upc_barrier;
    return sum;
}
