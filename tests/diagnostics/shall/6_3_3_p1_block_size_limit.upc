// UPC 6.3.3 p1: a block size is at most UPC_MAX_BLOCK_SIZE.
#include <upc.h>

#if UPC_MAX_BLOCK_SIZE < 1
#error "fit for #if"
#endif
shared [UPC_MAX_BLOCK_SIZE] char most[UPC_MAX_BLOCK_SIZE * THREADS];
shared [UPC_MAX_BLOCK_SIZE + 1] char more[THREADS]; //~ E0508 @1 block size 1048576 is not between 0 and UPC_MAX_BLOCK_SIZE (1048575)
shared [*] char star[(UPC_MAX_BLOCK_SIZE + 1) * THREADS]; //~ E0508 @17 `[*]` gives this array block size 1048576
shared [*] char star_most[UPC_MAX_BLOCK_SIZE * THREADS];
shared [-1] int *negative; //~ E0508 @1
shared [0] int *indefinite;
