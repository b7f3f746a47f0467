/* The code shared by transports whose threads are processes of one machine. A process watches over the threads,
   reports why one of them has ended, and ends the others. Launcher: that process. Under smp one launcher has all
   threads of the job; under mpi each launcher has one. */
#ifndef UPCR_HOST_H
#define UPCR_HOST_H

#include <signal.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/types.h>

#include "transport/transport.h"

/* How a thread's process ended, as far as it could record that. */
enum host_end {
    HOST_RUNNING,     /* nothing recorded: an end is a failure */
    HOST_LEFT,        /* passed the final barrier */
    HOST_GLOBAL_EXIT, /* called upc_global_exit, or followed another thread that did */
    HOST_ABORTED,     /* reported an error, or saw that another thread had */
};

/* The state of a thread's saving function (upcr_tp_before_end), which runs before the thread is ended because of
   others. */
enum host_saving {
    HOST_SAVES_NOTHING,
    HOST_WILL_SAVE,
    HOST_HAS_SAVED,
};

/* The launcher, in place of a thread number. */
#define HOST_LAUNCHER UINT32_MAX

/* What a thread waits for. The thread writes it before it actually has to wait; the launcher reads it. */
enum host_wait { HOST_COMPUTES, HOST_IN_BARRIER, HOST_FOR_LOCK, HOST_FOR_OTHER };

struct host_waiting {
    _Atomic uint32_t kind;    /* enum host_wait */
    _Atomic uint32_t count;   /* number of waits that have begun */
    _Atomic uint32_t arrived; /* number of barriers that the thread has notified */
    _Atomic uint32_t passed;  /* number of barriers that it has passed, where the transport records this */
    bool named;               /* the barrier has a value */
    int value;
    const void *lock;
};

/* What is known about a lock that another thread waits for. made_at and taken_at are return addresses of calls, 0 if
   not known. */
struct host_lock_state {
    int holder; /* -1: none at the moment, or not known */
    uintptr_t made_at, taken_at;
};

/* What, beside the other threads of the job, could let a waiting thread continue. Bits. */
enum host_other {
    HOST_BY_DEBUGGER = 1,
    HOST_BY_PTHREAD = 2,  /* a pthread that the program has started */
    HOST_BY_CHILD = 4,    /* a process that it has started, which may send a signal */
    HOST_BY_TIMER = 8,    /* a timer whose signal has a handler, or ends the thread */
    HOST_BY_HANDLER = 16, /* a signal handler that runs, or is about to */
    HOST_BY_UNKNOWN = 32, /* the system does not report it */
};

/* A thread's answer to the question where it is. */
struct host_answer {
    struct host_waiting waiting;
    bool timed;     /* a timer of its process is running (alarm, setitimer) */
    bool stuck;     /* it waits in a barrier or for a lock, and what it waits for has not happened */
    bool lock_seen; /* the lock that it waits for could be inspected */
    struct host_lock_state lock;
    uint64_t sent, handled; /* number of messages so far */
};

/* A thread, as its launcher sees it. */
struct host_thread {
    alignas(UPCR_CACHE_LINE) _Atomic uint32_t end; /* enum host_end */
    struct upcr_crash crash;                       /* signal 0: none */
    struct upcr_stack stack;
    _Atomic uint32_t saving;   /* enum host_saving */
    struct host_answer answer; /* made together with the stack, on request */
    _Atomic uint32_t helpers;  /* pthreads of its process that belong to the runtime or to the system's libraries */
    alignas(UPCR_CACHE_LINE) struct host_waiting waiting;
};

enum { HOST_MACHINE_CAPACITY = 64 };

/* Memory shared by a launcher and its threads. */
struct host_job {
    _Atomic uint32_t reporter;           /* who prints why the job ends: thread + 1 or HOST_LAUNCHER; 0: none yet */
    _Atomic uint32_t reported;           /* the reason is printed */
    _Atomic uint32_t global_exit;        /* 0x100 | status once upc_global_exit was called and this process knows it */
    _Atomic uint32_t parting;            /* smp: threads that have called upc_global_exit */
    int first;                           /* number of the first of the launcher's threads */
    int count;                           /* number of the launcher's threads */
    int threads;                         /* number of threads of the job */
    int worst_status;                    /* largest exit status of all threads of the job, where the transport knows it */
    char machine[HOST_MACHINE_CAPACITY]; /* name of this machine, for messages; "": all threads are on this machine */
    /* Where segments are. The transport writes it; messages use it. */
    char *segment_base;
    uintptr_t guard_end; /* the HOST_GUARD_BYTES below it have no access, so that overruns of memory below them
                            fault; 0: none */
    size_t segment_stride;
    size_t segment_bytes;
    size_t heap_bytes; /* as requested; the segment is rounded up to pages */
    size_t heap_start;
    /* smp: where the linear images of arrays are (transport/smp/linear.c); 0 bytes: there are none. */
    char *linear;
    size_t linear_bytes;
    struct host_thread thread[]; /* numbered from `first` on */
};

/* How long upc_global_exit waits for other threads that call it too, in milliseconds: longer than the time by which
   threads of an oversubscribed machine differ, and too short for a user to notice. */
enum { HOST_PARTING_MS = 200 };

extern struct host_job *host_job;

/* Maps the control block for the threads first..first + count of a job. Called before they are forked. Exits on
   failure. */
void host_job_create(int first, int count, int threads);

static inline struct host_thread *host_me(void)
{
    return &host_job->thread[upcr_mythread - host_job->first];
}

/* Read and write a word by which processes learn how the job ends, or where a thread waits. Such words change rarely,
   in processes that end independently, and several are compared with each other: so these accesses are sequentially
   consistent. */
static inline uint32_t host_read(const _Atomic uint32_t *word)
{
    return atomic_load_explicit(word, memory_order_seq_cst);
}

static inline void host_write(_Atomic uint32_t *word, uint32_t value)
{
    atomic_store_explicit(word, value, memory_order_seq_cst);
}

/* Stores `value` in such a word if it is 0. False: it is not; *found receives what it contains. */
static inline bool host_write_first(_Atomic uint32_t *word, uint32_t value, uint32_t *found)
{
    *found = 0;
    return atomic_compare_exchange_strong_explicit(word, found, value, memory_order_seq_cst, memory_order_seq_cst);
}

/* Memory of threads (memory.c). Rounds up to the system's pages. */
size_t host_round_to_pages(size_t bytes);

/* Ends the program because `bytes` bytes of something could not be allocated; errno holds the cause. */
void host_fatal_memory(const char *what, uint64_t bytes) __attribute__((__noreturn__));

/* Returns the distance between segments (UPCR_SEGMENT_STRIDE) in a job of `threads` threads; ends the program if pointers-to-shared cannot reach them. */
size_t host_choose_stride(size_t segment_bytes, int threads);

enum { HOST_GUARD_BYTES = 1 << 16 };

/* Reserves addresses for `count` segments of `bytes` each, `stride` bytes apart, without access. If the process may have
   that many addresses, everything between the segments is reserved too. Ends the program if the addresses are not
   available. */
char *host_reserve_segments(size_t count, size_t bytes, size_t stride);

/* The kernel maps huge pages only where an address and its offset in the file have the same place in one. Return where
   the segments begin in a file that has `bytes` in front of them; the distance of segments of `bytes` in the file, that
   are `stride` bytes apart in memory. */
size_t host_file_start(size_t bytes);
size_t host_file_stride(size_t bytes, size_t stride);

/* Maps the segment that begins at this offset in a file at `base`, without its start, where null pointers-to-shared
   lead. Its pages are huge where the system has such. */
void host_map_segment(char *base, size_t bytes, int file, size_t offset);

/* Creates a sparse memory file without a name, whose size is fixed. */
int host_create_memory(size_t bytes);

/* Performs the first steps of a thread's process, which the process `launcher` has forked. mask: the signal mask
   that it installs. */
void host_become_thread(pid_t launcher, const sigset_t *mask);

/* Calls the function that was registered with upcr_tp_before_end. */
void host_save(void);

/* Makes standard input empty. */
void host_take_null_input(void);

/* Describes what lies at the address of a fault: "a null pointer-to-shared", "stack overflow"; "" if nothing is
   known. */
void host_describe_fault(const struct upcr_crash *crash, char *text, size_t capacity);

/* Returns the signal by which the monitor asks threads to flush and end, after upc_global_exit. */
int host_exit_signal(void);

/* Returns the signal by which the monitor asks a thread to record its stack. */
int host_ask_signal(void);

/* Returns the signal by which the monitor makes a thread save its data before it is killed. */
int host_save_signal(void);

/* The threads, as where.c sees them. */
struct host_crowd {
    const pid_t *pids;
    const bool *gone;
    int threads;
};

/* What a launcher finds out about one of its threads, as text that another launcher can print. */
enum { HOST_PLACE_CAPACITY = 300 };
struct host_seen {
    bool known;                                /* this is filled in */
    bool gone, left, answered, stuck, between; /* between: between upc_notify and upc_wait */
    bool named;
    int value;
    uint32_t kind; /* enum host_wait */
    uint32_t count, arrived;
    int holder;      /* thread that holds the lock; -1: not known */
    unsigned others; /* bits of enum host_other */
    uint64_t sent, handled;
    char machine[HOST_MACHINE_CAPACITY];
    char place[HOST_PLACE_CAPACITY], operation[64];
    char made_at[HOST_PLACE_CAPACITY], taken_at[HOST_PLACE_CAPACITY]; /* places of the lock */
};

/* The first asks the launcher's threads; seen: one element for each. The second prints a line for each thread of the
   job: where it is and what it waits for. */
void host_see(const struct host_crowd *crowd, struct host_seen *seen);
void host_print_seen(const struct host_seen *seen, int threads);

/* Prints the stacks of all threads, including those that have died. */
void host_show_stacks(const struct host_crowd *crowd);

/* Inspects the launcher's threads; called repeatedly, some time apart. Returns true if since the previous call none
   has made progress, and each waits for something that only another of the launcher's threads could bring about. */
bool host_look_for_stuck(const struct host_crowd *crowd);

/* Return what else could let a thread of this launcher continue, as bits of enum host_other: the first what its
   process has, except timers, which only the thread knows of; the second which signals have reached it so far. The
   second is called after the first has been called for all threads: something that has ended by then may have sent a
   signal. */
unsigned host_others(int thread, pid_t process);
unsigned host_signalled(pid_t process);

/* Returns the union of the bits of several threads. */
unsigned host_all_others(const struct host_seen *seen, int threads);

/* Returns the number of pthreads of a process; -1: not known. */
int host_count_pthreads(pid_t process);

/* Enclose an actual wait; they record it for the launcher. */
static inline void host_wait_begins(enum host_wait kind, const void *lock)
{
    struct host_waiting *waiting = &host_me()->waiting;
    waiting->lock = lock;
    atomic_store_explicit(&waiting->count, atomic_load_explicit(&waiting->count, memory_order_relaxed) + 1, memory_order_relaxed);
    /* Publishes the other members to is_stuck() in where.c. */
    atomic_store_explicit(&waiting->kind, kind, memory_order_release);
}

static inline void host_wait_ends(void)
{
    atomic_store_explicit(&host_me()->waiting.kind, HOST_COMPUTES, memory_order_relaxed);
}

/* ---- Supplied by the transport ------------------------------------------------------------------------------------- */

/* Completes the answer of this thread, whose `waiting` is already filled in. Runs in a signal handler. */
void host_complete_answer(struct host_answer *answer);

/* Returns whether a thread of this launcher has notified a barrier that is not complete. */
bool host_has_arrived(const struct host_waiting *waiting);

/* Returns whether the thread that waits for a lock has been given it. */
bool host_has_lock(int slot);

/* Describes what is at a place of the shared heap. */
void host_describe_heap(int thread, uint64_t offset, char *text, size_t capacity);

/* Called when this process is about to end, and with it the job: lets another process that is about to report the
   reason do so. */
void host_let_others_report(void);

/* ---- Supplied by the transport: a launcher and those of other threads, if any ------------------------------------ */

/* host_wait_signal waits in the launcher for one of these signals, which are blocked, or for news; at most for the
   time given, NULL: without limit. Returns the signal, otherwise 0 or less. host_moment waits for a millisecond. */
int host_wait_signal(const sigset_t *signals, siginfo_t *info, const struct timespec *rest);
void host_moment(void);

/* What other launchers have sent since the last call. */
struct host_news {
    bool ends;        /* the job ends; the reason has been reported, or none needs to be */
    char reason[256]; /* not "": what has happened; the job must end, and no process has reported it yet */
    int status;       /* status with which the job ends */
    bool places;      /* the user asks where the threads are */
};
struct host_news host_take_news(void);

/* Returns whether this launcher may report why the job ends; no other one does then. */
bool host_claim_job(void);

/* Returns whether the launcher's thread has been given permission to report. */
bool host_thread_may_report(void);

/* Makes the other launchers end the job with this status. */
void host_end_others(int status);

/* Removes the system's files that a failed job would leave behind, as far as they are known. */
void host_clean(void);

/* Called when the job has failed and its threads have ended: the process that started this launcher may need time to
   notice by itself what has happened. */
void host_let_starter_see(void);

/* Announces that all threads have ended normally, so that the other launchers do not treat this one as lost. */
void host_part(void);

/* Prints where the threads of the whole job are, or makes the responsible launcher print it. */
void host_show_job(const struct host_crowd *crowd);

/* Called repeatedly. Returns true if it is certain that all threads of the job wait for one another and nothing else
   can let them continue. */
bool host_look_for_deadlock(const struct host_crowd *crowd);

/* From monitor.c. The first returns the crowd of this launcher. The second prints the lines about a job in which all
   threads wait for one another, from what was seen, at most once of each kind; it returns true if nothing else can
   let them continue. */
struct host_crowd host_my_crowd(void);
bool host_judge_deadlock(const struct host_seen *seen);

/* The first excludes the segments from core files. The second is called by a process that is about to write a core
   file, and includes static data and the part of the heap that is in use. Async-signal-safe. */
void host_core_exclude(void);
void host_core_include_used(void);

/* ---- Internal to this folder --------------------------------------------------------------------------------------- */

/* Writes the signals that the monitor waits for. They must be blocked before the first thread is forked. */
void host_watched_signals(sigset_t *signals);

/* Watches over the threads, in the process that forked them, until the job is over; then ends that process. pids:
   one per thread. */
void host_monitor(const pid_t *pids, const struct upcr_plan *plan) __attribute__((__noreturn__));

/* The number of processes that a launcher of MPI or of the system has started for the program, 0 if there is no
   launcher or it does not report the number; and the number of this process among them. */
struct host_launched {
    int processes, number;
};
struct host_launched host_launched(void);

/* Sends the status of a job that has failed to upcrun, where it has set this variable because MPI's launcher ends with
   another one. It arrives on upcrun's machine alone. */
#define HOST_STATUS_VARIABLE "UPCRUN_STATUS"
void host_report_status(int status);

/* Returns how many of the processes are on this machine; 0: the launcher does not report it. */
int host_launched_here(void);

/* Returns whether srun has started several processes that cannot find one another, because it offers no interface to
   MPI. */
bool host_launched_without_mpi(void);

/* Returns whether srun has started this process, and no launcher of MPI's in between. Called before MPI starts. */
bool host_launched_by_srun(void);

/* Returns how many processors this process may use; at least 1. */
int host_processors(void);

/* Prints the machine and the processors of this thread. sharers: threads of each processor. */
void host_show_placement(int sharers);

/* Warns the user if threads will have to share processors. */
void host_bind_note(int threads);

/* Makes processes that threads have started become children of the monitor when they lose their parent. */
void host_children_note(void);

/* Returns whether there is such a process that has lost its parent. */
bool host_children_exist(const struct host_crowd *crowd);

/* Notes a child that this process has started itself: it brings nothing about for the threads. */
void host_children_own(pid_t pid);

/* Kills all processes that the threads of a failed job have left. Those that existed before host_children_note are
   spared. */
void host_children_kill(void);

#endif
