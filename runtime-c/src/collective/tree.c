#include "collective/tree.h"

#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

#include "collective/collective.h"
#include "transport/transport.h"

/* Size from which a broadcast is cut into parts, which all groups then pass on, instead of being sent as a whole at
   each step. */
enum { CUT_BYTES = 1 << 16 };

/* Size from which a thread copies its own bytes while it sends. */
enum { MEANWHILE_BYTES = 1 << 12 };

/* The groups in order, starting with the root's; a group's number in this order is its rank. */
struct tree {
    int root, root_group;
    int groups, me;
    int reach;         /* this rank's subtree has the ranks below me + reach, as far as they exist */
    bool flat;         /* each thread is a group, which has its thread's number */
    bool cut;          /* a rank's part is a share of the bytes; otherwise the blocks of its group */
    int first, behind; /* this thread's group has the threads from first to behind - 1 */
    size_t unit;       /* bytes of a thread's block, or all bytes if they are cut */
    size_t origin;     /* the start of the data at a base: 0, or the start of this rank's part */
};

static inline int group_at(const struct tree *tree, int rank)
{
    int group = tree->root_group + rank;
    return group < tree->groups ? group : group - tree->groups;
}

/* Returns the thread that acts for a group. */
static inline int actor(const struct tree *tree, int rank)
{
    int group = group_at(tree, rank);
    return rank == 0 ? tree->root : tree->flat ? group : upcr_tp_group_first(group);
}

static inline bool is_group_leader(const struct tree *tree)
{
    return actor(tree, tree->me) == upcr_mythread;
}

static size_t start_of_blocks(const struct tree *tree, int rank)
{
    int before = upcr_tp_group_first(tree->root_group), group = tree->root_group + rank;
    int behind = group < tree->groups ? upcr_tp_group_first(group) : upcr_threads + upcr_tp_group_first(group - tree->groups);
    return (size_t)(behind - before) * tree->unit;
}

/* Returns the start of a rank's part among all parts; rank may be `groups`. */
static inline size_t start_of(const struct tree *tree, int rank)
{
    if (tree->cut)
        return upcr_part_begin(tree->unit, (size_t)rank, (size_t)tree->groups);
    return tree->flat ? (size_t)rank * tree->unit : start_of_blocks(tree, rank);
}

static int reach_of(int rank, int groups)
{
    int reach = 1;
    while (reach < groups && (rank & reach) == 0)
        reach <<= 1;
    return reach;
}

/* Small calls compute no more than they must. */
static inline struct tree tree_from(int root, size_t unit)
{
    struct tree tree = {.root = root, .root_group = root, .groups = upcr_tp_groups(), .unit = unit};
    int group = upcr_mythread;
    tree.flat = tree.groups == upcr_threads;
    tree.first = upcr_mythread;
    tree.behind = upcr_mythread + 1;
    if (!tree.flat) {
        group = upcr_tp_group_of(upcr_mythread);
        tree.root_group = upcr_tp_group_of(root);
        tree.first = upcr_tp_group_first(group);
        tree.behind = upcr_tp_group_first(group + 1);
    }
    tree.me = group - tree.root_group;
    tree.me += tree.me < 0 ? tree.groups : 0;
    tree.reach = reach_of(tree.me, tree.groups);
    return tree;
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

static void *memory(size_t bytes)
{
    void *memory = malloc(bytes == 0 ? 1 : bytes);
    if (memory == NULL)
        upcr_die("out of private memory: a collective function needs %zu bytes", bytes);
    return memory;
}

/* Memory for a call: its own, if that is enough, so that small calls allocate none. */
struct stack_memory {
    alignas(max_align_t) char own[1024];
};

static void *memory_from(struct stack_memory *stack, size_t bytes)
{
    return bytes <= sizeof stack->own ? stack->own : memory(bytes);
}

static void give_back(const struct stack_memory *stack, void *memory)
{
    if (memory != stack->own)
        free(memory);
}

static inline void send(const struct tree *tree, int rank, const void *src, size_t n)
{
    upcr_tp_exchange(actor(tree, rank), src, n, 0, NULL, 0);
}

static inline void receive(const struct tree *tree, int rank, void *dst, size_t n)
{
    upcr_tp_exchange(0, NULL, 0, actor(tree, rank), dst, n);
}

/* ---- Over ranks: parts are consecutive in memory from a base on -------------------------------------------------- */

static void to_group(const struct tree *tree, const void *bytes, upcr_pts_t dst, size_t n);

/* Sends all n bytes to all ranks, and writes them to dst of the group's threads while the last rank receives them. */
static void whole_to_all(const struct tree *tree, void *bytes, upcr_pts_t dst, size_t n)
{
    int step = tree->reach, me = tree->me, last = n < MEANWHILE_BYTES ? 0 : 1;
    if (me != 0)
        receive(tree, me - step, bytes, n);
    while ((step >>= 1) > last)
        if (me + step < tree->groups)
            send(tree, me + step, bytes, n);
    bool sends = step == 1 && me + 1 < tree->groups;
    if (sends)
        upcr_tp_exchange_begin(actor(tree, me + 1), bytes, n, 0, NULL, 0);
    to_group(tree, bytes, dst, n);
    if (sends)
        upcr_tp_exchange_end();
}

/* Returns the address of a rank's part. */
static char *part_at(const struct tree *tree, char *base, int rank)
{
    return base + (start_of(tree, rank) - tree->origin);
}

/* Returns the bytes of the parts of ranks from..to. */
static size_t parts(const struct tree *tree, int from, int to)
{
    return start_of(tree, to) - start_of(tree, from);
}

/* Sends the parts from the root to the ranks that they belong to. A rank's base must have space for the parts of its
   subtree. */
static void spread(const struct tree *tree, char *base)
{
    int step = tree->reach, me = tree->me;
    if (me != 0)
        receive(tree, me - step, part_at(tree, base, me), parts(tree, me, least(me + step, tree->groups)));
    while ((step >>= 1) > 0)
        if (me + step < tree->groups)
            send(tree, me + step, part_at(tree, base, me + step), parts(tree, me + step, least(me + 2 * step, tree->groups)));
}

/* The same in the opposite direction. */
static void collect(const struct tree *tree, char *base)
{
    int last = tree->reach, me = tree->me;
    for (int step = 1; step < last && me + step < tree->groups; step <<= 1)
        receive(tree, me + step, part_at(tree, base, me + step), parts(tree, me + step, least(me + 2 * step, tree->groups)));
    if (me != 0)
        send(tree, me - last, part_at(tree, base, me), parts(tree, me, least(me + last, tree->groups)));
}

/* Returns the parts of `count` ranks from `first` on, which wrap around from the last rank to rank 0: the n bytes
   before the wrap, or those after it. */
static char *range_of(const struct tree *tree, char *base, int first, int count, bool behind, size_t *n)
{
    int from = first % tree->groups, to = from + count, wrapped = to > tree->groups ? to - tree->groups : 0;
    if (behind) {
        *n = parts(tree, 0, wrapped);
        return base;
    }
    *n = parts(tree, from, to - wrapped);
    return part_at(tree, base, from);
}

/* Sends each rank's part to all. A rank has the parts from its own on; their number doubles with each step, in which
   the rank passes them on to a rank in front of it. own: this rank's part where it was not written just now, from where
   the other processor reads it in half of the time. */
static void share(const struct tree *tree, char *base, const char *own)
{
    int groups = tree->groups, me = tree->me;
    for (int step = 1; step < groups; step <<= 1) {
        int count = least(step, groups - step), to = (me - step + groups) % groups, from = (me + step) % groups;
        for (int behind = 0; behind < 2; behind++) {
            size_t n, m;
            char *src = range_of(tree, base, me, count, behind, &n), *dst = range_of(tree, base, me + step, count, behind, &m);
            upcr_tp_exchange(actor(tree, to), step == 1 && n != 0 ? own : src, n, actor(tree, from), dst, m);
        }
    }
}

/* ---- In a group -------------------------------------------------------------------------------------------------- */

/* Returns the address that has the offset of p in the segment of a thread of the same group. */
static char *local_at(upcr_pts_t p, int thread)
{
    return upcr_addr(upcr_make((size_t)thread, 0, upcr_addrfield(p)));
}

bool upcr_tree_takes_part(void)
{
    return upcr_tp_groups() == upcr_threads || upcr_mythread == upcr_tp_group_first(upcr_tp_group_of(upcr_mythread));
}

/* ---- The functions ----------------------------------------------------------------------------------------------- */

static void to_group(const struct tree *tree, const void *bytes, upcr_pts_t dst, size_t n)
{
    for (int thread = tree->first; thread < tree->behind; thread++)
        if (local_at(dst, thread) != bytes)
            memcpy(local_at(dst, thread), bytes, n);
}

void upcr_tree_broadcast(int root, const void *buf, upcr_pts_t dst, size_t n)
{
    struct tree tree = tree_from(root, n);
    if (!is_group_leader(&tree) || n == 0)
        return;
    /* The root's own bytes are only read. */
    char *bytes = upcr_mythread == root ? (char *)(uintptr_t)buf : local_at(dst, upcr_mythread);
    if (n < CUT_BYTES || tree.groups < 4) {
        whole_to_all(&tree, bytes, dst, n);
        return;
    }
    tree.cut = true;
    char *whole = upcr_mythread == root ? memory(n) : bytes;
    if (upcr_mythread == root)
        memcpy(whole, buf, n);
    spread(&tree, whole);
    share(&tree, whole, part_at(&tree, whole, tree.me));
    if (upcr_mythread == root)
        free(whole);
    to_group(&tree, bytes, dst, n);
}

/* Copies blocks from the order of threads to that of ranks, which begins with the root's group, or back. */
static void rotate(const struct tree *tree, char *to, const char *from, bool to_ranks)
{
    size_t all = (size_t)upcr_threads * tree->unit, front = (size_t)upcr_tp_group_first(tree->root_group) * tree->unit;
    size_t cut = to_ranks ? front : all - front;
    memcpy(to, from + cut, all - cut);
    memcpy(to + (all - cut), from, cut);
}

/* Returns whether this thread is the root and has the blocks of all in the order of ranks. */
static bool has_blocks_in_place(const struct tree *tree)
{
    return upcr_mythread == tree->root && tree->root_group == 0;
}

/* Returns memory for the blocks of this rank's subtree. */
static char *memory_for_subtree(const struct tree *tree, struct stack_memory *stack)
{
    return memory_from(stack, parts(tree, tree->me, least(tree->me + tree->reach, tree->groups)));
}

/* Returns whether this thread deals with its own block alone: it shares no memory, and no rank is below it. */
static inline bool is_leaf(const struct tree *tree)
{
    return tree->me != 0 && tree->behind - tree->first == 1 && (tree->reach == 1 || tree->me + 1 >= tree->groups);
}

/* These are apart from the functions that call them, because a leaf needs no space for blocks. */

static __attribute__((__noinline__)) void scatter_subtree(struct tree *tree, const void *blocks, upcr_pts_t dst, size_t n)
{
    tree->origin = start_of(tree, tree->me);
    struct stack_memory stack;
    /* The root's blocks are only read. */
    bool in_place = has_blocks_in_place(tree);
    char *capacity = in_place ? (char *)(uintptr_t)blocks : memory_for_subtree(tree, &stack);
    if (upcr_mythread == tree->root && !in_place)
        rotate(tree, capacity, blocks, true);
    spread(tree, capacity);
    for (int thread = tree->first, i = 0; thread < tree->behind; thread++, i++)
        memcpy(local_at(dst, thread), capacity + (size_t)i * n, n);
    if (!in_place)
        give_back(&stack, capacity);
}

void upcr_tree_scatter(int root, const void *blocks, upcr_pts_t dst, size_t n)
{
    struct tree tree = tree_from(root, n);
    if (!is_group_leader(&tree))
        return;
    if (is_leaf(&tree))
        receive(&tree, tree.me - tree.reach, local_at(dst, upcr_mythread), n);
    else
        scatter_subtree(&tree, blocks, dst, n);
}

static __attribute__((__noinline__)) void gather_subtree(struct tree *tree, void *blocks, upcr_pts_t src, size_t n)
{
    tree->origin = start_of(tree, tree->me);
    struct stack_memory stack;
    bool in_place = has_blocks_in_place(tree);
    char *capacity = in_place ? blocks : memory_for_subtree(tree, &stack);
    for (int thread = tree->first, i = 0; thread < tree->behind; thread++, i++)
        memcpy(capacity + (size_t)i * n, local_at(src, thread), n);
    collect(tree, capacity);
    if (upcr_mythread == tree->root && !in_place)
        rotate(tree, blocks, capacity, false);
    if (!in_place)
        give_back(&stack, capacity);
}

void upcr_tree_gather(int root, void *blocks, upcr_pts_t src, size_t n)
{
    struct tree tree = tree_from(root, n);
    if (!is_group_leader(&tree))
        return;
    if (is_leaf(&tree))
        send(&tree, tree.me - tree.reach, local_at(src, upcr_mythread), n);
    else
        gather_subtree(&tree, blocks, src, n);
}

void upcr_tree_gather_all(upcr_pts_t dst, upcr_pts_t src, size_t n)
{
    struct tree tree = tree_from(0, n);
    if (!is_group_leader(&tree) || n == 0)
        return;
    char *all = local_at(dst, upcr_mythread);
    for (int thread = tree.first; thread < tree.behind; thread++)
        memcpy(all + (size_t)thread * n, local_at(src, thread), n);
    bool alone = tree.behind - tree.first == 1;
    share(&tree, all, alone ? local_at(src, upcr_mythread) : part_at(&tree, all, tree.me));
    to_group(&tree, all, dst, (size_t)upcr_threads * n);
}

void upcr_tree_reduce(void *state, size_t n, void (*add)(void *context, void *state, const void *other), void *context)
{
    struct tree tree = tree_from(0, n);
    int last = tree.reach;
    struct stack_memory stack;
    void *other = memory_from(&stack, n);
    for (int step = 1; step < last && tree.me + step < tree.groups; step <<= 1) {
        receive(&tree, tree.me + step, other, n);
        add(context, state, other);
    }
    if (tree.me != 0)
        send(&tree, tree.me - last, state, n);
    give_back(&stack, other);
}

void upcr_tree_scan(const void *own, void *before, size_t n, void (*add)(void *context, void *state, const void *other), void *context)
{
    enum { LEVELS = 32 }; /* more than the levels of any number of groups */
    struct tree tree = tree_from(0, n);
    int last = tree.reach, me = tree.me, step = 1;
    /* The states of the ranks from this one on: of one rank, of two, of four and so on, as far as they exist. */
    char *states = memory((LEVELS + 1) * n), *state = states, *other = states + LEVELS * n;
    memcpy(state, own, n);
    for (; step < last && me + step < tree.groups; step <<= 1) {
        receive(&tree, me + step, other, n);
        memcpy(state + n, state, n);
        add(context, state += n, other);
    }
    if (me != 0) {
        send(&tree, me - last, state, n);
        receive(&tree, me - last, before, n);
    }
    while ((step >>= 1) > 0) {
        memcpy(other, before, n);
        add(context, other, state -= n);
        send(&tree, me + step, other, n);
    }
    free(states);
}

/* ---- From all to all --------------------------------------------------------------------------------------------- */

/* Rank r keeps the blocks for the groups after it, each distance in a place of its own. In the step of 1 << k the
   blocks whose distance has this bit move on by that much: after the last step all have moved by their distance. A
   block at distance d has moved by the lower bits of d before that step. */
struct places {
    char *first;
    size_t bytes; /* of a place: as many as any two groups need */
};

static char *place_of(const struct places *places, int distance)
{
    return places->first + (size_t)distance * places->bytes;
}

static size_t threads_of(const struct tree *tree, int rank)
{
    if (tree->flat)
        return 1;
    int group = (rank % tree->groups + tree->groups) % tree->groups;
    return (size_t)(upcr_tp_group_first(group + 1) - upcr_tp_group_first(group));
}

static size_t most_threads(const struct tree *tree)
{
    size_t most = tree->flat;
    for (int rank = 0; !tree->flat && rank < tree->groups; rank++)
        most = threads_of(tree, rank) > most ? threads_of(tree, rank) : most;
    return most;
}

/* Returns the bytes at a distance before the step, as seen from a rank. */
static size_t bytes_at(const struct tree *tree, int rank, int distance, int step)
{
    int origin = rank - (distance & (step - 1));
    return threads_of(tree, origin) * threads_of(tree, origin + distance) * tree->unit;
}

/* Copy to or from the blocks that a group has for another: from each thread of one to each of the other. */
static void load(const struct tree *tree, char *capacity, upcr_pts_t src, int group, size_t n)
{
    for (int from = tree->first; from < tree->behind; from++)
        for (int to = upcr_tp_group_first(group); to < upcr_tp_group_first(group + 1); to++, capacity += n)
            memcpy(capacity, local_at(src, from) + (size_t)to * n, n);
}

static void unload(const struct tree *tree, const char *capacity, upcr_pts_t dst, int group, size_t n)
{
    for (int from = upcr_tp_group_first(group); from < upcr_tp_group_first(group + 1); from++)
        for (int to = tree->first; to < tree->behind; to++, capacity += n)
            memcpy(local_at(dst, to) + (size_t)from * n, capacity, n);
}

/* Copies the blocks whose distance has the bit of the step, as a rank has them, between their places and a parcel that
   has them one after the other. */
static void pack(const struct tree *tree, const struct places *places, int rank, int step, char *parcel, bool out)
{
    char *at = parcel;
    for (int d = step; d < tree->groups; d++) {
        if ((d & step) == 0)
            continue;
        size_t n = bytes_at(tree, rank, d, step);
        memcpy(out ? at : place_of(places, d), out ? place_of(places, d) : at, n);
        at += n;
    }
}

static size_t parcel_bytes(const struct tree *tree, int rank, int step)
{
    size_t bytes = 0;
    for (int d = step; d < tree->groups; d++)
        bytes += (d & step) != 0 ? bytes_at(tree, rank, d, step) : 0;
    return bytes;
}

static void pass_on(const struct tree *tree, const struct places *places, int step)
{
    int groups = tree->groups, me = tree->me, to = (me + step) % groups, from = (me - step + groups) % groups;
    struct stack_memory out_stack, in_stack;
    size_t out = parcel_bytes(tree, me, step), in = parcel_bytes(tree, from, step);
    char *going = memory_from(&out_stack, out), *coming = memory_from(&in_stack, in);
    pack(tree, places, me, step, going, true);
    upcr_tp_exchange(actor(tree, to), going, out, actor(tree, from), coming, in);
    pack(tree, places, from, step, coming, false);
    give_back(&out_stack, going);
    give_back(&in_stack, coming);
}

/* Sends each block directly, where each thread is a group: a step for each other thread. */
static void exchange_by_pairs(upcr_pts_t dst, upcr_pts_t src, size_t n)
{
    int threads = upcr_threads, me = upcr_mythread;
    const char *own = local_at(src, me);
    char *all = local_at(dst, me);
    if (n < MEANWHILE_BYTES)
        memcpy(all + (size_t)me * n, own + (size_t)me * n, n);
    for (int step = 1; step < threads; step++) {
        int to = (me + step) % threads, from = (me - step + threads) % threads;
        const char *going = own + (size_t)to * n;
        char *coming = all + (size_t)from * n;
        if (step != 1 || n < MEANWHILE_BYTES) {
            upcr_tp_exchange(to, going, n, from, coming, n);
            continue;
        }
        upcr_tp_exchange_begin(to, going, n, from, coming, n);
        memcpy(all + (size_t)me * n, own + (size_t)me * n, n);
        upcr_tp_exchange_end();
    }
}

void upcr_tree_exchange(upcr_pts_t dst, upcr_pts_t src, size_t n)
{
    struct tree tree = tree_from(0, n);
    int groups = tree.groups;
    if (!is_group_leader(&tree) || n == 0)
        return;
    if (tree.flat && (groups == 2 || n > UPCR_TREE_EXCHANGE_BYTES)) {
        exchange_by_pairs(dst, src, n);
        return;
    }
    struct stack_memory stack;
    struct places places = {.bytes = most_threads(&tree) * most_threads(&tree) * n};
    places.first = memory_from(&stack, (size_t)groups * places.bytes);
    for (int d = 0; d < groups; d++)
        load(&tree, place_of(&places, d), src, (tree.me + d) % groups, n);
    for (int step = 1; step < groups; step <<= 1)
        pass_on(&tree, &places, step);
    for (int d = 0; d < groups; d++)
        unload(&tree, place_of(&places, d), dst, (tree.me - d + groups) % groups, n);
    give_back(&stack, places.first);
}
