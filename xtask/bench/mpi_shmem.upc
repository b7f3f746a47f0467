/* Operations that OpenSHMEM has as well; shmem_floor.c has the same by OpenSHMEM. Argument: operations of a measurement. Each line printed: name,
   nanoseconds. */
#include <bupc_extensions.h>
#include <upc.h>
#include "bench.h"

enum { WORDS = 4096, TIMES = 7 };

static shared [WORDS] long words[THREADS * WORDS];
static volatile long sink;

/* The place of each read depends on the one before, so that the compiler can neither move nor collect them. */
static void gets(int count)
{
    long at = 0;
    for (int i = 0; i < count; i++)
        at = (at + words[WORDS + at]) % WORDS;
    sink = at;
}

static void fenced_puts(int count)
{
    for (int i = 0; i < count; i++) {
        words[WORDS + i % WORDS] = i;
        upc_fence;
    }
}

static void puts_in_a_row(int count)
{
    for (int i = 0; i < count; i++)
        words[WORDS + i % WORDS] = i;
    upc_fence;
}

static void fetch_adds(int count)
{
    long sum = 0;
    for (int i = 0; i < count; i++)
        sum += bupc_atomicI64_fetchadd_relaxed((shared void *)&words[WORDS], 1);
    sink = sum;
}

static void barriers(int count)
{
    for (int i = 0; i < count; i++)
        upc_barrier;
}

static void measure(const char *name, void (*operations)(int), int count, int by_all)
{
    double times[TIMES];
    for (int t = -1; t < TIMES; t++) {
        upc_barrier;
        double start = bench_now();
        if (by_all || MYTHREAD == 0)
            operations(count);
        times[t < 0 ? 0 : t] = (bench_now() - start) / count;
        upc_barrier;
    }
    if (MYTHREAD == 0)
        bench_print(name, bench_median(times, TIMES));
}

int main(int argc, char **argv)
{
    if (argc != 2 || THREADS < 2)
        return 2;
    measure("get", gets, atoi(argv[1]), 0);
    measure("put", fenced_puts, atoi(argv[1]), 0);
    measure("puts", puts_in_a_row, atoi(argv[1]), 0);
    measure("fetch_add", fetch_adds, atoi(argv[1]), 0);
    measure("barrier", barriers, atoi(argv[1]), 1);
    return 0;
}
