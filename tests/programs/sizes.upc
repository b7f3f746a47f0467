// question: sizeof, upc_localsizeof, upc_blocksizeof and upc_elemsizeof of types and expressions, none of which is evaluated
// counts: UPC_BARRIER=THREADS, UPC_GET=0, UPC_PUT=0
#include "check.h"

struct s { double d; char c; };
typedef shared [6] struct s blocked_t;
typedef int row_t[5];
shared [6] struct s a[12 * THREADS];
shared int cyc[7 * THREADS][3];
shared [] char one[33];
shared [4] row_t rows[2 * THREADS];
shared double scalar;
shared [3] int blocked_scalar;
static char by_elem[upc_elemsizeof(a)], by_block[upc_blocksizeof(shared [9] int)];
static int evaluated;

static int touch(void) { return evaluated++; }

int main(void)
{
    shared [6] struct s *p = a;
    CHECK(sizeof(a) == 12 * THREADS * sizeof(struct s) && sizeof a[0] == sizeof(struct s) && sizeof(blocked_t) == sizeof(struct s));
    CHECK(sizeof(cyc) == 21 * THREADS * sizeof(int) && sizeof cyc[0] == 3 * sizeof(int) && sizeof(one) == 33);
    CHECK(sizeof(rows) == 10 * THREADS * sizeof(int) && sizeof rows / sizeof rows[0] == 2 * THREADS);
    CHECK(upc_blocksizeof(a) == 6 && upc_blocksizeof(cyc) == 1 && upc_blocksizeof(one) == 0 && upc_blocksizeof(rows) == 4);
    CHECK(upc_blocksizeof(scalar) == 1 && upc_blocksizeof(blocked_scalar) == 3 && upc_blocksizeof(*p) == 6);
    CHECK(upc_elemsizeof(a) == sizeof(struct s) && upc_elemsizeof(cyc) == sizeof(int) && upc_elemsizeof(one) == 1);
    CHECK(upc_elemsizeof(rows) == sizeof(int) && upc_elemsizeof(scalar) == sizeof(double) && upc_elemsizeof(blocked_t) == sizeof(struct s));
    CHECK(upc_localsizeof(a) >= 12 * sizeof(struct s) && upc_localsizeof(cyc) >= 21 * sizeof(int) && upc_localsizeof(one) >= 33);
    CHECK(upc_localsizeof(scalar) >= sizeof(double) && upc_localsizeof(shared int) >= sizeof(int));
    CHECK(sizeof by_elem == sizeof(struct s) && sizeof by_block == 9);
    CHECK(sizeof(a[touch()]) == sizeof(struct s) && upc_blocksizeof(a[touch()]) == 6 && upc_elemsizeof(cyc[touch()]) == sizeof(int));
    CHECK(upc_localsizeof(cyc[touch()]) > 0 && evaluated == 0);
    CHECK(_Generic(upc_blocksizeof(a), size_t: 1, default: 0) && _Generic(sizeof(a), size_t: 1, default: 0));
    CHECK(_Generic(THREADS, int: 1, default: 0) && _Generic(MYTHREAD, int: 1, default: 0));
    CHECK(sizeof(shared int *) == sizeof(p) && sizeof(shared void *) == sizeof(p) && UPC_MAX_BLOCK_SIZE >= 65536);
#if UPC_MAX_BLOCK_SIZE < 2 || __UPC__ != 1 || __UPC_VERSION__ != 201311L
#error "predefined macros"
#endif
#if defined __UPC_STATIC_THREADS__ == defined __UPC_DYNAMIC_THREADS__
#error "one environment"
#endif
#ifdef __UPC_STATIC_THREADS__
    {
        static int per_thread[THREADS];
        static shared int odd[THREADS + 3];
        static shared [*] int spread[10];
#if THREADS < 1
#error "THREADS is a constant here"
#endif
        CHECK(sizeof per_thread == THREADS * sizeof(int) && sizeof(odd) == (THREADS + 3) * sizeof(int));
        CHECK(upc_blocksizeof(spread) == (10 + THREADS - 1) / THREADS && sizeof(spread) == 10 * sizeof(int));
    }
#endif
    return pass();
}
