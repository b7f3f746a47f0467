/* bupc_atomic... of <bupc_extensions.h>. */
#include "runtime.h"

#include "atomic/atomic.h"
#include "upc_types.h"
#include "upcr/atomic_ops.h"
#include "upcr/bupc_types.h"

#define UPCR_CELL_LONG  (sizeof(long) == 8 ? UPCR_CELL_I64 : UPCR_CELL_I32)
#define UPCR_CELL_ULONG (sizeof(long) == 8 ? UPCR_CELL_U64 : UPCR_CELL_U32)

#define RELAXED upcr_atomic
#define STRICT  upcr_atomic_ordered

/* The body of a function that returns the previous value. */
#define OLD_VALUE(T, CELL, apply, op, operand1, operand2)           \
    {                                                               \
        T old;                                                      \
        apply(UPCR_CELL_##CELL, op, ptr, operand1, operand2, &old); \
        return old;                                                 \
    }

#define ACCESS(T, code, CELL, order, apply)                                                                                                        \
    T bupc_atomic##code##_read_##order(upcr_pts_t ptr);                                                                                            \
    void bupc_atomic##code##_set_##order(upcr_pts_t ptr, T value);                                                                                 \
    T bupc_atomic##code##_swap_##order(upcr_pts_t ptr, T value);                                                                                   \
    T bupc_atomic##code##_cswap_##order(upcr_pts_t ptr, T old_value, T new_value);                                                                 \
    T bupc_atomic##code##_fetchadd_##order(upcr_pts_t ptr, T value);                                                                               \
    T bupc_atomic##code##_read_##order(upcr_pts_t ptr)                                                                                             \
        OLD_VALUE(T, CELL, apply, UPC_GET, NULL, NULL) void bupc_atomic##code##_set_##order(upcr_pts_t ptr, T value)                               \
    {                                                                                                                                              \
        apply(UPCR_CELL_##CELL, UPC_SET, ptr, &value, NULL, NULL);                                                                                 \
    }                                                                                                                                              \
    T bupc_atomic##code##_swap_##order(upcr_pts_t ptr, T value) OLD_VALUE(T, CELL, apply, UPC_SET, &value, NULL)                                   \
        T bupc_atomic##code##_cswap_##order(upcr_pts_t ptr, T old_value, T new_value) OLD_VALUE(T, CELL, apply, UPC_CSWAP, &old_value, &new_value) \
            T bupc_atomic##code##_fetchadd_##order(upcr_pts_t ptr, T value) OLD_VALUE(T, CELL, apply, UPC_ADD, &value, NULL)

/* mswap replaces the bits of the mask. No single instruction does this, so it retries until no other thread has changed the word in between. */
#define BITS(T, code, CELL, order, apply)                                                                                    \
    T bupc_atomic##code##_mswap_##order(upcr_pts_t ptr, T mask, T value);                                                    \
    T bupc_atomic##code##_fetchand_##order(upcr_pts_t ptr, T value);                                                         \
    T bupc_atomic##code##_fetchor_##order(upcr_pts_t ptr, T value);                                                          \
    T bupc_atomic##code##_fetchxor_##order(upcr_pts_t ptr, T value);                                                         \
    T bupc_atomic##code##_fetchnot_##order(upcr_pts_t ptr);                                                                  \
    T bupc_atomic##code##_mswap_##order(upcr_pts_t ptr, T mask, T value)                                                     \
    {                                                                                                                        \
        T seen, expected, updated;                                                                                           \
        apply(UPCR_CELL_##CELL, UPC_GET, ptr, NULL, NULL, &seen);                                                            \
        do {                                                                                                                 \
            expected = seen;                                                                                                 \
            updated = (expected & ~mask) | (value & mask);                                                                   \
            apply(UPCR_CELL_##CELL, UPC_CSWAP, ptr, &expected, &updated, &seen);                                             \
        } while (seen != expected);                                                                                          \
        return seen;                                                                                                         \
    }                                                                                                                        \
    T bupc_atomic##code##_fetchand_##order(upcr_pts_t ptr, T value) OLD_VALUE(T, CELL, apply, UPC_AND, &value, NULL)         \
        T bupc_atomic##code##_fetchor_##order(upcr_pts_t ptr, T value) OLD_VALUE(T, CELL, apply, UPC_OR, &value, NULL)       \
            T bupc_atomic##code##_fetchxor_##order(upcr_pts_t ptr, T value) OLD_VALUE(T, CELL, apply, UPC_XOR, &value, NULL) \
                T bupc_atomic##code##_fetchnot_##order(upcr_pts_t ptr)                                                       \
    {                                                                                                                        \
        T ones = (T)-1;                                                                                                      \
        return bupc_atomic##code##_fetchxor_##order(ptr, ones);                                                              \
    }

#define FLOATING(T, code, CELL)     ACCESS(T, code, CELL, relaxed, RELAXED) ACCESS(T, code, CELL, strict, STRICT)
#define INTEGER(T, code, CELL)      FLOATING(T, code, CELL) BITS(T, code, CELL, relaxed, RELAXED) BITS(T, code, CELL, strict, STRICT)
#define DEFINE(code, T, CELL, kind) kind(T, code, CELL)
#pragma GCC visibility push(default)
UPCR_BUPC_TYPES(DEFINE)
#pragma GCC visibility pop
