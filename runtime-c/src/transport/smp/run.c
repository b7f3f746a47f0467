/* Start and end of an smp job: a UPC thread is a forked process, the process the user started watches over them. */
#include "runtime.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <errno.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "options.h"
#include "transport/smp/job.h"

int smp_exit_signal(void)
{
    return SIGRTMIN + 5;
}

int smp_ask_signal(void)
{
    return SIGRTMIN + 6;
}

int smp_save_signal(void)
{
    return SIGRTMIN + 7;
}

static struct smp_thread *me(void)
{
    return &smp_job->thread[upcr_mythread];
}

static void handle(int signal, void (*handler)(int, siginfo_t *, void *))
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = handler;
    action.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
    sigaction(signal, &action, NULL);
}

static void (*before_end)(void);

static void save(void)
{
    if (before_end != NULL)
        before_end();
    atomic_store(&me()->saving, SMP_HAS_SAVED);
}

/* Nothing may happen any more that would have been saved: the thread waits for its end. */
static void on_save_signal(int signal, siginfo_t *info, void *context)
{
    sigset_t all;
    (void)signal;
    (void)info;
    (void)context;
    save();
    sigfillset(&all);
    for (;;)
        sigsuspend(&all);
}

void upcr_tp_before_end(void (*function)(void))
{
    before_end = function;
    handle(smp_save_signal(), on_save_signal);
    atomic_store(&me()->saving, SMP_WILL_SAVE);
}

/* Another thread called upc_global_exit. Standard I/O is flushed here although it is not async-signal-safe: its locks are recursive, the
   usual place of interruption is a wait inside the runtime, and the monitor ends a thread that takes too long. */
static void on_exit_signal(int signal)
{
    (void)signal;
    atomic_store(&me()->end, SMP_GLOBAL_EXIT);
    save();
    fflush(NULL);
    _exit(0);
}

static void on_ask_signal(int signal, siginfo_t *info, void *context)
{
    int error = errno;
    (void)signal;
    (void)info;
    me()->asked = me()->waiting;
    upcr_trace_take(&me()->stack, context);
    errno = error;
}

static pid_t launcher_process;

/* The user asked a thread and not the launcher where the threads are. */
static void on_show_signal(int signal, siginfo_t *info, void *context)
{
    (void)context;
    if (info->si_pid != launcher_process)
        kill(launcher_process, signal);
}

static void take_null_input(void)
{
    int null = open("/dev/null", O_RDONLY);
    if (null >= 0) {
        dup2(null, STDIN_FILENO);
        if (null != STDIN_FILENO)
            close(null);
    }
}

/* First steps of a thread's process. */
static void become_thread(int thread, pid_t launcher, const sigset_t *mask, bool bind)
{
    struct sigaction action;
    upcr_mythread = thread;
    smp_segments_choose(thread);
    /* Nothing survives a launcher that is killed. It may have died before the request was made. */
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != launcher)
        _exit(1);
    memset(&action, 0, sizeof action);
    action.sa_handler = on_exit_signal;
    sigaction(smp_exit_signal(), &action, NULL);
    launcher_process = launcher;
    handle(smp_ask_signal(), on_ask_signal);
    handle(SIGUSR1, on_show_signal);
    sigprocmask(SIG_SETMASK, mask, NULL);
    if (bind)
        smp_bind(thread);
    if (thread != 0)
        take_null_input();
}

/* Gives back the threads that were forked before one could not be. */
static void undo_fork(const pid_t *pids, int count, int threads) __attribute__((__noreturn__));
static void undo_fork(const pid_t *pids, int count, int threads)
{
    int error = errno;
    for (int t = 0; t < count; t++)
        kill(pids[t], SIGKILL);
    upcr_refuse("cannot start thread %d of %d: %s", count, threads, strerror(error));
}

void upcr_tp_run(const struct upcr_plan *plan)
{
    sigset_t watched, old;
    pid_t launcher = getpid();
    pid_t *pids = calloc((size_t)plan->threads, sizeof *pids);
    if (pids == NULL)
        upcr_refuse("out of memory");
    upcr_threads = plan->threads;
    upcr_threads_reciprocal = UINT64_MAX / (uint64_t)plan->threads;
    upcr_wait_configure(plan->polite || plan->threads > smp_processors());
    if (plan->bind)
        smp_bind_note(plan->threads);
    smp_segments_create(plan);
    smp_heap_init(plan);
    smp_core_exclude();
    smp_children_note();

    /* What the program's constructors have printed must not come out of every thread. */
    fflush(NULL);
    /* The monitor takes signals one at a time with sigwaitinfo; none may be lost while the threads are being started. Others,
       such as those that stop and continue a job, act on it as on every process. A parent that ignored SIGCHLD would keep
       the ends of the threads from us. */
    signal(SIGCHLD, SIG_DFL);
    smp_watched_signals(&watched);
    sigprocmask(SIG_BLOCK, &watched, &old);
    for (int t = 0; t < plan->threads; t++) {
        pids[t] = fork();
        if (pids[t] < 0)
            undo_fork(pids, t, plan->threads);
        if (pids[t] == 0) {
            free(pids);
            become_thread(t, launcher, &old, plan->bind);
            return;
        }
    }
    smp_monitor(pids, plan);
}

void upcr_tp_leave(void)
{
    atomic_store(&me()->end, SMP_LEFT);
}

void upcr_tp_global_exit(int status)
{
    uint32_t none = 0;
    atomic_compare_exchange_strong(&smp_job->global_exit, &none, 0x100u | ((uint32_t)status & 0xff));
    atomic_store(&me()->end, SMP_GLOBAL_EXIT);
    _exit(0);
}

bool upcr_tp_claim_report(void)
{
    uint32_t nobody = 0;
    return atomic_compare_exchange_strong(&smp_job->reporter, &nobody, (uint32_t)upcr_mythread + 1);
}

void upcr_tp_report_done(void)
{
    atomic_store(&smp_job->reported, 1);
}

void upcr_tp_abort(int status)
{
    atomic_store(&me()->end, SMP_ABORTED);
    if (upcr_options.abort) {
        smp_core_include_used();
        signal(SIGABRT, SIG_DFL);
        abort();
    }
    _exit(status);
}

void upcr_tp_note_crash(const struct upcr_crash *crash)
{
    me()->crash = *crash;
    smp_core_include_used();
}

struct upcr_stack *upcr_tp_my_stack(void)
{
    return &me()->stack;
}
