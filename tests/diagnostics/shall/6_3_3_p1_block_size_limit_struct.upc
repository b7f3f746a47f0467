// UPC 6.3.3 p1: UPC_MAX_BLOCK_SIZE goes with the representation of pointers-to-shared.
// flags: -fupc-pts=struct -T=2
#include <upc.h>

shared [1048576] char longer[THREADS];
shared [UPC_MAX_BLOCK_SIZE + 1L] char more[THREADS]; //~ E0508 @1 block size 2147483648 is not between 0 and UPC_MAX_BLOCK_SIZE (2147483647)
