// W0614: a private pointer to what is another thread's.
#include <upc.h>
#define B 4

shared int a[10 * THREADS];
shared [B] double b[B * THREADS];
shared [] int here[10];
shared int grid[THREADS][8];

void wrong(void)
{
    int me = MYTHREAD;
    int *p = (int *)&a[MYTHREAD + 1]; //~ W0614 @14 `a[MYTHREAD + 1]`, which has affinity to another thread
    int *q = (int *)&a[me - 1]; //~ W0614
    double *r = (double *)&b[MYTHREAD * B + B]; //~ W0614
    double *s = (double *)(b + (me + 1) * B); //~ W0614
    double *t = (double *)&b[B * me - 1]; //~ W0614
    (void)p, (void)q, (void)r, (void)s, (void)t;
}

// Silent: own elements, or elements that may be.
void right(int i)
{
    int me = MYTHREAD;
    int *p = (int *)&a[MYTHREAD];
    int *q = (int *)&a[0];
    int *r = (int *)&a[me + i];
    int *s = (int *)&a[(me + 1) % THREADS];
    int *t = (int *)&a[me + 2];
    int *u = (int *)&here[MYTHREAD + 1];
    double *v = (double *)&b[MYTHREAD * B + B - 1];
    double *w = (double *)&b[MYTHREAD + 1];
    int *x = (int *)&a[THREADS + me];
    shared [] int *y = (shared [] int *)&a[MYTHREAD + 1];
    int *z = (int *)&grid[MYTHREAD + 1][0];
    (void)p, (void)q, (void)r, (void)s, (void)t, (void)u, (void)v, (void)w, (void)x, (void)y, (void)z;
}
