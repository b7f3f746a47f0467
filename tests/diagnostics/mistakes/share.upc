#include <upc.h>
share int x; //~ E0100 @1 `share` is no keyword and not declared
share [4] int y[4*THREADS]; //~ E0100 @1 `share` is no keyword and not declared
int f(void) { return x; }
