/* What lies at a place of shared memory. */
#ifndef UPCR_CHECKS_EXTENT_H
#define UPCR_CHECKS_EXTENT_H

#include "checks/blocks.h"

/* The part of an object on one thread: [low, high) in its segment. */
struct upcr_extent {
    uint64_t low, high;
    int thread;
    const struct upcr_block *block; /* NULL: static */
    const upcr_object *object;      /* NULL: allocated */
};

/* The last object on this thread that begins at or before offset; false if there is none. */
bool upcr_extent_before(int thread, uint64_t offset, struct upcr_extent *extent);

/* Whether it has parts on several threads. */
bool upcr_extent_is_dealt_out(const struct upcr_extent *extent);

/* "`grid` (shared [4] int [40])", "a block of 40 bytes", for messages. Returns text. */
const char *upcr_extent_name(const struct upcr_extent *extent, char *text, size_t capacity);
const char *upcr_block_name(const struct upcr_block *block, char *text, size_t capacity);

enum { UPCR_NAME_CAPACITY = 200 };

#endif
