/*
 * is: sorts integers. Each thread has a range of keys; a key moves to the thread of its range,
 * and is counted there.
 *
 * Tuned by hand: where a thread can access the memory of all threads by pointers-to-local, it moves
 * each key to its place. Otherwise the keys are collected by owner in private memory, and put to
 * each owner at once. Counts are made in private memory.
 */
#include <stdio.h>
#include <stdlib.h>
#include <upc_castable.h>
#include <upc_relaxed.h>
#include <upc_tick.h>

#ifndef PER
#define PER 250000 /* keys of each thread */
#endif
#define MOST_THREADS 64
#define SPACE (2 * PER) /* for the keys that a thread receives */
#define RANGE 1024 /* the keys of a thread's range */
#define REPEAT 10

shared [PER] unsigned keys[PER * THREADS];
shared [SPACE] unsigned sorted[SPACE * THREADS];
shared [MOST_THREADS] long counts[THREADS][MOST_THREADS]; /* by source and owner */
shared [RANGE] long ranks[RANGE * THREADS];
shared unsigned long sums[THREADS][2];

static unsigned key_at(unsigned long i)
{
    i = (i + 1) * 0x9e3779b97f4a7c15u;
    i ^= i >> 29;
    return (unsigned)((i * 0xbf58476d1ce4e5b9u >> 40) % ((unsigned)RANGE * THREADS));
}

static void fill(void)
{
    long i;

    upc_forall (i = 0; i < (long)PER * THREADS; i++; &keys[i])
        keys[i] = key_at(i);
    upc_barrier;
}

/* Counts how many keys this thread has for each owner. */
static void count(long *mine)
{
    unsigned *own = (unsigned *)&keys[MYTHREAD * (long)PER];

    for (int t = 0; t < THREADS; t++)
        mine[t] = 0;
    for (long i = 0; i < PER; i++)
        mine[own[i] / RANGE]++;
    upc_memput(&counts[MYTHREAD][0], mine, THREADS * sizeof *mine);
    upc_barrier;
}

/* Where the keys of this thread begin among those of the owner. */
static long place_at(int owner)
{
    long place = 0;

    for (int source = 0; source < MYTHREAD; source++)
        place += counts[source][owner];
    return place;
}

/* Finds the space of each thread; returns 0 if there is one that this thread cannot access. */
static int cast_all(unsigned **space)
{
    for (int t = 0; t < THREADS; t++) {
        space[t] = upc_cast(&sorted[t * (long)SPACE]);
        if (!space[t])
            return 0;
    }
    return 1;
}

static void move_in_place(unsigned **next)
{
    unsigned *own = (unsigned *)&keys[MYTHREAD * (long)PER];

    for (int t = 0; t < THREADS; t++)
        next[t] += place_at(t);
    for (long i = 0; i < PER; i++)
        *next[own[i] / RANGE]++ = own[i];
}

/* Collects the keys by owner, and puts each part after those of the threads before this one. */
static void move_in_parts(const long *mine)
{
    static unsigned parts[PER];
    unsigned *own = (unsigned *)&keys[MYTHREAD * (long)PER];
    long next[MOST_THREADS], start = 0;

    for (int t = 0; t < THREADS; t++) {
        next[t] = start;
        start += mine[t];
    }
    for (long i = 0; i < PER; i++)
        parts[next[own[i] / RANGE]++] = own[i];
    for (int t = 0; t < THREADS; t++)
        upc_memput(&sorted[t * (long)SPACE + place_at(t)], parts + next[t] - mine[t],
                   mine[t] * sizeof *parts);
}

static void move(const long *mine)
{
    unsigned *space[MOST_THREADS];

    if (cast_all(space))
        move_in_place(space);
    else
        move_in_parts(mine);
    upc_barrier;
}

static long received(void)
{
    long n = 0;

    for (int source = 0; source < THREADS; source++)
        n += counts[source][MYTHREAD];
    return n;
}

/* Sorts the keys that have arrived. */
static void rank_keys(void)
{
    unsigned *own = (unsigned *)&sorted[MYTHREAD * (long)SPACE];
    long *rank = (long *)&ranks[MYTHREAD * RANGE], n = received(), at = 0;
    unsigned lowest = MYTHREAD * RANGE;

    for (int k = 0; k < RANGE; k++)
        rank[k] = 0;
    for (long i = 0; i < n; i++)
        rank[own[i] - lowest]++;
    for (int k = 0; k < RANGE; k++)
        for (long left = rank[k]; left > 0; left--)
            own[at++] = lowest + k;
    upc_barrier;
}

/*
 * The keys are in order, and those that there were: their number, their sum and the sum of their
 * squares.
 */
static int is_right(void)
{
    unsigned long sum = 0, squares = 0, n = received(), all = 0;
    long first = MYTHREAD * (long)SPACE;

    for (long i = MYTHREAD * (long)PER; i < (MYTHREAD + 1) * (long)PER; i++) {
        sum -= keys[i];
        squares -= keys[i] * (unsigned long)keys[i];
    }
    for (unsigned long i = 0; i < n; i++) {
        unsigned key = sorted[first + i];
        if (key / RANGE != (unsigned)MYTHREAD || (i > 0 && sorted[first + i - 1] > key))
            return 0;
        sum += key;
        squares += key * (unsigned long)key;
    }
    sums[MYTHREAD][0] = sum;
    sums[MYTHREAD][1] = squares;
    upc_barrier;
    sum = squares = 0;
    for (int t = 0; t < THREADS; t++) {
        sum += sums[t][0];
        squares += sums[t][1];
        for (int source = 0; source < THREADS; source++)
            all += counts[source][t];
    }
    return sum == 0 && squares == 0 && all == (unsigned long)PER * THREADS;
}

int main(void)
{
    fill();
    upc_tick_t start = upc_ticks_now();
    for (int n = 0; n < REPEAT; n++) {
        long mine[MOST_THREADS];
        count(mine);
        move(mine);
        rank_keys();
    }
    double seconds = upc_ticks_to_ns(upc_ticks_now() - start) / 1e9;
    if (THREADS > MOST_THREADS || !is_right()) {
        printf("is %.6f WRONG\n", seconds);
        upc_global_exit(1);
    }
    upc_barrier;
    if (MYTHREAD == 0)
        printf("is %.6f OK\n", seconds);
    return 0;
}
