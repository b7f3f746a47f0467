/* upc_atomic_relaxed with a constant operation on integers in mapped memory (library section, "UPC atomic memory operations"): a few
   instructions in place of a call. All other cases, and all mistakes, go to the function of the library. */
#ifndef UPCR_ATOMIC_INLINE_H
#define UPCR_ATOMIC_INLINE_H

#include "upcr/access.h"

/* The representation of a type in memory. Several types of UPC share one. */
enum upcr_cell { UPCR_CELL_NONE, UPCR_CELL_I32, UPCR_CELL_U32, UPCR_CELL_I64, UPCR_CELL_U64, UPCR_CELL_FLOAT, UPCR_CELL_DOUBLE, UPCR_CELL_PTS };

/* An atomicity domain. Every thread has its own copy, at the same offset of all segments. */
struct upcr_domain {
    upcr_u32 mark;
    enum upcr_cell cell;
    int operations;
};

#define UPCR_DOMAIN_MARK 0xa70312c0u

/* Operations, as <upc_types.h> and <upc_atomic.h> number them. */
enum {
    UPCR_OP_ADD = 1,
    UPCR_OP_AND = 4,
    UPCR_OP_OR = 8,
    UPCR_OP_XOR = 16,
    UPCR_OP_GET = 512,
    UPCR_OP_SET = 1024,
    UPCR_OP_CSWAP = 2048,
    UPCR_OP_SUB = 4096,
    UPCR_OP_INC = 8192,
    UPCR_OP_DEC = 16384
};

extern void upcr_atomic_call(upcr_pts_t domain, void *fetch, int op, upcr_pts_t target, const void *operand1,
                             const void *operand2) __asm__("upc_atomic_relaxed");

/* Whether the operation is given the operands that it takes, and is one of those below. */
UPCR_INLINE int upcr_atomic_fits(int op, const void *fetch, const void *operand1, const void *operand2)
{
    switch (op) {
    case UPCR_OP_ADD:
    case UPCR_OP_SUB:
    case UPCR_OP_AND:
    case UPCR_OP_OR:
    case UPCR_OP_XOR:
    case UPCR_OP_SET:
        return operand1 != (void *)0 && operand2 == (void *)0;
    case UPCR_OP_INC:
    case UPCR_OP_DEC:
        return operand1 == (void *)0 && operand2 == (void *)0;
    case UPCR_OP_GET:
        return fetch != (void *)0 && operand1 == (void *)0 && operand2 == (void *)0;
    case UPCR_OP_CSWAP:
        return operand1 != (void *)0 && operand2 != (void *)0;
    default:
        return 0;
    }
}

/* Defines NAME, which makes the operation on an unsigned integer of type T; it wraps around as signed ones do. */
#define UPCR_ATOMIC_CELL_(name, T)                                                                         \
    UPCR_INLINE void name(int op, void *at, void *fetch, const void *operand1, const void *operand2)       \
    {                                                                                                      \
        typedef T upcr_any __attribute__((__may_alias__));                                                 \
        upcr_any *target = (upcr_any *)at;                                                                 \
        T value = 1, other = 0, old = 0;                                                                   \
        if (operand1 != (void *)0)                                                                         \
            __builtin_memcpy(&value, operand1, sizeof value);                                              \
        if (operand2 != (void *)0)                                                                         \
            __builtin_memcpy(&other, operand2, sizeof other);                                              \
        if (op == UPCR_OP_ADD || op == UPCR_OP_INC)                                                        \
            old = __atomic_fetch_add(target, value, __ATOMIC_RELAXED);                                     \
        else if (op == UPCR_OP_SUB || op == UPCR_OP_DEC)                                                   \
            old = __atomic_fetch_sub(target, value, __ATOMIC_RELAXED);                                     \
        else if (op == UPCR_OP_AND)                                                                        \
            old = __atomic_fetch_and(target, value, __ATOMIC_RELAXED);                                     \
        else if (op == UPCR_OP_OR)                                                                         \
            old = __atomic_fetch_or(target, value, __ATOMIC_RELAXED);                                      \
        else if (op == UPCR_OP_XOR)                                                                        \
            old = __atomic_fetch_xor(target, value, __ATOMIC_RELAXED);                                     \
        else if (op == UPCR_OP_GET)                                                                        \
            old = __atomic_load_n(target, __ATOMIC_RELAXED);                                               \
        else if (op == UPCR_OP_SET && fetch == (void *)0)                                                  \
            __atomic_store_n(target, value, __ATOMIC_RELAXED);                                             \
        else if (op == UPCR_OP_SET)                                                                        \
            old = __atomic_exchange_n(target, value, __ATOMIC_RELAXED);                                    \
        else {                                                                                             \
            old = value;                                                                                   \
            (void)__atomic_compare_exchange_n(target, &old, other, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED); \
        }                                                                                                  \
        if (fetch != (void *)0)                                                                            \
            __builtin_memcpy(fetch, &old, sizeof old);                                                     \
    }
UPCR_ATOMIC_CELL_(upcr_atomic_32, upcr_u32)
UPCR_ATOMIC_CELL_(upcr_atomic_64, upcr_u64)

/* Whether the objects that are known at compile time are large enough: the C compiler warns of others, which the type of a domain rules out. */
#define UPCR_ATOMIC_HOLDS_(n, fetch, operand1, operand2) \
    (__builtin_object_size(fetch, 0) >= (n) && __builtin_object_size(operand1, 0) >= (n) && __builtin_object_size(operand2, 0) >= (n))

UPCR_INLINE void upcr_atomic_relaxed(upcr_pts_t domain, void *fetch, int op, upcr_pts_t target, const void *operand1, const void *operand2)
{
#ifndef UPCR_CHECKS
    if (__builtin_constant_p(op) && upcr_atomic_fits(op, fetch, operand1, operand2) && !upcr_is_null(domain) && !upcr_is_null(target) &&
        upcr_is_mapped(target)) {
        const struct upcr_domain *mine = (const struct upcr_domain *)upcr_addr(upcr_make((upcr_size)UPCR_MYTHREAD, 0, upcr_addrfield(domain)));
        upcr_size at = upcr_addrfield(target);
        if (mine->mark == UPCR_DOMAIN_MARK && (mine->operations & op) != 0) {
            if ((mine->cell == UPCR_CELL_I64 || mine->cell == UPCR_CELL_U64) && at % sizeof(upcr_u64) == 0 &&
                UPCR_ATOMIC_HOLDS_(sizeof(upcr_u64), fetch, operand1, operand2)) {
                upcr_atomic_64(op, upcr_addr(target), fetch, operand1, operand2);
                return;
            }
            if ((mine->cell == UPCR_CELL_I32 || mine->cell == UPCR_CELL_U32) && at % sizeof(upcr_u32) == 0) {
                upcr_atomic_32(op, upcr_addr(target), fetch, operand1, operand2);
                return;
            }
        }
    }
#endif
    upcr_atomic_call(domain, fetch, op, target, operand1, operand2);
}

#endif
