#include "runtime.h"

#include <sched.h>
#include <time.h>

#include "clock.h"
#include "tools/lock.h"

static UPCR_PTHREAD_LOCAL char address; /* distinguishes pthreads */

bool upcr_tool_lock_is_mine(const struct upcr_tool_lock *lock)
{
    return __atomic_load_n(&lock->owner, __ATOMIC_RELAXED) == (uintptr_t)&address;
}

bool upcr_tool_lock_within(struct upcr_tool_lock *lock, int ms)
{
    enum { LOOKS = 100 };
    static const struct timespec moment = {0, 50 * 1000};
    const uintptr_t me = (uintptr_t)&address;
    uint64_t began = 0;
    for (unsigned look = 0;; look++) {
        uintptr_t owner = 0;
        /* Acquires what the previous owner did before upcr_tool_unlock. */
        if (__atomic_compare_exchange_n(&lock->owner, &owner, me, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
            return true;
        if (owner == me)
            return false;
        if (look < LOOKS) {
            sched_yield();
            continue;
        }
        if (ms != UPCR_TOOL_FOR_EVER) {
            uint64_t now = upcr_clock_system_ns();
            began = began != 0 ? began : now;
            if (now - began > (uint64_t)ms * 1000000)
                return false;
        }
        nanosleep(&moment, NULL);
    }
}
