// UPC 6.4.1.1 p1: sizeof of a shared array of definite block size is not a constant in the dynamic environment.

shared [4] int a[4 * THREADS];
shared [] int here[10];
enum { definite = sizeof(a) }; //~ E0610 @19 the value of an enumerator is not an integer constant expression
enum { indefinite = sizeof(here), element = sizeof(a[0]), local = upc_localsizeof(a) };
struct bits { int f : sizeof(a) / 4; }; //~ E0610 @23
unsigned long f(void) { return sizeof(a); }
