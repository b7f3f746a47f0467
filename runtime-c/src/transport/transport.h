/* The contract of a transport: every operation, once. A program is linked with one transport; transport/smp/ is the default.

   Vocabulary: "returns in a thread" means in a process that is one UPC thread; `pts` operands may carry any phase. Unless
   stated otherwise an operation may be called by any thread at any time between upcr_tp_run and upcr_tp_leave, between notify and
   wait of a barrier too, by the thread's main thread of execution alone; it does not return on failure (it reports through upcr_die),
   and leaves the process's signal mask and errno alone. Operations marked [mapped] may only be called for a thread for which
   upcr_mapped(thread) is false; what is mapped the caller accesses itself, and makes the choice with that one question.

   Every operation has a case in runtime-c/tests/transport/, which all transports pass. */
#ifndef UPCR_TRANSPORT_H
#define UPCR_TRANSPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "atomic/cell.h"
#include "trace/trace.h"
#include "upcr/upcr.h"

/* Which processors a thread keeps to: its share, where the transport finds that this pays; those that it was started on; one. */
enum upcr_binding { UPCR_BIND_SHARE, UPCR_BIND_NOT, UPCR_BIND_ONE };

/* What the job shall be. Filled by launch.c from flags, environment and the program's units. */
struct upcr_plan {
    int threads;          /* >= 1, <= UPCR_MAX_THREADS */
    size_t static_bytes;  /* per thread: reserved start and static shared data */
    size_t heap_bytes;    /* per thread */
    bool heap_is_users;   /* the user has said so; else it is a part of this machine's memory for each of its threads, all being here */
    bool polite;          /* wait as if oversubscribed */
    enum upcr_binding bind;
    unsigned timeout;     /* seconds that the run may take; 0: any time */
    int width;            /* at most so many threads have each other's memory mapped; 0: as many as can */
    unsigned delay;       /* smp: nanoseconds that a message between threads apart shall take */
    size_t (*side)(size_t segment_bytes); /* bytes of each thread beside its segment (upcr_tp_side); NULL: none */
};

/* ---- Life ---------------------------------------------------------------------------------------------------------- */

/* How many processes a launcher has started that starts one for each thread; 0: none has, or it does not say. */
int upcr_tp_processes(void);

/* How many bytes of shared memory a process may map, all threads' that it reaches together, so that as much is left for the program's own: UINT64_MAX
   where the system sets no limit. Before the start. */
uint64_t upcr_tp_memory_limit(void);

/* Starts the job. Pre: called once, by a process with one thread of execution, before user code. Post: returns in every UPC
   thread, with the job constants of base.h written, every segment this transport maps in place and zero, standard input
   connected for thread 0 only. Does not return in any process that is not a UPC thread. If any thread ends other than by
   upcr_tp_leave and exit, or by upcr_tp_global_exit, the transport ends the whole job with a nonzero status and one line
   on stderr that says which thread, how and where. */
void upcr_tp_run(const struct upcr_plan *plan);

/* This thread has passed the final barrier: its process may end from now on. Its exit code takes part in the job's, which
   is the largest. */
void upcr_tp_leave(void);

/* Ends all threads, whatever they are doing, with this status: after a moment in which those that are about to call this as well may do so, since
   what they would have printed before is lost otherwise; and gives the others the chance to flush their standard I/O. The first
   call decides the status, one of them where several come at once. Pre: the caller has flushed its own I/O, with signals blocked: those by which
   it learns of another call have it flush as well. */
void upcr_tp_global_exit(int status) __attribute__((__noreturn__));

/* True for the first caller in the job: only that one may print why the job ends, and says when it has. The job goes on until then. */
bool upcr_tp_claim_report(void);
void upcr_tp_report_done(void);

/* Ends the whole job with this status; the reason has been reported. */
void upcr_tp_abort(int status) __attribute__((__noreturn__));

/* Bytes of every thread's segment: no object reaches beyond. At least what the plan asked for, but for a heap that is not the user's: threads of
   machines with less memory make it smaller. */
size_t upcr_tp_segment_bytes(void);

/* The name of this machine, if the job runs on several; else "". */
const char *upcr_tp_machine(void);

/* A fatal signal that is about to end this thread. */
struct upcr_crash {
    int signal;
    int code;          /* si_code */
    bool stack;        /* for want of stack */
    uintptr_t address; /* si_addr */
};

/* Remembers it for the report. Async-signal-safe. */
void upcr_tp_note_crash(const struct upcr_crash *crash);

/* From now on `save` is called in this thread before it ends because another one fails or has called upc_global_exit, in a signal handler: the
   thread gets a second for it, and does nothing else any more. One such function at a time. */
void upcr_tp_before_end(void (*save)(void));

/* Where this thread leaves its stack, for the report to find when the thread has ended. Async-signal-safe. */
struct upcr_stack *upcr_tp_my_stack(void);

/* Whether the two threads have each other's memory mapped. */
bool upcr_tp_together(int a, int b);

/* What a few bytes that are not mapped cost the thread, roughly, in nanoseconds; 0 where they come by loads and stores all the same. A put
   that the transport collects with others and sends later is cheap; served: what it, or a piece, costs the thread that it goes to. */
struct upcr_distance {
    unsigned get, put, served;
};
struct upcr_distance upcr_tp_distance(void);

/* What this thread's process has sent so far, whichever of its threads needed it, and the memory that the transport has taken because
   there are other threads: all of it, and not what MPI takes; woken: rests of this thread that a message has ended. Under smp nothing. */
struct upcr_traffic {
    uint64_t messages, bytes;
    uint64_t memory;
    uint64_t woken;
};
void upcr_tp_traffic(struct upcr_traffic *traffic);

/* ---- Data [mapped] ------------------------------------------------------------------------------------------------- */

/* Operations of one thread on the same bytes take effect in the order in which it calls them, whatever the operations: a get gives what a
   put before it has put, and an atomic operation finds it. Only a transfer that was started and is not done may be overtaken.

   Blocking copies between n >= 0 bytes at one place with affinity to a single thread, of any alignment, and private memory. Get: the bytes are
   in dst on return. Put: src may be reused on return; the bytes are visible to others after the next upcr_tp_fence. An aligned scalar
   of 1, 2, 4 or 8 bytes is read and written in one piece. */
void upcr_tp_get(void *dst, upcr_pts_t src, size_t n);
void upcr_tp_put(upcr_pts_t dst, const void *src, size_t n);

/* n bytes from one shared place to another, visible after the next upcr_tp_fence; the places do not overlap. Pre: one of them is not
   mapped. */
void upcr_tp_copy(upcr_pts_t dst, upcr_pts_t src, size_t n);
/* n bytes of one value; as upcr_tp_put. */
void upcr_tp_set(upcr_pts_t dst, unsigned char value, size_t n);

/* Transfers that are under way together and waited for together. All zero: none. */
struct upcr_batch {
    _Atomic int left;
    uint64_t moment; /* smp: when they are done, where a distance is played */
};

/* As upcr_tp_get and upcr_tp_put, but dst may be written, and src read, until the batch is done. Another request of this thread for the same
   bytes may overtake them. A batch may take more while some are under way, and stays in its place until all are done. */
void upcr_tp_start_get(void *dst, upcr_pts_t src, size_t n, struct upcr_batch *batch);
void upcr_tp_start_put(upcr_pts_t dst, const void *src, size_t n, struct upcr_batch *batch);

/* count > 0 of either, of places of one thread that do not overlap; n > 0. They travel in as few messages as hold them. A put of pieces of no more than
   UPCR_IOV_MOST bytes does not read them any more when it returns, and nothing of the thread overtakes it. */
#define UPCR_IOV_MOST 2048
struct upcr_iov {
    uint64_t offset; /* in the thread's segment */
    void *bytes;     /* a put only reads them */
    size_t n;
};
void upcr_tp_start_get_iov(int thread, const struct upcr_iov *iov, size_t count, struct upcr_batch *batch);
void upcr_tp_start_put_iov(int thread, const struct upcr_iov *iov, size_t count, struct upcr_batch *batch);

/* The same, done on return as upcr_tp_put is. */
void upcr_tp_put_iov(int thread, const struct upcr_iov *iov, size_t count);

/* Whether all of them are done; waits until they are. */
bool upcr_tp_batch_test(struct upcr_batch *batch);
void upcr_tp_batch_wait(struct upcr_batch *batch);

/* Puts that the transport collects, to send several as one message (collect.h). Whether one more message may be sent without waiting; sends those
   that are collected, as far as that is so, and says whether it still is. Either by the thread of the system that has the collections, which may call
   upcr_tp_start_put_iov and upcr_tp_batch_wait, too. */
bool upcr_tp_may_put(void);
bool upcr_tp_send_collected(void);

/* Called by a thread of the system that helps this thread: it is none of the program's, and may run where this process was allowed to before
   threads were bound. */
void upcr_tp_helper_begins(void);

/* Serves what others have asked of this thread so far: for one that goes on for some time without waiting. */
void upcr_tp_look(void);

/* Every earlier access of this thread, by any path, is performed before any later one. Of what was started, puts are performed; the bytes of
   gets come with their batch. */
void upcr_tp_fence(void);

/* ---- Atomic operations --------------------------------------------------------------------------------------------- */

/* [mapped] upcr_cell_apply (atomic/cell.h) at a place of another thread, done on return; atomic with regard to that thread's own and all
   others' on the place. */
void upcr_tp_atomic(enum upcr_cell cell, int op, upcr_pts_t target, const void *operand1, const void *operand2, void *fetch);

/* Between the two calls no other thread that has this place mapped is between its own for it. For a few instructions only, without any other
   operation. Pre: the place is mapped. */
void upcr_tp_guard(const void *place);
void upcr_tp_unguard(const void *place);

/* ---- Barrier ------------------------------------------------------------------------------------------------------- */

/* What a thread brings to a barrier. UPCR_ARRIVAL_LEAVE is the final barrier's; its value is the thread's exit status. A barrier to which
   some threads come to leave and others to stay is over at once, without waiting for the rest. */
enum upcr_arrival { UPCR_ARRIVAL_ANONYMOUS, UPCR_ARRIVAL_NAMED, UPCR_ARRIVAL_LEAVE };

/* What the threads brought together. */
struct upcr_barrier_outcome {
    int leavers;      /* threads that voted LEAVE */
    int a_leaver;     /* one of them, if any, */
    int leaver_status; /* and its exit status */
    bool named;       /* some thread gave a value */
    int value;        /* one such value, and whose */
    int value_thread;
    bool dissent;     /* some thread gave another one */
    int other_value;
    int other_thread;
};

/* Notify: announces arrival. Pre: the last upcr_tp_notify of this thread was followed by upcr_tp_wait. Everything this thread did
   before its last upcr_tp_fence is visible to a thread whose matching upcr_tp_wait has returned. */
void upcr_tp_notify(enum upcr_arrival arrival, int value);

/* Whether upcr_tp_wait would return without waiting. Comes true without any other call, once all have notified. Pre: notified. */
bool upcr_tp_try_wait(void);

/* Returns when all threads have notified. Pre: notified. */
void upcr_tp_wait(struct upcr_barrier_outcome *outcome);

/* The two at once. */
void upcr_tp_barrier(enum upcr_arrival arrival, int value, struct upcr_barrier_outcome *outcome);

/* ---- Side memory --------------------------------------------------------------------------------------------------- */

/* What plan->side has asked for: zero at the start, committed where it is touched. NULL: this process does not have that thread's mapped. */
void *upcr_tp_side(int thread);

/* Runs work(data) in a process that has that thread's side memory mapped; data, of at most UPCR_CALL_MOST bytes, is taken there and back. The
   work neither waits nor blocks, and may run in another thread of the system than that process's program. */
#define UPCR_CALL_MOST 2048
void upcr_tp_call(int thread, void (*work)(void *), void *data, size_t n);

/* ---- Small collective ---------------------------------------------------------------------------------------------- */

/* The n <= UPCR_BROADCAST_MAX bytes at buf on thread 0 appear at buf on every thread. Collective; a barrier is passed, whose
   outcome comes back. */
#define UPCR_BROADCAST_MAX 64
void upcr_tp_broadcast(void *buf, size_t n, struct upcr_barrier_outcome *outcome);

/* A barrier with work in it: after all threads have arrived and before any returns, one of them, whichever the transport
   finds best, runs work(argument). Everything that threads did before their last upcr_tp_fence is visible to the work; what the work
   did, up to its own last one, is visible to every thread that has returned. The work neither passes a barrier nor waits for what another
   thread does. If some thread leaves, the outcome says so and the work may not have been done. */
void upcr_tp_rendezvous(void (*work)(void *), void *argument, struct upcr_barrier_outcome *outcome);

/* ---- Between groups [apart] ------------------------------------------------------------------------------------------ */

/* A group is the threads that have one another's memory mapped, whose numbers are consecutive; groups are numbered in that order. The first thread
   of group upcr_tp_groups() is THREADS. */
int upcr_tp_groups(void);
int upcr_tp_group_of(int thread);
int upcr_tp_group_first(int group);

/* Sends n bytes to thread `to` and at the same time receives m bytes from thread `from`, which calls it too, with the same number for its
   part; n or m 0: no such part. For collective functions: what a thread sends to another is received in the order in which it was sent. Returns
   when src may be reused and dst is there. */
void upcr_tp_exchange(int to, const void *src, size_t n, int from, void *dst, size_t m);

/* ---- Shared heap --------------------------------------------------------------------------------------------------- */

struct upcr_heap_usage {
    uint64_t in_use; /* bytes of a thread's heap that are allocated */
    uint64_t size;   /* bytes of a thread's heap */
};

/* Offset of `bytes` > 0 bytes at one and the same offset in every segment (symmetric) or in the caller's (local); 0 when they
   are not to be had, and *usage then says why. Aligned for every type; symmetric and large blocks to a cache line. */
uint64_t upcr_tp_alloc_symmetric(size_t bytes, struct upcr_heap_usage *usage);
uint64_t upcr_tp_alloc_local(size_t bytes, struct upcr_heap_usage *usage);

/* Frees what either of them returned, whoever it was: local blocks by their thread, symmetric ones by thread 0. False: offset is no such
   place, or was freed before. */
bool upcr_tp_free(int thread, uint64_t offset);

/* ---- Locks --------------------------------------------------------------------------------------------------------- */

/* A lock is UPCR_LOCK_BYTES of shared memory, aligned to 16, and anybody's once initialised by a thread that has it mapped. Waiting threads are
   served in the order of their arrival. The caller adds the null strict accesses. Misuse that is detected (a lock held by the caller already, an unlock by another
   thread, no lock at all) ends the job. caller: the return address of the user's call, for reports;
   NULL: a lock of the runtime's own, whose holder may be another thread of the system. */
#define UPCR_LOCK_BYTES 64
void upcr_tp_lock_init(upcr_pts_t lock, const void *caller);
void upcr_tp_lock(upcr_pts_t lock, const void *caller);
bool upcr_tp_lock_attempt(upcr_pts_t lock, const void *caller);
/* Done, for all threads, after this thread's next upcr_tp_fence at the latest; upcr_pending says that there is something to wait for. */
void upcr_tp_unlock(upcr_pts_t lock);
/* The memory is about to be freed: later use is detected where possible. Pre: no thread will use the lock again. */
void upcr_tp_lock_destroy(upcr_pts_t lock);

/* ---- Semaphores ---------------------------------------------------------------------------------------------------- */

/* A semaphore is UPCR_SEM_BYTES of shared memory, aligned to 16, and anybody's once initialised by a thread that has it mapped: a count that
   starts at zero. n <= UPCR_SEM_MAX. Boolean: never above 1; else a count above UPCR_SEM_MAX ends the job. Post: what this thread did before its last
   upcr_tp_fence is visible to the one that takes. Wait and try take n at once, in no particular order of threads. The caller adds
   the null strict accesses. */
#define UPCR_SEM_BYTES 32
#define UPCR_SEM_MAX 65535
void upcr_tp_sem_init(upcr_pts_t semaphore, bool boolean);
void upcr_tp_sem_post(upcr_pts_t semaphore, uint32_t n);
void upcr_tp_sem_wait(upcr_pts_t semaphore, uint32_t n);
bool upcr_tp_sem_try(upcr_pts_t semaphore, uint32_t n);
/* As upcr_tp_lock_destroy. */
void upcr_tp_sem_destroy(upcr_pts_t semaphore);

#endif
