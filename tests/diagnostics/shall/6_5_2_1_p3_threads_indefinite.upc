// UPC 6.5.2.1 p3: in the dynamic environment an array of indefinite block size does not have THREADS.

typedef shared [] int row_t[10];
typedef shared [] int elem_t;

shared [] int a[THREADS]; //~ E0519 @16 THREADS in the size of a shared array with indefinite block size: all elements have affinity to one thread
shared [0] int b[10][2 * THREADS]; //~ E0519 @21
row_t c[THREADS]; //~ E0519 @8
elem_t d[THREADS]; //~ E0519 @9
shared [] int (*e)[THREADS]; //~ E0519 @19
shared [] int f[10];
row_t g[3];
