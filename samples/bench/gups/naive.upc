/*
 * gups: updates of random elements of a table, whose parts belong to the threads.
 *
 * Plain subscripts: each update goes to its element, wherever that is. Between two fences, two
 * threads may update one element, and one of the updates gets lost; the benchmark allows one wrong
 * element in a hundred.
 */
#include <stdio.h>
#include <stdlib.h>
#include <upc_relaxed.h>
#include <upc_tick.h>

#ifndef PER
#define PER 524288 /* elements of each thread; a power of two, as in HPC Challenge */
#endif
#define ALL ((unsigned long)PER * THREADS)
#define UPDATES (4L * PER) /* of each thread, as in HPC Challenge */
#define ROUND (PER / 64 + 1) /* updates between two fences: a batch of the other versions */

typedef unsigned long word;

shared [PER] word table[PER * THREADS];
shared long errors[THREADS];

static word first_of(int thread) { return (thread + 1) * 0x9e3779b97f4a7c15u; }
static word after(word r) { return r * 6364136223846793005u + 1442695040888963407u; }
static word place_of(word r) { return (r >> 32) * ALL >> 32; }

static void fill(void)
{
    word i;

    upc_forall (i = 0; i < ALL; i++; &table[i])
        table[i] = i;
    upc_barrier;
}

static void update(void)
{
    word r = first_of(MYTHREAD);

    for (long n = 0; n < UPDATES; n += ROUND) {
        for (long k = n; k < n + ROUND && k < UPDATES; k++) {
            r = after(r);
            table[place_of(r)] ^= r;
        }
        upc_fence;
    }
}

/*
 * The number of the thread's elements that lack an update: all are made once more, one after
 * another.
 */
static long wrong_ones(void)
{
    word first = MYTHREAD * (word)PER, *mine = malloc(PER * sizeof *mine);
    long wrong = 0;

    for (long i = 0; i < PER; i++)
        mine[i] = first + i;
    for (int t = 0; t < THREADS; t++) {
        word r = first_of(t);
        for (long n = 0; n < UPDATES; n++) {
            r = after(r);
            word at = place_of(r) - first;
            if (at < PER)
                mine[at] ^= r;
        }
    }
    for (long i = 0; i < PER; i++)
        wrong += table[first + i] != mine[i];
    free(mine);
    return wrong;
}

/*
 * Without other threads, no update is lost. A small table may lose more than one in a hundred:
 * those that the processors have under way at the same time.
 */
static int is_right(void)
{
    long wrong = 0;

    errors[MYTHREAD] = wrong_ones();
    upc_barrier;
    for (int t = 0; t < THREADS; t++)
        wrong += errors[t];
    return THREADS == 1 ? wrong == 0 : wrong <= (long)(ALL / 100) + 256 * THREADS;
}

int main(void)
{
    fill();
    upc_tick_t start = upc_ticks_now();
    update();
    upc_barrier;
    double seconds = upc_ticks_to_ns(upc_ticks_now() - start) / 1e9;
    if (!is_right()) {
        printf("gups %.6f WRONG\n", seconds);
        upc_global_exit(1);
    }
    upc_barrier;
    if (MYTHREAD == 0)
        printf("gups %.6f OK\n", seconds);
    return 0;
}
