// UPC 6.4.1.2 p1: upc_localsizeof takes shared types and expressions of shared type, and what sizeof takes.
#include <stddef.h>

struct open;
struct bits { int f : 3; };
shared struct open *unknown;
shared struct bits bits;
shared int a[THREADS];
int private, *to_private;
shared int *to_shared;

size_t good = upc_localsizeof(a) + upc_localsizeof(*to_shared) + upc_localsizeof(shared [3] int) + upc_localsizeof a[0];
size_t bad[] = {
    upc_localsizeof(private), //~ E0606 @5 upc_localsizeof
    upc_localsizeof(to_shared), //~ E0606 @5
    upc_localsizeof(int), //~ E0606 @5
    upc_localsizeof(shared int *), //~ E0606 @5
    upc_localsizeof(*unknown), //~ E0316 @5 the size of `shared struct open` is not known here: the type is incomplete
    upc_localsizeof(bits.f), //~ E0316 @5
};
