/* Reductions and prefix reductions of every type and operation, with every combination of flags, on arrays of many shapes, against a
   serial oracle. */
#include "blocked.h"

struct job {
    upc_op_t op;
    upc_flag_t flags;
    int round, prefix;
    shared void *src, *dst; /* dst: the result, or an array laid out like src */
    int block;
    size_t first; /* number of the first element in that array, which gives its thread and phase */
    size_t n;
};

enum { MOST = 35000 / LESS, WIDEST = sizeof(long double), ROOM = (MOST + 8 * 1000) * WIDEST };

static shared char *source, *destination;
static char *private_space;
static long calls;
shared long calls_of[THREADS];
static int wants_prefix;

static size_t random_count(void)
{
    switch (random_below(24)) {
    case 0:
    case 1:
        return MOST - random_below(100);
    case 2:
    case 3:
        return random_below(5000);
    case 4:
    case 5:
        return random_below(3);
    default:
        return random_below(200);
    }
}

static struct job next_job(upc_op_t op, int combination, size_t size)
{
    static int round;
    struct job j = {op, flags_of(combination), ++round, wants_prefix};
    int thread = random_below(THREADS);
    j.n = random_count();
    j.block = block_sizes[random_below(BLOCK_SIZE_COUNT)];
    if (j.block == 0) {
        j.src = source + thread;
        j.dst = destination + thread;
        j.first = random_below(4);
    } else {
        j.src = source;
        j.dst = destination;
        j.first = random_below(2 * j.block * (THREADS < 4 ? THREADS : 4));
    }
    if (!j.prefix)
        j.dst = destination + random_below(THREADS) + random_below(5) * size * THREADS;
    return j;
}

/* No call is made that is not needed: to reduce n elements takes n - 1. Prefixes made by several threads at once take up to twice as many, and each
   thread two for each level of the tree that brings their totals together. */
static void verify_calls(const struct job *j)
{
    long sum = 0, needed = j->n == 0 ? 0 : j->n - 1;
    int t, levels = 1;
    while (1 << levels < THREADS)
        levels++;
    for (t = 0; t < THREADS; t++)
        sum += calls_of[t];
    if (j->op != UPC_FUNC && j->op != UPC_NONCOMM_FUNC)
        CHECK(sum == 0);
    else if (!j->prefix || THREADS == 1)
        CHECK(sum == needed);
    else
        CHECK(sum >= needed && sum <= 2 * (needed + levels * THREADS));
}

#define T signed char
#define L C
#define FLOATING 0
#include "reduce_type.h"
#define T unsigned char
#define L UC
#define FLOATING 0
#include "reduce_type.h"
#define T short
#define L S
#define FLOATING 0
#include "reduce_type.h"
#define T unsigned short
#define L US
#define FLOATING 0
#include "reduce_type.h"
#define T int
#define L I
#define FLOATING 0
#include "reduce_type.h"
#define T unsigned
#define L UI
#define FLOATING 0
#include "reduce_type.h"
#define T long
#define L L
#define FLOATING 0
#include "reduce_type.h"
#define T unsigned long
#define L UL
#define FLOATING 0
#include "reduce_type.h"
#define T float
#define L F
#define FLOATING 1
#include "reduce_type.h"
#define T double
#define L D
#define FLOATING 1
#include "reduce_type.h"
#define T long double
#define L LD
#define FLOATING 1
#include "reduce_type.h"

static int test_reductions(int prefix)
{
    wants_prefix = prefix;
    source = upc_all_alloc(THREADS, ROOM);
    destination = upc_all_alloc(THREADS, ROOM);
    private_space = malloc(ROOM);
    CHECK(source && destination && private_space);
    test_C();
    test_UC();
    test_S();
    test_US();
    test_I();
    test_UI();
    test_L();
    test_UL();
    test_F();
    test_D();
    test_LD();
    return pass();
}
