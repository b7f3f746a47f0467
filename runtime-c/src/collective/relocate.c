/* Relocalization operations (library section, "UPC Collective Utilities"). Each is a set of copies of blocks. A
   thread's share consists of the copies that read or write its own memory, so that no two threads write the same
   block. */
#include <string.h>

#include "checks/checks.h"
#include "collective/collective.h"
#include "collective/posts.h"
#include "collective/tree.h"
#include "transport/transport.h"
#include "wait.h"

struct kind;

struct relocation {
    const struct kind *kind;
    upcr_pts_t dst, src, perm;
    size_t bytes;               /* of a block */
    struct upcr_batch *batch;   /* of copies */
    struct upcr_call *touching; /* not NULL: the shares are only named to the detection of races */
};

/* The description of one of the functions. */
struct kind {
    const char *function, *reads, *writes; /* the name, alone and with a verb */
    bool dst_dealt, src_dealt;             /* the array is distributed over the threads; otherwise one thread has all of it */
    bool square;                           /* a share has one block for each thread instead of a single one */
    void (*share)(const struct relocation *r, int thread);
    size_t most;                                  /* largest block, in bytes, for which a tree between groups pays */
    void (*by_tree)(const struct relocation *r);  /* NULL: the function has none */
    bool posts_all;                               /* a post has a block for each thread */
    void (*by_posts)(const struct relocation *r); /* NULL: the function has none */
};

/* Returns the place `index` blocks after p in a thread's own part of the array, where p is the start of thread 0's
   part. */
static upcr_pts_t block_on(upcr_pts_t p, int thread, size_t index, size_t bytes)
{
    return upcr_make((size_t)thread, 0, upcr_addrfield(p) + index * bytes);
}

/* Returns the same in an array that one thread has all of. */
static upcr_pts_t block_at(upcr_pts_t p, size_t index, size_t bytes)
{
    return upcr_field(p, index * bytes);
}

static void move(const struct relocation *r, upcr_pts_t dst, upcr_pts_t src)
{
    if (r->touching != NULL) {
        upcr_call_touch(r->touching, src, r->bytes, UPCR_TOUCH_READ);
        upcr_call_touch(r->touching, dst, r->bytes, UPCR_TOUCH_WRITE);
        return;
    }
    if (upcr_is_checked()) {
        upcr_checks.transfer(src, r->bytes, r->kind->reads);
        upcr_checks.transfer(dst, r->bytes, r->kind->writes);
    }
    upcr_start_copy(dst, src, r->bytes, r->batch);
}

static void broadcast_share(const struct relocation *r, int thread)
{
    move(r, block_on(r->dst, thread, 0, r->bytes), r->src);
}

static void scatter_share(const struct relocation *r, int thread)
{
    move(r, block_on(r->dst, thread, 0, r->bytes), block_at(r->src, (size_t)thread, r->bytes));
}

static void gather_share(const struct relocation *r, int thread)
{
    move(r, block_at(r->dst, (size_t)thread, r->bytes), block_on(r->src, thread, 0, r->bytes));
}

/* Returns the thread whose block a thread moves first of those of all threads, so that not all read from the same
   thread. Its own block is the last where messages bring others: they are on their way while it is copied. */
static int first_from(int thread)
{
    return upcr_all_mapped() ? thread : (thread + 1) % upcr_threads;
}

static void gather_all_share(const struct relocation *r, int thread)
{
    for (int i = 0, from = first_from(thread); i < upcr_threads; i++, from = from + 1 == upcr_threads ? 0 : from + 1)
        move(r, block_on(r->dst, thread, (size_t)from, r->bytes), block_on(r->src, from, 0, r->bytes));
}

static void exchange_share(const struct relocation *r, int thread)
{
    for (int i = 0, from = first_from(thread); i < upcr_threads; i++, from = from + 1 == upcr_threads ? 0 : from + 1)
        move(r, block_on(r->dst, thread, (size_t)from, r->bytes), block_on(r->src, from, (size_t)thread, r->bytes));
}

/* Returns perm[thread]; perm is a cyclic array. */
static int target_of(const struct relocation *r, int thread)
{
    int to;
    upcr_pts_t place = block_on(r->perm, thread, 0, 0);
    if (upcr_is_checked())
        upcr_checks.transfer(place, sizeof to, r->kind->reads);
    if (r->touching != NULL)
        upcr_call_touch(r->touching, place, sizeof to, UPCR_TOUCH_READ);
    upcr_get(&to, place, sizeof to);
    if (to < 0 || to >= upcr_threads)
        upcr_die(CHECK_PERMUTATION, r->kind->function, thread, to);
    return to;
}

static void permute_share(const struct relocation *r, int thread)
{
    move(r, block_on(r->dst, target_of(r, thread), 0, r->bytes), block_on(r->src, thread, 0, r->bytes));
}

/* ---- In trees ---------------------------------------------------------------------------------------------------- */

/* Size of a block from which the messages themselves cost less than passing the bytes on. */
enum { TREE_BYTES = 1 << 14 };

/* Size of a block from which an exchange of more than two threads takes a step for each pair of them: below, many gets
   at a time hide more of the time of a message than steps. */
enum { PAIRS_BYTES = 1 << 14 };

static void broadcast_by_tree(const struct relocation *r)
{
    int root = (int)upcr_threadof(r->src);
    upcr_tree_broadcast(root, root == upcr_mythread ? upcr_addr(r->src) : NULL, r->dst, r->bytes);
}

static void scatter_by_tree(const struct relocation *r)
{
    int root = (int)upcr_threadof(r->src);
    upcr_tree_scatter(root, root == upcr_mythread ? upcr_addr(r->src) : NULL, r->dst, r->bytes);
}

static void gather_by_tree(const struct relocation *r)
{
    int root = (int)upcr_threadof(r->dst);
    upcr_tree_gather(root, root == upcr_mythread ? upcr_addr(r->dst) : NULL, r->src, r->bytes);
}

static void gather_all_by_tree(const struct relocation *r)
{
    upcr_tree_gather_all(r->dst, r->src, r->bytes);
}

static void exchange_by_tree(const struct relocation *r)
{
    upcr_tree_exchange(r->dst, r->src, r->bytes);
}

/* Returns whether each thread touches only its own data in a tree, where messages bring the data of others: each is a
   group, and acts for itself alone. */
static bool is_own(void)
{
    return upcr_tp_groups() == upcr_threads;
}

/* Returns whether an exchange sends each block directly. */
static bool goes_by_pairs(const struct relocation *r)
{
    return r->kind->by_tree == exchange_by_tree && is_own() && (upcr_threads == 2 || r->bytes >= PAIRS_BYTES);
}

/* Returns whether to use a tree. Checked programs copy share by share, because the copies check the places. */
static bool goes_by_tree(const struct relocation *r)
{
    if (upcr_all_mapped() || upcr_is_checked() || r->kind->by_tree == NULL)
        return false;
    return r->bytes <= r->kind->most || goes_by_pairs(r);
}

/* ---- By posts ---------------------------------------------------------------------------------------------------- */

/* Copies a block out of a post, or out of this thread's own part of the source. */
static void take(const struct relocation *r, size_t dst_index, int from, size_t index)
{
    const char *blocks = from == upcr_mythread ? upcr_addr(r->kind->src_dealt ? block_on(r->src, from, 0, 0) : r->src) : upcr_post_of(from);
    char *dst = upcr_addr(r->kind->dst_dealt ? block_on(r->dst, upcr_mythread, 0, 0) : r->dst);
    memcpy(dst + dst_index * r->bytes, blocks + index * r->bytes, r->bytes);
}

static void post(upcr_pts_t src, size_t bytes)
{
    memcpy(upcr_post_begin(), upcr_addr(src), bytes);
    upcr_post_end();
}

static void broadcast_by_posts(const struct relocation *r)
{
    int root = (int)upcr_threadof(r->src);
    if (upcr_mythread == root)
        post(r->src, r->bytes);
    take(r, 0, root, 0);
}

static void scatter_by_posts(const struct relocation *r)
{
    int root = (int)upcr_threadof(r->src);
    if (upcr_mythread == root)
        post(r->src, r->bytes * (size_t)upcr_threads);
    take(r, 0, root, (size_t)upcr_mythread);
}

static void gather_by_posts(const struct relocation *r)
{
    int root = (int)upcr_threadof(r->dst);
    if (upcr_mythread != root)
        post(block_on(r->src, upcr_mythread, 0, 0), r->bytes);
    for (int t = 0; t < upcr_threads; t++)
        if (upcr_mythread == root)
            take(r, (size_t)t, t, 0);
        else if (t != root && t != upcr_mythread)
            upcr_post_skip(t);
}

static void gather_all_by_posts(const struct relocation *r)
{
    post(block_on(r->src, upcr_mythread, 0, 0), r->bytes);
    for (int t = 0; t < upcr_threads; t++)
        take(r, (size_t)t, t, 0);
}

static void exchange_by_posts(const struct relocation *r)
{
    post(block_on(r->src, upcr_mythread, 0, 0), r->bytes * (size_t)upcr_threads);
    for (int t = 0; t < upcr_threads; t++)
        take(r, (size_t)t, t, (size_t)upcr_mythread);
}

static bool goes_by_posts(const struct relocation *r, const struct upcr_call *call)
{
    if (r->kind->by_posts == NULL || r->bytes > UPCR_POST_BYTES)
        return false;
    /* Where each thread waits for each, one meeting takes fewer changes of the threads on a processor. */
    if (r->kind->square && upcr_wait_is_crowded())
        return false;
    return upcr_posts_serve(call, r->kind->posts_all ? r->bytes * (size_t)upcr_threads : r->bytes);
}

/* ---- All of them ------------------------------------------------------------------------------------------------- */

static void share_all(const struct relocation *r)
{
    for (int thread = 0; thread < upcr_threads; thread++)
        r->kind->share(r, thread);
}

static void relocate_all(void *argument)
{
    const struct relocation *r = argument;
    share_all(r);
    upcr_finish(r->batch);
}

/* Checks that perm[MYTHREAD] is the only element with its value. */
static void check_permutation(const struct relocation *r)
{
    int mine = target_of(r, upcr_mythread);
    for (int thread = 0; thread < upcr_mythread; thread++)
        if (target_of(r, thread) == mine)
            upcr_die(CHECK_PERMUTATION_TWICE, r->kind->function, thread, upcr_mythread, mine);
}

/* Checks the arguments in checked programs; shares check what they touch. */
static __attribute__((__cold__)) void check_relocation(const struct relocation *r, upc_flag_t flags)
{
    const struct kind *kind = r->kind;
    upcr_arguments_check(&(struct upcr_arguments){
        .function = kind->function, .dst = r->dst, .src = r->src, .perm = r->perm, .count_name = "nbytes", .count = r->bytes, .flags = flags});
    if (r->bytes == 0)
        upcr_die(CHECK_NO_BYTES, kind->function);
    if (kind->dst_dealt && upcr_threadof(r->dst) != 0)
        upcr_die(CHECK_DEALT_OUT, kind->function, "dst", upcr_threadof(r->dst));
    if (kind->src_dealt && upcr_threadof(r->src) != 0)
        upcr_die(CHECK_DEALT_OUT, kind->function, "src", upcr_threadof(r->src));
    if (!upcr_is_null(r->perm) && upcr_threadof(r->perm) != 0)
        upcr_die(CHECK_DEALT_OUT, kind->function, "perm", upcr_threadof(r->perm));
    if (kind->share == permute_share)
        check_permutation(r);
}

/* Names what the call touches to the detection of races. */
static __attribute__((__cold__)) void touch_shares(struct relocation *r, struct upcr_call *call)
{
    r->touching = call;
    share_all(r);
    r->touching = NULL;
}

static void enter(struct relocation *r, struct upcr_call *call, bool own)
{
    upcr_call_enter(call, own);
    if (upcr_is_racing())
        touch_shares(r, call);
}

static void relocate_by_tree(struct relocation *r, struct upcr_call *call)
{
    bool own = is_own();
    enter(r, call, own);
    r->kind->by_tree(r);
    upcr_call_leave(call, own);
}

/* Apart, so that small calls save no registers for it. */
static __attribute__((__noinline__)) void relocate_by_shares(struct relocation *r, struct upcr_call *call)
{
    size_t threads = (size_t)upcr_threads, copies = r->kind->square ? threads * threads : threads;
    bool synchronizes = call->in != UPCR_NOSYNC && call->out != UPCR_NOSYNC;
    struct upcr_batch batch = {0};
    r->batch = &batch;
    /* If the call synchronizes at both ends, the threads meet only once when one of them does all the work in
       between. */
    if (synchronizes && r->bytes <= SIZE_MAX / copies && upcr_call_is_small(copies * r->bytes, copies)) {
        upcr_call_alone(call, 0, relocate_all, r);
        return;
    }
    enter(r, call, false);
    r->kind->share(r, upcr_mythread);
    upcr_finish(&batch);
    upcr_call_leave(call, false);
}

static void relocate(const struct kind *kind, upcr_pts_t dst, upcr_pts_t src, upcr_pts_t perm, size_t bytes, upc_flag_t flags)
{
    struct upcr_call call = upcr_call_begin(kind->function, flags);
    struct relocation r = {kind, dst, src, perm, bytes, NULL, NULL};
    if (upcr_is_checked())
        check_relocation(&r, flags);
    if (goes_by_tree(&r)) {
        relocate_by_tree(&r, &call);
    } else if (goes_by_posts(&r, &call)) {
        kind->by_posts(&r);
        upcr_posts_end();
    } else {
        relocate_by_shares(&r, &call);
    }
}

/* Defines the kind of a function, given by its name without upc_all_. */
#define KIND(name, dst_dealt, src_dealt, square, most, by_tree, posts_all, by_posts)                                                                   \
    {                                                                                                                                                  \
        "upc_all_" #name, "upc_all_" #name " reads", "upc_all_" #name " writes", dst_dealt, src_dealt, square, name##_share, most, by_tree, posts_all, \
            by_posts                                                                                                                                   \
    }

#pragma GCC visibility push(default)
void upc_all_broadcast(upcr_pts_t dst, upcr_pts_t src, size_t nbytes, upc_flag_t flags);
void upc_all_scatter(upcr_pts_t dst, upcr_pts_t src, size_t nbytes, upc_flag_t flags);
void upc_all_gather(upcr_pts_t dst, upcr_pts_t src, size_t nbytes, upc_flag_t flags);
void upc_all_gather_all(upcr_pts_t dst, upcr_pts_t src, size_t nbytes, upc_flag_t flags);
void upc_all_exchange(upcr_pts_t dst, upcr_pts_t src, size_t nbytes, upc_flag_t flags);
void upc_all_permute(upcr_pts_t dst, upcr_pts_t src, upcr_pts_t perm, size_t nbytes, upc_flag_t flags);
#pragma GCC visibility pop

void upc_all_broadcast(upcr_pts_t dst, upcr_pts_t src, size_t nbytes, upc_flag_t flags)
{
    static const struct kind kind = KIND(broadcast, true, false, false, SIZE_MAX, broadcast_by_tree, false, broadcast_by_posts);
    relocate(&kind, dst, src, UPCR_NULL, nbytes, flags);
}

void upc_all_scatter(upcr_pts_t dst, upcr_pts_t src, size_t nbytes, upc_flag_t flags)
{
    static const struct kind kind = KIND(scatter, true, false, false, TREE_BYTES, scatter_by_tree, true, scatter_by_posts);
    relocate(&kind, dst, src, UPCR_NULL, nbytes, flags);
}

void upc_all_gather(upcr_pts_t dst, upcr_pts_t src, size_t nbytes, upc_flag_t flags)
{
    static const struct kind kind = KIND(gather, false, true, false, TREE_BYTES, gather_by_tree, false, gather_by_posts);
    relocate(&kind, dst, src, UPCR_NULL, nbytes, flags);
}

void upc_all_gather_all(upcr_pts_t dst, upcr_pts_t src, size_t nbytes, upc_flag_t flags)
{
    static const struct kind kind = KIND(gather_all, true, true, true, SIZE_MAX, gather_all_by_tree, false, gather_all_by_posts);
    relocate(&kind, dst, src, UPCR_NULL, nbytes, flags);
}

void upc_all_exchange(upcr_pts_t dst, upcr_pts_t src, size_t nbytes, upc_flag_t flags)
{
    static const struct kind kind = KIND(exchange, true, true, true, UPCR_TREE_EXCHANGE_BYTES, exchange_by_tree, true, exchange_by_posts);
    relocate(&kind, dst, src, UPCR_NULL, nbytes, flags);
}

void upc_all_permute(upcr_pts_t dst, upcr_pts_t src, upcr_pts_t perm, size_t nbytes, upc_flag_t flags)
{
    static const struct kind kind = KIND(permute, true, true, false, 0, NULL, false, NULL);
    relocate(&kind, dst, src, perm, nbytes, flags);
}
