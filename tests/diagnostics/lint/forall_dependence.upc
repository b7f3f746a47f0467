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
    shared int *q;
    upc_forall (q = a + 1; q < a + N; q++; q)
        q[0] = q[-1]; //~ W0713 @16 the iteration before it writes as `q[0]`
    upc_forall (i = 1; i < n; i++; i)
        a[i + start] = a[i - 1 + start]; //~ W0713
    // The sum of three neighbours, element by element.
    upc_forall (i = 1; i < N * THREADS - 1; i++; &a[i]) {
        int sum = 0;
        for (j = 0; j < 3; j++)
            sum += a[i - 1 + j]; //~ W0713 @20 which the iteration before it writes as `a[i]`
        a[i] = sum;
    }
    upc_forall (i = 2; i < N; i++; &blocks[i])
        for (j = -1; j >= -2; j--)
            blocks[i] += blocks[i + 2 * j]; //~ W0713 @26 2 iterations before it writes
}
