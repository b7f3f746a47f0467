// UPC 6.5 p3: a declaration gives one block size, through typedefs too.
// UPC 6.5.2 p6: no list of qualifiers gives more than one block size.

typedef shared [3] int three_t;
typedef shared int one_t;
typedef int plain_t;

shared [2] shared [3] int a[6 * THREADS]; //~ E0502 @12 more than one layout qualifier for the same type
shared [2] three_t b[6 * THREADS]; //~ E0502 @1
shared [2] one_t c[2 * THREADS]; //~ E0502 @1
shared [] three_t *d; //~ E0502 @1
int *shared [2] shared [4] e; //~ E0502 @17
shared [*] three_t f[3 * THREADS]; //~ E0502 @1
shared [3] three_t g[3 * THREADS];
shared three_t h[3 * THREADS];
shared [3] plain_t i[3 * THREADS];
three_t *shared [2] j[2 * THREADS];
