// W0713: iterations that touch what iterations on other threads write.
#include <math.h>
#include <upc.h>
#define N 100

shared int a[N * THREADS];
shared [4] int blocks[N * THREADS];
shared [N] double m[N * THREADS][N];
shared struct cell { int x, y; } cells[N * THREADS];

static int twice(int n) { return 2 * n; }

void wrong(shared double *p, int n, int start)
{
    int i, j;
    upc_forall (i = 1; i < N; i++; &a[i])
        a[i] = a[i - 1]; //~ W0713 @16 an iteration reads `a[i - 1]`, which the iteration before it writes as `a[i]`
    upc_forall (i = 0; i < N * THREADS - 1; i++; i)
        a[i] = twice(a[i + 1]); //~ W0713 @22 the iteration after it writes as `a[i]`
    upc_forall (i = 1; i < N - 1; i++; &blocks[i])
        blocks[i] = (blocks[i - 1] + blocks[i + 1]) / 2; //~ W0713
    upc_forall (i = 0; i < N; i++; &m[i][0])
        for (j = start; j < N; j++)
            m[i][j] += m[i + 1][j]; //~ W0713 @24
    upc_forall (i = 0; i < n; i++; &p[i])
        if (i > 0 && i < n - 1)
            p[i] = sqrt(p[i - 1]); //~ W0713 @25
    upc_forall (i = N - 3; i >= 0; i--; i) {
        int next = i + 2;
        cells[i].x = cells[next].x; //~ W0713 @22 2 iterations before it writes
    }
    upc_forall (i = 0; i < N; i++; i * THREADS / N) {
        a[i + 1] = 1; //~ W0713 @9
        a[i] = 0;
    }
    upc_forall (i = 4; i < N; i++; &blocks[i])
        blocks[i] = blocks[i - 4]; //~ W0713
}
