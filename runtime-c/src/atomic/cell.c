#include "runtime.h"

#include <string.h>

#include "atomic/cell.h"
#include "transport/transport.h"
#include "upc_types.h"
#include "upcr/atomic_ops.h"

enum {
    ACCESS = UPC_GET | UPC_SET | UPC_CSWAP,
    BITWISE = UPC_AND | UPC_OR | UPC_XOR,
    NUMERIC = UPC_ADD | UPC_SUB | UPC_MULT | UPC_INC | UPC_DEC | UPC_MAX | UPC_MIN,
};

/* Relaxed: strict operations have fences around them. */
#define ORDER __ATOMIC_RELAXED

enum upcr_cell upcr_cell_of(int type)
{
    switch (type) {
    case UPC_INT:
    case UPC_INT32:
        return UPCR_CELL_I32;
    case UPC_UINT:
    case UPC_UINT32:
        return UPCR_CELL_U32;
    case UPC_LONG:
        return sizeof(long) == 8 ? UPCR_CELL_I64 : UPCR_CELL_I32;
    case UPC_ULONG:
        return sizeof(long) == 8 ? UPCR_CELL_U64 : UPCR_CELL_U32;
    case UPC_LLONG: /* beyond the specification */
    case UPC_INT64:
        return UPCR_CELL_I64;
    case UPC_ULLONG: /* beyond the specification */
    case UPC_UINT64:
        return UPCR_CELL_U64;
    case UPC_FLOAT:
        return UPCR_CELL_FLOAT;
    case UPC_DOUBLE:
        return UPCR_CELL_DOUBLE;
    case UPC_PTS:
        return UPCR_CELL_PTS;
    default:
        return UPCR_CELL_NONE;
    }
}

int upcr_cell_operations(enum upcr_cell cell)
{
    switch (cell) {
    case UPCR_CELL_NONE:
        return 0;
    case UPCR_CELL_I32:
    case UPCR_CELL_U32:
    case UPCR_CELL_I64:
    case UPCR_CELL_U64:
        return ACCESS | BITWISE | NUMERIC;
    case UPCR_CELL_FLOAT:
    case UPCR_CELL_DOUBLE:
        return ACCESS | NUMERIC;
    case UPCR_CELL_PTS:
        return ACCESS;
    }
    return 0;
}

size_t upcr_cell_bytes(enum upcr_cell cell)
{
    switch (cell) {
    case UPCR_CELL_NONE:
        return 0;
    case UPCR_CELL_I32:
    case UPCR_CELL_U32:
        return 4;
    case UPCR_CELL_I64:
    case UPCR_CELL_U64:
        return 8;
    case UPCR_CELL_FLOAT:
        return sizeof(float);
    case UPCR_CELL_DOUBLE:
        return sizeof(double);
    case UPCR_CELL_PTS:
        return sizeof(upcr_pts_t);
    }
    return 0;
}

bool upcr_cell_is_native(enum upcr_cell cell, int operations)
{
    if (cell == UPCR_CELL_PTS)
        return sizeof(upcr_pts_t) == 8;
    if (cell == UPCR_CELL_FLOAT || cell == UPCR_CELL_DOUBLE)
        return (operations & ~(UPC_GET | UPC_SET)) == 0;
    return cell != UPCR_CELL_NONE && (operations & (UPC_MULT | UPC_MIN | UPC_MAX)) == 0;
}

/* Defines apply_NAME for an integer type T, whose arithmetic is done in the unsigned type U, which does not overflow. */
#define INTEGER_CELL(name, T, U)                                                                                    \
    static T combine_##name(int op, T x, T y)                                                                       \
    {                                                                                                               \
        return op == UPC_MULT ? (T)((U)x * (U)y) : op == UPC_MIN ? (x < y ? x : y) : (x > y ? x : y);               \
    }                                                                                                               \
    static void apply_##name(int op, T *target, const T *operand1, const T *operand2, T *fetch)                     \
    {                                                                                                               \
        T old = 0;                                                                                                  \
        switch (op) {                                                                                               \
        case UPC_GET:                                                                                               \
            old = __atomic_load_n(target, ORDER);                                                                   \
            break;                                                                                                  \
        case UPC_SET:                                                                                               \
            if (fetch != NULL)                                                                                      \
                old = __atomic_exchange_n(target, *operand1, ORDER);                                                \
            else                                                                                                    \
                __atomic_store_n(target, *operand1, ORDER);                                                         \
            break;                                                                                                  \
        case UPC_CSWAP:                                                                                             \
            old = *operand1;                                                                                        \
            __atomic_compare_exchange_n(target, &old, *operand2, 0, ORDER, ORDER);                                  \
            break;                                                                                                  \
        case UPC_ADD:                                                                                               \
            old = __atomic_fetch_add(target, *operand1, ORDER);                                                     \
            break;                                                                                                  \
        case UPC_SUB:                                                                                               \
            old = __atomic_fetch_sub(target, *operand1, ORDER);                                                     \
            break;                                                                                                  \
        case UPC_INC:                                                                                               \
            old = __atomic_fetch_add(target, 1, ORDER);                                                             \
            break;                                                                                                  \
        case UPC_DEC:                                                                                               \
            old = __atomic_fetch_sub(target, 1, ORDER);                                                             \
            break;                                                                                                  \
        case UPC_AND:                                                                                               \
            old = __atomic_fetch_and(target, *operand1, ORDER);                                                     \
            break;                                                                                                  \
        case UPC_OR:                                                                                                \
            old = __atomic_fetch_or(target, *operand1, ORDER);                                                      \
            break;                                                                                                  \
        case UPC_XOR:                                                                                               \
            old = __atomic_fetch_xor(target, *operand1, ORDER);                                                     \
            break;                                                                                                  \
        default: /* UPC_MULT, UPC_MIN, UPC_MAX */                                                                   \
            old = __atomic_load_n(target, ORDER);                                                                   \
            while (!__atomic_compare_exchange_n(target, &old, combine_##name(op, old, *operand1), 1, ORDER, ORDER)) \
                continue;                                                                                           \
        }                                                                                                           \
        if (fetch != NULL)                                                                                          \
            *fetch = old;                                                                                           \
    }

INTEGER_CELL(i32, int32_t, uint32_t)
INTEGER_CELL(u32, uint32_t, uint32_t)
INTEGER_CELL(i64, int64_t, uint64_t)
INTEGER_CELL(u64, uint64_t, uint64_t)

/* The same for a floating-point type T of the size of the integer type U. Values are compared as in the language: for a conditional swap
   0.0 equals -0.0. */
#define FLOATING_CELL(name, T, U)                                                               \
    static T value_##name(U bits)                                                               \
    {                                                                                           \
        T value;                                                                                \
        memcpy(&value, &bits, sizeof value);                                                    \
        return value;                                                                           \
    }                                                                                           \
    static U bits_##name(T value)                                                               \
    {                                                                                           \
        U bits;                                                                                 \
        memcpy(&bits, &value, sizeof bits);                                                     \
        return bits;                                                                            \
    }                                                                                           \
    static T combine_##name(int op, T x, const T *operand1, const T *operand2)                  \
    {                                                                                           \
        switch (op) {                                                                           \
        case UPC_ADD:                                                                           \
            return x + *operand1;                                                               \
        case UPC_SUB:                                                                           \
            return x - *operand1;                                                               \
        case UPC_MULT:                                                                          \
            return x * *operand1;                                                               \
        case UPC_INC:                                                                           \
            return x + 1;                                                                       \
        case UPC_DEC:                                                                           \
            return x - 1;                                                                       \
        case UPC_MIN:                                                                           \
            return x < *operand1 ? x : *operand1;                                               \
        case UPC_MAX:                                                                           \
            return x > *operand1 ? x : *operand1;                                               \
        default: /* UPC_SET, UPC_CSWAP that succeeds */                                         \
            return operand2 != NULL ? *operand2 : *operand1;                                    \
        }                                                                                       \
    }                                                                                           \
    static void apply_##name(int op, U *target, const T *operand1, const T *operand2, T *fetch) \
    {                                                                                           \
        U old = __atomic_load_n(target, ORDER);                                                 \
        while (op != UPC_GET && !(op == UPC_CSWAP && value_##name(old) != *operand1)) {         \
            U updated = bits_##name(combine_##name(op, value_##name(old), operand1, operand2)); \
            if (__atomic_compare_exchange_n(target, &old, updated, 1, ORDER, ORDER))            \
                break;                                                                          \
        }                                                                                       \
        if (fetch != NULL)                                                                      \
            *fetch = value_##name(old);                                                         \
    }

FLOATING_CELL(float, float, uint32_t)
FLOATING_CELL(double, double, uint64_t)

/* Equality of pointers-to-shared ignores the phase. */
#ifdef UPCR_PTS_STRUCT
/* There is no instruction for 128 bits, so a lock of the transport is used. */
static void apply_pts(int op, upcr_pts_t *target, const upcr_pts_t *operand1, const upcr_pts_t *operand2, upcr_pts_t *fetch)
{
    upcr_tp_guard(target);
    upcr_pts_t old = *target;
    if (op == UPC_SET)
        *target = *operand1;
    else if (op == UPC_CSWAP && upcr_eq(old, *operand1))
        *target = *operand2;
    upcr_tp_unguard(target);
    if (fetch != NULL)
        *fetch = old;
}
#else
static void apply_pts(int op, upcr_pts_t *target, const upcr_pts_t *operand1, const upcr_pts_t *operand2, upcr_pts_t *fetch)
{
    if (op != UPC_CSWAP) {
        apply_u64(op, target, operand1, NULL, fetch);
        return;
    }
    upcr_pts_t old = __atomic_load_n(target, ORDER);
    while (upcr_eq(old, *operand1) && !__atomic_compare_exchange_n(target, &old, *operand2, 1, ORDER, ORDER))
        continue;
    if (fetch != NULL)
        *fetch = old;
}
#endif

void upcr_cell_apply(enum upcr_cell cell, int op, void *target, const void *operand1, const void *operand2, void *fetch)
{
    switch (cell) {
    case UPCR_CELL_NONE:
        break;
    case UPCR_CELL_I32:
        apply_i32(op, target, operand1, operand2, fetch);
        break;
    case UPCR_CELL_U32:
        apply_u32(op, target, operand1, operand2, fetch);
        break;
    case UPCR_CELL_I64:
        apply_i64(op, target, operand1, operand2, fetch);
        break;
    case UPCR_CELL_U64:
        apply_u64(op, target, operand1, operand2, fetch);
        break;
    case UPCR_CELL_FLOAT:
        apply_float(op, target, operand1, operand2, fetch);
        break;
    case UPCR_CELL_DOUBLE:
        apply_double(op, target, operand1, operand2, fetch);
        break;
    case UPCR_CELL_PTS:
        apply_pts(op, target, operand1, operand2, fetch);
        break;
    }
}
