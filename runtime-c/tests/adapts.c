/* What the cache prefetches and where it is bypassed, by counts: run with 2 threads, UPC_PSHM_WIDTH=1 and 1024 lines of 1024 bytes
   ("grows": lines as the cache chooses; "wide": 16 lines of 8192 bytes). Argument: what. */
#include "test.h"

#include "cache/lines.h"

#define AREA 4194304
enum { LINE = 1024, STREAMS = 200, LENGTH = 32, WRITES = 100000, STEP = 256, PASSES = 8, WIDE = 20000 };

UPCR_SHARED_DEFINE_LOCAL(area, AREA, 1024);
UPCR_SHARED_EXTERN(area);

static upcr_pts_t remote_place(size_t at)
{
    return upcr_field(upcr_at1(UPCR_STATIC(area), 1, AREA), (ptrdiff_t)at);
}

/* Reads streams of one length, anywhere. Soon the cache fetches each of them as its first line and two windows, and little beyond its end. */
static void check_streams(void)
{
    uint64_t state = 7, sum = 0, gets = 0, lines = 0;
    for (int stream = 0; stream < STREAMS; stream++) {
        size_t first = test_random(&state) % (AREA / LINE - LENGTH);
        if (stream == STREAMS / 2) {
            gets = upcr_cache.counts.gets;
            lines = upcr_cache.counts.lines_in;
        }
        for (size_t at = 0; at < LENGTH * LINE; at += 8)
            sum += UPCR_GET(uint64_t, remote_place(first * LINE + at));
        upcr_fence();
    }
    CHECK(sum == 0);
    gets = upcr_cache.counts.gets - gets;
    lines = upcr_cache.counts.lines_in - lines;
    /* The table's end cuts some windows in two. */
    CHECK(gets >= STREAMS / 2 * 2 && gets <= STREAMS / 2 * 4);
    CHECK(lines >= STREAMS / 2 * LENGTH && lines <= STREAMS / 2 * (LENGTH + 2));
}

static uint64_t skipped(void)
{
    uint64_t sum = 0;
    for (int i = 0; i < UPCR_CACHE_REGIONS; i++)
        sum += upcr_backoff_taken(&upcr_cache.writes[i].backoff);
    return sum;
}

/* Makes single writes anywhere, where a put is cheap. Most of them bypass the cache without a lookup, and none of these is lost because its line is
   in the cache. */
static void check_writes(void)
{
    uint64_t state = 7, value = 1;
    for (int i = 0; i < WRITES; i++) {
        UPCR_PUT(uint64_t, remote_place(test_random(&state) % (AREA / 8) * 8), value);
        if (i % (WRITES / 10) == 0)
            upcr_fence();
    }
    CHECK(skipped() > WRITES / 2);
    upcr_fence();
    for (size_t at = 0; at < AREA; at += AREA / 16) {
        value = UPCR_GET(uint64_t, remote_place(at));
        UPCR_PUT(uint64_t, remote_place(at), value + 5);
        CHECK(UPCR_GET(uint64_t, remote_place(at)) == value + 5);
        UPCR_PUT(uint64_t, remote_place(at), at);
    }
    upcr_fence();
    for (size_t at = 0; at < AREA; at += AREA / 16)
        CHECK(UPCR_GET(uint64_t, remote_place(at)) == at);
}

/* Makes writes in pairs and in rows. None of them bypasses the cache, which joins them. */
static void check_joined(void)
{
    uint64_t state = 7, value = 1;
    for (int i = 0; i < WRITES; i++) {
        size_t word = i < WRITES / 2 ? test_random(&state) % (AREA / 16) * 2 : (size_t)i % (AREA / 8);
        UPCR_PUT(uint64_t, remote_place(word * 8), value);
        if (i < WRITES / 2)
            UPCR_PUT(uint64_t, remote_place(word * 8 + 8), value);
    }
    CHECK(skipped() == 0);
}

/* Reads a word of each line of the area, PASSES times, and writes every fifth. */
static void walk_area(bool fences)
{
    static uint64_t expected[AREA / STEP];
    for (int pass = 0; pass < PASSES; pass++) {
        for (size_t i = 0; i < AREA / STEP; i++) {
            uint64_t value = UPCR_GET(uint64_t, remote_place(i * STEP));
            CHECK(value == expected[i]);
            if ((i + (size_t)pass) % 5 == 0)
                UPCR_PUT(uint64_t, remote_place(i * STEP), ++expected[i]);
        }
        if (fences)
            upcr_fence();
    }
}

static size_t cache_bytes(void)
{
    return (size_t)upcr_cache.lines * upcr_cache.line_bytes;
}

/* A cache grows for bytes that are read again before a fence. It does not grow where a fence comes between, because no cache would keep them. */
static void check_grows(void)
{
    walk_area(true);
    CHECK(cache_bytes() == 1 << 20);
    walk_area(false);
    CHECK(cache_bytes() == AREA);
    uint64_t before = upcr_cache.counts.bytes_in;
    walk_area(false);
    CHECK(upcr_cache.counts.bytes_in - before < AREA / 8);
}

/* Returns how many messages each of WIDE accesses takes, which lie anywhere, but in two lines each. */
static double messages_of_wide(bool writes, uint64_t *state)
{
    unsigned char bytes[LINE / 2];
    size_t line_bytes = upcr_cache.line_bytes;
    uint64_t before = upcr_cache.counts.gets + upcr_cache.counts.puts;
    for (int i = 0; i < WIDE; i++) {
        size_t line = test_random(state) % (AREA / line_bytes - 1);
        upcr_pts_t place = remote_place((line + 1) * line_bytes - LINE / 4);
        if (writes) {
            memset(bytes, (int)(line % 251), sizeof bytes);
            upcr_remote_put(place, bytes, sizeof bytes);
        } else {
            upcr_remote_get_strip(bytes, place, sizeof bytes);
            CHECK(bytes[0] == line % 251 && memcmp(bytes, bytes + 1, sizeof bytes - 1) == 0);
        }
    }
    return (double)(upcr_cache.counts.gets + upcr_cache.counts.puts - before) / WIDE;
}

/* Accesses that lie in two lines and bypass the cache are one message. */
static void check_wide(void)
{
    uint64_t state = 7;
    (void)messages_of_wide(true, &state);
    CHECK(messages_of_wide(true, &state) < 1.1);
    upcr_fence();
    (void)messages_of_wide(false, &state);
    CHECK(messages_of_wide(false, &state) < 1.1);
}

/* Updates a word of each of the first lines, in turn. */
static void update_lines(int times)
{
    enum { FEW = 16 };
    uint64_t one = 1;
    for (int i = 0; i < times; i++)
        upcr_remote_update(remote_place((size_t)i % FEW * LINE), UPCR_UPDATE_ADD, &one, sizeof one);
}

/* Updates fetch lines only after as many as pay for that. A sent one is said to take a microsecond, and a fetch a second, then next to nothing. */
static void check_updates(void)
{
    upcr_cache.served = 1000;
    upcr_cache.cost[UPCR_COST_FILL].cost_estimate = 1000000000;
    update_lines(WRITES);
    CHECK(upcr_cache.counts.lines_in == 0);
    upcr_cache.cost[UPCR_COST_FILL].cost_estimate = 1;
    update_lines(4 * WRITES);
    CHECK(upcr_cache.counts.lines_in != 0);
    upcr_fence();
    CHECK(UPCR_GET(uint64_t, remote_place(0)) == 5 * WRITES / 16);
}

int main(int argc, char **argv)
{
    upcr_barrier(0, 0);
    if (UPCR_MYTHREAD == 0) {
        CHECK(upcr_cache_is_on && argc == 2);
        if (strcmp(argv[1], "streams") == 0)
            check_streams();
        else if (strcmp(argv[1], "joined") == 0)
            check_joined();
        else if (strcmp(argv[1], "grows") == 0)
            check_grows();
        else if (strcmp(argv[1], "wide") == 0)
            check_wide();
        else if (strcmp(argv[1], "updates") == 0)
            check_updates();
        else
            check_writes();
    }
    upcr_barrier(0, 0);
    return 0;
}
