// UPC 6.4.1.3 p1: upc_blocksizeof takes shared types and expressions of shared type, and what sizeof takes.
#include <stddef.h>

struct open;
struct bits { int f : 3; };
shared struct open *unknown;
shared struct bits bits;
shared int a[THREADS];
int private, *to_private;
shared int *to_shared;

size_t good = upc_blocksizeof(a) + upc_blocksizeof(*to_shared) + upc_blocksizeof(shared [3] int) + upc_blocksizeof a[0];
size_t bad[] = {
    upc_blocksizeof(private), //~ E0606 @5 upc_blocksizeof
    upc_blocksizeof(to_shared), //~ E0606 @5
    upc_blocksizeof(int), //~ E0606 @5
    upc_blocksizeof(shared int *), //~ E0606 @5
    upc_blocksizeof(*unknown), //~ E0316 @5 the size of `shared struct open` is not known here: the type is incomplete
    upc_blocksizeof(bits.f), //~ E0316 @5
};
