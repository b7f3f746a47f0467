/* The shared heap: random allocations of all kinds, freed by any thread, whose contents must stay; alignment, exhaustion,
   and that everything comes back. */
#include "test.h"

enum { SLOTS = 64 };

/* Over messages, on a machine that others use as well, each round waits for time slices of theirs. */
#ifdef TEST_MESSAGES
enum { ROUNDS = 400 };
#else
enum { ROUNDS = 4000 };
#endif

/* What a thread has allocated; other threads take from it. Kept in shared memory under a lock. */
struct slot {
    upcr_pts_t place;
    size_t bytes; /* per thread */
    int symmetric;
};

UPCR_SHARED_DEFINE_LOCAL(slots, 4096, 64);
UPCR_SHARED_EXTERN(slots);

static upcr_pts_t slot_place(int i)
{
    return upcr_field(UPCR_STATIC(slots), (size_t)i * sizeof(struct slot));
}

static unsigned char stamp(upcr_pts_t p)
{
    return (unsigned char)(upcr_addrfield(p) / 16 * 7 + upcr_threadof(p));
}

static upcr_pts_t portion(const struct slot *slot, int thread)
{
    return slot->symmetric ? upcr_add1(slot->place, thread, 0) : slot->place;
}

static void fill(const struct slot *slot)
{
    for (int t = 0; t < (slot->symmetric ? UPCR_THREADS : 1); t++)
        upc_memset(portion(slot, t), stamp(slot->place), slot->bytes);
}

static void verify(const struct slot *slot)
{
    static unsigned char at[1 << 16];
    for (int t = 0; t < (slot->symmetric ? UPCR_THREADS : 1); t++) {
        upc_memget(at, portion(slot, t), slot->bytes);
        for (size_t i = 0; i < slot->bytes; i++)
            CHECK(at[i] == stamp(slot->place));
    }
}

static size_t random_size(uint64_t *state)
{
    size_t magnitude = test_random(state) % 16;
    return 1 + test_random(state) % ((size_t)1 << magnitude);
}

static struct slot allocate(uint64_t *state)
{
    struct slot slot = {UPCR_NULL, random_size(state), (int)(test_random(state) % 4 == 0)};
    slot.place = slot.symmetric ? upc_global_alloc((size_t)UPCR_THREADS, slot.bytes) : upc_alloc(slot.bytes);
    CHECK(!upcr_is_null(slot.place) && upcr_phaseof(slot.place) == 0);
    CHECK(upcr_addrfield(slot.place) % (slot.symmetric || slot.bytes >= 1024 ? 64 : 16) == 0);
    CHECK(upcr_threadof(slot.place) == (slot.symmetric ? 0 : (size_t)UPCR_MYTHREAD));
    fill(&slot);
    return slot;
}

/* Swaps what this thread allocated against what another left, and frees that. */
static void churn(upcr_pts_t lock)
{
    uint64_t state = (uint64_t)UPCR_MYTHREAD + 17;
    for (int round = 0; round < ROUNDS; round++) {
        struct slot mine = allocate(&state), other;
        int i = (int)(test_random(&state) % SLOTS);
        upc_lock(lock);
        other = UPCR_GET(struct slot, slot_place(i));
        UPCR_PUT(struct slot, slot_place(i), mine);
        upc_unlock(lock);
        if (!upcr_is_null(other.place)) {
            verify(&other);
            upc_free(other.place);
        }
    }
}

static void clean_up(void)
{
    upcr_barrier(0, 0);
    for (int i = UPCR_MYTHREAD; i < SLOTS; i += UPCR_THREADS) {
        struct slot slot = UPCR_GET(struct slot, slot_place(i));
        if (!upcr_is_null(slot.place)) {
            verify(&slot);
            upc_free(slot.place);
        }
    }
    upcr_barrier(0, 0);
}

static void check_collective(void)
{
    upcr_pts_t p = upc_all_alloc((size_t)UPCR_THREADS * 3, 40);
    upcr_pts_t q = upc_all_alloc(1, 1);
    CHECK(upcr_is_null(upc_all_alloc(0, 40)) && upcr_is_null(upc_global_alloc(40, 0)) && upcr_is_null(upc_alloc(0)));
    CHECK(!upcr_eq(p, q) && upcr_threadof(p) == 0);
    for (int block = 0; block < 3; block++)
        upc_memset(upcr_atb(p, (block * UPCR_THREADS + UPCR_MYTHREAD) * 40, 1, 40), UPCR_MYTHREAD + block, 40);
    upcr_barrier(0, 0);
    for (int i = 0; i < UPCR_THREADS * 3 * 40; i++)
        CHECK(UPCR_GET(char, upcr_atb(p, i, 1, 40)) == (char)(i / 40 % UPCR_THREADS + i / 40 / UPCR_THREADS));
    upc_all_free(p);
    if (UPCR_MYTHREAD == UPCR_THREADS - 1)
        upc_free(q);
    upc_all_free(UPCR_NULL);
}

/* With everything freed the whole heap must be there for one block, again and again, whichever arena asks. */
static void check_all_comes_back(size_t heap)
{
    for (int i = 0; i < 3; i++) {
        upcr_barrier(0, 0);
        if (UPCR_MYTHREAD == 0) {
            upcr_pts_t p = upc_alloc(heap - 4096);
            CHECK(!upcr_is_null(p) && upcr_is_null(upc_alloc(heap / 2)));
            upc_free(p);
            p = upc_global_alloc((size_t)UPCR_THREADS, heap - 4096);
            CHECK(!upcr_is_null(p));
            upc_free(p);
        }
    }
}

int main(int argc, char **argv)
{
    size_t heap = argc > 1 ? (size_t)atol(argv[1]) << 20 : 0;
    upcr_pts_t lock = upc_all_lock_alloc();
    churn(lock);
    clean_up();
    check_collective();
    upc_all_lock_free(lock);
    check_all_comes_back(heap);
    return 0;
}
