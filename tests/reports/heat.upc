/* What a report shows: a thread that computes longer, a lock, an array in blocks that do not fit, gets of neighbours. */
#include <stdio.h>
#include <upc.h>

#define N 64
#ifndef STEPS
#define STEPS 12
#endif

shared double grid[N * THREADS];
shared double next[N * THREADS];
shared int total;
upc_lock_t *lock;
volatile double sink;

static void compute(int rounds)
{
    for (int i = 0; i < rounds * 1000; i++)
        sink += i * 0.5;
}

/* Each thread works on a block of elements that are distributed one by one. */
static void relax(int step)
{
    int first = MYTHREAD * N;
    for (int i = first; i < first + N; i++) {
        double left = i > 0 ? grid[i - 1] : 0.0;
        double right = i < N * THREADS - 1 ? grid[i + 1] : 0.0;
        next[i] = (left + right) / 2 + step;
    }
}

static void count(void)
{
    upc_lock(lock);
    total++;
    compute(2);
    upc_unlock(lock);
}

int main(void)
{
    lock = upc_all_lock_alloc();
    for (int i = MYTHREAD; i < N * THREADS; i += THREADS)
        grid[i] = i;
    upc_barrier;
    for (int step = 0; step < STEPS; step++) {
        relax(step);
        compute(MYTHREAD == 1 ? 400 : 60);
        upc_barrier;
        count();
        upc_barrier;
    }
    if (MYTHREAD == 0)
        printf(total == STEPS * THREADS ? "PASS\n" : "total is %d\n", total);
    return 0;
}
