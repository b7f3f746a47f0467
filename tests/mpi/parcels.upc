// question: does each thread get what a collective function sends it, short or long, when many threads are its senders in turn, or one gets ahead?
// threads: 2 3 11
#include "../programs/check.h"
#include <stdlib.h>
#include <upc_collective.h>

/* Runs of calls with one root: some are shorter than the wire needs to see who sends often, some much longer than what it keeps ready for one
   sender. Parcels of up to 64 bytes go another way than longer ones. */
enum { RUNS = 40, MOST_CALLS = 50, MOST = 100 };

static shared [MOST] unsigned char source[MOST * THREADS], destination[MOST * THREADS];

static unsigned draw(void)
{
    static unsigned state = 7;
    return (state = state * 1103515245u + 12345u) >> 8;
}

static unsigned char value(int call, size_t at)
{
    return (unsigned char)((unsigned)call * 40503u + (unsigned)at * 977u);
}

int main(void)
{
    int call = 0;
    for (int run = 0; run < RUNS; run++) {
        int root = (int)(draw() % THREADS), calls = (int)(draw() % MOST_CALLS);
        unsigned kind = draw() % 3;
        for (int i = 0; i < calls; i++, call++) {
            size_t n = kind == 0 ? 8 : 1 + draw() % MOST;
            for (size_t at = 0; at < n && MYTHREAD == root; at++)
                source[MYTHREAD * MOST + at] = value(call, at);
            upc_all_broadcast(destination, &source[root * MOST], n, UPC_IN_MYSYNC | UPC_OUT_MYSYNC);
            for (size_t at = 0; at < n; at++)
                CHECK(destination[MYTHREAD * MOST + at] == value(call, at));
        }
        upc_barrier;
    }
    return pass();
}
