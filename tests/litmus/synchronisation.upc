// question: do locks, barriers and notify with wait order relaxed accesses of the threads they bring together?
// threads: 2 3 4
#include "litmus.h"

static relaxed shared [] int data[INSTANCES], more[INSTANCES], counter, pair[2];
static strict shared [] int turn;

/* The lock's holder sees everything that earlier holders did. */
static void locks(void)
{
    upc_lock_t *lock = upc_all_lock_alloc();
    int i, count = repeats(INSTANCES);
    for (i = 0; i < count; i++) {
        upc_lock(lock);
        counter = counter + 1;
        if (pair[0] != pair[1])
            failures++;
        pair[0] = counter;
        pair[1] = counter;
        upc_unlock(lock);
    }
    upc_barrier;
    if (counter != count * THREADS)
        failures++;
    upc_barrier;
    upc_all_lock_free(lock);
}

/* Across a barrier, and from before a notify to after the matching wait. */
static void barriers(void)
{
    int round, i, from = (MYTHREAD + 1) % THREADS;
    for (round = 1; round < 300; round++) {
        data[MYTHREAD] = round;
        upc_barrier round;
        if (data[from] != round)
            failures++;
        upc_barrier;
        more[MYTHREAD] = round;
        upc_notify round;
        i = data[MYTHREAD];
        upc_wait round;
        if (more[from] != round || i != round)
            failures++;
        upc_barrier;
    }
}

/* Ping-pong by a strict word; the data are relaxed. */
static void ping_pong(void)
{
    int round;
    if (MYTHREAD < 2)
        for (round = 0; round < 500; round++)
            if (round % 2 == MYTHREAD) {
                while (turn != round)
                    continue;
                if (round > 0 && more[round % INSTANCES] != round)
                    failures++;
                more[(round + 1) % INSTANCES] = round + 1;
                turn = round + 1;
            }
    upc_barrier;
}

int main(void)
{
    locks();
    barriers();
    ping_pong();
    if (failures != 0)
        printf("thread %d: %d failures\n", MYTHREAD, failures);
    return verdict();
}
