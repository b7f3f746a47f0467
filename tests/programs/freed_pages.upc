// question: are the pages of large blocks that are freed given back to the system, on every thread, and is their space had again, zero or not?
// threads: 1 2 4
// counts: UPC_MEMSET=3*THREADS, UPC_ALL_ALLOC=5*THREADS, UPC_ALLOC=2*THREADS, UPC_FREE=4*THREADS+3, UPC_BARRIER=15*THREADS
#include <string.h>
#include <time.h>
#include "check.h"

enum { MEGABYTES = 40, BYTES = MEGABYTES << 20 };
struct megabyte {
    char bytes[1 << 20];
};

/* Kilobytes of shared memory that this process has pages of. */
static long resident(void)
{
    char line[200];
    long kilobytes = 0;
    FILE *status = fopen("/proc/self/status", "r");
    while (status != NULL && fgets(line, sizeof line, status) != NULL)
        if (strncmp(line, "RssShmem:", 9) == 0)
            sscanf(line + 9, "%ld", &kilobytes);
    if (status != NULL)
        fclose(status);
    return kilobytes;
}

/* Whether so much is gone soon: whoever frees does not wait for the others. */
static int shrinks_by(long before, long kilobytes)
{
    struct timespec moment = {0, 10 * 1000000L};
    for (int i = 0; i < 500 && resident() > before - kilobytes; i++)
        nanosleep(&moment, 0);
    return resident() <= before - kilobytes;
}

static shared [] char *shared own[THREADS];

int main(void)
{
    /* Something after it, so that it does not lie at the heap's end. */
    shared [MEGABYTES] struct megabyte *block = upc_all_alloc(THREADS, BYTES);
    shared void *behind = upc_all_alloc(THREADS, 100);
    for (int round = 0; round < 3; round++) {
        memset((void *)(block + MYTHREAD * MEGABYTES), round + 1, BYTES);
        long before = resident();
        upc_barrier;
        if (MYTHREAD == round % THREADS)
            upc_free(block);
        CHECK(shrinks_by(before, (BYTES >> 10) * 9 / 10));
        upc_barrier;
        block = upc_all_alloc(THREADS, BYTES);
        /* What is written now must not be taken for what was freed. */
        char *mine = ((struct megabyte *)(block + MYTHREAD * MEGABYTES))->bytes;
        upc_memset(block + (MYTHREAD + 1) % THREADS * MEGABYTES, 7, 1000);
        upc_barrier;
        for (int i = 0; i < 1000; i++)
            CHECK(mine[i] == 7);
        upc_barrier;
    }
    own[MYTHREAD] = (shared [] char *)upc_alloc(BYTES);
    shared void *other = upc_alloc(100);
    memset((char *)own[MYTHREAD], 1, BYTES);
    long before = resident();
    upc_barrier;
    upc_free(own[(MYTHREAD + 1) % THREADS]);
    CHECK(shrinks_by(before, (BYTES >> 10) * 9 / 10));
    upc_barrier;
    upc_free(other);
    upc_all_free(behind);
    upc_all_free(block);
    return pass();
}
