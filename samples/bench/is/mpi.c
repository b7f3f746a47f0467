/*
 * is: sorts integers, in C with MPI; see naive.upc.
 */
#include <mpi.h>
#include <stdio.h>

#ifndef PER
#define PER 250000 /* keys of each rank */
#endif
#define MOST_RANKS 64
#define SPACE (2 * PER)
#define RANGE 1024 /* the keys of a rank's range */
#define REPEAT 10

static int rank, ranks, received;
static unsigned keys[PER], parts[PER], sorted[SPACE];

static unsigned key_at(unsigned long i)
{
    i = (i + 1) * 0x9e3779b97f4a7c15u;
    i ^= i >> 29;
    return (unsigned)((i * 0xbf58476d1ce4e5b9u >> 40) % ((unsigned)RANGE * ranks));
}

static void starts_of(int *starts, const int *counts)
{
    starts[0] = 0;
    for (int t = 1; t < ranks; t++)
        starts[t] = starts[t - 1] + counts[t - 1];
}

static void move(void)
{
    int counts[MOST_RANKS] = {0}, starts[MOST_RANKS], next[MOST_RANKS];
    int arriving[MOST_RANKS], places[MOST_RANKS];

    for (long i = 0; i < PER; i++)
        counts[keys[i] / RANGE]++;
    MPI_Alltoall(counts, 1, MPI_INT, arriving, 1, MPI_INT, MPI_COMM_WORLD);
    starts_of(starts, counts);
    starts_of(next, counts);
    starts_of(places, arriving);
    for (long i = 0; i < PER; i++)
        parts[next[keys[i] / RANGE]++] = keys[i];
    MPI_Alltoallv(parts, counts, starts, MPI_UNSIGNED, sorted, arriving, places, MPI_UNSIGNED,
                  MPI_COMM_WORLD);
    received = places[ranks - 1] + arriving[ranks - 1];
}

static void rank_keys(void)
{
    long counts[RANGE] = {0}, at = 0;
    unsigned lowest = rank * RANGE;

    for (long i = 0; i < received; i++)
        counts[sorted[i] - lowest]++;
    for (int k = 0; k < RANGE; k++)
        for (long left = counts[k]; left > 0; left--)
            sorted[at++] = lowest + k;
}

static int is_right(void)
{
    unsigned long sums[3] = {0}, all[3];
    int right = 1;

    for (long i = 0; i < PER; i++) {
        sums[0] -= keys[i];
        sums[1] -= keys[i] * (unsigned long)keys[i];
    }
    for (long i = 0; i < received; i++) {
        if (sorted[i] / RANGE != (unsigned)rank || (i > 0 && sorted[i - 1] > sorted[i]))
            right = 0;
        sums[0] += sorted[i];
        sums[1] += sorted[i] * (unsigned long)sorted[i];
    }
    sums[2] = received;
    MPI_Allreduce(sums, all, 3, MPI_UNSIGNED_LONG, MPI_SUM, MPI_COMM_WORLD);
    return right && all[0] == 0 && all[1] == 0 && all[2] == (unsigned long)PER * ranks;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (long i = 0; i < PER; i++)
        keys[i] = key_at(rank * (long)PER + i);
    MPI_Barrier(MPI_COMM_WORLD);
    double start = MPI_Wtime();
    for (int n = 0; n < REPEAT; n++) {
        move();
        rank_keys();
        MPI_Barrier(MPI_COMM_WORLD);
    }
    double seconds = MPI_Wtime() - start;
    int right = is_right(), all = 0;
    MPI_Reduce(&right, &all, 1, MPI_INT, MPI_MIN, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("is %.6f %s\n", seconds, all ? "OK" : "WRONG");
    MPI_Bcast(&all, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return !all;
}
