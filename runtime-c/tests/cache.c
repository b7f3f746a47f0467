/* Memory that is not mapped, by way of the cache, against a model: each thread plays the same game, does its own moves for real, and works out
   those of the others. In a round every cell of the board has an owner, who alone reads and writes it, or nobody, and then all may
   read it: cells are small, so lines have many owners. Run with UPC_PSHM_WIDTH=1 and caches of every shape. */
#include "test.h"

#include <stdbool.h>

#include "upc_types.h"
#include "upcr/atomic_ops.h"

#define BOARD 40000
enum { ROUNDS = 24, MOVES = 400, LONGEST = 20000 };

extern upcr_pts_t upc_all_atomicdomain_alloc(int type, int operations, int hints);
extern void upc_atomic_relaxed(upcr_pts_t domain, void *fetch, int op, upcr_pts_t target, const void *operand1, const void *operand2);

UPCR_SHARED_DEFINE_LOCAL(board, BOARD, 64);
UPCR_SHARED_EXTERN(board);

static unsigned char *model; /* all threads' boards, one after the other */
static unsigned char buffer[LONGEST];
static upcr_pts_t domain, lock;

static upcr_pts_t place(int thread, size_t at)
{
    return upcr_field(upcr_at1(UPCR_STATIC(board), thread, BOARD), (ptrdiff_t)at);
}

static unsigned char *expected(int thread, size_t at)
{
    return model + (size_t)thread * BOARD + at;
}

static const size_t cells[] = {1, 2, 3, 8, 8, 24, 100, 1000, 7000, LONGEST};

/* A part of the board of one thread that lies in one cell. */
struct part {
    int thread;
    size_t at, n;
};

/* Some part of a cell of this owner, of no bytes if none is found soon; THREADS: of nobody. */
static struct part choose(uint64_t *state, int round, int owner)
{
    size_t cell = cells[(size_t)round % (sizeof cells / sizeof *cells)];
    for (int tries = 0; tries < 100; tries++) {
        int thread = (int)(test_random(state) % (unsigned)UPCR_THREADS);
        size_t at = test_random(state) % BOARD, in = at % cell, n;
        uint64_t mix = ((uint64_t)round * 1000 + (uint64_t)thread) * 100000 + at / cell;
        if ((int)(test_random(&mix) % (unsigned)(UPCR_THREADS + 1)) != owner)
            continue;
        n = 1 + test_random(state) % (cell - in);
        return (struct part){thread, at, n < BOARD - at ? n : BOARD - at};
    }
    return (struct part){0, 0, 0};
}

#define SOME(n)             \
    typedef struct {        \
        unsigned char b[n]; \
    } some##n
SOME(1);
SOME(3);
SOME(8);
SOME(24);
SOME(100);
SOME(3000);

struct bits {
    unsigned a : 3, b : 5, c : 8;
};

#define EACH_SIZE(DO) DO(1) DO(3) DO(8) DO(24) DO(100) DO(3000)

/* By an access where there is a type of that size, else by the library. */
static void read_part(struct part part, void *to, bool strict)
{
    upcr_pts_t p = place(part.thread, part.at);
    switch (part.n) {
#define READ(size)                                                                             \
    case size:                                                                                 \
        *(some##size *)to = strict ? UPCR_GET_STRICT(some##size, p) : UPCR_GET(some##size, p); \
        break;
        EACH_SIZE(READ)
    default:
        upc_memget(to, p, part.n);
    }
}

static void write_part(struct part part, const void *from, bool strict)
{
    upcr_pts_t p = place(part.thread, part.at);
    switch (part.n) {
#define WRITE(size)                                                    \
    case size:                                                         \
        if (strict)                                                    \
            UPCR_PUT_STRICT(some##size, p, *(const some##size *)from); \
        else                                                           \
            UPCR_PUT(some##size, p, *(const some##size *)from);        \
        break;
        EACH_SIZE(WRITE)
    default:
        upc_memput(p, from, part.n);
    }
}

static void check_part(struct part part, bool strict)
{
    read_part(part, buffer, strict);
    CHECK(memcmp(buffer, expected(part.thread, part.at), part.n) == 0);
}

/* Sizes that have a type come up often. */
static struct part favour(uint64_t *state, struct part part)
{
    static const size_t sizes[] = {1, 3, 8, 24, 100, 3000};
    size_t size = sizes[test_random(state) % 6];
    if (test_random(state) % 4 != 0 && part.n > size)
        part.n = size;
    return part;
}

/* ---- Moves: `mine` is true on the thread that does it, all others but keep their model up to date --------------------- */

typedef void move(uint64_t *state, int round, int player, bool mine);

static void move_read(uint64_t *state, int round, int player, bool mine)
{
    bool strict = test_random(state) % 16 == 0;
    int owner = test_random(state) % 2 == 0 ? player : UPCR_THREADS;
    struct part part = favour(state, choose(state, round, owner));
    if (mine)
        check_part(part, strict);
}

static void move_write(uint64_t *state, int round, int player, bool mine)
{
    bool strict = test_random(state) % 16 == 0;
    struct part part = favour(state, choose(state, round, player));
    for (size_t i = 0; i < part.n; i++)
        expected(part.thread, part.at)[i] = (unsigned char)test_random(state);
    if (mine)
        write_part(part, expected(part.thread, part.at), strict);
}

static void move_set(uint64_t *state, int round, int player, bool mine)
{
    int value = (int)(test_random(state) & 0xff);
    struct part part = choose(state, round, player);
    memset(expected(part.thread, part.at), value, part.n);
    if (mine)
        upc_memset(place(part.thread, part.at), value, part.n);
}

static void move_copy(uint64_t *state, int round, int player, bool mine)
{
    int owner = test_random(state) % 2 == 0 ? player : UPCR_THREADS;
    struct part from = choose(state, round, owner), to = choose(state, round, player);
    size_t n = from.n < to.n ? from.n : to.n;
    if (from.thread == to.thread && from.at < to.at + n && to.at < from.at + n)
        return;
    memcpy(expected(to.thread, to.at), expected(from.thread, from.at), n);
    if (mine)
        upc_memcpy(place(to.thread, to.at), place(from.thread, from.at), n);
}

static void move_atomic(uint64_t *state, int round, int player, bool mine)
{
    struct part part = choose(state, round, player);
    size_t at = (part.at + 7) & ~(size_t)7;
    uint64_t operand = test_random(state), before, found;
    if (at + 8 > part.at + part.n)
        return;
    memcpy(&before, expected(part.thread, at), 8);
    if (mine) {
        upc_atomic_relaxed(domain, &found, UPC_ADD, place(part.thread, at), &operand, NULL);
        CHECK(found == before);
    }
    before += operand;
    memcpy(expected(part.thread, at), &before, 8);
}

static void move_bits(uint64_t *state, int round, int player, bool mine)
{
    struct part part = choose(state, round, player);
    size_t at = (part.at + 3) & ~(size_t)3;
    unsigned value = (unsigned)test_random(state) & 0xff;
    struct bits bits;
    if (at + sizeof bits > part.at + part.n)
        return;
    memcpy(&bits, expected(part.thread, at), sizeof bits);
    if (mine) {
        CHECK(UPCR_GET_BITS(struct bits, b, place(part.thread, at)) == bits.b);
        UPCR_PUT_BITS(struct bits, c, place(part.thread, at), value);
        UPCR_PUT_BITS(struct bits, a, place(part.thread, at), value);
    }
    bits.c = value & 0xff;
    bits.a = value & 7;
    memcpy(expected(part.thread, at), &bits, sizeof bits);
}

static void move_scan(uint64_t *state, int round, int player, bool mine)
{
    struct part part = choose(state, round, player);
    (void)round;
    for (size_t i = 0; mine && i < part.n; i++)
        CHECK(UPCR_GET(unsigned char, place(part.thread, part.at + i)) == expected(part.thread, part.at)[i]);
}

static void move_synchronize(uint64_t *state, int round, int player, bool mine)
{
    uint64_t kind = test_random(state) % 8;
    (void)round, (void)player;
    if (!mine)
        return;
    if (kind == 0) {
        upc_lock(lock);
        upc_unlock(lock);
    } else if (kind == 1) {
        upcr_fence();
    }
}

static move *const moves[] = {move_read,  move_read, move_read, move_read,   move_write, move_write, move_write,
                              move_write, move_set,  move_copy, move_atomic, move_bits,  move_scan,  move_synchronize};

static void play(int round, int player, bool mine)
{
    uint64_t state = (uint64_t)round * 977 + (uint64_t)player * 31 + 1;
    for (int i = 0; i < MOVES; i++)
        moves[test_random(&state) % (sizeof moves / sizeof *moves)](&state, round, player, mine);
}

static void check_board(int round)
{
    for (int thread = 0; thread < UPCR_THREADS; thread++) {
        size_t step = cells[(size_t)(round + UPCR_MYTHREAD) % (sizeof cells / sizeof *cells)];
        for (size_t at = 0; at < BOARD; at += step)
            check_part((struct part){thread, at, step < BOARD - at ? step : BOARD - at}, false);
    }
}

enum { SPACE = 5000, LESS = 4400, TRIES = 200 };

static void fill(upcr_pts_t space, char value)
{
    for (int i = 0; i < LESS; i++)
        UPCR_PUT(char, upcr_field(space, i), value);
}

/* Its owner has the space that another thread frees, as soon as that is done; null: not soon. */
static upcr_pts_t have_again(upcr_pts_t space)
{
    for (int tries = 0; tries < TRIES; tries++) {
        upcr_pts_t again = upc_alloc(LESS); /* so that the space freed fits without a search */
        if (upcr_eq(again, space))
            return again;
        usleep(500);
    }
    return UPCR_NULL;
}

/* Space that is freed and had again by its owner must not be written by what the thread that freed it still remembered. */
static void check_free(void)
{
    int last = UPCR_THREADS - 1;
    upcr_pts_t space = UPCR_NULL, again = UPCR_NULL;
    if (last == 0)
        return;
    if (UPCR_MYTHREAD == last) {
        space = upc_alloc(SPACE);
        upc_alloc(SPACE); /* keeps it apart from free space */
        UPCR_PUT(upcr_pts_t, place(0, 0), space);
    }
    upcr_barrier(0, 0);
    if (UPCR_MYTHREAD == 0) {
        space = UPCR_GET(upcr_pts_t, place(0, 0));
        fill(space, 1);
        upc_free(space);
        usleep(2 * TRIES * 500);
    } else if (UPCR_MYTHREAD == last) {
        again = have_again(space);
        if (!upcr_is_null(again))
            fill(again, 2);
    }
    upcr_barrier(0, 0);
    for (int i = 0; i < LESS && !upcr_is_null(again); i++)
        CHECK(UPCR_GET(char, upcr_field(again, i)) == 2);
}

int main(void)
{
    model = calloc((size_t)UPCR_THREADS, BOARD);
    domain = upc_all_atomicdomain_alloc(UPC_UINT64, UPC_ADD, 0);
    lock = upc_all_lock_alloc();
    upcr_barrier(0, 0);
    for (int round = 0; round < ROUNDS; round++) {
        play(round, UPCR_MYTHREAD, true);
        if (round % 2 == 0) {
            upcr_barrier(0, 0);
        } else {
            upcr_notify(0, 0);
            upcr_wait(0, 0);
        }
        for (int player = 0; player < UPCR_THREADS; player++)
            if (player != UPCR_MYTHREAD)
                play(round, player, false);
        if (round % 4 == 3)
            check_board(round);
        upcr_barrier(0, 0);
    }
    check_free();
    return 0;
}
