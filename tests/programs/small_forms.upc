// question: do the rarer spellings mean what the usual ones do: layout [0], differences of addresses, upc_local_alloc?
// counts: UPC_ALLOC=THREADS, UPC_FREE=THREADS, UPC_BARRIER=THREADS, UPC_PUT=6*THREADS, UPC_GET=6*THREADS, UPC_GET.remote=0
#include "check.h"

static shared [0] int together[5];
static shared [3] int blocks[3 * 4 * THREADS];
static shared int cyclic[4 * THREADS];

int main(void)
{
    int i;
    shared [] int *mine;
    for (i = 0; i < 5; i++)
        CHECK(upc_threadof(&together[i]) == 0 && upc_phaseof(&together[i]) == 0);
    CHECK(upc_blocksizeof(together) == 0);
    CHECK(&together[4] - &together[1] == 3);
    CHECK(&blocks[11] - &blocks[2] == 9 && &blocks[2] - &blocks[11] == -9);
    CHECK(&cyclic[4 * THREADS - 1] - &cyclic[0] == 4 * THREADS - 1);
    mine = upc_local_alloc(6, sizeof(int));
    CHECK(mine != NULL && upc_threadof(mine) == (size_t)MYTHREAD);
    for (i = 0; i < 6; i++)
        mine[i] = i * MYTHREAD;
    for (i = 0; i < 6; i++)
        CHECK(upc_threadof(&mine[i]) == (size_t)MYTHREAD && mine[i] == i * MYTHREAD);
    upc_free(mine);
    return pass();
}
