/* OpenSHMEM: what the figures of mpi_shmem.upc are divided by. Argument: operations of a measurement. Each line printed: name, nanoseconds. */
#include <shmem.h>
#include "bench.h"

/* As in mpi_shmem.upc. */
enum { WORDS = 4096, TIMES = 7 };

static long words[WORDS];
static volatile long sink;
static int me;

static void gets(int count)
{
    long at = 0;
    for (int i = 0; i < count; i++)
        at = (at + shmem_long_g(&words[at], 1)) % WORDS;
    sink = at;
}

static void fenced_puts(int count)
{
    for (int i = 0; i < count; i++) {
        shmem_long_p(&words[i % WORDS], i, 1);
        shmem_quiet();
    }
}

static void puts_in_a_row(int count)
{
    for (int i = 0; i < count; i++)
        shmem_long_p(&words[i % WORDS], i, 1);
    shmem_quiet();
}

static void fetch_adds(int count)
{
    long sum = 0;
    for (int i = 0; i < count; i++)
        sum += shmem_long_atomic_fetch_add(&words[0], 1, 1);
    sink = sum;
}

static void barriers(int count)
{
    for (int i = 0; i < count; i++)
        shmem_barrier_all();
}

static void measure(const char *name, void (*operations)(int), int count, int by_all)
{
    double times[TIMES];
    for (int t = -1; t < TIMES; t++) {
        shmem_barrier_all();
        double start = bench_now();
        if (by_all || me == 0)
            operations(count);
        times[t < 0 ? 0 : t] = (bench_now() - start) / count;
        shmem_barrier_all();
    }
    if (me == 0)
        bench_print(name, bench_median(times, TIMES));
}

int main(int argc, char **argv)
{
    if (argc != 2)
        return 2;
    shmem_init();
    me = shmem_my_pe();
    measure("get", gets, atoi(argv[1]), 0);
    measure("put", fenced_puts, atoi(argv[1]), 0);
    measure("puts", puts_in_a_row, atoi(argv[1]), 0);
    measure("fetch_add", fetch_adds, atoi(argv[1]), 0);
    measure("barrier", barriers, atoi(argv[1]), 1);
    shmem_finalize();
    return 0;
}
