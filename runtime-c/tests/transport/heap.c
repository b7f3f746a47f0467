/* The shared heap: blocks of one thread and of all, against a model. */
#include "conformance.h"

#include <sys/resource.h>

enum { BLOCKS = 40, LINE = 64 };

struct block {
    uint64_t offset, bytes, stamp;
    int symmetric, home;
};

static size_t any_size(uint64_t *state)
{
    static const size_t mosts[] = {16, 64, 200, 1500, 8193, 100000};
    return 1 + test_random(state) % mosts[test_random(state) % (sizeof mosts / sizeof *mosts)];
}

/* The ends of a block, and something in between, carry its stamp in every segment that it is in. */
static void mark(const struct block *block, bool check)
{
    for (int t = 0; t < ALL; t++) {
        if (!block->symmetric && t != block->home)
            continue;
        for (int part = 0; part < 3; part++) {
            uint64_t n = block->bytes < 8 ? block->bytes : 8, place = part == 0 ? 0 : part == 1 ? (block->bytes - n) / 2 : block->bytes - n;
            unsigned char stamp[8], seen[8];
            scribble(stamp, 8, block->stamp);
            if (block->bytes < 24 && part != 0)
                continue;
            if (!check)
                put(at(t, block->offset + place), stamp, n);
            get(seen, at(t, block->offset + place), n);
            CHECK(memcmp(seen, stamp, n) == 0);
        }
    }
}

static struct block any_block(uint64_t *state)
{
    struct upcr_heap_usage usage = {0, 0};
    struct block block = {0, any_size(state), test_random(state), test_random(state) % 4 == 0, ME};
    block.offset = block.symmetric ? upcr_tp_alloc_symmetric(block.bytes, &usage) : upcr_tp_alloc_local(block.bytes, &usage);
    CHECK(block.offset != 0 && block.offset % (block.symmetric ? LINE : 16) == 0);
    CHECK(block.bytes < 4096 || block.offset % LINE == 0);
    if (block.symmetric)
        block.home = 0;
    CHECK(block.bytes <= upcr_tp_segment_bytes() - block.offset);
    mark(&block, false);
    return block;
}

static void release(const struct block *block)
{
    mark(block, true);
    CHECK(upcr_tp_free(block->home, block->offset));
}

/* Random blocks come and go; each thread frees what its neighbour has allocated, too. */
void case_heap_model(void)
{
    static struct block blocks[BLOCKS], given[BLOCKS];
    uint64_t box = everywhere(sizeof given), state = (uint64_t)ME + 31;
    for (int round = 0; round < repeat(5); round++) {
        for (int i = 0; i < BLOCKS; i++)
            blocks[i] = any_block(&state);
        for (int i = 0; i < repeat(120); i++) {
            size_t which = test_random(&state) % BLOCKS;
            release(&blocks[which]);
            blocks[which] = any_block(&state);
        }
        /* Freed only once, and only where it begins. */
        struct block block = any_block(&state);
        CHECK(!upcr_tp_free(block.home, block.offset + 16));
        release(&block);
        memcpy(mine(box), blocks, sizeof blocks);
        meet();
        get(given, at(NEXT, box), sizeof given);
        for (int i = 0; i < BLOCKS; i++)
            release(&given[i]);
        meet();
    }
    forget(box);
}

/* One offset in all segments, whoever asks; all threads at once, all of them different. */
void case_heap_symmetric(void)
{
    enum { EACH = 20 };
    uint64_t box = everywhere(EACH * sizeof(uint64_t)), offsets[EACH];
    struct upcr_heap_usage usage;
    for (int i = 0; i < EACH; i++) {
        offsets[i] = upcr_tp_alloc_symmetric((size_t)(100 + i * 50), &usage);
        CHECK(offsets[i] != 0);
        for (int t = 0; t < ALL; t++) {
            put_long(t, offsets[i], (long)offsets[i] + ME);
            put_long(t, offsets[i] + 92, ME);
        }
    }
    memcpy(mine(box), offsets, sizeof offsets);
    meet();
    for (int other = 0; other < ALL; other++) {
        get(offsets, at(other, box), sizeof offsets);
        for (int i = 0; i < EACH; i++)
            CHECK(look(offsets[i]) == (long)offsets[i] + other && get_long(NEXT, offsets[i] + 92) == other);
    }
    meet();
    get(offsets, at(NEXT, box), sizeof offsets);
    for (int i = 0; i < EACH; i++)
        CHECK(upcr_tp_free(0, offsets[i]));
    forget(box);
}

/* What one kind of block does not use the other can have, in turn; too much is refused, and said how much there is. */
void case_heap_borders(void)
{
    struct upcr_heap_usage usage = {0, 0};
    CHECK(upcr_tp_alloc_local((size_t)1 << 40, &usage) == 0 && usage.size != 0 && usage.in_use <= usage.size);
    uint64_t size = usage.size, most = size / 4 * 3;
    CHECK(upcr_tp_alloc_symmetric((size_t)1 << 40, &usage) == 0 && usage.size == size && usage.in_use <= usage.size);
    meet();
    for (int round = 0; round < 4; round++) {
        /* A large block of each thread, then none for all, then the other way round. */
        uint64_t local = upcr_tp_alloc_local(most, &usage), small;
        CHECK(local != 0 && local % LINE == 0);
        *(char *)mine(local) = *(char *)mine(local + most - 1) = 1;
        meet();
        CHECK(upcr_tp_alloc_symmetric(most, &usage) == 0 && usage.in_use >= most && usage.in_use <= usage.size);
        small = upcr_tp_alloc_symmetric(1000, &usage);
        CHECK(small != 0);
        meet();
        CHECK(*(char *)mine(local) == 1 && *(char *)mine(local + most - 1) == 1);
        CHECK(upcr_tp_free(ME, local) && upcr_tp_free(0, small));
        meet();
        if (ME == round % ALL) {
            uint64_t symmetric = upcr_tp_alloc_symmetric(most, &usage);
            CHECK(symmetric != 0);
            put_long(NEXT, symmetric, 1);
            put_long(NEXT, symmetric + most - 8, 2);
            CHECK(upcr_tp_alloc_local(most, &usage) == 0 && upcr_tp_alloc_symmetric(most, &usage) == 0);
            CHECK(get_long(NEXT, symmetric) == 1 && get_long(NEXT, symmetric + most - 8) == 2);
            CHECK(upcr_tp_free(0, symmetric) && !upcr_tp_free(0, symmetric));
        }
        meet();
    }
}

/* What the system allows counts as it is when the question is asked. */
void case_memory_limit(void)
{
    struct rlimit before, less;
    uint64_t without = upcr_tp_memory_limit();
    CHECK(getrlimit(RLIMIT_FSIZE, &before) == 0);
    less = before;
    less.rlim_cur = (rlim_t)64 << 20;
    CHECK(setrlimit(RLIMIT_FSIZE, &less) == 0);
    uint64_t with = upcr_tp_memory_limit();
    CHECK(setrlimit(RLIMIT_FSIZE, &before) == 0);
    CHECK(with > 0 && with < less.rlim_cur && with <= without);
    CHECK(upcr_tp_memory_limit() >= with);
}
