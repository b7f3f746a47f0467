// question: what UPC 1.3 demands of an implementation holds: the equations of pointer arithmetic, equality, casts, address fields, upc_affinitysize, designators
// threads: 1 2 3 4 7
#include "check.h"

#define B 3
#define N (B * 4)

typedef struct { char text[5]; } cell_t;

shared [B] int blocked[N * THREADS];
shared int cyclic[N * THREADS];
shared [] int here[N];
shared [B] cell_t cells[N * THREADS];
shared [B] int grid[N * THREADS][2];

static long floor_div(long a, long b)
{
    return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

static long modulo(long a, long b)
{
    return a - floor_div(a, b) * b;
}

/* UPC 6.4.2 p4 for the step from the pointer `p` by `i`. */
#define EQUATIONS(p, i)                                                                                                        \
    do {                                                                                                                       \
        long block = (long)upc_blocksizeof(*(p));                                                                              \
        long delta = (i) * (long)(sizeof(*(p)) / upc_elemsizeof(*(p)));                                                        \
        long phase = (long)upc_phaseof(p) + delta;                                                                             \
        CHECK((long)upc_phaseof((p) + (i)) == modulo(phase, block));                                                           \
        CHECK((long)upc_threadof((p) + (i)) == modulo((long)upc_threadof(p) + floor_div(phase, block), THREADS));              \
        CHECK((p) + (i) - (p) == (i));                                                                                         \
        CHECK(((p) + (i) < (p)) == ((i) < 0) && ((p) + (i) >= (p)) == ((i) >= 0));                                             \
    } while (0)

static void arithmetic(void)
{
    for (int from = 0; from < N * THREADS; from++)
        for (int to = 0; to < N * THREADS; to++) {
            EQUATIONS(&blocked[from], to - from);
            EQUATIONS(&cyclic[from], to - from);
            EQUATIONS(&cells[from], to - from);
            EQUATIONS(&grid[from], to - from);
        }
    for (int i = 0; i < N; i++) {
        CHECK(upc_threadof(&here[i]) == upc_threadof(here) && upc_phaseof(&here[i]) == 0);
        CHECK(&here[i] - here == i);
    }
    CHECK(upc_phaseof(&blocked) == 0 && upc_phaseof(&cyclic) == 0 && upc_phaseof(&grid) == 0);
}

/* UPC 6.4.2 p7: the phase does not count. */
static void equality(void)
{
    for (int i = 0; i < N * THREADS; i++) {
        shared [B] int *p = &blocked[i];
        shared [B] int *q = (shared [B] int *)upc_resetphase(p);
        CHECK(upc_phaseof(q) == 0 && p == q && !(p != q));
    }
}

/* UPC 6.4.2 p6, 7.2.3.4 p3: elements on one thread, through pointers-to-local. */
static void local_views(void)
{
    int *first = 0;
    shared [] int *start = 0;
    for (int i = 0; i < N * THREADS; i++) {
        if (upc_threadof(&blocked[i]) != (size_t)MYTHREAD)
            continue;
        int *p = (int *)&blocked[i];
        shared [] int *s = (shared [] int *)&blocked[i];
        *p = i;
        CHECK(blocked[i] == i);
        if (first == 0) {
            first = p;
            start = s;
        }
        CHECK(first + (s - start) == p);
        CHECK((ptrdiff_t)upc_addrfield(s) - (ptrdiff_t)upc_addrfield(start) == (p - first) * (ptrdiff_t)sizeof(int));
    }
}

/* UPC 7.2.3.5: the portions of a declared array. */
static void portions(void)
{
    size_t sum = 0;
    for (int t = 0; t < THREADS; t++)
        sum += upc_affinitysize(sizeof(blocked), B * upc_elemsizeof(blocked), (size_t)t);
    CHECK(sum == sizeof(blocked));
    CHECK(upc_affinitysize(sizeof(here), 0, 0) == sizeof(here));
}

/* UPC 7.3.1 p2, 7.3.2 p2, 7.3.3 p2: designators, all of them different. */
static void designators(void)
{
    static const upc_op_t ops[] = { UPC_ADD, UPC_MULT, UPC_AND, UPC_OR, UPC_XOR, UPC_LOGAND, UPC_LOGOR, UPC_MIN, UPC_MAX };
    static const upc_type_t types[] = { UPC_CHAR, UPC_UCHAR, UPC_SHORT, UPC_USHORT, UPC_INT, UPC_UINT, UPC_LONG, UPC_ULONG,
        UPC_LLONG, UPC_ULLONG, UPC_INT8, UPC_UINT8, UPC_INT16, UPC_UINT16, UPC_INT32, UPC_UINT32, UPC_INT64, UPC_UINT64,
        UPC_FLOAT, UPC_DOUBLE, UPC_LDOUBLE, UPC_PTS };
    upc_op_t all = 0;
    for (size_t i = 0; i < sizeof(ops) / sizeof(ops[0]); i++) {
        CHECK(ops[i] > 0 && (all & ops[i]) == 0);
        all |= ops[i];
    }
    CHECK(all < 65536);
    for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
        for (size_t j = 0; j < i; j++)
            CHECK(types[i] > 0 && types[i] < 65536 && types[i] != types[j]);
}

int main(void)
{
    arithmetic();
    equality();
    local_views();
    portions();
    designators();
    return pass();
}
