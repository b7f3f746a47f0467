/*
 * matmul_temporal: C = A B, ordered so that what comes from afar is used at once.
 *
 * matmul_cyclic walks down a remote column of B for each element of C, and comes back to
 * B[k][j] only after a whole row: by then a cache has forgotten it.  Here the loop over rows is
 * the innermost one.  A remote B[k][j] is met once in each row this thread owns, one right
 * after the other: temporal locality, which serves any cache of remote data however small, and
 * lets a compiler keep the value in a register.
 *
 * Nested upc_forall: the affinity `continue` of the outer loop makes every thread do all of it;
 * the inner loop, the outermost one with an affinity, is the controlling one and shares out the
 * rows.
 *
 *   upcc -o matmul_temporal matmul_temporal.upc && ./matmul_temporal -n 4
 *
 * prints "matmul_temporal: OK (...)".
 */
#include <stdio.h>
#include <upc_relaxed.h>

/* As in matmul_cyclic. */
#ifdef __UPC_STATIC_THREADS__
#define N (12 * THREADS)
shared [N] double A[N][N];
shared     double B[N][N];
shared [N] double C[N][N];
#else
#define N 50
shared [N] double A[N * THREADS][N];
shared     double B[N][N * THREADS];
shared [N] double C[N * THREADS][N];
#endif

shared int errors[THREADS];

/* Small whole numbers: every sum is exact, whatever its order. */
static double a(int i, int k) { return (i * 5 + k * 2) % 7 - 3; }
static double b(int k, int j) { return (k * 3 + j * 4) % 17 - 8; }

void multiply(void)
{
    int i, j, k;

    upc_forall (j = 0; j < N; j++; continue)
        for (k = 0; k < N; k++)
            upc_forall (i = 0; i < N; i++; &A[i][0])
                C[i][j] += A[i][k] * B[k][j];
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

    /* Each thread writes what it owns: rows of A and C, columns of B. */
    upc_forall (i = 0; i < N; i++; &A[i][0])
        for (k = 0; k < N; k++) {
            A[i][k] = a(i, k);
            C[i][k] = 0;
        }
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
            printf("matmul_temporal: FAILED (%d wrong elements)\n", wrong);
            upc_global_exit(1);
        }
        printf("matmul_temporal: OK (%d x %d)\n", N, N);
    }
    return 0;
}
