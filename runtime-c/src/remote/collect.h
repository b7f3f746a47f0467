/* Writes of this thread to memory that is not mapped, which are sent later together with others of the same kind: puts
   that the transport joins to one message, and bytes in lines of the cache. All of them are sent at the next fence. But
   the main thread may make no UPC call for a long time while another thread waits for the bytes. So what has been
   collected for a while is sent by a system thread of the runtime, the sender, whatever the main thread does
   (docs/memory-model.md).

   The main thread uses its collections often and briefly, the sender rarely. So entering costs the main thread two
   stores and a load without a fence; the sender completes the lock with membarrier(2), which is a fence in all
   running threads of the process. */
#ifndef UPCR_COLLECT_H
#define UPCR_COLLECT_H

#include "runtime.h"

#include <stdalign.h>
#include <stdatomic.h>

#include "wait.h"

/* The code that collects. */
enum upcr_collector { UPCR_COLLECTOR_PUTS, UPCR_COLLECTOR_CACHE, UPCR_COLLECTORS };

/* Bits of `turn`; 0: the main thread may enter. */
enum {
    UPCR_TURN_TAKEN = 1,  /* the sender owns the collections, or checks whether it can */
    UPCR_TURN_ASKED = 2,  /* the sender found the main thread inside, which sends everything when it enters next */
    UPCR_TURN_FENCED = 4, /* there is no membarrier: the main thread makes a fence each time. Never changes */
};

struct upcr_collection {
    alignas(UPCR_CACHE_LINE) _Atomic uint32_t inside; /* twice how often the main thread has been inside; odd: it is */
    _Atomic uint32_t count[UPCR_COLLECTORS];          /* number of messages, or of lines, that hold something */
    alignas(UPCR_CACHE_LINE) struct upcr_event turn;
    _Atomic uint32_t taken; /* how often the sender has tried to own the collections */
    struct upcr_event doze; /* word 1: the sender sleeps until something is collected, or does not exist yet */
};

extern struct upcr_collection upcr_collection UPCR_HIDDEN;

/* The slow path of upcr_collect_enter, when it is not the main thread's turn. */
void upcr_collect_enter_slowly(uint32_t before) UPCR_HIDDEN;

/* Enclose everything that the main thread does with what it collects. Pass the result of the first to the second.
   May be nested. Pre: the caller does not hold the transport's own lock, because the sender takes that after this
   one. */
static inline uint32_t upcr_collect_enter(void)
{
    uint32_t before = atomic_load_explicit(&upcr_collection.inside, memory_order_relaxed);
    atomic_store_explicit(&upcr_collection.inside, before | 1, memory_order_relaxed);
    atomic_signal_fence(memory_order_seq_cst);
    /* Acquires the collections from the sender's change_turn. */
    if (__builtin_expect(atomic_load_explicit(&upcr_collection.turn.word, memory_order_acquire) != 0, 0) && (before & 1) == 0)
        upcr_collect_enter_slowly(before);
    return before;
}

static inline void upcr_collect_leave(uint32_t before)
{
    uint32_t after = before % 2 == 0 ? before + 2 : before;
    /* Publishes the collections to the sender's main_is_inside. */
    atomic_store_explicit(&upcr_collection.inside, after, memory_order_release);
}

/* Called when the sender is needed, but sleeps or does not exist. */
void upcr_collect_wake(void) UPCR_HIDDEN;

/* Records that a collector holds `count` messages or lines. Called by whichever of the two threads owns the
   collections. */
static inline void upcr_collect_note(enum upcr_collector collector, uint32_t count)
{
    uint32_t before = atomic_load_explicit(&upcr_collection.count[collector], memory_order_relaxed);
    atomic_store_explicit(&upcr_collection.count[collector], count, memory_order_relaxed);
    if (before != 0 || count == 0)
        return;
    if (__builtin_expect((atomic_load_explicit(&upcr_collection.turn.word, memory_order_relaxed) & UPCR_TURN_FENCED) != 0, 0))
        atomic_thread_fence(memory_order_seq_cst);
    atomic_signal_fence(memory_order_seq_cst);
    if (atomic_load_explicit(&upcr_collection.doze.word, memory_order_relaxed) != 0)
        upcr_collect_wake();
}

/* Called in each thread before it makes accesses. */
void upcr_collect_start(void) UPCR_HIDDEN;

/* Ends the sender. Nothing is collected afterwards. */
void upcr_collect_stop(void) UPCR_HIDDEN;

#endif
