/* Reductions and prefix reductions (library section, "Computational Operations"), for any element type.

   The order in which elements are combined depends on THREADS and the array's layout alone, not on flags or timing,
   so a floating-point result is the same in every run.
   - A commutative reduction combines the elements of each thread, then those totals in a tree over the threads'
     numbers. If all elements have affinity to one thread, it uses equal parts in place of the threads' own elements.
   - A non-commutative reduction does the same with equal parts of consecutive elements.
   - A prefix reduction divides the elements into one part more than there are threads. First each thread computes
     the total of a part; the prefixes of the first part are final already. Then prefixes are computed from the
     totals, with the nodes of the same tree. Then each thread writes the prefixes of the next part. So each thread
     works twice, on two parts, and none waits in either phase. */
#include "checks/checks.h"
#include "collective/collective.h"
#include "collective/tree.h"

#include <stdio.h>
#include <string.h>

#include "transport/transport.h"

/* The result of combining elements, if there were any. */
struct total {
    union {
        long double widest;
        char bytes[sizeof(long double)];
    } value;
    bool any;
};
_Static_assert(sizeof(struct total) <= UPCR_SLOT_BYTES, "a total travels in a slot");

struct reduction {
    const struct upcr_arguments *arguments;
    const struct upcr_element_type *type;
    const struct upcr_kernel *kernel;
    struct upcr_layout src, dst; /* dst is used by prefix reductions */
    bool in_order;
};

const struct upcr_kernel *upcr_kernel_of(const struct upcr_element_type *type, const struct upcr_arguments *arguments)
{
    upc_op_t op = arguments->op;
    if (op == UPC_FUNC || op == UPC_NONCOMM_FUNC) {
        if (arguments->func == NULL)
            upcr_die(CHECK_FUNCTION, arguments->function);
        return &type->user;
    }
    for (int i = 0; i < UPCR_BUILTIN_OPS; i++)
        if (op == 1 << i && type->builtin[i].fold != NULL)
            return &type->builtin[i];
    upcr_die(CHECK_OPERATION, arguments->function, op);
}

/* Checks the arguments, once all threads have entered the call. In every program the elements of src and dst must
   correspond, because otherwise some would not be written. */
static void check_reduction(const struct reduction *r, bool prefix)
{
    const struct upcr_arguments *a = r->arguments;
    char reads[64] = "", writes[64] = "";
    if (upcr_is_checked()) {
        snprintf(reads, sizeof reads, "%s reads", a->function);
        snprintf(writes, sizeof writes, "%s writes", a->function);
    }
    upcr_layout_check(&r->src, a->function, "src", reads);
    if (!prefix) {
        if (upcr_is_checked())
            upcr_checks.transfer(a->dst, r->src.count == 0 ? 0 : r->src.size, writes);
        return;
    }
    if (upcr_threadof(r->dst.start) != upcr_threadof(r->src.start) || upcr_phaseof(r->dst.start) != upcr_phaseof(r->src.start))
        upcr_die(CHECK_PREFIX, a->function, upcr_threadof(a->dst), upcr_phaseof(a->dst), upcr_threadof(a->src), upcr_phaseof(a->src));
    upcr_layout_check(&r->dst, a->function, "dst", writes);
}

static struct reduction reduction_make(const struct upcr_element_type *type, const struct upcr_arguments *arguments)
{
    return (struct reduction){
        .arguments = arguments,
        .type = type,
        .kernel = upcr_kernel_of(type, arguments),
        .src = upcr_layout_make(arguments->src, arguments->count, arguments->block, type->size),
        .dst = upcr_layout_make(arguments->dst, arguments->count, arguments->block, type->size),
        .in_order = arguments->op == UPC_NONCOMM_FUNC,
    };
}

/* runs: number of runs of memory that contain the elements. The caller's function is assumed to cost as much as
   touching a few bytes. */
static bool is_small(const struct reduction *r, size_t runs)
{
    enum { CALL = 16 };
    size_t element = r->src.size + (r->kernel == &r->type->user ? CALL : 0);
    return r->src.count <= SIZE_MAX / 64 && upcr_call_is_small(r->src.count * element, runs);
}

/* The context of folding, in the form that upcr_layout_visit needs. */
struct folding {
    const struct reduction *reduction;
    struct total *total;
};

static void fold(void *context, const void *in, void *out, size_t n)
{
    const struct folding *f = context;
    const struct reduction *r = f->reduction;
    (void)out;
    if (n == 0)
        return;
    size_t first = f->total->any ? 0 : 1;
    if (first == 1)
        memcpy(f->total->value.bytes, in, r->src.size);
    f->total->any = true;
    r->kernel->fold(f->total->value.bytes, (const char *)in + first * r->src.size, n - first, r->arguments->func);
}

static void scan(void *context, const void *in, void *out, size_t n)
{
    const struct folding *f = context;
    const struct reduction *r = f->reduction;
    if (n == 0)
        return;
    size_t first = f->total->any ? 0 : 1, skip = first * r->src.size;
    if (first == 1) {
        memcpy(f->total->value.bytes, in, r->src.size);
        memmove(out, in, r->src.size);
    }
    f->total->any = true;
    r->kernel->scan(f->total->value.bytes, (const char *)in + skip, (char *)out + skip, n - first, r->arguments->func);
}

static void combine(const struct reduction *r, struct total *sum, const struct total *more)
{
    if (more->any)
        fold(&(struct folding){r, sum}, more->value.bytes, NULL, 1);
}

/* ---- Reductions --------------------------------------------------------------------------------------------------- */

/* Returns the total of a thread's part. */
static struct total part_total(const struct reduction *r, int thread)
{
    struct total total = {.any = false};
    struct folding folding = {r, &total};
    size_t threads = (size_t)upcr_threads, count = r->src.count;
    if (r->in_order) {
        upcr_layout_visit(&r->src, NULL, upcr_part_begin(count, (size_t)thread, threads), upcr_part_begin(count, (size_t)thread + 1, threads), fold, &folding);
    } else {
        struct upcr_run run = upcr_layout_share(&r->src, thread);
        struct upcr_layout own = upcr_layout_make(run.start, run.count, 0, r->src.size);
        upcr_layout_visit(&own, NULL, 0, run.count, fold, &folding);
    }
    return total;
}

static void write_result(const struct reduction *r, const struct total *sum)
{
    if (sum->any)
        upcr_put(r->arguments->dst, sum->value.bytes, r->src.size);
}

/* Totals that are fetched at the same time. */
enum { TOTALS = 64 };

/* Reads the totals of threads from `first` on, at most TOTALS of them; returns their number. */
static int get_totals(int first, int behind, struct total *totals)
{
    struct upcr_batch batch = {0};
    int count = behind - first < TOTALS ? behind - first : TOTALS;
    for (int i = 0; i < count; i++)
        upcr_start_get(&totals[i], upcr_call_slot(first + i), sizeof *totals, &batch);
    upcr_finish(&batch);
    return count;
}

/* The totals of threads side by side, combined as the leaves of one tree over the numbers of all threads. Two nodes
   are combined as soon as both exist, so that the result does not depend on which thread has combined them. */
struct node {
    int first, threads; /* the threads of the total: a power of two of them, starting at a multiple of it */
    struct total total;
};
enum { NODES = 2 * 32 };
struct nodes {
    int count;
    struct node list[NODES];
};

/* Adds a node. Pre: its threads follow those of the last node. */
static void add_node(const struct reduction *r, struct nodes *nodes, const struct node *node)
{
    struct node *top = &nodes->list[nodes->count++];
    *top = *node;
    while (nodes->count > 1 && top[-1].threads == top->threads && top[-1].first % (2 * top->threads) == 0) {
        combine(r, &top[-1].total, &top->total);
        top[-1].threads *= 2;
        nodes->count--;
        top--;
    }
}

static void write_nodes(const struct reduction *r, struct nodes *nodes)
{
    struct total sum = {.any = false};
    for (int i = 0; i < nodes->count; i++)
        combine(r, &sum, &nodes->list[i].total);
    write_result(r, &sum);
}

static void reduce_alone(void *argument)
{
    const struct reduction *r = argument;
    struct nodes nodes = {.count = 0};
    for (int thread = 0; thread < upcr_threads; thread++)
        add_node(r, &nodes, &(struct node){thread, 1, part_total(r, thread)});
    write_nodes(r, &nodes);
}

static void add_totals(const struct reduction *r, struct nodes *nodes, int first, int behind)
{
    struct total totals[TOTALS];
    while (first < behind) {
        int count = get_totals(first, behind, totals);
        for (int i = 0; i < count; i++, first++)
            add_node(r, nodes, &(struct node){first, 1, totals[i]});
    }
}

static void reduce_totals(void *argument)
{
    const struct reduction *r = argument;
    struct nodes nodes = {.count = 0};
    add_totals(r, &nodes, 0, upcr_threads);
    write_nodes(r, &nodes);
}

static void add_nodes(void *context, void *state, const void *other)
{
    const struct nodes *more = other;
    for (int i = 0; i < more->count; i++)
        add_node(context, state, &more->list[i]);
}

/* Returns the bytes of the nodes that are sent: at most two of each size. */
static size_t nodes_bytes(void)
{
    size_t levels = 32 - (size_t)__builtin_clz((unsigned)upcr_threads);
    return offsetof(struct nodes, list) + 2 * levels * sizeof(struct node);
}

/* The same where data moves between groups. */
static void reduce_by_tree(struct reduction *r)
{
    int group = upcr_tp_group_of(upcr_mythread);
    struct nodes nodes = {.count = 0};
    if (!upcr_tree_takes_part())
        return;
    add_totals(r, &nodes, upcr_tp_group_first(group), upcr_tp_group_first(group + 1));
    upcr_tree_reduce(&nodes, nodes_bytes(), add_nodes, r);
    if (upcr_mythread == 0)
        write_nodes(r, &nodes);
}

static void publish(const struct total *total)
{
    upcr_put(upcr_call_slot(upcr_mythread), total, sizeof *total);
}

void upcr_reduce(const struct upcr_element_type *type, const struct upcr_arguments *arguments)
{
    struct upcr_call call = upcr_call_begin(arguments->function, arguments->flags);
    upcr_arguments_check(arguments);
    struct reduction r = reduction_make(type, arguments);
    check_reduction(&r, false);
    if (is_small(&r, r.in_order ? r.src.count / r.src.block : (size_t)upcr_threads)) {
        upcr_call_alone(&call, (int)upcr_threadof(arguments->dst), reduce_alone, &r);
        return;
    }
    upcr_call_enter(&call, !r.in_order && !upcr_layout_is_one_run(&r.src));
    upcr_layout_touch(&r.src, &call, UPCR_TOUCH_READ);
    upcr_call_touch(&call, arguments->dst, r.src.size, UPCR_TOUCH_WRITE);
    struct total total = part_total(&r, upcr_mythread);
    publish(&total);
    /* The result is written before any thread returns, which satisfies every flag. */
    if (upcr_all_mapped()) {
        upcr_rendezvous(reduce_totals, &r, call.function);
    } else {
        if (upcr_tp_groups() != upcr_threads)
            upcr_internal_barrier(call.function);
        reduce_by_tree(&r);
        upcr_internal_barrier(call.function);
    }
    /* The flags may promise less, or more, than these barriers do. */
    if (upcr_is_racing())
        upcr_call_leave(&call, false);
}

/* ---- Prefix reductions ---------------------------------------------------------------------------------------------- */

/* Writes the prefixes of part number `part`. *total: on entry the total of the parts before it, on return also that
   of this part. */
static void scan_part(const struct reduction *r, size_t part, struct total *total)
{
    size_t parts = (size_t)upcr_threads + 1;
    upcr_layout_visit(&r->src, &r->dst, upcr_part_begin(r->src.count, part, parts), upcr_part_begin(r->src.count, part + 1, parts), scan,
                      &(struct folding){r, total});
}

static void fold_part(const struct reduction *r, size_t part, struct total *total)
{
    size_t parts = (size_t)upcr_threads + 1;
    upcr_layout_visit(&r->src, NULL, upcr_part_begin(r->src.count, part, parts), upcr_part_begin(r->src.count, part + 1, parts), fold,
                      &(struct folding){r, total});
}

/* The nodes that all threads from the first on form, largest first, and for each the total of it and all nodes
   before it. */
struct prefixes {
    struct nodes nodes;
    struct total upto[NODES];
};

/* Adds a node and returns the total of it and all before. Pre: its threads follow those of the last node. */
static struct total add_prefix(const struct reduction *r, struct prefixes *prefixes, const struct node *node)
{
    struct total upto = {.any = false};
    add_node(r, &prefixes->nodes, node);
    int top = prefixes->nodes.count - 1;
    if (top > 0)
        upto = prefixes->upto[top - 1];
    combine(r, &upto, &prefixes->nodes.list[top].total);
    return prefixes->upto[top] = upto;
}

/* Combines in the same order as the threads do together, so that the result is the same. */
static void scan_alone(void *argument)
{
    const struct reduction *r = argument;
    struct prefixes prefixes = {.nodes.count = 0};
    struct total total = {.any = false};
    scan_part(r, 0, &total);
    for (int part = 1; part <= upcr_threads; part++) {
        struct total before = add_prefix(r, &prefixes, &(struct node){part - 1, 1, total});
        total.any = false;
        if (part < upcr_threads)
            fold_part(r, (size_t)part, &total);
        scan_part(r, (size_t)part, &before);
    }
}

/* Replaces the total in each slot of these threads by the total of its part and all before. */
static void scan_slots(const struct reduction *r, struct prefixes *prefixes, int first, int behind)
{
    struct total totals[TOTALS];
    while (first < behind) {
        int count = get_totals(first, behind, totals);
        for (int i = 0; i < count; i++, first++) {
            struct total upto = add_prefix(r, prefixes, &(struct node){first, 1, totals[i]});
            upcr_put(upcr_call_slot(first), &upto, sizeof upto);
        }
    }
}

static void scan_totals(void *argument)
{
    struct prefixes prefixes = {.nodes.count = 0};
    scan_slots(argument, &prefixes, 0, upcr_threads);
}

/* The same where data moves between groups. Pre: this thread acts for its group. */
static void scan_by_tree(struct reduction *r)
{
    int group = upcr_tp_group_of(upcr_mythread), first = upcr_tp_group_first(group), behind = upcr_tp_group_first(group + 1);
    struct nodes own = {.count = 0}, before = {.count = 0};
    struct prefixes prefixes = {.nodes.count = 0};
    add_totals(r, &own, first, behind);
    upcr_tree_scan(&own, &before, nodes_bytes(), add_nodes, r);
    for (int i = 0; i < before.count; i++)
        add_prefix(r, &prefixes, &before.list[i]);
    scan_slots(r, &prefixes, first, behind);
}

/* Replaces the totals in the slots by prefixes. */
static void scan_together(struct reduction *r, const char *function)
{
    bool sharing = upcr_tp_groups() != upcr_threads;
    if (upcr_all_mapped()) {
        upcr_rendezvous(scan_totals, r, function);
        return;
    }
    if (sharing)
        upcr_internal_barrier(function);
    if (upcr_tree_takes_part())
        scan_by_tree(r);
    if (sharing)
        upcr_internal_barrier(function);
}

void upcr_prefix_reduce(const struct upcr_element_type *type, const struct upcr_arguments *arguments)
{
    struct upcr_call call = upcr_call_begin(arguments->function, arguments->flags);
    upcr_arguments_check(arguments);
    struct reduction r = reduction_make(type, arguments);
    check_reduction(&r, true);
    if (is_small(&r, r.src.count / r.src.block)) {
        upcr_call_alone(&call, (int)upcr_threadof(arguments->src), scan_alone, &r);
        return;
    }
    struct total total = {.any = false};
    upcr_call_enter(&call, false);
    upcr_layout_touch(&r.src, &call, UPCR_TOUCH_READ);
    upcr_layout_touch(&r.dst, &call, UPCR_TOUCH_WRITE);
    if (upcr_mythread == 0)
        scan_part(&r, 0, &total);
    else
        fold_part(&r, (size_t)upcr_mythread, &total);
    publish(&total);
    scan_together(&r, call.function);
    upcr_get(&total, upcr_call_slot(upcr_mythread), sizeof total);
    scan_part(&r, (size_t)upcr_mythread + 1, &total);
    upcr_call_leave(&call, false);
}
