#include <upc.h>
shared int x //~ E0100 @12 expected `;` after `x`
int f(void) { return x; }
int g(void) { return f(); }
