/* Plain MPI, one message or barrier as it comes: what the figures of mpi.upc are divided by. Arguments: round trips, megabytes, barriers, and what
   MPI is to know of threads: single, or serialized, which makes Open MPI take its locks, and which a program with a communication thread cannot do
   without; `starts`, if starts of long messages are measured as well. Each line printed: name, nanoseconds. */
#include <mpi.h>
#include <string.h>
#include "bench.h"

enum { TAG = 1, SMALL = 8, LINE = 8192, LARGE = 1 << 20, WINDOW = 8, TIMES = 5, WHOLE = 64 << 20 };

static int rank;

static void send(const void *bytes, int n)
{
    MPI_Request request;
    MPI_Isend(bytes, n, MPI_BYTE, !rank, TAG, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void receive(void *bytes, int n)
{
    MPI_Request request;
    MPI_Irecv(bytes, n, MPI_BYTE, !rank, TAG, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/* A request of 8 bytes, an answer of n. */
static void round_trips(const char *name, char *buffer, int n, int count)
{
    double start;
    MPI_Barrier(MPI_COMM_WORLD);
    start = bench_now();
    for (int i = 0; i < count; i++)
        if (rank == 0) {
            send(buffer, SMALL);
            receive(buffer, n);
        } else {
            receive(buffer, SMALL);
            send(buffer, n);
        }
    if (rank == 0)
        bench_print(name, (bench_now() - start) / count);
}

/* WINDOW messages of a megabyte at a time, in buffers of their own, then a word that they have come. */
static void stream(char *buffer, int count)
{
    MPI_Request request[WINDOW];
    double start;
    MPI_Barrier(MPI_COMM_WORLD);
    start = bench_now();
    for (int i = 0; i < count; i += WINDOW) {
        for (int w = 0; w < WINDOW; w++)
            if (rank == 0)
                MPI_Irecv(buffer + (size_t)w * LARGE, LARGE, MPI_BYTE, 1, TAG, MPI_COMM_WORLD, &request[w]);
            else
                MPI_Isend(buffer + (size_t)w * LARGE, LARGE, MPI_BYTE, 0, TAG, MPI_COMM_WORLD, &request[w]);
        MPI_Waitall(WINDOW, request, MPI_STATUSES_IGNORE);
        if (rank == 0)
            send(buffer, SMALL);
        else
            receive(buffer, SMALL);
    }
    if (rank == 0)
        bench_print("large", (bench_now() - start) / count);
}

/* Computes for about 50 ms, after which neither the caches nor the other side are prepared for a message. */
static void compute(void)
{
    static volatile double sink;
    for (double start = bench_now(); bench_now() - start < 5e7;)
        sink = sink * 0.999999 + 1e-9;
}

/* The calls that begin to get 64 MB, by a request that the other side answers, or to put them. */
static void starts(const char *name, char *whole, int is_put)
{
    double time[TIMES];
    for (int t = 0; t < TIMES; t++) {
        MPI_Request request;
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == 0) {
            double start;
            compute();
            start = bench_now();
            if (is_put) {
                MPI_Isend(whole, WHOLE, MPI_BYTE, 1, TAG, MPI_COMM_WORLD, &request);
            } else {
                MPI_Irecv(whole, WHOLE, MPI_BYTE, 1, TAG, MPI_COMM_WORLD, &request);
                send(whole, SMALL);
            }
            time[t] = bench_now() - start;
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        } else if (is_put) {
            receive(whole, WHOLE);
        } else {
            receive(whole, SMALL);
            send(whole, WHOLE);
        }
    }
    if (rank == 0)
        bench_print(name, bench_median(time, TIMES));
}

static void whole_starts(void)
{
    char *whole = malloc(WHOLE);
    if (whole == NULL)
        exit(2);
    memset(whole, 1, WHOLE);
    starts("start_get", whole, 0);
    starts("start_put", whole, 1);
    free(whole);
}

static void barriers(int count)
{
    double start;
    MPI_Barrier(MPI_COMM_WORLD);
    start = bench_now();
    for (int i = 0; i < count; i++)
        MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        bench_print("barrier", (bench_now() - start) / count);
}

int main(int argc, char **argv)
{
    char *buffer = malloc((size_t)WINDOW * LARGE);
    int ranks, trips, megabytes, level;
    if (argc < 5 || buffer == NULL)
        return 2;
    trips = atoi(argv[1]);
    megabytes = atoi(argv[2]);
    memset(buffer, 1, (size_t)WINDOW * LARGE);
    level = strcmp(argv[4], "serialized") == 0 ? MPI_THREAD_SERIALIZED : MPI_THREAD_SINGLE;
    MPI_Init_thread(&argc, &argv, level, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (ranks == 2) {
        round_trips("warm", buffer, SMALL, trips);
        round_trips("small", buffer, SMALL, trips);
        round_trips("line", buffer, LINE, trips / 4);
        stream(buffer, megabytes / 4);
        stream(buffer, megabytes);
        round_trips("alone", buffer, LARGE, megabytes);
        if (argc > 5)
            whole_starts();
    }
    barriers(atoi(argv[3]) / 4);
    barriers(atoi(argv[3]));
    MPI_Finalize();
    return 0;
}
