/* Atomic operations: each against a serial model, and all under contention. */
#include "conformance.h"
#include "upc_types.h"
#include "upcr/atomic_ops.h"

static const enum upcr_cell cells[] = {UPCR_CELL_I32, UPCR_CELL_U32, UPCR_CELL_I64, UPCR_CELL_U64, UPCR_CELL_FLOAT, UPCR_CELL_DOUBLE, UPCR_CELL_PTS};
enum { CELLS = sizeof cells / sizeof *cells, ROOM = 16 };

/* A value of a cell. */
union value {
    int32_t i32;
    uint32_t u32;
    int64_t i64;
    uint64_t u64;
    float f;
    double d;
    upcr_pts_t p;
    unsigned char bytes[ROOM];
};

static union value value_of(enum upcr_cell cell, long n)
{
    union value value = {.bytes = {0}};
    switch (cell) {
    case UPCR_CELL_NONE:
        break;
    case UPCR_CELL_I32:
        value.i32 = (int32_t)n;
        break;
    case UPCR_CELL_U32:
        value.u32 = (uint32_t)n;
        break;
    case UPCR_CELL_I64:
        value.i64 = n;
        break;
    case UPCR_CELL_U64:
        value.u64 = (uint64_t)n;
        break;
    case UPCR_CELL_FLOAT:
        value.f = (float)n;
        break;
    case UPCR_CELL_DOUBLE:
        value.d = (double)n;
        break;
    case UPCR_CELL_PTS:
        value.p = at((int)(n & 1) % ALL, (uint64_t)n * 8 + 65536);
        break;
    }
    return value;
}

static bool needs_operand(int op)
{
    return op != UPC_GET && op != UPC_INC && op != UPC_DEC;
}

/* Where a cell of this kind lies. */
static uint64_t place(uint64_t offset, size_t kind, int thread)
{
    return offset + ((uint64_t)kind * (uint64_t)ALL + (uint64_t)thread) * 64;
}

/* Alone on a cell: after each operation the value and what was fetched are what the model, the same function on private memory, has. */
void case_atomic_model(void)
{
    uint64_t offset = everywhere((size_t)CELLS * (size_t)ALL * 64), state = (uint64_t)ME + 3;
    for (size_t kind = 0; kind < CELLS; kind++) {
        enum upcr_cell cell = cells[kind];
        size_t bytes = upcr_cell_bytes(cell);
        union value model = value_of(cell, 0), seen;
        upcr_pts_t target = at(NEXT, place(offset, kind, ME));
        atomic(cell, UPC_SET, target, &model, NULL, NULL);
        for (int i = 0; i < repeat(60); i++) {
            for (int bit = 0; bit < 31; bit++) {
                int op = 1 << bit;
                if ((upcr_cell_operations(cell) & op) == 0)
                    continue;
                union value operand = value_of(cell, (long)(test_random(&state) % 5)), other = value_of(cell, (long)(test_random(&state) % 5));
                union value fetched = {.bytes = {0}}, expected = {.bytes = {0}};
                bool fetch = op == UPC_GET || test_random(&state) % 2 != 0;
                /* A product without bounds is none of floating point's. */
                if (op == UPC_MULT)
                    operand = value_of(cell, i % 16 == 0 ? 0 : 2);
                const void *one = needs_operand(op) ? &operand : NULL, *two = op == UPC_CSWAP ? &other : NULL;
                upcr_cell_apply(cell, op, &model, one, two, fetch ? &expected : NULL);
                atomic(cell, op, target, one, two, fetch ? &fetched : NULL);
                CHECK(memcmp(&fetched, &expected, bytes) == 0);
            }
            get(&seen, target, bytes);
            CHECK(memcmp(&seen, &model, bytes) == 0);
        }
    }
    forget(offset);
}

/* All on one cell of one thread. Adding and comparing lose nothing; a chain of swaps hands on every value once. */
static void contend(enum upcr_cell cell, upcr_pts_t target, int each)
{
    union value zero = value_of(cell, 0), one = value_of(cell, 1), seen, now;
    if (ME == 0)
        atomic(cell, UPC_SET, target, &zero, NULL, NULL);
    meet();
    for (int i = 0; i < each; i++) {
        switch (i % 4) {
        case 0:
            atomic(cell, UPC_ADD, target, &one, NULL, NULL);
            break;
        case 1:
            atomic(cell, UPC_INC, target, NULL, NULL, &seen);
            break;
        case 2: {
            union value two = value_of(cell, 2);
            atomic(cell, UPC_SUB, target, &one, NULL, &seen);
            atomic(cell, UPC_ADD, target, &two, NULL, NULL);
            break;
        }
        default:
            atomic(cell, UPC_GET, target, NULL, NULL, &seen);
            for (;;) {
                union value more = seen, after;
                upcr_cell_apply(cell, UPC_INC, &more, NULL, NULL, NULL);
                atomic(cell, UPC_CSWAP, target, &seen, &more, &after);
                if (memcmp(&after, &seen, upcr_cell_bytes(cell)) == 0)
                    break;
                seen = after;
            }
            break;
        }
    }
    meet();
    get(&now, target, upcr_cell_bytes(cell));
    union value total = value_of(cell, (long)each * ALL);
    CHECK(memcmp(&now, &total, upcr_cell_bytes(cell)) == 0);
    meet();
}

/* Bit t is thread t's alone: what all do to a word leaves each bit as its thread has left it. */
static void contend_for_bits(enum upcr_cell cell, upcr_pts_t target, int each)
{
    union value zero = value_of(cell, 0), mask = value_of(cell, 1L << ME), rest = value_of(cell, ~(1L << ME)), seen;
    if (ME == 0)
        atomic(cell, UPC_SET, target, &zero, NULL, NULL);
    meet();
    for (int i = 0; i < each; i++) {
        atomic(cell, UPC_OR, target, &mask, NULL, &seen);
        CHECK((seen.u32 & mask.u32) == 0);
        atomic(cell, UPC_XOR, target, &mask, NULL, &seen);
        CHECK((seen.u32 & mask.u32) != 0);
        atomic(cell, UPC_XOR, target, &mask, NULL, NULL);
        atomic(cell, UPC_AND, target, &rest, NULL, &seen);
        CHECK((seen.u32 & mask.u32) != 0);
    }
    meet();
    get(&seen, target, upcr_cell_bytes(cell));
    CHECK(memcmp(&seen, &zero, upcr_cell_bytes(cell)) == 0);
    meet();
}

/* Each value that was ever set is fetched by exactly one, or is left. */
static void swap_chain(upcr_pts_t target, uint64_t sums, int each)
{
    uint64_t fetched, sum = 0, zero = 0, total = 0, all = 0, left;
    if (ME == 0)
        atomic(UPCR_CELL_U64, UPC_SET, target, &zero, NULL, NULL);
    meet();
    for (int i = 0; i < each; i++) {
        uint64_t value = (uint64_t)ME * 1000003 + (uint64_t)i + 1;
        total += value;
        atomic(UPCR_CELL_U64, UPC_SET, target, &value, NULL, &fetched);
        sum += fetched;
    }
    long pair[2] = {(long)sum, (long)total};
    memcpy(mine(sums), pair, sizeof pair);
    meet();
    get(&left, target, sizeof left);
    for (int t = 0; t < ALL; t++) {
        get(pair, at(t, sums), sizeof pair);
        left += (uint64_t)pair[0];
        all += (uint64_t)pair[1];
    }
    CHECK(left == all);
    meet();
}

/* The largest and the smallest of what all bring. */
static void extremes(enum upcr_cell cell, upcr_pts_t target, int each)
{
    union value zero = value_of(cell, 1000), now, most = value_of(cell, 1000 + ALL * each), least = value_of(cell, 7);
    for (int op = UPC_MIN; op <= UPC_MAX; op += UPC_MAX - UPC_MIN) {
        if (ME == 0)
            atomic(cell, UPC_SET, target, &zero, NULL, NULL);
        meet();
        for (int i = 1; i <= each; i++) {
            union value value = value_of(cell, op == UPC_MAX ? 1000 + ME * each + i : 7 + (each - i) * ALL + ME);
            atomic(cell, op, target, &value, NULL, NULL);
        }
        meet();
        get(&now, target, upcr_cell_bytes(cell));
        CHECK(memcmp(&now, op == UPC_MAX ? &most : &least, upcr_cell_bytes(cell)) == 0);
        meet();
    }
}

void case_atomic_contention(void)
{
    uint64_t offset = everywhere((size_t)CELLS * (size_t)ALL * 64), sums = everywhere(64);
    int each = repeat(200);
    for (size_t kind = 0; kind < CELLS; kind++) {
        enum upcr_cell cell = cells[kind];
        upcr_pts_t target = at((int)kind % ALL, place(offset, kind, 0));
        int operations = upcr_cell_operations(cell);
        if ((operations & UPC_ADD) != 0)
            contend(cell, target, each);
        if ((operations & UPC_XOR) != 0)
            contend_for_bits(cell, target, each / 2);
        if ((operations & UPC_MAX) != 0)
            extremes(cell, target, each / 4 + 1);
    }
    swap_chain(at(ALL - 1, place(offset, 3, 0)), sums, each);
    forget(sums);
    forget(offset);
}

/* Of those that have a place mapped one at a time is between guard and unguard. */
void case_guards(void)
{
    uint64_t offset = everywhere(4096);
    int home = 0, inside = 0;
    while (is_remote(home))
        home++;
    for (int t = 0; t < ALL; t++)
        inside += !is_remote(t);
    struct twins {
        long a, b;
    } *twins = upcr_addr(at(home, offset));
    for (int i = 0; i < repeat(2000); i++) {
        upcr_tp_guard(twins);
        CHECK(*(volatile long *)&twins->a == *(volatile long *)&twins->b);
        *(volatile long *)&twins->a += 1;
        *(volatile long *)&twins->b += 1;
        upcr_tp_unguard(twins);
    }
    meet();
    CHECK(twins->a == (long)inside * repeat(2000) && twins->b == twins->a);
    forget(offset);
}
