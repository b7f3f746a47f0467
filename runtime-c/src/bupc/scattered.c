/* Copies of places that do not lie together: lists of blocks, lists of equal blocks, strides (<bupc_extensions.h>). All are one
   thing: two sequences of bytes of the same length, each cut into blocks in its own way, that are walked side by side. */
#include "runtime.h"

struct upcr_transfer;

void upc_memcpy(upcr_pts_t dst, upcr_pts_t src, size_t n);
void upc_memget(void *dst, upcr_pts_t src, size_t n);
void upc_memput(upcr_pts_t dst, const void *src, size_t n);

/* A place that is shared or private. */
struct place {
    upcr_pts_t shared;
    char *private;
    bool is_shared;
};

struct private_block {
    void *addr;
    size_t len;
};
struct shared_block {
    upcr_pts_t addr;
    size_t len;
};

/* A sequence of `count` blocks. block(sequence, i) gives the i-th: where, and how many bytes. */
struct sequence {
    size_t count;
    size_t (*block)(const struct sequence *sequence, size_t i, struct place *place);
    const void *list; /* of blocks or addresses */
    size_t bytes;     /* of each block, where all are equal */
    struct place start;
    const size_t *strides, *counts; /* of strided places */
    size_t levels;
};

static struct place shared_place(upcr_pts_t p)
{
    return (struct place){.shared = p, .is_shared = true};
}

static struct place private_place(const void *p)
{
    return (struct place){.private = (char *)(uintptr_t)p, .is_shared = false};
}

static struct place moved(struct place place, size_t bytes)
{
    if (place.is_shared)
        place.shared = upcr_add0(upcr_resetphase(place.shared), (ptrdiff_t)bytes);
    else
        place.private += bytes;
    return place;
}

static size_t private_list(const struct sequence *s, size_t i, struct place *place)
{
    const struct private_block *block = (const struct private_block *)s->list + i;
    *place = private_place(block->addr);
    return block->len;
}

static size_t shared_list(const struct sequence *s, size_t i, struct place *place)
{
    const struct shared_block *block = (const struct shared_block *)s->list + i;
    *place = shared_place(block->addr);
    return block->len;
}

static size_t private_addresses(const struct sequence *s, size_t i, struct place *place)
{
    *place = private_place(((void *const *)s->list)[i]);
    return s->bytes;
}

static size_t shared_addresses(const struct sequence *s, size_t i, struct place *place)
{
    *place = shared_place(((const upcr_pts_t *)s->list)[i]);
    return s->bytes;
}

/* strides[k]: from one block of level k to the next, counts[k + 1]: blocks on that level, counts[0]: bytes of the smallest. */
static size_t strided_blocks(const struct sequence *s, size_t i, struct place *place)
{
    size_t distance = 0;
    for (size_t level = 0; level < s->levels; level++) {
        distance += i % s->counts[level + 1] * s->strides[level];
        i /= s->counts[level + 1];
    }
    *place = moved(s->start, distance);
    return s->bytes;
}

static size_t evenly_spaced(const struct sequence *s, size_t i, struct place *place)
{
    *place = moved(s->start, i * s->strides[0]);
    return s->bytes;
}

static struct sequence list(size_t (*block)(const struct sequence *, size_t, struct place *), size_t count, const void *entries, size_t bytes)
{
    return (struct sequence){.count = count, .block = block, .list = entries, .bytes = bytes};
}

static struct sequence spaced(struct place start, size_t bytes, const size_t *stride, size_t count)
{
    return (struct sequence){.count = count, .block = evenly_spaced, .bytes = bytes, .start = start, .strides = stride};
}

static struct sequence strided(struct place start, const size_t *strides, const size_t *counts, size_t levels)
{
    size_t blocks = 1;
    for (size_t level = 0; level < levels; level++)
        blocks *= counts[level + 1];
    return (struct sequence){.count = blocks,
                             .block = strided_blocks,
                             .bytes = counts[0],
                             .start = start,
                             .strides = strides,
                             .counts = counts,
                             .levels = levels};
}

static void copy_piece(struct place dst, struct place src, size_t n)
{
    if (dst.is_shared && src.is_shared)
        upc_memcpy(dst.shared, src.shared, n);
    else if (dst.is_shared)
        upc_memput(dst.shared, src.private, n);
    else
        upc_memget(dst.private, src.shared, n);
}

static size_t bytes_of(const struct sequence *sequence)
{
    size_t bytes = 0;
    struct place place;
    for (size_t i = 0; i < sequence->count; i++)
        bytes += sequence->block(sequence, i, &place);
    return bytes;
}

/* A position in a sequence: what is left of the block it is in. */
struct cursor {
    const struct sequence *sequence;
    size_t next;
    struct place at;
    size_t left;
};

static bool advance(struct cursor *cursor, size_t n)
{
    if (n != 0) {
        cursor->at = moved(cursor->at, n);
        cursor->left -= n;
    }
    while (cursor->left == 0 && cursor->next < cursor->sequence->count)
        cursor->left = cursor->sequence->block(cursor->sequence, cursor->next++, &cursor->at);
    return cursor->left != 0;
}

static void copy(struct sequence dst, struct sequence src, const char *function)
{
    struct cursor to = {.sequence = &dst}, from = {.sequence = &src};
    size_t there = bytes_of(&dst), here = bytes_of(&src), n = 0;
    if (there != here)
        upcr_die("%s: the source has %zu bytes, the destination %zu: they must be the same", function, here, there);
    while (advance(&to, n) && advance(&from, n)) {
        n = to.left < from.left ? to.left : from.left;
        copy_piece(to.at, from.at, n);
    }
}

/* The blocking function and the one with a handle, which is complete: copies between mapped segments are done by whoever starts them. */
#define TRANSFER(name, parameters, arguments, dst, src)                                                                                \
    void bupc_##name parameters;                                                                                                       \
    void bupc_##name parameters                                                                                                        \
    {                                                                                                                                  \
        copy(dst, src, "bupc_" #name);                                                                                                 \
    }                                                                                                                                  \
    struct upcr_transfer *bupc_##name##_async parameters;                                                                              \
    struct upcr_transfer *bupc_##name##_async parameters                                                                               \
    {                                                                                                                                  \
        bupc_##name arguments;                                                                                                         \
        return NULL;                                                                                                                   \
    }

#define LIST(name, D, S, d, s)                                                                                                         \
    TRANSFER(name##_vlist, (size_t nd, const struct D##_block *dst, size_t ns, const struct S##_block *src), (nd, dst, ns, src),       \
             list(D##_list, nd, dst, 0), list(S##_list, ns, src, 0))                                                                   \
    TRANSFER(name##_ilist, (size_t nd, d dst, size_t dlen, size_t ns, s src, size_t slen), (nd, dst, dlen, ns, src, slen),             \
             list(D##_addresses, nd, dst, dlen), list(S##_addresses, ns, src, slen))

LIST(memcpy, shared, shared, const upcr_pts_t *, const upcr_pts_t *)
LIST(memput, shared, private, const upcr_pts_t *, const void *const *)
LIST(memget, private, shared, void *const *, const upcr_pts_t *)

#define STRIDED(name, D, S, d, s)                                                                                                      \
    TRANSFER(name##_fstrided,                                                                                                          \
             (d dst, size_t dlen, size_t dstride, size_t dcount, s src, size_t slen, size_t sstride, size_t scount),                   \
             (dst, dlen, dstride, dcount, src, slen, sstride, scount), spaced(D##_place(dst), dlen, &dstride, dcount),                 \
             spaced(S##_place(src), slen, &sstride, scount))                                                                           \
    TRANSFER(name##_strided, (d dst, const size_t *dstrides, s src, const size_t *sstrides, const size_t *count, size_t levels),       \
             (dst, dstrides, src, sstrides, count, levels), strided(D##_place(dst), dstrides, count, levels),                          \
             strided(S##_place(src), sstrides, count, levels))

STRIDED(memcpy, shared, shared, upcr_pts_t, upcr_pts_t)
STRIDED(memput, shared, private, upcr_pts_t, const void *)
STRIDED(memget, private, shared, void *, upcr_pts_t)
