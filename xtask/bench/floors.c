/* The same operations without UPC, between processes that share a mapping: what the figures of access.upc and sync.upc are divided by.
   Argument: number of processes. Each line printed: name, nanoseconds per operation. */
#define _GNU_SOURCE
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include "bench.h"

struct area {
    _Atomic int arrived, phase, lock;
};

static void barrier(struct area *area, int processes, int *phase)
{
    int mine = *phase = !*phase;
    if (atomic_fetch_add(&area->arrived, 1) == processes - 1) {
        atomic_store(&area->arrived, 0);
        atomic_store(&area->phase, mine);
    } else {
        while (atomic_load(&area->phase) != mine)
            sched_yield();
    }
}

static void lock_unlock(struct area *area)
{
    while (atomic_exchange_explicit(&area->lock, 1, memory_order_acquire))
        sched_yield();
    atomic_store_explicit(&area->lock, 0, memory_order_release);
}

int main(int argc, char **argv)
{
    enum { BARRIERS = 20000, LOCKS = 1000000 };
    int processes = argc > 1 ? atoi(argv[1]) : 2, phase = 0, me = 0;
    struct area *area = mmap(NULL, sizeof *area, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    double start;
    if (area == MAP_FAILED)
        return 1;
    for (int p = 1; p < processes && !me; p++)
        if (fork() == 0)
            me = p;
    barrier(area, processes, &phase);
    start = bench_now();
    for (int i = 0; i < BARRIERS; i++)
        barrier(area, processes, &phase);
    if (!me)
        bench_print("barrier", (bench_now() - start) / BARRIERS);
    barrier(area, processes, &phase);
    if (!me) {
        start = bench_now();
        for (int i = 0; i < LOCKS; i++)
            lock_unlock(area);
        bench_print("lock", (bench_now() - start) / LOCKS);
        while (wait(NULL) > 0)
            ;
    }
    return 0;
}
