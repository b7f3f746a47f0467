/*
 * histogram: two ways to count together.
 *
 * Adding to a counter that several threads share is a read and a write: two threads doing it at
 * once lose counts.
 *   1. With locks: a lock for each group of bins; hold it while you add.  Simple, and every
 *      count pays for the lock.
 *   2. With partial histograms: count your own data in your own memory, reached through an
 *      ordinary C pointer, then let the threads share out the bins and add up each bin's
 *      partial counts.  No lock at all.
 * Both must give what one thread finds by counting all the data alone.
 *
 * `shared [*]` lets the compiler choose the block size that gives each thread one run of
 * consecutive elements.
 *
 *   upcc -o histogram histogram.upc && ./histogram -n 4
 *
 * prints "histogram: OK (...)".
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <upc_relaxed.h>

#define BINS 48
#define LOCKS 6       /* bin b is guarded by lock b % LOCKS */
#define ITEMS 1500    /* of each thread */

shared [*] unsigned char data[ITEMS * THREADS];
shared [] long locked[BINS];                   /* indefinite block size: all on thread 0 */
shared [BINS] long partial[THREADS][BINS];     /* row t has affinity to thread t */
shared [] long merged[BINS];

static upc_lock_t *guard[LOCKS]; /* private pointers to shared locks */

/* The value of data[i]: low bins are commoner than high ones. */
static unsigned char value(long i)
{
    uint32_t h = (uint32_t)i * 2654435761u;
    h ^= h >> 15;
    h *= 2246822519u;
    h ^= h >> 13;
    return (unsigned char)((h % BINS) * (h / BINS % BINS) / BINS);
}

static void count_with_locks(void)
{
    long i;

    upc_forall (i = 0; i < (long)ITEMS * THREADS; i++; &data[i]) {
        int bin = data[i];
        upc_lock(guard[bin % LOCKS]);
        locked[bin]++;
        upc_unlock(guard[bin % LOCKS]);
    }
}

static void count_with_partials(void)
{
    /* Own elements through pointers-to-local: plain C from here. */
    const unsigned char *mine = (const unsigned char *)&data[(long)ITEMS * MYTHREAD];
    long *bins = (long *)&partial[MYTHREAD][0];
    int i, b, t;

    memset(bins, 0, BINS * sizeof *bins);
    for (i = 0; i < ITEMS; i++)
        bins[mine[i]]++;

    upc_barrier; /* all partial histograms are there */

    upc_forall (b = 0; b < BINS; b++; b) {
        long sum = 0;
        for (t = 0; t < THREADS; t++)
            sum += partial[t][b];
        merged[b] = sum;
    }
}

static void check(void)
{
    long expected[BINS] = {0};
    long i;
    int b;

    for (i = 0; i < (long)ITEMS * THREADS; i++)
        expected[value(i)]++;
    for (b = 0; b < BINS; b++) {
        if (locked[b] != expected[b] || merged[b] != expected[b]) {
            printf("histogram: FAILED (bin %d: %ld with locks, %ld merged, %ld expected)\n", b,
                   locked[b], merged[b], expected[b]);
            upc_global_exit(1);
        }
    }
    printf("histogram: OK (%ld items in %d bins, block size %d)\n", (long)ITEMS * THREADS, BINS,
           (int)upc_blocksizeof(data));
}

int main(void)
{
    long i;
    int l;

    for (l = 0; l < LOCKS; l++)
        guard[l] = upc_all_lock_alloc(); /* collective: the same lock on every thread */

    upc_forall (i = 0; i < (long)ITEMS * THREADS; i++; &data[i])
        data[i] = value(i);
    upc_barrier;

    count_with_locks();
    count_with_partials();
    upc_barrier;

    if (MYTHREAD == 0)
        check();
    for (l = 0; l < LOCKS; l++)
        upc_all_lock_free(guard[l]);
    return 0;
}

/* The events that all threads together raise. Tests compare them with a profile. */
// counts: UPC_LOCK=1500*THREADS, UPC_UNLOCK=1500*THREADS, UPC_ALL_LOCK_ALLOC=6*THREADS, UPC_LOCK_FREE=6*THREADS, UPC_FORALL=3*THREADS, UPC_BARRIER=3*THREADS
// counts: UPC_PUT=3000*THREADS+48, UPC_GET=3048*THREADS+96, UPC_GET.remote=1548*(THREADS-1)
