/* Collective functions against the loops of upc_memget and upc_memput, between barriers, that one writes without them. Arguments: bytes of a
   block, nanoseconds that a figure may take. Each line printed: name, nanoseconds of one call. */
#include <stdlib.h>
#include <upc_relaxed.h>
#include <upc_collective.h>
#include "bench.h"

static size_t bytes, elements;
static shared char *dst, *src; /* of each thread: one block for each */
static shared double *sums;
static shared int *perm;

/* The block `index` of a thread. */
static shared [] char *block(shared char *array, int thread, size_t index)
{
    return (shared [] char *)(array + thread) + index * bytes;
}

static void loop_broadcast(void)
{
    upc_memget((char *)block(dst, MYTHREAD, 0), block(src, 0, 0), bytes);
}

static void loop_scatter(void)
{
    upc_memget((char *)block(dst, MYTHREAD, 0), block(src, 0, MYTHREAD), bytes);
}

static void loop_gather(void)
{
    upc_memput(block(dst, 0, MYTHREAD), (char *)block(src, MYTHREAD, 0), bytes);
}

static void loop_gather_all(void)
{
    int t;
    for (t = 0; t < THREADS; t++)
        upc_memget((char *)block(dst, MYTHREAD, t), block(src, t, 0), bytes);
}

static void loop_exchange(void)
{
    int t;
    for (t = 0; t < THREADS; t++)
        upc_memget((char *)block(dst, MYTHREAD, t), block(src, t, MYTHREAD), bytes);
}

static void loop_permute(void)
{
    upc_memput(block(dst, perm[MYTHREAD], 0), (char *)block(src, MYTHREAD, 0), bytes);
}

static double own_sum(void)
{
    const double *mine = (const double *)block(src, MYTHREAD, 0);
    double sum = 0;
    size_t i;
    for (i = 0; i < elements; i++)
        sum += mine[i];
    return sum;
}

static void loop_reduce(void)
{
    int t;
    double sum = 0;
    sums[MYTHREAD] = own_sum();
    upc_barrier;
    if (MYTHREAD == 0) {
        for (t = 0; t < THREADS; t++)
            sum += sums[t];
        *(shared double *)dst = sum;
    }
}

static void loop_prefix_reduce(void)
{
    const double *mine = (const double *)block(src, MYTHREAD, 0);
    double *out = (double *)block(dst, MYTHREAD, 0), sum = 0;
    size_t i;
    int t;
    sums[MYTHREAD] = own_sum();
    upc_barrier;
    for (t = 0; t < MYTHREAD; t++)
        sum += sums[t];
    for (i = 0; i < elements; i++)
        out[i] = sum += mine[i];
}

static void call_broadcast(void)
{
    upc_all_broadcast(dst, src, bytes, 0);
}

static void call_scatter(void)
{
    upc_all_scatter(dst, src, bytes, 0);
}

static void call_gather(void)
{
    upc_all_gather(dst, src, bytes, 0);
}

static void call_gather_all(void)
{
    upc_all_gather_all(dst, src, bytes, 0);
}

static void call_exchange(void)
{
    upc_all_exchange(dst, src, bytes, 0);
}

static void call_permute(void)
{
    upc_all_permute(dst, src, perm, bytes, 0);
}

static void call_reduce(void)
{
    upc_all_reduceD(dst, src, UPC_ADD, elements * THREADS, elements, NULL, 0);
}

static void call_prefix_reduce(void)
{
    upc_all_prefix_reduceD(dst, src, UPC_ADD, elements * THREADS, elements, NULL, 0);
}

static double time_of(void (*operation)(void), int barriers, int times)
{
    double start;
    int i;
    upc_barrier;
    start = bench_now();
    for (i = 0; i < times; i++) {
        if (barriers)
            upc_barrier;
        operation();
        if (barriers)
            upc_barrier;
    }
    return (bench_now() - start) / times;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* How often to repeat an operation for a figure, which all threads have to agree on. */
static int repetitions(void (*loop)(void), double each)
{
    static shared int agreed;
    double once;
    time_of(loop, 1, 1); /* touches the memory */
    once = time_of(loop, 1, 4);
    if (MYTHREAD == 0)
        agreed = once > each ? 1 : each / once;
    upc_barrier;
    return agreed;
}

/* Both ways in turn, medians. */
static void measure(const char *name, void (*call)(void), void (*loop)(void), double each)
{
    enum { TIMES = 9 };
    double called[TIMES], looped[TIMES];
    char figure[64];
    int times = repetitions(loop, each), i;
    for (i = 0; i < TIMES; i++) {
        called[i] = time_of(call, 0, times);
        looped[i] = time_of(loop, 1, times);
    }
    qsort(called, TIMES, sizeof *called, by_size);
    qsort(looped, TIMES, sizeof *looped, by_size);
    if (MYTHREAD != 0)
        return;
    snprintf(figure, sizeof figure, "%s", name);
    bench_print(figure, called[TIMES / 2]);
    snprintf(figure, sizeof figure, "loop.%s", name);
    bench_print(figure, looped[TIMES / 2]);
}

int main(int argc, char **argv)
{
    double each = argc > 2 ? strtod(argv[2], NULL) : 3e6;
    int i;
    bytes = argc > 1 ? strtoul(argv[1], NULL, 0) : 8;
    elements = bytes / sizeof(double);
    dst = upc_all_alloc(THREADS, bytes * THREADS);
    src = upc_all_alloc(THREADS, bytes * THREADS);
    sums = upc_all_alloc(THREADS, sizeof(double));
    perm = upc_all_alloc(THREADS, sizeof(int));
    if (dst == NULL || src == NULL || sums == NULL || perm == NULL)
        upc_global_exit(1);
    perm[MYTHREAD] = (MYTHREAD + 1) % THREADS;
    upc_memset(block(dst, MYTHREAD, 0), 0, bytes * THREADS);
    for (i = 0; i < elements * THREADS; i++)
        ((double *)block(src, MYTHREAD, 0))[i] = 1;
    upc_barrier;
#define MEASURE(name) measure(#name, call_##name, loop_##name, each)
    MEASURE(broadcast);
    MEASURE(scatter);
    MEASURE(gather);
    MEASURE(gather_all);
    MEASURE(exchange);
    MEASURE(permute);
    MEASURE(reduce);
    MEASURE(prefix_reduce);
    return 0;
}
