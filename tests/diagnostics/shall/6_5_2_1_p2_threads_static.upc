// UPC 6.5.2.1 p2: in the static environment THREADS is a constant like any other, in every dimension.
// flags: -T=4

typedef shared int row_t[THREADS];
shared void *q;

shared int a[10];
shared [5] double b[7][2];
shared int c[10 + THREADS];
shared int d[THREADS * THREADS];
shared int e[THREADS * 100 * 20];
shared int f[THREADS][4 * THREADS];
row_t g[THREADS];
shared int (**h)[THREADS][THREADS];
typedef shared int (*i)[THREADS][13][THREADS];
shared int j[THREADS - 5]; //~ E0205 @13 the size of this array is negative (-1)
int n;
shared int k[n]; //~ E0517 @13 the size of a shared array must be a constant, or a constant times THREADS
