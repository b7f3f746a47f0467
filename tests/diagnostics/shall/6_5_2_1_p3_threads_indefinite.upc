// UPC 6.5.2.1 p3: in the dynamic environment an array of indefinite block size does not have THREADS.

typedef shared [] int row_t[10];
typedef shared [] int elem_t;

shared [] int a[THREADS]; //~ E0519 @16
shared [0] int b[10][2 * THREADS]; //~ E0519
row_t c[THREADS]; //~ E0519
elem_t d[THREADS]; //~ E0519
shared [] int (*e)[THREADS]; //~ E0519
shared [] int f[10];
row_t g[3];
