/*
 * gups: updates of random elements of a table, in C with MPI; see naive.upc. Batches of updates are
 * sorted by the ranks that own their elements, and exchanged.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef PER
#define PER 524288 /* elements of each rank; a power of two, as in HPC Challenge */
#endif
#define UPDATES (4L * PER) /* of each rank, as in HPC Challenge */
#define BATCH (PER / 64 + 1)

typedef unsigned long word;

static int rank, ranks;
static word table[PER];

static word first_of(int thread) { return (thread + 1) * 0x9e3779b97f4a7c15u; }
static word after(word r) { return r * 6364136223846793005u + 1442695040888963407u; }
static word place_of(word r) { return (r >> 32) * ((word)PER * ranks) >> 32; }

/* Sorts the next updates: counts[t] of them for rank t, from BATCH * t on. */
static void sort_batch(word *parts, int *counts, word *r, long updates)
{
    for (int t = 0; t < ranks; t++)
        counts[t] = 0;
    for (long n = 0; n < updates; n++) {
        *r = after(*r);
        int t = (int)(place_of(*r) / PER);
        parts[(size_t)BATCH * t + counts[t]++] = *r;
    }
}

static void update(void)
{
    word *parts = malloc((size_t)ranks * BATCH * sizeof *parts), r = first_of(rank);
    word *mine = malloc((size_t)ranks * BATCH * sizeof *mine);
    int *counts = malloc(ranks * sizeof *counts), *arriving = malloc(ranks * sizeof *arriving);
    int *starts = malloc(ranks * sizeof *starts);

    for (int t = 0; t < ranks; t++)
        starts[t] = BATCH * t;
    for (long n = 0; n < UPDATES; n += BATCH) {
        sort_batch(parts, counts, &r, UPDATES - n < BATCH ? UPDATES - n : BATCH);
        MPI_Alltoall(counts, 1, MPI_INT, arriving, 1, MPI_INT, MPI_COMM_WORLD);
        MPI_Alltoallv(parts, counts, starts, MPI_UNSIGNED_LONG, mine, arriving, starts,
                      MPI_UNSIGNED_LONG, MPI_COMM_WORLD);
        for (int t = 0; t < ranks; t++)
            for (int k = 0; k < arriving[t]; k++) {
                word update = mine[(size_t)BATCH * t + k];
                table[place_of(update) - (word)rank * PER] ^= update;
            }
    }
    free(parts), free(mine), free(counts), free(arriving), free(starts);
}

static int is_right(void)
{
    word first = (word)rank * PER;

    for (int t = 0; t < ranks; t++) {
        word r = first_of(t);
        for (long n = 0; n < UPDATES; n++) {
            r = after(r);
            word at = place_of(r) - first;
            if (at < PER)
                table[at] ^= r;
        }
    }
    for (long i = 0; i < PER; i++)
        if (table[i] != first + i)
            return 0;
    return 1;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (long i = 0; i < PER; i++)
        table[i] = (word)rank * PER + i;
    MPI_Barrier(MPI_COMM_WORLD);
    double start = MPI_Wtime();
    update();
    MPI_Barrier(MPI_COMM_WORLD);
    double seconds = MPI_Wtime() - start;
    int right = is_right(), all = 0;
    MPI_Reduce(&right, &all, 1, MPI_INT, MPI_MIN, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("gups %.6f %s\n", seconds, all ? "OK" : "WRONG");
    MPI_Bcast(&all, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return !all;
}
