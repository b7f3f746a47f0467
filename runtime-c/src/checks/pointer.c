/* Checks of pointers-to-shared: indices, conversions, differences. */
#include "runtime.h"

#include <stdio.h>

#include "checks/extent.h"
#include "checks/report.h"

void upcr_check_index_failed(upcr_diff index, upcr_diff count, int per_thread, int past, const char *text, const upcr_place *here)
{
    char size[96];
    upcr_diff bound = per_thread ? count * upcr_threads : count;
    if (!per_thread)
        snprintf(size, sizeof size, "it has %td elements", bound);
    else if (count == 1)
        snprintf(size, sizeof size, "it has THREADS elements");
    else
        snprintf(size, sizeof size, "it has %td*THREADS elements", count);
    upcr_check_die(here, CHECK_INDEX, index, text, bound - 1 + past, size);
}

void *upcr_check_local(upcr_pts_t p, const upcr_place *here)
{
    size_t thread = upcr_threadof(p);
    if (upcr_is_null(p))
        return NULL;
    if (__builtin_expect(thread != (size_t)upcr_mythread, 0))
        upcr_check_die(here, CHECK_LOCAL, thread);
    return upcr_addr(p);
}

upcr_pts_t upcr_check_phase(upcr_pts_t p, upcr_size block, const upcr_place *here)
{
    size_t phase = upcr_phaseof(p);
    if (__builtin_expect(phase >= block, 0))
        upcr_check_die(here, CHECK_PHASE, phase, block);
    return p;
}

/* Finds the object that a pointer points into. The object's end does not count, because another object may start
   there. */
static bool object_of(upcr_pts_t p, struct upcr_extent *extent)
{
    size_t thread = upcr_threadof(p);
    uint64_t offset = upcr_addrfield(p);
    return thread < (size_t)upcr_threads && upcr_extent_before((int)thread, offset, extent) && offset < extent->high;
}

/* Compares objects. Block pointers cannot be compared, because each query returns a new copy. */
static bool same_object(const struct upcr_extent *a, const struct upcr_extent *b)
{
    if (a->block == NULL || b->block == NULL)
        return a->block == b->block && a->object == b->object;
    return a->block->offset == b->block->offset && a->block->kind == b->block->kind && (upcr_extent_is_dealt_out(a) || a->thread == b->thread);
}

/* Returns whether a pointer is just past the last element that this object has on the pointer's thread, where
   another object may begin. */
static bool is_behind(upcr_pts_t p, const struct upcr_extent *object)
{
    struct upcr_extent before;
    uint64_t offset = upcr_addrfield(p);
    return offset > 0 && upcr_extent_before((int)upcr_threadof(p), offset - 1, &before) && before.high == offset && same_object(&before, object);
}

void upcr_check_related(upcr_pts_t p, upcr_pts_t q, upcr_size size, upcr_size block, const upcr_place *here)
{
    struct upcr_extent a, b;
    int64_t bytes = (int64_t)(upcr_addrfield(p) - upcr_addrfield(q));
    if (upcr_eq(p, q))
        return;
    if (upcr_is_null(upcr_resetphase(p)) || upcr_is_null(upcr_resetphase(q)))
        upcr_check_die(here, CHECK_DIFFERENCE_NULL);
    if (block == 0 && upcr_threadof(p) != upcr_threadof(q))
        upcr_check_die(here, CHECK_DIFFERENCE_THREAD, upcr_threadof(p), upcr_threadof(q));
    if (size > 1 && bytes % (int64_t)size != 0)
        upcr_check_die(here, CHECK_DIFFERENCE_STEP, size);
    if (object_of(p, &a) && object_of(q, &b) && !same_object(&a, &b) && !is_behind(p, &b) && !is_behind(q, &a)) {
        char one[UPCR_NAME_CAPACITY], other[UPCR_NAME_CAPACITY];
        upcr_check_die(here, CHECK_DIFFERENCE_OBJECT, upcr_extent_name(&a, one, sizeof one), upcr_extent_name(&b, other, sizeof other));
    }
}
