/*
 * gups: updates of random elements of a table, in C with OpenMP; see naive.upc.
 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef PER
#define PER 524288 /* elements for each thread; a power of two, as in HPC Challenge */
#endif
#define UPDATES (4L * PER) /* of each thread, as in HPC Challenge */

typedef unsigned long word;

static word all, *table;

static word first_of(int thread) { return (thread + 1) * 0x9e3779b97f4a7c15u; }
static word after(word r) { return r * 6364136223846793005u + 1442695040888963407u; }
static word place_of(word r) { return (r >> 32) * all >> 32; }

static void fill(void)
{
#pragma omp parallel for
    for (word i = 0; i < all; i++)
        table[i] = i;
}

/* As in HPC Challenge, a few updates may get lost; see naive.upc. */
static void update(void)
{
#pragma omp parallel
    {
        word r = first_of(omp_get_thread_num());
        for (long n = 0; n < UPDATES; n++) {
            r = after(r);
            table[place_of(r)] ^= r;
        }
    }
}

static int is_right(int threads)
{
    word wrong = 0;

    for (int t = 0; t < threads; t++) {
        word r = first_of(t);
        for (long n = 0; n < UPDATES; n++) {
            r = after(r);
            table[place_of(r)] ^= r;
        }
    }
    for (word i = 0; i < all; i++)
        wrong += table[i] != i;
    return threads == 1 ? wrong == 0 : wrong <= all / 100 + 256 * threads;
}

int main(void)
{
    int threads = omp_get_max_threads();

    all = (word)PER * threads;
    table = malloc(all * sizeof *table);
    if (!table)
        return 1;
    fill();
    double start = omp_get_wtime();
    update();
    double seconds = omp_get_wtime() - start;
    int right = is_right(threads);
    printf("gups %.6f %s\n", seconds, right ? "OK" : "WRONG");
    return !right;
}
