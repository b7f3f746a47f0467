/*
 * platform: the microbenchmarks by which Zhang's thesis on MuPC (sections 4.6, 6.4 and 8.1) judges
 * how well a UPC system performs single accesses in plain subscripts.
 *
 *   stream     thread 0 accesses random elements of the next thread, the others wait
 *   sequence   the same with consecutive elements
 *   baseline   all threads access random elements of the next one
 *   ring       the same with consecutive elements
 *   flush      all others access consecutive elements of the last thread
 *   vector     short vectors of the next thread, from random starts
 *   coalesce   elements with small irregular strides, in a sequence of statements
 *   local      random elements of the thread's own
 *   private    the same in private memory
 *
 * The place of a random access depends on what the one before has read, so that these times are
 * latencies. The program prints lines `name.read nanoseconds` and `name.write nanoseconds` for an
 * access, the least of several repetitions by the slowest thread. What was read and written is
 * verified.
 */
#include <stdio.h>
#include <stdlib.h>
#include <upc_relaxed.h>
#include <upc_tick.h>

#ifndef PER
#define PER 65536 /* elements of each thread */
#endif
#define REPEAT 7
#define VECTOR 64                          /* elements of a short vector */
#define COUNT (PER / 4 / VECTOR * VECTOR)  /* accesses of a repetition */
#define STEP 29                            /* elements that eight accesses with small strides span */

typedef struct { double data[PER]; } part_t;

shared part_t part[THREADS];
shared int errors[THREADS];
shared double elapsed[THREADS];

static double own[PER]; /* private memory */

static double value(int i) { return i % 4099; }

/* A place that depends on another one, and on a value that is zero: `seen` read what `value` says. */
static int after(int i, double seen)
{
    return (i * 1103515245u + 12345u + (unsigned)(seen - value(i))) % PER;
}

/* Each of these makes COUNT accesses to elements of thread t, and returns the sum of what it read. */

static double random_read(int t)
{
    double sum = 0;

    for (int k = 0, i = t; k < COUNT; k++) {
        double seen = part[t].data[i];
        sum += seen;
        i = after(i, seen);
    }
    return sum;
}

static double random_write(int t)
{
    for (int k = 0, i = t; k < COUNT; k++) {
        part[t].data[i] = value(i);
        i = after(i, value(i));
    }
    return 0;
}

static double sequence_read(int t)
{
    double sum = 0;

    for (int i = 0; i < COUNT; i++)
        sum += part[t].data[i];
    return sum;
}

static double sequence_write(int t)
{
    for (int i = 0; i < COUNT; i++)
        part[t].data[i] = value(i);
    return 0;
}

static double vector_read(int t)
{
    double sum = 0;

    for (int k = 0, from = t; k < COUNT / VECTOR; k++, from = after(from, value(from)))
        for (int i = from % (PER - VECTOR), to = i + VECTOR; i < to; i++)
            sum += part[t].data[i];
    return sum;
}

static double vector_write(int t)
{
    for (int k = 0, from = t; k < COUNT / VECTOR; k++, from = after(from, value(from)))
        for (int i = from % (PER - VECTOR), to = i + VECTOR; i < to; i++)
            part[t].data[i] = value(i);
    return 0;
}

static double coalesce_read(int t)
{
    double sum = 0;

    for (int k = 0, i = 0; k < COUNT / 8; k++, i = (i + STEP) % (PER - STEP)) {
        sum += part[t].data[i];
        sum += part[t].data[i + 3];
        sum += part[t].data[i + 4];
        sum += part[t].data[i + 9];
        sum += part[t].data[i + 14];
        sum += part[t].data[i + 16];
        sum += part[t].data[i + 21];
        sum += part[t].data[i + 27];
    }
    return sum;
}

static double coalesce_write(int t)
{
    for (int k = 0, i = 0; k < COUNT / 8; k++, i = (i + STEP) % (PER - STEP)) {
        part[t].data[i] = value(i);
        part[t].data[i + 3] = value(i + 3);
        part[t].data[i + 4] = value(i + 4);
        part[t].data[i + 9] = value(i + 9);
        part[t].data[i + 14] = value(i + 14);
        part[t].data[i + 16] = value(i + 16);
        part[t].data[i + 21] = value(i + 21);
        part[t].data[i + 27] = value(i + 27);
    }
    return 0;
}

static double private_read(int t)
{
    double sum = 0;

    for (int k = 0, i = t; k < COUNT; k++) {
        double seen = own[i];
        sum += seen;
        i = after(i, seen);
    }
    return sum;
}

static double private_write(int t)
{
    for (int k = 0, i = t; k < COUNT; k++) {
        own[i] = value(i);
        i = after(i, value(i));
    }
    return 0;
}

/* Which threads make the accesses, and to whose elements. */
enum who { FIRST, NEXT, LAST, OWN };

static const struct pattern {
    const char *name;
    enum who who;
    double (*read)(int t), (*write)(int t);
} patterns[] = {
    {"stream", FIRST, random_read, random_write},
    {"sequence", FIRST, sequence_read, sequence_write},
    {"baseline", NEXT, random_read, random_write},
    {"ring", NEXT, sequence_read, sequence_write},
    {"flush", LAST, sequence_read, sequence_write},
    {"vector", NEXT, vector_read, vector_write},
    {"coalesce", NEXT, coalesce_read, coalesce_write},
    {"local", OWN, random_read, random_write},
    {"private", OWN, private_read, private_write},
};
enum { PATTERNS = sizeof patterns / sizeof *patterns };

static int takes_part(enum who who)
{
    switch (who) {
    case FIRST:
        return MYTHREAD == 0;
    case LAST:
        return MYTHREAD != THREADS - 1 || THREADS == 1;
    case NEXT:
    case OWN:
        break;
    }
    return 1;
}

static int whose(enum who who)
{
    switch (who) {
    case LAST:
        return THREADS - 1;
    case OWN:
        return MYTHREAD;
    case FIRST:
    case NEXT:
        break;
    }
    return (MYTHREAD + 1) % THREADS;
}

/* The time of an access in a repetition: that of the slowest thread. A barrier is in it, after which the runtime may fetch
   what the accesses will read. */
static double repetition(const struct pattern *it, double (*run)(int t), double *sum)
{
    double longest = 0;

    upc_barrier;
    upc_tick_t start = upc_ticks_now();
    upc_barrier;
    if (takes_part(it->who))
        *sum = run(whose(it->who));
    upc_fence;
    elapsed[MYTHREAD] = takes_part(it->who) ? upc_ticks_to_ns(upc_ticks_now() - start) / (double)COUNT : 0;
    upc_barrier;
    for (int t = 0; t < THREADS; t++)
        longest = elapsed[t] > longest ? elapsed[t] : longest;
    return longest;
}

static void measure(const struct pattern *it, const char *way, double (*run)(int t))
{
    double least = 0, sum = 0, first = 0;

    for (int k = 0; k < REPEAT; k++) {
        double time = repetition(it, run, &sum);
        if (k == 0 || time < least)
            least = time;
        if (k == 0)
            first = sum;
        errors[MYTHREAD] += sum != first;
    }
    if (MYTHREAD == 0)
        printf("%s.%s %.3f\n", it->name, way, least);
}

int main(void)
{
    int all = 0;

    for (int i = 0; i < PER; i++)
        part[MYTHREAD].data[i] = own[i] = value(i);
    upc_barrier;
    for (int k = 0; k < PATTERNS; k++) {
        measure(&patterns[k], "read", patterns[k].read);
        measure(&patterns[k], "write", patterns[k].write);
    }
    for (int i = 0; i < PER; i++)
        errors[MYTHREAD] += part[MYTHREAD].data[i] != value(i) || own[i] != value(i);
    upc_barrier;
    for (int t = 0; t < THREADS; t++)
        all += errors[t];
    if (MYTHREAD == 0)
        printf(all == 0 ? "platform OK\n" : "platform FAILED: %d\n", all);
    return all != 0;
}
