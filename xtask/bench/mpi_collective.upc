/* Collective functions over messages. Arguments: bytes of a block, calls of a measurement. Each line printed: the synchronization at both ends and the name,
   nanoseconds of one call; mpi_collective_floor.c has the same without UPC. */
#include <stdlib.h>
#include <string.h>
#include <upc_relaxed.h>
#include <upc_collective.h>
#include "bench.h"

/* A figure is the lower quartile of as many measurements. */
enum { CHUNKS = 21 };

static size_t bytes;
static shared char *dst, *src; /* of each thread: one block for each */

static void broadcast(upc_flag_t flags)
{
    upc_all_broadcast(dst, src, bytes, flags);
}

static void scatter(upc_flag_t flags)
{
    upc_all_scatter(dst, src, bytes, flags);
}

static void gather(upc_flag_t flags)
{
    upc_all_gather(dst, src, bytes, flags);
}

static void gather_all(upc_flag_t flags)
{
    upc_all_gather_all(dst, src, bytes, flags);
}

static void exchange(upc_flag_t flags)
{
    upc_all_exchange(dst, src, bytes, flags);
}

static const struct {
    const char *name;
    void (*call)(upc_flag_t flags);
} functions[] = {{"broadcast", broadcast}, {"scatter", scatter}, {"gather", gather}, {"gather_all", gather_all}, {"exchange", exchange}};

static const struct {
    const char *name;
    upc_flag_t flags;
} syncs[] = {{"all", UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC}, {"my", UPC_IN_MYSYNC | UPC_OUT_MYSYNC}, {"no", UPC_IN_NOSYNC | UPC_OUT_NOSYNC}};

static void measure(const char *sync, const char *name, void (*call)(upc_flag_t), upc_flag_t flags, int count)
{
    double times[CHUNKS];
    char figure[64];
    for (int chunk = 0; chunk < CHUNKS; chunk++) {
        upc_barrier;
        times[chunk] = bench_now();
        for (int i = 0; i < count; i++)
            call(flags);
        upc_barrier;
        times[chunk] = bench_now() - times[chunk];
    }
    snprintf(figure, sizeof figure, "%s.%s", sync, name);
    qsort(times, CHUNKS, sizeof *times, bench_compare);
    if (MYTHREAD == 0)
        bench_print(figure, times[CHUNKS / 4] / count);
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    bytes = (size_t)atoi(argv[1]);
    dst = upc_all_alloc(THREADS, THREADS * bytes);
    src = upc_all_alloc(THREADS, THREADS * bytes);
    memset((char *)&dst[MYTHREAD], 1, THREADS * bytes);
    memset((char *)&src[MYTHREAD], 1, THREADS * bytes);
    for (size_t s = 0; s < sizeof syncs / sizeof *syncs; s++)
        for (size_t f = 0; f < sizeof functions / sizeof *functions; f++)
            measure(syncs[s].name, functions[f].name, functions[f].call, syncs[s].flags, atoi(argv[2]));
    return 0;
}
