// question: has every non-blocking transfer arrived once it is synchronised, in any order, by either kind of handle?
// counts: UPC_NB_PUT_INIT=64*THREADS*THREADS, UPC_NB_GET_INIT=64*THREADS*THREADS, BUPC_NB_MEMCPY_INIT=2*THREADS*THREADS, UPCC_NB_MEMSET_INIT=2*THREADS*THREADS, UPC_MEMGET=2*THREADS*THREADS, UPC_FENCE=THREADS*THREADS, UPC_NB_SYNC=52*THREADS*THREADS+THREADS
// counts: UPC_ALLOC=THREADS, UPC_BARRIER=2*THREADS*THREADS+2*THREADS, UPC_PUT=THREADS, UPC_PUT.remote=0, UPC_GET=THREADS*THREADS, UPC_GET.remote=THREADS*(THREADS-1)
#include "../../programs/check.h"
#include <string.h>
#include <upc_nb.h>

#if __UPC_NB__ != 1
#error "feature macro"
#endif

#define BYTES 5000
#define MANY 32
static shared [] char *shared area[THREADS];

static char pattern(int thread, int i, int round)
{
    return (char)(thread * 31 + i * 7 + round);
}

static void explicit_handles(shared [] char *there, int round)
{
    static char out[BYTES], back[BYTES], copied[BYTES];
    upc_handle_t handles[MANY];
    int i, k, step = BYTES / MANY;
    for (i = 0; i < BYTES; i++)
        out[i] = pattern(MYTHREAD, i, round);
    for (k = 0; k < MANY; k++)
        handles[k] = upc_memput_nb(there + k * step, out + k * step, step);
    for (k = MANY - 1; k >= 0; k--)
        if (k % 2 == 0)
            upc_sync(handles[k]);
        else
            while (!upc_sync_attempt(handles[k]))
                continue;
    upc_fence;
    for (k = 0; k < MANY; k++)
        handles[k] = upc_memget_nb(back + k * step, there + k * step, step);
    for (k = 0; k < MANY; k++)
        upc_sync(handles[(k * 5) % MANY]);
    CHECK(memcmp(out, back, MANY * step) == 0);
    upc_sync(upc_memcpy_nb(there + BYTES, there, step));
    upc_sync(upc_memset_nb(there + BYTES + step, 'x', 3));
    upc_memget(copied, there + BYTES, step + 3);
    CHECK(memcmp(copied, out, step) == 0 && memcmp(copied + step, "xxx", 3) == 0);
}

static void implicit_handles(shared [] char *there, int round)
{
    static char out[BYTES], back[BYTES + 8];
    int i, k, step = BYTES / MANY;
    for (i = 0; i < BYTES; i++)
        out[i] = pattern(MYTHREAD, i, round + 1);
    for (k = 0; k < MANY; k++)
        upc_memput_nbi(there + k * step, out + k * step, step);
    upc_synci();
    for (k = 0; k < MANY; k++)
        upc_memget_nbi(back + k * step, there + k * step, step);
    while (!upc_synci_attempt())
        continue;
    CHECK(memcmp(out, back, MANY * step) == 0);
    upc_memcpy_nbi(there + BYTES, there, 100);
    upc_memset_nbi(there + BYTES + 100, 'y', 5);
    upc_synci();
    upc_memget(back, there + BYTES, 105);
    CHECK(memcmp(back, out, 100) == 0 && memcmp(back + 100, "yyyyy", 5) == 0);
}

int main(void)
{
    upc_handle_t none = UPC_COMPLETE_HANDLE, zero;
    int round;
    memset(&zero, 0, sizeof zero);
    CHECK(memcmp(&none, &zero, sizeof none) == 0);
    CHECK(upc_sync_attempt(UPC_COMPLETE_HANDLE));
    upc_sync(UPC_COMPLETE_HANDLE);
    CHECK(upc_synci_attempt());
    area[MYTHREAD] = upc_alloc(2 * BYTES);
    upc_barrier;
    for (round = 0; round < 3 * THREADS; round += 3) {
        shared [] char *there = area[(MYTHREAD + round / 3) % THREADS];
        explicit_handles(there, round);
        upc_barrier;
        implicit_handles(there, round);
        upc_barrier;
    }
    return pass();
}
