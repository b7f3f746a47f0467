// question: do list, strided and asynchronous copies move the bytes that a loop over single bytes moves?
// counts: UPC_MEMPUT=4*THREADS*THREADS, UPC_MEMGET=9*THREADS*THREADS, UPC_MEMCPY=THREADS*THREADS, UPC_MEMSET=6*THREADS*THREADS, UPC_NB_PUT_INIT=8*THREADS*THREADS, UPC_NB_GET_INIT=THREADS*THREADS, BUPC_NB_MEMCPY_INIT=2*THREADS*THREADS, UPCC_NB_MEMSET_INIT=THREADS*THREADS
// counts: UPC_ALLOC=THREADS, UPC_BARRIER=THREADS*THREADS+2*THREADS, UPC_PUT=THREADS, UPC_PUT.remote=0, UPC_GET=THREADS*THREADS, UPC_GET.remote=THREADS*(THREADS-1)
#include "../../programs/check.h"
#include <string.h>

#define BYTES 4096
static shared [] char *shared area[THREADS];
static char mine[BYTES], back[BYTES], expected[BYTES];

static void fill(int seed)
{
    for (int i = 0; i < BYTES; i++)
        mine[i] = (char)(i * 13 + seed);
    memset(back, 0, BYTES);
    memset(expected, 0, BYTES);
}

static void clear(shared [] char *there)
{
    upc_memset(there, 0, 2 * BYTES);
}

static void same(shared [] char *there)
{
    upc_memget(back, there, BYTES);
    CHECK(memcmp(back, expected, BYTES) == 0);
    memset(back, 0, BYTES);
    memset(expected, 0, BYTES);
    clear(there);
}

static void lists(shared [] char *there)
{
    bupc_smemvec_t remote[3] = {{there + 100, 10}, {there, 30}, {there + 200, 60}};
    bupc_pmemvec_t mapped[2] = {{mine + 7, 55}, {mine + 700, 45}}, result[2] = {{back, 1}, {back + 1, 99}};
    bupc_smemvec_t copied[1] = {{there + BYTES, 100}};
    int i;
    memcpy(expected + 100, mine + 7, 10);
    memcpy(expected, mine + 17, 30);
    memcpy(expected + 200, mine + 47, 15);
    memcpy(expected + 215, mine + 700, 45);
    bupc_memput_vlist(3, remote, 2, mapped);
    bupc_memget_vlist(2, result, 3, remote);
    CHECK(memcmp(back, mine + 7, 55) == 0 && memcmp(back + 55, mine + 700, 45) == 0);
    bupc_waitsync(bupc_memcpy_vlist_async(1, copied, 3, remote));
    upc_memget(back, there + BYTES, 100);
    CHECK(memcmp(back, mine + 7, 55) == 0 && memcmp(back + 55, mine + 700, 45) == 0);
    same(there);

    shared void *places[6];
    const void *sources[4];
    for (i = 0; i < 6; i++)
        places[i] = there + 400 - 50 * i;
    for (i = 0; i < 4; i++)
        sources[i] = mine + 100 * i;
    for (i = 0; i < 24; i++)
        expected[400 - 50 * (i / 4) + i % 4] = mine[100 * (i / 6) + i % 6];
    bupc_memput_ilist(6, places, 4, 4, sources, 6);
    same(there);
}

static void strides(shared [] char *there)
{
    size_t to[2] = {32, 256}, from[2] = {10, 50}, count[3] = {7, 5, 4};
    int i, j, k;
    for (i = 0; i < 4; i++)
        for (j = 0; j < 5; j++)
            for (k = 0; k < 7; k++)
                expected[i * 256 + j * 32 + k] = mine[i * 50 + j * 10 + k];
    bupc_memput_strided(there, to, mine, from, count, 2);
    bupc_memget_strided(back, from, there, to, count, 2);
    for (i = 0; i < 200; i++)
        CHECK(back[i] == (i % 10 < 7 && i % 50 < 50 ? mine[i] : 0));
    same(there);
    for (i = 0; i < 60; i++)
        expected[i / 6 * 20 + i % 6] = mine[i / 4 * 9 + i % 4];
    bupc_memput_fstrided(there, 6, 20, 10, mine, 4, 9, 15);
    bupc_memget_fstrided(back, 60, 60, 1, there, 6, 20, 10);
    for (i = 0; i < 60; i++)
        CHECK(back[i] == mine[i / 4 * 9 + i % 4]);
    bupc_memcpy_fstrided(there + BYTES, 60, 60, 1, there, 6, 20, 10);
    memset(back, 0, 60);
    upc_memget(back, there + BYTES, 60);
    for (i = 0; i < 60; i++)
        CHECK(back[i] == mine[i / 4 * 9 + i % 4]);
    same(there);
}

static void handles(shared [] char *there)
{
    bupc_handle_t h[8];
    int i;
    for (i = 0; i < 8; i++)
        h[i] = bupc_memput_async(there + 8 * i, mine + 8 * i, 8);
    bupc_waitsync_some(h, 8);
    CHECK(bupc_trysync_some(h, 8));
    bupc_waitsync_all(h, 8);
    CHECK(bupc_trysync_all(h, 8));
    bupc_begin_accessregion();
    bupc_memcpy_asynci(there + 64, there, 64);
    bupc_memset_asynci(there + 128, 'z', 5);
    h[0] = bupc_end_accessregion();
    bupc_waitsync(h[0]);
    bupc_memget_asynci(back, there, 133);
    while (!bupc_trysynci())
        bupc_poll();
    bupc_waitsynci();
    CHECK(memcmp(back, mine, 64) == 0 && memcmp(back + 64, mine, 64) == 0 && memcmp(back + 128, "zzzzz", 5) == 0);
    CHECK(bupc_trysync(BUPC_COMPLETE_HANDLE));
    clear(there);
}

int main(void)
{
    int round;
    area[MYTHREAD] = upc_alloc(2 * BYTES);
    upc_barrier;
    for (round = 0; round < THREADS; round++) {
        shared [] char *there = area[(MYTHREAD + round) % THREADS];
        fill(round);
        clear(there);
        lists(there);
        strides(there);
        handles(there);
        upc_barrier;
    }
    return pass();
}
