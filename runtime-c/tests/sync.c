/* Barriers and locks: that nobody passes early, that what was written is seen, that only one holds a lock, and that all who
   want it get it in turn. */
#include "test.h"

/* Over messages, on a machine that others use as well, each turn waits for a time slice of theirs. */
#ifdef TEST_MESSAGES
enum { BARRIERS = 60, TURNS = 60, SLOW_TURNS = 40 };
#else
enum { BARRIERS = 300, TURNS = 300, SLOW_TURNS = 40 };
#endif

/* How long a lock is held after all others are about to ask for it: a message to a thread that does not wait takes a while. */
#ifdef UPCR_REMOTE
enum { HOLD_US = 2000 };
#else
enum { HOLD_US = 50 };
#endif

UPCR_SHARED_DEFINE_LOCAL(counters, 65536, 64);
UPCR_SHARED_EXTERN(counters);

static upcr_pts_t counter(int thread)
{
    return upcr_at1(UPCR_STATIC(counters), thread, 8);
}

static void check_barriers(void)
{
    int next = (UPCR_MYTHREAD + 1) % UPCR_THREADS;
    for (int i = 1; i <= BARRIERS; i++) {
        UPCR_PUT(int, counter(UPCR_MYTHREAD), i);
        if (i % 3 == 0) {
            upcr_notify(i % 2, i);
            upcr_wait(UPCR_MYTHREAD % 2, i);
        } else {
            upcr_barrier(i % 2 && UPCR_MYTHREAD % 3 == 0, i);
        }
        CHECK(UPCR_GET(volatile int, counter(next)) == i);
        upcr_barrier(0, 0);
    }
}

/* Unprotected increments under the lock lose nothing. */
static void check_exclusion(void)
{
    upcr_pts_t lock = upc_all_lock_alloc(), total = upcr_field(UPCR_STATIC(counters), 32768);
    for (int i = 0; i < TURNS; i++) {
        upc_lock(lock);
        UPCR_PUT(volatile long, total, UPCR_GET(volatile long, total) + 1);
        upc_unlock(lock);
    }
    upcr_barrier(0, 0);
    CHECK(UPCR_GET(long, total) == (long)TURNS * UPCR_THREADS);
    upc_all_lock_free(lock);
}

/* Whether a thread is about to ask for the lock, waits for it, or has had all its turns. Strict: a cache may keep what a relaxed read saw. */
static upcr_pts_t asks(int thread)
{
    return upcr_field(counter(thread), 49152);
}

static int all_others_ask(void)
{
    for (int t = 0; t < UPCR_THREADS; t++)
        if (t != UPCR_MYTHREAD && !UPCR_GET_STRICT(int, asks(t)))
            return 0;
    return 1;
}

/* While others wait, a thread that unlocks and asks again is served after them: it hardly ever follows itself. The holder
   waits until all others ask; only the first half counts, in which few have finished. */
static void check_fairness(void)
{
    upcr_pts_t lock = upc_all_lock_alloc(), total = upcr_field(UPCR_STATIC(counters), 40960);
    long previous = -2;
    int follows = 0;
    upcr_barrier(0, 0);
    for (int i = 0; i < SLOW_TURNS; i++) {
        UPCR_PUT_STRICT(int, asks(UPCR_MYTHREAD), 1);
        upc_lock(lock);
        UPCR_PUT_STRICT(int, asks(UPCR_MYTHREAD), 0);
        long now = UPCR_GET(volatile long, total);
        UPCR_PUT(volatile long, total, now + 1);
        while (i < SLOW_TURNS / 2 && !all_others_ask())
            usleep(HOLD_US);
        usleep(HOLD_US);
        upc_unlock(lock);
        follows += i > 1 && i < SLOW_TURNS / 2 && now == previous + 1;
        previous = now;
    }
    UPCR_PUT_STRICT(int, asks(UPCR_MYTHREAD), 1);
    CHECK(UPCR_THREADS == 1 || follows <= SLOW_TURNS / 10);
    upc_all_lock_free(lock);
}

static void check_attempt(void)
{
    upcr_pts_t lock = upc_all_lock_alloc(), other = upc_global_lock_alloc();
    CHECK(upc_lock_attempt(other) == 1);
    upc_unlock(other);
    upc_lock(other);
    upc_lock_free(other);
    if (UPCR_MYTHREAD == 0)
        CHECK(upc_lock_attempt(lock) == 1);
    upcr_barrier(0, 0);
    if (UPCR_MYTHREAD != 0)
        CHECK(upc_lock_attempt(lock) == 0);
    upcr_barrier(0, 0);
    if (UPCR_MYTHREAD == 0)
        upc_unlock(lock);
    upc_all_lock_free(lock);
    upc_all_lock_free(UPCR_NULL);
}

/* Who has unlocked before a barrier does not hold the lock after it, wherever the three are. */
static void check_released(void)
{
    upcr_pts_t lock = upc_all_lock_alloc();
    for (int i = 0; i < BARRIERS; i++) {
        int mine = i % UPCR_THREADS == UPCR_MYTHREAD, next = (i + 1) % UPCR_THREADS == UPCR_MYTHREAD;
        if (mine)
            upc_lock(lock);
        if (mine)
            upc_unlock(lock);
        upcr_barrier(0, 0);
        CHECK(!next || upc_lock_attempt(lock));
        if (next)
            upc_unlock(lock);
        upcr_barrier(0, 0);
    }
    upc_all_lock_free(lock);
}

int main(void)
{
    check_barriers();
    check_exclusion();
    check_fairness();
    check_attempt();
    check_released();
    return 0;
}
