/* Internals of the transports over messages. Each UPC thread is a process of the wire's (wire.h). Threads of one machine
   share memory by a mapping of their own; they form a group. Everything that leaves a group is a message, and messages are requests:
   the receiver runs a handler (message.h), in its main thread whenever that waits, or in its communication thread
   (engine.c). */
#ifndef UPCR_MESSAGES_NET_H
#define UPCR_MESSAGES_NET_H

#include <stdalign.h>
#include <stdatomic.h>

#include "clock.h"
#include "heap/arena.h"
#include "transport/host/host.h"
#include "transport/messages/message.h"
#include "transport/messages/wire.h"
#include "transport/transport.h"
#include "wait.h"

/* ---- Groups: start.c ------------------------------------------------------------------------------------------------ */

/* What is known of the arrivals of some threads at a barrier. Joining is idempotent, so a thread may be counted
   twice. */
struct net_arrivals {
    uint32_t epoch;         /* + 1, of the barrier that they are for, in shared memory */
    uint8_t stays, leaves;  /* some thread has come to stay, to leave */
    uint8_t named, dissent; /* as in struct upcr_barrier_outcome */
    uint8_t loaded;         /* payload contains thread 0's data */
    int32_t value, value_thread;
    int32_t other_value, other_thread;
    int32_t a_leaver, leaver_status;
    int32_t worst_status; /* of the threads that leave */
    unsigned char payload[UPCR_BROADCAST_MAX];
};

enum { NET_GUARDS = 64 };

/* What a thread shows to the other threads of its group. */
struct net_member {
    alignas(UPCR_CACHE_LINE) struct net_arrivals arrivals[2]; /* by the barrier's parity */
    /* Changes when a lock or semaphore that the thread waits for is granted to it. */
    alignas(UPCR_CACHE_LINE) struct upcr_event turn;
    struct upcr_mutex borders; /* held while border or arena.low moves */
    pid_t process;
    _Atomic uint32_t flushed; /* its output is flushed, because the job ends */
    _Atomic uint32_t left;    /* 1 + the exit status of a thread that has arrived to leave; 0: it has not */
    uint64_t border;          /* the symmetric heap may reach up to this offset; the arena stays above */
    struct upcr_arena arena;  /* local blocks; grows downward from the segment's end */
};

/* Shared by the processes of a group. */
struct net_group {
    alignas(UPCR_CACHE_LINE) _Atomic uint32_t arrived; /* at the barrier in progress */
    _Atomic uint32_t leavers[2];
    alignas(UPCR_CACHE_LINE) _Atomic uint32_t complete; /* barriers at which the whole group has arrived */
    alignas(UPCR_CACHE_LINE) struct upcr_event epoch;   /* counts barriers that are over */
    struct net_arrivals result[2];
    /* The symmetric heap, in thread 0's group. Block headers are in thread 0's segment. */
    struct upcr_arena symmetric;
    uint64_t border;           /* limit of the symmetric heap */
    struct upcr_mutex borders; /* held while the borders of all members move */
    uint32_t border_version;   /* version of the border that the group knows */
    _Atomic uint64_t ender;    /* lowest thread known to call upc_global_exit: thread + 1, << 8 | status; 0: none */
    struct upcr_mutex guards[NET_GUARDS];
    struct net_member member[];
};

/* This process's view of the job. */
struct net {
    struct net_group *group;
    int first, count;     /* threads of the group */
    int groups, my_group; /* of the job */
    int *leader;          /* first thread of each group */
    int32_t *host;        /* machine of each thread */
    int width;            /* most threads of a group */
    int crowd;            /* number of threads of this machine that share a processor, by their affinity masks */
    size_t segment_bytes, heap_bytes, heap_start;
    bool launchers_know; /* the launchers are connected, and decide who reports */
};

extern struct net net;

static inline struct net_member *net_member(int thread)
{
    return &net.group->member[thread - net.first];
}

static inline bool net_is_mine(int thread)
{
    return (unsigned)(thread - net.first) < (unsigned)net.count;
}

/* Returns a place in the caller's group, by thread and offset. */
static inline char *net_at(int thread, uint64_t offset)
{
    return upcr_segment_base + (size_t)thread * UPCR_SEGMENT_STRIDE + offset;
}

/* Ends the job in the same way as an access to such a place in mapped memory: a null pointer-to-shared, or one
   beyond a thread's memory. */
void net_no_place(upcr_pts_t place) __attribute__((__noreturn__, __cold__));

static inline void net_check_place(upcr_pts_t place, size_t n)
{
    uint64_t offset = upcr_addrfield(place);
    if (__builtin_expect(
            offset < UPCR_STATIC_START || offset > net.segment_bytes || n > net.segment_bytes - offset || upcr_threadof(place) >= (size_t)upcr_threads, 0))
        net_no_place(place);
}

/* ---- Engine: engine.c ----------------------------------------------------------------------------------------------- */

/* Start receiving (collective), and stop it: every message of this process has been received, and no process will
   send another. */
void net_engine_start(void);
void net_engine_stop(void);

/* Enclose every use of the wire and of data that handlers change. May be nested. */
void net_enter(void);
void net_leave(void);

/* Begins a message, with space for NET_DATA_MOST bytes of data; it is sent, with the number of bytes it has, within
   the same net_enter. */
struct net_message *net_begin(enum net_kind kind);
void net_send(struct net_message *message, int to, size_t data);

/* The same for a message whose data begins in place of a, b and c, so that it is shorter. */
void net_send_short(struct net_message *message, int to, size_t data);

/* Sends a message whose kind is a head alone: less than half as long. */
void net_send_head(struct net_message *message, int to);

/* Sends the n bytes of a parcel, at most NET_AT_ONCE. */
void net_send_parcel(int to, const void *src, size_t n);

/* An operation that waits for answers. */
struct net_op {
    void *dst;
    _Atomic int left; /* number of missing answers */
    uint64_t value;
};

/* The threads to which the last messages that are not answers were sent: a ring. */
enum { NET_ASKED_MOST = 8 };
struct net_asked {
    unsigned count;
    int threads[NET_ASKED_MOST];
};

/* The state of a wait. All zero at its start. */
struct net_patience {
    unsigned step;
    int64_t start;
    long backoff_ns;
    uint32_t changes;       /* what had been found when the wait was last tested */
    unsigned calls;         /* how often the communication threads of those who have to answer were woken since */
    struct net_asked asked; /* these threads */
};

/* Performs one step of a wait of the main thread: serves requests, then spins, yields or sleeps, depending on how
   long the wait has lasted. event: a word in shared memory whose change from `old` ends the sleep; NULL if only
   messages do. */
void net_pause(struct net_patience *patience, struct upcr_event *event, uint32_t old);

/* Changes the number of missing answers. Called within net_enter, like all its changes. */
static inline void net_count(_Atomic int *left, int by)
{
    /* Publishes the bytes of an answer that has come to net_await, and to the waits in data.c. */
    atomic_store_explicit(left, atomic_load_explicit(left, memory_order_relaxed) + by, memory_order_release);
}

/* Serves pending requests once, as the main thread. */
void net_look(void);

/* Serves requests as the main thread until one has come or the word has changed from `old`, but only for a while. */
void net_look_at(struct upcr_event *event, uint32_t old);

/* Waits until all answers have come, as the main thread. */
void net_await(_Atomic int *left);

/* Polls for a while whether the answers come at once, so that the engine is not left and entered in between. Called
   within net_enter, after a request. */
void net_look_for(const _Atomic int *left);

/* Ends a long sleep of the communication thread, which stands aside while the main thread polls. Called when the main
   thread has started something and may not poll next. */
void net_call_back(void);

/* Waits for a change of a word in shared memory, serving requests. */
void net_wait_while(struct upcr_event *event, uint32_t old);

/* Returns memory for what the engine keeps, and more of it in place of `old`. */
void *net_memory(size_t bytes);
void *net_more(void *old, size_t bytes);

/* Backoffs of the main thread that a wakeup has ended. */
extern uint64_t net_woken;

/* Messages that this process has sent, for statistics, those of them that are data of exchanges, and messages handled.
   If all but data of exchanges are handled, nothing is on its way to any thread that does not wait in an exchange. */
extern uint64_t net_sent, net_sent_bytes, net_sent_to_exchanges, net_handled;

/* ---- Wakeups: wakeup.c ------------------------------------------------------------------------------------------- */

/* Returns the bytes of zeroed memory that all threads of this machine share, for this number of threads. */
size_t net_wakeups_bytes(int threads);
void net_wakeups_map(void *memory);

/* Returns whether every message to this thread wakes it: all threads are on this machine. */
bool net_wakeups_are_all(void);

/* Returns this thread's own wakeup; NULL: messages do not wake it. */
struct upcr_event *net_wakeup(void);

/* The same for this process's communication thread. */
struct upcr_event *net_wakeup_aside(void);

/* Wakes a thread that sleeps on its wakeup, if it is on this machine. Called after each message. */
void net_ring(int thread);

/* The same for the communication thread there. */
void net_ring_aside(int thread);

/* ---- Data: data.c --------------------------------------------------------------------------------------------------- */

/* Sends the puts that are collected for `to`. Called within net_enter, before a request that must not overtake this
   thread's own puts. */
void net_flush(int to);

/* Waits until one more message to a peer may be under way, as the main thread. Called before a message that is
   acknowledged like a message of puts. */
void net_put_begins(int to);

/* Counts such a message, within net_enter. */
void net_put_counts(int to);

/* Returns whether one more may be sent to a peer without waiting. */
bool net_may_put(int to);

/* Returns the bytes of data that one message carries to a process, or from it. */
size_t net_data_most(int peer);

/* Adds a put to a message of puts with *data bytes. False: it has no space for it. */
bool net_add_put(struct net_message *message, size_t *data, int to, uint64_t offset, const void *src, size_t n);

/* The same for messages that are answered by one message: waits and counts it; counts it; the answer has come, of those
   that `left` counts. */
void net_get_begins(int from);
void net_get_counts(int from);
void net_get_ends(int from, _Atomic int *left);

/* Returns whether a short get may be requested without waiting; requests it. Within net_enter. */
bool net_may_get(int from, size_t n);
void net_request(void *dst, int from, uint64_t offset, size_t n, _Atomic int *left);
bool net_answers_are_missing(void);

/* Makes the table of what is under way, when the groups are known; returns its bytes. */
size_t net_credits_start(int threads);

/* Acknowledges such a message, within net_enter. */
void net_acknowledge(int from);

/* ---- Transfers: transfer.c ------------------------------------------------------------------------------------------ */

enum net_start_kind {
    NET_START_GET, /* messages answer it */
    NET_START_GET_LONG,
    NET_START_PUT, /* it could not be collected with others at once */
    NET_START_PUT_LONG,
    NET_START_SET,
    NET_START_GET_IOV, /* a message of iovecs, as it will be sent; its memory is this one's */
    NET_START_PUT_IOV,
};

/* What is started. It goes on while anybody has the engine. */
struct net_start {
    enum net_start_kind kind;
    unsigned char value; /* of a set */
    char *at;            /* private memory; NULL for a set */
    uint64_t offset;
    size_t n; /* > 0; of a message of iovecs the bytes of data */
    /* What to do when it is complete, in place of counting; NULL: count. A long one only. */
    void (*then)(void *of);
    void *of;
};

/* Starts a transfer, which counts as one of what `left` counts until it is complete, as the main thread. */
void net_start(int peer, struct net_start what, _Atomic int *left);

/* Puts and sets that were started and are not complete. */
extern _Atomic int net_puts_left;

/* The others are called within net_enter. Starts a transfer with a function to call; in whichever thread. */
void net_continue(int peer, struct net_start what);

/* Sends what may go now: called when something was answered. */
void net_advance(void);
bool net_is_moving(void);     /* something is queued, or a piece is under way */
bool net_is_queued(int peer); /* something short for the peer is queued */

/* Drops gets that have not been sent and waits for the others, before the thread leaves. Not within net_enter. */
void net_end_transfers(void);

/* Decrements the _Atomic int at `counter`, because one of the answers that it counts has come. A wire_done. */
void net_one_less(uint64_t counter, int from);

/* ---- Between groups: exchange.c ---------------------------------------------------------------------------------- */

/* Returns whether the parcel that the main thread waits for has come since the last call. Within net_enter. */
bool net_take_parcel(void);

/* A tag that no piece of a transfer has. */
enum { NET_EXCHANGE_TAG = WIRE_TAG_MOST };

/* ---- Locks and semaphores: queue.c ---------------------------------------------------------------------------------- */

/* A thread of the job in a queue of this group: the thread behind it (number + 1), and the count it needs. */
struct net_waiter {
    uint32_t next, need;
};

/* Returns the waiters of all threads of the job, which follow the group's members in memory. */
static inline struct net_waiter *net_waiters(void)
{
    return (struct net_waiter *)(void *)&net.group->member[net.count];
}

/* Grants `thread` what it waits for. Called by any process of the object's group. */
void net_grant(int thread);

/* Waits until the calling thread is granted what it waits for. */
void net_wait_for_grant(enum host_wait kind, const void *lock);

/* ---- Heap, barrier, termination ------------------------------------------------------------------------------------- */

/* The largest exit status of the threads that left at the last barrier. */
extern int net_worst_status;

void net_heap_start(void);
bool net_discard_some(void);    /* gives back a piece of memory that was freed; whether there was any; within net_enter */
bool net_is_discarding(void);   /* whether there is any; within net_enter */
void net_barrier_poll(void);    /* advances a barrier between groups; within net_enter */
bool net_barrier_is_over(void); /* whether this thread's barrier is over; async-signal-safe */

/* Installs the signal handlers; called when the group exists. */
void net_termination_start(void);

/* Ends the job because a call of the wire's library has failed for this reason, or a peer is gone. */
void net_fail(const char *call, const char *why) __attribute__((__noreturn__));

#endif
