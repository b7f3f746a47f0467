/* The access patterns of MuPC's tables 6.1 to 6.3, each double word with affinity to the next thread: nanoseconds per access, read and write.
   Every thread does the same; a write counts when it is performed, so the fence after them takes part. */
#include <stdlib.h>
#include <string.h>
#include <upc_relaxed.h>
#include "bench.h"

#define WORDS (1 << 19) /* doubles of each thread */
#define VECTOR 4096
#define REPEAT 5

static shared [] double *target;
volatile double sink;

static unsigned long next(unsigned long *state)
{
    *state = *state * 6364136223846793005ul + 1442695040888963407ul;
    return *state >> 33;
}

/* The indices of n accesses, beforehand: what is measured is the access. */
static int *indices;

static int by_chance(unsigned long *state, int before)
{
    return (int)(next(state) % WORDS);
}

static int one_further(unsigned long *state, int before)
{
    return before + 1;
}

static int a_little_further(unsigned long *state, int before)
{
    return before + 1 + (int)(next(state) % 6);
}

static void prepare(int n, int (*step)(unsigned long *, int))
{
    static unsigned long state = 12345;
    int i, at = 0;
    for (i = 0; i < n; i++) {
        if (i % VECTOR == 0)
            at = (int)(next(&state) % (WORDS - 8 * VECTOR));
        indices[i] = at = step(&state, at);
    }
}

static double time_reads(int n)
{
    double start, sum = 0;
    int i;
    upc_barrier;
    start = bench_now();
    for (i = 0; i < n; i++)
        sum += target[indices[i]];
    sink = sum;
    return (bench_now() - start) / n;
}

static double time_writes(int n)
{
    double start;
    int i;
    upc_barrier;
    start = bench_now();
    for (i = 0; i < n; i++)
        target[indices[i]] = i;
    upc_fence;
    return (bench_now() - start) / n;
}

static void pattern(const char *name, int reads_n, int writes_n, int (*step)(unsigned long *, int))
{
    double reads = 1e30, writes = 1e30, time;
    char text[64];
    int repeat;
    for (repeat = 0; repeat < REPEAT; repeat++) {
        prepare(reads_n > writes_n ? reads_n : writes_n, step);
        if ((time = time_reads(reads_n)) < reads)
            reads = time;
        if ((time = time_writes(writes_n)) < writes)
            writes = time;
    }
    upc_barrier;
    if (MYTHREAD != 0)
        return;
    snprintf(text, sizeof text, "%s_read", name);
    bench_print(text, reads);
    snprintf(text, sizeof text, "%s_write", name);
    bench_print(text, writes);
}

static const struct {
    const char *name;
    int (*step)(unsigned long *, int);
} patterns[] = {{"baseline", by_chance}, {"coalesce", a_little_further}, {"vector", one_further}};

/* Arguments: reads and writes of a measurement; one pattern, else all. */
int main(int argc, char **argv)
{
    int i, reads = argc > 1 ? atoi(argv[1]) : 1 << 16, writes = argc > 2 ? atoi(argv[2]) : reads;
    shared [WORDS] double *all = upc_all_alloc(THREADS, WORDS * sizeof(double));
    /* What is read was written before: the first use of a page is not a part of an access. */
    memset((double *)&all[MYTHREAD * WORDS], 1, WORDS * sizeof(double));
    target = (shared [] double *)&all[(MYTHREAD + 1) % THREADS * WORDS];
    indices = malloc((reads > writes ? reads : writes) * sizeof *indices);
    for (i = 0; i < 3; i++)
        if (argc < 4 || strcmp(argv[3], patterns[i].name) == 0)
            pattern(patterns[i].name, reads, writes, patterns[i].step);
    return 0;
}
