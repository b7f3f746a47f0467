/* Random delays. Whether a race is found depends little on how threads run: it is found whenever nothing orders the accesses. But locks
   and strict flags order what one run happens to do, and other runs may do it in another order. */
#include "runtime.h"

#include <errno.h>
#include <stdlib.h>
#include <time.h>

#include "clock.h"
#include "options.h"
#include "races/detector.h"

enum {
    LONGEST_NS = 50000,        /* of a delay, which the system makes somewhat longer */
    ONE_IN = 4,                /* synchronizations, */
    ONE_IN_HOLDING = 8,        /* and of these, if the thread holds a lock */
    AT_START_NS = 2000000,     /* that all delays may take, */
    SHARE = 10,                /* and one in this many nanoseconds of the run */
    PASSED_OVER = 16,          /* synchronizations without a look at the clock, after they have taken as much as they may */
    FEWEST_ACCESSES = 1 << 14, /* between two delays */
    MOST_ACCESSES = 1 << 17,
};

uint32_t upcr_race_until_delay = UINT32_MAX;

static bool delays;
/* The clock of the system, because converting ticks of the processor waits until they are calibrated. */
static uint64_t state, start, delayed;

/* See detector.h. The generator is xorshift64*. */
uint32_t upcr_race_random(uint32_t bound)
{
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return (uint32_t)((state * 0x2545f4914f6cdd1du) >> 32) % bound;
}

static void choose_next(void)
{
    upcr_race_until_delay = delays ? FEWEST_ACCESSES + upcr_race_random(MOST_ACCESSES - FEWEST_ACCESSES) : UINT32_MAX;
}

void upcr_race_delays_start(void)
{
    const char *seed = upcr_options.races_seed;
    delays = seed == NULL || seed[0] != '0' || seed[1] != '\0';
    uint64_t chosen = seed == NULL ? upcr_clock_system_ns() : strtoull(seed, NULL, 10);
    state = (chosen + 1) * 0x9e3779b97f4a7c15u ^ (uint64_t)(upcr_mythread + 1) << 32;
    start = upcr_clock_system_ns();
    choose_next();
}

void upcr_race_delay(void)
{
    static unsigned pass_over;
    bool at_access = upcr_race_until_delay == 0;
    if (at_access)
        choose_next();
    if (!delays || (!at_access && upcr_race_random(ONE_IN) != 0))
        return;
    if (!at_access && pass_over != 0) {
        pass_over--;
        return;
    }
    uint64_t before = upcr_clock_system_ns();
    if (delayed > AT_START_NS + (before - start) / SHARE) {
        pass_over = PASSED_OVER;
        return;
    }
    struct timespec time = {0, (long)upcr_race_random(LONGEST_NS)};
    int error = errno;
    nanosleep(&time, NULL);
    errno = error;
    delayed += upcr_clock_system_ns() - before;
}

void upcr_race_delay_holder(void)
{
    if (upcr_race_random(ONE_IN_HOLDING) == 0)
        upcr_race_delay();
}
