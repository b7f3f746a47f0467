// UPC 6.5.1.1 p13: the block size is part of the type: declarations of one object agree in it.

extern shared [4] int a[];
shared [4] int a[4 * THREADS];
extern shared [2] int b[]; 
shared int b[2 * THREADS]; //~ E0200 @12 `b` is declared as `shared int[2*THREADS]` here, but was `shared [2] int[]`
void f(shared int *x);
void f(shared [3] int *x); //~ E0200 @6
typedef shared [2] int two_t;
typedef shared [2] int two_t;
typedef shared [3] int two_t; //~ E0200 @24
