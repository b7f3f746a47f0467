// question: does each atomic operation of each type store and fetch what the language's operator gives?
// counts: UPCC_ATOMIC=4, UPC_BARRIER=THREADS
#include "../../programs/check.h"
#include <stdint.h>
#include <upc_atomic.h>

#if __UPC_ATOMIC__ != 1
#error "feature macro"
#endif

enum { INTEGER = UPC_AND | UPC_OR | UPC_XOR, NUMERIC = UPC_ADD | UPC_SUB | UPC_MULT | UPC_INC | UPC_DEC | UPC_MAX | UPC_MIN,
       ACCESS = UPC_GET | UPC_SET | UPC_CSWAP };

/* One operation by both functions, with and without a place for the old value. */
#define PLACE(T)                                                                                                                       \
    static shared T place_##T[THREADS];                                                                                                \
    static void one_##T(upc_atomicdomain_t *domain, upc_op_t op, T start, T a, T b, int pa, int pb, T after)                           \
    {                                                                                                                                  \
        shared T *place = &place_##T[(MYTHREAD + 1) % THREADS];                                                                        \
        int strict, fetch;                                                                                                             \
        for (strict = 0; strict < 2; strict++)                                                                                         \
            for (fetch = op == UPC_GET; fetch < 2; fetch++) {                                                                          \
                T old = 77;                                                                                                            \
                *place = start;                                                                                                        \
                (strict ? upc_atomic_strict : upc_atomic_relaxed)(domain, fetch ? &old : NULL, op, place, pa ? &a : NULL, pb ? &b : NULL); \
                CHECK(!fetch || old == start);                                                                                         \
                CHECK(*place == after);                                                                                                \
            }                                                                                                                          \
    }

#define ONE(T, op, start, a, b, pa, pb, after) one_##T(domain, op, start, a, b, pa, pb, after)

#define COMMON(T, x, y)                                                                                                                \
    ONE(T, UPC_GET, x, 0, 0, 0, 0, x);                                                                                                 \
    ONE(T, UPC_SET, x, y, 0, 1, 0, y);                                                                                                 \
    ONE(T, UPC_CSWAP, x, x, y, 1, 1, y);                                                                                               \
    ONE(T, UPC_CSWAP, x, y, y, 1, 1, x);                                                                                               \
    ONE(T, UPC_ADD, x, y, 0, 1, 0, (T)(x) + (T)(y));                                                                                   \
    ONE(T, UPC_SUB, x, y, 0, 1, 0, (T)(x) - (T)(y));                                                                                   \
    ONE(T, UPC_MULT, x, y, 0, 1, 0, (T)(x) * (T)(y));                                                                                  \
    ONE(T, UPC_INC, x, 0, 0, 0, 0, (T)(x) + 1);                                                                                        \
    ONE(T, UPC_DEC, x, 0, 0, 0, 0, (T)(x) - 1);                                                                                        \
    ONE(T, UPC_MIN, x, y, 0, 1, 0, (T)(x) < (T)(y) ? (T)(x) : (T)(y));                                                                 \
    ONE(T, UPC_MAX, x, y, 0, 1, 0, (T)(x) > (T)(y) ? (T)(x) : (T)(y))

#define BITS(T, x, y)                                                                                                                  \
    ONE(T, UPC_AND, x, y, 0, 1, 0, (T)(x) & (T)(y));                                                                                   \
    ONE(T, UPC_OR, x, y, 0, 1, 0, (T)(x) | (T)(y));                                                                                    \
    ONE(T, UPC_XOR, x, y, 0, 1, 0, (T)(x) ^ (T)(y))

typedef unsigned int uint;
typedef unsigned long ulong;
PLACE(int) PLACE(uint) PLACE(long) PLACE(ulong) PLACE(int32_t) PLACE(uint32_t) PLACE(int64_t) PLACE(uint64_t) PLACE(float) PLACE(double)

#define INTEGERS(T, code, x, y)                                                                                                        \
    do {                                                                                                                               \
        upc_atomicdomain_t *domain = upc_all_atomicdomain_alloc(code, INTEGER | NUMERIC | ACCESS, UPC_ATOMIC_HINT_LATENCY);            \
        CHECK(domain != NULL);                                                                                                         \
        COMMON(T, x, y);                                                                                                               \
        COMMON(T, y, x);                                                                                                               \
        BITS(T, x, y);                                                                                                                 \
        upc_all_atomicdomain_free(domain);                                                                                             \
    } while (0)

#define FLOATS(T, code, x, y)                                                                                                          \
    do {                                                                                                                               \
        upc_atomicdomain_t *domain = upc_all_atomicdomain_alloc(code, NUMERIC | ACCESS, UPC_ATOMIC_HINT_THROUGHPUT);                   \
        COMMON(T, x, y);                                                                                                               \
        COMMON(T, y, x);                                                                                                               \
        ONE(T, UPC_CSWAP, 0.0, -0.0, 5, 1, 1, 5);                                                                                      \
        upc_all_atomicdomain_free(domain);                                                                                             \
    } while (0)

static shared void *shared pointer;
static shared [3] int target[3 * THREADS];

/* Equality of pointers-to-shared ignores the phase. */
static void pointers(void)
{
    upc_atomicdomain_t *domain = upc_all_atomicdomain_alloc(UPC_PTS, ACCESS, 0);
    if (MYTHREAD == THREADS - 1) {
        shared void *first = &target[0], *second = &target[2], *old = NULL, *same = upc_resetphase(&target[2]);
        upc_atomic_relaxed(domain, &old, UPC_SET, &pointer, &second, NULL);
        CHECK(old == NULL && pointer == second);
        upc_atomic_strict(domain, &old, UPC_CSWAP, &pointer, &first, &first);
        CHECK(old == second && upc_phaseof(pointer) == 2);
        upc_atomic_relaxed(domain, &old, UPC_CSWAP, &pointer, &same, &first);
        CHECK(old == second && upc_phaseof(old) == 2 && pointer == first);
        old = NULL;
        upc_atomic_strict(domain, &old, UPC_GET, &pointer, NULL, NULL);
        CHECK(old == first);
    }
    upc_all_atomicdomain_free(domain);
}

int main(void)
{
    INTEGERS(int, UPC_INT, 12, -7);
    INTEGERS(uint, UPC_UINT, 12, 4000000000u);
    INTEGERS(long, UPC_LONG, 1L << 40, -3);
    INTEGERS(ulong, UPC_ULONG, 1UL << 63, 3);
    INTEGERS(int32_t, UPC_INT32, -5, 6);
    INTEGERS(uint32_t, UPC_UINT32, 4294967295u, 2);
    INTEGERS(int64_t, UPC_INT64, -(1LL << 50), 5);
    INTEGERS(uint64_t, UPC_UINT64, 0x123456789abcdefull, 77);
    FLOATS(float, UPC_FLOAT, 1.5f, -0.25f);
    FLOATS(double, UPC_DOUBLE, 1e300, -2.5);
    pointers();
    upc_all_atomicdomain_free(NULL);
    CHECK(MYTHREAD != 0 || upc_atomic_isfast(UPC_INT, UPC_ADD | UPC_GET, &place_int[0]));
    CHECK(!upc_atomic_isfast(UPC_INT, UPC_LOGAND, &place_int[0]));
    CHECK(!upc_atomic_isfast(UPC_CHAR, UPC_GET, &place_int[0]));
    return pass();
}
