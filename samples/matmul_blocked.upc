/*
 * matmul_blocked: C = A B with block stripes.
 *
 * Like matmul_cyclic, but each thread owns rows of A and C, and columns of B, that lie side by
 * side: blocks of N*N/THREADS elements make stripes of N/THREADS whole rows, blocks of
 * N/THREADS elements make stripes of as many columns.  Neither the multiplication nor the
 * affinity expressions change: the layout qualifiers say it all.  This time the sum grows in a
 * private variable, and C is written once for each element.
 *
 * A block size is a constant.  N/THREADS is one only where the number of threads is known when
 * the program is compiled (upcc -T=4); elsewhere the stripes have a constant width and are
 * dealt out in turn until the matrix is full: block-cyclic.
 *
 *   upcc -o matmul_blocked matmul_blocked.upc && ./matmul_blocked -n 4
 *
 * prints "matmul_blocked: OK (...)".
 */
#include <stdio.h>
#include <upc_relaxed.h>

#ifdef __UPC_STATIC_THREADS__
#define N (12 * THREADS)
#define M1 (N * N / THREADS)
#define M2 (N / THREADS)
shared [M1] double A[N][N];
shared [M2] double B[N][N];
shared [M1] double C[N][N];
#else
#define N 48
#define STRIPE 6 /* rows or columns; divides N: each row of B begins with a block of thread 0 */
#define M1 (STRIPE * N)
#define M2 STRIPE
shared [M1] double A[N * THREADS][N];
shared [M2] double B[N][N * THREADS];
shared [M1] double C[N * THREADS][N];
#endif

shared int errors[THREADS];

/* Small whole numbers: every sum is exact, whatever its order. */
static double a(int i, int k) { return (i * 3 + k * 7) % 13 - 6; }
static double b(int k, int j) { return (k * 2 + j * 5) % 11 - 5; }

void multiply(void)
{
    int i, j, k;

    upc_forall (i = 0; i < N; i++; &A[i][0]) {
        for (j = 0; j < N; j++) {
            double sum = 0;
            for (k = 0; k < N; k++)
                sum += A[i][k] * B[k][j];
            C[i][j] = sum;
        }
    }
}

/* How many elements of the rows of this thread are wrong. */
static int count_errors(void)
{
    int i, j, k, wrong = 0;

    upc_forall (i = 0; i < N; i++; &C[i][0]) {
        for (j = 0; j < N; j++) {
            double expected = 0;
            for (k = 0; k < N; k++)
                expected += a(i, k) * b(k, j);
            if (C[i][j] != expected)
                wrong++;
        }
    }
    return wrong;
}

int main(void)
{
    int i, j, k, t, wrong = 0;

    /* Each thread writes what it owns: rows of A, columns of B. */
    upc_forall (i = 0; i < N; i++; &A[i][0])
        for (k = 0; k < N; k++)
            A[i][k] = a(i, k);
    upc_forall (j = 0; j < N; j++; &B[0][j])
        for (k = 0; k < N; k++)
            B[k][j] = b(k, j);
    upc_barrier;

    multiply();
    errors[MYTHREAD] = count_errors();
    upc_barrier;

    if (MYTHREAD == 0) {
        for (t = 0; t < THREADS; t++)
            wrong += errors[t];
        if (wrong != 0) {
            printf("matmul_blocked: FAILED (%d wrong elements)\n", wrong);
            upc_global_exit(1);
        }
        printf("matmul_blocked: OK (%d x %d, stripes of %d)\n", N, N, M2);
    }
    return 0;
}

/* The events that all threads together raise. Tests compare them with a profile. */
// counts: UPC_FORALL=4*THREADS, UPC_BARRIER=2*THREADS, UPC_PUT.remote=0
