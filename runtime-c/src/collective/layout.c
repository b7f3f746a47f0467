/* Blocked shared arrays as runs of memory (language section, "Pointer-to-shared arithmetic"). */
#include "checks/checks.h"
#include "collective/collective.h"

#include <stdalign.h>

#include "iov.h"

/* Elements are collected in private memory if their runs are shorter than this, or not mapped. */
enum { SHORT_RUN_BYTES = 128, STAGE_BYTES = 1 << 14 };

struct upcr_layout upcr_layout_make(upcr_pts_t start, size_t count, size_t blk_size, size_t size)
{
    struct upcr_layout layout = {start, count, blk_size, size};
    if (blk_size == 0) {
        layout.block = SIZE_MAX;
        layout.start = upcr_resetphase(start);
    }
    return layout;
}

/* Returns the elements of thread (first + k) among the first v of an array that begins with thread first's block. */
static size_t dealt(size_t v, size_t block, size_t k)
{
    size_t threads = (size_t)upcr_threads;
    size_t blocks = v / block, rounds = blocks / threads, last = blocks % threads;
    return rounds * block + (k < last ? block : k == last ? v % block : 0);
}

struct upcr_run upcr_layout_local(const struct upcr_layout *layout, int thread)
{
    size_t threads = (size_t)upcr_threads, first = upcr_threadof(layout->start), phase = upcr_phaseof(layout->start);
    size_t k = ((size_t)thread + threads - first) % threads;
    struct upcr_run run = {upcr_resetphase(layout->start), dealt(phase + layout->count, layout->block, k)};
    if (k == 0) {
        run.count -= phase;
        return run;
    }
    if (run.count == 0)
        return run;
    /* After the last thread, the next block of thread 0 is one block further on. */
    size_t row = upcr_addrfield(layout->start) - phase * layout->size + ((size_t)thread < first ? layout->block * layout->size : 0);
    run.start = upcr_make((size_t)thread, 0, row);
    return run;
}

void upcr_layout_check(const struct upcr_layout *layout, const char *function, const char *name, const char *verb)
{
    size_t phase = upcr_phaseof(layout->start);
    if (phase >= layout->block)
        upcr_die(CHECK_ARRAY_PHASE, function, name, phase, layout->block);
    if (!upcr_is_checked())
        return;
    struct upcr_run own = upcr_layout_local(layout, upcr_mythread);
    upcr_checks.transfer(own.start, own.count * layout->size, verb);
}

void upcr_layout_touch(const struct upcr_layout *layout, struct upcr_call *call, enum upcr_touch how)
{
    struct upcr_run own = upcr_layout_local(layout, upcr_mythread);
    upcr_call_touch(call, own.start, own.count * layout->size, how);
}

bool upcr_layout_is_one_run(const struct upcr_layout *layout)
{
    return layout->count <= layout->block - upcr_phaseof(layout->start);
}

size_t upcr_part_begin(size_t count, size_t part, size_t parts)
{
    size_t rest = count % parts;
    return count / parts * part + (part < rest ? part : rest);
}

struct upcr_run upcr_layout_share(const struct upcr_layout *layout, int thread)
{
    if (!upcr_layout_is_one_run(layout))
        return upcr_layout_local(layout, thread);
    size_t begin = upcr_part_begin(layout->count, (size_t)thread, (size_t)upcr_threads);
    size_t end = upcr_part_begin(layout->count, (size_t)thread + 1, (size_t)upcr_threads);
    return (struct upcr_run){upcr_field(layout->start, begin * layout->size), end - begin};
}

struct upcr_cursor upcr_cursor_at(const struct upcr_layout *layout, size_t from, size_t to)
{
    size_t threads = (size_t)upcr_threads, phase = upcr_phaseof(layout->start);
    size_t at = phase + from, dealt_before = upcr_threadof(layout->start) + at / layout->block;
    size_t row = upcr_addrfield(layout->start) - phase * layout->size;
    size_t rounds = dealt_before / threads;
    /* There is no product with the indefinite block size, which has only the first round. */
    if (rounds != 0)
        row += rounds * layout->block * layout->size;
    return (struct upcr_cursor){upcr_make(dealt_before % threads, 0, row), at % layout->block, to - from};
}

static void next_block(struct upcr_cursor *cursor, const struct upcr_layout *layout)
{
    size_t thread = upcr_threadof(cursor->block_start) + 1, addr = upcr_addrfield(cursor->block_start);
    cursor->phase = 0;
    cursor->block_start = thread == (size_t)upcr_threads ? upcr_make(0, 0, addr + layout->block * layout->size) : upcr_make(thread, 0, addr);
}

struct upcr_run upcr_cursor_next(struct upcr_cursor *cursor, const struct upcr_layout *layout, size_t most)
{
    size_t count = layout->block - cursor->phase;
    count = count < cursor->left ? count : cursor->left;
    count = count < most ? count : most;
    struct upcr_run run = {upcr_field(cursor->block_start, cursor->phase * layout->size), count};
    cursor->left -= count;
    cursor->phase += count;
    if (cursor->phase == layout->block)
        next_block(cursor, layout);
    return run;
}

static void add_elements(struct upcr_iov_list *iov, char *buffer, struct upcr_cursor *cursor, const struct upcr_layout *layout, size_t count)
{
    while (count != 0) {
        struct upcr_run run = upcr_cursor_next(cursor, layout, count);
        upcr_iov_add(iov, run.start, buffer, run.count * layout->size);
        buffer += run.count * layout->size;
        count -= run.count;
    }
}

/* Moves `count` elements between a buffer and the array, those of each thread together. */
static void move_elements(bool put, char *buffer, struct upcr_cursor *cursor, const struct upcr_layout *layout, size_t count)
{
    struct upcr_batch batch = {0};
    struct upcr_iov_list iov = {.put = put, .batch = &batch};
    add_elements(&iov, buffer, cursor, layout, count);
    upcr_iov_end(&iov);
    upcr_finish(&batch);
}

void upcr_layout_add(struct upcr_iov_list *iov, const struct upcr_layout *layout, size_t from, size_t to, void *buffer)
{
    struct upcr_cursor cursor = upcr_cursor_at(layout, from, to);
    add_elements(iov, buffer, &cursor, layout, to - from);
}

static void get_elements(void *buffer, struct upcr_cursor *cursor, const struct upcr_layout *layout, size_t count)
{
    move_elements(false, buffer, cursor, layout, count);
}

static void put_elements(struct upcr_cursor *cursor, const struct upcr_layout *layout, const void *buffer, size_t count)
{
    /* A put only reads it. */
    move_elements(true, (char *)(uintptr_t)buffer, cursor, layout, count);
}

void upcr_layout_get(void *buffer, const struct upcr_layout *layout, size_t from, size_t to)
{
    struct upcr_cursor cursor = upcr_cursor_at(layout, from, to);
    get_elements(buffer, &cursor, layout, to - from);
}

void upcr_layout_put(const struct upcr_layout *layout, size_t from, size_t to, const void *buffer)
{
    struct upcr_cursor cursor = upcr_cursor_at(layout, from, to);
    put_elements(&cursor, layout, buffer, to - from);
}

/* Returns how many elements are visited together: no more than a stage holds, and no more than are contiguous unless
   that is few. The number depends on the layout alone, and not on what is mapped, because rounded sums depend on it. */
static size_t visited_together(const struct upcr_cursor *cursor, const struct upcr_layout *layout, bool *is_run)
{
    size_t count = STAGE_BYTES / layout->size, run = layout->block - cursor->phase;
    *is_run = run >= SHORT_RUN_BYTES / layout->size || run >= cursor->left;
    if (*is_run && run < count)
        count = run;
    return count < cursor->left ? count : cursor->left;
}

void upcr_layout_visit(const struct upcr_layout *src, const struct upcr_layout *dst, size_t from, size_t to, upcr_visit *visit, void *context)
{
    alignas(max_align_t) char stage[STAGE_BYTES];
    struct upcr_cursor reading = upcr_cursor_at(src, from, to), writing = reading;
    if (dst != NULL)
        writing = upcr_cursor_at(dst, from, to);
    while (reading.left != 0) {
        bool is_run;
        size_t count = visited_together(&reading, src, &is_run);
        if (is_run && upcr_mapped(upcr_threadof(reading.block_start)) && (dst == NULL || upcr_mapped(upcr_threadof(writing.block_start)))) {
            struct upcr_run in = upcr_cursor_next(&reading, src, count);
            void *out = dst == NULL ? NULL : upcr_addr(upcr_cursor_next(&writing, dst, count).start);
            visit(context, upcr_addr(in.start), out, in.count);
            continue;
        }
        get_elements(stage, &reading, src, count);
        visit(context, stage, dst == NULL ? NULL : stage, count);
        if (dst != NULL)
            put_elements(&writing, dst, stage, count);
    }
}
