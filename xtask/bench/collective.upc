/* Collective functions against the loops of upc_memget and upc_memput, between barriers, that one writes without them. Arguments: bytes of a
   block, about how many bytes to move for a figure. Each line printed: name, nanoseconds of one call. */
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

/* Both ways in turn, medians. */
static void measure(const char *name, void (*call)(void), void (*loop)(void), int blocks, size_t volume)
{
    enum { TIMES = 9 };
    double called[TIMES], looped[TIMES];
    char figure[64];
    size_t all = bytes * blocks * THREADS;
    int times = all > volume ? 1 : volume / all > 500 ? 500 : volume / all, i;
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
    size_t volume = argc > 2 ? strtoul(argv[2], NULL, 0) : 1 << 20;
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
#define MEASURE(name, blocks) measure(#name, call_##name, loop_##name, blocks, volume)
    MEASURE(broadcast, 1);
    MEASURE(scatter, 1);
    MEASURE(gather, 1);
    MEASURE(gather_all, THREADS);
    MEASURE(exchange, THREADS);
    MEASURE(permute, 1);
    MEASURE(reduce, 1);
    MEASURE(prefix_reduce, 1);
    return 0;
}
