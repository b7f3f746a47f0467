/* What launchers report to one another: which of them may report why the job ends, that it ends, that one of them is
   lost, where the threads are, and that all of them wait. */
#include "runtime.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "transport/messages/launcher_network.h"
#include "transport/messages/net.h"
#include "transport/messages/wire_files.h"

enum { POLL_MS = 1000, CLAIM_MS = 2000, LOOK_MS = 2500, DETECT_MS = 8000, END_MS = 1000, NEWS_MS = 800, EXIT_MS = 5000, LOST = 0x100 };

static struct host_news news;
static bool is_over; /* the job ends, and the reason has been reported, or none is needed */
static bool ended;   /* the end has been passed on */
static bool lost;    /* the job ends because a machine does not answer */

struct host_news host_take_news(void)
{
    struct host_news taken = news;
    news = (struct host_news){.ends = false};
    return taken;
}

static bool is_root(void)
{
    return launcher_tree.me <= 0;
}

static int64_t now_ms(void)
{
    return upcr_clock_now_ns() / 1000000;
}

static bool is_orphan(void)
{
    static pid_t starter;
    if (starter == 0)
        starter = getppid();
    return getppid() != starter;
}

/* ---- Who reports the reason ----------------------------------------------------------------------------------------- */

static enum { NOT_ASKED, ASKED, MAY, MAY_NOT } claim; /* of this launcher or its thread */
static bool thread_waits;
static int claimed_by = -1; /* at the root */

static void settle(bool may)
{
    char answer = may;
    claim = may ? MAY : MAY_NOT;
    if (thread_waits && launcher_talk >= 0 && write(launcher_talk, &answer, 1) != 1)
        thread_waits = true; /* the thread has ended */
    thread_waits = false;
}

/* Decides a claim, at the root, or where the root is lost: the first claim is granted, and none once the job ends,
   because its reason has been reported. */
static bool first_to_claim(int thread)
{
    if (claimed_by < 0 && !is_over)
        claimed_by = thread;
    return claimed_by == thread;
}

static void end_is_known(int status)
{
    is_over = true;
    news.ends = true;
    news.status = status;
    if (claim == ASKED)
        settle(false);
}

static void start_claim(void)
{
    if (claim == MAY || claim == MAY_NOT) {
        settle(claim == MAY);
    } else if (is_root() || launcher_tree.parent.fd < 0) {
        settle(first_to_claim(launcher_tree.me));
    } else if (claim == NOT_ASKED) {
        claim = ASKED;
        launcher_send(&launcher_tree.parent, LAUNCHER_claim, launcher_tree.me, 0, NULL, 0);
    }
}

void launcher_on_claim_of_thread(void)
{
    thread_waits = true;
    start_claim();
}

bool host_claim_job(void)
{
    int64_t deadline = now_ms() + CLAIM_MS;
    start_claim();
    while (claim == ASKED && now_ms() < deadline)
        launcher_poll(-1, -1, 10);
    return claim == MAY || claim == ASKED;
}

bool host_thread_may_report(void)
{
    return claim == MAY;
}

static void on_claim(struct launcher_peer *from, int thread)
{
    if (is_root() || launcher_tree.parent.fd < 0)
        launcher_send(from, LAUNCHER_outcome, thread, first_to_claim(thread), NULL, 0);
    else
        launcher_send(&launcher_tree.parent, LAUNCHER_claim, thread, 0, NULL, 0);
}

static void on_outcome(int thread, int value)
{
    struct launcher_peer *towards = launcher_towards(thread);
    if (thread == launcher_tree.me)
        settle(value != 0);
    else if (towards != NULL)
        launcher_send(towards, LAUNCHER_outcome, thread, value, NULL, 0);
}

/* ---- The end -------------------------------------------------------------------------------------------------------- */

static void pass_end(const struct launcher_peer *from, int status)
{
    if (ended)
        return;
    is_over = ended = true;
    /* Before the end, also one that another launcher of this machine has passed on, because a launcher on another machine
       reports the reason. */
    if (is_orphan())
        launcher_send_to_machines(LAUNCHER_abandoned, launcher_tree.with_root);
    if (lost)
        status |= LOST;
    if (from != &launcher_tree.parent)
        launcher_send(&launcher_tree.parent, LAUNCHER_end, launcher_tree.me, status, NULL, 0);
    for (int i = 0; i < LAUNCHER_CHILDREN; i++)
        if (from != &launcher_tree.child[i])
            launcher_send(&launcher_tree.child[i], LAUNCHER_end, launcher_tree.me, status, NULL, 0);
}

void host_end_others(int status)
{
    pass_end(NULL, status);
}

/* After upc_global_exit the wire was aborted, but under Slurm the launchers end the job. */
static void end_after_global_exit(int status)
{
    if (host_launched_by_srun())
        pass_end(NULL, status);
    net_files_remove();
}

void host_part(void)
{
    uint32_t global_exit = host_read(&host_job->global_exit);
    if (global_exit != 0)
        end_after_global_exit((int)(global_exit & 0xff));
    else
        net_files_end();
    launcher_send(&launcher_tree.parent, LAUNCHER_bye, launcher_tree.me, 0, NULL, 0);
    launcher_send_down(LAUNCHER_bye, launcher_tree.me, 0);
}

void host_clean(void)
{
    net_files_remove();
}

static void on_end(const struct launcher_peer *from, int status)
{
    lost = lost || (status & LOST) != 0;
    if (!ended)
        end_is_known(status & 0xff);
    pass_end(from, status & 0xff);
}

/* Returns whether this launcher's starter ends, or a signal asks this process to end, within a time. */
static bool starter_ends(int ms)
{
    const struct timespec moment = {0, 100 * 1000 * 1000};
    sigset_t ends;
    sigemptyset(&ends);
    sigaddset(&ends, SIGTERM);
    sigaddset(&ends, SIGINT);
    sigaddset(&ends, SIGHUP);
    for (int64_t deadline = now_ms() + ms; now_ms() < deadline;)
        if (is_orphan() || sigtimedwait(&ends, NULL, &moment) > 0)
            return true;
    return is_orphan();
}

/* MPI's daemons notice later that a machine is lost (upcrun arranges that), and end the remaining processes. If they
   were notified of an end before that, they would write to the lost machine, and wait for it as long as TCP retries.
   They do not notice at all if the machine is stopped and its system still answers. Open MPI's launcher ends at a second
   signal without waiting for its daemons. */
void host_let_starter_see(void)
{
    static const int signals[] = {SIGTERM, SIGTERM, SIGKILL};
    if (!lost || starter_ends(DETECT_MS) || getenv("OMPI_COMM_WORLD_SIZE") == NULL)
        return;
    for (size_t i = 0; i < sizeof signals / sizeof *signals && !is_orphan(); i++) {
        kill(getppid(), signals[i]);
        for (int64_t deadline = now_ms() + END_MS; !is_orphan() && now_ms() < deadline;)
            host_moment();
    }
}

/* Of the launchers that see the same loss, one reports it: the nearest to thread 0 that is left. */
void launcher_on_lost(struct launcher_peer *peer, bool closed)
{
    bool down = peer != &launcher_tree.parent, says = down || (peer->thread == 0 && (closed ? launcher_tree.me == 1 : launcher_tree.speaks));
    if (ended || news.ends || news.reason[0] != '\0' || !launcher_tree.joined)
        return;
    lost = !closed;
    news.status = closed ? 128 + SIGKILL : 1;
    if (!says) {
        end_is_known(news.status);
    } else if (closed) {
        snprintf(news.reason, sizeof news.reason, "the launcher of thread %d on %s has been killed, or the connection to it was closed", peer->thread,
                 peer->machine);
    } else {
        snprintf(news.reason, sizeof news.reason, "machine %s (thread %d) does not answer any more: it is down, or its network is", peer->machine,
                 peer->thread);
    }
}

/* ---- What has started this launcher -------------------------------------------------------------------------------------

   MPI's launcher or its daemon on this machine. What the launchers of a machine print goes through it. So when it is
   killed, a launcher on another machine reports that. */

/* Returns a file that becomes readable when the starter ends; -1: none, then its end is noticed within POLL_MS. */
static int starter_file(void)
{
    static int file = -2;
    if (file == -2) {
        (void)is_orphan();
        file = (int)syscall(SYS_pidfd_open, getppid(), 0);
    }
    return is_orphan() ? -1 : file;
}

static void on_abandoned(const struct launcher_peer *from, bool with_root)
{
    if (ended || news.ends || news.reason[0] != '\0')
        return;
    /* The root cannot decide who reports: thread 0's first child on another machine does. */
    if (with_root && !(from->thread == 0 && launcher_tree.speaks)) {
        end_is_known(1);
        return;
    }
    if (with_root && claim != MAY_NOT)
        claim = MAY;
    news.status = 1;
    snprintf(news.reason, sizeof news.reason, "the daemon of MPI's launcher on machine %s (thread %d) has been killed, or has ended", from->machine,
             from->thread);
}

/* MPI's launcher ends the processes at once when a daemon is gone: the news of that may be on its way. It kills what is
   left after a second. */
static void wait_for_news(const siginfo_t *info)
{
    int64_t deadline = now_ms() + NEWS_MS;
    if (info->si_signo != SIGTERM || info->si_pid != getppid() || !launcher_tree.joined || host_job->machine[0] == '\0')
        return;
    while (!ended && !news.ends && news.reason[0] == '\0' && now_ms() < deadline)
        launcher_poll(-1, -1, 10);
}

/* A thread that knows of upc_global_exit waits for the end. It comes by another launcher, unless their connection could not
   be made. */
static void look_for_global_exit(void)
{
    static int64_t since;
    uint32_t global_exit = host_read(&host_job->global_exit);
    if (global_exit == 0 || ended || news.ends || !host_launched_by_srun())
        return;
    if (since == 0)
        since = now_ms();
    if (now_ms() - since > EXIT_MS)
        end_is_known((int)(global_exit & 0xff));
}

/* ---- Waiting -------------------------------------------------------------------------------------------------------- */

int host_wait_signal(const sigset_t *signals, siginfo_t *info, const struct timespec *rest)
{
    static int file = -2;
    const struct timespec none = {0, 0};
    int64_t ms = rest != NULL ? (int64_t)rest->tv_sec * 1000 + (rest->tv_nsec + 999999) / 1000000 : POLL_MS;
    if (file == -2)
        file = signalfd(-1, signals, SFD_CLOEXEC | SFD_NONBLOCK);
    launcher_poll(file, starter_file(), ms < POLL_MS ? (int)ms : POLL_MS);
    /* No other process would end the job. */
    if (is_orphan() && !ended)
        end_is_known(1);
    look_for_global_exit();
    int signal = sigtimedwait(signals, info, &none);
    if (signal > 0)
        wait_for_news(info);
    return signal;
}

void host_moment(void)
{
    launcher_poll(-1, -1, 1);
}

/* ---- Where the threads are ------------------------------------------------------------------------------------------ */

/* At the root: the answers so far to the request in progress. */
static struct {
    int number, missing;
    struct host_seen *seen;
} search;

static void take_seen(int thread, int number, const void *data, size_t bytes)
{
    if (search.seen == NULL || number != search.number || bytes != sizeof *search.seen || thread < 0 || thread >= launcher_tree.threads ||
        search.seen[thread].known)
        return;
    memcpy(&search.seen[thread], data, bytes);
    search.missing--;
}

/* Returns all threads, in memory that the caller frees; NULL if there is none. */
static struct host_seen *look_at_all(const struct host_crowd *crowd)
{
    int64_t deadline = now_ms() + LOOK_MS;
    struct host_seen mine;
    search.seen = calloc((size_t)launcher_tree.threads, sizeof *search.seen);
    if (search.seen == NULL)
        return NULL;
    search.missing = launcher_tree.threads;
    search.number++;
    launcher_send_down(LAUNCHER_look, launcher_tree.me, search.number);
    host_see(crowd, &mine);
    take_seen(launcher_tree.me, search.number, &mine, sizeof mine);
    while (search.missing > 0 && !news.ends && now_ms() < deadline)
        launcher_poll(-1, -1, 10);
    struct host_seen *seen = search.seen;
    search.seen = NULL;
    return seen;
}

void host_show_job(const struct host_crowd *crowd)
{
    struct host_seen *seen;
    if (launcher_tree.joined && !is_root()) {
        launcher_send(&launcher_tree.parent, LAUNCHER_ask_places, launcher_tree.me, 0, NULL, 0);
        return;
    }
    if (!launcher_tree.joined) {
        launcher_tree.me = host_job->first;
        launcher_tree.threads = host_job->threads;
    }
    seen = look_at_all(crowd);
    if (seen != NULL)
        host_print_seen(seen, launcher_tree.threads);
    free(seen);
}

static void on_look(int number)
{
    struct host_crowd crowd = host_my_crowd();
    struct host_seen mine;
    launcher_send_down(LAUNCHER_look, launcher_tree.me, number);
    host_see(&crowd, &mine);
    launcher_send(&launcher_tree.parent, LAUNCHER_seen, launcher_tree.me, number, &mine, sizeof mine);
}

static void on_ask_places(void)
{
    if (is_root())
        news.places = true;
    else
        launcher_send(&launcher_tree.parent, LAUNCHER_ask_places, launcher_tree.me, 0, NULL, 0);
}

/* ---- All wait for one another ---------------------------------------------------------------------------------------

   Each launcher reports to its parent when its thread, and those of all launchers below, have waited for a while in
   a barrier or for a lock. When all do, thread 0's launcher inspects all of them. It is certain that nothing is on
   its way to any of them if in two consecutive inspections all wait as before and as many messages have been handled
   as sent (Mattern's counting). Both inspections check what else could let threads continue, because that could have
   sent something between them. */

static bool thread_is_still;

static void send_alive(void)
{
    static bool reported;
    bool still = thread_is_still;
    for (int i = 0; i < LAUNCHER_CHILDREN; i++)
        still = still && (launcher_tree.child[i].thread < 0 || launcher_tree.child[i].still);
    if (still == reported || !launcher_tree.joined)
        return;
    reported = still;
    if (!is_root())
        launcher_send(&launcher_tree.parent, LAUNCHER_still, launcher_tree.me, still, NULL, 0);
}

static bool all_are_still(void)
{
    for (int i = 0; i < LAUNCHER_CHILDREN; i++)
        if (launcher_tree.child[i].thread >= 0 && !launcher_tree.child[i].still)
            return false;
    return thread_is_still && launcher_tree.joined && is_root();
}

/* Returns whether the thread has been in the same wait since the previous call. */
static bool is_in_same_wait(void)
{
    static uint32_t count;
    const struct host_waiting *waiting = &host_job->thread[0].waiting;
    enum host_wait kind = (enum host_wait)host_read(&waiting->kind);
    uint32_t now = host_read(&waiting->count);
    bool same = now == count && (kind == HOST_IN_BARRIER || kind == HOST_FOR_LOCK);
    count = now;
    return same;
}

static bool is_quiet(const struct host_seen *seen)
{
    uint64_t under_way = 0;
    for (int t = 0; t < launcher_tree.threads; t++) {
        if (!seen[t].known || !seen[t].answered || !seen[t].stuck)
            return false;
        under_way += seen[t].sent - seen[t].handled;
    }
    return under_way == 0;
}

static bool is_same(const struct host_seen *before, const struct host_seen *now)
{
    for (int t = 0; t < launcher_tree.threads; t++)
        if (before[t].count != now[t].count || before[t].sent != now[t].sent || before[t].handled != now[t].handled)
            return false;
    return true;
}

bool host_look_for_deadlock(const struct host_crowd *crowd)
{
    thread_is_still = is_in_same_wait();
    send_alive();
    if (!all_are_still())
        return false;
    struct host_seen *first = look_at_all(crowd), *second = first != NULL && is_quiet(first) ? look_at_all(crowd) : NULL;
    bool proven = false;
    if (second != NULL && is_quiet(second) && is_same(first, second)) {
        for (int t = 0; t < launcher_tree.threads; t++)
            second[t].others |= first[t].others;
        proven = host_judge_deadlock(second);
    }
    free(first);
    free(second);
    return proven;
}

/* ---- Frames --------------------------------------------------------------------------------------------------------- */

void launcher_on_frame(struct launcher_peer *from, const struct launcher_frame *frame, const void *data)
{
    switch ((enum launcher_kind)frame->kind) {
    case LAUNCHER_claim:
        on_claim(from, frame->thread);
        break;
    case LAUNCHER_outcome:
        on_outcome(frame->thread, frame->value);
        break;
    case LAUNCHER_abandoned:
        on_abandoned(from, frame->value != 0);
        break;
    case LAUNCHER_end:
        on_end(from, frame->value);
        break;
    case LAUNCHER_ask_places:
        on_ask_places();
        break;
    case LAUNCHER_look:
        on_look(frame->value);
        break;
    case LAUNCHER_seen:
        if (is_root())
            take_seen(frame->thread, frame->value, data, frame->bytes);
        else
            launcher_send(&launcher_tree.parent, LAUNCHER_seen, frame->thread, frame->value, data, frame->bytes);
        break;
    case LAUNCHER_still:
        from->still = frame->value != 0;
        send_alive();
        break;
    case LAUNCHER_beat:
    case LAUNCHER_bye:
        break;
    }
}
