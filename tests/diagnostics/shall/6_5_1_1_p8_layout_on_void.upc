// UPC 6.5.1.1 p8: `shared void` has no layout qualifier.

typedef void nothing;

shared [4] void *a; //~ E0507 @1 `shared void` cannot have a layout qualifier: a generic pointer-to-shared can point to objects of every block size
shared [] void *b; //~ E0507 @1
shared [*] void *c; //~ E0507 @1
shared [2] nothing *d; //~ E0507 @1
const shared [1] void **e; //~ E0507 @7
void f(shared [3] void *x); //~ E0507 @8
shared void *g;
shared void *shared [3] h[3 * THREADS];
