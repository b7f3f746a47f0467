// Reads that each wait for the one before: they go through a permutation without short circles of N elements, by default
// more than the processor's caches hold. Prints the nanoseconds that one takes, by the
// processor time of the median of many parts of the walk.
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <upc_relaxed.h>

#ifndef N
#define N (1 << 22)
#endif
#define PARTS 41
#define READS 50000

shared [] int *shared where;

static double now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return now.tv_sec * 1e9 + now.tv_nsec;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Sattolo's: a permutation that is one circle. */
static void mix(int *next)
{
    unsigned long random = 12345;
    for (int i = 0; i < N; i++)
        next[i] = i;
    for (int i = N - 1; i > 0; i--) {
        random = random * 6364136223846793005ul + 1442695040888963407ul;
        int j = (int)((random >> 33) % (unsigned)i), other = next[i];
        next[i] = next[j];
        next[j] = other;
    }
}

static int walk(shared [] int *next, int at)
{
    for (int i = 0; i < READS; i++)
        at = next[at];
    return at;
}

int main(void)
{
    if (MYTHREAD == 0) {
        where = upc_alloc(N * sizeof(int));
        mix((int *)where);
    }
    upc_barrier;
    if (MYTHREAD == THREADS - 1) {
        double took[PARTS];
        shared [] int *next = where;
        int at = 0;
        for (int i = 0; i < PARTS; i++) {
            double before = now();
            at = walk(next, at);
            took[i] = (now() - before) / READS;
        }
        qsort(took, PARTS, sizeof *took, compare);
        printf("%.2f\n", at >= 0 ? took[PARTS / 2] : 0);
    }
    upc_barrier;
    return 0;
}
