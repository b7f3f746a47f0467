// question: does a relaxed operation that is a constant, which may be inline, do what the same operation does that is known at run time only?
#include "../../programs/check.h"
#include <upc_atomic.h>

#define SAME(T, op, first, second)                                                      \
    do {                                                                                \
        T a = (T)(first), b = (T)(second), fetched = 7, other = 7;                      \
        volatile upc_op_t late = op;                                                    \
        const void *x = TAKES(op) > 0 ? &a : NULL, *y = TAKES(op) > 1 ? &b : NULL;      \
        T##_cells[at] = (T)start;                                                       \
        T##_cells[other_at] = (T)start;                                                 \
        upc_atomic_relaxed(domain, &fetched, op, &T##_cells[at], x, y);                 \
        upc_atomic_relaxed(domain, &other, late, &T##_cells[other_at], x, y);           \
        CHECK(fetched == other);                                                        \
        CHECK(T##_cells[at] == T##_cells[other_at]);                                    \
        if (op != UPC_GET) {                                                            \
            upc_atomic_relaxed(domain, NULL, op, &T##_cells[at], x, y);                 \
            upc_atomic_relaxed(domain, NULL, late, &T##_cells[other_at], x, y);         \
            CHECK(T##_cells[at] == T##_cells[other_at]);                                \
        }                                                                               \
    } while (0)
#define TAKES(op) ((op) == UPC_CSWAP ? 2 : ((op) & (UPC_GET | UPC_INC | UPC_DEC)) != 0 ? 0 : 1)

#define ALL (UPC_ADD | UPC_SUB | UPC_AND | UPC_OR | UPC_XOR | UPC_INC | UPC_DEC | UPC_GET | UPC_SET | UPC_CSWAP | UPC_MIN | UPC_MAX)

typedef unsigned int uint;
typedef unsigned long ulong;
shared int int_cells[2 * THREADS];
shared uint uint_cells[2 * THREADS];
shared long long_cells[2 * THREADS];
shared ulong ulong_cells[2 * THREADS];

#define ALL_OF(T, type)                                              \
    static void of_##T(long start, int at, int other_at)             \
    {                                                                \
        upc_atomicdomain_t *domain = upc_all_atomicdomain_alloc(type, ALL, 0); \
        SAME(T, UPC_ADD, 5, 0);                                      \
        SAME(T, UPC_SUB, 9, 0);                                      \
        SAME(T, UPC_AND, 0x5a5a, 0);                                 \
        SAME(T, UPC_OR, 0x0ff0, 0);                                  \
        SAME(T, UPC_XOR, -1, 0);                                     \
        SAME(T, UPC_INC, 0, 0);                                      \
        SAME(T, UPC_DEC, 0, 0);                                      \
        SAME(T, UPC_GET, 0, 0);                                      \
        SAME(T, UPC_SET, 77, 0);                                     \
        SAME(T, UPC_CSWAP, start, 12);                               \
        SAME(T, UPC_CSWAP, start + 1, 12);                           \
        SAME(T, UPC_MIN, 3, 0);                                      \
        SAME(T, UPC_MAX, 3, 0);                                      \
        upc_all_atomicdomain_free(domain);                           \
    }
ALL_OF(int, UPC_INT)
ALL_OF(uint, UPC_UINT)
ALL_OF(long, UPC_LONG)
ALL_OF(ulong, UPC_ULONG)

int main(void)
{
    static const long starts[] = {0, 1, -1, 0x7fffffff, 12345};
    int next = (MYTHREAD + 1) % THREADS;
    for (int i = 0; i < 5; i++) {
        of_int(starts[i], next, next + THREADS);
        of_uint(starts[i], next, next + THREADS);
        of_long(starts[i], next, next + THREADS);
        of_ulong(starts[i], next, next + THREADS);
    }
    return pass();
}
