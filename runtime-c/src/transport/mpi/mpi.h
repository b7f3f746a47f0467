/* The mpi transport inside. Each UPC thread is a process of MPI's. Threads of one machine share memory by a mapping of their own: a group.
   Whatever leaves a group is a message, and messages are requests: the receiver runs a handler (message.h), in whichever wait its main
   thread is, or in its communication thread (engine.c). Thread numbers are ranks in net.comm. */
#ifndef UPCR_MPI_H
#define UPCR_MPI_H

#include <mpi.h>
#include <stdalign.h>
#include <stdatomic.h>

#include "heap/arena.h"
#include "transport/host/host.h"
#include "transport/mpi/message.h"
#include "transport/transport.h"
#include "wait.h"

/* ---- Groups: start.c ------------------------------------------------------------------------------------------------ */

/* What is known of the arrivals of some threads at a barrier. Joining is idempotent, so it does not matter who is counted twice. */
struct net_arrivals {
    uint32_t epoch;             /* + 1 of the barrier they are for, in shared memory */
    uint8_t stays, leaves;      /* some thread came to stay, to leave */
    uint8_t named, dissent;     /* as in struct upcr_barrier_outcome */
    uint8_t loaded;             /* payload is thread 0's */
    int32_t value, value_thread;
    int32_t other_value, other_thread;
    int32_t a_leaver, leaver_status;
    int32_t worst_status;       /* of those who leave */
    unsigned char payload[UPCR_BROADCAST_MAX];
};

enum { NET_GUARDS = 64 };

/* What a thread shows the others of its group. */
struct net_member {
    alignas(UPCR_CACHE_LINE) struct net_arrivals arrivals[2]; /* by the barrier's parity */
    /* Changes when a lock or semaphore that the thread waits for has been given to it. */
    alignas(UPCR_CACHE_LINE) struct upcr_event turn;
    struct upcr_mutex borders;   /* held by whoever moves the next two */
    pid_t process;
    _Atomic uint32_t flushed;    /* its output, because the job ends */
    uint64_t border;             /* the symmetric heap may reach up to here: the arena stays above */
    struct upcr_arena arena;     /* local blocks; grows downward from the segment's end */
};

/* Shared by the processes of a group. */
struct net_group {
    alignas(UPCR_CACHE_LINE) _Atomic uint32_t arrived; /* at the barrier that is going on */
    _Atomic uint32_t leavers[2];
    alignas(UPCR_CACHE_LINE) _Atomic uint32_t complete; /* barriers at which the whole group has arrived */
    alignas(UPCR_CACHE_LINE) struct upcr_event epoch;   /* counts barriers that are over */
    struct net_arrivals result[2];
    /* The symmetric heap, in thread 0's group. Its headers are in thread 0's segment. */
    struct upcr_arena symmetric;
    uint64_t border; /* up to which it may reach */
    struct upcr_mutex borders; /* held by whoever moves those of all members */
    uint32_t border_version;   /* of the border that the group knows */
    _Atomic uint64_t ender;    /* of the threads known to have called upc_global_exit the lowest, + 1, << 8 | status; 0: none */
    struct upcr_mutex guards[NET_GUARDS];
    struct net_member member[];
};

/* This process in the job. */
struct net {
    MPI_Comm comm;               /* requests; ranks are thread numbers */
    MPI_Comm gets, puts;         /* long transfers, by their direction */
    struct net_group *group;
    int first, count;            /* threads of the group */
    int groups, my_group;        /* of the job */
    int *leader;                 /* first thread of each group */
    int32_t *host;               /* machine of each thread */
    int width;                   /* most threads of a group */
    int crowd;                   /* threads of this machine that share a processor, by what all of them may use */
    size_t segment_bytes, heap_bytes, heap_start;
    bool mpi_is_users;           /* the user calls MPI, too */
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

/* A place in the caller's group, by thread and offset. */
static inline char *net_at(int thread, uint64_t offset)
{
    return upcr_segment_base + ((size_t)thread << UPCR_SEGMENT_SHIFT) + offset;
}

/* Ends the job as an access to such a place in mapped memory does: a null pointer-to-shared, or one beyond a thread's memory. */
void net_no_place(upcr_pts_t place) __attribute__((__noreturn__, __cold__));

static inline void net_check_place(upcr_pts_t place, size_t n)
{
    uint64_t offset = upcr_addrfield(place);
    if (__builtin_expect(offset < UPCR_STATIC_START || offset > net.segment_bytes || n > net.segment_bytes - offset ||
                             upcr_threadof(place) >= (size_t)upcr_threads,
                         0))
        net_no_place(place);
}

/* ---- Engine: engine.c ----------------------------------------------------------------------------------------------- */

/* Starts receiving; collective. Ends it: every message of this process has been received, nobody will send another. */
void net_engine_start(void);
void net_engine_stop(void);

/* Around every use of MPI and of what handlers change. May be nested. */
void net_enter(void);
void net_leave(void);

/* A message that begins to be written, with room for NET_DATA_MOST bytes of data; to be sent, with so many of them, within the same
   net_enter. */
struct net_message *net_begin(enum net_kind kind);
void net_send(struct net_message *message, int to, size_t data);

/* The same for one whose kind is a head alone: less than half as long. */
void net_send_head(struct net_message *message, int to);

/* An operation that waits for answers. */
struct net_op {
    void *dst;
    _Atomic int left; /* answers that are to come */
    uint64_t value;
};

/* How long a wait has been going on. All zero at its start. */
struct net_patience {
    unsigned step;
    int64_t start;
    long backoff_ns;
    uint32_t changes; /* what had been found when the waiter last asked whether the wait is over */
};

/* One step of a wait of the main thread: serves requests, then spins, yields or sleeps by how long it has lasted. event: a word in shared
   memory whose change from `old` ends the sleep; NULL if only messages do. */
void net_pause(struct net_patience *patience, struct upcr_event *event, uint32_t old);

/* Changes how many answers are to come. Within net_enter, as all its changes are. */
static inline void net_count(_Atomic int *left, int by)
{
    atomic_store_explicit(left, atomic_load_explicit(left, memory_order_relaxed) + by, memory_order_release);
}

/* Serves what has come, once, as the main thread. */
void net_look(void);

/* Serves requests as the main thread until one has come or the word has changed from `old`, for a while. */
void net_look_at(struct upcr_event *event, uint32_t old);

/* Waits until all answers have come, as the main thread. */
void net_await(_Atomic int *left);

/* Within net_enter, behind a request: looks for a while whether they come at once, so that the engine does not change hands between the two. */
void net_look_for(const _Atomic int *left);

/* Waits for a change of a word in shared memory, serving requests. */
void net_wait_while(struct upcr_event *event, uint32_t old);

/* Long transfers that the engine waits for, within net_enter: calls done(argument, from) when `request` is complete. */
void net_track(MPI_Request request, void (*done)(uint64_t argument, int from), uint64_t argument, int from);

/* Rests of the main thread that the bell has ended. */
extern uint64_t net_woken;

/* Messages that this process has sent, for statistics, and handled: where all are, no thread has anything to come. */
extern uint64_t net_sent, net_sent_bytes, net_handled;

/* ---- Bells: wakeup.c -------------------------------------------------------------------------------------------------- */

/* Memory that all threads of this machine share, all zero, with room for so many of them. */
size_t net_wakeups_bytes(int threads);
void net_wakeups_map(void *memory);

/* Whether every message to this thread rings: all threads are on this machine. */
bool net_wakeups_are_all(void);

/* This thread's own; NULL: messages do not ring. */
struct upcr_event *net_wakeup(void);

/* Wakes a thread that sleeps by its bell, if it is on this machine: behind each message. */
void net_ring(int thread);

/* ---- Seats: seat.c -------------------------------------------------------------------------------------------------- */

/* Memory that all threads of this machine share, all zero, with room for so many of them. */
size_t net_seats_bytes(int threads);
void net_seats_take(void *memory, int threads);

/* Whether another thread of this machine was last seen on this processor. By the main thread, whose seat it notes. */
bool net_seat_is_shared(void);

/* ---- Data: data.c --------------------------------------------------------------------------------------------------- */

/* Before a request to `to` that must not overtake this thread's own puts: sends what is collected for it. Within net_enter. */
void net_flush(int to);

/* Before a message that will be acknowledged as a message of puts is: waits until one more may be under way. As the main thread. */
void net_put_begins(void);

/* Answers such a message, within net_enter. */
void net_acknowledge(int from);

/* For net_track: of the answers that `counter` counts, a _Atomic int, one has come. */
void net_one_less(uint64_t counter, int from);

/* ---- Between groups: exchange.c -------------------------------------------------------------------------------------- */

/* A tag of net.gets that fragments do not have. */
enum { NET_EXCHANGE_TAG = 32767 };

/* ---- Locks and semaphores: queue.c ---------------------------------------------------------------------------------- */

/* A thread of the job in a queue of this group: who is behind it (number + 1), and what it needs. */
struct net_waiter {
    uint32_t next, need;
};

/* Those of all threads of the job, behind the group's members. */
static inline struct net_waiter *net_waiters(void)
{
    return (struct net_waiter *)(void *)&net.group->member[net.count];
}

/* Gives `thread` what it waits for. From any process of the object's group. */
void net_grant(int thread);

/* The calling thread waits until it is granted. */
void net_wait_for_grant(enum host_wait kind, const void *lock);

/* ---- Heap, barrier, life -------------------------------------------------------------------------------------------- */

/* The largest exit status of the threads that left at the last barrier. */
extern int net_worst_status;

void net_heap_start(void);
void net_barrier_poll(void); /* goes on with a barrier between groups; within net_enter */
bool net_barrier_is_over(void); /* that which this thread waits for; in signal handlers, too */

/* Signals; called when the group is there. */
void net_termination_start(void);

/* Ends the job: MPI has failed, or a peer is gone. */
void net_fail(const char *what, int error) __attribute__((__noreturn__));

#endif
