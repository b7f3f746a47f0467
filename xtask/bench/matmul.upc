/* The two matrix multiplications of MuPC's table 5.1: rows of A and C dealt out, columns of B, 400 x 400. Each line printed: name, seconds. Only the
   cache makes a difference between them: `naive` walks down the remote columns again and again, `temporal` uses an element of a column for all
   rows at once. */
#include <stdlib.h>
#include <string.h>
#include <upc_relaxed.h>
#include "bench.h"

#define N 400
shared [N] float A[N][N];
shared float B[N][N];
shared [N] float C[N][N];

static void naive(int part)
{
    int i, j, k;
    upc_forall (i = 0; i < N / part; i++; &A[i][0])
        for (j = 0; j < N; j++)
            for (k = 0; k < N; k++)
                C[i][j] += A[i][k] * B[k][j];
}

static void temporal(int part)
{
    int i, j, k;
    for (j = 0; j < N / part; j++)
        for (k = 0; k < N; k++)
            upc_forall (i = 0; i < N; i++; &A[i][0])
                C[i][j] += A[i][k] * B[k][j];
}

/* Arguments: which of the two; one part in so many of it, whose time is multiplied. */
int main(int argc, char **argv)
{
    int i, j, part = argc > 2 ? atoi(argv[2]) : 1;
    double start;
    upc_forall (i = 0; i < N; i++; &A[i][0])
        for (j = 0; j < N; j++)
            A[i][j] = i - j;
    upc_forall (j = 0; j < N; j++; &B[0][j])
        for (i = 0; i < N; i++)
            B[i][j] = i == j;
    upc_barrier;
    start = bench_now();
    if (argc > 1 && strcmp(argv[1], "temporal") == 0)
        temporal(part);
    else
        naive(part);
    upc_barrier;
    if (MYTHREAD == 0)
        bench_print("seconds", (bench_now() - start) * part / 1e9);
    /* B is one: C must be A. */
    upc_forall (i = 0; i < (part == 1 ? N : 0); i++; &C[i][0])
        for (j = 0; j < N; j++)
            if (C[i][j] != A[i][j])
                upc_global_exit(1);
    return 0;
}
