/*
 * prodcons: synchronisation between two threads, without locks and barriers; strict, relaxed
 * and the fence.
 *
 * A relaxed access may be delayed or reordered, as seen by another thread.  A strict access is
 * a point of order: all that the thread did before comes first, all after it later.  So a flag
 * that says "the data is there" must be strict, the data itself need not.
 *
 *   1. A ring.  Thread t produces for thread t + 1 through a ring buffer in the memory of the
 *      consumer.  Only the producer writes `produced`, only the consumer writes `consumed`;
 *      both are strict, the items are relaxed.  Each thread alternates between its two roles
 *      and waits in neither, so that nobody waits in a circle.
 *   2. A letter to everybody.  Thread 0 puts a letter in each mailbox with relaxed puts, which
 *      may overlap.  One upc_fence orders them all before the flags, where a strict flag for
 *      each would wait for each.
 *
 *   upcc -o prodcons prodcons.upc && ./prodcons -n 4
 *
 * prints "prodcons: OK (...)".
 */
#include <sched.h>
#include <stdio.h>
#include <upc_relaxed.h>

#define SLOTS 16
#define ITEMS 3000   /* through each ring */
#define LETTER 32

/* The ring in front of thread t is ring[t]; items n, n + SLOTS, ... take the same slot. */
shared [SLOTS] long ring[THREADS][SLOTS];
strict shared int produced[THREADS]; /* items put into ring[t] so far */
strict shared int consumed[THREADS]; /* items taken from ring[t] so far */

shared [LETTER] int letter[THREADS][LETTER];
strict shared int delivered[THREADS];

static long item(int producer, int n) { return producer * 1000003L + n * 7L; }

/* Puts item n into the ring of `consumer`; 0 if there is no room yet. */
static int try_produce(int consumer, int n)
{
    if (n - consumed[consumer] == SLOTS)
        return 0;
    ring[consumer][n % SLOTS] = item(MYTHREAD, n); /* relaxed ... */
    produced[consumer] = n + 1;                    /* ... but complete before this strict write */
    return 1;
}

/* Takes item n from this thread's ring; 0 if it is not there yet. */
static int try_consume(int producer, int n)
{
    if (produced[MYTHREAD] == n)
        return 0;
    if (ring[MYTHREAD][n % SLOTS] != item(producer, n)) {
        printf("prodcons: FAILED (thread %d: item %d is wrong)\n", MYTHREAD, n);
        upc_global_exit(1);
    }
    consumed[MYTHREAD] = n + 1; /* the slot has been read before this */
    return 1;
}

static void pass_items(void)
{
    int consumer = (MYTHREAD + 1) % THREADS, producer = (MYTHREAD + THREADS - 1) % THREADS;
    int sent = 0, got = 0;

    while (sent < ITEMS || got < ITEMS) {
        int progress = 0;

        if (sent < ITEMS && try_produce(consumer, sent)) {
            sent++;
            progress = 1;
        }
        if (got < ITEMS && try_consume(producer, got)) {
            got++;
            progress = 1;
        }
        if (!progress)
            sched_yield(); /* there may be more threads than processors */
    }
}

static void send_letters(void)
{
    int i, t;

    for (t = 0; t < THREADS; t++)
        for (i = 0; i < LETTER; i++)
            letter[t][i] = t * LETTER + i;
    upc_fence; /* all letters are in their boxes before any flag goes up */
    for (t = 0; t < THREADS; t++)
        *(relaxed shared int *)&delivered[t] = 1; /* needs no further order: this cast makes it relaxed */
    upc_fence; /* and now the flags are up */
}

static void read_letter(void)
{
    int i;

    while (!delivered[MYTHREAD]) /* strict: nothing below is read too early */
        sched_yield();
    for (i = 0; i < LETTER; i++) {
        if (letter[MYTHREAD][i] != MYTHREAD * LETTER + i) {
            printf("prodcons: FAILED (thread %d: word %d of its letter is wrong)\n", MYTHREAD, i);
            upc_global_exit(1);
        }
    }
}

int main(void)
{
    pass_items();
    if (MYTHREAD == 0)
        send_letters();
    read_letter();

    upc_barrier; /* everybody has succeeded, or else the program is over */
    if (MYTHREAD == 0)
        printf("prodcons: OK (%d items through each of %d rings)\n", ITEMS, THREADS);
    return 0;
}

/* The events that all threads together raise. Tests compare them with a profile. */
// counts: UPC_FENCE=2, UPC_BARRIER=THREADS, UPC_PUT=9033*THREADS, UPC_PUT.remote=6000*THREADS*(THREADS>1)+33*(THREADS-1)
// races: yes, the letters' flags are written by relaxed accesses
