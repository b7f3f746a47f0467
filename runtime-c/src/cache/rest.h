/* Writes to a bypassed region that go by the cache without a look: so many before some are watched again, each time twice as many as the last
   time; each time that the cache is found to pay the number is halved. */
#ifndef UPCR_CACHE_REST_H
#define UPCR_CACHE_REST_H

#include "runtime.h"

enum { UPCR_REST_FIRST = 4096, UPCR_REST_MOST = 65536 };

struct upcr_rest {
    uint32_t left;    /* of those granted the last time */
    uint32_t granted; /* the last time, */
    uint64_t ever;    /* and ever */
};

/* Takes an access from those that are left, if there are any. */
static inline bool upcr_rest_take(struct upcr_rest *rest)
{
    if (rest->left == 0)
        return false;
    rest->left--;
    return true;
}

/* The access that was taken needed a look, and so is not one of those at rest. */
static inline void upcr_rest_looked(struct upcr_rest *rest)
{
    rest->ever--;
}

/* How many have been taken, and needed no look. */
static inline uint64_t upcr_rest_taken(const struct upcr_rest *rest)
{
    return rest->ever - rest->left;
}

/* Grants the next ones. Pre: none is left. */
static inline void upcr_rest_grant(struct upcr_rest *rest)
{
    rest->granted = rest->granted == 0 ? UPCR_REST_FIRST : rest->granted < UPCR_REST_MOST ? 2 * rest->granted : UPCR_REST_MOST;
    rest->ever += rest->granted;
    rest->left = rest->granted;
}

/* The next grant is of fewer. */
static inline void upcr_rest_halve(struct upcr_rest *rest)
{
    if (rest->granted > UPCR_REST_FIRST)
        rest->granted /= 2;
}

#endif
