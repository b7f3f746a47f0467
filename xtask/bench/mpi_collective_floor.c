/* MPI's own collective functions: what the figures of mpi_collective.upc are divided by. Arguments: bytes of a block, calls of a measurement. Each line
   printed: all (a barrier before and after) or no (none), and the name; nanoseconds of one call. */
#include <mpi.h>
#include <string.h>
#include "bench.h"

/* As in mpi_collective.upc. */
enum { CHUNKS = 21 };

static int bytes;
static char *dst, *src;

static void broadcast(void)
{
    MPI_Bcast(src, bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
}

static void scatter(void)
{
    MPI_Scatter(src, bytes, MPI_BYTE, dst, bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
}

static void gather(void)
{
    MPI_Gather(src, bytes, MPI_BYTE, dst, bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
}

static void gather_all(void)
{
    MPI_Allgather(src, bytes, MPI_BYTE, dst, bytes, MPI_BYTE, MPI_COMM_WORLD);
}

static void exchange(void)
{
    MPI_Alltoall(src, bytes, MPI_BYTE, dst, bytes, MPI_BYTE, MPI_COMM_WORLD);
}

static const struct {
    const char *name;
    void (*call)(void);
} functions[] = {{"broadcast", broadcast}, {"scatter", scatter}, {"gather", gather}, {"gather_all", gather_all}, {"exchange", exchange}};

static void measure(int barriers, const char *name, void (*call)(void), int count)
{
    double times[CHUNKS];
    char figure[64];
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int chunk = 0; chunk < CHUNKS; chunk++) {
        MPI_Barrier(MPI_COMM_WORLD);
        times[chunk] = bench_now();
        for (int i = 0; i < count; i++) {
            if (barriers)
                MPI_Barrier(MPI_COMM_WORLD);
            call();
            if (barriers)
                MPI_Barrier(MPI_COMM_WORLD);
        }
        MPI_Barrier(MPI_COMM_WORLD);
        times[chunk] = bench_now() - times[chunk];
    }
    snprintf(figure, sizeof figure, "%s.%s", barriers ? "all" : "no", name);
    qsort(times, CHUNKS, sizeof *times, bench_compare);
    if (rank == 0)
        bench_print(figure, times[CHUNKS / 4] / count);
}

int main(int argc, char **argv)
{
    int ranks, level;
    if (argc != 3)
        return 2;
    bytes = atoi(argv[1]);
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &level);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    dst = malloc((size_t)ranks * (size_t)bytes);
    src = malloc((size_t)ranks * (size_t)bytes);
    if (dst == NULL || src == NULL)
        return 2;
    memset(dst, 1, (size_t)ranks * (size_t)bytes);
    memset(src, 1, (size_t)ranks * (size_t)bytes);
    for (int barriers = 1; barriers >= 0; barriers--)
        for (size_t f = 0; f < sizeof functions / sizeof *functions; f++)
            measure(barriers, functions[f].name, functions[f].call, atoi(argv[2]));
    MPI_Finalize();
    return 0;
}
