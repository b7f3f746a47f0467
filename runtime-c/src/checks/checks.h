/* Checked programs (-fupc-checks): the interface that the runtime itself uses. The implementation is in src/checks/,
   which the linker takes from the library only if a checked unit calls one of the functions of upcr/checks.h; in
   other programs upcr_checks has no address. */
#ifndef UPCR_CHECKS_INTERNAL_H
#define UPCR_CHECKS_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "checks.def"
#include "transport/transport.h"

/* The kind of a block of the shared heap. */
enum upcr_block_kind {
    UPCR_BLOCK_NONE,
    UPCR_BLOCK_LOCAL,  /* on one thread */
    UPCR_BLOCK_SHARED, /* nblocks * nbytes distributed over all threads */
    UPCR_BLOCK_LOCK,
};

/* An argument that must be the same on all threads. */
struct upcr_argument {
    const char *name;
    bool is_place; /* value and thread are the parts of a pointer-to-shared */
    uint64_t value;
    uint64_t thread;
};

static inline struct upcr_argument upcr_number_argument(const char *name, uint64_t value)
{
    return (struct upcr_argument){name, false, value, 0};
}

static inline struct upcr_argument upcr_place_argument(const char *name, upcr_pts_t value)
{
    return (struct upcr_argument){name, true, upcr_addrfield(value), upcr_threadof(value)};
}

enum { UPCR_MOST_ARGUMENTS = 10 };

struct upcr_checks {
    /* prepare is called before the threads are started; start is called first in each thread. */
    void (*prepare)(struct upcr_plan *plan);
    void (*start)(void);
    /* The transport has allocated a block: on one thread, or distributed over all. */
    void (*born)(upcr_pts_t place, size_t nblocks, size_t nbytes, enum upcr_block_kind kind);
    /* `function` is about to free the block at place; lock: as a lock. */
    void (*freed)(upcr_pts_t place, const char *function, bool lock);
    /* `function` is about to use the lock at place. */
    void (*lock)(upcr_pts_t place, const char *function);
    /* A library function is about to read or write n bytes at place; what: "upc_memget reads". */
    void (*transfer)(upcr_pts_t place, size_t n, const char *what);
    void (*copy)(upcr_pts_t dst, upcr_pts_t src, size_t n);
    /* This thread begins a collective operation. */
    void (*enter)(const char *function);
    /* The operation has these arguments, at most UPCR_MOST_ARGUMENTS. */
    void (*arguments)(const struct upcr_argument *arguments, int count);
    /* The operation is a barrier statement with this value. */
    void (*value)(int value);
    /* The operation has passed a barrier: all threads must have begun the same operation. */
    void (*agree)(void);
};

extern const struct upcr_checks upcr_checks __attribute__((__weak__));

static inline bool upcr_is_checked(void)
{
    return &upcr_checks != NULL;
}

#endif
