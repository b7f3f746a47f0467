/* Berkeley's collective operations on values, and its reduction whose result is stored on every thread. */
#include "collective/collective.h"
#include "collective/tree.h"
#include "transport/transport.h"

upcr_pts_t upc_all_alloc(size_t nblocks, size_t nbytes);
void upc_all_free(upcr_pts_t ptr);
void upc_all_broadcast(upcr_pts_t dst, upcr_pts_t src, size_t nbytes, upc_flag_t flags);

#pragma GCC visibility push(default)
void upcr_value_reduce(void *value, int type, int root, upc_op_t op);
void upcr_value_prefix_reduce(void *value, int type, upc_op_t op);
void upcr_value_broadcast(void *value, size_t size, int root);
void upcr_value_scatter(void *value, size_t size, int root, const void *values);
void *upcr_value_gather(const void *value, size_t size, int root, void *values);
void *upcr_value_gather_all(const void *value, size_t size, void *values);
void upcr_value_permute(void *value, size_t size, int to);
#pragma GCC visibility pop

static const upc_flag_t in_and_out = UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC;

/* Returns dst on another thread: the corresponding element of "shared T dst[THREADS]". */
static upcr_pts_t on_thread(upcr_pts_t dst, int thread)
{
    return upcr_make((size_t)thread, 0, upcr_addrfield(dst));
}

void upcr_reduce_all(const struct upcr_element_type *type, const struct upcr_arguments *arguments)
{
    struct upcr_arguments first = *arguments;
    first.dst = on_thread(arguments->dst, 0);
    first.flags = (arguments->flags & (UPC_IN_ALLSYNC | UPC_IN_MYSYNC | UPC_IN_NOSYNC)) | UPC_OUT_ALLSYNC;
    upcr_reduce(type, &first);
    if (!upcr_all_mapped()) {
        upcr_tree_broadcast(0, upcr_mythread == 0 ? upcr_addr(first.dst) : NULL, first.dst, type->size);
        if (upcr_tp_groups() != upcr_threads)
            upcr_internal_barrier(arguments->function);
    } else if (upcr_mythread != 0)
        upcr_copy(on_thread(arguments->dst, upcr_mythread), first.dst, type->size);
    struct upcr_call call = upcr_call_begin(arguments->function, arguments->flags);
    upcr_call_leave(&call, true);
}

/* Shared memory that the values pass through: two places of `size` bytes on every thread, kept for the next call. No
   thread may use it before all threads have left the previous call, which the barrier at the end of each call
   ensures. */
struct stage {
    upcr_pts_t in, out; /* on thread 0 */
};

static struct stage stage(size_t size)
{
    static upcr_pts_t memory;
    static size_t capacity;
    if (size > capacity) {
        upc_all_free(memory);
        capacity = size < UPCR_CACHE_LINE ? UPCR_CACHE_LINE : (size + UPCR_CACHE_LINE - 1) / UPCR_CACHE_LINE * UPCR_CACHE_LINE;
        memory = upc_all_alloc((size_t)upcr_threads, 2 * capacity);
        if (upcr_is_null(memory))
            upcr_die("out of shared memory: a collective operation on values of %zu bytes needs it", size);
    }
    return (struct stage){memory, upcr_field(memory, capacity)};
}

static void check_root(int root, const char *function)
{
    if (root < 0 || root >= upcr_threads)
        upcr_die("%s: there is no thread %d", function, root);
}

static struct upcr_arguments reduction_arguments(const struct stage *stage, upcr_pts_t dst, upc_op_t op, const char *function)
{
    return (struct upcr_arguments){
        .function = function, .dst = dst, .src = stage->in, .count_name = "nelems", .count = (size_t)upcr_threads, .block = 1, .op = op, .flags = in_and_out};
}

void upcr_value_reduce(void *value, int type, int root, upc_op_t op)
{
    const struct upcr_element_type *element = upcr_element_types[type];
    struct stage s = stage(element->size);
    if (root != -1)
        check_root(root, "bupc_allv_reduce");
    upcr_put(on_thread(s.in, upcr_mythread), value, element->size);
    struct upcr_arguments arguments = reduction_arguments(&s, on_thread(s.out, root == -1 ? 0 : root), op, "bupc_allv_reduce");
    (root == -1 ? upcr_reduce_all : upcr_reduce)(element, &arguments);
    if (root == -1 || root == upcr_mythread)
        upcr_get(value, on_thread(s.out, upcr_mythread), element->size);
}

void upcr_value_prefix_reduce(void *value, int type, upc_op_t op)
{
    const struct upcr_element_type *element = upcr_element_types[type];
    struct stage s = stage(element->size);
    upcr_put(on_thread(s.in, upcr_mythread), value, element->size);
    struct upcr_arguments arguments = reduction_arguments(&s, s.out, op, "bupc_allv_prefix_reduce");
    upcr_prefix_reduce(element, &arguments);
    upcr_get(value, on_thread(s.out, upcr_mythread), element->size);
}

void upcr_value_broadcast(void *value, size_t size, int root)
{
    struct stage s = stage(size);
    check_root(root, "bupc_allv_broadcast");
    if (upcr_mythread == root)
        upcr_put(on_thread(s.in, root), value, size);
    upc_all_broadcast(s.out, on_thread(s.in, root), size, in_and_out);
    upcr_get(value, on_thread(s.out, upcr_mythread), size);
}

void upcr_value_scatter(void *value, size_t size, int root, const void *values)
{
    struct stage s = stage(size);
    check_root(root, "bupc_allv_scatter");
    if (!upcr_all_mapped())
        upcr_tree_scatter(root, values, s.in, size);
    for (int t = 0; upcr_all_mapped() && upcr_mythread == root && t < upcr_threads; t++)
        upcr_put(on_thread(s.in, t), (const char *)values + (size_t)t * size, size);
    upcr_ordering_barrier("bupc_allv_scatter");
    upcr_get(value, on_thread(s.in, upcr_mythread), size);
    upcr_internal_barrier("bupc_allv_scatter");
}

void *upcr_value_gather(const void *value, size_t size, int root, void *values)
{
    struct stage s = stage(size);
    if (root == -1)
        return upcr_value_gather_all(value, size, values);
    check_root(root, "bupc_allv_gather");
    upcr_put(on_thread(s.in, upcr_mythread), value, size);
    upcr_ordering_barrier("bupc_allv_gather");
    if (!upcr_all_mapped())
        upcr_tree_gather(root, values, s.in, size);
    for (int t = 0; upcr_all_mapped() && upcr_mythread == root && t < upcr_threads; t++)
        upcr_get((char *)values + (size_t)t * size, on_thread(s.in, t), size);
    upcr_internal_barrier("bupc_allv_gather");
    return values;
}

/* values NULL: this thread takes part, but does not need the values. If not all memory is mapped, they pass through
   shared memory as a whole. */
void *upcr_value_gather_all(const void *value, size_t size, void *values)
{
    bool mapped = upcr_all_mapped();
    struct stage s = stage(mapped ? size : (size_t)upcr_threads * size);
    upcr_put(on_thread(s.in, upcr_mythread), value, size);
    upcr_ordering_barrier("bupc_allv_gather_all");
    if (!mapped) {
        upcr_tree_gather_all(s.out, s.in, size);
        upcr_internal_barrier("bupc_allv_gather_all");
        if (values != NULL)
            upcr_get(values, on_thread(s.out, upcr_mythread), (size_t)upcr_threads * size);
    }
    for (int t = 0; mapped && values != NULL && t < upcr_threads; t++)
        upcr_get((char *)values + (size_t)t * size, on_thread(s.in, t), size);
    upcr_internal_barrier("bupc_allv_gather_all");
    return values;
}

void upcr_value_permute(void *value, size_t size, int to)
{
    struct stage s = stage(size);
    check_root(to, "bupc_allv_permute");
    upcr_put(on_thread(s.in, to), value, size);
    upcr_ordering_barrier("bupc_allv_permute");
    upcr_get(value, on_thread(s.in, upcr_mythread), size);
    upcr_internal_barrier("bupc_allv_permute");
}
