/* Makes updates (upcr/update.h). */
#ifndef UPCR_UPDATE_APPLY_H
#define UPCR_UPDATE_APPLY_H

#include "runtime.h"

#include "upcr/update.h"

/* Makes an update of n bytes at a place that is aligned: one load and one store. Pre: n is 1, 2, 4 or 8, and 4 or 8 if the update is of a
   floating type. */
static inline void upcr_update_apply(enum upcr_update update, void *place, const void *value, size_t n)
{
#define CASE(kind, T, op)                                   \
    case kind: {                                            \
        T now, with;                                        \
        __atomic_load((T *)place, &now, __ATOMIC_RELAXED);  \
        __builtin_memcpy(&with, value, sizeof with);        \
        now = (T)(now op with);                             \
        __atomic_store((T *)place, &now, __ATOMIC_RELAXED); \
        return;                                             \
    }
#define INTEGERS(T)                 \
    switch (update) {               \
        CASE(UPCR_UPDATE_ADD, T, +) \
        CASE(UPCR_UPDATE_AND, T, &) \
        CASE(UPCR_UPDATE_OR, T, |)  \
        CASE(UPCR_UPDATE_XOR, T, ^) \
    case UPCR_UPDATE_NONE:          \
    case UPCR_UPDATE_ADD_FLOATING:  \
        return;                     \
    }
    if (update == UPCR_UPDATE_ADD_FLOATING) {
        switch (n) {
            CASE(sizeof(float), float, +)
            CASE(sizeof(double), double, +)
        }
        return;
    }
    switch (n) {
    case 1:
        INTEGERS(uint8_t)
        break;
    case 2:
        INTEGERS(uint16_t)
        break;
    case 4:
        INTEGERS(uint32_t)
        break;
    case 8:
        INTEGERS(uint64_t)
        break;
    }
#undef INTEGERS
#undef CASE
}

#endif
