/* The end of a job: by all threads together, by upc_global_exit, by an error of one thread. */
#include "runtime.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "gasp/hooks.h"
#include "options.h"
#include "output.h"
#include "transport/messages/launcher_network.h"
#include "transport/messages/net.h"

enum { FLUSH_MS = 1000, REPORT_MS = 3000 };

int net_worst_status;

static void moment(void)
{
    const struct timespec ms = {0, 1000 * 1000};
    nanosleep(&ms, NULL);
}

void upcr_tp_leave(void)
{
    /* When the first process ends with a nonzero status, MPI's launcher ends the others, so this thread's output
       must be flushed before. */
    fflush(NULL);
    if (upcr_options.message_stats)
        upcr_log("%llu messages sent, of %llu bytes", (unsigned long long)net_sent, (unsigned long long)net_sent_bytes);
    net_engine_stop();
    host_job->worst_status = net_worst_status;
    host_write(&host_me()->end, HOST_LEFT);
    wire_end();
}

void net_fail(const char *call, const char *why)
{
    upcr_die("%s: %s: the connection to another thread is lost, or the network has failed", call, why);
}

/* This is called at the access and not where the message arrives, so that the report names the thread and the place
   that caused the error. */
void net_no_place(upcr_pts_t place)
{
    struct upcr_crash crash = {.signal = SIGSEGV, .code = SEGV_MAPERR};
    crash.address = (uintptr_t)upcr_segment_base + upcr_threadof(place) * UPCR_SEGMENT_STRIDE + upcr_addrfield(place);
    upcr_tp_note_crash(&crash);
    upcr_trace_take(upcr_tp_my_stack(), NULL);
    upcr_output_rescue();
    if (upcr_has_events())
        upcr_events.rescue(SIGSEGV);
    signal(SIGSEGV, SIG_DFL);
    raise(SIGSEGV);
    _exit(1);
}

/* ---- upc_global_exit ------------------------------------------------------------------------------------------------

   A launcher ends a job when a process aborts it, and treats a process that ends in another way as an error. So the other threads flush
   and then wait, and the thread that has called the function ends all of them. */

static pthread_t main_thread;
static atomic_bool ends_job; /* this thread has called upc_global_exit */

/* `ender` and `ends_job` are accessed like the words in struct host_job (host_read). */
static uint64_t known_ender(void)
{
    return atomic_load_explicit(&net.group->ender, memory_order_seq_cst);
}

/* Notifies this thread's launcher of the status: MPI's launcher ends all processes by signals, and treats the first
   nonzero status as that of the job. */
static void notify_launcher(void)
{
    host_write(&host_job->global_exit, 0x100u | (uint32_t)(known_ender() & 0xff));
    host_write(&host_me()->end, HOST_GLOBAL_EXIT);
}

static void flush_and_report(void)
{
    notify_launcher();
    host_save();
    fflush(NULL);
    host_write(&net_member(upcr_mythread)->flushed, 1);
}

static void on_exit_signal(int signal)
{
    (void)signal;
    /* This thread ends the job itself, and has flushed. */
    if (atomic_load_explicit(&ends_job, memory_order_seq_cst)) {
        host_write(&net_member(upcr_mythread)->flushed, 1);
        return;
    }
    flush_and_report();
    for (;;)
        pause();
}

void net_termination_start(void)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_exit_signal;
    sigaction(host_exit_signal(), &action, NULL);
    main_thread = pthread_self();
    net_member(upcr_mythread)->process = getpid();
}

/* Asks the group's other threads to flush. */
static void stop_group(void)
{
    for (int t = 0; t < net.count; t++)
        if (net.first + t != upcr_mythread)
            kill(net.group->member[t].process, host_exit_signal());
}

static bool group_has_flushed(void)
{
    for (int t = 0; t < net.count; t++)
        if (net.first + t != upcr_mythread && host_read(&net.group->member[t].flushed) == 0)
            return false;
    return true;
}

/* A notification that the job ends. It goes from group to group in a binomial tree that starts at the thread that
   ends the job, and back the same way once all have flushed. If several threads end the job at once, each has its
   tree. */
static struct ending {
    struct ending *next;
    int root, parent; /* parent: -1 at the root */
    int missing;      /* subtrees that have not flushed, plus one for this thread's own group */
} * endings;

static struct ending *find_ending(int root)
{
    struct ending *ending = endings;
    while (ending != NULL && ending->root != root)
        ending = ending->next;
    return ending;
}

/* Records a thread that ends the job. If several end it at once, only one calls wire_abort, because MPI's launcher
   cannot handle several calls at once: the lowest thread that all know of. */
static void note_ender(uint64_t ender)
{
    uint64_t known = known_ender();
    while (ender != 0 && (known == 0 || ender < known))
        if (atomic_compare_exchange_weak_explicit(&net.group->ender, &known, ender, memory_order_seq_cst, memory_order_seq_cst))
            break;
}

static bool another_ends(void)
{
    return known_ender() >> 8 != (uint64_t)upcr_mythread + 1;
}

static void part_flushed(struct ending *ending)
{
    if (--ending->missing != 0 || ending->parent < 0)
        return;
    struct net_message *message = net_begin(NET_flushed);
    message->a = (uint64_t)ending->root;
    message->b = known_ender();
    net_send(message, ending->parent, 0);
}

/* Notifies the groups below this one. */
static struct ending *begin_ending(int root, int parent)
{
    struct ending *ending = malloc(sizeof *ending);
    int first = upcr_tp_group_of(root), rank = (net.my_group - first + net.groups) % net.groups;
    if (ending == NULL)
        _exit(1);
    *ending = (struct ending){endings, root, parent, 1};
    endings = ending;
    for (int step = 1; (rank & step) == 0 && rank + step < net.groups; step <<= 1) {
        struct net_message *message = net_begin(NET_exit);
        message->a = (uint64_t)root;
        message->b = known_ender();
        net_send(message, net.leader[(first + rank + step) % net.groups], 0);
        ending->missing++;
    }
    return ending;
}

/* Waits until other threads have called upc_global_exit. Nothing is known of other groups, so if there are any, the
   wait takes the full time. */
static void let_others_come(void)
{
    struct net_patience patience = {0};
    uint64_t start = upcr_clock_ticks();
    host_write(&net_member(upcr_mythread)->flushed, 1);
    while (upcr_clock_to_ns(upcr_clock_ticks() - start) < (uint64_t)HOST_PARTING_MS * 1000 * 1000 && (net.groups > 1 || !group_has_flushed()))
        net_pause(&patience, NULL, 0);
}

/* The wire or the launcher would print that the job was aborted, though its end is as the program wants it. mpirun -q keeps that back, other
   launchers do not. The program's own output is flushed. */
static void drop_messages(void)
{
    int none = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (none >= 0)
        (void)dup2(none, STDERR_FILENO);
}

void upcr_tp_global_exit(int status)
{
    struct net_patience patience = {0};
    atomic_store_explicit(&ends_job, true, memory_order_seq_cst);
    note_ender(((uint64_t)upcr_mythread + 1) << 8 | ((uint64_t)status & 0xff));
    notify_launcher();
    let_others_come();
    stop_group();
    net_enter();
    struct ending *ending = begin_ending(upcr_mythread, -1);
    part_flushed(ending);
    net_leave();
    for (int ms = 0; ms < FLUSH_MS && (__atomic_load_n(&ending->missing, __ATOMIC_RELAXED) != 0 || !group_has_flushed()); ms++) {
        for (int i = 0; i < 100; i++)
            net_pause(&patience, NULL, 0);
        moment();
    }
    notify_launcher();
    for (int ms = 0; ms < FLUSH_MS && another_ends(); ms++)
        moment();
    drop_messages();
    /* Slurm reports an abort in several lines, and kills the processes of MPICH with another status: the launchers end the job. */
    if (!host_launched_by_srun())
        wire_abort(status & 0xff);
    _exit(status & 0xff);
}

void net_on_exit(struct net_message *message, int from, size_t data)
{
    bool is_main = pthread_equal(pthread_self(), main_thread);
    note_ender(message->b);
    struct ending *ending = begin_ending((int)message->a, from);
    (void)data;
    /* Several threads may end the job; each of them waits for the others to have flushed. */
    if (atomic_load_explicit(&ends_job, memory_order_seq_cst)) {
        part_flushed(ending);
        return;
    }
    stop_group();
    if (is_main)
        flush_and_report();
    else
        pthread_kill(main_thread, host_exit_signal());
    for (int ms = 0; ms < FLUSH_MS && (host_read(&net_member(upcr_mythread)->flushed) == 0 || !group_has_flushed()); ms++)
        moment();
    part_flushed(ending);
    /* The main thread does nothing more for the user, but the communication thread may have to continue. */
    if (is_main) {
        net_leave();
        for (;;)
            pause();
    }
}

void net_on_flushed(struct net_message *message, int from, size_t data)
{
    struct ending *ending = find_ending((int)message->a);
    (void)from, (void)data;
    note_ender(message->b);
    if (ending != NULL)
        part_flushed(ending);
}

/* ---- Reports -------------------------------------------------------------------------------------------------------- */

static bool reports; /* this process reports why the job ends */

bool upcr_tp_claim_report(void)
{
    uint32_t reporter;
    if (!host_write_first(&host_job->reporter, (uint32_t)upcr_mythread + 1, &reporter))
        return false;
    reports = launcher_claim();
    return reports;
}

/* If another process reports, this one does not end the job before the report is complete. */
void host_let_others_report(void)
{
    for (int ms = 0; net.group != NULL && !reports && ms < REPORT_MS; ms++)
        moment();
}

/* ---- Core files ----------------------------------------------------------------------------------------------------- */

static void advise(int thread, uint64_t from, uint64_t to, int advice)
{
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    from &= ~(page - 1);
    to = (to + page - 1) & ~(page - 1);
    if (from < to)
        (void)madvise(net_at(thread, from), to - from, advice);
}

void host_core_exclude(void)
{
    for (int t = net.first; t < net.first + net.count; t++)
        advise(t, UPCR_STATIC_START, net.segment_bytes, MADV_DONTDUMP);
}

void host_core_include_used(void)
{
    if (net.group == NULL)
        return;
    for (int t = net.first; t < net.first + net.count; t++) {
        advise(t, UPCR_STATIC_START, net_member(t)->border, MADV_DODUMP);
        advise(t, net_member(t)->arena.low, net.segment_bytes, MADV_DODUMP);
    }
}
