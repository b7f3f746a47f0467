#include <upc.h>
extern shared [2] int a[4*THREADS];
shared [3] int a[4*THREADS]; //~ E0200 @16 `a` is declared as `shared [3] int[4*THREADS]` here, but was `shared [2] int[4*THREADS]`
int f(void) { return a[1]; }
