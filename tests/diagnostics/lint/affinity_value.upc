// W0712: the value of an element as affinity, where its place is meant.
#include <upc.h>

shared int a[8 * THREADS], b[8 * THREADS], owner[8 * THREADS];
shared [4] int m[THREADS][4];
shared struct { int x, y; } points[8 * THREADS];
int table[64];

void wrong(shared int *p, int n)
{
    int i;
    upc_forall (i = 0; i < n; i++; a[i]) //~ W0712 @36 the affinity is the value of `a[i]`
        a[i] = i;
    upc_forall (i = 0; i < n; i++; p[i + 1]) //~ W0712
        b[i] = p[i + 1];
    upc_forall (i = 0; i < n; i++; m[i][0]) //~ W0712
        for (int j = 0; j < 4; j++)
            m[i][j] += m[i][0];
    upc_forall (i = 0; i < n; i++; points[i].x) //~ W0712
        points[i].x++;
    upc_forall (i = 0; i < n; i++, p++; *p) //~ W0712 @41
        *p = i;
}

// Silent: places, tables of threads, private arrays, elements that do not move.
void right(shared int *p, int n, int k)
{
    int i;
    upc_forall (i = 0; i < n; i++; &a[i])
        a[i] = i;
    upc_forall (i = 0; i < n; i++; owner[i])
        a[i] = i;
    upc_forall (i = 0; i < n; i++; table[i])
        table[i] = i;
    upc_forall (i = 0; i < n; i++; i)
        a[i] = i;
    upc_forall (i = 0; i < n; i++; a[i + 1])
        a[i] = i;
    upc_forall (i = 0; i < n; i++; owner[k])
        b[i] = owner[k];
}
