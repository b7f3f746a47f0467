// UPC 6.4.1.1 p1: sizeof of a shared array is a constant in the static environment.
// flags: -T=4

shared [4] int a[4 * THREADS];
enum { definite = sizeof(a) };
_Static_assert(definite == 64, "all of the array");
_Static_assert(upc_localsizeof(a) == 64, "the portion of a thread"); //~ E0217 @16 static assertion failed: "the portion of a thread"
