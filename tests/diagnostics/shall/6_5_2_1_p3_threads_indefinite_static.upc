// UPC 6.5.2.1 p3: in the static environment THREADS may count the elements of an array of indefinite block size.
// flags: -T=2

shared [] int a[THREADS];
shared [] int (*b)[THREADS];
shared [] int c[-THREADS]; //~ E0205 @16 the size of this array is negative (-2)
