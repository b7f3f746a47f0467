/*
 * matmul_cyclic: C = A B with cyclic stripes.
 *
 * The rows of A and C are dealt out to the threads in turn, and so are the columns of B.
 * `shared [N] double A[N][N]` has blocks of N elements, one row; `shared double B[N][N]` has
 * blocks of one element, so that column j belongs to thread j % THREADS as long as a row is a
 * multiple of THREADS long.  The affinity expression &A[i][0] then gives each thread the rows
 * it owns: A and C are accessed locally, B mostly remotely.
 *
 * Where the number of threads is known when the program is compiled (upcc -T=4), N may be a
 * multiple of THREADS and the declarations are those of the textbook.  Where it is not, a
 * shared array may name THREADS in one dimension only, and only times a constant: the matrices
 * are then declared with room to spare, and N rows or columns of them are used.
 *
 *   upcc -o matmul_cyclic matmul_cyclic.upc && ./matmul_cyclic -n 4
 *
 * prints "matmul_cyclic: OK (...)".
 */
#include <stdio.h>
#include <upc_relaxed.h>

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
static double a(int i, int k) { return (i * 7 + k * 3) % 11 - 5; }
static double b(int k, int j) { return (k * 5 + j * 2) % 13 - 6; }

void multiply(void)
{
    int i, j, k;

    upc_forall (i = 0; i < N; i++; &A[i][0]) {
        for (j = 0; j < N; j++) {
            C[i][j] = 0;
            for (k = 0; k < N; k++)
                C[i][j] += A[i][k] * B[k][j];
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
            printf("matmul_cyclic: FAILED (%d wrong elements)\n", wrong);
            upc_global_exit(1);
        }
        printf("matmul_cyclic: OK (%d x %d)\n", N, N);
    }
    return 0;
}

/* The events that all threads together raise. Tests compare them with a profile. */
// counts: UPC_FORALL=4*THREADS, UPC_BARRIER=2*THREADS, UPC_PUT.remote=0
