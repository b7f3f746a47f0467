/* Checks of accesses: all bytes must be in one live object. */
#include "runtime.h"

#include <stdio.h>

#include "checks/extent.h"
#include "checks/report.h"
#include "objects.h"

/* What is known about the part of an object on a thread, valid until some block is freed. There is one line for each
   64 bytes of address, so a walk through an array looks up the object once per line, and a list of small blocks once
   per block. */
struct line {
    uint64_t low, high;
    uint32_t thread;
    uint32_t generation; /* + 1; 0: empty */
};

enum { LINES = 1024, LINE_BITS = 6, NEAR = 4096, WHERE_CAPACITY = UPCR_NAME_CAPACITY + 100 };

static struct line cache[LINES];
static uint64_t static_end;

void upcr_check_accesses_start(void)
{
    static_end = upcr_static_bytes();
}

static struct line *line_of(uint64_t thread, uint64_t offset)
{
    return &cache[((offset >> LINE_BITS) + thread * 67) % LINES];
}

/* Describes where `bytes` bytes at offset are in relation to the nearest object before them. */
static const char *describe(int thread, uint64_t offset, size_t bytes, char *text, size_t capacity)
{
    struct upcr_extent extent;
    char name[UPCR_NAME_CAPACITY];
    uint64_t first;
    const upcr_object *object = upcr_object_from(UPCR_STATIC_START, &first);
    if (offset < UPCR_STATIC_START && object != NULL) {
        snprintf(text, capacity, "%llu bytes before `%s`", (unsigned long long)(first - offset), object->name);
        return text;
    }
    if (!upcr_extent_before(thread, offset, &extent) || offset - extent.low > extent.high - extent.low + NEAR) {
        snprintf(text, capacity, "address 0x%llx, where there is no object, as with a null pointer-to-shared plus an index", (unsigned long long)offset);
        return text;
    }
    upcr_extent_name(&extent, name, sizeof name);
    const char *part = upcr_extent_is_dealt_out(&extent) ? "its part of " : "";
    if (extent.low == extent.high)
        snprintf(text, capacity, "where there is no part of %s", name);
    else if (offset < extent.high)
        snprintf(text, capacity, "%llu of them past the end of %s%s", (unsigned long long)(offset + bytes - extent.high), part, name);
    else if (offset == extent.high)
        snprintf(text, capacity, "at the end of %s%s", part, name);
    else
        snprintf(text, capacity, "%llu bytes past the end of %s%s", (unsigned long long)(offset - extent.high), part, name);
    return text;
}

/* Ends the job because `bytes` bytes at p are not all in one object; what: "reads 4 bytes". */
static void reject(upcr_pts_t p, size_t bytes, const char *what, const upcr_place *here) __attribute__((__noreturn__, __cold__));
static void reject(upcr_pts_t p, size_t bytes, const char *what, const upcr_place *here)
{
    size_t thread = upcr_threadof(p), above;
    uint64_t offset = upcr_addrfield(p), below = upcr_below_null(p, &above);
    char text[WHERE_CAPACITY];
    if (upcr_is_null(upcr_resetphase(p)))
        upcr_check_die(here, CHECK_NULL, what);
    if (below != 0)
        upcr_check_die(here, CHECK_NULL_BELOW, what, above, (size_t)below);
    if (thread >= (size_t)upcr_threads)
        upcr_check_die(here, CHECK_THREAD, what, thread, upcr_threads);
    if (upcr_is_mapped_null(offset))
        upcr_check_die(here, CHECK_NULL_INDEX, what, thread, (size_t)offset);
    const struct upcr_block *dead = upcr_block_freed(UPCR_SYMMETRIC_ARENA, offset, (int)thread);
    if (dead == NULL)
        dead = upcr_block_freed(1 + (int)thread, offset, (int)thread);
    if (dead != NULL)
        upcr_check_die(here, CHECK_FREED, what, upcr_block_name(dead, text, sizeof text), dead->freed_by);
    upcr_check_die(here, CHECK_OUTSIDE, what, thread, describe((int)thread, offset, bytes, text, sizeof text));
}

/* Returns whether `bytes` bytes are in one object, and remembers that object. */
static bool inside(upcr_pts_t p, uint64_t bytes)
{
    size_t thread = upcr_threadof(p);
    uint64_t offset = upcr_addrfield(p);
    if (thread >= (size_t)upcr_threads)
        return false;
    /* Static objects are never freed. */
    uint32_t generation = offset < static_end ? 1 : upcr_blocks_generation((int)thread) + 1;
    struct line *line = line_of(thread, offset);
    if (__builtin_expect(
            line->thread == thread && line->generation == generation && offset >= line->low && offset <= line->high && bytes <= line->high - offset, 1))
        return true;
    struct upcr_extent extent;
    if (!upcr_extent_before((int)thread, offset, &extent))
        return false;
    if (offset > extent.high || bytes > extent.high - offset || (bytes == 0 && extent.low == extent.high))
        return false;
    *line = (struct line){.low = extent.low, .high = extent.high, .thread = (uint32_t)thread, .generation = generation};
    return true;
}

upcr_pts_t upcr_check_place(upcr_pts_t p, upcr_size bytes, int access, const upcr_place *here)
{
    if (__builtin_expect(!inside(p, bytes), 0)) {
        char what[64];
        snprintf(what, sizeof what, "%s %llu bytes", access == UPCR_CHECK_READ ? "reads" : "writes", (unsigned long long)bytes);
        reject(p, bytes, what, here);
    }
    return p;
}

void *upcr_check_access(upcr_pts_t p, upcr_size bytes, int access, const upcr_place *here)
{
    return upcr_addr(upcr_check_place(p, bytes, access, here));
}

void upcr_check_transfer(upcr_pts_t p, size_t bytes, const char *verb)
{
    if (bytes == 0 || inside(p, bytes))
        return;
    char what[96];
    snprintf(what, sizeof what, "%s %llu bytes", verb, (unsigned long long)bytes);
    reject(p, bytes, what, NULL);
}

/* Checks a copy. Copying bytes onto themselves is allowed, as in an assignment (C 6.5.16.1p3). */
void upcr_check_copy(upcr_pts_t dst, upcr_pts_t src, size_t bytes)
{
    upcr_check_transfer(src, bytes, "upc_memcpy reads");
    upcr_check_transfer(dst, bytes, "upc_memcpy writes");
    uint64_t to = upcr_addrfield(dst), from = upcr_addrfield(src);
    if (bytes != 0 && upcr_threadof(dst) == upcr_threadof(src) && to != from && (to > from ? to - from : from - to) < bytes)
        upcr_check_die(NULL, CHECK_OVERLAP, bytes, upcr_threadof(dst));
}
