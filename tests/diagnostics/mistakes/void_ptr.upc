#include <upc.h>
shared int *p;
int *q;
void f(void) { q = p; p = q; p = &q; } //~ E0601 @20 assignment converts incompatible types: `shared int *` to `int *` //~ E0600 @27 assignment converts incompatible types: `int *` to `shared int *` //~ E0600 @34 assignment converts incompatible types: `int **` to `shared int *`
