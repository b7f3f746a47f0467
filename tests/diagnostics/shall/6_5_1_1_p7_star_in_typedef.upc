// UPC 6.5.1.1 p7: the layout [*] is not for typedefs.

typedef shared [*] int a[4 * THREADS]; //~ E0506 @24 layout qualifier `[*]` in a typedef: there is no array yet whose size could give the block size
typedef shared [*] int b; //~ E0506 @24
typedef shared [4] int c[4 * THREADS];
typedef int d[4];
shared [*] d e[THREADS];
