/* The launcher of an smp job. It has all threads, so there are no other launchers to communicate with. */
#include "runtime.h"

#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "transport/smp/job.h"

int host_wait_signal(const sigset_t *signals, siginfo_t *info, const struct timespec *rest)
{
    return rest != NULL ? sigtimedwait(signals, info, rest) : sigwaitinfo(signals, info);
}

void host_moment(void)
{
    const struct timespec moment = {0, 1000 * 1000};
    nanosleep(&moment, NULL);
}

struct host_news host_take_news(void)
{
    return (struct host_news){.ends = false};
}

bool host_claim_job(void)
{
    return true;
}

bool host_thread_may_report(void)
{
    return true;
}

void host_end_others(int status)
{
    (void)status;
}

/* Nothing to do: only the launcher refuses. */
void upcr_tp_refuse(void)
{
}

void host_part(void)
{
}

void host_clean(void)
{
}

void host_let_starter_see(void)
{
}

void host_show_job(const struct host_crowd *crowd)
{
    struct host_seen *seen = calloc((size_t)crowd->threads, sizeof *seen);
    if (seen == NULL)
        return;
    host_see(crowd, seen);
    host_print_seen(seen, crowd->threads);
    free(seen);
}

/* If threads are stuck in two checks, some time apart, there was a moment in which each of them was. If they are
   still stuck after the check for what else could let them continue, nothing has done so before that check, and
   nothing can after it. */
bool host_look_for_deadlock(const struct host_crowd *crowd)
{
    if (!host_look_for_stuck(crowd))
        return false;
    struct host_seen *seen = calloc((size_t)crowd->threads, sizeof *seen);
    bool proven = false;
    if (seen != NULL) {
        host_see(crowd, seen);
        bool answered = true;
        for (int t = 0; t < crowd->threads; t++)
            answered = answered && seen[t].answered;
        proven = answered && host_look_for_stuck(crowd) && host_judge_deadlock(seen);
    }
    free(seen);
    return proven;
}
