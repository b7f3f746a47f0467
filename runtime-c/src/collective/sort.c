/* upc_all_sort: a merge sort by all threads together.

   1. Each thread sorts its share of the elements, those it has affinity to, without moving them: it orders pointers to
      them. The caller's function compares elements in place; for elements that are not mapped it gets copies in the
      thread's own shared memory.
   2. Each thread determines how many elements of each share come before its part of the result (exactly, whatever the
      keys: share and place distinguish equal elements), merges its part, and keeps it in private memory.
   3. When all have read what they need, each writes its part of the result.

   The orders are in the shared heap while the call lasts: a pointer-to-shared for each element. */
#include "checks/checks.h"
#include "collective/collective.h"
#include "collective/tree.h"
#include "iov.h"

#include <stdlib.h>
#include <string.h>

upcr_pts_t upc_all_alloc(size_t nblocks, size_t nbytes);
void upc_all_free(upcr_pts_t ptr);

typedef int compare_elements(upcr_pts_t, upcr_pts_t);

struct sorting {
    const char *function;
    struct upcr_layout array;
    compare_elements *compare;
};

/* A sorted share: `count` pointers to elements, in order, in shared memory. It fits a slot. */
struct share {
    upcr_pts_t order;
    size_t count;
};
_Static_assert(sizeof(struct share) <= UPCR_SLOT_BYTES, "a share travels in a slot");

static void *private_memory(size_t count, size_t bytes, const char *function)
{
    void *memory = calloc(count == 0 ? 1 : count, bytes);
    if (memory == NULL)
        upcr_die("%s: out of private memory: asked for %zu times %zu bytes", function, count, bytes);
    return memory;
}

/* Calls the caller's function. What it reads of the elements is covered by what the whole call is known to access; other shared memory
   is not. */
static int order_of(const struct sorting *s, upcr_pts_t a, upcr_pts_t b)
{
    if (!upcr_is_racing())
        return s->compare(a, b);
    upcr_races.compares(a, b, s->array.size);
    int order = s->compare(a, b);
    upcr_races.compares(a, b, 0);
    return order;
}

/* ---- Copies of what is not mapped --------------------------------------------------------------------------------- */

/* Allocates space for elements in this thread's shared memory, where the caller's function can compare them without
   messages. UPCR_NULL: there is none, and they must be compared in place. */
static upcr_pts_t allocate_copies(const struct sorting *s, size_t count)
{
    struct upcr_heap_usage usage;
    size_t bytes = count * s->array.size;
    uint64_t offset = bytes == 0 ? 0 : upcr_tp_alloc_local(bytes, &usage);
    if (offset == 0)
        return UPCR_NULL;
    upcr_pts_t copies = upcr_make((size_t)upcr_mythread, 0, offset);
    if (upcr_is_checked())
        upcr_checks.born(copies, 1, bytes, UPCR_BLOCK_LOCAL);
    return copies;
}

static void free_copies(const struct sorting *s, upcr_pts_t copies)
{
    if (upcr_is_null(copies))
        return;
    if (upcr_is_checked())
        upcr_checks.freed(copies, s->function, false);
    upcr_tp_free(upcr_mythread, upcr_addrfield(copies));
}

/* ---- Sorting a share ---------------------------------------------------------------------------------------------- */

/* Sorts n pointers by what they point at; spare has space for n / 2. */
static void sort_places(const struct sorting *s, upcr_pts_t *places, size_t n, upcr_pts_t *spare)
{
    size_t left = n / 2, i = 0, j = left;
    if (n < 2)
        return;
    sort_places(s, places, left, spare);
    sort_places(s, places + left, n - left, spare);
    if (order_of(s, places[left - 1], places[left]) <= 0)
        return;
    memcpy(spare, places, left * sizeof *places);
    for (upcr_pts_t *out = places; i < left; out++)
        *out = j < n && order_of(s, spare[i], places[j]) > 0 ? places[j++] : spare[i++];
}

/* Returns pointers to the elements of an array, in sorted order, in private memory. */
static upcr_pts_t *sorted_places(const struct sorting *s, const struct upcr_layout *array)
{
    upcr_pts_t *places = private_memory(array->count, sizeof *places, s->function);
    upcr_pts_t *spare = private_memory(array->count / 2, sizeof *spare, s->function), *to = places;
    struct upcr_cursor cursor = upcr_cursor_at(array, 0, array->count);
    while (cursor.left != 0) {
        struct upcr_run run = upcr_cursor_next(&cursor, array, SIZE_MAX);
        for (size_t i = 0; i < run.count; i++)
            *to++ = upcr_field(run.start, i * array->size);
    }
    sort_places(s, places, array->count, spare);
    free(spare);
    return places;
}

/* Returns pointers to the elements of a run, in sorted order. Elements that are not mapped are sorted by means of
   copies. */
static upcr_pts_t *sorted_run(const struct sorting *s, struct upcr_run run)
{
    size_t size = s->array.size;
    upcr_pts_t copies = upcr_mapped(upcr_threadof(run.start)) ? UPCR_NULL : allocate_copies(s, run.count);
    bool is_copied = !upcr_is_null(copies);
    struct upcr_layout sorted = upcr_layout_make(is_copied ? copies : run.start, run.count, 0, size);
    if (is_copied)
        upcr_get(upcr_addr(copies), run.start, run.count * size);
    upcr_pts_t *places = sorted_places(s, &sorted);
    for (size_t i = 0; is_copied && i < run.count; i++)
        places[i] = upcr_field(run.start, upcr_addrfield(places[i]) - upcr_addrfield(copies));
    free_copies(s, copies);
    return places;
}

/* Sorts this thread's share and publishes where its order is. */
static struct share publish_share(const struct sorting *s)
{
    struct upcr_run elements = upcr_layout_share(&s->array, upcr_mythread);
    struct share share = {UPCR_NULL, elements.count};
    if (share.count != 0) {
        struct upcr_heap_usage usage;
        upcr_pts_t *order = sorted_run(s, elements);
        uint64_t offset = upcr_tp_alloc_local(share.count * sizeof *order, &usage);
        if (offset == 0)
            upcr_die("%s: out of shared memory: sorting needs %zu bytes for each element; enlarge the heap with "
                     "upcrun -shared-heap SIZE",
                     s->function, sizeof *order);
        share.order = upcr_make((size_t)upcr_mythread, 0, offset);
        upcr_put(share.order, order, share.count * sizeof *order);
        free(order);
    }
    upcr_put(upcr_call_slot(upcr_mythread), &share, sizeof share);
    return share;
}

/* ---- Merging ------------------------------------------------------------------------------------------------------ */

/* Returns the element at a place of a share's order. */
static upcr_pts_t ordered(const struct share *share, size_t place)
{
    upcr_pts_t element;
    upcr_get(&element, upcr_field(share->order, place * sizeof element), sizeof element);
    return element;
}

/* Returns the element, or a copy of it in `copy` if it is not mapped. */
static upcr_pts_t reachable(const struct sorting *s, upcr_pts_t element, upcr_pts_t copy)
{
    if (upcr_is_null(copy) || upcr_mapped(upcr_threadof(element)))
        return element;
    upcr_get(upcr_addr(copy), element, s->array.size);
    return copy;
}

/* Returns how many elements of share b come before element p of share a. `low` and `high` bound the result. */
static size_t count_before(const struct sorting *s, const struct share *shares, size_t b, size_t a, upcr_pts_t p, size_t low, size_t high)
{
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = order_of(s, ordered(&shares[b], middle), p);
        if (order < 0 || (order == 0 && b < a))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* cut[t]: how many elements of share t are among the first `rank` of all. Each round takes the middle element of the
   share with the widest range of possible cuts. That element is among the first or is not, which halves the range.
   copy: space for that element, or UPCR_NULL. */
static void find_cuts(const struct sorting *s, const struct share *shares, size_t rank, upcr_pts_t copy, size_t *cut)
{
    size_t threads = (size_t)upcr_threads;
    size_t *high = private_memory(threads, 2 * sizeof *high, s->function), *before = high + threads;
    for (size_t t = 0; t < threads; t++) {
        cut[t] = 0;
        high[t] = shares[t].count;
    }
    for (;;) {
        size_t widest = 0, sum = 0;
        for (size_t t = 1; t < threads; t++)
            if (high[t] - cut[t] > high[widest] - cut[widest])
                widest = t;
        if (high[widest] == cut[widest])
            break;
        size_t middle = cut[widest] + (high[widest] - cut[widest]) / 2;
        upcr_pts_t p = reachable(s, ordered(&shares[widest], middle), copy);
        for (size_t t = 0; t < threads; t++) {
            before[t] = t == widest ? middle : count_before(s, shares, t, widest, p, cut[t], high[t]);
            sum += before[t];
        }
        if (sum < rank) {
            memcpy(cut, before, threads * sizeof *cut);
            cut[widest] = middle + 1;
        } else {
            memcpy(high, before, threads * sizeof *high);
        }
    }
    free(high);
}

/* What a thread merges: elements from[t] up to to[t] of each share t. If not all memory is mapped, they are first
   copied to this thread's shared memory, share by share, so that the caller's function compares the copies. */
struct merging {
    const struct sorting *sorting;
    const struct share *shares;
    const size_t *from, *to;
    size_t count;
    upcr_pts_t brought; /* UPCR_NULL: they are not copied */
    size_t *base;       /* for each share, how many elements were copied before it */
};

/* Reads the pointers to all of them, share by share, with one transfer per share. */
static upcr_pts_t *read_orders(const struct merging *m)
{
    struct upcr_batch batch = {0};
    upcr_pts_t *places = private_memory(m->count, sizeof *places, m->sorting->function), *next = places;
    for (size_t t = 0; t < (size_t)upcr_threads; t++) {
        m->base[t] = (size_t)(next - places);
        if (m->from[t] >= m->to[t])
            continue;
        upcr_start_get(next, upcr_field(m->shares[t].order, m->from[t] * sizeof *next), (m->to[t] - m->from[t]) * sizeof *next, &batch);
        next += m->to[t] - m->from[t];
    }
    upcr_finish(&batch);
    return places;
}

/* Copies the elements. If there is no memory for them, they stay where they are. */
static void bring(struct merging *m)
{
    struct upcr_batch batch = {0};
    struct upcr_iov_list iov = {.batch = &batch};
    size_t size = m->sorting->array.size;
    m->brought = upcr_all_mapped() ? UPCR_NULL : allocate_copies(m->sorting, m->count);
    if (upcr_is_null(m->brought))
        return;
    m->base = private_memory((size_t)upcr_threads, sizeof *m->base, m->sorting->function);
    upcr_pts_t *places = read_orders(m);
    char *here = upcr_addr(m->brought);
    for (size_t i = 0; i < m->count; i++)
        upcr_iov_add(&iov, places[i], here + i * size, size);
    upcr_iov_end(&iov);
    upcr_finish(&batch);
    free(places);
}

static void leave_brought(struct merging *m)
{
    free_copies(m->sorting, m->brought);
    free(m->base);
}

static upcr_pts_t element_at(const struct merging *m, size_t share, size_t place)
{
    if (upcr_is_null(m->brought))
        return ordered(&m->shares[share], place);
    return upcr_field(m->brought, (m->base[share] + (place - m->from[share])) * m->sorting->array.size);
}

/* The next element of one share in a merge. */
struct head {
    upcr_pts_t element;
    size_t share, place;
};

static bool comes_before(const struct sorting *s, const struct head *a, const struct head *b)
{
    int order = order_of(s, a->element, b->element);
    return order < 0 || (order == 0 && a->share < b->share);
}

/* Sinks heap[at] until no head below it comes before it. */
static void sink(const struct sorting *s, struct head *heap, size_t heads, size_t at)
{
    struct head sinking = heap[at];
    for (size_t below = 2 * at + 1; below < heads; below = 2 * at + 1) {
        if (below + 1 < heads && comes_before(s, &heap[below + 1], &heap[below]))
            below++;
        if (!comes_before(s, &heap[below], &sinking))
            break;
        heap[at] = heap[below];
        at = below;
    }
    heap[at] = sinking;
}

/* Merges the elements into private memory. */
static void merge(const struct merging *m, char *out)
{
    const struct sorting *s = m->sorting;
    size_t heads = 0, size = s->array.size;
    struct head *heap = private_memory((size_t)upcr_threads, sizeof *heap, s->function);
    for (size_t t = 0; t < (size_t)upcr_threads; t++)
        if (m->from[t] < m->to[t])
            heap[heads++] = (struct head){element_at(m, t, m->from[t]), t, m->from[t]};
    for (size_t at = heads / 2; at-- > 0;)
        sink(s, heap, heads, at);
    for (; heads != 0; out += size) {
        struct head *first = &heap[0];
        upcr_get(out, first->element, size);
        if (++first->place < m->to[first->share])
            first->element = element_at(m, first->share, first->place);
        else
            *first = heap[--heads];
        sink(s, heap, heads, 0);
    }
    free(heap);
}

/* ---- The whole sort ----------------------------------------------------------------------------------------------- */

static void sort_alone(void *argument)
{
    const struct sorting *s = argument;
    size_t count = s->array.count, size = s->array.size;
    upcr_pts_t *places = sorted_places(s, &s->array);
    char *sorted = private_memory(count, size, s->function);
    for (size_t i = 0; i < count; i++)
        upcr_get(sorted + i * size, places[i], size);
    upcr_layout_put(&s->array, 0, count, sorted);
    free(places);
    free(sorted);
}

/* Reads every thread's share from its slot. */
static void collect_shares(const struct sorting *s, struct share *shares)
{
    size_t bytes = (size_t)upcr_threads * sizeof *shares;
    for (size_t t = 0; upcr_all_mapped() && t < (size_t)upcr_threads; t++)
        upcr_get(&shares[t], upcr_call_slot((int)t), sizeof shares[t]);
    if (upcr_all_mapped())
        return;
    upcr_pts_t table = upc_all_alloc((size_t)upcr_threads, bytes);
    if (upcr_is_null(table))
        upcr_die("%s: out of shared memory: sorting needs %zu bytes on each thread", s->function, bytes);
    upcr_tree_gather_all(table, upcr_call_slot(0), sizeof *shares);
    upcr_internal_barrier(s->function);
    upcr_get(shares, upcr_make((size_t)upcr_mythread, 0, upcr_addrfield(table)), bytes);
    upc_all_free(table);
}

/* Returns this thread's part of the result, in private memory; *count: its elements. */
static char *merged_part(const struct sorting *s, size_t *count)
{
    size_t threads = (size_t)upcr_threads, me = (size_t)upcr_mythread;
    struct share *shares = private_memory(threads, sizeof *shares, s->function);
    size_t *from = private_memory(threads, 2 * sizeof *from, s->function), *to = from + threads;
    collect_shares(s, shares);
    upcr_pts_t copy = upcr_all_mapped() ? UPCR_NULL : allocate_copies(s, 1);
    find_cuts(s, shares, upcr_part_begin(s->array.count, me, threads), copy, from);
    find_cuts(s, shares, upcr_part_begin(s->array.count, me + 1, threads), copy, to);
    free_copies(s, copy);
    *count = 0;
    for (size_t t = 0; t < threads; t++)
        *count += from[t] < to[t] ? to[t] - from[t] : 0;
    char *part = private_memory(*count, s->array.size, s->function);
    struct merging merging = {.sorting = s, .shares = shares, .from = from, .to = to, .count = *count};
    bring(&merging);
    merge(&merging, part);
    leave_brought(&merging);
    free(shares);
    free(from);
    return part;
}

static void sort_together(struct upcr_call *call, const struct sorting *s)
{
    size_t threads = (size_t)upcr_threads, me = (size_t)upcr_mythread, count;
    upcr_call_enter(call, !upcr_layout_is_one_run(&s->array));
    upcr_layout_touch(&s->array, call, UPCR_TOUCH_WRITE);
    struct share mine = publish_share(s);
    upcr_internal_barrier(call->function);
    char *part = merged_part(s, &count);
    upcr_internal_barrier(call->function);
    if (mine.count != 0)
        upcr_tp_free(upcr_mythread, upcr_addrfield(mine.order));
    size_t begin = upcr_part_begin(s->array.count, me, threads), end = upcr_part_begin(s->array.count, me + 1, threads);
    /* An inconsistent function may select more or fewer elements for this part than there is space for. */
    upcr_layout_put(&s->array, begin, count < end - begin ? begin + count : end, part);
    free(part);
    upcr_call_leave(call, false);
}

#pragma GCC visibility push(default)
void upc_all_sort(upcr_pts_t array, size_t elem_size, size_t n_elems, size_t blk_size, compare_elements *func, upc_flag_t flags);
#pragma GCC visibility pop

void upc_all_sort(upcr_pts_t array, size_t elem_size, size_t n_elems, size_t blk_size, compare_elements *func, upc_flag_t flags)
{
    /* The weight of an element beside its bytes, in upcr_call_is_small: it stands for comparisons. */
    enum { COMPARISONS = 100 };
    struct upcr_call call = upcr_call_begin("upc_all_sort", flags);
    upcr_arguments_check(&(struct upcr_arguments){.function = "upc_all_sort",
                                                  .dst = array,
                                                  .count_name = "n_elems",
                                                  .count = n_elems,
                                                  .block = blk_size,
                                                  .size = elem_size,
                                                  .func = (upcr_user_function)func,
                                                  .flags = flags});
    if (func == NULL)
        upcr_die(CHECK_FUNCTION, call.function);
    struct sorting sorting = {"upc_all_sort", upcr_layout_make(array, elem_size == 0 ? 0 : n_elems, blk_size, elem_size), func};
    upcr_layout_check(&sorting.array, call.function, "A", "upc_all_sort sorts");
    if (n_elems < SIZE_MAX / 1024 && upcr_call_is_small(n_elems * (elem_size + COMPARISONS), 0))
        upcr_call_alone(&call, (int)upcr_threadof(array), sort_alone, &sorting);
    else
        sort_together(&call, &sorting);
}
