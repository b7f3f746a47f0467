/*
 * gups: random access to a large shared table, after the HPCC benchmark; what one element at a
 * time costs.
 *
 * Each thread walks through random numbers r and does table[place(r)] ^= r.  Nearly all of
 * these are single remote gets and puts that no cache and no prefetcher can foresee: the rate,
 * in updates per second, measures them.
 *
 * HPCC lets threads collide and forgives the lost updates.  In UPC that is a data race, and
 * here there is none: thread t updates only such elements table[r * THREADS + c] of which r %
 * THREADS is t.  As the affinity of an element is its index modulo THREADS, which is c, they
 * are spread over all threads all the same.
 *
 * Verified twice: the XOR of the whole table must be what the updates make of it, and as XOR is
 * its own inverse, doing all of it again must bring the table back to its beginning.
 *
 *   upcc -o gups gups.upc && ./gups -n 4
 *
 * prints "gups: OK (...)".
 */
#include <stdint.h>
#include <stdio.h>
#include <time.h>
#include <upc_relaxed.h>

#define ROWS 8192        /* elements with affinity to one thread */
#define UPDATES 100000   /* of each thread */

shared uint64_t table[ROWS * THREADS];
shared uint64_t part[THREADS];  /* one thread's share of an XOR over everything */
shared long changed[THREADS];

static uint64_t initial(long i) { return (uint64_t)i * UINT64_C(0x9E3779B97F4A7C15); }

/* xorshift64 */
static uint64_t next_random(uint64_t r)
{
    r ^= r << 13;
    r ^= r >> 7;
    return r ^ (r << 17);
}

/* All updates of this thread; gives the XOR of their values. */
static uint64_t update(void)
{
    /* Rows of this thread: MYTHREAD, MYTHREAD + THREADS, ... below ROWS. */
    uint64_t rows = (uint64_t)((ROWS - MYTHREAD + THREADS - 1) / THREADS);
    uint64_t r = UINT64_C(0x2545F4914F6CDD1D) + (uint64_t)MYTHREAD, all = 0;
    long i;

    for (i = 0; i < UPDATES; i++) {
        uint64_t row, column;

        r = next_random(r);
        row = (r >> 32) % rows * THREADS + MYTHREAD;
        column = (r & 0xffffffff) % THREADS;
        table[row * THREADS + column] ^= r;
        all ^= r;
    }
    return all;
}

/* The XOR over all threads of `mine`; collective, the same result everywhere. */
static uint64_t xor_of_all(uint64_t mine)
{
    uint64_t all = 0;
    int t;

    part[MYTHREAD] = mine;
    upc_barrier;
    for (t = 0; t < THREADS; t++)
        all ^= part[t];
    upc_barrier; /* part may be written again */
    return all;
}

int main(void)
{
    uint64_t before = 0, values, after = 0;
    long i, different = 0, wrong = 0;
    clock_t start;
    double seconds;
    int t;

    upc_forall (i = 0; i < (long)ROWS * THREADS; i++; &table[i]) {
        table[i] = initial(i);
        before ^= initial(i);
    }
    before = xor_of_all(before); /* has the barriers that separate this from the updates */

    start = clock();
    values = update();
    seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    values = xor_of_all(values);

    upc_forall (i = 0; i < (long)ROWS * THREADS; i++; &table[i]) {
        after ^= table[i];
        different += table[i] != initial(i);
    }
    after = xor_of_all(after);
    changed[MYTHREAD] = different;

    update(); /* once more: undoes everything */
    upc_barrier;
    if (MYTHREAD == 0) {
        different = 0;
        for (t = 0; t < THREADS; t++)
            different += changed[t];
        for (i = 0; i < (long)ROWS * THREADS; i++)
            wrong += table[i] != initial(i);
        if (after != (before ^ values) || different == 0 || wrong != 0) {
            printf("gups: FAILED (%ld elements changed, %ld not restored, sums %s)\n", different,
                   wrong, after == (before ^ values) ? "equal" : "differ");
            upc_global_exit(1);
        }
        printf("gups: OK (%ld updates of %ld elements, %.1f million a second on each thread)\n",
               (long)UPDATES * THREADS, (long)ROWS * THREADS,
               seconds > 0 ? UPDATES / seconds / 1e6 : 0.0);
    }
    return 0;
}
