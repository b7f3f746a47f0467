/* Naive loops over shared arrays. The C compiler vectorises the loops of the marked lines, as it does those of private arrays. */
#include <upc_relaxed.h>
#define N 512
shared [N] double a[N * THREADS], b[N * THREADS], m[64 * THREADS][N], p[64 * THREADS][N], q[64 * THREADS][N];
shared [N] int image[64 * THREADS][N], edges[64 * THREADS][N];
shared int cyclic[N * THREADS], other[N * THREADS];

void axpy(int n, double by)
{
    for (int i = 0; i < n; i++) // vectorised
        b[i] += by * a[i];
}

void stencil(int n)
{
    for (int i = 1; i < n - 1; i++) // vectorised
        b[i] = a[i - 1] + a[i] + a[i + 1];
}

void product(int i, int k)
{
    for (int j = 0; j < N; j++) // vectorised
        p[i][j] += m[i][k] * q[k][j];
}

void sobel(int i)
{
    for (int j = 1; j < N - 1; j++) { // vectorised
        int x = image[i - 1][j + 1] + 2 * image[i][j + 1] + image[i + 1][j + 1] - image[i - 1][j - 1] - 2 * image[i][j - 1] - image[i + 1][j - 1];
        edges[i][j] = x < 0 ? -x : x;
    }
}

void own_elements(int n)
{
    for (int i = MYTHREAD; i < n; i += THREADS) // vectorised
        cyclic[i] += other[i];
}

void neighbours(int n)
{
    int i;
    upc_forall (i = 1; i < n - 1; i++; &b[i]) // vectorised
        b[i] = a[i - 1] + a[i + 1];
}
