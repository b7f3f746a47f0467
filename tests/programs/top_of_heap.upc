// question: are the bytes at the very end of a thread's memory, where its first blocks lie, read and written by others as all others are?
#include "check.h"
#include <string.h>

enum { BLOCKS = 700, MOST = 197 };
static shared [] unsigned char *shared block[BLOCKS * THREADS];

static int size_of(int i)
{
    return 1 + i * 31 % MOST;
}

static unsigned char value(int owner, int i, int at)
{
    return (unsigned char)(owner * 50 + i + at * 3 + 1);
}

int main(void)
{
    int i, at, next = (MYTHREAD + 1) % THREADS, bad = 0;
    for (i = 0; i < BLOCKS; i++) {
        shared [] unsigned char *mine = (shared [] unsigned char *)upc_alloc(size_of(i));
        CHECK(mine != NULL);
        block[i * THREADS + MYTHREAD] = mine;
        for (at = 0; at < size_of(i); at++)
            mine[at] = value(MYTHREAD, i, at);
    }
    upc_barrier;
    for (i = 0; i < BLOCKS; i++) {
        shared [] unsigned char *there = block[i * THREADS + next];
        for (at = 0; at < size_of(i); at++)
            bad += there[at] != value(next, i, at);
    }
    CHECK(bad == 0);
    upc_barrier;
    for (i = 0; i < BLOCKS; i++) {
        shared [] unsigned char *there = block[i * THREADS + next];
        for (at = i % 2; at < size_of(i); at += 2)
            there[at] = value(MYTHREAD, i, at);
    }
    upc_barrier;
    for (i = 0; i < BLOCKS; i++) {
        const unsigned char *mine = (unsigned char *)block[i * THREADS + MYTHREAD];
        int writer = (MYTHREAD + THREADS - 1) % THREADS;
        for (at = 0; at < size_of(i); at++)
            bad += mine[at] != value(at % 2 == i % 2 ? writer : MYTHREAD, i, at);
    }
    CHECK(bad == 0);
    return pass();
}
