// W0705: an affinity with which one thread does all the work.
#include <upc.h>
#define N 100

shared int a[N * THREADS];
shared [10] int b[10 * THREADS];
shared [] int here[N];
shared struct cell { int x, y; } cells[N * THREADS];
shared int total;
shared [] int *shared rows[THREADS];

void constants(void)
{
    int i;
    upc_forall (i = 0; i < N; i++; 0) //~ W0705 @36 the affinity `0` is the same in every iteration
        a[i] = i;
    upc_forall (i = 0; i < N; i++; THREADS - 1) //~ W0705 @36
        a[i] = i;
    upc_forall (i = 0; i < N; i++; &a[0]) //~ W0705 @36 `&a[0]`
        a[i] = i;
    upc_forall (i = 0; i < N; i++; a) //~ W0705
        a[i] = i;
    upc_forall (i = 0; i < N; i++; &total) //~ W0705
        a[i] = i;
    upc_forall (i = 0; i < N; i++; &cells[3].y) //~ W0705
        a[i] = i;
    upc_forall (i = 0; i < N; i++; i * THREADS) //~ W0705
        a[i] = i;
    upc_forall (i = 0; i < N; i++; &a[THREADS * i]) //~ W0705
        a[i] = i;
    upc_forall (i = 0; i < N; i++; &here[i]) //~ W0705 @36 of indefinite block size
        here[i] = i;
}

int main(void)
{
    int i, j, k = 3;
    shared int *p = a;
    upc_forall (i = 0; i < N; i++; k) //~ W0705
        a[i] = i;
    upc_forall (i = 0; i < N; i++; p) //~ W0705
        p[i] = i;
    // Silent: the thread changes.
    upc_forall (i = 0; i < N; i++; &p[i])
        p[i] = i;
    upc_forall (i = 0; i < N; i++, p++; p)
        *p = i;
    for (j = 0; j < N; j++)
        upc_forall (i = 0; i < N; i++; j)
            a[i] = j;
    while (k--)
        upc_forall (i = 0; i < N; i++; &a[k])
            a[i] = j;
    return 0;
}

static int next(void);

// Silent: each call may name another thread, and what other loops change may too.
void silent(int who, shared int *p, shared [] int *q, int n)
{
    int i, mine = who % THREADS;
    upc_forall (i = 0; i < n; i++; who)
        a[i] = i;
    upc_forall (i = 0; i < n; i++; mine)
        a[i] = i;
    upc_forall (i = 0; i < n; i++; p)
        p[i] = i;
    upc_forall (i = 0; i < n; i++; &q[i])
        q[i] = i;
    upc_forall (i = 0; i < n; i++; rows[i])
        rows[i][0] = i;
    upc_forall (i = 0; i < n; i++; next())
        a[i] = i;
    upc_forall (i = 0; i < n; i++; &b[THREADS * i])
        b[i] = i;
    upc_forall (i = 0; i < n; i++; &b[i / 10])
        b[i] = i;
    upc_forall (i = 0; i < n; i++; a[i])
        b[i] = i;
    upc_forall (i = 0; i < n; i++; continue)
        here[i] = i;
    upc_forall (i = 0; i < n; i++;)
        here[i] = i;
    for (int r = 0; r < n; r++)
        upc_forall (i = 0; i < n; i++; &a[r])
            a[i] = r;
}
