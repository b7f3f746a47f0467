// question: does upc_all_sort sort arrays of every shape and size of element, as each combination of flags promises?
// counts: UPC_BARRIER=337*THREADS, UPC_ALL_ALLOC=THREADS, C_MALLOC=192, C_FREE=192, UPC_PUT=461722
#include "blocked.h"

struct job {
    upc_flag_t flags;
    int round, keys;
    shared void *src;
    int block;
    size_t first, n;
};

enum { MOST = 12000, ROOM = (MOST + 8 * 1000) * 40 };

static shared char *source;

/* Keys in many orders: random with few and with many ties, ascending, descending, all the same. */
static unsigned key_of(const struct job *j, size_t i)
{
    unsigned h = (unsigned)(i * 2654435761u + j->round * 40503u) >> 7;
    switch (j->keys) {
    case 0:
        return h % 65536;
    case 1:
        return h % 5;
    case 2:
        return (unsigned)i;
    case 3:
        return (unsigned)(j->n - i);
    default:
        return 7;
    }
}

static struct job next_job(int combination)
{
    static int round;
    struct job j = {flags_of(combination), ++round, random_below(5), source, block_sizes[random_below(BLOCK_SIZE_COUNT)]};
    j.n = random_below(3) == 0 ? random_below(MOST) : random_below(400);
    if (j.block == 0)
        j.src = source + random_below(THREADS);
    else
        j.first = random_below(2 * j.block * (THREADS < 4 ? THREADS : 4));
    return j;
}

struct six { unsigned char key[2], id[4]; };
struct forty { double weight; unsigned char key[2], id[4]; char more[26]; };
struct odd { unsigned char key[2], id[4], tail; };

#define T struct six
#define L six
#include "sort_type.h"
#define T struct odd
#define L odd
#include "sort_type.h"
#define T struct forty
#define L forty
#include "sort_type.h"

int main(void)
{
    source = upc_all_alloc(THREADS, ROOM);
    CHECK(source);
    test_six();
    test_odd();
    test_forty();
    return pass();
}
