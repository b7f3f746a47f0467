// flags: -T=4
// The same declarations with static THREADS: all are allowed.
#include <upc.h>

shared int x1[10 + THREADS];
shared [] int x2[THREADS];
shared int x3[10];
shared int x4[THREADS][4 * THREADS];
shared int x5[THREADS * THREADS];
shared int x6[THREADS * 100 * 20];
shared int (**p1)[THREADS][THREADS];
int private_array[THREADS];
typedef shared int (*t1)[THREADS][13][THREADS];
void *q(shared void *from);
shared void *p2(shared void *q) { return (shared int (*)[THREADS][THREADS])q; }
#if THREADS != 4 || !defined __UPC_STATIC_THREADS__ || defined __UPC_DYNAMIC_THREADS__
#error "static THREADS"
#endif
shared [*] char too_long[(UPC_MAX_BLOCK_SIZE + 1ul) * THREADS]; //~ E0508
