/* The static shared objects of the program, by place: from the records that the units bring (upcr_object of upcr/data.h). */
#ifndef UPCR_OBJECTS_H
#define UPCR_OBJECTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "upcr/upcr.h"

/* Whether a null pointer-to-shared plus an index or a member is the likely way to an offset at which no object can be; from the other half of the
   addresses below UPCR_STATIC_START a place in front of the first object is nearer. */
static inline bool upcr_is_mapped_null(uint64_t offset)
{
    return offset < UPCR_STATIC_START / 2;
}

/* The object with the highest address at or before offset in a segment's static part; NULL if there is none. *start: its offset.
   Async-signal-safe: the records are searched in place. */
const upcr_object *upcr_object_before(uint64_t offset, uint64_t *start);

/* The same for the object with the lowest address at or behind offset. */
const upcr_object *upcr_object_from(uint64_t offset, uint64_t *start);

/* Bytes of the object that have affinity to a thread. */
uint64_t upcr_object_bytes(const upcr_object *object, int thread);

/* The object that a place is in, and the number of its ultimate element there; NULL if it is in none. */
const upcr_object *upcr_object_at(int thread, uint64_t offset, uint64_t *element);

#endif
