/* Pointer-to-shared arithmetic against the formulas of the specification, computed here by brute force: the elements of a
   shared array are walked one by one, and every place reached by arithmetic must be the one the walk came to. */
#include "test.h"

enum { ELEMENTS = 700, BASE = 4096 };

struct place {
    size_t thread, phase, addr;
};

/* The walk: block by block, thread by thread, round by round. */
static void walk(struct place *places, size_t size, size_t block)
{
    size_t threads = (size_t)UPCR_THREADS;
    for (size_t i = 0; i < ELEMENTS; i++) {
        size_t number = i / block;
        places[i].phase = i % block;
        places[i].thread = number % threads;
        places[i].addr = BASE + (number / threads * block + places[i].phase) * size;
    }
}

static void check_place(upcr_pts_t p, const struct place *place)
{
    CHECK(upcr_threadof(p) == place->thread);
    CHECK(upcr_phaseof(p) == place->phase);
    CHECK(upcr_addrfield(p) == place->addr);
}

static upcr_pts_t make(const struct place *place)
{
    return upcr_make(place->thread, place->phase, place->addr);
}

UPCR_INLINE void check_pair(const struct place *from, const struct place *to, ptrdiff_t n, size_t size, size_t block)
{
    upcr_pts_t p = make(from), q = make(to);
    check_place(block == 1 ? upcr_add1(p, n, size) : upcr_addb(p, n, size, block), to);
    CHECK((block == 1 ? upcr_diff1(q, p, size) : upcr_diffb(q, p, size, block)) == n);
    CHECK(upcr_eq(p, q) == (n == 0));
}

/* One check of all pairs (from, to), written as a macro so that block and size can be constants, as in emitted code. */
#define CHECK_BLOCK(size, block)                                                                                                                  \
    do {                                                                                                                                          \
        static struct place places[ELEMENTS];                                                                                                     \
        walk(places, size, block);                                                                                                                \
        for (int from = 0; from < ELEMENTS; from += 1 + from / 7)                                                                                 \
            for (int to = 0; to < ELEMENTS; to++)                                                                                                 \
                check_pair(&places[from], &places[to], to - from, size, block);                                                                   \
        for (int i = 0; i < ELEMENTS; i++) {                                                                                                      \
            check_place((block) == 1 ? upcr_at1(make(places), i, size) : upcr_atb(make(places), i, size, block), &places[i]);                     \
            CHECK(upcr_eq(upcr_atb0(make(places), i, size, block), make(&places[i])));                                                            \
            CHECK(upcr_phaseof(upcr_atb0(make(places), i, size, block)) == 0);                                                                    \
        }                                                                                                                                         \
        for (int i = 0; i < ELEMENTS && i < (int)(block)*UPCR_THREADS; i++)                                                                       \
            CHECK(upcr_eq(upcr_at_block(make(places), i, size, block), make(&places[i])));                                                        \
        for (int i = 0; i + 1 < ELEMENTS; i++) {                                                                                                  \
            check_place((block) == 1 ? upcr_add1(make(&places[i]), 1, size) : upcr_addb(make(&places[i]), 1, size, block), &places[i + 1]);       \
            check_place((block) == 1 ? upcr_add1(make(&places[i + 1]), -1, size) : upcr_addb(make(&places[i + 1]), -1, size, block), &places[i]); \
        }                                                                                                                                         \
        for (int i = 0; (block) == 1 && i + UPCR_THREADS < ELEMENTS; i++)                                                                         \
            check_place(upcr_add1(make(&places[i]), UPCR_THREADS, size), &places[i + UPCR_THREADS]);                                              \
    } while (0)

static void check_constant_shapes(void)
{
    CHECK_BLOCK(1, 1);
    CHECK_BLOCK(4, 1);
    CHECK_BLOCK(12, 1);
    CHECK_BLOCK(8, 2);
    CHECK_BLOCK(4, 3);
    CHECK_BLOCK(24, 4);
    CHECK_BLOCK(4, 10);
    CHECK_BLOCK(8, 64);
    CHECK_BLOCK(1, 100);
    CHECK_BLOCK(4, 1000);
}

static void check_variable_shapes(void)
{
    static const size_t sizes[] = {1, 4, 7, 40};
    for (volatile size_t block = 1; block <= 17; block++)
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            size_t b = block, size = sizes[i];
            CHECK_BLOCK(size, b);
        }
}

/* Results near the ends of the fields, against 128-bit division. */
static void check_far(void)
{
    uint64_t state = 1;
    for (int i = 0; i < 200000; i++) {
        __int128 threads = UPCR_THREADS, block = 1 + (__int128)(test_random(&state) % 1000);
        __int128 thread = test_random(&state) % (uint64_t)UPCR_THREADS, phase = test_random(&state) % (uint64_t)block;
        __int128 addr = ((__int128)1 << 33), n = (int64_t)(test_random(&state) % 2000000000) - 1000000000;
        __int128 reached = phase + n, blocks = reached / block - (reached % block < 0);
        __int128 round = (thread + blocks) / threads - ((thread + blocks) % threads < 0);
        struct place from = {(size_t)thread, (size_t)phase, (size_t)addr};
        struct place to = {(size_t)(thread + blocks - round * threads), (size_t)(reached - blocks * block), 0};
        to.addr = (size_t)(addr + (round * block + (__int128)to.phase - phase) * 8);
        if (block == 1)
            check_place(upcr_add1(make(&from), (ptrdiff_t)n, 8), &to);
        else
            check_place(upcr_addb(make(&from), (ptrdiff_t)n, 8, (size_t)block), &to);
    }
}

static void check_indefinite(void)
{
    struct place place = {(size_t)UPCR_THREADS - 1, 0, BASE};
    upcr_pts_t p = make(&place);
    CHECK(upcr_addrfield(upcr_add0(p, 40)) == BASE + 40 && upcr_threadof(upcr_add0(p, 40)) == place.thread);
    CHECK(upcr_addrfield(upcr_add0(p, -40)) == BASE - 40 && upcr_threadof(upcr_add0(p, -40)) == place.thread);
    CHECK(upcr_diff0(upcr_add0(p, 40), p) == 40 && upcr_diff0(p, upcr_add0(p, 40)) == -40);
}

static void check_parts(void)
{
    static upcr_pts_t zero = UPCR_NULL;
    upcr_pts_t p = upcr_make((size_t)UPCR_THREADS - 1, 5, BASE);
    CHECK(upcr_is_null(zero) && !upcr_is_null(p) && upcr_local(zero) == NULL);
    CHECK(upcr_threadof(zero) == 0 && upcr_phaseof(zero) == 0 && upcr_addrfield(zero) == 0);
    CHECK(upcr_phaseof(upcr_resetphase(p)) == 0 && upcr_eq(upcr_resetphase(p), p));
    CHECK(upcr_phaseof(upcr_field(p, 8)) == 0 && upcr_addrfield(upcr_field(p, 8)) == BASE + 8);
    CHECK(upcr_threadof(upcr_field(p, 8)) == (size_t)UPCR_THREADS - 1);
    CHECK(upc_threadof(p) == upcr_threadof(p) && upc_phaseof(p) == 5 && upc_addrfield(p) == BASE);
    CHECK(upcr_eq(upc_resetphase(p), p) && upc_phaseof(upc_resetphase(p)) == 0);
    CHECK(upcr_addr(p) == upcr_addr0(upcr_resetphase(p)));
}

/* The helpers of upc_forall, for positive and negative numbers. */
static void check_forall(void)
{
    for (ptrdiff_t v = -300; v < 300; v++) {
        ptrdiff_t skip = 0;
        while ((v + skip - UPCR_MYTHREAD) % UPCR_THREADS != 0)
            skip++;
        CHECK(upcr_forall_skip(v) == skip);
        for (ptrdiff_t d = 1; d < 20; d++)
            CHECK(upcr_floor_div(v, (upcr_u64)d) == v / d - (v % d < 0));
    }
    CHECK(upcr_floor_div(-300, 8) == -38 && upcr_floor_div(300, 8) == 37 && upcr_floor_div(-301, 7) == -43);
}

/* upc_affinitysize against the walk over all bytes. */
static void check_affinitysize(void)
{
    for (size_t total = 0; total < 60; total++)
        for (size_t nbytes = 0; nbytes < 20; nbytes++)
            for (size_t t = 0; t < (size_t)UPCR_THREADS; t++) {
                size_t bytes = 0;
                for (size_t i = 0; i < total; i++)
                    bytes += (nbytes == 0 ? 0 : i / nbytes % (size_t)UPCR_THREADS) == t;
                CHECK(upc_affinitysize(total, nbytes, t) == bytes);
            }
}

int main(void)
{
    check_forall();
    if (UPCR_MYTHREAD == 0) {
        check_constant_shapes();
        check_variable_shapes();
        check_far();
        check_indefinite();
        check_parts();
        check_affinitysize();
    }
    return 0;
}
