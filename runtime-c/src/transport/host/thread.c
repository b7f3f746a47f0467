/* The thread's side of its launcher's work: the signals that it receives, and what it records for the launcher to
   find. */
#include "runtime.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/time.h>
#include <unistd.h>

#include "options.h"
#include "transport/host/host.h"

struct host_job *host_job;

void host_job_create(int first, int count, int threads)
{
    size_t bytes = sizeof *host_job + (size_t)count * sizeof *host_job->thread;
    void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at == MAP_FAILED)
        upcr_fatal("cannot map a control block of %zu bytes: %s", bytes, strerror(errno));
    host_job = at;
    host_job->first = first;
    host_job->count = count;
    host_job->threads = threads;
}

int host_exit_signal(void)
{
    return SIGRTMIN + 5;
}

int host_ask_signal(void)
{
    return SIGRTMIN + 6;
}

int host_save_signal(void)
{
    return SIGRTMIN + 7;
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

void host_save(void)
{
    if (before_end != NULL)
        before_end();
    host_write(&host_me()->saving, HOST_HAS_SAVED);
}

/* Saves and waits for the thread's end: nothing may happen afterwards that would have been saved. */
static void on_save_signal(int signal, siginfo_t *info, void *context)
{
    sigset_t all;
    (void)signal;
    (void)info;
    (void)context;
    host_save();
    sigfillset(&all);
    for (;;)
        sigsuspend(&all);
}

void upcr_tp_before_end(void (*function)(void))
{
    before_end = function;
    handle(host_save_signal(), on_save_signal);
    host_write(&host_me()->saving, HOST_WILL_SAVE);
}

/* Runs when another thread has called upc_global_exit. It flushes standard I/O, although that is not
   async-signal-safe: the locks of standard I/O are recursive, the interruption usually hits a wait inside the
   runtime, and the monitor ends a thread that takes too long. */
static void on_exit_signal(int signal)
{
    (void)signal;
    host_write(&host_me()->end, HOST_GLOBAL_EXIT);
    host_save();
    fflush(NULL);
    _exit(0);
}

static void on_ask_signal(int signal, siginfo_t *info, void *context)
{
    int error = errno;
    struct itimerval timer;
    (void)signal;
    (void)info;
    host_me()->answer = (struct host_answer){.waiting = host_me()->waiting, .lock.holder = -1};
    host_me()->answer.timed = getitimer(ITIMER_REAL, &timer) != 0 || timer.it_value.tv_sec != 0 || timer.it_value.tv_usec != 0;
    host_complete_answer(&host_me()->answer);
    upcr_trace_take(&host_me()->stack, context);
    errno = error;
}

static pid_t launcher_process;

/* Runs when the user asks a thread, and not the launcher, where the threads are. */
static void on_show_signal(int signal, siginfo_t *info, void *context)
{
    (void)context;
    if (info->si_pid != launcher_process)
        kill(launcher_process, signal);
}

void host_take_null_input(void)
{
    int null = open("/dev/null", O_RDONLY);
    if (null >= 0) {
        dup2(null, STDIN_FILENO);
        if (null != STDIN_FILENO)
            close(null);
    }
}

void host_become_thread(pid_t launcher, const sigset_t *mask)
{
    struct sigaction action;
    /* No thread outlives a launcher that is killed. The launcher may have died before the request was made. */
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != launcher)
        _exit(1);
    memset(&action, 0, sizeof action);
    action.sa_handler = on_exit_signal;
    sigaction(host_exit_signal(), &action, NULL);
    launcher_process = launcher;
    handle(host_ask_signal(), on_ask_signal);
    handle(SIGUSR1, on_show_signal);
    sigprocmask(SIG_SETMASK, mask, NULL);
}

void upcr_tp_report_done(void)
{
    host_write(&host_job->reported, 1);
}

void upcr_tp_abort(int status)
{
    host_write(&host_me()->end, HOST_ABORTED);
    host_let_others_report();
    if (upcr_options.abort) {
        host_core_include_used();
        signal(SIGABRT, SIG_DFL);
        abort();
    }
    _exit(status);
}

const char *upcr_tp_machine(void)
{
    return host_job != NULL ? host_job->machine : "";
}

void upcr_tp_note_crash(const struct upcr_crash *crash)
{
    host_me()->crash = *crash;
    host_core_include_used();
}

struct upcr_stack *upcr_tp_my_stack(void)
{
    return &host_me()->stack;
}
