/* Writes to a bypassed region that bypass the cache without a lookup: a number of them is granted before some are sampled again. Each grant is twice
   the previous one; each time that the cache is found to pay, the number is halved. */
#ifndef UPCR_CACHE_BACKOFF_H
#define UPCR_CACHE_BACKOFF_H

#include "runtime.h"

enum { UPCR_BACKOFF_FIRST = 4096, UPCR_BACKOFF_MOST = 65536 };

struct upcr_backoff {
    uint32_t left;    /* remaining from the last grant */
    uint32_t granted; /* granted the last time */
    uint64_t ever;    /* granted in total */
};

/* Takes one of the remaining accesses, if there are any. */
static inline bool upcr_backoff_take(struct upcr_backoff *backoff)
{
    if (backoff->left == 0)
        return false;
    backoff->left--;
    return true;
}

/* Subtracts an access that was taken but needed a lookup from the number of those that needed none. */
static inline void upcr_backoff_sampled(struct upcr_backoff *backoff)
{
    backoff->ever--;
}

/* Returns how many accesses have been taken and needed no lookup. */
static inline uint64_t upcr_backoff_taken(const struct upcr_backoff *backoff)
{
    return backoff->ever - backoff->left;
}

/* Grants the next ones. Pre: none is left. */
static inline void upcr_backoff_grant(struct upcr_backoff *backoff)
{
    backoff->granted = backoff->granted == 0 ? UPCR_BACKOFF_FIRST : backoff->granted < UPCR_BACKOFF_MOST ? 2 * backoff->granted : UPCR_BACKOFF_MOST;
    backoff->ever += backoff->granted;
    backoff->left = backoff->granted;
}

/* Makes the next grant smaller. */
static inline void upcr_backoff_halve(struct upcr_backoff *backoff)
{
    if (backoff->granted > UPCR_BACKOFF_FIRST)
        backoff->granted /= 2;
}

#endif
