// question: do transfers of no bytes leave places alone, so that a null pointer-to-shared will do?
// threads: 2 3
#include <string.h>
#include <upc_nb.h>
#include "../programs/check.h"

/* By volatiles: nothing of it is decided by the compiler. */
static shared [] char *volatile nowhere;
static volatile size_t none;
static shared [64] char words[64 * THREADS];

int main(void)
{
    shared [] char *next = (shared [] char *)&words[(MYTHREAD + 1) % THREADS * 64];
    char own[64];
    memset(own, 1, sizeof own);
    upc_memget(own, nowhere, none);
    upc_memput(nowhere, own, none);
    upc_memcpy(nowhere, next, none);
    upc_memcpy(next, nowhere, none);
    upc_memset(nowhere, 1, none);
    upc_sync(upc_memget_nb(own, nowhere, none));
    upc_sync(upc_memput_nb(nowhere, own, none));
    upc_sync(upc_memcpy_nb(nowhere, next, none));
    upc_sync(upc_memset_nb(nowhere, 1, none));
    upc_memget_nbi(own, nowhere, none);
    upc_memput_nbi(nowhere, own, none);
    upc_synci();
    upc_barrier;
    /* Behind so many writes that some go by the cache. */
    for (int i = 0; i < 20000; i++)
        next[i * 7 % 64] = 2;
    upc_memput(nowhere, own, none);
    upc_memput(next + 64, own, none);
    upc_barrier;
    for (int i = 0; i < 64; i++)
        CHECK(own[i] == 1 && words[MYTHREAD * 64 + i] == 2);
    return pass();
}
