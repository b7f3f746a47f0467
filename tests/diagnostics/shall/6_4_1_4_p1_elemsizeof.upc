// UPC 6.4.1.4 p1: upc_elemsizeof takes shared types and expressions of shared type, and what sizeof takes.
#include <stddef.h>

struct open;
struct bits { int f : 3; };
shared struct open *unknown;
shared struct bits bits;
shared int a[THREADS];
int private, *to_private;
shared int *to_shared;

size_t good = upc_elemsizeof(a) + upc_elemsizeof(*to_shared) + upc_elemsizeof(shared [3] int) + upc_elemsizeof a[0];
size_t bad[] = {
    upc_elemsizeof(private), //~ E0606 @5 upc_elemsizeof
    upc_elemsizeof(to_shared), //~ E0606 @5
    upc_elemsizeof(int), //~ E0606 @5
    upc_elemsizeof(shared int *), //~ E0606 @5
    upc_elemsizeof(*unknown), //~ E0316 @5 the size of `shared struct open` is not known here: the type is incomplete
    upc_elemsizeof(bits.f), //~ E0316 @5
};
