/* Copies of places that are not contiguous: lists of blocks, lists of equal blocks, strides (<bupc_extensions.h>). Each is a walk along
   two sequences of bytes of the same length, each of which is divided into blocks in its own way. */
#include "runtime.h"

#include <stdlib.h>

#include "checks/checks.h"
#include "races/races.h"
#include "nb.h"
#include "iov.h"

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

/* A sequence of `count` blocks. block(sequence, i) returns the i-th: its place and its bytes. */
struct sequence {
    size_t count;
    size_t (*block)(const struct sequence *sequence, size_t i, struct place *place);
    const void *list; /* of blocks or addresses */
    size_t bytes;     /* bytes of each block, if all are equal */
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
    return (struct sequence){
        .count = blocks, .block = strided_blocks, .bytes = counts[0], .start = start, .strides = strides, .counts = counts, .levels = levels};
}

static size_t bytes_of(const struct sequence *sequence)
{
    size_t bytes = 0;
    struct place place;
    for (size_t i = 0; i < sequence->count; i++)
        bytes += sequence->block(sequence, i, &place);
    return bytes;
}

/* A position in a sequence: the rest of its block. */
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

/* ---- The copies ----------------------------------------------------------------------------------------------------- */

enum { STAGE = 1 << 16 };

/* The iovecs of one call, by kind of transfer. */
struct copying {
    struct upcr_iov_list gets, puts;
    /* Between two places that are not mapped: bytes are read to private memory, and written from there when that is full, and at the end. */
    struct upcr_batch staged;
    struct upcr_iov_list in, out;
    char *stage;
    size_t used;
};

static void unload(struct copying *c)
{
    upcr_iov_start(&c->in);
    upcr_finish(&c->staged);
    upcr_iov_start(&c->out);
    upcr_finish(&c->staged);
    c->used = 0;
}

static void copy_by_stage(struct copying *c, upcr_pts_t dst, upcr_pts_t src, size_t n)
{
    if (n > STAGE / 4) {
        upcr_copy(dst, src, n);
        return;
    }
    if (c->stage == NULL && (c->stage = malloc(STAGE)) == NULL)
        upcr_die("out of private memory for a transfer");
    if (c->used + n > STAGE)
        unload(c);
    upcr_iov_add(&c->in, src, c->stage + c->used, n);
    upcr_iov_add(&c->out, dst, c->stage + c->used, n);
    c->used += n;
}

static void copy_part(struct copying *c, struct place dst, struct place src, size_t n)
{
    if (!dst.is_shared)
        upcr_iov_add(&c->gets, src.shared, dst.private, n);
    else if (!src.is_shared)
        upcr_iov_add(&c->puts, dst.shared, src.private, n);
    else if (upcr_mapped(upcr_threadof(dst.shared)))
        upcr_iov_add(&c->gets, src.shared, upcr_addr(dst.shared), n);
    else if (upcr_mapped(upcr_threadof(src.shared)))
        upcr_iov_add(&c->puts, dst.shared, upcr_addr(src.shared), n);
    else
        copy_by_stage(c, dst.shared, src.shared, n);
}

/* The name of a function, alone and with a verb. */
struct names {
    const char *function, *reads, *writes;
};

static void check_iov(struct place dst, struct place src, size_t n, const struct names *names)
{
    if (!upcr_is_checked())
        return;
    if (src.is_shared)
        upcr_checks.transfer(src.shared, n, names->reads);
    if (dst.is_shared)
        upcr_checks.transfer(dst.shared, n, names->writes);
}

/* Where races are detected: the accesses of a part. transfer: NULL, or what it belongs to. */
static void touch(struct upcr_transfer *transfer, struct place place, size_t n, enum upcr_touch how, const struct names *names)
{
    if (!upcr_is_racing() || !place.is_shared)
        return;
    if (transfer != NULL)
        upcr_transfer_touch(transfer, place.shared, n, how, names->function);
    else
        upcr_races.touch(place.shared, n, how, names->function, NULL);
}

/* All transfers have been started when it returns. transfer: what they belong to; NULL: the caller waits for them. */
static void copy(struct sequence dst, struct sequence src, const struct names *names, struct upcr_batch *batch, struct upcr_transfer *transfer)
{
    struct cursor to = {.sequence = &dst}, from = {.sequence = &src};
    size_t there = bytes_of(&dst), here = bytes_of(&src), n = 0;
    if (there != here)
        upcr_die("%s: the source has %zu bytes, the destination %zu: they must be the same", names->function, here, there);
    struct copying c = {.gets = {.batch = batch}, .puts = {.put = true, .batch = batch}};
    c.in = (struct upcr_iov_list){.batch = &c.staged};
    c.out = (struct upcr_iov_list){.put = true, .batch = &c.staged};
    while (advance(&to, n) && advance(&from, n)) {
        n = to.left < from.left ? to.left : from.left;
        check_iov(to.at, from.at, n, names);
        touch(transfer, from.at, n, UPCR_TOUCH_READ, names);
        touch(transfer, to.at, n, UPCR_TOUCH_WRITE, names);
        copy_part(&c, to.at, from.at, n);
    }
    upcr_iov_end(&c.gets);
    upcr_iov_end(&c.puts);
    unload(&c);
    upcr_iov_end(&c.in);
    upcr_iov_end(&c.out);
    free(c.stage);
}

static void copy_now(struct sequence dst, struct sequence src, const struct names *names)
{
    struct upcr_batch batch = {0};
    copy(dst, src, names, &batch, NULL);
    upcr_finish(&batch);
}

static struct upcr_transfer *copy_later(struct sequence dst, struct sequence src, const struct names *names, enum upcr_event_index event)
{
    struct upcr_transfer *transfer = upcr_transfer_begin(event, upcr_all_mapped());
    upcr_transfer_batch(transfer)->unordered = true;
    copy(dst, src, names, upcr_transfer_batch(transfer), transfer);
    return upcr_transfer_started(transfer);
}

/* ---- The functions -------------------------------------------------------------------------------------------------- */

#define EVENT_memcpy UPCR_EVENT_UPC_NB_PUT_DATA
#define EVENT_memput UPCR_EVENT_UPC_NB_PUT_DATA
#define EVENT_memget UPCR_EVENT_UPC_NB_GET_DATA

/* The blocking function and the one with a handle. */
#define TRANSFER(base, name, parameters, dst, src)                                                             \
    static const struct names names_##name = {"bupc_" #name, "bupc_" #name " reads", "bupc_" #name " writes"}; \
    void bupc_##name parameters;                                                                               \
    void bupc_##name parameters                                                                                \
    {                                                                                                          \
        copy_now(dst, src, &names_##name);                                                                     \
    }                                                                                                          \
    struct upcr_transfer *bupc_##name##_async parameters;                                                      \
    struct upcr_transfer *bupc_##name##_async parameters                                                       \
    {                                                                                                          \
        return copy_later(dst, src, &names_##name, EVENT_##base);                                              \
    }

#define LIST(name, D, S, d, s)                                                                                                                 \
    TRANSFER(name, name##_vlist, (size_t nd, const struct D##_block *dst, size_t ns, const struct S##_block *src), list(D##_list, nd, dst, 0), \
             list(S##_list, ns, src, 0))                                                                                                       \
    TRANSFER(name, name##_ilist, (size_t nd, d dst, size_t dlen, size_t ns, s src, size_t slen), list(D##_addresses, nd, dst, dlen),           \
             list(S##_addresses, ns, src, slen))

#pragma GCC visibility push(default)
LIST(memcpy, shared, shared, const upcr_pts_t *, const upcr_pts_t *)
LIST(memput, shared, private, const upcr_pts_t *, const void *const *)
LIST(memget, private, shared, void *const *, const upcr_pts_t *)
#pragma GCC visibility pop

#define STRIDED(name, D, S, d, s)                                                                                                           \
    TRANSFER(name, name##_fstrided, (d dst, size_t dlen, size_t dstride, size_t dcount, s src, size_t slen, size_t sstride, size_t scount), \
             spaced(D##_place(dst), dlen, &dstride, dcount), spaced(S##_place(src), slen, &sstride, scount))                                \
    TRANSFER(name, name##_strided, (d dst, const size_t *dstrides, s src, const size_t *sstrides, const size_t *count, size_t levels),      \
             strided(D##_place(dst), dstrides, count, levels), strided(S##_place(src), sstrides, count, levels))

#pragma GCC visibility push(default)
STRIDED(memcpy, shared, shared, upcr_pts_t, upcr_pts_t)
STRIDED(memput, shared, private, upcr_pts_t, const void *)
STRIDED(memget, private, shared, void *, upcr_pts_t)
#pragma GCC visibility pop
