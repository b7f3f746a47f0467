#include <upc.h>
shared int x //~ E0100 @13 expected `;` after `x`
int f(void) { return x; }
int g(void) { return f(); }
