/*
 * gups: updates of random elements of a table, whose parts belong to the threads.
 *
 * Tuned by hand: where a thread can access the elements of all threads by pointers-to-local, it
 * does. Otherwise each thread sorts a batch of updates by the owners of their elements, puts each
 * part into a mailbox of its owner, and makes those updates that it finds in its own mailbox.
 */
#include <stdio.h>
#include <stdlib.h>
#include <upc_castable.h>
#include <upc_relaxed.h>
#include <upc_tick.h>

#ifndef PER
#define PER 524288 /* elements of each thread; a power of two, as in HPC Challenge */
#endif
#define ALL ((unsigned long)PER * THREADS)
#define UPDATES (4L * PER) /* of each thread, as in HPC Challenge */
#define BATCH (PER / 64 + 1)
#define MOST_THREADS 256 /* whose elements are accessed by pointers-to-local */

typedef unsigned long word;

shared [PER] word table[PER * THREADS];
shared long errors[THREADS];
shared [] word *shared mailbox[THREADS];

static word first_of(int thread) { return (thread + 1) * 0x9e3779b97f4a7c15u; }
static word after(word r) { return r * 6364136223846793005u + 1442695040888963407u; }
static word place_of(word r) { return (r >> 32) * ALL >> 32; }

static void fill(void)
{
    word i;

    upc_forall (i = 0; i < ALL; i++; &table[i])
        table[i] = i;
    mailbox[MYTHREAD] = upc_alloc(THREADS * (BATCH + 1) * sizeof(word));
    upc_barrier;
}

/* A part of a batch: the number of updates, and the updates. */
static word *part_of(word *parts, int t) { return parts + (size_t)t * (BATCH + 1); }

static void sort_batch(word *parts, word *r, long updates)
{
    for (int t = 0; t < THREADS; t++)
        *part_of(parts, t) = 0;
    for (long n = 0; n < updates; n++) {
        *r = after(*r);
        word *part = part_of(parts, place_of(*r) / PER);
        part[++*part] = *r;
    }
}

static void send(word *parts)
{
    for (int t = 0; t < THREADS; t++) {
        word *part = part_of(parts, t);
        upc_memput(mailbox[t] + (size_t)MYTHREAD * (BATCH + 1), part, (*part + 1) * sizeof *part);
    }
    upc_barrier;
}

static void make_updates(void)
{
    word *mine = (word *)&table[MYTHREAD * (word)PER], first = MYTHREAD * (word)PER;

    for (int t = 0; t < THREADS; t++) {
        word *part = part_of((word *)mailbox[MYTHREAD], t);
        for (word n = 1; n <= *part; n++)
            mine[place_of(part[n]) - first] ^= part[n];
    }
    upc_barrier;
}

static void update_in_batches(void)
{
    word *parts = malloc(THREADS * (BATCH + 1) * sizeof *parts), r = first_of(MYTHREAD);

    for (long n = 0; n < UPDATES; n += BATCH) {
        sort_batch(parts, &r, UPDATES - n < BATCH ? UPDATES - n : BATCH);
        send(parts);
        make_updates();
    }
    free(parts);
}

/* Finds the elements of each thread; returns 0 if there is one that this thread cannot access. */
static int cast_all(word **elements)
{
    if (THREADS > MOST_THREADS)
        return 0;
    for (int t = 0; t < THREADS; t++) {
        elements[t] = upc_cast(&table[t * (word)PER]);
        if (!elements[t])
            return 0;
    }
    return 1;
}

/* As in naive.upc, two threads may update one element at the same time. */
static void update_in_place(word **elements)
{
    word r = first_of(MYTHREAD);

    for (long n = 0; n < UPDATES; n++) {
        r = after(r);
        word at = place_of(r);
        elements[at / PER][at % PER] ^= r;
    }
}

static void update(void)
{
    word *elements[MOST_THREADS];

    if (cast_all(elements))
        update_in_place(elements);
    else
        update_in_batches();
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
