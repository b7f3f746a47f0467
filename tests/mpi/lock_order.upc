// question: is a lock that many wait for given to them in the order in which they came, in few messages for each?
// threads: 2 4
#include <time.h>
#include "../programs/check.h"

struct traffic {
    unsigned long long messages, bytes, memory;
};
void upcr_tp_traffic(struct traffic *traffic);

enum { ROUNDS = 40 };
static upc_lock_t *lock;
static strict shared int served;
static shared int order[THREADS];
static shared int taken[THREADS];
static shared unsigned long long sent[THREADS];

static void rest(int milliseconds)
{
    struct timespec time = {0, milliseconds * 1000000L};
    nanosleep(&time, 0);
}

/* Thread 0 holds the lock while the others come one after the other, each some time after the one before. */
static void in_order(int first)
{
    if (MYTHREAD == 0)
        upc_lock(lock);
    served = 0;
    upc_barrier;
    if (MYTHREAD == 0) {
        rest(40 * (THREADS + 1));
        upc_unlock(lock);
    } else {
        /* Threads 1 to THREADS - 1, beginning with `first`. */
        int place = (MYTHREAD - first + THREADS - 1) % (THREADS - 1);
        rest(40 * (place + 1));
        upc_lock(lock);
        order[served] = MYTHREAD;
        served = served + 1;
        upc_unlock(lock);
    }
    upc_barrier;
    for (int i = 0; MYTHREAD == 0 && i < THREADS - 1; i++)
        CHECK(order[i] == (first - 1 + i) % (THREADS - 1) + 1);
    upc_barrier;
}

/* All want it all the time. */
static void in_turn(void)
{
    struct traffic before, after;
    upcr_tp_traffic(&before);
    upc_barrier;
    for (int i = 0; i < ROUNDS; i++) {
        upc_lock(lock);
        taken[MYTHREAD]++;
        upc_unlock(lock);
    }
    upc_barrier;
    upcr_tp_traffic(&after);
    sent[MYTHREAD] = after.messages - before.messages;
    CHECK(taken[MYTHREAD] == ROUNDS);
    upc_barrier;
    unsigned long long messages = 0;
    for (int t = 0; t < THREADS; t++)
        messages += sent[t];
    /* A request, that it waits, its turn, the end of it; and the barriers. */
    CHECK(messages <= 5 * ROUNDS * THREADS + 8 * THREADS);
}

int main(void)
{
    lock = upc_all_lock_alloc();
    in_order(1);
    in_order(THREADS - 1);
    in_turn();
    return pass();
}
