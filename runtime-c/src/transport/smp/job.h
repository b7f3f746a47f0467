/* The control block that all processes of an smp job share. */
#ifndef UPCR_SMP_JOB_H
#define UPCR_SMP_JOB_H

#include <signal.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/types.h>

#include "heap/arena.h"
#include "transport/transport.h"
#include "wait.h"

enum { SMP_GUARDS = 64 };

/* How a thread's process came to its end, as far as it could say. */
enum smp_end {
    SMP_RUNNING,     /* it did not say: an end now is a failure */
    SMP_LEFT,        /* passed the final barrier */
    SMP_GLOBAL_EXIT, /* called upc_global_exit, or followed another that did */
    SMP_ABORTED,     /* reported an error, or saw that another had */
};

/* What a thread has to do with the end of others, before it is ended itself (upcr_tp_before_end). */
enum smp_saving {
    SMP_SAVES_NOTHING,
    SMP_WILL_SAVE,
    SMP_HAS_SAVED,
};

/* The launcher, among the threads. */
#define SMP_LAUNCHER UINT32_MAX

/* What the threads bring to one barrier. Votes hold thread + 1 in the upper half and the value in the lower; 0 is no vote. */
struct smp_ballot {
    _Atomic uint64_t consensus; /* the first value that came */
    _Atomic uint64_t dissent;   /* the first that differed from it */
    _Atomic uint32_t leavers;
    _Atomic uint32_t a_leaver;
};

struct smp_barrier {
    alignas(UPCR_CACHE_LINE) _Atomic uint32_t arrived;
    alignas(UPCR_CACHE_LINE) struct upcr_event epoch; /* counts completed barriers */
    alignas(UPCR_CACHE_LINE) struct smp_ballot ballots[2]; /* by the epoch's parity */
};

/* What a thread waits for, written before it really has to wait and read by the launcher. */
enum smp_wait { SMP_COMPUTES, SMP_IN_BARRIER, SMP_FOR_LOCK, SMP_FOR_OTHER };

struct smp_waiting {
    _Atomic uint32_t kind;    /* enum smp_wait */
    _Atomic uint32_t count;   /* of waits that have begun */
    _Atomic uint32_t arrived; /* barriers that the thread has notified */
    bool named;               /* the barrier has a value */
    int value;
    const void *lock;
};

struct smp_thread {
    alignas(UPCR_CACHE_LINE) _Atomic uint32_t end; /* enum smp_end */
    int exit_status; /* of a thread that has voted to leave */
    struct upcr_crash crash; /* signal 0: none */
    struct upcr_stack stack;
    _Atomic uint32_t saving; /* enum smp_saving */
    struct smp_waiting asked; /* a copy, made together with the stack */
    alignas(UPCR_CACHE_LINE) struct smp_waiting waiting;
    /* The thread's place in the queue of the lock it waits for. */
    alignas(UPCR_CACHE_LINE) struct upcr_event lock_turn;
    struct upcr_event lock_next; /* who waits behind it */
    struct upcr_arena arena; /* local blocks; grows downward from the segment's end */
};

struct smp_job {
    _Atomic uint32_t reporter; /* who prints why the job ends: thread + 1, SMP_LAUNCHER; 0 nobody yet */
    _Atomic uint32_t reported; /* it is printed */
    _Atomic uint32_t global_exit; /* 0x100 | status once upc_global_exit was called */
    size_t segment_bytes;
    size_t heap_bytes; /* as asked for; the segment is rounded up to pages */
    size_t heap_start;
    struct smp_barrier barrier;
    alignas(UPCR_CACHE_LINE) unsigned char broadcast[2][UPCR_BROADCAST_MAX];
    /* Blocks at the same offset in all segments; grows upward. Its headers are in thread 0's segment. */
    alignas(UPCR_CACHE_LINE) struct upcr_arena symmetric;
    /* Guards the borders between the arenas: symmetric.high and every arena.low, when they move. */
    struct upcr_mutex borders;
    /* Stand in for atomic instructions on what is too wide for one, by the place's address. */
    struct upcr_mutex guards[SMP_GUARDS];
    struct smp_thread thread[];
};

extern struct smp_job *smp_job;

/* Maps the control block and all segments; called before the threads are forked, which inherit them. Exits on failure. */
void smp_segments_create(const struct upcr_plan *plan);

/* Where the transport itself reaches thread 0's segment. With -pshm-width it is another mapping of the same memory than the one at
   upcr_segment_base, in which the segments of threads that count as remote are closed. */
#ifdef UPCR_REMOTE
extern char *smp_view;
#else
#define smp_view upcr_segment_base
#endif

/* The start of a thread's segment. */
static inline char *smp_segment(int thread)
{
    return smp_view + ((size_t)thread << UPCR_SEGMENT_SHIFT);
}

/* The object p points at, whichever thread it has affinity to. */
static inline void *smp_at(upcr_pts_t p)
{
#ifdef UPCR_REMOTE
    return smp_segment((int)upcr_threadof(p)) + upcr_addrfield(p);
#else
    return upcr_addr(p);
#endif
}

/* Decides which segments count as mapped for the calling thread, and closes the others. */
void smp_segments_choose(int thread);

/* Gives the pages wholly inside [offset, offset + bytes) of a thread's segment back to the system. */
void smp_segment_discard(int thread, uint64_t offset, uint64_t bytes);

/* What lies at the address of a fault, in words: "a null pointer-to-shared", "stack overflow"; "" if there is nothing to say. */
void smp_describe_fault(const struct upcr_crash *crash, char *text, size_t room);

/* Core files leave the segments out from now on; and from the second call on, made by a process that is about to write one, they hold
   static data and the heap as far as it is in use. Async-signal-safe. */
void smp_core_exclude(void);
void smp_core_include_used(void);

/* Prepares the arenas; called once, after smp_segments_create. */
void smp_heap_init(const struct upcr_plan *plan);

/* The signal by which the monitor asks threads to flush and end, after upc_global_exit. */
int smp_exit_signal(void);

/* The signal by which the monitor asks a thread to leave its stack. */
int smp_ask_signal(void);

/* The signal by which the monitor has a thread save what it holds, before it is killed. */
int smp_save_signal(void);

/* The threads, as where.c sees them. */
struct smp_crowd {
    const pid_t *pids;
    const bool *gone;
    int threads;
};

/* Prints a line for each thread: where it is and what it waits for. */
void smp_show_places(const struct smp_crowd *crowd);

/* Prints the stacks of all threads, those of the ones that have died included. */
void smp_show_stacks(const struct smp_crowd *crowd);

/* One of a row of looks, some time apart: true if since the look before no thread went on, and none ever can, because each waits for
   something that only another of them could bring about. */
bool smp_look_for_deadlock(int threads);

/* Around a wait that is real: tells the launcher. */
static inline void smp_wait_begins(enum smp_wait kind, const void *lock)
{
    struct smp_waiting *waiting = &smp_job->thread[upcr_mythread].waiting;
    waiting->lock = lock;
    atomic_store_explicit(&waiting->count, atomic_load_explicit(&waiting->count, memory_order_relaxed) + 1, memory_order_relaxed);
    atomic_store_explicit(&waiting->kind, kind, memory_order_release);
}

static inline void smp_wait_ends(void)
{
    atomic_store_explicit(&smp_job->thread[upcr_mythread].waiting.kind, SMP_COMPUTES, memory_order_relaxed);
}

/* What is known about a lock that another thread waits for. Places: return addresses of calls, 0 if not known. */
struct smp_lock_state {
    int holder; /* -1: none at the moment */
    uintptr_t made_at, taken_at;
};
void smp_lock_look(const void *lock, struct smp_lock_state *state);

/* The signals that the monitor waits for; they must be blocked before the first thread is forked. */
void smp_watched_signals(sigset_t *signals);

/* Watches over the threads in the process that forked them, until the job is over; then ends it. pids: one per thread. */
void smp_monitor(const pid_t *pids, const struct upcr_plan *plan) __attribute__((__noreturn__));

/* How many processors this process may use; at least 1. */
int smp_processors(void);

/* Keeps the calling thread on the processor with its number among those it may use, beginning again behind the last. */
void smp_bind(int thread);

/* Tells the user when threads will have to share processors. */
void smp_bind_note(int threads);

/* Processes that threads have started, and that lose their parent, become children of the monitor from now on. */
void smp_children_note(void);

/* Kills all processes that the threads of a failed job have left; those that were there before smp_children_note are spared. */
void smp_children_kill(void);

#endif
