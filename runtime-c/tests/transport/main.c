/* Runs the cases: all, or those named; `end NAME`: one of the ways to end.

   upcr_tp_run() and upcr_tp_leave() are called by the runtime, around main: the case `constants` and the end `statuses` are theirs. */
#include "conformance.h"

static const struct {
    const char *name;
    void (*run)(void);
} cases[] = {
#define CASE(name) {#name, case_##name},
    CASES(CASE)};

static const struct {
    const char *name;
    int (*run)(void);
} ends[] = {
#define END(name) {#name, end_##name},
    ENDS(END)};

int repeat(int times)
{
    int most = times * 4 / (ALL < 4 ? 4 : ALL);
    return most > 0 ? most : 1;
}

void meet(void)
{
    struct upcr_barrier_outcome outcome;
    upcr_tp_fence();
    upcr_tp_notify(UPCR_ARRIVAL_ANONYMOUS, 0);
    upcr_tp_wait(&outcome);
    CHECK(outcome.leavers == 0 && !outcome.named && !outcome.dissent);
    upcr_tp_fence();
}

uint64_t everywhere(size_t bytes)
{
    struct upcr_heap_usage usage;
    struct upcr_barrier_outcome outcome;
    uint64_t offset = 0;
    if (ME == 0)
        offset = upcr_tp_alloc_symmetric(bytes, &usage);
    upcr_tp_broadcast(&offset, sizeof offset, &outcome);
    CHECK(offset != 0);
    memset(mine(offset), 0, bytes);
    meet();
    return offset;
}

void forget(uint64_t offset)
{
    meet();
    if (ME == ALL - 1)
        CHECK(upcr_tp_free(0, offset));
    meet();
}

/* ---- The operations ------------------------------------------------------------------------------------------------- */

void put(upcr_pts_t dst, const void *src, size_t n)
{
    if (is_remote((int)upcr_threadof(dst)))
        upcr_tp_put(dst, src, n);
    else
        memcpy(upcr_addr(dst), src, n);
}

void get(void *dst, upcr_pts_t src, size_t n)
{
    if (is_remote((int)upcr_threadof(src)))
        upcr_tp_get(dst, src, n);
    else
        memcpy(dst, upcr_addr(src), n);
}

void set(upcr_pts_t dst, unsigned char value, size_t n)
{
    if (is_remote((int)upcr_threadof(dst)))
        upcr_tp_set(dst, value, n);
    else
        memset(upcr_addr(dst), value, n);
}

void copy(upcr_pts_t dst, upcr_pts_t src, size_t n)
{
    if (is_remote((int)upcr_threadof(dst)) || is_remote((int)upcr_threadof(src)))
        upcr_tp_copy(dst, src, n);
    else
        memcpy(upcr_addr(dst), upcr_addr(src), n);
}

void update(upcr_pts_t place, enum upcr_update update, const void *value, size_t n)
{
    if (is_remote((int)upcr_threadof(place)))
        upcr_tp_update(place, update, value, n);
    else
        upcr_update_apply(update, upcr_addr(place), value, n);
}

void start_put(upcr_pts_t dst, const void *src, size_t n, struct upcr_batch *batch)
{
    if (is_remote((int)upcr_threadof(dst)))
        upcr_tp_start_put(dst, src, n, batch);
    else
        memcpy(upcr_addr(dst), src, n);
}

void start_copy(upcr_pts_t dst, upcr_pts_t src, size_t n, struct upcr_batch *batch)
{
    if (is_remote((int)upcr_threadof(dst)) && is_remote((int)upcr_threadof(src)))
        upcr_tp_start_copy(dst, src, n, batch);
    else
        copy(dst, src, n);
}

void start_set(upcr_pts_t dst, unsigned char value, size_t n, struct upcr_batch *batch)
{
    if (is_remote((int)upcr_threadof(dst)))
        upcr_tp_start_set(dst, value, n, batch);
    else
        memset(upcr_addr(dst), value, n);
}

void start_get(void *dst, upcr_pts_t src, size_t n, struct upcr_batch *batch)
{
    if (is_remote((int)upcr_threadof(src)))
        upcr_tp_start_get(dst, src, n, batch);
    else
        memcpy(dst, upcr_addr(src), n);
}

void put_iov(int thread, const struct upcr_iov *iov, size_t count)
{
    struct upcr_batch batch = {0};
    if (is_remote(thread) && count % 2 != 0) {
        upcr_tp_put_iov(thread, iov, count);
        return;
    }
    if (is_remote(thread)) {
        batch.unordered = count % 4 == 0;
        upcr_tp_start_put_iov(thread, iov, count, &batch);
        upcr_tp_batch_wait(&batch);
        return;
    }
    for (size_t i = 0; i < count; i++)
        memcpy(upcr_addr(at(thread, iov[i].offset)), iov[i].bytes, iov[i].n);
}

void get_iov(int thread, const struct upcr_iov *iov, size_t count)
{
    struct upcr_batch batch = {0};
    if (is_remote(thread)) {
        batch.unordered = count % 2 == 0;
        upcr_tp_start_get_iov(thread, iov, count, &batch);
        upcr_tp_batch_wait(&batch);
        return;
    }
    for (size_t i = 0; i < count; i++)
        memcpy(iov[i].bytes, upcr_addr(at(thread, iov[i].offset)), iov[i].n);
}

void atomic(enum upcr_cell cell, int op, upcr_pts_t target, const void *operand1, const void *operand2, void *fetch)
{
    if (is_remote((int)upcr_threadof(target)))
        upcr_tp_atomic(cell, op, target, operand1, operand2, fetch);
    else
        upcr_cell_apply(cell, op, upcr_addr(target), operand1, operand2, fetch);
}

/* ---- All of it ------------------------------------------------------------------------------------------------------ */

static bool wanted(const char *name, int argc, char **argv)
{
    bool named = false;
    for (int i = 1; i < argc; i++)
        named = named || strcmp(argv[i], name) == 0;
    return argc < 2 || named;
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

int main(int argc, char **argv)
{
    bool times = getenv("CONFORMANCE_TIMES") != NULL;
    if (argc == 3 && strcmp(argv[1], "end") == 0) {
        for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
            if (strcmp(ends[i].name, argv[2]) == 0)
                return ends[i].run();
        return 100;
    }
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (!wanted(cases[i].name, argc, argv))
            continue;
        meet();
        double start = seconds();
        cases[i].run();
        if (times && ME == 0)
            fprintf(stderr, "%-20s %8.1f ms\n", cases[i].name, 1000 * (seconds() - start));
    }
    meet();
    if (ME == 0)
        puts("PASS");
    return 0;
}
