/* The static shared objects of the program, by place, from the records of the units (upcr_object of upcr/data.h). */
#ifndef UPCR_OBJECTS_H
#define UPCR_OBJECTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "upcr/upcr.h"

/* Returns whether a null pointer-to-shared plus an index or a member is the likely origin of an offset at which no
   object can be. From the other half of the addresses below UPCR_STATIC_START, a place in front of the first object
   is nearer. */
static inline bool upcr_is_mapped_null(uint64_t offset)
{
    return offset < UPCR_STATIC_START / 2;
}

/* A place that is less than this below the start of a thread's memory is likely to be a null pointer-to-shared plus a negative index. */
#define UPCR_BELOW_NULL ((uint64_t)UPCR_STATIC_START / 2)

/* Returns by how many bytes p is below the start of a thread's memory, if that is less than UPCR_BELOW_NULL, and the thread; otherwise 0. */
static inline uint64_t upcr_below_null(upcr_pts_t p, size_t *thread)
{
#ifdef UPCR_PTS_STRUCT
    uint64_t below = 0 - p.addr;
    *thread = upcr_threadof(p);
#else
    uint64_t behind = ((p & UPCR_PLACE_MASK) + UPCR_BELOW_NULL) & UPCR_PLACE_MASK;
    *thread = behind / UPCR_SEGMENT_STRIDE;
    uint64_t below = UPCR_BELOW_NULL - behind % UPCR_SEGMENT_STRIDE;
#endif
    return below < UPCR_BELOW_NULL ? below : 0;
}

/* Returns the record behind this one, in no order of places; NULL: the first record, or none behind the last. An object may have several. */
const upcr_object *upcr_object_after(const upcr_object *record);

/* Returns the offset of an object in every segment. */
uint64_t upcr_object_start(const upcr_object *object);

/* Returns the object with the highest address at or before offset in a segment's static part; NULL if there is none.
   *start: its offset. Async-signal-safe: it searches the records in place. */
const upcr_object *upcr_object_before(uint64_t offset, uint64_t *start);

/* The same for the object with the lowest address at or after offset. */
const upcr_object *upcr_object_from(uint64_t offset, uint64_t *start);

/* Returns the bytes of the object that have affinity to a thread. */
uint64_t upcr_object_bytes(const upcr_object *object, int thread);

/* Returns the object that contains a place, and the number of its ultimate element at that place; NULL if there is
   none. */
const upcr_object *upcr_object_at(int thread, uint64_t offset, uint64_t *element);

#endif
