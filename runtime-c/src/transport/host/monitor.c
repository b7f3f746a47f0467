/* The process that the user started. It waits for its threads, passes signals on to them, and ends the job when one
   of them ends abnormally. */
#include "runtime.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "gasp/hooks.h"
#include "libc.h"
#include "options.h"
#include "output.h"
#include "sanitize.h"
#include "transport/host/host.h"

enum { STATUS_OF_SIGNAL = 128, STATUS_OF_TIMEOUT = 124 };

static const int64_t GROUP_NS = 100 * 1000 * 1000;  /* time for a signal to the group to reach all of it */
static const int64_t GRACE_NS = 1000 * 1000 * 1000; /* time for threads to end after upc_global_exit */
static const int64_t LOOK_NS = 1000 * 1000 * 1000;
static const int64_t SHOW_AGAIN_NS = 1000 * 1000 * 1000;
static const int64_t SAVE_NS = 1000 * 1000 * 1000;         /* time for threads to save their data before they are killed */
static const int64_t REPORT_NS = 5ll * 1000 * 1000 * 1000; /* time for a thread to report why the job ends */

static const int forwarded[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2};

/* By this signal a process asks for a look at what a tool has so far (upcprof top). Processes that do not know of it ignore it. */
enum { LOOK_SIGNAL = SIGURG };

struct supervision {
    const pid_t *pids;
    bool *gone;
    int threads;
    int left;          /* number of threads that have not ended */
    int status;        /* of the job */
    bool ending;       /* the threads have been asked to end */
    bool failed;       /* because of an error, the user's signal or the time limit */
    int fatal_signal;  /* the user's signal that ended the job; 0 if none */
    int64_t deadline;  /* when threads that were asked to end are killed; 0: never */
    unsigned timeout;  /* seconds that the run may take; 0: no limit */
    int64_t time_over; /* when the time limit is reached; 0: never */
    int64_t next_look; /* when to check whether all threads wait for one another; 0: never again */
    int64_t shown;     /* when the threads were last shown; 0: never */
};

static const struct supervision *current;

static void signal_all(const struct supervision *supervision, int signal)
{
    for (int t = 0; t < supervision->threads; t++)
        if (!supervision->gone[t])
            kill(supervision->pids[t], signal);
}

static void log_line(const char *line)
{
    char text[1024];
    size_t length = (size_t)snprintf(text, sizeof text, "%s\n", line);
    upcr_output_message(STDERR_FILENO, text, length < sizeof text ? length : sizeof text - 1);
}

/* "killed by SIGSEGV at address 0x10 (a null pointer)" */
static void describe_death(char *text, size_t capacity, int thread, int signal)
{
    const struct upcr_crash *crash = &host_job->thread[thread].crash;
    char what[192] = "";
    int length = snprintf(text, capacity, "killed by SIG%s", upcr_signal_name(signal));
    if (signal == SIGABRT)
        snprintf(text + length, capacity - (size_t)length, " (abort)");
    else if (signal == SIGKILL)
        snprintf(text + length, capacity - (size_t)length, " (by another process, or because memory ran out)");
    else if (crash->signal == signal && crash->code <= 0)
        snprintf(text + length, capacity - (size_t)length, " (sent by a process)");
    else if (crash->signal == signal && (signal == SIGSEGV || signal == SIGBUS)) {
        host_describe_fault(crash, what, sizeof what);
        /* The processor does not report an address that no memory can have. */
        if (crash->code != SI_KERNEL)
            length += snprintf(text + length, capacity - (size_t)length, " at address 0x%lx", (unsigned long)crash->address);
        snprintf(text + length, capacity - (size_t)length, " (%s%s)", what, signal == SIGBUS ? "; memory ran out" : "");
    }
}

/* Returns whether the thread's process has ended, whether or not reap has recorded it. */
static bool has_ended(const struct supervision *supervision, int thread)
{
    siginfo_t info = {.si_pid = 0};
    if (supervision->gone[thread])
        return true;
    return waitid(P_PID, (id_t)supervision->pids[thread], &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid != 0;
}

/* Returns whether this process is to report why the job ends. A thread that is about to report gets the time for it;
   if it dies in the attempt, this process reports. */
static bool claim_report(const struct supervision *supervision)
{
    uint32_t reporter;
    if (host_write_first(&host_job->reporter, HOST_LAUNCHER, &reporter))
        return host_claim_job();
    for (int64_t deadline = upcr_clock_now_ns() + REPORT_NS; upcr_clock_now_ns() < deadline; host_moment()) {
        /* The order matters: a thread that has ended may have reported before. */
        bool ended = reporter == HOST_LAUNCHER || has_ended(supervision, (int)reporter - 1 - host_job->first);
        if (host_read(&host_job->reported) != 0)
            return false;
        if (ended)
            break;
    }
    return host_claim_job();
}

/* Kills all threads. Those that have something to save save it first. */
static void kill_all(const struct supervision *supervision)
{
    const struct timespec moment = {0, 1000 * 1000};
    int64_t deadline = upcr_clock_now_ns() + SAVE_NS;
    for (int t = 0; t < supervision->threads; t++)
        if (!supervision->gone[t] && host_read(&host_job->thread[t].saving) == HOST_WILL_SAVE)
            kill(supervision->pids[t], host_save_signal());
    for (int t = 0; t < supervision->threads; t++)
        while (!has_ended(supervision, t) && host_read(&host_job->thread[t].saving) == HOST_WILL_SAVE && upcr_clock_now_ns() < deadline)
            nanosleep(&moment, NULL);
    signal_all(supervision, SIGKILL);
}

static struct host_crowd crowd_of(const struct supervision *supervision)
{
    return (struct host_crowd){supervision->pids, supervision->gone, supervision->threads};
}

struct host_crowd host_my_crowd(void)
{
    return crowd_of(current);
}

/* Writes which of the other causes exist: "pthreads of the program, its timers". */
static void name_others(unsigned others, char *text, size_t capacity)
{
    static const struct {
        unsigned other;
        const char *words;
    } table[] = {
        {HOST_BY_PTHREAD, "pthreads of the program"}, {HOST_BY_CHILD, "processes that it has started"},       {HOST_BY_TIMER, "its timers"},
        {HOST_BY_HANDLER, "its signal handlers"},     {HOST_BY_UNKNOWN, "activity that /proc does not show"},
    };
    size_t length = 0;
    text[0] = '\0';
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if ((others & table[i].other) != 0 && length < capacity)
            length += (size_t)snprintf(text + length, capacity - length, "%s%s", length != 0 ? ", " : "", table[i].words);
}

bool host_judge_deadlock(const struct host_seen *seen)
{
    static bool doubted;
    char text[256], names[128];
    unsigned others = host_all_others(seen, host_job->threads);
    /* With a debugger, what happens next is unknown, and the user is present. */
    if ((others & HOST_BY_DEBUGGER) != 0 || (others != 0 && doubted))
        return false;
    doubted = others != 0;
    name_others(others, names, sizeof names);
    if (others != 0)
        snprintf(text, sizeof text, "each thread waits for another; the job continues, because %s may change that", names);
    else if (upcr_options.freeze_on_error)
        snprintf(text, sizeof text, "no thread can continue: each waits for another; the job waits for a debugger (gdb -p %d is thread %d)",
                 (int)current->pids[0], host_job->first);
    else
        snprintf(text, sizeof text, "no thread can continue: each waits for another; the job is ended (upcrun -freeze-on-error leaves it for a debugger)");
    log_line(text);
    host_print_seen(seen, host_job->threads);
    return others == 0;
}

/* Ends all other threads. reason: NULL if nothing needs to be reported; only the first reason of a job is printed. */
static void fail(struct supervision *supervision, int thread, const char *reason, int status)
{
    char line[1024], place[256];
    struct upcr_stack *stack = &host_job->thread[thread].stack;
    struct host_crowd crowd = crowd_of(supervision);
    if (supervision->ending)
        return;
    bool claimed = host_read(&host_job->reporter) != 0 || reason != NULL ? claim_report(supervision) : false;
    if (claimed && reason != NULL) {
        bool placed = upcr_trace_user_place(stack->pcs, stack->count, place, sizeof place);
        snprintf(line, sizeof line, "upc thread %d of %d%s%s: %s%s%s", host_job->first + thread, host_job->threads, host_job->machine[0] != '\0' ? " on " : "",
                 host_job->machine, placed ? place : "", placed ? ": " : "", reason);
        log_line(line);
    }
    supervision->status = status;
    supervision->ending = supervision->failed = true;
    host_end_others(status);
    if (upcr_options.backtrace && host_read(&host_job->reporter) != 0)
        host_show_stacks(&crowd);
    kill_all(supervision);
}

static void begin_global_exit(struct supervision *supervision, uint32_t global_exit)
{
    if (supervision->ending)
        return;
    supervision->status = (int)(global_exit & 0xff);
    supervision->ending = true;
    supervision->deadline = upcr_clock_now_ns() + GRACE_NS;
    signal_all(supervision, host_exit_signal());
}

/* Handles a thread's process that has exited by itself. */
static void judge_exit(struct supervision *supervision, int thread, int code)
{
    char reason[128];
    switch ((enum host_end)host_read(&host_job->thread[thread].end)) {
    case HOST_LEFT:
        if (code < host_job->worst_status)
            code = host_job->worst_status;
        if (!supervision->ending && code > supervision->status)
            supervision->status = code;
        break;
    case HOST_GLOBAL_EXIT:
        begin_global_exit(supervision, host_read(&host_job->global_exit));
        break;
    case HOST_ABORTED:
        fail(supervision, thread, NULL, code);
        break;
    case HOST_RUNNING:
        snprintf(reason, sizeof reason, "its process ended with status %d without passing the final barrier (%s)", code,
                 upcr_has_asan() ? "AddressSanitizer, or _exit?" : "_exit?");
        fail(supervision, thread, reason, code != 0 ? code : 1);
        break;
    }
}

/* Shows the threads, on SIGUSR1. A thread that receives the signal sends it to this process, so a signal to all
   threads calls this function several times. */
static void show_places(struct supervision *supervision)
{
    struct host_crowd crowd = crowd_of(supervision);
    if (supervision->ending || (supervision->shown != 0 && upcr_clock_now_ns() - supervision->shown < SHOW_AGAIN_NS))
        return;
    host_show_job(&crowd);
    supervision->shown = upcr_clock_now_ns();
}

static bool is_supervised(const struct supervision *supervision, pid_t pid)
{
    for (int t = 0; t < supervision->threads; t++)
        if (supervision->pids[t] == pid)
            return true;
    return false;
}

/* Lets the process that has sent the signal look at what the tool has so far. A process of its own does the work: whatever goes wrong there does not end the
   job. */
static void show_tool(const siginfo_t *info)
{
    const unsigned longest = 10; /* seconds */
    const pid_t looker = info->si_code == SI_USER ? fork() : -1;
    if (looker == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        alarm(longest);
        upcr_events.look(info->si_pid);
        _exit(0);
    }
    if (looker > 0)
        host_children_own(looker);
}

/* Passes a signal on, unless it came from the terminal, which sent it to the threads as well, or from a thread. */
static void pass_on(struct supervision *supervision, const siginfo_t *info)
{
    if (info->si_signo != SIGUSR1 && info->si_signo != SIGUSR2)
        supervision->fatal_signal = info->si_signo;
    if (info->si_signo == SIGUSR1)
        show_places(supervision);
    if (info->si_code != SI_KERNEL && !(info->si_signo == SIGUSR1 && is_supervised(supervision, info->si_pid)))
        signal_all(supervision, info->si_signo);
}

/* Returns whether a signal that ended a thread was sent to the whole job. A thread may die of it before this process
   receives its own. */
static bool is_sent_to_all(struct supervision *supervision, int signal)
{
    const struct timespec wait = {0, GROUP_NS};
    siginfo_t info;
    sigset_t same;
    if (signal == supervision->fatal_signal)
        return true;
    for (size_t i = 0; i < sizeof forwarded / sizeof *forwarded; i++)
        if (forwarded[i] == signal && !supervision->ending) {
            sigemptyset(&same);
            sigaddset(&same, signal);
            if (sigtimedwait(&same, &info, &wait) == signal)
                pass_on(supervision, &info);
        }
    return signal == supervision->fatal_signal;
}

static void judge_signal(struct supervision *supervision, int thread, int signal)
{
    char reason[512];
    /* What has been reported is not reported again. A signal that the user sent to the job needs no explanation, nor
       does a reader that closes the output early. */
    bool reported = host_read(&host_job->thread[thread].end) == HOST_ABORTED, to_all = is_sent_to_all(supervision, signal);
    if (to_all && host_read(&host_job->thread[thread].end) == HOST_GLOBAL_EXIT) {
        /* upc_global_exit came first; this signal may be how the job is ended. */
        begin_global_exit(supervision, host_read(&host_job->global_exit));
        return;
    }
    if (reported || signal == SIGPIPE || to_all) {
        fail(supervision, thread, NULL, STATUS_OF_SIGNAL + signal);
        return;
    }
    describe_death(reason, sizeof reason, thread, signal);
    fail(supervision, thread, reason, STATUS_OF_SIGNAL + signal);
}

/* Saves, from this process, what the thread's tool could not save. */
static void salvage(pid_t pid, int status)
{
    if (upcr_has_events())
        upcr_events.salvage(pid, WIFSIGNALED(status) ? WTERMSIG(status) : 0, WIFEXITED(status) ? WEXITSTATUS(status) : 0);
}

/* Records every thread that has ended. */
static void reap(struct supervision *supervision)
{
    int status;
    pid_t pid;
    while (supervision->left > 0 && (pid = waitpid(-1, &status, WNOHANG)) > 0) {
        int thread = 0;
        while (thread < supervision->threads && supervision->pids[thread] != pid)
            thread++;
        if (thread == supervision->threads)
            continue; /* a process that an earlier program left to this one */
        supervision->gone[thread] = true;
        supervision->left--;
        salvage(pid, status);
        if (WIFSIGNALED(status))
            judge_signal(supervision, thread, WTERMSIG(status));
        else
            judge_exit(supervision, thread, WEXITSTATUS(status));
    }
}

/* Handles the end of the time limit that the user set: shows where the threads are, and ends them. */
static void end_of_time(struct supervision *supervision)
{
    char line[128];
    struct host_crowd crowd = crowd_of(supervision);
    supervision->time_over = 0;
    if (supervision->ending)
        return;
    if (claim_report(supervision)) {
        snprintf(line, sizeof line, "%s: the time limit of %u s has expired (upcrun -timeout, UPC_TIMEOUT): the job is ended", program_invocation_short_name,
                 supervision->timeout);
        log_line(line);
        host_show_job(&crowd);
        if (upcr_options.backtrace)
            host_show_stacks(&crowd);
    }
    supervision->status = STATUS_OF_TIMEOUT;
    supervision->ending = supervision->failed = true;
    host_end_others(STATUS_OF_TIMEOUT);
    kill_all(supervision);
}

/* Reports when all threads wait for one another, and ends the job, unless it is to stay for a debugger. */
static void look_for_deadlock(struct supervision *supervision)
{
    struct host_crowd crowd = crowd_of(supervision);
    supervision->next_look = 0;
    if (supervision->ending || supervision->left < supervision->threads)
        return;
    supervision->next_look = upcr_clock_now_ns() + LOOK_NS;
    if (!host_look_for_deadlock(&crowd))
        return;
    supervision->next_look = 0;
    if (upcr_options.freeze_on_error)
        return;
    (void)claim_report(supervision);
    if (upcr_options.backtrace)
        host_show_stacks(&crowd);
    supervision->status = 1;
    supervision->ending = supervision->failed = true;
    host_end_others(supervision->status);
    kill_all(supervision);
}

/* Handles what other launchers of the job have sent. */
static void take_news(struct supervision *supervision)
{
    char line[512];
    struct host_news news = host_take_news();
    if (news.places)
        show_places(supervision);
    /* If the user's signal ends a job, its launchers end at different times. */
    if (supervision->ending || (!news.ends && (news.reason[0] == '\0' || supervision->fatal_signal != 0)))
        return;
    if (news.reason[0] != '\0' && !news.ends && claim_report(supervision)) {
        snprintf(line, sizeof line, "%s: %s", program_invocation_short_name, news.reason);
        log_line(line);
    }
    /* A thread of this launcher that is about to report why the job ends may finish. */
    if (news.ends && host_read(&host_job->reporter) != 0 && host_thread_may_report())
        (void)claim_report(supervision);
    supervision->status = news.status;
    supervision->ending = supervision->failed = true;
    host_end_others(supervision->status);
    kill_all(supervision);
}

/* Chooses how long to wait for the next signal. False: without limit. */
static bool choose_timeout(const struct supervision *supervision, struct timespec *rest)
{
    const int64_t times[] = {supervision->deadline, supervision->time_over, supervision->next_look};
    int64_t until = 0;
    for (size_t i = 0; i < sizeof times / sizeof *times; i++)
        if (times[i] != 0 && (until == 0 || times[i] < until))
            until = times[i];
    if (until == 0)
        return false;
    int64_t left = until - upcr_clock_now_ns();
    if (left < 0)
        left = 0;
    rest->tv_sec = left / 1000000000;
    rest->tv_nsec = left % 1000000000;
    return true;
}

static void wait_for_signal(struct supervision *supervision, const sigset_t *signals)
{
    siginfo_t info;
    struct timespec rest;
    int signal = host_wait_signal(signals, &info, choose_timeout(supervision, &rest) ? &rest : NULL);
    take_news(supervision);
    if (signal == LOOK_SIGNAL)
        show_tool(&info);
    else if (signal > 0 && signal != SIGCHLD)
        pass_on(supervision, &info);
    if (supervision->time_over != 0 && upcr_clock_now_ns() >= supervision->time_over)
        end_of_time(supervision);
    if (supervision->next_look != 0 && upcr_clock_now_ns() >= supervision->next_look)
        look_for_deadlock(supervision);
    if (supervision->deadline != 0 && upcr_clock_now_ns() >= supervision->deadline) {
        supervision->deadline = 0;
        signal_all(supervision, SIGKILL);
    }
}

/* Ends this process as the job ended: by the user's signal, if that ended the job. */
static void end_like_job(const struct supervision *supervision) __attribute__((__noreturn__));
static void end_like_job(const struct supervision *supervision)
{
    int signal = supervision->fatal_signal;
    if (supervision->failed || host_read(&host_job->global_exit) != 0)
        host_report_status(supervision->status);
    if (supervision->failed) {
        host_children_kill();
        host_clean();
        host_let_starter_see();
    } else {
        host_part();
    }
    if (signal != 0 && supervision->status == STATUS_OF_SIGNAL + signal) {
        sigset_t set;
        sigemptyset(&set);
        sigaddset(&set, signal);
        kill(getpid(), signal);
        sigprocmask(SIG_UNBLOCK, &set, NULL);
    }
    _exit(supervision->status);
}

void host_watched_signals(sigset_t *signals)
{
    sigemptyset(signals);
    sigaddset(signals, SIGCHLD);
    if (upcr_has_events())
        sigaddset(signals, LOOK_SIGNAL);
    for (size_t i = 0; i < sizeof forwarded / sizeof *forwarded; i++)
        sigaddset(signals, forwarded[i]);
}

void host_monitor(const pid_t *pids, const struct upcr_plan *plan)
{
    sigset_t signals;
    static struct supervision supervision;
    supervision = (struct supervision){.pids = pids, .threads = plan->threads, .left = plan->threads, .timeout = plan->timeout};
    current = &supervision;
    supervision.next_look = upcr_clock_now_ns() + LOOK_NS;
    if (plan->timeout != 0)
        supervision.time_over = upcr_clock_now_ns() + (int64_t)plan->timeout * 1000000000;
    supervision.gone = calloc((size_t)plan->threads, sizeof *supervision.gone);
    if (supervision.gone == NULL) {
        log_line("out of memory in the launcher");
        for (int t = 0; t < plan->threads; t++)
            kill(pids[t], SIGKILL);
        _exit(1);
    }
    host_watched_signals(&signals);
    for (reap(&supervision); supervision.left > 0; reap(&supervision))
        wait_for_signal(&supervision, &signals);
    end_like_job(&supervision);
}
