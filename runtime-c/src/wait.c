/* Waits spin, then yield, then sleep in the kernel; they never only spin. With a processor for every thread the
   change usually comes within microseconds, so spinning pays. When oversubscribed, the thread that is waited for may
   need this very processor. */
#include "runtime.h"

#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "kernel.h"
#include "clock.h"
#include "seat.h"
#include "wait.h"

enum {
    /* A yield may give the processor to another program for its slice of some milliseconds. */
    ROOMY_SPIN_NS = 1000000,
    /* A thread that sleeps may wake on the processor of the one that it has waited for, and stay there for tens of milliseconds. */
    ROOMY_YIELD_NS = 2000000,
    SHARED_YIELD_NS = 1000000, /* where another thread of the job is on the same processor */
    CROWDED_SPINS = 100,
    CROWDED_YIELDS = 20,
    SPINS_PER_CLOCK_READ = 16,
    /* Sleep in front of a moment that is at least so far away, and wake that long before it: the system wakes late. */
    MOMENT_SLEEP_NS = 200000,
    MOMENT_WAKE_NS = 100000,
};

static bool crowded;
static unsigned crowd = 1;

void upcr_wait_configure(bool polite, unsigned threads)
{
    crowd = threads;
    crowded = polite || crowd > 1;
}

unsigned upcr_wait_crowd(void)
{
    return crowd;
}

bool upcr_wait_is_crowded(void)
{
    return crowded;
}

static void sleep_ns(uint64_t ns)
{
    struct timespec time = {.tv_sec = (time_t)(ns / 1000000000), .tv_nsec = (long)(ns % 1000000000)};
    /* Interrupted: the caller looks at the clock. */
    (void)nanosleep(&time, NULL);
}

void upcr_wait_until(uint64_t moment)
{
    for (uint64_t now; (now = (uint64_t)upcr_clock_now_ns()) < moment;)
        if (moment - now > MOMENT_SLEEP_NS)
            sleep_ns(moment - now - MOMENT_WAKE_NS);
        else if (crowded)
            sched_yield();
        else
            upcr_pause_processor();
}

enum patience { SPIN, YIELD, SLEEP };

/* Chooses what to do on step `step` of a wait. *start: when the wait began, 0 before the first reading of the clock. */
static enum patience next_step(unsigned step, int64_t *start)
{
    if (crowded)
        return step < CROWDED_SPINS ? SPIN : step < CROWDED_SPINS + CROWDED_YIELDS ? YIELD : SLEEP;
    /* The first step does not read the clock: its cost would delay the detection of an early change. */
    if (step == 0 || step % SPINS_PER_CLOCK_READ != 0)
        return SPIN;
    int64_t now = upcr_clock_now_ns();
    if (*start == 0)
        *start = now;
    int64_t waited = now - *start;
    if (upcr_seat_is_shared())
        return waited < SHARED_YIELD_NS ? YIELD : SLEEP;
    return waited < ROOMY_SPIN_NS ? SPIN : waited < ROOMY_YIELD_NS ? YIELD : SLEEP;
}

void upcr_event_sleep(struct upcr_event *event, uint32_t old, const struct timespec *most)
{
    /* The kernel compares the word again, under its own lock. The increment, the setter's change of the word and its
       load of sleepers in wake() are sequentially consistent: either the kernel sees the change, or wake() sees the
       sleeper. */
    atomic_fetch_add_explicit(&event->sleepers, 1, memory_order_seq_cst);
    /* The kernel says with an error that the word has changed already. A barrier must not change the user's errno. */
    int error = errno;
    syscall(SYS_futex, &event->word, FUTEX_WAIT, old, most, NULL, 0);
    errno = error;
    atomic_fetch_sub_explicit(&event->sleepers, 1, memory_order_relaxed);
}

bool upcr_wait_nap(struct upcr_event *event, uint32_t old, const struct timespec *most)
{
    int64_t start = 0;
    /* Acquires what the setter did before upcr_event_set, or before its own change of the word. */
    for (unsigned step = 0; atomic_load_explicit(&event->word, memory_order_acquire) == old;) {
        switch (next_step(step, &start)) {
        case SPIN:
            upcr_pause_processor();
            step++;
            break;
        case YIELD:
            sched_yield();
            step += crowded ? 1 : SPINS_PER_CLOCK_READ - step % SPINS_PER_CLOCK_READ;
            break;
        case SLEEP:
            upcr_event_sleep(event, old, most);
            return atomic_load_explicit(&event->word, memory_order_acquire) != old;
        }
    }
    return true;
}

void upcr_wait_while(struct upcr_event *event, uint32_t old)
{
    while (!upcr_wait_nap(event, old, NULL)) {
    }
}

static void wake(struct upcr_event *event, int count)
{
    if (atomic_load_explicit(&event->sleepers, memory_order_seq_cst) != 0)
        syscall(SYS_futex, &event->word, FUTEX_WAKE, count, NULL, NULL, 0);
}

void upcr_event_wake(struct upcr_event *event)
{
    wake(event, INT_MAX);
}

void upcr_event_set(struct upcr_event *event, uint32_t value)
{
    /* Publishes everything done before to upcr_wait_while. Stronger than release because of wake(). */
    atomic_store_explicit(&event->word, value, memory_order_seq_cst);
    wake(event, INT_MAX);
}

void upcr_mutex_lock(struct upcr_mutex *mutex)
{
    uint32_t free_word = 0;
    /* Acquires what the previous holder did before upcr_mutex_unlock. */
    while (!atomic_compare_exchange_weak_explicit(&mutex->held.word, &free_word, 1, memory_order_acquire, memory_order_relaxed)) {
        upcr_wait_while(&mutex->held, 1);
        free_word = 0;
    }
}

void upcr_mutex_unlock(struct upcr_mutex *mutex)
{
    /* Publishes what was done while the mutex was held. Stronger than release because of wake(). */
    atomic_store_explicit(&mutex->held.word, 0, memory_order_seq_cst);
    wake(&mutex->held, 1);
}
