// question: do transfers under way end with the right bytes, short and long, many at a time, with handles and without?
// threads: 2 3
#include "../programs/check.h"
#include <string.h>
#include <upc_nb.h>

enum { BYTES = 40000, PIECE = 10000, ROUNDS = 20, GETS = 8 };

static shared [BYTES] char a[BYTES * THREADS];
static char sent[BYTES], come[GETS + 2][BYTES];

static void write_iov(shared [] char *to)
{
    upc_handle_t handles[BYTES / PIECE + 1];
    int i;
    for (i = 0; i < BYTES / PIECE; i++)
        handles[i] = upc_memput_nb(to + i * PIECE, sent + i * PIECE, PIECE);
    for (i = 0; i < BYTES / PIECE; i++)
        upc_sync(handles[i]);
    upc_fence;
}

static void read_back(shared [] char *from)
{
    upc_handle_t handles[GETS];
    int i, left = GETS;
    for (i = 0; i < GETS; i++)
        handles[i] = upc_memget_nb(come[i], from, i < GETS / 2 ? BYTES : 100 + i);
    while (left > 0)
        for (left = i = 0; i < GETS; i++) {
            if (handles[i] != UPC_COMPLETE_HANDLE && upc_sync_attempt(handles[i]))
                handles[i] = UPC_COMPLETE_HANDLE;
            left += handles[i] != UPC_COMPLETE_HANDLE;
        }
    upc_memget_nbi(come[GETS], from, BYTES);
    upc_memget_nbi(come[GETS + 1], from + 7, 8);
    upc_synci();
    for (i = 0; i < GETS; i++)
        CHECK(memcmp(sent, come[i], i < GETS / 2 ? BYTES : 100 + i) == 0);
    CHECK(memcmp(sent, come[GETS], BYTES) == 0 && memcmp(sent, come[GETS + 1], 8) == 0);
}

int main(void)
{
    shared [] char *there = (shared [] char *)&a[(MYTHREAD + 1) % THREADS * BYTES];
    int round;
    for (round = 0; round < ROUNDS; round++) {
        memset(sent, round + MYTHREAD, BYTES);
        write_iov(there);
        read_back(there);
    }
    upc_barrier;
    return pass();
}
