// question: does the cache of remote memory count what it does, and say so at exit?
// threads: 2
// flags: -pshm-width=1
// set: UPC_CACHE=on UPC_CACHE_STATS=1 UPC_SEND_AFTER=10000000 UPC_CACHE_LINE=512 UPC_CACHE_LINES=16
// stderr: upc thread 0 of 2: cache of 16 lines of 512 bytes: reads: 99 hits, 1 misses (1.00 %), 0 bypasses; writes: 49 hits, 1 misses, 0 bypasses;
// stderr: in: 1 lines (0 prefetched), 512 bytes; out: 1 lines, 16 bytes; 1 invalidations of 2 lines; strips: 0 hits, 0 kept; 0 expected; messages: 1 gets, 1 puts
// stderr: upc thread 1 of 2: cache of 16 lines of 512 bytes: reads: 99 hits, 1 misses (1.00 %)
#include "check.h"
#include <upc_relaxed.h>

enum { FAR = 1000 };

shared [FAR] long board[FAR * THREADS];

int main(void)
{
    shared [] long *there = (shared [] long *)&board[(MYTHREAD + 1) % THREADS * FAR];
    long sum = 0;
    /* A volatile counter: a loop that counts would read the element once. */
    volatile int i;
    for (i = 0; i < 100; i++)
        sum += there[0];
    CHECK(sum == 0);
    for (i = 0; i < 50; i++)
        there[FAR / 2 + i % 2] = i;
    upc_barrier;
    CHECK(board[MYTHREAD * FAR + FAR / 2] == 48 && board[MYTHREAD * FAR + FAR / 2 + 1] == 49);
    return pass();
}
