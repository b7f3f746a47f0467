/*
 * isort: bucket sort of integers, after the kernel IS of the NAS benchmarks; all-to-all
 * exchange.
 *
 * Every thread has KEYS random keys.  Thread t shall receive the keys of the t-th part of the
 * range:
 *   1. each thread puts its keys in order of their destination in a buffer of its own shared
 *      memory, and notes where each bucket starts;
 *   2. each thread fetches its bucket from every other thread (upc_memget), so that now all its
 *      keys are in its part of the range, and sorts them by counting;
 *   3. the sorted keys, a different number on each thread, go to their places in one
 *      block-distributed array (upc_memput; a piece never crosses the border between two
 *      blocks, for a block is what one thread owns).
 *
 *   upcc -o isort isort.upc && ./isort -n 4
 *
 * prints "isort: OK (...)".
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <upc_relaxed.h>

#define KEYS 20000        /* of each thread */
#define RANGE (1 << 16)   /* keys are 0 .. RANGE - 1 */
#define TOTAL ((long)KEYS * THREADS)

typedef int32_t skey_t;

/* What a thread shows to the others between steps 1 and 2. */
typedef struct {
    shared [] skey_t *keys; /* in order of destination */
    shared [] int *start;   /* those for thread t: start[t] .. start[t + 1] - 1 */
} outbox_t;

shared outbox_t outbox[THREADS];
shared int received[THREADS];
shared [KEYS] skey_t sorted[KEYS * THREADS];
shared int disorder[THREADS];

static skey_t original[KEYS]; /* private: the keys this thread began with */

static uint64_t mix(uint64_t z)
{
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

/* Key i of all: the mean of four random numbers crowds the middle of the range, as in NAS IS. */
static skey_t make_key(long i)
{
    uint64_t h = mix((uint64_t)i + UINT64_C(0x9E3779B97F4A7C15));

    return (skey_t)(((h & 0xffff) + (h >> 16 & 0xffff) + (h >> 32 & 0xffff) + (h >> 48)) / 4);
}

static int destination(skey_t key)
{
    return (int)((int64_t)key * THREADS / RANGE);
}

/* The least key whose destination is `thread`. */
static skey_t lowest(int thread)
{
    return (skey_t)(((int64_t)thread * RANGE + THREADS - 1) / THREADS);
}

static void *checked(void *p)
{
    if (p == NULL) {
        printf("isort: FAILED (out of memory)\n");
        upc_global_exit(1);
    }
    return p;
}

/* Step 1. */
static void fill_outbox(void)
{
    shared [] skey_t *keys = (shared [] skey_t *)upc_alloc(KEYS * sizeof(skey_t));
    shared [] int *start = (shared [] int *)upc_alloc((THREADS + 1) * sizeof(int));
    skey_t *my_keys = (skey_t *)checked((void *)keys); /* local: null stays null */
    int *my_start = (int *)checked((void *)start);
    int *next = (int *)checked(malloc(THREADS * sizeof *next));
    int i, t;

    for (t = 0; t <= THREADS; t++)
        my_start[t] = 0;
    for (i = 0; i < KEYS; i++)
        my_start[destination(original[i]) + 1]++;
    for (t = 0; t < THREADS; t++) {
        my_start[t + 1] += my_start[t];
        next[t] = my_start[t];
    }
    for (i = 0; i < KEYS; i++)
        my_keys[next[destination(original[i])]++] = original[i];
    free(next);

    outbox[MYTHREAD].keys = keys;
    outbox[MYTHREAD].start = start;
}

/* Step 2, first half: gives a malloc'ed array with the keys for this thread, and their number. */
static skey_t *fetch_bucket(int *count)
{
    skey_t *keys = (skey_t *)checked(malloc((TOTAL + 1) * sizeof *keys)); /* always enough */
    int n = 0, i;

    for (i = 0; i < THREADS; i++) {
        int from = (MYTHREAD + i) % THREADS; /* each begins elsewhere: nobody is asked by all at once */
        outbox_t box = outbox[from];
        int border[2];

        upc_memget(border, &box.start[MYTHREAD], sizeof border);
        upc_memget(keys + n, &box.keys[border[0]], (border[1] - border[0]) * sizeof(skey_t));
        n += border[1] - border[0];
    }
    *count = n;
    return keys;
}

/* Step 2, second half. */
static void counting_sort(skey_t *keys, int n)
{
    skey_t low = lowest(MYTHREAD), high = lowest(MYTHREAD + 1), key;
    int *count = (int *)checked(calloc((size_t)(high - low) + 1, sizeof *count));
    int i, at = 0;

    for (i = 0; i < n; i++)
        count[keys[i] - low]++;
    for (key = low; key < high; key++)
        for (i = 0; i < count[key - low]; i++)
            keys[at++] = key;
    free(count);
}

/* Step 3: `n` sorted keys go to place `at` and the following ones. */
static void place(const skey_t *keys, long at, int n)
{
    while (n > 0) {
        int room = KEYS - (int)(at % KEYS); /* to the end of the block */
        int piece = n < room ? n : room;

        upc_memput(&sorted[at], keys, piece * sizeof(skey_t));
        keys += piece;
        at += piece;
        n -= piece;
    }
}

/* Pairs in the wrong order among those whose first key is in the block of this thread. */
static int count_disorder(void)
{
    long i;
    int wrong = 0;

    upc_forall (i = 0; i < TOTAL - 1; i++; &sorted[i])
        wrong += sorted[i] > sorted[i + 1];
    return wrong;
}

#pragma pupc off /* events of the check would hide those of the work */
/* On one thread: is what we have a permutation of what we had?  Counts every key of both. */
static int is_permutation(void)
{
    long *balance = (long *)checked(calloc(RANGE, sizeof *balance));
    long i;
    int k, same = 1;

    for (i = 0; i < TOTAL; i++) {
        skey_t key = sorted[i];
        balance[make_key(i)]++;
        if (key >= 0 && key < RANGE)
            balance[key]--;
    }
    for (k = 0; k < RANGE; k++)
        same &= balance[k] == 0;
    free(balance);
    return same;
}
#pragma pupc on

int main(void)
{
    skey_t *bucket;
    long at = 0;
    int i, t, n, wrong = 0;

    for (i = 0; i < KEYS; i++)
        original[i] = make_key((long)KEYS * MYTHREAD + i);

    fill_outbox();
    upc_barrier;

    bucket = fetch_bucket(&n);
    received[MYTHREAD] = n;
    upc_barrier;

    upc_free(outbox[MYTHREAD].keys); /* everybody has fetched */
    upc_free(outbox[MYTHREAD].start);
    counting_sort(bucket, n);
    for (t = 0; t < MYTHREAD; t++)
        at += received[t];
    place(bucket, at, n);
    free(bucket);
    upc_barrier;

    disorder[MYTHREAD] = count_disorder();
    upc_barrier;

    if (MYTHREAD == 0) {
        for (t = 0; t < THREADS; t++)
            wrong += disorder[t];
        if (wrong != 0 || !is_permutation()) {
            printf("isort: FAILED (%d pairs out of order)\n", wrong);
            upc_global_exit(1);
        }
        printf("isort: OK (%ld keys)\n", TOTAL);
    }
    return 0;
}

/* The events that all threads together raise. Tests compare them with a profile. */
// counts: UPC_ALLOC=2*THREADS, UPC_FREE=2*THREADS, UPC_MEMGET=2*THREADS*THREADS, UPC_FORALL=THREADS, UPC_BARRIER=4*THREADS, UPC_PUT=4*THREADS, C_MALLOC=3*THREADS, C_FREE=3*THREADS, UPC_GET.remote=3*THREADS*(THREADS-1)/2+2*(THREADS-1)
