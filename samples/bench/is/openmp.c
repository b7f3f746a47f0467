/*
 * is: sorts integers, in C with OpenMP; see naive.upc.
 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef PER
#define PER 250000 /* keys for each thread */
#endif
#define MOST_THREADS 64
#define SPACE (2L * PER)
#define RANGE 1024 /* the keys of a thread's range */
#define REPEAT 10

static int threads;
static unsigned *keys, *sorted;
static long counts[MOST_THREADS][MOST_THREADS]; /* by source and owner */

static unsigned key_at(unsigned long i)
{
    i = (i + 1) * 0x9e3779b97f4a7c15u;
    i ^= i >> 29;
    return (unsigned)((i * 0xbf58476d1ce4e5b9u >> 40) % ((unsigned)RANGE * threads));
}

static void count(int me)
{
    long mine[MOST_THREADS] = {0};

    for (long i = 0; i < PER; i++)
        mine[keys[me * (long)PER + i] / RANGE]++;
    for (int t = 0; t < threads; t++)
        counts[me][t] = mine[t];
}

static void move(int me)
{
    long place[MOST_THREADS];

    for (int t = 0; t < threads; t++) {
        place[t] = t * SPACE;
        for (int source = 0; source < me; source++)
            place[t] += counts[source][t];
    }
    for (long i = 0; i < PER; i++) {
        unsigned key = keys[me * (long)PER + i];
        sorted[place[key / RANGE]++] = key;
    }
}

static long received(int me)
{
    long n = 0;

    for (int source = 0; source < threads; source++)
        n += counts[source][me];
    return n;
}

static void rank_keys(int me)
{
    long rank[RANGE] = {0}, n = received(me), at = 0;
    unsigned *own = sorted + me * SPACE, lowest = me * RANGE;

    for (long i = 0; i < n; i++)
        rank[own[i] - lowest]++;
    for (int k = 0; k < RANGE; k++)
        for (long left = rank[k]; left > 0; left--)
            own[at++] = lowest + k;
}

static void sort(void)
{
#pragma omp parallel
    {
        int me = omp_get_thread_num();
        for (int n = 0; n < REPEAT; n++) {
            count(me);
#pragma omp barrier
            move(me);
#pragma omp barrier
            rank_keys(me);
#pragma omp barrier
        }
    }
}

static int is_right(void)
{
    unsigned long sum = 0, squares = 0;
    long all = 0;

    for (long i = 0; i < (long)PER * threads; i++) {
        sum -= keys[i];
        squares -= keys[i] * (unsigned long)keys[i];
    }
    for (int t = 0; t < threads; t++) {
        long n = received(t);
        unsigned *own = sorted + t * SPACE;
        for (long i = 0; i < n; i++) {
            if (own[i] / RANGE != (unsigned)t || (i > 0 && own[i - 1] > own[i]))
                return 0;
            sum += own[i];
            squares += own[i] * (unsigned long)own[i];
        }
        all += n;
    }
    return sum == 0 && squares == 0 && all == (long)PER * threads;
}

int main(void)
{
    threads = omp_get_max_threads();
    keys = malloc((long)PER * threads * sizeof *keys);
    sorted = malloc(SPACE * threads * sizeof *sorted);
    if (!keys || !sorted || threads > MOST_THREADS)
        return 1;
#pragma omp parallel for
    for (long i = 0; i < (long)PER * threads; i++)
        keys[i] = key_at(i);
    double start = omp_get_wtime();
    sort();
    double seconds = omp_get_wtime() - start;
    int right = is_right();
    printf("is %.6f %s\n", seconds, right ? "OK" : "WRONG");
    return !right;
}
