#include <upc.h>
#define N 4
shared [M] int a[N*THREADS]; //~ E0300 @9 `M` is not declared
int f(void) { return a[0]; }
