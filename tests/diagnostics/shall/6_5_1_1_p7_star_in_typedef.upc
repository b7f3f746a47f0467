// UPC 6.5.1.1 p7: the layout [*] is not for typedefs.

typedef shared [*] int a[4 * THREADS]; //~ E0506 @24 layout qualifier `[*]` in a typedef: the block size can be computed only in the declaration of an array
typedef shared [*] int b; //~ E0506 @24
typedef shared [4] int c[4 * THREADS];
typedef int d[4];
shared [*] d e[THREADS];
