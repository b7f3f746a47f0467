/* Blocks at the same offset in all segments. Thread 0 allocates them. They may reach up to the border, which all
   threads know: to move it up, thread 0 asks all threads, through a tree; to move it down, it notifies them. That is
   rare, because each move is larger than necessary. */
#include "transport/messages/heap.h"

#include <stdlib.h>

enum {
    SYMMETRIC_GRANULE = UPCR_CACHE_LINE,
    SLACK = 1 << 20, /* least number of bytes by which the border moves further than it must */
};

/* A thread that waits for a symmetric block, or, with bytes 0, for the border to move down. */
struct wish {
    struct wish *next;
    int thread;
    int tries;
    uint64_t op, bytes;
};

/* The state of thread 0, if there are several groups. */
static struct {
    uint32_t version; /* of the border */
    struct wish *first, **last;
    bool asking;
    uint64_t most; /* bytes in use of the fullest local heap, as of the last query */
} symmetric;

/* The query about the border that is passing through this process. */
static struct {
    uint64_t border;
    uint32_t version;
    int missing; /* number of missing answers */
    bool granted;
    uint64_t most;
} question;

/* Returns the symmetric arena. Pre: this is thread 0, or a thread of the only group. */
static struct upcr_arena *symmetric_arena(void)
{
    return &net.group->symmetric;
}

void net_symmetric_start(void)
{
    uint64_t start = (net.heap_start + SYMMETRIC_GRANULE - 1) & ~(uint64_t)(SYMMETRIC_GRANULE - 1);
    uint64_t bottom = start + SYMMETRIC_GRANULE - UPCR_ARENA_HEADER;
    if (upcr_mythread == 0) {
        upcr_arena_init(symmetric_arena(), net_at(0, 0), bottom, SYMMETRIC_GRANULE, false);
        net.group->border = bottom + UPCR_ARENA_HEADER;
    }
    symmetric.last = &symmetric.first;
    net_member(upcr_mythread)->border = bottom + UPCR_ARENA_HEADER;
}

/* ---- The border, in every process ----------------------------------------------------------------------------------- */

/* Sends a message to the children of this group in the tree of groups, whose root is thread 0's group. The first
   thread of each group acts for it. A group's children are at distances that are powers of two below its own lowest
   bit. */
static void notify_children(enum net_kind kind, uint64_t a, uint64_t b, int *count)
{
    for (int step = 1; (net.my_group & step) == 0 && net.my_group + step < net.groups; step <<= 1) {
        struct net_message *message = net_begin(kind);
        message->a = a;
        message->b = b;
        net_send(message, net.leader[net.my_group + step], 0);
        if (count != NULL)
            ++*count;
    }
}

static void notify_parent(struct net_message *message)
{
    net_send(message, net.leader[net.my_group & (net.my_group - 1)], 0);
}

/* Moves the border of all threads of the group. */
static void set_border(uint64_t border, uint32_t version)
{
    struct net_group *group = net.group;
    upcr_mutex_lock(&group->borders);
    /* A later query may overtake an answer. */
    bool newer = (int32_t)(version - group->border_version) > 0;
    if (newer)
        group->border_version = version;
    for (int t = net.first; newer && t < net.first + net.count; t++) {
        upcr_mutex_lock(&net_member(t)->borders);
        net_member(t)->border = border;
        upcr_mutex_unlock(&net_member(t)->borders);
    }
    upcr_mutex_unlock(&group->borders);
}

static void answered(void);

/* Returns a thread's answer, which takes effect at once. */
static bool may_move(int thread, uint64_t border)
{
    struct net_member *member = net_member(thread);
    upcr_mutex_lock(&member->arena.lock);
    if (member->arena.low < border)
        net_trim_local(thread, 1);
    upcr_mutex_lock(&member->borders);
    bool may = member->arena.low >= border;
    if (may)
        member->border = border;
    upcr_mutex_unlock(&member->borders);
    upcr_mutex_unlock(&member->arena.lock);
    return may;
}

static void ask_everybody(uint64_t border, uint32_t version)
{
    question.border = border;
    question.version = version;
    question.missing = 1;
    notify_children(NET_border_ask, border, version, &question.missing);
    question.granted = true;
    question.most = 0;
    upcr_mutex_lock(&net.group->borders);
    net.group->border_version = version;
    for (int t = net.first; t < net.first + net.count; t++) {
        question.granted = question.granted && may_move(t, border);
        if (net_local_arena(t)->in_use > question.most)
            question.most = net_local_arena(t)->in_use;
    }
    upcr_mutex_unlock(&net.group->borders);
    answered();
}

void net_on_border_ask(struct net_message *message, int from, size_t data)
{
    (void)from, (void)data;
    ask_everybody(message->a, (uint32_t)message->b);
}

void net_on_border_reported(struct net_message *message, int from, size_t data)
{
    (void)from, (void)data;
    question.granted = question.granted && message->count != 0;
    if (message->b > question.most)
        question.most = message->b;
    answered();
}

void net_on_border_back(struct net_message *message, int from, size_t data)
{
    (void)from, (void)data;
    notify_children(NET_border_back, message->a, (uint32_t)message->b, NULL);
    set_border(message->a, (uint32_t)message->b);
}

/* ---- Thread 0 ------------------------------------------------------------------------------------------------------- */

static void serve_wishes(void);

static void move_border_back(uint64_t border)
{
    net.group->border = border;
    symmetric.version++;
    notify_children(NET_border_back, border, symmetric.version, NULL);
    set_border(border, symmetric.version);
}

/* Counts one more answer. */
static void answered(void)
{
    if (--question.missing > 0)
        return;
    if (upcr_mythread != 0) {
        struct net_message *message = net_begin(NET_border_reported);
        message->count = question.granted;
        message->b = question.most;
        notify_parent(message);
        return;
    }
    symmetric.asking = false;
    symmetric.most = question.most;
    if (question.granted)
        net.group->border = question.border;
    else
        move_border_back(net.group->border);
    serve_wishes();
}

static uint64_t try_symmetric(uint64_t bytes)
{
    struct upcr_arena *arena = symmetric_arena();
    uint64_t offset = upcr_arena_alloc(arena, net_at(0, 0), bytes, SYMMETRIC_GRANULE);
    if (offset != 0)
        return offset;
    uint64_t need = upcr_arena_need(arena, bytes, SYMMETRIC_GRANULE), capacity = net.group->border - (arena->high + UPCR_ARENA_HEADER);
    uint64_t wanted = need > NET_GROWTH || NET_GROWTH > capacity ? need : NET_GROWTH;
    if (wanted > capacity)
        return 0;
    upcr_arena_grow(arena, net_at(0, 0), wanted);
    return upcr_arena_alloc(arena, net_at(0, 0), bytes, SYMMETRIC_GRANULE);
}

static uint64_t trimmed_border(void)
{
    upcr_arena_trim(symmetric_arena(), net_at(0, 0), 1);
    return symmetric_arena()->high + UPCR_ARENA_HEADER;
}

/* Returns where the border should be for a block: in the first attempt some way beyond what the block needs. 0: it
   does not fit anywhere. */
static uint64_t border_for(uint64_t bytes, int tries)
{
    uint64_t high = trimmed_border(), slack = high / 2 > SLACK ? high / 2 : SLACK;
    if (bytes >= net.segment_bytes)
        return 0;
    uint64_t border = high + upcr_arena_need(symmetric_arena(), bytes, SYMMETRIC_GRANULE);
    if (border > net.segment_bytes)
        return 0;
    if (tries == 0 && border + slack < net.segment_bytes / 2)
        border += slack;
    return (border + SYMMETRIC_GRANULE - 1) & ~(uint64_t)(SYMMETRIC_GRANULE - 1);
}

/* Queries all threads for a wish. False: a query would be useless. */
static bool ask_for(struct wish *wish)
{
    uint64_t border = wish->tries < 2 ? border_for(wish->bytes, wish->tries++) : 0;
    if (border == 0)
        return false;
    symmetric.asking = true;
    symmetric.version++;
    ask_everybody(border, symmetric.version);
    return true;
}

static void fulfil(struct wish *wish, uint64_t offset)
{
    struct net_message *message = net_begin(NET_allocated);
    message->a = offset;
    message->b = wish->bytes != 0 ? symmetric_arena()->in_use + symmetric.most : net.group->border;
    message->c = wish->op;
    message->count = symmetric.version;
    if (wish->thread == 0)
        net_on_allocated(message, 0, 0);
    else
        net_send(message, wish->thread, 0);
    symmetric.first = wish->next;
    if (symmetric.first == NULL)
        symmetric.last = &symmetric.first;
    free(wish);
}

/* ---- Large blocks that are freed -------------------------------------------------------------------------------------

   All threads give their pages back before the space may be used again. They are notified through the tree, of one
   block after the other. */

struct freed {
    struct freed *next;
    uint64_t offset, bytes;
};

/* Queue of thread 0; the first block is being discarded. */
static struct {
    struct freed *first;
} discards;

/* In every process: missing answers to the request in progress. */
static int discards_missing;

static void discarded(void);

static void own_discarded(void *unused)
{
    (void)unused;
    discarded();
}

static void discard_below(uint64_t offset, uint64_t bytes)
{
    discards_missing = 1;
    notify_children(NET_discard, offset, bytes, &discards_missing);
    net_discard_later(net.first, net.count, offset, bytes, own_discarded, NULL);
}

/* Counts one more part of the tree that has given back its pages. */
static void discarded(void)
{
    if (--discards_missing > 0)
        return;
    if (upcr_mythread != 0) {
        notify_parent(net_begin(NET_discarded));
        return;
    }
    struct freed *freed = discards.first;
    upcr_arena_free(symmetric_arena(), net_at(0, 0), freed->offset);
    discards.first = freed->next;
    free(freed);
    serve_wishes();
    if (discards.first != NULL)
        discard_below(discards.first->offset, discards.first->bytes);
}

void net_on_discard(struct net_message *message, int from, size_t data)
{
    (void)from, (void)data;
    discard_below(message->a, message->b);
}

void net_on_discarded(struct net_message *message, int from, size_t data)
{
    (void)message, (void)from, (void)data;
    discarded();
}

/* Discards and frees a block, on thread 0, within net_enter. False: it has been freed before. */
static bool discard_and_free(uint64_t offset, uint64_t bytes)
{
    struct freed **at = &discards.first;
    for (; *at != NULL; at = &(*at)->next)
        if ((*at)->offset == offset)
            return false;
    if ((*at = calloc(1, sizeof **at)) == NULL)
        upcr_die("out of private memory for the shared heap");
    (*at)->offset = offset;
    (*at)->bytes = bytes;
    if (*at == discards.first)
        discard_below(offset, bytes);
    return true;
}

static void serve_wishes(void)
{
    while (symmetric.first != NULL && !symmetric.asking) {
        struct wish *wish = symmetric.first;
        uint64_t offset = 0;
        if (wish->bytes != 0)
            offset = try_symmetric(wish->bytes);
        /* There will be more space once the pages of freed blocks are given back. */
        if (offset == 0 && discards.first != NULL)
            return;
        if (wish->bytes == 0)
            move_border_back(trimmed_border());
        /* The query may be answered at once, and this wish be served before ask_for returns. */
        else if (offset == 0 && ask_for(wish))
            return;
        fulfil(wish, offset);
    }
}

static void add_wish(int thread, uint64_t op, uint64_t bytes)
{
    struct wish *wish = calloc(1, sizeof *wish);
    if (wish == NULL)
        upcr_die("out of private memory for the shared heap");
    *wish = (struct wish){.thread = thread, .op = op, .bytes = bytes};
    *symmetric.last = wish;
    symmetric.last = &wish->next;
    /* A wish behind another one is served together with that. */
    if (symmetric.first == wish)
        serve_wishes();
}

void net_on_alloc(struct net_message *message, int from, size_t data)
{
    (void)data;
    add_wish(from, message->c, message->a);
}

void net_on_allocated(struct net_message *message, int from, size_t data)
{
    struct net_op *op = (struct net_op *)(uintptr_t)message->c;
    (void)from, (void)data;
    op->value = message->a;
    if (op->dst != NULL)
        *(uint64_t *)op->dst = message->b;
    else
        set_border(message->b, message->count);
    /* Publishes the results to net_await. */
    atomic_store_explicit(&op->left, 0, memory_order_release);
}

static uint64_t wish_for(uint64_t bytes, uint64_t *in_use)
{
    struct net_op op = {.dst = in_use, .left = 1};
    net_enter();
    if (upcr_mythread == 0) {
        add_wish(0, (uint64_t)(uintptr_t)&op, bytes);
    } else {
        struct net_message *message = net_begin(NET_alloc);
        message->a = bytes;
        message->c = (uint64_t)(uintptr_t)&op;
        net_send(message, 0, 0);
    }
    net_leave();
    net_await(&op.left);
    return op.value;
}

/* ---- Only one group: no message is needed --------------------------------------------------------------------------- */

/* Moves the border. Pre: the symmetric arena's lock is held. */
static bool move_here(uint64_t border)
{
    int thread = 0;
    while (thread < upcr_threads && may_move(thread, border))
        thread++;
    bool moved = thread == upcr_threads;
    while (!moved && --thread >= 0)
        may_move(thread, net.group->border);
    if (moved)
        net.group->border = border;
    return moved;
}

static uint64_t alloc_here(uint64_t bytes, uint64_t *in_use)
{
    uint64_t offset = 0, most = 0;
    upcr_mutex_lock(&symmetric_arena()->lock);
    if (bytes < net.segment_bytes)
        offset = try_symmetric(bytes);
    for (int tries = 0; offset == 0 && tries < 2; tries++) {
        uint64_t border = border_for(bytes, tries);
        if (border != 0 && move_here(border))
            offset = try_symmetric(bytes);
    }
    for (int t = 0; t < upcr_threads; t++)
        most = net_local_arena(t)->in_use > most ? net_local_arena(t)->in_use : most;
    *in_use = symmetric_arena()->in_use + most;
    upcr_mutex_unlock(&symmetric_arena()->lock);
    return offset;
}

static void lower_border_here(void)
{
    upcr_mutex_lock(&symmetric_arena()->lock);
    (void)move_here(trimmed_border());
    upcr_mutex_unlock(&symmetric_arena()->lock);
}

static enum net_freed free_here(uint64_t offset)
{
    enum net_freed freed = NET_NOT_SYMMETRIC;
    upcr_mutex_lock(&symmetric_arena()->lock);
    if (offset < symmetric_arena()->high) {
        uint64_t bytes = upcr_arena_payload(symmetric_arena(), net_at(0, 0), offset);
        for (int thread = 0; bytes >= NET_DISCARD && thread < upcr_threads; thread++)
            net_discard(thread, offset, bytes);
        freed = upcr_arena_free(symmetric_arena(), net_at(0, 0), offset) ? NET_FREED : NET_FREED_NOTHING;
    }
    upcr_mutex_unlock(&symmetric_arena()->lock);
    return freed;
}

/* ---- The contract --------------------------------------------------------------------------------------------------- */

uint64_t upcr_tp_alloc_symmetric(size_t bytes, struct upcr_heap_usage *usage)
{
    usage->size = net.heap_bytes;
    usage->in_use = 0;
    return net.groups == 1 ? alloc_here(bytes, &usage->in_use) : wish_for(bytes, &usage->in_use);
}

void net_lower_border(void)
{
    if (net.groups == 1)
        lower_border_here();
    else
        wish_for(0, NULL);
}

/* Frees a symmetric block, as thread 0, within net_enter. */
static enum net_freed free_mine(uint64_t offset)
{
    if (offset >= symmetric_arena()->high)
        return NET_NOT_SYMMETRIC;
    uint64_t bytes = upcr_arena_payload(symmetric_arena(), net_at(0, 0), offset);
    bool freed = bytes >= NET_DISCARD ? discard_and_free(offset, bytes) : upcr_arena_free(symmetric_arena(), net_at(0, 0), offset);
    return freed ? NET_FREED : NET_FREED_NOTHING;
}

enum net_freed net_free_symmetric(uint64_t offset)
{
    if (net.groups == 1)
        return free_here(offset);
    net_enter();
    enum net_freed freed = free_mine(offset);
    net_leave();
    return freed;
}
