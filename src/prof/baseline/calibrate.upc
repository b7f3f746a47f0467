/* Each operation many times, while nothing else happens that it could wait for: thread 0 works, and the others are in a
 * barrier. What all threads do together they begin at the same time. `upcprof calibrate` records this program and takes
 * the typical time of each operation. */
#include <stdio.h>
#include <stdlib.h>
#include <upc.h>
#include <upc_collective.h>

#define REPEATS 400
#define LARGEST (1L << 20)
#define STEP 8

shared long cells[64 * THREADS];
strict shared long flags[64 * THREADS];
shared [] char *shared blocks[THREADS];
shared long sums[THREADS];

/* The number of repetitions for transfers of this size. */
static int repeats(size_t bytes)
{
    size_t few = 64 * LARGEST / STEP / bytes;

    return few < REPEATS ? (int)few : REPEATS;
}

static void single(int owner)
{
    long sum = 0;

    for (int i = 0; i < REPEATS; i++)
        cells[i % 64 * THREADS + owner] = i;
    for (int i = 0; i < REPEATS; i++)
        sum += cells[i % 64 * THREADS + owner];
    for (int i = 0; i < REPEATS; i++)
        flags[i % 64 * THREADS + owner] = sum;
    for (int i = 0; i < REPEATS; i++)
        sum += flags[i % 64 * THREADS + owner];
    if (sum == 1)
        puts("");
}

static void bulk(int owner, char *buffer, size_t bytes)
{
    shared [] char *there = blocks[owner];
    shared [] char *mine = blocks[MYTHREAD];
    int count = repeats(bytes);

    for (int i = 0; i < count; i++)
        upc_memput(there, buffer, bytes);
    for (int i = 0; i < count; i++)
        upc_memget(buffer, there, bytes);
    for (int i = 0; i < count; i++)
        upc_memset(there, i, bytes);
    if (owner != MYTHREAD)
        for (int i = 0; i < count; i++)
            upc_memcpy(there, mine, bytes);
}

static void locks(upc_lock_t *lock)
{
    for (int i = 0; i < REPEATS; i++) {
        upc_lock(lock);
        upc_unlock(lock);
    }
    for (int i = 0; i < REPEATS; i++)
        upc_fence;
}

static void together(void)
{
    for (int i = 0; i < REPEATS; i++) {
        upc_barrier;
    }
    for (int i = 0; i < REPEATS; i++) {
        upc_notify;
        upc_wait;
    }
    for (int i = 0; i < REPEATS; i++) {
        upc_all_broadcast(sums, cells, sizeof(long), UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
        upc_all_reduceL(cells, sums, UPC_ADD, THREADS, 1, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
    }
}

int main(void)
{
    upc_lock_t *lock = upc_all_lock_alloc();
    char *buffer = malloc(LARGEST);

    blocks[MYTHREAD] = (shared [] char *)upc_alloc(LARGEST);
    upc_memset(blocks[MYTHREAD], 0, LARGEST);
    for (long i = 0; i < LARGEST; i++)
        buffer[i] = 1;
    upc_barrier;
    for (int owner = 0; owner < THREADS && owner < 2; owner++) {
        if (MYTHREAD == 0) {
            single(owner);
            for (size_t bytes = STEP; bytes <= LARGEST; bytes *= STEP)
                bulk(owner, buffer, bytes);
        }
        upc_barrier;
    }
    if (MYTHREAD == 0)
        locks(lock);
    upc_barrier;
    together();
    upc_barrier;
    free(buffer);
    return 0;
}
