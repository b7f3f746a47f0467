#include <upc.h>
share int x; //~ E0100 @1 `share` is not a keyword and is not declared
share [4] int y[4*THREADS]; //~ E0100 @1 `share` is not a keyword and is not declared
int f(void) { return x; }
