/* A lock for tools, whose functions any pthread may call. It records its owner, so that a signal handler of the pthread that holds it does not wait. */
#ifndef UPCR_TOOLS_LOCK_H
#define UPCR_TOOLS_LOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "upcr/base.h"

/* All bits zero: the lock is free. */
struct upcr_tool_lock {
    uintptr_t owner;
};

enum { UPCR_TOOL_FOR_EVER = -1 };

/* Waits for the lock for at most this number of milliseconds. True: the caller must unlock it. False: this pthread already holds it, or the
   time is over. Async-signal-safe. */
bool upcr_tool_lock_within(struct upcr_tool_lock *lock, int ms) UPCR_HIDDEN;

/* Returns whether the calling pthread holds the lock. */
bool upcr_tool_lock_is_mine(const struct upcr_tool_lock *lock) UPCR_HIDDEN;

static inline bool upcr_tool_lock(struct upcr_tool_lock *lock)
{
    return upcr_tool_lock_within(lock, UPCR_TOOL_FOR_EVER);
}

/* taken: the result of one of the functions above. */
static inline void upcr_tool_unlock(struct upcr_tool_lock *lock, bool taken)
{
    /* Publishes what was done under the lock to upcr_tool_lock_within. */
    if (taken)
        __atomic_store_n(&lock->owner, 0, __ATOMIC_RELEASE);
}

#endif
