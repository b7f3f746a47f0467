/* The contract of a transport. It lists every operation once. A program is linked with one transport; transport/smp/ is
   the default.

   Vocabulary: "returns in a thread" means in a process that is one UPC thread. `pts` operands may have any phase.
   Unless stated otherwise, an operation may be called by any thread at any time between upcr_tp_run and upcr_tp_leave,
   also between the notify and the wait of a barrier, but only by the thread's main thread of execution. It does not
   return on failure (it reports through upcr_die), and it preserves the process's signal mask and errno. Operations
   marked [mapped] may only be called for a thread for which upcr_mapped(thread) is false; the caller accesses mapped
   memory itself, and upcr_mapped is the only test that decides between the two.

   Every operation has a case in runtime-c/tests/transport/, which all transports pass. */
#ifndef UPCR_TRANSPORT_H
#define UPCR_TRANSPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "atomic/cell.h"
#include "trace/trace.h"
#include "upcr/update.h"
#include "upcr/upcr.h"

/* The processors that a thread is bound to. */
enum upcr_binding {
    UPCR_BIND_USUAL,  /* as the transport chooses */
    UPCR_BIND_NOT,    /* those that it was started on */
    UPCR_BIND_ONE,    /* one */
    UPCR_BIND_SHARE,  /* its share of the processors */
    UPCR_BIND_DOMAIN, /* those of one of the memory's domains */
};

/* Whether the processors of each thread are printed, by a job that runs, or in place of one. */
enum upcr_placement { UPCR_PLACEMENT_HIDDEN, UPCR_PLACEMENT_SHOWN, UPCR_PLACEMENT_ONLY };

/* The parameters of the job. launch.c fills them in from flags, environment and the program's units. */
struct upcr_plan {
    int threads;         /* >= 1, <= UPCR_MAX_THREADS */
    size_t static_bytes; /* per thread: reserved start and static shared data */
    size_t heap_bytes;   /* per thread */
    bool heap_is_users;  /* the user chose heap_bytes; else the share if all threads were on this machine */
    bool polite;         /* wait as if oversubscribed */
    enum upcr_binding bind;
    enum upcr_placement show_placement;
    unsigned timeout;                     /* seconds that the run may take; 0: no limit */
    int width;                            /* at most this many threads have each other's memory mapped; 0: as many as can */
    unsigned delay;                       /* smp: nanoseconds that a message between threads of different groups takes */
    size_t (*side)(size_t segment_bytes); /* bytes of side memory of each thread (upcr_tp_side); NULL: none */
};

/* ---- Start and end ------------------------------------------------------------------------------------------------- */

/* Returns the number of processes that a launcher has started, if it starts one for each thread; 0 if there is no
   such launcher or it does not report the number. */
int upcr_tp_processes(void);

/* Returns how many bytes of shared memory a process may map, counting all threads that it can reach, so that the
   same amount is left for the program's own memory; UINT64_MAX if the system sets no limit. Called before the start. */
uint64_t upcr_tp_memory_limit(void);

/* Starts the job. Pre: called once, by a process with one thread of execution, before user code. Post: returns in
   every UPC thread, with the job constants of base.h written, every segment this transport maps in place and zero,
   and standard input connected for thread 0 only. Does not return in any process that is not a UPC thread. If any
   thread ends other than by upcr_tp_leave and exit, or by upcr_tp_global_exit, the transport ends the whole job with
   a nonzero status and prints one line on stderr that names the thread and states how and where it ended. */
void upcr_tp_run(const struct upcr_plan *plan);

/* Announces that this thread has passed the final barrier: its process may end from here on. The job's exit code is
   the largest one of all threads. */
void upcr_tp_leave(void);

/* Ends all threads, whatever they are doing, with this status. Before that it waits for a moment, so that other
   threads that are about to call it may do so: what they have printed would be lost otherwise. It also gives the
   remaining threads the chance to flush their standard I/O. The first call decides the status; if several come at
   once, one of them does. Pre: the caller has flushed its own I/O with signals blocked, because the signals that
   report another call make it flush as well. */
void upcr_tp_global_exit(int status) __attribute__((__noreturn__));

/* Returns true for the first caller in the job. Only that caller may print why the job ends, and it calls
   upcr_tp_report_done when it has. The job goes on until then. */
bool upcr_tp_claim_report(void);
void upcr_tp_report_done(void);

/* Called when the program is about to say why it does not start. All processes of a job may have the same reason at
   once: in one of them this returns, in the others it does not. */
void upcr_tp_refuse(void);

/* Ends the whole job with this status. The reason has been reported before. */
void upcr_tp_abort(int status) __attribute__((__noreturn__));

/* Returns the bytes of every thread's segment; no object reaches beyond. They are at least what the plan asked for,
   unless the user did not choose the heap size: then machines with less memory make it smaller. */
size_t upcr_tp_segment_bytes(void);

/* Returns the name of this machine if the job runs on several machines; otherwise "". */
const char *upcr_tp_machine(void);

/* A fatal signal that is about to end this thread. */
struct upcr_crash {
    int signal;
    int code;          /* si_code */
    bool stack;        /* stack overflow */
    uintptr_t address; /* si_addr */
};

/* Records the crash for the report. Async-signal-safe. */
void upcr_tp_note_crash(const struct upcr_crash *crash);

/* Registers `save`, which is then called in a signal handler of this thread before the thread ends because another
   one fails or has called upc_global_exit. The thread gets one second for it and does nothing else afterwards. At
   most one function is registered. */
void upcr_tp_before_end(void (*save)(void));

/* Returns where this thread records its stack, so that the report finds it when the thread has ended.
   Async-signal-safe. */
struct upcr_stack *upcr_tp_my_stack(void);

/* Returns whether the two threads have each other's memory mapped. */
bool upcr_tp_together(int a, int b);

/* Estimated cost, in nanoseconds, of accessing a few bytes that are not mapped; 0 where they are accessed by loads
   and stores all the same. A put that the transport collects with others and sends later is cheap. served: the cost
   of a put, or of one iovec, to the thread that receives it. */
struct upcr_distance {
    unsigned get, put, served;
};
struct upcr_distance upcr_tp_distance(void);

/* Traffic of this thread's process so far, for whichever of its threads. memory: all memory that the transport has
   allocated because there are other threads, without MPI's own. woken: backoffs of this thread that a message has
   ended. All zero under smp. */
struct upcr_traffic {
    uint64_t messages, bytes;
    uint64_t memory;
    uint64_t woken;
};
void upcr_tp_traffic(struct upcr_traffic *traffic);

/* ---- Data [mapped] ------------------------------------------------------------------------------------------------- */

/* Operations of one thread on the same bytes take effect in the order in which the thread calls them, whatever the
   operations: a get or an atomic operation sees the result of an earlier put. Only a transfer that was started and is
   not complete may be overtaken.

   Blocking copies of n >= 0 bytes between one place with affinity to a single thread, of any alignment, and private
   memory. Get: the bytes are in dst on return. Put: src may be reused on return; the bytes are visible to others
   after the next upcr_tp_fence. An aligned scalar of 1, 2, 4 or 8 bytes is read and written by a single access. */
void upcr_tp_get(void *dst, upcr_pts_t src, size_t n);
void upcr_tp_put(upcr_pts_t dst, const void *src, size_t n);

/* An update (upcr_update_apply, update.h) of n bytes at a place that is aligned; it takes effect where an operation of this thread called at the same
   moment would, and has been made after the next upcr_tp_fence. value may be reused on return. Not atomic with regard to other threads. */
void upcr_tp_update(upcr_pts_t place, enum upcr_update update, const void *value, size_t n);

/* Copies n bytes from one shared place to another; they are visible after the next upcr_tp_fence. The places do not
   overlap. Pre: one of them is not mapped. */
void upcr_tp_copy(upcr_pts_t dst, upcr_pts_t src, size_t n);
/* Sets n bytes to one value; otherwise like upcr_tp_put. */
void upcr_tp_set(upcr_pts_t dst, unsigned char value, size_t n);

/* Transfers that are in flight together and are waited for together. All zero: none. */
struct upcr_batch {
    _Atomic int left;
    uint64_t moment; /* smp: when they are complete, if -pshm-delay simulates a delay */
    bool unordered;  /* iovecs are started at once, and later operations of the thread may overtake puts of them */
};

/* Like upcr_tp_get, upcr_tp_put, upcr_tp_copy and upcr_tp_set, but dst may be written, and src read, until the batch is complete. Another
   request of this thread for the same bytes may overtake them. They return at once: what may not be sent yet is sent
   while the thread computes, calls any operation, or waits. Gets that nobody waits for end with the program. Transfers may be added to a batch while others are in
   flight, and the batch must not move until all are complete. */
void upcr_tp_start_get(void *dst, upcr_pts_t src, size_t n, struct upcr_batch *batch);
void upcr_tp_start_put(upcr_pts_t dst, const void *src, size_t n, struct upcr_batch *batch);
/* Pre: neither place is mapped. */
void upcr_tp_start_copy(upcr_pts_t dst, upcr_pts_t src, size_t n, struct upcr_batch *batch);
void upcr_tp_start_set(upcr_pts_t dst, unsigned char value, size_t n, struct upcr_batch *batch);

/* Start count > 0 gets or puts at places of one thread that do not overlap; n > 0 for each. They are sent in as few
   messages as possible. If no iovec of a put is longer than UPCR_IOV_MOST bytes, the put has read them all when it
   returns. No later operation of the thread overtakes it then, unless the batch is unordered: such a start returns at
   once, and keeps in private memory what may not be sent yet. */
#define UPCR_IOV_MOST 2048
struct upcr_iov {
    uint64_t offset; /* in the thread's segment */
    void *bytes;     /* a put only reads them */
    size_t n;
};
void upcr_tp_start_get_iov(int thread, const struct upcr_iov *iov, size_t count, struct upcr_batch *batch);
void upcr_tp_start_put_iov(int thread, const struct upcr_iov *iov, size_t count, struct upcr_batch *batch);

/* The same, but complete on return like upcr_tp_put. */
void upcr_tp_put_iov(int thread, const struct upcr_iov *iov, size_t count);

/* The first returns whether all transfers of the batch are complete; the second waits until they are. */
bool upcr_tp_batch_test(struct upcr_batch *batch);
void upcr_tp_batch_wait(struct upcr_batch *batch);

/* For puts that the transport collects, to send several as one message (collect.h). The first returns whether one
   more message may be sent without waiting. The second sends collected puts as long as that holds, and returns
   whether it still holds. Both are called by whichever system thread owns the collections; that thread may also call
   upcr_tp_start_put_iov and upcr_tp_batch_wait. */
bool upcr_tp_may_put(void);
bool upcr_tp_send_collected(void);

/* Called by a system thread that helps this thread. Such a thread does not belong to the program, and may run on the
   processors that this process was allowed to use before threads were bound. */
void upcr_tp_helper_begins(void);

/* Serves the pending requests of other threads to this one. Called by a thread that goes on for some time without
   waiting. */
void upcr_tp_look(void);

/* Performs every earlier access of this thread, by any path, before any later one. Of transfers that were started,
   puts are performed; the bytes of gets arrive with their batch. */
void upcr_tp_fence(void);

/* ---- Atomic operations --------------------------------------------------------------------------------------------- */

/* [mapped] Performs upcr_cell_apply (atomic/cell.h) at a place of another thread. It is complete on return, and
   atomic with regard to that thread's own and all other threads' operations on the place. */
void upcr_tp_atomic(enum upcr_cell cell, int op, upcr_pts_t target, const void *operand1, const void *operand2, void *fetch);

/* Between the two calls no other thread that has this place mapped is between its own two calls for it. They enclose
   a few instructions only, and no other operation. Pre: the place is mapped. */
void upcr_tp_guard(const void *place);
void upcr_tp_unguard(const void *place);

/* ---- Barrier ------------------------------------------------------------------------------------------------------- */

/* What a thread brings to a barrier. UPCR_ARRIVAL_LEAVE belongs to the final barrier; its value is the thread's exit
   status. A barrier to which some threads come to leave and others to stay is over at once, without waiting for the
   rest. */
enum upcr_arrival { UPCR_ARRIVAL_ANONYMOUS, UPCR_ARRIVAL_NAMED, UPCR_ARRIVAL_LEAVE };

/* The combined arrivals of all threads. */
struct upcr_barrier_outcome {
    int leavers;       /* number of threads that arrived with LEAVE */
    int a_leaver;      /* one of them, if any, */
    int leaver_status; /* and its exit status */
    bool named;        /* some thread brought a value */
    int value;         /* one such value, and its thread */
    int value_thread;
    bool dissent; /* some thread brought a different value */
    int other_value;
    int other_thread;
};

/* Announces arrival (notify). Pre: the last upcr_tp_notify of this thread was followed by upcr_tp_wait. Everything
   this thread did before its last upcr_tp_fence is visible to a thread whose matching upcr_tp_wait has returned. */
void upcr_tp_notify(enum upcr_arrival arrival, int value);

/* Returns whether upcr_tp_wait would return without waiting. Becomes true without any other call, once all threads
   have notified. Pre: notified. */
bool upcr_tp_try_wait(void);

/* Returns when all threads have notified. Pre: notified. */
void upcr_tp_wait(struct upcr_barrier_outcome *outcome);

/* Returns 1 + the exit status of a thread that has arrived with UPCR_ARRIVAL_LEAVE, 0 for any other. Everything that it did before is
   visible then. Pre: this process has that thread's memory mapped. */
uint32_t upcr_tp_has_left(int thread);

/* Combines upcr_tp_notify and upcr_tp_wait. */
void upcr_tp_barrier(enum upcr_arrival arrival, int value, struct upcr_barrier_outcome *outcome);

/* ---- Side memory --------------------------------------------------------------------------------------------------- */

/* Returns the memory that plan->side asked for: zero at the start, committed where it is touched. NULL: this process
   does not have that thread's side memory mapped. */
void *upcr_tp_side(int thread);

/* Runs work(data) in a process that has that thread's side memory mapped; data, of at most UPCR_CALL_MOST bytes, is
   copied there and back. The work neither waits nor blocks, and may run in a system thread of that process other
   than its main thread. */
#define UPCR_CALL_MOST 2048
void upcr_tp_call(int thread, void (*work)(void *), void *data, size_t n);

/* ---- Small collective ---------------------------------------------------------------------------------------------- */

/* Copies the n <= UPCR_BROADCAST_MAX bytes at buf on thread 0 to buf on every thread. Collective; it passes a
   barrier and returns its outcome. */
#define UPCR_BROADCAST_MAX 64
void upcr_tp_broadcast(void *buf, size_t n, struct upcr_barrier_outcome *outcome);

/* A barrier that does work: after all threads have arrived and before any returns, one of them, chosen by the
   transport, runs work(argument). Everything that threads did before their last upcr_tp_fence is visible to the
   work; what the work did, up to its own last fence, is visible to every thread that has returned. The work neither
   passes a barrier nor waits for what another thread does. If some thread leaves, the outcome reports it, and the
   work may not have been done. */
void upcr_tp_rendezvous(void (*work)(void *), void *argument, struct upcr_barrier_outcome *outcome);

/* ---- Between groups [apart] -------------------------------------------------------------------------------------- */

/* A group is a set of threads that have one another's memory mapped; their numbers are consecutive. Groups are
   numbered in the order of their threads. The first thread of group upcr_tp_groups() is THREADS. */
int upcr_tp_groups(void);
int upcr_tp_group_of(int thread);
int upcr_tp_group_first(int group);

/* Sends n bytes to thread `to` and at the same time receives m bytes from thread `from`, which makes the matching
   call with the same number of bytes. n or m 0: nothing is sent or received. For collective functions: one thread's
   data for another is received in the order in which it was sent. Returns when src may be reused and dst is filled. If the other thread has arrived
   with UPCR_ARRIVAL_LEAVE instead of making its call, calls upcr_partner_left. */
void upcr_tp_exchange(int to, const void *src, size_t n, int from, void *dst, size_t m);

/* The same in two calls, between which the thread may do anything but another exchange. src may be reused, and dst is
   filled, after the second call. */
void upcr_tp_exchange_begin(int to, const void *src, size_t n, int from, void *dst, size_t m);
void upcr_tp_exchange_end(void);

/* ---- Shared heap --------------------------------------------------------------------------------------------------- */

struct upcr_heap_usage {
    uint64_t in_use; /* bytes of a thread's heap that are allocated */
    uint64_t size;   /* bytes of a thread's heap */
};

/* Allocates `bytes` > 0 bytes at the same offset in every segment (symmetric) or in the caller's segment (local),
   and returns the offset; 0 if there is not enough memory, with *usage describing the heap. The block is aligned for
   every type; symmetric and large blocks are aligned to a cache line. */
uint64_t upcr_tp_alloc_symmetric(size_t bytes, struct upcr_heap_usage *usage);
uint64_t upcr_tp_alloc_local(size_t bytes, struct upcr_heap_usage *usage);

/* Frees a block that either function returned, whichever thread allocated it: `thread` is the block's thread for
   local blocks, 0 for symmetric ones. Returns false if offset is not such a block, or it was freed before. */
bool upcr_tp_free(int thread, uint64_t offset);

/* ---- Locks --------------------------------------------------------------------------------------------------------- */

/* A lock is UPCR_LOCK_BYTES of shared memory, aligned to 16. A thread that has it mapped initialises it; after that
   any thread may use it. Waiting threads are served in the order of their arrival. The caller adds the null strict
   accesses. Misuse that is detected (a lock the caller already holds, an unlock by another thread, a place that is
   not a lock) ends the job. caller: the return address of the user's call, for reports; NULL: a lock of the
   runtime's own, whose holder may be another system thread. */
#define UPCR_LOCK_BYTES 64
void upcr_tp_lock_init(upcr_pts_t lock, const void *caller);
void upcr_tp_lock(upcr_pts_t lock, const void *caller);
bool upcr_tp_lock_attempt(upcr_pts_t lock, const void *caller);
/* The unlock is complete, for all threads, after this thread's next upcr_tp_fence at the latest; upcr_pending is set
   if there is something to wait for. */
void upcr_tp_unlock(upcr_pts_t lock);
/* Called when the memory is about to be freed: later use is detected where possible. Pre: no thread will use the
   lock again. */
void upcr_tp_lock_destroy(upcr_pts_t lock);

/* ---- Semaphores ---------------------------------------------------------------------------------------------------- */

/* A semaphore is UPCR_SEM_BYTES of shared memory, aligned to 16. A thread that has it mapped initialises it; after
   that any thread may use it. It is a count that starts at zero. n <= UPCR_SEM_MAX. A boolean semaphore never
   exceeds 1; with any other, a count above UPCR_SEM_MAX ends the job. Post: what this thread did before its last
   upcr_tp_fence is visible to the thread that takes. Wait and try take n at once; threads are served in no
   particular order. The caller adds the null strict accesses. */
#define UPCR_SEM_BYTES 32
#define UPCR_SEM_MAX   65535
void upcr_tp_sem_init(upcr_pts_t semaphore, bool boolean);
void upcr_tp_sem_post(upcr_pts_t semaphore, uint32_t n);
void upcr_tp_sem_wait(upcr_pts_t semaphore, uint32_t n);
bool upcr_tp_sem_try(upcr_pts_t semaphore, uint32_t n);
/* Like upcr_tp_lock_destroy. */
void upcr_tp_sem_destroy(upcr_pts_t semaphore);

#endif
