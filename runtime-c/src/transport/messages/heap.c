/* The shared heap. In every segment the symmetric part grows upward (symmetric.c), and the thread's own blocks grow
   downward, as under smp; each thread allocates its own blocks. The space between the two belongs to the symmetric
   part up to the border. */
#include "transport/messages/heap.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    LOCAL_GRANULE = 16,
    LARGE_BLOCK = 1024,
    TRIM = 1 << 20,
};

void net_heap_start(void)
{
    net_symmetric_start();
    upcr_arena_init(net_local_arena(upcr_mythread), net_at(upcr_mythread, 0), net.segment_bytes - UPCR_ARENA_HEADER, LOCAL_GRANULE, true);
}

/* ---- Blocks of one thread ------------------------------------------------------------------------------------------- */

/* Grows a thread's arena. Pre: the arena's lock is held. */
static bool grow_local(int thread, uint64_t need)
{
    struct net_member *member = net_member(thread);
    struct upcr_arena *arena = &member->arena;
    uint64_t wanted = need > NET_GROWTH ? need : NET_GROWTH;
    upcr_mutex_lock(&member->borders);
    uint64_t capacity = arena->low > member->border ? (arena->low - member->border) & ~(arena->granule - 1) : 0;
    if (wanted > capacity)
        wanted = need;
    bool fits = wanted <= capacity;
    if (fits)
        upcr_arena_grow(arena, net_at(thread, 0), wanted);
    upcr_mutex_unlock(&member->borders);
    return fits;
}

void net_trim_local(int thread, uint64_t at_least)
{
    struct net_member *member = net_member(thread);
    upcr_mutex_lock(&member->borders);
    uint64_t bytes = upcr_arena_trim(&member->arena, net_at(thread, 0), at_least);
    if (bytes >= NET_DISCARD)
        net_discard(thread, member->arena.low - bytes, bytes);
    upcr_mutex_unlock(&member->borders);
}

static uint64_t try_local(int thread, size_t bytes, uint64_t align)
{
    struct upcr_arena *arena = net_local_arena(thread);
    char *segment = net_at(thread, 0);
    upcr_mutex_lock(&arena->lock);
    uint64_t offset = upcr_arena_alloc(arena, segment, bytes, align);
    if (offset == 0 && grow_local(thread, upcr_arena_need(arena, bytes, align)))
        offset = upcr_arena_alloc(arena, segment, bytes, align);
    upcr_mutex_unlock(&arena->lock);
    return offset;
}

/* Returns the bytes of a thread's block; 0: there is none at the offset. */
static uint64_t local_bytes(int thread, uint64_t offset)
{
    struct upcr_arena *arena = net_local_arena(thread);
    upcr_mutex_lock(&arena->lock);
    uint64_t bytes = upcr_arena_payload(arena, net_at(thread, 0), offset);
    upcr_mutex_unlock(&arena->lock);
    return bytes;
}

/* Frees a block whose pages have gone back, if it is a large one. */
static bool free_in_arena(int thread, uint64_t offset)
{
    struct upcr_arena *arena = net_local_arena(thread);
    upcr_mutex_lock(&arena->lock);
    bool freed = upcr_arena_free(arena, net_at(thread, 0), offset);
    if (freed)
        net_trim_local(thread, TRIM);
    upcr_mutex_unlock(&arena->lock);
    return freed;
}

/* The lock is not held while pages go back, because a handler may need it. */
static bool free_local(int thread, uint64_t offset)
{
    uint64_t bytes = local_bytes(thread, offset);
    if (bytes >= NET_DISCARD)
        net_discard(thread, offset, bytes);
    return free_in_arena(thread, offset);
}

/* ---- Blocks that others free ---------------------------------------------------------------------------------------- */

static void answer_free(int to, uint64_t op, enum net_freed freed)
{
    struct net_message *reply = net_begin(NET_answer);
    reply->a = freed;
    reply->c = op;
    net_send(reply, to, 0);
}

/* A large block of this thread whose pages go back before it is free. */
struct going {
    struct going *next;
    uint64_t offset, op;
    int from;
};

static struct going *first_going;

static bool is_going(uint64_t offset)
{
    const struct going *going = first_going;
    while (going != NULL && going->offset != offset)
        going = going->next;
    return going != NULL;
}

static void gone(void *of)
{
    struct going *going = of, **at = &first_going;
    while (*at != going)
        at = &(*at)->next;
    *at = going->next;
    answer_free(going->from, going->op, free_in_arena(upcr_mythread, going->offset) ? NET_FREED : NET_FREED_NOTHING);
    free(going);
}

/* Frees a block of this thread for another one, in a handler: it answers when the pages of a large one are gone. */
static void free_for(int from, uint64_t offset, uint64_t op)
{
    uint64_t bytes = local_bytes(upcr_mythread, offset);
    if (bytes < NET_DISCARD || is_going(offset)) {
        bool freed = bytes < NET_DISCARD && free_in_arena(upcr_mythread, offset);
        answer_free(from, op, freed ? NET_FREED : NET_FREED_NOTHING);
        return;
    }
    struct going *going = net_memory(sizeof *going);
    *going = (struct going){first_going, offset, op, from};
    first_going = going;
    net_discard_later(upcr_mythread, 1, offset, bytes, gone, going);
}

/* ---- The contract --------------------------------------------------------------------------------------------------- */

uint64_t upcr_tp_alloc_local(size_t bytes, struct upcr_heap_usage *usage)
{
    uint64_t align = bytes >= LARGE_BLOCK ? UPCR_CACHE_LINE : LOCAL_GRANULE, offset = 0;
    if (bytes < net.segment_bytes) {
        offset = try_local(upcr_mythread, bytes, align);
        if (offset == 0) {
            net_lower_border();
            upcr_mutex_lock(&net_local_arena(upcr_mythread)->lock);
            net_trim_local(upcr_mythread, 1);
            upcr_mutex_unlock(&net_local_arena(upcr_mythread)->lock);
            offset = try_local(upcr_mythread, bytes, align);
        }
    }
    usage->size = net.heap_bytes;
    usage->in_use = net_local_arena(upcr_mythread)->in_use + net_member(upcr_mythread)->border - net.heap_start;
    return offset;
}

void net_on_free(struct net_message *message, int from, size_t data)
{
    (void)data;
    bool as_symmetric = message->count != 0;
    enum net_freed freed = upcr_mythread == 0 ? net_free_symmetric(message->a) : NET_NOT_SYMMETRIC;
    if (freed == NET_NOT_SYMMETRIC && !as_symmetric)
        free_for(from, message->a, message->c);
    else
        answer_free(from, message->c, freed);
}

/* Frees a block at another process. as_symmetric: thread 0 is asked as the owner of symmetric blocks. */
static enum net_freed free_there(int thread, uint64_t offset, bool as_symmetric)
{
    struct net_op op = {.left = 1};
    net_enter();
    net_flush(thread);
    struct net_message *message = net_begin(NET_free);
    message->a = offset;
    message->c = (uint64_t)(uintptr_t)&op;
    message->count = as_symmetric;
    net_send(message, thread, 0);
    net_leave();
    net_await(&op.left);
    return (enum net_freed)op.value;
}

bool upcr_tp_free(int thread, uint64_t offset)
{
    /* The symmetric arena is private to thread 0: the other threads of its group may not use it either. */
    if (offset < net_member(upcr_mythread)->border) {
        enum net_freed freed = net.groups == 1 || upcr_mythread == 0 ? net_free_symmetric(offset) : free_there(0, offset, true);
        if (freed != NET_NOT_SYMMETRIC)
            return freed == NET_FREED && thread == 0;
    }
    return net_is_mine(thread) ? free_local(thread, offset) : free_there(thread, offset, false) == NET_FREED;
}

void host_describe_heap(int thread, uint64_t offset, char *text, size_t capacity)
{
    (void)offset;
    snprintf(text, capacity, "in the shared heap of thread %d", thread);
}
