// question: do writes and updates anywhere, each in another line of the cache, travel many in a message, and does each arrive?
// threads: 2
// not: messages-accesses its updates are a get and a put
// set: UPC_CACHE=on UPC_CACHE_LINE=1024 UPC_CACHE_LINES=256 UPC_SEND_AFTER=1000000
#include "../programs/check.h"
#include <stdint.h>
#include <upc_relaxed.h>

enum { WORDS = 1 << 18, WRITES = 20000, UPDATES = 1000, IN_A_MESSAGE = 40 };

/* Of transport/transport.h. */
struct traffic { uint64_t messages, bytes, memory, woken; };
void upcr_tp_traffic(struct traffic *traffic);

typedef struct { int64_t word[WORDS]; } area;
static shared area areas[THREADS];
static int64_t model[WORDS];

static shared area sums[THREADS];

/* Not one fetches its line: that would be a message, and an answer to wait for. */
static void updates(void)
{
    shared [] int64_t *there = (shared [] int64_t *)&sums[THREADS - 1];
    struct traffic before, after;
    uint64_t state = 11;
    upcr_tp_traffic(&before);
    for (int i = 0; i < WORDS; i++)
        model[i] = 0;
    for (int64_t i = 1; i <= UPDATES; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        model[(state >> 33) % WORDS] += i;
        there[(state >> 33) % WORDS] += i;
    }
    upc_fence;
    upcr_tp_traffic(&after);
    CHECK(after.messages - before.messages < UPDATES / IN_A_MESSAGE);
    for (int i = 0; i < WORDS; i++)
        CHECK(there[i] == model[i]);
}

int main(void)
{
    shared [] int64_t *there = (shared [] int64_t *)&areas[THREADS - 1];
    struct traffic before, after;
    uint64_t state = 7;
    int64_t i;
    upc_barrier;
    if (MYTHREAD == 0) {
        upcr_tp_traffic(&before);
        for (i = 1; i <= WRITES; i++) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            model[(state >> 33) % WORDS] = i;
            there[(state >> 33) % WORDS] = i;
        }
        upc_fence;
        upcr_tp_traffic(&after);
        CHECK(after.messages - before.messages < WRITES / IN_A_MESSAGE);
        for (i = 0; i < WORDS; i++)
            CHECK(there[i] == model[i]);
        updates();
    }
    return pass();
}
