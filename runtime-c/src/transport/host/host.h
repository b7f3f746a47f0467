/* What transports share whose threads are processes of one machine: a process that watches over threads, says why one of them has ended,
   and ends the others. Launcher: that process. Under smp it has all threads of the job, under mpi each has one. */
#ifndef UPCR_HOST_H
#define UPCR_HOST_H

#include <signal.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/types.h>

#include "transport/transport.h"

/* How a thread's process came to its end, as far as it could say. */
enum host_end {
    HOST_RUNNING,     /* it did not say: an end now is a failure */
    HOST_LEFT,        /* passed the final barrier */
    HOST_GLOBAL_EXIT, /* called upc_global_exit, or followed another that did */
    HOST_ABORTED,     /* reported an error, or saw that another had */
};

/* What a thread has to do with the end of others, before it is ended itself (upcr_tp_before_end). */
enum host_saving {
    HOST_SAVES_NOTHING,
    HOST_WILL_SAVE,
    HOST_HAS_SAVED,
};

/* The launcher, among the threads. */
#define HOST_LAUNCHER UINT32_MAX

/* What a thread waits for, written before it really has to wait and read by the launcher. */
enum host_wait { HOST_COMPUTES, HOST_IN_BARRIER, HOST_FOR_LOCK, HOST_FOR_OTHER };

struct host_waiting {
    _Atomic uint32_t kind;    /* enum host_wait */
    _Atomic uint32_t count;   /* of waits that have begun */
    _Atomic uint32_t arrived; /* barriers that the thread has notified */
    _Atomic uint32_t passed;  /* and those that it has passed, where the transport says so */
    bool named;               /* the barrier has a value */
    int value;
    const void *lock;
};

/* What is known about a lock that another thread waits for. Places: return addresses of calls, 0 if not known. */
struct host_lock_state {
    int holder; /* -1: none at the moment, or not known */
    uintptr_t made_at, taken_at;
};

/* What could bring a waiting thread on, beside the other threads of the job. Bits. */
enum host_other {
    HOST_BY_DEBUGGER = 1,
    HOST_BY_PTHREAD = 2, /* that the program has started */
    HOST_BY_CHILD = 4,   /* a process that it has started, and that may send a signal */
    HOST_BY_TIMER = 8,   /* whose signal has a handler, or ends the thread */
    HOST_BY_HANDLER = 16, /* of a signal: one runs, or is about to */
    HOST_BY_UNKNOWN = 32, /* the system does not say */
};

/* What a thread says when it is asked where it is. */
struct host_answer {
    struct host_waiting waiting;
    bool timed;     /* a timer of its process runs (alarm, setitimer) */
    bool stuck;     /* it waits in a barrier or for a lock, and what it waits for has not happened */
    bool lock_seen; /* the lock that it waits for could be looked at */
    struct host_lock_state lock;
    uint64_t sent, handled; /* messages so far */
};

/* A thread, as its launcher sees it. */
struct host_thread {
    alignas(UPCR_CACHE_LINE) _Atomic uint32_t end; /* enum host_end */
    struct upcr_crash crash; /* signal 0: none */
    struct upcr_stack stack;
    _Atomic uint32_t saving; /* enum host_saving */
    struct host_answer answer; /* made together with the stack, when asked */
    _Atomic uint32_t helpers;  /* pthreads of its process that belong to the runtime, or to the system's libraries */
    alignas(UPCR_CACHE_LINE) struct host_waiting waiting;
};

enum { HOST_MACHINE_CAPACITY = 64 };

/* Shared by a launcher and its threads. */
struct host_job {
    _Atomic uint32_t reporter; /* who prints why the job ends: thread + 1, HOST_LAUNCHER; 0 nobody yet */
    _Atomic uint32_t reported; /* it is printed */
    _Atomic uint32_t global_exit; /* 0x100 | status once upc_global_exit was called, and this is known here */
    _Atomic uint32_t parting;     /* smp: threads that have called it */
    int first;   /* number of the first of the launcher's threads */
    int count;   /* of the launcher's threads */
    int threads; /* of the job */
    int worst_status; /* largest exit status of all threads of the job, where the transport knows it */
    char machine[HOST_MACHINE_CAPACITY]; /* name of this one, for messages; "": all threads are here */
    /* Where segments are: written by the transport, for messages. */
    char *segment_base;
    uintptr_t guard_end; /* the HOST_GUARD_BYTES below it are nobody's: whoever overruns private memory that is mapped there meets no segment; 0: none */
    int segment_shift;
    size_t segment_bytes;
    size_t heap_bytes; /* as asked for; the segment is rounded up to pages */
    size_t heap_start;
    struct host_thread thread[]; /* from `first` on */
};

/* How long upc_global_exit waits for others that call it too, in milliseconds: longer than threads of an oversubscribed machine are apart, and
   no time for a user. */
enum { HOST_PARTING_MS = 200 };

extern struct host_job *host_job;

/* Maps the block for threads first..first + count of a job; called before they are forked. Exits on failure. */
void host_job_create(int first, int count, int threads);

static inline struct host_thread *host_me(void)
{
    return &host_job->thread[upcr_mythread - host_job->first];
}

/* Memory of threads: memory.c. Pages are the system's. */
size_t host_round_to_pages(size_t bytes);

/* Ends the program: `bytes` of something could not be had; errno says why. */
void host_fatal_memory(const char *what, uint64_t bytes) __attribute__((__noreturn__));

/* log2 of the distance between segments; ends the program if pointers-to-shared cannot reach them. */
int host_choose_shift(size_t segment_bytes);

enum { HOST_GUARD_BYTES = 1 << 16 };

/* Addresses for `count` segments of `bytes` each, 1 << shift apart, without access; and for all between them where the process may have so
   many addresses. Ends the program if there are none. */
char *host_reserve_segments(size_t count, size_t bytes, int shift);

/* A sparse memory file without a name, which keeps its size. */
int host_create_memory(size_t bytes);

/* First steps of a thread's process, which the process `launcher` has forked. mask: of signals, from now on. */
void host_become_thread(pid_t launcher, const sigset_t *mask);

/* What upcr_tp_before_end has asked for. */
void host_save(void);

/* Standard input is empty from now on. */
void host_take_null_input(void);

/* What lies at the address of a fault, in words: "a null pointer-to-shared", "stack overflow"; "" if there is nothing to say. */
void host_describe_fault(const struct upcr_crash *crash, char *text, size_t capacity);

/* The signal by which the monitor asks threads to flush and end, after upc_global_exit. */
int host_exit_signal(void);

/* The signal by which the monitor asks a thread to leave its stack. */
int host_ask_signal(void);

/* The signal by which the monitor has a thread save what it holds, before it is killed. */
int host_save_signal(void);

/* The threads, as where.c sees them. */
struct host_crowd {
    const pid_t *pids;
    const bool *gone;
    int threads;
};

/* What a launcher finds out about one of its threads, in words that another launcher can print. */
enum { HOST_PLACE_CAPACITY = 300 };
struct host_seen {
    bool known;    /* this is filled in */
    bool gone, left, answered, stuck, between; /* between: upc_notify and upc_wait */
    bool named;
    int value;
    uint32_t kind; /* enum host_wait */
    uint32_t count, arrived;
    int holder;    /* of the lock; -1: not known */
    unsigned others; /* enum host_other */
    uint64_t sent, handled;
    char machine[HOST_MACHINE_CAPACITY];
    char place[HOST_PLACE_CAPACITY], operation[64];
    char made_at[HOST_PLACE_CAPACITY], taken_at[HOST_PLACE_CAPACITY]; /* of the lock */
};

/* Asks the launcher's threads; seen: one for each. Prints a line for each thread of the job: where it is and what it waits for. */
void host_see(const struct host_crowd *crowd, struct host_seen *seen);
void host_print_seen(const struct host_seen *seen, int threads);

/* Prints the stacks of all threads, those of the ones that have died included. */
void host_show_stacks(const struct host_crowd *crowd);

/* One of a row of looks at the launcher's threads, some time apart: true if since the look before none went on, and each waits for
   something that only another of the launcher's threads could bring about. */
bool host_look_for_stuck(const struct host_crowd *crowd);

/* What else could bring a thread of this launcher on, as bits of enum host_other: what its process has, but for timers that only the thread knows
   of; and what has happened to it so far. The second is asked behind the first for all threads: what is gone by then may have sent a signal. */
unsigned host_others(int thread, pid_t process);
unsigned host_signalled(pid_t process);

/* Of a number of threads. */
unsigned host_all_others(const struct host_seen *seen, int threads);

/* Of a process; -1: not known. */
int host_count_pthreads(pid_t process);

/* Around a wait that is real: tells the launcher. */
static inline void host_wait_begins(enum host_wait kind, const void *lock)
{
    struct host_waiting *waiting = &host_me()->waiting;
    waiting->lock = lock;
    atomic_store_explicit(&waiting->count, atomic_load_explicit(&waiting->count, memory_order_relaxed) + 1, memory_order_relaxed);
    atomic_store_explicit(&waiting->kind, kind, memory_order_release);
}

static inline void host_wait_ends(void)
{
    atomic_store_explicit(&host_me()->waiting.kind, HOST_COMPUTES, memory_order_relaxed);
}

/* ---- Supplied by the transport ------------------------------------------------------------------------------------- */

/* Completes the answer of this thread, whose `waiting` is there. In a signal handler. */
void host_complete_answer(struct host_answer *answer);

/* Whether a thread of this launcher has notified a barrier that is not complete. */
bool host_has_arrived(const struct host_waiting *waiting);

/* Whether the thread that waits for a lock has been given it. */
bool host_has_lock(int slot);

/* What is at a place of the shared heap, in words. */
void host_describe_heap(int thread, uint64_t offset, char *text, size_t capacity);

/* All threads of a machine have the same reason not to start: the first of them says it, in the others this waits for its end and does not
   return. */
void host_leave_refusal_to_first(void);

/* This process is about to end, and with it the job: another one may be about to say why. */
void host_let_others_report(void);

/* ---- Supplied by the transport: a launcher and those of the job's other threads, if there are such ---- */

/* The launcher waits for one of these signals, which are blocked, or for news; at most so long, NULL: for ever. Gives the signal, else 0 or
   less. And a millisecond's wait in the midst of something. */
int host_wait_signal(const sigset_t *signals, siginfo_t *info, const struct timespec *rest);
void host_moment(void);

/* What has come from others since the last call. */
struct host_news {
    bool ends;        /* the job ends; it is said why, or nothing needs to be said */
    char reason[256]; /* not "": this is what has happened, and the job must end; nobody has said so yet */
    int status;       /* with which it ends */
    bool places;      /* the user asks where the threads are */
};
struct host_news host_take_news(void);

/* Whether this launcher may say why the job ends: no other one does. */
bool host_claim_job(void);

/* Whether the launcher's thread has been told that it may. */
bool host_thread_may_report(void);

/* The others are to end the job with this status. */
void host_end_others(int status);

/* A failed job leaves no files of the system's behind, as far as they are known. */
void host_clean(void);

/* The job has failed and its threads have ended: whoever has started this launcher may need time to notice by itself what has happened. */
void host_let_starter_see(void);

/* All threads have ended as they should: the others need not wonder. */
void host_part(void);

/* Shows where the threads of the whole job are, or has the launcher do so whose task that is. */
void host_show_job(const struct host_crowd *crowd);

/* One of a row of looks: true if all threads of the job wait for one another and nothing else can bring them on, which is certain. */
bool host_look_for_deadlock(const struct host_crowd *crowd);

/* From monitor.c: the crowd of this launcher. And the lines about a job in which all threads wait for one another, as they were seen, at most
   once of each kind; true: nothing else can bring them on. */
struct host_crowd host_my_crowd(void);
bool host_judge_deadlock(const struct host_seen *seen);

/* Core files leave the segments out from now on; and from the second call on, made by a process that is about to write one, they hold
   static data and the heap as far as it is in use. Async-signal-safe. */
void host_core_exclude(void);
void host_core_include_used(void);

/* ---- Of the folder itself ------------------------------------------------------------------------------------------ */

/* The signals that the monitor waits for; they must be blocked before the first thread is forked. */
void host_watched_signals(sigset_t *signals);

/* Watches over the threads in the process that forked them, until the job is over; then ends it. pids: one per thread. */
void host_monitor(const pid_t *pids, const struct upcr_plan *plan) __attribute__((__noreturn__));

/* As how many processes a launcher of MPI's or the system's has started the program, 0 where none has or says so, and which of them this one is. */
struct host_launched {
    int processes, number;
};
struct host_launched host_launched(void);

/* How many processors this process may use; at least 1. */
int host_processors(void);

/* Keeps the calling thread on the processor with its number among those it may use, beginning again behind the last. */
void host_bind(int thread);

/* Tells the user when threads will have to share processors. */
void host_bind_note(int threads);

/* Processes that threads have started, and that lose their parent, become children of the monitor from now on. */
void host_children_note(void);

/* Whether there is such a process, which has lost its parent. */
bool host_children_exist(const struct host_crowd *crowd);

/* Kills all processes that the threads of a failed job have left; those that were there before host_children_note are spared. */
void host_children_kill(void);

#endif
