// question: do all forms of the scattered and asynchronous copies, in all three directions, move the same bytes as their plain forms?
// counts: UPC_MEMPUT=4*THREADS*THREADS, UPC_MEMGET=4*THREADS*THREADS, UPC_MEMCPY=4*THREADS*THREADS, UPC_MEMSET=20*THREADS*THREADS+2*THREADS, UPC_ALLOC=2*THREADS
// counts: UPC_NB_PUT_INIT=6*THREADS*THREADS, UPC_NB_GET_INIT=6*THREADS*THREADS, BUPC_NB_MEMCPY_INIT=5*THREADS*THREADS, UPCC_NB_MEMSET_INIT=THREADS*THREADS, UPC_NB_SYNC=18*THREADS*THREADS
// counts: UPC_PUT=280*THREADS*THREADS+2*THREADS, UPC_PUT.remote=280*THREADS*(THREADS-1), UPC_GET=1962*THREADS*THREADS+2*THREADS
#include "../../programs/check.h"
#include <stdlib.h>
#include <string.h>

#define BYTES 1000
static shared [] char *shared area[THREADS], *shared other[THREADS];
static char mine[BYTES], back[BYTES];

/* 20 blocks of 7 bytes, 13 apart, of the shared side; 28 blocks of 5 bytes, 6 apart, of the other. */
static long remote_place(int k)
{
    return k / 7 * 13 + k % 7;
}

static long mapped_place(int k)
{
    return k / 5 * 6 + k % 5;
}

static void expect_remote(shared [] char *there)
{
    int k;
    for (k = 0; k < 140; k++)
        CHECK(there[remote_place(k)] == mine[mapped_place(k)]);
    upc_memset(there, 0, BYTES);
}

static void expect_mapped(void)
{
    int k;
    for (k = 0; k < 140; k++)
        CHECK(back[mapped_place(k)] == mine[mapped_place(k)]);
    memset(back, 0, sizeof back);
}

/* Puts the pattern there without the functions that are tested. */
static void place(shared [] char *there)
{
    int k;
    for (k = 0; k < 140; k++)
        there[remote_place(k)] = mine[mapped_place(k)];
}

static void one(shared [] char *there, shared [] char *copy, int async)
{
    shared void *remote[20], *copies[20];
    const void *mapped[28];
    void *result[28];
    bupc_smemvec_t remote_blocks[20], copy_blocks[20];
    bupc_pmemvec_t mapped_blocks[28], result_blocks[28];
    size_t remote_stride[] = {13}, mapped_stride[] = {6}, count[] = {5, 28}, same[] = {7, 20};
    int k;
    for (k = 0; k < 20; k++) {
        remote_blocks[k].addr = remote[k] = there + 13 * k;
        copy_blocks[k].addr = copies[k] = copy + 13 * k;
        remote_blocks[k].len = copy_blocks[k].len = 7;
    }
    for (k = 0; k < 28; k++) {
        mapped[k] = mapped_blocks[k].addr = mine + 6 * k;
        result[k] = result_blocks[k].addr = back + 6 * k;
        mapped_blocks[k].len = result_blocks[k].len = 5;
    }
#define BOTH(name, arguments)                                                                                                          \
    do {                                                                                                                               \
        if (async)                                                                                                                     \
            bupc_waitsync(name##_async arguments);                                                                                     \
        else                                                                                                                           \
            name arguments;                                                                                                            \
    } while (0)
    BOTH(bupc_memput_vlist, (20, remote_blocks, 28, mapped_blocks));
    expect_remote(there);
    BOTH(bupc_memput_ilist, (20, remote, 7, 28, mapped, 5));
    expect_remote(there);
    BOTH(bupc_memput_fstrided, (there, 7, 13, 20, mine, 5, 6, 28));
    expect_remote(there);
    place(there);
    BOTH(bupc_memget_vlist, (28, result_blocks, 20, remote_blocks));
    expect_mapped();
    BOTH(bupc_memget_ilist, (28, result, 5, 20, (shared const void *const *)remote, 7));
    expect_mapped();
    BOTH(bupc_memget_fstrided, (back, 5, 6, 28, there, 7, 13, 20));
    expect_mapped();
    BOTH(bupc_memcpy_vlist, (20, copy_blocks, 20, remote_blocks));
    expect_remote(copy);
    BOTH(bupc_memcpy_ilist, (20, copies, 7, 20, (shared const void *const *)remote, 7));
    expect_remote(copy);
    BOTH(bupc_memcpy_fstrided, (copy, 7, 13, 20, there, 7, 13, 20));
    expect_remote(copy);
    BOTH(bupc_memcpy_strided, (copy, remote_stride, there, remote_stride, same, 1));
    expect_remote(copy);
    upc_memset(there, 0, BYTES);
    BOTH(bupc_memput_strided, (there, mapped_stride, mine, mapped_stride, count, 1));
    BOTH(bupc_memget_strided, (back, mapped_stride, there, mapped_stride, count, 1));
    expect_mapped();
    upc_memset(there, 0, BYTES);
}

static void asynchronous(shared [] char *there, shared [] char *copy)
{
    bupc_handle_t handle = bupc_memput_async(there, mine, 100);
    bupc_waitsync(handle);
    bupc_waitsync(bupc_memcpy_async(copy, there, 100));
    bupc_waitsync(bupc_memset_async(copy + 50, 'q', 5));
    bupc_waitsync(bupc_memget_async(back, copy, 100));
    CHECK(memcmp(back, mine, 50) == 0 && memcmp(back + 50, "qqqqq", 5) == 0 && memcmp(back + 55, mine + 55, 45) == 0);
    bupc_memput_asynci(there, mine + 1, 10);
    bupc_waitsynci();
    bupc_memget_asynci(back, there, 10);
    bupc_waitsynci();
    CHECK(memcmp(back, mine + 1, 10) == 0);
    memset(back, 0, sizeof back);
    upc_memset(there, 0, BYTES);
    upc_memset(copy, 0, BYTES);
}

static int second_main(int count, char **arguments)
{
    CHECK(count == 1 && arguments != NULL);
    return pass();
}

int main(int argc, char **argv)
{
    int i, round;
    for (i = 0; i < BYTES; i++)
        mine[i] = (char)(i * 11 + 1 + MYTHREAD);
    area[MYTHREAD] = upc_alloc(BYTES);
    other[MYTHREAD] = upc_alloc(BYTES);
    upc_memset(area[MYTHREAD], 0, BYTES);
    upc_memset(other[MYTHREAD], 0, BYTES);
    bupc_stats_setmask("");
    upc_barrier;
    for (round = 0; round < THREADS; round++) {
        shared [] char *there = area[(MYTHREAD + round) % THREADS], *copy = other[(MYTHREAD + 2 * round) % THREADS];
        asynchronous(there, copy);
        upc_barrier;
        /* Only one thread at a time writes to a copy. */
        for (i = 0; i < THREADS; i++) {
            if (i == MYTHREAD) {
                one(there, copy, 0);
                one(there, copy, 1);
            }
            upc_barrier;
        }
    }
    bupc_init_reentrant(&argc, &argv, second_main);
    return 1;
}
