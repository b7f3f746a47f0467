/* What the test programs share. They use the contract of upcr.h as emitted code does, so the header comes first. */
#ifndef UPCR_TEST_H
#define UPCR_TEST_H

#include "upcr/upcr.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef UPCR_STATIC_THREADS
UPCR_PROGRAM_THREADS(UPCR_STATIC_THREADS);
#else
UPCR_PROGRAM_THREADS(0);
#endif

extern upcr_pts_t upc_alloc(size_t), upc_local_alloc(size_t, size_t), upc_global_alloc(size_t, size_t), upc_all_alloc(size_t, size_t);
extern void upc_free(upcr_pts_t), upc_all_free(upcr_pts_t), upc_global_exit(int);
extern upcr_pts_t upc_global_lock_alloc(void), upc_all_lock_alloc(void);
extern void upc_lock_free(upcr_pts_t), upc_all_lock_free(upcr_pts_t), upc_lock(upcr_pts_t), upc_unlock(upcr_pts_t);
extern int upc_lock_attempt(upcr_pts_t);
extern void upc_memcpy(upcr_pts_t, upcr_pts_t, size_t), upc_memget(void *, upcr_pts_t, size_t);
extern void upc_memput(upcr_pts_t, const void *, size_t), upc_memset(upcr_pts_t, int, size_t);
extern size_t upc_threadof(upcr_pts_t), upc_phaseof(upcr_pts_t), upc_addrfield(upcr_pts_t), upc_affinitysize(size_t, size_t, size_t);
extern upcr_pts_t upc_resetphase(upcr_pts_t);

/* Ends the job with the place and the text of a condition that does not hold. */
#define CHECK(condition)                                                                                                          \
    do {                                                                                                                          \
        if (!(condition)) {                                                                                                       \
            fprintf(stderr, "%s:%d: thread %d of %d: not so: %s\n", __FILE__, __LINE__, UPCR_MYTHREAD, UPCR_THREADS, #condition); \
            upc_global_exit(1);                                                                                                   \
        }                                                                                                                         \
    } while (0)

/* A small generator of its own for each thread: the same numbers on every machine. */
static inline uint64_t test_random(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

#endif
